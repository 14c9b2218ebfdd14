// SPDX-License-Identifier: GPL-2.0-only
/*
 * The way of a command group to the GPU.
 *
 * A group is admitted (it enters the GPU-online list, or sleeps in the wait
 * queue or until its reserve has a budget), checked against the budget once its
 * cost can be predicted, and committed, or withdrawn.  How it leaves is in
 * tg_complete.c, what happens when it does not in tg_watchdog.c.
 */
#include <linux/jiffies.h>
#include <linux/list.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/wait.h>

#include "tg_chan.h"
#include "tg_client.h"
#include "tg_dev_group.h"
#include "tg_compat.h"
#include "tg_complete.h"
#include "tg_device.h"
#include "tg_dispatch.h"
#include "tg_gate.h"
#include "tg_hang.h"
#include "tg_job.h"
#include "tg_lease.h"
#include "tg_params.h"
#include "tg_ring.h"
#include "tg_runner.h"
#include "tg_stage.h"
#include "tg_trace.h"

static struct kmem_cache *group_cache;

void tg_dev_group_put(struct tg_dev_group *dg)
{
	if (!refcount_dec_and_test(&dg->ref))
		return;
	dma_fence_put(dg->fence);
	kmem_cache_free(group_cache, dg);
}

/* Whether a group arriving now is to be scheduled at all. */
static bool scheduled_locked(struct tg_device *td, struct tg_chan *chan)
{
	lockdep_assert_held(&td->lock);
	return !td->bypass && !chan->dead;
}

static void init_group(struct tg_dev_group *dg, struct tg_chan *chan)
{
	memset(dg, 0, sizeof(*dg));
	dg->group.task = &chan->client->task;
	dg->group.context = chan;
	dg->chan = chan;
	dg->ring = &chan->ring;
	dg->word = &chan->word;
	dg->turns = &chan->client->turns;
	dg->td = chan->client->td;
	INIT_LIST_HEAD(&dg->cb.node);
	INIT_LIST_HEAD(&dg->cb_node);
	INIT_LIST_HEAD(&dg->queue_node);
	INIT_LIST_HEAD(&dg->ring_node);
	INIT_LIST_HEAD(&dg->unheard_node);
	init_completion(&dg->granted);
	refcount_set(&dg->ref, 2);
}

/* In which a thread that is woken comes on a CPU that nobody else wants. */
#define CLAIM_NS (100 * NSEC_PER_USEC)

/*
 * The GPU idles for a thread that does not come: its equal, which is here, has the turn. The
 * other one asks when it comes, as if anew.
 */
static bool pass_locked(struct tg_device *td, struct tg_dev_group *by, u64 now)
{
	struct tg_group *head = tg_sched_head(&td->sched);
	struct tg_dev_group *dg = head ? to_dev_group(head) : NULL;
	bool passes;

	lockdep_assert_held(&td->lock);
	if (!dg || !dg->offered_ns || now - dg->offered_ns < CLAIM_NS || dg->chan->dead ||
	    tg_lease_is_refused_locked(td, by, now))
		return false;
	passes = tg_sched_pass(&td->sched, &by->group, now);
	if (passes) {
		dg->offered_ns = 0;
		tg_lease_end_locked(td, dg, now);
		/* If its thread has not taken that by now. */
		try_wait_for_completion(&dg->granted);
		td->count.passed++;
		trace_tg_pass(td, dg, by);
		trace_tg_dispatch(td, by, now);
		tg_lease_begins_locked(td, by, now);
	}
	/* Also if it does not: a quota may have been found used up. */
	tg_dispatch_locked(td, now);
	return passes;
}

/* Returns whether the group is online; its thread sleeps otherwise. */
static bool arrive_locked(struct tg_device *td, struct tg_dev_group *dg, u64 now)
{
	bool online;

	lockdep_assert_held(&td->lock);
	dg->group.can_wait = dg->word->shown && tg_stage_can_wait_locked(td, dg->word);
	online = tg_sched_return(&td->sched, &dg->group, &dg->chan->ticket, now);
	dg->id = ++td->next_id;
	trace_tg_arrive(td, dg, online);
	if (dg->group.state == TG_GROUP_THROTTLED)
		trace_tg_throttle(td, dg,
				  tg_task_reserve(&td->sched, dg->group.task));
	if (online)
		tg_lease_begins_locked(td, dg, now);
	tg_dispatch_locked(td, now);
	online = online || pass_locked(td, dg, now);
	dg->sleeps = !online;
	return online;
}

