// SPDX-License-Identifier: GPL-2.0-only
/*
 * The way of a command group to the GPU.
 *
 * A group is admitted (it enters the GPU-online list, or sleeps in the wait
 * queue or until its reserve has a budget), checked against the budget once its
 * cost can be predicted, and committed, or withdrawn.  How it leaves is in
 * tg_complete.c, what happens when it does not in tg_watchdog.c.
 */
#include <linux/list.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>

#include "tg_chan.h"
#include "tg_client.h"
#include "tg_dev_group.h"
#include "tg_compat.h"
#include "tg_complete.h"
#include "tg_device.h"
#include "tg_dispatch.h"
#include "tg_gate.h"
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
	/* A dead channel is not looked at: nouveau may have freed it. */
	if (td->bypass || chan->dead)
		return false;
	if (chan->stuck && tg_compat_fence_passed(chan->stuck)) {
		/* It was long, and did not hang. */
		dma_fence_put(chan->stuck);
		chan->stuck = NULL;
		td->stuck_in_a_row = 0;
	}
	return !chan->stuck;
}

static void init_group(struct tg_dev_group *dg, struct tg_chan *chan)
{
	memset(dg, 0, sizeof(*dg));
	dg->group.task = &chan->client->task;
	dg->group.context = chan;
	dg->chan = chan;
	dg->td = chan->client->td;
	INIT_LIST_HEAD(&dg->cb_node);
	INIT_LIST_HEAD(&dg->queue_node);
	init_completion(&dg->granted);
	refcount_set(&dg->ref, 2);
}

/* Returns whether the group is online; its thread sleeps otherwise. */
static bool arrive_locked(struct tg_device *td, struct tg_dev_group *dg, u64 now)
{
	bool online = tg_sched_arrive(&td->sched, &dg->group, now);

	lockdep_assert_held(&td->lock);
	dg->id = ++td->next_id;
	trace_tg_arrive(td, dg, online);
	if (dg->group.state == TG_GROUP_THROTTLED)
		trace_tg_throttle(td, dg,
				  tg_task_reserve(&td->sched, dg->group.task));
	tg_dispatch_locked(td, now);
	return online;
}

/*
 * Sleeps until dispatched or released.  A signal takes the group out of the
 * queue, unless it was dispatched meanwhile: then it goes on.
 */
static int sleep_until_granted(struct tg_device *td, struct tg_dev_group *dg)
{
	unsigned long flags;
	bool withdrawn;

	if (!wait_for_completion_interruptible(&dg->granted))
		return 0;

	spin_lock_irqsave(&td->lock, flags);
	withdrawn = tg_dev_group_is_waiting(dg);
	if (withdrawn) {
		tg_dispatch_drop_locked(td, dg, ktime_get_ns());
		td->count.interrupted++;
		tg_dispatch_locked(td, ktime_get_ns());
	}
	spin_unlock_irqrestore(&td->lock, flags);
	return withdrawn ? -ERESTARTSYS : 0;
}

/* Returns the group, which has arrived, or NULL if it goes unscheduled. */
static struct tg_dev_group *arrive(struct tg_device *td, struct tg_chan *chan,
				   bool *online)
{
	struct tg_dev_group *dg = kmem_cache_alloc(group_cache, GFP_KERNEL);
	unsigned long flags;

	if (dg)
		init_group(dg, chan);
	spin_lock_irqsave(&td->lock, flags);
	if (!dg || !scheduled_locked(td, chan)) {
		td->count.ungated++;
		spin_unlock_irqrestore(&td->lock, flags);
		if (dg)
			kmem_cache_free(group_cache, dg);
		return NULL;
	}
	*online = arrive_locked(td, dg, ktime_get_ns());
	spin_unlock_irqrestore(&td->lock, flags);
	return dg;
}

int tg_gate_admit(struct tg_chan *chan, struct tg_dev_group **out)
{
	struct tg_device *td = chan->client->td;
	struct tg_dev_group *dg = *out;
	bool online = false;
	int ret = 0;

	*out = NULL;
	if (!dg)
		dg = arrive(td, chan, &online);
	if (!dg)
		return 0;
	if (!online)
		ret = sleep_until_granted(td, dg);
	if (ret || READ_ONCE(dg->released))
		tg_dev_group_put(dg);
	else
		*out = dg;
	return ret;
}

