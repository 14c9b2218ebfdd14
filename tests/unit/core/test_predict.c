// SPDX-License-Identifier: GPL-2.0-or-later
/* tg_history: single rules, and random groups beside a list of all there was. */
#include <math.h>

#include "random.h"
#include "tap.h"
#include "tg_predictor.h"

#define MAX_RECORDS 16

struct bench {
	struct tg_history h;
	struct tg_record record[MAX_RECORDS];
};

static void bench_init(struct bench *x, u32 n, u64 switch_ns)
{
	/* The memory may hold anything. */
	memset(x, 0xa5, sizeof(*x));
	tg_history_init(&x->h, x->record, n, switch_ns);
}

static struct tg_profile profile(u32 id)
{
	return (struct tg_profile){ .hash = id * 0x9e3779b97f4a7c15ULL, .words = 10 + id };
}

static struct tg_prediction predict(struct bench *x, u32 id, bool switched)
{
	struct tg_profile p = profile(id);
	struct tg_prediction out;

	memset(&out, 0xa5, sizeof(out));
	tg_history_predict(&x->h, &p, switched, &out);
	CHECK(out.switched == switched);
	return out;
}

static void learn(struct bench *x, u32 id, const struct tg_prediction *p, u64 cost)
{
	struct tg_profile key = profile(id);

	tg_history_learn(&x->h, &key, p, cost);
}

/* One group without overlap; what was predicted for it. */
static u64 run(struct bench *x, u32 id, bool switched, u64 cost)
{
	struct tg_prediction p = predict(x, id, switched);

	learn(x, id, &p, cost);
	return p.cost_ns;
}

static bool knows(struct bench *x, u32 id)
{
	struct tg_profile key = profile(id);
	struct tg_record *r;

	list_for_each_entry(r, &x->h.lru, node)
		if (r->profile.hash == key.hash && r->profile.words == key.words)
			return true;
	return false;
}

static void a_hit_predicts_its_average(void)
{
	struct bench x;

	bench_init(&x, 4, 0);
	CHECK(run(&x, 1, false, 100) == 0);
	CHECK(run(&x, 1, false, 200) == 100);
	CHECK(run(&x, 1, false, 600) == 150);
	CHECK(predict(&x, 1, false).cost_ns == 300 && predict(&x, 1, false).hit);
	CHECK(x.h.nr_misses == 1 && x.h.nr_hits == 4);
}

static void the_average_follows_a_change(void)
{
	struct bench x;

	bench_init(&x, 4, 0);
	for (u32 i = 0; i < 1000; i++)
		run(&x, 1, false, 1000000);
	CHECK(predict(&x, 1, false).cost_ns == 1000000);
	/* One disturbance moves it by a sixteenth. */
	run(&x, 1, false, 17000000);
	CHECK(predict(&x, 1, false).cost_ns == 2000000);
	/* A change of the scene is followed within some dozens. */
	for (u32 i = 0; i < 60; i++)
		run(&x, 1, false, 3000000);
	CHECK(llabs((s64)predict(&x, 1, false).cost_ns - 3000000) < 30000);
}

static void a_miss_predicts_the_worst(void)
{
	struct bench x;

	bench_init(&x, 4, 0);
	CHECK(run(&x, 1, false, 300) == 0);
	CHECK(run(&x, 2, false, 900) == 300);
	CHECK(run(&x, 3, false, 500) == 900);
	CHECK(predict(&x, 4, false).cost_ns == 900 && !predict(&x, 4, false).hit);
	/* The worst average, not the worst cost that there was. */
	run(&x, 2, false, 0);
	CHECK(predict(&x, 4, false).cost_ns == 500);
}

static void the_least_recently_used_goes(void)
{
	struct bench x;

	bench_init(&x, 3, 0);
	for (u32 i = 1; i <= 3; i++)
		run(&x, i, false, 100 * i);
	/* Being asked for is a use; only learnt, too late, is none. */
	CHECK(predict(&x, 1, false).hit);
	run(&x, 4, false, 50);
	CHECK(knows(&x, 1) && !knows(&x, 2) && knows(&x, 3) && knows(&x, 4));
	run(&x, 5, false, 50);
	CHECK(knows(&x, 1) && !knows(&x, 3) && knows(&x, 4) && knows(&x, 5));
	/* The worst went with its record. */
	CHECK(predict(&x, 6, false).cost_ns == 100);
	/* An evicted profile begins anew. */
	CHECK(run(&x, 3, false, 40) == 100);
	CHECK(predict(&x, 3, false).cost_ns == 40);
}

