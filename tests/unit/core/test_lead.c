// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The lead, by what it promises: what the GPU has when somebody comes is at most the
 * longest group and W; a program that is alone keeps the GPU busy; nobody passes an
 * equal; no reserve gives more than C/T. In a world where submitting a group and
 * hearing of its end take time.
 */
#include "world.h"

/* The last one has no groups, but a rule: who else is there may not make it wait for more. */
static void begin_watched(u64 lead_ns, int nr)
{
	world_begin(lead_ns, nr + 1);
	tg_sched_set_task(&w.s, &w.p[nr].task, &tg_policy_prt, 90, false, false, 0);
}

/* How much of a second the GPU has nothing to do, in parts of 10,000. */
static u64 idle_alone(u64 lead_ns, u64 cost_ns)
{
	begin_watched(lead_ns, 1);
	w.p[0].cost_ns = cost_ns;
	world_ask(&w.p[0]);
	world_run_until(1000000000);
	return w.idle_ns / 100000;
}

static void alone_the_gpu_is_kept_busy(void)
{
	static const u64 costs[] = { 60000, 500000, 5000000 };

	for (unsigned int i = 0; i < ARRAY_SIZE(costs); i++) {
		u64 without = idle_alone(0, costs[i]);
		u64 with = idle_alone(200000, costs[i]);

		/* 50 us a group: from the end to the notice, from that to the next. */
		CHECK(without >= 9000ull * 50000 / (costs[i] + 50000));
		if (!CHECK(with <= 10))
			tap_diag("%llu ns: %llu of 10,000 idle, without %llu",
				 (unsigned long long)costs[i], (unsigned long long)with,
				 (unsigned long long)without);
		CHECK(w.s.nr_led > 100);
	}
}

static void whoever_comes_waits_for_one_group_and_the_lead(void)
{
	static const u64 leads[] = { 1, 50000, 200000, 1000000, 20000000 };

	for (unsigned int i = 0; i < ARRAY_SIZE(leads); i++)
		for (u64 cost = 30000; cost < 10000000; cost = cost * 3 / 2) {
			idle_alone(leads[i], cost);
			if (!CHECK(w.most_ns <= cost + leads[i]))
				tap_diag("W %llu, groups of %llu: %llu",
					 (unsigned long long)leads[i],
					 (unsigned long long)cost,
					 (unsigned long long)w.most_ns);
		}
}

/* As many groups can be longer than predicted as fit into W and one more. */
static void wrong_predictions_cost_what_they_are_wrong_by(void)
{
	for (u64 seed = 1; seed <= 50; seed++) {
		begin_watched(300000, 1);
		w.seed = seed;
		w.p[0].cost_ns = 20000;
		w.p[0].jitter_ns = 5000000;
		world_ask(&w.p[0]);
		world_run_until(500000000);
		CHECK(w.s.nr_led > 0);
		CHECK(w.most_ns <= 2 * w.longest_ns);
	}
	begin_watched(300000, 1);
	w.p[0].cost_ns = 100000;
	world_ask(&w.p[0]);
	world_run_until(5000000);
	w.p[0].cost_ns = 50000000;
	world_run_until(45000000);
	CHECK(w.s.nr_led > 10);
	CHECK(w.most_ns > 50000000 && w.most_ns <= (300 / 100 + 1) * 50000000ull);
}

static void without_a_lead_the_gpu_has_one_group(void)
{
	world_begin(0, 1);
	w.p[0].cost_ns = 500000;
	world_ask(&w.p[0]);
	world_run_until(100000000);
	CHECK(w.most_ns == 500000 && !w.s.nr_led);
}

/* What the GPU has at most of a program whose groups take 500 us, and how many are led. */
static u64 most_with(u64 common_ns, u64 own_ns, const struct tg_policy_ops *policy)
{
	world_begin(common_ns, 1);
	tg_task_set_lead(&w.p[0].task, own_ns);
	tg_sched_set_task(&w.s, &w.p[0].task, policy, 7, false, false, 0);
	w.p[0].cost_ns = 500000;
	world_ask(&w.p[0]);
	world_run_until(100000000);
	return w.most_ns;
}

