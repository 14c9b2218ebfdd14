// SPDX-License-Identifier: GPL-2.0-only
/* Taking out all groups, those of a context, or those that wait. */
#include "tg_sched.h"

static void drain_list(struct tg_sched *s, struct list_head *from,
		       const void *context, struct list_head *to, u64 now)
{
	struct tg_group *g, *n;

	list_for_each_entry_safe(g, n, from, node) {
		if (context && g->context != context)
			continue;
		tg_sched_take_out(s, g, now);
		list_add_tail(&g->node, to);
	}
}

/* At most @left; returns how many more it could have been. */
static u32 drain_own(struct tg_sched *s, struct rb_root_cached *own,
		     const void *context, struct list_head *to, u32 left, u64 now)
{
	struct rb_node *node, *next;

	for (node = rb_first_cached(own); node && left; node = next) {
		struct tg_group *g = rb_entry(node, struct tg_group, own);

		next = rb_next(node);
		if (g->context != context)
			continue;
		tg_sched_take_out(s, g, now);
		list_add_tail(&g->node, to);
		left--;
	}
	return left;
}

/* Whoever waits, those for their turn first; or NULL. */
static struct tg_group *anyone(const struct tg_sched *s)
{
	const struct tg_reserve *r = tg_wait_due(s);

	return tg_wait_best(s) ?: tg_domain_any_throttled(s) ?: r ? tg_wait_any(r) : NULL;
}

static u32 drain_all(struct tg_sched *s, struct list_head *to, u32 left, u64 now)
{
	struct tg_group *g;

	for (; left && (g = anyone(s)); left--) {
		tg_sched_take_out(s, g, now);
		list_add_tail(&g->node, to);
	}
	return left;
}

bool tg_sched_drain_waiting(struct tg_sched *s, struct tg_task *task,
			    const void *context, struct list_head *waiting, u64 now)
{
	u32 throttled, left;

	if (!task)
		return !drain_all(s, waiting, s->part, now);
	throttled = task->nr_throttled;
	left = drain_own(s, &task->waiting, context, waiting, s->part, now);
	left = drain_own(s, &task->throttled, context, waiting, left, now);
	/* They may have kept others back. */
	if (task->nr_throttled != throttled)
		tg_sched_let_go(s, tg_task_reserve(s, task), now);
	else
		tg_sched_let_next_go(s, task, now);
	return !left;
}

bool tg_sched_drain(struct tg_sched *s, struct tg_task *task, const void *context,
		    struct list_head *online, struct list_head *waiting, u64 now)
{
	drain_list(s, &s->online, context, online, now);
	drain_list(s, &s->aside, context, online, now);
	return tg_sched_drain_waiting(s, task, context, waiting, now);
}
