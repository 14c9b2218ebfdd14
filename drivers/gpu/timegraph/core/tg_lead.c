// SPDX-License-Identifier: GPL-2.0-only
/*
 * The lead: how much predicted work the GPU may have when the next group is started.
 *
 * PRT as in the paper starts a group when the GPU has none, so that the GPU waits from
 * each interrupt to the next submission.  With a lead W a group starts already when what
 * is unfinished is predicted to take W at most.  Who comes then and is more important
 * waits for the longest group and W, instead of for the longest group.
 *
 *	unfinished(t) = Σ predicted(online) − (t − begin of the oldest) <= W
 *	t < begin + predicted(oldest)
 *
 * When the oldest should have ended and has not, the predictions are wrong, and it is
 * waited for its end.  What the GPU has is so at most the longest group, W, and by how
 * much the groups that it has were predicted too short.
 *
 * W is that of the task whose group is to start: so it is what the task makes others
 * wait, and a task with W = 0 makes nobody wait for more than a group.
 *
 * The GPU runs a channel's groups in order, while those of two would share it.  So a group
 * of another channel is staged: it waits on the GPU until those before it have ended, where
 * its channel can do so, and is the only one.  That is for its equals and those below:
 * what is more important than it may come again before those before it have ended, and
 * would find it in its way.  And W is %TG_STAGED_LEAD_NS at most then, which is enough to
 * submit it: whoever comes meanwhile and is more important waits for both.
 *
 * A budget is charged when a group ends.  So where a reserve limits the task, what the
 * GPU has of it is taken for charged already, at what it is predicted to cost: it starts
 * ahead only if the budget would let it start behind that, and else waits for the truth.
 *
 * Predictions are of tg_sched.lead_by.  One that wants to know what is in a group learns
 * it when the group is read, which is after it has entered the list: until then it is
 * unknown, and the next one waits.
 */
#include "tg_sched.h"

static u64 expected_cost(const struct tg_sched *s, const struct tg_task *task)
{
	const struct tg_past past = { .costs = &task->costs };
	struct tg_prediction p;

	s->lead_by->predict(&past, NULL, false, &p);
	return p.cost_ns;
}

void tg_lead_enter(struct tg_sched *s, struct tg_group *g)
{
	g->lead_ns = expected_cost(s, g->task);
	s->ahead_ns += g->lead_ns;
	s->nr_unknown += !g->lead_ns;
}

void tg_lead_leave(struct tg_sched *s, const struct tg_group *g)
{
	s->ahead_ns -= g->lead_ns;
	s->nr_unknown -= !g->lead_ns;
}

void tg_lead_expect(struct tg_sched *s, struct tg_group *g, u64 ns)
{
	if (g->state != TG_GROUP_ONLINE && g->state != TG_GROUP_RUNNING)
		return;
	tg_lead_leave(s, g);
	tg_domain_expect(s, g, -(s64)g->lead_ns);
	g->lead_ns = ns < TG_COSTS_MAX_NS ? ns : TG_COSTS_MAX_NS;
	tg_domain_expect(s, g, (s64)g->lead_ns);
	s->ahead_ns += g->lead_ns;
	s->nr_unknown += !g->lead_ns;
}

void tg_lead_set_predictor(struct tg_sched *s, const struct tg_predictor_ops *ops)
{
	s->lead_by = ops;
}

void tg_task_set_lead(struct tg_task *task, u64 lead_ns)
{
	task->lead_ns = lead_ns;
}

u64 tg_lead_of(const struct tg_sched *s, const struct tg_task *task)
{
	return task->lead_ns == TG_LEAD_COMMON ? s->lead_ns : task->lead_ns;
}

static bool are_of_one_channel(const struct tg_group *a, const struct tg_group *b)
{
	return a->context == b->context && a->task == b->task;
}

/* Those on the GPU are of one channel, which is @g's, or that it can wait for: then @staged. */
static bool may_follow(const struct tg_sched *s, const struct tg_group *g, bool *staged)
{
	const struct tg_group *first = tg_sched_head(s), *other;
	bool waits = !are_of_one_channel(g, first);

	*staged = waits;
	if (waits && (!g->can_wait || !g->task->policy->stages || !first->task->policy->stages ||
		      tg_task_level(first->task) > tg_task_level(g->task)))
		return false;
	tg_sched_for_each_online(other, s)
		if (!are_of_one_channel(other, first) || (waits && !other->can_be_awaited))
			return false;
	return true;
}

