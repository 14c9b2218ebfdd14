// SPDX-License-Identifier: GPL-2.0-only
/*
 * Gives tasks the reserves that the specification asks for (TimeGraph sections
 * 3 and 5).
 *
 * A task has a reserve of its own, shares one that goes by a name with all
 * tasks of the GPU whose entries name it, or belongs to Background.  HT tasks have
 * none: reserves regulate PRT tasks.
 *
 * A reserve belongs to an owner, not to a channel or a process: to an entry of the
 * specification and a user, or to the name that it is shared by.  When its last task
 * goes and its budget is not full, it lingers until it would be, and the next task of
 * its owner gets it with what it has or owes.  So coming and going is worth nothing:
 * an owner has as many reserves as he had tasks at once, and each gives C every T.
 */
#include <linux/device.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/stringhash.h>

#include <uapi/drm/timegraph.h>

#include "tg_device.h"
#include "tg_events.h"
#include "tg_reservation.h"
#include "tg_trace.h"

static struct tg_dev_reserve *to_dev_reserve(struct tg_reserve *r)
{
	return container_of(r, struct tg_dev_reserve, reserve);
}

static const struct tg_reserve_ops *ops_of(const struct tg_spec_entry *entry)
{
	return entry->resv == TG_SPEC_RESV_AE ? &tg_reserve_ae : &tg_reserve_pe;
}

struct tg_dev_reserve *tg_reservation_alloc(const struct tg_spec_entry *entry)
{
	if (!tg_spec_has_reserve(entry))
		return NULL;
	return kzalloc(sizeof(struct tg_dev_reserve), GFP_KERNEL);
}

static void report(struct tg_device *td, struct tg_dev_reserve *res)
{
	const struct tg_reserve *r = &res->reserve;

	trace_tg_admission(td, res);
	tg_events_post_of(res->uid, TIMEGRAPH_EVENT_ADMISSION);
	if (r->demoted)
		tg_notice_locked(&td->notices, KERN_WARNING,
				 "reserve %s (%llu us every %llu us) does not fit within %u%%: background",
				 res->name, div_u64(r->capacity_ns, NSEC_PER_USEC),
				 div_u64(r->period_ns, NSEC_PER_USEC),
				 td->sched.limit_percent);
	else
		tg_notice_locked(&td->notices, KERN_INFO, "reserve %s fits now", res->name);
}

/*
 * What one user may leave lingering on a GPU.  There are fewer channels; who changes
 * his tasks' names to have the reserves of many entries gets to it.
 */
#define LINGERING_MAX 256

/* How many reserves go at once, with the lock held, and how many are admitted. */
#define EXPIRE_MAX 8
#define RECONSIDER_MAX 4

/*
 * Something went, shrank or grew: who did not fit may fit now.  Some at a time: the
 * timer comes again.
 */
static void reconsider(struct tg_device *td, u64 now)
{
	struct tg_reserve *r;

	for (unsigned int n = 0; n < RECONSIDER_MAX; n++) {
		r = tg_sched_reconsider(&td->sched, now);
		if (!r)
			break;
		report(td, to_dev_reserve(r));
	}
}

static bool belongs_to(const struct tg_dev_reserve *res,
		       const struct tg_reserve_user *user,
		       const struct tg_spec_entry *entry)
{
	return !res->shared && uid_eq(res->payer, user->payer) &&
	       !strcmp(res->entry, entry->name);
}

static u32 key_of(const char *name)
{
	return full_name_hash(NULL, name, strlen(name));
}

struct tg_dev_reserve *tg_reservation_find(struct tg_device *td,
					   const char *name)
{
	struct tg_dev_reserve *res;

	lockdep_assert_held(&td->lock);
	hash_for_each_possible(td->shared, res, found, key_of(name))
		if (!strcmp(res->name, name))
			return res;
	return NULL;
}

/*
 * Of those that the owner has left, the one that is full last: else a task could change
 * to a better one by coming anew.
 */
static struct tg_dev_reserve *find_lingering(struct tg_device *td,
					     const struct tg_reserve_user *user,
					     const struct tg_spec_entry *entry)
{
	struct tg_dev_reserve *res, *last = NULL;

	hash_for_each_possible(td->owned, res, found, __kuid_val(user->payer))
		if (belongs_to(res, user, entry) &&
		    (!last || res->reserve.full_ns > last->reserve.full_ns))
			last = res;
	if (last) {
		strscpy(last->name, user->name, sizeof(last->name));
		last->uid = user->uid;
	}
	return last;
}

/* The reserve that the task is to have and that exists already, or NULL. */
static struct tg_dev_reserve *find(struct tg_device *td,
				   const struct tg_reserve_user *user,
				   const struct tg_spec_entry *entry)
{
	struct tg_dev_reserve *own = *user->reserve;

	if (entry->group[0])
		return tg_reservation_find(td, entry->group);
	if (own && belongs_to(own, user, entry))
		return own;
	return find_lingering(td, user, entry);
}

