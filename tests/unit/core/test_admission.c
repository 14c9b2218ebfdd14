// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tg_reserve_fits() beside a sum with integers as long as they need to be, at
 * sums that are the limit and at sums next to it.
 */
#include <time.h>

#include "random.h"
#include "tap.h"
#include "tg_reserve.h"

typedef unsigned __int128 u128;

#define PERIOD_MAX	(100ULL * 1000 * 1000 * 1000)
#define MAX_RESERVES	1024
#define MAX_LIMBS	(MAX_RESERVES * 37 / 64 + 4)

struct big {
	u32 n;
	u64 limb[MAX_LIMBS];
};

/* a = a · m + b · k */
static void big_mul_add(struct big *a, u64 m, const struct big *b, u64 k)
{
	u128 carry = 0;

	for (u32 i = 0; i < a->n || i < b->n || carry; i++) {
		u128 low = carry;

		if (i >= MAX_LIMBS)
			abort();
		if (i >= a->n) {
			a->n = i + 1;
			a->limb[i] = 0;
		}
		carry = 0;
		low += (u128)a->limb[i] * m;
		/* Both products and the carry: m, k < 2^38, so no overflow. */
		if (i < b->n)
			low += (u128)b->limb[i] * k;
		a->limb[i] = (u64)low;
		carry = low >> 64;
	}
}

static int big_compare(const struct big *a, const struct big *b)
{
	u32 n = a->n > b->n ? a->n : b->n;

	while (n--) {
		u64 x = n < a->n ? a->limb[n] : 0, y = n < b->n ? b->limb[n] : 0;

		if (x != y)
			return x < y ? -1 : 1;
	}
	return 0;
}

/* Reserves as a test writes them. */
struct set {
	u32 n;
	struct tg_reserve r[MAX_RESERVES];
	struct list_head list;
};

static struct set set;

static void set_init(struct set *s)
{
	s->n = 0;
	INIT_LIST_HEAD(&s->list);
}

static void set_add(struct set *s, u64 capacity, u64 period)
{
	struct tg_reserve *r = &s->r[s->n++];

	tg_reserve_init(r, &tg_reserve_pe, capacity, period, 0);
	list_add_tail(&r->node, &s->list);
}

/* Σ C/T against percent/100: less, equal or more, as -1, 0 or 1. */
static int exact(const struct set *s, const struct tg_reserve *in_question, u32 percent)
{
	static struct big sum, denominator, none, limit, hundredfold;

	sum = (struct big){ .n = 1, .limb = { 0 } };
	denominator = (struct big){ .n = 1, .limb = { 1 } };
	none.n = 0;
	for (u32 i = 0; i < s->n; i++) {
		const struct tg_reserve *r = &s->r[i];

		if (r->demoted && r != in_question)
			continue;
		/* N/D + C/T = (N·T + D·C) / (D·T) */
		big_mul_add(&sum, r->period_ns, &denominator, r->capacity_ns);
		big_mul_add(&denominator, r->period_ns, &none, 0);
	}
	limit = denominator;
	big_mul_add(&limit, percent, &none, 0);
	hundredfold = sum;
	big_mul_add(&hundredfold, 100, &none, 0);
	return big_compare(&hundredfold, &limit);
}

/* The oracle agrees with what is known, and the code with it, whoever asks. */
static void check_set(struct set *s, u32 percent, int known)
{
	int want = exact(s, NULL, percent);
	u32 last = s->n - 1;

	if (!CHECK(known == want))
		tap_diag("  %u reserves, %u %%: %d", s->n, percent, want);
	for (u32 i = 0; i < s->n; i += last ? last : 1)
		if (!CHECK(tg_reserve_fits(&s->list, &s->r[i], percent) == (want <= 0)))
			tap_diag("  %u reserves, %u %%, the %u. asks: %d", s->n, percent,
				 i, want);
	/* Not yet in the list, as a new one is. */
	list_del_init(&s->r[last].node);
	CHECK(tg_reserve_fits(&s->list, &s->r[last], percent) == (want <= 0));
	list_add_tail(&s->r[last].node, &s->list);
}

struct fraction {
	u64 c, t;
};

