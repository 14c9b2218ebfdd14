// SPDX-License-Identifier: GPL-2.0-only
/*
 * Channels that hang: whose group is on the GPU for longer than hang_ms.
 *
 * A group that only waits there, for a semaphore, leaves the engine idle: it is set
 * aside as soon as that is seen, without being held to hang.
 *
 * A hang is the channel's.  Its groups are set aside, so that the others go on, and it
 * submits nothing until they end; the time goes on being charged to it.  But a group can
 * be late because of another's: where the GPU cannot take an endless program off, all
 * wait for it.  So a hang counts only once a group of another channel that started
 * after it has ended, which says that the GPU works.  Each hang_ms that it goes on, and
 * each time that it comes again, counts; the second is the last, and the channel is
 * refused until it is closed.  A channel without a hang for HANG_FORGIVEN × hang_ms
 * starts anew.
 *
 * That channels hang says nothing about the GPU, however many: a program can have its
 * channels wait for what never comes.  The GPU itself hangs if none has ended since the
 * first of at least GPU_HANGS channels did, and its engine says that it is busy: then
 * it is with something that does not end, and nobody has anything from being scheduled.
 * Where the engine cannot be asked that is never assumed.
 */
#include <linux/list.h>
#include <linux/math64.h>
#include <linux/sched/signal.h>
#include <linux/wait.h>

#include "tg_chan.h"
#include "tg_client.h"
#include "tg_complete.h"
#include "tg_dev_group.h"
#include "tg_device.h"
#include "tg_dispatch.h"
#include "tg_events.h"
#include "tg_hang.h"
#include "tg_lease.h"
#include "tg_params.h"
#include "tg_ring.h"
#include "tg_trace.h"

#define HANGS_REFUSED 2
#define HANG_FORGIVEN 12
#define GPU_HANGS 3
/* Of hang_ms, how long an ioctl waits for a channel that hangs. */
#define WAIT_LIMIT 3

static u64 hang_ns(void)
{
	return (u64)tg_param_hang_ms * NSEC_PER_MSEC;
}

static void set_aside_locked(struct tg_device *td, struct tg_dev_group *dg, u64 now)
{
	lockdep_assert_held(&td->lock);
	tg_lease_end_locked(td, dg, now);
	tg_sched_set_aside(&td->sched, &dg->group, now);
	tg_ring_aside_locked(td, dg);
	trace_tg_complete(td, dg, TG_COMPLETION_STUCK);
}

/* Those that sleep ask again, and wait for the channel then. */
static void send_back_locked(struct tg_device *td, struct tg_chan *chan, u64 now)
{
	LIST_HEAD(waiting);
	struct tg_group *g, *n;

	lockdep_assert_held(&td->lock);
	tg_sched_drain_waiting(&td->sched, &chan->client->task, chan, &waiting, now);
	list_for_each_entry_safe(g, n, &waiting, node) {
		struct tg_dev_group *dg = to_dev_group(g);

		list_del_init(&g->node);
		trace_tg_drop(td, dg, true);
		dg->again = true;
		complete(&dg->granted);
		tg_dev_group_put(dg);
	}
}

/* None has ended since the first that was set aside, so the GPU may be with that. */
static bool nothing_ends_locked(struct tg_device *td)
{
	const struct tg_group *first = tg_sched_first_aside(&td->sched);

	lockdep_assert_held(&td->lock);
	return first && td->progress_ns <= first->aside_ns;
}

static void set_channel_aside_locked(struct tg_device *td, struct tg_chan *chan,
				     u64 now)
{
	struct tg_group *g, *n;

	lockdep_assert_held(&td->lock);
	tg_sched_for_each_online_safe(g, n, &td->sched)
		if (g->context == chan && g->state == TG_GROUP_RUNNING)
			set_aside_locked(td, to_dev_group(g), now);
	send_back_locked(td, chan, now);
}

/* It hangs, and that is told. */
static void suspect_locked(struct tg_device *td, struct tg_dev_group *dg, u64 now)
{
	struct tg_chan *chan = dg->chan;
	struct tg_ring *ring = &chan->ring;

	lockdep_assert_held(&td->lock);
	tg_notice_locked(&td->notices, KERN_WARNING,
			 "a group of channel %d (%s) is on the GPU for %llu ms: stuck",
			 chan->chid, chan->client->comm,
			 div_u64(now - dg->group.start_ns, NSEC_PER_MSEC));
	td->count.stuck++;
	if (ring->suspect_ns && now - ring->suspect_ns > HANG_FORGIVEN * hang_ns())
		ring->hangs = 0;
	ring->suspect_ns = now;
	ring->judge_ns = now;
	tg_ring_stuck_locked(td, dg);
}

