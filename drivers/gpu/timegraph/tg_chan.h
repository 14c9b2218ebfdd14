/* SPDX-License-Identifier: GPL-2.0-only */
/* Channels. */
#ifndef TG_CHAN_H
#define TG_CHAN_H

#include <linux/pid.h>

#include "core/tg_cmdstream.h"
#include "core/tg_sched.h"
#include "tg_alone.h"
#include "tg_ring.h"
#include "tg_stage_state.h"

struct device;
struct dma_fence;
struct tg_chan;
struct tg_client;
struct tg_hook_chan;

/* NOTIFYs missed in a row before a channel falls back to fences. */
#define TG_MISSED_LIMIT 4

/**
 * enum tg_backend - how the completion of a channel's groups is learnt
 * @TG_BACKEND_UNKNOWN: before the first group
 * @TG_BACKEND_NOTIFY: SERIALIZE, SET_REF, SERIALIZE, NOTIFY, NOP and PGRAPH's
 *	interrupt, verified by the reference value (TimeGraph section 4.2)
 * @TG_BACKEND_FENCE: nouveau's own fence, and its interrupt where there is one
 */
enum tg_backend {
	TG_BACKEND_UNKNOWN,
	TG_BACKEND_NOTIFY,
	TG_BACKEND_FENCE,
};

/**
 * struct tg_chan_ops - what a channel of the driver tells
 * @ref: REF_CNT, with the notify backend
 * @stamp: the GPU's clock when the trailer with stamp number @stamp ran; false
 *	if it did not, or its stamp is gone
 * @mark: the GPU's clock when the trailer with mark @mark ran; false if it did not, or the
 *	channel's next has run as well.  Of those that have marks
 * @switch_time: what the context switch took that the channel's first leader
 *	measured; false if it did not
 * @charge: a group of the channel ended that had the GPU for @ns nanoseconds
 * @engine: 1: the GPU's graph engine has something that it is not done with; 0: it has
 *	not; -ENODEV: that cannot be told
 * @context: what the engine calls the channel's context, or 0 if that is not known
 * @engine_context: the context that the engine is at; 0: none, or it cannot be told
 * @number: of the newest group that the channel was given, as of its fence; false: that
 *	cannot be told (yet), nor can @newest; tg_device.lock held, the channel not dead
 * @newest: the newest of its groups that may not have ended: its fence, with a reference,
 *	or NULL for none; as @number
 * @busy: whether a call of its client is in the driver; as @number
 *
 * Any context, between the channel's creation and tg_gate_forget().
 */
struct tg_chan_ops {
	u32 (*ref)(const struct tg_chan *chan);
	bool (*stamp)(const struct tg_chan *chan, u32 stamp, u64 *ns);
	bool (*mark)(const struct tg_chan *chan, u32 mark, u64 *ns);
	bool (*switch_time)(const struct tg_chan *chan, u64 *ns);
	void (*charge)(const struct tg_chan *chan, u64 ns);
	int (*engine)(const struct tg_chan *chan);
	u32 (*context)(const struct tg_chan *chan);
	u32 (*engine_context)(const struct tg_chan *chan);
	bool (*number)(const struct tg_chan *chan, u32 *nr);
	struct dma_fence *(*newest)(const struct tg_chan *chan);
	bool (*busy)(const struct tg_chan *chan);
};

/**
 * struct tg_chan - a channel
 * @client: its task
 * @ops: how the driver is asked
 * @hc: the provider's view, valid until tg_chan_destroy()
 * @chid: hardware channel id
 * @polled: its fences raise no interrupt
 * @epoch: tg_device.epoch when it was made
 * @stream: the walk over the client's push buffers
 * @unreadable: a group could not be read
 * @unread: some were not, as they did not ask
 * @seq: last reference value given out
 * @stamp: last stamp number given out
 * @measured: its first leader was sent
 * @backend: see there
 * @why: why @backend is TG_BACKEND_FENCE, a constant string
 * @subc: subchannel of the trailer's object
 * @older: than the module: what the client bound before is not known
 * @missed: NOTIFYs in a row that did not come although the group ended
 * @ring: what it has on the GPU
 * @freerun: what it has there without having asked
 * @word: what others wait for
 * @dead: the channel goes or was killed: it gets no more groups
 * @gone: nor does anything tell of those that it had
 * @ticket: the place of its group that a signal took out of the queue
 *
 * @client to @epoch are constant.  @stream to @measured, and @stamp,
 * belong to the submitting thread (the provider serialises them), but for @unread, which
 * only becomes true.  The rest is under tg_device.lock.
 */
struct tg_chan {
	struct tg_client *client;
	const struct tg_chan_ops *ops;
	struct tg_hook_chan *hc;
	int chid;
	bool polled;
	bool older;
	u32 epoch;

	struct tg_cmdstream stream;
	u8 subc;
	bool unreadable;
	bool unread;
	bool measured;

	u32 stamp;
	u32 seq;
	enum tg_backend backend;
	const char *why;
	unsigned int missed;
	struct tg_ring ring;
	struct tg_freerun_chan freerun;
	struct tg_word word;
	bool dead;
	bool gone;
	struct tg_ticket ticket;
};

/**
 * struct tg_chan_args - a channel that appears
 * @dev: the GPU
 * @ops: see struct tg_chan
 * @word_ops: see struct tg_word
 * @hc: the provider's view of it
 * @pass: see struct tg_freerun_chan
 * @pid: its owner
 * @comm: the owner's name
 * @chid: hardware channel id
 * @chipset: of the GPU
 * @polled: see struct tg_chan
 * @tesla: the GPU reads command headers of the Tesla format
 * @older: see struct tg_chan
 */
struct tg_chan_args {
	struct device *dev;
	const struct tg_chan_ops *ops;
	const struct tg_word_ops *word_ops;
	struct tg_hook_chan *hc;
	atomic_t *pass;
	struct pid *pid;
	const char *comm;
	int chid;
	u32 chipset;
	bool polled;
	bool tesla;
	bool older;
};

/**
 * tg_chan_create - a channel appears; its task gets the parameters that the
 * specification gives it now
 *
 * May sleep.  Return: the channel or an ERR_PTR.
 */
struct tg_chan *tg_chan_create(const struct tg_chan_args *args);

/** tg_chan_destroy - frees it, and its task with the last one; may sleep */
void tg_chan_destroy(struct tg_chan *chan);

#endif
