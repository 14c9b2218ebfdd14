/* SPDX-License-Identifier: GPL-2.0-only */
/* A task that has the GPU to itself; what is kept of it. See tg_freerun.h. */
#ifndef TG_ALONE_H
#define TG_ALONE_H

#include <linux/hrtimer.h>
#include <linux/list.h>
#include <linux/types.h>

struct dma_fence;
struct tg_chan;
struct tg_client;

/* Groups that a channel may have on the GPU; who has them sleeps until half are done. */
#define TG_FREERUN_DEPTH 16
/* Channels that a task may use; another one is gated. */
#define TG_FREERUN_CHANS 4

/**
 * struct tg_freerun - of a GPU, under tg_device.lock
 * @client: the task that is not gated, or NULL; looked at without the lock, too
 * @chans: its channels that were used meanwhile, by tg_freerun_chan.node
 * @nr_chans: their number
 * @inside: the channel of a group that is on its way, or NULL: others that come now are
 *	gated; it can be of a task that ran free before
 * @stop: it is to end when it asks next
 * @looking: @look will come
 * @stretch_ns: when the stretch began, or will, that it is in
 * @nr_groups: that went so
 * @nr_times: that one was let run so
 * @look: the next poll
 */
struct tg_freerun {
	struct tg_client *client;
	struct list_head chans;
	u32 nr_chans;
	struct tg_chan *inside;
	bool stop;
	bool looking;
	u64 stretch_ns;
	u64 nr_groups;
	u64 nr_times;
	struct hrtimer look;
};

/**
 * struct tg_freerun_chan - of a channel, under tg_device.lock
 * @node: in tg_freerun.chans, or empty
 * @fence: of its last groups, the newest at (@nr - 1) % TG_FREERUN_DEPTH
 * @nr: groups since it is in that list
 * @looked_nr: what @nr was at a poll all of whose groups had not ended at the polls since
 * @late: how many of these there were
 */
struct tg_freerun_chan {
	struct list_head node;
	struct dma_fence *fence[TG_FREERUN_DEPTH];
	u64 nr;
	u64 looked_nr;
	u32 late;
};

static inline void tg_freerun_chan_init(struct tg_freerun_chan *fc)
{
	INIT_LIST_HEAD(&fc->node);
}

/* Whether a group of @client has to end it first. */
static inline bool tg_freerun_is_in_way(const struct tg_freerun *f,
					const struct tg_client *client)
{
	const struct tg_client *runs = READ_ONCE(f->client);

	return runs && runs != client;
}

#endif