static void a_switch_adds_the_preemption_impact(void)
{
	struct bench x;

	bench_init(&x, 4, 50);
	CHECK(predict(&x, 1, true).cost_ns == 50);
	run(&x, 1, false, 1000);
	CHECK(predict(&x, 1, true).cost_ns == 1050);
	CHECK(predict(&x, 1, false).cost_ns == 1000);
	CHECK(predict(&x, 2, true).cost_ns == 1050);
	/* What it cost more is learnt; its average is not touched. */
	run(&x, 1, true, 1150);
	CHECK(x.h.impact_ns == 100 && x.h.impact_weight == 2);
	CHECK(predict(&x, 1, false).cost_ns == 1000);
	CHECK(predict(&x, 1, true).cost_ns == 1100);
	/* Less than nothing cannot be predicted. */
	for (u32 i = 0; i < 200; i++)
		run(&x, 1, true, 0);
	CHECK(x.h.impact_ns < -900);
	run(&x, 2, false, 10);
	CHECK(predict(&x, 2, true).cost_ns == 0);
}

static void a_record_made_after_a_switch_is_like_the_others(void)
{
	struct bench x;

	bench_init(&x, 4, 50);
	run(&x, 1, true, 250);
	CHECK(predict(&x, 1, false).cost_ns == 200);
	CHECK(predict(&x, 1, true).cost_ns == 250);
	CHECK(x.h.impact_ns == 50 && x.h.impact_weight == 1);
	/* Cheaper than a switch: not below zero. */
	run(&x, 2, true, 20);
	CHECK(predict(&x, 2, false).cost_ns == 0);
}

static void the_switch_that_was_learnt_counts(void)
{
	struct bench x;
	struct tg_prediction p;

	/* Predicted with a switch, but none happened, and the reverse. */
	bench_init(&x, 4, 0);
	run(&x, 1, false, 100);
	p = predict(&x, 1, true);
	p.switched = false;
	learn(&x, 1, &p, 300);
	CHECK(predict(&x, 1, false).cost_ns == 200 && !x.h.impact_ns);
	p = predict(&x, 1, false);
	p.switched = true;
	learn(&x, 1, &p, 260);
	CHECK(predict(&x, 1, false).cost_ns == 200 && x.h.impact_ns == 30);
}

static void a_measurement_yields_to_experience(void)
{
	struct bench x;

	bench_init(&x, 4, 50);
	tg_history_measured(&x.h, 70);
	CHECK(predict(&x, 1, true).cost_ns == 70);
	run(&x, 1, false, 1000);
	tg_history_measured(&x.h, 80);
	CHECK(predict(&x, 1, true).cost_ns == 1080);
	run(&x, 1, true, 1100);
	CHECK(x.h.impact_ns == 90);
	tg_history_measured(&x.h, 10);
	CHECK(x.h.impact_ns == 90);
}

static void without_records_nothing_is_remembered(void)
{
	struct bench x;

	bench_init(&x, 0, 30);
	for (u32 i = 0; i < 100; i++) {
		CHECK(run(&x, i % 3, false, 1000) == 0);
		CHECK(run(&x, i % 3, true, 1000) == 30);
	}
	CHECK(x.h.nr_misses == 200 && !x.h.nr_hits && x.h.impact_ns == 30);
}

static void one_record_is_a_table(void)
{
	struct bench x;

	bench_init(&x, 1, 0);
	CHECK(run(&x, 1, false, 100) == 0);
	CHECK(run(&x, 1, false, 100) == 100);
	CHECK(run(&x, 2, false, 7) == 100);
	CHECK(!knows(&x, 1) && predict(&x, 1, false).cost_ns == 7);
}

