// SPDX-License-Identifier: GPL-2.0-or-later
/* tg_cpu: what CPU priorities make of an entry, held against what the CPU's rules say. */
#include <math.h>

#include "tap.h"
#include "tg_cpu.h"

static struct tg_spec_entry entry_of(enum tg_spec_sched sched, u32 weight)
{
	return (struct tg_spec_entry){ .sched = sched, .weight = weight, .cpu = true };
}

static void real_time_threads_keep_their_policy_at_their_priority(void)
{
	for (u32 prio = 1; prio <= 99; prio++)
		for (enum tg_spec_sched s = TG_SPEC_PRT; s <= TG_SPEC_FQ; s++) {
			struct tg_spec_entry e = entry_of(s, 300);

			tg_cpu_follow(&e, tg_cpu_rank_real_time(prio));
			CHECK(e.prio == prio && e.sched == s && e.weight == 300 && !e.focus);
		}
}

static void other_threads_share_at_the_lowest_priority(void)
{
	for (int nice = -20; nice <= 19; nice++)
		for (enum tg_spec_sched s = TG_SPEC_PRT; s <= TG_SPEC_FQ; s++) {
			struct tg_spec_entry e = entry_of(s, 100);

			tg_cpu_follow(&e, tg_cpu_rank_nice(nice));
			CHECK(e.prio == 0 && e.sched == TG_SPEC_FQ);
		}
}

/* sched(7): a unit of nice is a factor of about 1.25. */
static void a_step_of_nice_is_worth_a_quarter(void)
{
	for (int nice = -20; nice <= 19; nice++) {
		double is, want = 100 * pow(1.25, -nice);
		struct tg_spec_entry e = entry_of(TG_SPEC_FQ, 100);

		tg_cpu_follow(&e, tg_cpu_rank_nice(nice));
		is = e.weight;
		if (!CHECK(is - want <= 0.5 && want - is < 0.55))
			tap_diag("  nice %d: %g instead of %g", nice, is, want);
	}
}

static void a_weight_of_its_own_is_multiplied_within_its_bounds(void)
{
	static const struct {
		u32 weight;
		int nice;
		u32 want;
	} cases[] = {
		{ 100, 0, 100 }, { 300, 0, 300 }, { 1, 0, 1 }, { 10000, 0, 10000 },
		{ 300, 5, 99 }, { 300, -5, 915 }, { 1, 19, 1 }, { 1, 1, 1 },
		{ 10000, -20, 10000 }, { 200, -20, 10000 }, { 10000, 19, 100 },
	};

	for (u32 i = 0; i < ARRAY_SIZE(cases); i++) {
		struct tg_spec_entry e = entry_of(TG_SPEC_FQ, cases[i].weight);

		tg_cpu_follow(&e, tg_cpu_rank_nice(cases[i].nice));
		if (!CHECK(e.weight == cases[i].want))
			tap_diag("  %u at nice %d: %u", cases[i].weight, cases[i].nice, e.weight);
	}
}

/* Whoever the CPU prefers has the higher rank. */
static void ranks_are_in_the_order_of_the_cpu(void)
{
	for (int nice = -20; nice < 19; nice++)
		CHECK(tg_cpu_rank_nice(nice) > tg_cpu_rank_nice(nice + 1));
	CHECK(tg_cpu_rank_nice(19) == 0);
	CHECK(tg_cpu_rank_real_time(1) > tg_cpu_rank_nice(-20));
	for (u32 prio = 1; prio < 99; prio++)
		CHECK(tg_cpu_rank_real_time(prio) < tg_cpu_rank_real_time(prio + 1));
	CHECK(tg_cpu_rank_real_time(99) == TG_CPU_RANK_MAX);
}

#define CASE(f) { #f, f }

int main(void)
{
	static const struct tap_case cases[] = {
		CASE(real_time_threads_keep_their_policy_at_their_priority),
		CASE(other_threads_share_at_the_lowest_priority),
		CASE(a_step_of_nice_is_worth_a_quarter),
		CASE(a_weight_of_its_own_is_multiplied_within_its_bounds),
		CASE(ranks_are_in_the_order_of_the_cpu),
	};

	return tap_run(cases, ARRAY_SIZE(cases));
}
