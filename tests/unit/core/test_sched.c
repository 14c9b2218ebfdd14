// SPDX-License-Identifier: GPL-2.0-or-later
/* tg_sched: the paper's figure 5, single rules, and random events. */
#include "tap.h"
#include "tg_sched.h"
#include "sched_random.h"

/*
 * A drawn machine: one GPU that executes groups in the order of the GPU-online
 * list, one tick at a time, and needs a tick from an interrupt to the
 * submission of a group that was woken (the overhead drawn in figure 5).
 *	# on the GPU	o online	w waiting	. nothing
 */
#define MAX_TICKS 40

struct job {
	u32 task;
	int at;		/* tick of arrival, or -1: */
	u32 after;	/* ticks behind the start of job @of */
	u32 of;
	u32 cost;
};

struct drawn {
	struct tg_sched sched;
	struct tg_task task[3];
	struct tg_group group[8];
	u32 left[8];
	int online_at[8], submit_at[8];
	char row[3][MAX_TICKS + 1];
	u32 ticks;
};

static void go_online(struct drawn *d, u32 j, int tick, int overhead)
{
	d->online_at[j] = tick;
	d->submit_at[j] = tick + overhead;
}

static void draw_tick(struct drawn *d, const struct job *jobs, u32 n, int tick)
{
	const struct tg_group *head = tg_sched_head(&d->sched);

	for (u32 j = 0; j < n; j++) {
		char *at = &d->row[jobs[j].task][tick];
		const struct tg_group *g = &d->group[j];

		if (g == head && g->state == TG_GROUP_RUNNING)
			*at = '#';
		else if (*at != '#' && g->state == TG_GROUP_ONLINE)
			*at = 'o';
		else if (*at == '.' && g->state == TG_GROUP_WAITING)
			*at = 'w';
	}
}

static void finish_head(struct drawn *d, int tick)
{
	struct tg_group *g = tg_sched_head(&d->sched);

	if (!g || g->state != TG_GROUP_RUNNING || d->left[g - d->group])
		return;
	tg_sched_complete(&d->sched, g, tick);
	while ((g = tg_sched_next(&d->sched, tick)))
		go_online(d, g - d->group, tick, 1);
}

static void run_drawn(struct drawn *d, const struct job *jobs, u32 n)
{
	for (u32 j = 0; j < n; j++) {
		d->online_at[j] = -1;
		d->left[j] = jobs[j].cost;
		d->group[j].task = &d->task[jobs[j].task];
	}
	memset(d->row, 0, sizeof(d->row));
	for (int t = 0; t < MAX_TICKS; t++) {
		struct tg_group *head;
		u32 out = 0;

		finish_head(d, t);
		for (u32 j = 0; j < n; j++) {
			int at = jobs[j].at;

			out += d->group[j].state == TG_GROUP_OUT;
			if (at < 0 && d->online_at[jobs[j].of] >= 0)
				at = d->online_at[jobs[j].of] + jobs[j].after;
			if (at == t && tg_sched_arrive(&d->sched, &d->group[j], t))
				go_online(d, j, t, 0);
		}
		if (out == n)
			break;
		for (u32 j = 0; j < n; j++)
			if (d->online_at[j] >= 0 && d->submit_at[j] == t)
				tg_sched_start(&d->sched, &d->group[j], t);
		for (u32 i = 0; i < 3; i++)
			d->row[i][t] = '.';
		draw_tick(d, jobs, n, t);
		head = tg_sched_head(&d->sched);
		if (head && head->state == TG_GROUP_RUNNING)
			d->left[head - d->group]--;
		d->ticks++;
	}
}

enum { HP, MP, LP };

/* The groups of figure 5: MP twice, HP, LP and HP again. */
static const struct job figure_5[] = {
	{ .task = MP, .at = 0, .cost = 4 },
	{ .task = MP, .at = 1, .cost = 4 },
	{ .task = HP, .at = 2, .cost = 4 },
	{ .task = LP, .at = 6, .cost = 4 },
	{ .task = HP, .at = -1, .after = 2, .of = 2, .cost = 4 },
};

