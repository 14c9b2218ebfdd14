// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Random steps: tasks ask, end, move between domains, change; domains come, go, get other
 * weights, quotas and credits.  Beside the scheduler goes a plain account of the turns, kept
 * in an array that is searched from the beginning each time: it says which unit is to go.
 *
 * A group is on the GPU as soon as it may be, and nothing is started ahead, so that whose
 * turn it is is known at each step.
 */
#include "credit_random.h"
#include "random.h"
#include "tap.h"
#include "tg_sched.h"

#define MS 1000000ULL
#define TASKS 14
#define DOMAINS 6
#define GROUPS 4
#define UNITS (DOMAINS + 1)	/* the last: those in no domain */
#define REST DOMAINS
#define STEPS 60000

/* Two of the domains are within the first two. */
static struct {
	struct tg_sched s;
	struct tg_domain d[DOMAINS];
	bool is_there[DOMAINS];
	struct tg_task task[TASKS];
	struct tg_group g[TASKS][GROUPS];
	u64 now, idle_since;
	uint64_t seed;
	const struct tg_policy_ops *policy;
	u64 nr_picked, nr_starts;
} r;

/*
 * The account.  @queued: number of its place among equals, 0: not in the queue.  @met: it has
 * been there.  @used: when it got or ended a group.
 */
static struct {
	s64 left;
	u64 used;
	u64 queued;
	bool met;
} unit[UNITS];
static u64 nr_queued, least, until;
/* What is left of a tick for who comes anew after others went in the cycle. */
static s64 anew;
static int turn;		/* whose it is, or -1 */

static bool is_exact(void)
{
	return r.policy == &tg_policy_rr || r.policy == &tg_policy_accc ||
	       r.policy == &tg_policy_xc;
}

static u64 x_of(int u)
{
	if (r.policy == &tg_policy_rr)
		return 1;
	if (r.policy == &tg_policy_xc)
		return u == REST ? 100 : r.d[u].cpu_weight;
	return u == REST ? 100 : r.d[u].rule.weight;
}

static u64 turn_ns(int u)
{
	u64 ns = r.s.credits.tick_ns * x_of(u) * 1024 / least;

	return ns ? ns : 1;
}

static int unit_of(const struct tg_task *task)
{
	const struct tg_domain *d = task->domain;

	if (!d)
		return REST;
	while (d->parent)
		d = d->parent;
	return (int)(d - r.d);
}

static bool waits_for_quota(const struct tg_task *task)
{
	for (const struct tg_domain *d = task->domain; d; d = d->parent)
		if (d->throttled)
			return true;
	return false;
}

/* Whether a group of @u waits at the lowest level and nothing but its turn is missing. */
static bool wants(int u)
{
	for (int i = 0; i < TASKS; i++)
		for (int k = 0; k < GROUPS; k++)
			if (r.g[i][k].state == TG_GROUP_WAITING && !r.g[i][k].level &&
			    unit_of(&r.task[i]) == u && !waits_for_quota(&r.task[i]))
				return true;
	return false;
}

static void come(int u)
{
	bool empty = true;

	if (unit[u].queued)
		return;
	for (int i = 0; i < UNITS; i++)
		empty &= !unit[i].queued;
	if (empty || !least)
		least = x_of(u) * 1024;
	unit[u].queued = ++nr_queued;
	unit[u].left = turn_ns(u) < r.s.credits.tick_ns ? turn_ns(u) : r.s.credits.tick_ns;
	if (!unit[u].met && unit[u].left > anew)
		unit[u].left = anew;
	unit[u].met = true;
}

static void note_who_waits(void)
{
	for (int u = 0; u < UNITS; u++)
		if (wants(u))
			come(u);
}

static u64 rounds(int u)
{
	return unit[u].left > 0 ? 0 : -unit[u].left / turn_ns(u) + 1;
}

static bool is_first(int a, int b)
{
	if (rounds(a) != rounds(b))
		return rounds(a) < rounds(b);
	if (x_of(a) != x_of(b))
		return x_of(a) > x_of(b);
	return unit[a].queued < unit[b].queued;
}

static int expected(void)
{
	int best = -1;

	if (turn >= 0 && wants(turn) && unit[turn].left > 0)
		return turn;
	for (int u = 0; u < UNITS; u++)
		if (unit[u].queued && wants(u) && (best < 0 || is_first(u, best)))
			best = u;
	return best;
}

static void next_cycle(int first)
{
	u64 most = 1, few = ~0ULL, n;

	for (int u = 0; u < UNITS; u++) {
		if (!unit[u].queued)
			continue;
		/* A pause of a tick is no absence. */
		if (u != first && unit[u].left > 0 && !wants(u) &&
		    r.now - unit[u].used > r.s.credits.tick_ns) {
			unit[u].queued = 0;
			continue;
		}
		most = x_of(u) * 1024 > most ? x_of(u) * 1024 : most;
		few = x_of(u) * 1024 < few ? x_of(u) * 1024 : few;
	}
	least = few > most / TG_CREDIT_TURN_MAX ? few : most / TG_CREDIT_TURN_MAX;
	n = rounds(first);
	for (int u = 0; u < UNITS; u++) {
		s64 ns = turn_ns(u), most = unit[u].left > 0 ? 2 * ns : ns;

		if (!unit[u].queued)
			continue;
		/* What it could not use is added to the next turn, once. */
		unit[u].left += (s64)n * ns;
		if (unit[u].left > most)
			unit[u].left = most;
	}
	anew = (anew < 0 ? anew : 0) + (s64)(n * r.s.credits.tick_ns);
	if (anew > (s64)r.s.credits.tick_ns)
		anew = r.s.credits.tick_ns;
}

