// SPDX-License-Identifier: GPL-2.0-only
/*
 * Who runs free: what he has on the GPU, how long that is at work, and how it ends.
 *
 * LoGA's accounting thread polls which channel the GPU is at.  Here that is known, so
 * what is polled is whether the GPU is at work: once in each stretch of four milliseconds,
 * at a random time in it, which stands for the whole of it.
 */
#include <linux/dma-fence.h>
#include <linux/random.h>

#include "tg_chan.h"
#include "tg_client.h"
#include "tg_compat.h"
#include "tg_device.h"
#include "tg_runner.h"

/* One poll in each. */
#define STRETCH_NS (4 * NSEC_PER_MSEC)

/* What is still there after as many polls, sixteen milliseconds, is too much. */
#define LATE_LOOKS 4

static struct tg_chan *chan_of(struct tg_freerun_chan *fc)
{
	return container_of(fc, struct tg_chan, freerun);
}

struct dma_fence *tg_runner_fence(const struct tg_freerun_chan *fc, u64 back)
{
	if (back >= fc->nr || back >= TG_FREERUN_DEPTH)
		return NULL;
	return fc->fence[(fc->nr - 1 - back) % TG_FREERUN_DEPTH];
}

bool tg_runner_has(const struct tg_freerun_chan *fc, u64 back)
{
	struct dma_fence *fence = tg_runner_fence(fc, back);

	return fence && !tg_compat_fence_passed(fence);
}

static void add_fence_locked(struct tg_device *td, struct tg_freerun_chan *fc,
			     struct dma_fence *fence)
{
	struct dma_fence **slot = &fc->fence[fc->nr % TG_FREERUN_DEPTH];

	lockdep_assert_held(&td->lock);
	dma_fence_put(*slot);
	*slot = dma_fence_get(fence);
	fc->nr++;
}

static void leave_list_locked(struct tg_device *td, struct tg_freerun_chan *fc)
{
	lockdep_assert_held(&td->lock);
	list_del_init(&fc->node);
	td->freerun.nr_chans--;
	for (unsigned int i = 0; i < TG_FREERUN_DEPTH; i++) {
		dma_fence_put(fc->fence[i]);
		fc->fence[i] = NULL;
	}
	fc->nr = 0;
	fc->looked_nr = 0;
	fc->late = 0;
}

/*
 * Accounting.
 */

/* One that the GPU may have a group of: of what is on its way it is not known yet. */
static struct tg_chan *active_chan_locked(struct tg_device *td)
{
	const struct tg_freerun *f = &td->freerun;
	struct tg_freerun_chan *fc;

	lockdep_assert_held(&td->lock);
	if (f->inside && f->inside->client == f->client)
		return f->inside;
	list_for_each_entry(fc, &f->chans, node)
		if (tg_runner_has(fc, 0))
			return chan_of(fc);
	return NULL;
}

/*
 * The GPU does not work for a channel that waits for a semaphore.  Groups that were gated
 * pay for all the time that they are there.
 */
static void account_locked(struct tg_device *td, u64 now)
{
	struct tg_chan *chan = active_chan_locked(td);

	lockdep_assert_held(&td->lock);
	if (td->sched.nr_online || td->sched.nr_aside || !chan || !chan->ops->engine(chan))
		return;
	tg_sched_use(&td->sched, &chan->client->task, STRETCH_NS, now);
	chan->ops->charge(chan, STRETCH_NS);
}

/* Whether what the channel had on the GPU some polls ago is still there. */
static bool is_behind(struct tg_freerun_chan *fc)
{
	if (fc->looked_nr && tg_runner_has(fc, fc->nr - fc->looked_nr)) {
		fc->late++;
	} else {
		fc->looked_nr = fc->nr;
		fc->late = 0;
	}
	return fc->late >= LATE_LOOKS;
}

