// SPDX-License-Identifier: GPL-2.0-only
/*
 * The domains of a GPU.
 *
 * One is made when the first task of it appears, with those around it, and stays, with what
 * it has had and may owe of its quota, until its cgroup is removed or has no rule any
 * more: else it would be enough to end and start again.
 */
#include <linux/ktime.h>
#include <linux/rculist.h>
#include <linux/slab.h>

#include "tg_cgroup.h"
#include "tg_client_mutex.h"
#include "tg_device.h"
#include "tg_dispatch.h"
#include "tg_domains.h"

struct tg_dev_domain *tg_domains_find_rcu(struct tg_device *td, u64 id)
{
	struct tg_dev_domain *d;

	hash_for_each_possible_rcu(td->domains.table, d, node, id,
				   lockdep_is_held(&tg_client_mutex))
		if (d->id == id)
			return d;
	return NULL;
}

static bool is_idle(struct tg_dev_domain *d)
{
	bool idle;

	spin_lock_irq(&d->td->lock);
	idle = !d->core.nr_tasks && !d->core.nr_domains && !d->core.nr_online &&
	       !d->core.nr_queued;
	spin_unlock_irq(&d->td->lock);
	return idle;
}

/* Nobody is in it, and nobody gets in: that takes tg_client_mutex. */
static void remove(struct tg_dev_domain *d)
{
	struct tg_device *td = d->td;

	lockdep_assert_held(&tg_client_mutex);
	if (!d->replaced)
		hash_del_rcu(&d->node);
	list_del(&d->all);
	td->domains.nr--;
	spin_lock_irq(&td->lock);
	tg_sched_remove_domain(&td->sched, &d->core, ktime_get_ns());
	spin_unlock_irq(&td->lock);
	tg_cgroup_put(d->cgrp);
	kfree_rcu(d, rcu);
}

/* Those within go before what they are within: parents are made before them. */
static void sweep(struct tg_device *td, bool (*is_over)(struct tg_dev_domain *d))
{
	struct tg_dev_domain *d, *n;

	lockdep_assert_held(&tg_client_mutex);
	list_for_each_entry_safe_reverse(d, n, &td->domains.list, all)
		if (!d->held && is_over(d) && is_idle(d))
			remove(d);
}

static bool is_gone(struct tg_dev_domain *d)
{
	return d->replaced || tg_cgroup_is_gone(d->cgrp);
}

void tg_domains_sweep(struct tg_device *td)
{
	sweep(td, is_gone);
}

static bool is_any(struct tg_dev_domain *d)
{
	return true;
}

/* Of a rule that the specification gave it is not known whether it still does. */
static bool is_over(const struct tg_dev_domain *d, u64 id)
{
	bool by_spec = d->origin_weight == TIMEGRAPH_ORIGIN_SPEC;
	bool implied = !d->origin_weight && !d->origin_target && !d->origin_quota;

	return id ? d->id == id || implied : by_spec;
}

void tg_domains_forget(struct tg_device *td, u64 id)
{
	struct tg_dev_domain *d, *n;

	lockdep_assert_held(&tg_client_mutex);
	list_for_each_entry_safe_reverse(d, n, &td->domains.list, all)
		if ((is_gone(d) || is_over(d, id)) && is_idle(d))
			remove(d);
}

/*
 * A user's cgroups are as many as he likes; memory, and the time of decisions, are not.  @old
 * stays: its place is what the room is for.
 */
static bool has_room(struct tg_device *td, kuid_t owner, struct tg_dev_domain *old)
{
	struct tg_dev_domain *d;
	u32 n = 0;

	if (old)
		old->held = true;
	if (td->domains.nr >= TIMEGRAPH_DOMAINS_MAX)
		sweep(td, is_any);
	if (old)
		old->held = false;
	if (td->domains.nr >= TIMEGRAPH_DOMAINS_MAX)
		return false;
	if (uid_eq(owner, GLOBAL_ROOT_UID))
		return true;
	tg_domains_for_each(d, td)
		n += uid_eq(d->owner, owner);
	return n < TIMEGRAPH_DOMAINS_USER_MAX;
}

