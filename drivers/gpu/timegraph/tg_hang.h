/* SPDX-License-Identifier: GPL-2.0-only */
/* Channels that hang. */
#ifndef TG_HANG_H
#define TG_HANG_H

#include <linux/types.h>

struct tg_chan;
struct tg_dev_group;
struct tg_device;

/**
 * tg_hang_found_locked - a group of a channel is on the GPU for too long
 *
 * All that the channel has on the GPU is set aside, so that the others go on, and what
 * it has waiting waits behind that.
 *
 * Return: whether the GPU itself is found to hang now.
 */
bool tg_hang_found_locked(struct tg_device *td, struct tg_dev_group *dg, u64 now);

/**
 * tg_hang_waits_locked - a group is on the GPU, which has nothing to do
 *
 * It waits there for what has not come (a semaphore).  All that its channel has on the
 * GPU is set aside, as of one that hangs; whether it does is seen after hang_ms.
 */
void tg_hang_waits_locked(struct tg_device *td, struct tg_dev_group *dg, u64 now);

/** tg_hang_judge_locked - who hangs though others do not is refused in the end */
void tg_hang_judge_locked(struct tg_device *td, u64 now);

/**
 * tg_hang_probe_locked - a group goes unscheduled while the GPU hangs
 *
 * It is set aside from the start, so that its end is seen.
 */
void tg_hang_probe_locked(struct tg_device *td, struct tg_dev_group *dg, u64 now);

/** tg_hang_is_in_way - whether a channel's next group has to wait, or is refused */
bool tg_hang_is_in_way(const struct tg_chan *chan);

/**
 * tg_hang_wait - wait until a channel does not hang
 *
 * No lock held, may sleep.
 * Return: 0; -ERESTARTSYS; -EBUSY if it goes on hanging, as nouveau says of a ring
 * that does not empty; -ENODEV if the channel is refused, as of one that was killed.
 */
int tg_hang_wait(struct tg_chan *chan);

#endif
