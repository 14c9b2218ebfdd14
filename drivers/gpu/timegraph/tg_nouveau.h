/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The way of a command group through timegraph, as the providers of
 * attach/tg_attach.h tell of it.  For a PUSHBUF group
 *
 *	stock	read -> admit -> check -> leader -> trailer -> submitted
 *	patch	admit -> read -> check -> leader -> trailer -> submitted
 *
 * where check may answer -EAGAIN, and then admit and check come again, and
 * cancelled comes instead of submitted when nouveau refuses the group.  For an EXEC
 * group
 *
 *	admit -> exec_queue (in the ioctl), exec_take -> submitted (in a worker)
 *
 * where exec_take may come before the ioctl is over, and cancelled instead of
 * submitted, or after exec_take when the ioctl fails.
 */
#ifndef TG_NOUVEAU_H
#define TG_NOUVEAU_H

#include "attach/tg_attach.h"

/**
 * tg_nouveau_chan_new - a user's channel exists; may sleep
 *
 * Return: 0, or an error: then the channel is not scheduled, and none of the
 * functions below may be called for it.
 */
int tg_nouveau_chan_new(struct tg_hook_chan *hc);

/**
 * tg_nouveau_chan_close - the channel is about to go: it gets no more groups
 *
 * Wakes its sleepers, who go on unscheduled.  What it has on the GPU is charged as it ends,
 * until tg_nouveau_chan_del().  Any context, and more than once.
 */
void tg_nouveau_chan_close(struct tg_hook_chan *hc);

/**
 * tg_nouveau_chan_last - and none of its calls is in nouveau any more; may sleep
 *
 * What it sent without having been admitted is charged from now on.  After it none of
 * tg_attach_ops.number, .newest and .busy is asked of it.
 */
void tg_nouveau_chan_last(struct tg_hook_chan *hc);

/**
 * tg_nouveau_chan_del - the channel is gone or was killed, or the provider detaches
 *
 * Wakes its sleepers and forgets its groups; those that are on their way go on
 * unscheduled.  Without the two above, nothing of what the GPU still has is charged.
 * Any context, and more than once.
 */
void tg_nouveau_chan_del(struct tg_hook_chan *hc);

/** tg_nouveau_chan_free - nobody uses hc->priv any more; may sleep */
void tg_nouveau_chan_free(struct tg_hook_chan *hc);

/**
 * tg_nouveau_freerun - whether a PUSHBUF group goes without being admitted; may sleep
 *
 * Return: 1: one tg_nouveau_ran() is owed, and none of the functions below is called for
 * it; 0: it is to be admitted; -ERESTARTSYS.
 */
int tg_nouveau_freerun(struct tg_hook_group *g);

/** tg_nouveau_ran - it was pushed, or was not; may sleep */
void tg_nouveau_ran(struct tg_hook_group *g);

/**
 * tg_nouveau_admit - wait for the group's turn; no lock held
 *
 * Return: 0, with g->held if the group is scheduled; -ERESTARTSYS after a signal.
 */
int tg_nouveau_admit(struct tg_hook_group *g);

/**
 * tg_nouveau_read - read the group's commands, through the provider's push_map
 *
 * For every PUSHBUF group, held or not; a group that was read is not read again.
 * Not two at a time for one channel.
 *
 * Return: 0; -ERESTARTSYS, from push_map: read it anew after the signal.
 */
int tg_nouveau_read(struct tg_hook_group *g);

/**
 * tg_nouveau_check - its budget lets it go, just before nouveau pushes it; atomic
 *
 * Return: 0, or -EAGAIN: admit it anew, without nouveau's locks held.
 */
int tg_nouveau_check(struct tg_hook_group *g);

/**
 * tg_nouveau_leader - words that go before the group in its channel
 * @words: room for TG_HOOK_LEADER_DW
 *
 * The group may still be cancelled; they are harmless without it.  Atomic.
 * Return: how many.
 */
unsigned int tg_nouveau_leader(struct tg_hook_group *g, u32 *words);

/** tg_nouveau_leader_lost - they did not get there */
void tg_nouveau_leader_lost(struct tg_hook_group *g);

/**
 * tg_nouveau_trailer - words that follow it, before nouveau's own fence
 * @words: room for TG_HOOK_TRAILER_DW
 *
 * Atomic, the channel's ring locked.  Return: how many.
 */
unsigned int tg_nouveau_trailer(struct tg_hook_group *g, u32 *words);

/** tg_nouveau_trailer_lost - there was no room for the trailer; atomic */
void tg_nouveau_trailer_lost(struct tg_hook_group *g);

/**
 * tg_nouveau_submitted - the GPU has the group, which ends when @fence signals
 *
 * Takes a reference of its own.  Process context; locks under which @fence
 * signals are not held.
 */
void tg_nouveau_submitted(struct tg_hook_group *g, struct dma_fence *fence);

/** tg_nouveau_cancelled - it will not be submitted; may sleep */
void tg_nouveau_cancelled(struct tg_hook_group *g);

/**
 * tg_nouveau_exec_queue - an EXEC group that is held is being made a job
 * @id: a number that no other job has; where it is that of an earlier one, that one
 *	is gone
 *
 * What is owed for @g is owed from now on for the group that tg_nouveau_exec_take()
 * gives out.  Atomic.
 */
void tg_nouveau_exec_queue(struct tg_hook_group *g, u64 id);

/**
 * tg_nouveau_exec_take - the group of a job that runs, or will not
 * @g: filled in, as far as tg_nouveau_submitted() and _cancelled() look at it
 *
 * The job's channel exists until those are over.  Atomic.
 * Return: false if there is none: the job is not scheduled.
 */
bool tg_nouveau_exec_take(struct tg_hook_group *g, u64 id);

/** tg_nouveau_fence_event - fences of a GPU may have ended; any context */
void tg_nouveau_fence_event(struct device *dev);

/**
 * tg_nouveau_gr_notify - PGRAPH raised NOTIFY; hardirq
 * @chid: of the channel, or -1 if that is not known
 * @data: the data word of the method that followed it
 *
 * Return: whether timegraph schedules this GPU, so that the interrupt is expected.
 */
bool tg_nouveau_gr_notify(struct device *dev, int chid, u32 data);

/** tg_nouveau_suspend - the GPU is going to sleep, or is back; may sleep */
void tg_nouveau_suspend(struct device *dev, bool suspended);

#endif
