// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Fair queuing, by what it promises: who always has work gets the GPU time that its
 * weight says, however long its groups are, how many threads send them, or how often
 * its process is another; the GPU does not wait more for it; who comes seldom does not
 * wait for long; and none of a level starves another.
 */
#include "world.h"

#define MS 1000000ULL
#define SECOND (1000 * MS)
#define LEAD_NS MS

static void begin(int nr)
{
	world_begin(LEAD_NS, nr);
	for (int i = 0; i < nr; i++)
		tg_sched_set_task(&w.s, &w.p[i].task, &tg_policy_fq, 0, false, false, 0);
}

static void ask_all(void)
{
	for (int i = 0; i < w.nr; i++)
		world_ask(&w.p[i]);
}

/* Of the GPU time so far, in parts of 10,000. */
static u64 share(int i)
{
	return w.p[i].ran_ns * 10000 / (w.now - w.idle_ns);
}

static u64 idle(void)
{
	return w.idle_ns * 10000 / w.now;
}

static bool is_near(u64 got, u64 wanted, u64 by)
{
	bool ok = got + by >= wanted && got <= wanted + by;

	if (!ok)
		tap_diag("%llu of 10,000 instead of %llu", (unsigned long long)got,
			 (unsigned long long)wanted);
	return ok;
}

static void long_groups_get_no_more_than_short_ones(void)
{
	static const u64 costs[][2] = {
		{ 2 * MS, 20 * MS }, { 50000, 5 * MS }, { 300000, 40 * MS }, { 7 * MS, 3 * MS },
	};

	for (unsigned int i = 0; i < ARRAY_SIZE(costs); i++) {
		begin(2);
		w.p[0].cost_ns = costs[i][0];
		w.p[1].cost_ns = costs[i][1];
		ask_all();
		world_run_until(10 * SECOND);
		CHECK(is_near(share(0), 5000, 50));
		CHECK(is_near(share(1), 5000, 50));
		CHECK(idle() <= 100);
	}
}

static void weights_are_shares(void)
{
	static const u32 weights[] = { 4, 9, 50, 10000 };

	for (unsigned int i = 0; i < ARRAY_SIZE(weights); i++)
		for (int heavy = 0; heavy < 2; heavy++) {
			u32 unit = weights[i] == 10000 ? 1 : 100;
			u64 part = 10000 * weights[i] / (weights[i] + 1);

			begin(2);
			w.p[0].cost_ns = 2 * MS;
			w.p[1].cost_ns = 20 * MS;
			tg_task_set_weight(&w.p[heavy].task, unit * weights[i]);
			tg_task_set_weight(&w.p[!heavy].task, unit);
			ask_all();
			world_run_until(100 * SECOND);
			CHECK(is_near(share(heavy), part, 50));
		}
}

/* Issue: eight with groups of 0.2 to 40 ms at random. */
static void eight_tasks_get_what_their_weights_say(void)
{
	u64 sum = 0;

	for (u64 seed = 1; seed <= 20; seed++) {
		begin(8);
		w.seed = seed;
		sum = 0;
		for (int i = 0; i < 8; i++) {
			w.p[i].cost_ns = 200000;
			w.p[i].jitter_ns = random_below(&w.seed, 2) ? 39800000 : 3000000;
			tg_task_set_weight(&w.p[i].task, 50 + random_below(&w.seed, 200));
			sum += w.p[i].task.weight;
		}
		ask_all();
		world_run_until(20 * SECOND);
		for (int i = 0; i < 8; i++)
			CHECK(is_near(share(i), 10000 * w.p[i].task.weight / sum, 100));
	}
}

/* Each turn costs the GPU an interrupt and a submission: there are not too many. */
static void short_groups_of_many_do_not_keep_the_gpu_waiting(void)
{
	for (u64 cost = 50000; cost <= MS; cost *= 2) {
		begin(8);
		for (int i = 0; i < 8; i++)
			w.p[i].cost_ns = cost;
		ask_all();
		world_run_until(2 * SECOND);
		if (!CHECK(idle() <= 150))
			tap_diag("groups of %llu us: %llu of 10,000", (unsigned long long)cost / 1000,
				 (unsigned long long)idle());
		for (int i = 0; i < 8; i++)
			CHECK(is_near(share(i), 1250, 50));
	}
}

