// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The floor, by what it promises: a level that has work is served within a period and
 * what the GPU has by then, whoever is above it; all that is lifted takes no more than C
 * of a period and one group; who is above loses no more than that; and an HT task does
 * not keep the GPU from its equals.
 */
#include "world.h"

#define MS 1000000ULL
#define SECOND (1000 * MS)
#define LEAD_NS MS
#define DEPTH 16
#define FLOOR_C (3 * MS)
#define FLOOR_T (100 * MS)
/* What passes around a group. */
#define AROUND (SUBMIT_NS + NOTICE_NS)

static void begin(int nr, bool floor)
{
	world_begin(LEAD_NS, nr);
	if (floor)
		tg_sched_set_floor(&w.s, FLOOR_C, FLOOR_T, 0);
	for (int i = 0; i < nr; i++)
		tg_sched_set_task(&w.s, &w.p[i].task, &tg_policy_fq, 0, false, false, 0);
}

static void set(int i, const struct tg_policy_ops *policy, u8 prio)
{
	tg_sched_set_task(&w.s, &w.p[i].task, policy, prio, false, false, w.now);
}

static void ask_all(void)
{
	for (int i = 0; i < w.nr; i++)
		world_ask(&w.p[i]);
}

/* An HT task above all with groups of @cost, and a compositor with frames of @frame. */
static void begin_hostile(bool floor, u64 cost, u64 frame)
{
	begin(2, floor);
	set(0, &tg_policy_ht, TG_PRIO_MAX);
	w.p[0].cost_ns = cost;
	w.p[1].cost_ns = frame;
	w.p[1].period_ns = 16666667;
}

static bool is_at_most(u64 got, u64 most)
{
	if (got > most)
		tap_diag("%llu us, and at most %llu", (unsigned long long)got / 1000,
			 (unsigned long long)most / 1000);
	return got <= most;
}

static void nobody_waits_longer_than_a_period_and_what_the_gpu_has(void)
{
	for (u64 cost = 100000; cost <= 8 * MS; cost *= 3) {
		begin_hostile(true, cost, 2 * MS);
		ask_all();
		world_run_until(20 * SECOND);
		CHECK(is_at_most(w.p[1].waited_max_ns, FLOOR_T + DEPTH * cost + AROUND));
		CHECK(w.p[1].nr_ran >= 20 * 10 - 2);
	}
}

/* Who is not at the end of what HT allows does not wait for a turn himself. */
static void who_never_waits_is_held_too(void)
{
	begin_hostile(true, 2 * MS, 2 * MS);
	w.p[0].ahead = 4;
	ask_all();
	world_run_until(20 * SECOND);
	CHECK(is_at_most(w.p[1].waited_max_ns, FLOOR_T + 4 * 2 * MS + AROUND));
	CHECK(w.p[1].nr_ran >= 20 * 10 - 2);
}

static void below_prt_it_is_one_group_and_the_lead(void)
{
	begin_hostile(true, 8 * MS, 2 * MS);
	set(0, &tg_policy_prt, TG_PRIO_MAX);
	ask_all();
	world_run_until(20 * SECOND);
	CHECK(is_at_most(w.p[1].waited_max_ns, FLOOR_T + 8 * MS + LEAD_NS + AROUND));
}

/* The paper's. */
static void without_a_floor_they_wait_for_ever(void)
{
	begin_hostile(false, 2 * MS, 2 * MS);
	ask_all();
	world_run_until(20 * SECOND);
	CHECK(!w.p[1].nr_ran && !w.s.floor.nr_lifted);
}

/* Groups of a frame that are much shorter than C. */
static void short_groups_get_all_of_it(void)
{
	begin_hostile(true, 2 * MS, 100000);
	w.p[1].period_ns = 0;
	ask_all();
	world_run_until(20 * SECOND);
	/* But what is missing of the last group. */
	CHECK(w.p[1].ran_ns >= 190 * (FLOOR_C - 100000));
}

