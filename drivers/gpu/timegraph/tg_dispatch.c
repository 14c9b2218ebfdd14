// SPDX-License-Identifier: GPL-2.0-only
/*
 * Who goes next: after whatever has changed, the scheduler is asked, the threads of
 * the groups that may go are woken, and the timers are set by which it is looked again.
 */
#include <linux/completion.h>
#include <linux/hrtimer.h>
#include <linux/list.h>

#include "tg_compat.h"
#include "tg_dev_group.h"
#include "tg_device.h"
#include "tg_dispatch.h"
#include "tg_params.h"
#include "tg_trace.h"

/* How often fences are looked at that raise no interrupt. */
#define POLL_FENCE_NS (500 * NSEC_PER_USEC)

/* The timer may fire for nothing, but not late. */
static void arm_replenish(struct tg_device *td)
{
	u64 next = tg_sched_next_timer(&td->sched);

	lockdep_assert_held(&td->lock);
	if (!next || (hrtimer_is_queued(&td->replenish) &&
		      ktime_to_ns(hrtimer_get_expires(&td->replenish)) <= (s64)next))
		return;
	hrtimer_start(&td->replenish, ns_to_ktime(next), HRTIMER_MODE_ABS);
}

static void arm_watchdog(struct tg_device *td)
{
	ktime_t period = td->polled ? ns_to_ktime(POLL_FENCE_NS) :
				      ms_to_ktime(tg_param_poll_ms);

	lockdep_assert_held(&td->lock);
	if (td->sched.nr_online && !hrtimer_is_queued(&td->watchdog))
		hrtimer_start(&td->watchdog, period, HRTIMER_MODE_REL);
}

/* Wakes the owners of all groups that may start. */
static void wake_locked(struct tg_device *td, u64 now)
{
	struct tg_group *g;

	lockdep_assert_held(&td->lock);
	while ((g = tg_sched_next(&td->sched, now))) {
		struct tg_dev_group *dg = to_dev_group(g);

		trace_tg_dispatch(td, dg, now);
		complete(&dg->granted);
	}
	arm_replenish(td);
}

void tg_dispatch_locked(struct tg_device *td, u64 now)
{
	lockdep_assert_held(&td->lock);
	wake_locked(td, now);
	arm_watchdog(td);
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
	tg_sched_cancel(&td->sched, &dg->group, now);
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

/* The groups of a channel, or of all: who waits goes on unscheduled. */
void tg_dispatch_forget_locked(struct tg_device *td, struct tg_chan *chan, u64 now)
{
	LIST_HEAD(online);
	LIST_HEAD(waiting);
	struct tg_dev_group *dg;

	lockdep_assert_held(&td->lock);
	tg_sched_drain(&td->sched, chan, &online, &waiting, now);
	while ((dg = pop(&online))) {
		trace_tg_drop(td, dg, false);
		tg_dev_group_put(dg);
	}
	while ((dg = pop(&waiting)))
		release_locked(td, dg);
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
	WARN_ON(td->sched.nr_online || td->sched.nr_waiting ||
		td->sched.nr_throttled);
}
