// SPDX-License-Identifier: GPL-2.0-or-later
/* Sums of fractions over the product of their denominators: 24·37 < 1024 bits. */
#include "exact.h"

static void multiply(u64 *out, const u64 *a, u64 b)
{
	unsigned __int128 carry = 0;

	for (u32 i = 0; i < EXACT_LIMBS; i++) {
		carry += (unsigned __int128)a[i] * b;
		out[i] = (u64)carry;
		carry >>= 64;
	}
}

static void add(u64 *a, const u64 *b)
{
	unsigned __int128 carry = 0;

	for (u32 i = 0; i < EXACT_LIMBS; i++) {
		carry += (unsigned __int128)a[i] + b[i];
		a[i] = (u64)carry;
		carry >>= 64;
	}
}

void exact_init(struct exact *e)
{
	memset(e, 0, sizeof(*e));
	e->den[0] = 1;
}

/* a/b + c/d = (a·d + c·b) / (b·d) */
void exact_add(struct exact *e, u64 num, u64 den)
{
	u64 cross[EXACT_LIMBS];

	multiply(cross, e->den, num);
	multiply(e->num, e->num, den);
	multiply(e->den, e->den, den);
	add(e->num, cross);
}

bool exact_at_most_percent(const struct exact *e, u64 percent)
{
	u64 left[EXACT_LIMBS], right[EXACT_LIMBS];

	multiply(left, e->num, 100);
	multiply(right, e->den, percent);
	for (u32 i = EXACT_LIMBS; i-- > 0;)
		if (left[i] != right[i])
			return left[i] < right[i];
	return true;
}