static void replay_figure_5(const struct tg_policy_ops *policy,
			    const char *const want[3])
{
	static const char *const name[] = { "HP", "MP", "LP" };
	static const u8 prio[] = { 90, 50, 10 };
	struct drawn d = { 0 };

	tg_sched_init(&d.sched, 4, 1000, 1000, 0);
	for (u32 i = 0; i < 3; i++) {
		d.task[i].policy = policy;
		d.task[i].prio = prio[i];
	}
	run_drawn(&d, figure_5, ARRAY_SIZE(figure_5));
	for (u32 i = 0; i < 3; i++) {
		tap_diag("%s %s", name[i], d.row[i]);
		if (!CHECK(!strcmp(d.row[i], want[i])))
			tap_diag("   %s expected", want[i]);
	}
}

static void figure_5a_prt_lets_hp_pass_mp(void)
{
	static const char *const want[] = {
		"..wwo####o####..........",
		"####wwwwwwwwwwo####.....",
		"......wwwwwwwwwwwwwo####",
	};

	replay_figure_5(&tg_policy_prt, want);
}

static void figure_5b_ht_runs_both_mp_without_a_gap(void)
{
	static const char *const want[] = {
		"..wwwwwwo########.....",
		"########..............",
		"......wwwwwwwwwwwo####",
	};

	replay_figure_5(&tg_policy_ht, want);
}

/* Tasks a to d and a dozen groups for the single rules. */
struct bench {
	struct tg_sched s;
	struct tg_task a, b, c, d;
	struct tg_group g[12];
};

static void bench_init(struct bench *x, u32 depth)
{
	memset(x, 0, sizeof(*x));
	tg_sched_init(&x->s, depth, 1000, 1000, 0);
	x->a = (struct tg_task){ .policy = &tg_policy_prt, .prio = 50 };
	x->b = x->a;
	x->c = x->a;
	x->d = x->a;
}

static bool arrive(struct bench *x, u32 g, struct tg_task *task, u64 now)
{
	x->g[g].task = task;
	return tg_sched_arrive(&x->s, &x->g[g], now);
}

/* Complete @g; the one group that this starts, or -1; 99 if there are more. */
static int complete(struct bench *x, u32 g, u64 now)
{
	struct tg_group *next, *more;

	/* After a wrong answer the cases go on, the core must not. */
	if (!CHECK(x->g[g].state >= TG_GROUP_ONLINE &&
		   x->g[g].state <= TG_GROUP_ASIDE))
		return -2;
	tg_sched_complete(&x->s, &x->g[g], now);
	next = tg_sched_next(&x->s, now);
	more = next ? tg_sched_next(&x->s, now) : NULL;
	return more ? 99 : next ? (int)(next - x->g) : -1;
}

static void equal_priorities_are_served_in_order(void)
{
	struct bench x;

	bench_init(&x, 1);
	CHECK(arrive(&x, 0, &x.a, 0));
	CHECK(!arrive(&x, 1, &x.b, 1));
	CHECK(!arrive(&x, 2, &x.c, 2));
	CHECK(!arrive(&x, 3, &x.a, 3));
	CHECK(!arrive(&x, 4, &x.b, 4));
	for (int i = 0; i < 4; i++)
		CHECK(complete(&x, i, 10 * i + 10) == i + 1);
	CHECK(complete(&x, 4, 50) == -1);
}

static void the_highest_priority_goes_first(void)
{
	static const u8 prio[] = { 0, 50, 99, 98 };
	static const int order[] = { 3, 4, 2, 1 };
	struct bench x;
	struct tg_task *t[] = { &x.a, &x.b, &x.c, &x.d };
	int on = 0;

	bench_init(&x, 1);
	for (u32 i = 0; i < 4; i++)
		t[i]->prio = prio[i];
	CHECK(arrive(&x, 0, &x.a, 0));
	for (u32 i = 0; i < 4; i++)
		CHECK(!arrive(&x, i + 1, t[i], i));
	for (u32 i = 0; i < 4; i++) {
		CHECK(tg_sched_best(&x.s) == &x.g[order[i]]);
		CHECK(complete(&x, on, 10 + i) == order[i]);
		CHECK(tg_sched_head(&x.s) == &x.g[order[i]]);
		on = order[i];
	}
	CHECK(!tg_sched_best(&x.s));
	CHECK(complete(&x, on, 20) == -1 && !tg_sched_head(&x.s));
}

