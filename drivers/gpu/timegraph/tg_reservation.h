/* SPDX-License-Identifier: GPL-2.0-only */
/* The reserves of a GPU and who uses them. */
#ifndef TG_RESERVATION_H
#define TG_RESERVATION_H

#include <linux/list.h>
#include <linux/uidgid.h>

#include <uapi/drm/timegraph.h>

#include "core/tg_reserve.h"
#include "core/tg_spec.h"

/* The number of Background among a GPU's reserves. */
#define TG_BACKGROUND_ID 1

struct tg_device;
struct tg_task;

/**
 * struct tg_dev_reserve - a reserve, of one task or Shared
 * @reserve: the core's part
 * @node: in tg_device.reservations, by @id: in the order of creation
 * @found: in tg_device.shared, or in tg_device.owned while it lingers
 * @id: its number on this GPU, from 2; TG_BACKGROUND_ID is Background's
 * @name: of the Shared reserve, or of its task
 * @entry: the name of the entry that it is for, "" if it is Shared
 * @payer: whom it belongs to, see tg_process_payer(); INVALID_UID if it is Shared, as @uid
 * @uid: the user of its task, or of its last: who is told of it
 * @shared: others may join it
 * @kept: an open file uses it, too
 * @nr_users: its tasks, and that file; 0 while it lingers
 * @coarse: what those see of it who may not see all of its tasks
 * @coarse_since: when that was so
 *
 * Under tg_device.lock.
 */
struct tg_dev_reserve {
	struct tg_reserve reserve;
	struct rb_node node;
	struct hlist_node found;
	u32 id;
	char name[TG_NAME_MAX];
	char entry[TG_SPEC_NAME_MAX];
	kuid_t payer;
	kuid_t uid;
	bool shared;
	bool kept;
	unsigned int nr_users;
	struct timegraph_reserve coarse;
	u64 coarse_since;
};

/**
 * struct tg_reserve_user - a task that has a reserve, or may get one
 * @task: the core's part of it
 * @reserve: where it keeps its reserve, unless that is Background or none
 * @name: for a reserve of its own
 * @payer: whose it is, see tg_process_payer(): his next program goes on with it
 * @uid: the task's user
 */
struct tg_reserve_user {
	struct tg_task *task;
	struct tg_dev_reserve **reserve;
	const char *name;
	kuid_t payer;
	kuid_t uid;
};

/**
 * tg_reservation_alloc - memory for a reserve that @entry may need
 *
 * May sleep.  Return: it or NULL; goes to tg_reservation_apply().
 */
struct tg_dev_reserve *tg_reservation_alloc(const struct tg_spec_entry *entry);

/**
 * tg_reservation_apply - give a task the reserve of its specification
 * @td: the GPU
 * @user: the task, its policy set
 * @entry: the specification
 * @spare: from tg_reservation_alloc(); without memory, or if its user has left too
 *	many that linger, the task belongs to Background
 *
 * tg_device.lock held.  Return: a reservation that is to be freed, or NULL.
 */
struct tg_dev_reserve *tg_reservation_apply(struct tg_device *td,
					    const struct tg_reserve_user *user,
					    const struct tg_spec_entry *entry,
					    struct tg_dev_reserve *spare);

/**
 * tg_reservation_leave - a task goes
 *
 * tg_device.lock held.  Return: a reservation that is to be freed, or NULL.
 */
struct tg_dev_reserve *tg_reservation_leave(struct tg_device *td,
					    const struct tg_reserve_user *user);

/**
 * tg_reservation_find - the Shared reserve of a name, or NULL
 *
 * tg_device.lock held.
 */
struct tg_dev_reserve *tg_reservation_find(struct tg_device *td,
					   const char *name);

/**
 * tg_reservation_walk_locked - look at all reserves but Background, by their numbers
 * @td: the GPU
 * @at_once: after so many the lock, which was taken with spin_lock_irq(), is let go for a
 *	moment: there can be thousands
 * @fn: called for each
 * @arg: passed to @fn
 *
 * May sleep.  Those that come and go meanwhile may be left out.
 */
void tg_reservation_walk_locked(struct tg_device *td, u32 at_once,
				void (*fn)(struct tg_dev_reserve *res, void *arg), void *arg);

/**
 * tg_reservation_keep - make a Shared reserve that exists without tasks
 * @entry: its name, policy, C and T
 * @spare: memory for it; is to be freed if it was not used
 *
 * tg_device.lock held.  Return: it, or NULL if one of that name is in use.
 */
struct tg_dev_reserve *tg_reservation_keep(struct tg_device *td,
					   const struct tg_spec_entry *entry,
					   struct tg_dev_reserve *spare);

/**
 * tg_reservation_unkeep - let it go with its last task
 *
 * tg_device.lock held.  Return: a reservation that is to be freed, or NULL.
 */
struct tg_dev_reserve *tg_reservation_unkeep(struct tg_device *td,
					     struct tg_dev_reserve *res);

/**
 * tg_reservation_expire_locked - free reserves that have lingered until they are full
 *
 * And admit those that there is room for.  A few at a time: the timer comes again.  Any
 * context.
 */
void tg_reservation_expire_locked(struct tg_device *td, u64 now);

/** tg_reservation_exit - free those that linger; there are no tasks any more */
void tg_reservation_exit(struct tg_device *td);

/** tg_reservation_limit - set the admission limit; tg_device.lock held */
void tg_reservation_limit(struct tg_device *td, unsigned int percent);

#endif