/* How long it sleeps until it looks whether its process still is what it was, and where. */
static unsigned int look_ms(const struct tg_client *client)
{
	if (READ_ONCE(client->follows) || READ_ONCE(client->task.domain))
		return TG_CLIENT_FOLLOW_MS;
	return TG_CLIENT_LOOK_MS;
}

/*
 * Who follows the CPU's priorities can be given another one while it sleeps, and who waits for
 * the quota of a domain, for minutes, can be moved out of it.
 */
static int wait_for_grant(struct tg_dev_group *dg)
{
	struct tg_client *client = dg->chan->client;
	long left;

	do {
		left = msecs_to_jiffies(look_ms(client));
		left = wait_for_completion_interruptible_timeout(&dg->granted, left);
		if (!left)
			tg_client_follow(client);
	} while (!left);
	return left < 0 ? left : 0;
}

static void withdraw_locked(struct tg_device *td, struct tg_dev_group *dg)
{
	u64 now = ktime_get_ns();

	lockdep_assert_held(&td->lock);
	tg_dispatch_leave_locked(td, dg, &dg->chan->ticket, now);
	td->count.interrupted++;
	tg_dispatch_locked(td, now);
}

/*
 * Sleeps until dispatched or released, and again if it was passed before it came.  A signal
 * takes the group out of the queue, unless it was dispatched meanwhile: then it goes on.  The
 * channel keeps its place for the call that comes when the signal has been handled.
 */
static int sleep_until_granted(struct tg_device *td, struct tg_dev_group *dg)
{
	unsigned long flags;
	bool waits;
	int ret;

	tg_complete_watch_all(td);
	do {
		ret = wait_for_grant(dg);
		spin_lock_irqsave(&td->lock, flags);
		dg->offered_ns = 0;
		waits = tg_dev_group_is_waiting(dg);
		dg->sleeps = waits;
		if (waits && ret)
			withdraw_locked(td, dg);
		spin_unlock_irqrestore(&td->lock, flags);
	} while (waits && !ret);
	return waits ? -ERESTARTSYS : 0;
}

/* A GPU that hangs is watched: one group of each channel tells if it goes on. */
static bool is_probe_locked(struct tg_device *td, struct tg_chan *chan)
{
	lockdep_assert_held(&td->lock);
	return td->bypass == TG_BYPASS_HANG && !chan->dead && !chan->ring.nr_aside;
}

/* As arrive(), of a group with memory. */
static struct tg_dev_group *arrive_with_locked(struct tg_device *td, struct tg_chan *chan,
					       struct tg_dev_group *dg, bool *online)
{
	u64 now = ktime_get_ns();

	lockdep_assert_held(&td->lock);
	tg_complete_reap_locked(td, now);
	if (scheduled_locked(td, chan)) {
		if (tg_freerun_is_in_way(&td->freerun, &chan->freerun))
			return ERR_PTR(-EINPROGRESS);
		if (tg_hang_is_in_way(chan) || tg_lease_has_to_wait_locked(td, dg, now))
			return ERR_PTR(-EAGAIN);
		tg_lease_asked_locked(td, dg, now);
		*online = arrive_locked(td, dg, now);
		return dg;
	}
	td->count.ungated++;
	if (!is_probe_locked(td, chan))
		return NULL;
	tg_hang_probe_locked(td, dg, now);
	tg_dispatch_locked(td, now);
	*online = true;
	return dg;
}

/*
 * Returns the group, which has arrived, or NULL if it goes unscheduled; -EAGAIN if its
 * channel hangs now, -EINPROGRESS if others run free.
 */
