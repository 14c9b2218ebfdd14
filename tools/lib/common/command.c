// SPDX-License-Identifier: GPL-2.0-or-later
#include <getopt.h>
#include <string.h>

#include "command.h"
#include "output.h"

static const char *name_of(const struct command *cmd)
{
	return strrchr(cmd->cli.who, ' ') + 1;
}

static void print_help(const struct program *p, FILE *out)
{
	int widest = 0;

	for (int i = 0; p->commands[i]; i++)
		if ((int)strlen(name_of(p->commands[i])) > widest)
			widest = strlen(name_of(p->commands[i]));
	fputs(p->about, out);
	for (int i = 0; p->commands[i]; i++)
		fprintf(out, "  %-*s  %s\n", widest, name_of(p->commands[i]),
			p->commands[i]->summary);
	fputs(p->notes, out);
}

static int run(const struct command *cmd, int argc, char **argv)
{
	int status = cli_parse(&cmd->cli, argc, argv);
	int n = 0;

	if (status != CLI_GO_ON)
		return status;
	while (argv[optind + n])
		n++;
	return cmd->run(cmd, n, argv + optind);
}

static bool is_help(const char *word)
{
	return !strcmp(word, "--help") || !strcmp(word, "-h") || !strcmp(word, "help");
}

static int dispatch(const struct program *p, int argc, char **argv)
{
	const char *word = argc > 1 ? argv[1] : NULL;

	if (!word) {
		print_help(p, stderr);
		return CLI_USAGE;
	}
	if (is_help(word)) {
		print_help(p, stdout);
		return 0;
	}
	if (!strcmp(word, "--version")) {
		puts(p->version);
		return 0;
	}
	for (int i = 0; p->commands[i]; i++)
		if (!strcmp(word, name_of(p->commands[i])))
			return run(p->commands[i], argc - 1, argv + 1);
	fprintf(stderr, "%s: there is no command '%s'\nTry '%s --help'.\n", p->name, word, p->name);
	return CLI_USAGE;
}

int command_main(const struct program *p, int argc, char **argv)
{
	return output_end(p->name, dispatch(p, argc, argv), p->lost);
}
