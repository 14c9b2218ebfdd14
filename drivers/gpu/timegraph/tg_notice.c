// SPDX-License-Identifier: GPL-2.0-only
/* Lines for the kernel log from under tg_device.lock. */
#include <linux/device.h>
#include <linux/kern_levels.h>
#include <linux/kernel.h>
#include <linux/spinlock.h>
#include <linux/stdarg.h>

#include "tg_notice.h"

void tg_notice_locked(struct tg_notices *n, const char *level, const char *fmt,
		      ...)
{
	char *line;
	va_list ap;

	lockdep_assert_held(n->lock);
	if (n->nr == TG_NOTICE_LINES) {
		n->lost++;
		return;
	}
	line = n->line[(n->first + n->nr++) % TG_NOTICE_LINES];
	line[0] = level[1];
	va_start(ap, fmt);
	vsnprintf(line + 1, TG_NOTICE_LENGTH - 1, fmt, ap);
	va_end(ap);
	schedule_work(&n->work);
}

/* The oldest line; or, when all are out, how many were lost. */
static bool take(struct tg_notices *n, char *line, unsigned int *lost)
{
	bool any;

	spin_lock_irq(n->lock);
	any = n->nr;
	*lost = any ? 0 : n->lost;
	if (any) {
		memcpy(line, n->line[n->first], TG_NOTICE_LENGTH);
		n->first = (n->first + 1) % TG_NOTICE_LINES;
		n->nr--;
	} else {
		n->lost = 0;
	}
	spin_unlock_irq(n->lock);
	return any;
}

static void print(struct work_struct *work)
{
	struct tg_notices *n = container_of(work, struct tg_notices, work);
	char line[TG_NOTICE_LENGTH], level[] = KERN_INFO;
	unsigned int lost;

	while (take(n, line, &lost)) {
		level[1] = line[0];
		dev_printk(level, n->dev, "timegraph: %s\n", line + 1);
	}
	if (lost)
		dev_warn(n->dev, "timegraph: %u lines more were not kept\n", lost);
}

void tg_notice_start(struct tg_notices *n, struct device *dev,
		     spinlock_t *lock)
{
	n->dev = dev;
	n->lock = lock;
	INIT_WORK(&n->work, print);
}

void tg_notice_stop(struct tg_notices *n)
{
	flush_work(&n->work);
}
