// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Random numbers: SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom
 * number generators, 2014).  No function of libm is used, since their last bits
 * differ between machines, and results are to be the same everywhere.
 */
#include "draw.h"

static u64 mix(u64 z)
{
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
	return z ^ z >> 31;
}

u64 rng_next(struct rng *r)
{
	r->state += 0x9e3779b97f4a7c15ULL;
	return mix(r->state);
}

void rng_seed(struct rng *r, u64 seed, u64 a, u64 b)
{
	r->state = mix(seed + 1) ^ mix((a + 1) * 0x9e3779b97f4a7c15ULL) ^
		   mix((b + 1) * 0xd1b54a32d192ed03ULL);
}

u64 rng_below(struct rng *r, u64 n)
{
	return (u64)((unsigned __int128)rng_next(r) * n >> 64);
}

u64 rng_range(struct rng *r, u64 lo, u64 hi)
{
	return lo + rng_below(r, hi - lo + 1);
}

bool rng_chance(struct rng *r, u32 ppm)
{
	return ppm && rng_below(r, PPM) < ppm;
}

/* Nearly normal, variance 1: twelve uniform numbers, each of variance 1/12. */
static double normal(struct rng *r)
{
	double sum = -6;

	for (int i = 0; i < 12; i++)
		sum += (double)(rng_next(r) >> 11) / 9007199254740992.0;
	return sum;
}

/* e^y as (1 + y/2^20)^(2^20); good to 10^-5 for |y| < 4. */
static double exponential(double y)
{
	double v = 1 + y / 1048576;

	for (int i = 0; i < 20; i++)
		v *= v;
	return v;
}

static u64 scaled(u64 ns, double factor)
{
	double v = (double)ns * factor;

	return v < 1 ? 1 : v > 1e18 ? (u64)1e18 : (u64)v;
}

static u64 with_noise(u64 ns, struct rng *r, u32 ppm)
{
	if (!ppm)
		return ns;
	return scaled(ns, 1 + ((double)rng_below(r, 2 * (u64)ppm + 1) - ppm) / PPM);
}

u64 cost_draw(const struct cost *c, struct rng *r, u32 *turn, u32 noise_ppm)
{
	u64 ns = c->v[0];

	switch (c->type) {
	case COST_CONSTANT:
		break;
	case COST_UNIFORM:
		ns = rng_range(r, c->v[0], c->v[1]);
		break;
	case COST_CHOICE:
		ns = c->v[rng_below(r, c->n)];
		break;
	case COST_CYCLE:
		ns = c->v[(*turn)++ % c->n];
		break;
	case COST_LOGNORMAL:
		ns = scaled(ns, exponential(normal(r) * c->sigma_ppm / PPM));
		break;
	}
	ns = with_noise(ns, r, noise_ppm);
	return ns ? ns : 1;
}
