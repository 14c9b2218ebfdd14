// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Pegasus's policies by what they promise: domains get what their credits say, whatever their
 * groups are like; SLAF brings each to its target; AugC and CoSched let those go first that
 * run on the CPU; nobody starves; the GPU does not wait for who does not come.
 */
#include "credit_random.h"
#include "world.h"

#define MS 1000000ULL
#define SECOND (1000 * MS)
#define LEAD_NS MS
#define DOMAINS 8

static struct tg_domain d[DOMAINS];

static const struct tg_policy_ops *const all[] = {
	&tg_policy_rr, &tg_policy_accc, &tg_policy_xc, &tg_policy_slaf, &tg_policy_augc,
	&tg_policy_cosched,
};

static u64 had[WORLD_PROGRAMS];

static void set_rule(int i, u32 weight, u32 target_percent)
{
	const struct tg_domain_rule rule = {
		.weight = weight, .target_ppm = target_percent * (TG_PPM / 100),
	};

	tg_sched_set_domain(&w.s, &d[i], &rule, w.now);
}

/* Each program in a domain of its own, of weight 100; those from @nr_domains on in none. */
static void begin(const struct tg_policy_ops *policy, int nr, int nr_domains)
{
	world_begin(LEAD_NS, nr);
	memset(had, 0, sizeof(had));
	for (int i = 0; i < nr; i++) {
		w.p[i].cost_ns = 3 * MS;
		tg_sched_set_task(&w.s, &w.p[i].task, policy, 0, false, false, 0);
		if (i >= nr_domains)
			continue;
		tg_domain_init(&d[i], NULL);
		tg_sched_add_domain(&w.s, &d[i], 0);
		tg_sched_move(&w.s, &w.p[i].task, &d[i], 0);
	}
}

static void ask_all(void)
{
	for (int i = 0; i < w.nr; i++)
		world_ask(&w.p[i]);
}

static void count_from_now(void)
{
	for (int i = 0; i < w.nr; i++)
		had[i] = w.p[i].ran_ns;
}

/* Of what all have had since, in parts of 10,000. */
static u64 share(int i)
{
	u64 sum = 0;

	for (int k = 0; k < w.nr; k++)
		sum += w.p[k].ran_ns - had[k];
	return (w.p[i].ran_ns - had[i]) * 10000 / sum;
}

static bool is_near(u64 got, u64 wanted, u64 by)
{
	bool ok = got + by >= wanted && got <= wanted + by;

	if (!ok)
		tap_diag("%llu of 10,000 instead of %llu", (unsigned long long)got,
			 (unsigned long long)wanted);
	return ok;
}

/* Groups of 0.3, 3, 17 and 40 ms, moved on by @turn. */
static void unequal_groups(int turn)
{
	static const u64 costs[] = { 300000, 3 * MS, 17 * MS, 40 * MS };

	for (int i = 0; i < w.nr; i++)
		w.p[i].cost_ns = costs[(i + turn) % ARRAY_SIZE(costs)];
}

static const u32 credits[][4] = {
	{ 256, 256, 256, 256 }, { 256, 512, 1024, 256 }, { 100, 150, 250, 175 },
	{ 1, 10, 100, 33 }, { 10000, 9999, 5000, 300 },
};

static void shares_are(const struct tg_policy_ops *policy, const u32 *credit, int turn,
		       const u32 *wanted)
{
	u64 sum = 0;

	begin(policy, 4, 4);
	unequal_groups(turn);
	for (int i = 0; i < 4; i++) {
		if (policy == &tg_policy_xc)
			tg_sched_domain_cpu(&w.s, &d[i], credit[i], 0);
		else
			set_rule(i, credit[i], 0);
		sum += wanted[i];
	}
	ask_all();
	world_run_until(40 * SECOND);
	for (int i = 0; i < 4; i++)
		if (!CHECK(is_near(share(i), 10000ULL * wanted[i] / sum, 100)))
			tap_diag("%s, groups %d, credit %u", policy->name, turn, credit[i]);
	CHECK(w.idle_ns <= w.now / 50);
}

