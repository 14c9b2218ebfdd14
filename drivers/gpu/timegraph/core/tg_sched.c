// SPDX-License-Identifier: GPL-2.0-only
/*
 * GPU-online list and wait queue (TimeGraph section 4).
 *
 * The paper states its rules as two events: a group arrives at PushBuf, and an
 * interrupt takes the head off the GPU-online list.  Here both end in one
 * question, "may the best candidate start?", put to the candidate's policy:
 * the answers are the paper's, because a PRT group starts only on an empty
 * list, and an HT group only on a list that is empty or its own task's, so the
 * groups of two tasks are never online together and "wake the best one when a
 * PRT group ended" and "… when the list is empty" coincide.
 *
 * The wait queue is an array of FIFOs with a bitmap, as in the CPU's real-time
 * class.  The kernel's plist would do, but it is not exported to modules.
 */
#include "tg_sched.h"

static bool prt_may_start(const struct tg_sched *s, const struct tg_task *task)
{
	return !s->nr_online;
}

static bool ht_may_start(const struct tg_sched *s, const struct tg_task *task)
{
	if (!s->nr_online)
		return true;
	if (task->nr_online != s->nr_online || s->nr_online >= s->ht_depth)
		return false;
	/* A level above the task's own has a waiter: let it have its turn. */
	return !s->nr_waiting ||
	       find_last_bit(s->waiting, TG_LEVELS) <= tg_task_level(task);
}

const struct tg_policy_ops tg_policy_prt = {
	.name = "PRT",
	.may_start = prt_may_start,
};

const struct tg_policy_ops tg_policy_ht = {
	.name = "HT",
	.may_start = ht_may_start,
};

u8 tg_task_level(const struct tg_task *task)
{
	return 2 * task->prio + (task->focus && task->foreground);
}

void tg_sched_init(struct tg_sched *s, u32 ht_depth)
{
	memset(s, 0, sizeof(*s));
	INIT_LIST_HEAD(&s->online);
	for (unsigned int i = 0; i < TG_LEVELS; i++)
		INIT_LIST_HEAD(&s->queue[i]);
	s->ht_depth = ht_depth ? ht_depth : 1;
}

static void enqueue(struct tg_sched *s, struct tg_group *g)
{
	g->state = TG_GROUP_WAITING;
	g->level = tg_task_level(g->task);
	list_add_tail(&g->node, &s->queue[g->level]);
	__set_bit(g->level, s->waiting);
	s->nr_waiting++;
	g->task->nr_waiting++;
}

static void dequeue(struct tg_sched *s, struct tg_group *g)
{
	list_del_init(&g->node);
	if (list_empty(&s->queue[g->level]))
		__clear_bit(g->level, s->waiting);
	s->nr_waiting--;
	g->task->nr_waiting--;
}

static void put_online(struct tg_sched *s, struct tg_group *g, u64 now)
{
	g->state = TG_GROUP_ONLINE;
	g->online_ns = now;
	g->start_ns = now;
	list_add_tail(&g->node, &s->online);
	s->nr_online++;
	g->task->nr_online++;
}

static void take_offline(struct tg_sched *s, struct tg_group *g)
{
	list_del_init(&g->node);
	s->nr_online--;
	g->task->nr_online--;
	g->state = TG_GROUP_OUT;
}

bool tg_sched_arrive(struct tg_sched *s, struct tg_group *g, u64 now)
{
	INIT_LIST_HEAD(&g->node);
	g->arrive_ns = now;
	/* A task's groups keep their order, and one that waits gives way. */
	if (!g->task->nr_waiting && g->task->policy->may_start(s, g->task)) {
		put_online(s, g, now);
		return true;
	}
	enqueue(s, g);
	return false;
}

void tg_sched_insert(struct tg_sched *s, struct tg_group *g, u64 now)
{
	INIT_LIST_HEAD(&g->node);
	g->arrive_ns = now;
	put_online(s, g, now);
}

void tg_sched_start(struct tg_sched *s, struct tg_group *g, u64 now)
{
	if (g->state != TG_GROUP_ONLINE)
		return;
	g->state = TG_GROUP_RUNNING;
	g->start_ns = now;
}

void tg_sched_complete(struct tg_sched *s, struct tg_group *g, u64 now)
{
	u64 start = g->start_ns;

	if (WARN_ON_ONCE(g->state != TG_GROUP_ONLINE &&
			 g->state != TG_GROUP_RUNNING))
		return;
	if (start < s->last_finish_ns)
		start = s->last_finish_ns;
	take_offline(s, g);
	g->finish_ns = now;
	g->cost_ns = now > start ? now - start : 0;
	s->last_finish_ns = now;
	g->task->gpu_ns += g->cost_ns;
	g->task->nr_groups++;
}

static void account_wait(struct tg_group *g, u64 now)
{
	u64 waited = now - g->arrive_ns;

	g->task->wait_ns += waited;
	if (waited > g->task->wait_max_ns)
		g->task->wait_max_ns = waited;
}

void tg_sched_cancel(struct tg_sched *s, struct tg_group *g, u64 now)
{
	switch (g->state) {
	case TG_GROUP_WAITING:
		dequeue(s, g);
		account_wait(g, now);
		g->state = TG_GROUP_OUT;
		break;
	case TG_GROUP_RUNNING:
		/* Nobody else pays for the time that it took. */
		s->last_finish_ns = now;
		take_offline(s, g);
		break;
	case TG_GROUP_ONLINE:
		take_offline(s, g);
		break;
	case TG_GROUP_NEW:
	case TG_GROUP_OUT:
		break;
	}
	g->finish_ns = now;
}

struct tg_group *tg_sched_head(const struct tg_sched *s)
{
	if (list_empty(&s->online))
		return NULL;
	return list_first_entry(&s->online, struct tg_group, node);
}

struct tg_group *tg_sched_best(const struct tg_sched *s)
{
	unsigned long level;

	if (!s->nr_waiting)
		return NULL;
	level = find_last_bit(s->waiting, TG_LEVELS);
	return list_first_entry(&s->queue[level], struct tg_group, node);
}

struct tg_group *tg_sched_next(struct tg_sched *s, u64 now)
{
	struct tg_group *g = tg_sched_best(s);

	if (!g || !g->task->policy->may_start(s, g->task))
		return NULL;

	dequeue(s, g);
	put_online(s, g, now);
	s->nr_wakeups++;
	account_wait(g, now);
	return g;
}

void tg_sched_set_task(struct tg_sched *s, struct tg_task *task,
		       const struct tg_policy_ops *policy, u8 prio, bool focus,
		       bool foreground)
{
	struct tg_group *g, *n;
	u8 old = tg_task_level(task);

	if (WARN_ON_ONCE(prio > TG_PRIO_MAX))
		return;
	task->policy = policy;
	task->prio = prio;
	task->focus = focus;
	task->foreground = foreground;
	if (!task->nr_waiting || tg_task_level(task) == old)
		return;

	list_for_each_entry_safe(g, n, &s->queue[old], node) {
		if (g->task != task)
			continue;
		dequeue(s, g);
		enqueue(s, g);
	}
}