static const struct known {
	const char *description;
	u32 percent;
	int known;
	struct fraction f[5];
} knowns[] = {
	{ "all of one", 100, 0, { { 1, 1 } } },
	{ "nothing is allowed", 0, 1, { { 1, PERIOD_MAX } } },
	{ "one per cent", 1, 0, { { 1000000000, PERIOD_MAX } } },
	{ "a bit more than that", 1, 1, { { 1000000001, PERIOD_MAX } } },
	{ "three thirds", 100, 0, { { 1, 3 }, { 1, 3 }, { 1, 3 } } },
	{ "three thirds, not alike", 100, 0,
	  { { 33333333333, 99999999999 }, { 10000, 30000 }, { 7, 21 } } },
	{ "thirds and a nanosecond", 100, 1,
	  { { 10000, 30000 }, { 10000, 30000 }, { 10001, 30000 } } },
	{ "thirds less a nanosecond", 100, -1,
	  { { 10000, 30000 }, { 10000, 30000 }, { 9999, 30000 } } },
	{ "thirds and a nanosecond in 100 s", 100, 1,
	  { { 1, 3 }, { 1, 3 }, { 1, 3 }, { 1, PERIOD_MAX } } },
	{ "halves, thirds, sixths", 100, 0, { { 1, 2 }, { 1, 3 }, { 1, 6 } } },
	{ "sevenths of 1 %", 1, 0, { { 3, 700 }, { 4, 700 } } },
	{ "all but a nanosecond, and that", 100, 0,
	  { { PERIOD_MAX - 1, PERIOD_MAX }, { 1, PERIOD_MAX } } },
	{ "all but a nanosecond, and two", 100, 1,
	  { { PERIOD_MAX - 1, PERIOD_MAX }, { 2, PERIOD_MAX } } },
	/* Of one half nothing is left after a digit; the others are not done. */
	{ "a half that asks, and a bit more", 100, 1,
	  { { 1, 2 }, { PERIOD_MAX / 2 + 1, PERIOD_MAX } } },
	{ "two times all", 100, 1, { { PERIOD_MAX, PERIOD_MAX }, { 5, 5 } } },
	{ "the paper's ac: 90 %", 90, -1, { { 2500, 25000 }, { 10000, 40000 } } },
};

static void known_sums_are_judged_exactly(void)
{
	for (u32 i = 0; i < ARRAY_SIZE(knowns); i++) {
		u32 bad = tap_bad_checks;

		set_init(&set);
		for (const struct fraction *f = knowns[i].f; f < knowns[i].f + 5 && f->t; f++)
			set_add(&set, f->c, f->t);
		check_set(&set, knowns[i].percent, knowns[i].known);
		if (tap_bad_checks != bad)
			tap_diag("  in \"%s\"", knowns[i].description);
	}
}

static void demoted_reserves_claim_nothing(void)
{
	set_init(&set);
	for (u32 i = 0; i < 4; i++)
		set_add(&set, 40, 100);
	CHECK(!tg_reserve_fits(&set.list, &set.r[0], 100));
	set.r[1].demoted = true;
	set.r[2].demoted = true;
	CHECK(tg_reserve_fits(&set.list, &set.r[0], 80));
	CHECK(!tg_reserve_fits(&set.list, &set.r[0], 79));
	/* The one that asks counts, demoted or not. */
	CHECK(tg_reserve_fits(&set.list, &set.r[1], 120 - 20) == false);
	set.r[3].demoted = true;
	CHECK(tg_reserve_fits(&set.list, &set.r[1], 80));
	CHECK(!tg_reserve_fits(&set.list, &set.r[1], 79));
}

static u64 power(u64 base, u64 exponent, u64 modulus)
{
	u64 result = 1;

	for (; exponent; exponent >>= 1) {
		if (exponent & 1)
			result = (u128)result * base % modulus;
		base = (u128)base * base % modulus;
	}
	return result;
}

/* Miller and Rabin; these bases decide up to 3 · 10^12 (Jaeschke 1993). */
static bool is_prime(u64 v)
{
	static const u64 bases[] = { 2, 3, 5, 7, 11, 13 };
	u64 odd = v - 1;

	while (odd % 2 == 0)
		odd /= 2;
	for (u32 i = 0; i < ARRAY_SIZE(bases); i++) {
		u64 e = odd, x;

		if (v % bases[i] == 0)
			return v == bases[i];
		x = power(bases[i], e, v);
		for (; e < v - 1 && x != 1 && x != v - 1; e *= 2)
			x = (u128)x * x % v;
		if (x != v - 1 && e % 2 == 0)
			return false;
	}
	return true;
}

static u64 prime_from(u64 v, int step)
{
	while (!is_prime(v))
		v += step;
	return v;
}

/*
 * 341 triples C1/p + C2/q + C3/(341·p·q) = 1/341, all primes different: 1,023
 * reserves that claim exactly everything.
 */
static void a_thousand_reserves_can_claim_exactly_all(void)
{
	const u64 k = 341;
	struct timespec from, to;
	u64 p = 10000, seed = 3, third = 0;

	set_init(&set);
	for (u32 i = 0; i < k; i++) {
		u64 q = prime_from(p + 1, 1);
		u64 c1 = 1 + random_below(&seed, 8), c2 = 1 + random_below(&seed, 8);

		p = prime_from(q + 1, 1);
		third = p * q - k * (c1 * q + c2 * p);
		if (!CHECK(k * p * q <= PERIOD_MAX && third < k * p * q))
			return;
		set_add(&set, c1, p);
		set_add(&set, c2, q);
		set_add(&set, third, k * p * q);
	}
	/* This is what takes the longest: no digit decides. */
	clock_gettime(CLOCK_MONOTONIC, &from);
	CHECK(tg_reserve_fits(&set.list, &set.r[0], 100));
	clock_gettime(CLOCK_MONOTONIC, &to);
	tap_diag("one decision took %.1f ms", (to.tv_sec - from.tv_sec) * 1e3 +
		 (to.tv_nsec - from.tv_nsec) / 1e6);
	check_set(&set, 100, 0);
	set.r[set.n - 1].capacity_ns = third + 1;
	check_set(&set, 100, 1);
	set.r[set.n - 1].capacity_ns = third - 1;
	check_set(&set, 100, -1);
	check_set(&set, 99, 1);
}

