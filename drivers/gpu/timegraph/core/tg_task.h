/* SPDX-License-Identifier: GPL-2.0-only */
/* Tasks, and their command groups, as the scheduler of a GPU has them; see tg_sched.h. */
#ifndef TG_TASK_H
#define TG_TASK_H

#include "tg_costs.h"
#include "tg_domain.h"
#include "tg_policy.h"
#include "tg_port.h"
#include "tg_turn.h"

/*
 * The GPU's account of a task may fall short of the CPU's by what the caller hears late of each
 * group, and by 1/16 of what the CPU saw; and of what was not needed this is left for later.
 */
#define TG_LATE_SHIFT 4
#define TG_LATE_MAX_NS 500000ULL

/**
 * struct tg_task - the owner of channels: a process
 * @policy: who decides when its groups start
 * @vtime_ns: the policy's own; 0 when the task is new.  FQ: virtual time
 * @key_ns: FQ: key of its group that began to wait last
 * @idle_ns: FQ: when its last group ended
 * @pause_ns: FQ: how soon it comes again, on average
 * @overlaps: FQ: when it asked last, its groups before had not ended
 * @weight: FQ: TG_WEIGHT_MIN–TG_WEIGHT_MAX
 * @lead_ns: its own W; TG_LEAD_COMMON: tg_sched.lead_ns
 * @clock: FQ: that @vtime_ns is of: its level's or its domain's; NULL before it has one
 * @domain: that it is in, or NULL; see tg_sched_move()
 * @ruled: tg_fair.nr_ruled counts it
 * @prio: static priority
 * @focus: managed by focus
 * @foreground: at the top of its level; only with @focus
 * @lent: level of the foreground that it serves, 0 for none
 * @reserve: its reserve, NULL for none; see tg_task_reserve()
 * @reserve_node: in tg_reserve.tasks
 * @epoch: tg_reserve.epoch that its groups stand by
 * @waiting: its groups in the wait queue, by arrival
 * @throttled: its groups that wait for the budget, by arrival
 * @first: the first of @throttled if none that came earlier is in @waiting, else NULL
 * @costs: of its last groups
 * @late_room_ns: so much less than the CPU saw the GPU may say that it had, see
 *	TG_LATE_MAX_NS.  0 for a new task: else a process for each group had it anew
 * @nr_online: its groups in the GPU-online list
 * @nr_aside: its groups that were set aside
 * @nr_waiting: its groups in the wait queue
 * @nr_throttled: its groups that wait for the budget
 * @nr_groups: groups completed
 * @gpu_ns: GPU time charged, see tg_sched_complete(); also of groups that did not
 *	complete, and of those set aside so far
 * @gpu_cpu_ns: the same by the CPU's clock alone
 * @wait_ns: time its groups spent in the wait queue
 * @wait_max_ns: longest of them
 * @throttle_ns: time its groups spent waiting for the budget
 * @throttle_max_ns: longest of them
 */
struct tg_task {
	const struct tg_policy_ops *policy;
	u64 vtime_ns;
	u64 key_ns;
	u64 idle_ns;
	u64 pause_ns;
	bool overlaps;
	u32 weight;
	u64 lead_ns;
	struct tg_fair_level *clock;
	struct tg_domain *domain;
	bool ruled;
	struct tg_reserve *reserve;
	struct list_head reserve_node;
	u64 epoch;
	struct rb_root_cached waiting;
	struct rb_root_cached throttled;
	struct tg_group *first;
	struct tg_costs costs;
	u64 late_room_ns;
	u8 prio;
	bool focus;
	bool foreground;
	u8 lent;
	u32 nr_online;
	u32 nr_aside;
	u32 nr_waiting;
	u32 nr_throttled;
	u64 nr_groups;
	u64 gpu_ns;
	u64 gpu_cpu_ns;
	u64 wait_ns;
	u64 wait_max_ns;
	u64 throttle_ns;
	u64 throttle_max_ns;
};

/** tg_domain_of - the domain in whose queue groups of @task wait; NULL: at its level */
static inline struct tg_domain *tg_domain_of(const struct tg_task *task)
{
	return task->domain ? tg_domain_if_fair(task) : NULL;
}

/*
 * The states of a command group.
 *
 *	NEW         1   has not asked yet
 *	WAITING     2   in the wait queue: others go first
 *	THROTTLED   3   waits for the budget of its reserve
 *	ONLINE      4   in the GPU-online list, the GPU does not have it yet
 *	RUNNING     5   in the GPU-online list, on the GPU
 *	ASIDE       6   still on the GPU, too long: nobody waits for it any more
 *	OUT         7   gone
 *
 *	1 -> 2, 3, 4	tg_sched_arrive()
 *	2 -> 4		tg_sched_next(): its turn
 *	2 -> 3		tg_sched_next(): its turn, but the budget is used up
 *	4 -> 3		tg_sched_check(): refused after validation (figure 4)
 *	4 -> 2		tg_sched_check(): it led, and those before it may leave too little
 *	4 -> 2		tg_sched_pass(): its thread did not come for its turn
 *	3 -> 2		the budget is replenished, no longer concerns it, or was
 *			kept back by one that is gone
 *	4 -> 5		tg_sched_start()
 *	5 -> 6		tg_sched_set_aside()
 *	4, 5, 6 -> 7	tg_sched_complete()
 *	any -> 7	tg_sched_cancel()
 */
