// SPDX-License-Identifier: GPL-2.0-only
/* GPU priorities that follow those of the CPU. */
#include "tg_cpu.h"

/* 100·1.25^-nice for each rank: what a nice value is worth to the kernel's own scheduler. */
static const u16 percent_of_rank[TG_CPU_REAL_TIME] = {
	1, 2, 2, 3, 4, 4, 5, 7, 9, 11,
	13, 17, 21, 26, 33, 41, 51, 64, 80, 100,
	125, 156, 195, 244, 305, 381, 477, 596, 745, 931,
	1164, 1455, 1819, 2274, 2842, 3553, 4441, 5551, 6939, 8674,
};

/* At most 10,000 times 8,674 per cent: no overflow. */
static u32 scale(u32 weight, u8 rank)
{
	u32 w = weight * percent_of_rank[rank] / 100;

	if (w < TG_WEIGHT_MIN)
		return TG_WEIGHT_MIN;
	return w < TG_WEIGHT_MAX ? w : TG_WEIGHT_MAX;
}

void tg_cpu_follow(struct tg_spec_entry *e, u8 rank)
{
	if (rank >= TG_CPU_REAL_TIME) {
		e->prio = rank - TG_CPU_REAL_TIME;
		return;
	}
	e->sched = TG_SPEC_FQ;
	e->weight = scale(e->weight, rank);
	e->prio = TG_PRIO_MIN;
}
