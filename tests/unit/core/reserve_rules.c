// SPDX-License-Identifier: GPL-2.0-or-later
/* Single rules of reserves, as the scheduler keeps them. */
#include "tap.h"
#include "tg_sched.h"
#include "reserve_cases.h"

/* Tasks, reserves of 10 every 100, groups; Background has 5 every 50. */
struct bench {
	struct tg_sched s;
	struct tg_task t[4];
	struct tg_reserve r[4];
	struct tg_group g[12];
};

static void bench_init(struct bench *x)
{
	memset(x, 0, sizeof(*x));
	tg_sched_init(&x->s, 1, 5, 50, 0);
	for (u32 i = 0; i < 4; i++) {
		tg_task_init(&x->t[i]);
		x->t[i].prio = 50;
	}
}

static bool add(struct bench *x, u32 r, const struct tg_reserve_ops *ops, u64 capacity)
{
	tg_reserve_init(&x->r[r], ops, capacity, 100, 0);
	return tg_sched_add_reserve(&x->s, &x->r[r]);
}

/* Tasks 0 … n - 1 in one reserve of 10 every 100. */
static void bench_shared(struct bench *x, const struct tg_reserve_ops *ops, u32 n)
{
	bench_init(x);
	CHECK(add(x, 0, ops, 10));
	for (u32 i = 0; i < n; i++)
		tg_sched_join(&x->s, &x->t[i], &x->r[0], 0);
}

static enum tg_group_state arrive(struct bench *x, u32 g, u32 t, u64 now)
{
	x->g[g].task = &x->t[t];
	tg_sched_arrive(&x->s, &x->g[g], now);
	return x->g[g].state;
}

/* The one group that starts now, or -1; 99 if there are more. */
static int next(struct bench *x, u64 now)
{
	struct tg_group *g = tg_sched_next(&x->s, now);

	if (!g)
		return -1;
	return tg_sched_next(&x->s, now) ? 99 : (int)(g - x->g);
}

static bool start(struct bench *x, u32 g, u64 cost, u64 now)
{
	if (!tg_sched_check(&x->s, &x->g[g], cost, now))
		return false;
	tg_sched_start(&x->s, &x->g[g], now);
	return true;
}

static int complete(struct bench *x, u32 g, u64 now)
{
	/* After a wrong answer the cases go on, the core must not. */
	if (!CHECK(x->g[g].state == TG_GROUP_ONLINE ||
		   x->g[g].state == TG_GROUP_RUNNING))
		return -2;
	tg_sched_complete(&x->s, &x->g[g], now);
	return next(x, now);
}

/* Group @g of task @t, from the first to the last, on an idle GPU. */
static bool run(struct bench *x, u32 g, u32 t, u64 now, u64 cost)
{
	return CHECK(arrive(x, g, t, now) == TG_GROUP_ONLINE) &&
	       CHECK(start(x, g, 0, now)) && CHECK(complete(x, g, now + cost) == -1);
}

void a_debt_is_paid_before_the_next_group(void)
{
	struct bench x;

	bench_shared(&x, &tg_reserve_pe, 1);
	run(&x, 0, 0, 0, 35);
	CHECK(x.r[0].budget_ns == -25 && x.r[0].debt_max_ns == 25);
	CHECK(arrive(&x, 1, 0, 40) == TG_GROUP_THROTTLED);
	CHECK(next(&x, 99) == -1);
	CHECK(next(&x, 100) == -1 && x.r[0].budget_ns == -15);
	CHECK(next(&x, 200) == -1 && x.r[0].budget_ns == -5);
	CHECK(next(&x, 299) == -1);
	CHECK(next(&x, 300) == 1 && x.r[0].budget_ns == 5);
	CHECK(x.r[0].used_ns == 35 && x.r[0].periods == 3 && x.r[0].nr_refused == 1);
	/* Exactly nothing left is nothing left. */
	CHECK(start(&x, 1, 0, 300) && complete(&x, 1, 305) == -1);
	CHECK(x.r[0].budget_ns == 0);
	CHECK(arrive(&x, 2, 0, 306) == TG_GROUP_THROTTLED);
}

