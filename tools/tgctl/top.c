// SPDX-License-Identifier: GPL-2.0-or-later
/* tgctl top: who used the GPU, over one interval. */
#include <errno.h>
#include <stdio.h>

#include "args.h"
#include "clock.h"
#include "device.h"
#include "object.h"
#include "view.h"

struct options {
	uint64_t interval_ns;
	struct view_options view;
	bool json;
};

static int take(struct sampler *s)
{
	int ret = sampler_take(s);

	return ret ? device_fail_open(ret) : TGCTL_OK;
}

static void wait_for(uint64_t ns)
{
	struct timespec t = clock_timespec(ns);

	while (clock_nanosleep(CLOCK_MONOTONIC, 0, &t, &t) == EINTR)
		;
}

static int print(const struct sampler *s, const struct view_options *o)
{
	struct view v = { 0 };
	int ret = view_print(&v, o, s, TIMEGRAPH_ALL_GPUS);

	view_free(&v);
	return ret ? device_fail("top", ret, DEVICE_LOOK) : TGCTL_OK;
}

static int top(const struct options *o)
{
	struct sampler s = { 0 };
	int status = take(&s);

	while (!status) {
		wait_for(o->interval_ns);
		status = take(&s);
		if (sample_is_measured(&s.sample))
			break;
	}
	if (!status && o->json) {
		struct json j = { .out = stdout };

		object_sample(&j, &sampler_now(&s)->caps, &s.sample);
	} else if (!status) {
		status = print(&s, &o->view);
	}
	sampler_free(&s);
	return status;
}

static struct options options = { .interval_ns = 1000000000 };

static const struct cli_opt opts[] = {
	{ "delay", args_take_seconds, &options.interval_ns, "SECONDS",
	  "the interval (1), 0.01 to 86400", 'd', "give seconds, 0.01 to 86400" },
	{ "sort", view_take_sort, &options.view.sort, "KEY",
	  "gpu (default), wait, throttle, prio, error, name, pid", 's',
	  "gpu, wait, throttle, prio, error, name or pid" },
	{ "json", cli_flag, &options.json, NULL,
	  "as JSON: the state now, and the interval's differences", 'j' },
	{ 0 }
};

static int run(const struct command *cmd, int n, char **args)
{
	options.view.width = view_terminal_width();
	return top(&options);
}

const struct command tgctl_top = {
	.cli = {
		.who = "tgctl top",
		.about =
		"usage: tgctl top [-d SECONDS] [-s KEY] [--json]\n"
		"\n"
		"Looks twice and prints what happened in between.\n"
		"\n",
		.opts = { opts },
		.args_wanted = "it takes no arguments",
		.notes =
		"\n"
		"PRIO    60>0: given 60, but runs at 0, as the reserve does not fit\n"
		"GPU%    of the interval; charged when a group ends\n"
		"C/T%    what the task's reserve has; BG: Background, BG!: the reserve does not\n"
		"        fit, off: HT tasks are not regulated, -: no limit\n"
		"WAIT    for its turn, B-WAIT for its budget: mean of a command group; > means\n"
		"        that none got through in the interval\n"
		"ERR%    mean error of the predicted costs\n"
		"S       G on the GPU, W waits for its turn, B for its budget, F need not ask\n"
		"\n"
		"Exit status: 0 shown; 2 wrong usage; 3 the module is not loaded; 4 no right.\n",
	},
	.summary = "who used the GPU in the next second (tgtop is live)",
	.run = run,
};
