// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Any sequence of events to a scheduler with reserves and history tables, with
 * any numbers: lists and counters agree, nobody waits for what is there, and
 * nothing overflows.
 */
#include "tap.h"
#include "tg_predict.h"
#include "tg_sched.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define PERIOD_MAX	(100ULL * 1000 * 1000 * 1000)
#define TASKS		4
#define RESERVES	4
#define GROUPS		12
#define RECORDS		3

struct world {
	const uint8_t *data, *end;
	struct tg_sched s;
	struct tg_task task[TASKS];
	struct tg_reserve reserve[RESERVES];
	bool exists[RESERVES];
	struct tg_group group[GROUPS];
	struct tg_prediction prediction[GROUPS];
	struct tg_profile profile[GROUPS];
	struct tg_history history[TASKS];
	struct tg_record record[TASKS][RECORDS];
	u64 now;
};

static u8 byte(struct world *w)
{
	return w->data < w->end ? *w->data++ : 0;
}

/* Any magnitude from two bytes: a byte, shifted. */
static u64 number(struct world *w)
{
	u8 shift = byte(w) % 64;

	return (u64)byte(w) << shift;
}

static void set_times(struct world *w, u64 *capacity, u64 *period)
{
	*period = 1 + number(w) % PERIOD_MAX;
	*capacity = 1 + number(w) % *period;
}

static const struct tg_reserve_ops *ops(u8 b)
{
	return b & 1 ? &tg_reserve_ae : &tg_reserve_pe;
}

static void wake(struct world *w)
{
	u32 n = 0;

	while (tg_sched_next(&w->s, w->now))
		REQUIRE(++n <= GROUPS);
}

static void check_reserve(struct world *w, const struct tg_reserve *r)
{
	const struct tg_group *before = NULL;
	struct tg_group *g;

	REQUIRE(r->capacity_ns && r->capacity_ns <= r->period_ns);
	REQUIRE(r->budget_ns >= -TG_COST_MAX_NS && r->budget_ns <= TG_COST_MAX_NS);
	tg_sched_for_each_throttled(g, r) {
		REQUIRE(g->state == TG_GROUP_THROTTLED);
		REQUIRE(tg_task_reserve(&w->s, g->task) == r);
		REQUIRE(g->level == tg_task_level(g->task));
		REQUIRE(!before || before->level > g->level ||
			(before->level == g->level && before->arrival < g->arrival));
		before = g;
	}
	/* The timer has been there. */
	if (before)
		REQUIRE(r->next_ns > w->now);
}

static void check(struct world *w)
{
	u32 count[TG_GROUP_OUT + 1] = { 0 }, waiting = 0, throttled = 0;

	for (u32 i = 0; i < GROUPS; i++)
		count[w->group[i].state]++;
	REQUIRE(w->s.nr_online == count[TG_GROUP_ONLINE] + count[TG_GROUP_RUNNING]);
	REQUIRE(w->s.nr_waiting == count[TG_GROUP_WAITING]);
	REQUIRE(w->s.nr_throttled == count[TG_GROUP_THROTTLED]);
	for (u32 i = 0; i < TASKS; i++) {
		waiting += w->task[i].nr_waiting;
		throttled += w->task[i].nr_throttled;
	}
	REQUIRE(waiting == w->s.nr_waiting && throttled == w->s.nr_throttled);
	REQUIRE(w->s.nr_online || !w->s.nr_waiting);
	REQUIRE(!w->s.nr_throttled == !tg_sched_next_timer(&w->s));
	check_reserve(w, &w->s.background);
	for (u32 i = 0; i < RESERVES; i++)
		if (w->exists[i])
			check_reserve(w, &w->reserve[i]);
}

static void validate(struct world *w, u32 i)
{
	struct tg_group *g = &w->group[i];
	u32 t;

	if (g->state != TG_GROUP_ONLINE)
		return;
	t = g->task - w->task;
	w->profile[i] = (struct tg_profile){ .hash = byte(w) % 6, .words = 1 };
	tg_history_predict(&w->history[t], &w->profile[i],
			   tg_sched_switches(&w->s, g->context), &w->prediction[i]);
	if (!tg_sched_check(&w->s, g, byte(w) & 1 ? w->prediction[i].cost_ns : number(w),
			    w->now)) {
		REQUIRE(g->state == TG_GROUP_THROTTLED);
		return;
	}
	tg_sched_start(&w->s, g, w->now);
	REQUIRE(g->state == TG_GROUP_RUNNING);
}

