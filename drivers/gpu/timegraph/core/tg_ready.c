// SPDX-License-Identifier: GPL-2.0-only
/*
 * The ready queue and the turns (Pegasus algorithm 1), and the policies that are no more
 * than that: RR, AccC, XC.  See tg_credit.h.
 *
 *	InsertDomainforScheduling(D)
 *	    if D not in RQ		Tc = 1, Tm = X / Xmin		insert()
 *	    else if ContextEstablished	Tc = Tm				begin_cycle()
 *	    else			Tc = 1
 *	DomASchedule(RQ)
 *	    the head of RQ has the GPU for Tc ticks			tg_credit_pick()
 *
 * A unit that has come is in the ready queue with one tick.  Each is served, by its
 * credits, until it has used its turn up; when nobody who waits has anything left a cycle
 * ends, and each gets
 *
 *	turn(D) = tick · X / max(Xmin, Xmax / longest turn)
 *
 * in nanoseconds, not in whole ticks: 100 beside 150 would be one to one, or one to two.
 * X is at most 10,000 · 64 · TG_CREDIT_UNIT < 2^30 (tg_slaf.c) and a tick at most 10^9 ns:
 * the product is below 2^60.
 *
 * A context in the paper is what the driver holds for a domain; who has one is taken to be
 * using the GPU.  Here a unit has one if it waits for the GPU when the cycle ends, has used
 * its turn up, or had a group within the last tick.  Who has not leaves the ready queue, and
 * comes back with one tick.  Who has, and something of his turn as well, has that added to
 * the next one, which is two turns at most: others' groups were in his way when he came.
 *
 * The core asks who is next more often than somebody starts: so turns and cycles begin when
 * a group does, not when it is picked.
 */
#include "tg_sched.h"

static u32 credit_of_all(const struct tg_domain *unit)
{
	return 1;
}

u32 tg_credit_of_weight(const struct tg_domain *unit)
{
	return unit->rule.weight;
}

static u32 credit_on_cpu(const struct tg_domain *unit)
{
	return max(unit->cpu_weight, 1U);
}

const struct tg_policy_ops tg_policy_rr = TG_CREDIT_POLICY(TG_POLICY_RR, "RR");
const struct tg_policy_ops tg_policy_accc = TG_CREDIT_POLICY(TG_POLICY_ACCC, "AccC");
const struct tg_policy_ops tg_policy_xc = TG_CREDIT_POLICY(TG_POLICY_XC, "XC");

static const struct tg_credit_scheme scheme_rr = {
	.ops = &tg_policy_rr,
	.turn_max = TG_CREDIT_TURN_MAX,
	.credit = credit_of_all,
};

static const struct tg_credit_scheme scheme_accc = {
	.ops = &tg_policy_accc,
	.turn_max = TG_CREDIT_TURN_MAX,
	.credit = tg_credit_of_weight,
};

static const struct tg_credit_scheme scheme_xc = {
	.ops = &tg_policy_xc,
	.turn_max = TG_CREDIT_TURN_MAX,
	.credit = credit_on_cpu,
};

static const struct tg_credit_scheme *const schemes[] = {
	&scheme_rr, &scheme_accc, &scheme_xc, &tg_credit_slaf, &tg_credit_augc,
	&tg_credit_cosched,
};

static const struct tg_credit_scheme *scheme_of(const struct tg_policy_ops *ops)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(schemes); i++)
		if (schemes[i]->ops == ops)
			return schemes[i];
	return NULL;
}

#define for_each_ready(unit, c) list_for_each_entry(unit, &(c)->ready, credit.node)

static struct tg_domain *unit_of(struct tg_credits *c, const struct tg_task *task)
{
	return tg_domain_top(task->domain) ?: &c->rest;
}

static bool is_of(const struct tg_credits *c, const struct tg_task *task,
		  const struct tg_domain *unit)
{
	return tg_domain_top(task->domain) == (unit == &c->rest ? NULL : unit);
}

