// SPDX-License-Identifier: GPL-2.0-or-later
/* tgspec import: what a specification gives, to what runs now. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "apply.h"
#include "device.h"
#include "json.h"
#include "lint.h"
#include "text.h"
#include "tgspec.h"

struct options {
	const char *file;
	bool dry_run, json;
};

/**
 * struct import - the work
 * @file: what is imported
 * @base: what the module has loaded
 * @before: the tasks as they are
 * @plan: what becomes of them
 */
struct import {
	const struct options *o;
	struct spec file, base;
	struct state before;
	struct plan plan;
};

/* What "tgspec check" warns of; errors have been said. */
static void warn(const struct spec *spec, const struct spec_limit *limit)
{
	struct diags diags = { 0 };

	lint_run(spec, limit, NULL, &diags);
	diags_sort(&diags);
	diags_print(&diags, &spec->src, stderr);
	diags_free(&diags);
}

static int read_file(struct import *im)
{
	struct diags diags = { 0 };
	int ret = spec_read(&im->file, im->o->file, false, &diags);

	if (ret) {
		ret = tgspec_io(im->o->file, ret);
	} else if (diags.n) {
		diags_print(&diags, &im->file.src, stderr);
		fprintf(stderr, "tgspec import: %s: refused: %zu error%s; nothing is changed\n",
			source_name(&im->file.src), diags.n, diags.n == 1 ? "" : "s");
		ret = TGSPEC_REFUSED;
	}
	diags_free(&diags);
	return ret;
}

/* For what a task gets that is cleared: if it cannot be read, nothing is known of it. */
static void read_base(struct import *im)
{
	struct diags diags = { 0 };

	if (spec_read(&im->base, im->before.config.spec_path, true, &diags) || diags.n)
		im->base.n = 0;
	diags_free(&diags);
}

static int read_state(struct import *im, int fd)
{
	const struct timegraph_config *config = &im->before.config;
	struct spec_limit limit = { .path = config->ac_path };
	int ret = state_read(&im->before, fd);

	if (ret)
		return device_fail("import", ret);
	limit.percent = config->limit_percent;
	read_base(im);
	state_guess_exe(&im->before, &im->base);
	plan_make(&im->plan, &im->file, &im->before, geteuid());
	warn(&im->file, &limit);
	return TGSPEC_OK;
}

static void say(const struct running *t, const char *why)
{
	char *name = t ? running_name(t) : NULL;

	fprintf(stderr, "tgspec import: %s%s%s; nothing is changed\n", name ? name : "",
		name ? ": " : "", why);
	free(name);
}

/* What can be known before anything is changed. */
static bool can_be_made(const struct import *im)
{
	const struct change *misfit;
	char why[128];

	for (u32 i = 0; i < im->plan.n; i++)
		if (!im->plan.list[i].task->pid) {
			say(im->plan.list[i].task, "it has no process number here, so it cannot be set");
			return false;
		}
	misfit = plan_misfit(&im->plan, &im->before);
	if (!misfit)
		return true;
	snprintf(why, sizeof(why), "the reserve of line %u does not fit beside the others, the limit is %u %%",
		 misfit->line, im->before.config.limit_percent);
	say(misfit->task, why);
	return false;
}

static void print_changes(const struct plan *p)
{
	if (p->n)
		puts("    PID TASK            LINE  NOW -> THEN");
	for (u32 i = 0; i < p->n; i++) {
		const struct change *c = &p->list[i];
		char comm[4 * TIMEGRAPH_COMM_LEN], line[TEXT_BYTES] = "-";
		char *now = running_text(&c->task->has), *then = running_text(&c->to);

		if (c->line)
			snprintf(line, sizeof(line), "%u", c->line);
		printf("%7d %-15s %4s  %s%s -> %s\n", c->task->pid,
		       text_safe(comm, sizeof(comm), c->task->comm, sizeof(comm)), line, now,
		       c->task->demoted ? " (does not fit)" : "", then);
		free(now);
		free(then);
	}
}

static void json_entry(struct json *j, const char *key, const struct tg_spec_entry *e)
{
	json_open(j, key, '{');
	json_string(j, "sched", tg_spec_sched_name(e->sched));
	if (e->has_lead)
		json_uint(j, "lead_ns", e->lead_ns);
	else
		json_null(j, "lead_ns");
	json_string(j, "resv", tg_spec_resv_name(e->resv));
	json_string(j, "group", e->group[0] ? e->group : NULL);
	json_uint(j, "prio", e->prio);
	json_bool(j, "focus", e->focus);
	json_bool(j, "cpu", e->cpu);
	json_uint(j, "capacity_ns", e->capacity_ns);
	json_uint(j, "period_ns", e->period_ns);
	json_close(j, '}');
}

