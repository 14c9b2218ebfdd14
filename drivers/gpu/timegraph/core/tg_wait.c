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
 * policies other than the paper's need not be first come, first served.  At the lowest
 * level domains stand among the groups, each with a queue of its own.
 */
#include "tg_sched.h"

#define group_of(node, member) rb_entry_safe(node, struct tg_group, member)

static struct tg_turn *turn_of(const struct rb_node *node)
{
	return rb_entry_safe(node, struct tg_turn, node);
}

/* By key, and the place within it. */
static bool goes_before(const struct tg_turn *a, const struct tg_turn *b)
{
	return a->key < b->key || (a->key == b->key && a->place < b->place);
}

static bool turn_before(struct rb_node *a, const struct rb_node *b)
{
	return goes_before(turn_of(a), turn_of(b));
}

/* Best level first, and by arrival within it. */
static bool asks_before(const struct tg_group *x, const struct tg_group *y)
{
	return x->level > y->level ||
	       (x->level == y->level && x->arrival < y->arrival);
}

static bool budget_before(struct rb_node *a, const struct rb_node *b)
{
	return asks_before(group_of(a, turn.node), group_of(b, turn.node));
}

static bool first_before(struct rb_node *a, const struct rb_node *b)
{
	return asks_before(group_of(a, first), group_of(b, first));
}

static bool own_before(struct rb_node *a, const struct rb_node *b)
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

static struct rb_root_cached *queue_of(struct tg_sched *s, struct tg_domain *d, u8 level)
{
	return d ? &d->queue : &s->queue[level];
}

/* Of those that may go. */
static void count_level(struct tg_sched *s, u8 level, int n, u64 now)
{
	if (!s->nr_queued[level] && n > 0)
		tg_floor_waits(&s->floor, level, now);
	s->nr_queued[level] += n;
	s->nr_waiting += n;
	if (s->nr_queued[level])
		__set_bit(level, s->waiting);
	else
		__clear_bit(level, s->waiting);
}

static void add_domain(struct tg_sched *s, struct tg_domain *d, u64 now)
{
	tg_domain_wake(s, d);
	d->turn.place = ++s->nr_places;
	d->turn.key = tg_domain_key(s, d);
	rb_add_cached(&d->turn.node, queue_of(s, d->parent, 0), turn_before);
	if (!d->parent)
		tg_credit_waits(s, d, now);
}

/* Whether it stands in a queue. */
static bool is_queued(const struct tg_domain *d)
{
	return d->nr_queued && !d->throttled;
}

void tg_wait_count(struct tg_sched *s, struct tg_domain *d, int n, u64 now)
{
	for (; d; d = d->parent) {
		if (d->throttled) {
			d->nr_queued += n;
			s->nr_throttled += n;
			return;
		}
		if (!d->nr_queued && n > 0)
			add_domain(s, d, now);
		d->nr_queued += n;
		if (!d->nr_queued && n < 0)
			rb_erase_cached(&d->turn.node, queue_of(s, d->parent, 0));
	}
	count_level(s, 0, n, now);
}

void tg_wait_rekey(struct tg_sched *s, struct tg_domain *d)
{
	struct rb_root_cached *queue = queue_of(s, d->parent, 0);
	u64 key;

	if (!is_queued(d))
		return;
	key = tg_domain_key(s, d);
	if (key == d->turn.key)
		return;
	rb_erase_cached(&d->turn.node, queue);
	d->turn.key = key;
	rb_add_cached(&d->turn.node, queue, turn_before);
}

/* Where @g waits now, or did until now; another may be first in its domain. */
static void count(struct tg_sched *s, const struct tg_group *g, int n, u64 now)
{
	if (g->within) {
		tg_wait_count(s, g->within, n, now);
		tg_domain_rekey(s, g->within);
	} else {
		count_level(s, g->level, n, now);
	}
}

struct tg_group *tg_wait_own(const struct rb_root_cached *own)
{
	return group_of(rb_first_cached(own), own);
}

/*
 * Of a task that waits for a budget the first group asks for it, and none while an earlier one
 * of it waits for its turn.  So it has one at a time let go, however many it has sent: with
 * all of them let go in each period, to be sent back when the budget is used up, the GPU idled
 * for that.
 */
static void note_first(struct tg_task *task)
{
	struct tg_group *first = tg_wait_own(&task->throttled);
	const struct tg_group *turn = tg_wait_own(&task->waiting);

	if (first && turn && turn->arrival < first->arrival)
		first = NULL;
	if (first == task->first)
		return;
	if (task->first)
		rb_erase_cached(&task->first->first, &task->first->reserve->first);
	if (first)
		rb_add_cached(&first->first, &first->reserve->first, first_before);
	task->first = first;
}

void tg_wait_turn(struct tg_sched *s, struct tg_group *g, u64 now)
{
	const struct tg_policy_ops *policy = g->task->policy;

	g->state = TG_GROUP_WAITING;
	g->level = tg_task_level(g->task);
	g->within = tg_domain_of(g->task);
	g->queued_ns = now;
	if (!g->turn.place) {
		g->turn.place = ++s->nr_places;
		g->turn.key = policy->enqueue ? policy->enqueue(s, g, now) : 0;
	}
	rb_add_cached(&g->turn.node, queue_of(s, g->within, g->level), turn_before);
	rb_add_cached(&g->own, &g->task->waiting, own_before);
	count(s, g, 1, now);
	if (!g->within && !g->level && policy->fair)
		tg_credit_waits(s, NULL, now);
	g->task->nr_waiting++;
	note_first(g->task);
}

