// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Fair queuing: everybody has as much of the GPU as his weight says.
 *
 * Lesson two: what a policy keeps for a task.  Each has a clock that runs while it has the
 * GPU, the slower the greater its weight; who is furthest behind goes next.  So all clocks
 * advance together, and the time that each has had is as the weights.
 *
 * Whoever goes next keeps the GPU for a slice: each change of tasks costs the GPU a pause.
 */
#include <timegraph_policy.h>

#define SLICE_NS 5000000
/* A pause makes nobody richer than that. */
#define CREDIT_NS 50000000

/* What is kept for a task: up to 64 bytes, 0 when it comes. */
struct account {
	__u64 clock_ns;
};

/* And for the GPU: the clock of who went last, who it is, and what he has had of his slice. */
struct common {
	__u64 clock_ns;
	__u64 task;
	__u64 slice_ns;
};

/* In its slice a task goes before all others. */
static inline __attribute__((always_inline)) __u64 key(const struct common *c,
							const struct account *a, __u64 task)
{
	return c->task == task && c->slice_ns < SLICE_NS ? 0 : a->clock_ns;
}

TG_OP(__u64, fq_enqueue, struct timegraph_policy_gpu *gpu,
	    const struct timegraph_policy_group *group)
{
	struct account *a = (void *)timegraph_policy_task_data(gpu, group->task, sizeof(*a));
	struct common *c = (void *)timegraph_policy_gpu_data(gpu, sizeof(*c));

	/* The verifier insists: who asks for memory looks whether he got it. */
	if (!a || !c)
		return 0;
	/* Who was away does not come back with all that he missed. */
	if (a->clock_ns + CREDIT_NS < c->clock_ns)
		a->clock_ns = c->clock_ns - CREDIT_NS;
	return key(c, a, group->task);
}

TG_OP(void, fq_started, struct timegraph_policy_gpu *gpu,
	    const struct timegraph_policy_group *group)
{
	struct account *a = (void *)timegraph_policy_task_data(gpu, group->task, sizeof(*a));
	struct common *c = (void *)timegraph_policy_gpu_data(gpu, sizeof(*c));
	struct account *before;

	if (!a || !c)
		return;
	if (a->clock_ns > c->clock_ns)
		c->clock_ns = a->clock_ns;
	if (c->task == group->task && c->slice_ns < SLICE_NS)
		return;
	/* A new slice: who had one has his place among the others again. */
	before = (void *)timegraph_policy_task_data(gpu, c->task, sizeof(*before));
	if (before)
		timegraph_policy_set_key(gpu, c->task, before->clock_ns);
	c->task = group->task;
	c->slice_ns = 0;
	timegraph_policy_set_key(gpu, c->task, 0);
}

TG_OP(void, fq_complete, struct timegraph_policy_gpu *gpu,
	    const struct timegraph_policy_group *group)
{
	struct account *a = (void *)timegraph_policy_task_data(gpu, group->task, sizeof(*a));
	struct common *c = (void *)timegraph_policy_gpu_data(gpu, sizeof(*c));
	__u64 mine;

	if (!a || !c)
		return;
	a->clock_ns += group->cost_ns * 100 / group->weight;
	if (c->task == group->task)
		c->slice_ns += group->cost_ns;
	mine = key(c, a, group->task);
	/* A group of its that waits already was given a key before this was known; in a slice 0. */
	if (mine)
		timegraph_policy_set_key(gpu, group->task, mine);
}

TG_POLICY(.name = "fq-bpf", .enqueue = (void *)fq_enqueue, .started = (void *)fq_started,
	  .complete = (void *)fq_complete);
