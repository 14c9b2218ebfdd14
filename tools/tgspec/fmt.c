// SPDX-License-Identifier: GPL-2.0-or-later
/* tgspec fmt: the canonical layout. */
#include <stdio.h>

#include "layout.h"
#include "tgspec.h"

struct options {
	bool write, check;
};

/* The layout must not have changed what the file says. */
static bool is_safe(const struct spec *spec, const struct buf *text)
{
	struct spec again;
	bool ok = layout_reparse(&again, spec, text) && layout_same_meaning(spec, &again);

	spec_free(&again);
	return ok;
}

static int format(const struct spec *spec, const struct options *o)
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
	} else if (o->check) {
		if (!same)
			printf("%s\n", source_name(&spec->src));
		ret = same ? TGSPEC_OK : TGSPEC_REFUSED;
	} else if (!o->write) {
		fwrite(text.p, 1, text.len, stdout);
	} else if (!same) {
		int err = source_write(&spec->src, &text);

		ret = err ? tgspec_io(spec->src.path, err) : TGSPEC_OK;
	}
	buf_free(&text);
	return ret;
}

static const struct option long_options[] = {
	{ "write", no_argument, NULL, 'w' },
	{ "check", no_argument, NULL, 'c' },
	{ "help", no_argument, NULL, 'h' },
	{ 0 }
};

static int run(const struct tgspec_command *cmd, int argc, char **argv)
{
	struct options o = { 0 };
	struct diags diags = { 0 };
	const char *path;
	struct spec spec;
	int c, ret;

	while ((c = getopt_long(argc, argv, "wch", long_options, NULL)) != -1) {
		switch (c) {
		case 'w':
			o.write = true;
			break;
		case 'c':
			o.check = true;
			break;
		case 'h':
			return tgspec_help(cmd);
		default:
			return tgspec_usage(cmd, NULL);
		}
	}
	if (argc - optind > 1)
		return tgspec_usage(cmd, "one file at a time");
	path = optind < argc ? argv[optind] : TGSPEC_SPEC_PATH;
	ret = spec_read(&spec, path, false, &diags);
	if (ret) {
		ret = tgspec_io(path, ret);
	} else if (diags.n) {
		diags_print(&diags, &spec.src, stderr);
		ret = TGSPEC_REFUSED;
	} else {
		ret = format(&spec, &o);
	}
	diags_free(&diags);
	spec_free(&spec);
	return ret;
}

const struct tgspec_command tgspec_fmt = {
	.name = "fmt",
	.summary = "print or write the canonical layout",
	.help =
	"usage: tgspec fmt [-w|-c] [FILE]\n"
	"\n"
	"Prints FILE (" TGSPEC_SPEC_PATH ") with its columns aligned and its times in the\n"
	"largest unit that divides them.  Columns are aligned between empty lines.\n"
	"Comments, their order and the entries' meaning stay as they are.\n"
	"\n"
	"  -w, --write  replace the file, in one step\n"
	"  -c, --check  write nothing; print the file's name and exit with 1 if its\n"
	"               layout differs\n"
	"\n"
	"Exit status: 0 fine; 1 the kernel refuses the file, or its layout differs (-c);\n"
	"2 wrong usage; 3 the file cannot be read or written.\n",
	.run = run,
};
