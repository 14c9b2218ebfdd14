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

/** tg_runner_pushed_locked - the GPU has a group of a channel that does */
void tg_runner_pushed_locked(struct tg_device *td, struct tg_chan *chan,
			     struct dma_fence *fence);

/** tg_runner_fence - the fence of the group @back before the channel's newest, or NULL */
struct dma_fence *tg_runner_fence(const struct tg_freerun_chan *fc, u64 back);

/** tg_runner_has - whether the GPU still has that group */
bool tg_runner_has(const struct tg_freerun_chan *fc, u64 back);

/** tg_runner_drop_locked - nobody runs free; what they have on the GPU is forgotten */
void tg_runner_drop_locked(struct tg_device *td);

/** tg_runner_forget_locked - a channel goes or was killed */
void tg_runner_forget_locked(struct tg_chan *chan);

#endif
