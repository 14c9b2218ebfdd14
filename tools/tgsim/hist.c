// SPDX-License-Identifier: GPL-2.0-or-later
#include "hist.h"
#include "mem.h"

#define BUCKETS (1u << HIST_BITS)

static void place(u64 v, u32 *row, u32 *bucket)
{
	u32 shift;

	*row = 0;
	if (v >= BUCKETS) {
		shift = 63 - __builtin_clzll(v) - HIST_BITS;
		*row = shift + 1;
		v >>= shift;
	}
	*bucket = v & (BUCKETS - 1);
}

void hist_add(struct hist *h, u64 v)
{
	u32 row, bucket;

	place(v, &row, &bucket);
	if (!h->row[row])
		h->row[row] = mem_alloc(BUCKETS * sizeof(*h->row[row]));
	h->row[row][bucket].n++;
	h->row[row][bucket].sum += v;
	if (!h->n || v < h->min)
		h->min = v;
	if (v > h->max)
		h->max = v;
	h->n++;
	h->sum += (double)v;
}

/* The value of rank ⌈percent/100 · n⌉. */
u64 hist_percentile(const struct hist *h, double percent)
{
	double want = percent / 100 * (double)h->n;
	u64 rank = (u64)want, seen = 0;

	if (!h->n)
		return 0;
	if ((double)rank < want || !rank)
		rank++;
	for (u32 r = 0; r < HIST_ROWS; r++) {
		if (!h->row[r])
			continue;
		for (u32 b = 0; b < BUCKETS; b++) {
			const struct hist_bucket *bucket = &h->row[r][b];

			seen += bucket->n;
			if (bucket->n && seen >= rank)
				return bucket->sum / bucket->n;
		}
	}
	return h->max;
}

double hist_mean(const struct hist *h)
{
	return h->n ? h->sum / (double)h->n : 0;
}

void hist_free(struct hist *h)
{
	for (u32 r = 0; r < HIST_ROWS; r++)
		free(h->row[r]);
}