/* Of the groups in no domain.  Behind a step for each domain that would go before it. */
static struct tg_group *first_of_rest(const struct tg_sched *s)
{
	struct rb_node *node = rb_first_cached(&s->queue[0]);

	for (; node; node = rb_next(node)) {
		struct tg_turn *turn = rb_entry(node, struct tg_turn, node);
		struct tg_group *g = container_of(turn, struct tg_group, turn);

		if (!turn->is_domain && g->task->policy->fair)
			return g;
	}
	return NULL;
}

static struct tg_group *first_of(const struct tg_sched *s, const struct tg_domain *unit)
{
	return unit == &s->credits.rest ? first_of_rest(s) : tg_domain_first(unit);
}

bool tg_credit_may_go(const struct tg_sched *s, const struct tg_domain *unit)
{
	if (unit == &s->credits.rest)
		return first_of_rest(s);
	return unit->nr_queued && !unit->throttled;
}

static bool is_ready(const struct tg_domain *unit)
{
	return !list_empty(&unit->credit.node);
}

static u64 effective(const struct tg_credit_scheme *scheme, const struct tg_domain *unit)
{
	if (scheme->effective)
		return scheme->effective(unit);
	return (u64)scheme->credit(unit) * TG_CREDIT_UNIT;
}

static u64 turn_of(const struct tg_credits *c, const struct tg_domain *unit)
{
	return max(div64_u64(c->tick_ns * effective(c->scheme, unit), c->least), 1ULL);
}

/* What it has of its turn, as far as what it had is known. */
static s64 left_of(const struct tg_domain *unit)
{
	return unit->credit.left_ns - (s64)(unit->gpu_ns - unit->credit.seen_ns);
}

static void settle(struct tg_domain *unit)
{
	unit->credit.left_ns = left_of(unit);
	unit->credit.seen_ns = unit->gpu_ns;
}

/* The same behind what the GPU has, which is of one unit. */
static s64 left_behind(const struct tg_sched *s, const struct tg_domain *unit)
{
	const struct tg_group *head = tg_sched_head(s);

	if (head && is_of(&s->credits, head->task, unit))
		return left_of(unit) - (s64)s->ahead_ns;
	return left_of(unit);
}

u64 tg_credit_rounds(const struct tg_sched *s, const struct tg_domain *unit)
{
	s64 left = left_behind(s, unit);

	return left > 0 ? 0 : div64_u64(-left, turn_of(&s->credits, unit)) + 1;
}

/* Before those that have fewer credits, behind those that have as many. */
static void place(struct tg_credits *c, struct tg_domain *unit)
{
	struct tg_domain *other;

	list_for_each_entry_reverse(other, &c->ready, credit.node)
		if (c->scheme->credit(other) >= c->scheme->credit(unit))
			break;
	list_add(&unit->credit.node, &other->credit.node);
}

/*
 * Tc = 1; one that has fewer credits than those there gets what its credits are worth.  One
 * that was never there has no more left than who has gone had: else who makes a domain for
 * each group would always have something left, and a cycle would never end.
 */
static void insert(struct tg_credits *c, struct tg_domain *unit)
{
	s64 most = c->tick_ns;

	if (list_empty(&c->ready) || !c->least)
		c->least = effective(c->scheme, unit);
	place(c, unit);
	if (!unit->credit.known)
		most = min(most, c->spare_ns);
	unit->credit.known = true;
	unit->credit.left_ns = min((s64)turn_of(c, unit), most);
	unit->credit.seen_ns = unit->gpu_ns;
	unit->credit.waits_ns = 0;
}

static void take_out(struct tg_credits *c, struct tg_domain *unit)
{
	list_del_init(&unit->credit.node);
	if (c->current_unit == unit)
		c->current_unit = NULL;
	if (c->picked == unit)
		c->picked = NULL;
}

