// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The scheduler beside its oracle on random events, compared after every step,
 * and properties that the paper promises, read from the trace alone.
 */
#include "random.h"
#include "tap.h"
#include "tg_sched.h"
#include "reserve_trace.h"
#include "sched_oracle.h"
#include "sched_random.h"

#define STEPS		13000
#define NR_SEEDS	2

/* How likely each event is, in parts of their sum. */
struct weights {
	u32 arrive, submitted, complete, cancel, change, force;
	u32 join, alter, add_remove;
	u32 aside;	/* groups that stay too long */
};

/* The reserves of a mix.  Background is there as well. */
struct reserves {
	u32 n;
	u32 ae_percent;
	u32 limit;
	u32 most;	/* C is at most T/most */
	u32 x_max;	/* predictions, in percent of C */
	bool late;	/* the timer comes late, and after what it is for */
	bool strict;	/* nothing changes, so what reserve_trace.h says holds */
};

static const struct mix {
	const char *description;
	u32 tasks;
	u32 ht_percent;
	u32 prios;	/* random from 0 … prios - 1, spread over 0 … 99 */
	u32 focus_percent;
	u32 depth;
	bool sole_top;	/* task 0 is above all others */
	bool top_ht;	/* and HT, whatever the share */
	bool only_head;	/* groups complete in order */
	struct weights w;
	struct reserves r;
} mixes[] = {
	{ "all PRT, task 0 on top", 5, 0, 6, 0, 4, true, false, true,
	  { 40, 25, 35, 0, 0, 0, 0, 0, 0, 0 }, { 0 } },
	{ "all PRT, overload, cancels", 8, 0, 4, 0, 4, true, false, true,
	  { 60, 15, 25, 8, 0, 0, 0, 0, 0, 0 }, { 0 } },
	{ "one HT on top of PRT", 4, 0, 3, 0, 3, true, true, true,
	  { 40, 25, 35, 0, 0, 0, 0, 0, 0, 0 }, { 0 } },
	{ "all HT, deep, task 0 on top", 4, 100, 3, 0, 16, true, true, true,
	  { 45, 25, 30, 2, 0, 0, 0, 0, 0, 0 }, { 0 } },
	{ "all HT, one level, depth 1", 3, 100, 1, 0, 1, false, false, true,
	  { 45, 25, 30, 4, 0, 0, 0, 0, 0, 0 }, { 0 } },
	{ "half HT, few levels, focus", 8, 50, 2, 60, 2, false, false, true,
	  { 40, 25, 35, 4, 6, 0, 0, 0, 0, 0 }, { 0 } },
	{ "half HT, many levels, changes", 8, 50, 100, 20, 5, false, false, true,
	  { 40, 25, 35, 4, 20, 0, 0, 0, 0, 0 }, { 0 } },
	{ "everything, also out of order", 8, 50, 3, 40, 3, false, false, false,
	  { 40, 20, 35, 8, 8, 6, 0, 0, 0, 0 }, { 0 } },
	{ "all PRT, some stay too long", 5, 0, 4, 0, 4, true, false, true,
	  { 40, 25, 35, 4, 0, 0, 0, 0, 0, 4 }, { 0 } },
	{ "half HT, some stay too long", 8, 50, 3, 0, 5, false, false, false,
	  { 40, 25, 35, 4, 4, 4, 0, 0, 0, 6 }, { 0 } },
	{ "reserves, some stay too long", 8, 30, 3, 30, 3, false, false, false,
	  { 40, 25, 30, 6, 8, 6, 10, 10, 10, 6 }, { 5, 50, 60, 1, 300, true, false } },
	{ "PE, each its own", 5, 0, 4, 0, 4, true, false, true,
	  { 40, 30, 30, 0, 0, 0, 0, 0, 0, 0 }, { 5, 0, 100, 5, 0, false, true } },
	{ "AE, each its own, costs below C", 5, 0, 4, 0, 4, true, false, true,
	  { 40, 30, 30, 3, 0, 0, 0, 0, 0, 0 }, { 5, 100, 100, 5, 100, false, true } },
	{ "AE, Shared, costs above C", 8, 0, 2, 0, 4, true, false, true,
	  { 40, 30, 30, 3, 0, 0, 0, 0, 0, 0 }, { 2, 100, 100, 2, 400, false, true } },
	{ "PE and AE, HT on top, late timer", 8, 20, 4, 0, 4, true, true, true,
	  { 40, 30, 30, 3, 0, 0, 0, 0, 0, 0 }, { 4, 50, 100, 4, 200, true, true } },
	{ "reserves, changes of tasks", 8, 20, 3, 40, 3, false, false, true,
	  { 40, 25, 30, 6, 15, 0, 15, 0, 0, 0 }, { 3, 60, 100, 3, 300, false, false } },
	{ "reserves, changes of all", 8, 15, 3, 30, 3, false, false, true,
	  { 40, 25, 30, 6, 8, 0, 10, 10, 10, 0 }, { 5, 50, 80, 1, 300, false, false } },
	{ "reserves, all, late, out of order", 8, 30, 3, 30, 3, false, false, false,
	  { 40, 25, 30, 6, 8, 6, 10, 10, 10, 0 }, { 5, 50, 60, 1, 300, true, false } },
};

