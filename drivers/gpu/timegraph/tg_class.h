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
 * @bound: it begins to order a GPU: before the first of its tasks is told of.  Called
 *	without tg_device.lock, may sleep.  Optional
 * @unbound: it does so no more, and none of its ops is called any more for that GPU
 */
struct tg_class {
	const struct tg_policy_ops *ops;
	const char *name;
	struct list_head node;
	void (*bound)(struct tg_class *class, struct tg_device *td);
	void (*unbound)(struct tg_class *class, struct tg_device *td);
};

/**
 * tg_class_register - a policy appears
 *
 * May sleep.  Return: 0, -EEXIST: there is one of that name.
 */
int tg_class_register(struct tg_class *class);

/**
 * tg_class_unregister - it goes: GPUs that it orders have FQ then
 *
 * May sleep.  None of its ops is running, or will be called, when this returns.
 */
void tg_class_unregister(struct tg_class *class);

/**
 * tg_class_find - by name; under tg_client_mutex, by which it stays
 *
 * Return: it, or NULL.
 */
struct tg_class *tg_class_find(const char *name);

/**
 * tg_class_choose - have a GPU ordered by another policy
 *
 * Groups that wait go on waiting under it.  May sleep.
 * Return: 0, -ENOENT: there is none of that name.
 */
int tg_class_choose(struct tg_device *td, const char *name);

/** tg_class_eject - as tg_class_choose() of "fq", where @class is what orders @td */
void tg_class_eject(struct tg_device *td, const struct tg_class *class);

/** tg_class_name - what orders @td; @name has TIMEGRAPH_COMM_LEN bytes */
void tg_class_name(struct tg_device *td, char *name);

/** tg_class_begin - a GPU is about to have a channel; may sleep */
void tg_class_begin(struct tg_device *td);

/**
 * tg_class_init - those of the core are there then
 * @first: which of them GPUs begin with
 *
 * Return: 0; -EINVAL: there is none of that name, reported.
 */
int tg_class_init(const char *first);

struct file;

/** tg_class_ioctl - TIMEGRAPH_IOC_POLICY; may sleep */
int tg_class_ioctl(struct file *file, void *arg);

#endif