static void threads_are_no_shares(void)
{
	begin(11);
	for (int i = 0; i < 11; i++)
		w.p[i].cost_ns = 4 * MS;
	for (int i = 2; i < 11; i++)
		w.p[i].of = &w.p[1].task;
	ask_all();
	world_run_until(SECOND);
	w.p[0].waited_max_ns = 0;
	world_run_until(10 * SECOND);
	CHECK(is_near(share(0), 5000, 50));
	/* The others' groups in a row: a slice, and what it waited for before. */
	CHECK(w.p[0].waited_max_ns <= 4 * 4 * MS);
}

static void a_process_for_each_group_gets_no_more(void)
{
	for (u64 cost = 500000; cost <= 8 * MS; cost *= 2) {
		begin(2);
		w.p[0].cost_ns = 2 * MS;
		w.p[1].cost_ns = cost;
		w.p[1].reborn = true;
		ask_all();
		world_run_until(10 * SECOND);
		CHECK(share(1) <= 5050);
	}
}

/* Not even if the one before was far ahead, as its weight was small. */
static void who_went_far_ahead_holds_up_a_newcomer_for_the_credit(void)
{
	u64 before;

	begin(3);
	for (int i = 0; i < 3; i++)
		w.p[i].cost_ns = 4 * MS;
	tg_task_set_weight(&w.p[1].task, 1);
	w.p[1].reborn = true;
	world_ask(&w.p[0]);
	world_ask(&w.p[1]);
	world_run_until(SECOND);
	for (u64 n = w.p[1].nr_ran; w.p[1].nr_ran == n;)
		world_run_until(w.now + MS);
	before = w.now;
	tg_sched_set_task(&w.s, &w.p[2].task, &tg_policy_prt, 0, false, false, w.now);
	tg_sched_set_task(&w.s, &w.p[2].task, &tg_policy_fq, 0, false, false, w.now);
	world_ask(&w.p[2]);
	world_run_until(before + SECOND);
	CHECK(w.p[2].ran_ns >= SECOND / 2 - TG_FAIR_CREDIT_NS - 20 * MS);
}

/* A frame at 60 Hz of 2 ms, which is less than its share. */
static void comes_at_60_hz_beside(int others)
{
	begin(1 + others);
	for (int i = 1; i <= others; i++)
		w.p[i].cost_ns = 2 * MS;
	w.p[0].cost_ns = 2 * MS;
	w.p[0].period_ns = 16666667;
	ask_all();
	world_run_until(SECOND);
	w.p[0].waited_max_ns = 0;
	world_run_until(10 * SECOND);
	CHECK(w.p[0].nr_ran >= 595);
	if (!CHECK(w.p[0].waited_max_ns <= 2 * MS + LEAD_NS + SUBMIT_NS + NOTICE_NS))
		tap_diag("%llu us", (unsigned long long)w.p[0].waited_max_ns / 1000);
}

static void who_comes_seldom_waits_for_one_group(void)
{
	comes_at_60_hz_beside(5);
	comes_at_60_hz_beside(1);
}

/* Plain nouveau gives such a program half, too: the GPU goes round among channels. */
static void who_waits_for_each_group_has_his_share(void)
{
	for (u64 think = 0; think <= 200000; think += 50000) {
		begin(2);
		w.p[0].cost_ns = 2 * MS;
		w.p[0].waits = true;
		w.p[0].think_ns = think;
		w.p[1].cost_ns = 20 * MS;
		ask_all();
		world_run_until(10 * SECOND);
		if (!CHECK(is_near(share(0), 5000, 200)))
			tap_diag("pauses of %llu us", (unsigned long long)think / 1000);
		/* The pauses of ten groups of every twenty milliseconds. */
		CHECK(idle() <= 10000 * 10 * (think + SUBMIT_NS + NOTICE_NS) / (40 * MS) + 50);
	}
}

/* Who pauses for longer, or is not worth it, is not waited for. */
static void nobody_is_waited_for_in_vain(void)
{
	begin(2);
	w.p[0].cost_ns = 2 * MS;
	w.p[0].waits = true;
	w.p[0].think_ns = 400000;
	w.p[1].cost_ns = 20 * MS;
	ask_all();
	world_run_until(10 * SECOND);
	CHECK(idle() <= 100);
	begin(2);
	w.p[0].cost_ns = 2 * MS;
	w.p[0].waits = true;
	w.p[0].think_ns = 50000;
	w.p[1].cost_ns = 300000;
	ask_all();
	world_run_until(10 * SECOND);
	/* A turn of each: two pauses of 50 us in 2.3 ms. */
	CHECK(idle() <= 500);
	begin(2);
	w.p[0].cost_ns = 100000;
	w.p[0].waits = true;
	w.p[0].think_ns = 50000;
	w.p[1].cost_ns = 20 * MS;
	ask_all();
	world_run_until(10 * SECOND);
	CHECK(idle() <= 100);
}

