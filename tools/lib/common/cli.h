/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Command lines: the same table of options drives getopt_long(), the checks of
 * values and --help, so that the three cannot disagree.
 */
#ifndef CLI_H
#define CLI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Why a value was refused; @hint, if there is one, says what to write. */
struct cli_error {
	const char *text;
	const char *hint;
};

struct cli_opt;
/* Takes @value into @opt->dst; false if it cannot, with @err as it was or better. */
typedef bool cli_take(const struct cli_opt *opt, const char *value, struct cli_error *err);

/**
 * struct cli_opt - a row; a table ends with one that has neither name nor help
 * @name: without the dashes; NULL: @help is a line of its own among the options
 * @take: what kind of value it is; NULL: the row is for --help alone
 * @dst: where the value goes
 * @arg: what --help calls the value, NULL if there is none
 * @help: "\n" begins a new line in its column; NULL: not in --help
 * @letter: the short form
 * @wants: said of a wrong value; NULL: that it is no valid @arg
 * @unit_ns: for a time: the unit of a bare number
 * @min, @max: for a number, checked if @max is not 0
 * @choices: words, NULL behind the last
 */
struct cli_opt {
	const char *name;
	cli_take *take;
	void *dst;
	const char *arg;
	const char *help;
	char letter;
	const char *wants;
	uint64_t unit_ns;
	uint64_t min, max;
	const char *const *choices;
};

cli_take cli_flag;	/* bool, which becomes true */
cli_take cli_text;	/* const char *, into argv */
cli_take cli_uint;	/* uint64_t, decimal or 0x..., in the range */
cli_take cli_choice;	/* int, index into @choices */

/* Digits alone, or 0x...: what cli_uint takes, before its range. */
bool cli_parse_uint(const char *text, uint64_t *value);

#define CLI_TABLES 4

/**
 * struct cli - a command line, with -h and --help even if no table has them
 * @who: "tgctl set", in messages
 * @about: what --help says above the options
 * @notes: ... and below them
 * @version: what --version says, NULL: there is none
 * @opts: tables, NULL behind the last
 * @hidden: a table that is not in --help
 * @column: where help begins behind an option; 0: wherever it fits all
 * @stops: options end with the first argument
 * @whole: names cannot be abbreviated
 * @behind: set to the words behind "--", which are another's and no arguments;
 *	to NULL if there are none
 * @min_args, @max_args: how many arguments it takes; a negative @max_args: any
 * @args_wanted: said if they are others; NULL: nobody counts
 */
struct cli {
	const char *who;
	const char *about;
	const char *notes;
	const char *version;
	const struct cli_opt *opts[CLI_TABLES];
	const struct cli_opt *hidden;
	int column;
	bool stops;
	bool whole;
	char ***behind;
	int min_args, max_args;
	const char *args_wanted;
};

enum {
	CLI_GO_ON = -1,		/* from cli_parse(): no exit status yet */
	CLI_USAGE = 2,
};

/*
 * Takes the options and prints what is asked for or wrong. Returns CLI_GO_ON, with
 * optind at the first argument, or an exit status.
 */
int cli_parse(const struct cli *cli, int argc, char **argv);

/* What cli_read() found, if not where the arguments begin. */
enum {
	CLI_WRONG = -1,
	CLI_HELP = -2,
	CLI_VERSION = -3,
};

/* Prints nothing: what is wrong is in @err. Returns the first argument's index. */
int cli_read(const struct cli *cli, int argc, char **argv, char *err, size_t size);

void cli_help(const struct cli *cli, FILE *out);

/* Says in a line what is wrong, and in a second one where to look; CLI_USAGE. */
int cli_usage(const struct cli *cli, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

#endif