static struct tg_dev_group *arrive(struct tg_device *td, struct tg_chan *chan,
				   bool *online)
{
	struct tg_dev_group *dg = kmem_cache_alloc(group_cache, GFP_KERNEL), *ret;
	unsigned long flags;

	if (dg)
		init_group(dg, chan);
	spin_lock_irqsave(&td->lock, flags);
	if (dg)
		ret = arrive_with_locked(td, chan, dg, online);
	else
		td->count.ungated++;
	spin_unlock_irqrestore(&td->lock, flags);
	if (!dg)
		return NULL;
	if (ret != dg)
		kmem_cache_free(group_cache, dg);
	return ret;
}

/* How long one waits before it is looked again whether he may ask. */
#define LOOK_MS 5

static bool is_unscheduled(const struct tg_chan *chan)
{
	return READ_ONCE(chan->client->td->bypass) || READ_ONCE(chan->dead);
}

static int interrupted(struct tg_device *td)
{
	spin_lock_irq(&td->lock);
	td->count.interrupted++;
	spin_unlock_irq(&td->lock);
	return -ERESTARTSYS;
}

/* Until it may ask for a turn.  Return: 0 or -ERESTARTSYS. */
static int wait_for_lease(struct tg_device *td, struct tg_chan *chan)
{
	const struct tg_client *client = chan->client;

	while (!is_unscheduled(chan) &&
	       tg_lease_has_to_wait(td, &client->task, &client->turns)) {
		schedule_timeout_interruptible(msecs_to_jiffies(LOOK_MS) + 1);
		if (signal_pending(current))
			return interrupted(td);
	}
	return 0;
}

/* Behind those of the task's threads that came before. */
static int wait_for_room(struct tg_device *td, struct tg_client *client)
{
	return down_interruptible(&client->room) ? interrupted(td) : 0;
}

static void leave_room(struct tg_dev_group *dg)
{
	if (dg->has_room)
		up(&dg->chan->client->room);
	dg->has_room = false;
}

/* As arrive(), of who may ask. */
static struct tg_dev_group *arrive_with_room(struct tg_device *td, struct tg_chan *chan,
					     bool *online)
{
	struct tg_dev_group *dg;
	int ret;

	ret = wait_for_room(td, chan->client);
	if (ret)
		return ERR_PTR(ret);
	dg = arrive(td, chan, online);
	if (IS_ERR_OR_NULL(dg))
		up(&chan->client->room);
	else
		dg->has_room = true;
	return dg;
}

/* But waits while the channel hangs, or its task lets turns lapse. */
static int arrive_in_time(struct tg_device *td, struct tg_chan *chan,
			  struct tg_dev_group **out, bool *online)
{
	struct tg_dev_group *dg;
	int ret;

	do {
		ret = wait_for_lease(td, chan) ?: tg_hang_wait(chan);
		if (ret)
			return ret;
		dg = arrive_with_room(td, chan, online);
	} while (dg == ERR_PTR(-EAGAIN));
	if (IS_ERR(dg))
		return PTR_ERR(dg);
	*out = dg;
	return 0;
}

int tg_gate_admit(struct tg_chan *chan, struct tg_dev_group **out)
{
	struct tg_device *td = chan->client->td;
	struct tg_dev_group *dg = *out;
	bool online = false;
	int ret;

	*out = NULL;
	for (;;) {
		ret = dg ? 0 : arrive_in_time(td, chan, &dg, &online);
		if (ret || !dg)
			return ret;
		if (!online)
			ret = sleep_until_granted(td, dg);
		if (ret || READ_ONCE(dg->released))
			break;
		if (!READ_ONCE(dg->again)) {
			*out = dg;
			return 0;
		}
		leave_room(dg);
		tg_dev_group_put(dg);
		dg = NULL;
		online = false;
	}
	leave_room(dg);
	tg_dev_group_put(dg);
	return ret;
}

static void predict_by(const struct tg_predictor_ops *ops, struct tg_device *td,
		       struct tg_dev_group *dg, struct tg_prediction *p)
{
	struct tg_client *client = dg->chan->client;
	const struct tg_past past = {
		.costs = &client->task.costs,
		.history = client->history ? &client->history->table : NULL,
	};

