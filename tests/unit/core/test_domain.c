// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Domains, by what they promise: a domain gets the GPU time that its weight says, however
 * many tasks it has, how long their groups are, or how often they are others; one within
 * another shares what that gets; and one with a quota gets that, and in no window more.
 */
#include <unistd.h>

#include "domain_random.h"
#include "world.h"

#define MS 1000000ULL
#define SECOND (1000 * MS)
#define LEAD_NS MS
#define NR_DOMAINS 4

static struct tg_domain d[NR_DOMAINS];

static void begin(int nr)
{
	world_begin(LEAD_NS, nr);
	for (int i = 0; i < nr; i++) {
		tg_sched_set_task(&w.s, &w.p[i].task, &tg_policy_fq, 0, false, false, 0);
		w.p[i].cost_ns = 2 * MS;
	}
}

static void add(int i, struct tg_domain *parent, u32 weight, u64 capacity, u64 period)
{
	const struct tg_domain_rule rule = {
		.weight = weight, .capacity_ns = capacity, .period_ns = period,
	};

	tg_domain_init(&d[i], parent);
	tg_sched_add_domain(&w.s, &d[i], w.now);
	tg_sched_set_domain(&w.s, &d[i], &rule, w.now);
}

/* Programs @first to @last are in a domain. */
static void put(int first, int last, struct tg_domain *domain)
{
	for (int i = first; i <= last; i++)
		tg_sched_move(&w.s, &w.p[i].task, domain, w.now);
}

static void ask_all(void)
{
	for (int i = 0; i < w.nr; i++)
		world_ask(&w.p[i]);
}

static u64 ran(int first, int last)
{
	u64 sum = 0;

	for (int i = first; i <= last; i++)
		sum += w.p[i].ran_ns;
	return sum;
}

/* Of the GPU's time since the programs have had @before, in parts of 10,000. */
static bool is_share(int first, int last, u64 before, u64 since, u64 wanted, u64 by)
{
	u64 got = (ran(first, last) - before) * 10000 / (w.now - since);
	bool ok = got + by >= wanted && got <= wanted + by;

	if (!ok)
		tap_diag("%d to %d: %llu of 10,000 instead of %llu", first, last,
			 (unsigned long long)got, (unsigned long long)wanted);
	return ok;
}

static bool is_idle_for(u64 most)
{
	u64 idle = w.idle_ns * 10000 / w.now;

	if (idle > most)
		tap_diag("idle for %llu of 10,000", (unsigned long long)idle);
	return idle <= most;
}

static void a_domain_gets_what_its_weight_says(void)
{
	static const struct {
		u32 a, b;
		u64 cost_a, cost_b;
		int of_a;
	} cases[] = {
		{ 100, 100, 2 * MS, 2 * MS, 1 },  { 100, 100, 20 * MS, 2 * MS, 5 },
		{ 100, 300, 2 * MS, 2 * MS, 5 },  { 300, 100, 2 * MS, 20 * MS, 1 },
		{ 1, 9, 500000, 5 * MS, 3 },	  { 10000, 5000, 7 * MS, 300000, 5 },
	};

	for (unsigned int i = 0; i < ARRAY_SIZE(cases); i++) {
		int n = cases[i].of_a;
		u64 wanted = 10000ULL * cases[i].a / (cases[i].a + cases[i].b);

		begin(n + 1);
		add(0, NULL, cases[i].a, 0, 0);
		add(1, NULL, cases[i].b, 0, 0);
		put(0, n - 1, &d[0]);
		put(n, n, &d[1]);
		for (int j = 0; j < n; j++)
			w.p[j].cost_ns = cases[i].cost_a;
		w.p[n].cost_ns = cases[i].cost_b;
		ask_all();
		world_run_until(20 * SECOND);
		CHECK(is_share(0, n - 1, 0, 0, wanted, 100));
		CHECK(is_idle_for(150));
		CHECK(d[0].gpu_ns + d[1].gpu_ns == w.s.busy_ns);
	}
}

static void who_is_in_none_is_beside_them(void)
{
	begin(6);
	add(0, NULL, 200, 0, 0);
	put(0, 3, &d[0]);
	w.p[5].cost_ns = 20 * MS;
	ask_all();
	world_run_until(20 * SECOND);
	CHECK(is_share(0, 3, 0, 0, 5000, 100));
	CHECK(is_share(4, 4, 0, 0, 2500, 100));
	CHECK(is_share(5, 5, 0, 0, 2500, 100));
}

