// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Naive on purpose: lists are searched, budgets are replenished period by period when
 * the time comes.  Of the core it reads the state of a group (what it was told to do)
 * and, to compare, costs and budgets.
 */
#include <stdarg.h>

#include "ahead.h"
#include "exact.h"
#include "mem.h"
#include "monitor.h"
#include "quotas.h"
#include "rooms.h"

/* Windows that end now and began at one of the last so many replenishments. */
#define MARKS 64

struct m_reserve {
	const struct sim_reserve *sim;
	u64 capacity_ns, period_ns;
	bool predicts;
	s64 e;
	u64 next_ns;
	bool demoted, gone;
	u64 periods, used_ns;
	u64 admitted_ns, before_ns;	/* used by groups that went before it was */
	u64 longest_ns, worst_x_ns, worst_under_ns, worst_short_ns;
	u64 mark[MARKS];	/* used_ns when the period began */
	u64 first_period;	/* of those that count */
};

struct m_group {
	const struct sim_group *sim;
	const struct sim_inst *inst;
	u64 arrive_ns, seq;
	u64 x;
	u64 start_ns, cost_ns;
	u64 short_ns;	/* what those it led behind cost more than they were taken to */
	bool refused;
	u64 refused_period;
	bool held;	/* it lost its place in the order of arrival */
	enum { M_PENDING, M_THROTTLED, M_ONLINE } state;
};

struct m_task {
	struct m_reserve *own;	/* NULL: not regulated */
	bool ht, fq;
};

struct monitor {
	struct sim *s;
	struct m_reserve **reserves;	/* [0] is Background */
	u32 nr_reserves;
	struct m_group *groups;
	u32 nr_groups, nr_online;
	struct m_task *tasks;
	struct ahead *ahead;
	struct quotas *quotas;
	struct rooms *rooms;
	u64 seq;
	u64 last_end_ns;
	u64 seen_end_ns;	/* when the last end of a group was seen */
	u32 limit;
	struct monitor_counts count;
	char violation[400];
};

static void violate(struct monitor *m, u64 now, const char *fmt, ...)
{
	va_list ap;
	int n;

	if (m->violation[0])
		return;
	n = snprintf(m->violation, sizeof(m->violation), "at %.6f ms: ",
		     (double)now / 1e6);
	va_start(ap, fmt);
	vsnprintf(m->violation + n, sizeof(m->violation) - n, fmt, ap);
	va_end(ap);
}

static struct m_task *task_of(const struct monitor *m, const struct m_group *g)
{
	return &m->tasks[g->inst->index];
}

static struct m_reserve *reserve_of(const struct monitor *m,
				    const struct m_group *g)
{
	struct m_task *t = task_of(m, g);

	if (t->ht || !t->own)
		return NULL;
	return t->own->demoted ? m->reserves[0] : t->own;
}

static u32 level(const struct monitor *m, const struct m_group *g)
{
	const struct m_task *t = task_of(m, g);
	const struct tg_spec_entry *e = &g->inst->entry;

	if (t->own && t->own->demoted)
		return 0;
	return 2 * e->prio + (e->focus && g->inst->core.foreground);
}

static struct m_group *find(struct monitor *m, const struct sim_group *g)
{
	for (u32 i = 0; i < m->nr_groups; i++)
		if (m->groups[i].sim == g)
			return &m->groups[i];
	return NULL;
}

static bool waits(const struct m_group *g)
{
	return g->state != M_ONLINE;
}

/* The rule "budget" for one group; @refused: e >= x is enough. */
static bool suffices(const struct monitor *m, const struct m_group *g,
		     bool refused)
{
	const struct m_reserve *r = reserve_of(m, g);

	if (!r || r->capacity_ns == r->period_ns)
		return true;
	if (r->e <= 0)
		return false;
	if (!r->predicts)
		return true;
	return refused ? (u64)r->e >= g->x : (u64)r->e > g->x;
}

/* Whether it must not be held back: its refusal ends with a replenishment. */
static bool allowed(const struct monitor *m, const struct m_group *g)
{
	const struct m_reserve *r = reserve_of(m, g);

	return suffices(m, g, g->refused && r && r->periods != g->refused_period);
}

/*
 * An earlier one of its task waits for its turn, or did at the last look: of a task one at a time
 * asks for a budget.
 */
