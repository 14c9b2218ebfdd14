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
 * struct targets - tasks that were named
 * @pid: @n of them, each once
 * @comm: name of each, "" if it is not known
 */
struct targets {
	int32_t *pid;
	char (*comm)[TIMEGRAPH_COMM_LEN];
	uint32_t n;
};

/* From process numbers and names; every name must be a task's. Returns a status. */
int device_targets(int fd, char **words, int n, struct targets *t);
void targets_free(struct targets *t);

#endif
