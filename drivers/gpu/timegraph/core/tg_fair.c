// SPDX-License-Identifier: GPL-2.0-only
/*
 * Fair queuing over GPU time, and what PRT and HT have of it; see tg_vtime.h.
 *
 * A group's key is the virtual time at which its task would start it: what the task has
 * had, and what its groups before it are predicted to cost, for they end later.  What was
 * predicted wrongly is made good by what it did cost.
 *
 * While others wait, a task keeps the GPU for a slice: it is in front until it has had
 * that, unless somebody comes who is still further behind.
 *
 * Whoever is in a domain has its virtual time by the domain's clock, and the domain, which
 * is as a task to those beside it, by the clock of what it is in: so tasks of different
 * domains are compared where their ways part.
 */
#include "tg_sched.h"

#define KEPT_FREE_NS ((u64)100000)

/* From where the first slice is in front of all. */
void tg_fair_clock_init(struct tg_fair_level *l)
{
	memset(l, 0, sizeof(*l));
	l->vtime_ns = TG_FAIR_CREDIT_NS;
}

void tg_fair_init(struct tg_fair *f)
{
	for (unsigned int i = 0; i < TG_LEVELS; i++)
		tg_fair_clock_init(&f->level[i]);
}

/* In virtual time; a day of GPU time at weight 1 is 2^53 ns. */
u64 tg_fair_by_weight(u32 weight, u64 ns)
{
	if (weight == TG_WEIGHT_DEFAULT)
		return ns;
	return div_u64(ns * TG_WEIGHT_DEFAULT, weight);
}

static u64 by_weight(const struct tg_task *task, u64 ns)
{
	return tg_fair_by_weight(task->weight, ns);
}

/* What nobody used is gone, but for the credit. */
static u64 not_before(const struct tg_fair_level *l, u64 vtime, u64 credit)
{
	return max(vtime, l->vtime_ns - min(l->vtime_ns, credit));
}

u64 tg_fair_not_before(const struct tg_fair_level *l, u64 vtime, u32 weight)
{
	return not_before(l, vtime, tg_fair_by_weight(weight, TG_FAIR_CREDIT_NS));
}

void tg_fair_advance(struct tg_fair_level *l, u64 vtime)
{
	l->vtime_ns = max(l->vtime_ns, vtime);
}

u64 tg_fair_come_ns(const struct tg_fair_level *l)
{
	return max(l->vtime_ns, min(l->gone_ns, l->vtime_ns + TG_FAIR_CREDIT_NS));
}

/* What was in front of the others for the slice before is no longer. */
static void begin_slice(struct tg_sched *s, const struct tg_task *task)
{
	const struct tg_task *before = s->fair.slice;

	s->fair.slice = task;
	s->fair.slice_ns = 0;
	if (before)
		tg_domain_rekey(s, tg_domain_of(before));
}

/*
 * What the GPU idled for it is not what the group cost; but who had that for nothing would
 * have it all, with small groups.  Of less than the group itself, and than KEPT_FREE_NS, no
 * account is taken: so long a thread takes that is told to go on.  Without stamps it is part
 * of the cost.
 */
static u64 with_kept(const struct tg_group *g)
{
	u64 free = min(g->cost_ns, KEPT_FREE_NS);

	if (!g->has_stamps)
		return g->cost_ns;
	return g->cost_ns + g->kept_ns - min(g->kept_ns, free);
}

static void count_slice(struct tg_fair *f, const struct tg_group *g)
{
	if (f->slice == g->task)
		f->slice_ns += with_kept(g);
}

static void end_slice(struct tg_sched *s, const struct tg_task *task)
{
	if (s->fair.slice != task)
		return;
	s->fair.slice = NULL;
	tg_domain_rekey(s, task->domain);
}

bool tg_fair_had_slice(const struct tg_sched *s, const struct tg_task *task)
{
	const struct tg_fair *f = &s->fair;

	return f->slice == task && f->slice_ns + s->ahead_ns >= TG_FAIR_SLICE_NS;
}

/* The virtual times that a task of FQ is among. */
static struct tg_fair_level *clock_of(struct tg_sched *s, const struct tg_task *task)
{
	struct tg_domain *d = tg_domain_of(task);

