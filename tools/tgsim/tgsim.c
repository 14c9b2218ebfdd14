// SPDX-License-Identifier: GPL-2.0-or-later
/* tgsim: what a specification does, before it is installed.  See tgsim(1). */
#include <getopt.h>
#include <unistd.h>

#include "campaign.h"
#include "mem.h"
#include "monitor.h"
#include "show.h"

#define COLUMNS_MAX 100000u

struct options {
	struct scenario_files files;
	enum format format;
	const char *budget;
	bool events, timeline, quiet, monitor;
	u64 step_ns, from_ns, to_ns;
	bool has_seed, has_horizon, has_to;
	u64 seed, horizon_ns;
	u64 random;
};

static const char help_text[] =
"usage: tgsim [OPTION]... SCENARIO\n"
"       tgsim --random N [--seed S]\n"
"\n"
"Simulates GPU programs under timegraph's scheduler and its reserves: the very\n"
"code of the kernel module, in virtual time. SCENARIO is a file, - for stdin;\n"
"tgsim(1) describes it, and examples come with the program.\n"
"\n"
"What to simulate\n"
"  --spec FILE       this specification, in place of the scenario's\n"
"  --ac FILE         this admission limit, in place of the scenario's\n"
"  --seed N          another seed of the random numbers\n"
"  --horizon TIME    how long to simulate: 10s, 250ms\n"
"What to show\n"
"  --timeline        who had the GPU, who waited, who was out of budget\n"
"  --step TIME       one column of it (default: 100 columns in all)\n"
"  --from, --to TIME the part to draw\n"
"  --budget FILE     every change of every budget; - for standard output\n"
"  --events          everything that happens\n"
"  --csv, --json     the report for programs, times in ns\n"
"  --quiet           no report and no progress\n"
"Checks\n"
"  --monitor         check each step against the paper's rules\n"
"  --random N        do so with N random scenarios\n"
"\n"
"  --help, --version\n"
"\n"
"Exit status: 0 done, 1 wrong input, 2 usage, 3 a rule was broken, 4 system.\n";

static int usage(const char *what, const char *arg)
{
	fprintf(stderr, "tgsim: %s%s%s\nTry 'tgsim --help'.\n", what,
		arg ? ": " : "", arg ? arg : "");
	return EXIT_USAGE;
}

static bool read_time(const char *text, u64 *ns)
{
	size_t n = parse_time(text, ns);

	return n && !text[n];
}

static bool read_number(const char *text, u64 *v)
{
	char *end;

	errno = 0;
	*v = strtoull(text, &end, 0);
	return *text >= '0' && *text <= '9' && !*end && !errno;
}

enum {
	OPT_SPEC = 256, OPT_AC, OPT_SEED, OPT_HORIZON, OPT_TIMELINE, OPT_STEP,
	OPT_FROM, OPT_TO, OPT_BUDGET, OPT_EVENTS, OPT_CSV, OPT_JSON, OPT_QUIET,
	OPT_MONITOR, OPT_RANDOM, OPT_HELP, OPT_VERSION,
};

static const struct option long_options[] = {
	{ "spec", required_argument, NULL, OPT_SPEC },
	{ "ac", required_argument, NULL, OPT_AC },
	{ "seed", required_argument, NULL, OPT_SEED },
	{ "horizon", required_argument, NULL, OPT_HORIZON },
	{ "timeline", no_argument, NULL, OPT_TIMELINE },
	{ "step", required_argument, NULL, OPT_STEP },
	{ "from", required_argument, NULL, OPT_FROM },
	{ "to", required_argument, NULL, OPT_TO },
	{ "budget", required_argument, NULL, OPT_BUDGET },
	{ "events", no_argument, NULL, OPT_EVENTS },
	{ "csv", no_argument, NULL, OPT_CSV },
	{ "json", no_argument, NULL, OPT_JSON },
	{ "quiet", no_argument, NULL, OPT_QUIET },
	{ "monitor", no_argument, NULL, OPT_MONITOR },
	{ "random", required_argument, NULL, OPT_RANDOM },
	{ "help", no_argument, NULL, OPT_HELP },
	{ "version", no_argument, NULL, OPT_VERSION },
	{ 0 },
};

/* Returns -1 to go on, or an exit status. */
static int take_option(struct options *o, int c)
{
	bool ok = true;

	switch (c) {
	case OPT_SPEC:
		o->files.spec = optarg;
		break;
	case OPT_AC:
		o->files.ac = optarg;
		break;
	case OPT_SEED:
		ok = o->has_seed = read_number(optarg, &o->seed);
		break;
	case OPT_HORIZON:
		ok = o->has_horizon = read_time(optarg, &o->horizon_ns) &&
				      o->horizon_ns;
		break;
	case OPT_TIMELINE:
		o->timeline = true;
		break;
	case OPT_STEP:
		ok = read_time(optarg, &o->step_ns) && o->step_ns;
		break;
	case OPT_FROM:
		ok = read_time(optarg, &o->from_ns);
		break;
	case OPT_TO:
		ok = o->has_to = read_time(optarg, &o->to_ns);
		break;
	case OPT_BUDGET:
		o->budget = optarg;
		break;
	case OPT_EVENTS:
		o->events = true;
		break;
	case OPT_CSV:
		o->format = FORMAT_CSV;
		break;
	case OPT_JSON:
		o->format = FORMAT_JSON;
		break;
	case OPT_QUIET:
		o->quiet = true;
		break;
	case OPT_MONITOR:
		o->monitor = true;
		break;
	case OPT_RANDOM:
		ok = read_number(optarg, &o->random) && o->random;
		break;
	case OPT_HELP:
		fputs(help_text, stdout);
		return EXIT_OK;
	case OPT_VERSION:
		puts("tgsim " TGSIM_VERSION);
		return EXIT_OK;
	default:
		fputs("Try 'tgsim --help'.\n", stderr);
		return EXIT_USAGE;
	}
	return ok ? -1 : usage("this value is none, or out of range", optarg);
}

