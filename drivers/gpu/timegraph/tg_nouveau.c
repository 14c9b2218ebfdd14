// SPDX-License-Identifier: GPL-2.0-only
/*
 * nouveau's submission hooks: the way in and out of timegraph.
 *
 * Also the trailer, the methods that follow every command group (TimeGraph
 * section 4.2), for GPUs of the Tesla family, and the GPU's own clock at their
 * ends.  Method numbers after envytools (nv50 FIFO methods; the object methods
 * common to Tesla's graphics classes) and nouveau (nv84_fence.c, nvc0_fence.c).
 */
#include <drm/nouveau_hooks.h>
#include <linux/err.h>
#include <linux/random.h>
#include <linux/sched/signal.h>

#include "tg_device.h"
#include "tg_nouveau.h"
#include "tg_params.h"
#include "tg_task.h"

#define MTHD_SET_OBJECT		0x0000
#define MTHD_SEMAPHORE		0x0010	/* address high, low, value, operation */
#define   SEMAPHORE_RELEASE	2	/* value, 0, 64 bits of PTIMER */
#define MTHD_SET_REFERENCE	0x0050	/* waits for the engines, sets REF_CNT */
#define MTHD_DMA_SEMAPHORE	0x0060	/* Tesla only */
#define MTHD_NOP		0x0100
#define MTHD_NOTIFY		0x0104
#define   NOTIFY_WRITE_AND_INTR	1
#define MTHD_WAIT_FOR_IDLE	0x0110	/* the paper's SERIALIZE */
#define MTHD_DMA_NOTIFY		0x0180

/* Words of a group that are read, at most: 256 KiB. */
#define SCAN_WORDS 65536
/* Headers that take the long way, at most: half a millisecond. */
#define SCAN_SLOW_HEADERS 4096
/* Of the words, those that make its profile: longer groups are rare. */
#define PROFILE_WORDS 2048

/*
 * What semaphores are released to in the scratch page, 16 bytes each: the
 * context switch is measured between the first two; each group that is on the
 * GPU has its own of the others.
 */
#define STAMP_BYTES 16
#define STAMP_BEFORE_SWITCH (NOUVEAU_HOOK_SCRATCH_NOTIFY_BYTES / STAMP_BYTES)
#define STAMP_AFTER_SWITCH (STAMP_BEFORE_SWITCH + 1)
#define STAMP_FIRST (STAMP_BEFORE_SWITCH + 2)
#define NR_STAMPS 128

/*
 * Subchannels for the trailer's object, the least used first: Mesa's nv50
 * binds 3 to 6, xf86-video-nouveau 0, 1, 2 and 7.
 */
static const u8 subc_preference[TG_NR_SUBCHANNELS] = { 1, 0, 7, 2, 6, 5, 4, 3 };

static u32 read_ref(const struct tg_chan *chan)
{
	return nouveau_hook_ref_read(chan->hc);
}

static u32 read_fence(const struct tg_chan *chan)
{
	return nouveau_hook_fence_read(chan->hc);
}

/* Reads a stamp if the semaphore was released with @value. */
static bool read_stamp(const struct tg_chan *chan, u32 index, u32 value,
		       u64 *ns)
{
	const u32 *page = READ_ONCE(chan->hc->scratch_cpu);
	const u32 *p = page + index * (STAMP_BYTES / sizeof(u32));

	if (!page || READ_ONCE(p[0]) != value)
		return false;
	/* The value is written with the time: pairs with nothing but the bus. */
	dma_rmb();
	*ns = READ_ONCE(p[2]) | (u64)READ_ONCE(p[3]) << 32;
	return true;
}

static u32 stamp_index(u32 stamp)
{
	return STAMP_FIRST + stamp % NR_STAMPS;
}

static bool read_finish(const struct tg_chan *chan, u32 stamp, u64 *ns)
{
	return read_stamp(chan, stamp_index(stamp), stamp, ns);
}

static bool read_switch(const struct tg_chan *chan, u64 *ns)
{
	u64 before, after;

	if (!read_stamp(chan, STAMP_BEFORE_SWITCH, 1, &before) ||
	    !read_stamp(chan, STAMP_AFTER_SWITCH, 1, &after) || after < before)
		return false;
	*ns = after - before;
	return true;
}

static void charge(const struct tg_chan *chan, u64 ns)
{
	nouveau_hook_charge(chan->hc, ns);
}

static const struct tg_chan_ops chan_ops = {
	.ref = read_ref,
	.fence = read_fence,
	.stamp = read_finish,
	.switch_time = read_switch,
	.charge = charge,
};

