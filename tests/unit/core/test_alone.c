// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * When it makes no difference whether tasks' groups ask: nobody has a claim on the
 * GPU, nothing limits them, and asking costs more than a few of their groups. And that
 * what one then has of the GPU is paid for once.
 */
#include "world.h"

#define US 1000ULL
#define MS 1000000ULL
#define LEAD_NS MS

static void begin(int nr, u64 cost_ns)
{
	world_begin(LEAD_NS, nr);
	for (int i = 0; i < nr; i++) {
		tg_sched_set_task(&w.s, &w.p[i].task, &tg_policy_fq, 0, false, false, 0);
		w.p[i].cost_ns = cost_ns;
	}
}

static bool is_free(int i)
{
	return tg_sched_may_run_free(&w.s, &w.p[i].task, true, w.now);
}

/* A lone program with groups of 60 us, for 300 ms. */
static void begin_alone(void)
{
	begin(3, 60 * US);
	world_ask(&w.p[0]);
	world_run_until(300 * MS);
}

static void who_was_the_only_one_for_a_while_runs_free(void)
{
	begin(2, 60 * US);
	CHECK(!is_free(0) && !is_free(1));
	world_ask(&w.p[0]);
	world_run_until(90 * MS);
	CHECK(!is_free(0));
	world_run_until(300 * MS);
	CHECK(is_free(0) && !is_free(1));
	CHECK(tg_sched_asked_last(&w.s, &w.p[0].task));
}

static void who_was_alone_before_is_not_any_more(void)
{
	bool was_idle = false;

	begin(2, 60 * US);
	w.p[1].period_ns = MS;
	world_ask(&w.p[1]);
	world_run_until(40 * MS);
	w.p[1].period_ns = 10000 * MS;
	w.p[0].period_ns = 5 * MS;
	world_ask(&w.p[0]);
	for (u64 t = 300 * MS; t < 310 * MS; t += 100 * US) {
		world_run_until(t);
		CHECK(is_free(0) && !is_free(1));
		was_idle |= !w.s.nr_online;
	}
	CHECK(was_idle);
}

/* With long groups, one that comes every 80 ms keeps the other from running free. */
static void who_shares_the_gpu_with_long_groups_asks(void)
{
	begin(2, 60 * US);
	w.p[1].period_ns = 80 * MS;
	w.p[1].cost_ns = 5 * MS;
	world_ask(&w.p[0]);
	world_ask(&w.p[1]);
	for (u64 t = 10 * MS; t < 3000 * MS; t += 3 * MS) {
		world_run_until(t);
		CHECK(!is_free(0) && !is_free(1) && !tg_sched_may_join_free(&w.s, &w.p[1].task));
	}
}

/* Until its groups are known it keeps the other from it, and then it may do so too. */
static void who_shares_the_gpu_with_short_groups_joins(void)
{
	static const u64 cost_us[] = { 60, 250, 500, 2000, 3900 };

	for (unsigned int i = 0; i < ARRAY_SIZE(cost_us); i++) {
		bool asks = true, joins = false;

		begin(2, 60 * US);
		w.p[1].period_ns = 20 * MS;
		w.p[1].cost_ns = cost_us[i] * US;
		world_ask(&w.p[0]);
		world_ask(&w.p[1]);
		for (u64 t = 10 * MS; t < 2000 * MS; t += 3 * MS) {
			world_run_until(t);
			asks &= !is_free(0) || t > 300 * MS;
			joins |= is_free(0) && tg_sched_may_join_free(&w.s, &w.p[1].task);
		}
		CHECK(asks && joins);
	}
}

/* Where it cannot be told who has what. */
static void who_cannot_share_is_alone_or_asks(void)
{
	begin(2, 60 * US);
	w.p[1].period_ns = 20 * MS;
	world_ask(&w.p[1]);
	world_run_until(600 * MS);
	w.p[1].period_ns = 80 * MS;
	world_ask(&w.p[0]);
	for (u64 t = 610 * MS; t < 2000 * MS; t += 3 * MS) {
		world_run_until(t);
		CHECK(!tg_sched_may_run_free(&w.s, &w.p[0].task, false, w.now));
	}
	CHECK(is_free(0));
	w.p[1].period_ns = 10000 * MS;
	world_run_until(2500 * MS);
	CHECK(tg_sched_may_run_free(&w.s, &w.p[0].task, false, w.now));
}

