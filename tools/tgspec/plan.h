/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What has to be set so that every task has what a specification gives it. */
#ifndef PLAN_H
#define PLAN_H

#include "running.h"

/**
 * struct change - what becomes of a task
 * @task: as it is; of several GPUs the first that has it
 * @line: of its entry, 0 if it has none
 * @to: what it is to have
 * @fields: TIMEGRAPH_SET_* of it that differ
 * @lowers: it only lowers the priority of the caller's own task, which takes no
 *	right
 */
struct change {
	const struct running *task;
	u32 line;
	struct tg_spec_entry to;
	u32 fields;
	bool lowers;
};

/**
 * struct plan - all changes, in the order in which they are made
 * @nr_tasks: processes looked at
 *
 * What takes a right goes first: without it, nothing has been changed yet when
 * the first one fails.  Among those, what gives reserved time back goes before
 * what takes more.
 */
struct plan {
	struct change *list;
	u32 n;
	u32 nr_tasks;
};

/* @uid: the caller's. */
void plan_make(struct plan *p, const struct spec *spec, const struct state *st, u32 uid);
void plan_free(struct plan *p);

/*
 * The first change whose reserve does not fit beside the others, or NULL.
 *
 * If it names one, the kernel refuses one, too.  If not, it may still: it tries
 * reserves that did not fit so far as well when others shrink, and other users'
 * may not be seen.
 */
const struct change *plan_misfit(const struct plan *p, const struct state *st);

/* What becomes of @t, which may be from another look; NULL: it stays. */
const struct change *plan_find(const struct plan *p, const struct running *t);

/* Whether it touches the task's reserve. */
bool change_moves(const struct change *c);

/* For the ioctl: @fields of @e. */
void plan_set(struct timegraph_set *set, s32 pid, u32 fields, const struct tg_spec_entry *e);

#endif