/*
 * Predicts anew when a group that was refused asks again: others have had the
 * GPU meanwhile, so that it will cost a context switch now.
 */
static void predict_locked(struct tg_device *td, struct tg_dev_group *dg,
			   const struct tg_profile *profile)
{
	struct tg_history_memory *history = dg->chan->client->history;

	lockdep_assert_held(&td->lock);
	if (profile && history) {
		dg->profile = *profile;
		dg->profiled = true;
	}
	if (dg->profiled)
		tg_history_predict(&history->table, &dg->profile,
				   tg_sched_switches(&td->sched, dg->chan),
				   &dg->prediction);
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
	r = tg_task_reserve(&td->sched, dg->group.task);
	predict_locked(td, dg, profile);
	go = tg_sched_check(&td->sched, &dg->group,
			    r && r->ops->predicts ? dg->prediction.cost_ns : 0,
			    now);
	if (go) {
		tg_sched_start(&td->sched, &dg->group, now);
	} else {
		reinit_completion(&dg->granted);
		trace_tg_throttle(td, dg, r);
		tg_dispatch_locked(td, now);
	}
	spin_unlock_irqrestore(&td->lock, flags);
	return go ? 0 : -EAGAIN;
}

void tg_gate_commit(struct tg_dev_group *dg, struct dma_fence *fence)
{
	struct tg_device *td = dg->td;
	unsigned long flags;
	bool watch;

	spin_lock_irqsave(&td->lock, flags);
	dg->fence = dma_fence_get(fence);
	td->count.submitted++;
	trace_tg_submit(td, dg);
	watch = dg->group.state != TG_GROUP_OUT && tg_complete_by_fence(dg);
	spin_unlock_irqrestore(&td->lock, flags);
	if (watch)
		tg_complete_watch(td, dg);
	tg_dev_group_put(dg);
}

void tg_gate_withdraw(struct tg_dev_group *dg)
{
	struct tg_device *td = dg->td;
	unsigned long flags;
	u64 now;

	spin_lock_irqsave(&td->lock, flags);
	now = ktime_get_ns();
	td->count.cancelled++;
	if (dg->group.state != TG_GROUP_OUT)
		tg_dispatch_drop_locked(td, dg, now);
	tg_dispatch_locked(td, now);
	spin_unlock_irqrestore(&td->lock, flags);
	tg_dev_group_put(dg);
}

void tg_gate_queue(struct tg_dev_group *dg)
{
	struct tg_device *td = dg->td;
	bool dead;

	spin_lock_irq(&td->lock);
	/* Of a channel that is gone no job will run. */
	dead = dg->group.state == TG_GROUP_OUT;
	if (!dead)
		list_add_tail(&dg->queue_node, &dg->chan->queued);
	spin_unlock_irq(&td->lock);
	if (dead)
		tg_dev_group_put(dg);
}

static struct tg_dev_group *unqueue_locked(struct tg_chan *chan)
{
	struct tg_dev_group *dg;

	lockdep_assert_held(&chan->client->td->lock);
	dg = list_first_entry_or_null(&chan->queued, struct tg_dev_group, queue_node);
	if (dg)
		list_del_init(&dg->queue_node);
	return dg;
}

struct tg_dev_group *tg_gate_unqueue(struct tg_chan *chan)
{
	struct tg_dev_group *dg;

	spin_lock_irq(&chan->client->td->lock);
	dg = unqueue_locked(chan);
	spin_unlock_irq(&chan->client->td->lock);
	return dg;
}

void tg_gate_forget(struct tg_chan *chan)
{
	struct tg_device *td = chan->client->td;
	unsigned long flags;
	struct tg_dev_group *dg;
	u64 now;

	spin_lock_irqsave(&td->lock, flags);
	now = ktime_get_ns();
	chan->dead = true;
	tg_dispatch_forget_locked(td, chan, now);
	while ((dg = unqueue_locked(chan)))
		tg_dev_group_put(dg);
	tg_dispatch_locked(td, now);
	spin_unlock_irqrestore(&td->lock, flags);
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
