/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Policies that a GPU can have for its fair class: for the tasks whose entry says FQ.
 *
 * Those of the core are there always; others come, from a program that was loaded, and go.
 * Which one a GPU has is tg_device.class, what it schedules by tg_device.fair.
 */
#ifndef TG_CLASS_H
#define TG_CLASS_H

#include <linux/list.h>

#include <uapi/drm/timegraph.h>

#include "core/tg_policy.h"

struct tg_device;

/**
 * struct tg_class - a policy that comes and goes
 * @ops: the policy: tg_policy_ops.fair is set
 * @name: what users call it, at most TIMEGRAPH_COMM_LEN - 1 printable characters
 * @node: in the list of all
 */
struct tg_class {
	const struct tg_policy_ops *ops;
	const char *name;
	struct list_head node;
};

/**
 * tg_class_register - a policy appears: GPUs have it whose specification asks for it
 *
 * May sleep.  Return: 0, -EEXIST: there is one of that name.
 */
int tg_class_register(struct tg_class *class);

/**
 * tg_class_unregister - it goes: GPUs that it orders have FQ then
 * @failed: and not the next one of its name, whatever the specification says
 *
 * May sleep.  None of its ops is running, or will be called, when this returns.
 */
void tg_class_unregister(struct tg_class *class, bool failed);

/**
 * tg_class_find - by name; under tg_client_mutex, by which it stays
 *
 * Return: it, or NULL.
 */
struct tg_class *tg_class_find(const char *name);

/**
 * tg_class_choose - have a GPU ordered by another policy
 *
 * Groups that wait go on waiting under it.  It stays until the specification says another
 * than it does now.  May sleep.
 * Return: 0, -ENOENT: there is none of that name.
 */
int tg_class_choose(struct tg_device *td, const char *name);

/** tg_class_name - what orders @td; @name has TIMEGRAPH_COMM_LEN bytes */
void tg_class_name(struct tg_device *td, char *name);

/**
 * tg_class_follow - have GPUs ordered as the specification in force says, where that is news
 *
 * One of which it says nothing has what tg_class_init() was told.  May sleep.
 */
void tg_class_follow(void);

/**
 * tg_class_init - those of the core are there then
 * @first: which of them a GPU has of which the specification says nothing
 *
 * Return: 0; -EINVAL: there is none of that name, reported.
 */
int tg_class_init(const char *first);

struct file;

/** tg_class_ioctl - TIMEGRAPH_IOC_POLICY; may sleep */
int tg_class_ioctl(struct file *file, void *arg);

#endif