static void one_within_another_shares_what_that_gets(void)
{
	begin(6);
	add(0, NULL, 100, 0, 0);
	add(1, &d[0], 300, 0, 0);
	add(2, &d[0], 100, 0, 0);
	add(3, NULL, 100, 0, 0);
	put(0, 0, &d[1]);
	put(1, 3, &d[2]);
	put(4, 5, &d[3]);
	ask_all();
	world_run_until(30 * SECOND);
	CHECK(is_share(0, 0, 0, 0, 3750, 100));
	CHECK(is_share(1, 3, 0, 0, 1250, 100));
	CHECK(is_share(4, 5, 0, 0, 5000, 100));
	CHECK(d[0].gpu_ns == d[1].gpu_ns + d[2].gpu_ns);
}

static void tasks_share_it_by_their_weights(void)
{
	begin(4);
	add(0, NULL, 100, 0, 0);
	add(1, NULL, 100, 0, 0);
	put(0, 2, &d[0]);
	put(3, 3, &d[1]);
	tg_task_set_weight(&w.p[2].task, 200);
	w.p[0].cost_ns = 10 * MS;
	ask_all();
	world_run_until(30 * SECOND);
	CHECK(is_share(0, 0, 0, 0, 1250, 100));
	CHECK(is_share(1, 1, 0, 0, 1250, 100));
	CHECK(is_share(2, 2, 0, 0, 2500, 100));
}

static void a_process_for_each_group_gets_it_no_more(void)
{
	begin(2);
	add(0, NULL, 100, 0, 0);
	add(1, NULL, 100, 0, 0);
	put(0, 0, &d[0]);
	put(1, 1, &d[1]);
	w.p[1].reborn = true;
	ask_all();
	world_run_until(10 * SECOND);
	CHECK(is_share(0, 0, 0, 0, 5000, 150));
}

/* Processes for one group each, and one for all, however the clock outside goes. */
static void within_it_a_process_for_each_group_gets_no_more(void)
{
	static const u32 weights[] = { 1, 100, 10000 };

	for (unsigned int i = 0; i < ARRAY_SIZE(weights); i++) {
		begin(4);
		add(0, NULL, weights[i], 0, 0);
		add(1, NULL, weights[i], 0, 0);
		put(0, 2, &d[0]);
		put(3, 3, &d[1]);
		for (int k = 1; k <= 2; k++) {
			w.p[k].reborn = true;
			w.p[k].think_ns = MS;
		}
		ask_all();
		world_run_until(10 * SECOND);
		if (!CHECK(ran(0, 0) >= ran(0, 2) * 32 / 100))
			tap_diag("weight %u: %llu of %llu", weights[i],
				 (unsigned long long)ran(0, 0), (unsigned long long)ran(0, 2));
	}
}

/* Who comes to others is not kept back by those who went from a domain. */
static void who_went_from_a_domain_keeps_nobody_outside_back(void)
{
	begin(3);
	add(0, NULL, 1, 0, 0);
	put(0, 0, &d[0]);
	w.p[0].reborn = true;
	tg_task_set_weight(&w.p[0].task, 1);
	world_ask(&w.p[0]);
	world_ask(&w.p[1]);
	world_run_until(5 * SECOND);
	CHECK(tg_fair_come_ns(&w.s.fair.level[0]) == w.s.fair.level[0].vtime_ns);
}

static void what_it_did_not_use_is_gone(void)
{
	u64 before, since;

	begin(2);
	add(0, NULL, 100, 0, 0);
	add(1, NULL, 100, 0, 0);
	put(0, 0, &d[0]);
	put(1, 1, &d[1]);
	world_ask(&w.p[0]);
	world_run_until(5 * SECOND);
	before = ran(0, 0);
	since = w.now;
	world_ask(&w.p[1]);
	world_run_until(since + SECOND);
	CHECK(is_share(0, 0, before, since, 5000, 10000 * TG_FAIR_CREDIT_NS / SECOND));
}

