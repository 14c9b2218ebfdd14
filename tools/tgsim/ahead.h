/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two rules that are not the paper's, for the monitor; as naive as it is.
 *
 *  lead	  A group of PRT or FQ goes also behind groups of its own task, while
 *		  what these have left to do is W at most: the sum of what each was
 *		  taken to cost, less the time since the oldest had the GPU; not while
 *		  one of them is unknown, nor once the oldest should have ended.  Taken
 *		  to cost: the largest of the task's last 16.  W is the task's own lead,
 *		  or that of the module; of FQ, as long as nobody has a rule, up to 20 ms.
 *		  And where a reserve limits the task, only if e exceeds that sum (PE),
 *		  or that sum and x (AE): as if they had been charged.
 *  floor	  Over any time t, groups that go ahead of who is more important have at
 *		  most (⌈t/T⌉ + 1)·C + n·L of the GPU, C and T being the floor's, L the
 *		  longest of them, and n how many there were at once.
 */
#ifndef AHEAD_H
#define AHEAD_H

#include "sim_state.h"

struct ahead;

struct ahead *ahead_create(const struct sim *s);
void ahead_free(struct ahead *a);

/* Why no group of @inst may join those that the GPU has; NULL if it may. */
const char *ahead_forbids(const struct ahead *a, const struct sim_inst *inst, u64 now);

/* What those were taken to cost, in all, that the GPU had before @g; 0 for the first. */
u64 ahead_before(const struct ahead *a, const struct sim_group *g);
/* What @g was taken to cost when it was let go. */
u64 ahead_expected(const struct ahead *a, const struct sim_group *g);

/* What the GPU has: a group was let go, submitted, put back, or has ended. */
void ahead_enter(struct ahead *a, const struct sim_group *g, u64 now);
void ahead_start(struct ahead *a, const struct sim_group *g, u64 now);
void ahead_leave(struct ahead *a, const struct sim_group *g);
void ahead_end(struct ahead *a, const struct sim_group *g, u64 cost_ns, u64 now);

/* Whether those that were lifted have had more than the floor gives, up to @now. */
bool ahead_exceeds_floor(const struct ahead *a, u64 now);

#endif
