/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reserves: how much GPU time their tasks may use (TimeGraph section 5).
 *
 * A reserve has a capacity C, a period T and a budget e, in nanoseconds.  GPU
 * time is taken off the budget when a command group ends; every T the budget is
 * filled up by at most C.  Command groups are not preemptive, so enforcement is
 * at their boundaries: a group is refused, not stopped, and a budget may become
 * negative.
 *
 * Pure as tg_sched.h, and serialised with it.
 */
#ifndef TG_RESERVE_H
#define TG_RESERVE_H

#include "tg_admission.h"
#include "tg_port.h"

struct tg_reserve;

/* Costs and debts are clamped here: 146 years. */
#define TG_COST_MAX_NS (1LL << 62)

/**
 * struct tg_reserve_ops - a reservation policy
 * @name: as in the specification
 * @predicts: whether groups are profiled to predict their cost; without, the
 *	predicted cost x is 0
 * @allows: whether a group of predicted cost @x may be given to the GPU with
 *	the present budget.  @refused: it was refused before with this @x, and
 *	asks again
 * @replenished: the budget after @n periods have begun, @x being the predicted
 *	cost of the group that waits for the budget, 0 if none does.  @n is at
 *	least 1
 */
struct tg_reserve_ops {
	const char *name;
	bool predicts;
	bool (*allows)(const struct tg_reserve *r, u64 x, bool refused);
	s64 (*replenished)(const struct tg_reserve *r, u64 x, u64 n);
};

extern const struct tg_reserve_ops tg_reserve_pe;
extern const struct tg_reserve_ops tg_reserve_ae;

/**
 * struct tg_reserve - a reserve, of one task or Shared
 * @node: in tg_sched.reserves, in the order of creation
 * @lingering: in tg_sched.lingering, while it @lingers: it has no tasks and is not full
 * @lingers: see there
 * @full_ns: when it is full, while it lingers
 * @tasks: its tasks (tg_task.reserve_node)
 * @throttled: groups that wait for the budget (tg_group.turn), best level first, then
 *	in the order of arrival
 * @first: of those the first one of each task, in the same order, see tg_task.first
 * @due: in tg_sched.due, while somebody is in @throttled
 * @due_ns: its place there, 0 while it is not
 * @rest_ns: since when some of @throttled may go and have not been let go, or 0
 * @number: of its creation
 * @unsettled: in tg_sched.unsettled, while groups of its tasks stand where they no
 *	longer belong
 * @epoch: times that @demoted has changed
 * @ops: PE or AE
 * @capacity_ns: C
 * @period_ns: T, at least C
 * @budget_ns: e
 * @next_ns: when the next period begins
 * @refused: in tg_sched.refused, while @demoted
 * @demoted: it did not fit; its tasks run in Background, at lowest priority
 * @used_ns: GPU time charged so far
 * @periods: periods begun
 * @nr_refused: times that a group had to wait for the budget.  Rises when the
 *	tasks want more than C every T
 * @debt_max_ns: how far the budget was below zero, at most.  Bounded by the
 *	longest group (PE); or (AE) by the prediction error, or by how much a
 *	group is longer than C
 * @share: what it claims of the GPU; nothing while @demoted
 */
struct tg_reserve {
	struct list_head node;
	struct rb_node lingering;
	bool lingers;
	u64 full_ns;
	struct list_head tasks;
	struct rb_root_cached throttled;
	struct rb_root_cached first;
	struct rb_node due;
	u64 due_ns;
	u64 rest_ns;
	u64 number;
	struct list_head unsettled;
	u64 epoch;
	const struct tg_reserve_ops *ops;
	u64 capacity_ns;
	u64 period_ns;
	s64 budget_ns;
	u64 next_ns;
	struct rb_node refused;
	bool demoted;
	u64 used_ns;
	u64 periods;
	u64 nr_refused;
	u64 debt_max_ns;
	struct tg_share share;
};

/**
 * tg_reserve_init - a reserve without tasks, its budget full
 * @r: the reserve
 * @ops: PE or AE
 * @capacity_ns: C, 0 < C <= T
 * @period_ns: T, at most TG_TIME_MAX_NS
 * @now: its first period begins
 */
void tg_reserve_init(struct tg_reserve *r, const struct tg_reserve_ops *ops,
		     u64 capacity_ns, u64 period_ns, u64 now);

/**
 * tg_reserve_set - other parameters, from the next replenishment on
 *
 * A budget above the new capacity is cut to it; a debt stays.
 */
void tg_reserve_set(struct tg_reserve *r, const struct tg_reserve_ops *ops,
		    u64 capacity_ns, u64 period_ns, u64 now);

/**
 * tg_reserve_advance - account for the periods that have begun until @now
 * @x: predicted cost of the group that waits for the budget, or 0
 *
 * May be called late or not at all while nobody looks at the budget: the rules
 * give the same for n periods at once as for n calls, as long as @x is the same.
 *
 * Return: how many have begun since the last call.
 */
u64 tg_reserve_advance(struct tg_reserve *r, u64 now, u64 x);

/** tg_reserve_is_all - of all the GPU's time, C = T: it refuses nothing */
bool tg_reserve_is_all(const struct tg_reserve *r);

/**
 * tg_reserve_allows - whether the budget lets a group go
 * @x: its predicted cost
 * @refused: it was refused before with this @x
 *
 * A reserve of all the GPU's time, C = T, refuses nothing.  By the policies'
 * rules it would: the budget is charged when a group ends, so what is added to
 * it while a long group runs is lost above C, and after a group longer than T
 * the task would wait although nobody else may use the GPU.
 */
bool tg_reserve_allows(const struct tg_reserve *r, u64 x, bool refused);

/**
 * tg_reserve_full_ns - when the budget will be full if nobody uses it
 *
 * From then on it can be told from a new one only by having its next period earlier.
 *
 * Return: that time, at most TG_COST_MAX_NS; 0 if it is full, or refuses nothing.
 */
u64 tg_reserve_full_ns(const struct tg_reserve *r);

/** tg_reserve_charge - take the cost of a group that ended off the budget */
void tg_reserve_charge(struct tg_reserve *r, u64 cost_ns);

/* The tasks that are charged to a reserve, or would be if it were not demoted. */
#define tg_reserve_for_each_task(task, r) \
	list_for_each_entry(task, &(r)->tasks, reserve_node)

#endif
