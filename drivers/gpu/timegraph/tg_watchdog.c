// SPDX-License-Identifier: GPL-2.0-only
/*
 * What happens when a group does not come out at the other end.
 *
 * A group that has ended unheard is completed by looking at its fence.  One that
 * stays longer than hang_ms is taken for stuck: its channel's groups leave the
 * list so that the others go on, and the channel is not scheduled until they end.
 * After STUCK_LIMIT in a row, with nothing completed in between, it is the GPU
 * that hangs, and scheduling stops with a reason.
 */
#include <linux/list.h>
#include <linux/math64.h>

#include "attach/tg_attach.h"
#include "tg_chan.h"
#include "tg_client.h"
#include "tg_dev_group.h"
#include "tg_complete.h"
#include "tg_device.h"
#include "tg_dispatch.h"
#include "tg_events.h"
#include "tg_params.h"
#include "tg_trace.h"
#include "tg_watchdog.h"

#define STUCK_LIMIT 3

/*
 * GPUs, and those of them that nothing is scheduled on for long.  The lock is
 * inside of tg_device.lock.
 */
static DEFINE_SPINLOCK(idle_lock);
static unsigned int nr_devices, nr_lasting;

const char *tg_bypass_reason(const struct tg_device *td)
{
	if (td->bypass & TG_BYPASS_HANG)
		return "the GPU stopped completing groups";
	if (td->bypass & TG_BYPASS_USER)
		return "asked for";
	if (td->bypass & TG_BYPASS_SUSPEND)
		return "suspended";
	return NULL;
}

/* Tells the hooks whether there is anything to see. */
static void count_idle(int devices_more, int lasting_more)
{
	unsigned long flags;

	spin_lock_irqsave(&idle_lock, flags);
	nr_devices += devices_more;
	nr_lasting += lasting_more;
	tg_attach_set_idle(nr_devices && nr_devices == nr_lasting);
	spin_unlock_irqrestore(&idle_lock, flags);
}

static void set_bypass_locked(struct tg_device *td, unsigned int bypass)
{
	bool was = td->bypass & TG_BYPASS_LASTING;
	bool is = bypass & TG_BYPASS_LASTING;

	lockdep_assert_held(&td->lock);
	td->bypass = bypass;
	if (was != is)
		count_idle(0, is ? 1 : -1);
}

static void bypass_locked(struct tg_device *td, unsigned int bits)
{
	lockdep_assert_held(&td->lock);
	set_bypass_locked(td, td->bypass | bits);
	trace_tg_bypass(td, tg_bypass_reason(td));
	tg_events_post(TIMEGRAPH_EVENT_BYPASS);
	tg_dispatch_forget_locked(td, NULL, ktime_get_ns());
}

void tg_bypass_set(struct tg_device *td, unsigned int bits)
{
	unsigned long flags;

	spin_lock_irqsave(&td->lock, flags);
	bypass_locked(td, bits);
	spin_unlock_irqrestore(&td->lock, flags);
}

void tg_bypass_clear(struct tg_device *td, unsigned int bits)
{
	unsigned long flags;

	spin_lock_irqsave(&td->lock, flags);
	set_bypass_locked(td, td->bypass & ~bits);
	td->stuck_in_a_row = 0;
	/* nouveau sets it to the CPU's when the GPU wakes up. */
	tg_sched_clock_set(&td->sched);
	trace_tg_bypass(td, tg_bypass_reason(td));
	tg_events_post(TIMEGRAPH_EVENT_BYPASS);
	spin_unlock_irqrestore(&td->lock, flags);
}

/*
 * A NOTIFY did not come although its group ended.  The channel falls back to
 * fences with its next group: asking nouveau for the fence event takes locks
 * under which that event is delivered, so it cannot be done here.
 */
static void notify_missed_locked(struct tg_device *td, struct tg_chan *chan)
{
	lockdep_assert_held(&td->lock);
	if (chan->backend == TG_BACKEND_NOTIFY && ++chan->missed == TG_MISSED_LIMIT)
		tg_notice_locked(&td->notices, KERN_WARNING,
				 "no NOTIFY from channel %d (%s), using fences for it",
				 chan->chid, chan->client->comm);
}

