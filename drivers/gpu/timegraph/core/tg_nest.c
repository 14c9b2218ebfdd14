// SPDX-License-Identifier: GPL-2.0-only
/*
 * Domains: their place among others, their quotas, what they used; see tg_domain.h.
 *
 * A domain stands in the queue of what it is within, as a task's group does, as long as
 * there are groups in it that may go: in its own queue, or in those of domains within it that
 * are not throttled.  Its key is what FQ gives a group (tg_fair.c), but for two things: it is
 * always the present one, since a domain cannot be in the queue several times; and what
 * is before it is what the GPU has of it.
 *
 *	key(d) = vtime(d) + Σ predicted(online groups of d) · 100 / weight(d)
 */
#include "tg_sched.h"

void tg_domain_init(struct tg_domain *d, struct tg_domain *parent)
{
	memset(d, 0, sizeof(*d));
	INIT_LIST_HEAD(&d->node);
	INIT_LIST_HEAD(&d->credit.node);
	d->parent = parent;
	d->depth = parent ? parent->depth + 1 : 0;
	d->rule.weight = TG_WEIGHT_DEFAULT;
	d->cpu_weight = TG_WEIGHT_DEFAULT;
	d->turn.is_domain = true;
	d->queue = RB_ROOT_CACHED;
	tg_fair_clock_init(&d->fair);
}

struct tg_domain *tg_domain_top(struct tg_domain *d)
{
	while (d && d->parent)
		d = d->parent;
	return d;
}

struct tg_domain *tg_domain_if_fair(const struct tg_task *task)
{
	return task->policy->fair && !tg_task_level(task) ? task->domain : NULL;
}

struct tg_fair_level *tg_domain_clock(struct tg_sched *s, const struct tg_domain *d)
{
	return d->parent ? &d->parent->fair : &s->fair.level[0];
}

struct tg_group *tg_domain_first(const struct tg_domain *d)
{
	return tg_wait_first_of(&d->queue);
}

/* The group of its that goes first is of a task that keeps the GPU for its slice. */
static bool has_slice(const struct tg_sched *s, const struct tg_domain *d)
{
	const struct tg_group *g = tg_domain_first(d);

	return g && g->task == s->fair.slice && g->turn.key == s->fair.slice_key;
}

u64 tg_domain_key(const struct tg_sched *s, const struct tg_domain *d)
{
	u64 key = d->vtime_ns + tg_fair_by_weight(d->rule.weight, d->ahead_ns);

	return has_slice(s, d) ? min(key, d->slice_key) : key;
}

void tg_domain_rekey(struct tg_sched *s, struct tg_domain *d)
{
	for (; d; d = d->parent)
		tg_wait_rekey(s, d);
}

void tg_domain_wake(struct tg_sched *s, struct tg_domain *d)
{
	const struct tg_fair_level *l = tg_domain_clock(s, d);

	if (!d->nr_queued && !d->nr_online)
		d->vtime_ns = tg_fair_not_before(l, d->vtime_ns, d->rule.weight);
}

void tg_domain_begin_slice(struct tg_sched *s, struct tg_domain *d)
{
	for (; d; d = d->parent) {
		tg_fair_advance(tg_domain_clock(s, d), d->vtime_ns);
		d->slice_key = max(d->vtime_ns, 1ULL) - 1;
		/* What waits of it may have been in front for the slice before. */
		tg_wait_rekey(s, d);
	}
}

void tg_domain_ran(struct tg_sched *s, struct tg_domain *d, u64 ns)
{
	for (; d; d = d->parent) {
		d->vtime_ns += tg_fair_by_weight(d->rule.weight, ns);
		tg_wait_rekey(s, d);
	}
}

/* The GPU has so many groups more, or less, predicted to cost so much. */
static void add_online(struct tg_sched *s, struct tg_domain *d, int nr, s64 ns)
{
	for (; d; d = d->parent) {
		if (nr > 0)
			tg_domain_wake(s, d);
		d->nr_online += nr;
		d->ahead_ns += ns;
		tg_wait_rekey(s, d);
	}
}

void tg_domain_enter(struct tg_sched *s, struct tg_group *g)
{
	add_online(s, g->task->domain, 1, (s64)g->lead_ns);
}

void tg_domain_leave(struct tg_sched *s, struct tg_group *g)
{
	add_online(s, g->task->domain, -1, -(s64)g->lead_ns);
}

