// SPDX-License-Identifier: GPL-2.0-only
/* How much of what nouveau does is to be seen, by what all GPUs need. */
#include <linux/spinlock.h>

#include "attach/tg_attach.h"
#include "tg_see.h"

static DEFINE_SPINLOCK(lock);
static unsigned int nr_gpus, nr_idle, nr_quiet;

static enum tg_see needed(void)
{
	if (!nr_gpus || nr_idle + nr_quiet < nr_gpus)
		return TG_SEE_ALL;
	return nr_quiet ? TG_SEE_CALLS : TG_SEE_CHANNELS;
}

void tg_see_count(int gpus, int idle, int quiet)
{
	unsigned long flags;

	spin_lock_irqsave(&lock, flags);
	nr_gpus += gpus;
	nr_idle += idle;
	nr_quiet += quiet;
	tg_attach_see(needed());
	spin_unlock_irqrestore(&lock, flags);
}
