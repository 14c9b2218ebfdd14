/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Programs with subcommands: "tgctl set ...". */
#ifndef COMMAND_H
#define COMMAND_H

#include "cli.h"

/**
 * struct command - a subcommand
 * @cli: who is "tgctl set": the last word is what is typed
 * @summary: one line
 * @run: gets its arguments, with the options in their places; returns an exit status
 */
struct command {
	struct cli cli;
	const char *summary;
	int (*run)(const struct command *cmd, int n, char **args);
};

/**
 * struct program - the subcommands' program
 * @about: what --help says above the list of subcommands
 * @notes: ... and below it
 * @version: what --version says
 * @lost: exit status if the output cannot be written
 * @commands: NULL behind the last
 */
struct program {
	const char *name;
	const char *about;
	const char *notes;
	const char *version;
	int lost;
	const struct command *const *commands;
};

int command_main(const struct program *p, int argc, char **argv);

#endif
