// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tg_admission_fits() beside a sum with integers as long as they need to be, at
 * sums that are the limit and at sums next to it.
 */

#include "random.h"
#include "tap.h"
#include "tg_admission.h"

typedef unsigned __int128 u128;

#define PERIOD_MAX	(100ULL * 1000 * 1000 * 1000)
#define MAX_RESERVES	1024
#define MAX_LIMBS	(MAX_RESERVES * 37 / 64 + 6)

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
	struct reserve {
		u64 capacity_ns, period_ns;
		bool demoted;
	} r[MAX_RESERVES];
};

static struct set set;

static void set_init(struct set *s)
{
	s->n = 0;
}

static void set_add(struct set *s, u64 capacity, u64 period)
{
	s->r[s->n++] = (struct reserve){ .capacity_ns = capacity, .period_ns = period };
}

/* Whether @r fits beside the others that are not demoted, who came in any order. */
static bool fits(const struct set *s, const struct reserve *r, u32 percent)
{
	static struct tg_share share[MAX_RESERVES];
	static u64 seed = 1;
	struct tg_admission a;
	u32 from = random_below(&seed, s->n);

	tg_admission_init(&a);
	memset(share, 0, sizeof(share));
	for (u32 k = 0; k < s->n; k++) {
		u32 i = (from + k) % s->n;

		/* Some were others before. */
		if (!random_below(&seed, 3))
			tg_admission_add(&a, &share[i], 1 + i, 7 * (i + 1) + 100);
		tg_admission_remove(&a, &share[i]);
		if (&s->r[i] != r && !s->r[i].demoted)
			tg_admission_add(&a, &share[i], s->r[i].capacity_ns,
					 s->r[i].period_ns);
	}
	return tg_admission_fits(&a, r->capacity_ns, r->period_ns, percent);
}

/* Σ C/T + n·2^-48 against percent/100: less, equal or more, as -1, 0 or 1. */
static int exact_and(const struct set *s, const struct reserve *in_question, u32 percent,
		     u64 n)
{
	static struct big sum, denominator, none, limit, hundredfold;

	sum = (struct big){ .n = 1, .limb = { 0 } };
	denominator = (struct big){ .n = 1, .limb = { 1 } };
	none.n = 0;
	for (u32 i = 0; i < s->n; i++) {
		const struct reserve *r = &s->r[i];

		if (r->demoted && r != in_question)
			continue;
		/* N/D + C/T = (N·T + D·C) / (D·T) */
		big_mul_add(&sum, r->period_ns, &denominator, r->capacity_ns);
		big_mul_add(&denominator, r->period_ns, &none, 0);
	}
	/* In two steps, as 2^48 is more than one takes. */
	big_mul_add(&sum, 1 << 24, &none, 0);
	big_mul_add(&sum, 1 << 24, &denominator, n);
	big_mul_add(&denominator, 1 << 24, &none, 0);
	big_mul_add(&denominator, 1 << 24, &none, 0);
	limit = denominator;
	big_mul_add(&limit, percent, &none, 0);
	hundredfold = sum;
	big_mul_add(&hundredfold, 100, &none, 0);
	return big_compare(&hundredfold, &limit);
}

static int exact(const struct set *s, const struct reserve *in_question, u32 percent)
{
	return exact_and(s, in_question, percent, 0);
}

static u32 nr_periods(const struct set *s)
{
	u32 n = 0;

	for (u32 i = 0; i < s->n; i++) {
		u32 k = 0;

		while (s->r[k].period_ns != s->r[i].period_ns)
			k++;
		n += k == i;
	}
	return n;
}

/*
 * The oracle agrees with what is known, and the code with it, whoever asks: exactly,
 * or (of many periods) but for sums that are less than the limit by very little.
 */