static void the_lead_is_the_tasks_own(void)
{
	static const struct tg_policy_ops *const policies[] = { &tg_policy_prt, &tg_policy_fq };

	for (unsigned int i = 0; i < ARRAY_SIZE(policies); i++) {
		CHECK(most_with(1000000, 0, policies[i]) == 500000 && !w.s.nr_led);
		CHECK(most_with(1000000, TG_LEAD_COMMON, policies[i]) > 1400000 && w.s.nr_led);
		CHECK(w.most_ns <= 1500000);
		CHECK(most_with(1000000, 4000000, policies[i]) > 4400000 && w.most_ns <= 4500000);
		CHECK(most_with(0, 100000, policies[i]) > 500000 && w.most_ns <= 600000);
		CHECK(most_with(0, TG_LEAD_COMMON, policies[i]) == 500000);
	}
}

/* What it makes others wait: that of another is none of its business. */
static void another_tasks_lead_is_not(void)
{
	world_begin(1000000, 2);
	tg_task_set_lead(&w.p[1].task, 50000000);
	w.p[0].cost_ns = 500000;
	w.p[1].cost_ns = 100000;
	w.p[1].period_ns = 7000000;
	tg_sched_set_task(&w.s, &w.p[1].task, &tg_policy_prt, 90, false, false, 0);
	world_ask(&w.p[0]);
	world_ask(&w.p[1]);
	world_run_until(1000000000);
	CHECK(w.most_ns <= 1500000 && w.p[1].nr_ran > 100);
	CHECK(w.p[1].task.wait_max_ns <= 1500000 + NOTICE_NS);
}

/* What the GPU has at most in a second, of one that is alone with its rule, and until then. */
static u64 most_alone(u64 common_ns, void (*change)(void))
{
	world_begin(common_ns, 2);
	tg_sched_set_task(&w.s, &w.p[0].task, &tg_policy_prt, 7, false, false, 0);
	w.p[0].cost_ns = 500000;
	if (change)
		change();
	world_ask(&w.p[0]);
	world_run_until(1000000000);
	return w.most_ns;
}

static void another_has_a_rule(void)
{
	tg_sched_set_task(&w.s, &w.p[1].task, &tg_policy_prt, 90, false, false, 0);
}

static void another_asks_now_and_then(void)
{
	tg_sched_set_task(&w.s, &w.p[1].task, &tg_policy_fq, 0, false, false, 0);
	w.p[1].cost_ns = 100000;
	w.p[1].period_ns = 90000000;
	world_ask(&w.p[1]);
}

static void it_has_a_reserve(void)
{
	static struct tg_reserve r;

	tg_reserve_init(&r, &tg_reserve_pe, 90000000, 100000000, 0);
	tg_sched_add_reserve(&w.s, &r);
	tg_sched_join(&w.s, &w.p[0].task, &r, 0);
}

static void it_has_a_lead(void)
{
	tg_task_set_lead(&w.p[0].task, 1000000);
}

static void alone_with_a_rule_it_may_be_further_ahead(void)
{
	static void (*const changes[])(void) = {
		another_has_a_rule, another_asks_now_and_then, it_has_a_reserve, it_has_a_lead,
	};
	u64 most = most_alone(1000000, NULL);

	CHECK(most > 3500000 && most <= 4500000);
	CHECK(most_alone(6000000, NULL) > 5500000);
	CHECK(most_alone(0, NULL) == 500000);
	for (unsigned int i = 0; i < ARRAY_SIZE(changes); i++) {
		most = most_alone(1000000, changes[i]);
		if (!CHECK(most > 1000000 && most <= 1500000))
			tap_diag("%u: %llu", i, (unsigned long long)most);
	}
	/* And no longer once somebody else gets one: what is there already is what he waits for. */
	most_alone(1000000, NULL);
	another_has_a_rule();
	w.p[1].cost_ns = 500000;
	w.p[1].period_ns = 20000000;
	world_ask(&w.p[1]);
	world_run_until(2000000000);
	CHECK(w.p[1].nr_ran > 40 && w.p[1].waited_max_ns <= 4500000 + NOTICE_NS + SUBMIT_NS);
	w.p[1].waited_max_ns = 0;
	world_run_until(3000000000);
	CHECK(w.p[1].waited_max_ns <= 1500000 + NOTICE_NS + SUBMIT_NS);
}