static void account_start(int u)
{
	come(u);
	unit[u].used = r.now;
	if (turn >= 0 && unit[turn].queued && unit[turn].left > 0 &&
	    (wants(turn) || r.now < until))
		return;
	if (unit[u].left <= 0)
		next_cycle(u);
	turn = u;
	until = r.now + (unit[u].left > 0 ? unit[u].left : 0);
}

/* It owes 50 ms at most in the name of those to come. */
static void leave_queue(int u)
{
	s64 left = unit[u].left < -50 * (s64)MS ? -50 * (s64)MS : unit[u].left;

	if (unit[u].queued && left < anew)
		anew = left;
	unit[u].queued = 0;
	unit[u].met = false;
	if (turn == u)
		turn = -1;
}

static void started(struct tg_group *g)
{
	tg_sched_start(&r.s, g, r.now);
	r.nr_starts++;
	CHECK(r.s.nr_online == 1);
	if (is_exact() && !g->lifted && !tg_task_level(g->task))
		account_start(unit_of(g->task));
}

/* Whether somebody waits that the GPU, which is idle, could have. */
static bool anyone(void)
{
	for (int u = 0; u < UNITS; u++)
		if (wants(u))
			return true;
	return false;
}

static void let_go(void)
{
	struct tg_group *g;
	u64 quota_due;
	int u;

	/* What became of quotas is told by this call, before anybody is picked. */
	quota_due = tg_domain_due_ns(&r.s);
	if (quota_due && quota_due <= r.now)
		tg_domain_refresh(&r.s, r.now);
	note_who_waits();
	u = expected();
	g = tg_sched_next(&r.s, r.now);
	if (!g) {
		if (r.s.nr_online || !anyone())
			r.idle_since = r.now;
		CHECK(r.now <= r.idle_since + TG_CREDIT_HOLD_NS + TG_FAIR_LATE_NS);
		return;
	}
	CHECK(g->state == TG_GROUP_ONLINE);
	CHECK(tg_task_level(g->task) || !waits_for_quota(g->task));
	note_who_waits();
	if (!tg_task_level(g->task)) {
		r.nr_picked++;
		/* Who was passed over for a quota that is used up is not waiting any more. */
		if (is_exact() && u >= 0 && unit_of(g->task) != u && !CHECK(!wants(u)))
			tap_diag("unit %d instead of %d (%s)", unit_of(g->task), u,
				 r.policy->name);
	}
	started(g);
	CHECK(!tg_sched_next(&r.s, r.now));
	r.idle_since = r.now;
}

static void ask(int i)
{
	for (int k = 0; k < GROUPS; k++) {
		struct tg_group *g = &r.g[i][k];

		if (g->state != TG_GROUP_NEW && g->state != TG_GROUP_OUT)
			continue;
		*g = (struct tg_group){ .task = &r.task[i], .context = &r.task[i] };
		if (tg_sched_arrive(&r.s, g, r.now)) {
			started(g);
			r.idle_since = r.now;
		}
		return;
	}
}

static void end(void)
{
	struct tg_group *g = tg_sched_head(&r.s);
	int u;

	if (!g)
		return;
	r.now += 10000 + random_below(&r.seed, random_below(&r.seed, 4) ? 3 * MS : 40 * MS);
	u = unit_of(g->task);
	tg_sched_complete(&r.s, g, r.now);
	unit[u].left -= (s64)g->cost_ns;
	unit[u].used = r.now;
	r.idle_since = r.now;
}

static void set_rule(int i)
{
	static const u32 weights[] = { 1, 20, 100, 150, 256, 1024, 10000 };
	struct tg_domain_rule rule = {
		.weight = weights[random_below(&r.seed, ARRAY_SIZE(weights))],
		.target_ppm = random_below(&r.seed, 3) ? 0 : random_below(&r.seed, TG_PPM + 1),
	};

	if (!random_below(&r.seed, 4)) {
		rule.period_ns = (1 + random_below(&r.seed, 100)) * MS;
		rule.capacity_ns = 1 + random_below(&r.seed, rule.period_ns);
	}
	/* It comes back from its quota before it has the weight. */
	if (r.d[i].throttled && r.d[i].nr_queued && !(i >= 4 && r.d[i - 4].throttled) &&
	    (rule.capacity_ns != r.d[i].rule.capacity_ns ||
	     rule.period_ns != r.d[i].rule.period_ns))
		come(i >= 4 ? i - 4 : i);
	tg_sched_set_domain(&r.s, &r.d[i], &rule, r.now);
	if (!r.d[i].parent && unit[i].queued)
		unit[i].queued = ++nr_queued;
}

