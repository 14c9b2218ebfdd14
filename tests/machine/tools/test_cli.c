// SPDX-License-Identifier: GPL-2.0-or-later
/* Command lines by a table: what is taken, what is refused with which words, help. */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "cli.h"
#include "tap.h"

static struct {
	bool flag, other;
	const char *text;
	uint64_t number;
	uint32_t small;
	int colour;
} got;

static bool take_even(const struct cli_opt *opt, const char *value, struct cli_error *err)
{
	if (strlen(value) % 2 == 0)
		return true;
	*err = (struct cli_error){ "it is odd", "write one letter more" };
	return false;
}

static const char *const colours[] = { "red", "green", NULL };
static const struct cli_opt first[] = {
	{ .help = "All of them" },
	{ "flag", cli_flag, &got.flag, NULL, "a flag\nin two lines", 'f' },
	{ "text", cli_text, &got.text, "TEXT", "some text", 't' },
	{ "number", cli_uint, &got.number, "N", "2 to 9", .min = 2, .max = 9 },
	{ 0 }
};
static const struct cli_opt second[] = {
	{ "small", args_take_number, &got.small, "N", NULL, 's', "give 1 to 3", .min = 1,
	  .max = 3 },
	{ "colour", cli_choice, &got.colour, "COLOUR", NULL, .choices = colours },
	{ "even", take_even, NULL, "WORD", NULL },
	{ "shown", NULL, NULL, "ONLY", "as a row" },
	{ 0 }
};
static const struct cli_opt hidden[] = {
	{ "other", cli_flag, &got.other, NULL, "never seen" },
	{ 0 }
};
static const struct cli cli = {
	.who = "tool", .about = "usage: tool\n", .notes = "That is all.\n",
	.opts = { first, second }, .hidden = hidden, .version = "tool 1",
};

/* More room than is told of. */
#define ERR_BYTES 80
static char err[4 * ERR_BYTES];
static char *argv[16];

static int parse(const struct cli *c, const char *line)
{
	static char words[160];
	int argc = 1;

	memset(&got, 0, sizeof(got));
	memset(argv, 0, sizeof(argv));
	memset(err, 0, sizeof(err));
	argv[0] = "tool";
	strcpy(words, line);
	for (char *word = strtok(words, " "); word; word = strtok(NULL, " "))
		argv[argc++] = word;
	return cli_read(c, argc, argv, err, ERR_BYTES);
}

static void every_kind_of_value_is_taken(void)
{
	CHECK(parse(&cli, "one -f --text=a=b --number 0x7 two -s3 --colour green --other") == 9);
	CHECK(got.flag && got.other && !strcmp(got.text, "a=b") && got.number == 7);
	CHECK(got.small == 3 && got.colour == 1);
	CHECK(!strcmp(argv[9], "one") && !strcmp(argv[10], "two"));
	CHECK(parse(&cli, "--num 2 -- --flag") == 4 && got.number == 2 && !got.flag);
	CHECK(parse(&cli, "") == 1 && parse(&cli, "--even ab") == 3);
}