static void prt_has_one_group_online(void)
{
	struct bench x;

	bench_init(&x, 8);
	CHECK(arrive(&x, 0, &x.a, 0));
	/* Neither its own next group nor a more important one goes beside it. */
	CHECK(!arrive(&x, 1, &x.a, 1));
	x.b.prio = 99;
	CHECK(!arrive(&x, 2, &x.b, 2));
	CHECK(x.s.nr_online == 1 && x.s.nr_waiting == 2);
	CHECK(!tg_sched_next(&x.s, 3));
	CHECK(complete(&x, 0, 10) == 2);
	CHECK(x.s.nr_online == 1 && x.s.nr_waiting == 1);
}

static void ht_keeps_the_gpu_until_a_better_one_waits(void)
{
	struct bench x;

	bench_init(&x, 8);
	x.a.policy = &tg_policy_ht;
	x.b.prio = 49;
	x.c.prio = 51;
	CHECK(arrive(&x, 0, &x.a, 0));
	CHECK(arrive(&x, 1, &x.a, 1));
	CHECK(!arrive(&x, 2, &x.b, 2));
	CHECK(arrive(&x, 3, &x.a, 3));
	CHECK(!arrive(&x, 4, &x.c, 4));
	/* From now on it must wait, and c starts when all of its groups end. */
	CHECK(!arrive(&x, 5, &x.a, 5));
	CHECK(complete(&x, 0, 10) == -1);
	CHECK(complete(&x, 1, 20) == -1);
	CHECK(complete(&x, 3, 30) == 4);
	CHECK(complete(&x, 4, 40) == 5);
	/* Alone again at the top, it goes on at once. */
	CHECK(arrive(&x, 6, &x.a, 41));
	CHECK(complete(&x, 5, 50) == -1);
	CHECK(complete(&x, 6, 60) == 2);
}

static void ht_does_not_join_another_task(void)
{
	struct bench x;

	bench_init(&x, 8);
	x.a.policy = &tg_policy_ht;
	x.b.policy = &tg_policy_ht;
	x.b.prio = 99;
	CHECK(arrive(&x, 0, &x.a, 0));
	CHECK(!arrive(&x, 1, &x.b, 1));
	CHECK(!tg_sched_next(&x.s, 1));
	CHECK(complete(&x, 0, 2) == 1);
}

static void ht_depth_bounds_groups_online(void)
{
	struct bench x;

	for (u32 depth = 0; depth <= 4; depth++) {
		u32 room = depth ? depth : 1;

		bench_init(&x, depth);
		x.a.policy = &tg_policy_ht;
		for (u32 i = 0; i < 6; i++)
			CHECK(arrive(&x, i, &x.a, i) == (i < room));
		CHECK(x.s.nr_online == room && x.a.nr_online == room);
		/* Each completion makes room for one. */
		for (u32 i = 0; i < 6; i++)
			CHECK(complete(&x, i, 10 + i) ==
			      (i + room < 6 ? (int)(i + room) : -1));
	}
}

static void an_equal_waiter_does_not_stop_ht(void)
{
	struct bench x;

	bench_init(&x, 3);
	x.a.policy = &tg_policy_ht;
	CHECK(arrive(&x, 0, &x.a, 0));
	CHECK(!arrive(&x, 1, &x.b, 1));
	CHECK(arrive(&x, 2, &x.a, 2));
	CHECK(complete(&x, 0, 10) == -1);
	CHECK(arrive(&x, 3, &x.a, 11));
	CHECK(arrive(&x, 4, &x.a, 12));
	/* Once it had to wait itself, it is behind the equal one. */
	CHECK(!arrive(&x, 5, &x.a, 13));
	CHECK(complete(&x, 2, 20) == -1);
	CHECK(!arrive(&x, 6, &x.a, 21));
	CHECK(complete(&x, 3, 30) == -1);
	CHECK(x.s.nr_waiting == 3);
	if (!CHECK(complete(&x, 4, 40) == 1))
		return;
	tg_sched_complete(&x.s, &x.g[1], 50);
	CHECK(tg_sched_next(&x.s, 50) == &x.g[5]);
	CHECK(tg_sched_next(&x.s, 50) == &x.g[6]);
	CHECK(!tg_sched_next(&x.s, 50));
}