/* So that it is asked: who goes without asking has any number of groups there. */
static void a_lead_of_its_own_is_a_rule(void)
{
	world_begin(1000000, 1);
	tg_sched_set_task(&w.s, &w.p[0].task, &tg_policy_fq, 0, false, false, 0);
	CHECK(!w.s.fair.nr_ruled);
	tg_task_set_lead(&w.p[0].task, 0);
	tg_sched_set_task(&w.s, &w.p[0].task, &tg_policy_fq, 0, false, false, 0);
	CHECK(w.s.fair.nr_ruled == 1);
	tg_task_set_lead(&w.p[0].task, TG_LEAD_COMMON);
	tg_sched_set_task(&w.s, &w.p[0].task, &tg_policy_fq, 0, false, false, 0);
	CHECK(!w.s.fair.nr_ruled);
}

static void nobody_passes_an_equal(void)
{
	world_begin(1000000, 3);
	for (int i = 0; i < 3; i++)
		w.p[i].cost_ns = 400000;
	for (int i = 0; i < 3; i++)
		world_ask(&w.p[i]);
	world_run_until(1000000000);
	CHECK(w.p[0].nr_ran - w.p[2].nr_ran <= 1 && w.p[0].nr_ran - w.p[1].nr_ran <= 1);
	CHECK(w.p[0].nr_ran > 700);
}

static void a_more_important_one_keeps_the_gpu_and_comes_first(void)
{
	world_begin(200000, 2);
	w.p[0].cost_ns = 3000000;
	w.p[1].cost_ns = 500000;
	tg_sched_set_task(&w.s, &w.p[1].task, &tg_policy_prt, 90, false, false, 0);
	world_ask(&w.p[0]);
	world_run_until(50000000);
	world_ask(&w.p[1]);
	world_run_until(1050000000);
	CHECK(w.p[1].task.wait_max_ns <= 3000000 + 200000 + NOTICE_NS);
	CHECK(w.p[1].ran_ns >= 990000000);
}

/* How much of a second the GPU idles of three equals, in parts of 10,000. */
static u64 idle_of_equals(bool stages, u64 cost_ns)
{
	world_begin(1000000, 3);
	w.stages = stages;
	for (int i = 0; i < 3; i++)
		w.p[i].cost_ns = cost_ns;
	for (int i = 0; i < 3; i++)
		world_ask(&w.p[i]);
	world_run_until(1000000000);
	CHECK(w.p[0].nr_ran - w.p[2].nr_ran <= 1 && w.p[0].nr_ran - w.p[1].nr_ran <= 1);
	return w.idle_ns / 100000;
}

static void staged_equals_keep_the_gpu_busy(void)
{
	static const u64 costs[] = { 60000, 500000, 5000000 };

	for (unsigned int i = 0; i < ARRAY_SIZE(costs); i++) {
		u64 without = idle_of_equals(false, costs[i]);
		u64 with;

		CHECK(!w.s.nr_staged && without >= 9000ull * 50000 / (costs[i] + 50000));
		with = idle_of_equals(true, costs[i]);
		if (!CHECK(with <= 30 && w.s.nr_staged > 100))
			tap_diag("%llu ns: %llu of 10,000 idle, without %llu",
				 (unsigned long long)costs[i], (unsigned long long)with,
				 (unsigned long long)without);
	}
}

