// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What an owner gets who comes and goes: reserves that outlive their tasks.
 *
 * The promise: in any ten periods a reserve is good for 10·C, for the C that was left
 * before, and for the end of its last group, however often its tasks close their
 * channels, end, or hand over; and an owner never has more reserves than he had tasks
 * at once.
 */
#include "random.h"
#include "tap.h"
#include "tg_sched.h"
#include "reserve_cases.h"

#define MS		1000000ULL
#define MAX_TASKS	4
#define MAX_GROUPS	4096
#define PERIODS		10
#define LL(v)		((unsigned long long)(v))

/* One owner: what of his ran on a reserve of his own. */
struct owner {
	struct tg_sched s;
	struct tg_task task[MAX_TASKS];
	struct tg_reserve *of[MAX_TASKS];	/* NULL: not there */
	const struct tg_reserve_ops *ops;
	u64 capacity, period, now;
	u32 at_once, most;
	u32 n;
	u64 start[MAX_GROUPS], end[MAX_GROUPS], longest;
};

static void owner_init(struct owner *o, const struct tg_reserve_ops *ops, u64 capacity,
		       u64 period)
{
	memset(o, 0, sizeof(*o));
	o->ops = ops;
	o->capacity = capacity;
	o->period = period;
	o->now = MS;
	tg_sched_init(&o->s, 16, period, period, o->now);
}

static void expire(struct owner *o)
{
	struct tg_reserve *r;

	while ((r = tg_sched_expire_reserve(&o->s, o->now)))
		free(r);
	while (tg_sched_reconsider(&o->s, o->now))
		;
}

/* As tg_reservation.c: one that lingers, or a new one. */
static void come(struct owner *o, u32 t)
{
	struct tg_reserve *r, *found = NULL;

	expire(o);
	tg_sched_for_each_lingering(r, &o->s)
		found = r;
	if (found) {
		tg_sched_revive_reserve(&o->s, found);
	} else {
		found = malloc(sizeof(*found));
		tg_reserve_init(found, o->ops, o->capacity, o->period, o->now);
		tg_sched_add_reserve(&o->s, found);
	}
	tg_task_init(&o->task[t]);
	tg_sched_join(&o->s, &o->task[t], found, o->now);
	o->of[t] = found;
	if (++o->at_once > o->most)
		o->most = o->at_once;
}

static void go(struct owner *o, u32 t)
{
	tg_sched_remove_task(&o->s, &o->task[t], o->now);
	if (tg_sched_retire_reserve(&o->s, o->of[t], o->now))
		free(o->of[t]);
	o->of[t] = NULL;
	o->at_once--;
}

/* A group from its arrival to its end, if the budget lets it. */
static void use(struct owner *o, u32 t, u64 x, u64 cost)
{
	bool own = tg_task_reserve(&o->s, &o->task[t]) == o->of[t];
	struct tg_group g = { .task = &o->task[t] };

	if (o->n == MAX_GROUPS)
		return;
	if (!tg_sched_arrive(&o->s, &g, o->now) || !tg_sched_check(&o->s, &g, x, o->now)) {
		tg_sched_cancel(&o->s, &g, o->now);
		return;
	}
	tg_sched_start(&o->s, &g, o->now);
	o->start[o->n] = o->now;
	o->now += cost;
	tg_sched_complete(&o->s, &g, o->now);
	/* Background takes what nobody else wants, and promises nothing. */
	if (!own)
		return;
	o->end[o->n++] = o->now;
	if (cost > o->longest)
		o->longest = cost;
}

/* GPU time between two points in time. */
static u64 used(const struct owner *o, u64 from, u64 to)
{
	u64 sum = 0;

	for (u32 i = 0; i < o->n; i++) {
		u64 a = o->start[i] > from ? o->start[i] : from;
		u64 b = o->end[i] < to ? o->end[i] : to;

		if (b > a)
			sum += b - a;
	}
	return sum;
}

