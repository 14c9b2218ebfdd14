// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Bounds against published and hand-made examples, against a slow GPU, and against
 * the kernel's own scheduler under virtual time.
 */
#include <string.h>

#include "gpusim.h"
#include "priorities.h"
#include "random.h"
#include "rta.h"
#include "tap.h"

#define MS 1000000ULL

static struct rta_result analyze(const struct rta_task *task, u32 n,
				 const struct rta_free *free, u32 nr_free, u32 i)
{
	struct rta_set set = { task, n, free, nr_free };
	struct rta_result res;

	rta_analyze(&set, i, &res);
	return res;
}

/* A sporadic task as in the literature: no reserve, one group of C every T. */
static struct rta_task sporadic(u64 c, u64 t, u8 level)
{
	return (struct rta_task){ .work = c, .last = c, .group = c, .capacity = c,
				  .period = t, .deadline = t, .low = level, .high = level };
}

/*
 * Davis, Burns, Bril, Lukkien 2007, table 1: three messages of 1 ms, T = 2.5,
 * 3.5, 3.5 ms.  The first one of the lowest takes 3 ms, the second 3.5.
 */
static void second_instance_is_the_worst(void)
{
	struct rta_task t[3] = { sporadic(1 * MS, 5 * MS / 2, 6),
				 sporadic(1 * MS, 7 * MS / 2, 4),
				 sporadic(1 * MS, 7 * MS / 2, 2) };

	CHECK(analyze(t, 3, NULL, 0, 0).in_step == 2 * MS);
	CHECK(analyze(t, 3, NULL, 0, 1).in_step == 3 * MS);
	CHECK(analyze(t, 3, NULL, 0, 2).in_step == 7 * MS / 2);
}

static struct rta_task pe(u64 c, u64 t, u64 g, u8 level)
{
	return (struct rta_task){ .work = c, .last = g < c ? 1 : c, .group = g,
				  .capacity = c, .period = t, .deadline = t - 1,
				  .jitter = t - c,
				  .overrun = g - 1, .low = level, .high = level };
}

/*
 * By hand, in ms: high (2 every 16, groups of 2), low (5 every 40, groups of
 * 5), and a program without a reserve below with groups of 3.
 *
 *	high: blocked by 5; 5 + 2 = 7.  Its work may fall across a replenishment
 *	and take the next one's budget, so any time: 7 + 7.
 *	low: w = 3 + I(w); I(w) = ⌈(w + 14)/16⌉·2 + 2 less 1 ns: w = 3 + 6 = 9
 *	(⌈23/16⌉ = 2); 9 + 5 = 14, any time 28.
 */
static void small_set_by_hand(void)
{
	struct rta_task t[2] = { pe(2 * MS, 16 * MS, 2 * MS, 4), pe(5 * MS, 40 * MS, 5 * MS, 2) };
	struct rta_free below = { 3 * MS, 0 }, above = { 1, 2 };
	struct rta_result r;

	r = analyze(t, 2, &below, 1, 0);
	CHECK(r.verdict == RTA_MET && r.blocking == 5 * MS);
	CHECK(r.in_step == 7 * MS && r.any_time == 14 * MS);
	r = analyze(t, 2, &below, 1, 1);
	CHECK(r.verdict == RTA_MET && r.blocking == 3 * MS);
	CHECK(r.in_step == 14 * MS - 1 && r.any_time == 28 * MS - 2);
	r = analyze(t, 2, &above, 1, 0);
	CHECK(r.verdict == RTA_MET);
	r = analyze(t, 2, &above, 1, 1);
	CHECK(r.verdict == RTA_UNBOUNDED && r.culprit == 0 && !r.in_step && !r.any_time);
}

/*
 * One reserve, alone: 4 every 10.  In step it needs 4.  Otherwise, in groups of
 * 1: a group may end with the period and be charged to the next, where the work
 * then lacks 1 of its budget and has that group wait for 1 after it came 1 before
 * the end: 2·4 − 4 + 1.  As one group of 4, all of it waits: 2·4.
 */
static void own_budget_delays_work_out_of_step(void)
{
	struct rta_task fine = pe(4, 10, 1, 2), coarse = pe(4, 10, 4, 2);
	struct rta_free below = { 2, 0 };
	struct rta_result r;

	r = analyze(&fine, 1, NULL, 0, 0);
	CHECK(r.verdict == RTA_MET && r.in_step == 4 && r.any_time == 5);
	r = analyze(&coarse, 1, NULL, 0, 0);
	CHECK(r.verdict == RTA_MET && r.in_step == 4 && r.any_time == 8);
	/* 2·5 is not before 10. */
	coarse = pe(5, 10, 5, 2);
	r = analyze(&coarse, 1, NULL, 0, 0);
	CHECK(r.verdict == RTA_IN_STEP && r.in_step == 5 && !r.any_time);
	/*
	 * Blocked by 2, W = 6: work that comes 6 late and the next job, 10 after its
	 * arrival, may meet in one busy period, so nothing is taken off 2·6.
	 */
	r = analyze(&fine, 1, &below, 1, 0);
	CHECK(r.verdict == RTA_IN_STEP && r.in_step == 6 && !r.any_time);
}