static bool is_tesla(const struct nouveau_hook_chan *hc)
{
	return hc->chipset == 0x50 ||
	       (hc->chipset >= 0x80 && hc->chipset <= 0xaf);
}

static int chan_new(struct nouveau_hook_chan *hc)
{
	struct tg_chan_args args = {
		.dev = hc->dev,
		.ops = &chan_ops,
		.hc = hc,
		.pid = hc->pid,
		.comm = hc->comm,
		.chid = hc->chid,
		.has_fence = hc->fence,
		.tesla = is_tesla(hc),
		/* Older than the module: offered by whoever inserts it. */
		.older = hc->pid != task_tgid(current),
	};
	struct tg_chan *chan = tg_chan_create(&args);

	if (IS_ERR(chan))
		return PTR_ERR(chan);
	hc->priv = chan;
	return 0;
}

static void chan_del(struct nouveau_hook_chan *hc)
{
	struct tg_chan *chan = hc->priv;

	if (!chan)
		return;
	tg_device_forget(chan);
	if (chan->backend == TG_BACKEND_FENCE)
		nouveau_hook_fence_irq(hc, false);
}

static void chan_free(struct nouveau_hook_chan *hc)
{
	if (hc->priv)
		tg_chan_destroy(hc->priv);
	hc->priv = NULL;
}

static void chan_killed(struct nouveau_hook_chan *hc)
{
	if (hc->priv)
		tg_device_forget(hc->priv);
}

static int admit(struct nouveau_hook_group *g)
{
	struct tg_cmd *cmd = g->priv;
	int ret;

	if (!g->hc->priv)
		return 0;
	ret = tg_device_admit(g->hc->priv, &cmd);
	g->priv = cmd;
	g->held = cmd;
	return ret;
}

/*
 * Reads the group's headers.  Returns false if a part of it cannot be read, or
 * if that would take too long: reservations are held meanwhile.
 */
static bool scan(struct tg_cmdstream *cs, struct nouveau_hook_group *g,
		 bool for_cost, struct tg_profile *profile)
{
	u32 done = 0;

	tg_cmdstream_begin(cs);
	for (u32 i = 0; i < g->nr_push; i++) {
		const u32 *words;
		u32 offset = 0, n;

		while ((words = nouveau_hook_push_map(g, i, offset, &n))) {
			if (IS_ERR(words))
				return false;
			if (n <= SCAN_WORDS - done)
				tg_cmdstream_scan(cs, words, n,
						  for_cost && done < PROFILE_WORDS);
			nouveau_hook_push_unmap(words);
			if (n > SCAN_WORDS - done ||
			    cs->nr_slow > SCAN_SLOW_HEADERS)
				return false;
			offset += n;
			done += n;
		}
	}
	profile->words = done;
	profile->hash = tg_cmdstream_hash(cs);
	return true;
}

/* A subchannel the client does not use, or their number if it uses them all. */
static u8 free_subc(const struct tg_chan *chan)
{
	for (u8 i = 0; i < TG_NR_SUBCHANNELS; i++)
		if (!(chan->stream.bound & BIT(subc_preference[i])))
			return subc_preference[i];
	return TG_NR_SUBCHANNELS;
}

/* chan_del, perhaps at the same time, undoes what it finds set. */
static void set_backend(struct tg_chan *chan, enum tg_backend backend)
{
	struct tg_device *td = chan->client->td;
	bool irq = backend == TG_BACKEND_FENCE;
	bool dead;

	if (irq)
		nouveau_hook_fence_irq(chan->hc, true);
	spin_lock_irq(&td->lock);
	dead = chan->dead;
	if (!dead)
		WRITE_ONCE(chan->backend, backend);
	spin_unlock_irq(&td->lock);
	if (irq && dead)
		nouveau_hook_fence_irq(chan->hc, false);
}

/*
 * Chooses how this channel's completions are learnt.  Once it has used fences
 * it stays with them.
 */
static void choose_backend(struct tg_chan *chan, bool readable)
{
	enum tg_backend fallback = chan->has_fence ? TG_BACKEND_FENCE :
						     TG_BACKEND_NONE;
	bool notify = chan->hc->notify && !tg_param_fence_only && readable &&
		      !chan->stream.notify && chan->subc < TG_NR_SUBCHANNELS &&
		      READ_ONCE(chan->missed) < TG_MISSED_LIMIT;

	if (chan->backend == TG_BACKEND_UNKNOWN)
		set_backend(chan, notify ? TG_BACKEND_NOTIFY : fallback);
	else if (chan->backend == TG_BACKEND_NOTIFY && !notify)
		set_backend(chan, fallback);
}

