/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Programs and a GPU around the scheduler, in which submitting a group and hearing of
 * its end take time.
 */
#ifndef WORLD_H
#define WORLD_H

#include "random.h"
#include "tap.h"
#include "tg_sched.h"

#define WORLD_PROGRAMS 12
#define WORLD_GROUPS 64
#define SUBMIT_NS 20000
#define NOTICE_NS 30000
#define NEVER (~0ULL)

/**
 * struct program - one thread with a channel
 * @task: of its own
 * @of: whose groups it submits: @task, or another's, of which it is a thread then
 * @cost_ns: of a group at least
 * @jitter_ns: up to so much more, by chance
 * @period_ns: 0: it asks again as soon as its group has been submitted; else so often,
 *	if its group before has ended
 * @think_ns: if @waits or @reborn: this long after its group has ended it asks again
 * @waits: it waits for the end of each group
 * @ahead: it has no more than so many that it does not know the end of; 0: no limit
 * @reborn: each group is a new process's, which ends with it
 * @fresh: if @reborn: its domain, which nobody else is in; it ends and comes with the process
 * @ran_ns: GPU time that it had in truth
 * @nr_ran: groups that ended
 * @waited_max_ns: longest time from asking to submission
 */
struct program {
	struct tg_task task, *of;
	u64 cost_ns, jitter_ns, period_ns;
	u64 think_ns;
	bool waits, reborn;
	struct tg_domain *fresh;
	unsigned int ahead;
	u64 ran_ns, nr_ran, waited_max_ns;
	/* private: */
	struct tg_group group[WORLD_GROUPS];
	struct tg_group *asks;		/* waits, or is being submitted */
	u64 asked_at, submitted_at, asks_at;
	unsigned int next, unfinished;
	struct tg_domain *domain;	/* that the process was in which has ended */
	bool dead;			/* no other has come yet */
};

/**
 * struct world - a GPU and its programs
 * @stages: a channel can wait on the GPU for another's group
 * @idle_ns: how long the GPU had nothing
 * @longest_ns: of all groups so far
 * @most_ns: that the GPU had before it at a time, in truth
 */
struct world {
	struct tg_sched s;
	struct program p[WORLD_PROGRAMS];
	int nr;
	u64 now;
	bool stages;
	u64 idle_ns, longest_ns, most_ns;
	uint64_t seed;
	/* private: what is on the GPU by the scheduler, and when that ends in truth */
	struct tg_group *fifo[WORLD_GROUPS];
	u64 ends[WORLD_GROUPS];
	int nr_fifo;
	u64 gpu_end;
};

extern struct world w;

/** world_begin - @nr programs of PRT that cost nothing yet, and have not asked */
void world_begin(u64 lead_ns, int nr);

/** world_ask - a program asks for the first time */
void world_ask(struct program *p);

/** world_run_until - let time pass */
void world_run_until(u64 end);

#endif
