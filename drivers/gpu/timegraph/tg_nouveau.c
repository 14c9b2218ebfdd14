// SPDX-License-Identifier: GPL-2.0-only
/*
 * The way of a command group in and out of timegraph, whatever the provider.
 *
 * Also the trailer, the methods that follow every command group (TimeGraph
 * section 4.2), for GPUs of the Tesla family, and the GPU's own clock at their
 * ends.  Method numbers after envytools (nv50 FIFO methods; the object methods
 * common to Tesla's graphics classes) and nouveau (nv84_fence.c, nvc0_fence.c).
 */
#include <linux/err.h>
#include <linux/random.h>
#include <linux/sched/signal.h>

#include "tg_chan.h"
#include "tg_client.h"
#include "tg_dev_group.h"
#include "tg_complete.h"
#include "tg_device.h"
#include "tg_dispatch.h"
#include "tg_freerun.h"
#include "tg_gate.h"
#include "tg_job.h"
#include "tg_lease.h"
#include "tg_nouveau.h"
#include "tg_params.h"
#include "tg_registry.h"
#include "tg_ring.h"
#include "tg_stage.h"
#include "tg_told.h"
#include "tg_trace.h"
#include "tg_watchdog.h"

#define MTHD_SET_OBJECT		0x0000
#define MTHD_SEMAPHORE		0x0010	/* address high, low, value, operation */
#define   SEMAPHORE_RELEASE	2	/* value, 0, 64 bits of PTIMER */
#define   SEMAPHORE_ACQUIRE_GEQUAL	4	/* goes on when the value is reached */
#define MTHD_SET_REFERENCE	0x0050	/* waits for the engines, sets REF_CNT */
#define MTHD_DMA_SEMAPHORE	0x0060	/* Tesla only */
#define MTHD_NOP		0x0100
#define MTHD_NOTIFY		0x0104
#define   NOTIFY_WRITE_AND_INTR	1
#define MTHD_WAIT_FOR_IDLE	0x0110	/* the paper's SERIALIZE */
#define MTHD_DMA_NOTIFY		TG_METHOD_DMA_NOTIFY

/* Words of a group that are read, at most: 256 KiB. */
#define SCAN_WORDS 65536
/* Headers that take the long way, at most: half a millisecond. */
#define SCAN_SLOW_HEADERS 4096
/* Of the words, those that make its profile: longer groups are rare. */
#define PROFILE_WORDS 2048

/*
 * Subchannels for the trailer's object, the least used first: Mesa's nv50
 * binds 3 to 6, xf86-video-nouveau 0, 1, 2 and 7.
 */
static const u8 subc_preference[TG_NR_SUBCHANNELS] = { 1, 0, 7, 2, 6, 5, 4, 3 };

static bool is_tesla(const struct tg_hook_chan *hc)
{
	return hc->chipset == 0x50 ||
	       (hc->chipset >= 0x80 && hc->chipset <= 0xaf);
}

int tg_nouveau_chan_new(struct tg_hook_chan *hc)
{
	struct tg_chan_args args = {
		.dev = hc->dev,
		.ops = &tg_chan_ops,
		.word_ops = &tg_word_ops,
		.hc = hc,
		.pass = &hc->pass,
		.pid = hc->pid,
		.comm = hc->comm,
		.chid = hc->chid,
		.chipset = hc->chipset,
		.polled = !hc->event || tg_param_tick_us,
		.tesla = is_tesla(hc),
		.older = hc->older,
	};
	struct tg_chan *chan = tg_chan_create(&args);

	if (IS_ERR(chan))
		return PTR_ERR(chan);
	hc->priv = chan;
	return 0;
}

void tg_nouveau_chan_close(struct tg_hook_chan *hc)
{
	tg_gate_close(hc->priv);
}

void tg_nouveau_chan_last(struct tg_hook_chan *hc)
{
	tg_freerun_close(hc->priv);
}

void tg_nouveau_chan_del(struct tg_hook_chan *hc)
{
	tg_gate_forget(hc->priv);
}

void tg_nouveau_chan_free(struct tg_hook_chan *hc)
{
	tg_chan_destroy(hc->priv);
	hc->priv = NULL;
}

static int admit_once(struct tg_hook_group *g)
{
	struct tg_chan *chan = g->hc->priv;
	struct tg_dev_group *dg = g->priv;
	int ret;

	while ((ret = tg_gate_admit(chan, &dg)) == -EINPROGRESS)
		tg_freerun_end(chan->client->td);
	g->priv = dg;
	g->held = dg;
	return ret;
}

