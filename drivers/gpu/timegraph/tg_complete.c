// SPDX-License-Identifier: GPL-2.0-only
/*
 * How the end of a command group is learnt, and what follows from it: by an
 * interrupt that is verified, by nouveau's fence, or by the watchdog.
 */
#include <linux/list.h>
#include <linux/math64.h>

#include "tg_chan.h"
#include "tg_client.h"
#include "tg_dev_group.h"
#include "tg_complete.h"
#include "tg_device.h"
#include "tg_dispatch.h"
#include "tg_trace.h"

bool tg_complete_by_fence(const struct tg_dev_group *dg)
{
	return dg->chan->backend == TG_BACKEND_FENCE || !dg->has_seq;
}

/* The GPU's own account of the group, for what it costs and what that teaches. */
static void take_stamp(struct tg_device *td, struct tg_dev_group *dg)
{
	const struct tg_chan *chan = dg->chan;
	u64 finish;

	if (dg->has_stamp && chan->ops->stamp(chan, dg->stamp, &finish))
		tg_sched_stamp(&td->sched, &dg->group, dg->gpu_start_ns,
			       finish);
}

/*
 * A single context switch, measured (TimeGraph section 5.3).  A client can write
 * to where the GPU writes it, so an absurd value is not believed.
 */
static void take_switch(struct tg_device *td, struct tg_dev_group *dg)
{
	struct tg_client *client;
	u64 ns;

	if (!dg->measures || !dg->group.switched ||
	    !dg->chan->ops->switch_time(dg->chan, &ns) ||
	    ns > TG_SWITCH_MAX_NS)
		return;
	td->nr_switches++;
	td->switch_ns += div64_s64((s64)(ns - td->switch_ns),
				   (s64)td->nr_switches);
	list_for_each_entry(client, &td->clients, node)
		if (client->history)
			tg_history_measured(&client->history->table,
					    td->switch_ns);
}

static void learn(struct tg_dev_group *dg)
{
	struct tg_client *client = dg->chan->client;
	struct tg_history_memory *history = client->history;
	u64 x = dg->prediction.cost_ns, cost = dg->group.cost_ns;

	if (!dg->profiled || !history)
		return;
	client->nr_predicted++;
	client->predicted_ns += cost;
	client->error_ns += x > cost ? x - cost : cost - x;
	dg->prediction.switched = dg->group.switched;
	tg_history_learn(&history->table, &dg->profile, &dg->prediction,
			 dg->group.cost_ns);
}

void tg_complete_locked(struct tg_device *td, struct tg_dev_group *dg, u64 now,
			enum tg_completion how)
{
	lockdep_assert_held(&td->lock);
	take_stamp(td, dg);
	take_switch(td, dg);
	tg_sched_complete(&td->sched, &dg->group, now);
	td->busy_ns += dg->group.cost_ns;
	dg->chan->ops->charge(dg->chan, dg->group.cost_ns);
	learn(dg);
	td->stuck_in_a_row = 0;
	if (how == TG_COMPLETION_NOTIFY)
		dg->chan->missed = 0;
	if (how == TG_COMPLETION_POLL)
		td->count.recovered++;
	else
		td->count.verified++;
	trace_tg_complete(td, dg, how);
	tg_dev_group_put(dg);
}

/*
 * Whether @c entered its channel's ring not after @dg of the same channel.
 * That is the order of their sequence numbers, given out with the ring locked;
 * the list is in the order of admission, and two threads of a client can
 * overtake each other between the two.
 */
static bool not_after(const struct tg_dev_group *c, const struct tg_dev_group *dg)
{
	if (c->has_seq && dg->has_seq)
		return tg_seq_passed(dg->seq, c->seq);
	return c->fence && dg->fence &&
	       tg_seq_passed(dg->fence->seqno, c->fence->seqno);
}

/*
 * Completes the groups of @dg's channel up to and including @dg.  A channel
 * works in order, so those before @dg are done if @dg is; that they are still
 * listed means that their own interrupt was lost or came together with this.
 */
static void complete_through_locked(struct tg_device *td, struct tg_dev_group *dg,
				    u64 now, enum tg_completion how)
{
	struct tg_chan *chan = dg->chan;
	struct tg_group *g, *n;

	lockdep_assert_held(&td->lock);
	tg_sched_for_each_online_safe(g, n, &td->sched) {
		struct tg_dev_group *c = to_dev_group(g);

		if (c == dg || c->chan != chan || !not_after(c, dg))
			continue;
		tg_complete_locked(td, c, now, how == TG_COMPLETION_FENCE ?
					    how : TG_COMPLETION_POLL);
	}
	tg_complete_locked(td, dg, now, how);
}