static void credits_are_shares(void)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(credits); i++)
		for (int turn = 0; turn < 4; turn++) {
			shares_are(&tg_policy_accc, credits[i], turn, credits[i]);
			shares_are(&tg_policy_xc, credits[i], turn, credits[i]);
			shares_are(&tg_policy_slaf, credits[i], turn, credits[i]);
			shares_are(&tg_policy_augc, credits[i], turn, credits[i]);
		}
}

/* Groups that are often longer than predicted: the last of a turn does not begin another. */
static void who_takes_longer_than_predicted_has_no_more(void)
{
	begin(&tg_policy_accc, 3, 3);
	tg_lead_set_predictor(&w.s, &tg_predictors[TG_PREDICTOR_AVERAGE]);
	tg_sched_set_lead(&w.s, 5 * MS);
	for (int i = 0; i < 3; i++) {
		w.p[i].cost_ns = 200000;
		w.p[i].jitter_ns = i ? 0 : 5 * MS;
	}
	set_rule(0, 300, 0);
	ask_all();
	world_run_until(20 * SECOND);
	CHECK(is_near(share(0), 6000, 100));
	CHECK(is_near(share(2), 2000, 100));
}

static void round_robin_knows_no_credits(void)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(credits); i++)
		shares_are(&tg_policy_rr, credits[i], i, credits[0]);
}

/* The paper's example: credits 1024, 512, 256, 512 are 4, 2, 1 and 2 ticks. */
static void turns_are_ticks(void)
{
	static const u32 credit[] = { 1024, 512, 256, 512 }, order[] = { 0, 1, 3, 2 };
	u64 tick = 30 * MS, from;

	begin(&tg_policy_accc, 4, 4);
	for (int i = 0; i < 4; i++) {
		w.p[i].cost_ns = MS;
		set_rule(i, credit[i], 0);
	}
	ask_all();
	world_run_until(SECOND);
	while (w.s.credits.current_unit != &d[2])
		world_run_until(w.now + 100000);
	while (w.s.credits.current_unit == &d[2])
		world_run_until(w.now + 100000);
	for (int k = 0; k < 4; k++) {
		int i = order[k];

		from = w.p[i].ran_ns;
		CHECK(w.s.credits.current_unit == &d[i]);
		while (w.s.credits.current_unit == &d[i])
			world_run_until(w.now + 100000);
		CHECK(is_near(w.p[i].ran_ns - from, tick * credit[i] / 256, 3 * MS));
	}
}

/* Half as long ticks: turns are half as long. */
static void ticks_can_be_set(void)
{
	u64 from;

	begin(&tg_policy_rr, 2, 2);
	tg_sched_set_tick(&w.s, 8 * MS);
	w.p[0].cost_ns = w.p[1].cost_ns = MS / 2;
	ask_all();
	world_run_until(SECOND);
	while (w.s.credits.current_unit != &d[1])
		world_run_until(w.now + 100000);
	for (int n = 0; n < 2; n++) {
		while (w.s.credits.current_unit != &d[n])
			world_run_until(w.now + 100000);
		from = w.p[n].ran_ns;
		while (w.s.credits.current_unit == &d[n])
			world_run_until(w.now + 100000);
		CHECK(is_near(w.p[n].ran_ns - from, 8 * MS, 2 * MS));
	}
	CHECK(is_near(share(0), 5000, 100));
}

/* Three programs in none have together what one domain of weight 100 has. */
static void those_in_no_domain_are_one_unit(void)
{
	for (unsigned int k = 0; k < 3; k++) {
		begin(all[k], 4, 1);
		set_rule(0, 100, 0);
		ask_all();
		world_run_until(10 * SECOND);
		CHECK(is_near(share(0), 5000, 100));
		for (int i = 1; i < 4; i++)
			CHECK(is_near(share(i), 1667, 100));
	}
}

