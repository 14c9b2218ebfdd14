/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Worst-case response times of reserves under the non-preemptive PRT policy. */
#ifndef RTA_H
#define RTA_H

#include <stdbool.h>

#include "tg_port.h"

/**
 * struct rta_task - a reserve, as the analysis sees it; times in nanoseconds
 * @work: most GPU time that its tasks ask for in any period
 * @last: length of the last command group of that work, at least: until it
 *	starts, others can go first
 * @group: longest command group of its tasks
 * @lead: most work of the same program that the GPU may have when one of its groups is
 *	started
 * @shortest: shortest one, at least 1 if rta_set.idle is not 0
 * @capacity: what it may use in a period, 0 < C <= T
 * @period: T, at most TG_TIME_MAX_NS
 * @deadline: the latest that is good enough, at most T; T − 1 for a reserve: a
 *	group that ends as the next period begins may be charged to that one
 * @jitter: by how much a later use of an earlier period's budget shortens the
 *	distance to the next period's, at most T
 * @overrun: what it may use beyond its budgets
 * @refusals: how often in a period one of its groups can get its turn only to be
 *	found too expensive: AE, once for each program
 * @low: lowest queue level of its tasks
 * @high: highest one
 */
struct rta_task {
	u64 work, last, group, lead, shortest;
	u64 capacity, period, deadline, jitter, overrun;
	u32 refusals;
	u8 low, high;
};

/**
 * struct rta_free - a program that no reserve limits
 * @burst: how long it can keep the GPU from others once it has it, ns
 * @high: its highest queue level
 */
struct rta_free {
	u64 burst;
	u8 high;
};

/**
 * struct rta_set - everything that runs on one GPU
 * @idle: how long the GPU idles around a group, at most, ns
 * @floor: what the module gives to who is passed over (tg_lift.h); none if its capacity
 *	is 0
 * @floor.capacity: C of it, ns
 * @floor.period: T, ns
 * @floor.shortest: shortest group that it lifts, at least 1 if @idle is not 0
 */
struct rta_set {
	const struct rta_task *task;
	u32 n;
	const struct rta_free *free;
	u32 nr_free;
	u64 idle;
	struct {
		u64 capacity, period, shortest;
	} floor;
};

enum rta_verdict {
	RTA_MET,	/* work that comes at any time */
	RTA_IN_STEP,	/* only if the work comes as the budget is replenished */
	RTA_LATE,	/* cannot be promised */
	RTA_UNBOUNDED,	/* an unlimited program goes first */
};

/**
 * struct rta_result - a bound
 * @verdict: see above
 * @blocking: B, ns
 * @in_step: response time of work that comes as the budget is replenished, ns;
 *	0 if over the deadline
 * @any_time: of work that comes at any time, ns; 0 if over the deadline
 * @culprit: index into rta_set.free, if unbounded
 */
struct rta_result {
	enum rta_verdict verdict;
	u64 blocking;
	u64 in_step;
	u64 any_time;
	u32 culprit;
};

void rta_analyze(const struct rta_set *set, u32 i, struct rta_result *res);

/*
 * The longest time that the budgets let groups of @j run that start within @t > 0
 * nanoseconds.
 */
u64 rta_interference(const struct rta_task *j, u64 t);

#endif
