/* SPDX-License-Identifier: GPL-2.0-only */
/* What happens when a group does not come out at the other end. */
#ifndef TG_WATCHDOG_H
#define TG_WATCHDOG_H

#include <linux/types.h>

struct tg_device;

/** tg_watchdog_start - a GPU appears */
void tg_watchdog_start(struct tg_device *td);

/** tg_watchdog_stop - it goes; the watchdog does not run afterwards */
void tg_watchdog_stop(struct tg_device *td);

/** tg_bypass_set - set bypass bits and let every sleeper go; atomic */
void tg_bypass_set(struct tg_device *td, unsigned int bits);

/** tg_bypass_reason - why @td is not scheduled, or NULL if it is */
const char *tg_bypass_reason(const struct tg_device *td);

/** tg_bypass_clear - clear bypass bits; atomic */
void tg_bypass_clear(struct tg_device *td, unsigned int bits);

#endif
