// SPDX-License-Identifier: GPL-2.0-or-later
/* tgctl status: everything on one screen. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "device.h"
#include "object.h"
#include "print.h"
#include "text.h"

static const char *plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}

static void refusal(const char *text)
{
	char safe[4 * TIMEGRAPH_TEXT_LEN];

	if (text[0])
		printf("  REFUSED, the last good one is in force: %s\n",
		       text_safe(safe, sizeof(safe), text, sizeof(safe)));
}

/* A module before interface 4 has none, and none is in force before the first. */
static void print_version(const struct timegraph_config *c)
{
	if (c->version)
		printf("  both  version %" PRIu64 ", %s\n", (uint64_t)c->version,
		       c->flags & TIMEGRAPH_CONFIG_PUSHED ? "pushed by a tool" :
							    "read by the kernel");
	if (c->flags & TIMEGRAPH_CONFIG_SLOW)
		puts("  The files do not answer: channels get what is in force.");
}

static void print_config(const struct timegraph_config *c)
{
	char path[4 * TIMEGRAPH_TEXT_LEN];

	printf("  spec  %s: %u entr%s in force\n",
	       text_safe(path, sizeof(path), c->spec_path, sizeof(path)), c->nr_entries,
	       c->nr_entries == 1 ? "y" : "ies");
	refusal(c->spec_refusal);
	printf("  ac    %s: reserves may claim %u %% together\n",
	       text_safe(path, sizeof(path), c->ac_path, sizeof(path)), c->limit_percent);
	refusal(c->ac_refusal);
	print_version(c);
}

static void print_attached(const struct timegraph_caps *caps)
{
	char text[4 * TIMEGRAPH_TEXT_LEN];

	if (caps->attached[0])
		printf("  hooks %s\n",
		       text_safe(text, sizeof(text), caps->attached, sizeof(text)));
}

static void print_mode(const struct timegraph_caps *caps)
{
	const char *by = text_predictor(caps, caps->lead_predictor);
	const char *completion = text_completion(caps);
	char lead[TEXT_BYTES];

	if (!completion)
		return;
	printf("  mode  lead %s", text_short(lead, (int64_t)caps->lead_ns));
	if (by)
		printf(" by %s", by);
	printf(", completion %s", completion);
	if (by)
		printf(", AE by %s", text_predictor(caps, caps->predictor));
	putchar('\n');
}

static void print_floor(const struct timegraph_caps *caps)
{
	char floor[TEXT_BYTES], period[TEXT_BYTES];

	if (caps->floor_capacity_ns)
		printf("  floor %s in %s for who is passed over\n",
		       text_short(floor, (int64_t)caps->floor_capacity_ns),
		       text_short(period, (int64_t)caps->floor_period_ns));
}

/* How the ends of groups are learnt; nothing before the first. */
static void print_completion(const struct timegraph_gpu *gpu)
{
	char why[4 * TIMEGRAPH_TEXT_LEN];

	if (!gpu->notify_channels && !gpu->fence_channels)
		return;
	printf("  completion  NOTIFY in %" PRIu64 " channel%s\n", (uint64_t)gpu->notify_channels,
	       plural(gpu->notify_channels));
	if (gpu->fence_channels)
		printf("              fences in %" PRIu64 ": %s\n", (uint64_t)gpu->fence_channels,
		       text_safe(why, sizeof(why), gpu->fence_why, sizeof(why)));
}

static const struct timegraph_task *task_of(const struct timegraph_gpu_state *g, int32_t pid)
{
	for (uint32_t i = 0; pid && i < g->tasks.count; i++)
		if (g->tasks.item[i].pid == pid)
			return &g->tasks.item[i];
	return NULL;
}

/* Who has the GPU, as far as it may be seen. */
static void print_owner(const struct timegraph_gpu_state *g)
{
	const struct timegraph_task *free = task_of(g, g->gpu.freerun_pid);
	const struct timegraph_task *t = free ? free : task_of(g, g->gpu.online_pid);
	char comm[4 * TIMEGRAPH_COMM_LEN];

	if (g->gpu.nr_freerun > 1)
		printf("%u programs share the GPU, and do not ask (freerun)", g->gpu.nr_freerun);
	else if (t)
		printf("%s (%d) %s", text_safe(comm, sizeof(comm), t->comm, sizeof(comm)), t->pid,
		       free ? "has the GPU to itself, and does not ask (freerun)" :
			      "is on the GPU");
	else
		fputs(g->gpu.nr_online ? "a task that you may not see is on the GPU" :
					 "the GPU is idle", stdout);
}

static void print_now(const struct timegraph_gpu_state *g)
{
	fputs("  now         ", stdout);
	print_owner(g);
	printf("\n  waiting     %u for their turn, %u for a budget\n", g->gpu.nr_waiting,
	       g->gpu.nr_throttled);
}

static void print_memory(const struct timegraph_vram *v)
{
	char text[TEXT_VRAM_BYTES];

	if (v->flags & TIMEGRAPH_VRAM_KEPT)
		printf("  memory      %s\n", text_vram(text, v));
}

