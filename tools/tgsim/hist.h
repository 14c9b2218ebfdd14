/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Percentiles of any number of values in little memory. */
#ifndef HIST_H
#define HIST_H

#include "tg_port.h"

#define HIST_BITS 7
#define HIST_ROWS (64 - HIST_BITS + 1)

/*
 * Values below 2^7 have a bucket each; above, every power of two has 2^7
 * buckets, so a bucket is 0.8 % wide at most.  A percentile is the mean of the
 * values in its bucket, so it is exact where they are equal.
 */
struct hist {
	struct hist_bucket {
		u64 n;
		u64 sum;
	} *row[HIST_ROWS];
	u64 n;
	double sum;
	u64 min, max;
};

void hist_add(struct hist *h, u64 v);
u64 hist_percentile(const struct hist *h, double percent);
double hist_mean(const struct hist *h);
void hist_free(struct hist *h);

#endif
