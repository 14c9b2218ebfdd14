// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Lottery: each waiting task has as many tickets as its weight, and one is drawn
 * (Waldspurger, Weihl, OSDI 1994).
 *
 * Lesson four: pick.  It answers with the task that goes next, and may be asked several times
 * before that one goes: so what was drawn stays until then, or until somebody comes who has
 * tickets too; else who may go sooner would win more often.  A share is right in the mean only, of groups and not of time: so each task's
 * tickets are divided by what its groups take (compensation tickets, section 3.4 there).
 */
#include <timegraph_policy.h>

/* For the GPU: who was drawn and has not gone yet. */
struct common {
	__u64 drawn;
};

/* A task's tickets: by its weight, for a group that takes a millisecond. */
static inline __attribute__((always_inline)) __u64 tickets(struct timegraph_policy_gpu *gpu,
							    __u64 id)
{
	struct timegraph_policy_task task;
	__u64 takes;

	if (timegraph_policy_get_task(gpu, id, &task, sizeof(task)))
		return 0;
	takes = task.predicted_ns < 1000 ? 1000 : task.predicted_ns;
	return 1 + task.weight * 1000000ULL / takes;
}

TG_OP(__u64, lottery_pick, struct timegraph_policy_gpu *gpu,
	    const struct timegraph_policy_group *first)
{
	struct common *c = (void *)timegraph_policy_gpu_data(gpu, sizeof(*c));
	__u64 sum = 0, drawn, id;

	tg_for_each_waiting(id, gpu) {
		if (c && id == c->drawn)
			return id;
		sum += tickets(gpu, id);
	}
	if (!c || !sum)
		return 0;
	drawn = timegraph_policy_random() % sum;
	tg_for_each_waiting(id, gpu) {
		__u64 n = tickets(gpu, id);

		if (drawn < n) {
			c->drawn = id;
			return id;
		}
		drawn -= n;
	}
	/* More tasks than it looks at: by the keys then. */
	return 0;
}

TG_OP(void, lottery_started, struct timegraph_policy_gpu *gpu,
	    const struct timegraph_policy_group *group)
{
	struct common *c = (void *)timegraph_policy_gpu_data(gpu, sizeof(*c));

	if (c && c->drawn == group->task)
		c->drawn = 0;
}

TG_OP(__u64, lottery_enqueue, struct timegraph_policy_gpu *gpu,
	    const struct timegraph_policy_group *group)
{
	struct common *c = (void *)timegraph_policy_gpu_data(gpu, sizeof(*c));

	if (c)
		c->drawn = 0;
	return group->arrive_ns;
}

TG_POLICY(.name = "lottery", .enqueue = (void *)lottery_enqueue, .pick = (void *)lottery_pick,
	  .started = (void *)lottery_started);