static void costs(int i, u64 ns)
{
	for (int k = 0; k < TG_COSTS; k++)
		tg_costs_learn(&w.p[i].task.costs, ns);
}

/* One that has pauses of 50 us between groups of 4 ms had the GPU until just now. */
static bool is_waited_for(void (*change)(void))
{
	static struct tg_group g;

	begin(2);
	costs(0, 4 * MS);
	costs(1, 20 * MS);
	w.p[0].task.pause_ns = 50000;
	w.p[0].task.idle_ns = MS;
	w.s.fair.slice = &w.p[0].task;
	if (change)
		change();
	g = (struct tg_group){ .task = &w.p[1].task, .context = &w.p[1] };
	if (tg_sched_arrive(&w.s, &g, MS + 1000) || tg_sched_next(&w.s, MS + 1000))
		return false;
	CHECK(tg_sched_next_timer(&w.s) == MS + 100000 + TG_FAIR_LATE_NS);
	CHECK(tg_sched_next(&w.s, MS + 100000 + TG_FAIR_LATE_NS) == &g);
	return true;
}

static void its_pauses_are_long(void)
{
	w.p[0].task.pause_ns = 300000;
}

static void its_groups_are_short(void)
{
	costs(0, 300000);
}

static void the_others_groups_are_short(void)
{
	costs(1, 300000);
}

static void its_slice_is_over(void)
{
	w.s.fair.slice_ns = TG_FAIR_SLICE_NS;
	w.p[0].task.vtime_ns += 10 * MS;
}

static void its_slice_is_over_but_it_is_behind(void)
{
	w.s.fair.slice_ns = TG_FAIR_SLICE_NS;
	w.p[1].task.vtime_ns += 10 * MS;
}

static void it_is_at_another_level(void)
{
	w.p[0].task.prio = 1;
}

static void it_waits_for_a_budget(void)
{
	w.p[0].task.nr_throttled = 1;
}

static void who_is_waited_for_is_worth_it(void)
{
	CHECK(is_waited_for(NULL));
	CHECK(!is_waited_for(its_pauses_are_long));
	CHECK(!is_waited_for(its_groups_are_short));
	CHECK(!is_waited_for(the_others_groups_are_short));
	CHECK(!is_waited_for(its_slice_is_over));
	CHECK(is_waited_for(its_slice_is_over_but_it_is_behind));
	CHECK(!is_waited_for(it_is_at_another_level));
	CHECK(!is_waited_for(it_waits_for_a_budget));
}

/* It came at once for a second, and never again. */
static void who_does_not_come_is_waited_for_once(void)
{
	u64 before;

	begin(2);
	w.p[0].cost_ns = 2 * MS;
	w.p[0].waits = true;
	w.p[1].cost_ns = 20 * MS;
	ask_all();
	world_run_until(SECOND);
	w.p[0].think_ns = 100 * SECOND;
	before = w.idle_ns;
	world_run_until(2 * SECOND);
	CHECK(w.idle_ns - before <= 20 * (SUBMIT_NS + NOTICE_NS) + TG_FAIR_EXPECT_NS);
}

/* Who was away for a minute comes back with the credit, not with a minute. */
static void what_was_not_used_is_gone(void)
{
	u64 before;

	begin(2);
	w.p[0].cost_ns = 2 * MS;
	w.p[1].cost_ns = 2 * MS;
	world_ask(&w.p[0]);
	world_run_until(60 * SECOND);
	world_ask(&w.p[1]);
	before = w.p[0].ran_ns;
	world_run_until(61 * SECOND);
	CHECK(w.p[0].ran_ns - before >= SECOND / 2 - TG_FAIR_CREDIT_NS - 20 * MS);
	CHECK(w.p[0].ran_ns - before <= SECOND / 2 + TG_FAIR_CREDIT_NS + 20 * MS);
}