/* It changes at the beginnings and ends of groups only: those windows are enough. */
static void check_windows(const struct owner *o, u64 saved)
{
	u64 length = PERIODS * o->period;
	u64 bound = o->most * (PERIODS * o->capacity + saved + o->longest);

	for (u32 i = 0; i < o->n; i++) {
		u64 before = o->end[i] > length ? o->end[i] - length : 0;

		if (!CHECK(used(o, o->start[i], o->start[i] + length) <= bound) ||
		    !CHECK(used(o, before, before + length) <= bound)) {
			tap_diag("  %u at once, C %llu, T %llu, longest %llu: bound %llu, group %u",
				 o->most, LL(o->capacity), LL(o->period), LL(o->longest),
				 LL(bound), i);
			return;
		}
	}
}

static void owner_end(struct owner *o)
{
	for (u32 t = 0; t < MAX_TASKS; t++)
		if (o->of[t])
			go(o, t);
	o->now = TG_COST_MAX_NS;
	expire(o);
	CHECK(list_empty(&o->s.reserves) && !tg_sched_lingering(&o->s));
}

/* 1 ms every 100 ms, and groups of 50 ms: each pays for 50 periods. */
void coming_anew_gains_nothing(void)
{
	static struct owner o;

	owner_init(&o, &tg_reserve_pe, MS, 100 * MS);
	for (u32 i = 0; i < 20000; i++) {
		come(&o, 0);
		use(&o, 0, 0, 50 * MS);
		go(&o, 0);
		o.now += MS;
	}
	tap_diag("of %llu ms: %llu", LL(o.now / MS), LL(used(&o, 0, o.now) / MS));
	CHECK(used(&o, 0, o.now) <= o.now / 100 + 50 * MS);
	/* Nor is anything lost. */
	CHECK(used(&o, 0, o.now) >= o.now / 100 - MS);
	check_windows(&o, MS);
	owner_end(&o);
}

/* Each comes before the one before him goes: two at once, two reserves. */
void handing_over_is_worth_what_is_there_at_once(void)
{
	static struct owner o;

	owner_init(&o, &tg_reserve_pe, MS, 100 * MS);
	come(&o, 0);
	for (u32 i = 0; i < 20000; i++) {
		use(&o, i % 2, 0, 50 * MS);
		come(&o, !(i % 2));
		go(&o, i % 2);
		o.now += MS;
	}
	tap_diag("of %llu ms: %llu", LL(o.now / MS), LL(used(&o, 0, o.now) / MS));
	CHECK(used(&o, 0, o.now) <= 2 * (o.now / 100 + 50 * MS));
	check_windows(&o, MS);
	owner_end(&o);
}

static void random_step(struct owner *o, u64 *seed, u32 tasks)
{
	u32 t = random_below(seed, tasks), what = random_below(seed, 10);
	u64 most = o->ops == &tg_reserve_ae && random_below(seed, 2) ? 4 * o->capacity :
								       o->capacity;

	if (what == 0)
		o->now += random_below(seed, 3 * o->period);
	else if (!o->of[t])
		come(o, t);
	else if (what < 5)
		go(o, t);
	else
		use(o, t, random_below(seed, most),
		    1 + random_below(seed, 1 + random_below(seed, 30 * o->capacity)));
	if (random_below(seed, 2))
		o->now += random_below(seed, o->period / 4 + 1);
	expire(o);
	CHECK(list_empty(&o->s.reserves) || o->s.nr_online == 0);
}

