// SPDX-License-Identifier: GPL-2.0-or-later
/* What a group is charged, by the GPU's clock and by the CPU's. */
#include "tap.h"
#include "tg_sched.h"
#include "reserve_cases.h"

#define US 1000ULL
#define MS 1000000ULL

/* Tasks without a reserve of their own, and groups. */
struct stamped {
	struct tg_sched s;
	struct tg_task t[4];
	struct tg_group g[4];
};

static void begin(struct stamped *x)
{
	memset(x, 0, sizeof(*x));
	tg_sched_init(&x->s, 1, 5, 50, 0);
	for (u32 i = 0; i < 4; i++)
		tg_task_init(&x->t[i]);
}

/* Task 0 can have several groups on the GPU. */
static void begin_ht(struct stamped *x)
{
	begin(x);
	x->s.ht_depth = 4;
	x->t[0].policy = &tg_policy_ht;
}

/* Group @g of task @t asks, and is handed over at @start. */
static void start(struct stamped *x, u32 g, u32 t, u64 now, u64 start)
{
	x->g[g].task = &x->t[t];
	tg_sched_arrive(&x->s, &x->g[g], now);
	CHECK(x->g[g].state == TG_GROUP_ONLINE);
	tg_sched_start(&x->s, &x->g[g], start);
}

static void complete(struct stamped *x, u32 g, u64 now)
{
	tg_sched_complete(&x->s, &x->g[g], now);
	CHECK(!tg_sched_next(&x->s, now));
}

/* A group of task 0 that the CPU sees from @start to @finish. */
static u64 stamped(struct stamped *x, u64 start_ns, u64 finish_ns, u64 gpu_start,
		   u64 gpu_finish)
{
	start(x, 0, 0, start_ns, start_ns);
	tg_sched_stamp(&x->s, &x->g[0], gpu_start, gpu_finish, 100);
	complete(x, 0, finish_ns);
	return x->g[0].cost_ns;
}

void stamps_are_believed_with_reason(void)
{
	struct stamped x;

	begin(&x);
	CHECK(stamped(&x, 0, 100, 7000, 7090) == 90);
	CHECK(x.g[0].cost_cpu_ns == 100 && x.t[0].gpu_ns == 90);
	CHECK(x.t[0].gpu_cpu_ns == 100);
	/* Behind the group before, by the GPU's clock. */
	CHECK(stamped(&x, 200, 300, 7050, 7130) == 40);
	/* Longer than the CPU saw, but for what two clocks may differ. */
	CHECK(stamped(&x, 10000, 20240, 20000, 30250) == 10250);
	CHECK(stamped(&x, 30000, 40240, 40000, 50251) == 10240);
	/* It ended before it began. */
	CHECK(stamped(&x, 50000, 50100, 60001, 60000) == 100);
	/* The CPU saw the end first: no time, and no stamp is believed. */
	start(&x, 0, 0, 60000, 60050);
	tg_sched_stamp(&x.s, &x.g[0], 70000, 70000 + (1ULL << 40), 0);
	complete(&x, 0, 60040);
	CHECK(x.g[0].cost_ns == 0);
	/* The stamps of the group before are not this one's. */
	CHECK(stamped(&x, 80000, 80100, 90000, 90090) == 90);
	start(&x, 0, 0, 81000, 81000);
	complete(&x, 0, 81200);
	CHECK(x.g[0].cost_ns == 200);
}

/* A group of task @t that has the GPU for @cost and is heard of @late after it; it says @said. */
static u64 heard(struct stamped *x, u32 t, u64 now, u64 cost, u64 late, u64 said)
{
	start(x, 0, t, now, now);
	tg_sched_stamp(&x->s, &x->g[0], now, now + said, 30 * US);
	complete(x, 0, now + cost + late);
	return x->g[0].cost_ns;
}

/*
 * Who says of all his groups that they ended as they began is charged all but a sixteenth,
 * and what interrupts take; and half a millisecond, once.
 */
