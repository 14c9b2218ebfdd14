// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Trees of domains by chance: what the scheduler keeps counted is counted again after each
 * step, from the groups themselves; who would go next is looked for in the plainest way; and
 * at the end each group has gone.
 */
#include "domain_random.h"
#include "random.h"
#include "tap.h"
#include "tg_sched.h"

#define NR_DOMAINS 12
#define NR_TASKS 16
#define NR_GROUPS 128
#define MS 1000000ULL

struct forest {
	struct tg_sched s;
	struct tg_domain *d[NR_DOMAINS];
	struct tg_task task[NR_TASKS];
	struct tg_group group[NR_GROUPS];
	u64 now;
	uint64_t seed;
};

static struct forest *f;

static u32 below(u32 n)
{
	return random_below(&f->seed, n);
}

static bool is_under_throttled(const struct tg_group *g)
{
	for (const struct tg_domain *d = g->within; d; d = d->parent)
		if (d->throttled)
			return true;
	return false;
}

static bool is_within(const struct tg_group *g, const struct tg_domain *top)
{
	for (const struct tg_domain *d = g->within; d; d = d->parent) {
		if (d == top)
			return true;
		if (d->throttled)
			return false;
	}
	return false;
}

static bool are_counted(void)
{
	u32 waiting = 0, throttled = 0, level[3] = { };

	for (int i = 0; i < NR_GROUPS; i++) {
		const struct tg_group *g = &f->group[i];

		throttled += g->state == TG_GROUP_THROTTLED;
		if (g->state != TG_GROUP_WAITING)
			continue;
		if (is_under_throttled(g)) {
			throttled++;
		} else {
			waiting++;
			level[g->level]++;
		}
	}
	for (int i = 0; i < NR_DOMAINS; i++) {
		u32 queued = 0, online = 0;
		u64 ahead = 0;

		if (!f->d[i])
			continue;
		for (int j = 0; j < NR_GROUPS; j++) {
			const struct tg_group *g = &f->group[j];
			const struct tg_domain *up;

			queued += g->state == TG_GROUP_WAITING && is_within(g, f->d[i]);
			if (g->state != TG_GROUP_ONLINE && g->state != TG_GROUP_RUNNING)
				continue;
			for (up = g->task->domain; up && up != f->d[i]; up = up->parent)
				;
			online += !!up;
			ahead += up ? g->lead_ns : 0;
		}
		if (queued != f->d[i]->nr_queued || online != f->d[i]->nr_online ||
		    ahead != f->d[i]->ahead_ns)
			return false;
	}
	return waiting == f->s.nr_waiting && throttled == f->s.nr_throttled &&
	       level[0] == f->s.nr_queued[0] && level[2] == f->s.nr_queued[2];
}

/* Of two groups of the lowest level: which goes first where their ways part. */
static bool goes_before(const struct tg_group *a, const struct tg_group *b)
{
	const struct tg_turn *path[2][TG_DOMAIN_DEPTH + 1];
	const struct tg_group *g[2] = { a, b };
	int n[2];

	for (int i = 0; i < 2; i++) {
		n[i] = 0;
		path[i][n[i]++] = &g[i]->turn;
		for (const struct tg_domain *d = g[i]->within; d; d = d->parent)
			path[i][n[i]++] = &d->turn;
	}
	while (n[0] && n[1] && path[0][n[0] - 1] == path[1][n[1] - 1]) {
		n[0]--;
		n[1]--;
	}
	return path[0][n[0] - 1]->key < path[1][n[1] - 1]->key ||
	       (path[0][n[0] - 1]->key == path[1][n[1] - 1]->key &&
		path[0][n[0] - 1]->place < path[1][n[1] - 1]->place);
}

static bool is_first_first(void)
{
	const struct tg_group *found = NULL, *g;
	u32 n = 0;

	for (int i = 0; i < NR_GROUPS; i++) {
		g = &f->group[i];
		if (g->state == TG_GROUP_WAITING && !g->level && !is_under_throttled(g) &&
		    (!found || goes_before(g, found)))
			found = g;
	}
	tg_sched_for_each_waiting(g, &f->s, 0)
		n++;
	return tg_wait_first(&f->s, 0) == found && n == f->s.nr_queued[0];
}

/* A throttled domain has no budget, and is looked at when its period ends. */
static bool are_due(void)
{
	for (int i = 0; i < NR_DOMAINS; i++) {
		const struct tg_domain *d = f->d[i];

		if (d && d->throttled &&
		    (d->quota.budget_ns > 0 || !tg_sched_next_timer(&f->s) ||
		     tg_sched_next_timer(&f->s) > d->quota.next_ns))
			return false;
	}
	return true;
}

static struct tg_group *one(enum tg_group_state state)
{
	int first = below(NR_GROUPS);

	for (int i = 0; i < NR_GROUPS; i++) {
		struct tg_group *g = &f->group[(first + i) % NR_GROUPS];

		if (g->state == state)
			return g;
	}
	return NULL;
}

/* No quota that is used up is passed by. */
static void start(struct tg_group *g)
{
	const struct tg_domain *d;

	for (d = tg_domain_of(g->task); d; d = d->parent)
		CHECK(!d->rule.capacity_ns || d->rule.capacity_ns == d->rule.period_ns ||
		      d->quota.budget_ns > 0);
	tg_sched_start(&f->s, g, f->now);
}