void ae_waits_for_exactly_the_predicted_cost(void)
{
	struct bench x;

	/* C = 10: a fresh group of 10 waits, a refused one may go. */
	for (u64 cost = 9; cost <= 11; cost++) {
		bench_shared(&x, &tg_reserve_ae, 1);
		CHECK(arrive(&x, 0, 0, 0) == TG_GROUP_ONLINE);
		CHECK(start(&x, 0, cost, 0) == (cost < 10));
		CHECK(cost < 10 || x.g[0].state == TG_GROUP_THROTTLED);
		CHECK(next(&x, 99) == -1);
		CHECK(next(&x, 100) == (cost < 10 ? -1 : 0));
		CHECK(cost < 10 || start(&x, 0, cost, 100));
	}
	/* Larger than C: as many periods as it takes, and no more budget. */
	bench_shared(&x, &tg_reserve_ae, 1);
	CHECK(arrive(&x, 0, 0, 0) == TG_GROUP_ONLINE);
	CHECK(!start(&x, 0, 31, 0));
	CHECK(next(&x, 100) == -1 && x.r[0].budget_ns == 20);
	CHECK(next(&x, 200) == -1 && x.r[0].budget_ns == 30);
	CHECK(next(&x, 300) == 0 && x.r[0].budget_ns == 31);
	CHECK(start(&x, 0, 31, 300) && complete(&x, 0, 331) == -1);
	CHECK(x.r[0].budget_ns == 0 && !x.r[0].debt_max_ns);
	/* Nobody waits: up to C. */
	CHECK(tg_reserve_advance(&x.r[0], 400, 0) == 1 && x.r[0].budget_ns == 10);
}

/*
 * The promise of a reserve, without any of its rules: in ten periods it gets ten
 * times C, and what it may have had left and the last group may add once.
 */
void ae_caps_a_task_whose_predictions_are_all_too_small(void)
{
	enum { PERIODS = 1000, WINDOW = 10, C = 10, T = 100, COST = 25 };
	u64 used_at[PERIODS + 1] = { 0 };
	struct bench x;
	u64 now = 0;

	bench_shared(&x, &tg_reserve_ae, 1);
	CHECK(arrive(&x, 0, 0, 0) == TG_GROUP_ONLINE);
	for (u32 period = 0; period < PERIODS; period++) {
		for (; now < (period + 1) * T; now++) {
			if (x.g[0].state == TG_GROUP_RUNNING && now < x.g[0].start_ns + COST)
				continue;
			if (x.g[0].state == TG_GROUP_RUNNING) {
				complete(&x, 0, now);
				arrive(&x, 0, 0, now);
			}
			next(&x, now);
			if (x.g[0].state == TG_GROUP_ONLINE)
				start(&x, 0, 1, now);
		}
		used_at[period + 1] = x.t[0].gpu_ns;
		if (period >= WINDOW)
			CHECK(used_at[period + 1] - used_at[period + 1 - WINDOW] <=
			      (WINDOW + 1) * C + COST);
	}
	/* Nor less: what was overdrawn is all that was waited for. */
	CHECK(x.t[0].gpu_ns <= PERIODS * C + C + COST);
	CHECK(x.t[0].gpu_ns >= PERIODS * C - COST);
	tap_diag("%llu of %u", (unsigned long long)x.t[0].gpu_ns, PERIODS * C);
}

void another_prediction_is_judged_afresh(void)
{
	struct bench x;

	bench_shared(&x, &tg_reserve_ae, 1);
	CHECK(arrive(&x, 0, 0, 0) == TG_GROUP_ONLINE);
	CHECK(!start(&x, 0, 15, 0));
	CHECK(next(&x, 100) == 0 && x.r[0].budget_ns == 15);
	/* It is not the group of 15 any more: 16 > 15, and it is refused. */
	CHECK(!start(&x, 0, 16, 100));
	CHECK(next(&x, 200) == 0 && x.r[0].budget_ns == 16);
	/* Nor the one of 16: 14 < 16. */
	CHECK(start(&x, 0, 14, 200));
	/* The same again, so what it was refused with is enough. */
	complete(&x, 0, 206);
	CHECK(x.r[0].budget_ns == 10);
	CHECK(arrive(&x, 1, 0, 210) == TG_GROUP_ONLINE);
	CHECK(!start(&x, 1, 10, 210));
	CHECK(next(&x, 300) == 1 && x.r[0].budget_ns == 10);
	CHECK(start(&x, 1, 10, 300));
}

void an_endless_prediction_is_clamped(void)
{
	struct bench x;

	bench_shared(&x, &tg_reserve_ae, 1);
	CHECK(arrive(&x, 0, 0, 0) == TG_GROUP_ONLINE);
	CHECK(!start(&x, 0, ~0ULL, 0));
	CHECK(x.g[0].predicted_ns == (u64)TG_COST_MAX_NS);
	x.r[0].budget_ns = TG_COST_MAX_NS - 10;
	CHECK(next(&x, 100) == 0 && x.r[0].budget_ns == TG_COST_MAX_NS);
	CHECK(start(&x, 0, ~0ULL, 100));
}