static void a_thousand_long_primes_are_summed(void)
{
	u64 p = PERIOD_MAX;

	set_init(&set);
	for (u32 i = 0; i < MAX_RESERVES; i++) {
		p = prime_from(p - 1, -1);
		/* ⌊T/1024⌋/T is a bit less than 1/1024. */
		set_add(&set, p / MAX_RESERVES, p);
	}
	check_set(&set, 100, -1);
	set.r[7].capacity_ns += MAX_RESERVES / 2;
	check_set(&set, 100, exact(&set, NULL, 100));
	set.r[7].capacity_ns += MAX_RESERVES / 2;
	check_set(&set, 100, 1);
}

/*
 * The least that a sum can differ from a limit: 1/(100·Π T).  With primes T, by
 * the Chinese remainder theorem: Σ C/T = L/100 + sign/(100·Π T) for an integer L
 * if C·100·Π(other T) ≡ sign (mod T) for each, and L·Π T ≡ −sign (mod 100).
 */
static bool build_nearest(u32 n, int sign, u64 *prime, u32 *percent)
{
	u64 product = 1, sum = 0;
	int p;

	set_init(&set);
	for (u32 i = 0; i < n; i++) {
		*prime = prime_from(*prime - 1, -1);
		set_add(&set, 1, *prime);
		product = product * (*prime % 100) % 100;
	}
	for (u32 i = 0; i < n; i++) {
		u64 t = set.r[i].period_ns, others = 100;

		for (u32 k = 0; k < n; k++)
			if (k != i)
				others = (u128)others * (set.r[k].period_ns % t) % t;
		/* Fermat: a^(t − 2) is the inverse of a. */
		others = power(others, t - 2, t);
		set.r[i].capacity_ns = sign > 0 ? others : t - others;
		sum += set.r[i].capacity_ns / (t / 100000 + 1);
	}
	if (sum > 99990)
		return false;
	/* L from the sum, roughly; and exactly by its residue. */
	for (p = 0; p <= 100; p++)
		if ((p * product + 100 + sign) % 100 == 0 &&
		    p * 1000 <= (int)sum + 500 && p * 1000 + 500 >= (int)sum)
			break;
	*percent = p;
	return p <= 100;
}

static void the_least_difference_decides(void)
{
	u64 prime = PERIOD_MAX;

	for (u32 n = 1; n <= 6; n++) {
		u32 found = 0;

		for (u32 tries = 0; found < 4 && tries < 20000; tries++) {
			int sign = found & 1 ? 1 : -1;
			u32 percent;

			if (!build_nearest(n, sign, &prime, &percent))
				continue;
			check_set(&set, percent, sign);
			found++;
		}
		if (!CHECK(found == 4))
			tap_diag("  %u reserves: %u found", n, found);
	}
}

static void random_sums_agree_with_the_oracle(void)
{
	u64 seed = 0xadd, equal = 0, above = 0;

	for (u32 round = 0; round < 60000 && !tap_bad_checks; round++) {
		u32 n = 1 + random_below(&seed, 9), percent, q;
		u64 most = random_below(&seed, 4) ? 30 : PERIOD_MAX;
		double sum = 0;
		int want;

		set_init(&set);
		for (u32 i = 0; i < n; i++) {
			u64 t = 1 + random_next(&seed) % most;

			set_add(&set, 1 + random_next(&seed) % t / (1 + random_below(&seed, 2 * n)),
				t);
			set.r[i].demoted = !random_below(&seed, 5);
		}
		q = random_below(&seed, n);
		/* A limit near the sum, if there is one. */
		for (u32 i = 0; i < n; i++)
			if (i == q || !set.r[i].demoted)
				sum += 100.0 * set.r[i].capacity_ns / set.r[i].period_ns;
		percent = sum < 100 ? (u32)(sum + 0.5) : 100;
		want = exact(&set, &set.r[q], percent);
		equal += !want;
		above += want > 0;
		if (!CHECK(tg_reserve_fits(&set.list, &set.r[q], percent) == (want <= 0)))
			tap_diag("  round %u: %d", round, want);
	}
	tap_diag("%llu sums are equal to the limit, %llu are above it",
		 (unsigned long long)equal, (unsigned long long)above);
	CHECK(equal > 1000 && above > 10000);
}

int main(void)
{
	static const struct tap_case cases[] = {
#define CASE(f) { #f, f }
		CASE(known_sums_are_judged_exactly),
		CASE(demoted_reserves_claim_nothing),
		CASE(a_thousand_reserves_can_claim_exactly_all),
		CASE(a_thousand_long_primes_are_summed),
		CASE(the_least_difference_decides),
		CASE(random_sums_agree_with_the_oracle),
#undef CASE
	};

	return tap_run(cases, ARRAY_SIZE(cases));
}