static bool is_behind_its_own(const struct monitor *m, const struct m_group *g, bool now)
{
	for (u32 i = 0; i < m->nr_groups; i++) {
		const struct m_group *d = &m->groups[i];

		if (waits(d) && d->inst == g->inst && d->seq < g->seq &&
		    (now ? d->sim->core.state == TG_GROUP_WAITING : d->state == M_PENDING))
			return true;
	}
	return false;
}

/*
 * Held back by another group of its reserve: by one that is throttled, or by one
 * that the budget does not allow; by one of its own task that is throttled.
 */
static bool blocked(const struct monitor *m, const struct m_group *g,
		    bool throttled)
{
	const struct m_reserve *r = reserve_of(m, g);
	bool is_throttled;

	for (u32 i = 0; r && i < m->nr_groups; i++) {
		const struct m_group *d = &m->groups[i];

		if (!waits(d) || reserve_of(m, d) != r ||
		    level(m, d) < level(m, g) ||
		    (level(m, d) == level(m, g) && d->seq >= g->seq))
			continue;
		is_throttled = d->sim->core.state == TG_GROUP_THROTTLED;
		if (d->inst == g->inst && is_throttled)
			return true;
		if (is_behind_its_own(m, d, true))
			continue;
		if (throttled ? is_throttled : !allowed(m, d))
			return true;
	}
	return false;
}

/* Whether quotas limit it: those of the lowest level of FQ, or of what is in its place. */
static bool is_limited(const struct monitor *m, const struct m_group *g)
{
	return task_of(m, g)->fq && !level(m, g);
}

/* Whether nothing but the order can keep the group from going. */
static bool may_go(const struct monitor *m, const struct m_group *g)
{
	return waits(g) && allowed(m, g) && !blocked(m, g, false) &&
	       (!is_limited(m, g) || quotas_allow(m->quotas, g->inst, m->s->now));
}

/* Highest level, then oldest, of those throttled in @r: what x is taken from. */
static const struct m_group *head_of(const struct monitor *m,
				     const struct m_reserve *r)
{
	const struct m_group *head = NULL;

	for (u32 i = 0; i < m->nr_groups; i++) {
		const struct m_group *g = &m->groups[i];

		if (g->state != M_THROTTLED || reserve_of(m, g) != r ||
		    is_behind_its_own(m, g, false))
			continue;
		if (!head || level(m, g) > level(m, head) ||
		    (level(m, g) == level(m, head) && g->seq < head->seq))
			head = g;
	}
	return head;
}

static s64 smaller(s64 a, s64 b)
{
	return a < b ? a : b;
}

static void replenish(struct monitor *m, struct m_reserve *r, u64 now)
{
	while (!r->gone && r->next_ns <= now) {
		const struct m_group *head = head_of(m, r);
		u64 x = head ? head->x : 0;
		u64 most = r->predicts && x > r->capacity_ns ? x : r->capacity_ns;

		r->e = smaller((s64)most, r->e + (s64)r->capacity_ns);
		r->next_ns += r->period_ns;
		r->periods++;
		r->mark[r->periods % MARKS] = r->used_ns;
		m->count.replenishments++;
	}
}

static void restart(struct m_reserve *r, u64 now)
{
	r->e = (s64)r->capacity_ns;
	r->next_ns = now + r->period_ns;
	r->periods++;
	r->first_period = r->periods;
	r->mark[r->periods % MARKS] = r->used_ns;
	r->longest_ns = r->worst_x_ns = r->worst_under_ns = r->worst_short_ns = 0;
}

static struct m_reserve *add_reserve(struct monitor *m,
				     const struct sim_reserve *sim, u64 now)
{
	struct m_reserve *r = mem_alloc(sizeof(*r));

	r->sim = sim;
	r->capacity_ns = sim->core->capacity_ns;
	r->period_ns = sim->core->period_ns;
	r->predicts = sim->core->ops->predicts;
	restart(r, now);
	m->reserves = mem_grow(m->reserves, m->nr_reserves,
			       sizeof(*m->reserves));
	m->reserves[m->nr_reserves++] = r;
	return r;
}

static struct m_reserve *find_reserve(struct monitor *m,
				      const struct sim_reserve *sim)
{
	for (u32 i = 0; i < m->nr_reserves; i++)
		if (m->reserves[i]->sim == sim)
			return m->reserves[i];
	return NULL;
}