/* In each ten periods, wherever they begin: C of each, what is saved up, one group. */
static void it_takes_no_more_than_its_part(void)
{
	for (u64 seed = 1; seed <= 20; seed++) {
		u64 longest, used[100] = { 0 };

		begin(4, true);
		w.seed = seed;
		set(0, &tg_policy_ht, TG_PRIO_MAX);
		w.p[0].cost_ns = 500000;
		for (int i = 1; i < 4; i++) {
			set(i, i == 3 ? &tg_policy_prt : &tg_policy_fq, 10 * i);
			w.p[i].cost_ns = 50000;
			w.p[i].jitter_ns = 1 + random_below(&w.seed, 30 * MS);
		}
		ask_all();
		for (int i = 0; i < 100; i++) {
			u64 before = w.s.busy_ns - w.p[0].task.gpu_ns;

			world_run_until((i + 1) * FLOOR_T);
			used[i] = w.s.busy_ns - w.p[0].task.gpu_ns - before;
		}
		longest = w.longest_ns;
		for (int i = 0; i + 10 <= 100; i++) {
			u64 sum = 0;

			for (int k = i; k < i + 10; k++)
				sum += used[k];
			CHECK(is_at_most(sum, 11 * FLOOR_C + longest + AROUND));
		}
		/* And no less, but for what the last one owes. */
		CHECK(w.s.floor.budget.used_ns + longest >= 98 * FLOOR_C);
	}
}

/* Nor in any single one, though a turn may come when a period of the budget ends. */
static void it_takes_no_more_at_once(void)
{
	u64 before[20] = { 0 };

	begin(3, true);
	set(0, &tg_policy_ht, TG_PRIO_MAX);
	set(1, &tg_policy_prt, 50);
	for (int i = 0; i < 3; i++)
		w.p[i].cost_ns = 400000;
	ask_all();
	for (int i = 0; i < 4000; i++) {
		u64 *at = &before[i % 20];

		world_run_until((i + 1) * FLOOR_T / 20);
		CHECK(is_at_most(w.s.floor.budget.used_ns - *at, FLOOR_C + 2 * 400000));
		*at = w.s.floor.budget.used_ns;
	}
}

/* Of the first group of a task nothing is known: the next is lifted when it has ended. */
static void what_is_not_known_is_not_lifted_further(void)
{
	begin_hostile(true, MS, 30 * MS);
	set(1, &tg_policy_ht, 50);
	w.p[1].period_ns = 0;
	world_ask(&w.p[0]);
	world_run_until(SECOND);
	w.most_ns = 0;
	world_ask(&w.p[1]);
	world_run_until(SECOND + 2 * FLOOR_T);
	CHECK(w.p[1].nr_ran == 1 && w.most_ns <= 30 * MS);
}

/* Those that are passed over have their turns one after the other. */
static void levels_take_turns(void)
{
	begin(4, true);
	set(0, &tg_policy_ht, 90);
	set(1, &tg_policy_ht, 50);
	set(2, &tg_policy_prt, 20);
	for (int i = 0; i < 4; i++)
		w.p[i].cost_ns = MS;
	ask_all();
	world_run_until(30 * SECOND);
	for (int i = 1; i < 4; i++) {
		CHECK(w.p[i].ran_ns >= 95 * FLOOR_C && w.p[i].ran_ns <= 105 * FLOOR_C);
		CHECK(is_at_most(w.p[i].waited_max_ns, 3 * (FLOOR_T + FLOOR_C) + DEPTH * MS));
	}
}

/* A group that is longer than C is paid back first. */
static void long_groups_come_less_often(void)
{
	begin_hostile(true, MS, 30 * MS);
	ask_all();
	world_run_until(60 * SECOND);
	CHECK(w.p[1].nr_ran >= 58 && w.p[1].nr_ran <= 61);
	CHECK(is_at_most(w.p[1].waited_max_ns, 11 * FLOOR_T + DEPTH * MS));
}

