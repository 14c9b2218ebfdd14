// SPDX-License-Identifier: GPL-2.0-only
/*
 * Gives tasks the reserves that the specification asks for (TimeGraph sections
 * 3 and 5).
 *
 * A task has a reserve of its own, shares one that goes by a name with all
 * tasks of the GPU whose entries name it, or belongs to Background.  A reserve
 * exists as long as it has tasks.  HT tasks have none: reserves regulate PRT
 * tasks.
 */
#include <linux/device.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/slab.h>
#include <linux/string.h>

#include <uapi/drm/timegraph.h>

#include "tg_device.h"
#include "tg_events.h"
#include "tg_reservation.h"
#include "tg_trace.h"

static const struct tg_reserve_ops *ops_of(const struct tg_spec_entry *entry)
{
	return entry->resv == TG_SPEC_RESV_AE ? &tg_reserve_ae : &tg_reserve_pe;
}

static bool needs_reserve(const struct tg_spec_entry *entry)
{
	return tg_spec_policy(entry)->reserves &&
	       (entry->resv == TG_SPEC_RESV_PE || entry->resv == TG_SPEC_RESV_AE);
}

struct tg_dev_reserve *tg_reservation_alloc(const struct tg_spec_entry *entry)
{
	struct tg_dev_reserve *res;

	if (!needs_reserve(entry))
		return NULL;
	res = kzalloc(sizeof(*res), GFP_KERNEL);
	if (res)
		INIT_LIST_HEAD(&res->node);
	return res;
}

static void report(struct tg_device *td, struct tg_dev_reserve *res)
{
	const struct tg_reserve *r = &res->reserve;

	trace_tg_admission(td, res);
	tg_events_post(TIMEGRAPH_EVENT_ADMISSION);
	if (r->demoted)
		tg_notice_locked(&td->notices, KERN_WARNING,
				 "reserve %s (%llu us every %llu us) does not fit within %u%%: background",
				 res->name, div_u64(r->capacity_ns, NSEC_PER_USEC),
				 div_u64(r->period_ns, NSEC_PER_USEC),
				 td->sched.limit_percent);
	else
		tg_notice_locked(&td->notices, KERN_INFO, "reserve %s fits now", res->name);
}

/* Something went, shrank or grew: who did not fit may fit now. */
static void reconsider(struct tg_device *td, u64 now)
{
	struct tg_reserve *r;

	while ((r = tg_sched_reconsider(&td->sched, now)))
		report(td, container_of(r, struct tg_dev_reserve, reserve));
}

static struct tg_dev_reserve *own(const struct tg_reserve_user *user)
{
	struct tg_dev_reserve *res = *user->reserve;

	return res && !res->shared ? res : NULL;
}

struct tg_dev_reserve *tg_reservation_find(struct tg_device *td,
					   const char *name)
{
	struct tg_dev_reserve *res;

	lockdep_assert_held(&td->lock);
	list_for_each_entry(res, &td->reservations, node)
		if (res->shared && !strcmp(res->name, name))
			return res;
	return NULL;
}

/* The reserve that the task is to have and that exists already, or NULL. */
static struct tg_dev_reserve *find(struct tg_device *td,
				   const struct tg_reserve_user *user,
				   const struct tg_spec_entry *entry)
{
	if (!entry->group[0])
		return own(user);
	return tg_reservation_find(td, entry->group);
}

static void create(struct tg_device *td, const char *owner,
		   const struct tg_spec_entry *entry,
		   struct tg_dev_reserve *res, u64 now)
{
	res->shared = entry->group[0];
	strscpy(res->name, res->shared ? entry->group : owner,
		sizeof(res->name));
	res->id = TG_BACKGROUND_ID + ++td->nr_reservations;
	tg_reserve_init(&res->reserve, ops_of(entry), entry->capacity_ns,
			entry->period_ns, now);
	list_add_tail(&res->node, &td->reservations);
	if (!tg_sched_add_reserve(&td->sched, &res->reserve))
		report(td, res);
	else
		trace_tg_admission(td, res);
}

static void update(struct tg_device *td, struct tg_dev_reserve *res,
		   const struct tg_spec_entry *entry, u64 now)
{
	struct tg_reserve *r = &res->reserve;
	bool demoted = r->demoted;

	if (r->ops == ops_of(entry) && r->capacity_ns == entry->capacity_ns &&
	    r->period_ns == entry->period_ns)
		return;
	tg_sched_set_reserve(&td->sched, r, ops_of(entry), entry->capacity_ns,
			     entry->period_ns, now);
	if (r->demoted != demoted)
		report(td, res);
	reconsider(td, now);
}

/* Leaves @res, which goes with its last task. */
static struct tg_dev_reserve *put(struct tg_device *td,
				  struct tg_dev_reserve *res, u64 now)
{
	if (!res || --res->nr_users)
		return NULL;
	tg_sched_remove_reserve(&td->sched, &res->reserve);
	list_del(&res->node);
	reconsider(td, now);
	return res;
}

struct tg_dev_reserve *tg_reservation_apply(struct tg_device *td,
					    const struct tg_reserve_user *user,
					    const struct tg_spec_entry *entry,
					    struct tg_dev_reserve *spare)
{
	struct tg_dev_reserve *old = *user->reserve, *res = NULL, *gone;
	u64 now = ktime_get_ns();

	lockdep_assert_held(&td->lock);
	if (needs_reserve(entry)) {
		res = find(td, user, entry);
		if (res) {
			update(td, res, entry, now);
		} else if (spare) {
			res = spare;
			spare = NULL;
			create(td, user->name, entry, res, now);
		}
	}
	*user->reserve = res;
	/* Without memory for its own it is not let go unregulated. */
	tg_sched_join(&td->sched, user->task,
		      res ? &res->reserve :
		      entry->resv != TG_SPEC_RESV_NONE ? &td->sched.background :
							 NULL, now);
	if (res == old)
		return spare;
	if (res)
		res->nr_users++;
	gone = put(td, old, now);
	/* Both: an own reserve was exchanged for a Shared one that exists. */
	if (gone && spare) {
		kfree(spare);
		spare = NULL;
	}
	return gone ?: spare;
}

struct tg_dev_reserve *tg_reservation_leave(struct tg_device *td,
					    const struct tg_reserve_user *user)
{
	struct tg_dev_reserve *res = *user->reserve;
	u64 now = ktime_get_ns();

	lockdep_assert_held(&td->lock);
	tg_sched_remove_task(&td->sched, user->task, now);
	*user->reserve = NULL;
	return put(td, res, now);
}

int tg_reservation_keep(struct tg_device *td, const struct tg_spec_entry *entry,
			struct tg_dev_reserve *res)
{
	lockdep_assert_held(&td->lock);
	if (tg_reservation_find(td, entry->group))
		return -EEXIST;
	create(td, NULL, entry, res, ktime_get_ns());
	res->kept = true;
	res->nr_users = 1;
	return 0;
}

struct tg_dev_reserve *tg_reservation_unkeep(struct tg_device *td,
					     struct tg_dev_reserve *res)
{
	lockdep_assert_held(&td->lock);
	res->kept = false;
	return put(td, res, ktime_get_ns());
}

void tg_reservation_limit(struct tg_device *td, unsigned int percent)
{
	lockdep_assert_held(&td->lock);
	if (td->sched.limit_percent == percent)
		return;
	td->sched.limit_percent = percent;
	reconsider(td, ktime_get_ns());
}