/* 1 if @r fits beside those admitted, 0 if not, -1 if there are too many. */
static int fits(const struct monitor *m, const struct m_reserve *r)
{
	struct exact sum;
	u32 n = 1;

	exact_init(&sum);
	exact_add(&sum, r->capacity_ns, r->period_ns);
	for (u32 i = 1; i < m->nr_reserves; i++) {
		const struct m_reserve *o = m->reserves[i];

		if (o == r || o->gone || o->demoted)
			continue;
		if (++n > EXACT_FRACTIONS_MAX)
			return -1;
		exact_add(&sum, o->capacity_ns, o->period_ns);
	}
	return exact_at_most_percent(&sum, m->limit);
}

/* All that wait for @r lose their place and ask anew. */
static void unsettle(struct monitor *m, const struct sim_inst *inst,
		     const struct m_reserve *own)
{
	for (u32 i = 0; i < m->nr_groups; i++) {
		struct m_group *g = &m->groups[i];

		if (!waits(g) || (inst ? g->inst != inst :
				  task_of(m, g)->own != own))
			continue;
		g->held = true;
		if (g->state == M_THROTTLED) {
			g->refused = false;
			g->x = 0;
			g->state = M_PENDING;
		}
	}
}

static void see_admission(struct monitor *m, const struct sim_reserve *sim,
			  u64 now)
{
	struct m_reserve *r = find_reserve(m, sim);
	bool is_new = !r;
	int fit;

	if (is_new)
		r = add_reserve(m, sim, now);
	fit = fits(m, r);
	if (fit >= 0 && sim->demoted != !fit)
		violate(m, now, "admission: reserve %s %s within %u%%, but was %s",
			sim->name, fit ? "fits" : "does not fit", m->limit,
			sim->demoted ? "demoted" : "admitted");
	for (u32 i = 1; !sim->demoted && !is_new && i < m->nr_reserves; i++) {
		const struct m_reserve *o = m->reserves[i];

		if (o == r)
			break;
		if (!o->gone && o->demoted && fits(m, o) == 1)
			violate(m, now, "admission: %s is older than %s and fits",
				o->sim->name, sim->name);
	}
	m->count.demotions += sim->demoted;
	m->count.admissions += !sim->demoted;
	unsettle(m, NULL, r);
	r->demoted = sim->demoted;
	r->admitted_ns = now;
}

static void see_join(struct monitor *m, const struct sim_event *ev)
{
	const struct tg_spec_entry *e = &ev->inst->entry;
	struct m_task *t = &m->tasks[ev->inst->index];

	t->ht = e->sched == TG_SPEC_HT;
	t->fq = e->sched == TG_SPEC_FQ;
	t->own = ev->reserve ? find_reserve(m, ev->reserve) :
		 e->resv == TG_SPEC_RESV_NONE ? NULL : m->reserves[0];
}

static void see_arrival(struct monitor *m, const struct sim_event *ev)
{
	m->groups = mem_grow(m->groups, m->nr_groups, sizeof(*m->groups));
	m->groups[m->nr_groups++] = (struct m_group){
		.sim = ev->group, .inst = ev->group->inst,
		.arrive_ns = ev->now, .seq = ++m->seq,
	};
}

static void drop(struct monitor *m, struct m_group *g)
{
	m->nr_online -= g->state == M_ONLINE;
	ahead_leave(m->ahead, g->sim);
	*g = m->groups[--m->nr_groups];
}

/* The rule "lead", as far as the reserve is concerned. */
static bool covered(const struct monitor *m, const struct m_group *g, u64 x)
{
	const struct m_reserve *r = reserve_of(m, g);
	u64 before = ahead_before(m->ahead, g->sim);

	if (!before || !r || r->capacity_ns == r->period_ns)
		return true;
	return r->e > (s64)(before + x);
}

/* The rule "lead", for a group that is not the only one. */
static void check_lead(struct monitor *m, const struct m_group *g, u64 now)
{
	const char *why = ahead_forbids(m->ahead, g->inst, now);

	m->count.leads++;
	if (why)
		violate(m, now, "lead: PRT group %llu of %s goes ahead, and %s",
			(unsigned long long)g->sim->id, g->inst->name, why);
	else if (!covered(m, g, 0))
		violate(m, now, "lead: group %llu of %s goes ahead, and its reserve may be used up by then",
			(unsigned long long)g->sim->id, g->inst->name);
}

