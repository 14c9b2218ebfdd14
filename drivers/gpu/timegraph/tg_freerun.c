// SPDX-License-Identifier: GPL-2.0-only
/* Tasks among which there is nothing to decide are not gated: how that begins and ends. */
#include <linux/dma-fence.h>

#include "tg_chan.h"
#include "tg_client.h"
#include "tg_complete.h"
#include "tg_dev_group.h"
#include "tg_device.h"
#include "tg_freerun.h"
#include "tg_gate.h"
#include "tg_hang.h"
#include "tg_params.h"
#include "tg_runner.h"
#include "tg_trace.h"

/* As long as it sleeps here it cannot see that the module goes. */
#define WAIT_MS 50
/*
 * So often channels are looked at that may have sent something, the last time after a second,
 * and more often while a call of their client is in nouveau.
 */
#define NR_SWEEPS 8
#define BUSY_SWEEP msecs_to_jiffies(20)
/* Who ended it need not do that for each of its groups. */
#define PAUSE_NS (100 * NSEC_PER_MSEC)

/* Whether it can be told what it has beside others. */
static bool shares_locked(const struct tg_chan *chan)
{
	const struct tg_device *td = chan->client->td;

	lockdep_assert_held(&td->lock);
	return chan->freerun.context && !td->freerun.is_blind;
}

static bool may_begin_locked(struct tg_device *td, struct tg_chan *chan)
{
	u64 now = ktime_get_ns();

	lockdep_assert_held(&td->lock);
	return now >= td->freerun.not_before_ns && !td->bypass && !td->polled &&
	       !trace_tg_arrive_enabled() &&
	       tg_sched_may_run_free(&td->sched, &chan->client->task, shares_locked(chan),
				     now);
}

static bool may_join_locked(struct tg_device *td, struct tg_chan *chan)
{
	lockdep_assert_held(&td->lock);
	return !td->freerun.nr_clients || chan->client->nr_free ||
	       (shares_locked(chan) &&
		tg_sched_may_join_free(&td->sched, &chan->client->task));
}

/* Whether the newest group of the ring is known, or one is on its way that may be it. */
static bool is_known_locked(struct tg_device *td, const struct tg_chan *chan,
			    const struct dma_fence *newest)
{
	const struct tg_dev_group *last;

	lockdep_assert_held(&td->lock);
	if (list_empty(&chan->ring.groups))
		return false;
	last = list_last_entry(&chan->ring.groups, struct tg_dev_group, ring_node);
	return !last->fence || tg_seq_passed(last->fence->seqno, newest->seqno);
}

/* The newest group of a channel stands for all that it has on the GPU. */
static struct tg_dev_group *take_newest_locked(struct tg_device *td, struct tg_chan *chan)
{
	struct tg_dev_group *taken = NULL;
	struct dma_fence *newest;

	lockdep_assert_held(&td->lock);
	if (td->bypass)
		return NULL;
	newest = tg_runner_newest_locked(chan);
	if (newest && !is_known_locked(td, chan, newest))
		taken = tg_gate_take_locked(chan, newest);
	dma_fence_put(newest);
	return taken;
}

void tg_freerun_end(struct tg_device *td)
{
	struct tg_dev_group *taken[TG_FREERUN_CHANS];
	struct tg_freerun *f = &td->freerun;
	struct tg_freerun_chan *fc;
	unsigned long flags;
	u32 nr = 0;

	spin_lock_irqsave(&td->lock, flags);
	list_for_each_entry(fc, &f->chans, node) {
		taken[nr] = take_newest_locked(td, container_of(fc, struct tg_chan, freerun));
		nr += !!taken[nr];
	}
	f->not_before_ns = max(f->not_before_ns, ktime_get_ns() + PAUSE_NS);
	tg_runner_drop_locked(td);
	spin_unlock_irqrestore(&td->lock, flags);
	while (nr--)
		tg_gate_taken(taken[nr]);
}

/* Returns whether there is one, which is looked at, and which has its turn again last. */
static bool sweep_one_locked(struct tg_device *td, struct tg_dev_group **taken)
{
	struct tg_freerun *f = &td->freerun;
	struct tg_freerun_chan *fc;
	struct tg_chan *chan;
	bool busy;

	lockdep_assert_held(&td->lock);
	*taken = NULL;
	fc = list_first_entry_or_null(&f->loose, struct tg_freerun_chan, loose);
	if (!fc)
		return false;
	chan = container_of(fc, struct tg_chan, freerun);
	/* Before its groups are looked at, or it could send one in between. */
	busy = chan->ops->busy(chan);
	if (!f->on)
		*taken = take_newest_locked(td, chan);
	if (f->nr_sweeps >= NR_SWEEPS && !busy)
		list_del_init(&fc->loose);
	else
		list_move_tail(&fc->loose, &f->loose);
	return true;
}

/*
 * A thread that was let pass can be kept from going on, by another one of its client or by
 * the CPU scheduler, and so be seen by nobody when the others have to ask already.  And it can
 * ask no more, since it waits for a group that hangs.
 */