void tg_hang_waits_locked(struct tg_device *td, struct tg_dev_group *dg, u64 now)
{
	lockdep_assert_held(&td->lock);
	set_channel_aside_locked(td, dg->chan, now);
}

bool tg_hang_found_locked(struct tg_device *td, struct tg_dev_group *dg, u64 now)
{
	struct tg_chan *chan = dg->chan;

	lockdep_assert_held(&td->lock);
	suspect_locked(td, dg, now);
	set_channel_aside_locked(td, chan, now);
	return !(td->bypass & TG_BYPASS_HANG) && td->nr_hung >= GPU_HANGS &&
	       nothing_ends_locked(td) && chan->ops->engine(chan) > 0;
}

static void refuse_locked(struct tg_device *td, struct tg_chan *chan)
{
	lockdep_assert_held(&td->lock);
	chan->ring.refused = true;
	chan->client->nr_refused++;
	td->count.refused++;
	tg_notice_locked(&td->notices, KERN_WARNING,
			 "channel %d (%s) hangs again: refused until it is closed",
			 chan->chid, chan->client->comm);
	tg_events_post_of(chan->client->uid, TIMEGRAPH_EVENT_TASK);
	wake_up(&chan->ring.wait);
}

static void judge_locked(struct tg_device *td, struct tg_chan *chan, u64 now)
{
	struct tg_ring *ring = &chan->ring;

	lockdep_assert_held(&td->lock);
	if (!ring->stuck || ring->refused || now < ring->judge_ns ||
	    td->proved_ns <= ring->suspect_ns)
		return;
	ring->suspect_ns = now;
	ring->judge_ns = now + hang_ns();
	if (++ring->hangs >= HANGS_REFUSED)
		refuse_locked(td, chan);
}

/* One that was set aside before that time, since the GPU had nothing to do. */
static bool is_late(const struct tg_dev_group *dg, u64 now)
{
	u64 since = tg_ring_since(dg);

	return !dg->ring->stuck && now > since && now - since >= hang_ns();
}

void tg_hang_judge_locked(struct tg_device *td, u64 now)
{
	struct tg_group *g, *n;

	lockdep_assert_held(&td->lock);
	tg_sched_for_each_aside_safe(g, n, &td->sched) {
		struct tg_dev_group *dg = to_dev_group(g);

		if (tg_ring_first(dg->ring) != dg)
			continue;
		if (is_late(dg, now))
			suspect_locked(td, dg, now);
		judge_locked(td, dg->chan, now);
	}
}

void tg_hang_probe_locked(struct tg_device *td, struct tg_dev_group *dg, u64 now)
{
	lockdep_assert_held(&td->lock);
	tg_sched_insert(&td->sched, &dg->group, now);
	dg->id = ++td->next_id;
	trace_tg_arrive(td, dg, true);
	tg_sched_start(&td->sched, &dg->group, now);
	set_aside_locked(td, dg, now);
}

bool tg_hang_is_in_way(const struct tg_chan *chan)
{
	return tg_ring_is_in_way(&chan->ring);
}

static bool is_over(const struct tg_chan *chan)
{
	return !READ_ONCE(chan->ring.nr_aside) || READ_ONCE(chan->ring.refused) ||
	       READ_ONCE(chan->client->td->bypass) || READ_ONCE(chan->dead);
}

/*
 * One is woken at a time, and wakes the next: of a thousand threads that wait no more is to be
 * done with interrupts off.  Return: jiffies left, or -ERESTARTSYS.
 */
static long wait_until_over(struct tg_chan *chan)
{
	long left = msecs_to_jiffies(WAIT_LIMIT * tg_param_hang_ms);
	DEFINE_WAIT(wait);

	while (left > 0) {
		prepare_to_wait_exclusive(&chan->ring.wait, &wait, TASK_INTERRUPTIBLE);
		if (is_over(chan))
			break;
		left = signal_pending(current) ? -ERESTARTSYS : schedule_timeout(left);
	}
	finish_wait(&chan->ring.wait, &wait);
	/* Also if it goes for another reason: it may have been the one that was woken. */
	if (is_over(chan))
		wake_up(&chan->ring.wait);
	return left;
}

int tg_hang_wait(struct tg_chan *chan)
{
	struct tg_device *td = chan->client->td;
	long left;
	int ret = 0;

	if (!tg_hang_is_in_way(chan))
		return 0;
	tg_complete_watch_all(td);
	left = wait_until_over(chan);
	spin_lock_irq(&td->lock);
	if (left < 0)
		ret = left;
	else if (td->bypass || chan->dead)
		ret = 0;
	else if (chan->ring.refused)
		ret = -ENODEV;
	else if (chan->ring.nr_aside)
		ret = -EBUSY;
	if (left < 0)
		td->count.interrupted++;
	spin_unlock_irq(&td->lock);
	return ret;
}