static void who_waits_for_each_group_has_its_share(void)
{
	u64 before, since;

	begin(2);
	add(0, NULL, 100, 0, 0);
	add(1, NULL, 100, 0, 0);
	put(0, 0, &d[0]);
	put(1, 1, &d[1]);
	w.p[0].waits = true;
	w.p[0].think_ns = 50000;
	w.p[1].cost_ns = 20 * MS;
	/* The clocks of the two domains are far from each other. */
	world_ask(&w.p[0]);
	world_run_until(5 * SECOND);
	before = ran(0, 0);
	since = w.now;
	world_ask(&w.p[1]);
	world_run_until(since + 20 * SECOND);
	CHECK(is_share(0, 0, before, since, 5000, 250));
}

static void short_groups_do_not_keep_the_gpu_waiting(void)
{
	for (u64 cost = 50000; cost <= MS; cost *= 2) {
		begin(8);
		for (int i = 0; i < 4; i++) {
			add(i, NULL, 100, 0, 0);
			put(2 * i, 2 * i + 1, &d[i]);
		}
		for (int i = 0; i < 8; i++)
			w.p[i].cost_ns = cost;
		ask_all();
		world_run_until(2 * SECOND);
		CHECK(is_idle_for(150));
		for (int i = 0; i < 4; i++)
			CHECK(is_share(2 * i, 2 * i + 1, 0, 0, 2500, 100));
	}
}

/* Promise of cpu.max: C of each T; no window of ten periods gets more than that and a group. */
static void quota_holds(u64 capacity, u64 period, u64 cost, bool nested)
{
	u64 windows[1000];
	unsigned int n = 0;

	begin(3);
	add(0, NULL, 10000, nested ? 0 : capacity, nested ? 0 : period);
	add(1, &d[0], 100, nested ? capacity : 0, nested ? period : 0);
	put(0, 1, &d[1]);
	w.p[0].cost_ns = cost;
	w.p[1].cost_ns = cost / 2;
	ask_all();
	for (; n < 100; n++) {
		world_run_until((n + 1) * period);
		windows[n] = ran(0, 1);
		if (n >= 10)
			CHECK(windows[n] - windows[n - 10] <=
			      10 * capacity + cost);
	}
	CHECK(is_share(0, 1, 0, 0, 10000 * capacity / period, 200));
	/* Two changes of the GPU's owner each period. */
	CHECK(is_idle_for(150 + 20000 * (SUBMIT_NS + NOTICE_NS) / period));
	CHECK(d[0].gpu_ns + w.p[2].task.gpu_ns == w.s.busy_ns);
	CHECK(d[nested].nr_throttled > 50);
}

static void a_quota_is_had_and_no_more(void)
{
	quota_holds(10 * MS, 40 * MS, 2 * MS, false);
	quota_holds(10 * MS, 40 * MS, 2 * MS, true);
	quota_holds(5 * MS, 100 * MS, 9 * MS, false);
	quota_holds(MS, 10 * MS, 100000, false);
	quota_holds(30 * MS, 40 * MS, 500000, true);
}

/* Nobody of its waits when its group ends: it is known when the next one comes. */
static void who_waits_for_each_group_has_the_quota(void)
{
	begin(2);
	add(0, NULL, 100, 10 * MS, 100 * MS);
	put(0, 0, &d[0]);
	w.p[0].waits = true;
	world_ask(&w.p[0]);
	world_run_until(5 * SECOND);
	CHECK(is_share(0, 0, 0, 0, 1000, 60));
	world_ask(&w.p[1]);
	world_run_until(10 * SECOND);
	CHECK(ran(0, 0) <= 1060 * MS && ran(0, 0) >= 950 * MS);
}

/* A group of one of weight 1 puts it 200 ms ahead of the others. */
static void who_was_far_ahead_is_held_up_for_the_credit(void)
{
	u64 since, before, n;

	begin(4);
	add(0, NULL, 100, 0, 0);
	add(1, NULL, 100, 0, 0);
	put(0, 1, &d[0]);
	put(2, 2, &d[1]);
	tg_task_set_weight(&w.p[0].task, 1);
	ask_all();
	world_run_until(2 * SECOND);
	for (n = w.p[0].nr_ran; n == w.p[0].nr_ran;)
		world_run_until(w.now + MS);
	tg_task_set_weight(&w.p[0].task, 100);
	put(0, 0, &d[1]);
	since = w.now;
	before = ran(0, 0);
	world_run_until(since + SECOND);
	/* Half of a third, but for the credit. */
	CHECK(ran(0, 0) - before >= SECOND / 6 - TG_FAIR_CREDIT_NS - 10 * MS);
}