static void the_foreground_leads_its_level_only(void)
{
	struct bench x;

	bench_init(&x, 1);
	x.b = (struct tg_task){ .policy = &tg_policy_prt, .prio = 50,
				.focus = true, .foreground = true };
	x.c = (struct tg_task){ .policy = &tg_policy_prt, .prio = 51 };
	/* Not managed by focus: being in the foreground means nothing. */
	x.d = (struct tg_task){ .policy = &tg_policy_prt, .prio = 50,
				.foreground = true };
	CHECK(tg_task_level(&x.d) == tg_task_level(&x.a));
	CHECK(arrive(&x, 0, &x.a, 0));
	CHECK(!arrive(&x, 1, &x.a, 1));
	CHECK(!arrive(&x, 2, &x.d, 2));
	CHECK(!arrive(&x, 3, &x.b, 3));
	CHECK(!arrive(&x, 4, &x.c, 4));
	CHECK(complete(&x, 0, 10) == 4);
	CHECK(complete(&x, 4, 20) == 3);
	CHECK(complete(&x, 3, 30) == 1);
	CHECK(complete(&x, 1, 40) == 2);
}

/* Its waiting groups too, at once; and only what is above its own. */
static void a_server_has_the_level_of_the_foreground(void)
{
	struct bench x;

	bench_init(&x, 1);
	x.b = (struct tg_task){ .policy = &tg_policy_prt, .prio = 10 };
	tg_sched_set_task(&x.s, &x.a, &tg_policy_prt, 60, false, false, 0);
	tg_sched_set_task(&x.s, &x.c, &tg_policy_prt, 50, false, false, 0);
	CHECK(arrive(&x, 0, &x.a, 0));
	CHECK(!arrive(&x, 1, &x.b, 1));
	CHECK(!arrive(&x, 2, &x.c, 2));
	CHECK(!arrive(&x, 3, &x.a, 3));
	tg_sched_lend(&x.s, &x.b, 120, 4);
	CHECK(tg_task_level(&x.b) == 120 && tg_task_own_level(&x.b) == 20);
	/* At the end of its new level. */
	CHECK(complete(&x, 0, 10) == 3);
	CHECK(complete(&x, 3, 20) == 1);
	CHECK(!arrive(&x, 4, &x.b, 21));
	tg_sched_lend(&x.s, &x.b, 0, 22);
	CHECK(complete(&x, 1, 30) == 2);
	CHECK(complete(&x, 2, 40) == 4);
	tg_sched_lend(&x.s, &x.b, 7, 41);
	CHECK(tg_task_level(&x.b) == 20);
}

static void levels_order_every_priority(void)
{
	struct tg_task t = { .policy = &tg_policy_prt };
	int last = -1;

	for (int p = TG_PRIO_MIN; p <= TG_PRIO_MAX; p++) {
		t.prio = p;
		t.focus = t.foreground = false;
		CHECK(tg_task_level(&t) > last);
		last = tg_task_level(&t);
		t.focus = true;
		CHECK(tg_task_level(&t) == last);
		t.foreground = true;
		CHECK(tg_task_level(&t) > last);
		last = tg_task_level(&t);
	}
	CHECK(last == TG_LEVELS - 1);
}

static void cancel_works_in_every_state(void)
{
	struct bench x;

	bench_init(&x, 1);
	/* NEW: nothing to take out. */
	tg_sched_cancel(&x.s, &x.g[0], 1);
	CHECK(x.g[0].state == TG_GROUP_NEW);
	/* WAITING, in the middle of its level. */
	CHECK(arrive(&x, 0, &x.a, 2));
	for (u32 i = 1; i < 5; i++)
		CHECK(!arrive(&x, i, &x.b, 2));
	tg_sched_cancel(&x.s, &x.g[2], 3);
	CHECK(x.g[2].state == TG_GROUP_OUT && x.b.nr_waiting == 3);
	CHECK(!tg_sched_next(&x.s, 3));
	/* ONLINE: the next one starts. */
	tg_sched_cancel(&x.s, &x.g[0], 4);
	CHECK(x.g[0].state == TG_GROUP_OUT && !x.a.nr_online && !x.s.nr_online);
	CHECK(tg_sched_next(&x.s, 4) == &x.g[1]);
	/* RUNNING */
	tg_sched_start(&x.s, &x.g[1], 5);
	CHECK(x.g[1].state == TG_GROUP_RUNNING);
	tg_sched_cancel(&x.s, &x.g[1], 100);
	CHECK(x.g[1].state == TG_GROUP_OUT && x.g[1].finish_ns == 100);
	CHECK(tg_sched_next(&x.s, 100) == &x.g[3]);
	/* OUT: again changes nothing. */
	tg_sched_cancel(&x.s, &x.g[1], 101);
	CHECK(x.g[1].state == TG_GROUP_OUT && x.s.nr_online == 1);
	/* The last waiter of a level clears it. */
	tg_sched_cancel(&x.s, &x.g[4], 102);
	CHECK(!tg_sched_best(&x.s) && !x.s.nr_waiting);
	/* The one that the GPU had is charged for it, the others are not. */
	CHECK(x.b.gpu_ns == 95 && x.s.busy_ns == 95);
	CHECK(!x.a.gpu_ns && !x.a.nr_groups && !x.b.nr_groups);
}

