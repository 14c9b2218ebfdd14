// SPDX-License-Identifier: GPL-2.0-only
/*
 * Groups that wait, for their turn or for a budget.
 *
 * Each stands in two trees: among those that wait for the same (tg_group.turn), and
 * among those of its task (tg_group.own).  So a step takes a time that grows with the
 * logarithm of their number only, whoever opens them.
 *
 * The wait queue is an array of levels with a bitmap, as in the CPU's real-time class;
 * a level is a tree and not a list, since a group can come back to its place, and since
 * policies other than the paper's need not be first come, first served.
 */
#include "tg_sched.h"

#define group_of(node, member) rb_entry_safe(node, struct tg_group, member)

/* By key, and the place within it. */
static bool goes_before(const struct tg_group *a, const struct tg_group *b)
{
	return a->key < b->key || (a->key == b->key && a->place < b->place);
}

static bool turn_before(struct rb_node *a, const struct rb_node *b)
{
	return goes_before(group_of(a, turn), group_of(b, turn));
}

static bool own_turn_before(struct rb_node *a, const struct rb_node *b)
{
	return goes_before(group_of(a, own), group_of(b, own));
}

/* Best level first, and by arrival within it. */
static bool budget_before(struct rb_node *a, const struct rb_node *b)
{
	const struct tg_group *x = group_of(a, turn), *y = group_of(b, turn);

	return x->level > y->level ||
	       (x->level == y->level && x->arrival < y->arrival);
}

static bool own_budget_before(struct rb_node *a, const struct rb_node *b)
{
	return group_of(a, own)->arrival < group_of(b, own)->arrival;
}

/* Whose period began first; those of one moment in the order of their creation. */
static bool due_before(struct rb_node *a, const struct rb_node *b)
{
	const struct tg_reserve *x = rb_entry(a, struct tg_reserve, due);
	const struct tg_reserve *y = rb_entry(b, struct tg_reserve, due);

	return x->due_ns < y->due_ns ||
	       (x->due_ns == y->due_ns && x->number < y->number);
}

void tg_wait_turn(struct tg_sched *s, struct tg_group *g, u64 now)
{
	const struct tg_policy_ops *policy = g->task->policy;

	g->state = TG_GROUP_WAITING;
	g->level = tg_task_level(g->task);
	g->queued_ns = now;
	if (!g->place) {
		if (!s->nr_queued[g->level])
			tg_floor_waits(&s->floor, g->level, now);
		g->place = ++s->nr_places;
		g->key = policy->enqueue ? policy->enqueue(s, g, now) : 0;
	}
	rb_add_cached(&g->turn, &s->queue[g->level], turn_before);
	rb_add_cached(&g->own, &g->task->waiting, own_turn_before);
	s->nr_queued[g->level]++;
	__set_bit(g->level, s->waiting);
	s->nr_waiting++;
	g->task->nr_waiting++;
}

void tg_wait_turn_last(struct tg_sched *s, struct tg_group *g, u64 now)
{
	g->place = 0;
	tg_wait_turn(s, g, now);
}

static void end_turn(struct tg_sched *s, struct tg_group *g, u64 waited)
{
	struct tg_task *task = g->task;

	rb_erase_cached(&g->turn, &s->queue[g->level]);
	rb_erase_cached(&g->own, &task->waiting);
	if (!--s->nr_queued[g->level])
		__clear_bit(g->level, s->waiting);
	s->nr_waiting--;
	task->nr_waiting--;
	task->wait_ns += waited;
	if (waited > task->wait_max_ns)
		task->wait_max_ns = waited;
}

struct tg_group *tg_wait_own(const struct rb_root_cached *own)
{
	return group_of(rb_first_cached(own), own);
}

void tg_wait_track(struct tg_sched *s, struct tg_reserve *r)
{
	u64 due = !tg_wait_head(r) ? 0 : r->rest_ns ?: r->next_ns;

	if (due == r->due_ns)
		return;
	if (r->due_ns)
		rb_erase_cached(&r->due, &s->due);
	r->due_ns = due;
	if (due)
		rb_add_cached(&r->due, &s->due, due_before);
}

void tg_wait_budget(struct tg_sched *s, struct tg_reserve *r, struct tg_group *g,
		    u64 now)
{
	g->state = TG_GROUP_THROTTLED;
	g->level = tg_task_level(g->task);
	g->place = 0;
	g->queued_ns = now;
	g->reserve = r;
	rb_add_cached(&g->turn, &r->throttled, budget_before);
	rb_add_cached(&g->own, &g->task->throttled, own_budget_before);
	s->nr_throttled++;
	g->task->nr_throttled++;
	r->nr_refused++;
	tg_wait_track(s, r);
}

static void end_budget(struct tg_sched *s, struct tg_group *g, u64 waited)
{
	struct tg_task *task = g->task;

	rb_erase_cached(&g->turn, &g->reserve->throttled);
	rb_erase_cached(&g->own, &task->throttled);
	tg_wait_track(s, g->reserve);
	s->nr_throttled--;
	task->nr_throttled--;
	task->throttle_ns += waited;
	if (waited > task->throttle_max_ns)
		task->throttle_max_ns = waited;
}

void tg_wait_end(struct tg_sched *s, struct tg_group *g, u64 now)
{
	if (g->state == TG_GROUP_WAITING)
		end_turn(s, g, now - g->queued_ns);
	else
		end_budget(s, g, now - g->queued_ns);
}

struct tg_group *tg_wait_best(const struct tg_sched *s)
{
	if (!s->nr_waiting)
		return NULL;
	return tg_wait_first(s, find_last_bit(s->waiting, TG_LEVELS));
}

struct tg_group *tg_wait_first(const struct tg_sched *s, u8 level)
{
	return group_of(rb_first_cached(&s->queue[level]), turn);
}

struct tg_group *tg_wait_head(const struct tg_reserve *r)
{
	return group_of(rb_first_cached(&r->throttled), turn);
}

struct tg_reserve *tg_wait_due(const struct tg_sched *s)
{
	return rb_entry_safe(rb_first_cached(&s->due), struct tg_reserve, due);
}
