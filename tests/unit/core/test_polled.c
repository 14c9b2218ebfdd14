// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Shares by polls: who has more than his share is found soon, and who has not is not found
 * by chance.  The polls are drawn at random, as the module takes them.
 */
#include "random.h"
#include "tap.h"
#include "tg_polled.h"
#include "tg_sched.h"

#define MS 1000000ULL
#define STRETCH_NS (4 * MS)
#define TASKS 4
#define A_MINUTE (60 * 1000 * MS / STRETCH_NS)
#define SEEDS 50

static struct {
	struct tg_polled p;
	struct tg_polled_task task[TASKS];
	uint64_t seed;
} w;

static void begin(uint64_t seed)
{
	memset(&w, 0, sizeof(w));
	w.seed = seed;
	tg_polled_begin(&w.p);
}

/* Of those of @active the GPU is at one, with a probability by @parts; what is found. */
static u64 see(const unsigned int parts[TASKS])
{
	struct tg_polled_task *active[TASKS], *at = NULL;
	unsigned int nr = 0, sum = 0, draw;

	for (int i = 0; i < TASKS; i++) {
		sum += parts[i];
		if (parts[i])
			active[nr++] = &w.task[i];
	}
	draw = random_below(&w.seed, sum);
	for (int i = 0; i < TASKS && !at; i++) {
		if (draw < parts[i])
			at = &w.task[i];
		else
			draw -= parts[i];
	}
	return tg_polled_saw(&w.p, active, nr, at, STRETCH_NS);
}

/* Returns after how many polls somebody is found, or @most. */
static u64 found_after(const unsigned int parts[TASKS], u64 most)
{
	u64 n = 0;

	while (n < most && !see(parts))
		n++;
	return n;
}

/* The best that a test of single polls can do: in a minute one of fifty pairs at most. */
static void who_shares_evenly_is_not_found_by_chance(void)
{
	static const unsigned int even[][TASKS] = { { 1, 1 }, { 1, 1, 1 }, { 1, 1, 1, 1 } };

	for (unsigned int i = 0; i < ARRAY_SIZE(even); i++) {
		int found = 0;

		for (int seed = 1; seed <= SEEDS; seed++) {
			begin(seed);
			found += found_after(even[i], A_MINUTE) < A_MINUTE;
		}
		tap_diag("%d of %d found in a minute", found, SEEDS);
		CHECK(found <= 1);
	}
}

/* One of them has no work now and then. */
static void who_pauses_is_not_ahead_by_chance(void)
{
	int found = 0;

	for (int seed = 1; seed <= SEEDS; seed++) {
		u64 n = 0;

		begin(seed);
		while (n < A_MINUTE && !see((unsigned int[TASKS]){ 1, !!(n % 10) }))
			n++;
		found += n < A_MINUTE;
	}
	tap_diag("%d of %d found in a minute", found, SEEDS);
	CHECK(found <= 1);
}

/*
 * Nor is one of three at whose pause the two others are level, which says nothing of him.  He
 * is found as soon as he has work again if that is taken for an even time of all.
 */
static void who_pauses_beside_two_is_not_ahead_by_chance(void)
{
	int found = 0;

	for (int seed = 1; seed <= SEEDS; seed++) {
		u64 n = 0;

		begin(seed);
		while (n < A_MINUTE && !see((unsigned int[TASKS]){ 1, !!random_below(&w.seed, 10),
								   !!random_below(&w.seed, 10) }))
			n++;
		found += n < A_MINUTE;
	}
	tap_diag("%d of %d found in a minute", found, SEEDS);
	CHECK(found <= 1);
}

/* How long it takes bounds what the others lose: until then, and each time again. */
static void who_has_more_than_his_share_is_found(void)
{
	static const struct {
		unsigned int parts[TASKS];
		u64 ms;		/* for nine of ten */
	} uneven[] = {
		{ { 95, 5 }, 250 },
		{ { 9, 1 }, 300 },
		{ { 3, 1 }, 700 },
		{ { 2, 1 }, 1500 },
		{ { 3, 2 }, 4000 },
		{ { 3, 3, 1 }, 2500 },
	};

	for (unsigned int i = 0; i < ARRAY_SIZE(uneven); i++) {
		u64 most = uneven[i].ms * MS / STRETCH_NS, sum = 0;
		int late = 0;

		for (int seed = 1; seed <= SEEDS; seed++) {
			u64 n;

			begin(seed);
			n = found_after(uneven[i].parts, 10 * most);
			late += n >= most;
			sum += n;
		}
		tap_diag("%u:%u after %llu ms in the mean, %d late", uneven[i].parts[0],
			 uneven[i].parts[1], sum / SEEDS * STRETCH_NS / MS, late);
		CHECK(late <= SEEDS / 10);
	}
}