void shared_reserves_are_one_budget(void)
{
	struct bench x;

	bench_shared(&x, &tg_reserve_pe, 3);
	run(&x, 0, 0, 0, 6);
	run(&x, 1, 1, 10, 6);
	CHECK(x.r[0].budget_ns == -2 && x.r[0].used_ns == 12);
	/* Who has used nothing waits, too. */
	CHECK(arrive(&x, 2, 2, 20) == TG_GROUP_THROTTLED);
	CHECK(arrive(&x, 3, 0, 21) == TG_GROUP_THROTTLED);
	/* Who is not in it does not. */
	CHECK(arrive(&x, 4, 3, 22) == TG_GROUP_ONLINE);
	CHECK(complete(&x, 4, 30) == -1);
	CHECK(x.r[0].budget_ns == -2 && x.t[3].gpu_ns == 8);
	/* Both are let go, and one goes. */
	CHECK(next(&x, 100) == 2 && x.g[3].state == TG_GROUP_WAITING);
	CHECK(x.r[0].budget_ns == 8);
	CHECK(start(&x, 2, 0, 100) && complete(&x, 2, 104) == 3);
	CHECK(x.r[0].budget_ns == 4 && x.r[0].nr_refused == 2);
}

void background_is_shared_by_those_without_an_entry(void)
{
	struct bench x;

	bench_init(&x);
	for (u32 i = 0; i < 2; i++) {
		x.t[i].prio = 0;
		tg_sched_join(&x.s, &x.t[i], &x.s.background, 0);
	}
	CHECK(tg_task_reserve(&x.s, &x.t[0]) == &x.s.background);
	run(&x, 0, 0, 0, 7);
	CHECK(x.s.background.budget_ns == -2);
	CHECK(arrive(&x, 1, 1, 10) == TG_GROUP_THROTTLED);
	CHECK(tg_sched_next_timer(&x.s) == 50);
	CHECK(next(&x, 49) == -1 && next(&x, 50) == 1);
	CHECK(x.s.background.budget_ns == 3);
	/* It takes no part in admission: the others may have all. */
	CHECK(add(&x, 0, &tg_reserve_pe, 100));
	CHECK(!add(&x, 1, &tg_reserve_pe, 1));
}

void ht_is_not_regulated(void)
{
	struct bench x;

	bench_shared(&x, &tg_reserve_pe, 2);
	x.t[0].policy = &tg_policy_ht;
	CHECK(!tg_task_reserve(&x.s, &x.t[0]));
	run(&x, 0, 0, 0, 50);
	CHECK(x.r[0].budget_ns == 10 && !x.r[0].used_ns);
	run(&x, 1, 1, 50, 12);
	CHECK(arrive(&x, 2, 1, 70) == TG_GROUP_THROTTLED);
	CHECK(arrive(&x, 3, 0, 71) == TG_GROUP_ONLINE);
	CHECK(start(&x, 3, 1000, 71) && complete(&x, 3, 75) == -1);
	/* As HT its throttled group may go at once. */
	tg_sched_set_task(&x.s, &x.t[1], &tg_policy_ht, 50, false, false, 80);
	CHECK(x.g[2].state == TG_GROUP_WAITING && next(&x, 80) == 2);
	/* As PRT it is charged again. */
	tg_sched_set_task(&x.s, &x.t[1], &tg_policy_prt, 50, false, false, 81);
	complete(&x, 2, 85);
	CHECK(x.r[0].used_ns == 17);
}

void throttled_groups_go_by_priority(void)
{
	static const u32 order[] = { 3, 5, 1, 4, 2 };
	struct bench x;

	bench_shared(&x, &tg_reserve_pe, 3);
	x.t[2].prio = 10;
	x.t[1].prio = 90;
	run(&x, 0, 0, 0, 10);
	CHECK(arrive(&x, 1, 0, 20) == TG_GROUP_THROTTLED);
	CHECK(arrive(&x, 2, 2, 21) == TG_GROUP_THROTTLED);
	CHECK(arrive(&x, 3, 1, 22) == TG_GROUP_THROTTLED);
	CHECK(arrive(&x, 4, 0, 23) == TG_GROUP_THROTTLED);
	CHECK(arrive(&x, 5, 1, 24) == TG_GROUP_THROTTLED);
	CHECK(x.s.nr_throttled == 5 && x.t[0].nr_throttled == 2);
	CHECK(next(&x, 100) == (int)order[0] && x.g[4].state == TG_GROUP_THROTTLED);
	for (u32 i = 0; i < 5; i++) {
		CHECK(start(&x, order[i], 0, 100 + i));
		CHECK(complete(&x, order[i], 101 + i) == (i < 4 ? (int)order[i + 1] : -1));
	}
}

/*
 * Three tasks with twenty groups each: what a period moves does not grow with what a task has
 * sent.  They go as they came.
 */