struct world {
	const struct mix *mix;
	struct tg_sched sched;
	struct tg_task task[ORACLE_TASKS];
	struct tg_group group[ORACLE_GROUPS];
	struct tg_reserve reserve[ORACLE_RESERVES];
	struct reserve_trace trace[ORACLE_RESERVES];
	bool exists[ORACLE_RESERVES];
	struct oracle oracle;
	u64 now;
	u64 busy_ns;	/* that the GPU had a group, counted as time passes */
	u64 seed;
	u64 step;
	/* From the trace: others' groups that got the GPU since @g arrived. */
	u32 others_since[ORACLE_GROUPS];
	u32 others_ended_since[ORACLE_GROUPS];
	u64 nr_compared, nr_top_waits, nr_top_runs, nr_wakeups, nr_admitted;
	u64 nr_balanced;
};

static bool agree(struct world *w, bool ok, int line, const char *what)
{
	if (tap_check(ok, __FILE__, line, what))
		return true;
	tap_diag("  in \"%s\", step %llu", w->mix->description,
		 (unsigned long long)w->step);
	return false;
}

#define AGREE(cond) agree(w, !!(cond), __LINE__, #cond)

static int id_of(const struct world *w, const struct tg_group *g)
{
	return g ? (int)(g - w->group) : -1;
}

/* The trace of who gets the GPU, from the scheduler's answers only. */
static void trace_online(struct world *w, int g)
{
	const struct tg_task *task = w->group[g].task;
	const struct tg_task *top = &w->task[0];

	for (int i = 0; i < ORACLE_GROUPS; i++)
		if (w->group[i].state == TG_GROUP_WAITING && w->group[i].task != task)
			w->others_since[i]++;
	if (!w->mix->sole_top)
		return;
	if (task != top) {
		/* Nobody's group gets between those of the top HT task. */
		if (top->policy == &tg_policy_ht)
			AGREE(!top->nr_online);
		AGREE(!top->nr_waiting);
	} else {
		w->nr_top_runs++;
		AGREE(w->others_since[g] == 0);
		if (w->mix->ht_percent == 0 && !w->mix->top_ht) {
			w->nr_top_waits += w->others_ended_since[g] == 1;
			AGREE(w->others_ended_since[g] <= 1);
		}
	}
}

static void trace_offline(struct world *w, int g)
{
	for (int i = 0; i < ORACLE_GROUPS; i++)
		if (w->group[i].state == TG_GROUP_WAITING &&
		    w->group[i].task != w->group[g].task)
			w->others_ended_since[i]++;
}

static bool prt_is_alone(const struct world *w)
{
	struct tg_group *g;

	list_for_each_entry(g, &w->sched.online, node)
		if (g->task->policy == &tg_policy_prt && w->sched.nr_online != 1)
			return false;
	return true;
}

static void compare_online(struct world *w)
{
	struct tg_group *g;
	u64 order = 0;
	u32 n = 0;

	AGREE(id_of(w, tg_sched_head(&w->sched)) ==
	      oracle_next_in(&w->oracle, ORACLE_ON_GPU, 0));
	list_for_each_entry(g, &w->sched.online, node) {
		int id = oracle_next_in(&w->oracle, ORACLE_ON_GPU, order);

		if (!AGREE(id == id_of(w, g)))
			return;
		order = w->oracle.group[id].order;
		AGREE(g->state == (w->oracle.group[id].handed_over ?
				   TG_GROUP_RUNNING : TG_GROUP_ONLINE));
		AGREE(g->start_ns == w->oracle.group[id].start_ns);
		n++;
	}
	AGREE(n == w->sched.nr_online);
	AGREE((int)n == oracle_count(&w->oracle, ORACLE_ON_GPU, -1));
}

static struct tg_reserve *reserve(struct world *w, int r)
{
	return r == ORACLE_NONE ? NULL : r ? &w->reserve[r] : &w->sched.background;
}