/* It may be over already, its fence event gone by unheard. */
static void look_at_fence_locked(struct tg_device *td, struct tg_dev_group *dg)
{
	u64 now;

	lockdep_assert_held(&td->lock);
	if (dg->group.state == TG_GROUP_OUT ||
	    !tg_complete_by_fence(dg) || !tg_dev_group_fence_passed(dg))
		return;
	now = ktime_get_ns();
	complete_through_locked(td, dg, now, TG_COMPLETION_FENCE);
	tg_dispatch_locked(td, now);
}

/* Called with the fence's lock held, in any context. */
static void fence_signalled(struct dma_fence *fence, struct dma_fence_cb *cb)
{
	struct tg_dev_group *dg = container_of(cb, struct tg_dev_group, cb);
	struct tg_device *td = dg->td;
	unsigned long flags;

	spin_lock_irqsave(&td->lock, flags);
	list_del_init(&dg->cb_node);
	look_at_fence_locked(td, dg);
	spin_unlock_irqrestore(&td->lock, flags);
	tg_dev_group_put(dg);
}

/*
 * Has the fence call back, which has nouveau ask for its interrupt.  The fence's
 * lock is outside of tg_device.lock.
 */
void tg_complete_watch(struct tg_device *td, struct tg_dev_group *dg)
{
	unsigned long flags;

	refcount_inc(&dg->ref);
	spin_lock_irqsave(&td->lock, flags);
	list_add_tail(&dg->cb_node, &td->callbacks);
	spin_unlock_irqrestore(&td->lock, flags);
	if (dma_fence_add_callback(dg->fence, &dg->cb, fence_signalled))
		fence_signalled(dg->fence, &dg->cb);
}

/* A callback that cannot be taken back any more is over. */
void tg_complete_unwatch(struct tg_device *td)
{
	struct tg_dev_group *dg;

	spin_lock_irq(&td->lock);
	while (!list_empty(&td->callbacks)) {
		dg = list_first_entry(&td->callbacks, struct tg_dev_group, cb_node);
		list_del_init(&dg->cb_node);
		refcount_inc(&dg->ref);
		spin_unlock_irq(&td->lock);
		if (dma_fence_remove_callback(dg->fence, &dg->cb))
			tg_dev_group_put(dg);
		tg_dev_group_put(dg);
		spin_lock_irq(&td->lock);
	}
	spin_unlock_irq(&td->lock);
}

/*
 * The interrupt says which channel ran and what the NOP carried.  A client can
 * raise NOTIFY too, and can write any reference value, but it does not know
 * the tag; so a group is complete when the tag is its own and the reference
 * value is reached.
 */
void tg_complete_notify(struct tg_device *td, int chid, u32 tag)
{
	struct tg_group *g;
	unsigned long flags;
	u64 now;

	spin_lock_irqsave(&td->lock, flags);
	now = ktime_get_ns();
	tg_sched_for_each_online(g, &td->sched) {
		struct tg_dev_group *dg = to_dev_group(g);

		if (!dg->has_seq || dg->tag != tag ||
		    (chid >= 0 && dg->chan->chid != chid))
			continue;
		if (!tg_seq_passed(dg->chan->ops->ref(dg->chan), dg->seq))
			break;
		complete_through_locked(td, dg, now, TG_COMPLETION_NOTIFY);
		tg_dispatch_locked(td, now);
		goto out;
	}
	td->count.foreign++;
	trace_tg_foreign(td, chid, tag);
out:
	spin_unlock_irqrestore(&td->lock, flags);
}

/* The GPU-online list has at most ht_depth groups. */
void tg_complete_fence_event(struct tg_device *td)
{
	unsigned long flags;
	struct tg_group *g;

	spin_lock_irqsave(&td->lock, flags);
restart:
	tg_sched_for_each_online(g, &td->sched) {
		struct tg_dev_group *dg = to_dev_group(g);

		if (tg_complete_by_fence(dg) && tg_dev_group_fence_passed(dg)) {
			look_at_fence_locked(td, dg);
			goto restart;
		}
	}
	spin_unlock_irqrestore(&td->lock, flags);
}
