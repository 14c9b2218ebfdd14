/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the subcommands share. */
#ifndef TGCTL_H
#define TGCTL_H

#include <getopt.h>
#include <stdbool.h>
#include <stdint.h>

#include "libtimegraph.h"

/* Exit status, as in tgctl(1). */
enum tgctl_exit {
	TGCTL_OK = 0,
	TGCTL_REFUSED = 1,	/* no such task, GPU or file; a bad file; no memory */
	TGCTL_USAGE = 2,
	TGCTL_NO_MODULE = 3,
	TGCTL_DENIED = 4,
	TGCTL_COMMAND = 125,	/* tgctl failed before it ran the command */
};

/**
 * struct tgctl_command - a subcommand
 * @name: as typed
 * @summary: one line
 * @help: what "tgctl NAME --help" prints, at most a screen of 24 lines
 * @run: gets the arguments from its own name on; returns an enum tgctl_exit
 */
struct tgctl_command {
	const char *name;
	const char *summary;
	const char *help;
	int (*run)(const struct tgctl_command *cmd, int argc, char **argv);
};

extern const struct tgctl_command tgctl_status;
extern const struct tgctl_command tgctl_list;
extern const struct tgctl_command tgctl_top;
extern const struct tgctl_command tgctl_set;
extern const struct tgctl_command tgctl_clear;
extern const struct tgctl_command tgctl_foreground;
extern const struct tgctl_command tgctl_reserve;
extern const struct tgctl_command tgctl_reload;
extern const struct tgctl_command tgctl_bypass;
extern const struct tgctl_command tgctl_restore;
extern const struct tgctl_command tgctl_monitor;
extern const struct tgctl_command tgctl_trace;

/* Say what is wrong with the call; returns TGCTL_USAGE. */
int tgctl_usage(const struct tgctl_command *cmd, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Print @cmd's help; returns TGCTL_OK. */
int tgctl_help(const struct tgctl_command *cmd);

#endif