static void check_set(struct set *s, u32 percent, int known)
{
	int want = exact(s, NULL, percent);
	u32 last = s->n - 1;
	bool sliver = nr_periods(s) > TG_PERIODS && want <= 0 &&
		      exact_and(s, NULL, percent, s->n) > 0;

	if (!CHECK(known == want))
		tap_diag("  %u reserves, %u %%: %d", s->n, percent, want);
	for (u32 i = 0; !sliver && i < s->n; i += last ? last : 1)
		if (!CHECK(fits(s, &s->r[i], percent) == (want <= 0)))
			tap_diag("  %u reserves, %u %%, the %u. asks: %d", s->n, percent,
				 i, want);
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
	CHECK(!fits(&set, &set.r[0], 100));
	set.r[1].demoted = true;
	set.r[2].demoted = true;
	CHECK(fits(&set, &set.r[0], 80));
	CHECK(!fits(&set, &set.r[0], 79));
	/* The one that asks counts, demoted or not. */
	CHECK(fits(&set, &set.r[1], 120 - 20) == false);
	set.r[3].demoted = true;
	CHECK(fits(&set, &set.r[1], 80));
	CHECK(!fits(&set, &set.r[1], 79));
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
 * n triples C1/p + C2/q + C3/(n·p·q) = 1/n, all primes different: 3·n reserves that
 * claim exactly everything.
 */
static bool build_triples(u64 n)
{
	u64 p = n > 5 ? 10000 : 40000, seed = 3;

	set_init(&set);
	for (u32 i = 0; i < n; i++) {
		u64 q = prime_from(p + 1, 1);
		u64 c1 = 1 + random_below(&seed, 8), c2 = 1 + random_below(&seed, 8), third;

		p = prime_from(q + 1, 1);
		third = p * q - n * (c1 * q + c2 * p);
		if (!CHECK(n * p * q <= PERIOD_MAX && third < n * p * q))
			return false;
		set_add(&set, c1, p);
		set_add(&set, c2, q);
		set_add(&set, third, n * p * q);
	}
	return true;
}

static void check_triples(u64 n)
{
	struct reserve *third;

	if (!build_triples(n))
		return;
	third = &set.r[set.n - 1];
	check_set(&set, 100, 0);
	third->capacity_ns++;
	check_set(&set, 100, 1);
	third->capacity_ns -= 2;
	check_set(&set, 100, -1);
	check_set(&set, 99, 1);
	/* What is rounded is rounded up, by less than 2^-48 each. */
	third->capacity_ns -= set.n * third->period_ns / (1ULL << 48) + 1;
	CHECK(exact_and(&set, NULL, 100, set.n) < 0);
	check_set(&set, 100, -1);
}

static void fifteen_periods_can_claim_exactly_all(void)
{
	for (u64 n = 1; 3 * n <= TG_PERIODS; n++)
		check_triples(n);
}

static void a_thousand_periods_are_rounded_by_very_little(void)
{
	check_triples(341);
}

/* 1/first + 1/4 + 1/8 + ... with as many periods as are summed up exactly. */
static void fill_periods(struct tg_admission *a, struct tg_share *share, u64 first)
{
	tg_admission_init(a);
	memset(share, 0, TG_PERIODS * sizeof(*share));
	tg_admission_add(a, &share[0], 1, first);
	for (u32 i = 1; i < TG_PERIODS; i++)
		tg_admission_add(a, &share[i], 1, 2ULL << i);
}

/* Three thirds of what is left, and they add up to a bit more: less than 2^-53. */
static void what_is_rounded_never_lifts_the_sum_over_the_limit(void)
{
	const u64 third = 3ULL << TG_PERIODS, c = 500000;
	struct tg_share share[TG_PERIODS], more[2] = { 0 };
	struct tg_admission a;

	fill_periods(&a, share, 2);
	/* What is exact in 48 bits is not rounded. */
	CHECK(tg_admission_fits(&a, 3, third, 100));
	CHECK(!tg_admission_fits(&a, 4, third, 100));
	tg_admission_add(&a, &more[0], 1, third);
	tg_admission_add(&a, &more[1], 1, third);
	CHECK(!tg_admission_fits(&a, c, c * third - 1, 100));
	CHECK(tg_admission_fits(&a, c - 1, c * third - 1, 100));
	/* With nothing rounded nothing is lost for good. */
	tg_admission_remove(&a, &more[0]);
	tg_admission_remove(&a, &more[1]);
	CHECK(tg_admission_fits(&a, 3, third, 100));
}

/* A share that is @units of 2^-48 when it is rounded up. */
static bool find_share(u64 units, u64 *c, u64 *t)
{
	for (*t = PERIOD_MAX; *t > PERIOD_MAX / 2; --*t) {
		u128 scaled;

		*c = (u128)*t * units >> 48;
		scaled = (u128)*c << 48;
		if ((u64)((scaled + *t - 1) / *t) == units)
			return true;
	}
	return false;
}

/* 1/3 is no multiple of 2^-48: what is rounded meets what is not in the digits. */
static void what_is_rounded_and_what_is_not_are_one_sum(void)
{
	struct tg_share share[TG_PERIODS];
	struct tg_admission a;
	/* Of 2/3 - 1/2 + 2^-16, rounded up. */
	u64 left = ((1ULL << 48) + 5) / 6 + (1ULL << (48 - TG_PERIODS)), c, t;

	fill_periods(&a, share, 3);
	CHECK(find_share(left, &c, &t) && !tg_admission_fits(&a, c, t, 100));
	CHECK(find_share(left - 1, &c, &t) && tg_admission_fits(&a, c, t, 100));
}

/* That is what people write: ten times a tenth, or a thousand times a thousandth. */
static void a_thousand_reserves_of_few_periods_are_exact(void)
{
	static const u64 period[] = { 10000000, 16666667, 33333333, 1000, 99999999977 };

	for (u32 k = 0; k < ARRAY_SIZE(period); k++) {
		u64 t = period[k];

		/* Half of the GPU in halves and thirds of 1/1,000; the rest in parts of t. */
		set_init(&set);
		for (u32 i = 0; i < 500; i++)
			set_add(&set, i % 2 ? 1 : 3, i % 2 ? 1000 : 3000);
		for (u32 i = 0; i < 499; i++)
			set_add(&set, t / 1000, t);
		set_add(&set, (t + 1) / 2 - 499 * (t / 1000), t);
		check_set(&set, 100, t % 2);
		set.r[999].capacity_ns++;
		check_set(&set, 100, 1);
		set.r[999].capacity_ns -= 2;
		check_set(&set, 100, -1);
	}
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
		if (!CHECK(fits(&set, &set.r[q], percent) == (want <= 0)))
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
		CASE(fifteen_periods_can_claim_exactly_all),
		CASE(a_thousand_periods_are_rounded_by_very_little),
		CASE(what_is_rounded_never_lifts_the_sum_over_the_limit),
		CASE(what_is_rounded_and_what_is_not_are_one_sum),
		CASE(a_thousand_reserves_of_few_periods_are_exact),
		CASE(a_thousand_long_primes_are_summed),
		CASE(the_least_difference_decides),
		CASE(random_sums_agree_with_the_oracle),
#undef CASE
	};

	return tap_run(cases, ARRAY_SIZE(cases));
}