/* Nobody joins one with a rule, and it does not begin beside others. */
static void one_with_a_rule_shares_with_nobody(void)
{
	begin(2, 60 * US);
	w.p[1].period_ns = 20 * MS;
	tg_sched_set_task(&w.s, &w.p[0].task, &tg_policy_prt, 50, false, false, w.now);
	world_ask(&w.p[0]);
	world_ask(&w.p[1]);
	for (u64 t = 10 * MS; t < 1000 * MS; t += 3 * MS) {
		world_run_until(t);
		CHECK(!is_free(0) && !is_free(1));
	}
	CHECK(!tg_sched_may_join_free(&w.s, &w.p[0].task));
	CHECK(!tg_sched_may_join_free(&w.s, &w.p[1].task));
	tg_sched_set_task(&w.s, &w.p[0].task, &tg_policy_fq, 0, false, false, w.now);
	CHECK(tg_sched_may_join_free(&w.s, &w.p[0].task));
	tg_task_set_weight(&w.p[1].task, 200);
	tg_sched_set_task(&w.s, &w.p[1].task, &tg_policy_fq, 0, false, false, w.now);
	CHECK(!tg_sched_may_join_free(&w.s, &w.p[0].task));
}

static void one_that_asked_ends_it_for_as_long(void)
{
	begin_alone();
	w.p[1].period_ns = 100000 * MS;
	world_ask(&w.p[1]);
	world_run_until(301 * MS);
	CHECK(!is_free(0));
	world_run_until(390 * MS);
	CHECK(!is_free(0));
	world_run_until(600 * MS);
	CHECK(is_free(0));
}

/* What a rule promises holds for the first group of who has it, too. */
static void nobody_is_alone_beside_one_with_a_rule(void)
{
	static const struct {
		const struct tg_policy_ops *policy;
		u8 prio;
		bool focus;
	} rules[] = {
		{ &tg_policy_prt, 0, false },
		{ &tg_policy_ht, 40, false },
		{ &tg_policy_fq, 1, false },
		{ &tg_policy_fq, 0, true },
	};

	for (unsigned int i = 0; i < ARRAY_SIZE(rules); i++) {
		begin_alone();
		tg_sched_set_task(&w.s, &w.p[1].task, rules[i].policy, rules[i].prio,
				  rules[i].focus, false, w.now);
		CHECK(!is_free(0));
		tg_sched_set_task(&w.s, &w.p[1].task, &tg_policy_fq, 0, false, false, w.now);
		world_run_until(600 * MS);
		CHECK(is_free(0));
		tg_sched_set_task(&w.s, &w.p[1].task, rules[i].policy, rules[i].prio,
				  rules[i].focus, false, w.now);
		tg_sched_remove_task(&w.s, &w.p[1].task, w.now);
		world_run_until(900 * MS);
		CHECK(is_free(0));
	}
}

static void its_own_rule_does_not_matter(void)
{
	begin_alone();
	tg_sched_set_task(&w.s, &w.p[0].task, &tg_policy_prt, 50, false, false, w.now);
	world_run_until(310 * MS);
	CHECK(!is_free(0));
	world_run_until(600 * MS);
	CHECK(is_free(0));
}

/* A reserve caps, whoever else is there; and one of another's is a promise. */
static void nobody_is_alone_beside_a_reserve(void)
{
	static struct tg_reserve r;

	for (int owner = 0; owner < 2; owner++) {
		begin_alone();
		tg_reserve_init(&r, &tg_reserve_pe, 30 * MS, 40 * MS, w.now);
		CHECK(tg_sched_add_reserve(&w.s, &r));
		tg_sched_join(&w.s, &w.p[owner].task, &r, w.now);
		world_run_until(600 * MS);
		CHECK(!is_free(0) && !tg_sched_may_join_free(&w.s, &w.p[0].task));
	}
	begin_alone();
	tg_sched_join(&w.s, &w.p[0].task, &w.s.background, w.now);
	CHECK(is_free(0));
	w.s.background.capacity_ns /= 2;
	CHECK(!is_free(0));
}