static void what_is_found_is_by_how_much_he_is_ahead(void)
{
	u64 had[TASKS] = {}, ahead = 0;

	begin(7);
	while (!ahead) {
		ahead = see((unsigned int[TASKS]){ 9, 1 });
		for (int i = 0; i < 2; i++)
			had[i] = w.task[i].vtime_ns;
	}
	CHECK(ahead == had[0] - had[1] && ahead > 20 * MS && ahead < 400 * MS);
}

/* A compositor has the GPU whenever it has work, and takes an eighth of it. */
static void who_wants_little_is_not_ahead(void)
{
	for (int seed = 1; seed <= SEEDS; seed++) {
		begin(seed);
		for (u64 n = 0; n < A_MINUTE; n++) {
			if (random_below(&w.seed, 8))
				CHECK(!see((unsigned int[TASKS]){ 1 }));
			else
				CHECK(!see((unsigned int[TASKS]){ 1, 20 }));
		}
	}
}

/* What one has while the other has no work is not what the other may have later. */
static void who_had_no_work_has_no_claim(void)
{
	begin(1);
	for (u64 n = 0; n < A_MINUTE; n++)
		CHECK(!see((unsigned int[TASKS]){ 1 }));
	CHECK(found_after((unsigned int[TASKS]){ 1, 1 }, A_MINUTE) == A_MINUTE);
}

/* Minutes of even shares do not hide what comes then. */
static void who_begins_to_take_more_is_found(void)
{
	int late = 0;

	for (int seed = 1; seed <= SEEDS; seed++) {
		begin(seed);
		for (u64 n = 0; n < 10 * A_MINUTE; n++)
			see((unsigned int[TASKS]){ 1, 1 });
		late += found_after((unsigned int[TASKS]){ 9, 1 }, A_MINUTE) > 2000 * MS / STRETCH_NS;
	}
	tap_diag("%d of %d late", late, SEEDS);
	CHECK(late <= SEEDS / 5);
}

static void a_beginning_forgets(void)
{
	begin(1);
	while (!see((unsigned int[TASKS]){ 9, 1 }))
		;
	tg_polled_begin(&w.p);
	CHECK(!see((unsigned int[TASKS]){ 1, 1 }));
	CHECK(w.task[0].vtime_ns + w.task[1].vtime_ns == STRETCH_NS);
}

/* Ahead by 30 ms: the other has these first, and who is held has no slice left. */
static void who_is_held_is_behind_the_others(void)
{
	static struct tg_sched s;
	static struct tg_task t[2];

	tg_sched_init(&s, 16, 25 * MS, 25 * MS, 0);
	for (int i = 0; i < 2; i++) {
		tg_task_init(&t[i]);
		tg_sched_set_task(&s, &t[i], &tg_policy_fq, 0, false, false, 0);
	}
	tg_sched_hold(&s, &t[0], 30 * MS);
	CHECK(t[0].vtime_ns == t[1].vtime_ns + 30 * MS);
	/* No freeze, however far ahead it was. */
	tg_sched_hold(&s, &t[1], 10000 * MS);
	CHECK(t[1].vtime_ns == t[0].vtime_ns + 20 * MS);
}

#define CASE(f) { #f, f }

int main(void)
{
	static const struct tap_case cases[] = {
		CASE(who_shares_evenly_is_not_found_by_chance),
		CASE(who_pauses_is_not_ahead_by_chance),
		CASE(who_pauses_beside_two_is_not_ahead_by_chance),
		CASE(who_has_more_than_his_share_is_found),
		CASE(what_is_found_is_by_how_much_he_is_ahead),
		CASE(who_wants_little_is_not_ahead),
		CASE(who_had_no_work_has_no_claim),
		CASE(who_begins_to_take_more_is_found),
		CASE(a_beginning_forgets),
		CASE(who_is_held_is_behind_the_others),
	};

	return tap_run(cases, ARRAY_SIZE(cases));
}