	ops->predict(&past, dg->profiled ? &dg->profile : NULL,
		     tg_sched_switches(&td->sched, dg->chan), p);
}

/* For the lead, what was not known before the group was read. */
static void expect_locked(struct tg_device *td, struct tg_dev_group *dg)
{
	struct tg_prediction p = dg->prediction;

	lockdep_assert_held(&td->lock);
	if (!tg_param_lead_predictor->profiles)
		return;
	if (!dg->predicted || tg_param_predictor != tg_param_lead_predictor)
		predict_by(tg_param_lead_predictor, td, dg, &p);
	tg_lead_expect(&td->sched, &dg->group, p.cost_ns);
}

/*
 * Predicts anew when a group that was refused asks again: others have had the
 * GPU meanwhile, so that it will cost a context switch now.
 */
static void predict_locked(struct tg_device *td, struct tg_dev_group *dg,
			   const struct tg_profile *profile)
{
	lockdep_assert_held(&td->lock);
	if (profile) {
		dg->profile = *profile;
		dg->profiled = true;
	}
	dg->predicted = dg->chan->client->predicts &&
			(dg->profiled || !tg_param_predictor->profiles);
	if (dg->predicted)
		predict_by(tg_param_predictor, td, dg, &dg->prediction);
	expect_locked(td, dg);
}

/* Its channel hangs since it had its turn: it gives that back, and asks again. */
static bool is_behind_hang_locked(struct tg_device *td, struct tg_dev_group *dg,
				  u64 now)
{
	lockdep_assert_held(&td->lock);
	if (dg->group.state != TG_GROUP_ONLINE || td->bypass ||
	    !tg_hang_is_in_way(dg->chan))
		return false;
	tg_dispatch_ask_again_locked(td, dg, now);
	tg_dispatch_locked(td, now);
	return true;
}

int tg_gate_check(struct tg_dev_group *dg, const struct tg_profile *profile)
{
	struct tg_device *td = dg->td;
	struct tg_reserve *r;
	unsigned long flags;
	bool go;
	u64 now;

	spin_lock_irqsave(&td->lock, flags);
	now = ktime_get_ns();
	if (is_behind_hang_locked(td, dg, now)) {
		spin_unlock_irqrestore(&td->lock, flags);
		return -EAGAIN;
	}
	r = tg_task_reserve(&td->sched, dg->group.task);
	predict_locked(td, dg, profile);
	go = tg_sched_check(&td->sched, &dg->group,
			    r && r->ops->predicts ? dg->prediction.cost_ns : 0,
			    now);
	if (go) {
		tg_sched_start(&td->sched, &dg->group, now);
		if (tg_param_lead_predictor->profiles)
			tg_dispatch_locked(td, now);
	} else {
		tg_lease_end_locked(td, dg, now);
		reinit_completion(&dg->granted);
		trace_tg_throttle(td, dg, r);
		tg_dispatch_locked(td, now);
		dg->sleeps = true;
	}
	spin_unlock_irqrestore(&td->lock, flags);
	return go ? 0 : -EAGAIN;
}

/*
 * It was given up (its turn lapsed, or scheduling stopped meanwhile), or did not ask, and
 * was pushed all the same.  The GPU has it, so it is put where it can be charged; if there
 * is no such place, it is counted.
 */
static void take_in_locked(struct tg_device *td, struct tg_dev_group *dg)
{
	u64 now = ktime_get_ns();

	lockdep_assert_held(&td->lock);
	tg_stage_leave_locked(td, dg, false);
	if (td->bypass || dg->chan->gone) {
		dg->submitted = true;
		td->count.submitted++;
		td->count.dropped++;
		return;
	}
	refcount_inc(&dg->ref);
	dg->taken = true;
	tg_lease_late_locked(td, dg);
	tg_sched_insert(&td->sched, &dg->group, now);
	dg->id = ++td->next_id;
	trace_tg_arrive(td, dg, true);
	tg_sched_start(&td->sched, &dg->group, now);
	tg_dispatch_locked(td, now);
}