/* Two programs of a domain, one of it in a domain within, share its part. */
static void within_a_domain_it_is_fair(void)
{
	begin(&tg_policy_accc, 4, 2);
	tg_sched_move(&w.s, &w.p[2].task, &d[1], 0);
	tg_domain_init(&d[3], &d[1]);
	tg_sched_add_domain(&w.s, &d[3], 0);
	tg_sched_move(&w.s, &w.p[3].task, &d[3], 0);
	set_rule(1, 300, 0);
	ask_all();
	world_run_until(20 * SECOND);
	CHECK(is_near(share(0), 2500, 100));
	for (int i = 1; i < 4; i++)
		CHECK(is_near(share(i), 2500, 100));
}

static void another_rule_counts_at_once(void)
{
	begin(&tg_policy_accc, 2, 2);
	ask_all();
	world_run_until(SECOND);
	set_rule(0, 400, 0);
	count_from_now();
	world_run_until(11 * SECOND);
	CHECK(is_near(share(0), 8000, 100));
	for (int i = 0; i < 2; i++)
		tg_sched_set_task(&w.s, &w.p[i].task, &tg_policy_rr, 0, false, false, w.now);
	count_from_now();
	world_run_until(21 * SECOND);
	CHECK(is_near(share(0), 5000, 100));
	for (int i = 0; i < 2; i++)
		tg_sched_set_task(&w.s, &w.p[i].task, &tg_policy_fq, 0, false, false, w.now);
	CHECK(!w.s.credits.scheme && list_empty(&w.s.credits.ready));
	count_from_now();
	world_run_until(31 * SECOND);
	CHECK(is_near(share(0), 8000, 150));
}

/* Who has nothing to do leaves the GPU to the others. */
static void what_one_does_not_use_others_do(void)
{
	for (unsigned int k = 0; k < ARRAY_SIZE(all); k++) {
		begin(all[k], 3, 3);
		set_rule(0, 1000, 0);
		w.p[0].cost_ns = 2 * MS;
		w.p[0].period_ns = 100 * MS;
		ask_all();
		world_run_until(10 * SECOND);
		CHECK(w.idle_ns <= w.now / 50);
		CHECK(w.p[0].nr_ran >= 90);
		CHECK(is_near(w.p[1].ran_ns / (w.now / 10000), 4900, k == 5 ? 500 : 200));
	}
}

/* Short pauses are waited for, so that a turn is a turn; long ones are not. */
static void who_pauses_is_waited_for_but_not_for_long(void)
{
	u64 idle;

	for (unsigned int k = 0; k < 4; k++) {
		begin(all[k], 2, 2);
		w.p[0].cost_ns = 2 * MS;
		w.p[0].waits = true;
		w.p[0].think_ns = 100000;
		w.p[1].cost_ns = 20 * MS;
		ask_all();
		/* Until its pauses are known. */
		world_run_until(SECOND);
		count_from_now();
		world_run_until(10 * SECOND);
		CHECK(is_near(share(0), 5000, 200));
		CHECK(w.idle_ns <= w.now / 20);
		w.p[0].think_ns = 100 * SECOND;
		count_from_now();
		world_run_until(11 * SECOND);
		idle = w.idle_ns;
		world_run_until(20 * SECOND);
		CHECK(w.idle_ns - idle <= w.now / 1000);
	}
}

/* Pauses as long as the groups would leave the GPU idle for half of the turn. */
static void who_is_waited_for_is_worth_it(void)
{
	begin(&tg_policy_rr, 2, 2);
	w.p[0].cost_ns = 100000;
	w.p[0].waits = true;
	w.p[0].think_ns = 50000;
	w.p[1].cost_ns = 20 * MS;
	ask_all();
	world_run_until(10 * SECOND);
	CHECK(w.idle_ns <= w.now / 50);
}

