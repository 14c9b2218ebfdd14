// SPDX-License-Identifier: GPL-2.0-only
/*
 * The arithmetic of budgets.
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
	INIT_LIST_HEAD(&r->unsettled);
	r->throttled = RB_ROOT_CACHED;
	r->first = RB_ROOT_CACHED;
	r->ops = ops;
	r->capacity_ns = capacity_ns;
	r->period_ns = period_ns;
	r->budget_ns = (s64)capacity_ns;
	r->next_ns = now + period_ns;
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

bool tg_reserve_is_all(const struct tg_reserve *r)
{
	return r->capacity_ns == r->period_ns;
}

bool tg_reserve_allows(const struct tg_reserve *r, u64 x, bool refused)
{
	return tg_reserve_is_all(r) || r->ops->allows(r, x, refused);
}

/*
 * Full after ⌈(C − e) / C⌉ periods, of which the first begins at next.  C − e is
 * below 2^63 as in fill(), and now and what is added stay below 2^62, or it is said
 * to take until then.
 */
u64 tg_reserve_full_ns(const struct tg_reserve *r)
{
	u64 more, missing = r->capacity_ns - (u64)r->budget_ns;

	if (r->budget_ns >= (s64)r->capacity_ns || tg_reserve_is_all(r))
		return 0;
	more = div64_u64(missing - 1, r->capacity_ns);
	if (more > div64_u64(TG_COST_MAX_NS - r->next_ns, r->period_ns))
		return TG_COST_MAX_NS;
	return r->next_ns + more * r->period_ns;
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
