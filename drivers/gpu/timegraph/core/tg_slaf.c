// SPDX-License-Identifier: GPL-2.0-only
/*
 * SLAF: credits that feedback corrects, so that each domain has the part of the GPU's time
 * that it is to have (Pegasus section 4.3).
 *
 * The paper gives a domain with a violation an extra tick in each scheduling cycle.  One
 * tick is too much for one that lacks a point, and never enough for who is to have 80 % beside
 * three others: (1 + 1) / (4 + 1).  So what is added to its turns here is as much as the
 * violation says.  At the first end of a cycle after each period of feedback
 *
 *	X'(D) = X(D) · target(D)/had(D) · had(others)/left(others)
 *
 * where `others` are those without a target: what the targets leave is theirs, by their
 * credits.  If X was all that decides, it would be right after one period.  It is moved half
 * of the way, as a group may be longer than a turn and counts in one period whole.  Without
 * others the last factor is 1: those with targets share all.  As only whole cycles are
 * compared, each of which has a turn of everybody, it does not matter how many there are in
 * a period.
 *
 * A domain that has not used half of the turns that it was given does not lack turns: its
 * X stays.
 *
 * More than there is (paper: "in high load conditions ... forces domains with comparatively
 * low credits to wait longer to get compensated"): targets are met in the order of credits as
 * far as there is time, and who comes too late gets what is left, but never nothing: one
 * per cent; to those without a target five are left.  The paper's trigger that keeps new
 * domains away from a busy accelerator chooses among several; here a domain stays on its GPU.
 */
#include "tg_sched.h"

/* Parts of TG_PPM that are left to others, and to one whose target cannot be met. */
#define OTHERS_PPM	50000u
#define MIN_PPM		10000u
/* X is changed to a quarter or to four times at once, and to a 64th or 64 times in all. */
#define STEP_MAX	4
#define CHANGE_MAX	64

const struct tg_policy_ops tg_policy_slaf = TG_CREDIT_POLICY(TG_POLICY_SLAF, "SLAF");

static u64 given_credit(const struct tg_domain *unit)
{
	return (u64)unit->rule.weight * TG_CREDIT_UNIT;
}

/* At most 10,000 · 2^10 · 64 < 2^30. */
static u64 earned_credit(const struct tg_domain *unit)
{
	u64 given = given_credit(unit);

	if (!unit->rule.target_ppm || !unit->credit.earned)
		return given;
	return max(min(unit->credit.earned, given * CHANGE_MAX), given / CHANGE_MAX);
}

/**
 * struct feedback - of a period
 * @ns: its length
 * @room_ppm: what targets may still claim
 * @claimed_ppm: what those that can be met claim
 * @had_ppm: what those without a target had, or nobody
 * @others: there are some
 */
struct feedback {
	u64 ns;
	u32 room_ppm;
	u32 claimed_ppm;
	u32 had_ppm;
	bool others;
};

#define for_each_ready(unit, s) \
	list_for_each_entry(unit, &(s)->credits.ready, credit.node)

/* In parts of TG_PPM; below 2^44 ns, which is hours, there is no overflow. */
static u32 had_ppm(const struct feedback *f, const struct tg_domain *unit)
{
	u64 had = unit->gpu_ns - unit->credit.polled_ns;
	u64 ppm = div64_u64(had * TG_PPM, f->ns);

	return ppm < TG_PPM ? ppm : TG_PPM;
}

/* Those first that come first in the ready queue: by their credits. */
static u32 claim(struct feedback *f, const struct tg_domain *unit)
{
	u32 ppm = min(unit->rule.target_ppm, f->room_ppm);

	f->room_ppm -= ppm;
	return max(ppm, MIN_PPM);
}

static void open_room(struct feedback *f)
{
	f->room_ppm = f->others ? TG_PPM - OTHERS_PPM : TG_PPM;
}

static void look(const struct tg_sched *s, struct feedback *f)
{
	const struct tg_domain *unit;
	u32 had = 0;

	for_each_ready(unit, s)
		f->others |= !unit->rule.target_ppm;
	open_room(f);
	for_each_ready(unit, s) {
		if (!unit->rule.target_ppm)
			continue;
		had += had_ppm(f, unit);
		f->claimed_ppm += claim(f, unit);
	}
	f->had_ppm = TG_PPM - min(had, TG_PPM);
}

/* The factor of X, in parts of TG_PPM: all factors of it are below 2^23, 2^43 with the unit. */
static u64 step_of(const struct feedback *f, u32 target, u32 had)
{
	u64 max_step = STEP_MAX * TG_PPM, step = max_step;

	if (had)
		step = min(div_u64((u64)target * TG_PPM, had), max_step);
	if (f->others)
		step = div_u64(step * max(f->had_ppm, 1U),
			       max(TG_PPM - min(f->claimed_ppm, TG_PPM), MIN_PPM));
	step = max(min(step, max_step), (u64)TG_PPM / STEP_MAX);
	return (step + TG_PPM) / 2;
}

static void correct(const struct feedback *f, struct tg_domain *unit, u32 target)
{
	u32 had = had_ppm(f, unit);

	if (2 * (unit->gpu_ns - unit->credit.polled_ns) < unit->credit.given_ns)
		return;
	unit->credit.earned = div_u64(earned_credit(unit) * step_of(f, target, had), TG_PPM);
	unit->credit.earned = earned_credit(unit);
}

static void begin_period(struct tg_sched *s, u64 now)
{
	struct tg_domain *unit;

	for_each_ready(unit, s) {
		unit->credit.polled_ns = unit->gpu_ns;
		unit->credit.given_ns = 0;
	}
	s->credits.from_ns = now;
}

static void end_cycle(struct tg_sched *s, u64 now)
{
	struct feedback f = { .ns = now - s->credits.from_ns };
	struct tg_domain *unit;

	if (s->credits.from_ns && f.ns < TG_CREDIT_FEEDBACK_NS)
		return;
	if (s->credits.from_ns) {
		look(s, &f);
		open_room(&f);
		for_each_ready(unit, s)
			if (unit->rule.target_ppm)
				correct(&f, unit, claim(&f, unit));
	}
	begin_period(s, now);
}

const struct tg_credit_scheme tg_credit_slaf = {
	.ops = &tg_policy_slaf,
	.turn_max = TG_CREDIT_TURN_SLAF,
	.credit = tg_credit_of_weight,
	.effective = earned_credit,
	.cycle = end_cycle,
};