/* It has one on the GPU and one that waits, before another's. */
static void set_aside_lets_others_go_and_is_charged_on(void)
{
	struct bench x;
	LIST_HEAD(waiting);

	bench_init(&x, 1);
	x.a.prio = 90;
	x.g[0].context = x.g[1].context = &x.a;
	x.g[2].context = &x.b;
	CHECK(arrive(&x, 0, &x.a, 0));
	tg_sched_start(&x.s, &x.g[0], 10);
	CHECK(!arrive(&x, 1, &x.a, 20) && !arrive(&x, 2, &x.b, 20));
	tg_sched_set_aside(&x.s, &x.g[0], 1000);
	CHECK(x.g[0].state == TG_GROUP_ASIDE && !x.a.nr_online && x.a.nr_aside == 1);
	CHECK(x.a.gpu_ns == 990);
	tg_sched_drain_waiting(&x.s, &x.a, &x.a, &waiting, 1000);
	CHECK(!list_empty(&waiting) && x.g[1].state == TG_GROUP_OUT);
	CHECK(tg_sched_next(&x.s, 1000) == &x.g[2]);
	/* Until another runs it goes on paying; then the other does. */
	tg_sched_account(&x.s, NULL, 1100);
	CHECK(x.a.gpu_ns == 1090);
	tg_sched_start(&x.s, &x.g[2], 1150);
	tg_sched_account(&x.s, NULL, 1200);
	CHECK(x.a.gpu_ns == 1090);
	CHECK(complete(&x, 2, 1300) == -1);
	CHECK(x.b.gpu_ns == 150 && x.a.gpu_ns == 1140);
	/* It was long, and did not hang. */
	CHECK(complete(&x, 0, 1500) == -1);
	CHECK(x.a.gpu_ns == 1340 && x.g[0].cost_ns == 1340 && x.a.nr_groups == 1);
	CHECK(x.s.busy_ns == 1490 && !x.s.nr_aside && !x.a.nr_aside);
}

/* One that was set aside works beside whoever has the turn: looks tell whose the time was. */
static void who_works_beside_another_pays_for_what_looks_find(void)
{
	struct bench x;

	bench_init(&x, 1);
	CHECK(arrive(&x, 0, &x.a, 0) && !arrive(&x, 1, &x.b, 0) && !arrive(&x, 2, &x.c, 0));
	tg_sched_start(&x.s, &x.g[0], 0);
	tg_sched_set_aside(&x.s, &x.g[0], 100);
	CHECK(tg_sched_next(&x.s, 100) == &x.g[1]);
	tg_sched_start(&x.s, &x.g[1], 100);
	/* At the other's; then at its, from there on until it is looked again; then not. */
	tg_sched_account(&x.s, &x.g[1], 300);
	tg_sched_account(&x.s, &x.g[0], 400);
	CHECK(x.a.gpu_ns == 100 && x.b.gpu_ns == 300);
	CHECK(complete(&x, 1, 500) == 2);
	CHECK(x.a.gpu_ns == 200 && x.b.gpu_ns == 300 && x.b.nr_groups == 1);
	tg_sched_start(&x.s, &x.g[2], 500);
	tg_sched_account(&x.s, NULL, 550);
	CHECK(complete(&x, 2, 600) == -1);
	CHECK(x.c.gpu_ns == 50 && x.a.gpu_ns == 250);
	/* What a group cost that shared the GPU is not known, and nothing to learn from. */
	CHECK(!x.b.costs.nr && !x.c.costs.nr);
	tg_sched_account(&x.s, &x.g[0], 700);
	CHECK(complete(&x, 0, 800) == -1);
	CHECK(x.a.gpu_ns == 450 && x.s.busy_ns == 800 && !x.s.beside);
}