enum tg_group_state {
	TG_GROUP_NEW,
	TG_GROUP_WAITING,
	TG_GROUP_THROTTLED,
	TG_GROUP_ONLINE,
	TG_GROUP_RUNNING,
	TG_GROUP_ASIDE,
	TG_GROUP_OUT,
};

/**
 * struct tg_group - one command group
 * @node: in the GPU-online list or in that of groups set aside
 * @turn: its place in a level of the wait queue or in a domain's; or its node in
 *	tg_reserve.throttled
 * @own: in tg_task.waiting or tg_task.throttled
 * @first: in tg_reserve.first, if it is tg_task.first
 * @task: its owner
 * @reserve: that it waits for, or waited for last
 * @context: the channel, to tell context switches of the GPU; any value
 * @state: see above
 * @level: queue level while waiting or throttled
 * @within: the domain in whose queue it waits, or NULL
 * @refused: held back with @predicted_ns after validation
 * @switched: the GPU was with another context before
 * @led: it started before those on the GPU had ended
 * @can_wait: set before it asks: its channel can wait on the GPU for the end of another's
 *	group
 * @can_be_awaited: another channel's can wait so for its end; set while it is online
 * @staged: it started so, behind another channel's
 * @nr_passed: how often another has had its turn, since its thread did not come for it; see
 *	tg_sched_pass()
 * @lifted: it started ahead of all others since its level had waited, see tg_lift.h
 * @shared: the GPU was at one that was set aside meanwhile, so it is not known what it cost
 * @has_stamps: @gpu_start_ns and @gpu_finish_ns are valid
 * @predicted_ns: x, 0 until tg_sched_check()
 * @lead_ns: what it was predicted to cost when it entered the GPU-online list, 0 for
 *	unknown
 * @arrive_ns: when it asked
 * @arrival: number of its arrival: the time alone does not tell which came first
 * @queued_ns: when it entered the list that it waits in
 * @online_ns: when it entered the GPU-online list
 * @start_ns: when its submission to the GPU began (section 5.2, "start time")
 * @aside_ns: when it was set aside
 * @finish_ns: when its completion was seen ("finish time"), or it was set aside
 * @gpu_start_ns: the GPU's own clock when it was submitted
 * @gpu_finish_ns: the GPU's own clock when it ended
 * @heard_ns: so much longer the CPU sees it there, as a rule; see tg_sched_stamp()
 * @kept_ns: how long the GPU idled for it once it had its turn, while others waited; whoever
 *	knows that adds it before it completes
 * @cost_ns: what was charged for it, so far
 * @cost_cpu_ns: what it would have been by the CPU's clock
 */
struct tg_group {
	struct list_head node;
	struct tg_turn turn;
	struct rb_node own;
	struct rb_node first;
	struct tg_task *task;
	struct tg_reserve *reserve;
	struct tg_domain *within;
	const void *context;
	enum tg_group_state state;
	u8 level;
	bool refused;
	bool switched;
	bool led;
	bool can_wait;
	bool can_be_awaited;
	bool staged;
	bool lifted;
	u8 nr_passed;
	bool shared;
	bool has_stamps;
	u64 predicted_ns;
	u64 lead_ns;
	u64 arrive_ns;
	u64 arrival;
	u64 queued_ns;
	u64 online_ns;
	u64 start_ns;
	u64 aside_ns;
	u64 finish_ns;
	u64 gpu_start_ns;
	u64 gpu_finish_ns;
	u64 heard_ns;
	u64 kept_ns;
	u64 cost_ns;
	u64 cost_cpu_ns;
};

/**
 * struct tg_ticket - the place of a group that stopped waiting before its turn
 * @arrival: of the group; 0: no ticket
 * @place: of the group; 0 if it waited for a budget, where @arrival tells it
 * @key: of the group, at @level
 * @level: of the group
 * @within: the domain that @key is of; only compared
 * @nr_passed: of the group
 * @until_ns: when it lapses
 *
 * A thread that gets a signal while it waits leaves the queue and comes again: with
 * the ticket it waits where it did.  Nobody waits for who has one, and there is one
 * for each channel, used once: so tickets cannot be collected.
 */
struct tg_ticket {
	u64 arrival;
	u64 place;
	u64 key;
	u64 until_ns;
	const void *within;
	u8 level;
	u8 nr_passed;
};

/* How long a ticket is good for: a signal handler's time. */
#define TG_TICKET_NS 100000000ULL

#endif