/*
 * An idle time of 1 around each group.  Alone, 4 in groups of 2: twice 1, so 6;
 * any time 2·6 − 4 + 2.  Below one that may take 2 + 2 + 1, that is two groups
 * of 2 or more: w = 4 + 5 + 2, 11, and 6 for its own one; if each was refused once
 * before (in a period that began before and in one within), 2 more.
 */
static void idle_times_count_once_a_group(void)
{
	struct rta_task alone = pe(4, 20, 2, 2);
	struct rta_task t[2] = { pe(2, 16, 2, 4), pe(5, 40, 5, 2) };
	struct rta_free below = { 3 + 1, 0 };
	struct rta_set set = { &alone, 1, NULL, 0, 1 };
	struct rta_result r;

	alone.shortest = 2;
	rta_analyze(&set, 0, &r);
	CHECK(r.in_step == 6 && r.any_time == 10);
	t[0].shortest = 2;
	t[1].shortest = 5;
	set = (struct rta_set){ t, 2, &below, 1, 1 };
	rta_analyze(&set, 0, &r);
	CHECK(r.blocking == 6 && r.in_step == 9);
	rta_analyze(&set, 1, &r);
	CHECK(r.blocking == 4 && r.in_step == 17);
	t[0].refusals = 1;
	rta_analyze(&set, 1, &r);
	CHECK(r.in_step == 19);
	/* So short groups that there is no bound, and no overflow. */
	t[0].shortest = 1;
	set.idle = 100 * MS;
	rta_analyze(&set, 1, &r);
	CHECK(r.verdict == RTA_LATE);
}

static void overload_is_late_not_endless(void)
{
	struct rta_task t[3] = { pe(9, 10, 9, 6), pe(2, 10, 2, 4), pe(100, 100, 100, 2) };

	CHECK(analyze(t, 3, NULL, 0, 0).verdict == RTA_LATE);
	CHECK(analyze(t, 3, NULL, 0, 1).verdict == RTA_LATE);
	CHECK(analyze(t, 3, NULL, 0, 2).verdict == RTA_LATE);
	/* A sum of exactly 1: the busy period at the lowest level never ends. */
	t[0] = pe(5, 10, 1, 6);
	t[1] = pe(5, 10, 1, 4);
	CHECK(analyze(t, 2, NULL, 0, 1).verdict == RTA_LATE);
}

/* Random sets: what the analysis is told, and the same for the machine. */
struct random_set {
	struct rta_task task[GPUSIM_TASKS];
	struct rta_free free[2];
	struct gpusim_task sim[GPUSIM_TASKS];
	struct coresim_floor floor;
	u32 n, nr_free;
};

static u64 seed;

static u32 below(u32 n)
{
	return random_below(&seed, n);
}

/* As model.c does from a specification. */
static void random_reserve(struct rta_task *t, struct gpusim_task *s)
{
	bool whole;
	u32 g;

	memset(s, 0, sizeof(*s));
	s->period = 5 + below(60);
	s->capacity = 1 + below(1 + s->period / 4);
	s->ae = below(4) == 0;
	s->group = below(3) ? 1 + below(s->capacity) : 1 + below(2 * s->capacity);
	whole = !s->ae && below(3) == 0;
	if (whole)
		s->group = s->capacity;
	s->whole = whole;
	s->level = 2 * (1 + below(6));
	s->phase = below(s->period);
	g = s->group;
	*t = pe(s->capacity, s->period, g, s->level);
	t->last = whole ? g : 1;
	if (s->ae) {
		t->work = g < s->capacity ? s->capacity - g : 0;
		t->last = 1;
		if (g > s->capacity) {
			t->jitter = t->period;
			t->overrun += g - s->capacity;
		}
	}
	s->work = t->work;
}

static void random_set(struct random_set *r, u32 max)
{
	r->n = 1 + below(max);
	for (u32 i = 0; i < r->n; i++)
		random_reserve(&r->task[i], &r->sim[i]);
	r->nr_free = below(2);
	r->free[0] = (struct rta_free){ 1 + below(12), 0 };
	r->sim[r->n] = (struct gpusim_task){ .group = r->free[0].burst };
}

/* Let every task but the one in question do what hurts. */
static void random_habits(struct random_set *r, u32 i, enum gpusim_habit habit)
{
	for (u32 k = 0; k < r->n + r->nr_free; k++) {
		r->sim[k].habit = below(2) ? GPUSIM_BURSTS : GPUSIM_GREEDY;
		if (r->sim[k].period)
			r->sim[k].phase = below(r->sim[k].period);
	}
	r->sim[i].habit = habit;
}