/*
 * The channel of @dg hangs: all that it has on the GPU leaves the list, and it
 * is not scheduled until the last of that has ended.
 */
static void stuck_locked(struct tg_device *td, struct tg_dev_group *dg, u64 now)
{
	struct tg_chan *chan = dg->chan;
	struct tg_group *g, *n;

	lockdep_assert_held(&td->lock);
	tg_notice_locked(&td->notices, KERN_WARNING,
			 "a group of channel %d (%s) is on the GPU for %llu ms: stuck",
			 chan->chid, chan->client->comm,
			 div_u64(now - dg->group.start_ns, NSEC_PER_MSEC));
	td->count.stuck++;
	dma_fence_put(chan->stuck);
	chan->stuck = dma_fence_get(dg->fence);
	tg_sched_for_each_online_safe(g, n, &td->sched) {
		struct tg_dev_group *c = to_dev_group(g);

		if (c->chan != chan || !c->fence)
			continue;
		if (tg_seq_passed(c->fence->seqno, chan->stuck->seqno)) {
			dma_fence_put(chan->stuck);
			chan->stuck = dma_fence_get(c->fence);
		}
		tg_sched_cancel(&td->sched, g, now);
		trace_tg_complete(td, c, TG_COMPLETION_STUCK);
		tg_dev_group_put(c);
	}
	if (++td->stuck_in_a_row < STUCK_LIMIT)
		return;
	tg_notice_locked(&td->notices, KERN_ERR,
			 "the GPU completes nothing any more: bypass");
	bypass_locked(td, TG_BYPASS_HANG);
}

/*
 * Looks at one online group.  Returns true if the list changed in a way that
 * makes the walk over it start anew.
 */
static bool check_online_locked(struct tg_device *td, struct tg_dev_group *dg,
				u64 now)
{
	u64 hang_ns = (u64)tg_param_hang_ms * NSEC_PER_MSEC;
	u64 since = max(dg->group.start_ns, td->sched.last_finish_ns);

	lockdep_assert_held(&td->lock);
	if (!dg->fence) {
		/* Its thread hangs, not the GPU. */
		if (now - dg->group.start_ns < hang_ns)
			return false;
		td->count.abandoned++;
		tg_dispatch_drop_locked(td, dg, now);
	} else if (tg_dev_group_fence_passed(dg)) {
		if (dg->chan->polled) {
			tg_complete_locked(td, dg, now, TG_COMPLETION_FENCE);
			return false;
		}
		if (!dg->overdue) {
			dg->overdue = true;
			return false;
		}
		notify_missed_locked(td, dg->chan);
		tg_complete_locked(td, dg, now, TG_COMPLETION_POLL);
	} else if (now > since && now - since >= hang_ns) {
		stuck_locked(td, dg, now);
		return true;
	}
	return false;
}

/*
 * Runs every poll_ms while a group is online.  A group that has ended is
 * completed at the second look, so that its interrupt had one period to arrive.
 */
static enum hrtimer_restart watchdog(struct hrtimer *timer)
{
	struct tg_device *td = container_of(timer, struct tg_device, watchdog);
	struct tg_group *g, *n;
	unsigned long flags;
	u64 now;

	spin_lock_irqsave(&td->lock, flags);
	now = ktime_get_ns();
restart:
	tg_sched_for_each_online_safe(g, n, &td->sched)
		if (check_online_locked(td, to_dev_group(g), now))
			goto restart;
	/* Not forwarded: another CPU may have started the timer meanwhile. */
	tg_dispatch_locked(td, now);
	spin_unlock_irqrestore(&td->lock, flags);
	return HRTIMER_NORESTART;
}

void tg_watchdog_start(struct tg_device *td)
{
	tg_compat_hrtimer_setup(&td->watchdog, watchdog, CLOCK_MONOTONIC,
				HRTIMER_MODE_REL);
	count_idle(1, 0);
}

void tg_watchdog_stop(struct tg_device *td)
{
	hrtimer_cancel(&td->watchdog);
	count_idle(-1, td->bypass & TG_BYPASS_LASTING ? -1 : 0);
}
