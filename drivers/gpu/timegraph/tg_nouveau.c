// SPDX-License-Identifier: GPL-2.0-only
/*
 * nouveau's submission hooks: the way in and out of timegraph.
 *
 * Also the trailer, the methods that follow every command group (TimeGraph
 * section 4.2), for GPUs of the Tesla family.  Method numbers after envytools
 * (nv50 FIFO methods; the object methods common to Tesla's graphics classes).
 */
#include <drm/nouveau_hooks.h>
#include <linux/random.h>
#include <linux/sched/signal.h>

#include "tg_device.h"
#include "tg_nouveau.h"
#include "tg_params.h"
#include "tg_task.h"

#define MTHD_SET_OBJECT		0x0000
#define MTHD_SET_REFERENCE	0x0050	/* waits for the engines, sets REF_CNT */
#define MTHD_NOP		0x0100
#define MTHD_NOTIFY		0x0104
#define   NOTIFY_WRITE_AND_INTR	1
#define MTHD_WAIT_FOR_IDLE	0x0110	/* the paper's SERIALIZE */
#define MTHD_DMA_NOTIFY		0x0180

#define NR_SUBC 8

/* Words of a group that are read, at most: 256 KiB. */
#define SCAN_WORDS 65536

/*
 * Subchannels for the trailer's object, the least used first: Mesa's nv50
 * binds 3 to 6, xf86-video-nouveau 0, 1, 2 and 7.
 */
static const u8 subc_preference[NR_SUBC] = { 1, 0, 7, 2, 6, 5, 4, 3 };

static u32 read_ref(const struct tg_chan *chan)
{
	return nouveau_hook_ref_read(chan->hc);
}

static u32 read_fence(const struct tg_chan *chan)
{
	return nouveau_hook_fence_read(chan->hc);
}

static const struct tg_chan_ops chan_ops = {
	.ref = read_ref,
	.fence = read_fence,
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
	struct tg_cmd *cmd = NULL;
	int ret;

	if (!g->hc->priv)
		return 0;
	ret = tg_device_admit(g->hc->priv, &cmd);
	g->priv = cmd;
	g->held = cmd;
	return ret;
}

/* Notes what a command tells about the client. */
static void learn(struct tg_chan *chan, const struct tg_cmd_header *h)
{
	if (h->method == TG_METHOD_SET_OBJECT && h->count)
		chan->user_subc |= BIT(h->subchannel);
	/* Takes commands that do not increment for ones that do: errs safely. */
	if (h->method <= MTHD_NOTIFY &&
	    h->method + 4 * (u64)h->count > MTHD_NOTIFY)
		chan->user_notify = true;
}

/*
 * Reads the group's headers.  Returns false if a part of it cannot be read, or
 * if it has more than SCAN_WORDS words: reservations are held meanwhile.
 */
static bool scan(struct tg_chan *chan, struct nouveau_hook_group *g)
{
	struct tg_cmd_header h;
	u32 left = SCAN_WORDS;

	for (u32 i = 0; i < g->nr_push; i++) {
		u32 offset = 0;

		for (;;) {
			u32 n, pos = 0;
			const u32 *words = nouveau_hook_push_map(g, i, offset,
								 &n);

			if (IS_ERR(words))
				return false;
			if (!words)
				break;
			while (n <= left &&
			       tg_cmdstream_next(&chan->stream, words, n, &pos,
						 &h))
				learn(chan, &h);
			nouveau_hook_push_unmap(words);
			if (n > left)
				return false;
			offset += n;
			left -= n;
		}
	}
	return true;
}

/* A subchannel the client does not use, or NR_SUBC if it uses them all. */
static u8 free_subc(const struct tg_chan *chan)
{
	for (u8 i = 0; i < NR_SUBC; i++)
		if (!(chan->user_subc & BIT(subc_preference[i])))
			return subc_preference[i];
	return NR_SUBC;
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
		      !chan->user_notify && chan->subc < NR_SUBC &&
		      READ_ONCE(chan->missed) < TG_MISSED_LIMIT;

	if (chan->backend == TG_BACKEND_UNKNOWN)
		set_backend(chan, notify ? TG_BACKEND_NOTIFY : fallback);
	else if (chan->backend == TG_BACKEND_NOTIFY && !notify)
		set_backend(chan, fallback);
}

static int validated(struct nouveau_hook_group *g)
{
	struct tg_chan *chan = g->hc->priv;
	bool readable = false;

	if (!chan)
		return 0;
	/* What an older channel has bound is not known: it uses fences. */
	if (!chan->older && (chan->backend == TG_BACKEND_UNKNOWN ||
			     chan->backend == TG_BACKEND_NOTIFY)) {
		readable = scan(chan, g);
		chan->subc = free_subc(chan);
	}
	choose_backend(chan, readable);
	if (g->priv)
		tg_device_start(g->priv);
	return 0;
}

static u32 header(u8 subc, u16 method, u16 count)
{
	return (u32)count << 18 | (u32)subc << 13 | method;
}

/*
 * SERIALIZE, SET_REF, SERIALIZE, NOTIFY, NOP.  The object is bound anew each
 * time, and its notifier set, since a client may have changed either.
 */
static unsigned int notify_trailer(struct tg_chan *chan, struct tg_cmd *cmd,
				   u32 *w)
{
	const u8 s = chan->subc;
	u32 *p = w;

	*p++ = header(s, MTHD_SET_OBJECT, 1);
	*p++ = NOUVEAU_HOOK_OBJECT_HANDLE;
	*p++ = header(s, MTHD_DMA_NOTIFY, 1);
	*p++ = NOUVEAU_HOOK_NOTIFY_HANDLE;
	*p++ = header(s, MTHD_WAIT_FOR_IDLE, 1);
	*p++ = 0;
	*p++ = header(s, MTHD_SET_REFERENCE, 1);
	*p++ = cmd->seq;
	*p++ = header(s, MTHD_WAIT_FOR_IDLE, 1);
	*p++ = 0;
	*p++ = header(s, MTHD_NOTIFY, 1);
	*p++ = NOTIFY_WRITE_AND_INTR;
	*p++ = header(s, MTHD_NOP, 1);
	*p++ = cmd->tag;
	return p - w;
}

static unsigned int trailer(struct nouveau_hook_chan *hc,
			    struct nouveau_hook_group *g, u32 *words)
{
	struct tg_chan *chan = hc->priv;
	struct tg_cmd *cmd = g ? g->priv : NULL;
	struct tg_device *td;
	unsigned long flags;

	if (!chan || !cmd || chan->backend != TG_BACKEND_NOTIFY)
		return 0;

	td = chan->client->td;
	spin_lock_irqsave(&td->lock, flags);
	if (!chan->seq)
		chan->seq = nouveau_hook_ref_read(hc);
	cmd->seq = ++chan->seq;
	cmd->tag = get_random_u32();
	cmd->has_seq = true;
	spin_unlock_irqrestore(&td->lock, flags);
	return notify_trailer(chan, cmd, words);
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