bool tg_lead_covers(struct tg_sched *s, const struct tg_group *g, u64 x)
{
	const struct tg_reserve *r = tg_task_reserve(s, g->task);
	const struct tg_group *other;
	u64 before = 0;

	tg_sched_for_each_online(other, s) {
		if (other == g)
			break;
		if (tg_task_reserve(s, other->task) == r)
			before += other->lead_ns;
	}
	return !before || !r || tg_reserve_is_all(r) || r->budget_ns > (s64)(before + x);
}

/* Under AE it would only be found to be too expensive when it is validated. */
static bool is_covered(struct tg_sched *s, const struct tg_group *g, u64 now)
{
	struct tg_reserve *r = tg_task_reserve(s, g->task);
	u64 x = 0;

	if (!r)
		return true;
	tg_sched_refresh(s, r, now);
	if (r->ops->predicts)
		x = g->predicted_ns ?: expected_cost(s, g->task);
	return tg_lead_covers(s, g, x);
}

bool tg_sched_asked_last(const struct tg_sched *s, const struct tg_task *task)
{
	return READ_ONCE(s->fair.asked) == task;
}

static bool is_unlimited(struct tg_sched *s, const struct tg_task *task)
{
	const struct tg_reserve *r = tg_task_reserve(s, task);

	return list_empty(&s->reserves) && (!r || tg_reserve_is_all(r)) &&
	       !tg_domain_is_limited(task);
}

static bool are_brief(const struct tg_sched *s)
{
	const struct tg_group *g;

	tg_sched_for_each_online(g, s)
		if (!tg_fair_is_brief(g->task))
			return false;
	return true;
}

static bool is_alone(const struct tg_sched *s, const struct tg_task *task, u64 now)
{
	return now >= s->fair.mixed_ns + TG_FAIR_ALONE_NS &&
	       s->nr_online == task->nr_online && s->nr_waiting == task->nr_waiting;
}

u64 tg_lead_now(struct tg_sched *s, const struct tg_task *task, u64 now)
{
	if (task->lead_ns != TG_LEAD_COMMON || !s->lead_ns || s->fair.nr_ruled != task->ruled ||
	    !is_unlimited(s, task) || !is_alone(s, task, now))
		return tg_lead_of(s, task);
	return max(s->lead_ns, task->ruled ? TG_LEAD_RULED_NS : TG_LEAD_ALONE_NS);
}

static bool is_among_brief(const struct tg_sched *s, u64 now)
{
	return now >= s->fair.ordered_ns + TG_FAIR_ALONE_NS && are_brief(s);
}

bool tg_sched_may_run_free(struct tg_sched *s, const struct tg_task *task, bool shares,
			   u64 now)
{
	const struct tg_fair *f = &s->fair;

	return f->asked == task && f->nr_ruled == task->ruled && !s->nr_throttled &&
	       !s->nr_aside && is_unlimited(s, task) && tg_fair_is_brief(task) &&
	       tg_costs_average(&task->costs) <= TG_FAIR_SHORT_NS &&
	       (shares && !task->ruled ? is_among_brief(s, now) : is_alone(s, task, now));
}

bool tg_sched_may_join_free(struct tg_sched *s, const struct tg_task *task)
{
	return !s->fair.nr_ruled && is_unlimited(s, task) && tg_fair_is_brief(task);
}

static bool is_somebody_away(const struct tg_sched *s, const struct tg_group *g, u64 now)
{
	return now <= s->away_until_ns && s->away_level >= tg_task_level(g->task);
}

u64 tg_lead_from(struct tg_sched *s, const struct tg_group *g, u64 now, u64 *until)
{
	const struct tg_group *first = tg_sched_head(s);
	u64 lead = g->task->policy->lead(s, g->task, now);
	u64 begin, from;
	bool staged;

	if (!lead || !first || s->nr_unknown || s->nr_online >= s->ht_depth ||
	    is_somebody_away(s, g, now) || !may_follow(s, g, &staged) ||
	    !is_covered(s, g, now) || !tg_domain_covers(s, g->task, now))
		return 0;
	/* Those before it were in its way until then. */
	begin = first->start_ns > s->last_finish_ns ? first->start_ns : s->last_finish_ns;
	from = begin;
	if (staged)
		lead = min(lead, TG_STAGED_LEAD_NS);
	if (s->ahead_ns > lead)
		from += s->ahead_ns - lead;
	*until = begin + first->lead_ns;
	return from < *until ? from : 0;
}

bool tg_lead_allows(struct tg_sched *s, const struct tg_group *g, u64 now)
{
	u64 until, from = tg_lead_from(s, g, now, &until);

	return from && from <= now && now < until;
}
