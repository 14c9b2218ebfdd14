/* SPDX-License-Identifier: GPL-2.0-only */
/* Who goes next: wakes those whose turn it is. */
#ifndef TG_DISPATCH_H
#define TG_DISPATCH_H

#include <linux/types.h>

struct tg_chan;
struct tg_dev_group;
struct tg_device;
struct tg_task;
struct tg_ticket;

/* How often it is looked whether the GPU has something to do, while somebody waits. */
#define TG_IDLE_LOOK_NS (500 * NSEC_PER_USEC)

/* How often fences are looked at that raise no interrupt. */
#define TG_POLL_FENCE_NS (500 * NSEC_PER_USEC)

/** tg_dispatch_locked - wake whom the policies allow */
void tg_dispatch_locked(struct tg_device *td, u64 now);

/**
 * tg_dispatch_forget_locked - take all groups of a channel out, or of all with NULL and
 * NULL: waiting ones go on unscheduled, online ones are dropped
 *
 * Return: whether some are left, and it is to be called again; the lock may be given
 * to others in between.
 */
bool tg_dispatch_forget_locked(struct tg_device *td, struct tg_task *task,
			       const struct tg_chan *chan, u64 now);

/**
 * tg_dispatch_release_locked - those of a channel, or of all, that wait go on unscheduled
 *
 * Return: as tg_dispatch_forget_locked(); in bypass tg_dispatch_locked() goes on with the
 * others.
 */
bool tg_dispatch_release_locked(struct tg_device *td, struct tg_task *task,
				const struct tg_chan *chan, u64 now);

/** tg_dispatch_drop_locked - take a group out; drops the list's reference */
void tg_dispatch_drop_locked(struct tg_device *td, struct tg_dev_group *dg, u64 now);

/** tg_dispatch_ask_again_locked - one that has its turn gives it back, and asks anew */
void tg_dispatch_ask_again_locked(struct tg_device *td, struct tg_dev_group *dg, u64 now);

/** tg_dispatch_leave_locked - one that waits is taken out, and @ticket keeps its place */
void tg_dispatch_leave_locked(struct tg_device *td, struct tg_dev_group *dg,
			      struct tg_ticket *ticket, u64 now);

/** tg_dispatch_start - a GPU appears; its timer of budgets */
void tg_dispatch_start(struct tg_device *td);

/** tg_dispatch_stop - it goes: no group is left, no timer runs afterwards */
void tg_dispatch_stop(struct tg_device *td);

/** tg_dispatch_is_awaited_locked - whether somebody waits for what the GPU has, there or here */
bool tg_dispatch_is_awaited_locked(const struct tg_device *td);

#endif