static void whoever_is_above_is_not_held_but_pays(void)
{
	begin(2);
	add(0, NULL, 100, 10 * MS, 100 * MS);
	put(0, 1, &d[0]);
	tg_sched_set_task(&w.s, &w.p[1].task, &tg_policy_fq, 7, false, false, 0);
	w.p[1].period_ns = 50 * MS;
	w.p[1].cost_ns = 8 * MS;
	ask_all();
	world_run_until(10 * SECOND);
	CHECK(w.p[1].nr_ran >= 195);
	/* 80 ms each second above 100 of quota leave 20. */
	CHECK(ran(0, 0) <= 300 * MS);
	CHECK(d[0].gpu_ns == w.s.busy_ns);
}

static void a_domain_of_all_the_gpu_is_not_limited(void)
{
	begin(1);
	add(0, NULL, 100, 10 * MS, 10 * MS);
	put(0, 0, &d[0]);
	w.p[0].cost_ns = 30 * MS;
	ask_all();
	world_run_until(5 * SECOND);
	CHECK(is_idle_for(100));
	CHECK(!tg_domain_is_limited(&w.p[0].task) && !d[0].nr_throttled);
}

static void who_moves_has_the_share_of_where_he_is(void)
{
	u64 before, since;

	begin(4);
	add(0, NULL, 100, 0, 0);
	add(1, NULL, 300, 0, 0);
	put(0, 1, &d[0]);
	put(2, 3, &d[1]);
	ask_all();
	world_run_until(5 * SECOND);
	put(0, 0, &d[1]);
	before = ran(0, 0);
	since = w.now;
	world_run_until(since + 10 * SECOND);
	CHECK(is_share(0, 0, before, since, 2500, 100));
	CHECK(d[0].nr_tasks == 1 && d[1].nr_tasks == 3);
	/* Out of all: beside them. */
	put(0, 3, NULL);
	tg_sched_remove_domain(&w.s, &d[0], w.now);
	tg_sched_remove_domain(&w.s, &d[1], w.now);
	before = ran(0, 0);
	since = w.now;
	world_run_until(since + 10 * SECOND);
	CHECK(is_share(0, 0, before, since, 2500, 100));
	CHECK(!w.s.fair.nr_ruled && list_empty(&w.s.domains));
}

/* From one to the other at each step, it does not get more than the one of more weight. */
static void who_keeps_moving_gains_nothing(void)
{
	begin(4);
	add(0, NULL, 100, 0, 0);
	add(1, NULL, 100, 0, 0);
	put(0, 1, &d[0]);
	put(2, 3, &d[1]);
	ask_all();
	for (int i = 1; i <= 2000; i++) {
		world_run_until(i * 5 * MS);
		put(0, 0, &d[i & 1]);
	}
	CHECK(ran(0, 0) <= ran(0, 3) * 30 / 100);
	CHECK(ran(1, 1) >= ran(0, 3) * 20 / 100);
}

static void another_weight_counts_from_now_on(void)
{
	static const struct tg_domain_rule rule = { .weight = 400 };
	u64 before, since;

	begin(2);
	add(0, NULL, 100, 0, 0);
	add(1, NULL, 100, 0, 0);
	put(0, 0, &d[0]);
	put(1, 1, &d[1]);
	ask_all();
	world_run_until(2 * SECOND);
	tg_sched_set_domain(&w.s, &d[0], &rule, w.now);
	before = ran(0, 0);
	since = w.now;
	world_run_until(since + 5 * SECOND);
	CHECK(is_share(0, 0, before, since, 8000, 150));
}

/* What it may have later, as it had no work, does not grow by the weight. */
static void who_gets_more_weight_does_not_block_the_others(void)
{
	static const struct tg_domain_rule rule = { .weight = 100 };
	u64 before, since;

	begin(3);
	add(0, NULL, 1, 0, 0);
	add(1, NULL, 100, 0, 0);
	put(0, 1, &d[0]);
	put(2, 2, &d[1]);
	world_ask(&w.p[2]);
	world_run_until(8 * SECOND);
	world_ask(&w.p[0]);
	world_ask(&w.p[1]);
	tg_sched_set_domain(&w.s, &d[0], &rule, w.now);
	before = ran(2, 2);
	since = w.now;
	world_run_until(since + SECOND);
	CHECK(is_share(2, 2, before, since, 5000, 10000 * TG_FAIR_CREDIT_NS / SECOND));
}