void tg_credit_waits(struct tg_sched *s, struct tg_domain *d, u64 now)
{
	struct tg_credits *c = &s->credits;
	struct tg_domain *unit = d ?: &c->rest;

	if (!c->scheme)
		return;
	if (!is_ready(unit))
		insert(c, unit);
	if (!unit->credit.waits_ns)
		unit->credit.waits_ns = now ?: 1;
}

void tg_credit_changed(struct tg_sched *s, struct tg_domain *d)
{
	if (!is_ready(d))
		return;
	list_del_init(&d->credit.node);
	place(&s->credits, d);
}

void tg_credit_forget(struct tg_sched *s, struct tg_domain *d)
{
	struct tg_credits *c = &s->credits;

	if (is_ready(d))
		c->spare_ns = min(c->spare_ns, max(left_of(d), -(s64)TG_FAIR_CREDIT_NS));
	take_out(c, d);
}

static void empty(struct tg_credits *c)
{
	while (!list_empty(&c->ready))
		take_out(c, list_first_entry(&c->ready, struct tg_domain, credit.node));
	c->least = 0;
	c->spare_ns = c->tick_ns;
	c->picked = NULL;
	c->last = NULL;
	c->from_ns = 0;
}

static void begin(struct tg_sched *s, const struct tg_credit_scheme *scheme)
{
	struct tg_credits *c = &s->credits;
	struct tg_domain *d;

	empty(c);
	c->scheme = scheme;
	tg_sched_for_each_domain(d, s)
		if (!d->parent && tg_credit_may_go(s, d))
			insert(c, d);
	if (first_of_rest(s))
		insert(c, &c->rest);
}

/* The policy of the GPU is that of the task that got one last. */
void tg_credit_task_init(struct tg_sched *s, struct tg_task *task)
{
	const struct tg_credit_scheme *scheme = scheme_of(task->policy);

	tg_fair_task_init(s, task);
	s->credits.nr_tasks++;
	if (s->credits.scheme != scheme)
		begin(s, scheme);
}

void tg_credit_task_exit(struct tg_sched *s, struct tg_task *task)
{
	struct tg_credits *c = &s->credits;

	tg_fair_task_exit(s, task);
	if (c->last == task)
		c->last = NULL;
	if (--c->nr_tasks)
		return;
	empty(c);
	c->scheme = NULL;
}

static bool goes_before(const struct tg_sched *s, const struct tg_domain *a,
			const struct tg_domain *b, u64 now)
{
	const struct tg_credit_scheme *scheme = s->credits.scheme;

	if (scheme->before)
		return scheme->before(s, a, b, now);
	return tg_credit_rounds(s, a) < tg_credit_rounds(s, b);
}

/* Whose turn it is keeps it, though others that come first had come by now. */
static bool keeps_turn(const struct tg_sched *s, const struct tg_domain *unit)
{
	return unit && tg_credit_may_go(s, unit) && left_behind(s, unit) > 0;
}

/* The unit to go next, or NULL; a cycle begins with it if it has nothing left. */
static struct tg_domain *choose(const struct tg_sched *s, u64 now)
{
	const struct tg_credits *c = &s->credits;
	struct tg_domain *best = NULL, *unit;

	if (keeps_turn(s, c->current_unit)) {
		if (!c->scheme->before)
			return c->current_unit;
		best = c->current_unit;
	}
	for_each_ready(unit, c) {
		if (!tg_credit_may_go(s, unit))
			continue;
		if (!best || goes_before(s, unit, best, now))
			best = unit;
		if (!c->scheme->before && !tg_credit_rounds(s, best))
			break;
	}
	return best;
}

/* It may start at once, or behind what the GPU has of the same unit. */
static void note_pick(struct tg_sched *s, const struct tg_domain *unit)
{
	const struct tg_group *head = tg_sched_head(s);

	if (head && !is_of(&s->credits, head->task, unit))
		return;
	s->credits.picked = unit;
	s->credits.renews = tg_credit_rounds(s, unit);
}