/* The rule "exclusion". */
static void check_exclusion(struct monitor *m, const struct m_group *g, u64 now)
{
	bool others = false;

	for (u32 i = 0; i < m->nr_groups; i++)
		others |= !waits(&m->groups[i]) &&
			  m->groups[i].inst != g->inst;
	if (!m->nr_online)
		return;
	if (others)
		violate(m, now, "exclusion: group %llu of %s goes beside another task's",
			(unsigned long long)g->sim->id, g->inst->name);
	else if (m->nr_online >= m->s->sc->ht_depth)
		violate(m, now, "exclusion: %s has more than ht_depth groups online",
			g->inst->name);
	else if (!task_of(m, g)->ht)
		check_lead(m, g, now);
}

/* Whether @a, which goes, and @b of its level go in the order of arrival. */
static bool in_order(const struct monitor *m, const struct m_group *a,
		     const struct m_group *b)
{
	return !task_of(m, a)->fq && !task_of(m, b)->fq &&
	       (!m->nr_online || !task_of(m, a)->ht);
}

/* The rule "order". */
static void check_order(struct monitor *m, const struct m_group *g, u64 now)
{
	for (u32 i = 0; i < m->nr_groups; i++) {
		const struct m_group *h = &m->groups[i];

		if (h == g || !waits(h))
			continue;
		if (h->inst == g->inst && !h->held && h->seq < g->seq)
			violate(m, now, "order: group %llu of %s passes its own group %llu",
				(unsigned long long)g->sim->id, g->inst->name,
				(unsigned long long)h->sim->id);
		if (!may_go(m, h) || g->sim->core.lifted)
			continue;
		if (level(m, h) > level(m, g))
			violate(m, now, "order: group %llu of %s (level %u) goes before group %llu of %s (level %u)",
				(unsigned long long)g->sim->id, g->inst->name,
				level(m, g), (unsigned long long)h->sim->id,
				h->inst->name, level(m, h));
		if (level(m, h) == level(m, g) && !h->held && !g->held &&
		    h->seq < g->seq && in_order(m, g, h))
			violate(m, now, "order: group %llu of %s goes before group %llu of %s, which was first",
				(unsigned long long)g->sim->id, g->inst->name,
				(unsigned long long)h->sim->id, h->inst->name);
	}
}

/* The rule "budget", for a group that was let go. */
static void check_budget(struct monitor *m, const struct m_group *g, u64 now)
{
	const struct m_reserve *r = reserve_of(m, g);

	if (!suffices(m, g, g->refused))
		violate(m, now, "budget: group %llu of %s goes with e = %lld ns, x = %llu ns in %s",
			(unsigned long long)g->sim->id, g->inst->name,
			(long long)r->e, (unsigned long long)g->x, r->sim->name);
	else if (blocked(m, g, true))
		violate(m, now, "budget: group %llu of %s passes one that is held back in %s",
			(unsigned long long)g->sim->id, g->inst->name,
			r->sim->name);
}

static void see_grant(struct monitor *m, struct m_group *g, u64 now)
{
	m->count.grants++;
	check_exclusion(m, g, now);
	check_order(m, g, now);
	check_budget(m, g, now);
	m->count.lifts += g->sim->core.lifted;
	ahead_enter(m->ahead, g->sim, now);
	g->state = M_ONLINE;
	m->nr_online++;
}

static void throttled(struct monitor *m, struct m_group *g, u64 now)
{
	const struct m_reserve *r = reserve_of(m, g);

	m->count.throttles++;
	g->held = true;
	/* Validated, it had waited only for those before it. */
	if (r && g->x && !g->refused) {
		g->refused = true;
		g->refused_period = r->periods;
	}
	if (!r)
		violate(m, now, "budget: group %llu of %s is held back, and no reserve regulates it",
			(unsigned long long)g->sim->id, g->inst->name);
	else if (allowed(m, g) && !blocked(m, g, true) && !is_behind_its_own(m, g, true))
		violate(m, now, "budget: group %llu of %s is held back with e = %lld ns, x = %llu ns in %s",
			(unsigned long long)g->sim->id, g->inst->name,
			(long long)r->e, (unsigned long long)g->x,
			r->sim->name);
}

