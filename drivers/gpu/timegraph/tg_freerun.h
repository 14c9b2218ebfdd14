/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A task that has the GPU to itself is not gated: there is nothing to decide (the
 * freerun phase of disengaged scheduling, LoGA section 2.3).
 *
 *		  tg_sched_is_alone()
 *	ENGAGED  -------------------->  FREERUN
 *		 <--------------------
 *		  another task asks, is given other parameters or opens a channel; its
 *		  groups become long; somebody traces; bypass, suspend, rmmod
 *
 * Its groups are not on the GPU-online list.  What it has on the GPU is bounded all the
 * same, and when scheduling begins again it is put there, a group for each channel.
 * How long it has the GPU is polled.
 */
#ifndef TG_FREERUN_H
#define TG_FREERUN_H

struct dma_fence;
struct tg_chan;
struct tg_device;

/**
 * tg_freerun_enter - whether a PUSHBUF group goes without asking
 *
 * May sleep: with %TG_FREERUN_DEPTH groups on the GPU it waits for half of them.
 * Return: 1: tg_freerun_leave() is owed; 0: it is to be admitted; -ERESTARTSYS.
 */
int tg_freerun_enter(struct tg_chan *chan);

/**
 * tg_freerun_leave - the GPU has the group, or will not get it
 * @fence: that ends it, or NULL
 *
 * If scheduling began meanwhile it is put on the GPU-online list.  May sleep.
 */
void tg_freerun_leave(struct tg_chan *chan, struct dma_fence *fence);

/** tg_freerun_end - schedule again; may sleep */
void tg_freerun_end(struct tg_device *td);

#endif
