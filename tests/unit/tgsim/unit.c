// SPDX-License-Identifier: GPL-2.0-or-later
/* The parts of tgsim that can be wrong by themselves, against naive versions. */
#include "draw.h"
#include "exact.h"
#include "heap.h"
#include "hist.h"
#include "mem.h"
#include "tap.h"

/* As computed where this was written (x86-64, gcc 12). */
#define SUM_OF_COSTS 12501536299686903011ULL

static int by_value(const void *a, const void *b)
{
	u64 x = *(const u64 *)a, y = *(const u64 *)b;

	return x < y ? -1 : x > y;
}

/* Sorted values, the rank of which is the percentile. */
static void percentiles_within_one_percent(void)
{
	static const double percents[] = { 0, 1, 50, 90, 99, 99.9, 100 };
	static u64 v[5000];
	struct hist h = { 0 };
	struct rng r;
	bool good = true;

	rng_seed(&r, 1, 2, 3);
	for (u32 i = 0; i < ARRAY_SIZE(v); i++) {
		v[i] = rng_next(&r) >> rng_below(&r, 60);
		if (v[i] > 1ULL << 50)
			v[i] >>= 14;
		hist_add(&h, v[i]);
	}
	qsort(v, ARRAY_SIZE(v), sizeof(*v), by_value);
	for (u32 i = 0; i < ARRAY_SIZE(percents); i++) {
		double rank = percents[i] / 100 * ARRAY_SIZE(v);
		u32 n = (u32)rank;
		u64 want, got = hist_percentile(&h, percents[i]);

		if ((double)n < rank || !n)
			n++;
		want = v[n - 1];
		if ((double)got < (double)want * 0.99 - 1 ||
		    (double)got > (double)want * 1.01 + 1)
			good = false;
	}
	tap_ok(good, "hist: percentiles are within 1 % of the sorted values'");
	tap_ok(h.min == v[0] && h.max == v[ARRAY_SIZE(v) - 1],
	       "hist: the least and the largest value are exact");
	hist_free(&h);
}

static void percentiles_of_equal_values_are_exact(void)
{
	struct hist h = { 0 };

	for (u32 i = 0; i < 1000; i++)
		hist_add(&h, 123456789);
	tap_ok(hist_percentile(&h, 50) == 123456789 &&
	       hist_percentile(&h, 99) == 123456789 && hist_mean(&h) == 123456789,
	       "hist: equal values come out as they are");
	hist_free(&h);
}

static void sums_decide_at_the_limit(void)
{
	static const u64 t[] = { 99999999977ULL, 99999999947ULL, 99999999943ULL };
	struct exact e;
	bool good;

	exact_init(&e);
	for (u32 i = 0; i < 10; i++)
		exact_add(&e, 1, 10);
	good = exact_at_most_percent(&e, 100) && !exact_at_most_percent(&e, 99);
	tap_ok(good, "exact: ten tenths are 100 %, not more and not less");

	/* 1 - 1/t0 + 1/t1: above 1 by 3·10^-21, since t1 < t0. */
	exact_init(&e);
	exact_add(&e, t[0] - 1, t[0]);
	exact_add(&e, 1, t[1]);
	tap_ok(!exact_at_most_percent(&e, 100), "exact: 3e-21 too much is seen");
	exact_init(&e);
	exact_add(&e, t[1] - 1, t[1]);
	exact_add(&e, 1, t[0]);
	tap_ok(exact_at_most_percent(&e, 100), "exact: 3e-21 too little fits");

	exact_init(&e);
	for (u32 i = 0; i < EXACT_FRACTIONS_MAX; i++)
		exact_add(&e, t[i % 3] / 24, t[i % 3]);
	tap_ok(exact_at_most_percent(&e, 100) && !exact_at_most_percent(&e, 99),
	       "exact: as many fractions as fit do not overflow");
}

static void events_come_in_order(void)
{
	struct heap h = { 0 };
	struct heap_event last = { 0 }, e;
	struct rng r;
	bool good = true;
	u32 n = 0;

	rng_seed(&r, 4, 5, 6);
	for (u32 i = 0; i < 20000; i++) {
		if (h.n && rng_below(&r, 3) == 0) {
			e = heap_take(&h);
			n++;
		} else {
			heap_add(&h, 1000 * n + rng_below(&r, 50),
				 rng_below(&r, 6), &h);
		}
	}
	while (h.n) {
		e = heap_take(&h);
		good &= e.at > last.at ||
			(e.at == last.at && e.order > last.order);
		last = e;
		n++;
	}
	tap_ok(good && n > 10000, "heap: events come by time, class and age");
	free(h.e);
}

static void costs_are_the_same_everywhere(void)
{
	u64 v[] = { 1000000, 2000000 };
	struct cost lognormal = { COST_LOGNORMAL, v, 1, 300000 };
	struct cost uniform = { COST_UNIFORM, v, 2 };
	struct rng r;
	u64 sum = 0, below = 0;
	bool in = true;

	rng_seed(&r, 7, 0, 0);
	for (u32 i = 0; i < 10000; i++) {
		u64 c = cost_draw(&lognormal, &r, NULL, 0);

		below += c < 1000000;
		sum = sum * 31 + c;
		c = cost_draw(&uniform, &r, NULL, 0);
		in &= c >= v[0] && c <= v[1];
	}
	tap_ok(below > 4800 && below < 5200, "draw: half are below the median");
	tap_ok(in, "draw: uniform costs keep within their bounds");
	tap_ok(sum == SUM_OF_COSTS, "draw: a seed gives the same costs on every machine");
	if (sum != SUM_OF_COSTS)
		tap_diag("%lluu", (unsigned long long)sum);
}

static void times_are_read(void)
{
	static const struct { const char *text; u64 ns; } good[] = {
		{ "0", 0 }, { "300", 300000 }, { "2.5ms", 2500000 },
		{ "1ns", 1 }, { "1000000s", SCENARIO_TIME_MAX_NS },
		{ "0.000000001s", 1 }, { "16.667ms", 16667000 },
	};
	static const char *const bad[] = { "", "x", "-1", ".5", "5m", "5 ms",
					   "1000001s", "9999999999999999" };
	bool all = true;
	u64 ns;

	for (u32 i = 0; i < ARRAY_SIZE(good); i++) {
		size_t n = parse_time(good[i].text, &ns);

		all &= n == strlen(good[i].text) && ns == good[i].ns;
	}
	tap_ok(all, "time: numbers with and without units");
	all = true;
	for (u32 i = 0; i < ARRAY_SIZE(bad); i++) {
		size_t n = parse_time(bad[i], &ns);

		all &= !n || bad[i][n];
	}
	tap_ok(all, "time: what is none is refused");
}

int main(void)
{
	percentiles_within_one_percent();
	percentiles_of_equal_values_are_exact();
	sums_decide_at_the_limit();
	events_come_in_order();
	costs_are_the_same_everywhere();
	times_are_read();
	return tap_end();
}