/* The focused program: a frame at 60 Hz, above everyone. */
static void who_is_above_waits_for_the_turn_at_most(void)
{
	begin(3, true);
	set(0, &tg_policy_prt, TG_PRIO_MAX);
	set(1, &tg_policy_ht, 50);
	w.p[0].cost_ns = 3 * MS;
	w.p[0].period_ns = 16666667;
	w.p[1].cost_ns = 100000;
	w.p[2].cost_ns = 2 * MS;
	ask_all();
	world_run_until(20 * SECOND);
	CHECK(w.p[0].nr_ran >= 20 * 60 - 1);
	CHECK(is_at_most(w.p[0].waited_max_ns,
			 DEPTH * 100000 + FLOOR_C + 2 * MS + 3 * AROUND));
	CHECK(w.p[2].ran_ns >= 190 * FLOOR_C);
}

/* Who is served at its turn in any case is not lifted. */
static void who_is_served_is_not_lifted(void)
{
	begin(3, true);
	set(0, &tg_policy_prt, TG_PRIO_MAX);
	for (int i = 0; i < 3; i++)
		w.p[i].cost_ns = 5 * MS;
	w.p[0].period_ns = 50 * MS;
	ask_all();
	world_run_until(10 * SECOND);
	CHECK(!w.s.floor.nr_lifted);
}

static void who_has_not_waited_for_a_period_is_not_lifted(void)
{
	u64 due;

	begin_hostile(true, MS, MS);
	world_ask(&w.p[0]);
	world_run_until(SECOND);
	due = w.now + FLOOR_T;
	world_ask(&w.p[1]);
	world_run_until(due - MS);
	CHECK(!w.s.floor.nr_lifted && w.s.floor.until_ns < due);
	world_run_until(due + MS);
	CHECK(w.s.floor.until_ns == due + FLOOR_T);
}

/* Who was served at its turn after it had been lifted begins to wait anew. */
static void who_was_served_meanwhile_waits_from_then(void)
{
	begin_hostile(true, MS, MS);
	w.p[1].period_ns = 0;
	w.p[1].ahead = 1;
	ask_all();
	while (!w.p[1].nr_ran)
		world_run_until(w.now + MS);
	w.p[0].ahead = 1;
	w.p[0].think_ns = 5 * MS;
	/* A gap: it has the GPU. */
	world_run_until(w.now + FLOOR_T / 2);
	CHECK(w.p[1].nr_ran > 5);
	w.p[0].ahead = 0;
	world_run_until(w.now + FLOOR_T - DEPTH * MS);
	CHECK(w.s.floor.nr_lifted <= 4);
}

/* Each of them is one more at their level: that one has waited all the time. */
static void others_that_come_do_not_begin_the_wait_anew(void)
{
	begin(12, true);
	set(0, &tg_policy_ht, TG_PRIO_MAX);
	for (int i = 0; i < 12; i++) {
		w.p[i].cost_ns = MS;
		world_ask(&w.p[i]);
		world_run_until((i + 1) * FLOOR_T / 6);
	}
	CHECK(w.p[1].nr_ran);
}

/* An interval timer: it stops waiting, and comes back with its ticket. */
static void a_signal_does_not_begin_the_wait_anew(void)
{
	struct tg_group *g, n = { 0 };
	struct tg_ticket ticket = { 0 };
	u64 asked;

	begin_hostile(true, MS, 2 * MS);
	w.p[1].period_ns = 0;
	ask_all();
	world_run_until(SECOND);
	g = w.p[1].asks;
	for (asked = w.now; g->state == TG_GROUP_WAITING && w.now < asked + SECOND;
	     world_run_until(w.now + 7 * MS)) {
		tg_sched_leave(&w.s, g, &ticket, w.now);
		n = (struct tg_group){ .task = g->task, .context = g->context };
		*g = n;
		CHECK(!tg_sched_return(&w.s, g, &ticket, w.now));
	}
	CHECK(is_at_most(w.now - asked, FLOOR_T + DEPTH * MS + 7 * MS + AROUND));
}

