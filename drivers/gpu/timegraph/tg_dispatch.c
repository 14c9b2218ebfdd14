// SPDX-License-Identifier: GPL-2.0-only
/*
 * Who goes next: after whatever has changed, the scheduler is asked, the threads of
 * the groups that may go are woken, and the timers are set by which it is looked again.
 */
#include <linux/completion.h>
#include <linux/hrtimer.h>
#include <linux/list.h>
#include <linux/math64.h>

#include "tg_compat.h"
#include "tg_dev_group.h"
#include "tg_device.h"
#include "tg_dispatch.h"
#include "tg_lease.h"
#include "tg_params.h"
#include "tg_reservation.h"
#include "tg_ring.h"
#include "tg_trace.h"

/* Between two parts of what is too much for once; others have the lock and the CPU. */
#define PART_GAP_NS (20 * NSEC_PER_USEC)

/* Groups that are sent back at once: for each a thread is woken. */
#define REFUSED_MAX 4

/* The timer may fire for nothing, but not late. */
static void arm_replenish(struct tg_device *td, u64 now)
{
	u64 next = tg_sched_next_timer(&td->sched);

	lockdep_assert_held(&td->lock);
	if (td->lost.more ||
	    (td->bypass && (td->sched.nr_waiting || td->sched.nr_throttled)))
		next = now;
	if (next && next <= now)
		next = now + PART_GAP_NS;
	/* The timer's times have a sign. */
	next = min_t(u64, next, KTIME_MAX);
	if (!next || (hrtimer_is_queued(&td->replenish) &&
		      ktime_to_ns(hrtimer_get_expires(&td->replenish)) <= (s64)next))
		return;
	hrtimer_start(&td->replenish, ns_to_ktime(next), HRTIMER_MODE_ABS);
}

bool tg_dispatch_is_awaited_locked(const struct tg_device *td)
{
	lockdep_assert_held(&td->lock);
	return td->sched.nr_waiting || td->stage.behind;
}

/* Who pays is told by looks: nobody is to know when they come, or to draw anew. */
static bool has_others_beside(const struct tg_device *td)
{
	return td->sched.nr_aside && td->sched.nr_aside + td->sched.nr_online > 1;
}

static u64 watchdog_period(const struct tg_device *td)
{
	u64 period = (u64)tg_param_poll_ms * NSEC_PER_MSEC;

	if (td->polled)
		return TG_POLL_FENCE_NS;
	if (has_others_beside(td))
		return td->look_in_ns ?: TG_IDLE_LOOK_NS / 2;
	return tg_dispatch_is_awaited_locked(td) ? min_t(u64, period, TG_IDLE_LOOK_NS) : period;
}

/* Ticks are those of the clock, whenever a group began. */
static u64 next_look(const struct tg_device *td, u64 now)
{
	u64 tick = (u64)tg_param_tick_us * NSEC_PER_USEC;
	u64 next = now + watchdog_period(td);

	if (tick)
		return (div64_u64(now, tick) + 1) * tick;
	if (td->sched.nr_waiting && td->lost.look_ns)
		next = min(next, max(td->lost.look_ns, now + PART_GAP_NS));
	return next;
}

static void arm_watchdog(struct tg_device *td, u64 now)
{
	u64 next = next_look(td, now);

	lockdep_assert_held(&td->lock);
	if (!td->sched.nr_online && !td->sched.nr_aside)
		return;
	if (hrtimer_is_queued(&td->watchdog) &&
	    ktime_to_ns(hrtimer_get_expires(&td->watchdog)) <= (s64)next)
		return;
	hrtimer_start(&td->watchdog, ns_to_ktime(next), HRTIMER_MODE_ABS);
}

void tg_dispatch_ask_again_locked(struct tg_device *td, struct tg_dev_group *dg, u64 now)
{
	lockdep_assert_held(&td->lock);
	dg->again = true;
	complete(&dg->granted);
	tg_dispatch_drop_locked(td, dg, now);
}

/* Wakes the owners of all groups that may start. */
static void wake_locked(struct tg_device *td, u64 now)
{
	unsigned int refused = 0;
	struct tg_group *g;

	lockdep_assert_held(&td->lock);
	td->lost.more = false;
	while (!td->lost.more && (g = tg_sched_next(&td->sched, now))) {
		struct tg_dev_group *dg = to_dev_group(g);

		if (tg_lease_is_refused_locked(td, dg, now) ||
		    (!td->bypass && tg_ring_is_in_way(dg->ring))) {
			tg_dispatch_ask_again_locked(td, dg, now);
			td->lost.more = ++refused == REFUSED_MAX;
			continue;
		}
		trace_tg_dispatch(td, dg, now);
		tg_lease_begins_locked(td, dg, now);
		dg->offered_ns = dg->sleeps ? now : 0;
		complete(&dg->granted);
	}
}

