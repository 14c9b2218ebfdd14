// SPDX-License-Identifier: GPL-2.0-only
/* The paper's policies (TimeGraph section 4.1), and the list of all. */
#include "tg_policy.h"
#include "tg_sched.h"

static bool prt_may_start(const struct tg_sched *s, const struct tg_task *task)
{
	return !s->nr_online;
}

/*
 * To who is more important; and, unless it is to be as in the paper, to its equals once
 * it has had its slice.
 */
static bool is_to_give_way(const struct tg_sched *s, const struct tg_task *task)
{
	u8 level = tg_task_level(task);

	if (!s->nr_waiting)
		return false;
	if (find_last_bit(s->waiting, TG_LEVELS) > level)
		return true;
	return tg_floor_is_on(&s->floor) && s->nr_queued[level] > task->nr_waiting &&
	       tg_fair_had_slice(s, task);
}

static bool ht_may_start(const struct tg_sched *s, const struct tg_task *task)
{
	if (!s->nr_online)
		return true;
	if (task->nr_online != s->nr_online || s->nr_online >= s->ht_depth)
		return false;
	return !is_to_give_way(s, task);
}

const struct tg_policy_ops tg_policy_prt = {
	.id = TG_POLICY_PRT,
	.name = "PRT",
	.reserves = true,
	.full = "its task's group before it (PRT)",
	.task_exit = tg_fair_fifo_exit,
	.enqueue = tg_fair_fifo_enqueue,
	.may_start = prt_may_start,
	.stages = true,
	.lead = tg_lead_now,
	.started = tg_fair_fifo_started,
	.complete = tg_fair_fifo_complete,
};

const struct tg_policy_ops tg_policy_ht = {
	.id = TG_POLICY_HT,
	.name = "HT",
	.full = "ht_depth groups of its task on the GPU",
	.task_exit = tg_fair_fifo_exit,
	.enqueue = tg_fair_fifo_enqueue,
	.may_start = ht_may_start,
	.started = tg_fair_fifo_started,
	.complete = tg_fair_fifo_complete,
};

static const struct tg_policy_ops *const policies[] = {
	[TG_POLICY_PRT] = &tg_policy_prt,
	[TG_POLICY_HT] = &tg_policy_ht,
	[TG_POLICY_FQ] = &tg_policy_fq,
	[TG_POLICY_RR] = &tg_policy_rr,
	[TG_POLICY_ACCC] = &tg_policy_accc,
	[TG_POLICY_XC] = &tg_policy_xc,
	[TG_POLICY_SLAF] = &tg_policy_slaf,
	[TG_POLICY_AUGC] = &tg_policy_augc,
	[TG_POLICY_COSCHED] = &tg_policy_cosched,
};

const struct tg_policy_ops *tg_policy_of(enum tg_policy_id id)
{
	return id < ARRAY_SIZE(policies) ? policies[id] : NULL;
}

void tg_policy_tick_at(struct tg_sched *s, const struct tg_policy_ops *ops,
		       u64 when)
{
	s->policy[ops->id].ops = ops;
	s->policy[ops->id].tick_ns = when;
	s->tick_ns = 0;
	for (unsigned int i = 0; i < TG_NR_POLICIES; i++) {
		u64 at = s->policy[i].tick_ns;

		if (at && (!s->tick_ns || at < s->tick_ns))
			s->tick_ns = at;
	}
}
