/* SPDX-License-Identifier: GPL-2.0-only */
/* Tasks that are not gated; what is kept of them. See tg_freerun.h. */
#ifndef TG_ALONE_H
#define TG_ALONE_H

#include <linux/hrtimer.h>
#include <linux/list.h>
#include <linux/types.h>

#include "core/tg_polled.h"

struct dma_fence;
struct tg_chan;

/* Groups that a channel may have on the GPU; who has them sleeps until half are done. */
#define TG_FREERUN_DEPTH 16
/* And how much of them, by what its task's groups cost in the mean; two may be more. */
#define TG_FREERUN_DEPTH_NS 4000000ULL
/* And all channels together, about: who has a rule waits for that, once, when he comes. */
#define TG_FREERUN_ALL_NS 32000000ULL
/* Channels that are not gated; if all are in use and another comes, all are. */
#define TG_FREERUN_CHANS 32

/**
 * struct tg_freerun - of a GPU, under tg_device.lock
 * @on: tasks run free, now; looked at without the lock, too
 * @chans: their channels that were used meanwhile, by tg_freerun_chan.node
 * @nr_chans: their number
 * @nr_clients: tasks that these are of
 * @is_blind: which channel the GPU is at cannot be told: only one task may run free
 * @stop: it is to end when one of them asks next
 * @not_before_ns: when it may begin again
 * @pause_ns: how long it may not after somebody was ahead
 * @began_ns: when it began
 * @looking: @look will come
 * @stretch_ns: when the stretch began, or will, that it is in
 * @nr_lost: polls in a row at which the GPU was at none of several that had work
 * @polled: what they have had beside each other
 * @nr_groups: that went so
 * @nr_times: that it began
 * @nr_ahead: times that it ended since somebody was ahead
 * @look: the next poll
 */
struct tg_freerun {
	bool on;
	struct list_head chans;
	u32 nr_chans;
	u32 nr_clients;
	bool is_blind;
	bool stop;
	u64 not_before_ns;
	u64 pause_ns;
	u64 began_ns;
	bool looking;
	u64 stretch_ns;
	u32 nr_lost;
	struct tg_polled polled;
	u64 nr_groups;
	u64 nr_times;
	u64 nr_ahead;
	struct hrtimer look;
};

/**
 * struct tg_freerun_chan - of a channel, under tg_device.lock
 * @node: in tg_freerun.chans, or empty
 * @inside: a group is on its way; it may have begun before its channel was in that list
 * @context: what the engine calls it, see tg_chan_ops.context
 * @depth: groups that it may have on the GPU
 * @fence: of its last groups, the newest at (@nr - 1) % TG_FREERUN_DEPTH
 * @nr: groups since it is in that list
 * @looked_nr: what @nr was at a poll all of whose groups had not ended at the polls since
 * @late: how many of these there were
 */
struct tg_freerun_chan {
	struct list_head node;
	bool inside;
	u32 context;
	u32 depth;
	struct dma_fence *fence[TG_FREERUN_DEPTH];
	u64 nr;
	u64 looked_nr;
	u32 late;
};

static inline void tg_freerun_chan_init(struct tg_freerun_chan *fc)
{
	INIT_LIST_HEAD(&fc->node);
}

/* Whether a group of @fc has to end it first. */
static inline bool tg_freerun_is_in_way(const struct tg_freerun *f,
					const struct tg_freerun_chan *fc)
{
	return READ_ONCE(f->on) && list_empty(&fc->node);
}

#endif