static void first_come_first_served_is_one_among_the_fair(void)
{
	begin(5);
	for (int i = 0; i < 5; i++)
		w.p[i].cost_ns = i < 2 ? 2 * MS : 10 * MS;
	for (int i = 2; i < 5; i++)
		tg_sched_set_task(&w.s, &w.p[i].task, &tg_policy_prt, 0, false, false, 0);
	ask_all();
	world_run_until(20 * SECOND);
	CHECK(is_near(share(0), 3333, 100));
	CHECK(is_near(share(1), 3333, 100));
	for (int i = 2; i < 5; i++)
		CHECK(is_near(share(i), 1111, 100));
}

/* Not a word of the longest group: the GPU had that before the other came. */
static u64 wait_of_a_newcomer(bool ruled)
{
	begin(3);
	w.p[0].cost_ns = 3 * MS;
	w.p[1].cost_ns = 3 * MS;
	if (ruled)
		tg_sched_set_task(&w.s, &w.p[2].task, &tg_policy_prt, 1, false, false, 0);
	world_ask(&w.p[0]);
	world_run_until(SECOND);
	world_ask(&w.p[ruled ? 2 : 1]);
	world_run_until(2 * SECOND);
	return w.p[ruled ? 2 : 1].waited_max_ns;
}

static void alone_it_may_be_further_ahead_until_a_rule_is_there(void)
{
	u64 fair = wait_of_a_newcomer(false);
	u64 most = w.most_ns;
	u64 ruled = wait_of_a_newcomer(true);

	CHECK(most > 10 * MS && most <= TG_LEAD_ALONE_NS + 3 * MS);
	CHECK(fair <= TG_LEAD_ALONE_NS + 3 * MS + TG_FAIR_SLICE_NS + NOTICE_NS + SUBMIT_NS);
	CHECK(w.most_ns <= LEAD_NS + 3 * MS);
	CHECK(ruled <= LEAD_NS + 3 * MS + NOTICE_NS + SUBMIT_NS);
}

static void without_a_lead_nobody_is_ahead(void)
{
	world_begin(0, 1);
	tg_sched_set_task(&w.s, &w.p[0].task, &tg_policy_fq, 0, false, false, 0);
	w.p[0].cost_ns = 3 * MS;
	ask_all();
	world_run_until(SECOND);
	CHECK(w.most_ns == 3 * MS);
}

/* Another waits for a second, as its weight is small. */
static void who_is_waited_for_is_not_far_ahead(void)
{
	begin(2);
	w.p[0].cost_ns = 3 * MS;
	w.p[1].cost_ns = 10 * MS;
	tg_task_set_weight(&w.p[1].task, 1);
	ask_all();
	world_run_until(10 * SECOND);
	CHECK(w.most_ns <= 10 * MS + LEAD_NS);
}

/* When the task with the rule goes, and when the other two have been met. */
static void together_nobody_is_far_ahead(void)
{
	begin(3);
	for (int i = 0; i < 2; i++)
		w.p[i].cost_ns = 3 * MS;
	tg_sched_set_task(&w.s, &w.p[2].task, &tg_policy_fq, 1, false, false, 0);
	CHECK(w.s.fair.nr_ruled == 1);
	ask_all();
	world_run_until(SECOND);
	CHECK(w.most_ns <= LEAD_NS + 3 * MS);
	tg_sched_set_task(&w.s, &w.p[2].task, &tg_policy_fq, 0, true, false, w.now);
	CHECK(w.s.fair.nr_ruled == 1);
	tg_sched_set_task(&w.s, &w.p[2].task, &tg_policy_fq, 0, false, false, w.now);
	CHECK(!w.s.fair.nr_ruled);
	world_run_until(2 * SECOND);
	CHECK(w.most_ns <= LEAD_NS + 3 * MS);
}