/* Groups of 2 ms, and 1 ms of thought: it has its turn though others use the pauses. */
static void a_turn_is_kept_in_longer_pauses(void)
{
	begin(&tg_policy_accc, 2, 2);
	w.p[0].cost_ns = 2 * MS;
	w.p[0].waits = true;
	w.p[0].think_ns = MS;
	w.p[1].cost_ns = MS;
	ask_all();
	world_run_until(10 * SECOND);
	if (!CHECK(share(0) >= 4000))
		tap_diag("%llu", (unsigned long long)share(0));
	CHECK(w.idle_ns <= w.now / 40);
}

/* Others use its pauses, but it has what its credit says: 2 ms of GPU, 1 ms of thought. */
static void who_computes_between_his_groups_has_his_credit(void)
{
	static const u32 weights[] = { 100, 150, 200 };

	for (unsigned int k = 0; k < 3; k++) {
		begin(&tg_policy_accc, 4, 4);
		for (int i = 0; i < 4; i++)
			w.p[i].cost_ns = 2 * MS;
		w.p[0].waits = true;
		w.p[0].think_ns = MS;
		set_rule(0, weights[k], 0);
		ask_all();
		world_run_until(SECOND);
		count_from_now();
		world_run_until(11 * SECOND);
		if (!CHECK(is_near(share(0), 10000 * weights[k] / (300 + weights[k]), 100)))
			tap_diag("%u: %llu", weights[k], (unsigned long long)share(0));
	}
}

static void nobody_starves(void)
{
	for (unsigned int k = 0; k < ARRAY_SIZE(all); k++) {
		begin(all[k], 5, 4);
		unequal_groups(k);
		set_rule(0, 1000, 0);
		set_rule(1, 20, 0);
		set_rule(2, 100, 90);
		tg_sched_domain_cpu(&w.s, &d[0], 1000, 1000000);
		tg_sched_domain_cpu(&w.s, &d[1], 20, 0);
		tg_sched_domain_runs(&w.s, &d[0], 1);
		ask_all();
		world_run_until(2 * SECOND);
		for (int i = 0; i < 5; i++)
			w.p[i].waited_max_ns = 0;
		world_run_until(30 * SECOND);
		for (int i = 0; i < 5; i++)
			if (!CHECK(w.p[i].nr_ran && (w.p[i].waited_max_ns < 10 * SECOND)))
				tap_diag("%s %d: %llu ms", all[k]->name, i,
					 (unsigned long long)(w.p[i].waited_max_ns / MS));
	}
}

/* In percent of the GPU; 0 has none. */
static void targets_are_reached(const u32 *target, const u32 *weight, int turn)
{
	begin(&tg_policy_slaf, 4, 4);
	unequal_groups(turn);
	for (int i = 0; i < 4; i++)
		set_rule(i, weight[i], target[i]);
	ask_all();
	world_run_until(10 * SECOND);
	count_from_now();
	world_run_until(20 * SECOND);
	for (int i = 0; i < 4; i++)
		if (target[i] && !CHECK(is_near(share(i), 100 * target[i], 200)))
			tap_diag("groups %d, domain %d", turn, i);
	if (!target[2])
		CHECK(is_near(share(2) * weight[3], share(3) * weight[2],
			      share(3) * weight[2] / 10 + 100 * weight[2]));
}

static void feedback_reaches_what_is_feasible(void)
{
	static const u32 target[][4] = {
		{ 50, 20, 0, 0 }, { 20, 80, 0, 0 }, { 20, 30, 40, 10 }, { 70, 0, 0, 0 },
		{ 45, 45, 0, 0 }, { 5, 10, 0, 0 }, { 85, 0, 0, 0 },
	};
	static const u32 weight[][4] = {
		{ 100, 100, 100, 100 }, { 256, 512, 1024, 256 }, { 300, 100, 100, 50 },
	};

	for (unsigned int i = 0; i < ARRAY_SIZE(target); i++) {
		if (target[i][0] + target[i][1] == 100)
			continue;
		for (unsigned int k = 0; k < ARRAY_SIZE(weight); k++)
			for (int turn = 0; turn < 4; turn++)
				targets_are_reached(target[i], weight[k], turn);
	}
}

