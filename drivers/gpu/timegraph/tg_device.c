// SPDX-License-Identifier: GPL-2.0-only
/*
 * The way of a command group through one GPU, and what happens when it does
 * not come out at the other end.
 *
 * A group is admitted (it enters the GPU-online list, or sleeps in the wait
 * queue or until its reserve has a budget), checked against the budget once its
 * cost can be predicted, submitted, and leaves when its completion is seen: by an
 * interrupt that is verified, or, should that get lost, by the watchdog that
 * looks at nouveau's fence value.  A group that stays longer than hang_ms is
 * taken for stuck: its channel's groups leave the list so that the others go
 * on, and the channel is not scheduled until they end.  After STUCK_LIMIT in a
 * row, with nothing completed in between, it is the GPU that hangs, and
 * scheduling stops with a reason.
 */
#include <linux/list.h>
#include <linux/math64.h>
#include <linux/mutex.h>
#include <linux/rculist.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>

#include "tg_compat.h"
#include "tg_device.h"
#include "tg_events.h"
#include "tg_params.h"
#include "tg_task.h"
#include "tg_trace.h"

#define STUCK_LIMIT 3

static LIST_HEAD(devices);
static DEFINE_MUTEX(devices_mutex);
static struct kmem_cache *cmd_cache;

static struct tg_cmd *to_cmd(struct tg_group *g)
{
	return container_of(g, struct tg_cmd, group);
}

static void put_cmd(struct tg_cmd *cmd)
{
	if (refcount_dec_and_test(&cmd->ref))
		kmem_cache_free(cmd_cache, cmd);
}

/* Sequence numbers wrap: compare as distance. */
static bool passed(u32 value, u32 seq)
{
	return (s32)(value - seq) >= 0;
}

static bool fence_passed(const struct tg_cmd *cmd)
{
	return cmd->has_fence && cmd->chan->has_fence &&
	       passed(cmd->chan->ops->fence(cmd->chan), cmd->fence);
}

static void arm_watchdog(struct tg_device *td)
{
	if (td->sched.nr_online && !hrtimer_is_queued(&td->watchdog))
		hrtimer_start(&td->watchdog, ms_to_ktime(tg_param_poll_ms),
			      HRTIMER_MODE_REL);
}

