/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tasks among which there is nothing to decide are not gated (disengaged scheduling, LoGA
 * sections 2.3 and 3.4).
 *
 *		  tg_sched_may_run_free(); others tg_sched_may_join_free()
 *	ENGAGED  -------------------------------------------------------->  FREERUN
 *		 <--------------------------------------------------------
 *		  somebody asks who may not; a task is given other parameters or opens a
 *		  channel; what a channel has there lasts; one has had more than its share;
 *		  somebody traces; bypass, suspend, rmmod
 *
 * Their groups are not on the GPU-online list.  What a channel has on the GPU is bounded
 * all the same, and when scheduling begins again it is put there, a group for each
 * channel; and once more what a thread sends later that was on its way.  Who has the GPU for
 * how long is polled.
 */
#ifndef TG_FREERUN_H
#define TG_FREERUN_H

struct tg_chan;
struct tg_device;

/**
 * tg_freerun_enter - whether a PUSHBUF group goes without asking
 *
 * May sleep: with %TG_FREERUN_DEPTH groups on the GPU it waits for half of them.  If it
 * goes, some of those after it pass without being seen.
 * Return: 1: tg_freerun_leave() is owed; 0: it is to be admitted; -ERESTARTSYS.
 */
int tg_freerun_enter(struct tg_chan *chan);

/**
 * tg_freerun_leave - the GPU has the group, or will not get it
 *
 * If scheduling began meanwhile it is put on the GPU-online list.  May sleep.
 */
void tg_freerun_leave(struct tg_chan *chan);

/**
 * tg_freerun_close - no call of a channel is in the driver, and none will be
 *
 * What it has on the GPU without having asked is put on the list: it is charged while the
 * driver waits for its end.  Then nothing is asked of the channel any more.  May sleep.
 */
void tg_freerun_close(struct tg_chan *chan);

/** tg_freerun_end - schedule again; may sleep */
void tg_freerun_end(struct tg_device *td);

void tg_freerun_start(struct tg_device *td);
/** tg_freerun_stop - its channels are gone */
void tg_freerun_stop(struct tg_device *td);

#endif