static void what_is_wrong_is_said_with_what_to_write(void)
{
	static const struct {
		const char *line, *says;
	} bad[] = {
		{ "--nothing", "unknown option '--nothing'" },
		{ "--nothing=1", "unknown option '--nothing'" },
		{ "-fx", "unknown option '-x'" },
		{ "--flag=1", "--flag takes no value" },
		{ "--help=1", "--help takes no value" },
		{ "--number", "--number needs N" },
		{ "-t", "--text needs TEXT" },
		{ "--number 1", "--number: '1' is not a valid N" },
		{ "--number 10", "--number: '10' is not a valid N" },
		{ "--number -3", "--number: '-3' is not a valid N" },
		{ "--number 18446744073709551616", "--number: '18446744073709551616' is not a valid N" },
		{ "--small 0", "--small 0: give 1 to 3" },
		{ "-s 4", "--small 4: give 1 to 3" },
		{ "--colour blue", "--colour: 'blue' is not a valid COLOUR: write one of red, green" },
		{ "--even abc", "--even abc: it is odd: write one letter more" },
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (!CHECK(parse(&cli, bad[i].line) == CLI_WRONG && !strcmp(err, bad[i].says)))
			tap_diag("'%s' says '%s'", bad[i].line, err);
}

static void long_values_do_not_overflow_the_message(void)
{
	char line[150] = "--even ";

	memset(line + 7, 'x', 101);
	CHECK(parse(&cli, line) == CLI_WRONG);
	CHECK(!strncmp(err, "--even xxxx", 11) && strlen(err) > ERR_BYTES - 3);
	for (size_t i = ERR_BYTES - 1; i < sizeof(err); i++)
		CHECK(!err[i]);
}

static void help_and_version_are_there_unasked(void)
{
	struct cli plain = cli;

	CHECK(parse(&cli, "-h --nothing") == CLI_HELP && parse(&cli, "--help") == CLI_HELP);
	CHECK(parse(&cli, "--version") == CLI_VERSION);
	plain.version = NULL;
	CHECK(parse(&plain, "--version") == CLI_WRONG);
}

static void whole_names_and_the_first_word_can_be_asked_for(void)
{
	struct cli strict = cli;

	strict.whole = strict.stops = true;
	CHECK(parse(&strict, "--num 3") == CLI_WRONG && !strcmp(err, "unknown option '--num'"));
	CHECK(parse(&strict, "--numbe=3") == CLI_WRONG);
	CHECK(parse(&strict, "--number=3 -t x one -f") == 4 && !got.flag);
}

static void words_behind_two_dashes_can_be_a_command(void)
{
	struct cli hold = cli;
	char **behind;

	hold.behind = &behind;
	CHECK(parse(&hold, "-f one -- true --text") == 2);
	CHECK(behind && !strcmp(behind[0], "true") && !strcmp(behind[1], "--text") && !argv[3]);
	CHECK(parse(&hold, "one --") == 1 && !behind);
	CHECK(parse(&hold, "one") == 1 && !behind);
}

static void arguments_are_counted(void)
{
	struct cli counted = cli;

	counted.args_wanted = "one or two";
	counted.min_args = 1;
	counted.max_args = 2;
	CHECK(parse(&counted, "-f") == CLI_WRONG && !strcmp(err, "one or two"));
	CHECK(parse(&counted, "a b -f") == 2 && parse(&counted, "a b c") == CLI_WRONG);
	counted.max_args = -1;
	CHECK(parse(&counted, "a b c") == 1 && parse(&counted, "") == CLI_WRONG);
}

static void help_is_the_tables(void)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	cli_help(&cli, f);
	fclose(f);
	if (!CHECK(!strcmp(text, "usage: tool\n"
				 "All of them\n"
				 "  -f, --flag        a flag\n"
				 "                    in two lines\n"
				 "  -t, --text TEXT   some text\n"
				 "      --number N    2 to 9\n"
				 "      --shown ONLY  as a row\n"
				 "That is all.\n")))
		tap_diag("%s", text);
	free(text);
}

static const struct tap_case cases[] = {
	{ "every_kind_of_value_is_taken", every_kind_of_value_is_taken },
	{ "what_is_wrong_is_said_with_what_to_write", what_is_wrong_is_said_with_what_to_write },
	{ "long_values_do_not_overflow_the_message", long_values_do_not_overflow_the_message },
	{ "help_and_version_are_there_unasked", help_and_version_are_there_unasked },
	{ "whole_names_and_the_first_word_can_be_asked_for",
	  whole_names_and_the_first_word_can_be_asked_for },
	{ "words_behind_two_dashes_can_be_a_command", words_behind_two_dashes_can_be_a_command },
	{ "arguments_are_counted", arguments_are_counted },
	{ "help_is_the_tables", help_is_the_tables },
};

int main(void)
{
	return tap_run(cases, sizeof(cases) / sizeof(cases[0]));
}