/* Returns whether it is to be looked again: it has done something, or is about to. */
static bool look_locked(struct tg_device *td, u64 now)
{
	struct tg_freerun *f = &td->freerun;
	struct tg_freerun_chan *fc;

	lockdep_assert_held(&td->lock);
	if (!f->client)
		return false;
	account_locked(td, now);
	list_for_each_entry(fc, &f->chans, node)
		f->stop |= is_behind(fc);
	return active_chan_locked(td);
}

static ktime_t time_in(u64 stretch_ns)
{
	return ns_to_ktime(stretch_ns + get_random_u32() % STRETCH_NS);
}

static enum hrtimer_restart look(struct hrtimer *timer)
{
	struct tg_device *td = container_of(timer, struct tg_device, freerun.look);
	struct tg_freerun *f = &td->freerun;
	unsigned long flags;
	bool again;

	spin_lock_irqsave(&td->lock, flags);
	f->stretch_ns += STRETCH_NS;
	again = look_locked(td, ktime_get_ns());
	f->looking = again;
	if (again)
		hrtimer_set_expires(timer, time_in(f->stretch_ns));
	spin_unlock_irqrestore(&td->lock, flags);
	return again ? HRTIMER_RESTART : HRTIMER_NORESTART;
}

/* From now on it may be at work; what is left of a stretch has had its poll. */
static void begin_looking_locked(struct tg_device *td)
{
	struct tg_freerun *f = &td->freerun;

	lockdep_assert_held(&td->lock);
	if (f->looking)
		return;
	f->looking = true;
	f->stretch_ns = max(f->stretch_ns, ktime_get_ns());
	hrtimer_start(&f->look, time_in(f->stretch_ns), HRTIMER_MODE_ABS);
}

void tg_runner_begin_locked(struct tg_device *td, struct tg_client *client)
{
	struct tg_freerun *f = &td->freerun;

	lockdep_assert_held(&td->lock);
	f->stop = false;
	f->nr_times++;
	WRITE_ONCE(f->client, client);
}

void tg_runner_drop_locked(struct tg_device *td)
{
	struct tg_freerun *f = &td->freerun;
	struct tg_freerun_chan *fc, *n;

	lockdep_assert_held(&td->lock);
	if (!f->client)
		return;
	list_for_each_entry_safe(fc, n, &f->chans, node)
		leave_list_locked(td, fc);
	WRITE_ONCE(f->client, NULL);
}

void tg_runner_forget_locked(struct tg_chan *chan)
{
	struct tg_device *td = chan->client->td;

	lockdep_assert_held(&td->lock);
	if (!list_empty(&chan->freerun.node))
		leave_list_locked(td, &chan->freerun);
	if (td->freerun.client == chan->client && !td->freerun.nr_chans)
		tg_runner_drop_locked(td);
}

void tg_runner_pushed_locked(struct tg_device *td, struct tg_chan *chan,
			     struct dma_fence *fence)
{
	lockdep_assert_held(&td->lock);
	add_fence_locked(td, &chan->freerun, fence);
	chan->client->task.nr_groups++;
	td->freerun.nr_groups++;
	begin_looking_locked(td);
}

/* A free place among the channels, or the one that it has. */
bool tg_runner_join_locked(struct tg_device *td, struct tg_chan *chan)
{
	struct tg_freerun *f = &td->freerun;

	lockdep_assert_held(&td->lock);
	if (!list_empty(&chan->freerun.node))
		return true;
	if (f->nr_chans >= TG_FREERUN_CHANS)
		return false;
	list_add_tail(&chan->freerun.node, &f->chans);
	f->nr_chans++;
	return true;
}

void tg_runner_start(struct tg_device *td)
{
	INIT_LIST_HEAD(&td->freerun.chans);
	tg_compat_hrtimer_setup(&td->freerun.look, look, CLOCK_MONOTONIC, HRTIMER_MODE_ABS);
}

void tg_runner_stop(struct tg_device *td)
{
	hrtimer_cancel(&td->freerun.look);
	WARN_ON(td->freerun.client || td->freerun.nr_chans);
}
