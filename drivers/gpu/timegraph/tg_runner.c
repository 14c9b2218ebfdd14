// SPDX-License-Identifier: GPL-2.0-only
/*
 * Who runs free: what they have on the GPU, how long it is at work for each, and how it
 * ends.
 *
 * As LoGA's accounting thread does, it is polled which channel the GPU is at: once in each
 * stretch of four milliseconds, at a random time in it, which stands for the whole of it.
 * If only one task has work, whether the GPU is at work says it all.
 */
#include <linux/dma-fence.h>
#include <linux/random.h>

#include "tg_chan.h"
#include "tg_client.h"
#include "tg_complete.h"
#include "tg_compat.h"
#include "tg_device.h"
#include "tg_notice.h"
#include "tg_runner.h"
#include "tg_see.h"

/* One poll in each. */
#define STRETCH_NS (4 * NSEC_PER_MSEC)

/*
 * What is still there after as many polls, for each task that has work, is too much: 16 ms
 * are twice what TG_FREERUN_DEPTH_NS lets a channel have.
 */
#define LATE_LOOKS 4
/* At so many in a row the GPU was with none of those that have work: it cannot be told. */
#define LOST_LOOKS 256

/*
 * After so many groups it is not waited for any more that what nouveau does must be seen.
 * To see a group costs 2 us of a CPU; to change costs 10 ms of one, and so does the way back,
 * in which who has no other CPU sends nothing.  So a change pays after 10,000 groups, and it
 * takes more of them each time that it did not pay.
 */
#define QUIET_MIN 20000ULL
#define QUIET_MAX (16 * QUIET_MIN)

/* How long nobody runs free after somebody was ahead: longer each time that it comes again. */
#define PAUSE_MIN_NS (2 * NSEC_PER_SEC)
#define PAUSE_MAX_NS (64 * NSEC_PER_SEC)

static struct tg_chan *chan_of(struct tg_freerun_chan *fc)
{
	return container_of(fc, struct tg_chan, freerun);
}

static void set_fence(struct dma_fence **p, struct dma_fence *fence)
{
	dma_fence_put(*p);
	*p = fence;
}

struct dma_fence *tg_runner_newest_locked(struct tg_chan *chan)
{
	struct dma_fence *fence;

	lockdep_assert_held(&chan->client->td->lock);
	fence = chan->ops->newest(chan);
	if (fence && tg_compat_fence_passed(fence))
		set_fence(&fence, NULL);
	return fence;
}

static bool has_work_locked(struct tg_chan *chan)
{
	struct dma_fence *fence = tg_runner_newest_locked(chan);

	dma_fence_put(fence);
	return fence;
}

/* What went since it was counted last. */
static void count_locked(struct tg_device *td, struct tg_chan *chan)
{
	struct tg_freerun_chan *fc = &chan->freerun;
	u32 nr;

	lockdep_assert_held(&td->lock);
	if (!chan->ops->number(chan, &nr))
		return;
	chan->client->task.nr_groups += nr - fc->nr;
	td->freerun.nr_groups += nr - fc->nr;
	fc->nr = nr;
}

/* A thread may be on its way all the same, with what it was let before. */
static void leave_list_locked(struct tg_device *td, struct tg_freerun_chan *fc)
{
	struct tg_chan *chan = chan_of(fc);

	lockdep_assert_held(&td->lock);
	atomic_set(fc->pass, 0);
	count_locked(td, chan);
	list_del_init(&fc->node);
	td->freerun.nr_chans--;
	td->freerun.nr_clients -= !--chan->client->nr_free;
	set_fence(&fc->mark, NULL);
	set_fence(&fc->looked, NULL);
	fc->late = 0;
	list_move_tail(&fc->loose, &td->freerun.loose);
}

/*
 * Accounting.
 */

/**
 * struct activity - who has work at a poll
 * @task: each of them
 * @nr: how many
 * @chan: a channel with work, the one that the GPU is at if it is at one
 * @at: it is
 */
struct activity {
	struct tg_polled_task *task[TG_FREERUN_CHANS];
	u32 nr;
	struct tg_chan *chan;
	bool at;
};

static void add_once(struct activity *a, struct tg_polled_task *task)
{
	for (u32 i = 0; i < a->nr; i++)
		if (a->task[i] == task)
			return;
	a->task[a->nr++] = task;
}

/*
 * What is on its way the GPU may have: its fence is not there yet.  But a program can be
 * on its way for long, so among several that counts only if the GPU is at it.
 */
static void find_active_locked(struct tg_device *td, struct activity *a)
{
	const struct tg_freerun *f = &td->freerun;
	bool is_read = f->nr_clients == 1, has, at;
	struct tg_freerun_chan *fc;
	u32 context = 0;

	lockdep_assert_held(&td->lock);
	list_for_each_entry(fc, &f->chans, node) {
		has = has_work_locked(chan_of(fc));
		if (!has && !fc->inside)
			continue;
		if (!is_read)
			context = chan_of(fc)->ops->engine_context(chan_of(fc));
		is_read = true;
		at = context && fc->context == context;
		if (!has && !at && f->nr_clients > 1)
			continue;
		add_once(a, &chan_of(fc)->client->polled);
		if (!a->chan || at)
			a->chan = chan_of(fc);
		a->at |= at;
	}
}

