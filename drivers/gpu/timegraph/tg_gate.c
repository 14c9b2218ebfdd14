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

#include "tg_client.h"
#include "tg_cmd.h"
#include "tg_compat.h"
#include "tg_complete.h"
#include "tg_device.h"
#include "tg_gate.h"
#include "tg_trace.h"
#include "tg_watchdog.h"

static struct kmem_cache *cmd_cache;

void tg_cmd_put(struct tg_cmd *cmd)
{
	if (!refcount_dec_and_test(&cmd->ref))
		return;
	dma_fence_put(cmd->fence);
	kmem_cache_free(cmd_cache, cmd);
}

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

/* Wakes the owners of all groups that may start. */
static void wake_locked(struct tg_device *td, u64 now)
{
	struct tg_group *g;

	lockdep_assert_held(&td->lock);
	while ((g = tg_sched_next(&td->sched, now))) {
		struct tg_cmd *cmd = to_cmd(g);

		trace_tg_dispatch(td, cmd, now);
		complete(&cmd->granted);
	}
	arm_replenish(td);
}

void tg_gate_dispatch_locked(struct tg_device *td, u64 now)
{
	lockdep_assert_held(&td->lock);
	wake_locked(td, now);
	tg_watchdog_arm_locked(td);
}

/* One that waited goes on unscheduled; the sleeper drops its own reference. */
static void release_locked(struct tg_device *td, struct tg_cmd *cmd)
{
	lockdep_assert_held(&td->lock);
	trace_tg_drop(td, cmd, true);
	cmd->released = true;
	td->count.ungated++;
	complete(&cmd->granted);
	tg_cmd_put(cmd);
}

