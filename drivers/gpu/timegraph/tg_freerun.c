// SPDX-License-Identifier: GPL-2.0-only
/* A task that has the GPU to itself is not gated: how that begins and ends. */
#include <linux/dma-fence.h>

#include "tg_chan.h"
#include "tg_client.h"
#include "tg_dev_group.h"
#include "tg_device.h"
#include "tg_freerun.h"
#include "tg_gate.h"
#include "tg_hang.h"
#include "tg_params.h"
#include "tg_runner.h"
#include "tg_trace.h"

/* As long as it sleeps here it cannot see that the module goes. */
#define WAIT_MS 50

static bool may_begin_locked(struct tg_device *td, struct tg_chan *chan)
{
	struct tg_client *client = chan->client;

	lockdep_assert_held(&td->lock);
	return !td->bypass && !td->polled && !trace_tg_arrive_enabled() &&
	       tg_sched_is_alone(&td->sched, &client->task, ktime_get_ns());
}

/* Its last group stands for all that the channel has on the GPU. */
void tg_freerun_end(struct tg_device *td)
{
	struct tg_dev_group *taken[TG_FREERUN_CHANS];
	struct tg_freerun_chan *fc;
	struct tg_chan *chan;
	unsigned long flags;
	u32 nr = 0;

	spin_lock_irqsave(&td->lock, flags);
	list_for_each_entry(fc, &td->freerun.chans, node) {
		chan = container_of(fc, struct tg_chan, freerun);
		if (!tg_runner_has(fc, 0))
			continue;
		taken[nr] = tg_gate_take_locked(chan, tg_runner_fence(fc, 0));
		nr += !!taken[nr];
	}
	tg_runner_drop_locked(td);
	spin_unlock_irqrestore(&td->lock, flags);
	while (nr--)
		tg_gate_taken(taken[nr]);
}

enum verdict {
	GATED,		/* it is to be admitted */
	FREE,
	FULL,		/* the channel has all the groups that it may have */
	ENDS,		/* and scheduling begins */
};

static enum verdict ask_locked(struct tg_chan *chan)
{
	struct tg_device *td = chan->client->td;
	struct tg_freerun *f = &td->freerun;

	lockdep_assert_held(&td->lock);
	if (chan->dead || tg_hang_is_in_way(chan) || f->inside)
		return GATED;
	if (!f->client && may_begin_locked(td, chan))
		tg_runner_begin_locked(td, chan->client);
	if (f->client != chan->client)
		return GATED;
	if (f->stop || trace_tg_arrive_enabled())
		return ENDS;
	if (!tg_runner_join_locked(td, chan))
		return GATED;
	if (tg_runner_has(&chan->freerun, TG_FREERUN_DEPTH - 1))
		return FULL;
	f->inside = chan;
	return FREE;
}

/* The group that half of the others come after, with a reference. */
static struct dma_fence *middle(struct tg_chan *chan)
{
	struct tg_device *td = chan->client->td;
	struct dma_fence *fence;

	spin_lock_irq(&td->lock);
	fence = dma_fence_get(tg_runner_fence(&chan->freerun, TG_FREERUN_DEPTH / 2));
	spin_unlock_irq(&td->lock);
	return fence;
}

static int wait_for_room(struct tg_chan *chan)
{
	struct dma_fence *fence = middle(chan);
	long left = 1;

	if (fence)
		left = dma_fence_wait_timeout(fence, true, msecs_to_jiffies(WAIT_MS));
	dma_fence_put(fence);
	return left < 0 ? left : 0;
}

/* Without the lock: most tasks that are not alone are seen here. */
static bool is_worth_asking(const struct tg_chan *chan)
{
	const struct tg_device *td = chan->client->td;
	const struct tg_client *runs = READ_ONCE(td->freerun.client);

	return tg_param_freerun && tg_param_completion != TG_COMPLETE_NOTIFY &&
	       (runs == chan->client ||
		(!runs && tg_sched_asked_last(&td->sched, &chan->client->task)));
}

int tg_freerun_enter(struct tg_chan *chan)
{
	struct tg_device *td = chan->client->td;
	enum verdict verdict;
	int ret;

	while (is_worth_asking(chan)) {
		spin_lock_irq(&td->lock);
		verdict = ask_locked(chan);
		spin_unlock_irq(&td->lock);
		if (verdict == FREE)
			return 1;
		if (verdict == ENDS)
			tg_freerun_end(td);
		if (verdict != FULL)
			return 0;
		ret = wait_for_room(chan);
		if (ret)
			return ret;
	}
	return 0;
}

void tg_freerun_leave(struct tg_chan *chan, struct dma_fence *fence)
{
	struct tg_device *td = chan->client->td;
	struct tg_dev_group *taken = NULL;
	bool is_free;

	spin_lock_irq(&td->lock);
	td->freerun.inside = NULL;
	is_free = td->freerun.client == chan->client && !list_empty(&chan->freerun.node);
	if (fence && is_free)
		tg_runner_pushed_locked(td, chan, fence);
	else if (fence)
		taken = tg_gate_take_locked(chan, fence);
	spin_unlock_irq(&td->lock);
	if (taken)
		tg_gate_taken(taken);
}
