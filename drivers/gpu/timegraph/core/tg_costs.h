/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A static predictor (TimeGraph section 5.3): what the next group of a task costs at
 * most, by what the last ones cost, whatever they are.
 */
#ifndef TG_COSTS_H
#define TG_COSTS_H

#include "tg_port.h"

/* How many groups a prediction is from. */
#define TG_COSTS 16
/* What a cost counts as, at most, some 18 minutes: so a sum of 2^20 fits. */
#define TG_COSTS_MAX_NS (1ULL << 40)

/**
 * struct tg_costs - what the last groups of a task cost
 * @ns: of each, in a ring
 * @next: which is the oldest
 * @nr: how many there are, up to TG_COSTS
 */
struct tg_costs {
	u64 ns[TG_COSTS];
	u8 next;
	u8 nr;
};

/** tg_costs_learn - a group has completed and cost @ns */
void tg_costs_learn(struct tg_costs *c, u64 ns);

/**
 * tg_costs_largest - the largest of the last costs
 *
 * Return: it; or 0, for unknown, before there are TG_COSTS.
 */
u64 tg_costs_largest(const struct tg_costs *c);

/**
 * tg_costs_average - the average of the last costs
 *
 * Return: it, of as many as there are; 0 if there are none.
 */
u64 tg_costs_average(const struct tg_costs *c);

#endif
