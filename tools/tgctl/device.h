/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The device, and what to say when it refuses. */
#ifndef DEVICE_H
#define DEVICE_H

#include "tgctl.h"

/* Rights that an action asks for, as in timegraph.h. */
enum device_right {
	DEVICE_LOOK,
	DEVICE_OWN,	/* one's own tasks, or CAP_SYS_NICE */
	DEVICE_SET,	/* one's own tasks for lowering, or CAP_SYS_NICE */
	DEVICE_NICE,
	DEVICE_ADMIN,
};

/* Opens it; returns the descriptor, or -status with the reason printed. */
int device_open(int flags);

/* Says why opening it failed (-errno); returns the status. */
int device_fail_open(int err);

/*
 * Says that @what failed with @err (-errno) and what to do; returns the status.
 * @what is what stands before the colon: "set 412".
 */
int device_fail(const char *what, int err, enum device_right right);

/* Opens it, reads everything, closes it; returns a status. */
int device_snapshot(struct timegraph_snapshot *snap);

/**
 * struct target - a process that was named
 * @pid: its number
 * @id: of the task that was listed with it, 0 if none was
 * @gpu: where that was listed
 */
struct target {
	int32_t pid;
	uint32_t gpu;
	uint64_t id;
};

/**
 * struct targets - processes that were named
 * @item: @n of them, each once
 * @name: what the module is to call each: a pidfd, or, where there is not one of
 *	all, its number
 * @flags: TIMEGRAPH_BY_PIDFD, or 0
 */
struct targets {
	struct target *item;
	int32_t *name;
	uint32_t n;
	uint32_t flags;
};

/* From process numbers and names; every name must be a task's. Returns a status. */
int device_targets(int fd, char **words, int n, struct targets *t);
void targets_free(struct targets *t);

#endif