static int read_options(struct options *o, int argc, char **argv)
{
	int c, ret = -1;

	while (ret < 0 && (c = getopt_long(argc, argv, "", long_options, NULL)) != -1)
		ret = take_option(o, c);
	if (ret >= 0)
		return ret;
	if (o->random) {
		if (optind < argc)
			return usage("--random makes its own scenarios", argv[optind]);
		return -1;
	}
	if (optind == argc)
		return usage("no scenario given", NULL);
	if (optind + 1 < argc)
		return usage("more than one scenario given", argv[optind + 1]);
	o->files.scenario = argv[optind];
	return -1;
}

static int set_timeline(struct timeline *t, const struct options *o,
			const struct scenario *sc)
{
	u64 columns;

	t->from_ns = o->from_ns;
	t->to_ns = o->has_to ? o->to_ns : sc->horizon_ns;
	if (t->to_ns <= t->from_ns)
		return usage("--to is not after --from", NULL);
	t->step_ns = o->step_ns ? o->step_ns :
		     (t->to_ns - t->from_ns + 99) / 100;
	columns = (t->to_ns - t->from_ns + t->step_ns - 1) / t->step_ns;
	if (columns > COLUMNS_MAX ||
	    columns * sim_count_instances(sc) > 20 * COLUMNS_MAX)
		return usage("the timeline is too large: use --from, --to or --step",
			     NULL);
	t->columns = columns;
	return -1;
}

static void report(const struct options *o, const struct sim *s,
		   const struct stats *st)
{
	if (o->format == FORMAT_CSV)
		report_csv(s, st, stdout);
	else if (o->format == FORMAT_JSON)
		report_json(s, st, stdout);
	else
		report_text(s, st, stdout);
}

static FILE *open_budget(const char *name)
{
	FILE *f = strcmp(name, "-") ? fopen(name, "w") : stdout;

	if (!f)
		fprintf(stderr, "tgsim: %s: %s\n", name, strerror(errno));
	return f;
}

static int close_outputs(FILE *budget)
{
	bool bad = budget && (ferror(budget) ||
			      (budget != stdout && fclose(budget)));

	if (fflush(stdout) || ferror(stdout) || bad) {
		fprintf(stderr, "tgsim: cannot write: %s\n", strerror(errno));
		return EXIT_SYSTEM;
	}
	return EXIT_OK;
}

static int simulate(const struct options *o, const struct scenario *sc)
{
	struct timeline timeline = { 0 };
	struct budgets budgets = { .format = o->format };
	struct monitor *monitor = NULL;
	struct stats stats = { 0 };
	struct sim sim;
	int ret = EXIT_OK;

	if (o->timeline) {
		ret = set_timeline(&timeline, o, sc);
		if (ret >= 0)
			return ret;
		ret = EXIT_OK;
	}
	if (o->budget) {
		budgets.out = open_budget(o->budget);
		if (!budgets.out)
			return EXIT_SYSTEM;
	}
	sim_init(&sim, sc);
	sim.progress = !o->quiet && isatty(STDERR_FILENO) && !o->events;
	if (o->monitor)
		monitor = monitor_observe(&sim);
	stats_init(&stats, &sim);
	if (o->timeline)
		timeline_observe(&timeline, &sim);
	if (budgets.out)
		budgets_observe(&budgets, &sim);
	if (o->events)
		events_observe(&sim, stdout);
	sim_run(&sim);
	if (monitor && monitor_violation(monitor)) {
		fprintf(stderr, "tgsim: %s\n", monitor_violation(monitor));
		ret = EXIT_VIOLATED;
	}
	if (o->timeline)
		timeline_show(&timeline, &sim, stdout);
	if (!o->quiet)
		report(o, &sim, &stats);
	timeline_fini(&timeline);
	budgets_fini(&budgets);
	stats_fini(&stats);
	monitor_free(monitor);
	if (sim.stuck)
		ret = EXIT_VIOLATED;
	sim_fini(&sim);
	return close_outputs(budgets.out) ? EXIT_SYSTEM : ret;
}

int main(int argc, char **argv)
{
	struct options o = { 0 };
	struct scenario sc;
	int ret = read_options(&o, argc, argv);

	if (ret >= 0)
		return ret;
	if (o.random)
		return campaign_run(o.random, o.has_seed ? o.seed : 1, o.quiet);
	ret = scenario_load(&sc, &o.files);
	if (ret)
		return ret == -EIO ? EXIT_SYSTEM : EXIT_INPUT;
	if (o.has_seed)
		sc.seed = o.seed;
	if (o.has_horizon)
		sc.horizon_ns = o.horizon_ns;
	ret = simulate(&o, &sc);
	scenario_free(&sc);
	return ret;
}
