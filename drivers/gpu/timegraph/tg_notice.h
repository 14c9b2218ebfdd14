/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Lines for the kernel log from under tg_device.lock.
 *
 * A console can take milliseconds for a line, with interrupts off, while others wait
 * for the lock.  So the line is kept, and printed a moment later.
 */
#ifndef TG_NOTICE_H
#define TG_NOTICE_H

#include <linux/spinlock_types.h>
#include <linux/types.h>
#include <linux/workqueue.h>

struct device;

/* Lines that can wait; more are counted. */
#define TG_NOTICE_LINES 8
#define TG_NOTICE_LENGTH 160

/**
 * struct tg_notices - lines that wait to be printed
 * @work: prints them
 * @dev: of which they tell
 * @lock: the device's
 * @line: a ring of them, each begins with its level ('3' to '6', as in KERN_SOH)
 * @first: of those that wait
 * @nr: how many do
 * @lost: for which there was no place since the last was printed
 *
 * @line to @lost are under tg_device.lock.
 */
struct tg_notices {
	struct work_struct work;
	struct device *dev;
	spinlock_t *lock;
	char line[TG_NOTICE_LINES][TG_NOTICE_LENGTH];
	unsigned int first;
	unsigned int nr;
	unsigned int lost;
};

/** tg_notice_locked - print a line about a GPU soon; @level: KERN_ERR to _INFO */
__printf(3, 4)
void tg_notice_locked(struct tg_notices *n, const char *level, const char *fmt,
		      ...);

/** tg_notice_start - a GPU appears */
void tg_notice_start(struct tg_notices *n, struct device *dev,
		     spinlock_t *lock);

/** tg_notice_stop - it goes: what waits is printed; may sleep */
void tg_notice_stop(struct tg_notices *n);

#endif