/* Who has used its turn up passes nobody. */
bool tg_credit_passes(const struct tg_sched *s, const struct tg_task *task,
		      const struct tg_task *other, bool first)
{
	const struct tg_domain *top = tg_domain_top(task->domain);

	if (tg_task_level(task) || !s->credits.scheme || top == tg_domain_top(other->domain))
		return tg_fair_passes(s, task, other, first);
	return !tg_credit_rounds(s, top ?: &s->credits.rest);
}

struct tg_group *tg_credit_pick(struct tg_sched *s, struct tg_group *first, u64 now)
{
	const struct tg_policy_ops *policy = first->task->policy;
	struct tg_domain *unit;
	struct tg_group *g;

	if (first->level || !s->credits.scheme)
		return NULL;
	unit = choose(s, now);
	g = unit ? first_of(s, unit) : NULL;
	/* While the tasks are given another policy, one by one, there are two. */
	if (!g || g->task->policy != policy)
		return NULL;
	note_pick(s, unit);
	return g;
}

/* That it comes at once, and that this is worth the wait: four fifths of its turn are used. */
static bool is_expected(const struct tg_task *task, const struct tg_task *instead)
{
	u64 pause = task->pause_ns;

	if (task->nr_online || task->nr_waiting || task->nr_throttled)
		return false;
	return pause <= TG_CREDIT_HOLD_NS / 2 && 4 * pause <= tg_costs_average(&task->costs) &&
	       2 * pause <= tg_costs_average(&instead->costs);
}

/* Whether one that waits would go before it if it waited, too. */
static bool is_passed_over(const struct tg_sched *s, const struct tg_domain *unit, u64 now)
{
	const struct tg_domain *best = choose(s, now);

	return s->credits.scheme->before && best && s->credits.scheme->before(s, best, unit, now);
}

/*
 * A turn is long: who sends the next group when it knows that the one before has ended
 * would have one group of it, and another's long one then.  In the paper the GPU is its
 * own for as long as the turn is.  Here the GPU waits for a pause that is short beside its
 * groups; in a longer one others go on, and it still has its turn when it comes.
 */
u64 tg_credit_hold(const struct tg_sched *s, const struct tg_group *g, u64 now)
{
	const struct tg_credits *c = &s->credits;
	const struct tg_domain *mine = c->current_unit;
	const struct tg_task *task = c->last;

	if (!mine || is_of(c, g->task, mine) || tg_task_level(g->task))
		return tg_fair_hold(s, g, now);
	if (!task || !is_of(c, task, mine) || tg_task_level(task) ||
	    tg_credit_may_go(s, mine) || mine->throttled || left_of(mine) <= 0 ||
	    !is_expected(task, g->task) || is_passed_over(s, mine, now))
		return 0;
	return min(task->idle_ns + 2 * task->pause_ns + TG_FAIR_LATE_NS,
		   task->idle_ns + TG_CREDIT_HOLD_NS);
}

/*
 * Whether who has begun has a turn, or only a pause of whose turn it is: then it may have
 * more than is left to it, and has the less in its own turn.
 */
static bool is_over(const struct tg_sched *s, const struct tg_domain *unit, u64 now)
{
	if (!unit || left_of(unit) <= 0)
		return true;
	if (tg_credit_may_go(s, unit))
		return s->credits.scheme->before;
	return now >= s->credits.until_ns;
}

/* Who computes what to have the GPU do next uses it, too: in the paper it waits for him. */
static bool is_idle(const struct tg_sched *s, const struct tg_domain *unit, u64 now)
{
	return !tg_credit_may_go(s, unit) && now - unit->credit.used_ns > s->credits.tick_ns;
}

/* Those that have something left but no use for it are out. */
static void leave_idle(struct tg_sched *s, const struct tg_domain *first, u64 now)
{
	struct tg_credits *c = &s->credits;
	struct tg_domain *unit, *n;

	list_for_each_entry_safe(unit, n, &c->ready, credit.node) {
		settle(unit);
		if (unit != first && unit->credit.left_ns > 0 && is_idle(s, unit, now))
			take_out(c, unit);
	}
}