void of_a_task_one_at_a_time_is_let_go(void)
{
	static struct tg_group group[60];
	struct bench x;
	u64 refused;

	bench_shared(&x, &tg_reserve_pe, 3);
	run(&x, 0, 0, 0, 10);
	memset(group, 0, sizeof(group));
	for (u32 i = 0; i < 60; i++) {
		group[i].task = &x.t[i % 3];
		CHECK(!tg_sched_arrive(&x.s, &group[i], 20));
	}
	for (u32 i = 0; i < 60; i++) {
		u64 now = 100 * (1 + i);
		struct tg_group *next = &group[i];

		refused = x.r[0].nr_refused;
		if (!CHECK(tg_sched_next(&x.s, now) == next))
			break;
		CHECK(x.s.nr_waiting <= 3 && x.s.nr_waiting + x.s.nr_throttled == 59 - i);
		tg_sched_start(&x.s, next, now);
		tg_sched_complete(&x.s, next, now + 10);
		CHECK(!tg_sched_next(&x.s, now + 10) && !x.s.nr_waiting);
		CHECK(x.r[0].nr_refused - refused <= 3);
	}
	CHECK(!x.s.nr_throttled);
}

void nobody_overtakes_within_a_reserve(void)
{
	struct bench x;

	bench_shared(&x, &tg_reserve_ae, 3);
	x.t[1].prio = 60;
	x.t[2].prio = 40;
	CHECK(arrive(&x, 0, 0, 0) == TG_GROUP_ONLINE);
	CHECK(!start(&x, 0, 25, 0));
	/* There is a budget of 10, but the first waits for it. */
	CHECK(arrive(&x, 1, 0, 1) == TG_GROUP_THROTTLED);
	CHECK(arrive(&x, 2, 2, 2) == TG_GROUP_THROTTLED);
	/* Who is above it does not care. */
	CHECK(arrive(&x, 3, 1, 3) == TG_GROUP_ONLINE);
	CHECK(start(&x, 3, 4, 3) && complete(&x, 3, 7) == -1);
	CHECK(x.r[0].budget_ns == 6);
	CHECK(next(&x, 100) == -1 && x.r[0].budget_ns == 16);
	CHECK(next(&x, 200) == 0 && x.r[0].budget_ns == 25);
	/* The others were let go with it; it uses up what there is. */
	CHECK(x.g[1].state == TG_GROUP_WAITING && x.g[2].state == TG_GROUP_WAITING);
	CHECK(start(&x, 0, 25, 200) && complete(&x, 0, 225) == -1);
	CHECK(x.g[1].state == TG_GROUP_THROTTLED && x.g[2].state == TG_GROUP_THROTTLED);
}

/*
 * Its level's last in the queue, but not the last that came: if a group that came
 * later and waits for a large budget kept it back, it would be throttled before
 * that one, let go with the next period, kept back again, and so on for ever.
 */
void a_group_let_go_is_not_held_by_a_later_one(void)
{
	struct bench x;

	bench_shared(&x, &tg_reserve_ae, 2);
	x.t[2].prio = 90;
	CHECK(arrive(&x, 2, 2, 0) == TG_GROUP_ONLINE);
	CHECK(arrive(&x, 0, 0, 1) == TG_GROUP_WAITING);
	CHECK(arrive(&x, 1, 1, 2) == TG_GROUP_WAITING);
	tg_sched_set_task(&x.s, &x.t[0], &tg_policy_prt, 60, false, false, 3);
	tg_sched_set_task(&x.s, &x.t[0], &tg_policy_prt, 50, false, false, 4);
	CHECK(complete(&x, 2, 10) == 1);
	CHECK(!start(&x, 1, 40, 10));
	CHECK(next(&x, 10) == 0);
	CHECK(start(&x, 0, 5, 10) && complete(&x, 0, 15) == -1);
	CHECK(x.r[0].budget_ns == 5);
	/* What comes now does not go before it. */
	CHECK(arrive(&x, 3, 0, 20) == TG_GROUP_THROTTLED);
	for (u64 now = 100; now < 400; now += 100)
		CHECK(next(&x, now) == -1);
	CHECK(next(&x, 400) == 1 && start(&x, 1, 40, 400));
}

void equal_times_keep_the_order_of_arrival(void)
{
	struct bench x;

	bench_shared(&x, &tg_reserve_pe, 4);
	run(&x, 0, 0, 0, 11);
	for (u32 i = 1; i < 8; i++)
		CHECK(arrive(&x, i, i % 4, 20) == TG_GROUP_THROTTLED);
	CHECK(next(&x, 100) == 1);
	for (u32 i = 1; i < 8; i++) {
		CHECK(start(&x, i, 0, 99 + i));
		CHECK(complete(&x, i, 100 + i) == (i < 7 ? (int)i + 1 : -1));
	}
}

void the_budget_is_asked_again_at_its_turn(void)
{
	struct bench x;

	bench_shared(&x, &tg_reserve_pe, 2);
	/* While another task has the GPU, two queue with a budget of 10. */
	CHECK(arrive(&x, 0, 2, 0) == TG_GROUP_ONLINE);
	CHECK(arrive(&x, 1, 0, 1) == TG_GROUP_WAITING);
	CHECK(arrive(&x, 2, 1, 2) == TG_GROUP_WAITING);
	CHECK(complete(&x, 0, 10) == 1);
	CHECK(start(&x, 1, 0, 10));
	/* The first uses it up, and the second's turn is not yet. */
	CHECK(complete(&x, 1, 20) == -1);
	CHECK(x.g[2].state == TG_GROUP_THROTTLED && !x.s.nr_waiting);
	CHECK(next(&x, 100) == 2);
}

