// SPDX-License-Identifier: GPL-2.0-only
/*
 * What happens when a group does not come out at the other end.
 *
 * A group that has ended unheard is completed by looking at its fence.  One that
 * stays longer than hang_ms is taken for stuck: what follows for its channel is in
 * tg_hang.c.  When it is the GPU that hangs, scheduling stops with a reason, until a
 * group ends.
 */
#include <linux/list.h>
#include <linux/math64.h>
#include <linux/random.h>

#include "tg_chan.h"
#include "tg_client.h"
#include "tg_dev_group.h"
#include "tg_complete.h"
#include "tg_device.h"
#include "tg_dispatch.h"
#include "tg_events.h"
#include "tg_hang.h"
#include "tg_job.h"
#include "tg_lease.h"
#include "tg_params.h"
#include "tg_ring.h"
#include "tg_runner.h"
#include "tg_see.h"
#include "tg_stage.h"
#include "tg_trace.h"
#include "tg_watchdog.h"

/* Once can be chance: between two groups, or before the GPU has got to it. */
#define IDLE_LOOKS 3
/* By turns the GPU can be at one that was set aside: so often it is not just the other's. */
#define AWAY_LOOKS 60

/* How often it is looked at least whether those have ended that were set aside. */
#define ASIDE_LOOK_NS (2 * NSEC_PER_MSEC)

/* While somebody waits for what has ended, its interrupt has so long to arrive; else poll_ms. */
#define OVERDUE_NS (10 * NSEC_PER_MSEC)

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

static void set_bypass_locked(struct tg_device *td, unsigned int bypass)
{
	bool was = td->bypass & TG_BYPASS_LASTING;
	bool is = bypass & TG_BYPASS_LASTING;

	lockdep_assert_held(&td->lock);
	td->bypass = bypass;
	if (was != is)
		tg_see_count(0, is ? 1 : -1, 0);
}

static void announce_locked(struct tg_device *td)
{
	lockdep_assert_held(&td->lock);
	trace_tg_bypass(td, tg_bypass_reason(td));
	tg_events_post(TIMEGRAPH_EVENT_BYPASS);
}

void tg_bypass_set(struct tg_device *td, unsigned int bits)
{
	unsigned long flags;
	bool more;

	spin_lock_irqsave(&td->lock, flags);
	tg_complete_reap_locked(td, ktime_get_ns());
	tg_runner_drop_locked(td);
	if (bits & TG_BYPASS_SUSPEND)
		tg_stage_slept_locked(td);
	set_bypass_locked(td, td->bypass | bits);
	announce_locked(td);
	tg_job_forget_locked(td, NULL, ktime_get_ns());
	spin_unlock_irqrestore(&td->lock, flags);
	/* From here on none comes; or scheduling goes on, and who waits may wait. */
	do {
		spin_lock_irqsave(&td->lock, flags);
		more = td->bypass & bits &&
		       tg_dispatch_forget_locked(td, NULL, NULL, ktime_get_ns());
		spin_unlock_irqrestore(&td->lock, flags);
	} while (more);
}

