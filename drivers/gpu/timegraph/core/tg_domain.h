/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Domains: tasks that share what they get of the GPU: those of a control group (cgroup v2),
 * hence of a container, a virtual machine's renderer, a user's session.  Domains nest:
 * one within another shares what that gets.
 *
 * A domain is a task to whoever is beside it: it has a weight, and a virtual time that
 * grows by the GPU time that its tasks had, divided by the weight (tg_vtime.h).  Whoever is
 * in it has virtual times of its own clock.  So what a domain gets does not depend on how
 * many tasks it has.
 *
 * This concerns the tasks of FQ, or of the policy that is in its place, that have the lowest
 * priority: who has a higher one goes before all of them, whatever domain he is in, and so
 * does who has PRT or HT.  But all of a domain's tasks are charged to it.
 *
 * A domain may have a quota: its tasks start nothing more, in all domains within it
 * either, when it has used C of a period T; as cpu.max does, but a group is not interrupted,
 * and what it takes over that is taken off the next period: a quota is a PE reserve.
 *
 * Pure as tg_sched.h, and serialised with it.
 */
#ifndef TG_DOMAIN_H
#define TG_DOMAIN_H

#include "tg_reserve.h"
#include "tg_turn.h"
#include "tg_vtime.h"

/* How deep domains nest: what a decision takes grows with it. */
#define TG_DOMAIN_DEPTH 8

/* What the whole is that tg_domain_rule.target_ppm is a part of. */
#define TG_PPM 1000000u

/**
 * struct tg_domain_rule - what a domain is to get
 * @weight: TG_WEIGHT_MIN–TG_WEIGHT_MAX: its part beside others; the accelerator credit of
 *	AccC (Pegasus section 4.1)
 * @target_ppm: SLAF: part of the GPU's time that it is to get, up to TG_PPM; 0: none
 * @capacity_ns: C of its quota; 0: it has none
 * @period_ns: its T, C <= T <= TG_TIME_MAX_NS
 */
struct tg_domain_rule {
	u32 weight;
	u32 target_ppm;
	u64 capacity_ns;
	u64 period_ns;
};

/**
 * struct tg_credit - what the credit policies keep of a domain; see tg_credit.h
 * @node: in the ready queue, or not
 * @known: it has been there
 * @left_ns: GPU time of its turn that is left, at @seen_ns; below zero: it had more
 * @seen_ns: tg_domain.gpu_ns that @left_ns has been charged
 * @waits_ns: since when it waits and has not had a group; or 0
 * @used_ns: when a group of its was started or ended last
 * @earned: SLAF: its credit as feedback has it, in parts of %TG_CREDIT_UNIT; 0: not yet
 * @polled_ns: SLAF: tg_domain.gpu_ns when the present period of feedback began
 * @given_ns: SLAF: the turns that it got in that
 */
struct tg_credit {
	struct list_head node;
	bool known;
	s64 left_ns;
	u64 seen_ns;
	u64 waits_ns;
	u64 used_ns;
	u64 earned;
	u64 polled_ns;
	u64 given_ns;
};

/**
 * struct tg_domain - a domain on a GPU
 * @node: in tg_sched.domains, parents before those within them
 * @parent: the domain that it is within, NULL for none
 * @depth: of nesting, 0 without a parent
 * @rule: what it is to get
 * @cpu_weight: its weight on the CPU, which is its credit in XC
 * @cpu_credit: what is left of its credit on the CPU, for AugC; any unit
 * @nr_running: CPUs that run one of its threads now, or will next; told by
 *	tg_sched_domain_runs()
 * @fair: virtual times of its tasks and of the domains within it
 * @turn: its place among the tasks and domains beside it, while it is queued
 * @queue: its waiting groups, and the domains within it that have some (struct tg_turn)
 * @nr_queued: groups in @queue and those of the domains within, throttled ones not counted
 * @vtime_ns: its virtual time, of @parent's clock or of the lowest level's
 * @slice_key: its key while a task in it has its slice
 * @ahead_ns: predicted cost of its groups online, of the lowest level
 * @nr_online: of all its tasks and of the domains within
 * @quota: budget of its quota, if rule.capacity_ns
 * @throttled: since when it waits for that, or 0
 * @due: in tg_sched.throttled, while it does
 * @credit: of the credit policies
 * @nr_tasks: tasks in it, not in a domain within
 * @nr_domains: domains within it
 * @nr_groups: groups completed, with those of the domains within
 * @gpu_ns: GPU time charged to them
 * @wait_ns: time that its groups spent in the wait queue
 * @throttle_ns: time for which it was throttled while it had groups that waited
 * @nr_throttled: times that it was.  Rises when it wants more than its quota
 */
struct tg_domain {
	struct list_head node;
	struct tg_domain *parent;
	u8 depth;
	struct tg_domain_rule rule;
	u32 cpu_weight;
	s64 cpu_credit;
	u32 nr_running;
	struct tg_fair_level fair;
	struct tg_turn turn;
	struct rb_root_cached queue;
	u32 nr_queued;
	u64 vtime_ns;
	u64 slice_key;
	u64 ahead_ns;
	u32 nr_online;
	struct tg_reserve quota;
	u64 throttled;
	struct rb_node due;
	struct tg_credit credit;
	u32 nr_tasks;
	u32 nr_domains;
	u64 nr_groups;
	u64 gpu_ns;
	u64 wait_ns;
	u64 throttle_ns;
	u64 nr_throttled;
};

/**
 * tg_domain_init - a domain without tasks, weight 100, no quota
 * @parent: the domain that it is within; NULL for none; of a depth below
 *	TG_DOMAIN_DEPTH - 1
 */