/* What is worth a tick: max(Xmin, Xmax / longest turn). */
static u64 least_of(const struct tg_credits *c)
{
	const struct tg_domain *unit;
	u64 most = 1, least = ~0ULL;

	for_each_ready(unit, c) {
		u64 x = effective(c->scheme, unit);

		most = max(most, x);
		least = min(least, x);
	}
	return max(least, div_u64(most, c->scheme->turn_max));
}

/*
 * As many cycles begin as @first, which goes on with none left, has to wait for: in those
 * before the last nobody who waits had anything left either.
 */
static void begin_cycle(struct tg_sched *s, struct tg_domain *first, u64 now)
{
	struct tg_credits *c = &s->credits;
	struct tg_domain *unit;
	u64 rounds;

	leave_idle(s, first, now);
	if (c->scheme->cycle)
		c->scheme->cycle(s, now);
	c->least = least_of(c);
	rounds = div64_u64(-first->credit.left_ns, turn_of(c, first)) + 1;
	for_each_ready(unit, c) {
		s64 turn = turn_of(c, unit);
		s64 left = unit->credit.left_ns;

		unit->credit.left_ns = min(left + (s64)rounds * turn,
					   left > 0 ? 2 * turn : turn);
		unit->credit.given_ns += turn;
	}
	c->spare_ns = min(min(c->spare_ns, 0LL) + (s64)(rounds * c->tick_ns), (s64)c->tick_ns);
	c->cycle += rounds;
}

/*
 * Who was picked when it had something left may have had it all when its group starts: that
 * is no new turn.
 */
static bool is_cycle_over(const struct tg_sched *s, const struct tg_group *g,
			  const struct tg_domain *unit)
{
	if (left_of(unit) > 0)
		return false;
	return !g->turn.place || (s->credits.picked == unit && s->credits.renews);
}

void tg_credit_started(struct tg_sched *s, const struct tg_group *g, u64 now)
{
	struct tg_credits *c = &s->credits;
	struct tg_domain *unit = unit_of(c, g->task);
	s64 left;

	tg_fair_started(s, g, now);
	if (!c->scheme || g->lifted || tg_task_level(g->task))
		return;
	if (!is_ready(unit))
		insert(c, unit);
	unit->credit.used_ns = now;
	unit->credit.waits_ns = 0;
	if (tg_credit_may_go(s, unit))
		unit->credit.waits_ns = now ?: 1;
	if (!is_over(s, c->current_unit, now))
		return;
	if (is_cycle_over(s, g, unit))
		begin_cycle(s, unit, now);
	c->current_unit = unit;
	left = left_of(unit);
	c->until_ns = now + (left > 0 ? left : 0);
}

void tg_credit_complete(struct tg_sched *s, const struct tg_group *g, u64 now)
{
	tg_fair_complete(s, g, now);
	if (!g->task->domain)
		s->credits.rest.gpu_ns += g->cost_ns;
	s->credits.last = g->task;
	unit_of(&s->credits, g->task)->credit.used_ns = now;
}

void tg_sched_set_tick(struct tg_sched *s, u64 ns)
{
	if (!WARN_ON_ONCE(ns < TG_CREDIT_TICK_MIN_NS || ns > TG_CREDIT_TICK_MAX_NS))
		s->credits.tick_ns = s->credits.spare_ns = ns;
}

void tg_sched_set_patience(struct tg_sched *s, u32 ticks)
{
	s->credits.patience = ticks;
}

void tg_credit_init(struct tg_credits *c)
{
	memset(c, 0, sizeof(*c));
	tg_domain_init(&c->rest, NULL);
	/* Nobody counts them: the display server and all that is in no domain is not idle. */
	c->rest.nr_running = 1;
	INIT_LIST_HEAD(&c->ready);
	c->tick_ns = TG_CREDIT_TICK_NS;
	c->spare_ns = TG_CREDIT_TICK_NS;
	c->patience = TG_CREDIT_PATIENCE;
}