static void see_state(struct monitor *m, struct m_group *g, u64 now)
{
	switch (g->sim->core.state) {
	case TG_GROUP_THROTTLED:
		if (g->state == M_ONLINE)
			m->nr_online--;
		ahead_leave(m->ahead, g->sim);
		if (g->state != M_THROTTLED)
			throttled(m, g, now);
		g->state = M_THROTTLED;
		break;
	case TG_GROUP_WAITING:
		m->nr_online -= g->state == M_ONLINE;
		ahead_leave(m->ahead, g->sim);
		g->state = M_PENDING;
		break;
	default:
		break;
	}
}

static void see_check(struct monitor *m, struct m_group *g)
{
	struct m_reserve *r = reserve_of(m, g);

	if (r && g->sim->x > r->worst_x_ns)
		r->worst_x_ns = g->sim->x;
	if (g->x != g->sim->x)
		g->refused = false;
	g->x = g->sim->x;
}

static void see_refusal(struct monitor *m, struct m_group *g, u64 now)
{
	m->count.refusals++;
	if (g->sim->core.state == TG_GROUP_WAITING && !covered(m, g, g->x)) {
		g->held = true;
		return;
	}
	if (allowed(m, g) && !blocked(m, g, true))
		violate(m, now, "budget: group %llu of %s is refused with e = %lld ns, x = %llu ns",
			(unsigned long long)g->sim->id, g->inst->name,
			(long long)(reserve_of(m, g) ? reserve_of(m, g)->e : 0),
			(unsigned long long)g->x);
	g->refused = true;
	g->refused_period = reserve_of(m, g) ? reserve_of(m, g)->periods : 0;
}

static void check_supply(struct monitor *m, const struct m_reserve *r, u64 now)
{
	u64 c = r->capacity_ns, u = r->worst_under_ns, debt;

	if (c == r->period_ns)
		return;
	for (u64 k = 0; k < MARKS && r->periods - k >= r->first_period; k++) {
		u64 used = r->used_ns - r->mark[(r->periods - k) % MARKS];
		u64 bound = (k + 1) * c + r->longest_ns;

		if (r->predicts)
			bound = (r->worst_x_ns > c ? r->worst_x_ns : c) +
				k * c + u;
		m->count.windows++;
		bound += r->before_ns + r->worst_short_ns;
		if (used > bound)
			violate(m, now, "supply: %s was charged %llu ns over %llu replenishments, at most %llu ns are allowed",
				r->sim->name, (unsigned long long)used,
				(unsigned long long)k,
				(unsigned long long)bound);
	}
	debt = r->longest_ns;
	if (r->predicts) {
		debt = debt > c ? debt - c : 0;
		debt = debt > u ? debt : u;
	}
	if (r->e < -(s64)(debt + r->before_ns + r->worst_short_ns))
		violate(m, now, "debt: %s is at %lld ns", r->sim->name,
			(long long)r->e);
}

static u64 cost_of(struct monitor *m, const struct m_group *g, u64 now)
{
	u64 end = m->s->sc->cpu_clock ? now : g->sim->gpu_end_ns;
	u64 from = g->start_ns > m->last_end_ns ? g->start_ns : m->last_end_ns;

	m->last_end_ns = end;
	return end > from ? end - from : 0;
}

/* Before the core accounts for it. */
/* @g ended: those behind it were let go for what it was taken to cost. */
static void note_short(struct monitor *m, const struct m_group *g, u64 cost)
{
	u64 expected = ahead_expected(m->ahead, g->sim);
	struct m_reserve *r = reserve_of(m, g);

	for (u32 i = 0; i < m->nr_groups && cost > expected; i++) {
		struct m_group *behind = &m->groups[i];

		if (behind == g || waits(behind) || reserve_of(m, behind) != r)
			continue;
		behind->short_ns += cost - expected;
		if (behind->short_ns > r->worst_short_ns)
			r->worst_short_ns = behind->short_ns;
	}
}

static void see_finish(struct monitor *m, struct m_group *g, u64 now)
{
	struct m_reserve *r = reserve_of(m, g);
	u64 cost = cost_of(m, g, now);
	const char *domain = quotas_charge(m->quotas, g->inst, is_limited(m, g), cost,
					   ahead_expected(m->ahead, g->sim), now);

	m->count.completions++;
	g->cost_ns = cost;
	if (domain)
		violate(m, now, "quota: domain %s had more of ten periods than ten times C and a group",
			domain);
	if (!r)
		return;
	r->e -= (s64)cost;
	r->used_ns += cost;
	note_short(m, g, cost);
	if (g->start_ns < r->admitted_ns)
		r->before_ns += cost;
	if (cost > r->longest_ns)
		r->longest_ns = cost;
	if (cost > g->x && cost - g->x > r->worst_under_ns)
		r->worst_under_ns = cost - g->x;
	check_supply(m, r, now);
}