static void behind_one_that_hangs_nobody_else_pays(void)
{
	struct bench x;

	bench_init(&x, 1);
	CHECK(arrive(&x, 0, &x.a, 0) && !arrive(&x, 1, &x.b, 0) && !arrive(&x, 2, &x.c, 0));
	tg_sched_start(&x.s, &x.g[0], 0);
	tg_sched_set_aside(&x.s, &x.g[0], 1000);
	CHECK(tg_sched_next(&x.s, 1000) == &x.g[1]);
	tg_sched_start(&x.s, &x.g[1], 1000);
	/* Nothing came out of the GPU since: it is still with the first. */
	tg_sched_set_aside(&x.s, &x.g[1], 2000);
	CHECK(x.a.gpu_ns == 2000 && !x.b.gpu_ns);
	CHECK(tg_sched_next(&x.s, 2000) == &x.g[2]);
	tg_sched_start(&x.s, &x.g[2], 2000);
	CHECK(complete(&x, 2, 2100) == -1);
	CHECK(x.c.gpu_ns == 100);
	/* Now something did: who stays too long does so by himself. */
	CHECK(arrive(&x, 3, &x.d, 2100));
	tg_sched_start(&x.s, &x.g[3], 2100);
	tg_sched_set_aside(&x.s, &x.g[3], 3000);
	CHECK(x.d.gpu_ns == 900 && x.a.gpu_ns == 2000 && x.s.busy_ns == 3000);
}

/* The second of an HT task is heard of first: the first one's time is not lost. */
static void out_of_order_ends_are_charged_all_the_same(void)
{
	struct bench x;

	bench_init(&x, 4);
	x.a.policy = &tg_policy_ht;
	CHECK(arrive(&x, 0, &x.a, 0) && arrive(&x, 1, &x.a, 0));
	tg_sched_start(&x.s, &x.g[0], 0);
	tg_sched_start(&x.s, &x.g[1], 10);
	CHECK(complete(&x, 1, 50) == -1 && complete(&x, 0, 80) == -1);
	CHECK(x.g[1].cost_ns == 40 && x.g[0].cost_ns == 40);
	CHECK(x.a.gpu_ns == 80 && x.s.busy_ns == 80);
}

static void complete_before_submitted_is_legal(void)
{
	struct bench x;

	bench_init(&x, 1);
	CHECK(arrive(&x, 0, &x.a, 100));
	CHECK(complete(&x, 0, 130) == -1);
	CHECK(x.g[0].state == TG_GROUP_OUT && x.g[0].cost_ns == 30);
	/* The submission's own report comes late and changes nothing. */
	tg_sched_start(&x.s, &x.g[0], 140);
	CHECK(x.g[0].state == TG_GROUP_OUT && x.g[0].start_ns == 100);
	CHECK(!x.s.nr_online && x.a.gpu_ns == 30 && x.a.nr_groups == 1);
}

static void cost_starts_at_the_finish_before(void)
{
	struct bench x;

	bench_init(&x, 4);
	x.a.policy = &tg_policy_ht;
	for (u32 i = 0; i < 3; i++) {
		CHECK(arrive(&x, i, &x.a, i));
		tg_sched_start(&x.s, &x.g[i], 10 + i);
	}
	complete(&x, 0, 110);
	complete(&x, 1, 150);
	complete(&x, 2, 150);
	CHECK(x.g[0].cost_ns == 100);
	CHECK(x.g[1].cost_ns == 40);
	CHECK(x.g[2].cost_ns == 0);
	/* After a pause the start counts, not the finish before. */
	CHECK(arrive(&x, 3, &x.a, 1000));
	tg_sched_start(&x.s, &x.g[3], 1005);
	/* A second report of the start is ignored. */
	tg_sched_start(&x.s, &x.g[3], 1010);
	complete(&x, 3, 1025);
	CHECK(x.g[3].cost_ns == 20);
	/* A finish that was seen before the start costs nothing. */
	CHECK(arrive(&x, 4, &x.a, 2000));
	tg_sched_start(&x.s, &x.g[4], 2050);
	complete(&x, 4, 2040);
	CHECK(x.g[4].cost_ns == 0);
	CHECK(x.a.gpu_ns == 160 && x.a.nr_groups == 5);
}