void ends_that_are_said_too_early_are_charged_all_the_same(void)
{
	static const u64 costs[] = { 40 * US, 100 * US, 250 * US, 2 * MS, 50 * MS };

	for (u32 i = 0; i < ARRAY_SIZE(costs); i++) {
		u64 had = 0, now = 0, least;
		struct stamped x;

		begin(&x);
		for (u32 n = 0; n < 1000; n++) {
			heard(&x, 0, now, costs[i], 0, 0);
			had += costs[i];
			now += costs[i] + 10 * US;
		}
		least = had - had / 16 - 1000 * 30 * US;
		CHECK(x.t[0].gpu_ns + 530 * US >= least);
		CHECK(x.t[0].gpu_ns <= had);
		/* Nor is anything gained by another process for each of them. */
		CHECK(heard(&x, 1, now, costs[i], 0, 0) >=
		      (costs[i] > 32 * US + costs[i] / 16 ? costs[i] : 0));
	}
}

/* Who tells the truth is charged that, however the interrupts come, but for rare hiccups. */
void ends_that_are_heard_of_late_are_charged_by_the_gpu(void)
{
	u64 cost = 100 * US, now = 0, late;
	struct stamped x;

	begin(&x);
	for (u32 n = 0; n < 1000; n++) {
		late = n % 100 == 99 ? 450 * US : n % 31 * US;
		CHECK(heard(&x, 0, now, cost, late, cost) == cost);
		now += cost + late + 10 * US;
	}
	/* So late that it looks like a lie. */
	CHECK(heard(&x, 0, now, cost, 2 * MS, cost) == cost + 2 * MS);
}

/* The first of two that are heard of together seems late by the other. */
void two_that_are_heard_of_together_cost_what_they_cost(void)
{
	struct stamped x;
	u64 now = 0;

	begin_ht(&x);
	for (u32 n = 0; n < 1000; n++) {
		for (u32 i = 0; i < 2; i++) {
			start(&x, i, 0, now, now);
			tg_sched_stamp(&x.s, &x.g[i], now, now + (i + 1) * 300 * US, 30 * US);
		}
		now += 610 * US;
		complete(&x, 0, now);
		complete(&x, 1, now);
		/* Until there is room for it, by the CPU's clock. */
		CHECK(x.g[0].cost_ns + x.g[1].cost_ns == (n < 4 ? 610 : 600) * US);
		now += 10 * US;
	}
	CHECK(x.t[0].gpu_ns >= 600 * MS && x.t[0].gpu_ns <= 600 * MS + 50 * US);
}

/* What was handed over meanwhile is not charged what the one before says it did not have. */
void what_follows_one_that_ended_too_early_does_not_pay_for_it(void)
{
	struct stamped x;

	begin_ht(&x);
	for (u32 i = 0; i < 2; i++)
		start(&x, i, 0, i, i);
	tg_sched_stamp(&x.s, &x.g[0], 0, 1, 30 * US);
	complete(&x, 0, 10 * MS);
	tg_sched_stamp(&x.s, &x.g[1], 1, 12 * MS, 30 * US);
	complete(&x, 1, 12 * MS);
	CHECK(x.g[0].cost_ns == 10 * MS && x.g[1].cost_ns == 2 * MS);
}

void a_gap_in_the_stamps_is_charged_by_the_cpu(void)
{
	struct stamped x;

	for (u32 way = 0; way < 2; way++) {
		begin_ht(&x);
		for (u32 i = 0; i < 3; i++)
			start(&x, i, 0, i, i);
		/* The first one's end is unknown to the GPU's clock. */
		if (way)
			tg_sched_cancel(&x.s, &x.g[0], 100);
		else
			complete(&x, 0, 100);
		tg_sched_stamp(&x.s, &x.g[1], 1000, 1149, 10);
		complete(&x, 1, 150);
		CHECK(x.g[1].cost_ns == 50);
		/* The third follows a group that was stamped. */
		tg_sched_stamp(&x.s, &x.g[2], 1000, 1178, 10);
		complete(&x, 2, 180);
		CHECK(x.g[2].cost_ns == 30);
		CHECK(x.t[0].gpu_ns == 180 && x.s.busy_ns == 180);
		/* And all is well again after it. */
		start(&x, 3, 0, 200, 200);
		tg_sched_stamp(&x.s, &x.g[3], 1200, 1244, 10);
		complete(&x, 3, 250);
		CHECK(x.g[3].cost_ns == 44);
	}
}