/* They are the oracle's, and none that the budget is for waits for what its reserve has. */
static void compare_throttled(struct world *w, int r)
{
	struct oracle o = w->oracle;
	int asking = oracle_first_asking(&o, r);
	struct tg_group *g;

	tg_sched_for_each_throttled(g, reserve(w, r)) {
		int id = oracle_first_throttled(&o, r);

		if (!AGREE(id == id_of(w, g)))
			return;
		AGREE(g->state == TG_GROUP_THROTTLED && g->refused == o.group[id].refused);
		AGREE(g->predicted_ns == (u64)o.group[id].x);
		o.group[id].place = ORACLE_NOWHERE;
	}
	AGREE(oracle_first_throttled(&o, r) < 0);
	g = tg_wait_head(reserve(w, r));
	AGREE(id_of(w, g) == asking);
	/* By the paper's words alone. */
	if (g && w->mix->r.strict)
		AGREE(reserve(w, r)->budget_ns <= (s64)g->predicted_ns);
}

/* Looked at by a copy: a budget that nobody asks for is not kept up. */
static void compare_reserve(struct world *w, int r)
{
	struct oracle_reserve *o = &w->oracle.reserve[r];
	struct tg_reserve copy = *reserve(w, r);
	int first = oracle_first_throttled(&w->oracle, r);

	if (first < 0) {
		tg_reserve_advance(&copy, w->now, 0);
		oracle_periods(&w->oracle, r, w->now);
	}
	AGREE(copy.budget_ns == o->budget);
	AGREE(copy.next_ns == (u64)o->next_ns);
	AGREE(copy.periods == o->periods);
	AGREE(copy.used_ns == o->used_ns);
	AGREE(copy.nr_refused == o->refusals);
	AGREE(copy.demoted == o->demoted);
	compare_throttled(w, r);
}

/* The limit holds, and whoever has no share does not fit. */
static void check_admission(struct world *w)
{
	s64 sum = 0;

	for (u32 i = 1; i < ORACLE_RESERVES; i++) {
		struct tg_reserve *r = &w->reserve[i];

		if (w->exists[i] && !r->demoted)
			sum += r->capacity_ns * (1200 / r->period_ns);
	}
	AGREE(100 * sum <= w->sched.limit_percent * 1200);
	for (u32 i = 1; i < ORACLE_RESERVES; i++) {
		struct tg_reserve *r = &w->reserve[i];

		if (w->exists[i] && r->demoted)
			AGREE(100 * (sum + (s64)(r->capacity_ns * (1200 / r->period_ns))) >
			      w->sched.limit_percent * 1200);
	}
}

static void compare_reserves(struct world *w)
{
	for (int r = 0; r < ORACLE_RESERVES; r++)
		if (w->exists[r])
			compare_reserve(w, r);
	AGREE((int)w->sched.nr_throttled ==
	      oracle_count(&w->oracle, ORACLE_THROTTLED, -1));
	AGREE(tg_sched_next_timer(&w->sched) == oracle_next_time(&w->oracle));
	check_admission(w);
	/* A turn that the budget ended: the wait begins anew. */
	for (u32 i = 0; i < ORACLE_GROUPS; i++)
		if (w->group[i].state == TG_GROUP_THROTTLED)
			w->others_since[i] = w->others_ended_since[i] = 0;
}

/* The FIFOs, highest level first, are the order in which the oracle picks. */
static void compare_queue(struct world *w)
{
	int queue[ORACLE_GROUPS];
	int waiting = oracle_queue(&w->oracle, queue), n = 0;

	AGREE(id_of(w, tg_sched_best(&w->sched)) == (waiting ? queue[0] : -1));
	for (int level = TG_LEVELS - 1; level >= 0; level--) {
		bool bit = w->sched.waiting[level / BITS_PER_LONG] >>
			   (level % BITS_PER_LONG) & 1;
		struct tg_group *g;

		if (bit == RB_EMPTY_ROOT(&w->sched.queue[level].rb_root))
			AGREE(!"the bitmap tells which levels have waiters");
		tg_sched_for_each_waiting(g, &w->sched, level) {
			if (!AGREE(n < waiting && id_of(w, g) == queue[n]))
				return;
			AGREE(g->state == TG_GROUP_WAITING && g->level == level);
			n++;
		}
	}
	AGREE(n == waiting && (u32)n == w->sched.nr_waiting);
}