/* Let go while the GPU is idle, but not yet started: an equal goes behind it. */
void an_idle_gpu_does_not_let_arrivals_pass(void)
{
	struct bench x;

	bench_shared(&x, &tg_reserve_pe, 3);
	x.t[2].prio = 60;
	run(&x, 0, 0, 0, 10);
	CHECK(arrive(&x, 1, 0, 20) == TG_GROUP_THROTTLED);
	/* The timer is late; the arrivals find a budget. */
	CHECK(arrive(&x, 2, 1, 101) == TG_GROUP_WAITING);
	CHECK(arrive(&x, 3, 2, 101) == TG_GROUP_ONLINE);
	CHECK(x.g[1].state == TG_GROUP_WAITING);
	CHECK(complete(&x, 3, 102) == 1);
	CHECK(complete(&x, 1, 103) == 2);
}

void cancel_of_the_first_lets_others_go(void)
{
	struct bench x;

	bench_shared(&x, &tg_reserve_ae, 2);
	CHECK(arrive(&x, 0, 0, 0) == TG_GROUP_ONLINE);
	CHECK(!start(&x, 0, 25, 0));
	CHECK(arrive(&x, 1, 1, 1) == TG_GROUP_THROTTLED);
	CHECK(arrive(&x, 2, 1, 2) == TG_GROUP_THROTTLED);
	tg_sched_cancel(&x.s, &x.g[0], 10);
	CHECK(x.g[0].state == TG_GROUP_OUT && x.t[0].throttle_ns == 10);
	CHECK(!x.t[0].nr_throttled);
	/* The budget of 10 is theirs now. */
	CHECK(next(&x, 10) == 1 && x.g[2].state == TG_GROUP_WAITING);
	CHECK(!x.s.nr_throttled && !tg_sched_next_timer(&x.s));
	/* From the middle of those that wait, nobody is let go. */
	CHECK(start(&x, 1, 9, 10) && complete(&x, 1, 25) == -1);
	CHECK(x.r[0].budget_ns == -5 && x.g[2].state == TG_GROUP_THROTTLED);
	CHECK(arrive(&x, 3, 0, 26) == TG_GROUP_THROTTLED);
	tg_sched_cancel(&x.s, &x.g[2], 27);
	CHECK(next(&x, 27) == -1 && x.g[3].state == TG_GROUP_THROTTLED);
	CHECK(x.s.nr_throttled == 1 && next(&x, 100) == 3);
}

/* How many of @list there are; none may be of a channel other than @context. */
static u32 drained(const struct list_head *list, const void *context)
{
	struct tg_group *g;
	u32 n = 0;

	list_for_each_entry(g, list, node) {
		CHECK(g->state == TG_GROUP_OUT);
		CHECK(!context || g->context == context);
		n++;
	}
	return n;
}

/*
 * An AE reserve of three channels: on the GPU is a group of the third; the first
 * one's is refused with a large cost, and keeps back two small ones of each other.
 */
static void bench_kept_back(struct bench *x)
{
	bench_shared(x, &tg_reserve_ae, 3);
	run(x, 0, 0, 0, 6);
	CHECK(arrive(x, 1, 0, 6) == TG_GROUP_ONLINE);
	CHECK(!start(x, 1, 6, 6));
	for (u32 i = 2; i < 6; i++)
		CHECK(arrive(x, i, 1 + i % 2, 6) == TG_GROUP_THROTTLED);
	/* One that asks no reserve, so that a wait queue forms. */
	x->t[3].prio = 90;
	CHECK(arrive(x, 6, 3, 6) == TG_GROUP_ONLINE);
	CHECK(arrive(x, 7, 3, 6) == TG_GROUP_WAITING);
	for (u32 i = 0; i < 8; i++)
		x->g[i].context = x->g[i].task;
}

void draining_one_channel_lets_the_others_go(void)
{
	LIST_HEAD(online);
	LIST_HEAD(waiting);
	struct bench x;

	bench_kept_back(&x);
	tg_sched_drain(&x.s, &x.t[0], &x.t[0], &online, &waiting, 7);
	CHECK(drained(&online, &x.t[0]) == 0 && drained(&waiting, &x.t[0]) == 1);
	/* Nothing holds the small ones any more; of each channel one. */
	CHECK(x.g[2].state == TG_GROUP_WAITING && x.g[3].state == TG_GROUP_WAITING);
	CHECK(x.s.nr_throttled == 2 && x.s.nr_waiting == 3);
	CHECK(x.g[6].state == TG_GROUP_ONLINE && x.s.nr_online == 1);
	/* And in their order. */
	CHECK(complete(&x, 6, 8) == 7);
	CHECK(complete(&x, 7, 8) == 2);
	CHECK(complete(&x, 2, 9) == 3);
	CHECK(complete(&x, 3, 10) == 4 && complete(&x, 4, 11) == 5);
}

