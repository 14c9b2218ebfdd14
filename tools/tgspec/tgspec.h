/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the subcommands share. */
#ifndef TGSPEC_H
#define TGSPEC_H

#include <getopt.h>
#include <stdbool.h>
#include <stdint.h>

#define TGSPEC_SPEC_PATH "/etc/timegraph.spec"
#define TGSPEC_AC_PATH "/etc/timegraph.ac"

/* Exit status, as in tgspec(1). */
enum tgspec_exit {
	TGSPEC_OK = 0,
	TGSPEC_REFUSED = 1,
	TGSPEC_USAGE = 2,
	TGSPEC_IO = 3,		/* a file; or the module is not loaded */
	TGSPEC_DENIED = 4,
	TGSPEC_PARTLY = 5,	/* export: not all is in it; import: not all was put back */
};

/**
 * struct tgspec_command - a subcommand
 * @name: as typed
 * @summary: one line
 * @help: what "tgspec NAME --help" prints, at most a screen of 24 lines
 * @run: gets the arguments from its own name on; returns an enum tgspec_exit
 */
struct tgspec_command {
	const char *name;
	const char *summary;
	const char *help;
	int (*run)(const struct tgspec_command *cmd, int argc, char **argv);
};

extern const struct tgspec_command tgspec_check;
extern const struct tgspec_command tgspec_fmt;
extern const struct tgspec_command tgspec_explain;
extern const struct tgspec_command tgspec_assign;
extern const struct tgspec_command tgspec_analyze;
extern const struct tgspec_command tgspec_export;
extern const struct tgspec_command tgspec_import;

/* Say what is wrong with the call; returns TGSPEC_USAGE. */
int tgspec_usage(const struct tgspec_command *cmd, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Say which file failed and why; returns TGSPEC_IO. */
int tgspec_io(const char *path, int err);

/* Print @cmd's help; returns TGSPEC_OK. */
int tgspec_help(const struct tgspec_command *cmd);

#endif
