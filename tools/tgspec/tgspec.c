// SPDX-License-Identifier: GPL-2.0-or-later
/* tgspec: what a specification says; all but export and import without the module. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "tgspec.h"

#ifndef TGSPEC_VERSION
#error "TGSPEC_VERSION comes from the Makefile"
#endif

static const struct tgspec_command *const commands[] = {
	&tgspec_check, &tgspec_fmt, &tgspec_explain, &tgspec_assign, &tgspec_analyze,
	&tgspec_export, &tgspec_import,
};
#define NR_COMMANDS (sizeof(commands) / sizeof(commands[0]))

static void print_help(FILE *out)
{
	fputs("usage: tgspec COMMAND [OPTION]... [FILE]...\n"
	      "Checks, formats and explains " TGSPEC_SPEC_PATH ".\n\n", out);
	for (size_t i = 0; i < NR_COMMANDS; i++)
		fprintf(out, "  %-8s %s\n", commands[i]->name, commands[i]->summary);
	fputs("\n"
	      "\"tgspec COMMAND --help\" says more; so do tgspec(1), timegraph.spec(5) and\n"
	      "timegraph.ac(5).  FILE - is the standard input.\n\n"
	      "Exit status: 0 fine; 1 a file is refused, or cannot hold what it promises;\n"
	      "2 wrong usage; 3 a file cannot be read or written, or the module is not loaded;\n"
	      "4 a right is missing; 5 done in part.  The module is needed by export and\n"
	      "import alone.\n", out);
}

int tgspec_help(const struct tgspec_command *cmd)
{
	fputs(cmd->help, stdout);
	return TGSPEC_OK;
}

int tgspec_usage(const struct tgspec_command *cmd, const char *fmt, ...)
{
	va_list ap;

	/* getopt_long() has said it already. */
	if (fmt) {
		fprintf(stderr, "tgspec %s: ", cmd->name);
		va_start(ap, fmt);
		vfprintf(stderr, fmt, ap);
		va_end(ap);
		putc('\n', stderr);
	}
	fprintf(stderr, "Try 'tgspec %s --help'.\n", cmd->name);
	return TGSPEC_USAGE;
}

int tgspec_io(const char *path, int err)
{
	fprintf(stderr, "tgspec: %s: %s\n", path, strerror(-err));
	return TGSPEC_IO;
}

/* What was printed must have arrived. */
static int finish(int status)
{
	if (fflush(stdout) || ferror(stdout)) {
		fputs("tgspec: the output cannot be written\n", stderr);
		return TGSPEC_IO;
	}
	return status;
}

int main(int argc, char **argv)
{
	const char *word = argc > 1 ? argv[1] : NULL;

	if (!word) {
		print_help(stderr);
		return TGSPEC_USAGE;
	}
	if (!strcmp(word, "--help") || !strcmp(word, "-h") || !strcmp(word, "help")) {
		print_help(stdout);
		return finish(TGSPEC_OK);
	}
	if (!strcmp(word, "--version")) {
		puts("tgspec (timegraph) " TGSPEC_VERSION);
		return finish(TGSPEC_OK);
	}
	for (size_t i = 0; i < NR_COMMANDS; i++)
		if (!strcmp(word, commands[i]->name))
			return finish(commands[i]->run(commands[i], argc - 1, argv + 1));
	fprintf(stderr, "tgspec: there is no command '%s'\n"
		"Try 'tgspec --help'.\n", word);
	return TGSPEC_USAGE;
}
