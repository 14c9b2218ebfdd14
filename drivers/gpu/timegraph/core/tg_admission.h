/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Admission control (TimeGraph section 3): whether Σ C/T of some reserves stays
 * within a limit.
 *
 * Every answer takes a bounded number of steps, however many reserves there are,
 * and is never yes for a sum that is above the limit.  It is exact as long as they
 * have at most TG_PERIODS different periods; what one with yet another period claims
 * is taken for more than it is, by less than 2^-48 (a nanosecond in three days).
 *
 * Pure as tg_sched.h, and serialised with it.
 */
#ifndef TG_ADMISSION_H
#define TG_ADMISSION_H

#include "tg_port.h"

/* Different periods that are summed up exactly. */
#define TG_PERIODS 16

/**
 * struct tg_share - what one reserve claims; all 0 if it claims nothing
 * @capacity_ns: C
 * @period_ns: T
 * @slot: in tg_admission.period, TG_PERIODS for one that is rounded up
 */
struct tg_share {
	u64 capacity_ns;
	u64 period_ns;
	u8 slot;
};

/**
 * struct tg_admission - a sum of shares
 * @period: the different periods; those in use have @n > 0
 * @period.period_ns: T
 * @period.capacity_ns: Σ C of those with this T
 * @period.n: how many
 * @nr_exact: shares in @period
 * @floor: Σ of theirs in units of 2^-48, each rounded down
 * @rounded: Σ of the others, each rounded up
 */
struct tg_admission {
	struct {
		u64 period_ns;
		u64 capacity_ns;
		u32 n;
	} period[TG_PERIODS];
	u32 nr_exact;
	u64 floor;
	u64 rounded;
};

/** tg_admission_init - nobody claims anything */
void tg_admission_init(struct tg_admission *a);

/**
 * tg_admission_fits - whether another share stays within the limit
 * @capacity_ns: C, 0 < C <= T
 * @period_ns: T, at most 2^37
 * @percent: the limit, 0-100
 */
bool tg_admission_fits(const struct tg_admission *a, u64 capacity_ns,
		       u64 period_ns, u32 percent);

/**
 * tg_admission_add - another share, whether it fits or not
 * @share: all 0; keeps what is to be taken off again
 *
 * The sum must not exceed 2^16.
 */
void tg_admission_add(struct tg_admission *a, struct tg_share *share,
		      u64 capacity_ns, u64 period_ns);

/** tg_admission_remove - take a share off, if it claims anything */
void tg_admission_remove(struct tg_admission *a, struct tg_share *share);

#endif
