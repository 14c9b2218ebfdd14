// SPDX-License-Identifier: GPL-2.0-or-later
/* tgspec check: the kernel's verdict, and then the lint. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "json.h"
#include "lint.h"
#include "tgspec.h"
#include "trust.h"

static struct options {
	const char *ac;
	bool json, strict, installed, list;
	bool *off;	/* by check; NULL: none */
	u64 vram_bytes;
} options;

/* Of all files. */
struct totals {
	size_t count[DIAG_SEVERITIES], allowed;
	bool io_failed;
};

static bool is_default(const char *path)
{
	return !strcmp(path, TGSPEC_SPEC_PATH);
}

static void summary(const struct spec *spec, const struct spec_limit *limit,
		    const struct diags *diags)
{
	size_t errors = diags->count[DIAG_ERROR], warnings = diags->count[DIAG_WARNING];
	struct reserves rs;

	if (errors) {
		printf("%s: refused: %zu error%s%s\n", source_name(&spec->src), errors,
		       errors == 1 ? "" : "s", is_default(spec->src.path) ?
		       "; the last good specification stays in force" : "");
		return;
	}
	if (spec->src.missing) {
		printf("%s: there is no such file: every program gets PRT, priority 0, Background\n",
		       source_name(&spec->src));
		return;
	}
	reserves_init(&rs, spec, limit->percent);
	printf("%s: %u entr%s; reserves claim %.4g %% of %u %%; %zu warning%s",
	       source_name(&spec->src), spec->n, spec->n == 1 ? "y" : "ies",
	       reserves_percent(&rs, rs.n), limit->percent, warnings,
	       warnings == 1 ? "" : "s");
	if (diags->allowed)
		printf(", %zu accepted", diags->allowed);
	putchar('\n');
	reserves_free(&rs);
}

static void add_up(struct totals *t, const struct diags *d)
{
	for (int i = 0; i < DIAG_SEVERITIES; i++)
		t->count[i] += d->count[i];
	t->allowed += d->allowed;
}

static void check_file(const char *path, bool may_be_missing, bool limit_is_good,
		       const struct spec_limit *limit, const struct options *o,
		       struct json *j, struct totals *t)
{
	struct diags diags = { 0 };
	struct spec spec;
	int ret = spec_read(&spec, path, may_be_missing, &diags);

	if (ret) {
		tgspec_io(path, ret);
		t->io_failed = true;
		goto out;
	}
	if (o->installed || is_default(path))
		trust_check(&spec.src, &diags);
	if (limit_is_good && !diags.count[DIAG_ERROR])
		lint_run(&spec, limit, o->off, &diags);
	diags_sort(&diags);
	if (o->json) {
		diags_json(&diags, j);
	} else {
		diags_print(&diags, &spec.src, stdout);
		summary(&spec, limit, &diags);
	}
	add_up(t, &diags);
out:
	diags_free(&diags);
	spec_free(&spec);
}

static int check_files(char **files, int n, const struct options *o)
{
	struct json j = { .out = stdout };
	struct diags diags = { 0 };
	struct spec_limit limit;
	struct totals t = { 0 };
	struct source ac;
	int ret = spec_limit_read(&limit, &ac, o->ac, &diags);

	if (ret) {
		source_free(&ac);
		return tgspec_io(o->ac ? o->ac : TGSPEC_AC_PATH, ret);
	}
	limit.vram_bytes = o->vram_bytes;
	if (!o->ac || o->installed)
		trust_check(&ac, &diags);
	if (o->json) {
		json_open(&j, NULL, '{');
		json_open(&j, "diagnostics", '[');
		diags_json(&diags, &j);
	} else {
		diags_print(&diags, &ac, stdout);
	}
	add_up(&t, &diags);
	for (int i = 0; i < n; i++)
		check_file(files[i], false, !diags.count[DIAG_ERROR], &limit, o, &j, &t);
	if (!n)
		check_file(TGSPEC_SPEC_PATH, true, !diags.count[DIAG_ERROR], &limit, o,
			   &j, &t);
	if (o->json) {
		json_close(&j, ']');
		json_uint(&j, "errors", t.count[DIAG_ERROR]);
		json_uint(&j, "warnings", t.count[DIAG_WARNING]);
		json_uint(&j, "notes", t.count[DIAG_NOTE]);
		json_uint(&j, "accepted", t.allowed);
		json_close(&j, '}');
	}
	diags_free(&diags);
	source_free(&ac);
	if (t.io_failed)
		return TGSPEC_IO;
	return t.count[DIAG_ERROR] || (o->strict && t.count[DIAG_WARNING]) ?
		       TGSPEC_REFUSED : TGSPEC_OK;
}

static void list_checks(void)
{
	static const char *const name[] = { "note", "warning", "error" };

	for (size_t i = 0; i < lint_nr_checks; i++)
		printf("%-20s %-8s %s\n", lint_checks[i].name,
		       name[lint_checks[i].severity], lint_checks[i].about);
}

static bool take_ignore(const struct cli_opt *opt, const char *value, struct cli_error *err)
{
	const struct lint_check *check = lint_find(value);

	if (!check)
		return false;
	if (!options.off)
		options.off = mem_zero(lint_nr_checks, sizeof(bool));
	options.off[check - lint_checks] = true;
	return true;
}

static const struct cli_opt opts[] = {
	{ "ac", cli_text, &options.ac, "FILE",
	  "the admission limit (" TGSPEC_AC_PATH "; without it 100 %)" },
	{ "ignore", take_ignore, NULL, "NAME", "leave a check out; may be given again", 'i',
	  "there is no such check (see --list)" },
	{ "installed", cli_flag, &options.installed, NULL,
	  "check owner and mode, too, as the kernel does; always done\n"
	  "for the files in /etc" },
	{ "list", cli_flag, &options.list, NULL, "the names of the checks" },
	{ "strict", cli_flag, &options.strict, NULL, "exit with 1 if there are warnings" },
	{ "vram", args_take_bytes, &options.vram_bytes, "SIZE",
	  "the card's video memory, as 512M: what entries\n"
	  "reserve of it (vram=) is added up", 'v', "a size, as 512M" },
	{ "json", cli_flag, &options.json, NULL, "the same as JSON" },
	{ 0 }
};

static int run(const struct command *cmd, int n, char **args)
{
	int ret = TGSPEC_OK;

	if (options.list)
		list_checks();
	else
		ret = check_files(args, n, &options);
	free(options.off);
	return ret;
}

const struct command tgspec_check = {
	.cli = {
		.who = "tgspec check",
		.about =
		"usage: tgspec check [OPTION]... [FILE]...\n"
		"\n"
		"Reads each FILE (" TGSPEC_SPEC_PATH ") with the kernel's own parser.  Where the\n"
		"kernel stops at the first error, all are shown; a file without errors is then\n"
		"checked for entries that have no effect, hardly the one that is meant, or one\n"
		"that starves others.  A comment \"# tgspec: allow NAME\" behind an entry, or above\n"
		"it, accepts what a check finds there.\n"
		"\n",
		.opts = { opts },
		.notes =
		"\n"
		"Exit status: 0 the kernel accepts all files, maybe with warnings; 1 it refuses\n"
		"one, or there are warnings and --strict; 2 wrong usage; 3 a file cannot be read.\n",
	},
	.summary = "find errors and doubtful entries",
	.run = run,
};