/* The GPU has it, and @dg->fence ends it. */
static void push_locked(struct tg_device *td, struct tg_dev_group *dg)
{
	lockdep_assert_held(&td->lock);
	if (dg->group.state == TG_GROUP_OUT && !dg->submitted)
		take_in_locked(td, dg);
	else
		tg_lease_used_locked(td, dg, ktime_get_ns());
	tg_ring_submitted_locked(td, dg);
	tg_ring_add_locked(td, dg);
	trace_tg_submit(td, dg);
}

void tg_gate_commit(struct tg_dev_group *dg, struct dma_fence *fence)
{
	struct tg_device *td = dg->td;
	unsigned long flags;
	bool watch;

	spin_lock_irqsave(&td->lock, flags);
	tg_complete_reap_locked(td, ktime_get_ns());
	dg->fence = dma_fence_get(fence);
	push_locked(td, dg);
	watch = tg_complete_expect_locked(td, dg);
	spin_unlock_irqrestore(&td->lock, flags);
	if (watch) {
		tg_complete_watch_all(td);
		tg_complete_watch(td, dg);
	}
	leave_room(dg);
	tg_dev_group_put(dg);
}

void tg_gate_queued(struct tg_dev_group *dg)
{
	leave_room(dg);
}

struct tg_dev_group *tg_gate_take_locked(struct tg_chan *chan, struct dma_fence *fence)
{
	struct tg_device *td = chan->client->td;
	struct tg_dev_group *dg = kmem_cache_alloc(group_cache, GFP_ATOMIC);

	lockdep_assert_held(&td->lock);
	if (!dg)
		return NULL;
	init_group(dg, chan);
	refcount_set(&dg->ref, 1);
	dg->group.state = TG_GROUP_OUT;
	dg->fence = dma_fence_get(fence);
	push_locked(td, dg);
	return dg;
}

void tg_gate_taken(struct tg_dev_group *dg)
{
	tg_complete_watch(dg->td, dg);
	tg_dev_group_put(dg);
}

void tg_gate_withdraw(struct tg_dev_group *dg)
{
	struct tg_device *td = dg->td;
	unsigned long flags;
	u64 now;

	spin_lock_irqsave(&td->lock, flags);
	now = ktime_get_ns();
	tg_complete_reap_locked(td, now);
	td->count.cancelled++;
	if (dg->group.state != TG_GROUP_OUT)
		tg_dispatch_drop_locked(td, dg, now);
	else
		tg_stage_leave_locked(td, dg, false);
	tg_dispatch_locked(td, now);
	spin_unlock_irqrestore(&td->lock, flags);
	leave_room(dg);
	tg_dev_group_put(dg);
}

/* @gone: what the GPU has of it is taken out, too.  Returns whether there is more of it. */
static bool end_locked(struct tg_device *td, struct tg_chan *chan, bool gone)
{
	u64 now = ktime_get_ns();
	bool more;

	lockdep_assert_held(&td->lock);
	tg_complete_reap_locked(td, now);
	chan->dead = true;
	if (gone) {
		chan->gone = true;
		tg_runner_forget_locked(chan);
		more = tg_dispatch_forget_locked(td, &chan->client->task, chan, now);
	} else {
		more = tg_dispatch_release_locked(td, &chan->client->task, chan, now);
	}
	wake_up(&chan->ring.wait);
	tg_job_forget_locked(td, chan, now);
	tg_dispatch_locked(td, now);
	return more;
}

static void end(struct tg_chan *chan, bool gone)
{
	struct tg_device *td = chan->client->td;
	unsigned long flags;
	bool more;

	do {
		spin_lock_irqsave(&td->lock, flags);
		more = end_locked(td, chan, gone);
		spin_unlock_irqrestore(&td->lock, flags);
	} while (more);
}

void tg_gate_close(struct tg_chan *chan)
{
	end(chan, false);
}

void tg_gate_forget(struct tg_chan *chan)
{
	end(chan, true);
}

int tg_gate_init(void)
{
	group_cache = KMEM_CACHE(tg_dev_group, 0);
	return group_cache ? 0 : -ENOMEM;
}

void tg_gate_exit(void)
{
	kmem_cache_destroy(group_cache);
}