/* The focus comes and goes all the time. */
static void a_change_of_level_does_not_begin_the_wait_anew(void)
{
	begin_hostile(true, MS, 2 * MS);
	ask_all();
	for (int i = 0; i < 1000; i++) {
		tg_sched_set_task(&w.s, &w.p[1].task, &tg_policy_fq, 50, true, i & 1, w.now);
		world_run_until(w.now + 30 * MS);
	}
	CHECK(is_at_most(w.p[1].waited_max_ns, FLOOR_T + DEPTH * MS + 30 * MS + AROUND));
}

/* Who was served a moment ago, and comes again, waits from then. */
static void who_comes_again_waits_a_period_again(void)
{
	begin_hostile(true, MS, FLOOR_C);
	w.p[1].waits = true;
	w.p[1].period_ns = 0;
	w.p[1].think_ns = 1000;
	ask_all();
	world_run_until(10 * SECOND);
	CHECK(w.p[1].nr_ran <= 100);
}

/* Its own reserve: a part in a hundred. */
static void who_waits_for_his_budget_is_not_lifted(void)
{
	struct tg_reserve r;

	begin_hostile(true, MS, MS);
	set(1, &tg_policy_prt, 0);
	w.p[1].period_ns = 0;
	tg_reserve_init(&r, &tg_reserve_pe, MS / 2, 100 * MS, 0);
	CHECK(tg_sched_add_reserve(&w.s, &r));
	tg_sched_join(&w.s, &w.p[1].task, &r, 0);
	ask_all();
	world_run_until(60 * SECOND);
	CHECK(w.p[1].ran_ns <= 600 * MS / 2 + MS);
	CHECK(w.p[1].ran_ns >= 250 * MS / 2);
}

/* Of two equals, each waits for its own slice and the other's at most, and their groups. */
static void ht_gives_way(const struct tg_policy_ops *equal, u64 cost)
{
	begin(2, true);
	set(0, &tg_policy_ht, 50);
	set(1, equal, 50);
	w.p[0].cost_ns = cost;
	w.p[1].cost_ns = 2 * MS;
	world_ask(&w.p[0]);
	world_run_until(SECOND);
	world_ask(&w.p[1]);
	/* It had been alone: the other catches up. */
	world_run_until(2 * SECOND);
	w.p[1].waited_max_ns = 0;
	w.p[0].waited_max_ns = 0;
	world_run_until(20 * SECOND);
	for (int i = 0; i < 2; i++)
		CHECK(is_at_most(w.p[i].waited_max_ns, 2 * TG_FAIR_SLICE_NS +
				 2 * w.longest_ns + 3 * AROUND));
	CHECK(!w.s.floor.nr_lifted);
	CHECK(w.p[1].ran_ns >= 19 * SECOND / 4);
}

static void ht_gives_way_to_its_equals(void)
{
	for (u64 cost = 100000; cost <= 8 * MS; cost *= 3) {
		ht_gives_way(&tg_policy_ht, cost);
		ht_gives_way(&tg_policy_prt, cost);
		ht_gives_way(&tg_policy_fq, cost);
	}
}

static void two_ht_tasks_have_half_each(void)
{
	begin(2, true);
	for (int i = 0; i < 2; i++) {
		set(i, &tg_policy_ht, 50);
		w.p[i].cost_ns = (i + 1) * MS;
	}
	ask_all();
	world_run_until(20 * SECOND);
	CHECK(w.p[0].ran_ns >= 9 * SECOND && w.p[1].ran_ns >= 9 * SECOND);
	/* They do not keep the GPU waiting for it: a gap a slice. */
	CHECK(w.idle_ns <= 20 * SECOND / 50);
}

/* It does not come to the end of what HT allows, and is in front all the same. */
static void ht_that_waits_for_its_groups(bool floor)
{
	begin(3, floor);
	set(0, &tg_policy_ht, 50);
	set(1, &tg_policy_prt, 50);
	for (int i = 0; i < 3; i++)
		w.p[i].cost_ns = MS;
	w.p[0].ahead = 4;
	world_ask(&w.p[0]);
	world_run_until(10 * MS);
	world_ask(&w.p[1]);
	world_ask(&w.p[2]);
	world_run_until(10 * SECOND);
}

