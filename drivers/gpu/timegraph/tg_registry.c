// SPDX-License-Identifier: GPL-2.0-only
/* Which GPUs there are. */
#include <linux/device.h>
#include <linux/mutex.h>
#include <linux/rculist.h>
#include <linux/slab.h>

#include "tg_device.h"
#include "tg_params.h"
#include "tg_registry.h"

static const struct tg_registry_ops *ops;
static LIST_HEAD(devices);
/* Who adds one; not held while GPUs are walked. */
static DEFINE_MUTEX(devices_mutex);

struct tg_device *tg_registry_find_rcu(struct device *dev)
{
	struct tg_device *td;

	list_for_each_entry_rcu(td, &devices, node,
				lockdep_is_held(&devices_mutex))
		if (td->dev == dev)
			return td;
	return NULL;
}

void tg_registry_init(const struct tg_registry_ops *registry_ops)
{
	ops = registry_ops;
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
	td->sched.part = TG_PART;
	tg_sched_set_lead(&td->sched, (u64)tg_param_lead_us * NSEC_PER_USEC);
	tg_sched_set_floor(&td->sched, tg_param_floor_ns(),
			   (u64)tg_param_floor_period_us * NSEC_PER_USEC, ktime_get_ns());
	tg_lead_set_predictor(&td->sched, tg_param_lead_predictor);
	INIT_LIST_HEAD(&td->clients);
	td->fair = tg_policy_of(TG_POLICY_FQ);
	hash_init(td->domains.table);
	INIT_LIST_HEAD(&td->domains.list);
	td->reservations = RB_ROOT_CACHED;
	hash_init(td->shared);
	hash_init(td->owned);
	td->stage.awake = 1;
	INIT_LIST_HEAD(&td->callbacks);
	INIT_LIST_HEAD(&td->unheard);
	INIT_LIST_HEAD(&td->telling);
	INIT_LIST_HEAD(&td->jobs);
	tg_notice_start(&td->notices, td->dev, &td->lock);
	ops->start(td);
	list_add_tail_rcu(&td->node, &devices);
	return td;
}

struct tg_device *tg_registry_get(struct device *dev)
{
	struct tg_device *td;

	mutex_lock(&devices_mutex);
	td = tg_registry_find_rcu(dev);
	if (!td)
		td = create(dev);
	mutex_unlock(&devices_mutex);
	return td;
}

void tg_registry_describe(struct tg_device *td, u32 chipset, bool polled)
{
	spin_lock_irq(&td->lock);
	td->chipset = chipset;
	td->polled |= polled;
	spin_unlock_irq(&td->lock);
}

static void begin_epoch(struct tg_device *td, void *unused)
{
	spin_lock_irq(&td->lock);
	td->epoch++;
	spin_unlock_irq(&td->lock);
}

void tg_registry_new_epoch(void)
{
	tg_registry_for_each(begin_epoch, NULL);
}

/*
 * GPUs only come while the module is there, and each is whole when it is in the list: who
 * walks needs no lock, and may call what walks again.
 */
#define for_each_gpu(td) list_for_each_entry_rcu(td, &devices, node, true)

u32 tg_registry_number(void)
{
	struct tg_device *td;
	u32 n = 0;

	for_each_gpu(td)
		n++;
	return n;
}

u32 tg_registry_index(const struct tg_device *td)
{
	struct tg_device *other;
	u32 n = 0;

	for_each_gpu(other) {
		if (other == td)
			break;
		n++;
	}
	return n;
}

struct tg_device *tg_registry_by_index(u32 index)
{
	struct tg_device *td;

	for_each_gpu(td)
		if (!index--)
			return td;
	return NULL;
}

void tg_registry_for_each(void (*fn)(struct tg_device *td, void *arg), void *arg)
{
	struct tg_device *td;

	for_each_gpu(td)
		fn(td, arg);
}

void tg_registry_exit(void)
{
	struct tg_device *td, *n;

	mutex_lock(&devices_mutex);
	list_for_each_entry_safe(td, n, &devices, node) {
		ops->stop(td);
		tg_notice_stop(&td->notices);
		list_del_rcu(&td->node);
		synchronize_rcu_expedited();
		put_device(td->dev);
		kvfree(td);
	}
	mutex_unlock(&devices_mutex);
}
