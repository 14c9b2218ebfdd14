/* SPDX-License-Identifier: GPL-2.0-only */
/* debugfs: /sys/kernel/debug/timegraph/{status,control}. */
#ifndef TG_STATS_H
#define TG_STATS_H

void tg_stats_init(void);
void tg_stats_exit(void);

#endif
