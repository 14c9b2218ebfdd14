/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The reserves that a specification makes, and which of them fit. */
#ifndef RESERVES_H
#define RESERVES_H

#include "spec.h"
#include "tg_reserve.h"
#include "tg_sched.h"

/**
 * struct resv - a reserve of its own or a Shared one
 * @label: the group's name, or the program's
 * @shared: it is a group
 * @first: its first entry that is regulated
 * @members: how many regulated entries name it
 * @kind: PE or AE
 * @capacity_ns: C
 * @period_ns: T
 * @low: lowest queue level of its tasks, see tg_task_level()
 * @high: highest one, as if every task were in the foreground
 * @core: as the module would make it
 */
struct resv {
	const char *label;
	bool shared;
	u32 first;
	u32 members;
	enum tg_spec_resv kind;
	u64 capacity_ns, period_ns;
	u8 low, high;
	struct tg_reserve core;
};

#define RESV_NONE UINT32_MAX

/**
 * struct reserves - all of them, in the order of the file
 * @r: those that regulate somebody
 * @n: how many
 * @of: for each entry its reserve, or RESV_NONE: it has none, is not regulated
 *	(HT), or is never reached
 * @admitted: what those claim that are admitted, should all start in the order of the file
 */
struct reserves {
	struct resv *r;
	u32 n;
	u32 *of;
	struct tg_admission admitted;
};

void reserves_init(struct reserves *rs, const struct spec *spec, u32 percent);
void reserves_free(struct reserves *rs);

/* Per cent of the GPU; the sums are for display, the kernel's are exact. */
double resv_percent(const struct resv *r);
double reserves_percent(const struct reserves *rs, u32 n);

/* The entry before @i that takes all its programs, or -1. */
int spec_shadow(const struct spec *spec, u32 i);

u8 spec_level(const struct tg_spec_entry *e, bool foreground);

#endif