/* Whoever comes and is above waits for one group, and what it was submitted ahead. */
static void who_comes_waits_for_one_and_what_is_staged(void)
{
	for (u64 cost = 150000; cost < 10000000; cost = cost * 3 / 2) {
		world_begin(20000000, 4);
		w.stages = true;
		for (int i = 0; i < 3; i++)
			w.p[i].cost_ns = cost;
		w.p[3].cost_ns = 50000;
		w.p[3].period_ns = 7310000;
		tg_sched_set_task(&w.s, &w.p[3].task, &tg_policy_prt, 90, false, false, 0);
		for (int i = 0; i < 4; i++)
			world_ask(&w.p[i]);
		world_run_until(1000000000);
		CHECK(w.s.nr_staged > 50 && w.p[3].nr_ran > 80);
		if (!CHECK(w.p[3].task.wait_max_ns <= cost + TG_STAGED_LEAD_NS + NOTICE_NS))
			tap_diag("groups of %llu: waited %llu", (unsigned long long)cost,
				 (unsigned long long)w.p[3].task.wait_max_ns);
	}
}

static u64 reserved(const struct tg_reserve_ops *ops, u64 capacity_ns, u64 cost_ns)
{
	static struct tg_reserve r;

	world_begin(500000, 1);
	tg_reserve_init(&r, ops, capacity_ns, 10000000, 0);
	CHECK(tg_sched_add_reserve(&w.s, &r));
	tg_sched_join(&w.s, &w.p[0].task, &r, 0);
	w.p[0].cost_ns = cost_ns;
	world_ask(&w.p[0]);
	world_run_until(1000000000);
	return w.p[0].ran_ns;
}

/*
 * 2 ms every 10, of a second: 200 ms, and one overrun that is paid back later. By this
 * clock the notice is charged, too, of who does not lead.
 */
static void gives_no_more(const struct tg_reserve_ops *ops)
{
	for (u64 cost = 50000; cost < 9000000; cost = cost * 4 / 3) {
		u64 got = reserved(ops, 2000000, cost), least = 190000000;

		/* AE leaves what is less than a group, and behind its own less than two. */
		if (ops->predicts)
			least = cost < 1000000 ? least - 100 * cost : 95000000;
		if (!CHECK(got <= 202000000 + 2 * cost &&
			   got + w.p[0].nr_ran * NOTICE_NS >= least - 2 * cost))
			tap_diag("%s, groups of %llu ns: %llu", ops->name,
				 (unsigned long long)cost, (unsigned long long)got);
		CHECK(cost > 500000 || w.s.nr_led > 100);
	}
	CHECK(reserved(ops, 10000000, 500000) >= 998000000 && w.s.nr_led > 100);
}

static void a_reserve_gives_no_more(void)
{
	gives_no_more(&tg_reserve_pe);
	gives_no_more(&tg_reserve_ae);
}

/* Of 50 us a group, between its end and the next submission. */
static void a_reserve_is_spent_without_gaps(void)
{
	CHECK(reserved(&tg_reserve_pe, 9500000, 500000) >= 945000000);
	CHECK(reserved(&tg_reserve_pe, 9500000, 50000) >= 945000000);
	CHECK(reserved(&tg_reserve_ae, 9500000, 450000) >= 940000000);
}

static struct tg_reserve limit;

/* An AE program with W = 250 us, groups of 100 us and @budget_ns has one on the GPU. */
static void begin_limited(u64 capacity_ns, u64 period_ns, u64 budget_ns, struct tg_group *first)
{
	world_begin(250000, 1);
	tg_reserve_init(&limit, &tg_reserve_ae, capacity_ns, period_ns, 0);
	CHECK(tg_sched_add_reserve(&w.s, &limit));
	tg_sched_join(&w.s, &w.p[0].task, &limit, 0);
	limit.budget_ns = budget_ns;
	for (int i = 0; i < TG_COSTS; i++)
		tg_costs_learn(&w.p[0].task.costs, 100000);
	*first = (struct tg_group){ .task = &w.p[0].task, .context = &w.p[0] };
	CHECK(tg_sched_arrive(&w.s, first, 1000));
	CHECK(tg_sched_check(&w.s, first, 100000, 1000));
	tg_sched_start(&w.s, first, 1000);
}