/* The timer may fire for nothing, but not late. */
static void arm_replenish(struct tg_device *td)
{
	u64 next = tg_sched_next_replenish(&td->sched);

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

void tg_device_dispatch_locked(struct tg_device *td, u64 now)
{
	wake_locked(td, now);
	arm_watchdog(td);
}

/* Lets a waiting group go unscheduled; the sleeper drops its own reference. */
static void release_locked(struct tg_device *td, struct tg_cmd *cmd, u64 now)
{
	lockdep_assert_held(&td->lock);
	trace_tg_drop(td, cmd);
	tg_sched_cancel(&td->sched, &cmd->group, now);
	cmd->released = true;
	td->count.ungated++;
	complete(&cmd->granted);
	put_cmd(cmd);
}

/* Takes an online group out without charging it. */
static void drop_locked(struct tg_device *td, struct tg_cmd *cmd, u64 now)
{
	lockdep_assert_held(&td->lock);
	trace_tg_drop(td, cmd);
	tg_sched_cancel(&td->sched, &cmd->group, now);
	put_cmd(cmd);
}

/* The GPU's own account of the group, for what it costs and what that teaches. */
static void take_stamp(struct tg_device *td, struct tg_cmd *cmd)
{
	const struct tg_chan *chan = cmd->chan;
	u64 finish;

	if (cmd->has_stamp && chan->ops->stamp(chan, cmd->stamp, &finish))
		tg_sched_stamp(&td->sched, &cmd->group, cmd->gpu_start_ns,
			       finish);
}

/*
 * A single context switch, measured (TimeGraph section 5.3).  A client can write
 * to where the GPU writes it, so an absurd value is not believed.
 */
static void take_switch(struct tg_device *td, struct tg_cmd *cmd)
{
	struct tg_client *client;
	u64 ns;

	if (!cmd->measures || !cmd->group.switched ||
	    !cmd->chan->ops->switch_time(cmd->chan, &ns) ||
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

static void learn(struct tg_cmd *cmd)
{
	struct tg_client *client = cmd->chan->client;
	struct tg_history_memory *history = client->history;
	u64 x = cmd->prediction.cost_ns, cost = cmd->group.cost_ns;

	if (!cmd->profiled || !history)
		return;
	client->nr_predicted++;
	client->predicted_ns += cost;
	client->error_ns += x > cost ? x - cost : cost - x;
	cmd->prediction.switched = cmd->group.switched;
	tg_history_learn(&history->table, &cmd->profile, &cmd->prediction,
			 cmd->group.cost_ns);
}

static void complete_locked(struct tg_device *td, struct tg_cmd *cmd, u64 now,
			    enum tg_completion how)
{
	lockdep_assert_held(&td->lock);
	take_stamp(td, cmd);
	take_switch(td, cmd);
	tg_sched_complete(&td->sched, &cmd->group, now);
	td->busy_ns += cmd->group.cost_ns;
	cmd->chan->ops->charge(cmd->chan, cmd->group.cost_ns);
	learn(cmd);
	td->stuck_in_a_row = 0;
	if (how == TG_COMPLETION_NOTIFY)
		cmd->chan->missed = 0;
	if (how == TG_COMPLETION_POLL)
		td->count.recovered++;
	else
		td->count.verified++;
	trace_tg_complete(td, cmd, how);
	put_cmd(cmd);
}

/*
 * Whether @c entered its channel's ring not after @cmd of the same channel.
 * That is the order of their sequence numbers, given out with the ring locked;
 * the list is in the order of admission, and two threads of a client can
 * overtake each other between the two.
 */
static bool not_after(const struct tg_cmd *c, const struct tg_cmd *cmd)
{
	if (c->has_seq && cmd->has_seq)
		return passed(cmd->seq, c->seq);
	return c->has_fence && cmd->has_fence && passed(cmd->fence, c->fence);
}

/*
 * Completes the groups of @cmd's channel up to and including @cmd.  A channel
 * works in order, so those before @cmd are done if @cmd is; that they are still
 * listed means that their own interrupt was lost or came together with this.
 */
static void complete_through_locked(struct tg_device *td, struct tg_cmd *cmd,
				    u64 now, enum tg_completion how)
{
	struct tg_chan *chan = cmd->chan;
	struct tg_group *g, *n;

	list_for_each_entry_safe(g, n, &td->sched.online, node) {
		struct tg_cmd *c = to_cmd(g);

		if (c == cmd || c->chan != chan || !not_after(c, cmd))
			continue;
		complete_locked(td, c, now, how == TG_COMPLETION_FENCE ?
					    how : TG_COMPLETION_POLL);
	}
	complete_locked(td, cmd, now, how);
}

/* Whether a group arriving now is to be scheduled at all. */
static bool scheduled_locked(struct tg_device *td, struct tg_chan *chan)
{
	lockdep_assert_held(&td->lock);
	/* A dead channel is not looked at: nouveau may have freed it. */
	if (td->bypass || chan->dead || chan->backend == TG_BACKEND_NONE)
		return false;
	if (chan->stuck && passed(chan->ops->fence(chan), chan->stuck_fence)) {
		/* It was long, and did not hang. */
		chan->stuck = false;
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
	init_completion(&cmd->granted);
	refcount_set(&cmd->ref, 2);
}

/* Returns whether the group is online; its thread sleeps otherwise. */
static bool arrive_locked(struct tg_device *td, struct tg_cmd *cmd, u64 now)
{
	bool online = tg_sched_arrive(&td->sched, &cmd->group, now);

	cmd->id = ++td->next_id;
	trace_tg_arrive(td, cmd, online);
	if (cmd->group.state == TG_GROUP_THROTTLED)
		trace_tg_throttle(td, cmd,
				  tg_task_reserve(&td->sched, cmd->group.task));
	tg_device_dispatch_locked(td, now);
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
	withdrawn = cmd->group.state == TG_GROUP_WAITING ||
		    cmd->group.state == TG_GROUP_THROTTLED;
	if (withdrawn) {
		drop_locked(td, cmd, ktime_get_ns());
		td->count.interrupted++;
		tg_device_dispatch_locked(td, ktime_get_ns());
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

int tg_device_admit(struct tg_chan *chan, struct tg_cmd **out)
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
		put_cmd(cmd);
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

	if (profile && history) {
		cmd->profile = *profile;
		cmd->profiled = true;
	}
	if (cmd->profiled)
		tg_history_predict(&history->table, &cmd->profile,
				   tg_sched_switches(&td->sched, cmd->chan),
				   &cmd->prediction);
}

int tg_device_check(struct tg_cmd *cmd, const struct tg_profile *profile)
{
	struct tg_device *td = cmd->chan->client->td;
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
		tg_device_dispatch_locked(td, now);
	}
	spin_unlock_irqrestore(&td->lock, flags);
	return go ? 0 : -EAGAIN;
}

struct tg_cmd *tg_device_insert(struct tg_chan *chan)
{
	struct tg_device *td = chan->client->td;
	struct tg_cmd *cmd = kmem_cache_alloc(cmd_cache, GFP_NOWAIT);
	unsigned long flags;

	if (cmd)
		init_cmd(cmd, chan);
	spin_lock_irqsave(&td->lock, flags);
	if (cmd && scheduled_locked(td, chan)) {
		u64 now = ktime_get_ns();

		cmd->id = ++td->next_id;
		tg_sched_insert(&td->sched, &cmd->group, now);
		tg_sched_start(&td->sched, &cmd->group, now);
		trace_tg_arrive(td, cmd, true);
		arm_watchdog(td);
	} else {
		td->count.ungated++;
		if (cmd)
			kmem_cache_free(cmd_cache, cmd);
		cmd = NULL;
	}
	spin_unlock_irqrestore(&td->lock, flags);
	return cmd;
}

void tg_device_submitted(struct tg_cmd *cmd, u32 fence)
{
	struct tg_device *td = cmd->chan->client->td;
	unsigned long flags;

	spin_lock_irqsave(&td->lock, flags);
	cmd->fence = fence;
	cmd->has_fence = true;
	td->count.submitted++;
	trace_tg_submit(td, cmd);
	/* It may be over already, its fence event gone by unheard. */
	if (cmd->group.state != TG_GROUP_OUT &&
	    cmd->chan->backend == TG_BACKEND_FENCE && fence_passed(cmd)) {
		u64 now = ktime_get_ns();

		complete_through_locked(td, cmd, now, TG_COMPLETION_FENCE);
		tg_device_dispatch_locked(td, now);
	}
	spin_unlock_irqrestore(&td->lock, flags);
	put_cmd(cmd);
}

void tg_device_cancel(struct tg_cmd *cmd, bool refused)
{
	struct tg_device *td = cmd->chan->client->td;
	unsigned long flags;
	u64 now;

	spin_lock_irqsave(&td->lock, flags);
	now = ktime_get_ns();
	td->count.cancelled += refused;
	if (cmd->group.state != TG_GROUP_OUT)
		drop_locked(td, cmd, now);
	tg_device_dispatch_locked(td, now);
	spin_unlock_irqrestore(&td->lock, flags);
	put_cmd(cmd);
}

/*
 * The interrupt says which channel ran and what the NOP carried.  A client can
 * raise NOTIFY too, and can write any reference value, but it does not know
 * the tag; so a group is complete when the tag is its own and the reference
 * value is reached.
 */
void tg_device_notify(struct tg_device *td, int chid, u32 tag)
{
	struct tg_group *g;
	unsigned long flags;
	u64 now;

	spin_lock_irqsave(&td->lock, flags);
	now = ktime_get_ns();
	list_for_each_entry(g, &td->sched.online, node) {
		struct tg_cmd *cmd = to_cmd(g);

		if (!cmd->has_seq || cmd->chan->chid != chid ||
		    cmd->tag != tag)
			continue;
		if (!passed(cmd->chan->ops->ref(cmd->chan), cmd->seq))
			break;
		complete_through_locked(td, cmd, now, TG_COMPLETION_NOTIFY);
		tg_device_dispatch_locked(td, now);
		goto out;
	}
	td->count.foreign++;
	trace_tg_foreign(td, chid, tag);
out:
	spin_unlock_irqrestore(&td->lock, flags);
}

void tg_device_fence_event(struct tg_chan *chan)
{
	struct tg_device *td = chan->client->td;
	struct tg_cmd *last = NULL;
	struct tg_group *g;
	unsigned long flags;

	spin_lock_irqsave(&td->lock, flags);
	if (chan->backend == TG_BACKEND_FENCE) {
		list_for_each_entry(g, &td->sched.online, node)
			if (to_cmd(g)->chan == chan && fence_passed(to_cmd(g)))
				last = to_cmd(g);
	}
	if (last) {
		u64 now = ktime_get_ns();

		complete_through_locked(td, last, now, TG_COMPLETION_FENCE);
		tg_device_dispatch_locked(td, now);
	}
	spin_unlock_irqrestore(&td->lock, flags);
}

static void forget_throttled_locked(struct tg_device *td, struct tg_reserve *r,
				    struct tg_chan *chan, u64 now)
{
	struct tg_group *g, *n;

	list_for_each_entry_safe(g, n, &r->throttled, node)
		if (!chan || to_cmd(g)->chan == chan)
			release_locked(td, to_cmd(g), now);
}

static void forget_locked(struct tg_device *td, struct tg_chan *chan, u64 now)
{
	struct tg_group *g, *n;
	struct tg_reserve *r;
	unsigned int level;

	list_for_each_entry_safe(g, n, &td->sched.online, node)
		if (!chan || to_cmd(g)->chan == chan)
			drop_locked(td, to_cmd(g), now);
	for_each_set_bit(level, td->sched.waiting, TG_LEVELS)
		list_for_each_entry_safe(g, n, &td->sched.queue[level], node)
			if (!chan || to_cmd(g)->chan == chan)
				release_locked(td, to_cmd(g), now);
	forget_throttled_locked(td, &td->sched.background, chan, now);
	list_for_each_entry(r, &td->sched.reserves, node)
		forget_throttled_locked(td, r, chan, now);
}

void tg_device_forget(struct tg_chan *chan)
{
	struct tg_device *td = chan->client->td;
	unsigned long flags;
	u64 now;

	spin_lock_irqsave(&td->lock, flags);
	now = ktime_get_ns();
	chan->dead = true;
	forget_locked(td, chan, now);
	tg_device_dispatch_locked(td, now);
	spin_unlock_irqrestore(&td->lock, flags);
}

const char *tg_device_bypass_reason(const struct tg_device *td)
{
	if (td->bypass & TG_BYPASS_HANG)
		return "the GPU stopped completing groups";
	if (td->bypass & TG_BYPASS_USER)
		return "asked for";
	if (td->bypass & TG_BYPASS_SUSPEND)
		return "suspended";
	return NULL;
}

static void bypass_locked(struct tg_device *td, unsigned int bits)
{
	lockdep_assert_held(&td->lock);
	td->bypass |= bits;
	trace_tg_bypass(td, tg_device_bypass_reason(td));
	tg_events_post(TIMEGRAPH_EVENT_BYPASS);
	forget_locked(td, NULL, ktime_get_ns());
}

void tg_device_bypass(struct tg_device *td, unsigned int bits)
{
	unsigned long flags;

	spin_lock_irqsave(&td->lock, flags);
	bypass_locked(td, bits);
	spin_unlock_irqrestore(&td->lock, flags);
}

void tg_device_restore(struct tg_device *td, unsigned int bits)
{
	unsigned long flags;

	spin_lock_irqsave(&td->lock, flags);
	td->bypass &= ~bits;
	td->stuck_in_a_row = 0;
	/* nouveau sets it to the CPU's when the GPU wakes up. */
	tg_sched_clock_set(&td->sched);
	trace_tg_bypass(td, tg_device_bypass_reason(td));
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
	if (chan->backend == TG_BACKEND_NOTIFY && ++chan->missed == TG_MISSED_LIMIT)
		dev_warn(td->dev,
			 "timegraph: no NOTIFY from channel %d (%s), using fences for it\n",
			 chan->chid, chan->client->comm);
}

/*
 * The channel of @cmd hangs: all that it has on the GPU leaves the list, and it
 * is not scheduled until the last of that has ended.
 */
static void stuck_locked(struct tg_device *td, struct tg_cmd *cmd, u64 now)
{
	struct tg_chan *chan = cmd->chan;
	struct tg_group *g, *n;

	dev_warn(td->dev,
		 "timegraph: a group of channel %d (%s) is on the GPU for %llu ms: stuck\n",
		 chan->chid, chan->client->comm,
		 div_u64(now - cmd->group.start_ns, NSEC_PER_MSEC));
	td->count.stuck++;
	chan->stuck = chan->has_fence;
	chan->stuck_fence = cmd->fence;
	list_for_each_entry_safe(g, n, &td->sched.online, node) {
		struct tg_cmd *c = to_cmd(g);

		if (c->chan != chan || !c->has_fence)
			continue;
		if (passed(c->fence, chan->stuck_fence))
			chan->stuck_fence = c->fence;
		tg_sched_cancel(&td->sched, g, now);
		trace_tg_complete(td, c, TG_COMPLETION_STUCK);
		put_cmd(c);
	}
	if (++td->stuck_in_a_row < STUCK_LIMIT)
		return;
	dev_err(td->dev, "timegraph: the GPU completes nothing any more: bypass\n");
	bypass_locked(td, TG_BYPASS_HANG);
}

/*
 * Looks at one online group.  Returns true if the list changed in a way that
 * makes the walk over it start anew.
 */
static bool check_online_locked(struct tg_device *td, struct tg_cmd *cmd,
				u64 now)
{
	u64 hang_ns = (u64)tg_param_hang_ms * NSEC_PER_MSEC;
	u64 since = max(cmd->group.start_ns, td->sched.last_finish_ns);

	if (!cmd->has_fence) {
		/* Its thread hangs, not the GPU. */
		if (now - cmd->group.start_ns < hang_ns)
			return false;
		td->count.abandoned++;
		drop_locked(td, cmd, now);
	} else if (fence_passed(cmd)) {
		if (!cmd->overdue) {
			cmd->overdue = true;
			return false;
		}
		notify_missed_locked(td, cmd->chan);
		complete_locked(td, cmd, now, TG_COMPLETION_POLL);
	} else if (now > since && now - since >= hang_ns) {
		stuck_locked(td, cmd, now);
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
	list_for_each_entry_safe(g, n, &td->sched.online, node)
		if (check_online_locked(td, to_cmd(g), now))
			goto restart;
	/* Not forwarded: another CPU may have started the timer meanwhile. */
	tg_device_dispatch_locked(td, now);
	spin_unlock_irqrestore(&td->lock, flags);
	return HRTIMER_NORESTART;
}

static enum hrtimer_restart replenish(struct hrtimer *timer)
{
	struct tg_device *td = container_of(timer, struct tg_device, replenish);
	unsigned long flags;

	spin_lock_irqsave(&td->lock, flags);
	tg_device_dispatch_locked(td, ktime_get_ns());
	spin_unlock_irqrestore(&td->lock, flags);
	/* Started anew by the dispatch if somebody still waits. */
	return HRTIMER_NORESTART;
}

struct tg_device *tg_device_find_rcu(struct device *dev)
{
	struct tg_device *td;

	list_for_each_entry_rcu(td, &devices, node,
				lockdep_is_held(&devices_mutex))
		if (td->dev == dev)
			return td;
	return NULL;
}

static struct tg_device *create(struct device *dev)
{
	struct tg_device *td = kvzalloc(sizeof(*td), GFP_KERNEL);

	if (!td)
		return NULL;
	td->dev = get_device(dev);
	spin_lock_init(&td->lock);
	tg_sched_init(&td->sched, tg_param_ht_depth,
		      (u64)tg_param_bg_capacity_us * NSEC_PER_USEC,
		      (u64)tg_param_bg_period_us * NSEC_PER_USEC,
		      ktime_get_ns());
	INIT_LIST_HEAD(&td->clients);
	INIT_LIST_HEAD(&td->reservations);
	tg_compat_hrtimer_setup(&td->replenish, replenish, CLOCK_MONOTONIC,
				HRTIMER_MODE_ABS);
	tg_compat_hrtimer_setup(&td->watchdog, watchdog, CLOCK_MONOTONIC,
				HRTIMER_MODE_REL);
	list_add_tail_rcu(&td->node, &devices);
	return td;
}

struct tg_device *tg_device_get(struct device *dev)
{
	struct tg_device *td;

	mutex_lock(&devices_mutex);
	td = tg_device_find_rcu(dev);
	if (!td)
		td = create(dev);
	mutex_unlock(&devices_mutex);
	return td;
}

u32 tg_device_number(void)
{
	struct tg_device *td;
	u32 n = 0;

	mutex_lock(&devices_mutex);
	list_for_each_entry(td, &devices, node)
		n++;
	mutex_unlock(&devices_mutex);
	return n;
}

struct tg_device *tg_device_by_index(u32 index)
{
	struct tg_device *td, *found = NULL;

	mutex_lock(&devices_mutex);
	list_for_each_entry(td, &devices, node) {
		if (!index--) {
			found = td;
			break;
		}
	}
	mutex_unlock(&devices_mutex);
	return found;
}

void tg_device_for_each(void (*fn)(struct tg_device *td, void *arg), void *arg)
{
	struct tg_device *td;

	mutex_lock(&devices_mutex);
	list_for_each_entry(td, &devices, node)
		fn(td, arg);
	mutex_unlock(&devices_mutex);
}

int tg_device_init(void)
{
	cmd_cache = KMEM_CACHE(tg_cmd, 0);
	return cmd_cache ? 0 : -ENOMEM;
}

void tg_device_exit(void)
{
	struct tg_device *td, *n;

	mutex_lock(&devices_mutex);
	list_for_each_entry_safe(td, n, &devices, node) {
		hrtimer_cancel(&td->watchdog);
		hrtimer_cancel(&td->replenish);
		WARN_ON(td->sched.nr_online || td->sched.nr_waiting ||
			td->sched.nr_throttled);
		list_del_rcu(&td->node);
		synchronize_rcu();
		put_device(td->dev);
		kvfree(td);
	}
	mutex_unlock(&devices_mutex);
	kmem_cache_destroy(cmd_cache);
}
