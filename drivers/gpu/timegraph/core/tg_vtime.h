/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Virtual time: whose turn it is among tasks of one level, by the GPU time that each has
 * had for its weight (start-time fair queuing: Goyal, Vin, Cheng, SIGCOMM 1996).
 *
 * The virtual time of a task of FQ grows by GPU time · 100 / weight, and who is behind
 * goes first.  The tasks of PRT and HT of a level are one task to it, of weight 100, and
 * among themselves first come, first served, as the paper has them: so no order of a
 * level starves the other.  So is a domain (tg_domain.h), and in it there are virtual times of
 * its own.  An HT task that has the GPU keeps it from its equals for a
 * slice, or without a floor, as in the paper, for as long as it likes.
 */
#ifndef TG_VTIME_H
#define TG_VTIME_H

#include "tg_policy.h"

#define TG_WEIGHT_MIN 1
#define TG_WEIGHT_DEFAULT 100
#define TG_WEIGHT_MAX 10000

/*
 * GPU time that a task gets in one go while others of its level wait: the GPU waits
 * for an interrupt and a submission whenever it goes from one to the next.
 */
#define TG_FAIR_SLICE_NS 5000000ULL
/* Of what a task did not use, as it had no work, it may have this much later. */
#define TG_FAIR_CREDIT_NS 50000000ULL
/*
 * A program that waits for each group before it sends the next leaves the GPU for a
 * moment.  So long it may be expected to come again, at most, while others wait;
 */
#define TG_FAIR_EXPECT_NS 500000ULL
/* twice its average pause, and this, for the short ones are not that even; */
#define TG_FAIR_LATE_NS 20000ULL
/* a longer pause counts as this one. */
#define TG_FAIR_PAUSE_NS 10000000ULL
/* After this long without anybody else a task is taken to be alone, */
#define TG_FAIR_ALONE_NS 100000000ULL
/* and groups that take no longer than this are short, */
#define TG_FAIR_SHORT_NS 250000ULL
/* and those of who may share the GPU without being asked take no longer than this. */
#define TG_FAIR_BRIEF_NS 4000000ULL

/**
 * struct tg_fair_level - a clock: of a level of the wait queue, or of a domain
 * @vtime_ns: virtual time: of the group that was started last, or before, if that was
 *	further
 * @fifo_ns: of the tasks of PRT and HT
 * @gone_ns: of the task of FQ that was furthest of those that have gone
 */
struct tg_fair_level {
	u64 vtime_ns;
	u64 fifo_ns;
	u64 gone_ns;
};

/**
 * struct tg_fair - virtual times of a GPU
 * @level: of each level
 * @slice: the task that has the GPU, or NULL
 * @slice_key: FQ: key of its groups during its slice: before all who wait
 * @slice_ns: what it has had of the slice
 * @asked: the task that asked last, if it has not got other parameters or gone since
 * @mixed_ns: when another than before asked
 * @ordered_ns: when one asked last whose groups are not brief, or not known
 * @nr_ruled: tasks that somebody gave a rule: not FQ, another level than the lowest,
 *	another weight than 100, a lead of their own, or a domain
 */
struct tg_fair {
	struct tg_fair_level level[TG_LEVELS];
	const struct tg_task *slice;
	u64 slice_key;
	u64 slice_ns;
	const struct tg_task *asked;
	u64 mixed_ns;
	u64 ordered_ns;
	u32 nr_ruled;
};

/** tg_fair_init - nobody has had anything */
void tg_fair_init(struct tg_fair *f);

/** tg_fair_clock_init - nobody has had anything by this clock */
void tg_fair_clock_init(struct tg_fair_level *l);

/** tg_fair_by_weight - @ns of GPU time in virtual time: · 100 / @weight */
u64 tg_fair_by_weight(u32 weight, u64 ns);

/** tg_fair_not_before - @vtime, or what the credit leaves who comes back with @weight */
u64 tg_fair_not_before(const struct tg_fair_level *l, u64 vtime, u32 weight);

