/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The subcommands. */
#ifndef TGCTL_H
#define TGCTL_H

#include "command.h"
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

extern const struct command tgctl_status;
extern const struct command tgctl_list;
extern const struct command tgctl_top;
extern const struct command tgctl_set;
extern const struct command tgctl_clear;
extern const struct command tgctl_domain;
extern const struct command tgctl_policy;
extern const struct command tgctl_foreground;
extern const struct command tgctl_reserve;
extern const struct command tgctl_reload;
extern const struct command tgctl_bypass;
extern const struct command tgctl_restore;
extern const struct command tgctl_monitor;
extern const struct command tgctl_trace;
extern const struct command tgctl_selftest;
extern const struct command tgctl_vram;
extern const struct command tgctl_lend;

#endif
