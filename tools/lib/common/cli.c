// SPDX-License-Identifier: GPL-2.0-or-later
#include <assert.h>
#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

#define MAX_ROWS 48

/* What getopt_long() returns for a long option; letters are below. */
enum { LONG = 256, LONG_HELP = LONG + MAX_ROWS, LONG_VERSION };

/* The tables as getopt_long() wants them. */
struct getopt_rows {
	const struct cli_opt *row[MAX_ROWS];
	int n;
	struct option longs[MAX_ROWS + 3];
	char letters[2 * MAX_ROWS + 8];
};

bool cli_flag(const struct cli_opt *opt, const char *value, struct cli_error *err)
{
	*(bool *)opt->dst = true;
	return true;
}

bool cli_text(const struct cli_opt *opt, const char *value, struct cli_error *err)
{
	*(const char **)opt->dst = value;
	return true;
}

bool cli_parse_uint(const char *text, uint64_t *value)
{
	char *end;

	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	*value = strtoull(text, &end, 0);
	return !errno && !*end;
}

bool cli_uint(const struct cli_opt *opt, const char *value, struct cli_error *err)
{
	uint64_t n;

	if (!cli_parse_uint(value, &n) || (opt->max && (n < opt->min || n > opt->max)))
		return false;
	*(uint64_t *)opt->dst = n;
	return true;
}

bool cli_choice(const struct cli_opt *opt, const char *value, struct cli_error *err)
{
	for (int i = 0; opt->choices[i]; i++)
		if (!strcmp(value, opt->choices[i])) {
			*(int *)opt->dst = i;
			return true;
		}
	return false;
}

static bool is_last(const struct cli_opt *opt)
{
	return !opt->name && !opt->help;
}

static void add_table(struct getopt_rows *g, const struct cli_opt *opt)
{
	for (; opt && !is_last(opt); opt++) {
		if (!opt->take)
			continue;
		assert(g->n < MAX_ROWS);
		g->row[g->n++] = opt;
	}
}

static void add_long(struct getopt_rows *g, int i, const char *name, bool has_arg, int val)
{
	g->longs[i] = (struct option){
		.name = name, .has_arg = has_arg ? required_argument : no_argument, .val = val,
	};
}

static void init_rows(struct getopt_rows *g, const struct cli *cli)
{
	char *letter = g->letters;

	memset(g, 0, sizeof(*g));
	for (int i = 0; i < CLI_TABLES && cli->opts[i]; i++)
		add_table(g, cli->opts[i]);
	add_table(g, cli->hidden);
	if (cli->stops)
		*letter++ = '+';
	*letter++ = ':';
	*letter++ = 'h';
	for (int i = 0; i < g->n; i++) {
		add_long(g, i, g->row[i]->name, g->row[i]->arg, LONG + i);
		if (!g->row[i]->letter)
			continue;
		*letter++ = g->row[i]->letter;
		if (g->row[i]->arg)
			*letter++ = ':';
	}
	add_long(g, g->n, "help", false, LONG_HELP);
	if (cli->version)
		add_long(g, g->n + 1, "version", false, LONG_VERSION);
}

/* NULL: it is none of a table's. */
static const struct cli_opt *find(const struct getopt_rows *g, int val)
{
	if (val >= LONG)
		return val < LONG + g->n ? g->row[val - LONG] : NULL;
	for (int i = 0; val && i < g->n; i++)
		if (g->row[i]->letter == val)
			return g->row[i];
	return NULL;
}

/* getopt_long() has stopped at something, and left in optopt what it was. */
static void say_wrong(const struct getopt_rows *g, bool missing, const char *word, char *err,
		      size_t size)
{
	const struct cli_opt *opt = find(g, optopt);

	if (missing)
		snprintf(err, size, "--%s needs %s", opt->name, opt->arg);
	else if (optopt >= LONG)
		snprintf(err, size, "%.*s takes no value", (int)strcspn(word, "="), word);
	else if (optopt)
		snprintf(err, size, "unknown option '-%c'", optopt);
	else
		snprintf(err, size, "unknown option '%.*s'", (int)strcspn(word, "="), word);
}

static void say_bad_value(const struct cli_opt *opt, const char *value,
			  const struct cli_error *why, char *err, size_t size)
{
	FILE *f = fmemopen(err, size - 1, "w");

	err[size - 1] = '\0';
	if (!f)
		return;
	if (why->text)
		fprintf(f, "--%s %s: %s%s%s", opt->name, value, why->text,
			why->hint ? ": " : "", why->hint ? why->hint : "");
	else
		fprintf(f, "--%s: '%s' is not a valid %s", opt->name, value, opt->arg);
	for (int i = 0; !why->text && opt->choices && opt->choices[i]; i++)
		fprintf(f, "%s%s", i ? ", " : ": write one of ", opt->choices[i]);
	fclose(f);
}

/* The option's word: its value may be the word behind it. */
static const char *typed(char **argv)
{
	return argv[optarg && optarg == argv[optind - 1] ? optind - 2 : optind - 1];
}

