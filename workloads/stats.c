// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>

#include "stats.h"

void wl_samples_init(struct wl_samples *s, size_t capacity)
{
	*s = (struct wl_samples){ 0 };
	s->ns = calloc(capacity, sizeof(*s->ns));
	s->capacity = s->ns ? capacity : 0;
}

void wl_samples_fini(struct wl_samples *s)
{
	free(s->ns);
	*s = (struct wl_samples){ 0 };
}

static bool grow(struct wl_samples *s)
{
	size_t capacity = s->capacity ? s->capacity * 2 : 64;
	uint64_t *ns = realloc(s->ns, capacity * sizeof(*ns));

	if (!ns)
		return false;
	s->ns = ns;
	s->capacity = capacity;
	return true;
}

void wl_samples_add(struct wl_samples *s, uint64_t ns)
{
	if (s->count == s->capacity && !grow(s)) {
		s->dropped++;
		return;
	}
	s->ns[s->count++] = ns;
	s->sorted = false;
}

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

uint64_t wl_samples_percentile(struct wl_samples *s, unsigned int percent)
{
	size_t rank;

	if (!s->count)
		return 0;
	if (!s->sorted) {
		qsort(s->ns, s->count, sizeof(*s->ns), compare);
		s->sorted = true;
	}
	rank = (s->count * percent + 99) / 100;
	return s->ns[rank ? rank - 1 : 0];
}

void wl_samples_summarise(struct wl_samples *s, struct wl_summary *out)
{
	uint64_t sum = 0;
	size_t i;

	/* 2^64 ns are 584 years: a run's durations do not overflow their sum. */
	for (i = 0; i < s->count; i++)
		sum += s->ns[i];
	out->mean_ns = s->count ? sum / s->count : 0;
	out->p50_ns = wl_samples_percentile(s, 50);
	out->p90_ns = wl_samples_percentile(s, 90);
	out->p99_ns = wl_samples_percentile(s, 99);
	out->max_ns = wl_samples_percentile(s, 100);
}
