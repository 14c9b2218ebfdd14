// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The seam of the policies: one of the test's own, which the core knows by its
 * struct tg_policy_ops alone, shares the GPU by weights.
 */
#include <string.h>

#include "tap.h"
#include "tg_sched.h"

#define NR_TASKS 3
#define NR_GROUPS 4

struct world {
	struct tg_sched s;
	struct tg_task task[NR_TASKS];
	struct tg_group group[NR_TASKS][NR_GROUPS];
	char called[64];
};

static struct world *w;
static bool closed;

static void note(char what)
{
	size_t n = strlen(w->called);

	if (n < sizeof(w->called) - 1)
		w->called[n] = what;
}

static u64 weight_of(const struct tg_task *task)
{
	return 1ULL << (task - w->task);
}

static void wfq_task_init(struct tg_sched *s, struct tg_task *task)
{
	note('i');
	CHECK(task->vtime_ns == 0);
	task->vtime_ns = s->policy[TG_POLICY_OTHER].vtime_ns;
}

static void wfq_task_exit(struct tg_sched *s, struct tg_task *task)
{
	note('x');
}

static u64 wfq_enqueue(struct tg_sched *s, const struct tg_group *g, u64 now)
{
	note('e');
	return g->task->vtime_ns;
}

static bool wfq_may_start(const struct tg_sched *s, const struct tg_task *task)
{
	return !s->nr_online && !closed;
}

static void wfq_started(struct tg_sched *s, const struct tg_group *g, u64 now)
{
	note('s');
	s->policy[TG_POLICY_OTHER].vtime_ns = g->task->vtime_ns;
}

static void wfq_complete(struct tg_sched *s, const struct tg_group *g, u64 now)
{
	note('c');
	g->task->vtime_ns += g->cost_ns / weight_of(g->task);
}

static void wfq_tick(struct tg_sched *s, u64 now)
{
	note('t');
	closed = false;
}

static const struct tg_policy_ops wfq = {
	.id = TG_POLICY_OTHER,
	.name = "WFQ",
	.task_init = wfq_task_init,
	.task_exit = wfq_task_exit,
	.enqueue = wfq_enqueue,
	.may_start = wfq_may_start,
	.started = wfq_started,
	.complete = wfq_complete,
	.tick = wfq_tick,
};

static void begin(struct world *world)
{
	w = world;
	memset(w, 0, sizeof(*w));
	closed = false;
	tg_sched_init(&w->s, 2, 1000, 10000, 0);
	for (int i = 0; i < NR_TASKS; i++) {
		tg_task_init(&w->task[i]);
		tg_sched_set_task(&w->s, &w->task[i], &wfq, 0, false, false, 0);
		for (int j = 0; j < NR_GROUPS; j++)
			w->group[i][j].task = &w->task[i];
	}
	memset(w->called, 0, sizeof(w->called));
}

static bool arrive(int task, int n, u64 now)
{
	struct tg_group *g = &w->group[task][n];

	*g = (struct tg_group){ .task = &w->task[task], .context = &w->task[task] };
	return tg_sched_arrive(&w->s, g, now);
}

static void ops_are_called_in_the_life_of_a_group(void)
{
	struct world world;

	begin(&world);
	CHECK(arrive(0, 0, 10) && !strcmp(w->called, ""));
	CHECK(!arrive(0, 1, 11) && !strcmp(w->called, "e"));
	tg_sched_start(&w->s, &w->group[0][0], 12);
	CHECK(!strcmp(w->called, "es"));
	tg_sched_complete(&w->s, &w->group[0][0], 20);
	CHECK(!strcmp(w->called, "esc"));
	CHECK(tg_sched_next(&w->s, 20) == &w->group[0][1]);
	tg_sched_cancel(&w->s, &w->group[0][1], 21);
	CHECK(!strcmp(w->called, "esc"));
	tg_sched_set_task(&w->s, &w->task[0], &tg_policy_prt, 0, false, false, 22);
	CHECK(!strcmp(w->called, "escx"));
	tg_sched_set_task(&w->s, &w->task[0], &wfq, 0, false, false, 23);
	tg_sched_set_task(&w->s, &w->task[0], &wfq, 5, false, false, 24);
	CHECK(!strcmp(w->called, "escxi"));
	tg_sched_remove_task(&w->s, &w->task[0], 25);
	CHECK(!strcmp(w->called, "escxix"));
}

static void smallest_key_goes_first_and_equals_as_they_came(void)
{
	static const u64 vtime[NR_TASKS] = { 30, 10, 10 };
	static const int order[NR_TASKS] = { 2, 1, 0 };
	struct world world;
	struct tg_group *g;

	begin(&world);
	closed = true;
	for (int i = 0; i < NR_TASKS; i++)
		w->task[i].vtime_ns = vtime[i];
	CHECK(!arrive(0, 0, 1) && !arrive(2, 0, 2) && !arrive(1, 0, 3));
	closed = false;
	for (int i = 0; i < NR_TASKS; i++) {
		g = tg_sched_next(&w->s, 10 + i);
		CHECK(g == &w->group[order[i]][0]);
		if (!g)
			return;
		tg_sched_start(&w->s, g, 10 + i);
		tg_sched_complete(&w->s, g, 11 + i);
	}
}

/*
 * Start-time fair queuing promises two tasks that always have work that their
 * times by weight never differ by more than a group of each (Goyal, Vin, Cheng:
 * SIGCOMM 1996, theorem 1).
 */
