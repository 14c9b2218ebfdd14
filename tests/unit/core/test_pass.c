// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Turns that their threads do not come for: an equal that is there has them, and nobody loses
 * more by that than the rule says.
 */
#include "world.h"

#define MS 1000000ULL
#define SECOND (1000 * MS)
#define LEAD_NS MS

static struct tg_domain d;

static void begin(int nr)
{
	world_begin(LEAD_NS, nr);
	for (int i = 0; i < nr; i++)
		tg_sched_set_task(&w.s, &w.p[i].task, &tg_policy_fq, 0, false, false, 0);
}

/* Programs @first to @last share 10 ms of each 100. */
static void give_quota(int first, int last)
{
	const struct tg_domain_rule rule = {
		.weight = 100, .capacity_ns = 10 * MS, .period_ns = 100 * MS,
	};

	tg_domain_init(&d, NULL);
	tg_sched_add_domain(&w.s, &d, 0);
	tg_sched_set_domain(&w.s, &d, &rule, 0);
	for (int i = first; i <= last; i++)
		tg_sched_move(&w.s, &w.p[i].task, &d, 0);
}

static struct tg_group group_of(int i)
{
	return (struct tg_group){ .task = &w.p[i].task, .context = &w.p[i] };
}

/* One has the GPU, and the others wait; then it ends, and the first of those is told to go on. */
static struct tg_group *told(struct tg_group *g, int nr, u64 now)
{
	for (int i = 0; i < nr; i++) {
		g[i] = group_of(i);
		CHECK(tg_sched_arrive(&w.s, &g[i], now) == !i);
	}
	tg_sched_start(&w.s, &g[0], now);
	tg_sched_complete(&w.s, &g[0], now + MS);
	return tg_sched_next(&w.s, now + MS);
}

static void an_equal_that_is_here_passes_who_does_not_come(void)
{
	struct tg_group g[3], by;

	begin(4);
	CHECK(told(g, 3, 1) == &g[1]);
	by = group_of(3);
	CHECK(!tg_sched_arrive(&w.s, &by, 2 * MS));
	CHECK(tg_sched_pass(&w.s, &by, 2 * MS));
	CHECK(tg_sched_head(&w.s) == &by && by.state == TG_GROUP_ONLINE);
	CHECK(w.s.nr_online == 1 && w.s.nr_waiting == 2 && g[1].state == TG_GROUP_WAITING);
	/* It has lost nothing but the time of that group. */
	tg_sched_start(&w.s, &by, 2 * MS);
	tg_sched_complete(&w.s, &by, 3 * MS);
	CHECK(tg_sched_next(&w.s, 3 * MS) == &g[1]);
	CHECK(w.s.nr_online == 1 && w.s.nr_waiting == 1);
}

static void nobody_is_passed_for_ever(void)
{
	struct tg_group g[2], by;
	u64 now = MS + 1;
	int passes = 0;

	begin(3);
	CHECK(told(g, 2, 1) == &g[1]);
	for (int i = 0; i < 100; i++, now += MS) {
		by = group_of(2);
		tg_sched_arrive(&w.s, &by, now);
		if (!tg_sched_pass(&w.s, &by, now))
			break;
		passes++;
		tg_sched_start(&w.s, &by, now);
		tg_sched_complete(&w.s, &by, now + 1000);
		CHECK(tg_sched_next(&w.s, now + 1000) == &g[1]);
	}
	CHECK(passes == TG_PASSES_MAX);
	CHECK(tg_sched_head(&w.s) == &g[1] && by.state == TG_GROUP_WAITING);
}

/* But once, if its groups are short. */
static void who_is_a_slice_ahead_passes_nobody(void)
{
	struct tg_group g[2], by;

	for (int is_short = 0; is_short < 2; is_short++) {
		begin(3);
		CHECK(told(g, 2, 1) == &g[1]);
		for (int i = 0; i < TG_COSTS; i++)
			tg_costs_learn(&w.p[2].task.costs, is_short ? 2 * MS : 3 * MS);
		w.p[2].task.vtime_ns = w.p[1].task.vtime_ns + TG_FAIR_SLICE_NS + MS;
		for (int i = 0; i < 2; i++) {
			by = group_of(2);
			CHECK(!tg_sched_arrive(&w.s, &by, 2 * MS));
			CHECK(tg_sched_pass(&w.s, &by, 2 * MS) == (is_short && !i));
			if (!is_short || i)
				break;
			tg_sched_start(&w.s, &by, 2 * MS);
			tg_sched_complete(&w.s, &by, 4 * MS);
			CHECK(tg_sched_next(&w.s, 4 * MS) == &g[1]);
		}
		CHECK(tg_sched_head(&w.s) == &g[1]);
	}
}

/*
 * Who is above, or was, was lifted, has begun, or is of the same task; nor anybody, if one
 * waits above.
 */
