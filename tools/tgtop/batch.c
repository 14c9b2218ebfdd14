// SPDX-License-Identifier: GPL-2.0-or-later
/* Samples as text or JSON, one after the other. */
#include <errno.h>
#include <stdio.h>

#include "clock.h"
#include "object.h"
#include "tgtop.h"

/*
 * Points in time a whole number of intervals after the first look: no drift.  Who
 * comes late by half of one begins anew: what would be left is no interval.
 */
static void wait_until(uint64_t *next_ns, uint64_t interval_ns)
{
	uint64_t now = now_ns();
	struct timespec t;

	*next_ns += interval_ns;
	if (*next_ns < now + interval_ns / 2)
		*next_ns = now + interval_ns;
	t = clock_timespec(*next_ns);
	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == EINTR)
		;
}

static int print(const struct sampler *s, const struct batch_options *o, struct view *v)
{
	struct json j = { .out = stdout, .compact = true };

	if (!o->json)
		return view_print(v, &o->view, s, o->gpu);
	object_sample(&j, &sampler_now(s)->caps, &s->sample);
	return 0;
}

int batch_run(const struct batch_options *o)
{
	struct sampler s = { 0 };
	struct view v = { 0 };
	uint64_t next_ns;
	uint32_t n = 0;
	int ret = sampler_take(&s);

	/* A slow first look takes nothing from the first interval. */
	next_ns = now_ns();
	while (!ret && (!o->number || n < o->number)) {
		wait_until(&next_ns, o->interval_ns);
		ret = sampler_take(&s);
		if (ret)
			break;
		if (!sample_is_measured(&s.sample))
			continue;
		if (n++ && !o->json)
			putchar('\n');
		ret = print(&s, o, &v);
		if (fflush(stdout))
			break;
	}
	view_free(&v);
	sampler_free(&s);
	return ret ? tgtop_fail(ret) : TGTOP_OK;
}
