/* SPDX-License-Identifier: GPL-2.0-only */
/* What a channel has on the GPU, in the order of its ring, and how it behaves there. */
#ifndef TG_RING_H
#define TG_RING_H

#include <linux/list.h>
#include <linux/types.h>
#include <linux/wait.h>

struct tg_dev_group;
struct tg_device;

/**
 * struct tg_ring - the groups of a channel that were put into its ring
 * @groups: not known yet to have ended (tg_dev_group.ring_node), oldest first: a
 *	channel works in order, so when one has ended all before it have
 * @looked: tg_device.looks when its fences were looked at last
 * @nr_aside: its groups that were set aside; while there are any it hangs, and is not
 *	scheduled
 * @counted: where it is counted, in tg_lost_user.nr_aside or .nr_stuck, or NULL
 * @stuck: it hangs for hang_ms and this was told
 * @last_finish_ns: when the last of its groups ended
 * @suspect_ns: since when it hangs, or was held to hang again
 * @judge_ns: not before then it is held to hang again
 * @hangs: how often it hung while others' groups ended, see tg_hang.c
 * @refused: too often: it is refused
 * @wait: who wants to submit while it hangs
 *
 * Under tg_device.lock, but that @nr_aside and @refused are looked at without.
 */
struct tg_ring {
	struct list_head groups;
	u32 looked;
	u32 nr_aside;
	unsigned int *counted;
	bool stuck;
	u64 last_finish_ns;
	u64 suspect_ns;
	u64 judge_ns;
	u32 hangs;
	bool refused;
	wait_queue_head_t wait;
};

void tg_ring_init(struct tg_ring *ring);

/** tg_ring_add_locked - a group is put into its channel's ring, or was; idempotent */
void tg_ring_add_locked(struct tg_device *td, struct tg_dev_group *dg);

/** tg_ring_first - the oldest group, or NULL; tg_device.lock held */
struct tg_dev_group *tg_ring_first(struct tg_ring *ring);

/** tg_ring_since - when the group could begin: behind its channel's others, and let in */
u64 tg_ring_since(const struct tg_dev_group *dg);

/**
 * tg_ring_submitted_locked - a group was handed to the GPU: count it, once
 *
 * With tg_ring_leave_locked() it keeps what struct tg_counters promises.
 */
void tg_ring_submitted_locked(struct tg_device *td, struct tg_dev_group *dg);

/** tg_ring_is_in_way - whether the channel's next group has to wait, or is refused */
static inline bool tg_ring_is_in_way(const struct tg_ring *ring)
{
	return READ_ONCE(ring->nr_aside) || READ_ONCE(ring->refused);
}

/** tg_ring_aside_locked - it was set aside */
void tg_ring_aside_locked(struct tg_device *td, struct tg_dev_group *dg);

/** tg_ring_stuck_locked - the channel of a group hangs for hang_ms */
void tg_ring_stuck_locked(struct tg_device *td, struct tg_dev_group *dg);

/**
 * tg_ring_leave_locked - it left the lists of the GPU
 * @completed: it ended; else it is forgotten
 *
 * The channel still exists.
 */
void tg_ring_leave_locked(struct tg_device *td, struct tg_dev_group *dg,
			  bool completed);

#endif