static void others_are_not_passed(void)
{
	struct tg_group g[2], by, above;

	for (int what = 0; what < 7; what++) {
		begin(4);
		CHECK(told(g, 2, 1) == &g[1]);
		by = (struct tg_group){ .task = &w.p[what == 4 ? 1 : 2].task, .context = &w.p[2] };
		if (what == 0)
			tg_sched_set_task(&w.s, &w.p[1].task, &tg_policy_fq, 5, false, false, 2 * MS);
		if (what == 1)
			tg_sched_set_task(&w.s, &w.p[1].task, &tg_policy_prt, 0, false, false, 2 * MS);
		if (what == 2)
			tg_sched_start(&w.s, &g[1], 2 * MS);
		if (what == 5) {
			tg_sched_set_task(&w.s, &w.p[3].task, &tg_policy_fq, 5, false, false, 2 * MS);
			above = group_of(3);
			CHECK(!tg_sched_arrive(&w.s, &above, 2 * MS));
		}
		if (what == 6)
			for (int i = 1; i < 3; i++)
				tg_sched_set_task(&w.s, &w.p[i].task, &tg_policy_fq, 5, false, false,
						  2 * MS);
		g[1].lifted = what == 3;
		w.s.floor.nr_online += what == 3;
		CHECK(!tg_sched_arrive(&w.s, &by, 2 * MS));
		CHECK(!tg_sched_pass(&w.s, &by, 2 * MS));
		CHECK(tg_sched_head(&w.s) == &g[1] && by.state == TG_GROUP_WAITING);
	}
}

/* Since it may not start either; the one that was told keeps the turn, and since when. */
static void who_may_not_start_passes_nobody(void)
{
	struct tg_group g[2], by;
	struct tg_reserve r;

	begin(3);
	tg_reserve_init(&r, &tg_reserve_pe, 5 * MS, 100 * MS, 0);
	tg_sched_join(&w.s, &w.p[2].task, &r, 0);
	CHECK(told(g, 2, 1) == &g[1]);
	by = group_of(2);
	CHECK(!tg_sched_arrive(&w.s, &by, 2 * MS) && by.state == TG_GROUP_WAITING);
	/* By another of its tasks. */
	r.budget_ns = 0;
	CHECK(!tg_sched_pass(&w.s, &by, 2 * MS));
	CHECK(tg_sched_head(&w.s) == &g[1] && g[1].state == TG_GROUP_ONLINE);
	CHECK(w.s.nr_online == 1 && w.p[1].task.nr_online == 1 && w.s.nr_waiting == 1);
	CHECK(g[1].start_ns == MS + 1 && !g[1].nr_passed);
}

/* One that waits for a quota alone waits in no queue in which anybody could be found. */
static void who_waits_for_a_quota_passes_nobody(void)
{
	struct tg_group g[2], by;

	begin(3);
	give_quota(2, 2);
	by = group_of(2);
	CHECK(tg_sched_arrive(&w.s, &by, 1));
	tg_sched_start(&w.s, &by, 1);
	tg_sched_complete(&w.s, &by, 20 * MS);
	CHECK(told(g, 2, 20 * MS) == &g[1]);
	by = group_of(2);
	CHECK(!tg_sched_arrive(&w.s, &by, 22 * MS) && by.state == TG_GROUP_WAITING);
	CHECK(!tg_sched_pass(&w.s, &by, 22 * MS));
	CHECK(tg_sched_head(&w.s) == &g[1] && !g[1].nr_passed);
}

static void who_shares_its_quota_does_not_pass(void)
{
	struct tg_group g[2], by;

	for (int shared = 0; shared < 2; shared++) {
		begin(3);
		give_quota(shared ? 1 : 2, 2);
		CHECK(told(g, 2, 1) == &g[1]);
		by = group_of(2);
		CHECK(!tg_sched_arrive(&w.s, &by, 2 * MS));
		CHECK(tg_sched_pass(&w.s, &by, 2 * MS) == !shared);
	}
}

static void those_between_are_looked_at_and_counted(void)
{
	struct tg_group g[3], by;

	for (int other = 0; other < 2; other++) {
		begin(4);
		CHECK(told(g, 3, 1) == &g[1]);
		if (other)
			tg_sched_set_task(&w.s, &w.p[2].task, &tg_policy_prt, 0, false, false, 2 * MS);
		by = group_of(3);
		CHECK(!tg_sched_arrive(&w.s, &by, 2 * MS));
		CHECK(tg_sched_pass(&w.s, &by, 2 * MS) == !other);
		CHECK(g[1].nr_passed == !other && g[2].nr_passed == !other);
	}
}

/* A slice is one of the heavier one's time: what a light one is ahead is not forgiven it. */
static void a_light_one_is_soon_ahead(void)
{
	struct tg_group g[2], by;

	for (int light = 0; light < 2; light++) {
		begin(3);
		tg_task_set_weight(&w.p[2].task, light ? 1 : 100);
		for (int i = 0; i < TG_COSTS; i++)
			tg_costs_learn(&w.p[2].task.costs, MS / 2);
		CHECK(told(g, 2, 1) == &g[1]);
		w.p[2].task.vtime_ns = w.p[1].task.vtime_ns + tg_fair_by_weight(light ? 1 : 100, MS / 2);
		by = group_of(2);
		CHECK(!tg_sched_arrive(&w.s, &by, 2 * MS));
		CHECK(tg_sched_pass(&w.s, &by, 2 * MS) == !light);
	}
}

int main(void)
{
	static const struct tap_case cases[] = {
#define CASE(f) { #f, f }
		CASE(an_equal_that_is_here_passes_who_does_not_come),
		CASE(nobody_is_passed_for_ever),
		CASE(who_is_a_slice_ahead_passes_nobody),
		CASE(a_light_one_is_soon_ahead),
		CASE(others_are_not_passed),
		CASE(those_between_are_looked_at_and_counted),
		CASE(who_may_not_start_passes_nobody),
		CASE(who_waits_for_a_quota_passes_nobody),
		CASE(who_shares_its_quota_does_not_pass),
	};

	return tap_run(cases, ARRAY_SIZE(cases));
}