	return d ? &d->fair : &s->fair.level[tg_task_level(task)];
}

/* It is as far ahead of the others, or behind them, as it was where it comes from. */
static void change_clock(struct tg_sched *s, struct tg_task *task,
			 struct tg_fair_level *l)
{
	u64 from = task->clock->vtime_ns;
	u64 to = l->vtime_ns;

	end_slice(s, task);
	if (task->vtime_ns >= from)
		task->vtime_ns = to + (task->vtime_ns - from);
	else
		task->vtime_ns = to - min(to, from - task->vtime_ns);
	task->clock = l;
}

static bool has_had_nothing(const struct tg_task *task)
{
	return !task->gpu_ns && !task->nr_online && !task->nr_aside;
}

/*
 * The clock that it had may be gone next.  A new one, which only now is where it belongs, is
 * not before those who went from there.
 */
void tg_fair_moved(struct tg_sched *s, struct tg_task *task)
{
	struct tg_fair_level *l = clock_of(s, task);

	if (!task->clock || task->clock == l)
		return;
	change_clock(s, task, l);
	if (has_had_nothing(task))
		task->vtime_ns = tg_fair_come_ns(l);
	else
		task->vtime_ns = min(task->vtime_ns,
				     l->vtime_ns + by_weight(task, TG_FAIR_CREDIT_NS));
}

/* @was_idle: it had no work until now. */
static struct tg_fair_level *come_to_clock(struct tg_sched *s, struct tg_task *task,
					   bool was_idle)
{
	struct tg_fair_level *l = clock_of(s, task);

	if (task->clock != l)
		change_clock(s, task, l);
	if (was_idle)
		task->vtime_ns = not_before(l, task->vtime_ns,
					    by_weight(task, TG_FAIR_CREDIT_NS));
	return l;
}

/*
 * Not before those who went: else one that starts a process for each group would always
 * be the one that has had nothing.
 */
void tg_fair_task_init(struct tg_sched *s, struct tg_task *task)
{
	task->clock = clock_of(s, task);
	task->vtime_ns = tg_fair_come_ns(task->clock);
	task->pause_ns = TG_FAIR_PAUSE_NS;
}

void tg_fair_task_exit(struct tg_sched *s, struct tg_task *task)
{
	task->clock->gone_ns = max(task->clock->gone_ns, task->vtime_ns);
	task->clock = NULL;
	end_slice(s, task);
}

u64 tg_fair_enqueue(struct tg_sched *s, const struct tg_group *g, u64 now)
{
	struct tg_task *task = g->task;
	struct tg_fair *f = &s->fair;
	u64 before, key;

	come_to_clock(s, task, !task->nr_online && !task->nr_waiting);
	before = tg_costs_average(&task->costs) * (task->nr_online + task->nr_waiting);
	key = task->vtime_ns + by_weight(task, before);
	if (f->slice == task && f->slice_ns + before < TG_FAIR_SLICE_NS)
		key = min(key, f->slice_key);
	/* A task's groups keep their order. */
	if (task->nr_waiting)
		key = max(key, task->key_ns);
	task->key_ns = key;
	return key;
}

/* The GPU is to idle for less than an eighth of what it then does, and of what it would do. */
static bool is_worth_a_pause(const struct tg_task *task, u64 pause)
{
	return 8 * pause <= tg_costs_average(&task->costs);
}

struct way {
	u64 vtime_ns;
	u32 weight;
};

/* Where the ways of both part: tasks, or domains that they are in. */
static void part(const struct tg_task *task, const struct tg_task *other, struct way *at,
		 struct way *beside)
{
	const struct tg_domain *a = tg_domain_of(task), *b = tg_domain_of(other);

	*at = (struct way){ task->vtime_ns, task->weight };
	*beside = (struct way){ other->vtime_ns, other->weight };
	while (a != b) {
		bool a_is_deeper = a && (!b || a->depth >= b->depth);
		bool b_is_deeper = b && (!a || b->depth >= a->depth);

		if (a_is_deeper) {
			*at = (struct way){ a->vtime_ns, a->rule.weight };
			a = a->parent;
		}
		if (b_is_deeper) {
			*beside = (struct way){ b->vtime_ns, b->rule.weight };
			b = b->parent;
		}
	}
}

