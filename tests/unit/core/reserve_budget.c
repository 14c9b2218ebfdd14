// SPDX-License-Identifier: GPL-2.0-or-later
/* The rules of a budget by themselves, and at the ends of their ranges. */
#include "random.h"
#include "tap.h"
#include "tg_reserve.h"
#include "reserve_cases.h"

/* TG_TIME_MAX_NS of tg_spec.h: no reserve has a longer period. */
#define PERIOD_MAX	(100ULL * 1000 * 1000 * 1000)

typedef __int128 s128;

static const struct tg_reserve_ops *const policies[] = { &tg_reserve_pe, &tg_reserve_ae };

/* Any magnitude: small numbers meet boundaries, large ones overflow. */
static u64 random_up_to(u64 *seed, u64 max)
{
	u64 v = random_next(seed) >> random_below(seed, 64);

	return v > max ? v % (max + 1) : v;
}

static void random_reserve(struct tg_reserve *r, u64 *seed)
{
	u64 period = 1 + random_up_to(seed, PERIOD_MAX - 1);
	u64 capacity = 1 + random_up_to(seed, period - 1);

	tg_reserve_init(r, policies[random_below(seed, 2)], capacity, period,
			random_up_to(seed, 1ULL << 60));
	CHECK(r->budget_ns == (s64)capacity);
	/* What it was charged before. */
	tg_reserve_charge(r, random_up_to(seed, random_below(seed, 3) ? 20 * capacity :
									~0ULL));
}

void periods_at_once_are_the_same_as_one_by_one(void)
{
	u64 seed = 0xe, total = 0;

	for (u32 round = 0; round < 100000 && !tap_bad_checks; round++) {
		struct tg_reserve once, single;
		u64 now, x, n = 0;

		random_reserve(&once, &seed);
		single = once;
		x = random_up_to(&seed, random_below(&seed, 2) ? 40 * once.capacity_ns :
								 TG_COST_MAX_NS);
		/* Within a period, at its very end, or many later. */
		now = once.next_ns + random_below(&seed, 30) * once.period_ns +
		      random_up_to(&seed, once.period_ns) - random_below(&seed, 2);
		while (single.next_ns <= now) {
			CHECK(tg_reserve_advance(&single, single.next_ns, x) == 1);
			n++;
		}
		CHECK(tg_reserve_advance(&single, now, x) == 0);
		CHECK(tg_reserve_advance(&once, now, x) == n);
		CHECK(once.budget_ns == single.budget_ns);
		CHECK(once.next_ns == single.next_ns && once.next_ns > now &&
		      once.next_ns - now <= once.period_ns);
		CHECK(once.periods == single.periods && once.periods == n);
		total += n;
	}
	tap_diag("%llu periods", (unsigned long long)total);
	CHECK(total > 1000000);
}

/*
 * Section 5.1, but that AE pays its debts, in numbers that cannot overflow; n times
 * the same as once.
 */
static s128 paper(const struct tg_reserve_ops *ops, s128 e, s128 capacity, s128 x, s128 n)
{
	s128 bound = capacity;

	if (ops == &tg_reserve_ae && x > capacity)
		bound = x;
	e += n * capacity;
	return e < bound ? e : bound;
}

void budgets_agree_with_128_bits(void)
{
	u64 seed = 0x128;

	for (u32 round = 0; round < 200000 && !tap_bad_checks; round++) {
		struct tg_reserve r;
		u64 n, now, x;
		s128 want;

		random_reserve(&r, &seed);
		x = random_up_to(&seed, TG_COST_MAX_NS);
		/* So many that the debt is about paid, too. */
		n = random_below(&seed, 2) || r.budget_ns >= 0 ?
		    random_up_to(&seed, (1ULL << 62) / r.period_ns) :
		    (u64)-r.budget_ns / r.capacity_ns + random_below(&seed, 3);
		if ((s128)r.next_ns + (s128)n * r.period_ns >= (s128)~0ULL - r.period_ns)
			continue;
		want = n ? paper(r.ops, r.budget_ns, r.capacity_ns, x, n) : r.budget_ns;
		now = r.next_ns + n * r.period_ns - 1;
		CHECK(tg_reserve_advance(&r, now, x) == n);
		if (!CHECK(r.budget_ns == (s64)want))
			tap_diag("  round %u", round);
	}
}

void a_budget_is_full_when_it_was_said(void)
{
	u64 seed = 0xf11, later = 0;

	for (u32 round = 0; round < 200000 && !tap_bad_checks; round++) {
		struct tg_reserve r;
		u64 full;

		random_reserve(&r, &seed);
		full = tg_reserve_full_ns(&r);
		if (!full) {
			CHECK(r.budget_ns >= (s64)r.capacity_ns ||
			      r.capacity_ns == r.period_ns);
			continue;
		}
		CHECK(r.budget_ns < (s64)r.capacity_ns);
		tg_reserve_advance(&r, full - 1, 0);
		CHECK(r.budget_ns < (s64)r.capacity_ns);
		tg_reserve_advance(&r, full, 0);
		CHECK(full == TG_COST_MAX_NS || r.budget_ns == (s64)r.capacity_ns);
		later += full == TG_COST_MAX_NS;
	}
	tap_diag("%llu will not be full in 146 years", (unsigned long long)later);
	CHECK(later > 1000);
}