static void set_cpu(int i)
{
	tg_sched_domain_cpu(&r.s, &r.d[i], 1 + random_below(&r.seed, 1000),
			    (s64)random_below(&r.seed, 1000) - 500);
	if (!r.d[i].parent && unit[i].queued)
		unit[i].queued = ++nr_queued;
	tg_sched_domain_runs(&r.s, &r.d[i], random_below(&r.seed, 3));
}

static void come_domain(int i)
{
	struct tg_domain *parent = i >= 4 ? &r.d[i - 4] : NULL;

	if (i >= 4 && !r.is_there[i - 4])
		return;
	tg_domain_init(&r.d[i], parent);
	tg_sched_add_domain(&r.s, &r.d[i], r.now);
	r.is_there[i] = true;
	set_rule(i);
}

static void go_domain(int i)
{
	struct tg_domain *d = &r.d[i];

	for (int t = 0; t < TASKS; t++)
		if (r.task[t].domain == d && !d->nr_domains) {
			if (tg_sched_head(&r.s) && tg_sched_head(&r.s)->task == &r.task[t])
				end();
			tg_sched_move(&r.s, &r.task[t], NULL, r.now);
		}
	if (d->nr_tasks || d->nr_domains)
		return;
	tg_sched_remove_domain(&r.s, d, r.now);
	memset(d, 0xa5, sizeof(*d));
	r.is_there[i] = false;
	if (i < 4)
		leave_queue(i);
}

/* Not with a group on the GPU: which unit that is charged to would be another question. */
static void move(int t)
{
	int i = random_below(&r.seed, DOMAINS + 1);

	if (r.task[t].nr_online)
		return;
	if (i == DOMAINS)
		tg_sched_move(&r.s, &r.task[t], NULL, r.now);
	else if (r.is_there[i])
		tg_sched_move(&r.s, &r.task[t], &r.d[i], r.now);
}

static void cancel(int t)
{
	struct tg_group *g = &r.g[t][random_below(&r.seed, GROUPS)];

	if (g->state == TG_GROUP_WAITING || g->state == TG_GROUP_THROTTLED)
		tg_sched_cancel(&r.s, g, r.now);
}

static void pass(void)
{
	u64 timer = tg_sched_next_timer(&r.s);

	if (r.s.nr_online || !timer || timer > r.now + 2 * MS)
		r.now += random_below(&r.seed, r.s.nr_online ? 300000 : 100000);
	else if (timer > r.now)
		r.now = timer;
	if (!anyone() || r.s.nr_online)
		r.idle_since = r.now;
}

static void step(void)
{
	int t = random_below(&r.seed, TASKS), i = random_below(&r.seed, DOMAINS);

	switch (random_below(&r.seed, 64)) {
	case 0:
		if (r.is_there[i])
			go_domain(i);
		else
			come_domain(i);
		break;
	case 1:
	case 2:
		if (r.is_there[i])
			set_rule(i);
		break;
	case 3:
	case 4:
		if (r.is_there[i])
			set_cpu(i);
		break;
	case 5:
		move(t);
		break;
	case 6:
		cancel(t);
		break;
	case 7:
		if (!r.task[t].nr_online)
			tg_sched_set_task(&r.s, &r.task[t], r.policy,
					  random_below(&r.seed, 8) ? 0 : 3, false, false, r.now);
		break;
	case 8 ... 36:
		end();
		break;
	case 37 ... 40:
		pass();
		break;
	default:
		ask(t);
	}
	let_go();
}

static void check_bounds(void)
{
	const struct tg_domain *d;

	list_for_each_entry(d, &r.s.credits.ready, credit.node) {
		s64 most = r.s.credits.tick_ns * TG_CREDIT_TURN_MAX;

		/* A weight that was changed since may have been worth more. */
		CHECK(d->credit.left_ns <= most * 10000);
		CHECK(!d->parent);
	}
}

static void run(const struct tg_policy_ops *policy, u64 seed)
{
	memset(&r, 0, sizeof(r));
	memset(unit, 0, sizeof(unit));
	nr_queued = 0;
	least = 0;
	anew = 30 * MS;
	turn = -1;
	r.seed = seed;
	r.policy = policy;
	tg_sched_init(&r.s, 16, 25 * MS, 25 * MS, 0);
	for (int t = 0; t < TASKS; t++) {
		tg_task_init(&r.task[t]);
		tg_sched_set_task(&r.s, &r.task[t], policy, 0, false, false, 0);
	}
	for (int n = 0; n < STEPS && tap_bad_checks < 20; n++) {
		step();
		check_bounds();
	}
	CHECK(r.nr_picked > STEPS / 20);
}

void random_steps_agree_with_the_oracle(void)
{
	static const struct tg_policy_ops *const all[] = {
		&tg_policy_rr, &tg_policy_accc, &tg_policy_xc, &tg_policy_slaf,
		&tg_policy_augc, &tg_policy_cosched,
	};

	for (unsigned int i = 0; i < ARRAY_SIZE(all); i++)
		run(all[i], 1 + i);
}
