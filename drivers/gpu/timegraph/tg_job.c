// SPDX-License-Identifier: GPL-2.0-only
/* EXEC's jobs, by their number. */
#include <linux/hashtable.h>
#include <linux/list.h>
#include <linux/spinlock.h>

#include "tg_chan.h"
#include "tg_dev_group.h"
#include "tg_device.h"
#include "tg_dispatch.h"
#include "tg_job.h"

/* Inside of tg_device.lock; protects both the table and each tg_device.jobs. */
static DEFINE_SPINLOCK(jobs_lock);
static DEFINE_HASHTABLE(jobs, 6);

static void unlink_locked(struct tg_dev_group *dg)
{
	lockdep_assert_held(&jobs_lock);
	hash_del(&dg->job_node);
	list_del_init(&dg->queue_node);
}

void tg_job_queue(struct tg_dev_group *dg, u64 id)
{
	struct tg_device *td = dg->td;
	unsigned long flags;
	bool gone;

	dg->job = id;
	spin_lock_irqsave(&td->lock, flags);
	/* Nobody would take it away any more; one that was given up is charged when it runs. */
	gone = dg->chan->dead || td->bypass;
	if (!gone) {
		spin_lock(&jobs_lock);
		hash_add(jobs, &dg->job_node, id);
		list_add_tail(&dg->queue_node, &td->jobs);
		spin_unlock(&jobs_lock);
	}
	if (gone && dg->chan->dead && dg->group.state != TG_GROUP_OUT)
		tg_dispatch_drop_locked(td, dg, ktime_get_ns());
	spin_unlock_irqrestore(&td->lock, flags);
	if (gone)
		tg_dev_group_put(dg);
}

struct tg_dev_group *tg_job_take(u64 id)
{
	struct tg_dev_group *dg;
	unsigned long flags;

	spin_lock_irqsave(&jobs_lock, flags);
	hash_for_each_possible(jobs, dg, job_node, id)
		if (dg->job == id)
			break;
	if (dg)
		unlink_locked(dg);
	spin_unlock_irqrestore(&jobs_lock, flags);
	return dg;
}

void tg_job_forget_locked(struct tg_device *td, const struct tg_chan *chan, u64 now)
{
	struct tg_dev_group *dg, *n;

	lockdep_assert_held(&td->lock);
	spin_lock(&jobs_lock);
	list_for_each_entry_safe(dg, n, &td->jobs, queue_node) {
		if (chan && dg->chan != chan)
			continue;
		unlink_locked(dg);
		if (dg->group.state != TG_GROUP_OUT)
			tg_dispatch_drop_locked(td, dg, now);
		tg_dev_group_put(dg);
	}
	spin_unlock(&jobs_lock);
}