static bool leads_at(u64 now)
{
	static struct tg_group g;

	g = (struct tg_group){ .task = &w.p[0].task, .context = &w.p[0] };
	return tg_sched_arrive(&w.s, &g, now);
}

/* What it had saved up is gone when a period begins that nobody waits for. */
static void budget_is_that_of_the_moment(u64 period_ns)
{
	static struct tg_group first;

	begin_limited(25000, 50000, 11000000, &first);
	CHECK(leads_at(40000));
	begin_limited(25000, 50000, 11000000, &first);
	CHECK(!leads_at(60000));
	begin_limited(25000, period_ns, 11000000, &first);
	tg_sched_set_lead(&w.s, 50000);
	CHECK(!leads_at(20000) && !tg_sched_next(&w.s, 20000));
	CHECK(tg_sched_next_timer(&w.s) == 51000);
	CHECK(!tg_sched_next(&w.s, 52000) == (period_ns == 50000));
	begin_limited(1000000, 2000000, 200001, &first);
	CHECK(leads_at(40000));
	begin_limited(1000000, 2000000, 200000, &first);
	CHECK(!leads_at(40000));
}

static void the_budget_is_that_of_the_moment(void)
{
	budget_is_that_of_the_moment(50000);
	budget_is_that_of_the_moment(60000);
}

/* It turns out to cost as much as C: all of a period, once those before it are paid for. */
static void validated_behind_its_own_it_waits_for_them(void)
{
	static struct tg_group first, second;

	begin_limited(1000000, 10000000, 1050000, &first);
	second = (struct tg_group){ .task = &w.p[0].task, .context = &w.p[0] };
	CHECK(tg_sched_arrive(&w.s, &second, 2000) && second.led);
	CHECK(!tg_sched_check(&w.s, &second, 1000000, 3000));
	CHECK(second.state == TG_GROUP_WAITING && !tg_sched_next(&w.s, 3000));
	tg_sched_complete(&w.s, &first, 101000);
	CHECK(!tg_sched_next(&w.s, 101000) && second.state == TG_GROUP_THROTTLED);
	CHECK(tg_sched_next(&w.s, 10000000) == &second);
	CHECK(tg_sched_check(&w.s, &second, 1000000, 10000000));
	/* If they leave enough it need not. */
	begin_limited(1000000, 10000000, 1090000, &first);
	second = (struct tg_group){ .task = &w.p[0].task, .context = &w.p[0] };
	CHECK(tg_sched_arrive(&w.s, &second, 2000));
	CHECK(!tg_sched_check(&w.s, &second, 1000000, 3000));
	tg_sched_complete(&w.s, &first, 51000);
	CHECK(tg_sched_next(&w.s, 51000) == &second);
}

/*
 * A program whose last sixteen groups cost 100 us each has one on the GPU, since
 * @elapsed_ns. Whether another of @context may join it, with W = 250 us.
 */
static bool may_join(const void *context, u64 elapsed_ns, void (*change)(void))
{
	static struct tg_group first, second;
	bool joined;

	world_begin(250000, 2);
	w.p[0].cost_ns = 100000;
	for (int i = 0; i < TG_COSTS; i++)
		tg_costs_learn(&w.p[0].task.costs, 100000);
	first = (struct tg_group){ .task = &w.p[0].task, .context = &w.p[0] };
	CHECK(tg_sched_arrive(&w.s, &first, 1000));
	tg_sched_start(&w.s, &first, 1000);
	if (change)
		change();
	second = (struct tg_group){ .task = &w.p[0].task, .context = context };
	joined = tg_sched_arrive(&w.s, &second, 1000 + elapsed_ns);
	CHECK(joined == second.led);
	/* Nor is the timer to ring for what the time alone does not change. */
	CHECK(!tg_sched_next(&w.s, 1000 + elapsed_ns));
	CHECK(!tg_sched_next_timer(&w.s) || tg_sched_next_timer(&w.s) > 1000 + elapsed_ns);
	return joined;
}