/* The others are to catch up when all are gated again, and that lasts. */
static void end_for_locked(struct tg_device *td, struct tg_task *task, u64 ahead, u64 now)
{
	struct tg_freerun *f = &td->freerun;

	lockdep_assert_held(&td->lock);
	if (now - f->began_ns > 16 * f->pause_ns)
		f->pause_ns = 0;
	f->pause_ns = clamp_t(u64, 2 * f->pause_ns, PAUSE_MIN_NS, PAUSE_MAX_NS);
	f->not_before_ns = now + f->pause_ns;
	tg_freerun_call_off(f);
	f->nr_ahead++;
	tg_sched_hold(&td->sched, task, ahead);
}

static void compare_locked(struct tg_device *td, const struct activity *a, u64 now)
{
	struct tg_freerun *f = &td->freerun;
	struct tg_client *client = a->chan->client;
	u64 ahead;

	lockdep_assert_held(&td->lock);
	ahead = tg_polled_saw(&f->polled, a->task, a->nr, &client->polled, STRETCH_NS);
	if (ahead && !f->stop)
		end_for_locked(td, &client->task, ahead, now);
}

/* If it cannot be told who has what, only one may have it. */
static void lose_locked(struct tg_device *td)
{
	struct tg_freerun *f = &td->freerun;

	lockdep_assert_held(&td->lock);
	if (++f->nr_lost < LOST_LOOKS)
		return;
	if (!f->is_blind)
		tg_notice_locked(&td->notices, KERN_NOTICE,
				 "it cannot be told which channel the GPU is at: no two run free");
	f->is_blind = true;
	tg_freerun_call_off(f);
}

/*
 * The GPU does not work for a channel that waits for a semaphore.  Groups that were gated
 * pay for all the time that they are there: not one that has its turn and that the GPU does
 * not have yet, which a user can make last.
 */
static void account_locked(struct tg_device *td, const struct activity *a, u64 now)
{
	struct tg_chan *chan = a->chan;

	lockdep_assert_held(&td->lock);
	if (td->count.running || !chan || !chan->ops->engine(chan))
		return;
	if (a->nr > 1 && !a->at) {
		lose_locked(td);
		return;
	}
	td->freerun.nr_lost = 0;
	tg_sched_use(&td->sched, &chan->client->task, STRETCH_NS, now);
	chan->ops->charge(chan, STRETCH_NS);
	compare_locked(td, a, now);
}

/* Whether what the channel had on the GPU some polls ago is still there. */
static bool is_behind_locked(struct tg_chan *chan, u32 nr_active)
{
	struct tg_freerun_chan *fc = &chan->freerun;

	lockdep_assert_held(&chan->client->td->lock);
	if (fc->looked && !tg_compat_fence_passed(fc->looked)) {
		fc->late++;
	} else {
		set_fence(&fc->looked, tg_runner_newest_locked(chan));
		fc->late = 0;
	}
	return fc->late >= LATE_LOOKS * nr_active;
}

/* Not by who asks next, who may be waiting for just that. */
static void end_soon_locked(struct tg_device *td)
{
	struct tg_freerun *f = &td->freerun;

	lockdep_assert_held(&td->lock);
	f->stop = true;
	if (f->lasts)
		return;
	WRITE_ONCE(f->lasts, true);
	mod_delayed_work(system_wq, &f->sweep, 0);
}

static u64 quiet_after(const struct tg_freerun *f)
{
	return max(f->quiet_after, QUIET_MIN);
}

static void end_quiet_locked(struct tg_device *td)
{
	struct tg_freerun *f = &td->freerun;
	u64 after = quiet_after(f);

	lockdep_assert_held(&td->lock);
	if (!f->quiet)
		return;
	f->quiet = false;
	f->quiet_after = f->nr_groups - f->quiet_from < after ? min(2 * after, QUIET_MAX) : after / 2;
	tg_see_count(0, 0, -1);
}

static void become_quiet_locked(struct tg_device *td)
{
	struct tg_freerun *f = &td->freerun;

	lockdep_assert_held(&td->lock);
	if (f->quiet || f->nr_groups - f->quiet_from < quiet_after(f))
		return;
	f->quiet = true;
	f->quiet_from = f->nr_groups;
	tg_see_count(0, 0, 1);
}

/*
 * Returns whether it is to be looked again: somebody has work, or is about to.  If not, the
 * next group has to be seen, to begin again.
 */