/* Also: what was charged is what the GPU was busy for, to the nanosecond. */
static void compare_aside(struct world *w)
{
	u64 order = 0, charged = 0;
	struct tg_group *g, *n;
	bool running = false;

	tg_sched_for_each_aside_safe(g, n, &w->sched) {
		int id = oracle_next_in(&w->oracle, ORACLE_ASIDE, order);

		if (!AGREE(id == id_of(w, g)))
			return;
		order = w->oracle.group[id].order;
		AGREE(g->state == TG_GROUP_ASIDE && g->cost_ns == w->oracle.group[id].cost_ns);
	}
	AGREE((int)w->sched.nr_aside == oracle_count(&w->oracle, ORACLE_ASIDE, -1));
	for (u32 i = 0; i < w->mix->tasks; i++)
		charged += w->task[i].gpu_ns;
	AGREE(charged == w->sched.busy_ns);
	tg_sched_for_each_online(g, &w->sched)
		running |= g->state == TG_GROUP_RUNNING;
	AGREE(charged <= w->busy_ns);
	if (running || w->sched.nr_aside)
		return;
	AGREE(charged == w->busy_ns);
	w->nr_balanced++;
}

static void compare(struct world *w)
{
	/* By task and enum oracle_place. */
	u32 count[ORACLE_TASKS][ORACLE_PLACES] = { 0 };

	for (u32 i = 0; i < ORACLE_GROUPS; i++)
		count[w->oracle.group[i].task][w->oracle.group[i].place]++;
	compare_online(w);
	compare_queue(w);
	for (u32 i = 0; i < w->mix->tasks; i++) {
		const struct oracle_task *o = &w->oracle.task[i];
		const struct tg_task *t = &w->task[i];

		AGREE(t->nr_online == count[i][ORACLE_ON_GPU]);
		AGREE(t->nr_waiting == count[i][ORACLE_QUEUED]);
		AGREE(t->nr_aside == count[i][ORACLE_ASIDE]);
		AGREE(t->nr_groups == o->groups);
		AGREE(t->gpu_ns == o->gpu_ns);
		AGREE(t->wait_ns == o->wait_ns);
		AGREE(t->wait_max_ns == o->wait_max_ns);
		AGREE(t->nr_throttled == count[i][ORACLE_THROTTLED]);
		AGREE(t->throttle_ns == o->throttle_ns);
		AGREE(t->throttle_max_ns == o->throttle_max_ns);
		AGREE(tg_task_reserve(&w->sched, t) ==
		      reserve(w, oracle_reserve_of(&w->oracle, i)));
	}
	compare_reserves(w);
	AGREE(w->sched.nr_wakeups == w->oracle.wakeups);
	compare_aside(w);
	/* Nobody sleeps beside an idle GPU. */
	AGREE(w->sched.nr_online || !w->sched.nr_waiting);
	if (!w->mix->w.force && !w->mix->w.change)
		AGREE(prt_is_alone(w));
	w->nr_compared++;
}

static void wake_all(struct world *w)
{
	for (;;) {
		int id = id_of(w, tg_sched_next(&w->sched, w->now));

		if (!AGREE(id == oracle_wake(&w->oracle, w->now)) || id < 0)
			return;
		w->nr_wakeups++;
		trace_online(w, id);
	}
}

static int random_group(struct world *w, bool free)
{
	u32 start = random_below(&w->seed, ORACLE_GROUPS);

	for (u32 i = 0; i < ORACLE_GROUPS; i++) {
		u32 id = (start + i) % ORACLE_GROUPS;

		if ((w->oracle.group[id].place == ORACLE_NOWHERE) == free)
			return id;
	}
	return -1;
}

static int random_online(struct world *w, bool head)
{
	int id = oracle_next_in(&w->oracle, ORACLE_ON_GPU, 0);
	u32 skip = head ? 0 : random_below(&w->seed, 3);

	while (id >= 0 && skip--) {
		int next = oracle_next_in(&w->oracle, ORACLE_ON_GPU,
					  w->oracle.group[id].order);

		if (next < 0)
			break;
		id = next;
	}
	return id;
}

static void do_arrive(struct world *w, bool force)
{
	int id = random_group(w, true);
	u32 t = random_below(&w->seed, w->mix->tasks);
	bool went;

	if (id < 0)
		return;
	/* A group's memory may be fresh or used before. */
	if (random_below(&w->seed, 2))
		memset(&w->group[id], 0, sizeof(w->group[id]));
	w->group[id].task = &w->task[t];
	w->others_since[id] = 0;
	w->others_ended_since[id] = 0;
	if (force) {
		tg_sched_insert(&w->sched, &w->group[id], w->now);
		oracle_force(&w->oracle, id, t, w->now);
		return;
	}
	went = tg_sched_arrive(&w->sched, &w->group[id], w->now);
	AGREE(went == oracle_arrive(&w->oracle, id, t, w->now));
	if (went)
		trace_online(w, id);
	/* An arrival cannot be what another group was waiting for. */
	if (!w->mix->r.late)
		AGREE(!tg_sched_next(&w->sched, w->now));
	wake_all(w);
}