/* 80 and 20 with nobody beside: section 6.3, figure 6. */
static void feedback_divides_all_there_is(void)
{
	for (int turn = 0; turn < 4; turn++) {
		begin(&tg_policy_slaf, 2, 2);
		unequal_groups(turn);
		set_rule(0, 1024, 20);
		set_rule(1, 1024, 80);
		ask_all();
		world_run_until(10 * SECOND);
		count_from_now();
		world_run_until(20 * SECOND);
		CHECK(is_near(share(1), 8000, 200));
	}
}

/* 80 and 80: who has more credits has 80. */
static void what_is_not_feasible_is_taken_from_those_with_fewer_credits(void)
{
	begin(&tg_policy_slaf, 2, 2);
	set_rule(0, 100, 80);
	set_rule(1, 1000, 80);
	ask_all();
	world_run_until(10 * SECOND);
	count_from_now();
	world_run_until(20 * SECOND);
	CHECK(is_near(share(1), 8000, 200));
	CHECK(is_near(share(0), 2000, 200));
}

/* Who does little does not collect turns for later. */
static void feedback_gives_nothing_to_who_does_not_use_it(void)
{
	begin(&tg_policy_slaf, 2, 2);
	set_rule(0, 100, 50);
	w.p[0].cost_ns = MS;
	w.p[0].period_ns = 20 * MS;
	ask_all();
	world_run_until(20 * SECOND);
	CHECK(d[0].credit.earned <= 4 * 100 * TG_CREDIT_UNIT);
	CHECK(w.idle_ns <= w.now / 50);
}

/* Its CPU runs one of the two, in turn; @share_of of the time in which it does. */
static u64 share_while_running(const struct tg_policy_ops *policy, u32 weight)
{
	u64 of = 0, all_of = 0;

	begin(policy, 2, 2);
	set_rule(0, weight, 0);
	for (int i = 0; i < 2; i++)
		tg_sched_domain_cpu(&w.s, &d[i], 100, 1000);
	ask_all();
	world_run_until(SECOND);
	for (int n = 0; n < 400; n++) {
		u64 before = w.p[n & 1].ran_ns, other = w.p[!(n & 1)].ran_ns;

		tg_sched_domain_runs(&w.s, &d[!(n & 1)], 0);
		tg_sched_domain_runs(&w.s, &d[n & 1], 1);
		world_run_until(w.now + 10 * MS);
		of += w.p[n & 1].ran_ns - before;
		all_of += w.p[n & 1].ran_ns - before + w.p[!(n & 1)].ran_ns - other;
	}
	return of * 10000 / all_of;
}

static void who_runs_on_the_cpu_goes_first(void)
{
	CHECK(share_while_running(&tg_policy_augc, 100) >= 7000);
	CHECK(share_while_running(&tg_policy_cosched, 100) >= 7000);
	CHECK(is_near(share_while_running(&tg_policy_accc, 100), 5000, 1000));
}

/* The boost changes when, not how much. */
static void the_boost_takes_nothing_from_others(void)
{
	begin(&tg_policy_augc, 2, 2);
	set_rule(0, 300, 0);
	tg_sched_domain_cpu(&w.s, &d[1], 100, 1000000);
	tg_sched_domain_runs(&w.s, &d[1], 1);
	ask_all();
	world_run_until(10 * SECOND);
	CHECK(is_near(share(0), 7500, 100));
}

