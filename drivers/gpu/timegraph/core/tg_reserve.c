// SPDX-License-Identifier: GPL-2.0-only
/*
 * The arithmetic of budgets and of admission.
 *
 * Ranges: 0 < C <= T <= 10^11 (TG_TIME_MAX_NS, 100 s), so C and T fit 37 bits.
 * x is clamped to 2^62 and e is never below −2^62, so e − C, x − e and e + C fit
 * 64 bits.
 */
#include "tg_reserve.h"

/*
 * min(bound, e + n·C) without overflow: the budget gets to the bound in
 * ⌈(bound − e) / C⌉ periods, and before that n·C < bound − e.
 */
static s64 fill(const struct tg_reserve *r, s64 bound, u64 n)
{
	u64 missing;

	if (r->budget_ns >= bound)
		return bound;
	missing = (u64)bound - (u64)r->budget_ns;
	if (n >= div64_u64(missing - 1, r->capacity_ns) + 1)
		return bound;
	return r->budget_ns + (s64)(n * r->capacity_ns);
}

/* Section 5.2: "both policies compare e and x", PE with x = 0. */
static bool pe_allows(const struct tg_reserve *r, u64 x, bool refused)
{
	return r->budget_ns > 0;
}

/* Section 5.1, PE: e = min(C, e + C), once a period. */
static s64 pe_replenished(const struct tg_reserve *r, u64 x, u64 n)
{
	return fill(r, (s64)r->capacity_ns, n);
}

/*
 * Section 5.2 lets a group go if e > x, and section 5.1 wakes one that was
 * refused when e >= x; since e is filled up to x at most when x > C, the latter
 * has to be enough, or such a group would never run.
 */
static bool ae_allows(const struct tg_reserve *r, u64 x, bool refused)
{
	if (r->budget_ns <= 0)
		return false;
	return refused ? (u64)r->budget_ns >= x : (u64)r->budget_ns > x;
}

/*
 * As PE: e = min(C, e + C), but that for a group with x > C, which could never go,
 * it is saved up: e = min(x, e + C).
 *
 * Section 5.1 has e = C for x <= C.  That forgives a debt at each period: a task
 * whose groups take longer than predicted gets as much more than C/T as they do.
 */
static s64 ae_replenished(const struct tg_reserve *r, u64 x, u64 n)
{
	if (x <= r->capacity_ns)
		return fill(r, (s64)r->capacity_ns, n);
	return fill(r, x < TG_COST_MAX_NS ? (s64)x : TG_COST_MAX_NS, n);
}

const struct tg_reserve_ops tg_reserve_pe = {
	.name = "PE",
	.allows = pe_allows,
	.replenished = pe_replenished,
};

const struct tg_reserve_ops tg_reserve_ae = {
	.name = "AE",
	.predicts = true,
	.allows = ae_allows,
	.replenished = ae_replenished,
};

void tg_reserve_init(struct tg_reserve *r, const struct tg_reserve_ops *ops,
		     u64 capacity_ns, u64 period_ns, u64 now)
{
	memset(r, 0, sizeof(*r));
	INIT_LIST_HEAD(&r->node);
	INIT_LIST_HEAD(&r->tasks);
	INIT_LIST_HEAD(&r->throttled);
	r->ops = ops;
	r->capacity_ns = capacity_ns;
	r->period_ns = period_ns;
	tg_reserve_restart(r, now);
}

void tg_reserve_restart(struct tg_reserve *r, u64 now)
{
	r->budget_ns = (s64)r->capacity_ns;
	r->next_ns = now + r->period_ns;
}

void tg_reserve_set(struct tg_reserve *r, const struct tg_reserve_ops *ops,
		    u64 capacity_ns, u64 period_ns, u64 now)
{
	r->ops = ops;
	r->capacity_ns = capacity_ns;
	if (r->budget_ns > (s64)capacity_ns)
		r->budget_ns = (s64)capacity_ns;
	r->period_ns = period_ns;
	if (r->next_ns > now + period_ns)
		r->next_ns = now + period_ns;
}

