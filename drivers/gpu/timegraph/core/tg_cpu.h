/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a thread's CPU priority makes of a task that follows it ("cpu" in a
 * specification; TimeGraph section 6.1: "The priority level is aligned between the GPU
 * and CPU").
 *
 * As on the CPU: real-time threads go by their priority, 1 to 99, before all others, and
 * the others, at priority 0, share by their nice value, each step of which is worth a
 * quarter more.  A rank orders both:
 *
 *	0 … 39		nice 19 … -20
 *	41 … 139	real-time priority 1 … 99
 */
#ifndef TG_CPU_H
#define TG_CPU_H

#include "tg_spec.h"

#define TG_CPU_NICE_MIN	(-20)
#define TG_CPU_NICE_MAX	19
/* The rank that a real-time priority counts from. */
#define TG_CPU_REAL_TIME 40
#define TG_CPU_RANK_MAX	(TG_CPU_REAL_TIME + TG_PRIO_MAX)

/** tg_cpu_rank_nice - of a thread that is not real-time; @nice is -20 to 19 */
static inline u8 tg_cpu_rank_nice(int nice)
{
	return TG_CPU_NICE_MAX - nice;
}

/** tg_cpu_rank_real_time - of a real-time thread; @prio is 1 to 99, the highest */
static inline u8 tg_cpu_rank_real_time(u32 prio)
{
	return TG_CPU_REAL_TIME + prio;
}

/**
 * tg_cpu_follow - what an entry gives to a task whose thread is of a rank
 * @e: an entry with @e->cpu; filled in: its policy, weight and priority
 * @rank: of its thread
 *
 * Real-time, it keeps its policy and its weight, at its thread's priority.  Else it is
 * FQ, at priority 0, and its weight is multiplied by 1.25^-nice, within the bounds of
 * weights.
 */
void tg_cpu_follow(struct tg_spec_entry *e, u8 rank);

#endif