/*
 * The group's buffers can be read now: what it uses of its channel decides how
 * its completion is learnt, and what it consists of tells what it will cost.
 */
static int validated(struct nouveau_hook_group *g)
{
	struct tg_chan *chan = g->hc->priv;
	struct tg_cmd *cmd = g->priv;
	/* Groups that cannot be read are all taken for the same. */
	struct tg_profile profile = { .words = U32_MAX };
	bool for_notify, for_cost, readable, again;
	int ret;

	if (!chan)
		return 0;
	/* What an older channel has bound is not known: it uses fences. */
	for_notify = !chan->older && (chan->backend == TG_BACKEND_UNKNOWN ||
				      chan->backend == TG_BACKEND_NOTIFY);
	again = cmd && cmd->scanned;
	for_cost = cmd && !again && READ_ONCE(chan->client->history);
	if ((for_notify && !again) || for_cost) {
		readable = scan(&chan->stream, g, for_cost, &profile);
		chan->subc = free_subc(chan);
		choose_backend(chan, readable && for_notify);
	} else if (!again) {
		choose_backend(chan, false);
	}
	if (!cmd)
		return 0;
	cmd->scanned = true;
	ret = tg_device_check(cmd, for_cost ? &profile : NULL);
	if (ret)
		g->held = false;
	return ret;
}

static u32 header(u8 subc, u16 method, u16 count)
{
	return (u32)count << 18 | (u32)subc << 13 | method;
}

/* Fermi on: the methods of a semaphore count from the same number. */
static u32 header_fermi(u8 subc, u16 method, u16 count)
{
	return 0x20000000 | (u32)count << 16 | (u32)subc << 13 | method >> 2;
}

/* Has the GPU write @value and its clock once all before it is done. */
static u32 *put_stamp(const struct nouveau_hook_chan *hc, u32 index, u32 value,
		      u32 *p)
{
	u64 address = hc->scratch + index * STAMP_BYTES;

	if (hc->sema_dma) {
		*p++ = header(0, MTHD_DMA_SEMAPHORE, 1);
		*p++ = hc->sema_dma;
		*p++ = header(0, MTHD_SEMAPHORE, 4);
	} else {
		*p++ = header_fermi(0, MTHD_SEMAPHORE, 4);
	}
	*p++ = upper_32_bits(address);
	*p++ = lower_32_bits(address);
	*p++ = value;
	*p++ = SEMAPHORE_RELEASE;
	return p;
}

static u32 *put_object(const struct tg_chan *chan, u32 *p)
{
	*p++ = header(chan->subc, MTHD_SET_OBJECT, 1);
	*p++ = NOUVEAU_HOOK_OBJECT_HANDLE;
	return p;
}

/* All before it is done, and REF_CNT says so. */
static u32 *put_reference(const struct tg_chan *chan, u32 seq, u32 *p)
{
	*p++ = header(chan->subc, MTHD_WAIT_FOR_IDLE, 1);
	*p++ = 0;
	*p++ = header(chan->subc, MTHD_SET_REFERENCE, 1);
	*p++ = seq;
	return p;
}

/*
 * Before a channel's first group: PFIFO takes the time, PGRAPH gets its first
 * method and has to switch to the channel, PFIFO takes the time again.
 */
static unsigned int leader(struct nouveau_hook_chan *hc,
			   struct nouveau_hook_group *g, u32 *words)
{
	struct tg_chan *chan = hc->priv;
	struct tg_cmd *cmd = g->priv;
	u32 *p = words;

	if (!chan || !cmd || chan->measured || !hc->scratch ||
	    chan->backend != TG_BACKEND_NOTIFY)
		return 0;
	chan->measured = true;
	cmd->measures = true;
	p = put_stamp(hc, STAMP_BEFORE_SWITCH, 1, p);
	p = put_object(chan, p);
	p = put_reference(chan, nouveau_hook_ref_read(hc), p);
	p = put_stamp(hc, STAMP_AFTER_SWITCH, 1, p);
	return p - words;
}

/*
 * SERIALIZE, SET_REF, SERIALIZE, NOTIFY, NOP, and the time where SET_REF has
 * found the group done.  The object is bound anew each time, and its notifier
 * set, since a client may have changed either.
 */