static bool take(const struct cli *cli, const struct cli_opt *opt, bool is_long, char **argv,
		 char *err, size_t size)
{
	struct cli_error why = { .text = opt->wants };
	const char *word = typed(argv);

	if (cli->whole && is_long && strcspn(word, "=") != strlen(opt->name) + 2) {
		snprintf(err, size, "unknown option '%.*s'", (int)strcspn(word, "="), word);
		return false;
	}
	if (opt->take(opt, optarg, &why))
		return true;
	say_bad_value(opt, optarg, &why, err, size);
	return false;
}

/* What is behind "--" is taken off the arguments. */
static char **cut(int *argc, char **argv)
{
	for (int i = 1; i < *argc; i++)
		if (!strcmp(argv[i], "--")) {
			char **behind = i + 1 < *argc ? argv + i + 1 : NULL;

			*argc = i;
			argv[i] = NULL;
			return behind;
		}
	return NULL;
}

int cli_read(const struct cli *cli, int argc, char **argv, char *err, size_t size)
{
	struct getopt_rows g;
	int c;

	init_rows(&g, cli);
	if (cli->behind)
		*cli->behind = cut(&argc, argv);
	opterr = 0;
	optind = 0;	/* glibc: begin anew */
	while ((c = getopt_long(argc, argv, g.letters, g.longs, NULL)) != -1) {
		const struct cli_opt *opt = find(&g, c);

		if (c == '?' || c == ':') {
			say_wrong(&g, c == ':', argv[optind - 1], err, size);
			return CLI_WRONG;
		}
		if (c == LONG_VERSION)
			return CLI_VERSION;
		if (!opt)
			return CLI_HELP;
		if (!take(cli, opt, c >= LONG, argv, err, size))
			return CLI_WRONG;
	}
	if (cli->args_wanted && (argc - optind < cli->min_args ||
				 (cli->max_args >= 0 && argc - optind > cli->max_args))) {
		snprintf(err, size, "%s", cli->args_wanted);
		return CLI_WRONG;
	}
	return optind;
}

int cli_parse(const struct cli *cli, int argc, char **argv)
{
	char err[256] = "";

	switch (cli_read(cli, argc, argv, err, sizeof(err))) {
	case CLI_WRONG:
		return cli_usage(cli, "%s", err);
	case CLI_HELP:
		cli_help(cli, stdout);
		return 0;
	case CLI_VERSION:
		puts(cli->version);
		return 0;
	default:
		return CLI_GO_ON;
	}
}

int cli_usage(const struct cli *cli, const char *fmt, ...)
{
	va_list ap;

	fprintf(stderr, "%s: ", cli->who);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fprintf(stderr, "\nTry '%s --help'.\n", cli->who);
	return CLI_USAGE;
}

/* "-d, --delay SECONDS"; without a letter below those that have one. */
static int left(const struct cli_opt *opt, bool letters, char *out, size_t size)
{
	char letter[] = { '-', opt->letter, ',', ' ', '\0' };

	return snprintf(out, size, "%s--%s%s%s", opt->letter ? letter : letters ? "    " : "",
			opt->name, opt->arg ? " " : "", opt->arg ? opt->arg : "");
}

static void help_row(const struct cli_opt *opt, bool letters, int column, FILE *out)
{
	const char *line = opt->help, *end;
	char option[80];

	left(opt, letters, option, sizeof(option));
	fprintf(out, "  %-*s  ", column - 4, option);
	while ((end = strchr(line, '\n'))) {
		fprintf(out, "%.*s\n%*s", (int)(end - line), line, column, "");
		line = end + 1;
	}
	fprintf(out, "%s\n", line);
}

static bool is_shown(const struct cli_opt *opt)
{
	return opt->name && opt->help;
}

static bool has_letters(const struct cli *cli)
{
	for (int i = 0; i < CLI_TABLES && cli->opts[i]; i++)
		for (const struct cli_opt *opt = cli->opts[i]; !is_last(opt); opt++)
			if (is_shown(opt) && opt->letter)
				return true;
	return false;
}

static int widest(const struct cli *cli, bool letters)
{
	int max = 0, n;

	for (int i = 0; i < CLI_TABLES && cli->opts[i]; i++)
		for (const struct cli_opt *opt = cli->opts[i]; !is_last(opt); opt++) {
			n = is_shown(opt) ? left(opt, letters, NULL, 0) : 0;
			max = n > max ? n : max;
		}
	return max;
}

void cli_help(const struct cli *cli, FILE *out)
{
	bool letters = has_letters(cli);
	int column = cli->column ? cli->column : widest(cli, letters) + 4;

	fputs(cli->about, out);
	for (int i = 0; i < CLI_TABLES && cli->opts[i]; i++)
		for (const struct cli_opt *opt = cli->opts[i]; !is_last(opt); opt++) {
			if (is_shown(opt))
				help_row(opt, letters, column, out);
			else if (opt->help)
				fprintf(out, "%s\n", opt->help);
		}
	if (cli->notes)
		fputs(cli->notes, out);
}