void tg_bypass_clear(struct tg_device *td, unsigned int bits)
{
	unsigned long flags;

	spin_lock_irqsave(&td->lock, flags);
	set_bypass_locked(td, td->bypass & ~bits);
	/* nouveau sets it to the CPU's when the GPU wakes up. */
	tg_sched_clock_set(&td->sched);
	announce_locked(td);
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
 * The GPU hangs: nobody waits for it here.  What it has is kept, to see when it goes on,
 * and who wants to give it more sleeps in nouveau.
 */
static void hang_locked(struct tg_device *td, u64 now)
{
	struct tg_group *g, *n;

	lockdep_assert_held(&td->lock);
	tg_notice_locked(&td->notices, KERN_ERR,
			 "the GPU completes nothing any more: bypass");
	td->hang_ns = now;
	set_bypass_locked(td, td->bypass | TG_BYPASS_HANG);
	announce_locked(td);
	tg_runner_drop_locked(td);
	tg_dispatch_release_locked(td, NULL, NULL, now);
	tg_sched_for_each_aside_safe(g, n, &td->sched)
		wake_up(&to_dev_group(g)->ring->wait);
}

/* It went on, or nobody is left to tell. */
static void end_hang_locked(struct tg_device *td)
{
	lockdep_assert_held(&td->lock);
	if (!(td->bypass & TG_BYPASS_HANG) ||
	    (td->progress_ns <= td->hang_ns && td->sched.nr_aside))
		return;
	tg_notice_locked(&td->notices, KERN_INFO,
			 "the GPU goes on: scheduling again");
	set_bypass_locked(td, td->bypass & ~TG_BYPASS_HANG);
	announce_locked(td);
}

static u64 poll_ns(void)
{
	return (u64)tg_param_poll_ms * NSEC_PER_MSEC;
}

static u64 overdue_ns_locked(const struct tg_device *td)
{
	lockdep_assert_held(&td->lock);
	return tg_dispatch_is_awaited_locked(td) ? min_t(u64, poll_ns(), OVERDUE_NS) : poll_ns();
}

/*
 * Its fence says that it has ended.  Returns true if it was completed, with those before
 * it; false if its interrupt may still arrive.
 */
static bool ended_locked(struct tg_device *td, struct tg_dev_group *dg, u64 now)
{
	enum tg_completion how = TG_COMPLETION_POLL;

	lockdep_assert_held(&td->lock);
	if (dg->chan->polled || !list_empty(&dg->unheard_node)) {
		tg_complete_locked(td, dg, now, TG_COMPLETION_FENCE);
		return true;
	}
	if (!dg->overdue_ns)
		dg->overdue_ns = now;
	if (now - dg->overdue_ns < overdue_ns_locked(td))
		return false;
	if (!tg_complete_by_fence(dg))
		notify_missed_locked(td, dg->chan);
	/* nouveau has a worker tell of fences: others' work makes that late, not lost. */
	else if (now - dg->overdue_ns < poll_ns())
		how = TG_COMPLETION_FENCE;
	tg_complete_locked(td, dg, now, how);
	return true;
}

static bool is_at(struct tg_group *g, u32 context)
{
	const struct tg_dev_group *dg = to_dev_group(g);

	return tg_ring_first(dg->ring) == dg && dg->chan->ops->context(dg->chan) == context;
}

/* The group that the engine is at; NULL: none of those that it has, or it does not tell. */
static struct tg_group *at_engine_locked(struct tg_device *td)
{
	struct tg_group *g = tg_sched_head(&td->sched) ?: tg_sched_first_aside(&td->sched), *n;
	struct tg_chan *chan;
	u32 context;

	lockdep_assert_held(&td->lock);
	if (!g)
		return NULL;
	chan = to_dev_group(g)->chan;
	context = chan->ops->engine(chan) > 0 ? chan->ops->engine_context(chan) : 0;
	if (!context)
		return NULL;
	tg_sched_for_each_online(g, &td->sched)
		if (g->state == TG_GROUP_RUNNING && is_at(g, context))
			return g;
	tg_sched_for_each_aside_safe(g, n, &td->sched)
		if (is_at(g, context))
			return g;
	return NULL;
}

/*
 * How much it says that the GPU is not at @dg now, of AWAY_LOOKS; 0: it may well be.  Behind one
 * that is stuck all others may have to wait for the GPU, if it cannot take that off.
 */
static unsigned int is_away_locked(struct tg_device *td, struct tg_dev_group *dg)
{
	struct tg_group *at;

	lockdep_assert_held(&td->lock);
	if (!dg->chan->ops->engine(dg->chan))
		return AWAY_LOOKS / IDLE_LOOKS;
	at = td->sched.nr_aside ? at_engine_locked(td) : NULL;
	return at && at->state == TG_GROUP_ASIDE && !to_dev_group(at)->ring->stuck;
}

/*
 * Whether the GPU has nothing to do, but of those that were set aside, though it has this
 * group, which began long ago: then it waits for what has not come, and the others need not.
 * Asked only while somebody waits for its end.
 */
static bool waits_locked(struct tg_device *td, struct tg_dev_group *dg, u64 now)
{
	unsigned int away;

	lockdep_assert_held(&td->lock);
	if (!tg_dispatch_is_awaited_locked(td) || !dg->fence || tg_ring_first(dg->ring) != dg ||
	    now < tg_ring_since(dg) + TG_IDLE_LOOK_NS || now < dg->looked_ns + TG_IDLE_LOOK_NS / 2)
		return false;
	dg->looked_ns = now;
	away = is_away_locked(td, dg);
	dg->idle = away ? dg->idle + away : 0;
	return dg->idle >= AWAY_LOOKS;
}

static void lapse_locked(struct tg_device *td, struct tg_dev_group *dg, u64 now)
{
	lockdep_assert_held(&td->lock);
	tg_lease_lapse_locked(td, dg, now);
	tg_dispatch_drop_locked(td, dg, now);
}

/*
 * Looks at one online group.  Returns true if the list changed in a way that
 * makes the walk over it start anew.
 */
static bool check_online_locked(struct tg_device *td, struct tg_dev_group *dg,
				u64 now)
{
	u64 hang_ns = (u64)tg_param_hang_ms * NSEC_PER_MSEC;
	u64 since = tg_ring_since(dg);

	lockdep_assert_held(&td->lock);
	if (tg_dev_group_fence_passed(dg))
		return ended_locked(td, dg, now);
	tg_stage_look_locked(td, dg);
	if (dg->fence && tg_stage_waits_locked(td, dg))
		return false;
	if (waits_locked(td, dg, now)) {
		tg_hang_waits_locked(td, dg, now);
		return true;
	}
	if (tg_lease_is_over_locked(td, dg, now)) {
		lapse_locked(td, dg, now);
		return true;
	}
	if (now <= since || now - since < hang_ns)
		return false;
	if (!dg->fence)
		lapse_locked(td, dg, now);
	else if (tg_hang_found_locked(td, dg, now))
		hang_locked(td, now);
	return true;
}

static bool check_aside_locked(struct tg_device *td, struct tg_dev_group *dg, u64 now)
{
	lockdep_assert_held(&td->lock);
	tg_stage_look_locked(td, dg);
	return tg_dev_group_fence_passed(dg) && ended_locked(td, dg, now);
}

/* Of who has the turn, if somebody, and who was set aside the GPU is at one. */
static void account_locked(struct tg_device *td, u64 now)
{
	struct tg_group *at = td->sched.nr_aside ? at_engine_locked(td) : NULL;

	lockdep_assert_held(&td->lock);
	if (at && at->state == TG_GROUP_ASIDE && td->sched.nr_online)
		to_dev_group(at)->turns->user->worked_ns = now;
	tg_sched_account(&td->sched, at, now);
}

/* Of each a fence is read, which takes as long as some hundred instructions. */
static bool is_time_for_aside(struct tg_device *td, u64 now)
{
	if (now - td->aside_looked_ns < ASIDE_LOOK_NS)
		return false;
	td->aside_looked_ns = now;
	return true;
}

static void look_locked(struct tg_device *td, u64 now)
{
	bool aside = is_time_for_aside(td, now);
	struct tg_group *g, *n;

	lockdep_assert_held(&td->lock);
	if (td->sched.nr_aside)
		td->look_in_ns = TG_IDLE_LOOK_NS / 2 + get_random_u32() % (TG_IDLE_LOOK_NS / 2);
	tg_complete_reap_locked(td, now);
restart:
	tg_sched_for_each_online_safe(g, n, &td->sched)
		if (check_online_locked(td, to_dev_group(g), now))
			goto restart;
	if (aside)
		tg_sched_for_each_aside_safe(g, n, &td->sched)
			if (check_aside_locked(td, to_dev_group(g), now))
				goto restart;
	account_locked(td, now);
	tg_hang_judge_locked(td, now);
	end_hang_locked(td);
}

/*
 * Runs every poll_ms while a group is online.  A group that has ended is
 * completed at the second look, so that its interrupt had one period to arrive.
 */
static enum hrtimer_restart watchdog(struct hrtimer *timer)
{
	struct tg_device *td = container_of(timer, struct tg_device, watchdog);
	unsigned long flags;
	u64 now;

	spin_lock_irqsave(&td->lock, flags);
	now = ktime_get_ns();
	look_locked(td, now);
	/* Not forwarded: another CPU may have started the timer meanwhile. */
	tg_dispatch_locked(td, now);
	spin_unlock_irqrestore(&td->lock, flags);
	return HRTIMER_NORESTART;
}

void tg_watchdog_start(struct tg_device *td)
{
	tg_compat_hrtimer_setup(&td->watchdog, watchdog, CLOCK_MONOTONIC,
				HRTIMER_MODE_ABS);
	tg_see_count(1, 0, 0);
}

void tg_watchdog_stop(struct tg_device *td)
{
	hrtimer_cancel(&td->watchdog);
	tg_see_count(-1, td->bypass & TG_BYPASS_LASTING ? -1 : 0, 0);
}