static void see_completion(struct monitor *m, struct m_group *g, u64 now)
{
	if (g->sim->core.cost_ns != g->cost_ns)
		violate(m, now, "account: group %llu of %s cost %llu ns, not %llu ns",
			(unsigned long long)g->sim->id, g->inst->name,
			(unsigned long long)g->cost_ns,
			(unsigned long long)g->sim->core.cost_ns);
	ahead_end(m->ahead, g->sim, g->cost_ns, now);
	if (ahead_exceeds_floor(m->ahead, now))
		violate(m, now, "floor: those who wait were given more than the floor");
	drop(m, g);
	m->seen_end_ns = now;
}

/* A budget that the core has not looked at since a replenishment is older. */
static void compare_budgets(struct monitor *m, u64 now)
{
	for (u32 i = 0; i < m->nr_reserves; i++) {
		const struct m_reserve *r = m->reserves[i];
		const struct tg_reserve *c = r->sim->core;

		if (r->gone)
			continue;
		if (c->used_ns != r->used_ns)
			violate(m, now, "account: %s was charged %llu ns, not %llu ns",
				r->sim->name, (unsigned long long)r->used_ns,
				(unsigned long long)c->used_ns);
		if (c->next_ns == r->next_ns && c->budget_ns != r->e)
			violate(m, now, "account: the budget of %s is %lld ns, not %lld ns",
				r->sim->name, (long long)r->e,
				(long long)c->budget_ns);
		if (c->next_ns > r->next_ns)
			violate(m, now, "account: %s begins its period too early",
				r->sim->name);
	}
}

/* The rule "work" for an HT task whose groups alone are online. */
static void check_ht_work(struct monitor *m, u64 now)
{
	const struct m_group *best = NULL;
	const struct sim_inst *on = NULL;

	for (u32 i = 0; i < m->nr_groups; i++) {
		const struct m_group *g = &m->groups[i];

		if (!waits(g))
			on = g->inst;
		else if (!best || level(m, g) > level(m, best) ||
			 (level(m, g) == level(m, best) && g->inst != on))
			best = g;
	}
	for (u32 i = 0; best && i < m->nr_groups; i++)
		if (waits(&m->groups[i]) && m->groups[i].inst != best->inst &&
		    (level(m, &m->groups[i]) >= level(m, best) || m->s->sc->floor_percent))
			return;
	if (best && best->inst == on && m->tasks[on->index].ht &&
	    m->nr_online < m->s->sc->ht_depth && may_go(m, best))
		violate(m, now, "work: HT task %s waits for itself", on->name);
}

/* For a program that had the GPU until a moment ago. */
static bool waits_for_another(const struct monitor *m, const struct m_group *g, u64 now)
{
	return task_of(m, g)->fq &&
	       now < m->seen_end_ns + TG_FAIR_EXPECT_NS + TG_FAIR_LATE_NS;
}

/*
 * The rule "work" for an idle GPU.  Who is first may wait though his budget is used up, for
 * that is asked later; and a low level may be first, if it has the floor's turn.
 */
static void check_idle(struct monitor *m, u64 now)
{
	const struct m_group *best = NULL;
	s64 patient = -1;

	m->count.idle_checks++;
	for (u32 i = 0; i < m->nr_groups; i++) {
		const struct m_group *g = &m->groups[i];

		if (waits(g) && waits_for_another(m, g, now))
			patient = m->s->sc->floor_percent ? TG_LEVELS :
				  patient > level(m, g) ? patient : level(m, g);
		if (may_go(m, g) && (!best || level(m, g) > level(m, best)))
			best = g;
	}
	if (best && patient < level(m, best))
		violate(m, now, "work: the GPU idles, and group %llu of %s may go",
			(unsigned long long)best->sim->id, best->inst->name);
}

