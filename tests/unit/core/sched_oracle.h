/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A slow model of the scheduler: one array of groups, no lists, every question
 * answered by looking at all of them.  It states the two events of TimeGraph
 * section 4 as the paper does, and its budgets (section 5) period by period; it
 * shares no code with tg_sched and tg_reserve.
 */
#ifndef SCHED_ORACLE_H
#define SCHED_ORACLE_H

#include <stdbool.h>
#include <stdint.h>

#define ORACLE_TASKS	8
#define ORACLE_GROUPS	40
/* The first is Background. */
#define ORACLE_RESERVES	6
#define ORACLE_NONE	(-1)

enum oracle_place {
	ORACLE_NOWHERE, ORACLE_QUEUED, ORACLE_ON_GPU, ORACLE_THROTTLED, ORACLE_ASIDE,
	ORACLE_PLACES
};

struct oracle_group {
	enum oracle_place place;
	int task;
	bool handed_over;
	uint64_t order;	/* of entering its place */
	uint64_t arrival;	/* number of its arrival */
	uint64_t since_ns, start_ns, aside_ns, cost_ns;
	int reserve;		/* that it waits for */
	int64_t x;		/* predicted cost, 0 before it is known */
	bool refused;		/* with that x */
};

struct oracle_reserve {
	bool exists, demoted, ae;
	uint64_t age;
	int64_t capacity, period, budget, next_ns;
	uint64_t used_ns, refusals, periods;
};

struct oracle_task {
	bool ht;
	int prio;
	bool on_top;	/* in the foreground and managed by focus */
	int serves;	/* rank of the foreground that it serves, or 0 */
	int reserve;	/* that it is in, or none */
	uint64_t joined;	/* order of joining it */
	uint64_t throttle_ns, throttle_max_ns;
	uint64_t groups, gpu_ns, wait_ns, wait_max_ns;
};

struct oracle {
	struct oracle_task task[ORACLE_TASKS];
	struct oracle_group group[ORACLE_GROUPS];
	struct oracle_reserve reserve[ORACLE_RESERVES];
	int limit;	/* percent */
	uint64_t next_order;
	uint64_t paid_until_ns;		/* of the GPU's time */
	uint64_t last_complete_ns;	/* of a group on the list */
	uint64_t wakeups;
	int depth;
	int beside;		/* set aside, and the GPU was at it; or none */
};

void oracle_init(struct oracle *o, int depth);
/* Event 1, a group arrives: true if it goes to the GPU. */
bool oracle_arrive(struct oracle *o, int g, int task, uint64_t now);
/* The same after a signal: with the arrival, and the order in the queue, that it had. */
bool oracle_return(struct oracle *o, int g, uint64_t arrival, uint64_t order, uint64_t now);
void oracle_force(struct oracle *o, int g, int task, uint64_t now);
/* After validation: true if the budget lets it go. */
bool oracle_validated(struct oracle *o, int g, int64_t x, uint64_t now);
void oracle_handed_over(struct oracle *o, int g, uint64_t now);
/* Event 2, the interrupt of a group; then oracle_wake() until it says -1. */
void oracle_interrupt(struct oracle *o, int g, uint64_t now);
int oracle_wake(struct oracle *o, uint64_t now);
/* It is too long for the others to wait for; then whoever is there pays for idleness. */
void oracle_set_aside(struct oracle *o, int g, uint64_t now);
/* The GPU was found at @at (or none); until the next look that pays, if it is one set aside. */
void oracle_account(struct oracle *o, int at, uint64_t now);
/* The group gives up: its wait counts, and it pays for its time on the GPU. */
void oracle_withdraw(struct oracle *o, int g, uint64_t now);
void oracle_change(struct oracle *o, int task, bool ht, int prio, bool on_top,
		   uint64_t now);
void oracle_lend(struct oracle *o, int task, int rank, uint64_t now);

int oracle_count(const struct oracle *o, enum oracle_place place, int task);
/* The first group in @place by order of entry, after order @after; or -1. */
int oracle_next_in(const struct oracle *o, enum oracle_place place, uint64_t after);
/* The waiting group that the paper calls the highest-priority one, or -1. */
int oracle_best(const struct oracle *o);
/* All that wait, in the order in which they would go; returns how many. */
int oracle_queue(const struct oracle *o, int queue[ORACLE_GROUPS]);

/* reserve_oracle.c */
/* The reserve that the task's groups are charged to, or none. */
int oracle_reserve_of(const struct oracle *o, int task);
/* Whether the limit holds with @r among those that claim their share. */
bool oracle_fits(const struct oracle *o, int r);
void oracle_set_up(struct oracle *o, int r, bool ae, int64_t capacity, int64_t period,
		   uint64_t now);
bool oracle_add(struct oracle *o, int r, bool ae, int64_t capacity, int64_t period,
		uint64_t now);
bool oracle_alter(struct oracle *o, int r, bool ae, int64_t capacity, int64_t period,
		  uint64_t now);
int oracle_reconsider(struct oracle *o, uint64_t now);
void oracle_join(struct oracle *o, int task, int r, uint64_t now);
/* When somebody's budget is filled next, 0 if nobody waits. */
uint64_t oracle_next_time(const struct oracle *o);
/* The group that the budget of @r is for, or -1. */
int oracle_first_throttled(const struct oracle *o, int r);
/* Of those that the budget is for: of each task one. */
int oracle_first_asking(const struct oracle *o, int r);
/* One of @task waits no longer: the next may be let go. */
void oracle_let_next_go(struct oracle *o, int task, uint64_t now);

/* Between the two files. */
int oracle_rank(const struct oracle *o, int task);
void oracle_enter(struct oracle *o, int g, enum oracle_place place);
void oracle_move_back(struct oracle *o, int task, uint64_t before);
void oracle_periods(struct oracle *o, int r, uint64_t now);
bool oracle_may_use(const struct oracle *o, int r, int g);
void oracle_throttle(struct oracle *o, int r, int g, uint64_t now);
void oracle_unthrottle(struct oracle *o, int g, uint64_t now);
void oracle_let_go(struct oracle *o, int r, uint64_t now);
void oracle_release(struct oracle *o, int task, int r, uint64_t now);

#endif