void tg_domain_expect(struct tg_sched *s, struct tg_group *g, s64 by)
{
	add_online(s, g->task->domain, 0, by);
}

/*
 * Quotas.
 */

static bool has_quota(const struct tg_domain *d)
{
	return d->rule.capacity_ns && !tg_reserve_is_all(&d->quota);
}

static bool due_before(struct rb_node *a, const struct rb_node *b)
{
	return rb_entry(a, struct tg_domain, due)->quota.next_ns <
	       rb_entry(b, struct tg_domain, due)->quota.next_ns;
}

/* Its groups stay where they are, but nobody gets to them. */
static void throttle(struct tg_sched *s, struct tg_domain *d, u64 now)
{
	u32 nr = d->nr_queued;

	if (d->throttled)
		return;
	tg_wait_count(s, d, -(int)nr, now);
	d->nr_queued = nr;
	d->throttled = now ?: 1;
	d->nr_throttled++;
	s->nr_throttled += nr;
	rb_add_cached(&d->due, &s->throttled, due_before);
}

static void unthrottle(struct tg_sched *s, struct tg_domain *d, u64 now)
{
	u32 nr = d->nr_queued;

	rb_erase_cached(&d->due, &s->throttled);
	if (nr)
		d->throttle_ns += now - d->throttled;
	d->throttled = 0;
	d->nr_queued = 0;
	s->nr_throttled -= nr;
	tg_wait_count(s, d, (int)nr, now);
}

/* Of @d alone. */
static bool allows(struct tg_sched *s, struct tg_domain *d, u64 before, u64 now)
{
	if (!has_quota(d))
		return true;
	if (d->throttled)
		return false;
	tg_reserve_advance(&d->quota, now, 0);
	return d->quota.budget_ns > (s64)before;
}

bool tg_domain_allows(struct tg_sched *s, struct tg_domain *d, u64 now)
{
	for (; d; d = d->parent)
		if (!allows(s, d, 0, now)) {
			throttle(s, d, now);
			return false;
		}
	return true;
}

bool tg_domain_covers(struct tg_sched *s, const struct tg_task *task, u64 now)
{
	struct tg_domain *d;

	for (d = tg_domain_of(task); d; d = d->parent)
		if (!allows(s, d, d->ahead_ns, now))
			return false;
	return true;
}

bool tg_domain_is_limited(const struct tg_task *task)
{
	const struct tg_domain *d;

	for (d = task->domain; d; d = d->parent)
		if (has_quota(d))
			return true;
	return false;
}

void tg_domain_charge(struct tg_sched *s, struct tg_domain *d, u64 cost_ns, u64 now)
{
	for (; d; d = d->parent) {
		d->gpu_ns += cost_ns;
		if (!has_quota(d))
			continue;
		/* While it is throttled its place in the tree is by when its period ends. */
		if (!d->throttled)
			tg_reserve_advance(&d->quota, now, 0);
		tg_reserve_charge(&d->quota, cost_ns);
	}
}

void tg_domain_completed(struct tg_domain *d)
{
	for (; d; d = d->parent)
		d->nr_groups++;
}

void tg_domain_waited(struct tg_domain *d, u64 ns)
{
	for (; d; d = d->parent)
		d->wait_ns += ns;
}

static struct tg_domain *first_due(const struct tg_sched *s)
{
	return rb_entry_safe(rb_first_cached(&s->throttled), struct tg_domain, due);
}

static void refresh(struct tg_sched *s, struct tg_domain *d, u64 now)
{
	rb_erase_cached(&d->due, &s->throttled);
	tg_reserve_advance(&d->quota, now, 0);
	rb_add_cached(&d->due, &s->throttled, due_before);
	if (d->quota.budget_ns > 0)
		unthrottle(s, d, now);
}

void tg_domain_refresh(struct tg_sched *s, u64 now)
{
	struct tg_domain *d;

	for (u32 n = 0; n < s->part && (d = first_due(s)) && d->quota.next_ns <= now; n++)
		refresh(s, d, now);
}

u64 tg_domain_due_ns(const struct tg_sched *s)
{
	const struct tg_domain *d = first_due(s);

	return d ? d->quota.next_ns : 0;
}

struct tg_group *tg_domain_any_throttled(const struct tg_sched *s)
{
	struct rb_node *node;
	struct tg_group *g;

	for (node = rb_first_cached(&s->throttled); node; node = rb_next(node)) {
		g = tg_domain_first(rb_entry(node, struct tg_domain, due));
		if (g)
			return g;
	}
	return NULL;
}