struct tightness {
	u32 bounds, reached, close;
	bool core;	/* which machine */
};

/* False if this set is not one for the machine. */
static bool run_machine(struct random_set *r, const struct tightness *t)
{
	if (t->core)
		return coresim_run(r->sim, r->n + r->nr_free, 1500, &seed, &r->floor);
	gpusim_run(r->sim, r->n + r->nr_free, 1500, &seed, NULL);
	return true;
}

static void show_set(const struct random_set *r)
{
	for (u32 k = 0; k < r->n; k++)
		tap_diag("  %u: %s C %u T %u g %u%s level %u", k, r->sim[k].ae ? "AE" : "PE",
			 r->sim[k].capacity, r->sim[k].period, r->sim[k].group,
			 r->sim[k].whole ? " whole" : "", r->sim[k].level);
	for (u32 k = 0; k < r->nr_free; k++)
		tap_diag("  free: %llu", (unsigned long long)r->free[k].burst);
	tap_diag("  floor: C %u T %u", r->floor.capacity, r->floor.period);
}

static bool bound_holds(struct random_set *r, u32 i, u64 bound, enum gpusim_habit habit,
			struct tightness *t)
{
	u32 worst = 0;

	for (u32 run = 0; run < 6; run++) {
		random_habits(r, i, habit);
		if (!run_machine(r, t))
			return true;
		if (r->sim[i].worst > worst)
			worst = r->sim[i].worst;
	}
	t->bounds++;
	t->reached += worst == bound;
	t->close += 10 * worst >= 8 * bound;
	if (CHECK(worst <= bound))
		return true;
	tap_diag("  task %u took %u, not %llu", i, worst, (unsigned long long)bound);
	show_set(r);
	return false;
}

static void check_bounds(bool in_step, u32 sets, struct tightness *t)
{
	struct random_set r;

	for (u32 round = 0; round < sets; round++) {
		struct rta_set set;

		random_set(&r, 4);
		r.floor = (struct coresim_floor){ t->core ? below(4) : 0, 10 + below(40) };
		set = (struct rta_set){
			r.task, r.n, r.free, r.nr_free,
			.floor = { r.floor.capacity, r.floor.period, 1 },
		};
		for (u32 i = 0; i < r.n; i++) {
			struct rta_result res;
			u64 bound;

			rta_analyze(&set, i, &res);
			bound = in_step ? res.in_step : res.any_time;
			if (bound && !bound_holds(&r, i, bound, in_step ? GPUSIM_IN_STEP :
								 GPUSIM_JOBS, t))
				return;
		}
	}
}

static void check_machine(bool in_step, bool core, u32 sets, u32 share)
{
	struct tightness t = { .core = core };

	check_bounds(in_step, sets, &t);
	tap_diag("%u bounds, %u reached, %u within 20 %%", t.bounds, t.reached, t.close);
	CHECK(t.bounds > 1000 && t.reached > t.bounds / share);
}

static void no_job_in_step_exceeds_its_bound(void)
{
	seed = 0x1257;
	check_machine(true, false, 2000, 20);
}

static void no_job_at_any_time_exceeds_its_bound(void)
{
	seed = 0xa27;
	check_machine(false, false, 2500, 50);
}

static void no_job_in_step_exceeds_it_in_the_core(void)
{
	seed = 0xc025;
	check_machine(true, true, 2000, 20);
}

static void no_job_at_any_time_exceeds_it_in_the_core(void)
{
	seed = 0xc0a7;
	check_machine(false, true, 2500, 50);
}

/* What any reserve may use in any window, measured at a lower level. */
static void budgets_never_exceed_the_interference(void)
{
	u32 reached = 0, windows = 0;

	seed = 0x1f;
	for (u32 round = 0; round < 100; round++) {
		struct random_set r;
		static u32 used[2001];

		random_set(&r, 1);
		/* Above it somebody who holds it up now and then. */
		r.sim[1] = (struct gpusim_task){ .group = 1 + below(20), .level = 100 };
		r.nr_free = below(4) ? 1 : 0;
		random_habits(&r, 0, below(2) ? GPUSIM_GREEDY : GPUSIM_BURSTS);
		r.sim[1].habit = GPUSIM_BURSTS;
		gpusim_run(r.sim, 1 + r.nr_free, 2000, &seed, used);
		for (u32 from = 0; from < 1900; from++) {
			for (u32 len = 1; len <= 100; len++) {
				u32 got = used[from + len] - used[from];
				u64 may = rta_interference(&r.task[0], len);

				windows++;
				reached += got == may;
				if (!CHECK(got <= may)) {
					tap_diag("  %u in %u, not %llu: %s C %u T %u g %u", got, len,
						 (unsigned long long)may, r.sim[0].ae ? "AE" : "PE",
						 r.sim[0].capacity, r.sim[0].period, r.sim[0].group);
					return;
				}
			}
		}
	}
	tap_diag("%u windows, %u full", windows, reached);
	CHECK(reached > 1000);
}