static void a_higher_level_goes_first_and_what_was_had_counts_there(void)
{
	u64 before;

	begin(2);
	w.p[0].cost_ns = 2 * MS;
	w.p[1].cost_ns = 5 * MS;
	tg_sched_set_task(&w.s, &w.p[0].task, &tg_policy_fq, 3, false, false, 0);
	ask_all();
	world_run_until(SECOND);
	CHECK(w.p[1].ran_ns <= 5 * MS);
	tg_sched_set_task(&w.s, &w.p[1].task, &tg_policy_fq, 3, false, false, w.now);
	before = w.p[0].ran_ns;
	world_run_until(3 * SECOND);
	CHECK(is_near((w.p[0].ran_ns - before) / (SECOND / 5000), 5000, 300));
	tg_sched_set_task(&w.s, &w.p[0].task, &tg_policy_fq, 0, false, false, w.now);
	tg_sched_set_task(&w.s, &w.p[1].task, &tg_policy_fq, 0, false, false, w.now);
	before = w.p[0].ran_ns;
	world_run_until(5 * SECOND);
	CHECK(is_near((w.p[0].ran_ns - before) / (SECOND / 5000), 5000, 300));
}

/* Who has had ten seconds alone where he was is not behind for ten seconds elsewhere. */
static void another_level_has_another_time(void)
{
	u64 before;

	begin(2);
	w.p[0].cost_ns = 2 * MS;
	w.p[1].cost_ns = 2 * MS;
	world_ask(&w.p[0]);
	world_run_until(10 * SECOND);
	for (int i = 0; i < 2; i++)
		tg_sched_set_task(&w.s, &w.p[i].task, &tg_policy_fq, 3, false, false, w.now);
	world_ask(&w.p[1]);
	before = w.p[0].ran_ns;
	world_run_until(11 * SECOND);
	CHECK(is_near((w.p[0].ran_ns - before) / (SECOND / 10000), 5000, 600));
}

/* Two wait while a third has 40 ms: who changes the level then keeps that. */
static void who_is_behind_is_so_at_the_other_level(void)
{
	begin(3);
	for (int i = 0; i < 3; i++)
		w.p[i].cost_ns = i ? MS : 40 * MS;
	tg_sched_set_task(&w.s, &w.p[2].task, &tg_policy_fq, 3, false, false, 0);
	world_ask(&w.p[0]);
	world_run_until(MS);
	for (int i = 1; i < 3; i++)
		world_ask(&w.p[i]);
	w.s.fair.level[0].vtime_ns += 40 * MS;
	tg_sched_set_task(&w.s, &w.p[1].task, &tg_policy_fq, 3, false, false, w.now);
	world_run_until(40 * MS + 200 * MS);
	CHECK(w.p[1].ran_ns >= w.p[2].ran_ns + 30 * MS);
}

/* One has had 40 ms more where it comes from. */
static void who_is_ahead_is_so_at_the_other_level(void)
{
	begin(2);
	for (int i = 0; i < 2; i++)
		w.p[i].cost_ns = MS;
	w.p[0].task.vtime_ns += 40 * MS;
	for (int i = 0; i < 2; i++)
		tg_sched_set_task(&w.s, &w.p[i].task, &tg_policy_fq, 3, false, false, 0);
	ask_all();
	world_run_until(200 * MS);
	CHECK(w.p[1].ran_ns >= w.p[0].ran_ns + 30 * MS);
}

/* Those of a task in the order in which they came, whatever they are predicted. */
static void groups_of_a_task_keep_their_order(void)
{
	static struct tg_group g[200];
	int next = 1;

	begin(2);
	for (int i = 0; i < 200; i++) {
		g[i] = (struct tg_group){ .task = &w.p[0].task, .context = &w.p[0] };
		CHECK(tg_sched_arrive(&w.s, &g[i], i) == !i);
		if (i % 3 == 1)
			tg_costs_learn(&w.p[0].task.costs, (i * 7919) % 1000 * 10000);
	}
	for (u64 now = MS; next < 200; now += MS) {
		struct tg_group *head = tg_sched_head(&w.s);

		if (!CHECK(head == &g[next - 1]))
			return;
		tg_sched_start(&w.s, head, now);
		tg_sched_complete(&w.s, head, now + 500000);
		CHECK(tg_sched_next(&w.s, now + 500000) == &g[next++]);
	}
}