static void print_gpu(const struct timegraph_gpu_state *g, bool verbose)
{
	const char *why = text_bypass(g->gpu.bypass);
	char name[4 * TIMEGRAPH_NAME_LEN];

	printf("\nGPU %u (%s): ", g->gpu.index,
	       text_safe(name, sizeof(name), g->gpu.name, sizeof(name)));
	if (why)
		printf("NOT scheduling (bypass): %s%s\n", why,
		       !(g->gpu.bypass & TIMEGRAPH_BYPASS_USER) ? "; ends by itself" :
		       "; 'tgctl restore' ends it");
	else
		puts("scheduling");
	print_now(g);
	printf("  groups      %" PRIu64 " given to the GPU, %" PRIu64 " completed",
	       (uint64_t)g->gpu.submitted, (uint64_t)g->gpu.verified);
	if (g->gpu.freerun_groups)
		printf("; %" PRIu64 " did not ask", (uint64_t)g->gpu.freerun_groups);
	putchar('\n');
	print_memory(&g->vram);
	print_completion(&g->gpu);
	if (!print_trouble(stdout, &g->gpu, verbose))
		puts("  trouble     none: no interrupt lost, no channel stuck");
	print_reserves(stdout, g);
	if (g->tasks.count)
		print_tasks(stdout, g);
	else
		puts("no tasks that you may see");
	print_accounts(stdout, &g->accounts, g->gpu.now_ns);
}

static void print_status(const struct timegraph_snapshot *snap, bool verbose)
{
	printf("timegraph %.*s (interface %u), %u GPU%s\n", TIMEGRAPH_COMM_LEN,
	       snap->caps.version, snap->caps.abi_version, snap->nr_gpus,
	       plural(snap->nr_gpus));
	print_attached(&snap->caps);
	print_mode(&snap->caps);
	print_floor(&snap->caps);
	print_config(&snap->config);
	if (!snap->nr_gpus)
		puts("\nNo GPU yet: one appears when a program first uses it (GPUs driven by nouveau).");
	for (uint32_t i = 0; i < snap->nr_gpus; i++)
		print_gpu(&snap->gpus[i], verbose);
}

static void gpu_json(struct json *j, const struct timegraph_gpu_state *g)
{
	json_open(j, NULL, '{');
	object_gpu(j, "gpu", &g->gpu);
	json_open(j, "reserves", '[');
	for (uint32_t i = 0; i < g->reserves.count; i++)
		object_reserve(j, NULL, &g->reserves.item[i]);
	json_close(j, ']');
	json_open(j, "tasks", '[');
	for (uint32_t i = 0; i < g->tasks.count; i++)
		object_task(j, NULL, &g->tasks.item[i]);
	json_close(j, ']');
	object_vram(j, "vram", &g->vram, &g->accounts);
	json_close(j, '}');
}

static void status_json(const struct timegraph_snapshot *snap)
{
	struct json j = { .out = stdout };

	json_open(&j, NULL, '{');
	object_caps(&j, &snap->caps);
	json_open(&j, "config", '{');
	object_config(&j, &snap->config);
	json_close(&j, '}');
	json_open(&j, "gpus", '[');
	for (uint32_t i = 0; i < snap->nr_gpus; i++)
		gpu_json(&j, &snap->gpus[i]);
	json_close(&j, ']');
	json_close(&j, '}');
}

static bool verbose, json;

static const struct cli_opt opts[] = {
	{ "verbose", cli_flag, &verbose, NULL, "also counters that are 0", 'v' },
	{ "json", cli_flag, &json, NULL, "the same as JSON; times in nanoseconds", 'j' },
	{ 0 }
};

static int run(const struct command *cmd, int n, char **args)
{
	struct timegraph_snapshot snap = { 0 };
	int status = device_snapshot(&snap);

	if (!status && json)
		status_json(&snap);
	else if (!status)
		print_status(&snap, verbose);
	timegraph_snapshot_free(&snap);
	return status;
}

const struct command tgctl_status = {
	.cli = {
		.who = "tgctl status",
		.about =
		"usage: tgctl status [-v] [--json]\n"
		"\n"
		"Shows the module, the files in force and why one was refused; of each GPU:\n"
		"whether it is scheduled or why not, who is on it, counters with what a rise of\n"
		"each means, reserves and tasks, video memory if that is accounted for.  Other\n"
		"users' tasks are shown to root only.\n"
		"\n",
		.opts = { opts },
		.args_wanted = "it takes no arguments",
		.notes =
		"\n"
		"RESERVE  KIND: own, shared, kept (by 'tgctl reserve'), no fit (admission refused\n"
		"         it: its tasks are background tasks), left (by its last task, until it\n"
		"         is full); BUDGET: left in this period; WAITED: how often a group had\n"
		"         to wait for it\n"
		"TASK     PRIO: 50* is managed by focus, F: in the foreground now, S: its display\n"
		"         server; 20c: follows the CPU's; 60>0: was given 60, runs at 0; RESV:\n"
		"         off: HT is not regulated, PE->BG: does not fit; LINE: of the\n"
		"         specification, or set: by 'tgctl set'; CH: channels\n"
		"\n"
		"Exit status: 0 shown; 2 wrong usage; 3 the module is not loaded; 4 no right.\n",
	},
	.summary = "everything on one screen",
	.run = run,
};