static void complete(struct world *w, u32 i)
{
	struct tg_group *g = &w->group[i];
	u64 start;

	if (g->state != TG_GROUP_ONLINE && g->state != TG_GROUP_RUNNING)
		return;
	if (byte(w) & 1) {
		start = number(w);
		tg_sched_stamp(&w->s, g, start, start + number(w), number(w));
	}
	tg_sched_complete(&w->s, g, w->now);
	w->prediction[i].switched = g->switched;
	tg_history_learn(&w->history[g->task - w->task], &w->profile[i],
			 &w->prediction[i], byte(w) & 1 ? g->cost_ns : number(w));
}

static void change_reserve(struct world *w, u32 i, u8 how)
{
	u64 capacity, period;

	if (!w->exists[i]) {
		set_times(w, &capacity, &period);
		tg_reserve_init(&w->reserve[i], ops(how), capacity, period, w->now);
		tg_sched_add_reserve(&w->s, &w->reserve[i]);
		w->exists[i] = true;
	} else if (how & 2) {
		set_times(w, &capacity, &period);
		tg_sched_set_reserve(&w->s, &w->reserve[i], ops(how), capacity, period,
				     w->now);
	} else {
		for (u32 t = 0; t < TASKS; t++)
			if (w->task[t].reserve == &w->reserve[i])
				tg_sched_join(&w->s, &w->task[t], NULL, w->now);
		tg_sched_remove_reserve(&w->s, &w->reserve[i]);
		w->exists[i] = false;
	}
	for (u32 n = 0; tg_sched_reconsider(&w->s, w->now); n++)
		REQUIRE(n < RESERVES);
	for (u32 k = 0; k < RESERVES; k++)
		REQUIRE(!w->exists[k] || w->reserve[k].demoted !=
			tg_admission_fits(&w->s.admission, w->reserve[k].capacity_ns,
					  w->reserve[k].period_ns, w->s.limit_percent) ||
			/* A lower limit takes nothing away. */
			!w->reserve[k].demoted);
}

static void join(struct world *w, struct tg_task *task, u8 where)
{
	u32 i = where % (RESERVES + 2);
	struct tg_reserve *r = i == RESERVES ? &w->s.background : NULL;

	if (i < RESERVES && w->exists[i])
		r = &w->reserve[i];
	tg_sched_join(&w->s, task, r, w->now);
}

static void step(struct world *w)
{
	u8 op = byte(w), arg = byte(w);
	u32 i = arg % GROUPS;
	struct tg_group *g = &w->group[i];
	struct tg_task *task = &w->task[arg % TASKS];
	u64 more;

	switch (op % 12) {
	case 0:
	case 1:
		if (g->state != TG_GROUP_NEW && g->state != TG_GROUP_OUT)
			break;
		g->task = &w->task[byte(w) % TASKS];
		g->context = g->task;
		if (op & 16)
			tg_sched_insert(&w->s, g, w->now);
		else
			tg_sched_arrive(&w->s, g, w->now);
		break;
	case 2:
		validate(w, i);
		break;
	case 3:
	case 4:
		complete(w, i);
		break;
	case 5:
		tg_sched_cancel(&w->s, g, w->now);
		break;
	case 6:
		more = number(w);
		w->now = w->now + more > 1ULL << 62 ? 1ULL << 62 : w->now + more;
		break;
	case 7:
		/* As a timer does. */
		more = tg_sched_next_timer(&w->s);
		w->now = more > w->now ? more : w->now;
		break;
	case 8:
		tg_sched_set_task(&w->s, task, op & 16 ? &tg_policy_ht : &tg_policy_prt,
				  byte(w) % 3, arg & 64, arg & 128, w->now);
		break;
	case 9:
		join(w, task, byte(w));
		break;
	case 10:
		change_reserve(w, arg % RESERVES, arg >> 2);
		break;
	case 11:
		w->s.limit_percent = byte(w) % 101;
		tg_history_measured(&w->history[arg % TASKS], number(w));
		break;
	}
	wake(w);
	check(w);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct world w;
	u64 capacity, period;

	memset(&w, 0, sizeof(w));
	w.data = data;
	w.end = data + size;
	w.now = number(&w) >> 2;
	set_times(&w, &capacity, &period);
	tg_sched_init(&w.s, byte(&w) % 4, capacity, period, w.now);
	for (u32 i = 0; i < TASKS; i++) {
		tg_task_init(&w.task[i]);
		tg_history_init(&w.history[i], w.record[i], i % (RECORDS + 1), number(&w));
	}
	while (w.data < w.end)
		step(&w);
	/* Whatever state they are in, all can be taken out. */
	for (u32 i = 0; i < GROUPS; i++)
		tg_sched_cancel(&w.s, &w.group[i], w.now);
	REQUIRE(!w.s.nr_online && !w.s.nr_waiting && !w.s.nr_throttled);
	return 0;
}
