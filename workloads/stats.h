/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef WL_STATS_H
#define WL_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A growing set of durations. add() never fails: it counts what it had to drop. */
struct wl_samples {
	uint64_t *ns;
	size_t count, capacity;
	size_t dropped;		/* rises only when memory ran out */
	bool sorted;
};

struct wl_summary {
	uint64_t p50_ns, p90_ns, p99_ns, max_ns, mean_ns;
};

void wl_samples_init(struct wl_samples *s, size_t capacity);
void wl_samples_fini(struct wl_samples *s);
void wl_samples_add(struct wl_samples *s, uint64_t ns);

/*
 * The nearest-rank percentile: the smallest sample x such that at least
 * percent/100 of all samples are <= x. 0 when there is no sample.
 */
uint64_t wl_samples_percentile(struct wl_samples *s, unsigned int percent);
void wl_samples_summarise(struct wl_samples *s, struct wl_summary *out);

/* What was done when: marks are added in the order of time. */
struct wl_marks {
	struct wl_mark {
		uint64_t at_ns, amount;
	} *mark;
	size_t count, capacity;
	size_t dropped;		/* rises only when memory ran out */
};

void wl_marks_fini(struct wl_marks *m);
void wl_marks_add(struct wl_marks *m, uint64_t at_ns, uint64_t amount);

/*
 * The least amount in any window (t, t + window_ns] with start_ns <= t and
 * t + window_ns <= end_ns; UINT64_MAX when none fits.
 */
uint64_t wl_marks_least(const struct wl_marks *m, uint64_t start_ns, uint64_t end_ns,
			uint64_t window_ns);

#endif