void whoever_comes_and_goes_gets_no_more(void)
{
	static struct owner o;
	u64 seed = 0x1d, lingered = 0, groups = 0;

	for (u32 round = 0; round < 400 && !tap_bad_checks; round++) {
		const struct tg_reserve_ops *ops = round % 2 ? &tg_reserve_ae : &tg_reserve_pe;
		u64 period = 100 + random_below(&seed, 10000);
		u32 tasks = 1 + round % MAX_TASKS;

		owner_init(&o, ops, 1 + random_below(&seed, period / 5), period);
		/* Less than all of them want, now and then. */
		o.s.limit_percent = 20 + random_below(&seed, 81);
		for (u32 i = 0; i < 2000; i++) {
			random_step(&o, &seed, tasks);
			lingered += !!tg_sched_lingering(&o.s);
		}
		/* AE saves up for a large group, of up to 4·C here. */
		check_windows(&o, ops == &tg_reserve_ae ? 4 * o.capacity : o.capacity);
		groups += o.n;
		owner_end(&o);
	}
	tap_diag("%llu groups, a reserve lingered after %llu steps", LL(groups), LL(lingered));
	CHECK(groups > 10000 && lingered > 10000);
}

void the_deepest_in_debt_is_last(void)
{
	static struct owner o;
	static const u32 order[] = { 0, 2, 1 };
	struct tg_reserve *r, *of[3];
	u32 n = 0;

	owner_init(&o, &tg_reserve_pe, 10, 100);
	for (u32 t = 0; t < 3; t++) {
		come(&o, t);
		of[t] = o.of[t];
	}
	use(&o, 1, 0, 60);
	use(&o, 0, 0, 20);
	use(&o, 2, 0, 35);
	for (u32 t = 0; t < 3; t++)
		go(&o, t);
	tg_sched_for_each_lingering(r, &o.s)
		CHECK(n < 3 && r == of[order[n++]]);
	CHECK(n == 3);
	for (u32 t = 0; t < 3; t++)
		come(&o, t);
	CHECK(o.of[0] == of[1] && o.of[1] == of[2] && o.of[2] == of[0]);
	CHECK(!tg_sched_lingering(&o.s));
	owner_end(&o);
}

void a_reserve_that_lingers_keeps_its_claim_until_it_is_full(void)
{
	static struct owner o;
	struct tg_reserve other;
	u64 full;

	owner_init(&o, &tg_reserve_pe, 60, 100);
	come(&o, 0);
	use(&o, 0, 0, 200);
	go(&o, 0);
	/* −140 is 60 after four periods. */
	full = MS + 2 * 100 + 4 * 100;
	CHECK(tg_sched_next_timer(&o.s) == full);
	tg_reserve_init(&other, &tg_reserve_pe, 50, 100, o.now);
	CHECK(!tg_sched_add_reserve(&o.s, &other));
	o.now = full - 1;
	CHECK(!tg_sched_expire_reserve(&o.s, o.now) && !tg_sched_reconsider(&o.s, o.now));
	o.now = full;
	expire(&o);
	CHECK(!other.demoted && !tg_sched_lingering(&o.s));
	CHECK(!tg_sched_next_timer(&o.s));
	tg_sched_remove_reserve(&o.s, &other);
	owner_end(&o);
}

void a_demotion_pays_no_debt(void)
{
	static struct owner o;
	struct tg_reserve *r;

	owner_init(&o, &tg_reserve_pe, 10, 100);
	come(&o, 0);
	r = o.of[0];
	use(&o, 0, 0, 95);
	CHECK(r->budget_ns == -85);
	o.s.limit_percent = 5;
	CHECK(!tg_sched_set_reserve(&o.s, r, &tg_reserve_pe, 10, 100, o.now));
	o.s.limit_percent = 100;
	CHECK(tg_sched_reconsider(&o.s, o.now) == r && r->budget_ns == -85);
	owner_end(&o);
}

/* What refuses nothing need not be remembered, and what is full neither. */
void nothing_lingers_for_nothing(void)
{
	static struct owner o;

	owner_init(&o, &tg_reserve_pe, 100, 100);
	come(&o, 0);
	use(&o, 0, 0, 500);
	go(&o, 0);
	CHECK(list_empty(&o.s.reserves));
	owner_init(&o, &tg_reserve_pe, 10, 100);
	come(&o, 0);
	use(&o, 0, 0, 5);
	o.now += 100;
	go(&o, 0);
	CHECK(list_empty(&o.s.reserves));
}