void draining_all_leaves_nobody(void)
{
	LIST_HEAD(online);
	LIST_HEAD(waiting);
	struct bench x;

	bench_kept_back(&x);
	tg_sched_drain(&x.s, NULL, NULL, &online, &waiting, 7);
	CHECK(drained(&online, NULL) == 1 && drained(&waiting, NULL) == 6);
	CHECK(!x.s.nr_throttled && !x.s.nr_waiting && !x.s.nr_online);
	for (u32 i = 0; i < 4; i++)
		CHECK(!x.t[i].nr_online && !x.t[i].nr_waiting && !x.t[i].nr_throttled);
	CHECK(!tg_sched_best(&x.s) && !tg_sched_next_timer(&x.s));
	CHECK(x.g[6].finish_ns == 7);
}

void reserves_that_do_not_fit_are_demoted(void)
{
	struct bench x;

	bench_init(&x);
	x.s.limit_percent = 50;
	CHECK(add(&x, 0, &tg_reserve_pe, 30));
	CHECK(!add(&x, 1, &tg_reserve_pe, 21));
	CHECK(x.r[1].demoted && !x.r[0].demoted);
	/* It claims nothing, so a smaller one fits. */
	CHECK(add(&x, 2, &tg_reserve_ae, 20));
	CHECK(!add(&x, 3, &tg_reserve_pe, 1));
}

/*
 * A task that is not settled yet: its first waits for its old reserve, and what came since for
 * Background, whose period ends before.
 */
void draining_all_takes_those_of_two_reserves(void)
{
	LIST_HEAD(online);
	LIST_HEAD(waiting);
	struct bench x;

	bench_init(&x);
	CHECK(add(&x, 0, &tg_reserve_pe, 10) && add(&x, 1, &tg_reserve_pe, 80));
	tg_sched_join(&x.s, &x.t[0], &x.r[0], 0);
	tg_sched_join(&x.s, &x.t[1], &x.s.background, 0);
	run(&x, 0, 0, 0, 10);
	run(&x, 1, 1, 10, 17);
	CHECK(arrive(&x, 2, 0, 20) == TG_GROUP_THROTTLED);
	x.s.part = 0;
	CHECK(!tg_sched_set_reserve(&x.s, &x.r[0], &tg_reserve_pe, 50, 100, 21));
	CHECK(arrive(&x, 3, 0, 22) == TG_GROUP_THROTTLED);
	CHECK(x.g[2].reserve == &x.r[0] && x.g[3].reserve == &x.s.background);
	x.s.part = ~0U;
	tg_sched_drain(&x.s, NULL, NULL, &online, &waiting, 23);
	CHECK(drained(&waiting, NULL) == 2 && !x.s.nr_throttled);
}

void demoted_tasks_run_in_background(void)
{
	struct bench x;

	bench_init(&x);
	CHECK(add(&x, 0, &tg_reserve_pe, 90));
	CHECK(!add(&x, 1, &tg_reserve_ae, 20));
	x.t[1].prio = 99;
	x.t[1].focus = x.t[1].foreground = true;
	tg_sched_join(&x.s, &x.t[0], &x.r[0], 0);
	tg_sched_join(&x.s, &x.t[1], &x.r[1], 0);
	CHECK(tg_task_reserve(&x.s, &x.t[1]) == &x.s.background);
	CHECK(tg_task_level(&x.t[1]) == 0 && tg_task_level(&x.t[0]) == 100);
	run(&x, 0, 1, 0, 9);
	CHECK(x.s.background.budget_ns == -4 && x.r[1].budget_ns == 20);
	CHECK(arrive(&x, 1, 1, 10) == TG_GROUP_THROTTLED && x.g[1].level == 0);
	/* The other shrinks; with its own reserve it goes on, at its priority. */
	CHECK(tg_sched_set_reserve(&x.s, &x.r[0], &tg_reserve_pe, 80, 100, 20));
	CHECK(arrive(&x, 2, 0, 20) == TG_GROUP_ONLINE);
	CHECK(tg_sched_reconsider(&x.s, 20) == &x.r[1]);
	CHECK(!tg_sched_reconsider(&x.s, 20));
	CHECK(x.g[1].state == TG_GROUP_WAITING && x.g[1].level == 199);
	CHECK(x.r[1].budget_ns == 20 && x.r[1].next_ns == 100);
	CHECK(complete(&x, 2, 30) == 1);
	/* And back, with one waiting and one throttled. */
	CHECK(!start(&x, 1, 50, 30) && x.g[1].state == TG_GROUP_THROTTLED);
	CHECK(arrive(&x, 3, 0, 31) == TG_GROUP_ONLINE);
	tg_sched_set_reserve(&x.s, &x.r[1], &tg_reserve_ae, 30, 100, 40);
	CHECK(x.r[1].demoted && x.g[1].state == TG_GROUP_WAITING && !x.g[1].level);
	CHECK(RB_EMPTY_ROOT(&x.r[1].throttled.rb_root) && !x.s.nr_throttled);
	CHECK(complete(&x, 3, 41) == -1);
	CHECK(x.g[1].state == TG_GROUP_THROTTLED);
	CHECK(next(&x, 50) == 1 && x.s.background.budget_ns == 1);
}

