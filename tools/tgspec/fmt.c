// SPDX-License-Identifier: GPL-2.0-or-later
/* tgspec fmt: the canonical layout. */
#include <stdio.h>

#include "layout.h"
#include "tgspec.h"

static struct {
	bool write, check;
} options;

static const struct cli_opt opts[] = {
	{ "write", cli_flag, &options.write, NULL, "replace the file, in one step", 'w' },
	{ "check", cli_flag, &options.check, NULL,
	  "write nothing; print the file's name and exit with 1 if its\n"
	  "layout differs", 'c' },
	{ 0 }
};

/* The layout must not have changed what the file says. */
static bool is_safe(const struct spec *spec, const struct buf *text)
{
	struct spec again;
	bool ok = layout_reparse(&again, spec, text) && layout_same_meaning(spec, &again);

	spec_free(&again);
	return ok;
}

static int format(const struct spec *spec)
{
	struct buf text = { 0 };
	bool same;
	int ret = TGSPEC_OK;

	layout_spec(spec, &text);
	same = buf_equal(&text, spec->src.text.p, spec->src.text.len);
	if (!is_safe(spec, &text)) {
		fprintf(stderr, "tgspec fmt: %s: aligned, it would exceed 64 KiB; nothing is written\n",
			source_name(&spec->src));
		ret = TGSPEC_REFUSED;
	} else if (options.check) {
		if (!same)
			printf("%s\n", source_name(&spec->src));
		ret = same ? TGSPEC_OK : TGSPEC_REFUSED;
	} else if (!options.write) {
		fwrite(text.p, 1, text.len, stdout);
	} else if (!same) {
		int err = source_write(&spec->src, &text);

		ret = err ? tgspec_io(spec->src.path, err) : TGSPEC_OK;
	}
	buf_free(&text);
	return ret;
}

static int run(const struct command *cmd, int n, char **args)
{
	const char *path = n ? args[0] : TGSPEC_SPEC_PATH;
	struct diags diags = { 0 };
	struct spec spec;
	int ret = spec_read(&spec, path, false, &diags);

	if (ret) {
		ret = tgspec_io(path, ret);
	} else if (diags.n) {
		diags_print(&diags, &spec.src, stderr);
		ret = TGSPEC_REFUSED;
	} else {
		ret = format(&spec);
	}
	diags_free(&diags);
	spec_free(&spec);
	return ret;
}

const struct command tgspec_fmt = {
	.cli = {
		.who = "tgspec fmt",
		.about =
		"usage: tgspec fmt [-w|-c] [FILE]\n"
		"\n"
		"Prints FILE (" TGSPEC_SPEC_PATH ") with its columns aligned and its times in the\n"
		"largest unit that divides them.  Columns are aligned between empty lines.\n"
		"Comments, their order and the entries' meaning stay as they are.\n"
		"\n",
		.opts = { opts },
		.max_args = 1,
		.args_wanted = "one file at a time",
		.notes =
		"\n"
		"Exit status: 0 fine; 1 the kernel refuses the file, or its layout differs (-c);\n"
		"2 wrong usage; 3 the file cannot be read or written.\n",
	},
	.summary = "print or write the canonical layout",
	.run = run,
};
