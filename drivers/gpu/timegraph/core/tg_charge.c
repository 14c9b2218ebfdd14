// SPDX-License-Identifier: GPL-2.0-only
/*
 * Who pays for the GPU's time (TimeGraph section 5.2): what follows for its task and its
 * reserve when a group leaves the GPU, or stays too long.
 *
 * What is kept: up to tg_sched.last_finish_ns every moment in which the GPU had a group
 * has been paid for, once.  So whoever is charged pays from there on.
 */
#include "tg_sched.h"

void tg_sched_stamp(struct tg_sched *s, struct tg_group *g, u64 start_ns,
		    u64 finish_ns, u64 heard_ns)
{
	g->gpu_start_ns = start_ns;
	g->gpu_finish_ns = finish_ns;
	g->heard_ns = heard_ns;
	g->has_stamps = finish_ns >= start_ns;
}

/* finish − max(start, finish of the group before), at least 0 */
static u64 interval(u64 start, u64 finish, u64 finish_before)
{
	if (start < finish_before)
		start = finish_before;
	return finish > start ? finish - start : 0;
}

/*
 * Whether it can be that the GPU had it for @gpu_ns only, and the rest of @cpu_ns went until it
 * was heard of.  Of those that are heard of together the first seems late by the others,
 * and these make up for it.
 */
static bool is_heard_in_time(const struct tg_group *g, u64 gpu_ns, u64 cpu_ns)
{
	u64 most = TG_LATE_MAX_NS + g->heard_ns;
	u64 *room = &g->task->late_room_ns;

	*room = min(*room + g->heard_ns + (cpu_ns >> TG_LATE_SHIFT), most);
	if (gpu_ns + *room < cpu_ns)
		return false;
	*room = min(*room + gpu_ns - cpu_ns, most);
	return true;
}

/*
 * By the GPU's clock, else @cost_cpu_ns.
 *
 * Stamps of a longer time than the CPU saw are not believed.  The two clocks
 * have crystals of their own, hence the tolerance of 1/1024.  Nor are those of a much shorter
 * time: a client's commands can write to all that its address space has, and so say that
 * their group ended before it did.
 */
static u64 cost_by_gpu(struct tg_sched *s, const struct tg_group *g,
		       u64 cost_cpu_ns)
{
	u64 seen = interval(g->start_ns, g->finish_ns, 0);
	u64 cost = g->gpu_finish_ns - g->gpu_start_ns;

	if (!g->has_stamps || cost > seen + (seen >> 10)) {
		s->gap_ns = g->finish_ns;
		s->nr_unstamped++;
		return cost_cpu_ns;
	}
	/* When the one before it left is known by the CPU's clock alone. */
	if (g->start_ns < s->gap_ns) {
		s->last_gpu_finish_ns = g->gpu_finish_ns;
		s->nr_unstamped++;
		return cost_cpu_ns;
	}
	cost = interval(g->gpu_start_ns, g->gpu_finish_ns,
			s->last_gpu_finish_ns);
	s->last_gpu_finish_ns = g->gpu_finish_ns;
	if (!is_heard_in_time(g, cost, cost_cpu_ns)) {
		s->gap_ns = g->finish_ns;
		s->nr_unstamped++;
		return cost_cpu_ns;
	}
	s->nr_stamped++;
	return cost;
}

/* The policy and the reserve of its task pay, too. */
static void charge(struct tg_sched *s, struct tg_group *g, u64 cost_ns,
		   u64 cost_cpu_ns)
{
	g->cost_ns += cost_ns;
	g->cost_cpu_ns += cost_cpu_ns;
	g->task->gpu_ns += cost_ns;
	g->task->gpu_cpu_ns += cost_cpu_ns;
	s->busy_ns += cost_ns;
}

/* That of its task, the floor's, and the quotas of its domains. */
static void charge_reserves(struct tg_sched *s, const struct tg_group *g, u64 cost_ns,
			    u64 now)
{
	struct tg_reserve *r = tg_task_reserve(s, g->task);

	if (g->lifted)
		tg_floor_charge(&s->floor, cost_ns, now);
	tg_domain_charge(s, g->task->domain, cost_ns, now);
	if (!r)
		return;
	tg_sched_refresh(s, r, now);
	tg_reserve_charge(r, cost_ns);
}

/* Of the groups that the GPU has, the one that it has had for longest, or NULL. */
static struct tg_group *oldest(const struct tg_sched *s)
{
	struct tg_group *found = NULL, *g;

	if (!list_empty(&s->aside))
		found = list_first_entry(&s->aside, struct tg_group, node);
	list_for_each_entry(g, &s->online, node)
		if (g->state == TG_GROUP_RUNNING &&
		    (!found || g->start_ns < found->start_ns))
			found = g;
	return found;
}

