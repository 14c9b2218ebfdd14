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
#include "tg_lease.h"
#include "tg_params.h"
#include "tg_ring.h"
#include "tg_trace.h"

/* The NOTIFY of one that the GPU had before it was known may have come by then. */
bool tg_complete_by_fence(const struct tg_dev_group *dg)
{
	return dg->chan->backend == TG_BACKEND_FENCE || !dg->has_seq || dg->taken;
}

/* Whether its end decides something: somebody waits, or a reserve pays for it. */
static bool decides_locked(struct tg_device *td, const struct tg_dev_group *dg)
{
	const struct tg_reserve *r = tg_task_reserve(&td->sched, dg->group.task);

	lockdep_assert_held(&td->lock);
	return td->sched.nr_waiting || td->sched.nr_throttled || (r && !tg_reserve_is_all(r));
}

/*
 * So many groups without, and the next has one.  A program that waits for what has ended
 * already has nouveau let its interrupt through for a moment: the card has kept one from before,
 * and the handler finds nothing.  Of 100,000 such the kernel takes 99,900 for a reason to switch the
 * interrupt off for good; a NOTIFY is handled.
 */
#define QUIET_MAX 256

bool tg_complete_wants_notify_locked(struct tg_device *td, const struct tg_dev_group *dg)
{
	lockdep_assert_held(&td->lock);
	if (tg_param_completion == TG_COMPLETE_NOTIFY || decides_locked(td, dg) ||
	    td->nr_quiet >= QUIET_MAX) {
		td->nr_quiet = 0;
		return true;
	}
	td->nr_quiet++;
	return false;
}

/* So late an end is heard of: an interrupt and its handler. */
#define HEARD_NS (30 * NSEC_PER_USEC)

/* By how much what the CPU saw of it is longer, as a rule. */
static u64 heard_ns(const struct tg_dev_group *dg, u64 now)
{
	u64 from = min(dg->group.start_ns, now);
	u64 before = max(dg->handed_ns, from) - from;

	if (tg_param_tick_us)
		return before + (u64)tg_param_tick_us * NSEC_PER_USEC;
	if (dg->over_early)
		return now - from;
	return before + (dg->chan->polled ? TG_POLL_FENCE_NS : HEARD_NS);
}

/*
 * A client can write over its own stamp, between the end of the group and this; its mark it
 * cannot.  Of those that were not looked for in time only the newest has its mark still.
 */
static bool read_end(const struct tg_dev_group *dg, u64 *finish)
{
	const struct tg_chan *chan = dg->chan;

	return (dg->has_mark && chan->ops->mark(chan, dg->mark, finish)) ||
	       chan->ops->stamp(chan, dg->stamp, finish);
}

/* The GPU's own account of the group, for what it costs and what that teaches. */
static void take_stamp(struct tg_device *td, struct tg_dev_group *dg, u64 now)
{
	u64 finish;

	if (dg->has_stamp && read_end(dg, &finish))
		tg_sched_stamp(&td->sched, &dg->group, dg->gpu_start_ns,
			       finish, heard_ns(dg, now));
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

	if (dg->predicted) {
		client->nr_predicted++;
		client->predicted_ns += cost;
		client->error_ns += x > cost ? x - cost : cost - x;
	}
	dg->prediction.switched = dg->group.switched;
	if (dg->profiled && history && !dg->group.shared)
		tg_history_learn(&history->table, &dg->profile, &dg->prediction, cost);
}

static void note_progress_locked(struct tg_device *td, struct tg_dev_group *dg,
				 u64 now)
{
	lockdep_assert_held(&td->lock);
	td->progress_ns = now;
	dg->ring->last_finish_ns = now;
	if (!dg->aside && dg->group.start_ns > td->proved_ns)
		td->proved_ns = dg->group.start_ns;
}

/* Of one that ended unheard the GPU's clock says when; never before what was paid for. */
static u64 end_of(const struct tg_device *td, const struct tg_dev_group *dg, u64 now)
{
	u64 finish, end;

	if (list_empty(&dg->unheard_node) || !dg->has_stamp || !read_end(dg, &finish) ||
	    finish < dg->gpu_start_ns)
		return now;
	end = dg->handed_ns + (finish - dg->gpu_start_ns);
	return clamp(end, min(now, td->sched.last_finish_ns), now);
}

