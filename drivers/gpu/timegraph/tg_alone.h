/* SPDX-License-Identifier: GPL-2.0-only */
/* Tasks that are not gated; what is kept of them. See tg_freerun.h. */
#ifndef TG_ALONE_H
#define TG_ALONE_H

#include <linux/atomic.h>
#include <linux/hrtimer.h>
#include <linux/list.h>
#include <linux/types.h>
#include <linux/workqueue.h>

#include "core/tg_polled.h"

struct dma_fence;
struct tg_chan;

/*
 * Groups that a channel may have on the GPU; who has them sleeps until half are done.
 * glmark2's terrain, of 60 groups a frame, has more of them there than 48.
 */
#define TG_FREERUN_DEPTH 96
/* And how much of them, by what its task's groups cost in the mean; two may be more. */
#define TG_FREERUN_DEPTH_NS 4000000ULL
/* And all channels together, about: who has a rule waits for that, once, when he comes. */
#define TG_FREERUN_ALL_NS 32000000ULL
/* Channels that are not gated; if all are in use and another comes, all are. */
#define TG_FREERUN_CHANS 32

/**
 * struct tg_freerun - of a GPU, under tg_device.lock
 * @on: tasks run free, now; looked at without the lock, too
 * @quiet: so many did that it is not seen any more what the driver does
 * @quiet_from: @nr_groups when that began, or else when @on did
 * @quiet_after: how many it takes, at least %QUIET_MIN of tg_runner.c
 * @chans: their channels that were used meanwhile, by tg_freerun_chan.node
 * @nr_chans: their number
 * @nr_clients: tasks that these are of
 * @is_blind: which channel the GPU is at cannot be told: only one task may run free
 * @stop: it is to end when one of them asks next
 * @lasts: or by @sweep, since what one has there lasts: he may wait for it, and ask no more
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
 * @loose: channels that may have sent groups when it was over, by tg_freerun_chan.loose
 * @nr_sweeps: times that they were looked at since
 * @sweep: the next time; may sleep, as the end of it all does
 */
struct tg_freerun {
	bool on;
	bool quiet;
	u64 quiet_from;
	u64 quiet_after;
	struct list_head chans;
	u32 nr_chans;
	u32 nr_clients;
	bool is_blind;
	bool stop;
	bool lasts;
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
	struct list_head loose;
	u32 nr_sweeps;
	struct delayed_work sweep;
};

/**
 * struct tg_freerun_chan - of a channel, under tg_device.lock
 * @node: in tg_freerun.chans, or empty
 * @loose: in tg_freerun.loose, or empty
 * @inside: a group is on its way that was seen; it may have begun before its channel was in
 *	that list
 * @context: what the engine calls it, see tg_chan_ops.context
 * @depth: groups that it may have on the GPU
 * @pass: how many may go unseen from now on; set in any context
 * @nr: of its newest group when it was looked at last, see tg_chan_ops.number
 * @mark: the newest of its groups that may not have ended at some time since, or NULL
 * @mark_nr: what @nr was then
 * @looked: the newest one at a poll, that had not ended at the polls since, or NULL
 * @late: how many of these there were
 */
struct tg_freerun_chan {
	struct list_head node;
	struct list_head loose;
	bool inside;
	u32 context;
	u32 depth;
	atomic_t *pass;
	u32 nr;
	struct dma_fence *mark;
	u32 mark_nr;
	struct dma_fence *looked;
	u32 late;
};

static inline void tg_freerun_chan_init(struct tg_freerun_chan *fc, atomic_t *pass)
{
	fc->pass = pass;
	INIT_LIST_HEAD(&fc->node);
	INIT_LIST_HEAD(&fc->loose);
}

/* Each channel's next group is seen; tg_device.lock held. */
static inline void tg_freerun_see_next(struct tg_freerun *f)
{
	struct tg_freerun_chan *fc;

	list_for_each_entry(fc, &f->chans, node)
		atomic_set(fc->pass, 0);
}

/* It ends when one of them asks next, which each one's next group does; as above. */
static inline void tg_freerun_call_off(struct tg_freerun *f)
{
	f->stop = true;
	tg_freerun_see_next(f);
}

/* Whether a group of @fc has to end it first. */
static inline bool tg_freerun_is_in_way(const struct tg_freerun *f,
					const struct tg_freerun_chan *fc)
{
	return READ_ONCE(f->on) && list_empty(&fc->node);
}

#endif