static void check_settled(struct monitor *m, u64 now)
{
	compare_budgets(m, now);
	for (u32 i = 1; i < m->nr_reserves; i++)
		if (!m->reserves[i]->gone && m->reserves[i]->demoted &&
		    fits(m, m->reserves[i]) == 1)
			violate(m, now, "admission: %s fits, and is demoted",
				m->reserves[i]->sim->name);
	if (m->nr_online) {
		check_ht_work(m, now);
		return;
	}
	check_idle(m, now);
}

static void check_end(struct monitor *m, u64 now)
{
	if (m->s->stuck)
		violate(m, now, "liveness: %s", m->s->stuck);
	if (m->s->draining && m->s->nr_open)
		violate(m, now, "liveness: %llu groups did not complete",
			(unsigned long long)m->s->nr_open);
}

static void see_group(struct monitor *m, const struct sim_event *ev)
{
	struct m_group *g = ev->group ? find(m, ev->group) : NULL;

	if (!g)
		return;
	switch (ev->what) {
	case SIM_STATE:
		see_state(m, g, ev->now);
		break;
	case SIM_GRANT:
		see_grant(m, g, ev->now);
		break;
	case SIM_CHECK:
		see_check(m, g);
		break;
	case SIM_REFUSE:
		see_refusal(m, g, ev->now);
		break;
	case SIM_START:
		check_budget(m, g, ev->now);
		if (!task_of(m, g)->ht && !covered(m, g, g->x))
			violate(m, ev->now, "lead: group %llu of %s is submitted, and its reserve may be used up by then",
				(unsigned long long)g->sim->id, g->inst->name);
		ahead_start(m->ahead, g->sim, ev->now);
		g->start_ns = ev->now;
		break;
	case SIM_FINISH:
		see_finish(m, g, ev->now);
		break;
	case SIM_COMPLETE:
		see_completion(m, g, ev->now);
		break;
	case SIM_CANCEL:
		drop(m, g);
		break;
	default:
		break;
	}
}

static void event(void *arg, struct sim *s, const struct sim_event *ev)
{
	struct monitor *m = arg;
	const char *broken;

	if (m->violation[0])
		return;
	broken = rooms_see(m->rooms, ev);
	if (broken)
		violate(m, ev->now, "%s%s%s", broken, ev->inst ? ": " : "",
			ev->inst ? ev->inst->name : "");
	m->count.rooms = rooms_begun(m->rooms);
	for (u32 i = 0; i < m->nr_reserves; i++)
		replenish(m, m->reserves[i], ev->now);
	switch (ev->what) {
	case SIM_ARRIVE:
		see_arrival(m, ev);
		break;
	case SIM_JOIN:
		see_join(m, ev);
		break;
	case SIM_ADMISSION:
		see_admission(m, ev->reserve, ev->now);
		break;
	case SIM_RESERVE_GONE:
		find_reserve(m, ev->reserve)->gone = true;
		break;
	case SIM_LIMIT:
		m->limit = s->core.limit_percent;
		break;
	case SIM_FOCUS:
		if (ev->inst->entry.focus)
			unsettle(m, ev->inst, NULL);
		break;
	case SIM_SETTLED:
		check_settled(m, ev->now);
		break;
	case SIM_END:
		check_end(m, ev->now);
		break;
	default:
		see_group(m, ev);
	}
}

struct monitor *monitor_observe(struct sim *s)
{
	struct monitor *m = mem_alloc(sizeof(*m));
	const struct sim_observer o = { event, m, true };

	m->s = s;
	m->ahead = ahead_create(s);
	m->quotas = quotas_create(s);
	m->rooms = rooms_create(s);
	m->limit = s->sc->limit_percent;
	m->tasks = mem_alloc(s->nr_insts * sizeof(*m->tasks));
	add_reserve(m, &s->background, 0);
	sim_observe(s, &o);
	return m;
}

const char *monitor_violation(const struct monitor *m)
{
	return m->violation[0] ? m->violation : NULL;
}

const struct monitor_counts *monitor_counts(const struct monitor *m)
{
	return &m->count;
}

void monitor_free(struct monitor *m)
{
	if (!m)
		return;
	for (u32 i = 0; i < m->nr_reserves; i++)
		free(m->reserves[i]);
	ahead_free(m->ahead);
	quotas_free(m->quotas);
	rooms_free(m->rooms);
	free(m->reserves);
	free(m->groups);
	free(m->tasks);
	free(m);
}
