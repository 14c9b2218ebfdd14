/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef WL_OPTS_H
#define WL_OPTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum wl_exit {
	WL_OK = 0,
	WL_FAILED = 1,
	WL_USAGE = 2,
	WL_NO_GPU = 77,
};

enum wl_opt_type {
	WL_OPT_FLAG,	/* bool, takes no value */
	WL_OPT_UINT,	/* uint64_t, decimal or 0x… */
	WL_OPT_TIME,	/* uint64_t in ns; a bare number is in the option's default unit */
	WL_OPT_SIZE,	/* struct wl_size, WIDTHxHEIGHT */
	WL_OPT_STRING,	/* const char *, points into argv */
	WL_OPT_CHOICE,	/* int, index into .choices */
};

struct wl_size {
	unsigned int width, height;
};

/* One row of an option table; a table ends with a row whose name is NULL. */
struct wl_opt {
	const char *name;		/* without the leading dashes */
	enum wl_opt_type type;
	void *dst;
	const char *arg;		/* what --help calls the value */
	const char *help;
	uint64_t unit_ns;		/* WL_OPT_TIME: unit of a bare number */
	uint64_t min, max;		/* checked when max != 0 */
	const char *const *choices;	/* WL_OPT_CHOICE: ends with NULL */
};

/*
 * Parses argv[1..] by the given tables (the list ends with NULL). Returns the
 * index of the first word that is not an option ("--" is skipped), or -1 after
 * it has written what is wrong into err.
 */
int wl_opts_parse(int argc, char **argv, const struct wl_opt *const *tables,
		  char *err, size_t err_size);
void wl_opts_help(const struct wl_opt *table);

/* Parses "12", "1.5ms", "40us", "2s" … into ns; false on anything else. */
bool wl_parse_time(const char *text, uint64_t unit_ns, uint64_t *ns);

#endif
