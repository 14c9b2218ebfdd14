// SPDX-License-Identifier: GPL-2.0-only
/*
 * AugC and CoSched: turns on the GPU that go with those on the CPU (Pegasus sections 4.2
 * and 4.3, algorithm 2).
 *
 * HS, the schedule of the CPUs, is tg_domain.nr_running: told when it changes, so there is
 * no tick to wait for, and what it says is true for the group that starts next.
 *
 *	DomAAugSchedule(RQ, HS)
 *	    pick D of RQ with the highest AugCredit + X,
 *	    AugCredit(D) = what is left of its credit on the CPU if it is in HS, else 0
 *
 * "No domain with high accelerator credits is denied its eventual turn due to this temporary
 * boost": so it is the order of turns that the boost changes, and not their lengths.  Of
 * those that have something left of their turns the one goes first that has the highest sum.
 * Shares are those of AccC.
 *
 *	DomACoSchedule(RQ, HS)
 *	    pick D of RQ ∩ HS with the highest X
 *	    if there is none, D of RQ with the highest X
 *
 * Among those of the same X it is turns as in AccC; the paper does not say.  Who does not
 * run, or has few credits, waits for as long as others like; the paper calls that
 * occasional unfairness.  Here a unit that has waited for tg_credits.patience ticks without
 * a group has one: the latency of the others grows by that group, once in so many ticks.
 *
 * "Singular VCPUs", with no GPU, and what the GPU's schedule is to be to the CPU's
 * scheduler, are that scheduler's and not in here.
 */
#include "tg_sched.h"

const struct tg_policy_ops tg_policy_augc = TG_CREDIT_POLICY(TG_POLICY_AUGC, "AugC");
const struct tg_policy_ops tg_policy_cosched = TG_CREDIT_POLICY(TG_POLICY_COSCHED, "CoSched");

/* Below 2^63: the credit on the CPU is cut off at 2^62. */
static u64 augmented(const struct tg_domain *unit)
{
	u64 x = unit->rule.weight;

	if (unit->nr_running && unit->cpu_credit > 0)
		x += min((u64)unit->cpu_credit, 1ULL << 62);
	return x;
}

static bool augc_before(const struct tg_sched *s, const struct tg_domain *a,
			const struct tg_domain *b, u64 now)
{
	u64 x = tg_credit_rounds(s, a), y = tg_credit_rounds(s, b);

	return x < y || (x == y && augmented(a) > augmented(b));
}

const struct tg_credit_scheme tg_credit_augc = {
	.ops = &tg_policy_augc,
	.turn_max = TG_CREDIT_TURN_MAX,
	.credit = tg_credit_of_weight,
	.before = augc_before,
};

/* Since when the patience of @unit has been at its end, or never. */
static u64 impatient_ns(const struct tg_credits *c, const struct tg_domain *unit, u64 now)
{
	u64 since = unit->credit.waits_ns;

	if (!c->patience || !since || now < since + c->patience * c->tick_ns)
		return ~0ULL;
	return since;
}

static bool cosched_before(const struct tg_sched *s, const struct tg_domain *a,
			   const struct tg_domain *b, u64 now)
{
	u64 x = impatient_ns(&s->credits, a, now), y = impatient_ns(&s->credits, b, now);

	if (x != y)
		return x < y;
	if (!a->nr_running != !b->nr_running)
		return a->nr_running;
	if (a->rule.weight != b->rule.weight)
		return a->rule.weight > b->rule.weight;
	return tg_credit_rounds(s, a) < tg_credit_rounds(s, b);
}

const struct tg_credit_scheme tg_credit_cosched = {
	.ops = &tg_policy_cosched,
	.turn_max = TG_CREDIT_TURN_MAX,
	.credit = tg_credit_of_weight,
	.before = cosched_before,
};
