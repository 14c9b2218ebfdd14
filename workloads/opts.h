/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef WL_OPTS_H
#define WL_OPTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli.h"

enum wl_exit {
	WL_OK = 0,
	WL_FAILED = 1,
	WL_USAGE = 2,
	WL_NO_GPU = 77,
};

struct wl_size {
	unsigned int width, height;
};

/*
 * A row of a table of options, and what its value can be: as in cli.h, and times
 * and sizes beside.
 */
#define wl_opt cli_opt
#define WL_OPT_FLAG cli_flag
#define WL_OPT_UINT cli_uint
#define WL_OPT_TIME wl_take_time	/* uint64_t in ns, in the range */
#define WL_OPT_SIZE wl_take_size	/* struct wl_size, WIDTHxHEIGHT */
#define WL_OPT_STRING cli_text
#define WL_OPT_CHOICE cli_choice

cli_take wl_take_time;
cli_take wl_take_size;

/*
 * A command line with these tables (the list ends with NULL): names are written in
 * full, and options end at the first word that is none ("--" is skipped).
 */
struct cli wl_opts_cli(const struct wl_opt *const *tables);

/*
 * Parses argv[1..] without a word to anybody. Returns the index of the first word
 * that is not an option, or a negative number after it has written what is wrong
 * into err.
 */
int wl_opts_parse(int argc, char **argv, const struct wl_opt *const *tables,
		  char *err, size_t err_size);

/* Parses "12", "1.5ms", "40us", "2s" … into ns; false on anything else. */
bool wl_parse_time(const char *text, uint64_t unit_ns, uint64_t *ns);

#endif
