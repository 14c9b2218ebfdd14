// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "sched_oracle.h"

#define ANY (-1)

void oracle_init(struct oracle *o, int depth)
{
	memset(o, 0, sizeof(*o));
	o->depth = depth;
	o->next_order = 1;
}

int oracle_count(const struct oracle *o, enum oracle_place place, int task)
{
	int n = 0;

	for (int i = 0; i < ORACLE_GROUPS; i++)
		n += o->group[i].place == place &&
		     (task == ANY || o->group[i].task == task);
	return n;
}

int oracle_next_in(const struct oracle *o, enum oracle_place place, uint64_t after)
{
	int found = -1;

	for (int i = 0; i < ORACLE_GROUPS; i++) {
		if (o->group[i].place != place || o->group[i].order <= after)
			continue;
		if (found < 0 || o->group[i].order < o->group[found].order)
			found = i;
	}
	return found;
}

/* Static priority decides; the foreground only among equals. */
static bool more_important(const struct oracle_task *a, const struct oracle_task *b)
{
	if (a->prio != b->prio)
		return a->prio > b->prio;
	return a->on_top && !b->on_top;
}

int oracle_best(const struct oracle *o)
{
	int best = -1;

	for (int i = 0; i < ORACLE_GROUPS; i++) {
		const struct oracle_group *g = &o->group[i];

		if (g->place != ORACLE_QUEUED)
			continue;
		if (best < 0 ||
		    more_important(&o->task[g->task], &o->task[o->group[best].task]) ||
		    (!more_important(&o->task[o->group[best].task], &o->task[g->task]) &&
		     g->order < o->group[best].order))
			best = i;
	}
	return best;
}

static void enter(struct oracle *o, int g, enum oracle_place place)
{
	o->group[g].place = place;
	o->group[g].order = o->next_order++;
}

static void to_gpu(struct oracle *o, int g, uint64_t now)
{
	enter(o, g, ORACLE_ON_GPU);
	o->group[g].handed_over = false;
	o->group[g].start_ns = now;
}

bool oracle_arrive(struct oracle *o, int g, int task, uint64_t now)
{
	const struct oracle_task *t = &o->task[task];
	int running = oracle_count(o, ORACLE_ON_GPU, ANY);
	bool go;

	o->group[g].task = task;
	o->group[g].arrive_ns = now;

	if (oracle_count(o, ORACLE_QUEUED, task)) {
		/* The task is asleep: this came from another of its threads. */
		go = false;
	} else if (running == 0) {
		go = true;
	} else if (!t->ht) {
		go = false;
	} else {
		/* (i) the GPU is its own, (ii) nobody more important is ready */
		go = oracle_count(o, ORACLE_ON_GPU, task) == running;
		for (int i = 0; i < ORACLE_GROUPS; i++)
			if (o->group[i].place == ORACLE_QUEUED &&
			    more_important(&o->task[o->group[i].task], t))
				go = false;
		/* not in the paper: a bound on what one task has on the GPU */
		if (running >= o->depth)
			go = false;
	}
	if (go)
		to_gpu(o, g, now);
	else
		enter(o, g, ORACLE_QUEUED);
	return go;
}

void oracle_force(struct oracle *o, int g, int task, uint64_t now)
{
	o->group[g].task = task;
	o->group[g].arrive_ns = now;
	to_gpu(o, g, now);
}

void oracle_handed_over(struct oracle *o, int g, uint64_t now)
{
	if (o->group[g].place != ORACLE_ON_GPU || o->group[g].handed_over)
		return;
	o->group[g].handed_over = true;
	o->group[g].start_ns = now;
}

void oracle_interrupt(struct oracle *o, int g, uint64_t now)
{
	struct oracle_group *grp = &o->group[g];
	uint64_t from = grp->start_ns;

	if (o->last_finish_ns > from)
		from = o->last_finish_ns;
	grp->cost_ns = from < now ? now - from : 0;
	grp->place = ORACLE_NOWHERE;
	o->task[grp->task].gpu_ns += grp->cost_ns;
	o->task[grp->task].groups++;
	o->last_finish_ns = now;
}

static void count_wait(struct oracle_task *t, uint64_t waited)
{
	t->wait_ns += waited;
	if (waited > t->wait_max_ns)
		t->wait_max_ns = waited;
}

int oracle_wake(struct oracle *o, uint64_t now)
{
	int running = oracle_count(o, ORACLE_ON_GPU, ANY);
	int best = oracle_best(o);
	struct oracle_task *t;

	if (best < 0)
		return -1;
	t = &o->task[o->group[best].task];
	/*
	 * The highest-priority task is woken when the GPU is idle.  What a HT
	 * task left waiting for want of depth follows its own groups.
	 */
	if (running > 0 &&
	    !(t->ht && running < o->depth &&
	      oracle_count(o, ORACLE_ON_GPU, o->group[best].task) == running))
		return -1;

	to_gpu(o, best, now);
	o->wakeups++;
	count_wait(t, now - o->group[best].arrive_ns);
	return best;
}

void oracle_withdraw(struct oracle *o, int g, uint64_t now)
{
	struct oracle_group *grp = &o->group[g];

	if (grp->place == ORACLE_QUEUED)
		count_wait(&o->task[grp->task], now - grp->arrive_ns);
	else if (grp->place == ORACLE_ON_GPU && grp->handed_over)
		o->last_finish_ns = now;
	grp->place = ORACLE_NOWHERE;
}

void oracle_change(struct oracle *o, int task, bool ht, int prio, bool on_top)
{
	struct oracle_task *t = &o->task[task];
	bool moved = t->prio != prio || t->on_top != on_top;
	uint64_t end = o->next_order;

	t->ht = ht;
	t->prio = prio;
	t->on_top = on_top;
	if (!moved)
		return;
	/* Its waiting groups go to the back of the queue, oldest first. */
	for (;;) {
		int oldest = -1;

		for (int i = 0; i < ORACLE_GROUPS; i++) {
			const struct oracle_group *g = &o->group[i];

			if (g->place == ORACLE_QUEUED && g->task == task &&
			    g->order < end &&
			    (oldest < 0 || g->order < o->group[oldest].order))
				oldest = i;
		}
		if (oldest < 0)
			return;
		enter(o, oldest, ORACLE_QUEUED);
	}
}
