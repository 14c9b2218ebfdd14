// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Figure 6 of the paper, step by step: four groups of one task, under PE and
 * under AE.  The figure has no numbers; these are chosen such that all happens
 * that the text (section 5.1) tells of it.  C = 8 ms, T = 20 ms; the groups
 * arrive at 0, 6, 18 and 20.5 ms and cost 4, 10, 1 and 7.5 ms.
 */
#include "tap.h"
#include "tg_sched.h"
#include "reserve_cases.h"

#define US 1000ULL

enum what {
	ARRIVES,	/* group @g asks for the GPU */
	VALIDATED,	/* its cost is known; it starts if it is let go */
	ENDS,
	TIMER,		/* the budget is replenished */
	LOOK,		/* nothing happens */
};

/*
 * Then: the state of each group (n new, w waiting, t throttled, o online, r
 * running, . gone), and the budget.
 */
struct figure_step {
	u64 at_us;
	enum what what;
	u32 g;
	const char *states;
	s64 budget_us;
};

static const u64 cost_us[] = { 4000, 10000, 1000, 7500 };

struct figure {
	struct tg_sched s;
	struct tg_task task;
	struct tg_reserve r;
	struct tg_group g[4];
};

static void take(struct figure *f, const struct figure_step *st)
{
	struct tg_group *g = &f->g[st->g];
	u64 now = st->at_us * US;

	switch (st->what) {
	case ARRIVES:
		g->task = &f->task;
		tg_sched_arrive(&f->s, g, now);
		break;
	case VALIDATED:
		if (tg_sched_check(&f->s, g, f->r.ops->predicts ?
				   cost_us[st->g] * US : 0, now))
			tg_sched_start(&f->s, g, now);
		break;
	case ENDS:
		CHECK(now == g->start_ns + cost_us[st->g] * US);
		tg_sched_complete(&f->s, g, now);
		break;
	case TIMER:
		CHECK(tg_sched_next_timer(&f->s) == now);
		break;
	case LOOK:
		/* As a viewer does: nobody waits, so nothing was replenished. */
		tg_reserve_advance(&f->r, now, 0);
		break;
	}
	while (tg_sched_next(&f->s, now))
		;
}

static void replay(const struct tg_reserve_ops *ops, const struct figure_step *steps,
		   u32 n)
{
	static const char letter[] = "nwtora.";
	struct figure f;

	memset(&f, 0, sizeof(f));
	tg_sched_init(&f.s, 1, 1000, 1000, 0);
	tg_task_init(&f.task);
	tg_reserve_init(&f.r, ops, 8000 * US, 20000 * US, 0);
	CHECK(tg_sched_add_reserve(&f.s, &f.r));
	tg_sched_join(&f.s, &f.task, &f.r, 0);
	for (u32 i = 0; i < n && !tap_bad_checks; i++) {
		char states[5] = "";

		take(&f, &steps[i]);
		for (u32 k = 0; k < 4; k++)
			states[k] = letter[f.g[k].state];
		tap_diag("%6.1f ms  %s  e = %4.1f ms", steps[i].at_us / 1e3, states,
			 f.r.budget_ns / 1e6);
		CHECK(!strcmp(states, steps[i].states));
		CHECK(f.r.budget_ns == steps[i].budget_us * (s64)US);
		if (tap_bad_checks)
			tap_diag("    expected: %s  e = %4.1f ms", steps[i].states,
				 steps[i].budget_us / 1e3);
	}
}

void figure_6a_pe_pays_an_overrun_in_the_next_period(void)
{
	static const struct figure_step steps[] = {
		{     0, ARRIVES,   0, "onnn",  8000 },
		{     0, VALIDATED, 0, "rnnn",  8000 },
		{  4000, ENDS,      0, ".nnn",  4000 },
		{  6000, ARRIVES,   1, ".onn",  4000 },
		{  6000, VALIDATED, 1, ".rnn",  4000 },
		/* "When the second … completes, the budget is negative." */
		{ 16000, ENDS,      1, "..nn", -6000 },
		/* "the third … must wait … even though the GPU remains idle" */
		{ 18000, ARRIVES,   2, "..tn", -6000 },
		/* e = min(C, e + C) */
		{ 20000, TIMER,     0, "..on",  2000 },
		{ 20000, VALIDATED, 2, "..rn",  2000 },
		/* "the fourth … is blocked even though the budget is greater than zero" */
		{ 20500, ARRIVES,   3, "..rw",  2000 },
		{ 21000, ENDS,      2, "...o",  1000 },
		{ 21000, VALIDATED, 3, "...r",  1000 },
		{ 28500, ENDS,      3, "....", -6500 },
		{ 39999, LOOK,      0, "....", -6500 },
		{ 40000, LOOK,      0, "....",  1500 },
		{ 60000, LOOK,      0, "....",  8000 },
		{ 80000, LOOK,      0, "....",  8000 },
	};

	replay(&tg_reserve_pe, steps, ARRAY_SIZE(steps));
}

void figure_6b_ae_saves_for_a_large_group(void)
{
	static const struct figure_step steps[] = {
		{     0, ARRIVES,   0, "onnn",  8000 },
		{     0, VALIDATED, 0, "rnnn",  8000 },
		{  4000, ENDS,      0, ".nnn",  4000 },
		{  6000, ARRIVES,   1, ".onn",  4000 },
		/* "the second … is not submitted …, as its budget is less" */
		{  6000, VALIDATED, 1, ".tnn",  4000 },
		{ 18000, ARRIVES,   2, ".ttn",  4000 },
		/* x > C: e = min(x, e + C) */
		{ 20000, TIMER,     0, ".own", 10000 },
		{ 20000, VALIDATED, 1, ".rwn", 10000 },
		{ 20500, ARRIVES,   3, ".rww", 10000 },
		{ 30000, ENDS,      1, "..tt",     0 },
		{ 40000, TIMER,     0, "..ow",  8000 },
		{ 40000, VALIDATED, 2, "..rw",  8000 },
		{ 41000, ENDS,      2, "...o",  7000 },
		/* "The fourth … also needs to wait": 7.5 > 7, on an idle GPU */
		{ 41000, VALIDATED, 3, "...t",  7000 },
		/* "bounded by C, since x < C": not 7 + 8, nor x */
		{ 60000, TIMER,     0, "...o",  8000 },
		{ 60000, VALIDATED, 3, "...r",  8000 },
		{ 67500, ENDS,      3, "....",   500 },
		{ 80000, LOOK,      0, "....",  8000 },
	};

	replay(&tg_reserve_ae, steps, ARRAY_SIZE(steps));
}
