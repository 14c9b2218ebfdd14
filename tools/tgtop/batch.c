// SPDX-License-Identifier: GPL-2.0-or-later
/* Samples as text or JSON, one after the other. */
#include <errno.h>
#include <stdio.h>
#include <time.h>

#include "object.h"
#include "tgtop.h"

/* Points in time a whole number of intervals after the start: no drift. */
static void wait_until(struct timespec *t, uint64_t interval_ns)
{
	uint64_t ns = t->tv_nsec + interval_ns;

	t->tv_sec += ns / 1000000000;
	t->tv_nsec = ns % 1000000000;
	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, t, NULL) == EINTR)
		;
}

static int print_text(const struct sampler *s, const struct batch_options *o, struct view *v)
{
	int ret = 0;

	if (!s->sample.nr_gpus)
		puts("no GPU yet: one appears when a program first uses it");
	for (uint32_t i = 0; !ret && i < s->sample.nr_gpus; i++) {
		if (o->gpu != TIMEGRAPH_ALL_GPUS && s->sample.gpus[i].gpu->index != o->gpu)
			continue;
		ret = view_render(v, &o->view, sampler_now(s), &s->sample, i);
		for (uint32_t k = 0; !ret && k < v->n; k++)
			puts(v->line[k].text);
	}
	return ret;
}

static int print(const struct sampler *s, const struct batch_options *o, struct view *v)
{
	struct json j = { .out = stdout, .compact = true };

	if (!o->json)
		return print_text(s, o, v);
	object_sample(&j, &sampler_now(s)->caps, &s->sample);
	return 0;
}

int batch_run(const struct batch_options *o)
{
	struct sampler s = { 0 };
	struct view v = { 0 };
	struct timespec t;
	int ret;

	clock_gettime(CLOCK_MONOTONIC, &t);
	ret = sampler_take(&s);
	for (uint32_t n = 0; !ret && (!o->number || n < o->number); n++) {
		wait_until(&t, o->interval_ns);
		ret = sampler_take(&s);
		if (ret)
			break;
		if (n && !o->json)
			putchar('\n');
		ret = print(&s, o, &v);
		if (fflush(stdout))
			break;
	}
	view_free(&v);
	sampler_free(&s);
	return ret ? tgtop_fail(ret) : TGTOP_OK;
}
