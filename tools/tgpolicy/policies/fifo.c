// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * First come, first served: the smallest policy there is.
 *
 * Lesson one: a key.  Who waits with the smallest one goes next.  Look at it run beside fq:
 * who has long groups gets nearly all of the GPU, for each waits for one of the other's.
 */
#include <timegraph_policy.h>

TG_OP(__u64, fifo_enqueue, struct timegraph_policy_gpu *gpu,
	    const struct timegraph_policy_group *group)
{
	return group->arrive_ns;
}

TG_POLICY(.name = "fifo", .enqueue = (void *)fifo_enqueue);
