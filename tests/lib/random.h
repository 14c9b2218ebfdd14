/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Random numbers that are the same everywhere (xorshift64*, Vigna 2016). */
#ifndef RANDOM_H
#define RANDOM_H

#include <stdint.h>

/* @seed: any but 0 */
static inline uint64_t random_next(uint64_t *seed)
{
	*seed ^= *seed >> 12;
	*seed ^= *seed << 25;
	*seed ^= *seed >> 27;
	return *seed * 0x2545f4914f6cdd1dULL;
}

/* 0 … n - 1 */
static inline uint32_t random_below(uint64_t *seed, uint32_t n)
{
	return (random_next(seed) >> 32) % n;
}

#endif
