/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The scheduler of one GPU: GPU-online list, wait queue, decisions.
 *
 * Pure: no clock, lock, allocation or output.  Time comes in as an argument
 * (nanoseconds of any monotonic clock); the caller serialises all calls for
 * one struct tg_sched and owns the memory of tasks and groups.
 */
#ifndef TG_SCHED_H
#define TG_SCHED_H

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

struct tg_sched;
struct tg_task;

/**
 * struct tg_policy_ops - a scheduling policy (TimeGraph section 4.1)
 * @name: as in the specification
 * @may_start: whether a group of @task may be given to the GPU now.  Called
 *	for an arriving group, and for the best waiting one after every change
 *	of the GPU-online list.  Must only look.
 */
struct tg_policy_ops {
	const char *name;
	bool (*may_start)(const struct tg_sched *s, const struct tg_task *task);
};

extern const struct tg_policy_ops tg_policy_prt;
extern const struct tg_policy_ops tg_policy_ht;

/**
 * struct tg_task - the owner of channels: a process
 * @policy: PRT or HT
 * @prio: static priority
 * @focus: managed by focus
 * @foreground: at the top of its level; only with @focus
 * @nr_online: its groups in the GPU-online list
 * @nr_waiting: its groups in the wait queue
 * @nr_groups: groups completed
 * @gpu_ns: GPU time charged, see tg_sched_complete()
 * @wait_ns: time its groups spent in the wait queue
 * @wait_max_ns: longest of them
 */
struct tg_task {
	const struct tg_policy_ops *policy;
	u8 prio;
	bool focus;
	bool foreground;
	u32 nr_online;
	u32 nr_waiting;
	u64 nr_groups;
	u64 gpu_ns;
	u64 wait_ns;
	u64 wait_max_ns;
};

/*
 * The states of a command group.
 *
 *	        arrive                 next/arrive              start
 *	  NEW ----------> WAITING ---------------> ONLINE ---------------> RUNNING
 *	   |                 |                        |                       |
 *	   |                 | cancel                 | cancel      complete, | cancel
 *	   |                 v                        v                       v
 *	   +-- arrive --> (ONLINE)                   OUT <--------------------+
 *
 * ONLINE groups occupy the GPU-online list although the GPU does not have them
 * yet.  complete() is legal in ONLINE, too.
 */
enum tg_group_state {
	TG_GROUP_NEW,
	TG_GROUP_WAITING,
	TG_GROUP_ONLINE,
	TG_GROUP_RUNNING,
	TG_GROUP_OUT,
};

/**
 * struct tg_group - one command group
 * @node: in the GPU-online list or in a level of the wait queue
 * @task: its owner
 * @state: see above
 * @level: queue level while waiting
 * @arrive_ns: when it asked
 * @online_ns: when it entered the GPU-online list
 * @start_ns: when its submission to the GPU began (section 5.2, "start time")
 * @finish_ns: when its completion was seen ("finish time")
 * @cost_ns: what was charged for it
 */
struct tg_group {
	struct list_head node;
	struct tg_task *task;
	enum tg_group_state state;
	u8 level;
	u64 arrive_ns;
	u64 online_ns;
	u64 start_ns;
	u64 finish_ns;
	u64 cost_ns;
};

/**
 * struct tg_sched - one GPU
 * @online: the GPU-online list, oldest first
 * @nr_online: its length
 * @queue: waiting groups, one FIFO a level
 * @waiting: the levels that are not empty
 * @nr_waiting: groups in @queue
 * @last_finish_ns: when the last group left the GPU
 * @ht_depth: groups one HT task may have on the GPU at once, at least 1.
 *	Not in the paper: it bounds how long a more important arrival is
 *	blocked, and keeps the channel's ring from filling up.
 * @nr_wakeups: groups started from the wait queue
 */
struct tg_sched {
	struct list_head online;
	u32 nr_online;
	struct list_head queue[TG_LEVELS];
	DECLARE_BITMAP(waiting, TG_LEVELS);
	u32 nr_waiting;
	u64 last_finish_ns;
	u32 ht_depth;
	u64 nr_wakeups;
};

void tg_sched_init(struct tg_sched *s, u32 ht_depth);

/**
 * tg_sched_arrive - a group asks for the GPU
 * @s: the GPU
 * @g: the group, @g->task set, in no list
 * @now: time
 *
 * Return: true if the group is online, false if it waits.
 */
bool tg_sched_arrive(struct tg_sched *s, struct tg_group *g, u64 now);

/**
 * tg_sched_insert - put a group online without asking its policy
 *
 * For submissions that cannot be held back (an EXEC job that is already
 * published); the others then wait for it as for any group.
 */
void tg_sched_insert(struct tg_sched *s, struct tg_group *g, u64 now);

/** tg_sched_start - an online group is now being handed to the GPU */
void tg_sched_start(struct tg_sched *s, struct tg_group *g, u64 now);

/**
 * tg_sched_complete - an online group has left the GPU
 *
 * Charges finish − max(start, finish of the group before): the paper's finish
 * − start (section 5.2) would charge groups of one HT task that overlap in the
 * list twice for the same GPU time.  Both operands come from one monotonic
 * clock in nanoseconds, so the difference fits 64 bits for 584 years; it is
 * clamped at zero for a group that finished before it was seen starting.
 */
void tg_sched_complete(struct tg_sched *s, struct tg_group *g, u64 now);

/**
 * tg_sched_cancel - take a group out, wherever it is
 *
 * Nothing is charged for it, and if it was running, its time is not charged to
 * the group after it either.
 */
void tg_sched_cancel(struct tg_sched *s, struct tg_group *g, u64 now);

/**
 * tg_sched_next - start the best waiting group if its policy lets it
 *
 * To be called after complete, cancel and every change of a task's parameters
 * until it returns NULL.
 *
 * Return: the group that is online now and whose owner must be woken, or NULL.
 */
struct tg_group *tg_sched_next(struct tg_sched *s, u64 now);

/** tg_sched_head - the oldest online group, or NULL */
struct tg_group *tg_sched_head(const struct tg_sched *s);

/** tg_sched_best - the waiting group that would start next, or NULL */
struct tg_group *tg_sched_best(const struct tg_sched *s);

/** tg_task_level - the queue level of a task's groups */
u8 tg_task_level(const struct tg_task *task);

/**
 * tg_sched_set_task - change a task's parameters
 *
 * Its waiting groups move to the end of their new level.  Groups that are
 * online stay: a task that changes from HT to PRT can still have several.
 * @prio must not exceed TG_PRIO_MAX.
 */
void tg_sched_set_task(struct tg_sched *s, struct tg_task *task,
		       const struct tg_policy_ops *policy, u8 prio, bool focus,
		       bool foreground);

#endif
