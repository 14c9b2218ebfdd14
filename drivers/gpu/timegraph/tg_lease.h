/* SPDX-License-Identifier: GPL-2.0-only */
/* Turns that are not used. */
#ifndef TG_LEASE_H
#define TG_LEASE_H

#include <linux/types.h>

struct tg_chan;
struct tg_dev_group;
struct tg_device;

/**
 * tg_lease_is_over_locked - a group had its turn for lease_us and is not in the ring,
 * and somebody waits
 */
bool tg_lease_is_over_locked(struct tg_device *td, const struct tg_dev_group *dg,
			     u64 now);

/**
 * tg_lease_lapse_locked - the turn goes on to the next
 *
 * Its thread cannot be called back: if it hands the group over later, that is charged
 * as any other, see tg_gate_commit().
 */
void tg_lease_lapse_locked(struct tg_device *td, struct tg_dev_group *dg, u64 now);

/** tg_lease_kept_locked - a group came to the GPU in time */
void tg_lease_kept_locked(struct tg_device *td, struct tg_dev_group *dg);

/**
 * tg_lease_wait - wait until one may be given a turn that it perhaps does not use
 *
 * No lock held, may sleep.  Return: 0 or -ERESTARTSYS.
 */
int tg_lease_wait(struct tg_chan *chan);

#endif