static void a_hit_can_lose_its_record(void)
{
	struct tg_prediction p;
	struct bench x;

	bench_init(&x, 2, 0);
	run(&x, 1, false, 500);
	p = predict(&x, 1, false);
	CHECK(p.hit && p.cost_ns == 500);
	/* Meanwhile others push it out: groups of one task can overlap. */
	run(&x, 2, false, 10);
	run(&x, 3, false, 20);
	CHECK(!knows(&x, 1));
	learn(&x, 1, &p, 700);
	CHECK(knows(&x, 1) && knows(&x, 3) && !knows(&x, 2));
	CHECK(predict(&x, 1, false).cost_ns == 700);
}

static void two_misses_make_one_record(void)
{
	struct tg_prediction a, b;
	struct bench x;

	bench_init(&x, 4, 0);
	a = predict(&x, 1, false);
	b = predict(&x, 1, false);
	CHECK(!a.hit && !b.hit);
	learn(&x, 1, &a, 100);
	learn(&x, 1, &b, 300);
	CHECK(predict(&x, 1, false).cost_ns == 200);
	CHECK(x.h.lru.next->next == &x.h.lru);
}

static void hash_and_length_must_agree(void)
{
	struct tg_profile p = { .hash = 1, .words = 10 };
	struct tg_prediction out;
	struct bench x;

	bench_init(&x, 4, 0);
	tg_history_predict(&x.h, &p, false, &out);
	tg_history_learn(&x.h, &p, &out, 100);
	p.words = 11;
	tg_history_predict(&x.h, &p, false, &out);
	CHECK(!out.hit);
	p.words = 10;
	p.hash = 2;
	tg_history_predict(&x.h, &p, false, &out);
	CHECK(!out.hit);
	p.hash = 1;
	tg_history_predict(&x.h, &p, false, &out);
	CHECK(out.hit);
}

/* The sanitiser watches; what is predicted stays within 2^61 + 2^62. */
static void extremes_do_not_overflow(void)
{
	static const u64 extreme[] = { 0, 1, 1ULL << 61, (1ULL << 62) - 1, 1ULL << 62,
				       (1ULL << 63) - 1, 1ULL << 63, ~0ULL };
	u64 seed = 0xff;

	for (u32 round = 0; round < 3000; round++) {
		struct bench x;

		bench_init(&x, random_below(&seed, 5), extreme[random_below(&seed, 8)]);
		for (u32 i = 0; i < 100; i++) {
			struct tg_prediction p = predict(&x, random_below(&seed, 5),
							 random_below(&seed, 2));

			CHECK(p.cost_ns <= 3ULL << 61);
			p.switched ^= !random_below(&seed, 4);
			learn(&x, random_below(&seed, 5), &p, extreme[random_below(&seed, 8)]);
		}
	}
}

/* The oracle: every record with all costs it saw, and when it was last used. */
#define WINDOW 16

struct known {
	u32 id;
	u64 used;
	u32 costs;
	double first[WINDOW];
	double mean;
};

struct oracle {
	struct known known[MAX_RECORDS];
	u32 n, max;
	u64 clock;
	struct known impact;
};

static void see(struct known *k, double cost)
{
	if (k->costs < WINDOW) {
		double sum = 0;

		k->first[k->costs] = cost;
		for (u32 i = 0; i <= k->costs; i++)
			sum += k->first[i];
		k->mean = sum / (k->costs + 1);
	} else {
		k->mean = (15 * k->mean + cost) / 16;
	}
	k->costs++;
}

static struct known *recall(struct oracle *o, u32 id)
{
	for (u32 i = 0; i < o->n; i++)
		if (o->known[i].id == id)
			return &o->known[i];
	return NULL;
}

static double oracle_predict(struct oracle *o, u32 id, bool switched, bool *hit)
{
	struct known *k = recall(o, id);
	double x = 0;

	*hit = k;
	if (k) {
		k->used = ++o->clock;
		x = k->mean;
	} else {
		for (u32 i = 0; i < o->n; i++)
			x = fmax(x, o->known[i].mean);
	}
	return fmax(0, x + (switched ? o->impact.mean : 0));
}

static void oracle_learn(struct oracle *o, u32 id, bool switched, double cost)
{
	struct known *k = recall(o, id);

	if (k) {
		if (switched)
			see(&o->impact, cost - k->mean);
		else
			see(k, cost);
		return;
	}
	if (!o->max)
		return;
	if (o->n < o->max) {
		k = &o->known[o->n++];
	} else {
		k = &o->known[0];
		for (u32 i = 1; i < o->n; i++)
			if (o->known[i].used < k->used)
				k = &o->known[i];
	}
	*k = (struct known){ .id = id, .used = ++o->clock };
	see(k, fmax(0, cost - (switched ? o->impact.mean : 0)));
}

