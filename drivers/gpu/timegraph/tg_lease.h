/* SPDX-License-Identifier: GPL-2.0-only */
/* Turns that are not used. */
#ifndef TG_LEASE_H
#define TG_LEASE_H

#include <linux/types.h>

struct tg_dev_group;
struct tg_device;
struct tg_lost_user;
struct tg_task;

/**
 * struct tg_turns - how a task uses its turns
 * @user: whose it is
 * @used: so many it used, one after the other; no more are counted than tell
 */
struct tg_turns {
	struct tg_lost_user *user;
	u8 used;
};

/**
 * tg_lease_look_locked - who has the GPU, who has a turn, or who waits has changed
 *
 * Called at the end of each such change, or the time until the next one is taken for what
 * it was before.
 */
void tg_lease_look_locked(struct tg_device *td, u64 now);

/** tg_lease_has_to_wait_locked - as tg_lease_has_to_wait(), of a group that is to ask now */
bool tg_lease_has_to_wait_locked(struct tg_device *td, const struct tg_dev_group *dg, u64 now);

/** tg_lease_asked_locked - a group asks, or has its turn: what its task was promised counts */
void tg_lease_asked_locked(struct tg_device *td, struct tg_dev_group *dg, u64 now);

/** tg_lease_is_refused_locked - a group is not to be given the turn that it would have now */
bool tg_lease_is_refused_locked(struct tg_device *td, const struct tg_dev_group *dg, u64 now);

/** tg_lease_begins_locked - a group is given its turn */
void tg_lease_begins_locked(struct tg_device *td, struct tg_dev_group *dg, u64 now);

/** tg_lease_is_over_locked - the GPU has idled for a group's turn for as long as it may */
bool tg_lease_is_over_locked(struct tg_device *td, const struct tg_dev_group *dg,
			     u64 now);

/**
 * tg_lease_lapse_locked - the turn is to go on to the next; the caller drops the group
 *
 * Its thread cannot be called back: if it hands the group over later, that is charged
 * as any other, see tg_gate_commit().
 */
void tg_lease_lapse_locked(struct tg_device *td, struct tg_dev_group *dg, u64 now);

/** tg_lease_used_locked - a group is in the ring; if it had its turn, that is over */
void tg_lease_used_locked(struct tg_device *td, struct tg_dev_group *dg, u64 now);

/** tg_lease_end_locked - a group gives its turn back, if it has one */
void tg_lease_end_locked(struct tg_device *td, struct tg_dev_group *dg, u64 now);

/** tg_lease_late_locked - a group comes to the GPU whose turn may have lapsed */
void tg_lease_late_locked(struct tg_device *td, struct tg_dev_group *dg);

/** tg_lease_late_ended_locked - a group has ended that may have come late; its cost is known */
void tg_lease_late_ended_locked(struct tg_device *td, const struct tg_dev_group *dg,
				u64 now);

/**
 * tg_lease_has_to_wait - a task had better not ask for a turn now, that it perhaps does not use
 *
 * No lock held.
 */
bool tg_lease_has_to_wait(struct tg_device *td, const struct tg_task *task,
			  const struct tg_turns *turns);

#endif
