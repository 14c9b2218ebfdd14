/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Scheduling policies: who waits where, and who may start.
 *
 * A policy is a file with a struct tg_policy_ops, a word for it in policies.mk, an id
 * here and a line in the list of tg_policies.c.
 * The core asks it and tells it; nothing else in the scheduler knows one policy
 * from another.  What it may keep: tg_task.vtime_ns and the like of its tasks, and
 * tg_sched.policy[id] of a GPU.
 *
 * All ops are called with the caller's lock of the GPU, see tg_sched.h: they take
 * none, do not sleep, and call nothing of the core that changes it but
 * tg_policy_tick_at().
 */
#ifndef TG_POLICY_H
#define TG_POLICY_H

#include "tg_port.h"

/* Static priorities of the specification: 0 is the lowest. */
#define TG_PRIO_MIN 0
#define TG_PRIO_MAX 99
/* The level at which tasks managed by focus ("*") run. */
#define TG_PRIO_DEFAULT 50

/*
 * Every static priority has two queue levels: the upper one is for the task
 * in the foreground among those managed by focus (TimeGraph section 3, AGPA),
 * so that a higher static priority still goes first.
 */
#define TG_LEVELS (2 * (TG_PRIO_MAX + 1))

struct tg_group;
struct tg_sched;
struct tg_task;

/**
 * enum tg_policy_id - policies
 * @TG_POLICY_PRT: predictable response time (TimeGraph section 4.1)
 * @TG_POLICY_HT: high throughput (section 4.1)
 * @TG_POLICY_FQ: fair queuing, see tg_vtime.h
 * @TG_POLICY_RR: Pegasus section 4.3: domains in turn; as all that follow, see tg_credit.h
 * @TG_POLICY_ACCC: section 4.1: domains by their accelerator credits
 * @TG_POLICY_XC: section 4.3: by their credits on the CPU
 * @TG_POLICY_SLAF: section 4.3: by credits, with feedback
 * @TG_POLICY_AUGC: section 4.3: by credits that running on the CPU augments
 * @TG_POLICY_COSCHED: section 4.2: those that run on the CPU
 * @TG_POLICY_OTHER: not in the list: for one that comes from elsewhere (a BPF program, a
 *	test)
 * @TG_NR_POLICIES: their number
 */
enum tg_policy_id {
	TG_POLICY_PRT,
	TG_POLICY_HT,
	TG_POLICY_FQ,
	TG_POLICY_RR,
	TG_POLICY_ACCC,
	TG_POLICY_XC,
	TG_POLICY_SLAF,
	TG_POLICY_AUGC,
	TG_POLICY_COSCHED,
	TG_POLICY_OTHER,
	TG_NR_POLICIES,
};

/**
 * struct tg_policy_ops - a scheduling policy
 * @id: its number
 * @name: as in the specification
 * @reserves: reserves regulate its tasks (section 5: those of PRT)
 * @fair: its tasks have virtual times and, at the lowest level, wait in their domains
 *	(tg_fair_enqueue() and its neighbours): it is FQ, or takes its place
 * @full: why a group does not join those of its own task on the GPU; for people
 * @task_init: @task is scheduled by it from now on; its groups that wait are put to
 *	@enqueue next.  Not called for the PRT that tg_task_init() gives.  Optional
 * @task_exit: no longer; the task may be freed next.  Optional
 * @enqueue: @g is going to wait.  Returns its key: within a level of the wait queue
 *	the smallest goes first, and among equals who came first; the keys of all
 *	policies are compared: virtual times of the level, see tg_vtime.h.  Without it
 *	they are 0.  A group that comes back to its place comes with its key
 * @pick: of the waiting groups of its tasks at the level of @first the one to go next; NULL:
 *	@first, whose key is the smallest of all who wait there.  Called at each
 *	tg_sched_next() when a task of its would be next, more than once if that may not
 *	start.  Optional
 * @may_start: whether a group of @task may be given to the GPU now.  Called for an
 *	arriving group, unless its task has one that waits, and at every
 *	tg_sched_next() for the best waiting one.  Must only look
 * @stages: its groups may start behind another channel's, and those behind them, with a lead
 * @lead: how much predicted work the GPU may have when a group of @task is started ahead
 *	of the end of those before, see tg_lead.c; 0: as without it, not at all
 * @hold: until when the GPU had better wait for another, though @may_start lets @g; 0, or
 *	without it: it had not
 * @passes: whether a group of @task may go before one of @other, while a thread does not come
 *	for its turn, see tg_sched_pass(); @first: that one was not passed yet.  Without it
 *	none may
 * @started: @g is being handed to the GPU.  Optional
 * @complete: @g has left it, or was taken out after @started; its task was charged
 *	@g->cost_ns for all of it, its reserve perhaps not yet.  Optional
 * @tick: the time that tg_policy_tick_at() was given has come.  Optional
 */
struct tg_policy_ops {
	enum tg_policy_id id;
	const char *name;
	bool reserves;
	bool fair;
	const char *full;
	void (*task_init)(struct tg_sched *s, struct tg_task *task);
	void (*task_exit)(struct tg_sched *s, struct tg_task *task);
	u64 (*enqueue)(struct tg_sched *s, const struct tg_group *g, u64 now);
	struct tg_group *(*pick)(struct tg_sched *s, struct tg_group *first, u64 now);
	bool (*may_start)(const struct tg_sched *s, const struct tg_task *task);
	bool stages;
	u64 (*lead)(struct tg_sched *s, const struct tg_task *task, u64 now);
	u64 (*hold)(const struct tg_sched *s, const struct tg_group *g, u64 now);
	bool (*passes)(const struct tg_sched *s, const struct tg_task *task,
		       const struct tg_task *other, bool first);
	void (*started)(struct tg_sched *s, const struct tg_group *g, u64 now);
	void (*complete)(struct tg_sched *s, const struct tg_group *g, u64 now);
	void (*tick)(struct tg_sched *s, u64 now);
};

/**
 * struct tg_policy_state - what a policy keeps of a GPU
 * @ops: whose tick is asked for
 * @tick_ns: when it is due, 0 for none; tg_sched.tick_ns is the first of all
 * @vtime_ns: the policy's own
 */
struct tg_policy_state {
	const struct tg_policy_ops *ops;
	u64 tick_ns;
	u64 vtime_ns;
};

extern const struct tg_policy_ops tg_policy_prt;
extern const struct tg_policy_ops tg_policy_ht;
extern const struct tg_policy_ops tg_policy_fq;

/**
 * tg_policy_of - the policy of a number
 *
 * Return: it, or NULL if there is none.
 */
const struct tg_policy_ops *tg_policy_of(enum tg_policy_id id);

/**
 * tg_policy_tick_at - have @ops->tick called
 * @when: at the first tg_sched_next() from this time on, once; a later call of this
 *	takes the place of an earlier one.  0: not at all
 */
void tg_policy_tick_at(struct tg_sched *s, const struct tg_policy_ops *ops,
		       u64 when);

#endif