static void compare_tables(struct bench *x, const struct oracle *o)
{
	struct tg_record *r;
	u64 used = ~0ULL;
	u32 n = 0;

	list_for_each_entry(r, &x->h.lru, node) {
		struct tg_profile key;
		const struct known *k = NULL;

		for (u32 i = 0; i < o->n; i++) {
			key = profile(o->known[i].id);
			if (key.hash == r->profile.hash && key.words == r->profile.words)
				k = &o->known[i];
		}
		if (!CHECK(k))
			return;
		CHECK(k->used < used);
		used = k->used;
		/* Its own rounding, and that of the impact it may have begun with. */
		CHECK(fabs(k->mean - r->average_ns) < 2 * WINDOW);
		n++;
	}
	CHECK(n == o->n);
	CHECK(fabs(o->impact.mean - x->h.impact_ns) < 3 * WINDOW);
}

static void random_groups_agree_with_the_oracle(void)
{
	struct group { u32 id; struct tg_prediction p; } on_gpu[3];
	u64 seed = 0x415, hits = 0, evicted = 0;

	for (u32 round = 0; round < 300 && !tap_bad_checks; round++) {
		u32 records = random_below(&seed, MAX_RECORDS + 1), online = 0;
		u32 ids = 1 + random_below(&seed, 24), cost = 1 + random_below(&seed, 1000000000);
		u64 switch_ns = random_below(&seed, 100000);
		struct oracle o = { .max = records };
		struct bench x;

		bench_init(&x, records, switch_ns);
		see(&o.impact, switch_ns);
		for (u32 step = 0; step < 1000 && !tap_bad_checks; step++) {
			if (online < 3 && random_below(&seed, 2)) {
				struct group *g = &on_gpu[online++];
				bool switched = random_below(&seed, 2), hit;
				double want;

				g->id = random_below(&seed, ids);
				want = oracle_predict(&o, g->id, switched, &hit);
				g->p = predict(&x, g->id, switched);
				CHECK(g->p.hit == hit);
				CHECK(fabs(want - g->p.cost_ns) < 5 * WINDOW);
				hits += hit;
			} else if (online) {
				struct group g = on_gpu[0];
				u64 c = random_below(&seed, cost);

				memmove(on_gpu, on_gpu + 1, --online * sizeof(g));
				g.p.switched ^= !random_below(&seed, 8);
				evicted += g.p.hit && !recall(&o, g.id);
				oracle_learn(&o, g.id, g.p.switched, c);
				learn(&x, g.id, &g.p, c);
			} else if (o.impact.costs == 1) {
				switch_ns = random_below(&seed, 100000);
				tg_history_measured(&x.h, switch_ns);
				o.impact.costs = 0;
				see(&o.impact, switch_ns);
			} else {
				tg_history_measured(&x.h, 12345678);
			}
			compare_tables(&x, &o);
		}
	}
	tap_diag("%llu hits, %llu of them lost their record", (unsigned long long)hits,
		 (unsigned long long)evicted);
	CHECK(hits > 10000 && evicted > 100);
}

static struct tg_prediction by(enum tg_predictor_id id, const struct tg_past *past,
			       const struct tg_profile *profile, bool switched)
{
	struct tg_prediction p;

	memset(&p, 0xa5, sizeof(p));
	tg_predictors[id].predict(past, profile, switched, &p);
	CHECK(p.switched == switched);
	return p;
}

