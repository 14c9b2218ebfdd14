// SPDX-License-Identifier: GPL-2.0-or-later
/* tgctl list: tasks, reserves or GPUs, for scripts and completion. */
#include <stdio.h>
#include <string.h>

#include "device.h"
#include "object.h"
#include "print.h"

enum what { TASKS, RESERVES, GPUS, NOTHING };

static const char *const what_name[] = {
	[TASKS] = "tasks", [RESERVES] = "reserves", [GPUS] = "gpus",
};

static enum what parse_what(const char *word)
{
	enum what w = TASKS;

	while (w < NOTHING && strcmp(what_name[w], word))
		w++;
	return w;
}

static void print_list(const struct timegraph_snapshot *snap, enum what what)
{
	if (what == GPUS) {
		print_gpus(stdout, snap);
		return;
	}
	for (uint32_t i = 0; i < snap->nr_gpus; i++) {
		const struct timegraph_gpu_state *g = &snap->gpus[i];

		if (snap->nr_gpus > 1)
			printf("%sGPU %u\n", i ? "\n" : "", g->gpu.index);
		if (what == TASKS)
			print_tasks(stdout, g);
		else
			print_reserves(stdout, g);
	}
}

/* The objects of a list know which GPU they are of by the array they are in. */
static void list_json(const struct timegraph_snapshot *snap, enum what what)
{
	struct json j = { .out = stdout };

	json_open(&j, NULL, '{');
	json_open(&j, "gpus", '[');
	for (uint32_t i = 0; i < snap->nr_gpus; i++) {
		const struct timegraph_gpu_state *g = &snap->gpus[i];

		if (what == GPUS) {
			object_gpu(&j, NULL, &g->gpu);
			continue;
		}
		json_open(&j, NULL, '{');
		json_uint(&j, "index", g->gpu.index);
		json_string(&j, "name", g->gpu.name);
		json_open(&j, what_name[what], '[');
		for (uint32_t k = 0; what == TASKS && k < g->tasks.count; k++)
			object_task(&j, NULL, &g->tasks.item[k]);
		for (uint32_t k = 0; what == RESERVES && k < g->reserves.count; k++)
			object_reserve(&j, NULL, &g->reserves.item[k]);
		json_close(&j, ']');
		json_close(&j, '}');
	}
	json_close(&j, ']');
	json_close(&j, '}');
}

static bool json;

static const struct cli_opt opts[] = {
	{ "json", cli_flag, &json, NULL, "as JSON, with everything that is known; times in nanoseconds",
	  'j' },
	{ 0 }
};

static int run(const struct command *cmd, int n, char **args)
{
	struct timegraph_snapshot snap = { 0 };
	enum what what = parse_what(args[0]);
	int status;

	if (what == NOTHING)
		return cli_usage(&cmd->cli, "%s", cmd->cli.args_wanted);
	status = device_snapshot(&snap);
	if (!status && json)
		list_json(&snap, what);
	else if (!status)
		print_list(&snap, what);
	timegraph_snapshot_free(&snap);
	return status;
}

const struct command tgctl_list = {
	.cli = {
		.who = "tgctl list",
		.about =
		"usage: tgctl list [--json] tasks|reserves|gpus\n"
		"\n"
		"One line each, in the columns of 'tgctl status'.  Other users' tasks, and the\n"
		"reserves that only they use, are listed for root only.\n"
		"\n",
		.opts = { opts },
		.min_args = 1,
		.max_args = 1,
		.args_wanted = "say what: tasks, reserves or gpus",
		.notes =
		"\n"
		"Exit status: 0 listed; 2 wrong usage; 3 the module is not loaded; 4 no right.\n",
	},
	.summary = "tasks, reserves or GPUs as a table",
	.run = run,
};
