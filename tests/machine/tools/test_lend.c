// SPDX-License-Identifier: GPL-2.0-or-later
/* To whom "tgctl lend" lends, by what lend_law.h promises. */
#include <math.h>

#include "lend_law.h"
#include "tap.h"

#define LOOKS 200
#define MAX 4.0

static bool near(double a, double b)
{
	return fabs(a - b) < 0.000000001;
}

/* What a domain's factor is after many looks at the same. */
static double after(const struct lend_rates *of, const struct lend_rates *all, double could)
{
	double factor = 1;

	for (int i = 0; i < LOOKS; i++) {
		factor = lend_factor(factor, of, all, could, MAX);
		if (factor < 1 || factor > MAX)
			return -1;
	}
	return factor;
}

static const struct lend_rates all = { .gpu = 0.5, .cpu = 1, .waits = 3 };
static const struct lend_rates coupled = { .gpu = 0.25, .cpu = 0.25, .waits = 0.7 };

static void who_waits_and_makes_more_of_it_is_lent_all(void)
{
	CHECK(near(after(&coupled, &all, 0.75), MAX));
}

static void who_has_his_part_is_lent_nothing(void)
{
	CHECK(near(after(&coupled, &all, 0.25), 1));
}

static void who_does_not_wait_for_the_cpu_is_lent_nothing(void)
{
	struct lend_rates of = coupled;

	of.waits = 0.01;
	CHECK(near(after(&of, &all, 0.75), 1));
}

static void who_computes_more_than_the_average_is_lent_nothing(void)
{
	const struct lend_rates of = { .gpu = 0.08, .cpu = 0.25, .waits = 0.7 };

	CHECK(near(after(&of, &all, 0.75), 1));
}

static void nobody_is_lent_anything_where_all_are_alike(void)
{
	const struct lend_rates sum = { .gpu = 1, .cpu = 1, .waits = 2.8 };

	CHECK(near(after(&coupled, &sum, 0.75), 1));
}

static void who_used_nothing_is_lent_nothing(void)
{
	const struct lend_rates of = { 0 }, sum = { 0 };

	CHECK(near(after(&of, &all, 1), 1));
	CHECK(near(after(&of, &sum, 1), 1));
}

static void what_is_lent_comes_back_step_by_step(void)
{
	const struct lend_rates of = { .gpu = 0.75, .cpu = 0.5, .waits = 0.1 };
	double factor = MAX;
	int steps = 0;

	while (factor > 1 && steps < LOOKS) {
		double next = lend_factor(factor, &of, &all, 0.75, MAX);

		CHECK(next < factor);
		factor = next;
		steps++;
	}
	CHECK(steps > 5 && steps < 50);
}

static void average_goes_where_it_is_measured(void)
{
	struct lend_rates average = { 0 };

	for (int i = 0; i < LOOKS; i++) {
		lend_average(&average, &coupled);
		CHECK(average.gpu <= coupled.gpu && average.cpu <= coupled.cpu);
	}
	CHECK(fabs(average.gpu - coupled.gpu) < 0.001);
	CHECK(fabs(average.cpu - coupled.cpu) < 0.001);
	CHECK(fabs(average.waits - coupled.waits) < 0.001);
}

/* A and B side by side, A1 and A2 within A. */
static const struct timegraph_domain nest[] = {
	{ .id = 1, .weight = 300 },
	{ .id = 2, .weight = 100 },
	{ .id = 11, .parent = 1, .weight = 100 },
	{ .id = 12, .parent = 1, .weight = 400 },
};

static void parts_are_by_weight_within_what_the_parent_gets(void)
{
	static const bool all_do[] = { true, true, true, true };
	double part[4];

	lend_entitled(nest, 4, all_do, part);
	CHECK(near(part[0], 0.75) && near(part[1], 0.25));
	CHECK(near(part[2], 0.75 / 5) && near(part[3], 0.75 * 4 / 5));
}

static void who_does_not_compete_leaves_his_part(void)
{
	static const bool competes[] = { true, false, true, false };
	double part[4];

	lend_entitled(nest, 4, competes, part);
	CHECK(near(part[0], 1) && near(part[2], 1));
	/* It counts itself. */
	CHECK(near(part[1], 0.25) && near(part[3], 0.8));
}

int main(void)
{
	static const struct tap_case cases[] = {
#define CASE(f) { #f, f }
		CASE(who_waits_and_makes_more_of_it_is_lent_all),
		CASE(who_has_his_part_is_lent_nothing),
		CASE(who_does_not_wait_for_the_cpu_is_lent_nothing),
		CASE(who_computes_more_than_the_average_is_lent_nothing),
		CASE(nobody_is_lent_anything_where_all_are_alike),
		CASE(who_used_nothing_is_lent_nothing),
		CASE(what_is_lent_comes_back_step_by_step),
		CASE(average_goes_where_it_is_measured),
		CASE(parts_are_by_weight_within_what_the_parent_gets),
		CASE(who_does_not_compete_leaves_his_part),
	};

	return tap_run(cases, sizeof(cases) / sizeof(*cases));
}