static void settle(void)
{
	struct tg_group *g;

	while ((g = tg_sched_next(&f->s, f->now)))
		start(g);
}

static bool are_keys_present(void)
{
	for (int i = 0; i < NR_DOMAINS; i++) {
		const struct tg_domain *d = f->d[i];

		if (d && d->nr_queued && !d->throttled &&
		    d->turn.key != tg_domain_key(&f->s, d))
			return false;
	}
	return true;
}

static struct tg_domain *some_domain(void)
{
	return f->d[below(NR_DOMAINS)];
}

static void arrive(void)
{
	struct tg_group *g = one(TG_GROUP_OUT);
	struct tg_task *task = &f->task[below(NR_TASKS)];

	if (!g)
		return;
	*g = (struct tg_group){ .task = task, .context = task };
	if (tg_sched_arrive(&f->s, g, f->now))
		start(g);
}

static void end(void)
{
	struct tg_group *g = tg_sched_head(&f->s);

	f->now += below(5 * MS);
	if (g)
		tg_sched_complete(&f->s, g, f->now);
}

static void cancel(void)
{
	struct tg_group *g = one(below(2) ? TG_GROUP_WAITING : TG_GROUP_RUNNING);

	if (g)
		tg_sched_cancel(&f->s, g, f->now);
}

static void add(void)
{
	struct tg_domain *parent = some_domain();
	int i = below(NR_DOMAINS);

	if (f->d[i] || (parent && parent->depth + 1 >= TG_DOMAIN_DEPTH))
		return;
	f->d[i] = malloc(sizeof(*f->d[i]));
	if (!CHECK(f->d[i]))
		return;
	tg_domain_init(f->d[i], parent);
	tg_sched_add_domain(&f->s, f->d[i], f->now);
}

static void drop(void)
{
	int n = below(NR_DOMAINS);
	struct tg_domain *d = f->d[n];

	if (!d || d->nr_domains)
		return;
	for (int i = 0; i < NR_TASKS; i++)
		if (f->task[i].domain == d)
			tg_sched_move(&f->s, &f->task[i], d->parent, f->now);
	tg_sched_remove_domain(&f->s, d, f->now);
	free(d);
	f->d[n] = NULL;
}

static void change(void)
{
	struct tg_domain *d = some_domain();
	struct tg_domain_rule rule = { .weight = 1 + below(1000) };

	if (!d)
		return;
	if (below(2)) {
		rule.period_ns = MS + below(50 * MS);
		rule.capacity_ns = 1 + below(rule.period_ns);
	}
	tg_sched_set_domain(&f->s, d, &rule, f->now);
}

static void move(void)
{
	tg_sched_move(&f->s, &f->task[below(NR_TASKS)], some_domain(), f->now);
}

static void set_task(void)
{
	static const struct tg_policy_ops *const policies[] = {
		&tg_policy_fq, &tg_policy_fq, &tg_policy_prt, &tg_policy_ht,
	};

	tg_sched_set_task(&f->s, &f->task[below(NR_TASKS)], policies[below(4)],
			  below(4) ? 0 : 1, false, false, f->now);
}

static void pass_time(void)
{
	f->now += below(20 * MS);
}

static void step(void)
{
	static void (*const steps[])(void) = {
		arrive, arrive, arrive, arrive, end, end, end, cancel, add, drop, change, move,
		set_task, pass_time,
	};

	steps[below(ARRAY_SIZE(steps))]();
	settle();
}

/* All that wait get there. */
static bool is_emptied(void)
{
	for (int i = 0; i < 100000; i++) {
		if (!f->s.nr_waiting && !f->s.nr_throttled && !f->s.nr_online)
			return true;
		if (f->s.nr_online)
			end();
		else
			f->now = max(f->now, tg_sched_next_timer(&f->s));
		settle();
	}
	return false;
}

static void begin(struct forest *forest, uint64_t seed)
{
	f = forest;
	memset(f, 0, sizeof(*f));
	f->seed = seed;
	tg_sched_init(&f->s, 4, 25 * MS, 25 * MS, 0);
	tg_sched_set_lead(&f->s, MS);
	for (int i = 0; i < NR_TASKS; i++) {
		tg_task_init(&f->task[i]);
		tg_sched_set_task(&f->s, &f->task[i], &tg_policy_fq, 0, false, false, 0);
	}
	for (int i = 0; i < NR_GROUPS; i++)
		f->group[i].state = TG_GROUP_OUT;
}

void any_tree_is_in_order_after_any_step(void)
{
	static struct forest forest;

	for (uint64_t seed = 1; seed <= 60; seed++) {
		begin(&forest, seed);
		for (int i = 0; i < 2000; i++) {
			step();
			if (!CHECK(are_counted()) || !CHECK(is_first_first()) ||
			    !CHECK(are_due()) || !CHECK(are_keys_present())) {
				tap_diag("seed %llu, step %d", (unsigned long long)seed, i);
				return;
			}
		}
		CHECK(is_emptied());
		for (int i = 0; i < NR_DOMAINS; i++)
			free(f->d[i]);
	}
}
