/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Priorities from periods, or from response times. */
#ifndef PRIORITIES_H
#define PRIORITIES_H

#include "rta.h"

/**
 * struct priorities - an assignment
 * @prio: of each task; PRIO_FIXED for those to be left alone
 * @n: how many tasks there are
 * @top: the highest priority to give out; the others follow right below
 */
struct priorities {
	u8 *prio;
	u32 n;
	u8 top;
};

#define PRIO_FIXED UINT8_MAX

/* How many tasks get a priority; it must not exceed @top. */
u32 priorities_wanted(const struct priorities *p);

/*
 * Rate monotonic (Liu, Layland 1973): the shorter T, the higher; equal ones in
 * their order.  As deadlines are T, this is deadline monotonic, too.
 */
void priorities_by_period(struct priorities *p, const struct rta_set *set);

/*
 * Audsley's optimal assignment (Audsley 1991; for the non-preemptive test George,
 * Rivierre, Spuri 1996): the lowest free priority goes to any task that can be
 * met there, with all that are left above it.  That is optimal because whether a
 * task is met depends only on which tasks are above and which below, and a task
 * that is met stays so one priority higher: it loses an interfering task and wins
 * a blocking one, and I_j(t) >= g_j.
 *
 * @met: what is good enough, RTA_MET or RTA_IN_STEP
 *
 * Returns false if no assignment meets all; *@stuck is then the priority for
 * which no task was found, and those that have none have prio 0.
 */
bool priorities_optimal(struct priorities *p, const struct rta_set *set,
			enum rta_verdict met, u8 *stuck);

#endif
