// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sums of fractions, exactly and in a bounded time.
 *
 * The common denominator of many periods is too large for any integer, so most
 * answers come from a sum F of the shares that are each rounded down to a multiple of
 * u = 2^-48: with n of them F <= Σ < F + n·u.  With R, the sum of those that are only
 * kept rounded up, which counts as it is, and the limit L, l·u <= L < (l + 1)·u:
 *
 *	F + R + n·u <= l·u: it fits	F + R > l·u: it does not
 *
 * In between, a sliver of n·2^-48 of the GPU, the fractions themselves are asked, and
 * those of one period have been added up: at most TG_PERIODS of them are left.
 *
 * Ranges: C <= T < 2^37.
 */
#include "tg_admission.h"

#define DIGIT_BITS 24
#define DIGIT_MASK ((1ULL << DIGIT_BITS) - 1)
#define SHARE_BITS (2 * DIGIT_BITS)

/* A fraction less than 1 that is being expanded: what is left of it. */
struct rest {
	u64 remainder, period_ns;
};

void tg_admission_init(struct tg_admission *a)
{
	memset(a, 0, sizeof(*a));
}

/* Its next digit in base 2^DIGIT_BITS.  A scaled remainder has 61 bits. */
static u64 next_digit(struct rest *r)
{
	u64 scaled = r->remainder << DIGIT_BITS;
	u64 digit = div64_u64(scaled, r->period_ns);

	r->remainder = scaled - digit * r->period_ns;
	return digit;
}

/* C/T in units of 2^-48, rounded down; *up: whether that lost anything. */
static u64 units(u64 capacity_ns, u64 period_ns, bool *up)
{
	u64 whole = div64_u64(capacity_ns, period_ns);
	struct rest r = { capacity_ns - whole * period_ns, period_ns };

	whole = (whole << DIGIT_BITS) + next_digit(&r);
	whole = (whole << DIGIT_BITS) + next_digit(&r);
	*up = r.remainder;
	return whole;
}

/* The slot of a period, or a free one, or TG_PERIODS. */
static u32 find_slot(const struct tg_admission *a, u64 period_ns)
{
	u32 free = TG_PERIODS;

	for (u32 i = TG_PERIODS; i--;) {
		if (!a->period[i].n)
			free = i;
		else if (a->period[i].period_ns == period_ns)
			return i;
	}
	return free;
}

void tg_admission_add(struct tg_admission *a, struct tg_share *share,
		      u64 capacity_ns, u64 period_ns)
{
	u32 slot = find_slot(a, period_ns);
	bool up;
	u64 u = units(capacity_ns, period_ns, &up);

	share->capacity_ns = capacity_ns;
	share->period_ns = period_ns;
	share->slot = slot;
	if (slot == TG_PERIODS) {
		a->rounded += u + up;
		return;
	}
	a->period[slot].period_ns = period_ns;
	a->period[slot].capacity_ns += capacity_ns;
	a->period[slot].n++;
	a->nr_exact++;
	a->floor += u;
}

void tg_admission_remove(struct tg_admission *a, struct tg_share *share)
{
	bool up;
	u64 u;

	if (!share->period_ns)
		return;
	u = units(share->capacity_ns, share->period_ns, &up);
	if (share->slot == TG_PERIODS) {
		a->rounded -= u + up;
	} else {
		a->period[share->slot].capacity_ns -= share->capacity_ns;
		a->period[share->slot].n--;
		a->nr_exact--;
		a->floor -= u;
	}
	memset(share, 0, sizeof(*share));
}

/* What is left of a fraction when its whole part is taken off *acc. */
static struct rest take_whole(s64 *acc, u64 capacity_ns, u64 period_ns)
{
	u64 whole = div64_u64(capacity_ns, period_ns);

	*acc -= (s64)whole;
	return (struct rest){ capacity_ns - whole * period_ns, period_ns };
}

/*
 * Is D = limit/100 − R − Σ C/T, of the n fractions in @f, at least 0?
 *
 * All are expanded into digits side by side, as in long division, and acc is D in
 * units of the last digit, but for what the digits to come add: less than one from the
 * limit, less than n from the fractions.  R has two digits.  Hence from the second on
 *
 *	acc <= −1: D < 0	acc >= n: D > 0 (or all the rest is 0: D >= 0)
 *
 * and otherwise another digit is needed.  D is a multiple of 1/(100·2^48·Π T); so if it
 * is not 0, it is seen after as many digits as that denominator has, and if nothing is
 * seen by then, D is 0.  With TG_PERIODS fractions that are 28 digits.
 *
 * acc is only asked for in the sliver, where |D| is less than n·2^-48: it is in
 * (−n, 2n) from the first digit on, and has 30 bits with another digit.
 */
static bool expand(s64 acc, u64 limit, u64 rounded, struct rest *f, u32 n)
{
	struct rest l = { limit, 100 };
	u32 digits = (7 + SHARE_BITS + 37 * n) / DIGIT_BITS + 2;

	for (u32 d = 0; d < digits; d++) {
		bool more = false;

		acc = (acc << DIGIT_BITS) + (s64)next_digit(&l);
		if (d < 2)
			acc -= (s64)(rounded >> DIGIT_BITS * (1 - d) & DIGIT_MASK);
		for (u32 i = 0; i < n; i++) {
			acc -= (s64)next_digit(&f[i]);
			more |= f[i].remainder;
		}
		if (d < 1)
			continue;
		if (acc < 0)
			return false;
		if (acc >= (s64)n || !more)
			return true;
	}
	return true;
}

static bool fits_exactly(const struct tg_admission *a, u64 rounded, u64 capacity_ns,
			 u64 period_ns, u32 slot, u32 percent)
{
	struct rest f[TG_PERIODS];
	s64 acc = percent / 100 - (s64)(rounded >> SHARE_BITS);
	u32 n = 0;

	for (u32 i = 0; i < TG_PERIODS; i++)
		if (a->period[i].n && i != slot)
			f[n++] = take_whole(&acc, a->period[i].capacity_ns,
					    a->period[i].period_ns);
	if (slot != TG_PERIODS)
		f[n++] = take_whole(&acc, a->period[slot].capacity_ns + capacity_ns,
				    period_ns);
	return expand(acc, percent % 100, rounded, f, n);
}

bool tg_admission_fits(const struct tg_admission *a, u64 capacity_ns,
		       u64 period_ns, u32 percent)
{
	u32 slot = find_slot(a, period_ns);
	u64 limit = div64_u64((u64)percent << SHARE_BITS, 100);
	u64 rounded = a->rounded, floor = a->floor;
	u32 n = a->nr_exact;
	bool up;
	u64 u = units(capacity_ns, period_ns, &up);

	if (slot == TG_PERIODS) {
		rounded += u + up;
	} else {
		floor += u;
		n++;
	}
	if (floor + rounded + n <= limit)
		return true;
	if (floor + rounded > limit)
		return false;
	return fits_exactly(a, rounded, capacity_ns, period_ns, slot, percent);
}
