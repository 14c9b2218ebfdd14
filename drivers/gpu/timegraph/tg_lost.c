// SPDX-License-Identifier: GPL-2.0-only
/*
 * Who pays for the time that others lose by turns that are not used, see tg_lease.c.
 *
 * What is lost by all users together is bounded, or several could do what one cannot.  But
 * one bound for all is a weapon: who means ill uses it up, and the first turn of another's
 * program that comes late, for want of a CPU, say, is one too many.  So each user has an
 * account, too, and what limits him is his own times the number of those who have one that
 * is not empty, if that is less.  Whoever costs as much as any other is limited by the sum;
 * who costs less than all of them on average, by less; who costs nothing, by nothing.
 *
 * Accounts are emptied in time, by one part of it for all users together, so that a user's
 * part is smaller the more of them there are.
 *
 * Whoever has none yet is believed, so there are few: TG_LOST_USERS_MAX.  A user can be many, by
 * programs that are set-user-ID to those whom he has in a namespace: then most are one again.
 */
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/slab.h>

#include "tg_client_mutex.h"
#include "tg_device.h"
#include "tg_lost.h"
#include "tg_params.h"

/* One part in so many of the time makes good; what is above so many whole turns is forgiven. */
static const struct {
	u32 share;
	u32 max;
} limits[TG_NR_LOSSES] = {
	[TG_LOSS_HELD] = { .share = 100, .max = 1 },
	[TG_LOSS_LAPSED] = { .share = 25, .max = 5 },
};

u64 tg_lost_whole_ns(void)
{
	return (u64)tg_param_lease_us * NSEC_PER_USEC;
}

/* What is not made good. */
static u64 left_ns(const struct tg_lost_time *lost, u64 share, u64 now)
{
	u64 made_good = now > lost->at_ns ? div64_u64(now - lost->at_ns, share) : 0;

	return lost->ns > made_good ? lost->ns - made_good : 0;
}

static u64 of_all_ns(const struct tg_device *td, enum tg_loss loss, u64 now)
{
	lockdep_assert_held(&td->lock);
	return left_ns(&td->lost.by[loss], limits[loss].share, now);
}

static u64 of_user_ns(const struct tg_device *td, const struct tg_lost_user *user,
		      enum tg_loss loss, u64 now)
{
	lockdep_assert_held(&td->lock);
	return left_ns(&user->by[loss], (u64)limits[loss].share * td->lost.nr_users, now);
}

static bool is_empty_locked(const struct tg_device *td, const struct tg_lost_user *user, u64 now)
{
	lockdep_assert_held(&td->lock);
	for (enum tg_loss loss = 0; loss < TG_NR_LOSSES; loss++)
		if (of_user_ns(td, user, loss, now))
			return false;
	return true;
}

static void count_users_locked(struct tg_device *td, u64 now)
{
	const struct tg_lost_user *u;
	unsigned int n = 0;

	lockdep_assert_held(&td->lock);
	list_for_each_entry(u, &td->lost.users, node)
		n += !is_empty_locked(td, u, now);
	td->lost.nr_users = max(n, 1u);
}

static void add(struct tg_lost_time *lost, u64 left, u64 ns, u64 max, u64 now)
{
	lost->ns = min(left + ns, max);
	/* What ended unheard is counted by when it did. */
	lost->at_ns = max(lost->at_ns, now);
}

void tg_lost_add_locked(struct tg_device *td, struct tg_lost_user *user, enum tg_loss loss,
			u64 ns, u64 now)
{
	u64 max = limits[loss].max * tg_lost_whole_ns();

	lockdep_assert_held(&td->lock);
	add(&td->lost.by[loss], of_all_ns(td, loss, now), ns, max, now);
	add(&user->by[loss], of_user_ns(td, user, loss, now), ns, max, now);
	count_users_locked(td, now);
}

void tg_lost_take_back_locked(struct tg_device *td, struct tg_lost_user *user,
			      enum tg_loss loss, u64 ns)
{
	lockdep_assert_held(&td->lock);
	td->lost.by[loss].ns -= min(td->lost.by[loss].ns, ns);
	user->by[loss].ns -= min(user->by[loss].ns, ns);
}