/** tg_fair_advance - who is started next is at @vtime */
void tg_fair_advance(struct tg_fair_level *l, u64 vtime);

/** tg_fair_come_ns - the virtual time of who comes anew */
u64 tg_fair_come_ns(const struct tg_fair_level *l);

/** tg_fair_moved - @task is in another domain: that one's clock is its from now on */
void tg_fair_moved(struct tg_sched *s, struct tg_task *task);

/** tg_fair_asked - a group of @task has asked for the GPU */
void tg_fair_asked(struct tg_sched *s, struct tg_task *task, u64 now);

/**
 * tg_fair_is_brief - whether @task's groups are known, and take %TG_FAIR_BRIEF_NS at most
 * in the mean
 */
bool tg_fair_is_brief(const struct tg_task *task);

/** tg_fair_count - @task has another policy or priority than before */
void tg_fair_count(struct tg_sched *s, struct tg_task *task);

/** tg_fair_uncount - @task goes */
void tg_fair_uncount(struct tg_sched *s, struct tg_task *task);

/**
 * tg_fair_had_slice - whether @task has had its slice, or will with what the GPU has
 *
 * All groups online are its own.
 */
bool tg_fair_had_slice(const struct tg_sched *s, const struct tg_task *task);

/* FQ, for policies that order its tasks otherwise by tg_policy_ops.pick: */

/** tg_fair_task_init - see tg_policy_ops.task_init */
void tg_fair_task_init(struct tg_sched *s, struct tg_task *task);

/** tg_fair_task_exit - see tg_policy_ops.task_exit */
void tg_fair_task_exit(struct tg_sched *s, struct tg_task *task);

/** tg_fair_enqueue - see tg_policy_ops.enqueue */
u64 tg_fair_enqueue(struct tg_sched *s, const struct tg_group *g, u64 now);

/** tg_fair_may_start - see tg_policy_ops.may_start: the GPU has nothing */
bool tg_fair_may_start(const struct tg_sched *s, const struct tg_task *task);

/** tg_fair_lead - see tg_policy_ops.lead */
u64 tg_fair_lead(struct tg_sched *s, const struct tg_task *task, u64 now);

/**
 * tg_fair_passes - see tg_policy_ops.passes
 *
 * Who is ahead by no more than a slice where their ways part, in virtual time of the heavier
 * one: far less than the credit, beyond which it would be forgiven.  And the first time also
 * who has groups of half a slice at most and weighs as much: who uses little is up to the
 * credit behind him for ever.
 */
bool tg_fair_passes(const struct tg_sched *s, const struct tg_task *task,
		    const struct tg_task *other, bool first);

/** tg_fair_hold - see tg_policy_ops.hold: for the task that has its slice */
u64 tg_fair_hold(const struct tg_sched *s, const struct tg_group *g, u64 now);

/** tg_fair_started - see tg_policy_ops.started */
void tg_fair_started(struct tg_sched *s, const struct tg_group *g, u64 now);

/** tg_fair_kept - a group goes that had its turn and did not use it: see tg_group.kept_ns */
void tg_fair_kept(struct tg_sched *s, const struct tg_group *g);

/** tg_fair_complete - see tg_policy_ops.complete */
void tg_fair_complete(struct tg_sched *s, const struct tg_group *g, u64 now);

/* For policies that are first come, first served: */

/** tg_fair_fifo_exit - see tg_policy_ops.task_exit */
void tg_fair_fifo_exit(struct tg_sched *s, struct tg_task *task);

/** tg_fair_fifo_enqueue - see tg_policy_ops.enqueue */
u64 tg_fair_fifo_enqueue(struct tg_sched *s, const struct tg_group *g, u64 now);

/** tg_fair_fifo_started - see tg_policy_ops.started */
void tg_fair_fifo_started(struct tg_sched *s, const struct tg_group *g, u64 now);

/** tg_fair_fifo_complete - see tg_policy_ops.complete */
void tg_fair_fifo_complete(struct tg_sched *s, const struct tg_group *g, u64 now);

#endif