/* @g pays, by the caller's clock, for what nobody has paid for until @until. */
static void pay(struct tg_sched *s, struct tg_group *g, u64 until, u64 now)
{
	u64 cost = interval(g->start_ns, until, s->last_finish_ns);

	if (!cost)
		return;
	charge(s, g, cost, cost);
	s->last_finish_ns = until;
	s->gap_ns = until;
	charge_reserves(s, g, cost, now);
}

/*
 * The time before @g started, since the GPU was paid for last, was another's.  All of it was
 * if the last look found the GPU at one that was set aside.
 */
static void pay_before(struct tg_sched *s, struct tg_group *g, u64 now)
{
	u64 until = s->beside ? now : g->start_ns;
	struct tg_group *other;

	if (until <= s->last_finish_ns)
		return;
	other = s->beside ?: oldest(s);
	if (!other || other == g)
		return;
	if (s->beside)
		g->shared = true;
	pay(s, other, until, now);
}

static void take_out(struct tg_sched *s, struct tg_group *g)
{
	if (s->beside == g)
		s->beside = NULL;
	if (g->state == TG_GROUP_ASIDE) {
		list_del_init(&g->node);
		s->nr_aside--;
		g->task->nr_aside--;
		g->state = TG_GROUP_OUT;
	} else {
		tg_sched_take_offline(s, g);
	}
}

void tg_sched_take_off(struct tg_sched *s, struct tg_group *g, u64 now)
{
	pay_before(s, g, now);
	take_out(s, g);
	pay(s, g, now, now);
	if (g->task->policy->complete)
		g->task->policy->complete(s, g, now);
}

void tg_sched_complete(struct tg_sched *s, struct tg_group *g, u64 now)
{
	u64 cost, cpu;

	if (WARN_ON_ONCE(g->state < TG_GROUP_ONLINE || g->state > TG_GROUP_ASIDE))
		return;
	pay_before(s, g, now);
	if (g->state != TG_GROUP_ASIDE)
		s->last_complete_ns = now;
	take_out(s, g);
	g->finish_ns = now;
	cpu = interval(g->start_ns, now, s->last_finish_ns);
	cost = cost_by_gpu(s, g, cpu);
	s->last_finish_ns = now;
	charge(s, g, cost, cpu);
	if (!g->shared)
		tg_costs_learn(&g->task->costs, g->cost_ns);
	g->task->nr_groups++;
	tg_domain_completed(g->task->domain);
	if (g->task->policy->complete)
		g->task->policy->complete(s, g, now);
	charge_reserves(s, g, cost, now);
}

void tg_sched_use(struct tg_sched *s, struct tg_task *task, u64 ns, u64 now)
{
	struct tg_group use = { .task = task };

	charge(s, &use, ns, ns);
	charge_reserves(s, &use, ns, now);
	s->last_finish_ns = now;
	s->gap_ns = now;
}

void tg_sched_set_aside(struct tg_sched *s, struct tg_group *g, u64 now)
{
	struct tg_group *first, *payer = g;

	if (WARN_ON_ONCE(g->state != TG_GROUP_RUNNING))
		return;
	pay_before(s, g, now);
	if (!list_empty(&s->aside)) {
		first = list_first_entry(&s->aside, struct tg_group, node);
		if (s->last_complete_ns <= first->aside_ns)
			payer = first;
	}
	tg_sched_take_offline(s, g);
	g->state = TG_GROUP_ASIDE;
	g->aside_ns = now;
	g->finish_ns = now;
	list_add_tail(&g->node, &s->aside);
	s->nr_aside++;
	g->task->nr_aside++;
	pay(s, payer, now, now);
}

void tg_charge_sending(struct tg_sched *s, u64 now)
{
	struct tg_reserve *r = s->sent_for;

	s->sent_for = NULL;
	if (r && !s->nr_online && !s->nr_aside && now > s->sent_ns)
		tg_reserve_charge(r, now - s->sent_ns);
}

static struct tg_group *first_running(const struct tg_sched *s)
{
	struct tg_group *g;

	list_for_each_entry(g, &s->online, node)
		if (g->state == TG_GROUP_RUNNING)
			return g;
	return NULL;
}

void tg_sched_account(struct tg_sched *s, struct tg_group *at, u64 now)
{
	struct tg_group *before = s->beside, *running = first_running(s);

	if (list_empty(&s->aside))
		return;
	if (at && at->state != TG_GROUP_ASIDE)
		at = NULL;
	if (running && (before || at))
		running->shared = true;
	if (before) {
		pay(s, before, now, now);
	} else if (!running) {
		pay(s, at ?: list_first_entry(&s->aside, struct tg_group, node), now, now);
	} else if (at) {
		pay_before(s, running, now);
		pay(s, running, now, now);
	}
	/* Who has the turn, and is found to have it alone, pays at the end, by the GPU's clock. */
	s->beside = at;
}
