/* SPDX-License-Identifier: GPL-2.0-only */
/* The way of a command group to the GPU: admit, check, commit or withdraw. */
#ifndef TG_GATE_H
#define TG_GATE_H

#include <linux/types.h>

struct dma_fence;
struct tg_chan;
struct tg_dev_group;
struct tg_device;
struct tg_profile;

/**
 * tg_gate_admit - wait until a group may go to the GPU
 * @chan: its channel
 * @dg: in: NULL, or the group that tg_gate_check() refused.  Out: the group,
 *	or NULL if it goes unscheduled
 *
 * No lock held, may sleep; behind %TG_CLIENT_ROOM other calls of the task also while the
 * channel goes, until one of those has been let go on.
 * Return: 0; or -ERESTARTSYS, -EBUSY or -ENODEV (see tg_hang_wait()), -EINPROGRESS if another
 * task runs free, which tg_freerun_end() ends; then @dg is NULL.
 */
int tg_gate_admit(struct tg_chan *chan, struct tg_dev_group **dg);

/**
 * tg_gate_check - whether its reserve lets the group go (TimeGraph figure 4)
 * @profile: of its commands, or NULL if they were not read, or not again
 *
 * If so, its work is about to be pushed: the CPU's start time is taken.  Atomic.
 *
 * Return: 0, or -EAGAIN: validation is to be wound back, and tg_gate_admit()
 * called with it.
 */
int tg_gate_check(struct tg_dev_group *dg, const struct tg_profile *profile);

/**
 * tg_gate_commit - it was pushed and ends when @fence signals; drops @dg
 *
 * Process context; locks under which @fence signals are not held.
 */
void tg_gate_commit(struct tg_dev_group *dg, struct dma_fence *fence);

/**
 * tg_gate_queued - it will be pushed or withdrawn when its call is over
 *
 * Others wait for the room that calls have.
 */
void tg_gate_queued(struct tg_dev_group *dg);

/** tg_gate_withdraw - it will not be pushed; drops @dg */
void tg_gate_withdraw(struct tg_dev_group *dg);

/**
 * tg_gate_take_locked - a group that did not ask was pushed, and ends when @fence signals
 *
 * From now on it is on the GPU-online list, and is charged.
 * Return: the group, for tg_gate_taken(); NULL if nothing is scheduled, or without memory.
 */
struct tg_dev_group *tg_gate_take_locked(struct tg_chan *chan, struct dma_fence *fence);

/** tg_gate_taken - and its end will be learnt; locks as for tg_gate_commit() */
void tg_gate_taken(struct tg_dev_group *dg);

/**
 * tg_gate_close - a channel gets no more groups
 *
 * Waiting ones go on unscheduled.  What the GPU has of it stays on the list, and is charged
 * as it ends: to end it, and to free the channel, can take the driver seconds.  Atomic.
 */
void tg_gate_close(struct tg_chan *chan);

/**
 * tg_gate_forget - take all groups of a channel out
 *
 * Waiting ones go on unscheduled, online ones are dropped.  Atomic.
 */
void tg_gate_forget(struct tg_chan *chan);

int tg_gate_init(void);
void tg_gate_exit(void);

#endif
