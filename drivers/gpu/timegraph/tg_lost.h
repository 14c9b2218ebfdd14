/* SPDX-License-Identifier: GPL-2.0-only */
/* What others lose by turns that are not used, for all and for each user. */
#ifndef TG_LOST_H
#define TG_LOST_H

#include <linux/time64.h>
#include <linux/types.h>
#include <linux/uidgid.h>

#include "tg_lost_state.h"

struct tg_device;

/* For so long it is remembered that a turn lapsed. */
#define TG_LOST_RECENT_NS (10ull * NSEC_PER_SEC)

/*
 * So many users have an account of their own on a GPU at a time; all that come then have one
 * together.  It bounds what is lost until each is limited, and what is done with interrupts off.
 */
#define TG_LOST_USERS_MAX 8

/** tg_lost_start - a GPU appears */
void tg_lost_start(struct tg_device *td);

/** tg_lost_stop - it goes: no task is left */
void tg_lost_stop(struct tg_device *td);

/**
 * tg_lost_join - a task of a user appears
 *
 * Under tg_client_mutex.  Return: the user, or those that have no account of their own.
 */
struct tg_lost_user *tg_lost_join(struct tg_device *td, kuid_t uid);

/** tg_lost_leave - a task goes; under tg_client_mutex */
void tg_lost_leave(struct tg_device *td, struct tg_lost_user *user);

/** tg_lost_is_recent - whether what happened then is remembered; 0: it never happened */
static inline bool tg_lost_is_recent(u64 then_ns, u64 now)
{
	return then_ns && now - then_ns < TG_LOST_RECENT_NS;
}

/** tg_lost_add_locked - the others have lost @ns by a user */
void tg_lost_add_locked(struct tg_device *td, struct tg_lost_user *user, enum tg_loss loss,
			u64 ns, u64 now);

/** tg_lost_take_back_locked - they have not */
void tg_lost_take_back_locked(struct tg_device *td, struct tg_lost_user *user,
			      enum tg_loss loss, u64 ns);

/**
 * tg_lost_ns_locked - what they have lost and not been made good, as far as that limits a user
 *
 * What all users have cost, for whom costs as much as any other; less for whom costs little.
 */
u64 tg_lost_ns_locked(struct tg_device *td, const struct tg_lost_user *user, enum tg_loss loss,
		      u64 now);

/**
 * tg_lost_is_full_locked - whether a user has what waits on the GPU, and is to have no more there
 *
 * What was set aside can go to work at any time, beside whoever has the turn, and many of them
 * would leave that one little.  So while a program of another user is there that was promised
 * something, who has several such channels gets no turn; nor does who has one that waits, if
 * one of his was seen at work like that lately, until it goes on, ends or is stuck.
 */
bool tg_lost_is_full_locked(struct tg_device *td, const struct tg_lost_user *user, u64 now);

/** tg_lost_whole_ns - for how long a turn may be held: the parameter lease_us */
u64 tg_lost_whole_ns(void);

#endif
