// SPDX-License-Identifier: GPL-2.0-or-later
/* tgspec: what a specification says; all but export and import without the module. */
#include <string.h>

#include "tgspec.h"

#ifndef TGSPEC_VERSION
#error "TGSPEC_VERSION comes from the Makefile"
#endif

static const struct command *const commands[] = {
	&tgspec_check, &tgspec_fmt, &tgspec_explain, &tgspec_assign, &tgspec_analyze,
	&tgspec_export, &tgspec_import, NULL
};

static const struct program program = {
	.name = "tgspec",
	.about =
	"usage: tgspec COMMAND [OPTION]... [FILE]...\n"
	"Checks, formats and explains " TGSPEC_SPEC_PATH ".\n"
	"\n",
	.notes =
	"\n"
	"\"tgspec COMMAND --help\" says more; so do tgspec(1), timegraph.spec(5) and\n"
	"timegraph.ac(5).  FILE - is the standard input.\n"
	"\n"
	"Exit status: 0 fine; 1 a file is refused, or cannot hold what it promises;\n"
	"2 wrong usage; 3 a file cannot be read or written, or the module is not loaded;\n"
	"4 a right is missing; 5 done in part.  The module is needed by export and\n"
	"import alone.\n",
	.version = "tgspec (timegraph) " TGSPEC_VERSION,
	.lost = TGSPEC_IO,
	.commands = commands,
};

int tgspec_io(const char *path, int err)
{
	fprintf(stderr, "tgspec: %s: %s\n", path, strerror(-err));
	return TGSPEC_IO;
}

int main(int argc, char **argv)
{
	return command_main(&program, argc, argv);
}