/* Mostly the same for a group that asks again, as in the kernel. */
static u64 random_x(struct world *w, int id, const struct tg_reserve *r)
{
	if (!r || !r->ops->predicts)
		return 0;
	if (w->group[id].predicted_ns && random_below(&w->seed, 5))
		return w->group[id].predicted_ns;
	return random_below(&w->seed, r->capacity_ns * w->mix->r.x_max / 100 + 1);
}

static void do_validate(struct world *w, int id)
{
	struct tg_group *g = &w->group[id];
	struct tg_reserve *r = tg_task_reserve(&w->sched, g->task);
	u64 x = random_x(w, id, r);
	bool go = tg_sched_check(&w->sched, g, x, w->now);

	AGREE(go == oracle_validated(&w->oracle, id, x, w->now));
	if (r)
		reserve_trace_predicted(&w->trace[oracle_reserve_of(&w->oracle,
								    g->task - w->task)], x);
	if (go) {
		tg_sched_start(&w->sched, g, w->now);
		oracle_handed_over(&w->oracle, id, w->now);
	}
	wake_all(w);
}

static void do_submitted(struct world *w)
{
	/* Also too late or twice: then nothing may change. */
	int id = random_below(&w->seed, 8) ? random_online(w, false) :
					     random_group(w, false);

	if (id < 0 || w->group[id].state == TG_GROUP_NEW)
		return;
	if (w->group[id].state == TG_GROUP_ONLINE && w->mix->r.n) {
		do_validate(w, id);
		return;
	}
	tg_sched_start(&w->sched, &w->group[id], w->now);
	oracle_handed_over(&w->oracle, id, w->now);
}

/* Too long: the others go on. */
static void do_aside(struct world *w)
{
	int id = random_online(w, w->mix->only_head);

	if (id < 0 || w->group[id].state != TG_GROUP_RUNNING)
		return;
	tg_sched_set_aside(&w->sched, &w->group[id], w->now);
	oracle_set_aside(&w->oracle, id, w->now);
	AGREE(w->group[id].state == TG_GROUP_ASIDE);
	trace_offline(w, id);
	wake_all(w);
}

static void do_account(struct world *w)
{
	struct tg_group *at = NULL;
	int id = random_below(&w->seed, 4) ? oracle_next_in(&w->oracle, ORACLE_ASIDE, 0) :
					     random_online(w, false);

	/* Now and then the card does not tell. */
	if (!random_below(&w->seed, 3))
		id = ORACLE_NONE;
	if (id != ORACLE_NONE)
		at = &w->group[id];
	tg_sched_account(&w->sched, at, w->now);
	oracle_account(&w->oracle, id, w->now);
	wake_all(w);
}

/* What completes was handed to the GPU before. */
static void hand_over(struct world *w, int id)
{
	if (id < 0 || w->mix->r.strict)
		return;
	tg_sched_start(&w->sched, &w->group[id], w->now);
	oracle_handed_over(&w->oracle, id, w->now);
}

static void do_complete(struct world *w)
{
	int id = random_online(w, w->mix->only_head), r;
	bool was_aside;

	if (w->sched.nr_aside && !random_below(&w->seed, 4))
		id = oracle_next_in(&w->oracle, ORACLE_ASIDE, 0);
	hand_over(w, id);
	/* What the traces judge has been validated. */
	if (id < 0 || (w->mix->r.strict && w->group[id].state != TG_GROUP_RUNNING))
		return;
	was_aside = w->group[id].state == TG_GROUP_ASIDE;
	r = oracle_reserve_of(&w->oracle, w->group[id].task - w->task);
	tg_sched_complete(&w->sched, &w->group[id], w->now);
	oracle_interrupt(&w->oracle, id, w->now);
	AGREE(w->group[id].state == TG_GROUP_OUT);
	AGREE(w->group[id].cost_ns == w->oracle.group[id].cost_ns);
	AGREE(w->group[id].finish_ns == w->now);
	if (w->mix->r.strict && r != ORACLE_NONE)
		AGREE(reserve_trace_charged(&w->trace[r], w->group[id].cost_ns,
					    w->group[id].predicted_ns, w->now));
	if (!was_aside)
		trace_offline(w, id);
	wake_all(w);
}

