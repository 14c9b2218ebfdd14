/* SPDX-License-Identifier: GPL-2.0-only */
/* How the end of a command group is learnt, and what follows from it. */
#ifndef TG_COMPLETE_H
#define TG_COMPLETE_H

#include <linux/time64.h>
#include <linux/types.h>

#include "tg_dev_group.h"
#include "tg_device.h"

struct tg_device;

/* A context switch that takes longer was not measured right. */
#define TG_SWITCH_MAX_NS (1000 * NSEC_PER_USEC)

/** tg_complete_notify - NOTIFY of channel @chid (-1: of any); hardirq */
void tg_complete_notify(struct tg_device *td, int chid, u32 tag);

/** tg_complete_fence_event - fences may have ended; any context */
void tg_complete_fence_event(struct tg_device *td);

/**
 * tg_complete_locked - a group has ended, and those before it in its channel's ring
 * @how: that was learnt
 *
 * Each is charged, its cost learnt; its reference of the list is dropped.
 */
void tg_complete_locked(struct tg_device *td, struct tg_dev_group *dg, u64 now,
			enum tg_completion how);

/**
 * tg_complete_watch - have the fence of a group call back
 *
 * Process context; locks under which it signals are not held.
 */
void tg_complete_watch(struct tg_device *td, struct tg_dev_group *dg);

/**
 * tg_complete_expect_locked - the GPU has a group: how its end is to be learnt
 *
 * Plain nouveau takes no interrupt for the end of what nobody waits for, and a group whose end
 * decides nothing takes none either: it ends quietly, and is completed with the time that the
 * GPU has written when somebody looks: the next group to arrive, a reader, the watchdog.
 *
 * Return: whether tg_complete_watch() is owed.
 */
bool tg_complete_expect_locked(struct tg_device *td, struct tg_dev_group *dg);

/** tg_complete_watch_all - somebody is to wait for those that would end quietly; as watch */
void tg_complete_watch_all(struct tg_device *td);

/**
 * tg_complete_reap_locked - complete those that have ended quietly
 *
 * Before anything is decided, shown or completed.
 *
 * Return: whether there were any.
 */
bool tg_complete_reap_locked(struct tg_device *td, u64 now);

/** tg_complete_by_fence - its fence tells its end: its trailer does not, or may have before */
bool tg_complete_by_fence(const struct tg_dev_group *dg);

/**
 * tg_complete_wants_notify_locked - whether a group that is being submitted shall raise
 * NOTIFY, if its channel can
 *
 * NOTIFY stops PGRAPH until the CPU has seen it, so with completion=auto that is spared
 * unless its end decides something: somebody waits, or a reserve pays for it.
 */
bool tg_complete_wants_notify_locked(struct tg_device *td, const struct tg_dev_group *dg);

/** tg_complete_unwatch - no fence calls back any more; may sleep */
void tg_complete_unwatch(struct tg_device *td);

#endif