static void sweep(struct work_struct *work)
{
	struct tg_device *td = container_of(work, struct tg_device, freerun.sweep.work);
	struct tg_freerun *f = &td->freerun;
	struct tg_dev_group *taken;
	struct tg_freerun_chan *fc;
	unsigned int nr = 0;
	bool more = true;

	if (READ_ONCE(f->on) && READ_ONCE(f->lasts))
		tg_freerun_end(td);
	spin_lock_irq(&td->lock);
	list_for_each_entry(fc, &f->loose, loose)
		nr++;
	if (f->nr_sweeps < NR_SWEEPS)
		f->nr_sweeps++;
	while (nr-- && more) {
		more = sweep_one_locked(td, &taken);
		spin_unlock_irq(&td->lock);
		if (taken)
			tg_gate_taken(taken);
		spin_lock_irq(&td->lock);
	}
	if (!list_empty(&f->loose))
		mod_delayed_work(system_wq, &f->sweep,
				 f->nr_sweeps < NR_SWEEPS ? 1UL << f->nr_sweeps : BUSY_SWEEP);
	spin_unlock_irq(&td->lock);
}

void tg_freerun_start(struct tg_device *td)
{
	INIT_DELAYED_WORK(&td->freerun.sweep, sweep);
}

void tg_freerun_stop(struct tg_device *td)
{
	cancel_delayed_work_sync(&td->freerun.sweep);
}

enum verdict {
	GATED,		/* it is to be admitted */
	FREE,
	FULL,		/* the channel has all the groups that it may have */
	ENDS,		/* and scheduling begins */
};

static enum verdict ask_locked(struct tg_chan *chan)
{
	struct tg_device *td = chan->client->td;
	struct tg_freerun_chan *fc = &chan->freerun;
	struct tg_freerun *f = &td->freerun;
	u32 nr;

	lockdep_assert_held(&td->lock);
	if (chan->dead || tg_hang_is_in_way(chan) || fc->inside ||
	    !chan->ops->number(chan, &nr))
		return GATED;
	tg_complete_reap_locked(td, ktime_get_ns());
	fc->context = chan->ops->context(chan);
	if (!f->on && !may_begin_locked(td, chan))
		return GATED;
	if (!f->on)
		tg_runner_begin_locked(td);
	if (f->stop || trace_tg_arrive_enabled())
		return ENDS;
	if (list_empty(&fc->node) &&
	    !(may_join_locked(td, chan) && tg_runner_join_locked(td, chan)))
		return GATED;
	if (!tg_runner_go_locked(td, chan))
		return FULL;
	fc->inside = true;
	return FREE;
}

static int wait_for_room(struct tg_chan *chan)
{
	struct tg_device *td = chan->client->td;
	struct dma_fence *fence;
	long left = 1;

	spin_lock_irq(&td->lock);
	fence = dma_fence_get(chan->freerun.mark);
	spin_unlock_irq(&td->lock);
	if (fence)
		left = dma_fence_wait_timeout(fence, true, msecs_to_jiffies(WAIT_MS));
	dma_fence_put(fence);
	return left < 0 ? left : 0;
}

/* Without the lock: most tasks that are to be gated are seen here. */
static bool is_worth_asking(const struct tg_chan *chan)
{
	const struct tg_device *td = chan->client->td;

	return tg_param_freerun && tg_param_completion != TG_COMPLETE_NOTIFY &&
	       (READ_ONCE(td->freerun.on) ||
		tg_sched_asked_last(&td->sched, &chan->client->task));
}

int tg_freerun_enter(struct tg_chan *chan)
{
	struct tg_device *td = chan->client->td;
	enum verdict verdict;
	int ret;

	while (is_worth_asking(chan)) {
		spin_lock_irq(&td->lock);
		verdict = ask_locked(chan);
		spin_unlock_irq(&td->lock);
		if (verdict == FREE)
			return 1;
		if (verdict == ENDS)
			tg_freerun_end(td);
		if (verdict != FULL)
			return 0;
		ret = wait_for_room(chan);
		if (ret)
			return ret;
	}
	return 0;
}

void tg_freerun_leave(struct tg_chan *chan)
{
	struct tg_device *td = chan->client->td;
	struct tg_dev_group *taken = NULL;

	spin_lock_irq(&td->lock);
	chan->freerun.inside = false;
	/* Of a dead one tg_freerun_close() does: the driver may have freed it by now. */
	if (!chan->dead && !td->freerun.on)
		taken = take_newest_locked(td, chan);
	spin_unlock_irq(&td->lock);
	if (taken)
		tg_gate_taken(taken);
}

void tg_freerun_close(struct tg_chan *chan)
{
	struct tg_device *td = chan->client->td;
	struct tg_dev_group *taken;

	spin_lock_irq(&td->lock);
	taken = chan->gone ? NULL : take_newest_locked(td, chan);
	tg_runner_forget_locked(chan);
	spin_unlock_irq(&td->lock);
	if (taken)
		tg_gate_taken(taken);
}
