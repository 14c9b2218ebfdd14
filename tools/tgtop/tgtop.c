// SPDX-License-Identifier: GPL-2.0-or-later
/* tgtop: who uses the GPU, live. */
#include <errno.h>
#include <getopt.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "args.h"
#include "failure.h"
#include "tgtop.h"

#ifndef TGTOP_VERSION
#error "TGTOP_VERSION comes from the Makefile"
#endif

static const char help[] =
	"usage: tgtop [OPTION]...\n"
	"Shows live who uses the GPU under timegraph: share of each task against its\n"
	"reserve, budget left, waiting, priority, error of the predictions.  h is help.\n"
	"\n"
	"  -d, --delay SECONDS  between two looks (1); live 0.1 to 60\n"
	"  -g, --gpu N          which GPU first (0); in batch mode only this one\n"
	"  -s, --sort KEY       gpu (default), wait, throttle, prio, error, name, pid\n"
	"  -r, --reverse        the other way round\n"
	"  -b, --batch          plain text, sample after sample; no terminal needed\n"
	"  -n, --number N       end after N samples\n"
	"  -w, --width N        columns of the text (the terminal's, or 80)\n"
	"  -j, --json           one JSON object a sample and line, as 'tgctl top --json'\n"
	"      --version        the version\n"
	"  -h, --help           this\n"
	"\n"
	"-n, -w and -j imply -b.  Other users' tasks are shown to root; their sum to all.\n"
	"The device is open only for a look: tgtop never keeps the module loaded.\n"
	"\n"
	"Exit status: 0 ended as asked; 1 it failed; 2 wrong usage; 3 the module is not\n"
	"loaded; 4 no right to open the device.\n";

static int usage(const char *what, const char *value)
{
	if (what)
		fprintf(stderr, "tgtop: %s%s\n", what, value ? value : "");
	fputs("Try 'tgtop --help'.\n", stderr);
	return TGTOP_USAGE;
}

int tgtop_fail(int err)
{
	fprintf(stderr, "tgtop: %s\n", failure_open(err));
	if (failure_is_denial(err))
		return TGTOP_DENIED;
	return err == -ENOENT || err == -ENXIO || err == -ENODEV ? TGTOP_NO_MODULE : TGTOP_FAILED;
}

static unsigned int terminal_width(void)
{
	struct winsize w;

	return ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) || !w.ws_col ? 80 : w.ws_col;
}

enum { OPT_VERSION = 256 };

static const struct option long_options[] = {
	{ "delay", required_argument, NULL, 'd' },
	{ "gpu", required_argument, NULL, 'g' },
	{ "sort", required_argument, NULL, 's' },
	{ "reverse", no_argument, NULL, 'r' },
	{ "batch", no_argument, NULL, 'b' },
	{ "number", required_argument, NULL, 'n' },
	{ "width", required_argument, NULL, 'w' },
	{ "json", no_argument, NULL, 'j' },
	{ "version", no_argument, NULL, OPT_VERSION },
	{ "help", no_argument, NULL, 'h' },
	{ 0 }
};

/* What was printed must have arrived. */
static int finish(int status)
{
	if (fflush(stdout) || ferror(stdout)) {
		fputs("tgtop: the output cannot be written\n", stderr);
		return status ? status : TGTOP_FAILED;
	}
	return status;
}

static int run(const struct batch_options *o, bool batch)
{
	struct state s = {
		.view = o->view,
		.interval_ns = o->interval_ns,
		.gpu = o->gpu == TIMEGRAPH_ALL_GPUS ? 0 : o->gpu,
	};

	if (batch)
		return finish(batch_run(o));
	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		return usage("there is no terminal: use --batch or --json", NULL);
	if (s.interval_ns < STATE_MIN_NS || s.interval_ns > STATE_MAX_NS)
		return usage("live, --delay is 0.1 to 60 seconds", NULL);
	return screen_run(&s);
}

int main(int argc, char **argv)
{
	struct batch_options o = { .interval_ns = 1000000000, .gpu = TIMEGRAPH_ALL_GPUS };
	bool batch = false;
	int c;

	setlocale(LC_CTYPE, "");
	o.view.width = terminal_width();
	while ((c = getopt_long(argc, argv, "d:g:s:rbn:w:jh", long_options, NULL)) != -1) {
		switch (c) {
		case 'd':
			if (!args_seconds(optarg, &o.interval_ns))
				return usage("--delay takes seconds, 0.01 to 86400, not ", optarg);
			break;
		case 'g':
			if (!args_number(optarg, UINT16_MAX, &o.gpu))
				return usage("--gpu takes the GPU's number, not ", optarg);
			break;
		case 's':
			if (!view_take_sort(&(struct cli_opt){ .dst = &o.view.sort }, optarg, NULL))
				return usage("--sort takes gpu, wait, throttle, prio, error, name or pid, not ",
					     optarg);
			break;
		case 'r':
			o.view.reverse = true;
			break;
		case 'b':
			batch = true;
			break;
		case 'n':
			if (!args_number(optarg, UINT32_MAX, &o.number) || !o.number)
				return usage("--number takes a number above 0, not ", optarg);
			batch = true;
			break;
		case 'w':
			if (!args_number(optarg, VIEW_MAX_WIDTH, &o.view.width) ||
			    o.view.width < VIEW_MIN_WIDTH)
				return usage("--width takes 40 to 160 columns, not ", optarg);
			batch = true;
			break;
		case 'j':
			o.json = true;
			batch = true;
			break;
		case OPT_VERSION:
			puts("tgtop (timegraph) " TGTOP_VERSION);
			return finish(TGTOP_OK);
		case 'h':
			fputs(help, stdout);
			return finish(TGTOP_OK);
		default:
			return usage(NULL, NULL);
		}
	}
	if (optind < argc)
		return usage("it takes no arguments, not ", argv[optind]);
	return run(&o, batch);
}