/* Its groups are small, and the GPU idles for each before it comes. */
static void who_keeps_the_gpu_idle_has_no_more_for_it(void)
{
	static const u64 cost[] = { 10000, 50000 }, kept[] = { 240000, 0 };
	struct tg_group g[2] = { 0 };
	u64 had[2] = { 0 }, now = MS;

	begin(2);
	for (int i = 0; i < 2; i++) {
		g[i].task = &w.p[i].task;
		g[i].context = &w.p[i];
		tg_sched_arrive(&w.s, &g[i], now);
	}
	while (now < SECOND) {
		int i = tg_sched_head(&w.s) == &g[1];

		now += kept[i];
		g[i].kept_ns += kept[i];
		tg_sched_start(&w.s, &g[i], now);
		now += cost[i];
		had[i] += kept[i] + cost[i];
		tg_sched_stamp(&w.s, &g[i], now - cost[i], now, 0);
		tg_sched_complete(&w.s, &g[i], now);
		tg_sched_arrive(&w.s, &g[i], now);
		if (!tg_sched_head(&w.s) && !CHECK(tg_sched_next(&w.s, now)))
			return;
	}
	CHECK(is_near(had[0] * 10000 / now, 5000, 500));
}

/* Its groups fail before they come, and another of it waits each time. */
static void who_gives_the_turn_back_after_a_while_has_no_more_for_it(void)
{
	struct tg_group g[3] = { 0 };
	u64 had[2] = { 0 }, now = MS;

	begin(2);
	for (int i = 0; i < 3; i++) {
		g[i].task = &w.p[i == 2].task;
		g[i].context = &g[i];
		tg_sched_arrive(&w.s, &g[i], now);
	}
	while (now < SECOND) {
		struct tg_group *head = tg_sched_head(&w.s);
		u64 ns = head == &g[2] ? 50000 : 240000;

		had[head == &g[2]] += ns;
		if (head == &g[2])
			tg_sched_start(&w.s, head, now);
		else
			head->kept_ns += ns;
		now += ns;
		if (head == &g[2])
			tg_sched_complete(&w.s, head, now);
		else
			tg_sched_cancel(&w.s, head, now);
		tg_sched_arrive(&w.s, head, now);
		if (!tg_sched_head(&w.s) && !CHECK(tg_sched_next(&w.s, now)))
			return;
	}
	CHECK(is_near(had[0] * 10000 / now, 5000, 500));
}

static void a_task_that_goes_leaves_nothing_behind(void)
{
	begin(2);
	w.p[0].cost_ns = MS;
	world_ask(&w.p[0]);
	world_run_until(10 * MS);
	CHECK(w.s.fair.slice == &w.p[0].task);
	world_begin(LEAD_NS, 1);
	tg_sched_set_task(&w.s, &w.p[0].task, &tg_policy_fq, 5, false, false, 0);
	CHECK(w.s.fair.nr_ruled == 1);
	w.s.fair.slice = &w.p[0].task;
	tg_sched_remove_task(&w.s, &w.p[0].task, 1);
	CHECK(!w.s.fair.slice && !w.s.fair.nr_ruled);
}

int main(void)
{
	static const struct tap_case cases[] = {
#define CASE(f) { #f, f }
		CASE(long_groups_get_no_more_than_short_ones),
		CASE(weights_are_shares),
		CASE(eight_tasks_get_what_their_weights_say),
		CASE(short_groups_of_many_do_not_keep_the_gpu_waiting),
		CASE(threads_are_no_shares),
		CASE(a_process_for_each_group_gets_no_more),
		CASE(who_went_far_ahead_holds_up_a_newcomer_for_the_credit),
		CASE(who_comes_seldom_waits_for_one_group),
		CASE(who_waits_for_each_group_has_his_share),
		CASE(nobody_is_waited_for_in_vain),
		CASE(who_is_waited_for_is_worth_it),
		CASE(who_does_not_come_is_waited_for_once),
		CASE(what_was_not_used_is_gone),
		CASE(first_come_first_served_is_one_among_the_fair),
		CASE(alone_it_may_be_further_ahead_until_a_rule_is_there),
		CASE(without_a_lead_nobody_is_ahead),
		CASE(who_is_waited_for_is_not_far_ahead),
		CASE(together_nobody_is_far_ahead),
		CASE(a_higher_level_goes_first_and_what_was_had_counts_there),
		CASE(another_level_has_another_time),
		CASE(who_is_behind_is_so_at_the_other_level),
		CASE(who_is_ahead_is_so_at_the_other_level),
		CASE(groups_of_a_task_keep_their_order),
		CASE(who_keeps_the_gpu_idle_has_no_more_for_it),
		CASE(who_gives_the_turn_back_after_a_while_has_no_more_for_it),
		CASE(a_task_that_goes_leaves_nothing_behind),
	};

	return tap_run(cases, ARRAY_SIZE(cases));
}