static struct tg_group other;

static void another_waits(u8 prio)
{
	tg_sched_set_task(&w.s, &w.p[1].task, &tg_policy_prt, prio, false, false, 0);
	other = (struct tg_group){ .task = &w.p[1].task, .context = &w.p[1] };
	CHECK(!tg_sched_arrive(&w.s, &other, 1500));
}

static void an_equal_waits(void)
{
	another_waits(0);
}

static void leaves_to_come_back(u8 prio)
{
	struct tg_ticket ticket = {};

	another_waits(prio);
	tg_sched_leave(&w.s, &other, &ticket, 1500);
}

static void an_equal_is_away(void)
{
	leaves_to_come_back(0);
}

static void a_lesser_is_away(void)
{
	tg_sched_set_task(&w.s, &w.p[0].task, &tg_policy_prt, 7, false, false, 0);
	leaves_to_come_back(6);
}

/* He who left last is not the one to give way to. */
static void an_equal_is_away_and_a_lesser(void)
{
	tg_sched_set_task(&w.s, &w.p[0].task, &tg_policy_prt, 7, false, false, 0);
	leaves_to_come_back(7);
	leaves_to_come_back(6);
}

static void a_lesser_is_away_and_an_equal(void)
{
	a_lesser_is_away();
	leaves_to_come_back(7);
}

static void an_equal_was_away(void)
{
	an_equal_is_away();
	w.s.away_until_ns = 1999;
}

/* Back, and gone again: he had his place. */
static void an_equal_came_back(void)
{
	struct tg_ticket ticket = { };

	another_waits(0);
	tg_sched_leave(&w.s, &other, &ticket, 1500);
	CHECK(w.s.away_until_ns == 1500 + TG_TICKET_NS);
	tg_sched_return(&w.s, &other, &ticket, 1600);
	tg_sched_cancel(&w.s, &other, 1700);
}

/* For as long as the first has a place, and not longer. */
static void a_lesser_prolongs_nothing(void)
{
	struct tg_ticket ticket = { };

	an_equal_is_away_and_a_lesser();
	another_waits(6);
	tg_sched_leave(&w.s, &other, &ticket, 1900);
	CHECK(w.s.away_until_ns == 1500 + TG_TICKET_NS);
}

static void a_lesser_waits(void)
{
	tg_sched_set_task(&w.s, &w.p[0].task, &tg_policy_prt, 7, false, false, 0);
	another_waits(6);
}

static void another_is_inserted(void)
{
	other = (struct tg_group){ .task = &w.p[1].task, .context = &w.p[1] };
	tg_sched_insert(&w.s, &other, 1500);
	CHECK(!other.led);
}

static void its_own_is_inserted_unknown(void)
{
	memset(&w.p[0].task.costs, 0, sizeof(w.p[0].task.costs));
	other = (struct tg_group){ .task = &w.p[0].task, .context = &w.p[0] };
	tg_sched_insert(&w.s, &other, 1500);
}

static void it_has_as_many_as_may_be(void)
{
	w.s.ht_depth = 1;
}

static void groups_join_only_their_like(void)
{
	CHECK(may_join(&w.p[0], 0, NULL));
	CHECK(may_join(&w.p[0], 99999, NULL));
	CHECK(!may_join(&w.p[0], 100000, NULL));
	CHECK(!may_join(&w.p[1], 0, NULL));
	CHECK(!may_join(&w.p[0], 1000, an_equal_waits));
	CHECK(may_join(&w.p[0], 1000, a_lesser_waits));
	CHECK(!may_join(&w.p[0], 1000, an_equal_is_away));
	CHECK(may_join(&w.p[0], 1000, an_equal_was_away));
	CHECK(may_join(&w.p[0], 1000, a_lesser_is_away));
	CHECK(!may_join(&w.p[0], 1000, an_equal_is_away_and_a_lesser));
	CHECK(!may_join(&w.p[0], 1000, a_lesser_is_away_and_an_equal));
	CHECK(may_join(&w.p[0], 1000, an_equal_came_back));
	CHECK(!may_join(&w.p[0], 1000, a_lesser_prolongs_nothing));
	CHECK(!may_join(&w.p[0], 1000, another_is_inserted));
	CHECK(!may_join(&w.p[0], 1000, its_own_is_inserted_unknown));
	CHECK(!may_join(&w.p[0], 1000, it_has_as_many_as_may_be));
}

