/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Make a plan's changes, all of them or none. */
#ifndef APPLY_H
#define APPLY_H

#include "plan.h"

enum apply_result {
	APPLY_DONE,
	APPLY_DENIED,	/* a right is missing; all is as before */
	APPLY_REFUSED,	/* all is as before */
	APPLY_PARTLY,	/* not all could be put back; said on stderr */
};

/**
 * struct apply - an attempt
 * @fd: the device, open for writing
 * @plan: what to do
 * @before: the state that it is from
 * @base: the module's specification: what a task gets that is cleared
 * @culprit: the task that was refused, NULL if it is none in particular
 * @why: the reason, owned
 * @denied: it is that a right is missing
 * @nr_gone: tasks that have ended meanwhile
 */
struct apply {
	int fd;
	const struct plan *plan;
	const struct state *before;
	const struct spec *base;
	const struct running *culprit;
	char *why;
	bool denied;
	u32 nr_gone;
};

/* A signal that would end the program waits until it is over. */
enum apply_result apply_plan(struct apply *a);

#endif
