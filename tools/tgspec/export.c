// SPDX-License-Identifier: GPL-2.0-or-later
/* tgspec export: what runs now, as a specification. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "amend.h"
#include "device.h"
#include "text.h"
#include "tgspec.h"
#include "trust.h"

/*
 * The file that the module reads: programs that start later get what it says
 * then.  If the kernel would refuse it, only an older one is in force, which
 * nobody shows.  Returns an exit status.
 */
static int read_file(struct spec *spec, const struct state *st)
{
	const char *path = st->config.spec_path;
	struct diags diags = { 0 };
	int ret = spec_read(spec, path, true, &diags);
	bool wrong_text = diags.n;

	if (ret)
		return tgspec_io(path, ret);
	trust_check(&spec->src, &diags);
	ret = diags.n ? TGSPEC_PARTLY : TGSPEC_OK;
	diags_print(&diags, &spec->src, stderr);
	diags_free(&diags);
	if (wrong_text) {
		fprintf(stderr, "tgspec export: the kernel refuses %s: without the entries of programs that\n"
			"do not run now: the older file in force cannot be seen\n", path);
		spec_free(spec);
		spec->src.path = path;
		buf_put(&spec->src.text, "", 0);
	} else if (ret) {
		fprintf(stderr, "tgspec export: the kernel refuses %s: an older one may be in force\n",
			path);
	} else if (spec->n != st->config.nr_entries) {
		fprintf(stderr, "tgspec export: %s has changed since the module read it: %u entries in force,\n"
			"%u in the file; programs that start get what is in the file\n", path,
			st->config.nr_entries, spec->n);
	}
	return ret;
}

static void say_task(const struct running *t, const char *what)
{
	char *name = running_name(t), *has = running_text(&t->has);

	fprintf(stderr, "tgspec export: %s: %s%s\n", name, what, t->known ? has : "?");
	free(name);
	free(has);
}

static void say_tasks(const struct amended *a, const struct state *st)
{
	for (u32 k = 0; k < st->n; k++) {
		const struct running *t = &st->task[k];

		if (a->lost[k] && !t->known)
			say_task(t, "NOT in the output: the module does not tell its reserve: ");
		else if (a->lost[k])
			say_task(t, "NOT in the output, as an entry is for all programs of a name: it has ");
		else if (a->stale[k])
			say_task(t, "the file has changed since it was read for it; in the output: ");
	}
	for (u32 k = 0; k < st->nr_kept; k++) {
		const struct kept *r = &st->kept[k];
		char times[2 * TEXT_BYTES], name[4 * TIMEGRAPH_NAME_LEN];

		fprintf(stderr, "tgspec export: the reserve \"%s\" (%s %s) is kept by a program and used by no\n"
			"task: no entry can say that\n",
			text_safe(name, sizeof(name), r->name, sizeof(name)),
			tg_spec_resv_name(r->kind),
			text_reserve(times, r->capacity_ns, r->period_ns));
	}
}

static int write_text(const struct amended *a, const char *path)
{
	const struct buf *text = &a->spec.src.text;
	struct source to = { .path = path };
	int ret;

	if (!path || !strcmp(path, "-")) {
		fwrite(text->p, 1, text->len, stdout);
		return TGSPEC_OK;
	}
	ret = source_write(&to, text);
	return ret ? tgspec_io(path, ret) : TGSPEC_OK;
}

static int export(struct state *st, const char *path)
{
	struct amended a = { 0 };
	struct spec spec = { 0 };
	int ret = read_file(&spec, st), wrote;

	if (ret != TGSPEC_OK && ret != TGSPEC_PARTLY)
		goto out;
	state_guess_exe(st, &spec);
	if (!amend(&a, &spec, st)) {
		fprintf(stderr, "tgspec export: the outcome would exceed 64 KiB or %u entries; nothing is written\n",
			TG_SPEC_MAX_ENTRIES);
		ret = TGSPEC_REFUSED;
		goto out;
	}
	say_tasks(&a, st);
	wrote = write_text(&a, path);
	if (wrote)
		ret = wrote;
	else if (a.nr_lost)
		ret = TGSPEC_PARTLY;
out:
	amended_free(&a);
	spec_free(&spec);
	return ret;
}

static const char *output;

static const struct cli_opt opts[] = {
	{ "output", cli_text, &output, "FILE", "write it there, in one step", 'o' },
	{ 0 }
};

static int run(const struct command *cmd, int n, char **args)
{
	struct state st = { 0 };
	int fd = device_open("export", O_RDONLY), ret;

	if (fd < 0)
		return -fd;
	ret = state_read(&st, fd);
	timegraph_close(fd);
	ret = ret ? device_fail("export", ret) : export(&st, output);
	state_free(&st);
	return ret;
}

const struct command tgspec_export = {
	.cli = {
		.who = "tgspec export",
		.about =
		"usage: tgspec export [-o FILE]\n"
		"\n"
		"Prints the specification that the module has loaded, amended so that it gives\n"
		"every program that runs now what it has now: what \"tgctl set\", \"tgspec import\"\n"
		"or a program have set at run time is in it, below a comment that says so.\n"
		"Messages are on the standard error.\n"
		"\n",
		.opts = { opts },
		.args_wanted = "it takes no file; to write into one: -o FILE",
		.notes =
		"\n"
		"One line is for all programs of a name: two that have not the same cannot both\n"
		"be in it.  Who is in the foreground, and reserves that no task uses, are not.\n"
		"Other users' tasks are seen with CAP_SYS_ADMIN or CAP_PERFMON only.\n"
		"\n"
		"Exit status: 0 fine; 1 it would be too large; 2 wrong usage; 3 the module is not\n"
		"loaded, or a file cannot be read or written; 4 no right to open the device;\n"
		"5 written, but it is not all: the messages say what is missing.\n",
	},
	.summary = "what runs now, as a specification",
	.run = run,
};