/*
 * Whether a group of another task may be staged behind one of 300 us that is on the GPU since
 * @elapsed_ns.
 */
static bool may_wait_behind(bool can_wait, bool can_be_awaited, u8 first_prio, u8 prio,
			    u64 elapsed_ns)
{
	static struct tg_group first, second, third;
	bool staged;

	world_begin(1000000, 3);
	for (int i = 0; i < TG_COSTS; i++)
		tg_costs_learn(&w.p[0].task.costs, 300000);
	tg_sched_set_task(&w.s, &w.p[0].task, &tg_policy_prt, first_prio, false, false, 0);
	tg_sched_set_task(&w.s, &w.p[1].task, &tg_policy_prt, prio, false, false, 0);
	tg_sched_set_task(&w.s, &w.p[2].task, &tg_policy_prt, 99, false, false, 0);
	first = (struct tg_group){ .task = &w.p[0].task, .context = &w.p[0] };
	CHECK(tg_sched_arrive(&w.s, &first, 1000));
	tg_sched_start(&w.s, &first, 1000);
	first.can_be_awaited = can_be_awaited;
	second = (struct tg_group){
		.task = &w.p[1].task, .context = &w.p[1], .can_wait = can_wait,
	};
	staged = tg_sched_arrive(&w.s, &second, 1000 + elapsed_ns);
	CHECK(staged == second.staged && staged == (w.s.nr_staged == 1));
	if (!staged)
		return false;
	/* Nobody goes behind the two, who ever it is. */
	tg_sched_start(&w.s, &second, 1000 + elapsed_ns);
	second.can_be_awaited = true;
	third = (struct tg_group){ .task = &w.p[2].task, .context = &w.p[2], .can_wait = true };
	CHECK(!tg_sched_arrive(&w.s, &third, 1000 + elapsed_ns));
	CHECK(!tg_sched_next(&w.s, 1000 + elapsed_ns));
	return true;
}

static void one_is_staged_behind_its_equals_and_those_below(void)
{
	CHECK(may_wait_behind(true, true, 5, 5, 200000));
	CHECK(may_wait_behind(true, true, 5, 6, 200000));
	CHECK(!may_wait_behind(true, true, 6, 5, 200000));
	CHECK(!may_wait_behind(false, true, 5, 5, 200000));
	CHECK(!may_wait_behind(true, false, 5, 5, 200000));
	CHECK(!may_wait_behind(true, true, 5, 5, 300000 - TG_STAGED_LEAD_NS - 1));
	CHECK(may_wait_behind(true, true, 5, 5, 300000 - TG_STAGED_LEAD_NS));
	CHECK(!may_wait_behind(true, true, 5, 5, 300000));
}

/* Groups of 100 us and one of 1 ms: the largest lasts longer than the average. */
static void one_of_sixteen_is_long(void)
{
	tg_costs_learn(&w.p[0].task.costs, 1000000);
}

static u64 predicted_by(enum tg_predictor_id id)
{
	static struct tg_group g;

	world_begin(250000, 1);
	for (int i = 0; i < TG_COSTS; i++)
		tg_costs_learn(&w.p[0].task.costs, 100000);
	one_of_sixteen_is_long();
	tg_lead_set_predictor(&w.s, &tg_predictors[id]);
	g = (struct tg_group){ .task = &w.p[0].task, .context = &w.p[0] };
	CHECK(tg_sched_arrive(&w.s, &g, 1000));
	CHECK(w.s.ahead_ns == g.lead_ns && w.s.nr_unknown == !g.lead_ns);
	return g.lead_ns;
}

