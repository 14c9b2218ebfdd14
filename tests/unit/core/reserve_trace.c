// SPDX-License-Identifier: GPL-2.0-or-later
#include "reserve_trace.h"

static int64_t max(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

void reserve_trace_init(struct reserve_trace *t, bool ae, int64_t capacity,
			int64_t period, uint64_t now)
{
	*t = (struct reserve_trace){
		.ae = ae,
		.capacity = capacity,
		.period = period,
		.next_ns = now + period,
	};
}

void reserve_trace_predicted(struct reserve_trace *t, int64_t x)
{
	t->largest = max(t->largest, x);
}

bool reserve_trace_charged(struct reserve_trace *t, int64_t cost, int64_t x,
			   uint64_t now)
{
	int64_t room;
	bool ok;

	/* A window may begin anywhere: with nothing charged is the least. */
	for (; t->next_ns <= (int64_t)now; t->next_ns += t->period) {
		t->most = max(t->most, 0) - t->capacity;
		t->periods++;
	}
	t->most = max(t->most, 0);
	if (t->ae) {
		room = max(t->capacity, t->largest) - (t->most + x);
		ok = room >= 0;
	} else {
		room = t->capacity - t->most;
		ok = room > 0;
	}
	if (!t->used_ns || room < t->closest)
		t->closest = room;
	t->most += cost;
	t->used_ns += cost;
	return ok;
}