static void complete_one_locked(struct tg_device *td, struct tg_dev_group *dg,
				u64 now, enum tg_completion how)
{
	lockdep_assert_held(&td->lock);
	now = end_of(td, dg, now);
	note_progress_locked(td, dg, now);
	/* Its interrupt can be faster than the thread that submits it. */
	tg_ring_submitted_locked(td, dg);
	tg_lease_used_locked(td, dg, now);
	take_stamp(td, dg, now);
	take_switch(td, dg);
	tg_sched_complete(&td->sched, &dg->group, now);
	dg->chan->ops->charge(dg->chan, dg->group.cost_ns);
	tg_lease_late_ended_locked(td, dg, now);
	learn(dg);
	if (how == TG_COMPLETION_NOTIFY)
		dg->chan->missed = 0;
	if (how == TG_COMPLETION_POLL)
		td->count.recovered++;
	else
		td->count.verified++;
	trace_tg_complete(td, dg, how);
	tg_ring_leave_locked(td, dg, true);
	tg_dev_group_put(dg);
}

/*
 * A channel works in order, so those before @dg in its ring are done if @dg is; that they
 * are still listed means that their own interrupt was lost or came together with this.
 */
void tg_complete_locked(struct tg_device *td, struct tg_dev_group *dg, u64 now,
			enum tg_completion how)
{
	struct tg_dev_group *first;

	lockdep_assert_held(&td->lock);
	while (!list_empty(&dg->ring_node)) {
		first = tg_ring_first(dg->ring);
		if (first == dg)
			break;
		complete_one_locked(td, first, now, how);
	}
	complete_one_locked(td, dg, now, how);
}

/*
 * Completes what has ended of a channel, in the order of its ring: of what has not, one
 * fence is read.  Once in each look at the GPU.
 */
static bool look_at_ring_locked(struct tg_device *td, struct tg_ring *ring, u64 now)
{
	struct tg_dev_group *dg;
	bool ended = false;

	lockdep_assert_held(&td->lock);
	if (ring->looked == td->looks)
		return false;
	ring->looked = td->looks;
	while ((dg = tg_ring_first(ring)) && tg_complete_by_fence(dg) &&
	       tg_dev_group_fence_passed(dg)) {
		complete_one_locked(td, dg, now, TG_COMPLETION_FENCE);
		ended = true;
	}
	return ended;
}

bool tg_complete_reap_locked(struct tg_device *td, u64 now)
{
	struct tg_dev_group *dg;
	bool ended = false;

	lockdep_assert_held(&td->lock);
	if (list_empty(&td->unheard))
		return false;
	td->looks++;
restart:
	list_for_each_entry(dg, &td->unheard, unheard_node) {
		if (look_at_ring_locked(td, dg->ring, now)) {
			ended = true;
			goto restart;
		}
	}
	/* Who has begun to wait meanwhile finds none of them that would wake it. */
	if (ended && (td->sched.nr_waiting || td->sched.nr_throttled))
		tg_dispatch_locked(td, now);
	return ended;
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
	tg_complete_reap_locked(td, now);
	if (dg->group.state != TG_GROUP_OUT)
		tg_complete_locked(td, dg, now, TG_COMPLETION_FENCE);
	tg_dispatch_locked(td, now);
}

static void hear_of_fence(struct tg_dev_group *dg, bool early)
{
	struct tg_device *td = dg->td;
	unsigned long flags;

	spin_lock_irqsave(&td->lock, flags);
	list_del_init(&dg->cb_node);
	dg->over_early = early;
	look_at_fence_locked(td, dg);
	spin_unlock_irqrestore(&td->lock, flags);
	tg_dev_group_put(dg);
}

/* Called with the fence's lock held, in any context. */
static void fence_signalled(struct dma_fence *fence, struct dma_fence_cb *cb)
{
	hear_of_fence(container_of(cb, struct tg_dev_group, cb), false);
}

/*
 * Has the fence call back, which has nouveau ask for its interrupt.  The fence's
 * lock is outside of tg_device.lock.
 *
 * Not if it is over: nouveau would let the interrupt through all the same, see QUIET_MAX.
 */
void tg_complete_watch(struct tg_device *td, struct tg_dev_group *dg)
{
	unsigned long flags;

	refcount_inc(&dg->ref);
	spin_lock_irqsave(&td->lock, flags);
	list_add_tail(&dg->cb_node, &td->callbacks);
	spin_unlock_irqrestore(&td->lock, flags);
	if (tg_dev_group_fence_passed(dg) ||
	    dma_fence_add_callback(dg->fence, &dg->cb, fence_signalled))
		hear_of_fence(dg, true);
}

/*
 * Whether somebody is to know of its end at once.  Without a time stamp it is the CPU that sees
 * when it ended; and what a program or a quota of a domain decides is not foreseen here.
 */
static bool is_wanted_locked(struct tg_device *td, const struct tg_dev_group *dg)
{
	lockdep_assert_held(&td->lock);
	return decides_locked(td, dg) || td->stage.behind || !dg->has_stamp || dg->chan->polled ||
	       td->fair != tg_policy_of(TG_POLICY_FQ) || td->bypass || td->nr_hung ||
	       tg_domain_is_limited(dg->group.task) || trace_tg_complete_enabled();
}