/*
 * Domains come, change and go, and tasks between them.
 */

/* Not before those who went, as a task that comes anew, see tg_fair.c. */
void tg_sched_add_domain(struct tg_sched *s, struct tg_domain *d, u64 now)
{
	d->vtime_ns = tg_fair_come_ns(tg_domain_clock(s, d));
	list_add_tail(&d->node, &s->domains);
	if (d->parent)
		d->parent->nr_domains++;
}

void tg_sched_remove_domain(struct tg_sched *s, struct tg_domain *d, u64 now)
{
	struct tg_fair_level *l = tg_domain_clock(s, d);

	if (WARN_ON_ONCE(d->nr_tasks || d->nr_domains || d->nr_online || d->nr_queued))
		return;
	if (d->throttled)
		unthrottle(s, d, now);
	l->gone_ns = max(l->gone_ns, d->vtime_ns);
	if (d->parent)
		d->parent->nr_domains--;
	tg_credit_forget(s, d);
	list_del_init(&d->node);
}

static void set_quota(struct tg_sched *s, struct tg_domain *d,
		      const struct tg_domain_rule *rule, u64 now)
{
	if (d->throttled)
		unthrottle(s, d, now);
	if (!rule->capacity_ns)
		return;
	if (d->rule.capacity_ns)
		tg_reserve_set(&d->quota, &tg_reserve_pe, rule->capacity_ns, rule->period_ns,
			       now);
	else
		tg_reserve_init(&d->quota, &tg_reserve_pe, rule->capacity_ns,
				rule->period_ns, now);
}

/*
 * What it is ahead of the others, or behind them, is GPU time, which is as much as it was:
 *
 *	vtime = clock ± |vtime - clock| · old weight / new weight
 *
 * A difference of 2^50, 13 days, times a weight below 2^14 is below 2^64; no group takes that
 * long, and what an idle domain is further behind is more than the credit at any weight.
 */
static void set_weight(struct tg_sched *s, struct tg_domain *d, u32 weight)
{
	u64 clock = tg_domain_clock(s, d)->vtime_ns;
	u64 by = d->vtime_ns > clock ? d->vtime_ns - clock : clock - d->vtime_ns;

	if (weight == d->rule.weight)
		return;
	by = div_u64(min(by, 1ULL << 50) * d->rule.weight, weight);
	d->vtime_ns = d->vtime_ns > clock ? clock + by : clock - min(by, clock);
}

void tg_sched_domain_even(struct tg_sched *s, struct tg_domain *d)
{
	d->vtime_ns = tg_domain_clock(s, d)->vtime_ns;
	tg_wait_rekey(s, d);
}

void tg_sched_set_domain(struct tg_sched *s, struct tg_domain *d,
			 const struct tg_domain_rule *rule, u64 now)
{
	if (WARN_ON_ONCE(rule->weight < TG_WEIGHT_MIN || rule->weight > TG_WEIGHT_MAX ||
			 rule->capacity_ns > rule->period_ns))
		return;
	if (rule->capacity_ns != d->rule.capacity_ns || rule->period_ns != d->rule.period_ns)
		set_quota(s, d, rule, now);
	set_weight(s, d, rule->weight);
	d->rule = *rule;
	tg_credit_changed(s, d);
	tg_wait_rekey(s, d);
}

void tg_sched_domain_cpu(struct tg_sched *s, struct tg_domain *d, u32 weight, s64 credit)
{
	d->cpu_weight = weight;
	d->cpu_credit = credit;
	tg_credit_changed(s, d);
}

void tg_sched_domain_runs(struct tg_sched *s, struct tg_domain *d, u32 nr)
{
	d->nr_running = nr;
}

void tg_sched_move(struct tg_sched *s, struct tg_task *task, struct tg_domain *d, u64 now)
{
	struct tg_domain *before = task->domain;
	struct tg_group *g;
	s64 ahead = 0;

	if (d == before)
		return;
	tg_sched_for_each_online(g, s)
		if (g->task == task)
			ahead += (s64)g->lead_ns;
	add_online(s, before, -(int)task->nr_online, -ahead);
	add_online(s, d, (int)task->nr_online, ahead);
	if (before)
		before->nr_tasks--;
	if (d)
		d->nr_tasks++;
	task->domain = d;
	tg_fair_moved(s, task);
	tg_fair_count(s, task);
	tg_wait_requeue(s, task);
}