void reconsidering_goes_by_age(void)
{
	struct bench x;

	bench_init(&x);
	CHECK(add(&x, 0, &tg_reserve_pe, 100));
	CHECK(!add(&x, 1, &tg_reserve_pe, 80));
	CHECK(!add(&x, 2, &tg_reserve_pe, 50));
	CHECK(!add(&x, 3, &tg_reserve_pe, 20));
	CHECK(!tg_sched_reconsider(&x.s, 1));
	tg_sched_remove_reserve(&x.s, &x.r[0]);
	/* The oldest first; one that does not fit does not stop those after it. */
	CHECK(tg_sched_reconsider(&x.s, 2) == &x.r[1]);
	CHECK(tg_sched_reconsider(&x.s, 2) == &x.r[3]);
	CHECK(!tg_sched_reconsider(&x.s, 2) && x.r[2].demoted);
	tg_sched_remove_reserve(&x.s, &x.r[1]);
	x.s.limit_percent = 69;
	CHECK(!tg_sched_reconsider(&x.s, 3));
	x.s.limit_percent = 70;
	CHECK(tg_sched_reconsider(&x.s, 3) == &x.r[2] && !x.r[2].demoted);
}

void set_reserve_goes_through_admission(void)
{
	struct bench x;

	bench_init(&x);
	CHECK(add(&x, 0, &tg_reserve_pe, 60));
	CHECK(add(&x, 1, &tg_reserve_pe, 40));
	/* Against the others, not against what it had itself. */
	CHECK(tg_sched_set_reserve(&x.s, &x.r[1], &tg_reserve_pe, 20, 50, 10));
	CHECK(x.r[1].budget_ns == 20 && x.r[1].next_ns == 60);
	CHECK(!tg_sched_set_reserve(&x.s, &x.r[1], &tg_reserve_pe, 21, 50, 20));
	CHECK(x.r[1].demoted);
	CHECK(tg_sched_set_reserve(&x.s, &x.r[1], &tg_reserve_ae, 10, 50, 30));
	CHECK(!x.r[1].demoted && x.r[1].budget_ns == 10 && x.r[1].next_ns == 60);
	CHECK(tg_sched_set_reserve(&x.s, &x.r[0], &tg_reserve_pe, 80, 100, 30));
}

void joining_takes_throttled_groups_along(void)
{
	struct bench x;

	bench_shared(&x, &tg_reserve_pe, 2);
	CHECK(add(&x, 1, &tg_reserve_pe, 10));
	run(&x, 0, 0, 0, 11);
	CHECK(arrive(&x, 1, 0, 20) == TG_GROUP_THROTTLED);
	CHECK(arrive(&x, 2, 1, 21) == TG_GROUP_THROTTLED);
	CHECK(arrive(&x, 3, 0, 22) == TG_GROUP_THROTTLED);
	/* To another one, which has a budget. */
	tg_sched_join(&x.s, &x.t[0], &x.r[1], 30);
	CHECK(next(&x, 30) == 1 && x.g[3].state == TG_GROUP_WAITING);
	CHECK(x.g[2].state == TG_GROUP_THROTTLED && x.t[0].nr_throttled == 0);
	/* What runs is paid by the reserve that the task is in when it ends. */
	CHECK(complete(&x, 1, 41) == -1);
	CHECK(x.r[1].budget_ns == -1 && x.r[0].budget_ns == -1);
	CHECK(x.g[3].state == TG_GROUP_THROTTLED);
	/* To none. */
	tg_sched_join(&x.s, &x.t[0], NULL, 50);
	CHECK(next(&x, 50) == 3 && list_empty(&x.r[1].tasks));
	complete(&x, 3, 90);
	CHECK(x.r[1].budget_ns == -1);
	tg_sched_remove_reserve(&x.s, &x.r[1]);
	/* Into the same one: nothing changes. */
	tg_sched_join(&x.s, &x.t[1], &x.r[0], 91);
	CHECK(x.g[2].state == TG_GROUP_THROTTLED && next(&x, 100) == 2);
}