static void weights_share_the_gpu_by_keys_alone(void)
{
	static const u64 cost[NR_TASKS] = { 2000, 700, 20000 };
	struct world world;
	struct tg_group *g;
	u64 now = 0;

	begin(&world);
	for (int i = 0; i < NR_TASKS; i++)
		arrive(i, 0, now);
	g = &w->group[0][0];
	for (int n = 0; n < 20000 && CHECK(g); n++) {
		int i = g->task - w->task;

		tg_sched_start(&w->s, g, now);
		now += cost[i];
		tg_sched_complete(&w->s, g, now);
		CHECK(!arrive(i, n & 1, now));
		g = tg_sched_next(&w->s, now) ?: tg_sched_head(&w->s);
		for (int a = 0; a < NR_TASKS; a++)
			for (int b = 0; b < NR_TASKS; b++)
				CHECK(w->task[a].gpu_ns / weight_of(&w->task[a]) <=
				      w->task[b].gpu_ns / weight_of(&w->task[b]) +
				      cost[a] / weight_of(&w->task[a]) +
				      cost[b] / weight_of(&w->task[b]) + 2);
	}
}

static void tick_comes_once_when_it_is_due(void)
{
	struct world world;

	begin(&world);
	closed = true;
	CHECK(tg_sched_next_timer(&w->s) == 0);
	tg_policy_tick_at(&w->s, &wfq, 700);
	tg_policy_tick_at(&w->s, &wfq, 500);
	CHECK(!arrive(0, 0, 100));
	CHECK(tg_sched_next_timer(&w->s) == 500);
	CHECK(!tg_sched_next(&w->s, 499) && !strchr(w->called, 't'));
	CHECK(tg_sched_next(&w->s, 501) == &w->group[0][0]);
	CHECK(!strcmp(w->called, "et") && tg_sched_next_timer(&w->s) == 0);
	tg_sched_next(&w->s, 9999);
	CHECK(!strcmp(w->called, "et"));
}

static void tick_and_budget_share_a_timer(void)
{
	struct world world;
	struct tg_group *g;

	begin(&world);
	tg_sched_set_task(&w->s, &w->task[0], &tg_policy_prt, 0, false, false, 0);
	tg_sched_join(&w->s, &w->task[0], &w->s.background, 0);
	CHECK(arrive(0, 0, 0));
	g = &w->group[0][0];
	tg_sched_start(&w->s, g, 0);
	tg_sched_complete(&w->s, g, 5000);
	CHECK(!arrive(0, 1, 5000) && w->group[0][1].state == TG_GROUP_THROTTLED);
	CHECK(tg_sched_next_timer(&w->s) == 10000);
	tg_policy_tick_at(&w->s, &wfq, 20000);
	CHECK(tg_sched_next_timer(&w->s) == 10000);
	tg_policy_tick_at(&w->s, &wfq, 8000);
	CHECK(tg_sched_next_timer(&w->s) == 8000);
	tg_policy_tick_at(&w->s, &wfq, 0);
	CHECK(tg_sched_next_timer(&w->s) == 10000);
}

/* At the same level, too: what waits is put where its new policy says. */
static void waiting_groups_follow_their_task_to_another_policy(void)
{
	struct world world;

	begin(&world);
	closed = true;
	w->task[0].vtime_ns = 50;
	w->task[1].vtime_ns = 40;
	CHECK(!arrive(0, 0, 1) && !arrive(0, 1, 2) && !arrive(1, 0, 3));
	CHECK(tg_sched_best(&w->s) == &w->group[1][0]);
	tg_sched_set_task(&w->s, &w->task[0], &tg_policy_prt, 0, false, false, 4);
	CHECK(w->s.nr_waiting == 3 && w->task[0].nr_waiting == 2);
	CHECK(tg_sched_next(&w->s, 5) == &w->group[0][0]);
	CHECK(tg_sched_best(&w->s) == &w->group[0][1]);
	tg_sched_set_task(&w->s, &w->task[1], &tg_policy_ht, 0, false, false, 6);
	CHECK(tg_sched_best(&w->s) == &w->group[0][1] && w->s.nr_waiting == 2);
}

/* As two programs have it: what is called is the same, what that asks is not. */
static void waiting_groups_are_told_to_a_policy_of_the_same_functions(void)
{
	const struct tg_policy_ops other = wfq;
	struct world world;

	begin(&world);
	closed = true;
	CHECK(!arrive(0, 0, 1) && !arrive(0, 1, 2) && !strcmp(w->called, "ee"));
	tg_sched_set_task(&w->s, &w->task[0], &other, 0, false, false, 3);
	CHECK(!strcmp(w->called, "eexiee") && w->task[0].nr_waiting == 2);
	tg_sched_set_task(&w->s, &w->task[0], &other, 0, false, false, 4);
	CHECK(!strcmp(w->called, "eexiee"));
	closed = false;
	CHECK(tg_sched_next(&w->s, 5) == &w->group[0][0]);
}

int main(void)
{
	static const struct tap_case cases[] = {
#define CASE(f) { #f, f }
		CASE(ops_are_called_in_the_life_of_a_group),
		CASE(smallest_key_goes_first_and_equals_as_they_came),
		CASE(weights_share_the_gpu_by_keys_alone),
		CASE(tick_comes_once_when_it_is_due),
		CASE(tick_and_budget_share_a_timer),
		CASE(waiting_groups_follow_their_task_to_another_policy),
		CASE(waiting_groups_are_told_to_a_policy_of_the_same_functions),
	};

	return tap_run(cases, ARRAY_SIZE(cases));
}