static u32 *put_trailer(struct tg_chan *chan, const struct tg_cmd *cmd, u32 *p)
{
	const u8 s = chan->subc;

	p = put_object(chan, p);
	*p++ = header(s, MTHD_DMA_NOTIFY, 1);
	*p++ = NOUVEAU_HOOK_NOTIFY_HANDLE;
	p = put_reference(chan, cmd->seq, p);
	if (cmd->has_stamp)
		p = put_stamp(chan->hc, stamp_index(cmd->stamp), cmd->stamp, p);
	*p++ = header(s, MTHD_WAIT_FOR_IDLE, 1);
	*p++ = 0;
	*p++ = header(s, MTHD_NOTIFY, 1);
	*p++ = NOTIFY_WRITE_AND_INTR;
	*p++ = header(s, MTHD_NOP, 1);
	*p++ = cmd->tag;
	return p;
}

/* The GPU's clock at the start of a group is read, at its end it is stamped. */
static void take_start(struct nouveau_hook_chan *hc, struct tg_chan *chan,
		       struct tg_cmd *cmd)
{
	u64 now;

	if (!hc->scratch || tg_param_cpu_clock)
		return;
	now = nouveau_hook_time(hc);
	spin_lock_irq(&chan->client->td->lock);
	/* A page that is zeroed has no stamp of number 0. */
	if (!++chan->stamp)
		chan->stamp++;
	cmd->stamp = chan->stamp;
	cmd->gpu_start_ns = now;
	cmd->has_stamp = true;
	spin_unlock_irq(&chan->client->td->lock);
}

static unsigned int trailer(struct nouveau_hook_chan *hc,
			    struct nouveau_hook_group *g, u32 *words)
{
	struct tg_chan *chan = hc->priv;
	struct tg_cmd *cmd = g ? g->priv : NULL;
	struct tg_device *td;

	if (!chan || !cmd)
		return 0;

	take_start(hc, chan, cmd);
	if (chan->backend != TG_BACKEND_NOTIFY)
		return cmd->has_stamp ?
			put_stamp(hc, stamp_index(cmd->stamp), cmd->stamp,
				  words) - words : 0;

	td = chan->client->td;
	spin_lock_irq(&td->lock);
	if (!chan->seq)
		chan->seq = nouveau_hook_ref_read(hc);
	cmd->seq = ++chan->seq;
	cmd->tag = get_random_u32();
	cmd->has_seq = true;
	spin_unlock_irq(&td->lock);
	return put_trailer(chan, cmd, words) - words;
}

static void submitted(struct nouveau_hook_chan *hc,
		      struct nouveau_hook_group *g, u32 seqno)
{
	struct tg_chan *chan = hc->priv;
	struct tg_cmd *cmd = g ? g->priv : NULL;

	if (!chan)
		return;
	if (!g) {
		if (chan->backend == TG_BACKEND_UNKNOWN)
			choose_backend(chan, false);
		cmd = tg_device_insert(chan);
	}
	if (cmd)
		tg_device_submitted(cmd, seqno);
}

static void cancelled(struct nouveau_hook_group *g)
{
	/* An EXEC group gives up its place when its job is queued. */
	if (g->priv)
		tg_device_cancel(g->priv, !g->exec);
}

static void fence_event(struct nouveau_hook_chan *hc)
{
	if (hc->priv)
		tg_device_fence_event(hc->priv);
}

/*
 * With a scheduler loaded, NOTIFY is an interrupt that is expected: also a
 * client's own is counted rather than reported as an error.
 */
static bool gr_notify(struct device *dev, int chid, u32 data)
{
	struct tg_device *td = tg_device_find_rcu(dev);

	if (td)
		tg_device_notify(td, chid, data);
	return td;
}

/* The device is made if need be: its first channel can come while it sleeps. */
static void suspend(struct device *dev, bool suspended)
{
	struct tg_device *td = tg_device_get(dev);

	if (!td)
		return;
	if (suspended)
		tg_device_bypass(td, TG_BYPASS_SUSPEND);
	else
		tg_device_restore(td, TG_BYPASS_SUSPEND);
}

static const struct nouveau_hook_ops ops = {
	.chan_new = chan_new,
	.chan_del = chan_del,
	.chan_free = chan_free,
	.chan_killed = chan_killed,
	.admit = admit,
	.validated = validated,
	.leader = leader,
	.trailer = trailer,
	.submitted = submitted,
	.cancelled = cancelled,
	.fence_event = fence_event,
	.gr_notify = gr_notify,
	.suspend = suspend,
};

int tg_nouveau_init(void)
{
	return nouveau_hooks_register(&ops);
}

void tg_nouveau_exit(void)
{
	nouveau_hooks_unregister(&ops);
}