void tg_domain_init(struct tg_domain *d, struct tg_domain *parent);

/** tg_sched_add_domain - a domain appears; tg_domain_init() was called for it */
void tg_sched_add_domain(struct tg_sched *s, struct tg_domain *d, u64 now);

/** tg_sched_remove_domain - one goes that has neither tasks nor domains within it */
void tg_sched_remove_domain(struct tg_sched *s, struct tg_domain *d, u64 now);

/**
 * tg_sched_set_domain - another rule
 * @rule: in the ranges that it has
 *
 * The GPU time that it is ahead of others, or behind, stays.  A quota that stays keeps its
 * budget, and its debt.
 */
void tg_sched_set_domain(struct tg_sched *s, struct tg_domain *d,
			 const struct tg_domain_rule *rule, u64 now);

/** tg_sched_domain_cpu - its weight on the CPU, and its credit there */
void tg_sched_domain_cpu(struct tg_sched *s, struct tg_domain *d, u32 weight, s64 credit);

/**
 * tg_sched_domain_runs - CPUs that run it now, or will next; followed by tg_sched_next()
 * @nr: their number
 */
void tg_sched_domain_runs(struct tg_sched *s, struct tg_domain *d, u32 nr);

/**
 * tg_sched_domain_even - GPUs order @d by another policy from now on
 *
 * What that had, or was owed, by the order of the one before is not made good by this one's.
 */
void tg_sched_domain_even(struct tg_sched *s, struct tg_domain *d);

/**
 * tg_sched_move - a task goes to another domain
 * @d: that domain; NULL: none
 *
 * Its waiting groups go with it, to the end of what waits there, and so does what the GPU
 * has of it: it is charged to @d.  It is as far ahead of the others there, or behind, as it was
 * where it comes from, but for no more than the credit.  The groups go all at once: 0.2 ms for
 * a thousand.
 */
void tg_sched_move(struct tg_sched *s, struct tg_task *task, struct tg_domain *d, u64 now);

/** tg_domain_top - the domain without a parent that @d is within, or @d itself; or NULL */
struct tg_domain *tg_domain_top(struct tg_domain *d);

/** tg_domain_first - its waiting group that goes first, or NULL */
struct tg_group *tg_domain_first(const struct tg_domain *d);

/* All domains of a GPU, parents before those within them. */
#define tg_sched_for_each_domain(d, s) list_for_each_entry(d, &(s)->domains, node)

/* Between the files of the scheduler: */

/** tg_domain_if_fair - the domain that @task is in, if its groups wait in that; or NULL */
struct tg_domain *tg_domain_if_fair(const struct tg_task *task);

/** tg_domain_clock - the virtual times that @d is among */
struct tg_fair_level *tg_domain_clock(struct tg_sched *s, const struct tg_domain *d);

/** tg_domain_wake - @d has work, or is about to: what it did not use is gone, but for the credit */
void tg_domain_wake(struct tg_sched *s, struct tg_domain *d);

/** tg_domain_key - its key where it is queued */
u64 tg_domain_key(const struct tg_sched *s, const struct tg_domain *d);

/** tg_domain_rekey - @d and what it is within may have other keys */
void tg_domain_rekey(struct tg_sched *s, struct tg_domain *d);

/**
 * tg_domain_allows - whether no quota keeps a group of @d, which may be NULL, from starting
 *
 * If one does nobody of it, or of @d, is found in the queue any more.
 */
bool tg_domain_allows(struct tg_sched *s, struct tg_domain *d, u64 now);

/**
 * tg_domain_covers - the same for @task, behind what the GPU has, at what that is predicted
 * to cost
 */
bool tg_domain_covers(struct tg_sched *s, const struct tg_task *task, u64 now);

/** tg_domain_enter - @g enters the GPU-online list */
void tg_domain_enter(struct tg_sched *s, struct tg_group *g);

/** tg_domain_leave - @g has left it */
void tg_domain_leave(struct tg_sched *s, struct tg_group *g);

/** tg_domain_expect - what @g, which is online, is predicted to cost has changed by @by */
void tg_domain_expect(struct tg_sched *s, struct tg_group *g, s64 by);

/** tg_domain_ran - groups of its that are of the lowest level had @ns: its virtual time grows */
void tg_domain_ran(struct tg_sched *s, struct tg_domain *d, u64 ns);

/** tg_domain_begin_slice - a task in @d begins its slice */
void tg_domain_begin_slice(struct tg_sched *s, struct tg_domain *d);

/** tg_domain_charge - what a group of @d, which may be NULL, cost */
void tg_domain_charge(struct tg_sched *s, struct tg_domain *d, u64 cost_ns, u64 now);

/** tg_domain_completed - one of its groups completed; @d may be NULL */
void tg_domain_completed(struct tg_domain *d);

/** tg_domain_waited - one of its groups waited for so long; @d may be NULL */
void tg_domain_waited(struct tg_domain *d, u64 ns);

/** tg_domain_is_limited - whether a quota limits @task, whatever its priority */
bool tg_domain_is_limited(const struct tg_task *task);

/** tg_domain_any_throttled - a group that waits for a quota, or NULL */
struct tg_group *tg_domain_any_throttled(const struct tg_sched *s);

/** tg_domain_refresh - lets those start something again whose period has begun */
void tg_domain_refresh(struct tg_sched *s, u64 now);

/** tg_domain_due_ns - when to do that next, 0 for never */
u64 tg_domain_due_ns(const struct tg_sched *s);

#endif