static void strict_coscheduling(u32 patience)
{
	begin(&tg_policy_cosched, 3, 3);
	tg_sched_set_patience(&w.s, patience);
	set_rule(0, 1000, 0);
	set_rule(2, 500, 0);
	tg_sched_domain_runs(&w.s, &d[1], 1);
	ask_all();
	world_run_until(SECOND);
	for (int i = 0; i < 3; i++)
		w.p[i].waited_max_ns = 0;
	count_from_now();
	world_run_until(11 * SECOND);
}

/* 11 groups in 3.3 s: ten ticks and what the GPU has. */
static void cosched_is_the_papers_but_for_patience(void)
{
	strict_coscheduling(0);
	CHECK(share(1) == 10000);
	strict_coscheduling(10);
	CHECK(share(1) >= 9700);
	for (int i = 0; i < 3; i += 2) {
		CHECK(w.p[i].ran_ns > had[i] + 25 * 3 * MS);
		CHECK(w.p[i].waited_max_ns <= 300 * MS + 4 * 3 * MS);
	}
	/* None runs: who has most credits does. */
	tg_sched_domain_runs(&w.s, &d[1], 0);
	count_from_now();
	world_run_until(21 * SECOND);
	CHECK(share(0) >= 9700);
}

/* Two run, with equal credits: turns. */
static void cosched_shares_among_equals(void)
{
	begin(&tg_policy_cosched, 3, 3);
	unequal_groups(0);
	for (int i = 0; i < 2; i++)
		tg_sched_domain_runs(&w.s, &d[i], 1);
	ask_all();
	world_run_until(10 * SECOND);
	CHECK(is_near(share(0), share(1), 200));
	CHECK(share(2) <= 1300);
}

/* Nobody asks whether they run: they are taken to. */
static void who_is_in_no_domain_waits_no_longer_in_cosched(void)
{
	begin(&tg_policy_cosched, 2, 1);
	tg_sched_domain_runs(&w.s, &d[0], 1);
	ask_all();
	world_run_until(10 * SECOND);
	CHECK(is_near(share(1), 5000, 200));
	CHECK(w.p[1].waited_max_ns <= 100 * MS);
}

/* Two of three units are a new domain for each group. */
static void a_new_domain_for_each_group_gets_no_more(void)
{
	for (unsigned int k = 0; k < ARRAY_SIZE(all); k++) {
		begin(all[k], 3, 3);
		for (int i = 0; i < 2; i++) {
			w.p[i].reborn = true;
			w.p[i].fresh = &d[i];
			w.p[i].cost_ns = (1 + 49 * (k & 1)) * MS;
		}
		ask_all();
		world_run_until(20 * SECOND);
		if (!CHECK(share(2) >= 3100))
			tap_diag("%s: %llu of 10,000", all[k]->name, (unsigned long long)share(2));
	}
}

/* As tg_client_reclass(): each GPU's domains, then its tasks. */
static void change_policy(const struct tg_policy_ops *policy)
{
	for (int i = 0; i < w.nr; i++)
		tg_sched_domain_even(&w.s, &d[i]);
	for (int i = 0; i < w.nr; i++)
		tg_sched_set_task(&w.s, &w.p[i].task, policy, 0, false, false, w.now);
}

/* What one had in turn, and not by its credits, it need not give back under another policy. */
static void another_policy_holds_from_its_beginning(void)
{
	for (unsigned int k = 0; k < ARRAY_SIZE(all); k++) {
		begin(&tg_policy_rr, 2, 2);
		set_rule(1, 300, 0);
		ask_all();
		world_run_until(5 * SECOND);
		change_policy(all[k]);
		world_run_until(w.now + 100 * MS);
		change_policy(&tg_policy_fq);
		count_from_now();
		world_run_until(w.now + SECOND);
		if (!CHECK(is_near(share(0), 2500, 100)))
			tap_diag("after rr and %s", all[k]->name);
	}
}