static bool may_create(struct tg_device *td, const struct tg_reserve_user *user)
{
	struct tg_dev_reserve *res;
	unsigned int n = 0;

	hash_for_each_possible(td->owned, res, found, __kuid_val(user->payer))
		n += uid_eq(res->payer, user->payer);
	return n < LINGERING_MAX;
}

static struct tg_dev_reserve *of_node(const struct rb_node *node)
{
	return rb_entry(node, struct tg_dev_reserve, node);
}

static bool older(struct rb_node *a, const struct rb_node *b)
{
	return of_node(a)->id < of_node(b)->id;
}

static struct tg_dev_reserve *next_locked(struct tg_device *td, u32 id)
{
	struct rb_node *node = td->reservations.rb_root.rb_node;
	struct tg_dev_reserve *next = NULL;

	lockdep_assert_held(&td->lock);
	while (node) {
		if (of_node(node)->id > id) {
			next = of_node(node);
			node = node->rb_left;
		} else {
			node = node->rb_right;
		}
	}
	return next;
}

void tg_reservation_walk_locked(struct tg_device *td, u32 at_once,
				void (*fn)(struct tg_dev_reserve *res, void *arg), void *arg)
{
	struct tg_dev_reserve *res;
	u32 id = 0, n = 0;

	lockdep_assert_held(&td->lock);
	while ((res = next_locked(td, id))) {
		fn(res, arg);
		id = res->id;
		if (++n % at_once)
			continue;
		spin_unlock_irq(&td->lock);
		cond_resched();
		spin_lock_irq(&td->lock);
	}
}

/* @user is NULL for one that an open file keeps. */
static void create(struct tg_device *td, const struct tg_reserve_user *user,
		   const struct tg_spec_entry *entry,
		   struct tg_dev_reserve *res, u64 now)
{
	res->shared = entry->group[0];
	strscpy(res->name, res->shared ? entry->group : user->name,
		sizeof(res->name));
	if (!res->shared)
		strscpy(res->entry, entry->name, sizeof(res->entry));
	res->payer = res->shared ? INVALID_UID : user->payer;
	res->uid = res->shared ? INVALID_UID : user->uid;
	res->id = TG_BACKGROUND_ID + ++td->nr_reservations;
	tg_reserve_init(&res->reserve, ops_of(entry), entry->capacity_ns,
			entry->period_ns, now);
	rb_add_cached(&res->node, &td->reservations, older);
	if (res->shared)
		hash_add(td->shared, &res->found, key_of(res->name));
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

static void get(struct tg_device *td, struct tg_dev_reserve *res)
{
	if (res->nr_users++)
		return;
	tg_sched_revive_reserve(&td->sched, &res->reserve);
	if (!res->shared)
		hash_del(&res->found);
}

static void forget(struct tg_device *td, struct tg_dev_reserve *res)
{
	rb_erase_cached(&res->node, &td->reservations);
	hash_del(&res->found);
}

/* Leaves @res, which goes with its last task if it is full, and else lingers. */
static struct tg_dev_reserve *put(struct tg_device *td,
				  struct tg_dev_reserve *res, u64 now)
{
	if (!res || --res->nr_users)
		return NULL;
	if (!tg_sched_retire_reserve(&td->sched, &res->reserve, now)) {
		if (!res->shared)
			hash_add(td->owned, &res->found, __kuid_val(res->payer));
		return NULL;
	}
	forget(td, res);
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
	if (tg_spec_has_reserve(entry)) {
		res = find(td, user, entry);
		if (res) {
			update(td, res, entry, now);
		} else if (spare && (entry->group[0] || may_create(td, user))) {
			res = spare;
			spare = NULL;
			create(td, user, entry, res, now);
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
		get(td, res);
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

struct tg_dev_reserve *tg_reservation_keep(struct tg_device *td,
					   const struct tg_spec_entry *entry,
					   struct tg_dev_reserve *spare)
{
	struct tg_dev_reserve *res;
	u64 now = ktime_get_ns();

	lockdep_assert_held(&td->lock);
	res = tg_reservation_find(td, entry->group);
	if (res && res->nr_users)
		return NULL;
	if (res) {
		update(td, res, entry, now);
	} else {
		res = spare;
		create(td, NULL, entry, res, now);
	}
	res->kept = true;
	get(td, res);
	return res;
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
	tg_sched_set_limit(&td->sched, percent);
	reconsider(td, ktime_get_ns());
}

void tg_reservation_expire_locked(struct tg_device *td, u64 now)
{
	struct tg_reserve *r;
	unsigned int n = 0;

	lockdep_assert_held(&td->lock);
	while (n < EXPIRE_MAX && (r = tg_sched_expire_reserve(&td->sched, now))) {
		forget(td, to_dev_reserve(r));
		kfree(to_dev_reserve(r));
		n++;
	}
	if (n || td->sched.look)
		reconsider(td, now);
}

void tg_reservation_exit(struct tg_device *td)
{
	struct rb_node *node;

	while ((node = rb_first_cached(&td->reservations))) {
		struct tg_dev_reserve *res = of_node(node);

		WARN_ON(res->nr_users);
		tg_sched_remove_reserve(&td->sched, &res->reserve);
		forget(td, res);
		kfree(res);
	}
}