/*
 * To read it would take longer than all else that is done about it: so it is not known any
 * more what the channel has bound and notified, and fences tell the end of its groups.
 */
int tg_nouveau_freerun(struct tg_hook_group *g)
{
	struct tg_chan *chan = g->hc->priv;
	int ret;

	tg_client_follow(chan->client);
	ret = tg_freerun_enter(chan);
	if (ret > 0 && !READ_ONCE(chan->unread))
		WRITE_ONCE(chan->unread, true);
	return ret;
}

void tg_nouveau_ran(struct tg_hook_group *g)
{
	tg_freerun_leave(g->hc->priv);
}

/*
 * Of an EXEC group nothing is validated between its turn and its job, so its
 * budget is asked at once.
 */
int tg_nouveau_admit(struct tg_hook_group *g)
{
	int ret;

	tg_client_follow(g->hc->priv->client);
	do {
		ret = admit_once(g);
	} while (!ret && g->held && g->exec && tg_nouveau_check(g) == -EAGAIN);
	return ret;
}

/*
 * Reads the group's headers.  Returns an error if a part of it cannot be read, or
 * if that would take too long: reservations are held meanwhile.
 */
static int scan(struct tg_cmdstream *cs, struct tg_hook_group *g, bool for_cost)
{
	const struct tg_attach_ops *ops = g->hc->ops;
	u32 done = 0;

	tg_cmdstream_begin(cs);
	for (u32 i = 0; i < g->nr_push; i++) {
		const u32 *words;
		u32 offset = 0, n;

		while ((words = ops->push_map(g, i, offset, &n))) {
			if (IS_ERR(words))
				return PTR_ERR(words);
			if (n <= SCAN_WORDS - done)
				tg_cmdstream_scan(cs, words, n,
						  for_cost && done < PROFILE_WORDS);
			ops->push_unmap(words);
			if (n > SCAN_WORDS - done ||
			    cs->nr_slow > SCAN_SLOW_HEADERS)
				return -E2BIG;
			offset += n;
			done += n;
		}
	}
	g->profile.words = done;
	g->profile.hash = tg_cmdstream_hash(cs);
	return 0;
}

/* A subchannel the client does not use, or their number if it uses them all. */
static u8 free_subc(const struct tg_chan *chan)
{
	for (u8 i = 0; i < TG_NR_SUBCHANNELS; i++)
		if (!(chan->stream.bound & BIT(subc_preference[i])))
			return subc_preference[i];
	return TG_NR_SUBCHANNELS;
}

/* Why the end of the channel's groups is not to be told by NOTIFY, or NULL. */
static const char *why_fences(const struct tg_chan *chan)
{
	if (!chan->hc->notify)
		return chan->hc->why;
	if (tg_param_tick_us)
		return "tick_us";
	if (tg_param_completion == TG_COMPLETE_FENCE)
		return "completion=fence";
	if (chan->older)
		return "it is older than the module";
	if (chan->epoch != chan->client->td->epoch)
		return "it was used while nothing was scheduled";
	if (chan->unreadable)
		return "its commands cannot be read";
	if (READ_ONCE(chan->unread))
		return "it has run free";
	if (chan->stream.notify)
		return "its program uses NOTIFY";
	if (READ_ONCE(chan->stream.several))
		return "its program has several notifiers";
	if (chan->subc == TG_NR_SUBCHANNELS)
		return "its program uses all subchannels";
	if (chan->missed >= TG_MISSED_LIMIT)
		return "its NOTIFYs do not come";
	return NULL;
}

/*
 * Chooses how this channel's completions are learnt.  Once it has used fences
 * it stays with them.
 */
static void choose_backend(struct tg_chan *chan)
{
	struct tg_device *td = chan->client->td;
	enum tg_backend before;

	if (READ_ONCE(chan->backend) == TG_BACKEND_FENCE)
		return;
	spin_lock_irq(&td->lock);
	before = chan->backend;
	chan->why = why_fences(chan);
	chan->backend = chan->why ? TG_BACKEND_FENCE : TG_BACKEND_NOTIFY;
	if (chan->why) {
		td->nr_fence++;
		td->fence_why = chan->why;
	} else if (before == TG_BACKEND_UNKNOWN) {
		td->nr_notify++;
	}
	spin_unlock_irq(&td->lock);
}

