// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Two levels: the game first, and the others when it has nothing to draw.
 *
 * Lesson five: a class within the class, and how not to starve the rest.  A game is who has
 * a weight of 1000 or more (tgrun --weight 1000 PROGRAM).  The others get the GPU while it
 * does not want it, and one group in any case if they waited for a tenth of a second.
 */
#include <timegraph_policy.h>

#define GAME_WEIGHT 1000
#define PATIENCE_NS 100000000

/* For the GPU: since when the others had nothing. */
struct common {
	__u64 others_ns;
};

static inline __attribute__((always_inline)) bool is_game(struct timegraph_policy_gpu *gpu,
							   __u64 id)
{
	struct timegraph_policy_task task;

	return !timegraph_policy_get_task(gpu, id, &task, sizeof(task)) &&
	       task.weight >= GAME_WEIGHT;
}

TG_OP(__u64, gamemode_pick, struct timegraph_policy_gpu *gpu,
	    const struct timegraph_policy_group *first)
{
	struct common *c = (void *)timegraph_policy_gpu_data(gpu, sizeof(*c));
	__u64 id, game = 0, other = 0;

	tg_for_each_waiting(id, gpu) {
		/* Those that have waited for longest come first. */
		if (is_game(gpu, id))
			game = game ? game : id;
		else
			other = other ? other : id;
		if (game && other)
			break;
	}
	if (!c || !game || !other)
		return 0;
	return gpu->now_ns - c->others_ns > PATIENCE_NS ? other : game;
}

TG_OP(void, gamemode_started, struct timegraph_policy_gpu *gpu,
	    const struct timegraph_policy_group *group)
{
	struct common *c = (void *)timegraph_policy_gpu_data(gpu, sizeof(*c));

	if (c && !is_game(gpu, group->task))
		c->others_ns = gpu->now_ns;
}

TG_POLICY(.name = "gamemode", .pick = (void *)gamemode_pick,
	  .started = (void *)gamemode_started);