/* 20 ms at weight 1 are two seconds of the others' turns; at 10,000 they are none. */
static void who_gets_more_weight_need_not_wait_for_what_it_had(void)
{
	static const struct tg_domain_rule rule = { .weight = 10000 };
	u64 since, n;

	begin(3);
	add(0, NULL, 1, 0, 0);
	add(1, NULL, 100, 0, 0);
	put(0, 1, &d[0]);
	put(2, 2, &d[1]);
	w.p[0].cost_ns = 20 * MS;
	w.p[1].cost_ns = 20 * MS;
	ask_all();
	world_run_until(100 * MS);
	n = d[0].nr_groups;
	tg_sched_set_domain(&w.s, &d[0], &rule, w.now);
	since = w.now;
	while (d[0].nr_groups == n && w.now < since + 3 * SECOND)
		world_run_until(w.now + MS);
	CHECK(w.now <= since + 40 * MS);
}

/* Halved and doubled, all the time, it gets no more than it would in between. */
static void who_keeps_changing_its_weight_gains_nothing(void)
{
	begin(2);
	add(0, NULL, 100, 0, 0);
	add(1, NULL, 100, 0, 0);
	put(0, 0, &d[0]);
	put(1, 1, &d[1]);
	w.p[1].cost_ns = 7 * MS;
	ask_all();
	for (int i = 1; i <= 2000; i++) {
		const struct tg_domain_rule rule = { .weight = i & 1 ? 50 : 200 };

		world_run_until(i * 5 * MS);
		tg_sched_set_domain(&w.s, &d[0], &rule, w.now);
	}
	CHECK(ran(0, 0) >= ran(0, 1) / 3 && ran(0, 0) <= ran(0, 1) * 2 / 3);
}

static struct tg_group *pick_longest_waiting(struct tg_sched *s, struct tg_group *first,
					     u64 now)
{
	struct tg_group *g, *found = first;

	tg_sched_for_each_waiting(g, s, first->level)
		if (g->arrival < found->arrival)
			found = g;
	return found;
}

static void a_policy_may_pick_another(void)
{
	struct tg_policy_ops fifo = tg_policy_fq;

	begin(2);
	fifo.pick = pick_longest_waiting;
	fifo.hold = NULL;
	fifo.lead = NULL;
	for (int i = 0; i < 2; i++)
		tg_sched_set_task(&w.s, &w.p[i].task, &fifo, 0, false, false, 0);
	w.p[1].cost_ns = 20 * MS;
	ask_all();
	world_run_until(5 * SECOND);
	/* Groups in turn: 1 : 10. */
	CHECK(is_share(0, 0, 0, 0, 909, 100));
}

/*
 * 30 tasks of three groups each wait above all others, charged to a domain whose quota is
 * used up, until the reserve that they share does not fit any more: then they are of the
 * lowest level, and those of a few tasks a call get there.
 */
static void who_is_demoted_into_a_spent_quota_waits_for_it(void)
{
	static struct tg_group group[1 + 30 * 3];
	static struct tg_task task[30];
	static struct tg_reserve r, rest;
	const u64 until = 200 * MS;
	int n = 0;

	begin(1);
	/* It does not return: that is a test that fails, too. */
	alarm(10);
	w.s.part = 8;
	add(0, NULL, 100, 10 * MS, 100 * MS);
	tg_reserve_init(&r, &tg_reserve_pe, 50 * MS, 100 * MS, 0);
	tg_reserve_init(&rest, &tg_reserve_pe, 40 * MS, 100 * MS, 0);
	CHECK(tg_sched_add_reserve(&w.s, &rest) && tg_sched_add_reserve(&w.s, &r));
	tg_sched_set_task(&w.s, &w.p[0].task, &tg_policy_prt, 99, false, false, 0);
	group[0] = (struct tg_group){ .task = &w.p[0].task, .context = &group[0] };
	CHECK(tg_sched_arrive(&w.s, &group[0], 0));
	for (int i = 0; i < 30; i++) {
		tg_task_init(&task[i]);
		tg_sched_set_task(&w.s, &task[i], &tg_policy_fq, 50, false, false, 0);
		tg_sched_join(&w.s, &task[i], &r, 0);
		tg_sched_move(&w.s, &task[i], &d[0], 0);
		for (int k = 0; k < 3; k++) {
			struct tg_group *g = &group[1 + 3 * i + k];

			*g = (struct tg_group){ .task = &task[i], .context = &task[i] };
			CHECK(!tg_sched_arrive(&w.s, g, 0));
		}
	}
	tg_domain_charge(&w.s, &d[0], 25 * MS, 0);
	CHECK(!tg_sched_set_reserve(&w.s, &r, &tg_reserve_pe, 90 * MS, 100 * MS, MS));
	tg_sched_complete(&w.s, &group[0], MS);
	for (u64 now = MS; now < until; now += MS)
		n += !!tg_sched_next(&w.s, now);
	alarm(0);
	CHECK(!n && w.s.nr_throttled == 90);
	/* 15 ms of debt at 10 a period. */
	CHECK(tg_sched_next(&w.s, until));
}

