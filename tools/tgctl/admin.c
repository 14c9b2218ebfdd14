// SPDX-License-Identifier: GPL-2.0-or-later
/* tgctl reload, bypass, restore. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "args.h"
#include "device.h"
#include "object.h"
#include "text.h"
#include "texts.h"

static bool is_demoted(const struct timegraph_task *t)
{
	return t->flags & TIMEGRAPH_TASK_DEMOTED;
}

static void reload_json(const struct timegraph_snapshot *snap)
{
	struct json j = { .out = stdout };

	json_open(&j, NULL, '{');
	object_config(&j, &snap->config);
	json_open(&j, "demoted", '[');
	for (uint32_t i = 0; i < snap->nr_gpus; i++) {
		const struct timegraph_gpu_state *g = &snap->gpus[i];

		for (uint32_t k = 0; k < g->tasks.count; k++) {
			if (!is_demoted(&g->tasks.item[k]))
				continue;
			json_open(&j, NULL, '{');
			json_uint(&j, "gpu", g->gpu.index);
			object_task(&j, "task", &g->tasks.item[k]);
			json_close(&j, '}');
		}
	}
	json_close(&j, ']');
	json_close(&j, '}');
}

/* @many: there are several GPUs. */
static void print_demoted(const struct timegraph_gpu_state *g, bool many)
{
	char comm[4 * TIMEGRAPH_COMM_LEN];

	for (uint32_t k = 0; k < g->tasks.count; k++) {
		const struct timegraph_task *t = &g->tasks.item[k];

		if (!is_demoted(t))
			continue;
		if (many)
			printf("GPU %u: ", g->gpu.index);
		printf("%s (%d)", text_safe(comm, sizeof(comm), t->comm, sizeof(comm)), t->pid);
		if (t->flags & TIMEGRAPH_TASK_SET)
			printf(", set by 'tgctl set'");
		else if (t->spec_line)
			printf(", line %u", t->spec_line);
		printf(": in the background, as its %s reserve does not fit\n",
		       text_resv(t->resv));
	}
}

static void reload_text(const struct timegraph_snapshot *snap)
{
	const struct timegraph_config *c = &snap->config;
	const char *refusal[] = { c->spec_refusal, c->ac_refusal };
	char safe[4 * TIMEGRAPH_TEXT_LEN];

	for (int i = 0; i < 2; i++)
		if (refusal[i][0])
			fprintf(stderr, "tgctl: refused, the last good one stays in force:\n%s\n",
				text_safe(safe, sizeof(safe), refusal[i], sizeof(safe)));
	printf("%u entr%s in force, limit %u %%", c->nr_entries,
	       c->nr_entries == 1 ? "y" : "ies", c->limit_percent);
	if (c->version)
		printf(", version %" PRIu64, (uint64_t)c->version);
	putchar('\n');
	for (uint32_t i = 0; i < snap->nr_gpus; i++)
		print_demoted(&snap->gpus[i], snap->nr_gpus > 1);
}

/* A version older than the files must not stay: the kernel may have read a newer one. */
#define PUSH_TRIES 8

static bool is_whole(const char *path)
{
	return path[0] && strlen(path) < TIMEGRAPH_TEXT_LEN - 1;
}

static bool is_answer(int ret)
{
	return !ret || ret == -EBADMSG;
}

/* The files' texts as one version; 0, -errno, or 1 if the module must read them itself. */
static int push_files(int fd)
{
	struct timegraph_config config;
	struct texts t = { .path = { config.spec_path, config.ac_path } };
	int ret = timegraph_get_config(fd, &config);
	bool stale = true;

	if (ret)
		return ret;
	if (!is_whole(config.spec_path) || !is_whole(config.ac_path))
		return 1;
	for (int try = 0; is_answer(ret) && stale && try < PUSH_TRIES; try++) {
		struct timegraph_push push;

		if (!texts_read(&t))
			break;
		push = (struct timegraph_push){
			.spec_ptr = (uintptr_t)t.text[TEXTS_SPEC],
			.ac_ptr = (uintptr_t)t.text[TEXTS_AC],
			.spec_len = t.len[TEXTS_SPEC],
			.ac_len = t.len[TEXTS_AC],
		};
		ret = timegraph_push(fd, &push);
		stale = !texts_hold(&t);
	}
	texts_free(&t);
	/* A module before interface 4 does not know it. */
	return ret == -ENOTTY || (is_answer(ret) && stale) ? 1 : ret;
}

/* What the tool may not read, or finds strange, the module is to judge. */
static int reload_files(int fd)
{
	int ret = push_files(fd);

	if (ret == 1)
		ret = timegraph_reload(fd);
	return ret == -EBADMSG ? -EINVAL : ret;
}

static bool json;

static const struct cli_opt reload_opts[] = {
	{ "json", cli_flag, &json, NULL, "the same as JSON: the tasks are in \"demoted\"", 'j' },
	{ 0 }
};

