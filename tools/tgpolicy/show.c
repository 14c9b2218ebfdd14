// SPDX-License-Identifier: GPL-2.0-or-later
/* tgpolicy list, show, stats. */
#include <inttypes.h>
#include <string.h>

#include "json.h"
#include "state.h"
#include "tgpolicy.h"

static bool json;
static struct state state;

static const struct cli_opt opts[] = {
	{ "json", cli_flag, &json, NULL, "the same as JSON", 'j' },
	{ 0 }
};

static void json_calls(struct json *j, const char *key, const struct state_calls *calls)
{
	json_open(j, key, '[');
	for (unsigned int i = 0; i < calls->nr; i++) {
		const struct state_call *c = &calls->call[i];

		json_open(j, NULL, '{');
		json_uint(j, "at_ns", c->at_ns);
		json_string(j, "op", c->op);
		json_uint(j, "task", c->task);
		json_uint(j, "answer", c->answer);
		json_uint(j, "ns", c->ns);
		json_close(j, '}');
	}
	json_close(j, ']');
}

static void json_gpu(struct json *j, const struct state_gpu *g)
{
	json_open(j, NULL, '{');
	json_string(j, "name", g->name);
	json_string(j, "policy", g->class);
	json_uint(j, "tasks", g->tasks);
	json_open(j, "ops", '[');
	for (unsigned int i = 0; i < g->nr_ops; i++) {
		json_open(j, NULL, '{');
		json_string(j, "op", g->op[i].name);
		json_uint(j, "calls", g->op[i].calls);
		json_uint(j, "ns", g->op[i].ns);
		json_uint(j, "max_ns", g->op[i].max_ns);
		json_close(j, '}');
	}
	json_close(j, ']');
	json_calls(j, "calls", &g->calls);
	json_close(j, '}');
}

/* One form for all three commands. */
static void json_state(void)
{
	struct json j = { .out = stdout };

	json_open(&j, NULL, '{');
	json_string(&j, "bpf", state.bpf);
	json_open(&j, "loaded", '[');
	for (unsigned int i = 0; i < state.nr_loaded; i++)
		json_string(&j, NULL, state.loaded[i]);
	json_close(&j, ']');
	json_open(&j, "ejected", '{');
	json_string(&j, "name", state.ejected);
	json_string(&j, "reason", state.reason);
	json_calls(&j, "calls", &state.did);
	json_close(&j, '}');
	json_open(&j, "gpus", '[');
	for (unsigned int i = 0; i < state.nr_gpus; i++)
		json_gpu(&j, &state.gpu[i]);
	json_close(&j, ']');
	json_close(&j, '}');
}

static void print_calls(const struct state_calls *calls)
{
	printf("  %16s %-10s %8s %20s %8s\n", "time ns", "call", "task", "answer", "took ns");
	for (unsigned int i = 0; i < calls->nr; i++) {
		const struct state_call *c = &calls->call[i];

		printf("  %16" PRIu64 " %-10s %8" PRIu64 " %20" PRIu64 " %8" PRIu64 "\n", c->at_ns,
		       c->op, c->task, c->answer, c->ns);
	}
}

static void print_ejected(void)
{
	if (state.ejected[0])
		printf("%s was ejected: %s\n", state.ejected, state.reason);
}

static void print_list(void)
{
	if (strcmp(state.bpf, "yes"))
		printf("no policies as BPF programs: %s\n", state.bpf);
	for (unsigned int i = 0; i < state.nr_loaded; i++) {
		printf("%s", state.loaded[i]);
		for (unsigned int k = 0; k < state.nr_gpus; k++)
			if (!strcmp(state.gpu[k].class, state.loaded[i]))
				printf(" %s", state.gpu[k].name);
		putchar('\n');
	}
	print_ejected();
}

static void print_show(void)
{
	print_list();
	if (state.did.nr)
		print_calls(&state.did);
	for (unsigned int i = 0; i < state.nr_gpus; i++) {
		const struct state_gpu *g = &state.gpu[i];

		printf("GPU %s: %s, %u tasks\n", g->name, g->class, g->tasks);
		if (g->calls.nr)
			print_calls(&g->calls);
	}
}

static void print_stats(void)
{
	for (unsigned int i = 0; i < state.nr_gpus; i++) {
		const struct state_gpu *g = &state.gpu[i];

		printf("GPU %s: %s\n  %-10s %12s %10s %10s\n", g->name, g->class, "call", "calls",
		       "mean ns", "most ns");
		for (unsigned int k = 0; k < g->nr_ops; k++) {
			const struct state_op *o = &g->op[k];

			printf("  %-10s %12" PRIu64 " %10" PRIu64 " %10" PRIu64 "\n", o->name,
			       o->calls, o->calls ? o->ns / o->calls : 0, o->max_ns);
		}
	}
}

static int run_print(void (*print)(void))
{
	int ret = state_read(&state);

	if (ret)
		return no_module(-ret);
	if (json)
		json_state();
	else
		print();
	return TGPOLICY_OK;
}

static int run_list(const struct command *cmd, int n, char **args)
{
	return run_print(print_list);
}

static int run_show(const struct command *cmd, int n, char **args)
{
	return run_print(print_show);
}

static int run_stats(const struct command *cmd, int n, char **args)
{
	return run_print(print_stats);
}

const struct command tgpolicy_list = {
	.cli = {
		.who = "tgpolicy list",
		.about =
		"usage: tgpolicy list [--json]\n"
		"\n"
		"The policies that are loaded, with the GPUs that each orders; and which one was\n"
		"ejected last, and why.\n"
		"\n",
		.opts = { opts },
		.args_wanted = "it takes no arguments",
		.notes = "\nExit status: as of tgpolicy.\n",
	},
	.summary = "which policies are loaded",
	.run = run_list,
};

const struct command tgpolicy_show = {
	.cli = {
		.who = "tgpolicy show",
		.about =
		"usage: tgpolicy show [--json]\n"
		"\n"
		"The same with the last 64 calls of each, and of the one that was ejected last.\n"
		"\n",
		.opts = { opts },
		.args_wanted = "it takes no arguments",
		.notes = "\nExit status: as of tgpolicy.\n",
	},
	.summary = "what they did last",
	.run = run_show,
};

const struct command tgpolicy_stats = {
	.cli = {
		.who = "tgpolicy stats",
		.about =
		"usage: tgpolicy stats [--json]\n"
		"\n"
		"How often each function of the policies was called, and how long it took.\n"
		"\n",
		.opts = { opts },
		.args_wanted = "it takes no arguments",
		.notes = "\nExit status: as of tgpolicy.\n",
	},
	.summary = "how often they are called, and how long that takes",
	.run = run_stats,
};
