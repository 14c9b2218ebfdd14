// SPDX-License-Identifier: GPL-2.0-or-later
/* tgtop: who uses the GPU, live. */
#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <unistd.h>

#include "args.h"
#include "failure.h"
#include "output.h"
#include "tgtop.h"

#ifndef TGTOP_VERSION
#error "TGTOP_VERSION comes from the Makefile"
#endif

int tgtop_fail(int err)
{
	fprintf(stderr, "tgtop: %s\n", failure_open(err));
	if (failure_is_denial(err))
		return TGTOP_DENIED;
	return err == -ENOENT || err == -ENXIO || err == -ENODEV ? TGTOP_NO_MODULE : TGTOP_FAILED;
}

static struct batch_options options = { .interval_ns = 1000000000, .gpu = TIMEGRAPH_ALL_GPUS };
static bool batch;

static const struct cli_opt opts[] = {
	{ "delay", args_take_seconds, &options.interval_ns, "SECONDS",
	  "between two looks (1); live 0.1 to 60", 'd', "give seconds, 0.01 to 86400" },
	{ "gpu", args_take_number, &options.gpu, "N",
	  "which GPU first (0); in batch mode only this one", 'g', "give the GPU's number",
	  .max = UINT16_MAX },
	{ "sort", view_take_sort, &options.view.sort, "KEY",
	  "gpu (default), wait, throttle, prio, error, name, pid", 's',
	  "gpu, wait, throttle, prio, error, name or pid" },
	{ "reverse", cli_flag, &options.view.reverse, NULL, "the other way round", 'r' },
	{ "batch", cli_flag, &batch, NULL, "plain text, sample after sample; no terminal needed",
	  'b' },
	{ "number", args_take_number, &options.number, "N", "end after N samples", 'n',
	  "give a number above 0", .min = 1, .max = UINT32_MAX },
	{ "width", args_take_number, &options.view.width, "N",
	  "columns of the text (the terminal's, or 80)", 'w', "give 40 to 160 columns",
	  .min = VIEW_MIN_WIDTH, .max = VIEW_MAX_WIDTH },
	{ "json", cli_flag, &options.json, NULL,
	  "one JSON object a sample and line, as 'tgctl top --json'", 'j' },
	{ "version", NULL, NULL, NULL, "the version" },
	{ "help", NULL, NULL, NULL, "this", 'h' },
	{ 0 }
};

static const struct cli cli = {
	.who = "tgtop",
	.version = "tgtop (timegraph) " TGTOP_VERSION,
	.about =
	"usage: tgtop [OPTION]...\n"
	"Shows live who uses the GPU under timegraph: share of each task against its\n"
	"reserve, budget left, waiting, priority, error of the predictions.  h is help.\n"
	"\n",
	.opts = { opts },
	.args_wanted = "it takes no arguments",
	.notes =
	"\n"
	"-n, -w and -j imply -b.  Other users' tasks are shown to root; their sum to all.\n"
	"The module may be removed meanwhile; it is found again when it comes back.\n"
	"\n"
	"Exit status: 0 ended as asked; 1 it failed; 2 wrong usage; 3 the module is not\n"
	"loaded; 4 no right to open the device.\n",
};

static int run_live(const struct batch_options *o)
{
	struct state s = {
		.view = o->view,
		.interval_ns = o->interval_ns,
		.gpu = o->gpu == TIMEGRAPH_ALL_GPUS ? 0 : o->gpu,
	};

	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		return cli_usage(&cli, "there is no terminal: use --batch or --json");
	if (s.interval_ns < STATE_MIN_NS || s.interval_ns > STATE_MAX_NS)
		return cli_usage(&cli, "live, --delay is 0.1 to 60 seconds");
	return screen_run(&s);
}

static int run(int argc, char **argv)
{
	int status = cli_parse(&cli, argc, argv);

	if (status != CLI_GO_ON)
		return status;
	if (batch || options.number || options.view.width || options.json) {
		if (!options.view.width)
			options.view.width = view_terminal_width();
		return batch_run(&options);
	}
	return run_live(&options);
}

int main(int argc, char **argv)
{
	setlocale(LC_CTYPE, "");
	return output_end("tgtop", run(argc, argv), TGTOP_FAILED);
}
