/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The floor: what those have who would get nothing, since others are always more
 * important.  Not in the paper; the CPU scheduler's fair server is its model.
 *
 * A level of the wait queue that has had somebody waiting for a period, and nobody
 * started in it, has its turn: its groups go ahead of all others until they have used
 * up the floor's budget, or for another period if they want less.  The budget is that of
 * a PE reserve, and all levels have the one: so whatever they do they take C of each
 * period, and a group longer than C is paid back before the next turn.
 *
 * Within its level a group comes by the order of its policy: so all tasks of a level
 * that others pass over have its turns in common.  And who waits for the budget of his
 * own reserve does not wait here.
 */
#ifndef TG_LIFT_H
#define TG_LIFT_H

#include "tg_policy.h"
#include "tg_reserve.h"

/**
 * struct tg_floor - the floor of a GPU
 * @budget: C and T of the floor, and what is left of C; C is 0 if there is none
 * @since_ns: of a level in which somebody waits: since when, and nobody started
 * @look_ns: before this time no level has waited for a period
 * @until_ns: a period after the turn of @level began; 0: it was served without
 * @level: whose turn it is, or was
 * @nr_online: groups in the GPU-online list that started by the floor
 * @nr_lifted: groups that did so far
 */
struct tg_floor {
	struct tg_reserve budget;
	u64 since_ns[TG_LEVELS];
	u64 look_ns;
	u64 until_ns;
	u8 level;
	u32 nr_online;
	u64 nr_lifted;
};

/** tg_floor_is_on - whether there is one */
bool tg_floor_is_on(const struct tg_floor *f);

/** tg_floor_waits - a level in which nobody waited has one that waits @since_ns */
void tg_floor_waits(struct tg_floor *f, u8 level, u64 since_ns);

/**
 * tg_floor_served - a group of the level starts
 * @lifted: by the floor: else it is not passed over, and has no turn
 */
void tg_floor_served(struct tg_floor *f, u8 level, bool lifted, u64 now);

/** tg_floor_pick - the waiting group that is to go ahead of all others, or NULL */
struct tg_group *tg_floor_pick(struct tg_sched *s, u64 now);

/** tg_floor_look_ns - when to ask next though nothing happens, 0 for never */
u64 tg_floor_look_ns(const struct tg_sched *s, u64 now);

/** tg_floor_charge - a group that was lifted has had @cost_ns of the GPU */
void tg_floor_charge(struct tg_floor *f, u64 cost_ns, u64 now);

#endif