static void print_json(const struct import *im, bool changed)
{
	struct json j = { .out = stdout };

	json_open(&j, NULL, '{');
	json_string(&j, "file", source_name(&im->file.src));
	json_bool(&j, "dry_run", im->o->dry_run);
	json_bool(&j, "changed", changed);
	json_uint(&j, "tasks", im->plan.nr_tasks);
	json_open(&j, "changes", '[');
	for (u32 i = 0; i < im->plan.n; i++) {
		const struct change *c = &im->plan.list[i];

		json_open(&j, NULL, '{');
		json_uint(&j, "pid", c->task->pid);
		json_string(&j, "comm", c->task->comm);
		if (c->line)
			json_uint(&j, "line", c->line);
		else
			json_null(&j, "line");
		json_entry(&j, "now", &c->task->has);
		json_entry(&j, "then", &c->to);
		json_close(&j, '}');
	}
	json_close(&j, ']');
	json_close(&j, '}');
}

static void report(const struct import *im, bool changed, u32 gone)
{
	const struct plan *p = &im->plan;

	if (im->o->json) {
		print_json(im, changed);
		return;
	}
	print_changes(p);
	printf("%s %u of %u task%s; the others are as %s says",
	       im->o->dry_run ? "would change" : "changed", p->n - gone, p->nr_tasks,
	       p->nr_tasks == 1 ? "" : "s", source_name(&im->file.src));
	if (gone)
		printf("; %u ended meanwhile", gone);
	putchar('\n');
}

static int apply(const struct import *im, int fd)
{
	struct apply a = {
		.fd = fd, .plan = &im->plan, .before = &im->before, .base = &im->base,
	};
	int ret = TGSPEC_OK;

	switch (apply_plan(&a)) {
	case APPLY_DONE:
		report(im, true, a.nr_gone);
		break;
	case APPLY_DENIED:
		say(a.culprit, a.why);
		ret = TGSPEC_DENIED;
		break;
	case APPLY_REFUSED:
		say(a.culprit, a.why);
		ret = TGSPEC_REFUSED;
		break;
	default:
		fprintf(stderr, "tgspec import: failed: %s\n", a.why);
		ret = TGSPEC_PARTLY;
	}
	if (ret && im->o->json)
		print_json(im, false);
	free(a.why);
	return ret;
}

static int import(struct import *im)
{
	int ret = read_file(im), fd;

	if (ret)
		return ret;
	fd = device_open("import", im->o->dry_run ? O_RDONLY : O_RDWR);
	if (fd < 0)
		return -fd;
	ret = read_state(im, fd);
	if (ret)
		goto out;
	if (!can_be_made(im)) {
		if (im->o->dry_run || im->o->json)
			report(im, false, 0);
		ret = TGSPEC_REFUSED;
	} else if (im->o->dry_run || !im->plan.n) {
		report(im, false, 0);
	} else {
		ret = apply(im, fd);
	}
out:
	timegraph_close(fd);
	return ret;
}

static struct options options;

static const struct cli_opt opts[] = {
	{ "dry-run", cli_flag, &options.dry_run, NULL, "only print what would change", 'n' },
	{ "json", cli_flag, &options.json, NULL, "the same as JSON; times in nanoseconds", 'j' },
	{ 0 }
};

static int run(const struct command *cmd, int n, char **args)
{
	struct import im = { .o = &options };
	int ret;

	options.file = args[0];
	ret = import(&im);
	plan_free(&im.plan);
	state_free(&im.before);
	spec_free(&im.base);
	spec_free(&im.file);
	return ret;
}

const struct command tgspec_import = {
	.cli = {
		.who = "tgspec import",
		.about =
		"usage: tgspec import [-n] [--json] FILE\n"
		"\n"
		"Gives every program that runs now what FILE would give it, if the module had\n"
		"loaded it; " TGSPEC_SPEC_PATH " stays as it is, and is what programs get that\n"
		"start later.  It holds like \"tgctl set\": until \"tgctl clear\" or the task's end.\n"
		"What already is as FILE says is not touched.\n"
		"\n"
		"FILE is checked first.  All changes are made or none: if one is refused, or a\n"
		"reserve does not fit, it says which and why, and puts back what was changed.\n"
		"\n",
		.opts = { opts },
		.min_args = 1,
		.max_args = 1,
		.args_wanted = "give one file; - is the standard input",
		.notes =
		"\n"
		"One's own tasks may be given a lower priority; all else takes CAP_SYS_NICE.\n"
		"Other users' tasks are seen with CAP_SYS_ADMIN or CAP_PERFMON only.\n"
		"\n"
		"Exit status: 0 done; 1 FILE or a change is refused, nothing is changed; 2 wrong\n"
		"usage; 3 FILE cannot be read, or the module is not loaded; 4 no right, nothing\n"
		"is changed; 5 refused, and not all could be put back.\n",
	},
	.summary = "give what runs now what a file says",
	.run = run,
};