void tg_gate_drop_locked(struct tg_device *td, struct tg_cmd *cmd, u64 now)
{
	lockdep_assert_held(&td->lock);
	trace_tg_drop(td, cmd, tg_cmd_is_waiting(cmd));
	tg_sched_cancel(&td->sched, &cmd->group, now);
	tg_cmd_put(cmd);
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

static void init_cmd(struct tg_cmd *cmd, struct tg_chan *chan)
{
	memset(cmd, 0, sizeof(*cmd));
	cmd->group.task = &chan->client->task;
	cmd->group.context = chan;
	cmd->chan = chan;
	cmd->td = chan->client->td;
	INIT_LIST_HEAD(&cmd->cb_node);
	INIT_LIST_HEAD(&cmd->queue_node);
	init_completion(&cmd->granted);
	refcount_set(&cmd->ref, 2);
}

/* Returns whether the group is online; its thread sleeps otherwise. */
static bool arrive_locked(struct tg_device *td, struct tg_cmd *cmd, u64 now)
{
	bool online = tg_sched_arrive(&td->sched, &cmd->group, now);

	lockdep_assert_held(&td->lock);
	cmd->id = ++td->next_id;
	trace_tg_arrive(td, cmd, online);
	if (cmd->group.state == TG_GROUP_THROTTLED)
		trace_tg_throttle(td, cmd,
				  tg_task_reserve(&td->sched, cmd->group.task));
	tg_gate_dispatch_locked(td, now);
	return online;
}

/*
 * Sleeps until dispatched or released.  A signal takes the group out of the
 * queue, unless it was dispatched meanwhile: then it goes on.
 */
static int sleep_until_granted(struct tg_device *td, struct tg_cmd *cmd)
{
	unsigned long flags;
	bool withdrawn;

	if (!wait_for_completion_interruptible(&cmd->granted))
		return 0;

	spin_lock_irqsave(&td->lock, flags);
	withdrawn = tg_cmd_is_waiting(cmd);
	if (withdrawn) {
		tg_gate_drop_locked(td, cmd, ktime_get_ns());
		td->count.interrupted++;
		tg_gate_dispatch_locked(td, ktime_get_ns());
	}
	spin_unlock_irqrestore(&td->lock, flags);
	return withdrawn ? -ERESTARTSYS : 0;
}

/* Returns the group, which has arrived, or NULL if it goes unscheduled. */
static struct tg_cmd *arrive(struct tg_device *td, struct tg_chan *chan,
			     bool *online)
{
	struct tg_cmd *cmd = kmem_cache_alloc(cmd_cache, GFP_KERNEL);
	unsigned long flags;

	if (cmd)
		init_cmd(cmd, chan);
	spin_lock_irqsave(&td->lock, flags);
	if (!cmd || !scheduled_locked(td, chan)) {
		td->count.ungated++;
		spin_unlock_irqrestore(&td->lock, flags);
		if (cmd)
			kmem_cache_free(cmd_cache, cmd);
		return NULL;
	}
	*online = arrive_locked(td, cmd, ktime_get_ns());
	spin_unlock_irqrestore(&td->lock, flags);
	return cmd;
}

int tg_gate_admit(struct tg_chan *chan, struct tg_cmd **out)
{
	struct tg_device *td = chan->client->td;
	struct tg_cmd *cmd = *out;
	bool online = false;
	int ret = 0;

	*out = NULL;
	if (!cmd)
		cmd = arrive(td, chan, &online);
	if (!cmd)
		return 0;
	if (!online)
		ret = sleep_until_granted(td, cmd);
	if (ret || READ_ONCE(cmd->released))
		tg_cmd_put(cmd);
	else
		*out = cmd;
	return ret;
}

/*
 * Predicts anew when a group that was refused asks again: others have had the
 * GPU meanwhile, so that it will cost a context switch now.
 */
static void predict_locked(struct tg_device *td, struct tg_cmd *cmd,
			   const struct tg_profile *profile)
{
	struct tg_history_memory *history = cmd->chan->client->history;

	lockdep_assert_held(&td->lock);
	if (profile && history) {
		cmd->profile = *profile;
		cmd->profiled = true;
	}
	if (cmd->profiled)
		tg_history_predict(&history->table, &cmd->profile,
				   tg_sched_switches(&td->sched, cmd->chan),
				   &cmd->prediction);
}

int tg_gate_check(struct tg_cmd *cmd, const struct tg_profile *profile)
{
	struct tg_device *td = cmd->td;
	struct tg_reserve *r;
	unsigned long flags;
	bool go;
	u64 now;

	spin_lock_irqsave(&td->lock, flags);
	now = ktime_get_ns();
	r = tg_task_reserve(&td->sched, cmd->group.task);
	predict_locked(td, cmd, profile);
	go = tg_sched_check(&td->sched, &cmd->group,
			    r && r->ops->predicts ? cmd->prediction.cost_ns : 0,
			    now);
	if (go) {
		tg_sched_start(&td->sched, &cmd->group, now);
	} else {
		reinit_completion(&cmd->granted);
		trace_tg_throttle(td, cmd, r);
		tg_gate_dispatch_locked(td, now);
	}
	spin_unlock_irqrestore(&td->lock, flags);
	return go ? 0 : -EAGAIN;
}

void tg_gate_commit(struct tg_cmd *cmd, struct dma_fence *fence)
{
	struct tg_device *td = cmd->td;
	unsigned long flags;
	bool watch;

	spin_lock_irqsave(&td->lock, flags);
	cmd->fence = dma_fence_get(fence);
	td->count.submitted++;
	trace_tg_submit(td, cmd);
	watch = cmd->group.state != TG_GROUP_OUT && tg_cmd_by_fence(cmd);
	spin_unlock_irqrestore(&td->lock, flags);
	if (watch)
		tg_complete_watch(td, cmd);
	tg_cmd_put(cmd);
}

void tg_gate_withdraw(struct tg_cmd *cmd)
{
	struct tg_device *td = cmd->td;
	unsigned long flags;
	u64 now;

	spin_lock_irqsave(&td->lock, flags);
	now = ktime_get_ns();
	td->count.cancelled++;
	if (cmd->group.state != TG_GROUP_OUT)
		tg_gate_drop_locked(td, cmd, now);
	tg_gate_dispatch_locked(td, now);
	spin_unlock_irqrestore(&td->lock, flags);
	tg_cmd_put(cmd);
}

void tg_gate_queue(struct tg_cmd *cmd)
{
	struct tg_device *td = cmd->td;
	bool dead;

	spin_lock_irq(&td->lock);
	/* Of a channel that is gone no job will run. */
	dead = cmd->group.state == TG_GROUP_OUT;
	if (!dead)
		list_add_tail(&cmd->queue_node, &cmd->chan->queued);
	spin_unlock_irq(&td->lock);
	if (dead)
		tg_cmd_put(cmd);
}

static struct tg_cmd *unqueue_locked(struct tg_chan *chan)
{
	struct tg_cmd *cmd;

	lockdep_assert_held(&chan->client->td->lock);
	cmd = list_first_entry_or_null(&chan->queued, struct tg_cmd, queue_node);
	if (cmd)
		list_del_init(&cmd->queue_node);
	return cmd;
}

struct tg_cmd *tg_gate_unqueue(struct tg_chan *chan)
{
	struct tg_cmd *cmd;

	spin_lock_irq(&chan->client->td->lock);
	cmd = unqueue_locked(chan);
	spin_unlock_irq(&chan->client->td->lock);
	return cmd;
}

static struct tg_cmd *pop(struct list_head *groups)
{
	struct tg_group *g = list_first_entry_or_null(groups, struct tg_group,
						      node);

	if (!g)
		return NULL;
	list_del_init(&g->node);
	return to_cmd(g);
}

/* The groups of a channel, or of all: who waits goes on unscheduled. */
void tg_gate_forget_locked(struct tg_device *td, struct tg_chan *chan, u64 now)
{
	LIST_HEAD(online);
	LIST_HEAD(waiting);
	struct tg_cmd *cmd;

	lockdep_assert_held(&td->lock);
	tg_sched_drain(&td->sched, chan, &online, &waiting, now);
	while ((cmd = pop(&online))) {
		trace_tg_drop(td, cmd, false);
		tg_cmd_put(cmd);
	}
	while ((cmd = pop(&waiting)))
		release_locked(td, cmd);
}

void tg_gate_forget(struct tg_chan *chan)
{
	struct tg_device *td = chan->client->td;
	unsigned long flags;
	struct tg_cmd *cmd;
	u64 now;

	spin_lock_irqsave(&td->lock, flags);
	now = ktime_get_ns();
	chan->dead = true;
	tg_gate_forget_locked(td, chan, now);
	while ((cmd = unqueue_locked(chan)))
		tg_cmd_put(cmd);
	tg_gate_dispatch_locked(td, now);
	spin_unlock_irqrestore(&td->lock, flags);
}

static enum hrtimer_restart replenish(struct hrtimer *timer)
{
	struct tg_device *td = container_of(timer, struct tg_device, replenish);
	unsigned long flags;

	spin_lock_irqsave(&td->lock, flags);
	tg_gate_dispatch_locked(td, ktime_get_ns());
	spin_unlock_irqrestore(&td->lock, flags);
	/* Started anew by the dispatch if somebody still waits. */
	return HRTIMER_NORESTART;
}

void tg_gate_start(struct tg_device *td)
{
	tg_compat_hrtimer_setup(&td->replenish, replenish, CLOCK_MONOTONIC,
				HRTIMER_MODE_ABS);
}

void tg_gate_stop(struct tg_device *td)
{
	hrtimer_cancel(&td->replenish);
	WARN_ON(td->sched.nr_online || td->sched.nr_waiting ||
		td->sched.nr_throttled);
}

int tg_gate_init(void)
{
	cmd_cache = KMEM_CACHE(tg_cmd, 0);
	return cmd_cache ? 0 : -ENOMEM;
}

void tg_gate_exit(void)
{
	kmem_cache_destroy(cmd_cache);
}