bool tg_complete_expect_locked(struct tg_device *td, struct tg_dev_group *dg)
{
	lockdep_assert_held(&td->lock);
	if (tg_param_tick_us || dg->group.state == TG_GROUP_OUT || !tg_complete_by_fence(dg))
		return false;
	if (is_wanted_locked(td, dg))
		return true;
	list_add_tail(&dg->unheard_node, &td->unheard);
	return false;
}

/*
 * The oldest that nobody watches, with a reference, or NULL.  Until its fence calls back it is
 * on a list, so that its end is not taken for one whose interrupt was lost.
 */
static struct tg_dev_group *take_unheard(struct tg_device *td)
{
	struct tg_dev_group *dg;
	unsigned long flags;

	spin_lock_irqsave(&td->lock, flags);
	tg_complete_reap_locked(td, ktime_get_ns());
	dg = list_first_entry_or_null(&td->unheard, struct tg_dev_group, unheard_node);
	if (dg) {
		list_move_tail(&dg->unheard_node, &td->telling);
		refcount_inc(&dg->ref);
	}
	spin_unlock_irqrestore(&td->lock, flags);
	return dg;
}

static void is_told(struct tg_device *td, struct tg_dev_group *dg)
{
	unsigned long flags;

	spin_lock_irqsave(&td->lock, flags);
	list_del_init(&dg->unheard_node);
	spin_unlock_irqrestore(&td->lock, flags);
	tg_dev_group_put(dg);
}

void tg_complete_watch_all(struct tg_device *td)
{
	struct tg_dev_group *dg;

	while ((dg = take_unheard(td))) {
		tg_complete_watch(td, dg);
		is_told(td, dg);
	}
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

static bool has_tag(const struct tg_group *g, int chid, u32 tag)
{
	const struct tg_dev_group *dg = container_of(g, struct tg_dev_group, group);

	return dg->has_seq && dg->tag == tag &&
	       (chid < 0 || dg->chan->chid == chid);
}

static struct tg_dev_group *find_tag_locked(struct tg_device *td, int chid, u32 tag)
{
	struct tg_group *g, *n;

	lockdep_assert_held(&td->lock);
	tg_sched_for_each_online(g, &td->sched)
		if (has_tag(g, chid, tag))
			return to_dev_group(g);
	tg_sched_for_each_aside_safe(g, n, &td->sched)
		if (has_tag(g, chid, tag))
			return to_dev_group(g);
	return NULL;
}

/*
 * The interrupt says which channel ran and what the NOP carried.  A client can
 * raise NOTIFY too, and can write any reference value, but it does not know
 * the tag; so a group is complete when the tag is its own and the reference
 * value is reached.
 */
void tg_complete_notify(struct tg_device *td, int chid, u32 tag)
{
	struct tg_dev_group *dg;
	unsigned long flags;
	u64 now;

	spin_lock_irqsave(&td->lock, flags);
	now = ktime_get_ns();
	tg_complete_reap_locked(td, now);
	dg = find_tag_locked(td, chid, tag);
	if (dg && tg_seq_passed(dg->chan->ops->ref(dg->chan), dg->seq)) {
		tg_complete_locked(td, dg, now, TG_COMPLETION_NOTIFY);
		tg_dispatch_locked(td, now);
		goto out;
	}
	td->count.foreign++;
	trace_tg_foreign(td, chid, tag);
out:
	spin_unlock_irqrestore(&td->lock, flags);
}

/* What is on the GPU: at most ht_depth groups, and those of channels that hang. */
void tg_complete_fence_event(struct tg_device *td)
{
	unsigned long flags;
	struct tg_group *g, *n;
	bool ended = false;
	u64 now;

	if (tg_param_tick_us)
		return;
	spin_lock_irqsave(&td->lock, flags);
	/* Most come while nobody is gated. */
	if (!td->sched.nr_online && !td->sched.nr_aside)
		goto out;
	now = ktime_get_ns();
	ended = tg_complete_reap_locked(td, now);
	td->looks++;
restart:
	tg_sched_for_each_online(g, &td->sched) {
		if (look_at_ring_locked(td, to_dev_group(g)->ring, now)) {
			ended = true;
			goto restart;
		}
	}
	tg_sched_for_each_aside_safe(g, n, &td->sched) {
		if (look_at_ring_locked(td, to_dev_group(g)->ring, now)) {
			ended = true;
			goto restart;
		}
	}
	if (ended)
		tg_dispatch_locked(td, now);
out:
	spin_unlock_irqrestore(&td->lock, flags);
}
