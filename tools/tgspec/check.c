// SPDX-License-Identifier: GPL-2.0-or-later
/* tgspec check: the kernel's verdict, and then the lint. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "lint.h"
#include "tgspec.h"

struct options {
	const char *ac;
	bool json, strict, installed;
	bool *off;	/* by check */
};

/* Of all files. */
struct totals {
	size_t count[DIAG_SEVERITIES];
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
	printf("%s: %u entr%s; reserves claim %.4g %% of %u %%; %zu warning%s\n",
	       source_name(&spec->src), spec->n, spec->n == 1 ? "y" : "ies",
	       reserves_percent(&rs, rs.n), limit->percent, warnings,
	       warnings == 1 ? "" : "s");
	reserves_free(&rs);
}

static void add_up(struct totals *t, const struct diags *d)
{
	for (int i = 0; i < DIAG_SEVERITIES; i++)
		t->count[i] += d->count[i];
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
		source_check_file(&spec.src, &diags);
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
	if (!o->ac || o->installed)
		source_check_file(&ac, &diags);
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

enum { OPT_AC = 256, OPT_JSON, OPT_STRICT, OPT_INSTALLED, OPT_LIST };

static const struct option long_options[] = {
	{ "ac", required_argument, NULL, OPT_AC },
	{ "json", no_argument, NULL, OPT_JSON },
	{ "strict", no_argument, NULL, OPT_STRICT },
	{ "installed", no_argument, NULL, OPT_INSTALLED },
	{ "ignore", required_argument, NULL, 'i' },
	{ "list", no_argument, NULL, OPT_LIST },
	{ "help", no_argument, NULL, 'h' },
	{ 0 }
};

/* Returns an exit status, or -1 to go on. */
static int parse_options(const struct tgspec_command *cmd, int argc, char **argv,
			 struct options *o)
{
	const struct lint_check *check;
	int c;

	while ((c = getopt_long(argc, argv, "hi:", long_options, NULL)) != -1) {
		switch (c) {
		case OPT_AC:
			o->ac = optarg;
			break;
		case OPT_JSON:
			o->json = true;
			break;
		case OPT_STRICT:
			o->strict = true;
			break;
		case OPT_INSTALLED:
			o->installed = true;
			break;
		case 'i':
			check = lint_find(optarg);
			if (!check)
				return tgspec_usage(cmd, "there is no check '%s' (see --list)",
						    optarg);
			o->off[check - lint_checks] = true;
			break;
		case OPT_LIST:
			list_checks();
			return TGSPEC_OK;
		case 'h':
			return tgspec_help(cmd);
		default:
			return tgspec_usage(cmd, NULL);
		}
	}
	return -1;
}

static int run(const struct tgspec_command *cmd, int argc, char **argv)
{
	struct options o = { .off = mem_zero(lint_nr_checks, sizeof(bool)) };
	int ret = parse_options(cmd, argc, argv, &o);

	if (ret < 0)
		ret = check_files(argv + optind, argc - optind, &o);
	free(o.off);
	return ret;
}

const struct tgspec_command tgspec_check = {
	.name = "check",
	.summary = "find errors and doubtful entries",
	.help =
	"usage: tgspec check [OPTION]... [FILE]...\n"
	"\n"
	"Reads each FILE (" TGSPEC_SPEC_PATH ") with the kernel's own parser.  Where the\n"
	"kernel stops at the first error, all are shown; a file without errors is then\n"
	"checked for entries that have no effect or hardly the one that is meant.\n"
	"\n"
	"  --ac FILE          the admission limit (" TGSPEC_AC_PATH "; without it 100 %)\n"
	"  -i, --ignore NAME  leave a check out; may be given again\n"
	"  --installed        check owner and mode, too, as the kernel does; always done\n"
	"                     for the files in /etc\n"
	"  --list             the names of the checks\n"
	"  --strict           exit with 1 if there are warnings\n"
	"  --json             the same as JSON\n"
	"\n"
	"Exit status: 0 the kernel accepts all files; 1 it refuses one; 2 wrong usage;\n"
	"3 a file cannot be read.\n",
	.run = run,
};