/* A quota of 10 ms in 100. */
static void a_throttled_unit_is_passed_over(void)
{
	const struct tg_domain_rule rule = { .weight = 1000, .capacity_ns = 10 * MS,
					     .period_ns = 100 * MS };

	for (unsigned int k = 0; k < ARRAY_SIZE(all); k++) {
		begin(all[k], 2, 2);
		tg_sched_set_domain(&w.s, &d[0], &rule, 0);
		tg_sched_domain_runs(&w.s, &d[0], 1);
		ask_all();
		world_run_until(10 * SECOND);
		CHECK(w.p[0].ran_ns <= SECOND + 10 * MS + 3 * MS);
		if (k != 1 && k != 3)
			CHECK(w.p[0].ran_ns >= SECOND / 2);
		CHECK(w.idle_ns <= w.now / 50);
	}
}

static void a_domain_that_goes_is_nowhere(void)
{
	begin(&tg_policy_accc, 2, 2);
	w.p[0].waits = true;
	w.p[0].think_ns = 100 * SECOND;
	ask_all();
	world_run_until(3 * MS + SUBMIT_NS + NOTICE_NS);
	CHECK(w.s.credits.last == &w.p[0].task);
	tg_sched_remove_task(&w.s, &w.p[0].task, w.now);
	CHECK(w.s.credits.last != &w.p[0].task);
	tg_sched_remove_domain(&w.s, &d[0], w.now);
	memset(&d[0], 0xa5, sizeof(d[0]));
	memset(&w.p[0].task, 0xa5, sizeof(w.p[0].task));
	world_run_until(SECOND);
	CHECK(w.p[1].ran_ns >= 900 * MS);
}

static void who_is_more_important_goes_first(void)
{
	for (unsigned int k = 0; k < ARRAY_SIZE(all); k++) {
		begin(all[k], 2, 2);
		set_rule(1, 10000, 0);
		tg_sched_domain_runs(&w.s, &d[1], 1);
		tg_sched_set_task(&w.s, &w.p[0].task, &tg_policy_prt, 5, false, false, 0);
		ask_all();
		world_run_until(SECOND);
		CHECK(share(0) >= 9900);
	}
}

int main(void)
{
	static const struct tap_case cases[] = {
#define CASE(f) { #f, f }
		CASE(credits_are_shares),
		CASE(who_takes_longer_than_predicted_has_no_more),
		CASE(round_robin_knows_no_credits),
		CASE(turns_are_ticks),
		CASE(ticks_can_be_set),
		CASE(those_in_no_domain_are_one_unit),
		CASE(within_a_domain_it_is_fair),
		CASE(another_rule_counts_at_once),
		CASE(what_one_does_not_use_others_do),
		CASE(who_pauses_is_waited_for_but_not_for_long),
		CASE(who_is_waited_for_is_worth_it),
		CASE(a_turn_is_kept_in_longer_pauses),
		CASE(who_computes_between_his_groups_has_his_credit),
		CASE(nobody_starves),
		CASE(feedback_reaches_what_is_feasible),
		CASE(feedback_divides_all_there_is),
		CASE(what_is_not_feasible_is_taken_from_those_with_fewer_credits),
		CASE(feedback_gives_nothing_to_who_does_not_use_it),
		CASE(who_runs_on_the_cpu_goes_first),
		CASE(the_boost_takes_nothing_from_others),
		CASE(cosched_is_the_papers_but_for_patience),
		CASE(cosched_shares_among_equals),
		CASE(who_is_in_no_domain_waits_no_longer_in_cosched),
		CASE(a_new_domain_for_each_group_gets_no_more),
		CASE(another_policy_holds_from_its_beginning),
		CASE(a_throttled_unit_is_passed_over),
		CASE(a_domain_that_goes_is_nowhere),
		CASE(who_is_more_important_goes_first),
		CASE(random_steps_agree_with_the_oracle),
	};

	return tap_run(cases, ARRAY_SIZE(cases));
}
