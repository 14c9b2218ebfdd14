// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Shortest predicted first: the mean wait is the least that it can be.
 *
 * Lesson three: predictions, and what an order does to who is last in it.  Under shortest
 * first alone a long group would wait for as long as short ones come, and timegraph throws
 * out who lets a task starve (policy_starve_ms).  So a key is a time: when the group came,
 * and a bonus for being short.  Who waits overtakes all who come later in the end.
 */
#include <timegraph_policy.h>

/* For each ns that a group takes longer others may come so many ns later and go before it. */
#define PATIENCE 10

TG_OP(__u64, spf_enqueue, struct timegraph_policy_gpu *gpu,
	    const struct timegraph_policy_group *group)
{
	__u64 wait = group->predicted_ns * PATIENCE;

	/* Nobody is put off for longer than that. */
	if (wait > 500000000)
		wait = 500000000;
	return group->arrive_ns + wait;
}

TG_POLICY(.name = "spf", .enqueue = (void *)spf_enqueue);
