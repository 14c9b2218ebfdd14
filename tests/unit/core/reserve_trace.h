/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the rules of a reserve promise, checked from who ran how long alone.
 * Holds while the reserve's parameters stay and its groups are alone on the GPU.
 *
 * Over any window of time in which k periods begin, let U be what is charged.
 *
 * PE.  A group starts only if e > 0, e <= C when the window begins, and each
 * period adds at most C.  So before the last group of the window
 *
 *	U - cost(last) < C + k·C,  hence  U < (k + 1)·C + cost(last)
 *
 * and a half-open window of length k·T contains k beginnings.
 *
 * AE.  A group starts only if e >= x, e never exceeds M = max(C, largest x), and
 * each period adds at most C.  So
 *
 *	U - cost(last) + x(last) <= M + k·C
 *
 * whatever the predictions were: an overrun is no more than the error of the last.
 */
#ifndef RESERVE_TRACE_H
#define RESERVE_TRACE_H

#include <stdbool.h>
#include <stdint.h>

struct reserve_trace {
	bool ae;
	int64_t capacity, period;
	int64_t next_ns;
	/* Charged less granted, in the window that makes it the most. */
	int64_t most;
	int64_t largest;	/* x */
	/* For the summary. */
	int64_t used_ns, periods, closest;
};

void reserve_trace_init(struct reserve_trace *t, bool ae, int64_t capacity,
			int64_t period, uint64_t now);
/* A prediction: whether its group runs or has to wait. */
void reserve_trace_predicted(struct reserve_trace *t, int64_t x);
/* A group ended at @now.  Returns whether it could be allowed to have run. */
bool reserve_trace_charged(struct reserve_trace *t, int64_t cost, int64_t x,
			   uint64_t now);

#endif
