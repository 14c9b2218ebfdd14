/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A slow model of the scheduler: one array of groups, no lists, every question
 * answered by looking at all of them.  It states the two events of TimeGraph
 * section 4 as the paper does and shares no code with tg_sched.
 */
#ifndef SCHED_ORACLE_H
#define SCHED_ORACLE_H

#include <stdbool.h>
#include <stdint.h>

#define ORACLE_TASKS	8
#define ORACLE_GROUPS	40

enum oracle_place { ORACLE_NOWHERE, ORACLE_QUEUED, ORACLE_ON_GPU };

struct oracle_group {
	enum oracle_place place;
	int task;
	bool handed_over;
	uint64_t order;	/* of entering its place */
	uint64_t arrive_ns, start_ns, cost_ns;
};

struct oracle_task {
	bool ht;
	int prio;
	bool on_top;	/* in the foreground and managed by focus */
	uint64_t groups, gpu_ns, wait_ns, wait_max_ns;
};

struct oracle {
	struct oracle_task task[ORACLE_TASKS];
	struct oracle_group group[ORACLE_GROUPS];
	uint64_t next_order;
	uint64_t last_finish_ns;
	uint64_t wakeups;
	int depth;
};

void oracle_init(struct oracle *o, int depth);
/* Event 1, a group arrives: true if it goes to the GPU. */
bool oracle_arrive(struct oracle *o, int g, int task, uint64_t now);
void oracle_force(struct oracle *o, int g, int task, uint64_t now);
void oracle_handed_over(struct oracle *o, int g, uint64_t now);
/* Event 2, the interrupt of a group; then oracle_wake() until it says -1. */
void oracle_interrupt(struct oracle *o, int g, uint64_t now);
int oracle_wake(struct oracle *o, uint64_t now);
/* The group gives up: its wait counts, and nobody pays for its time. */
void oracle_withdraw(struct oracle *o, int g, uint64_t now);
void oracle_change(struct oracle *o, int task, bool ht, int prio, bool on_top);

int oracle_count(const struct oracle *o, enum oracle_place place, int task);
/* The first group in @place by order of entry, after order @after; or -1. */
int oracle_next_in(const struct oracle *o, enum oracle_place place, uint64_t after);
/* The waiting group that the paper calls the highest-priority one, or -1. */
int oracle_best(const struct oracle *o);

#endif