u64 tg_lost_ns_locked(struct tg_device *td, const struct tg_lost_user *user, enum tg_loss loss,
		      u64 now)
{
	lockdep_assert_held(&td->lock);
	return min(of_all_ns(td, loss, now),
		   td->lost.nr_users * of_user_ns(td, user, loss, now));
}

/* For so long who was promised something is taken to be there still. */
#define PROMISED_NS NSEC_PER_SEC
/* So many channels of a user may be set aside at once. */
#define PARKED_MAX 4

bool tg_lost_is_full_locked(struct tg_device *td, const struct tg_lost_user *user, u64 now)
{
	const struct tg_lost_user *u;

	lockdep_assert_held(&td->lock);
	if (!user->nr_aside && !user->nr_stuck)
		return false;
	if (user->nr_aside + user->nr_stuck <= PARKED_MAX &&
	    !(user->nr_aside && tg_lost_is_recent(user->worked_ns, now)))
		return false;
	list_for_each_entry(u, &td->lost.users, node)
		if (u != user && u->promised_ns && now - u->promised_ns < PROMISED_NS)
			return true;
	return false;
}

static struct tg_lost_user *find(struct tg_device *td, kuid_t uid)
{
	struct tg_lost_user *u;

	lockdep_assert_held(&tg_client_mutex);
	list_for_each_entry(u, &td->lost.users, node)
		if (uid_eq(u->uid, uid))
			return u;
	return NULL;
}

/* Takes out who has no task and nothing to be remembered for. */
static void sweep(struct tg_device *td, u64 now)
{
	struct tg_lost_user *u, *n;
	LIST_HEAD(gone);

	lockdep_assert_held(&tg_client_mutex);
	spin_lock_irq(&td->lock);
	list_for_each_entry_safe(u, n, &td->lost.users, node)
		if (u != &td->lost.others && !u->nr_tasks && is_empty_locked(td, u, now) &&
		    !tg_lost_is_recent(u->lapsed_ns, now))
			list_move(&u->node, &gone);
	spin_unlock_irq(&td->lock);
	list_for_each_entry_safe(u, n, &gone, node) {
		td->lost.nr_kept--;
		kfree(u);
	}
}

static struct tg_lost_user *add_user(struct tg_device *td, kuid_t uid)
{
	struct tg_lost_user *u = NULL;

	lockdep_assert_held(&tg_client_mutex);
	if (td->lost.nr_kept < TG_LOST_USERS_MAX)
		u = kzalloc(sizeof(*u), GFP_KERNEL_ACCOUNT);
	if (!u)
		return &td->lost.others;
	u->uid = uid;
	td->lost.nr_kept++;
	spin_lock_irq(&td->lock);
	list_add(&u->node, &td->lost.users);
	spin_unlock_irq(&td->lock);
	return u;
}

struct tg_lost_user *tg_lost_join(struct tg_device *td, kuid_t uid)
{
	struct tg_lost_user *u;

	lockdep_assert_held(&tg_client_mutex);
	sweep(td, ktime_get_ns());
	u = find(td, uid) ?: add_user(td, uid);
	u->nr_tasks++;
	return u;
}

void tg_lost_leave(struct tg_device *td, struct tg_lost_user *user)
{
	lockdep_assert_held(&tg_client_mutex);
	user->nr_tasks--;
	sweep(td, ktime_get_ns());
}

void tg_lost_start(struct tg_device *td)
{
	INIT_LIST_HEAD(&td->lost.users);
	td->lost.others.uid = INVALID_UID;
	list_add(&td->lost.others.node, &td->lost.users);
	td->lost.nr_users = 1;
}

void tg_lost_stop(struct tg_device *td)
{
	struct tg_lost_user *u, *n;

	list_for_each_entry_safe(u, n, &td->lost.users, node) {
		WARN_ON(u->nr_tasks);
		if (u != &td->lost.others)
			kfree(u);
	}
}