/* What a channel uses of itself decides how its completions are learnt. */
int tg_nouveau_read(struct tg_hook_group *g)
{
	struct tg_chan *chan = g->hc->priv;
	/* A trace has what tgsim --replay predicts from. */
	bool for_cost = READ_ONCE(chan->client->history) || trace_tg_complete_enabled();
	bool for_notify = !chan->older && !READ_ONCE(chan->unread) &&
			  chan->backend != TG_BACKEND_FENCE;
	const struct tg_cmdstream before = chan->stream;
	int ret = 0;

	if (g->read)
		return 0;
	/* Groups that cannot be read are all taken for the same. */
	g->profile = (struct tg_profile){ .words = U32_MAX };
	if (for_notify || for_cost)
		ret = scan(&chan->stream, g, for_cost);
	/* It is read again, from its first word. */
	if (ret == -ERESTARTSYS) {
		chan->stream = before;
		return ret;
	}
	g->read = true;
	g->profiled = for_cost;
	g->notifier = chan->stream.notifier;
	g->sets_notifier = g->notifier != before.notifier;
	/* For good: another thread's group may be judged by it before its own. */
	if (ret)
		chan->unreadable = true;
	WRITE_ONCE(chan->subc, free_subc(chan));
	return 0;
}

int tg_nouveau_check(struct tg_hook_group *g)
{
	struct tg_dev_group *dg = g->priv;
	int ret;

	if (!dg)
		return 0;
	choose_backend(g->hc->priv);
	ret = tg_gate_check(dg, g->profiled ? &g->profile : NULL);
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

static u32 *put_semaphore(const struct tg_hook_chan *hc, u64 address, u32 value,
			  u32 operation, u32 *p)
{
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
	*p++ = operation;
	return p;
}

/* Has the GPU write @value and its clock once all before it is done. */
static u32 *put_stamp(const struct tg_hook_chan *hc, u32 index, u32 value,
		      u32 *p)
{
	return put_semaphore(hc, hc->scratch + index * TG_HOOK_STAMP_BYTES, value,
			     SEMAPHORE_RELEASE, p);
}

/* Has the GPU go on when the word of channel @chid has reached @turn, and take the time. */
static u32 *put_wait(const struct tg_hook_chan *hc, int chid, u32 turn, u32 *p)
{
	p = put_semaphore(hc, hc->words + chid * TG_HOOK_STAMP_BYTES, turn,
			  SEMAPHORE_ACQUIRE_GEQUAL, p);
	return put_stamp(hc, TG_STAMP_LET_IN, turn, p);
}

/* Has it say when it ended where no program can; and let those go on that wait for that. */
static u32 *put_mark(const struct tg_hook_chan *hc, const struct tg_dev_group *dg, u32 *p)
{
	return put_semaphore(hc, hc->words + hc->chid * TG_HOOK_STAMP_BYTES, dg->mark,
			     SEMAPHORE_RELEASE, p);
}

static u32 *put_object(u8 subc, u32 *p)
{
	*p++ = header(subc, MTHD_SET_OBJECT, 1);
	*p++ = TG_HOOK_OBJECT_HANDLE;
	return p;
}

/* All before it is done, and REF_CNT says so. */
static u32 *put_reference(u8 subc, u32 seq, u32 *p)
{
	*p++ = header(subc, MTHD_WAIT_FOR_IDLE, 1);
	*p++ = 0;
	*p++ = header(subc, MTHD_SET_REFERENCE, 1);
	*p++ = seq;
	return p;
}

/*
 * Whether @subc is free.  Another thread's group may have gone unread since this one was
 * admitted; nouveau takes one call of a client at a time.
 */
static bool may_notify(const struct tg_chan *chan, u8 subc)
{
	return chan->backend == TG_BACKEND_NOTIFY && subc < TG_NR_SUBCHANNELS &&
	       !READ_ONCE(chan->unread);
}

/* Whether it is to wait on the GPU for another channel's. */
static bool is_to_wait(struct tg_chan *chan, struct tg_dev_group *dg)
{
	struct tg_device *td = chan->client->td;
	bool wait;

	if (!READ_ONCE(dg->group.staged))
		return false;
	spin_lock_irq(&td->lock);
	wait = tg_stage_begin_locked(td, dg);
	spin_unlock_irq(&td->lock);
	return wait;
}

/*
 * Before a channel's first group: PFIFO takes the time, PGRAPH gets its first
 * method and has to switch to the channel, PFIFO takes the time again.
 */
unsigned int tg_nouveau_leader(struct tg_hook_group *g, u32 *words)
{
	struct tg_hook_chan *hc = g->hc;
	struct tg_chan *chan = hc->priv;
	struct tg_dev_group *dg = g->priv;
	u8 subc = READ_ONCE(chan->subc);
	u32 *p = words;

	if (dg && is_to_wait(chan, dg))
		return put_wait(hc, dg->wait_chid, dg->wait_turn, p) - words;
	if (!dg || chan->measured || !hc->scratch || !may_notify(chan, subc))
		return 0;
	chan->measured = true;
	dg->measures = true;
	p = put_stamp(hc, TG_STAMP_BEFORE_SWITCH, 1, p);
	p = put_object(subc, p);
	p = put_reference(subc, chan->ops->ref(chan), p);
	p = put_stamp(hc, TG_STAMP_AFTER_SWITCH, 1, p);
	return p - words;
}

void tg_nouveau_leader_lost(struct tg_hook_group *g)
{
	struct tg_device *td = g->hc->priv->client->td;

	spin_lock_irq(&td->lock);
	g->priv->measures = false;
	tg_stage_unwait_locked(td, g->priv);
	spin_unlock_irq(&td->lock);
}

/* The time at the group's end, and that it has ended. */
static u32 *put_end(const struct tg_hook_chan *hc, const struct tg_dev_group *dg, u32 *p)
{
	if (dg->has_stamp)
		p = put_stamp(hc, tg_stamp_index(dg->stamp), dg->stamp, p);
	if (dg->has_mark)
		p = put_mark(hc, dg, p);
	return p;
}

static u32 *put_notifier(u8 subc, u32 handle, u32 *p)
{
	*p++ = header(subc, MTHD_DMA_NOTIFY, 1);
	*p++ = handle;
	return p;
}

/*
 * SERIALIZE, SET_REF, SERIALIZE, NOTIFY, NOP, and the time where SET_REF has
 * found the group done.  The object is bound anew each time, and its notifier
 * set, since a client may have changed either; the client's, which PGRAPH may keep
 * in the same place, is set again: M2MF writes it with each copy (BUF_NOTIFY).
 */
static u32 *put_trailer(const struct tg_chan *chan, const struct tg_dev_group *dg,
			u8 s, u32 theirs, u32 *p)
{
	p = put_object(s, p);
	p = put_notifier(s, TG_HOOK_NOTIFY_HANDLE, p);
	p = put_reference(s, dg->seq, p);
	p = put_end(chan->hc, dg, p);
	*p++ = header(s, MTHD_WAIT_FOR_IDLE, 1);
	*p++ = 0;
	*p++ = header(s, MTHD_NOTIFY, 1);
	*p++ = NOTIFY_WRITE_AND_INTR;
	*p++ = header(s, MTHD_NOP, 1);
	*p++ = dg->tag;
	if (theirs)
		p = put_notifier(s, theirs, p);
	return p;
}

/* Who waits may be staged behind it from now on. */
static void take_turn_locked(struct tg_device *td, struct tg_dev_group *dg)
{
	lockdep_assert_held(&td->lock);
	tg_stage_number_locked(td, dg);
	if (dg->group.can_be_awaited && td->sched.nr_waiting)
		tg_dispatch_locked(td, ktime_get_ns());
}

/* Where one group can wait for another's turn, numbers that are not turns would let it in. */
static void take_mark_locked(struct tg_device *td, struct tg_dev_group *dg)
{
	lockdep_assert_held(&td->lock);
	if (tg_param_stage)
		take_turn_locked(td, dg);
	dg->has_mark = dg->has_turn || !tg_param_stage;
	dg->mark = dg->has_turn ? dg->turn : dg->stamp;
}

/* The GPU's clock at the start of a group is read, at its end it is stamped. */
static void take_start(struct tg_hook_chan *hc, struct tg_chan *chan,
		       struct tg_dev_group *dg)
{
	struct tg_device *td = chan->client->td;
	u64 now, cpu_now;

	if (!hc->scratch || tg_param_cpu_clock)
		return;
	now = hc->ops->time(hc);
	cpu_now = ktime_get_ns();
	spin_lock_irq(&td->lock);
	/* A page that is zeroed has no stamp of number 0. */
	if (!++chan->stamp)
		chan->stamp++;
	dg->stamp = chan->stamp;
	dg->gpu_start_ns = now;
	dg->handed_ns = cpu_now;
	dg->has_stamp = true;
	if (hc->words)
		take_mark_locked(td, dg);
	spin_unlock_irq(&td->lock);
}

/* Whether the group is to raise NOTIFY; then it has a sequence number, and a tag. */
static bool takes_seq(struct tg_chan *chan, struct tg_dev_group *dg)
{
	struct tg_device *td = chan->client->td;
	bool notify;

	spin_lock_irq(&td->lock);
	notify = tg_complete_wants_notify_locked(td, dg);
	if (notify) {
		if (!chan->seq)
			chan->seq = chan->ops->ref(chan);
		dg->seq = ++chan->seq;
		dg->tag = get_random_u32();
		dg->has_seq = true;
		tg_ring_add_locked(td, dg);
	}
	spin_unlock_irq(&td->lock);
	return notify;
}

/* From here on nothing that user space can draw out is in its way. */
static void in_ring(struct tg_device *td, struct tg_dev_group *dg)
{
	spin_lock_irq(&td->lock);
	if (dg->group.state != TG_GROUP_OUT)
		tg_lease_used_locked(td, dg, ktime_get_ns());
	spin_unlock_irq(&td->lock);
}

/*
 * The subchannel is read once, and now: another thread of the client may be told
 * another one at any time, and what it has bound by then is behind this in the ring,
 * or is known.
 */
unsigned int tg_nouveau_trailer(struct tg_hook_group *g, u32 *words)
{
	struct tg_hook_chan *hc = g->hc;
	struct tg_chan *chan = hc->priv;
	struct tg_dev_group *dg = g->priv;
	u8 subc = READ_ONCE(chan->subc);

	if (!dg)
		return 0;

	in_ring(chan->client->td, dg);
	take_start(hc, chan, dg);
	if (!may_notify(chan, subc) || !takes_seq(chan, dg))
		return put_end(hc, dg, words) - words;

	return put_trailer(chan, dg, subc, g->notifier, words) - words;
}

void tg_nouveau_trailer_lost(struct tg_hook_group *g)
{
	struct tg_device *td = g->hc->priv->client->td;

	if (!g->priv)
		return;
	spin_lock_irq(&td->lock);
	g->priv->has_seq = false;
	g->priv->has_stamp = false;
	g->priv->has_mark = false;
	tg_stage_lost_locked(g->priv);
	spin_unlock_irq(&td->lock);
}

void tg_nouveau_submitted(struct tg_hook_group *g, struct dma_fence *fence)
{
	if (g->priv)
		tg_gate_commit(g->priv, fence);
	g->priv = NULL;
	g->held = false;
}

void tg_nouveau_cancelled(struct tg_hook_group *g)
{
	/* What it was to set is not set, and what was is not known. */
	if (g->sets_notifier)
		WRITE_ONCE(g->hc->priv->stream.several, true);
	if (g->priv)
		tg_gate_withdraw(g->priv);
	g->priv = NULL;
	g->held = false;
}

/* A job of the same number is none any more, and was not seen to go. */
void tg_nouveau_exec_queue(struct tg_hook_group *g, u64 id)
{
	struct tg_hook_group stale = {};

	if (tg_nouveau_exec_take(&stale, id))
		tg_nouveau_cancelled(&stale);
	if (g->priv) {
		tg_gate_queued(g->priv);
		tg_job_queue(g->priv, id);
	}
	g->priv = NULL;
	g->held = false;
}

bool tg_nouveau_exec_take(struct tg_hook_group *g, u64 id)
{
	g->priv = tg_job_take(id);
	g->held = g->priv;
	return g->held;
}

void tg_nouveau_fence_event(struct device *dev)
{
	struct tg_device *td;

	rcu_read_lock();
	td = tg_registry_find_rcu(dev);
	if (td)
		tg_complete_fence_event(td);
	rcu_read_unlock();
}

bool tg_nouveau_gr_notify(struct device *dev, int chid, u32 data)
{
	struct tg_device *td;

	rcu_read_lock();
	td = tg_registry_find_rcu(dev);
	if (td)
		tg_complete_notify(td, chid, data);
	rcu_read_unlock();
	return td;
}

/* The device is made if need be: its first channel can come while it sleeps. */
void tg_nouveau_suspend(struct device *dev, bool suspended)
{
	struct tg_device *td = tg_registry_get(dev);

	if (!td)
		return;
	if (suspended)
		tg_bypass_set(td, TG_BYPASS_SUSPEND);
	else
		tg_bypass_clear(td, TG_BYPASS_SUSPEND);
}
