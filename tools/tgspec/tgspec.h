/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the subcommands share. */
#ifndef TGSPEC_H
#define TGSPEC_H

#include "command.h"

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

extern const struct command tgspec_check;
extern const struct command tgspec_fmt;
extern const struct command tgspec_explain;
extern const struct command tgspec_assign;
extern const struct command tgspec_analyze;
extern const struct command tgspec_export;
extern const struct command tgspec_import;

/* Say which file failed and why; returns TGSPEC_IO. */
int tgspec_io(const char *path, int err);

#endif