static bool all_met(struct rta_task *task, u32 n, const struct rta_free *free, u32 nr_free)
{
	for (u32 i = 0; i < n; i++)
		if (analyze(task, n, free, nr_free, i).verdict != RTA_MET)
			return false;
	return true;
}

/* Every order of levels; true if one meets all. */
static bool any_order(struct rta_task *task, u32 n, u32 done, const struct rta_free *free,
		      u32 nr_free)
{
	if (done == n)
		return all_met(task, n, free, nr_free);
	for (u32 i = 0; i < n; i++) {
		bool met;

		if (task[i].low)
			continue;
		task[i].low = task[i].high = 2 * (done + 1);
		met = any_order(task, n, done + 1, free, nr_free);
		task[i].low = task[i].high = 0;
		if (met)
			return true;
	}
	return false;
}

static void optimal_assignment_exists_if_any_does(void)
{
	u32 found = 0, none = 0, beyond_rm = 0;

	seed = 0x09a;
	for (u32 round = 0; round < 2500; round++) {
		struct random_set r;
		struct rta_task copy[GPUSIM_TASKS];
		u8 prio[GPUSIM_TASKS] = { 0 }, stuck = 0;
		struct priorities p = { prio, 0, 10 };
		struct rta_set set;
		bool opa, any;

		random_set(&r, 5);
		/* More of those that are hard to place. */
		r.free[0].burst = 1 + below(4);
		p.n = r.n;
		set = (struct rta_set){ r.task, r.n, r.free, r.nr_free };
		memcpy(copy, r.task, sizeof(copy));
		for (u32 i = 0; i < r.n; i++)
			copy[i].low = copy[i].high = 0;
		any = any_order(copy, r.n, 0, r.free, r.nr_free);
		opa = priorities_optimal(&p, &set, RTA_MET, &stuck);
		if (!CHECK(opa == any)) {
			tap_diag("  round %u: opa %d, any %d", round, opa, any);
			show_set(&r);
			return;
		}
		if (!opa) {
			none++;
			CHECK(stuck > 10 - r.n && stuck <= 10);
			continue;
		}
		found++;
		for (u32 i = 0; i < r.n; i++) {
			CHECK(prio[i] > 10 - r.n && prio[i] <= 10);
			r.task[i].low = r.task[i].high = 2 * prio[i];
		}
		CHECK(all_met(r.task, r.n, r.free, r.nr_free));
		priorities_by_period(&p, &set);
		for (u32 i = 0; i < r.n; i++)
			r.task[i].low = r.task[i].high = 2 * prio[i];
		beyond_rm += !all_met(r.task, r.n, r.free, r.nr_free);
	}
	tap_diag("%u found, %u of them not by rate monotonic, %u have none", found, beyond_rm,
		 none);
	CHECK(found > 300 && none > 300 && beyond_rm > 5);
}

static void periods_give_the_order(void)
{
	struct rta_task t[4] = { pe(1, 50, 1, 2), pe(1, 20, 1, 2), pe(1, 50, 1, 2), pe(1, 9, 1, 2) };
	struct rta_set set = { t, 4, NULL, 0 };
	u8 prio[4] = { 0, 7, PRIO_FIXED, 0 };
	struct priorities p = { prio, 4, 98 };

	CHECK(priorities_wanted(&p) == 3);
	priorities_by_period(&p, &set);
	CHECK(prio[0] == 96 && prio[1] == 97 && prio[2] == PRIO_FIXED && prio[3] == 98);
	prio[2] = 0;
	priorities_by_period(&p, &set);
	CHECK(prio[0] == 96 && prio[1] == 97 && prio[2] == 95 && prio[3] == 98);
}

int main(void)
{
	static const struct tap_case cases[] = {
#define CASE(f) { #f, f }
		CASE(second_instance_is_the_worst),
		CASE(small_set_by_hand),
		CASE(own_budget_delays_work_out_of_step),
		CASE(idle_times_count_once_a_group),
		CASE(overload_is_late_not_endless),
		CASE(budgets_never_exceed_the_interference),
		CASE(no_job_in_step_exceeds_its_bound),
		CASE(no_job_at_any_time_exceeds_its_bound),
		CASE(no_job_in_step_exceeds_it_in_the_core),
		CASE(no_job_at_any_time_exceeds_it_in_the_core),
		CASE(periods_give_the_order),
		CASE(optimal_assignment_exists_if_any_does),
#undef CASE
	};

	return tap_run(cases, ARRAY_SIZE(cases));
}