/* One that waited goes on unscheduled; the sleeper drops its own reference. */
static void release_locked(struct tg_device *td, struct tg_dev_group *dg)
{
	lockdep_assert_held(&td->lock);
	trace_tg_drop(td, dg, true);
	dg->released = true;
	td->count.ungated++;
	complete(&dg->granted);
	tg_dev_group_put(dg);
}

void tg_dispatch_drop_locked(struct tg_device *td, struct tg_dev_group *dg, u64 now)
{
	lockdep_assert_held(&td->lock);
	trace_tg_drop(td, dg, tg_dev_group_is_waiting(dg));
	tg_lease_end_locked(td, dg, now);
	tg_sched_cancel(&td->sched, &dg->group, now);
	tg_ring_leave_locked(td, dg, false);
	tg_dev_group_put(dg);
}

void tg_dispatch_leave_locked(struct tg_device *td, struct tg_dev_group *dg,
			      struct tg_ticket *ticket, u64 now)
{
	lockdep_assert_held(&td->lock);
	trace_tg_drop(td, dg, true);
	tg_sched_leave(&td->sched, &dg->group, ticket, now);
	tg_dev_group_put(dg);
}

static struct tg_dev_group *pop(struct list_head *groups)
{
	struct tg_group *g = list_first_entry_or_null(groups, struct tg_group,
						      node);

	if (!g)
		return NULL;
	list_del_init(&g->node);
	return to_dev_group(g);
}

static void release_all_locked(struct tg_device *td, struct list_head *waiting)
{
	struct tg_dev_group *dg;

	lockdep_assert_held(&td->lock);
	while ((dg = pop(waiting)))
		release_locked(td, dg);
}

/* The groups of a channel, or of all: who waits goes on unscheduled. */
bool tg_dispatch_forget_locked(struct tg_device *td, struct tg_task *task,
			       const struct tg_chan *chan, u64 now)
{
	LIST_HEAD(online);
	LIST_HEAD(waiting);
	struct tg_dev_group *dg;
	bool more;

	lockdep_assert_held(&td->lock);
	more = tg_sched_drain(&td->sched, task, chan, &online, &waiting, now);
	while ((dg = pop(&online))) {
		trace_tg_drop(td, dg, false);
		tg_lease_end_locked(td, dg, now);
		tg_ring_leave_locked(td, dg, false);
		tg_dev_group_put(dg);
	}
	release_all_locked(td, &waiting);
	return more;
}

bool tg_dispatch_release_locked(struct tg_device *td, struct tg_task *task,
				const struct tg_chan *chan, u64 now)
{
	LIST_HEAD(waiting);
	bool more;

	lockdep_assert_held(&td->lock);
	more = tg_sched_drain_waiting(&td->sched, task, chan, &waiting, now);
	release_all_locked(td, &waiting);
	return more;
}

void tg_dispatch_locked(struct tg_device *td, u64 now)
{
	lockdep_assert_held(&td->lock);
	tg_reservation_expire_locked(td, now);
	/* Of those that waited some may be left. */
	if (td->bypass)
		tg_dispatch_release_locked(td, NULL, NULL, now);
	wake_locked(td, now);
	tg_lease_look_locked(td, now);
	arm_replenish(td, now);
	arm_watchdog(td, now);
}

static enum hrtimer_restart replenish(struct hrtimer *timer)
{
	struct tg_device *td = container_of(timer, struct tg_device, replenish);
	unsigned long flags;

	spin_lock_irqsave(&td->lock, flags);
	tg_dispatch_locked(td, ktime_get_ns());
	spin_unlock_irqrestore(&td->lock, flags);
	/* Started anew by the dispatch if somebody still waits. */
	return HRTIMER_NORESTART;
}

void tg_dispatch_start(struct tg_device *td)
{
	tg_compat_hrtimer_setup(&td->replenish, replenish, CLOCK_MONOTONIC,
				HRTIMER_MODE_ABS);
}

void tg_dispatch_stop(struct tg_device *td)
{
	hrtimer_cancel(&td->replenish);
	WARN_ON(td->sched.nr_online || td->sched.nr_aside ||
		td->sched.nr_waiting || td->sched.nr_throttled || td->nr_hung);
}
