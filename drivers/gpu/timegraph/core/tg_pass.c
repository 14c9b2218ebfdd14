// SPDX-License-Identifier: GPL-2.0-only
/* Whose thread does not come for its turn is passed by who is there: see tg_sched_pass(). */
#include "tg_sched.h"

/* In the same domain with a quota, at any depth. */
static bool share_a_quota(const struct tg_task *task, const struct tg_task *other)
{
	for (const struct tg_domain *d = tg_domain_of(task); d; d = d->parent)
		for (const struct tg_domain *o = tg_domain_of(other); o; o = o->parent)
			if (d == o && d->rule.capacity_ns)
				return true;
	return false;
}

/* Another of it would spend what it has waited for. */
static bool share_a_budget(struct tg_sched *s, const struct tg_task *task,
			   const struct tg_task *other)
{
	const struct tg_reserve *r = tg_task_reserve(s, task);

	return (r && r == tg_task_reserve(s, other) && !tg_reserve_is_all(r)) ||
	       share_a_quota(task, other);
}

static bool gives_way(struct tg_sched *s, const struct tg_group *g, const struct tg_group *by)
{
	const struct tg_policy_ops *policy = g->task->policy;

	return policy == by->task->policy && policy->passes && g->task != by->task &&
	       g->nr_passed < TG_PASSES_MAX && !share_a_budget(s, g->task, by->task) &&
	       policy->passes(s, by->task, g->task, !g->nr_passed);
}

/* Not one who has moved since it waited: its place is elsewhere. */
static bool can_return(struct tg_sched *s, const struct tg_group *g, u64 now)
{
	return g->state == TG_GROUP_ONLINE && !g->lifted &&
	       tg_task_level(g->task) == g->level && tg_domain_of(g->task) == g->within &&
	       tg_domain_allows(s, g->within, now);
}

/* So many groups are passed at once: each is looked at. */
#define PASSED_MAX 8

/* Return: how many there are in @passed, 0 if it may not pass them all. */
static unsigned int list_passed(struct tg_sched *s, struct tg_group *g,
				const struct tg_group *by, struct tg_group **passed)
{
	const struct tg_group *best = tg_wait_best(s);
	unsigned int n = 1;
	struct tg_group *w;

	/* Who waits in a domain that has used its quota up is not found. */
	if (!best || best->level != by->level || g->level != by->level || !gives_way(s, g, by))
		return 0;
	passed[0] = g;
	tg_sched_for_each_waiting(w, s, by->level) {
		if (w == by)
			return n;
		if (n == PASSED_MAX || !gives_way(s, w, by))
			return 0;
		passed[n++] = w;
	}
	return 0;
}

bool tg_sched_pass(struct tg_sched *s, struct tg_group *by, u64 now)
{
	struct tg_group *passed[PASSED_MAX], *g = tg_sched_head(s);
	unsigned int n;

	if (s->nr_online != 1 || by->state != TG_GROUP_WAITING || by->task->nr_waiting != 1 ||
	    !can_return(s, g, now))
		return false;
	n = list_passed(s, g, by, passed);
	if (!n)
		return false;
	tg_sched_take_offline(s, g);
	tg_wait_turn(s, g, now);
	if (!tg_sched_may_start_now(s, by, now)) {
		tg_wait_end(s, g, now);
		tg_sched_enlist(s, g);
		return false;
	}
	while (n--)
		passed[n]->nr_passed++;
	tg_wait_end(s, by, now);
	tg_sched_admit(s, by, now);
	return true;
}
