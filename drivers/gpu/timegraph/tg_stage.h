/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Groups that are on the GPU behind another channel's, and wait there for its end.
 *
 * See tg_stage.c.
 */
#ifndef TG_STAGE_H
#define TG_STAGE_H

#include <linux/types.h>

struct tg_dev_group;
struct tg_device;
struct tg_word;

/* tg_device.lock is held for all of these. */

/** tg_stage_slept_locked - what the words were is not known any more */
void tg_stage_slept_locked(struct tg_device *td);

/** tg_stage_can_wait_locked - whether a group of the word's channel could be staged */
bool tg_stage_can_wait_locked(const struct tg_device *td, const struct tg_word *word);

/**
 * tg_stage_begin_locked - a group is about to be put into its ring
 *
 * Return: whether it has to wait on the GPU, until the word of channel @dg->wait_chid
 * has reached @dg->wait_turn.
 */
bool tg_stage_begin_locked(struct tg_device *td, struct tg_dev_group *dg);

/** tg_stage_unwait_locked - its leader did not get into the ring */
void tg_stage_unwait_locked(struct tg_device *td, struct tg_dev_group *dg);

/**
 * tg_stage_number_locked - a group's trailer is made
 *
 * If @dg->has_turn then, it is to write @dg->turn to its channel's word when the group has
 * ended.
 */
void tg_stage_number_locked(struct tg_device *td, struct tg_dev_group *dg);

/** tg_stage_lost_locked - its trailer did not get into the ring */
void tg_stage_lost_locked(struct tg_dev_group *dg);

/**
 * tg_stage_leave_locked - it leaves the lists of the GPU, or is set aside
 * @completed: it has ended; else who waits for it is let in now
 */
void tg_stage_leave_locked(struct tg_device *td, struct tg_dev_group *dg, bool completed);

/** tg_stage_waits_locked - whether it is on the GPU behind one that has not ended */
bool tg_stage_waits_locked(const struct tg_device *td, const struct tg_dev_group *dg);

/** tg_stage_look_locked - now and then: who was let in and did not get it is let in again */
void tg_stage_look_locked(struct tg_device *td, struct tg_dev_group *dg);

#endif