u64 tg_reserve_advance(struct tg_reserve *r, u64 now, u64 x)
{
	u64 n;

	if (now < r->next_ns)
		return 0;
	/* n·T <= now − next + T: no overflow. */
	n = div64_u64(now - r->next_ns, r->period_ns) + 1;
	r->next_ns += n * r->period_ns;
	r->budget_ns = r->ops->replenished(r, x, n);
	r->periods += n;
	return n;
}

bool tg_reserve_allows(const struct tg_reserve *r, u64 x, bool refused)
{
	return r->capacity_ns == r->period_ns || r->ops->allows(r, x, refused);
}

void tg_reserve_charge(struct tg_reserve *r, u64 cost_ns)
{
	if (cost_ns > TG_COST_MAX_NS)
		cost_ns = TG_COST_MAX_NS;
	/* e >= −2^62 and the cost is at most 2^62: the difference fits. */
	r->budget_ns -= (s64)cost_ns;
	if (r->budget_ns < -TG_COST_MAX_NS)
		r->budget_ns = -TG_COST_MAX_NS;
	r->used_ns += cost_ns;
	if (r->budget_ns < 0 && (u64)-r->budget_ns > r->debt_max_ns)
		r->debt_max_ns = (u64)-r->budget_ns;
}

static bool counts(const struct tg_reserve *pos, const struct tg_reserve *r)
{
	return pos == r || !pos->demoted;
}

/* The next base-2^DIGIT_BITS digit of C/T, or of what was left of it. */
#define DIGIT_BITS 24
static u64 next_digit(u64 *remainder, u64 period_ns)
{
	u64 scaled = *remainder << DIGIT_BITS;
	u64 digit = div64_u64(scaled, period_ns);

	*remainder = scaled - digit * period_ns;
	return digit;
}

/*
 * Is D = limit/100 − Σ C/T at least 0?
 *
 * The common denominator of the fractions is too large for any integer, so the
 * sum is not computed: all fractions are expanded into digits side by side, as
 * in long division, and acc is D in units of the last digit, but for what the
 * digits to come add: a fraction of one from the limit, of n from the n
 * reserves.  Hence
 *
 *	acc <= −1: D < 0	acc >= n: D > 0 (or all the rest is 0: D >= 0)
 *
 * and otherwise another digit is needed.  D is a multiple of 1/(100·Π T); so if
 * it is not 0, it is seen after as many digits as that denominator has, and if
 * nothing is seen by then, D is 0.
 *
 * Ranges: C <= T < 2^37, so a scaled remainder has 61 bits; while acc is in
 * (−1, n) it has 11 bits, with the digit 35, and the sum of n digits as many.
 */
bool tg_reserve_fits(struct list_head *reserves, struct tg_reserve *r,
		     u32 percent)
{
	u64 limit = percent % 100;
	s64 acc = percent / 100;
	struct tg_reserve *pos;
	u64 digits, n = 0;

	r->remainder = r->capacity_ns;
	list_for_each_entry(pos, reserves, node) {
		if (counts(pos, r)) {
			pos->remainder = pos->capacity_ns;
			n += pos != r;
		}
	}
	n++;
	digits = (7 + 37 * n) / DIGIT_BITS + 2;

	while (digits--) {
		bool rest;

		acc = (acc << DIGIT_BITS) + (s64)next_digit(&limit, 100);
		acc -= (s64)next_digit(&r->remainder, r->period_ns);
		rest = r->remainder;
		list_for_each_entry(pos, reserves, node) {
			if (pos == r || !counts(pos, r))
				continue;
			acc -= (s64)next_digit(&pos->remainder, pos->period_ns);
			rest |= pos->remainder;
		}
		if (acc < 0)
			return false;
		if (acc >= (s64)n || !rest)
			return true;
	}
	return true;
}
