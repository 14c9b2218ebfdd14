/* SPDX-License-Identifier: GPL-2.0-only */
/* What a GPU keeps of turns that are not used, and whose they were. */
#ifndef TG_LOST_STATE_H
#define TG_LOST_STATE_H

#include <linux/list.h>
#include <linux/types.h>
#include <linux/uidgid.h>

/**
 * enum tg_loss - by what
 * @TG_LOSS_HELD: turns that were held for longer than a brief time
 * @TG_LOSS_LAPSED: those that lapsed, and what came late
 */
enum tg_loss {
	TG_LOSS_HELD,
	TG_LOSS_LAPSED,
	TG_NR_LOSSES,
};

/**
 * struct tg_lost_time - time that the others lost
 * @ns: the sum, less a share of the time that passed since, at @at_ns
 * @at_ns: when it was counted
 */
struct tg_lost_time {
	u64 ns;
	u64 at_ns;
};

/**
 * struct tg_lost_user - what the others lost by a user's programs, on one GPU
 * @node: in tg_lost_turns.users
 * @uid: the user; INVALID_UID: all who have none of their own
 * @nr_tasks: tasks of his; under tg_client_mutex
 * @by: how much, at most what may be lost by all
 * @promised_ns: when one of his programs that was promised something asked for its turn, or
 *	had it, last; or 0
 * @nr_aside: of his channels, those that have groups set aside which wait on the GPU
 * @nr_stuck: and those that have some that do so for hang_ms
 * @worked_ns: when one that was set aside was seen to work beside another last, or 0
 * @lapsed_ns: when a turn of his lapsed last, or 0
 *
 * It stays for a while after the last task has ended: who begins anew is the same.
 */
struct tg_lost_user {
	struct list_head node;
	kuid_t uid;
	unsigned int nr_tasks;
	struct tg_lost_time by[TG_NR_LOSSES];
	u64 promised_ns;
	unsigned int nr_aside;
	unsigned int nr_stuck;
	u64 worked_ns;
	u64 lapsed_ns;
};

/**
 * struct tg_lost_turns - see tg_lease.c
 * @idle_ns: how long the GPU has idled for turns while others waited, until @since_ns
 * @since_ns: since when it does again; 0: it does not
 * @counted_ns: how much of it is counted
 * @by: what the others lost, by what
 * @users: by whom, struct tg_lost_user; changed under tg_client_mutex too
 * @others: of them, who came when there were TG_LOST_USERS_MAX
 * @nr_kept: how many there are but for that; under tg_client_mutex
 * @nr_users: by how many, when something was lost last; at least 1
 * @lapsed_ns: when the last one lapsed, or 0; read without a lock
 * @look_ns: when one that somebody has is over if nothing changes, or 0
 * @more: some were sent back, and others are to be asked
 */
struct tg_lost_turns {
	u64 idle_ns;
	u64 since_ns;
	u64 counted_ns;
	struct tg_lost_time by[TG_NR_LOSSES];
	struct list_head users;
	struct tg_lost_user others;
	unsigned int nr_kept;
	unsigned int nr_users;
	u64 lapsed_ns;
	u64 look_ns;
	bool more;
};

#endif