static void ht_that_is_never_full_gives_way_too(void)
{
	ht_that_waits_for_its_groups(true);
	CHECK(w.p[1].ran_ns >= SECOND && w.p[2].ran_ns >= 95 * FLOOR_C);
	/* As in the paper, section 4.1. */
	ht_that_waits_for_its_groups(false);
	CHECK(!w.p[1].nr_ran && !w.p[2].nr_ran);
}

static void alone_ht_gives_way_to_nobody(void)
{
	begin(1, true);
	set(0, &tg_policy_ht, 50);
	w.p[0].cost_ns = 100000;
	ask_all();
	world_run_until(SECOND);
	CHECK(w.idle_ns <= AROUND);
}

/*
 * A program at each of some levels, whatever it does: none waits longer than until all
 * others have had their turns, each with what its longest group owes.
 */
static void whoever_is_there(u64 seed)
{
	static const struct tg_policy_ops *const policies[] = {
		&tg_policy_prt, &tg_policy_ht, &tg_policy_fq,
	};
	int nr = 2 + random_below(&seed, 5);
	u64 turns;

	begin(nr, true);
	w.seed = seed;
	for (int i = 0; i < nr; i++) {
		struct program *p = &w.p[i];

		set(i, policies[random_below(&w.seed, 3)], 10 + 10 * i);
		p->cost_ns = 50000 + random_below(&w.seed, 3 * MS);
		p->jitter_ns = random_below(&w.seed, 2) * random_below(&w.seed, 20 * MS);
		if (random_below(&w.seed, 2))
			p->period_ns = p->cost_ns + random_below(&w.seed, 30 * MS);
		else
			p->waits = random_below(&w.seed, 2);
		p->think_ns = random_below(&w.seed, 2 * MS);
	}
	ask_all();
	world_run_until(20 * SECOND);
	turns = nr * (2 + w.longest_ns / FLOOR_C);
	for (int i = 0; i < nr; i++)
		if (!is_at_most(w.p[i].waited_max_ns,
				turns * FLOOR_T + (DEPTH + 1) * w.longest_ns) ||
		    !w.p[i].nr_ran) {
			CHECK(false);
			tap_diag("seed %llu, %d of %d", (unsigned long long)seed, i, nr);
		}
}

static void none_of_any_set_starves(void)
{
	for (u64 seed = 1; seed <= 300; seed++)
		whoever_is_there(seed);
}

int main(void)
{
	static const struct tap_case cases[] = {
#define CASE(f) { #f, f }
		CASE(nobody_waits_longer_than_a_period_and_what_the_gpu_has),
		CASE(who_never_waits_is_held_too),
		CASE(below_prt_it_is_one_group_and_the_lead),
		CASE(without_a_floor_they_wait_for_ever),
		CASE(short_groups_get_all_of_it),
		CASE(it_takes_no_more_than_its_part),
		CASE(it_takes_no_more_at_once),
		CASE(what_is_not_known_is_not_lifted_further),
		CASE(levels_take_turns),
		CASE(long_groups_come_less_often),
		CASE(who_is_above_waits_for_the_turn_at_most),
		CASE(who_is_served_is_not_lifted),
		CASE(who_has_not_waited_for_a_period_is_not_lifted),
		CASE(who_was_served_meanwhile_waits_from_then),
		CASE(others_that_come_do_not_begin_the_wait_anew),
		CASE(a_signal_does_not_begin_the_wait_anew),
		CASE(a_change_of_level_does_not_begin_the_wait_anew),
		CASE(who_comes_again_waits_a_period_again),
		CASE(who_waits_for_his_budget_is_not_lifted),
		CASE(ht_gives_way_to_its_equals),
		CASE(two_ht_tasks_have_half_each),
		CASE(ht_that_is_never_full_gives_way_too),
		CASE(alone_ht_gives_way_to_nobody),
		CASE(none_of_any_set_starves),
	};

	return tap_run(cases, ARRAY_SIZE(cases));
}
