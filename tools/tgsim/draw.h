/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Random numbers; the same on every machine. */
#ifndef DRAW_H
#define DRAW_H

#include "scenario.h"

struct rng {
	u64 state;
};

/* A stream of its own for each (seed, a, b). */
void rng_seed(struct rng *r, u64 seed, u64 a, u64 b);
u64 rng_next(struct rng *r);
u64 rng_below(struct rng *r, u64 n);			/* 0 … n−1, n > 0 */
u64 rng_range(struct rng *r, u64 lo, u64 hi);		/* lo … hi */
bool rng_chance(struct rng *r, u32 ppm);

/* The next cost; @turn counts for COST_CYCLE.  At least 1 ns. */
u64 cost_draw(const struct cost *c, struct rng *r, u32 *turn, u32 noise_ppm);

#endif
