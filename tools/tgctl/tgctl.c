// SPDX-License-Identifier: GPL-2.0-or-later
/* tgctl: look at timegraph and change what it does. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "tgctl.h"

#ifndef TGCTL_VERSION
#error "TGCTL_VERSION comes from the Makefile"
#endif

static const struct tgctl_command *const commands[] = {
	&tgctl_status, &tgctl_list, &tgctl_top, &tgctl_set, &tgctl_clear,
	&tgctl_foreground, &tgctl_reserve, &tgctl_reload, &tgctl_bypass,
	&tgctl_restore, &tgctl_monitor, &tgctl_trace,
};
#define NR_COMMANDS (sizeof(commands) / sizeof(commands[0]))

static void print_help(FILE *out)
{
	fputs("usage: tgctl COMMAND [OPTION]... [ARGUMENT]...\n"
	      "Looks at timegraph, the GPU scheduler, and changes what it does.\n\n", out);
	for (size_t i = 0; i < NR_COMMANDS; i++)
		fprintf(out, "  %-10s %s\n", commands[i]->name, commands[i]->summary);
	fputs("\n"
	      "\"tgctl COMMAND --help\" says more; so does tgctl(1).  --json is for all of them.\n\n"
	      "Exit status: 0 done; 1 refused (no such task, a bad file); 2 wrong usage; 3 the\n"
	      "module is not loaded; 4 a right is missing.\n", out);
}

int tgctl_help(const struct tgctl_command *cmd)
{
	fputs(cmd->help, stdout);
	return TGCTL_OK;
}

int tgctl_usage(const struct tgctl_command *cmd, const char *fmt, ...)
{
	va_list ap;

	/* getopt_long() has said it already. */
	if (fmt) {
		fprintf(stderr, "tgctl %s: ", cmd->name);
		va_start(ap, fmt);
		vfprintf(stderr, fmt, ap);
		va_end(ap);
		putc('\n', stderr);
	}
	fprintf(stderr, "Try 'tgctl %s --help'.\n", cmd->name);
	return TGCTL_USAGE;
}

/* What was printed must have arrived. */
static int finish(int status)
{
	if (fflush(stdout) || ferror(stdout)) {
		fputs("tgctl: the output cannot be written\n", stderr);
		return status ? status : TGCTL_REFUSED;
	}
	return status;
}

int main(int argc, char **argv)
{
	const char *word = argc > 1 ? argv[1] : NULL;

	if (!word) {
		print_help(stderr);
		return TGCTL_USAGE;
	}
	if (!strcmp(word, "--help") || !strcmp(word, "-h") || !strcmp(word, "help")) {
		print_help(stdout);
		return finish(TGCTL_OK);
	}
	if (!strcmp(word, "--version")) {
		puts("tgctl (timegraph) " TGCTL_VERSION);
		return finish(TGCTL_OK);
	}
	for (size_t i = 0; i < NR_COMMANDS; i++)
		if (!strcmp(word, commands[i]->name))
			return finish(commands[i]->run(commands[i], argc - 1, argv + 1));
	fprintf(stderr, "tgctl: there is no command '%s'\nTry 'tgctl --help'.\n", word);
	return TGCTL_USAGE;
}