static void the_predictor_that_was_set_is_asked(void)
{
	world_begin(250000, 1);
	CHECK(w.s.lead_by == &tg_predictors[TG_PREDICTOR_LARGEST]);
	CHECK(predicted_by(TG_PREDICTOR_LARGEST) == 1000000);
	CHECK(predicted_by(TG_PREDICTOR_AVERAGE) == (15 * 100000 + 1000000) / 16);
	CHECK(predicted_by(TG_PREDICTOR_HISTORY) == 0);
}

/* 400 us is too much for W at first, 100 us is not, and 0 is unknown. */
static u64 expected_ns;

static void it_is_expected(void)
{
	struct tg_group *first = tg_sched_head(&w.s);

	tg_lead_expect(&w.s, first, 1);
	tg_lead_expect(&w.s, first, expected_ns);
	CHECK(w.s.ahead_ns == expected_ns && w.s.nr_unknown == !expected_ns);
}

static void what_was_read_of_a_group_counts_from_then_on(void)
{
	static struct tg_group g;

	expected_ns = 100000;
	CHECK(may_join(&w.p[0], 1000, it_is_expected));
	CHECK(!may_join(&w.p[0], 100000, it_is_expected));
	expected_ns = 400000;
	CHECK(!may_join(&w.p[0], 1000, it_is_expected));
	CHECK(tg_sched_next_timer(&w.s) == 1000 + 400000 - 250000);
	CHECK(may_join(&w.p[0], 399999, it_is_expected));
	expected_ns = 0;
	CHECK(!may_join(&w.p[0], 1000, it_is_expected));
	/* Of one that waits nothing is on the GPU; and all is given back in the end. */
	world_begin(250000, 2);
	g = (struct tg_group){ .task = &w.p[0].task, .context = &w.p[0] };
	CHECK(tg_sched_arrive(&w.s, &g, 1000));
	tg_sched_start(&w.s, &g, 1000);
	another_waits(0);
	tg_lead_expect(&w.s, &other, 5);
	CHECK(!w.s.ahead_ns);
	tg_lead_expect(&w.s, &g, 7);
	tg_sched_complete(&w.s, &g, 2000);
	CHECK(!w.s.ahead_ns && !w.s.nr_unknown);
	tg_lead_expect(&w.s, &g, 5);
	CHECK(!w.s.ahead_ns && !w.s.nr_unknown);
}

int main(void)
{
	static const struct tap_case cases[] = {
#define CASE(f) { #f, f }
		CASE(alone_the_gpu_is_kept_busy),
		CASE(whoever_comes_waits_for_one_group_and_the_lead),
		CASE(wrong_predictions_cost_what_they_are_wrong_by),
		CASE(without_a_lead_the_gpu_has_one_group),
		CASE(the_lead_is_the_tasks_own),
		CASE(another_tasks_lead_is_not),
		CASE(a_lead_of_its_own_is_a_rule),
		CASE(alone_with_a_rule_it_may_be_further_ahead),
		CASE(nobody_passes_an_equal),
		CASE(a_more_important_one_keeps_the_gpu_and_comes_first),
		CASE(staged_equals_keep_the_gpu_busy),
		CASE(who_comes_waits_for_one_and_what_is_staged),
		CASE(one_is_staged_behind_its_equals_and_those_below),
		CASE(a_reserve_gives_no_more),
		CASE(a_reserve_is_spent_without_gaps),
		CASE(the_budget_is_that_of_the_moment),
		CASE(validated_behind_its_own_it_waits_for_them),
		CASE(groups_join_only_their_like),
		CASE(the_predictor_that_was_set_is_asked),
		CASE(what_was_read_of_a_group_counts_from_then_on),
	};

	return tap_run(cases, ARRAY_SIZE(cases));
}