/* Whether @task, had it a group, would go before @other. */
static bool is_behind(const struct tg_task *task, const struct tg_task *other)
{
	struct way at, beside;

	part(task, other, &at, &beside);
	return at.vtime_ns < beside.vtime_ns;
}

bool tg_fair_passes(const struct tg_sched *s, const struct tg_task *task,
		    const struct tg_task *other, bool first)
{
	u64 cost = tg_costs_largest(&task->costs);
	struct way at, beside;
	u32 heavier;

	part(task, other, &at, &beside);
	heavier = max(at.weight, beside.weight);
	if (at.vtime_ns < beside.vtime_ns + tg_fair_by_weight(heavier, TG_FAIR_SLICE_NS))
		return true;
	return first && cost && cost <= TG_FAIR_SLICE_NS / 2 && at.weight >= beside.weight;
}

/* That it would be first if it came, and that this is worth the wait. */
static bool is_expected(const struct tg_sched *s, const struct tg_task *task,
			const struct tg_group *instead)
{
	u64 pause = task->pause_ns;

	if (task->nr_online || task->nr_waiting || task->nr_throttled)
		return false;
	if (pause > TG_FAIR_EXPECT_NS / 2 || !is_worth_a_pause(task, pause) ||
	    !is_worth_a_pause(instead->task, pause))
		return false;
	return s->fair.slice_ns < TG_FAIR_SLICE_NS || is_behind(task, instead->task);
}

u64 tg_fair_hold(const struct tg_sched *s, const struct tg_group *g, u64 now)
{
	const struct tg_task *task = s->fair.slice;

	/* Who has passed it is not before it. */
	if (!task || task == g->task || !task->policy->fair || g->nr_passed ||
	    tg_task_level(task) != tg_task_level(g->task) || !is_expected(s, task, g))
		return 0;
	return task->idle_ns + 2 * task->pause_ns + TG_FAIR_LATE_NS;
}

bool tg_fair_may_start(const struct tg_sched *s, const struct tg_task *task)
{
	return !s->nr_online;
}

/*
 * Whether who has the GPU is to keep it, behind what it has there: it will have come again by
 * then.
 */
static bool is_to_stay(const struct tg_sched *s, const struct tg_task *instead)
{
	const struct tg_task *task = s->fair.slice;

	return task && task != instead && task->nr_online && task->policy->fair &&
	       tg_task_level(task) == tg_task_level(instead) &&
	       (task->overlaps || task->pause_ns <= TG_FAIR_EXPECT_NS / 2) &&
	       (s->fair.slice_ns + s->ahead_ns < TG_FAIR_SLICE_NS || is_behind(task, instead));
}

u64 tg_fair_lead(struct tg_sched *s, const struct tg_task *task, u64 now)
{
	return is_to_stay(s, task) ? 0 : tg_lead_now(s, task, now);
}

void tg_fair_started(struct tg_sched *s, const struct tg_group *g, u64 now)
{
	struct tg_fair *f = &s->fair;
	/* Who waited had work. */
	bool was_idle = !g->turn.place && g->task->nr_online == 1 && !g->task->nr_waiting;
	struct tg_fair_level *l = come_to_clock(s, g->task, was_idle);

	/* What a slice puts ahead of others does not make their credit smaller. */
	if (f->slice == g->task && f->slice_ns < TG_FAIR_SLICE_NS)
		return;
	tg_fair_advance(l, g->task->vtime_ns);
	begin_slice(s, g->task);
	f->slice_key = max(g->task->vtime_ns, 1ULL) - 1;
	tg_domain_begin_slice(s, tg_domain_of(g->task));
}

void tg_fair_kept(struct tg_sched *s, const struct tg_group *g)
{
	if (g->task->policy->complete != tg_fair_complete || !g->kept_ns)
		return;
	g->task->vtime_ns += by_weight(g->task, g->kept_ns);
	tg_domain_ran(s, tg_domain_of(g->task), g->kept_ns);
}