/*
 * While a group runs one of each domain waits, and then nobody has a quota left: so many are found
 * to in one call, however many there are, and all in the end.
 */
static void quotas_that_end_together_are_looked_at_in_parts(void)
{
	enum { DOMAINS = 100 };
	const struct tg_domain_rule rule = {
		.weight = 100, .capacity_ns = 10 * MS, .period_ns = 100 * MS,
	};
	static struct tg_domain of[DOMAINS];
	static struct tg_task task[DOMAINS];
	static struct tg_group group[DOMAINS + 1];
	u32 before, most, calls = 0;

	begin(1);
	w.s.part = 8;
	most = TG_SCHED_SENT_PARTS * w.s.part;
	group[DOMAINS] = (struct tg_group){ .task = &w.p[0].task };
	CHECK(tg_sched_arrive(&w.s, &group[DOMAINS], 0));
	for (int i = 0; i < DOMAINS; i++) {
		tg_domain_init(&of[i], NULL);
		tg_sched_add_domain(&w.s, &of[i], 0);
		tg_sched_set_domain(&w.s, &of[i], &rule, 0);
		tg_task_init(&task[i]);
		tg_sched_set_task(&w.s, &task[i], &tg_policy_fq, 0, false, false, 0);
		tg_sched_move(&w.s, &task[i], &of[i], 0);
		group[i] = (struct tg_group){ .task = &task[i] };
		CHECK(!tg_sched_arrive(&w.s, &group[i], 0));
	}
	for (int i = 0; i < DOMAINS; i++)
		tg_domain_charge(&w.s, &of[i], 25 * MS, 0);
	tg_sched_complete(&w.s, &group[DOMAINS], MS);
	do {
		before = w.s.nr_throttled;
		CHECK(!tg_sched_next(&w.s, MS));
		CHECK(w.s.nr_throttled - before <= most);
	} while (++calls < 2 * DOMAINS && w.s.more);
	CHECK(w.s.nr_throttled == DOMAINS && calls >= DOMAINS / most);
}

int main(void)
{
	static const struct tap_case cases[] = {
#define CASE(f) { #f, f }
		CASE(a_domain_gets_what_its_weight_says),
		CASE(who_is_in_none_is_beside_them),
		CASE(one_within_another_shares_what_that_gets),
		CASE(tasks_share_it_by_their_weights),
		CASE(a_process_for_each_group_gets_it_no_more),
		CASE(within_it_a_process_for_each_group_gets_no_more),
		CASE(who_went_from_a_domain_keeps_nobody_outside_back),
		CASE(what_it_did_not_use_is_gone),
		CASE(who_waits_for_each_group_has_its_share),
		CASE(short_groups_do_not_keep_the_gpu_waiting),
		CASE(a_quota_is_had_and_no_more),
		CASE(who_waits_for_each_group_has_the_quota),
		CASE(who_was_far_ahead_is_held_up_for_the_credit),
		CASE(whoever_is_above_is_not_held_but_pays),
		CASE(a_domain_of_all_the_gpu_is_not_limited),
		CASE(who_moves_has_the_share_of_where_he_is),
		CASE(who_keeps_moving_gains_nothing),
		CASE(another_weight_counts_from_now_on),
		CASE(who_gets_more_weight_does_not_block_the_others),
		CASE(who_gets_more_weight_need_not_wait_for_what_it_had),
		CASE(who_keeps_changing_its_weight_gains_nothing),
		CASE(a_policy_may_pick_another),
		CASE(who_is_demoted_into_a_spent_quota_waits_for_it),
		CASE(quotas_that_end_together_are_looked_at_in_parts),
		CASE(any_tree_is_in_order_after_any_step),
	};

	return tap_run(cases, ARRAY_SIZE(cases));
}