static void do_cancel(struct world *w)
{
	int id = random_below(&w->seed, ORACLE_GROUPS);
	enum tg_group_state was = w->group[id].state;
	int r = was == TG_GROUP_RUNNING ?
		oracle_reserve_of(&w->oracle, w->group[id].task - w->task) : ORACLE_NONE;

	if (was == TG_GROUP_ONLINE || was == TG_GROUP_RUNNING)
		trace_offline(w, id);
	tg_sched_cancel(&w->sched, &w->group[id], w->now);
	oracle_withdraw(&w->oracle, id, w->now);
	AGREE(w->group[id].state == (was == TG_GROUP_NEW ? TG_GROUP_NEW : TG_GROUP_OUT));
	if (w->mix->r.strict && r != ORACLE_NONE)
		AGREE(reserve_trace_charged(&w->trace[r], w->group[id].cost_ns,
					    w->group[id].predicted_ns, w->now));
	wake_all(w);
}

/*
 * A signal to one that waits; its thread comes back, perhaps late, or when the
 * channel's ticket is another thread's.
 */
static void do_signal(struct world *w)
{
	int id = random_below(&w->seed, ORACLE_GROUPS);
	struct oracle_group was = w->oracle.group[id];
	struct tg_ticket ticket = { 0 };
	bool kept = random_below(&w->seed, 4), went;

	if (was.place != ORACLE_QUEUED && was.place != ORACLE_THROTTLED)
		return;
	tg_sched_leave(&w->sched, &w->group[id], &ticket, w->now);
	oracle_withdraw(&w->oracle, id, w->now);
	AGREE(w->group[id].state == TG_GROUP_OUT);
	wake_all(w);
	if (!kept)
		ticket.until_ns = w->now - 1;
	went = tg_sched_return(&w->sched, &w->group[id], &ticket, w->now);
	AGREE(went == (kept ? oracle_return(&w->oracle, id, was.arrival,
					    was.place == ORACLE_QUEUED ? was.order : 0, w->now) :
		       oracle_arrive(&w->oracle, id, was.task, w->now)));
	AGREE(!ticket.arrival);
	w->others_since[id] = w->others_ended_since[id] = 0;
	if (went)
		trace_online(w, id);
	wake_all(w);
}

static u8 random_prio(struct world *w)
{
	u32 n = w->mix->prios;

	return n > 1 ? random_below(&w->seed, n) * TG_PRIO_MAX / (n - 1) : TG_PRIO_DEFAULT;
}

static void do_change(struct world *w)
{
	u32 t = random_below(&w->seed, w->mix->tasks);
	bool ht = random_below(&w->seed, 100) < w->mix->ht_percent;
	bool focus = random_below(&w->seed, 100) < w->mix->focus_percent;
	bool foreground = random_below(&w->seed, 2);
	u8 prio = random_below(&w->seed, 3) ? random_prio(w) : w->task[t].prio;

	tg_sched_set_task(&w->sched, &w->task[t],
			  ht ? &tg_policy_ht : &tg_policy_prt, prio, focus, foreground, w->now);
	oracle_change(&w->oracle, t, ht, prio, focus && foreground, w->now);
	wake_all(w);
}

/* A task serves the foreground, or no longer. */
static void do_lend(struct world *w)
{
	u32 t = random_below(&w->seed, w->mix->tasks);
	bool lent = random_below(&w->seed, 2), on_top = random_below(&w->seed, 2);
	u8 prio = random_prio(w);

	tg_sched_lend(&w->sched, &w->task[t], lent ? 2 * prio + on_top : 0, w->now);
	oracle_lend(&w->oracle, t, lent ? 10 * prio + on_top : 0, w->now);
	wake_all(w);
}

/* The oracle's exact sum knows these periods. */
static u64 random_period(struct world *w)
{
	static const u64 periods[] = { 30, 40, 50, 60, 75, 100, 150, 240, 400, 600 };

	return periods[random_below(&w->seed, ARRAY_SIZE(periods))];
}

static u64 random_capacity(struct world *w, u64 period)
{
	u64 most = period / w->mix->r.most;

	/* Also all there is. */
	if (!random_below(&w->seed, 12))
		return most;
	return 1 + random_below(&w->seed, most);
}

static const struct tg_reserve_ops *random_ops(struct world *w)
{
	return random_below(&w->seed, 100) < w->mix->r.ae_percent ? &tg_reserve_ae :
								     &tg_reserve_pe;
}