static void waiting_time_is_accounted(void)
{
	struct bench x;

	bench_init(&x, 1);
	CHECK(arrive(&x, 0, &x.a, 0));
	CHECK(!arrive(&x, 1, &x.b, 10));
	CHECK(!arrive(&x, 2, &x.b, 20));
	CHECK(complete(&x, 0, 100) == 1);
	CHECK(x.g[1].online_ns == 100);
	CHECK(complete(&x, 1, 105) == 2);
	CHECK(x.b.wait_ns == 90 + 85 && x.b.wait_max_ns == 90);
	CHECK(!x.a.wait_ns && x.s.nr_wakeups == 2);
}

static void set_task_moves_waiters_to_the_end(void)
{
	struct bench x;

	bench_init(&x, 1);
	x.c.prio = 70;
	CHECK(arrive(&x, 0, &x.a, 0));
	CHECK(!arrive(&x, 1, &x.b, 1));
	CHECK(!arrive(&x, 2, &x.d, 2));
	CHECK(!arrive(&x, 3, &x.b, 3));
	CHECK(!arrive(&x, 4, &x.c, 4));
	tg_sched_set_task(&x.s, &x.b, &tg_policy_prt, 70, false, false, 5);
	CHECK(x.b.nr_waiting == 2 && x.s.nr_waiting == 4);
	/* The same parameters again: it keeps its place. */
	tg_sched_set_task(&x.s, &x.c, &tg_policy_prt, 70, false, false, 5);
	CHECK(complete(&x, 0, 10) == 4);
	CHECK(complete(&x, 4, 20) == 1);
	/* Lowered: the group online stays, the waiting one goes behind d. */
	tg_sched_set_task(&x.s, &x.b, &tg_policy_prt, 50, false, false, 5);
	CHECK(x.g[1].state == TG_GROUP_ONLINE);
	CHECK(complete(&x, 1, 30) == 2);
	CHECK(complete(&x, 2, 40) == 3);
	CHECK(complete(&x, 3, 50) == -1);
}

static void set_task_takes_effect_at_once(void)
{
	struct bench x;

	bench_init(&x, 4);
	CHECK(arrive(&x, 0, &x.a, 0));
	CHECK(!arrive(&x, 1, &x.a, 1));
	CHECK(!tg_sched_next(&x.s, 2));
	/* As HT its waiting group may follow its own. */
	tg_sched_set_task(&x.s, &x.a, &tg_policy_ht, 50, false, false, 5);
	CHECK(tg_sched_next(&x.s, 3) == &x.g[1]);
	/* Back to PRT: what is online stays, but nothing joins. */
	tg_sched_set_task(&x.s, &x.a, &tg_policy_prt, 50, false, false, 5);
	CHECK(x.s.nr_online == 2);
	CHECK(!arrive(&x, 2, &x.a, 4));
	CHECK(complete(&x, 0, 10) == -1);
	CHECK(complete(&x, 1, 20) == 2);
}

static void inserted_groups_are_waited_for(void)
{
	struct bench x;

	bench_init(&x, 4);
	x.a.policy = &tg_policy_ht;
	x.a.prio = 99;
	CHECK(arrive(&x, 0, &x.a, 0));
	x.g[1].task = &x.b;
	tg_sched_insert(&x.s, &x.g[1], 1);
	CHECK(x.s.nr_online == 2 && x.g[1].state == TG_GROUP_ONLINE);
	CHECK(tg_sched_head(&x.s) == &x.g[0]);
	/* The GPU is no longer its own. */
	CHECK(!arrive(&x, 2, &x.a, 2));
	CHECK(complete(&x, 0, 10) == -1);
	CHECK(complete(&x, 1, 20) == 2);
}

/*
 * A bomb of two threads whose groups take 40 ms, and a client of its level that
 * gets a signal every @every_ms while it waits.  Returns the client's groups in 10 s.
 */