static bool same_rule(const struct tg_domain_rule *a, const struct tg_domain_rule *b)
{
	return a->weight == b->weight && a->target_ppm == b->target_ppm &&
	       a->capacity_ns == b->capacity_ns && a->period_ns == b->period_ns;
}

static void set_rule(struct tg_dev_domain *d, const struct tg_wanted *w)
{
	struct tg_device *td = d->td;
	u64 now;

	d->owner = w->owner;
	d->origin_weight = w->origin_weight;
	d->origin_target = w->origin_target;
	d->origin_quota = w->origin_quota;
	spin_lock_irq(&td->lock);
	now = ktime_get_ns();
	if (!same_rule(&d->core.rule, &w->rule)) {
		tg_sched_set_domain(&td->sched, &d->core, &w->rule, now);
		/* Who runs free may have a quota now. */
		tg_freerun_call_off(&td->freerun);
		tg_dispatch_locked(td, now);
	}
	spin_unlock_irq(&td->lock);
}

/* It takes the place of another that was within another domain: with what that has had. */
static void inherit_locked(struct tg_dev_domain *d, struct tg_dev_domain *old)
{
	lockdep_assert_held(&d->td->lock);
	d->core.cpu_weight = old->core.cpu_weight;
	d->core.nr_groups = old->core.nr_groups;
	d->core.gpu_ns = old->core.gpu_ns;
	d->core.wait_ns = old->core.wait_ns;
	d->core.throttle_ns = old->core.throttle_ns;
	d->core.nr_throttled = old->core.nr_throttled;
	if (old->core.rule.capacity_ns && d->core.rule.capacity_ns)
		d->core.quota.budget_ns = min(d->core.quota.budget_ns,
					      old->core.quota.budget_ns);
}

static struct tg_dev_domain *make(struct tg_device *td, struct tg_dev_domain *parent,
				  struct tg_dev_domain *old, const struct tg_wanted *w)
{
	struct tg_dev_domain *d;

	if (!has_room(td, w->owner, old))
		return NULL;
	d = kzalloc(sizeof(*d), GFP_KERNEL_ACCOUNT);
	if (!d)
		return NULL;
	d->td = td;
	d->id = w->id;
	tg_cgroup_get(w->cgrp);
	d->cgrp = w->cgrp;
	tg_domain_init(&d->core, parent ? &parent->core : NULL);
	spin_lock_irq(&td->lock);
	tg_sched_add_domain(&td->sched, &d->core, ktime_get_ns());
	spin_unlock_irq(&td->lock);
	set_rule(d, w);
	if (old) {
		spin_lock_irq(&td->lock);
		inherit_locked(d, old);
		spin_unlock_irq(&td->lock);
		hash_del_rcu(&old->node);
		old->replaced = true;
	}
	hash_add_rcu(td->domains.table, &d->node, d->id);
	list_add_tail(&d->all, &td->domains.list);
	td->domains.nr++;
	if (td->domains.came)
		td->domains.came();
	return d;
}

struct tg_dev_domain *tg_domains_get(struct tg_device *td, const struct tg_wanted *wanted,
				     u32 nr)
{
	struct tg_dev_domain *parent = NULL, *d;
	struct tg_domain *up;

	lockdep_assert_held(&tg_client_mutex);
	for (u32 i = 0; i < nr; i++, parent = d) {
		d = tg_domains_find_rcu(td, wanted[i].id);
		if (d && d->core.parent == (parent ? &parent->core : NULL))
			set_rule(d, &wanted[i]);
		else
			d = make(td, parent, d, &wanted[i]);
		if (!d)
			break;
		/* Nobody may be in it yet. */
		d->held = true;
	}
	for (up = parent ? &parent->core : NULL; up; up = up->parent)
		tg_dev_domain_of(up)->held = false;
	return parent;
}

void tg_domains_exit(struct tg_device *td)
{
	mutex_lock(&tg_client_mutex);
	sweep(td, is_any);
	mutex_unlock(&tg_client_mutex);
}