void tg_fair_complete(struct tg_sched *s, const struct tg_group *g, u64 now)
{
	u64 ns = with_kept(g);

	g->task->vtime_ns += by_weight(g->task, ns);
	g->task->idle_ns = now;
	count_slice(&s->fair, g);
	tg_domain_ran(s, tg_domain_of(g->task), ns);
}

const struct tg_policy_ops tg_policy_fq = {
	.id = TG_POLICY_FQ,
	.name = "FQ",
	.reserves = true,
	.fair = true,
	.full = "its task's groups before it (FQ)",
	.task_init = tg_fair_task_init,
	.task_exit = tg_fair_task_exit,
	.enqueue = tg_fair_enqueue,
	.may_start = tg_fair_may_start,
	.stages = true,
	.lead = tg_fair_lead,
	.hold = tg_fair_hold,
	.passes = tg_fair_passes,
	.started = tg_fair_started,
	.complete = tg_fair_complete,
};

static struct tg_fair_level *level_of(struct tg_sched *s, const struct tg_task *task)
{
	return &s->fair.level[tg_task_level(task)];
}

/* The flow of PRT and HT has work. */
static struct tg_fair_level *fifo_level(struct tg_sched *s, const struct tg_task *task)
{
	struct tg_fair_level *l = level_of(s, task);

	l->fifo_ns = not_before(l, l->fifo_ns, TG_FAIR_CREDIT_NS);
	return l;
}

u64 tg_fair_fifo_enqueue(struct tg_sched *s, const struct tg_group *g, u64 now)
{
	/* It only grows: so they are served as they came, also who comes back. */
	return fifo_level(s, g->task)->fifo_ns;
}

void tg_fair_fifo_started(struct tg_sched *s, const struct tg_group *g, u64 now)
{
	struct tg_fair_level *l = fifo_level(s, g->task);

	tg_fair_advance(l, l->fifo_ns);
	if (s->fair.slice != g->task)
		begin_slice(s, g->task);
}

void tg_fair_fifo_complete(struct tg_sched *s, const struct tg_group *g, u64 now)
{
	level_of(s, g->task)->fifo_ns += with_kept(g);
	count_slice(&s->fair, g);
}

void tg_fair_fifo_exit(struct tg_sched *s, struct tg_task *task)
{
	end_slice(s, task);
}

/* It asks for the first time since its last group ended. */
static void learn_pause(struct tg_task *task, u64 now)
{
	u64 pause = min(now - task->idle_ns, TG_FAIR_PAUSE_NS);

	task->overlaps = task->nr_online || task->nr_waiting;
	if (!task->overlaps && !task->nr_throttled)
		task->pause_ns = (3 * task->pause_ns + pause) / 4;
}

bool tg_fair_is_brief(const struct tg_task *task)
{
	return task->costs.nr == TG_COSTS &&
	       tg_costs_average(&task->costs) <= TG_FAIR_BRIEF_NS;
}

void tg_sched_hold(struct tg_sched *s, struct tg_task *task, u64 ahead_ns)
{
	const struct tg_fair_level *l = clock_of(s, task);

	end_slice(s, task);
	task->vtime_ns = max(task->vtime_ns, l->vtime_ns) + min(ahead_ns, TG_FAIR_CREDIT_NS);
}

void tg_fair_asked(struct tg_sched *s, struct tg_task *task, u64 now)
{
	learn_pause(task, now);
	if (!tg_fair_is_brief(task))
		s->fair.ordered_ns = now;
	if (s->fair.asked == task)
		return;
	s->fair.asked = task;
	s->fair.mixed_ns = now;
}

void tg_fair_count(struct tg_sched *s, struct tg_task *task)
{
	tg_fair_uncount(s, task);
	task->ruled = task->policy != &tg_policy_fq || task->prio || task->focus ||
		      task->weight != TG_WEIGHT_DEFAULT || task->lead_ns != TG_LEAD_COMMON ||
		      task->domain;
	s->fair.nr_ruled += task->ruled;
}

void tg_fair_uncount(struct tg_sched *s, struct tg_task *task)
{
	s->fair.nr_ruled -= task->ruled;
	task->ruled = false;
	if (s->fair.asked == task)
		s->fair.asked = NULL;
}
