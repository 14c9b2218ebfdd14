/* SPDX-License-Identifier: GPL-2.0-only */
/* Who runs free: what they have on the GPU, how long it is at work for each, and its end. */
#ifndef TG_RUNNER_H
#define TG_RUNNER_H

#include <linux/types.h>

struct dma_fence;
struct tg_chan;
struct tg_device;
struct tg_freerun_chan;

void tg_runner_start(struct tg_device *td);
void tg_runner_stop(struct tg_device *td);

/** tg_runner_begin_locked - from now on some run free */
void tg_runner_begin_locked(struct tg_device *td);

/** tg_runner_join_locked - so does @chan, which did not; false if too many do */
bool tg_runner_join_locked(struct tg_device *td, struct tg_chan *chan);

/**
 * tg_runner_go_locked - whether a channel that does may send a group
 *
 * Some more then pass unseen.  Else tg_freerun_chan.mark is to be waited for.
 */
bool tg_runner_go_locked(struct tg_device *td, struct tg_chan *chan);

/**
 * tg_runner_newest_locked - the fence of the newest group that the GPU has of a channel
 * that is not dead and whose tg_chan_ops.number is known
 *
 * Return: with a reference, or NULL.
 */
struct dma_fence *tg_runner_newest_locked(struct tg_chan *chan);

/** tg_runner_drop_locked - nobody runs free; what they have on the GPU is forgotten */
void tg_runner_drop_locked(struct tg_device *td);

/** tg_runner_forget_locked - a channel goes or was killed */
void tg_runner_forget_locked(struct tg_chan *chan);

#endif
