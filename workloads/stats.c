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

void wl_marks_fini(struct wl_marks *m)
{
	free(m->mark);
	*m = (struct wl_marks){ 0 };
}

void wl_marks_add(struct wl_marks *m, uint64_t at_ns, uint64_t amount)
{
	size_t capacity = m->capacity ? m->capacity * 2 : 1024;
	struct wl_mark *mark;

	if (m->count == m->capacity) {
		mark = realloc(m->mark, capacity * sizeof(*mark));
		if (!mark) {
			m->dropped++;
			return;
		}
		m->mark = mark;
		m->capacity = capacity;
	}
	m->mark[m->count++] = (struct wl_mark){ at_ns, amount };
}

/*
 * Between two marks a window that moves on loses nothing and may gain: the least is
 * in one that begins at start_ns or at a mark.
 */
uint64_t wl_marks_least(const struct wl_marks *m, uint64_t start_ns, uint64_t end_ns,
			uint64_t window_ns)
{
	uint64_t least = UINT64_MAX, sum = 0, from = start_ns;
	size_t first = 0, last = 0;

	while (first < m->count && m->mark[first].at_ns <= start_ns)
		first++;
	last = first;
	while (window_ns <= end_ns && from <= end_ns - window_ns) {
		while (last < m->count && m->mark[last].at_ns <= from + window_ns)
			sum += m->mark[last++].amount;
		if (sum < least)
			least = sum;
		if (first == m->count)
			break;
		from = m->mark[first].at_ns;
		if (first < last)
			sum -= m->mark[first].amount;
		else
			last++;
		first++;
	}
	return least;
}
