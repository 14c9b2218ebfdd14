// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Accelerator credits, after Pegasus (section 4.1): turns of so many ticks as one's credit.
 *
 * Lesson six: time.  A turn lasts for weight / 100 ticks of 10 ms of GPU time; in it a task
 * goes before all others, and if it has nothing to do the next one's turn begins.  When all
 * who wait have had theirs a new round begins: there is no list of all tasks to walk, so
 * each looks up which round it is when it is looked at.  And pick only looks: it is asked
 * early, before the GPU is free, when who comes next may not be there yet; so whose turn it
 * is changes when a group is started.  In Pegasus domains have credits; timegraph's own
 * accc does that.  Here it is tasks.
 */
#include <timegraph_policy.h>

#define TICK_NS 10000000

struct account {
	/* GPU time of its turn that is left; below 0: it had more */
	__s64 left_ns;
	/* the round that it is of */
	__u64 round;
};

/* For the GPU: whose turn it is, in which round. */
struct common {
	__u64 task;
	__u64 round;
};

/* Who was away for a moment has the turns that he missed, up to two. */
static inline __attribute__((always_inline)) bool has_left(struct timegraph_policy_gpu *gpu,
							    const struct common *c, __u64 id)
{
	struct account *a = (void *)timegraph_policy_task_data(gpu, id, sizeof(*a));
	struct timegraph_policy_task task;
	__s64 turn;

	if (!a)
		return false;
	if (a->round != c->round) {
		if (timegraph_policy_get_task(gpu, id, &task, sizeof(task)))
			return false;
		turn = task.weight * (__s64)TICK_NS / 100;
		a->left_ns += turn * (c->round - a->round > 2 ? 2 : c->round - a->round);
		if (a->left_ns > 2 * turn)
			a->left_ns = 2 * turn;
		a->round = c->round;
	}
	return a->left_ns > 0;
}

TG_OP(__u64, accc_pick, struct timegraph_policy_gpu *gpu,
	    const struct timegraph_policy_group *first)
{
	struct common *c = (void *)timegraph_policy_gpu_data(gpu, sizeof(*c));
	__u64 id, next = 0;

	if (!c)
		return 0;
	tg_for_each_waiting(id, gpu) {
		if (!has_left(gpu, c, id))
			continue;
		if (id == c->task)
			return id;
		/* If his turn is over: who has waited for longest is next. */
		next = next ? next : id;
	}
	return next;
}

TG_OP(void, accc_started, struct timegraph_policy_gpu *gpu,
	    const struct timegraph_policy_group *group)
{
	struct common *c = (void *)timegraph_policy_gpu_data(gpu, sizeof(*c));

	if (!c)
		return;
	c->task = group->task;
	if (!has_left(gpu, c, group->task))
		c->round++;
}

TG_OP(void, accc_complete, struct timegraph_policy_gpu *gpu,
	    const struct timegraph_policy_group *group)
{
	struct account *a = (void *)timegraph_policy_task_data(gpu, group->task, sizeof(*a));

	if (a)
		a->left_ns -= group->cost_ns;
}

TG_POLICY(.name = "accc-bpf", .pick = (void *)accc_pick, .started = (void *)accc_started,
	  .complete = (void *)accc_complete);
