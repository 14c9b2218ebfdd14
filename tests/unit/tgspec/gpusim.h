/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A slow GPU for tests of the analysis: time goes in steps of one, and every
 * rule (PRT, PE, AE) is written down as it is in the paper, without lists,
 * timers or formulas.
 */
#ifndef GPUSIM_H
#define GPUSIM_H

#include <stdbool.h>
#include <stdint.h>

#define GPUSIM_TASKS 8

/* How a task asks for the GPU. */
enum gpusim_habit {
	GPUSIM_JOBS,	/* at most work in any T, as the analysis assumes */
	GPUSIM_IN_STEP,	/* the same, as the budget is replenished */
	GPUSIM_GREEDY,	/* always has a group waiting */
	GPUSIM_BURSTS,	/* greedy for a while, idle for a while */
};

struct gpusim_task {
	/* Given. */
	uint32_t capacity, period;	/* 0: not regulated */
	bool ae;
	uint32_t group;			/* longest */
	uint32_t work;			/* of a job */
	bool whole;			/* a job is one group */
	uint32_t level;
	enum gpusim_habit habit;
	uint32_t phase;			/* of its periods */
	/* Worst response time of a job. */
	uint32_t worst;
	/* The machine's own. */
	int64_t budget;
	uint32_t next_job;		/* when the next job may come */
	uint32_t arrived, left;		/* of the present job */
	uint32_t head, predicted;	/* the group that waits, 0: none */
	bool refused;
	uint32_t mood_until;
	bool mood;
};

/*
 * Run for @steps; equal levels are served in any order.  @used, if not NULL, has
 * @steps + 1 places: how long the first task had the GPU until then.
 */
void gpusim_run(struct gpusim_task *task, uint32_t n, uint32_t steps, uint64_t *seed,
		uint32_t *used);

/* The pieces that any machine needs. */
void gpusim_begin(struct gpusim_task *t, uint64_t *seed);
/* May set t->head: a group of that length asks for the GPU. */
void gpusim_arrive(struct gpusim_task *t, uint32_t now, uint64_t *seed);
/* t->head has left the GPU; the next one of its job is there at once. */
void gpusim_finish(struct gpusim_task *t, uint32_t now, uint64_t *seed);

/* C, 0 for none, and T of the floor, which the paper does not have. */
struct coresim_floor {
	uint32_t capacity, period;
};

/*
 * The same with the kernel's own core (tg_sched.c, tg_reserve.c) deciding.
 * Returns false, having done nothing, if its admission control refuses a reserve.
 */
bool coresim_run(struct gpusim_task *task, uint32_t n, uint32_t steps, uint64_t *seed,
		 const struct coresim_floor *floor);

#endif