static int groups_beside_a_bomb(int every_ms, u64 ticket_ns)
{
	struct tg_ticket ticket = { 0 };
	u64 now = 0, end = 40, signal = every_ms;
	struct bench x;
	int running = 0, done = 0;

	bench_init(&x, 4);
	arrive(&x, 0, &x.a, 0);
	tg_sched_start(&x.s, &x.g[0], 0);
	arrive(&x, 1, &x.a, 0);
	arrive(&x, 2, &x.b, 0);
	while (now < 10000) {
		int before = running;

		now = signal < end ? signal : end;
		if (now == signal) {
			signal += every_ms;
			if (x.g[2].state == TG_GROUP_WAITING) {
				tg_sched_leave(&x.s, &x.g[2], &ticket, now);
				ticket.until_ns = now + ticket_ns;
				CHECK(!tg_sched_return(&x.s, &x.g[2], &ticket, now + 1));
			}
		}
		if (now < end)
			continue;
		running = complete(&x, before, now);
		if (!CHECK(running >= 0))
			return -1;
		done += running == 2;
		tg_sched_start(&x.s, &x.g[running], now);
		end = now + (running == 2 ? 1 : 40);
		arrive(&x, before, before == 2 ? &x.b : &x.a, now);
	}
	return done;
}

static void signals_do_not_cost_the_place_in_the_queue(void)
{
	CHECK(groups_beside_a_bomb(1000000, 5) >= 120);
	CHECK(groups_beside_a_bomb(10, 5) >= 120);
	CHECK(groups_beside_a_bomb(39, 5) >= 120);
	/* What would happen without. */
	CHECK(groups_beside_a_bomb(10, 0) == 0);
}

static void a_ticket_is_one_for_a_channel_and_used_once(void)
{
	struct tg_ticket ticket = { 0 };
	struct bench x;

	bench_init(&x, 4);
	CHECK(arrive(&x, 0, &x.a, 0));
	CHECK(!arrive(&x, 1, &x.b, 1));
	CHECK(!arrive(&x, 2, &x.b, 2));
	CHECK(!arrive(&x, 3, &x.c, 3));
	/* The older place of two, whichever leaves first. */
	tg_sched_leave(&x.s, &x.g[1], &ticket, 4);
	tg_sched_leave(&x.s, &x.g[2], &ticket, 4);
	x.g[1].task = &x.b;
	CHECK(!tg_sched_return(&x.s, &x.g[1], &ticket, 5));
	x.g[2].task = &x.b;
	CHECK(!tg_sched_return(&x.s, &x.g[2], &ticket, 6));
	CHECK(complete(&x, 0, 10) == 1);
	CHECK(complete(&x, 1, 20) == 3);
	/* Late is as never: the queue has gone on. */
	CHECK(!arrive(&x, 0, &x.a, 21));
	tg_sched_leave(&x.s, &x.g[2], &ticket, 22);
	CHECK(!tg_sched_return(&x.s, &x.g[2], &ticket, 23 + TG_TICKET_NS));
	CHECK(complete(&x, 3, 24 + TG_TICKET_NS) == 0);
}

int main(void)
{
	static const struct tap_case cases[] = {
#define CASE(f) { #f, f }
		CASE(figure_5a_prt_lets_hp_pass_mp),
		CASE(figure_5b_ht_runs_both_mp_without_a_gap),
		CASE(equal_priorities_are_served_in_order),
		CASE(the_highest_priority_goes_first),
		CASE(prt_has_one_group_online),
		CASE(ht_keeps_the_gpu_until_a_better_one_waits),
		CASE(ht_does_not_join_another_task),
		CASE(ht_depth_bounds_groups_online),
		CASE(an_equal_waiter_does_not_stop_ht),
		CASE(the_foreground_leads_its_level_only),
		CASE(a_server_has_the_level_of_the_foreground),
		CASE(levels_order_every_priority),
		CASE(cancel_works_in_every_state),
		CASE(set_aside_lets_others_go_and_is_charged_on),
		CASE(who_works_beside_another_pays_for_what_looks_find),
		CASE(behind_one_that_hangs_nobody_else_pays),
		CASE(out_of_order_ends_are_charged_all_the_same),
		CASE(complete_before_submitted_is_legal),
		CASE(cost_starts_at_the_finish_before),
		CASE(waiting_time_is_accounted),
		CASE(set_task_moves_waiters_to_the_end),
		CASE(set_task_takes_effect_at_once),
		CASE(inserted_groups_are_waited_for),
		CASE(signals_do_not_cost_the_place_in_the_queue),
		CASE(a_ticket_is_one_for_a_channel_and_used_once),
		CASE(random_events_agree_with_the_oracle),
#undef CASE
	};

	return tap_run(cases, ARRAY_SIZE(cases));
}