static int random_reserve(struct world *w, bool exists)
{
	u32 start = random_below(&w->seed, ORACLE_RESERVES);

	for (u32 i = 0; i < ORACLE_RESERVES; i++) {
		u32 r = (start + i) % ORACLE_RESERVES;

		if (r && w->exists[r] == exists)
			return r;
	}
	return -1;
}

static void reconsider(struct world *w)
{
	for (;;) {
		int r = oracle_reconsider(&w->oracle, w->now);

		if (!AGREE(tg_sched_reconsider(&w->sched, w->now) == reserve(w, r)) || r < 0)
			return;
		w->nr_admitted++;
	}
}

static void add_reserve(struct world *w, int r)
{
	const struct tg_reserve_ops *ops = random_ops(w);
	u64 period = random_period(w), capacity = random_capacity(w, period);
	bool ae = ops == &tg_reserve_ae;

	tg_reserve_init(&w->reserve[r], ops, capacity, period, w->now);
	AGREE(tg_sched_add_reserve(&w->sched, &w->reserve[r]) ==
	      oracle_add(&w->oracle, r, ae, capacity, period, w->now));
	reserve_trace_init(&w->trace[r], ae, capacity, period, w->now);
	w->exists[r] = true;
}

static void join(struct world *w, u32 t, int r)
{
	tg_sched_join(&w->sched, &w->task[t], reserve(w, r), w->now);
	oracle_join(&w->oracle, t, r, w->now);
}

static void do_join(struct world *w)
{
	int r = random_below(&w->seed, 6) ? random_reserve(w, true) :
		random_below(&w->seed, 3) ? 0 : ORACLE_NONE;

	join(w, random_below(&w->seed, w->mix->tasks), r);
	wake_all(w);
}

static void do_alter(struct world *w)
{
	const struct tg_reserve_ops *ops = random_ops(w);
	u64 period = random_period(w), capacity = random_capacity(w, period);
	int r = random_reserve(w, true);

	if (r < 0)
		return;
	AGREE(tg_sched_set_reserve(&w->sched, &w->reserve[r], ops, capacity, period,
				   w->now) ==
	      oracle_alter(&w->oracle, r, ops == &tg_reserve_ae, capacity, period, w->now));
	reconsider(w);
	wake_all(w);
}

static void do_add_remove(struct world *w)
{
	int r = random_reserve(w, random_below(&w->seed, 2));

	if (r < 0)
		return;
	if (!w->exists[r]) {
		add_reserve(w, r);
		return;
	}
	for (u32 t = 0; t < w->mix->tasks; t++)
		if (w->oracle.task[t].reserve == r)
			join(w, t, random_below(&w->seed, 2) ? 0 : ORACLE_NONE);
	tg_sched_remove_reserve(&w->sched, &w->reserve[r]);
	w->exists[r] = w->oracle.reserve[r].exists = false;
	reconsider(w);
	wake_all(w);
}

/* The promise: every moment in which the GPU has something to do is somebody's. */
static void let_run(struct world *w, u64 until)
{
	bool busy = w->sched.nr_aside;

	for (int i = 0; i < ORACLE_GROUPS; i++)
		busy |= w->oracle.group[i].place == ORACLE_ON_GPU &&
			w->oracle.group[i].handed_over;
	if (busy)
		w->busy_ns += until - w->now;
	w->now = until;
}

/* Time passes; where budgets are filled that somebody waits for, the timer. */
static void pass_time(struct world *w, u64 until)
{
	u64 next;

	while (!w->mix->r.late && (next = tg_sched_next_timer(&w->sched)) &&
	       next <= until) {
		if (!AGREE(next > w->now))
			return;
		let_run(w, next);
		wake_all(w);
		compare(w);
	}
	let_run(w, until);
	if (w->mix->r.late && !random_below(&w->seed, 3))
		wake_all(w);
}

static void do_arrive_freely(struct world *w)
{
	do_arrive(w, false);
}

static void do_force(struct world *w)
{
	do_arrive(w, true);
}

static void step(struct world *w)
{
	const struct weights *wt = &w->mix->w;
	const struct {
		u32 weight;
		void (*run)(struct world *w);
	} events[] = {
		{ wt->arrive, do_arrive_freely },
		{ wt->submitted, do_submitted },
		{ wt->complete, do_complete },
		{ wt->cancel, do_cancel },
		{ wt->cancel, do_signal },
		{ wt->change, do_change },
		{ wt->change, do_lend },
		{ wt->force, do_force },
		{ wt->join, do_join },
		{ wt->alter, do_alter },
		{ wt->add_remove, do_add_remove },
		{ wt->aside, do_aside },
		{ wt->aside, do_account },
	};
	u32 sum = 0, i, r;

	for (i = 0; i < ARRAY_SIZE(events); i++)
		sum += events[i].weight;
	r = random_below(&w->seed, sum);
	for (i = 0; r >= events[i].weight; i++)
		r -= events[i].weight;

	pass_time(w, w->now + random_below(&w->seed, w->mix->r.n ? 12 : 6));
	events[i].run(w);
	/* Late for what it is for, but there in the end. */
	wake_all(w);
	compare(w);
}