static void long_groups_ask(void)
{
	for (u64 cost = 50 * US; cost < 2 * MS; cost += 50 * US) {
		begin(1, cost);
		world_ask(&w.p[0]);
		world_run_until(300 * MS);
		CHECK(is_free(0) == (cost <= 250 * US));
	}
	/* What was a stretch of many groups counts as one long group, and is forgotten. */
	begin_alone();
	w.p[0].cost_ns = 20 * MS;
	world_run_until(500 * MS);
	CHECK(!is_free(0));
	w.p[0].cost_ns = 60 * US;
	world_run_until(900 * MS);
	CHECK(is_free(0));
}

/* Sixteen groups are not known yet. */
static void a_new_program_asks(void)
{
	begin(1, 60 * US);
	w.p[0].period_ns = 20 * MS;
	world_ask(&w.p[0]);
	world_run_until(250 * MS);
	CHECK(!is_free(0));
	world_run_until(500 * MS);
	CHECK(is_free(0));
}

/* Another's group that the GPU has had for long, or that waits for long, is there. */
static void nobody_is_alone_beside_groups_of_others(void)
{
	begin_alone();
	/* A thread of the lone task asks last. */
	w.p[2].of = &w.p[0].task;
	w.p[1].cost_ns = 400 * MS;
	world_ask(&w.p[1]);
	world_run_until(301 * MS);
	world_ask(&w.p[2]);
	CHECK(tg_sched_asked_last(&w.s, &w.p[0].task) && w.s.nr_online == 1);
	CHECK(!tg_sched_may_run_free(&w.s, &w.p[0].task, true, w.now + 200 * MS));
	CHECK(!tg_sched_may_run_free(&w.s, &w.p[0].task, false, w.now + 200 * MS));
	begin_alone();
	tg_sched_set_task(&w.s, &w.p[0].task, &tg_policy_ht, 50, false, false, w.now);
	world_ask(&w.p[1]);
	world_run_until(600 * MS);
	CHECK(w.s.nr_waiting && tg_sched_asked_last(&w.s, &w.p[0].task) && !is_free(0));
	begin_alone();
	w.s.nr_aside = 1;
	CHECK(!is_free(0));
}

static void nobody_is_alone_beside_who_waits_for_a_budget(void)
{
	begin_alone();
	tg_sched_set_task(&w.s, &w.p[0].task, &tg_policy_ht, 50, false, false, w.now);
	w.s.background.capacity_ns = MS;
	w.s.background.period_ns = 1000 * MS;
	w.s.background.budget_ns = -1;
	w.s.background.next_ns = 900 * MS;
	tg_sched_join(&w.s, &w.p[1].task, &w.s.background, w.now);
	world_ask(&w.p[1]);
	world_run_until(600 * MS);
	CHECK(w.s.nr_throttled && !w.s.nr_waiting && !is_free(0));
}

static void what_it_used_is_paid_for_once(void)
{
	struct tg_task *t = &w.p[0].task;

	begin(1, 60 * US);
	tg_sched_join(&w.s, t, &w.s.background, w.now);
	for (int i = 1; i <= 10; i++)
		tg_sched_use(&w.s, t, 4 * MS, w.now + i * 4 * MS);
	CHECK(t->gpu_ns == 40 * MS && t->gpu_cpu_ns == 40 * MS);
	CHECK(w.s.background.used_ns == 40 * MS && w.s.busy_ns == 40 * MS);
	/* A group that began meanwhile pays from there on. */
	CHECK(w.s.last_finish_ns == w.now + 40 * MS);
}

#define CASE(f) { #f, f }

int main(void)
{
	static const struct tap_case cases[] = {
		CASE(who_was_the_only_one_for_a_while_runs_free),
		CASE(who_was_alone_before_is_not_any_more),
		CASE(who_shares_the_gpu_with_long_groups_asks),
		CASE(who_shares_the_gpu_with_short_groups_joins),
		CASE(who_cannot_share_is_alone_or_asks),
		CASE(one_with_a_rule_shares_with_nobody),
		CASE(one_that_asked_ends_it_for_as_long),
		CASE(nobody_is_alone_beside_one_with_a_rule),
		CASE(its_own_rule_does_not_matter),
		CASE(nobody_is_alone_beside_a_reserve),
		CASE(long_groups_ask),
		CASE(a_new_program_asks),
		CASE(nobody_is_alone_beside_groups_of_others),
		CASE(nobody_is_alone_beside_who_waits_for_a_budget),
		CASE(what_it_used_is_paid_for_once),
	};

	return tap_run(cases, ARRAY_SIZE(cases));
}