/* A group that waits for x > C keeps waiting for e >= x, whatever happens. */
void a_released_group_is_not_forgotten(void)
{
	struct bench x;

	for (u32 way = 0; way < 3; way++) {
		bool let_go = false;

		bench_shared(&x, &tg_reserve_ae, 1);
		CHECK(add(&x, 1, &tg_reserve_ae, 10));
		CHECK(arrive(&x, 0, 0, 0) == TG_GROUP_ONLINE);
		CHECK(!start(&x, 0, 25, 0));
		if (way == 0) {
			tg_sched_set_task(&x.s, &x.t[0], &tg_policy_prt, 60, false,
					  false, 1);
		} else if (way == 1) {
			tg_sched_join(&x.s, &x.t[0], &x.r[1], 1);
		} else {
			x.s.limit_percent = 10;
			tg_sched_set_reserve(&x.s, &x.r[0], &tg_reserve_ae, 10, 100, 1);
			CHECK(x.r[0].demoted);
			x.s.limit_percent = 100;
			CHECK(tg_sched_reconsider(&x.s, 1) == &x.r[0]);
		}
		for (u64 now = 1; now < 1000 && !let_go; now += 100)
			if (next(&x, now) == 0)
				let_go = start(&x, 0, 25, now);
		if (!CHECK(let_go))
			tap_diag("  way %u: it waits for ever", way);
	}
}

void priority_changes_reach_throttled_groups(void)
{
	struct bench x;

	bench_shared(&x, &tg_reserve_pe, 3);
	run(&x, 0, 0, 0, 10);
	CHECK(arrive(&x, 1, 0, 20) == TG_GROUP_THROTTLED);
	CHECK(arrive(&x, 2, 1, 21) == TG_GROUP_THROTTLED);
	CHECK(arrive(&x, 3, 2, 22) == TG_GROUP_THROTTLED);
	tg_sched_set_task(&x.s, &x.t[2], &tg_policy_prt, 70, false, false, 30);
	CHECK(next(&x, 30) == -1);
	CHECK(x.g[3].state == TG_GROUP_THROTTLED && x.g[3].level == 140);
	tg_sched_set_task(&x.s, &x.t[0], &tg_policy_prt, 30, false, false, 31);
	CHECK(next(&x, 31) == -1 && x.s.nr_throttled == 3);
	CHECK(next(&x, 100) == 3);
	CHECK(complete(&x, 3, 101) == 2);
	CHECK(complete(&x, 2, 102) == 1);
}

void throttled_time_is_accounted(void)
{
	struct bench x;

	bench_shared(&x, &tg_reserve_pe, 2);
	run(&x, 0, 0, 0, 10);
	CHECK(arrive(&x, 1, 0, 20) == TG_GROUP_THROTTLED);
	CHECK(arrive(&x, 2, 0, 50) == TG_GROUP_THROTTLED);
	CHECK(arrive(&x, 3, 2, 90) == TG_GROUP_ONLINE);
	CHECK(next(&x, 110) == -1);
	CHECK(x.t[0].throttle_ns == 90 && x.t[0].throttle_max_ns == 90);
	CHECK(x.t[0].wait_ns == 0 && x.t[0].nr_waiting == 1);
	/* From then on it waits for the GPU, and the other one until that goes. */
	CHECK(complete(&x, 3, 130) == 1);
	CHECK(x.t[0].wait_ns == 20 && x.t[0].throttle_ns == 90 + 80);
	CHECK(x.t[1].throttle_ns == 0 && x.t[2].throttle_ns == 0);
}

void the_next_replenishment_is_the_earliest(void)
{
	struct bench x;

	bench_init(&x);
	CHECK(tg_sched_next_timer(&x.s) == 0);
	for (u32 i = 0; i < 3; i++) {
		tg_reserve_init(&x.r[i], &tg_reserve_pe, 10, 100, 7 * (3 - i));
		CHECK(tg_sched_add_reserve(&x.s, &x.r[i]));
		tg_sched_join(&x.s, &x.t[i], &x.r[i], 0);
	}
	tg_sched_join(&x.s, &x.t[3], &x.s.background, 0);
	for (u32 i = 0; i < 4; i++)
		run(&x, i, i, 22 + 10 * i, 10);
	CHECK(tg_sched_next_timer(&x.s) == 0);
	CHECK(arrive(&x, 4, 0, 65) == TG_GROUP_THROTTLED);
	CHECK(tg_sched_next_timer(&x.s) == 121);
	CHECK(arrive(&x, 5, 1, 65) == TG_GROUP_THROTTLED);
	CHECK(tg_sched_next_timer(&x.s) == 114);
	CHECK(arrive(&x, 6, 3, 65) == TG_GROUP_THROTTLED);
	CHECK(tg_sched_next_timer(&x.s) == 100);
	tg_sched_cancel(&x.s, &x.g[6], 66);
	CHECK(tg_sched_next_timer(&x.s) == 114);
	/* A time that has passed stays until somebody looks. */
	CHECK(next(&x, 118) == 5 && tg_sched_next_timer(&x.s) == 121);
}