static bool look_locked(struct tg_device *td, u64 now)
{
	struct tg_freerun *f = &td->freerun;
	struct tg_freerun_chan *fc;
	struct activity a = {};
	bool behind = false;

	lockdep_assert_held(&td->lock);
	tg_complete_reap_locked(td, now);
	find_active_locked(td, &a);
	account_locked(td, &a, now);
	list_for_each_entry(fc, &f->chans, node) {
		count_locked(td, chan_of(fc));
		behind |= is_behind_locked(chan_of(fc), max(a.nr, 1U));
	}
	if (behind)
		end_soon_locked(td);
	if (!a.nr || f->stop)
		tg_freerun_see_next(f);
	if (f->on && !f->stop)
		become_quiet_locked(td);
	return a.nr;
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

void tg_runner_begin_locked(struct tg_device *td)
{
	struct tg_freerun *f = &td->freerun;

	lockdep_assert_held(&td->lock);
	f->stop = false;
	WRITE_ONCE(f->lasts, false);
	f->nr_lost = 0;
	f->nr_times++;
	f->began_ns = ktime_get_ns();
	f->quiet_from = f->nr_groups;
	tg_polled_begin(&f->polled);
	WRITE_ONCE(f->on, true);
}

void tg_runner_drop_locked(struct tg_device *td)
{
	struct tg_freerun *f = &td->freerun;
	struct tg_freerun_chan *fc, *n;

	lockdep_assert_held(&td->lock);
	list_for_each_entry_safe(fc, n, &f->chans, node)
		leave_list_locked(td, fc);
	end_quiet_locked(td);
	WRITE_ONCE(f->on, false);
	f->nr_sweeps = 0;
	if (!list_empty(&f->loose))
		mod_delayed_work(system_wq, &f->sweep, 1);
}

void tg_runner_forget_locked(struct tg_chan *chan)
{
	struct tg_device *td = chan->client->td;

	lockdep_assert_held(&td->lock);
	if (!list_empty(&chan->freerun.node))
		leave_list_locked(td, &chan->freerun);
	list_del_init(&chan->freerun.loose);
	if (!td->freerun.nr_chans)
		tg_runner_drop_locked(td);
}

/* How many of its groups are about what one of @nr_chans may have there. */
static u32 depth_of(const struct tg_chan *chan, u32 nr_chans)
{
	u64 cost = max(tg_costs_average(&chan->client->task.costs), 1ULL);
	u64 part = min(TG_FREERUN_DEPTH_NS, div_u64(TG_FREERUN_ALL_NS, nr_chans));

	return clamp_t(u64, div64_u64(part, cost), 2, TG_FREERUN_DEPTH);
}

/* Channels that have nothing there make room. */
static void thin_out_locked(struct tg_device *td)
{
	struct tg_freerun_chan *fc, *n;

	lockdep_assert_held(&td->lock);
	list_for_each_entry_safe(fc, n, &td->freerun.chans, node)
		if (!fc->inside && !has_work_locked(chan_of(fc)))
			leave_list_locked(td, fc);
}

bool tg_runner_join_locked(struct tg_device *td, struct tg_chan *chan)
{
	struct tg_freerun *f = &td->freerun;

	lockdep_assert_held(&td->lock);
	if (f->nr_chans >= TG_FREERUN_CHANS)
		thin_out_locked(td);
	if (f->nr_chans >= TG_FREERUN_CHANS)
		return false;
	chan->freerun.depth = depth_of(chan, f->nr_chans + 1);
	chan->ops->number(chan, &chan->freerun.nr);
	list_add_tail(&chan->freerun.node, &f->chans);
	f->nr_chans++;
	f->nr_clients += !chan->client->nr_free++;
	return true;
}

/*
 * It goes in steps of half of what it may have: the next may be sent when those before the
 * last have ended.
 */
bool tg_runner_go_locked(struct tg_device *td, struct tg_chan *chan)
{
	struct tg_freerun_chan *fc = &chan->freerun;
	u32 step = max(fc->depth / 2, 1U), sent;

	lockdep_assert_held(&td->lock);
	count_locked(td, chan);
	if (!fc->mark || tg_compat_fence_passed(fc->mark)) {
		set_fence(&fc->mark, tg_runner_newest_locked(chan));
		fc->mark_nr = fc->nr;
	}
	sent = fc->nr - fc->mark_nr;
	if (sent >= step)
		return false;
	atomic_set(fc->pass, step - sent - 1);
	begin_looking_locked(td);
	return true;
}

void tg_runner_start(struct tg_device *td)
{
	INIT_LIST_HEAD(&td->freerun.chans);
	INIT_LIST_HEAD(&td->freerun.loose);
	tg_compat_hrtimer_setup(&td->freerun.look, look, CLOCK_MONOTONIC, HRTIMER_MODE_ABS);
}

void tg_runner_stop(struct tg_device *td)
{
	hrtimer_cancel(&td->freerun.look);
	WARN_ON(td->freerun.on || td->freerun.nr_chans);
}
