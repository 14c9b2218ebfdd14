/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sums of fractions, exactly. */
#ifndef EXACT_H
#define EXACT_H

#include "tg_port.h"

/* Denominators of 37 bits that still fit. */
#define EXACT_FRACTIONS_MAX 24
#define EXACT_LIMBS 16

struct exact {
	u64 num[EXACT_LIMBS];
	u64 den[EXACT_LIMBS];
};

void exact_init(struct exact *e);				/* 0/1 */
void exact_add(struct exact *e, u64 num, u64 den);
bool exact_at_most_percent(const struct exact *e, u64 percent);

#endif