void extremes_saturate(void)
{
	struct tg_reserve r;

	for (u32 i = 0; i < 2; i++) {
		tg_reserve_init(&r, policies[i], 1, PERIOD_MAX, 0);
		for (u32 k = 0; k < 5; k++) {
			tg_reserve_charge(&r, ~0ULL);
			CHECK(r.budget_ns <= 1 - TG_COST_MAX_NS);
			CHECK(r.budget_ns >= -TG_COST_MAX_NS);
		}
		CHECK(r.budget_ns == -TG_COST_MAX_NS);
		CHECK(r.debt_max_ns == (u64)TG_COST_MAX_NS);
		/* The largest bound beside the largest debt. */
		CHECK(tg_reserve_advance(&r, PERIOD_MAX, ~0ULL) == 1);
		CHECK(r.budget_ns == 1 - TG_COST_MAX_NS);
		/* 584 years. */
		CHECK(tg_reserve_advance(&r, ~0ULL - PERIOD_MAX, ~0ULL) > 1);
		CHECK(r.next_ns > ~0ULL - PERIOD_MAX);
		CHECK(r.budget_ns < 0);
	}
	/* The most periods that there can be: all is paid. */
	tg_reserve_init(&r, &tg_reserve_pe, 1, 1, 0);
	tg_reserve_charge(&r, ~0ULL);
	CHECK(tg_reserve_advance(&r, ~0ULL - 1, 0) == ~0ULL - 1);
	CHECK(r.budget_ns == 1);
	tg_reserve_init(&r, &tg_reserve_ae, 1, 1, 0);
	tg_reserve_charge(&r, ~0ULL);
	CHECK(tg_reserve_advance(&r, ~0ULL - 1, ~0ULL) == ~0ULL - 1);
	CHECK(r.budget_ns == TG_COST_MAX_NS);
	/* And all is spent at once. */
	tg_reserve_charge(&r, ~0ULL);
	CHECK(r.budget_ns == 0 && r.debt_max_ns == (u64)TG_COST_MAX_NS - 1);
}

static struct tg_reserve with(const struct tg_reserve_ops *ops, s64 budget)
{
	struct tg_reserve r;

	tg_reserve_init(&r, ops, 10, 100, 0);
	r.budget_ns = budget;
	return r;
}

void a_refused_group_needs_no_more_than_its_cost(void)
{
	struct tg_reserve r;

	for (s64 e = -3; e <= 20; e++) {
		r = with(&tg_reserve_pe, e);
		for (u64 x = 0; x <= 25; x++) {
			/* PE: x counts for nothing. */
			CHECK(tg_reserve_allows(&r, x, false) == (e > 0));
			CHECK(tg_reserve_allows(&r, x, true) == (e > 0));
		}
		r = with(&tg_reserve_ae, e);
		for (s64 x = 0; x <= 25; x++) {
			CHECK(tg_reserve_allows(&r, x, false) == (e > x));
			/* At e = 0 also a free group waits: PE's rule. */
			CHECK(tg_reserve_allows(&r, x, true) == (e >= x && e > 0));
		}
		CHECK(!tg_reserve_allows(&r, ~0ULL, false));
		CHECK(!tg_reserve_allows(&r, ~0ULL, true));
	}
}

void new_parameters_cut_a_budget_but_keep_a_debt(void)
{
	struct tg_reserve r = with(&tg_reserve_pe, 10);

	CHECK(r.next_ns == 100);
	/* Longer: the period that has begun ends as it would have. */
	tg_reserve_set(&r, &tg_reserve_ae, 40, 400, 30);
	CHECK(r.ops == &tg_reserve_ae && r.budget_ns == 10 && r.next_ns == 100);
	CHECK(tg_reserve_advance(&r, 100, 0) == 1);
	CHECK(r.budget_ns == 40 && r.next_ns == 500);
	/* Shorter: it ends at the latest when a new one would. */
	tg_reserve_set(&r, &tg_reserve_pe, 5, 50, 120);
	CHECK(r.budget_ns == 5 && r.next_ns == 170);
	tg_reserve_charge(&r, 30);
	CHECK(r.budget_ns == -25);
	tg_reserve_set(&r, &tg_reserve_pe, 10, 50, 130);
	CHECK(r.budget_ns == -25 && r.next_ns == 170);
	CHECK(tg_reserve_advance(&r, 269, 0) == 2);
	CHECK(r.budget_ns == -5 && r.next_ns == 270);
}

void a_whole_gpu_refuses_nothing(void)
{
	struct tg_reserve r;

	for (u32 i = 0; i < 2; i++) {
		tg_reserve_init(&r, policies[i], 100, 100, 0);
		tg_reserve_charge(&r, 1000);
		CHECK(r.budget_ns == -900);
		CHECK(tg_reserve_allows(&r, 0, false));
		CHECK(tg_reserve_allows(&r, ~0ULL, false));
		tg_reserve_init(&r, policies[i], 99, 100, 0);
		tg_reserve_charge(&r, 1000);
		CHECK(!tg_reserve_allows(&r, 0, false));
	}
}
