// SPDX-License-Identifier: GPL-2.0-only
/*
 * A turn is lent: between it and the ring lies what user space can draw out at will
 * (copies from memory that it serves itself, eviction, a CPU that it leaves to others).
 *
 * While somebody waits, a turn that was not used within lease_us goes on to the next.
 * That alone would make each turn of a program that means ill cost the others lease_us.
 * So what they lose in this way is bounded for all such programs together: LOST_FREE_NS,
 * and of the time one part in LOST_SHARE.  When more was lost, who let a turn lapse
 * within SUSPECT_NS waits before he is given one, and so do new tasks of that user.
 * What such a turn may cost is counted before it, and taken back when it was used: so
 * of many who waited one goes on, not all.
 */
#include <linux/jiffies.h>
#include <linux/math64.h>
#include <linux/sched/signal.h>
#include <linux/wait.h>

#include "tg_chan.h"
#include "tg_client.h"
#include "tg_dev_group.h"
#include "tg_device.h"
#include "tg_dispatch.h"
#include "tg_lease.h"
#include "tg_params.h"

#define LOST_SHARE 50
#define LOST_FREE_NS (10ull * NSEC_PER_MSEC)
#define SUSPECT_NS (10ull * NSEC_PER_SEC)

static u64 lease_ns(void)
{
	return (u64)tg_param_lease_us * NSEC_PER_USEC;
}

bool tg_lease_is_over_locked(struct tg_device *td, const struct tg_dev_group *dg,
			     u64 now)
{
	lockdep_assert_held(&td->lock);
	return td->sched.nr_waiting && !dg->fence && !dg->has_seq &&
	       now > dg->group.start_ns &&
	       now - dg->group.start_ns >= lease_ns();
}

static u64 lost_locked(struct tg_device *td, u64 now)
{
	u64 made_good = div_u64(now - td->lost.at_ns, LOST_SHARE);

	lockdep_assert_held(&td->lock);
	return td->lost.ns > made_good ? td->lost.ns - made_good : 0;
}

/* A turn that was had for long before somebody came cost nobody more than this. */
static u64 cost_ns(void)
{
	return lease_ns() + TG_IDLE_LOOK_NS;
}

static void add_locked(struct tg_device *td, const struct tg_client *client, u64 now)
{
	lockdep_assert_held(&td->lock);
	td->lost.ns = lost_locked(td, now) + cost_ns();
	td->lost.at_ns = now;
	td->lost.uid = client->uid;
}

static void count_locked(struct tg_device *td, struct tg_client *client, u64 now)
{
	lockdep_assert_held(&td->lock);
	if (!client->paid_turn)
		add_locked(td, client, now);
	client->paid_turn = false;
	client->lapsed_ns = now;
}

void tg_lease_lapse_locked(struct tg_device *td, struct tg_dev_group *dg, u64 now)
{
	lockdep_assert_held(&td->lock);
	td->count.abandoned++;
	if (td->sched.nr_waiting)
		count_locked(td, dg->chan->client, now);
	tg_dispatch_drop_locked(td, dg, now);
}

void tg_lease_kept_locked(struct tg_device *td, struct tg_dev_group *dg)
{
	struct tg_client *client = dg->chan->client;

	lockdep_assert_held(&td->lock);
	client->used_turn = true;
	if (client->paid_turn)
		td->lost.ns -= min(td->lost.ns, cost_ns());
	client->paid_turn = false;
}

static bool is_suspect_locked(struct tg_device *td, const struct tg_client *client,
			      u64 now)
{
	lockdep_assert_held(&td->lock);
	if (client->lapsed_ns && now - client->lapsed_ns < SUSPECT_NS)
		return true;
	return !client->used_turn && uid_eq(client->uid, td->lost.uid);
}

/* How long the client has to wait, 0 if it may go on: then its turn is paid for. */
static u64 pay_locked(struct tg_device *td, struct tg_client *client, u64 now)
{
	u64 lost = lost_locked(td, now);

	lockdep_assert_held(&td->lock);
	if (client->paid_turn || !is_suspect_locked(td, client, now))
		return 0;
	if (lost > LOST_FREE_NS)
		return (lost - LOST_FREE_NS) * LOST_SHARE;
	add_locked(td, client, now);
	client->paid_turn = true;
	return 0;
}

static u64 pay(struct tg_client *client)
{
	struct tg_device *td = client->td;
	u64 ns;

	/* As good as ever: nothing was ever lost. */
	if (!READ_ONCE(td->lost.ns))
		return 0;
	spin_lock_irq(&td->lock);
	ns = pay_locked(td, client, ktime_get_ns());
	spin_unlock_irq(&td->lock);
	return ns;
}

static bool is_unscheduled(const struct tg_chan *chan)
{
	return READ_ONCE(chan->client->td->bypass) || READ_ONCE(chan->dead);
}

int tg_lease_wait(struct tg_chan *chan)
{
	struct tg_device *td = chan->client->td;
	long left = 0;
	u64 ns;

	while (!left && (ns = pay(chan->client)))
		left = wait_event_interruptible_timeout(chan->ring.wait, is_unscheduled(chan),
							nsecs_to_jiffies(ns) + 1);
	if (left >= 0)
		return 0;
	spin_lock_irq(&td->lock);
	td->count.interrupted++;
	spin_unlock_irq(&td->lock);
	return left;
}