void tg_wait_turn_last(struct tg_sched *s, struct tg_group *g, u64 now)
{
	g->turn.place = 0;
	tg_wait_turn(s, g, now);
}

static void end_turn(struct tg_sched *s, struct tg_group *g, u64 waited)
{
	struct tg_task *task = g->task;

	rb_erase_cached(&g->turn.node, queue_of(s, g->within, g->level));
	rb_erase_cached(&g->own, &task->waiting);
	count(s, g, -1, 0);
	task->nr_waiting--;
	task->wait_ns += waited;
	tg_domain_waited(g->within, waited);
	if (waited > task->wait_max_ns)
		task->wait_max_ns = waited;
	note_first(task);
}

void tg_wait_track(struct tg_sched *s, struct tg_reserve *r)
{
	u64 due = !tg_wait_any(r) ? 0 : r->rest_ns ?: r->next_ns;

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
	g->turn.place = 0;
	g->queued_ns = now;
	g->reserve = r;
	rb_add_cached(&g->turn.node, &r->throttled, budget_before);
	rb_add_cached(&g->own, &g->task->throttled, own_before);
	note_first(g->task);
	s->nr_throttled++;
	g->task->nr_throttled++;
	r->nr_refused++;
	tg_wait_track(s, r);
}

static void end_budget(struct tg_sched *s, struct tg_group *g, u64 waited)
{
	struct tg_task *task = g->task;

	rb_erase_cached(&g->turn.node, &g->reserve->throttled);
	rb_erase_cached(&g->own, &task->throttled);
	note_first(task);
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

/* Of a domain that is queued its first, who is there. */
static struct tg_group *first_from(const struct tg_turn *t)
{
	while (t && t->is_domain)
		t = turn_of(rb_first_cached(&container_of(t, struct tg_domain, turn)->queue));
	return t ? container_of(t, struct tg_group, turn) : NULL;
}

struct tg_group *tg_wait_first_of(const struct rb_root_cached *queue)
{
	return first_from(turn_of(rb_first_cached(queue)));
}

struct tg_group *tg_wait_first(const struct tg_sched *s, u8 level)
{
	return tg_wait_first_of(&s->queue[level]);
}

struct tg_group *tg_wait_next(const struct tg_group *g)
{
	const struct tg_domain *d = g->within;
	const struct rb_node *node = &g->turn.node;
	const struct rb_node *next;

	while (!(next = rb_next(node))) {
		if (!d || d->throttled)
			return NULL;
		node = &d->turn.node;
		d = d->parent;
	}
	return first_from(turn_of(next));
}

struct tg_group *tg_wait_head(const struct tg_reserve *r)
{
	return group_of(rb_first_cached(&r->first), first);
}

struct tg_group *tg_wait_any(const struct tg_reserve *r)
{
	return group_of(rb_first_cached(&r->throttled), turn.node);
}

struct tg_reserve *tg_wait_due(const struct tg_sched *s)
{
	return rb_entry_safe(rb_first_cached(&s->due), struct tg_reserve, due);
}

/* Those that the GPU has, and those that wait for their turn; returns whether to go on. */
static bool walk_turns(const struct tg_sched *s,
		       bool (*fn)(const struct tg_group *g, void *arg), void *arg)
{
	const struct tg_group *g;
	int level;

	tg_sched_for_each_online(g, s)
		if (!fn(g, arg))
			return false;
	list_for_each_entry(g, &s->aside, node)
		if (!fn(g, arg))
			return false;
	for (level = TG_LEVELS - 1; level >= 0; level--)
		tg_sched_for_each_waiting(g, s, level)
			if (!fn(g, arg))
				return false;
	return true;
}

static bool walk_budgets(const struct tg_sched *s,
			 bool (*fn)(const struct tg_group *g, void *arg), void *arg)
{
	const struct tg_group *g;
	struct rb_node *node;

	for (node = rb_first_cached(&s->due); node; node = rb_next(node))
		tg_sched_for_each_throttled(g, rb_entry(node, struct tg_reserve, due))
			if (!fn(g, arg))
				return false;
	return true;
}

static bool walk_quotas(const struct tg_sched *s,
			bool (*fn)(const struct tg_group *g, void *arg), void *arg)
{
	const struct tg_group *g;
	struct rb_node *node;

	for (node = rb_first_cached(&s->throttled); node; node = rb_next(node))
		tg_sched_for_each_within(g, rb_entry(node, struct tg_domain, due))
			if (!fn(g, arg))
				return false;
	return true;
}

void tg_sched_walk(const struct tg_sched *s,
		   bool (*fn)(const struct tg_group *g, void *arg), void *arg)
{
	if (walk_turns(s, fn, arg) && walk_quotas(s, fn, arg))
		walk_budgets(s, fn, arg);
}

/* The level can be the one that they are in: so all are taken out first. */
void tg_wait_requeue(struct tg_sched *s, struct tg_task *task)
{
	struct tg_group *g, *n;
	LIST_HEAD(moved);

	while ((g = tg_wait_own(&task->waiting))) {
		tg_wait_end(s, g, g->queued_ns);
		list_add_tail(&g->node, &moved);
	}
	list_for_each_entry_safe(g, n, &moved, node) {
		list_del_init(&g->node);
		tg_wait_turn_last(s, g, g->queued_ns);
	}
}