static int run_reload(const struct command *cmd, int n, char **args)
{
	struct timegraph_snapshot snap = { 0 };
	int fd = device_open(O_RDWR), ret, asked;

	if (fd < 0)
		return -fd;
	ret = reload_files(fd);
	/* -EINVAL: a file was refused, and what it says tells why. */
	asked = ret && ret != -EINVAL ? ret : timegraph_snapshot(fd, &snap);
	timegraph_close(fd);
	if (!asked && json)
		reload_json(&snap);
	else if (!asked)
		reload_text(&snap);
	timegraph_snapshot_free(&snap);
	if (asked)
		return device_fail("reload", asked, DEVICE_ADMIN);
	return ret ? TGCTL_REFUSED : TGCTL_OK;
}

const struct command tgctl_reload = {
	.cli = {
		.who = "tgctl reload",
		.about =
		"usage: tgctl reload [--json]\n"
		"\n"
		"Gives /etc/timegraph.spec and /etc/timegraph.ac to the module, as one version,\n"
		"and applies them to all tasks but those that 'tgctl set' has changed.  Without\n"
		"it, a changed file is for channels that are opened later.  If one has an error\n"
		"both are refused, and what was in force stays; 'tgspec check' says more.\n"
		"\n"
		"Prints what is in force, and each task that is in the background because its\n"
		"reserve does not fit.\n"
		"\n",
		.opts = { reload_opts },
		.args_wanted = "it takes no arguments",
		.notes =
		"\n"
		"Exit status: 0 done; 1 a file was refused; 2 wrong usage; 3 the module is not\n"
		"loaded; 4 no right: it takes CAP_SYS_ADMIN.\n",
	},
	.summary = "read the files anew, for running tasks too",
	.run = run_reload,
};

static void say_gpus(const struct timegraph_snapshot *snap, uint32_t gpu)
{
	struct json j = { .out = stdout };
	char name[4 * TIMEGRAPH_NAME_LEN];

	if (json) {
		json_open(&j, NULL, '{');
		json_open(&j, "gpus", '[');
	}
	for (uint32_t i = 0; i < snap->nr_gpus; i++) {
		const struct timegraph_gpu *g = &snap->gpus[i].gpu;
		const char *why = text_bypass(g->bypass);

		if (gpu != TIMEGRAPH_ALL_GPUS && g->index != gpu)
			continue;
		if (json) {
			object_gpu(&j, NULL, g);
			continue;
		}
		printf("GPU %u (%s): %s%s\n", g->index,
		       text_safe(name, sizeof(name), g->name, sizeof(name)),
		       why ? "NOT scheduling: " : "scheduling", why ? why : "");
	}
	if (json) {
		json_close(&j, ']');
		json_close(&j, '}');
	}
}

static int set_bypass(const char *what, uint32_t gpu, int on)
{
	struct timegraph_snapshot snap = { 0 };
	int fd = device_open(O_RDWR), ret;

	if (fd < 0)
		return -fd;
	ret = timegraph_set_bypass(fd, gpu, on);
	if (!ret)
		ret = timegraph_snapshot(fd, &snap);
	timegraph_close(fd);
	if (!ret)
		say_gpus(&snap, gpu);
	timegraph_snapshot_free(&snap);
	return ret ? device_fail(what, ret, DEVICE_ADMIN) : TGCTL_OK;
}

static const struct cli_opt switch_opts[] = {
	{ "json", cli_flag, &json, NULL, "print the GPUs' state as JSON", 'j' },
	{ 0 }
};

static const char switch_notes[] =
	"\n"
	"Exit status: 0 done; 1 no such GPU; 2 wrong usage; 3 the module is not loaded;\n"
	"4 no right: it takes CAP_SYS_ADMIN.\n";

static int run_switch(const struct command *cmd, int n, char **args, const char *what, int on)
{
	uint32_t gpu = TIMEGRAPH_ALL_GPUS;

	if (n > 1 || (n && !args_number(args[0], UINT16_MAX, &gpu)))
		return cli_usage(&cmd->cli, "give one GPU's number, or none for all GPUs");
	return set_bypass(what, gpu, on);
}

static int run_bypass(const struct command *cmd, int n, char **args)
{
	return run_switch(cmd, n, args, "bypass", 1);
}

const struct command tgctl_bypass = {
	.cli = {
		.who = "tgctl bypass",
		.about =
		"usage: tgctl bypass [--json] [GPU]\n"
		"\n"
		"The GPU, or all of them, goes on as without timegraph: no priorities and no\n"
		"reserves.  Tasks that wait go on at once.  'tgctl restore' ends it.\n"
		"\n",
		.opts = { switch_opts },
		.notes = switch_notes,
	},
	.summary = "stop scheduling: let everybody through",
	.run = run_bypass,
};

static int run_restore(const struct command *cmd, int n, char **args)
{
	return run_switch(cmd, n, args, "restore", 0);
}

const struct command tgctl_restore = {
	.cli = {
		.who = "tgctl restore",
		.about =
		"usage: tgctl restore [--json] [GPU]\n"
		"\n"
		"Ends the bypass of the GPU, or of all: the one that was asked for, and the one\n"
		"that timegraph fell back to because the GPU stopped completing groups.  If it\n"
		"stops again, so does scheduling.\n"
		"\n",
		.opts = { switch_opts },
		.notes = switch_notes,
	},
	.summary = "schedule again, after 'bypass' or a hang",
	.run = run_restore,
};