/* Fifteen groups of 100 and 200 in turns, one of 5000, and then as many of 100 as it takes. */
static void static_predictors_go_by_the_last_sixteen(void)
{
	struct tg_costs costs = {};
	const struct tg_past past = { .costs = &costs };

	CHECK(!by(TG_PREDICTOR_AVERAGE, &past, NULL, false).hit);
	for (u32 i = 0; i < TG_COSTS - 1; i++) {
		tg_costs_learn(&costs, i % 2 ? 200 : 100);
		CHECK(!by(TG_PREDICTOR_LARGEST, &past, NULL, false).cost_ns);
		CHECK(!by(TG_PREDICTOR_LARGEST, &past, NULL, false).hit);
	}
	CHECK(by(TG_PREDICTOR_AVERAGE, &past, NULL, false).cost_ns == (8 * 100 + 7 * 200) / 15);
	tg_costs_learn(&costs, 5000);
	CHECK(by(TG_PREDICTOR_LARGEST, &past, NULL, false).hit);
	for (u32 i = 0; i < TG_COSTS - 1; i++) {
		CHECK(by(TG_PREDICTOR_LARGEST, &past, NULL, false).cost_ns == 5000);
		tg_costs_learn(&costs, 100);
	}
	CHECK(by(TG_PREDICTOR_AVERAGE, &past, NULL, false).cost_ns == (5000 + 15 * 100) / 16);
	tg_costs_learn(&costs, 100);
	CHECK(by(TG_PREDICTOR_LARGEST, &past, NULL, false).cost_ns == 100);
	CHECK(by(TG_PREDICTOR_AVERAGE, &past, NULL, false).cost_ns == 100);
}

/* They add no impact of a switch, which what they know of had, too. */
static void static_predictors_do_not_look_at_the_group(void)
{
	struct tg_costs costs = {};
	struct bench x;
	const struct tg_past past = { .costs = &costs, .history = &x.h };
	struct tg_profile known = profile(1);

	bench_init(&x, 4, 70);
	run(&x, 1, false, 900);
	for (u32 i = 0; i < TG_COSTS; i++)
		tg_costs_learn(&costs, 300);
	for (int switched = 0; switched < 2; switched++) {
		CHECK(by(TG_PREDICTOR_LARGEST, &past, &known, switched).cost_ns == 300);
		CHECK(by(TG_PREDICTOR_AVERAGE, &past, &known, switched).cost_ns == 300);
	}
	CHECK(x.h.nr_hits + x.h.nr_misses == 1);
	CHECK(by(TG_PREDICTOR_HISTORY, &past, &known, true).cost_ns == 970);
}

static void history_needs_a_table_and_a_group_that_was_read(void)
{
	struct tg_costs costs = {};
	struct bench x;
	const struct tg_past without = { .costs = &costs };
	const struct tg_past past = { .costs = &costs, .history = &x.h };
	struct tg_profile known = profile(1);

	bench_init(&x, 4, 0);
	run(&x, 1, false, 900);
	tg_costs_learn(&costs, 300);
	CHECK(!by(TG_PREDICTOR_HISTORY, &without, &known, false).cost_ns);
	CHECK(!by(TG_PREDICTOR_HISTORY, &past, NULL, true).cost_ns);
	CHECK(!by(TG_PREDICTOR_HISTORY, &past, NULL, true).hit);
	CHECK(by(TG_PREDICTOR_HISTORY, &past, &known, false).cost_ns == 900);
	CHECK(by(TG_PREDICTOR_HISTORY, &past, &known, false).hit);
	for (int i = 0; i < TG_NR_PREDICTORS; i++)
		CHECK(tg_predictors[i].profiles == (i == TG_PREDICTOR_HISTORY));
}

int main(void)
{
	static const struct tap_case cases[] = {
#define CASE(f) { #f, f }
		CASE(a_hit_predicts_its_average),
		CASE(the_average_follows_a_change),
		CASE(a_miss_predicts_the_worst),
		CASE(the_least_recently_used_goes),
		CASE(a_switch_adds_the_preemption_impact),
		CASE(a_record_made_after_a_switch_is_like_the_others),
		CASE(the_switch_that_was_learnt_counts),
		CASE(a_measurement_yields_to_experience),
		CASE(without_records_nothing_is_remembered),
		CASE(one_record_is_a_table),
		CASE(a_hit_can_lose_its_record),
		CASE(two_misses_make_one_record),
		CASE(hash_and_length_must_agree),
		CASE(extremes_do_not_overflow),
		CASE(random_groups_agree_with_the_oracle),
		CASE(static_predictors_go_by_the_last_sixteen),
		CASE(static_predictors_do_not_look_at_the_group),
		CASE(history_needs_a_table_and_a_group_that_was_read),
#undef CASE
	};

	return tap_run(cases, ARRAY_SIZE(cases));
}