static void set_up(struct world *w, const struct mix *mix, u64 seed)
{
	memset(w, 0, sizeof(*w));
	w->mix = mix;
	w->seed = seed;
	tg_sched_init(&w->sched, mix->depth, 40, 150, 0);
	oracle_init(&w->oracle, mix->depth);
	oracle_set_up(&w->oracle, 0, false, 40, 150, 0);
	reserve_trace_init(&w->trace[0], false, 40, 150, 0);
	w->exists[0] = true;
	if (mix->r.n)
		w->sched.limit_percent = w->oracle.limit = mix->r.limit;
	for (u32 i = 1; i <= mix->r.n; i++)
		add_reserve(w, i);
	for (u32 i = 0; i < mix->tasks; i++) {
		bool ht = random_below(&w->seed, 100) < mix->ht_percent;
		u8 prio = random_prio(w);

		if (mix->sole_top) {
			prio = i ? prio * 9 / 10 : TG_PRIO_MAX;
			ht = i ? ht : mix->top_ht;
		}
		tg_task_init(&w->task[i]);
		w->task[i].policy = ht ? &tg_policy_ht : &tg_policy_prt;
		w->task[i].prio = prio;
		w->oracle.task[i].ht = ht;
		w->oracle.task[i].prio = prio;
		if (mix->r.n)
			join(w, i, i % (mix->r.n + 2) == mix->r.n ? 0 :
				   i % (mix->r.n + 2) > mix->r.n ? ORACLE_NONE :
				   (int)(i % (mix->r.n + 2)) + 1);
	}
}

/* How far the bounds were used: one that is never near says little. */
static void report_trace(const struct world *w, u32 r)
{
	const struct reserve_trace *t = &w->trace[r];

	if (!w->mix->r.strict || !t->used_ns)
		return;
	tap_diag("    %s %3lld/%3lld: %4.1f %% used in %lld periods, closest to the bound: %lld",
		 t->ae ? "AE" : "PE", (long long)t->capacity, (long long)t->period,
		 100.0 * t->used_ns / (t->periods * t->period + 1), (long long)t->periods,
		 (long long)t->closest);
}

static u64 run_mix(const struct mix *mix)
{
	static struct world w;
	u64 compared = 0, wakeups = 0, top_runs = 0, top_waits = 0;
	u64 refusals = 0, admitted = 0, balanced = 0;

	for (u64 seed = 1; seed <= NR_SEEDS; seed++) {
		set_up(&w, mix, seed * 0x9e3779b97f4a7c15ULL);
		for (w.step = 0; w.step < STEPS && !tap_bad_checks; w.step++)
			step(&w);
		compared += w.nr_compared;
		balanced += w.nr_balanced;
		wakeups += w.nr_wakeups;
		top_runs += w.nr_top_runs;
		top_waits += w.nr_top_waits;
		admitted += w.nr_admitted;
		for (u32 r = 0; r < ORACLE_RESERVES; r++) {
			refusals += reserve(&w, r)->nr_refused;
			report_trace(&w, r);
		}
	}
	tap_diag("%-32s %llu steps, %llu woken; top task: %llu groups, %llu blocked once",
		 mix->description, (unsigned long long)compared,
		 (unsigned long long)wakeups, (unsigned long long)top_runs,
		 (unsigned long long)top_waits);
	if (mix->r.n)
		tap_diag("    %llu refused, %llu reserves admitted later",
			 (unsigned long long)refusals, (unsigned long long)admitted);
	/* A mix that wakes nobody would test nothing. */
	CHECK(wakeups > compared / 100);
	CHECK(balanced > compared / 200);
	if (mix->sole_top)
		CHECK(top_runs > compared / 150);
	if (mix->r.n)
		CHECK(refusals > compared / 100);
	if (mix->w.add_remove)
		CHECK(admitted > compared / 500);
	return compared;
}

void random_events_agree_with_the_oracle(void)
{
	u64 compared = 0;

	for (u32 i = 0; i < ARRAY_SIZE(mixes) && !tap_bad_checks; i++)
		compared += run_mix(&mixes[i]);
	CHECK(compared >= 200000);
}
