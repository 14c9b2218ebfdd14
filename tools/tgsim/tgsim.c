// SPDX-License-Identifier: GPL-2.0-or-later
/* tgsim: what a specification does, before it is installed.  See tgsim(1). */
#include <getopt.h>
#include <unistd.h>

#include "campaign.h"
#include "cli.h"
#include "mem.h"
#include "native.h"
#include "monitor.h"
#include "output.h"
#include "replay.h"
#include "show.h"

#define COLUMNS_MAX 100000u
#define NOT_GIVEN UINT64_MAX

/* Times and numbers that were not given are 0, or as here. */
static struct options {
	struct scenario_files files;
	enum format format;
	const char *budget;
	const char *policy;
	bool events, timeline, quiet, monitor;
	u64 step_ns, from_ns, to_ns;
	u64 seed, horizon_ns;
	u64 random;
	const char *replay;
	u64 lead_ns, history;
} options = { .to_ns = NOT_GIVEN, .seed = NOT_GIVEN, .lead_ns = NOT_GIVEN };

static bool take_time(const struct cli_opt *opt, const char *value, struct cli_error *err)
{
	u64 ns;
	size_t n = parse_time(value, &ns);

	if (!n || value[n] || ns < opt->min)
		return false;
	*(u64 *)opt->dst = ns;
	return true;
}

/* The last one given is it. */
static bool take_format(const struct cli_opt *opt, const char *value, struct cli_error *err)
{
	*(enum format *)opt->dst = opt->min;
	return true;
}

static const char bad_time[] = "give a time, for example 250ms";
static const char bad_number[] = "give a number";

static const struct cli_opt opts[] = {
	{ .help = "What to simulate" },
	{ "spec", cli_text, &options.files.spec, "FILE",
	  "this specification, in place of the scenario's" },
	{ "ac", cli_text, &options.files.ac, "FILE",
	  "this admission limit, in place of the scenario's" },
	{ "seed", cli_uint, &options.seed, "N", "another seed of the random numbers",
	  .wants = bad_number, .max = NOT_GIVEN - 1 },
	{ "horizon", take_time, &options.horizon_ns, "TIME", "how long to simulate: 10s, 250ms",
	  .wants = bad_time, .min = 1 },
	{ "policy", cli_text, &options.policy, "FILE",
	  "a policy of tools/tgpolicy in FQ's place, as a shared object" },
	{ "lead", take_time, &options.lead_ns, "TIME",
	  "another lead, as the module's lead_us",
	  .wants = "give a time up to 100ms" },
	{ .help = "What to show" },
	{ "timeline", cli_flag, &options.timeline, NULL,
	  "who had the GPU, who waited, who was out of budget" },
	{ "step", take_time, &options.step_ns, "TIME",
	  "one column of it (default: 100 columns in all)", .wants = bad_time, .min = 1 },
	{ "from", take_time, &options.from_ns, "TIME", "where it begins", .wants = bad_time },
	{ "to", take_time, &options.to_ns, "TIME", "where it ends", .wants = bad_time },
	{ "budget", cli_text, &options.budget, "FILE",
	  "every change of every budget; - for standard output" },
	{ "events", cli_flag, &options.events, NULL, "everything that happens" },
	{ "csv", take_format, &options.format, NULL, "the report for programs, times in ns",
	  .min = FORMAT_CSV },
	{ "json", take_format, &options.format, NULL, "the same as JSON", .min = FORMAT_JSON },
	{ "quiet", cli_flag, &options.quiet, NULL, "no report and no progress" },
	{ .help = "Checks" },
	{ "monitor", cli_flag, &options.monitor, NULL,
	  "check each step against the paper's rules" },
	{ "random", cli_uint, &options.random, "N", "do so with N random scenarios",
	  .wants = "give a number above 0", .min = 1, .max = NOT_GIVEN },
	{ .help = "Predictors" },
	{ "replay", cli_text, &options.replay, "TRACE",
	  "their errors on a trace that tgctl trace recorded" },
	{ "history", cli_uint, &options.history, "N", "with a table of N records (100)",
	  .wants = "give 1 to 4096", .min = 1, .max = TG_HISTORY_MAX },
	{ .help = "About tgsim" },
	{ "help", NULL, NULL, NULL, "this" },
	{ "version", NULL, NULL, NULL, "the version" },
	{ 0 }
};

static const struct cli cli = {
	.who = "tgsim",
	.version = "tgsim " TGSIM_VERSION,
	.about =
	"usage: tgsim [OPTION]... SCENARIO\n"
	"       tgsim --random N [--seed S]\n"
	"       tgsim --replay TRACE [--lead TIME] [--history N] [--csv|--json]\n"
	"\n"
	"Simulates GPU programs under timegraph's scheduler and its reserves: the very\n"
	"code of the kernel module, in virtual time. SCENARIO is a file, - for stdin;\n"
	"tgsim(1) describes it, and examples come with the program.\n"
	"\n",
	.opts = { opts },
	.notes =
	"\n"
	"Exit status: 0 done, 1 wrong input, 2 usage, 3 a rule was broken, 4 system.\n",
};

static int set_timeline(struct timeline *t, const struct options *o,
			const struct scenario *sc)
{
	u64 columns;

	t->from_ns = o->from_ns;
	t->to_ns = o->to_ns != NOT_GIVEN ? o->to_ns : sc->horizon_ns;
	if (t->to_ns <= t->from_ns)
		return cli_usage(&cli, "--to is not after --from");
	t->step_ns = o->step_ns ? o->step_ns :
		     (t->to_ns - t->from_ns + 99) / 100;
	columns = (t->to_ns - t->from_ns + t->step_ns - 1) / t->step_ns;
	if (columns > COLUMNS_MAX ||
	    columns * sim_count_instances(sc) > 20 * COLUMNS_MAX)
		return cli_usage(&cli, "the timeline is too large: use --from, --to or --step");
	t->columns = columns;
	return -1;
}

static bool budget_is_shown(const struct options *o)
{
	return o->budget && !strcmp(o->budget, "-");
}

static void report(const struct options *o, const struct sim *s,
		   const struct stats *st)
{
	switch (o->format) {
	case FORMAT_CSV:
		report_csv(s, st, stdout);
		break;
	case FORMAT_JSON:
		/* Beside others each object has a line. */
		report_json(s, st, o->events || budget_is_shown(o), stdout);
		break;
	default:
		report_text(s, st, stdout);
	}
}

static FILE *open_budget(const char *name)
{
	FILE *f = strcmp(name, "-") ? fopen(name, "w") : stdout;

	if (!f)
		fprintf(stderr, "tgsim: %s: %s\n", name, strerror(errno));
	return f;
}

/* Standard output is looked at last of all. */
static int close_budget(FILE *f)
{
	bool bad;

	if (!f || f == stdout)
		return EXIT_OK;
	bad = ferror(f);
	if (!fclose(f) && !bad)
		return EXIT_OK;
	fprintf(stderr, "tgsim: cannot write: %s\n", strerror(errno));
	return EXIT_SYSTEM;
}

static int simulate(const struct options *o, const struct scenario *sc)
{
	struct timeline timeline = { 0 };
	struct budgets budgets = { .format = o->format };
	struct events events = { .out = stdout, .format = o->format };
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
		events_observe(&events, &sim);
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
	return close_budget(budgets.out) ? EXIT_SYSTEM : ret;
}

static int run_scenario(const struct options *o)
{
	struct scenario sc;
	int ret = scenario_load(&sc, &o->files);

	if (ret)
		return ret == -EIO ? EXIT_SYSTEM : EXIT_INPUT;
	if (o->seed != NOT_GIVEN)
		sc.seed = o->seed;
	if (o->horizon_ns)
		sc.horizon_ns = o->horizon_ns;
	if (o->lead_ns != NOT_GIVEN)
		sc.lead_ns = o->lead_ns;
	ret = simulate(o, &sc);
	scenario_free(&sc);
	return ret;
}

static int replay_trace(const struct options *o)
{
	struct replay r = {
		.lead_ns = o->lead_ns != NOT_GIVEN ? o->lead_ns : 1000000,
		.nr_records = o->history ? o->history : TG_HISTORY_DEFAULT,
	};
	int ret = replay_read(&r, o->replay);

	if (!ret) {
		replay_run(&r);
		replay_show(&r, o->format, stdout);
	}
	replay_fini(&r);
	return !ret ? EXIT_OK : ret == -EIO ? EXIT_SYSTEM : EXIT_INPUT;
}

/* What a replay has nothing of. */
static bool simulates(const struct options *o)
{
	return o->files.spec || o->files.ac || o->budget || o->events || o->timeline ||
	       o->monitor || o->random || o->horizon_ns || o->seed != NOT_GIVEN;
}

static int run_replay(const struct options *o, int argc, char **argv)
{
	if (argc)
		return cli_usage(&cli, "--replay takes a trace, and no scenario: %s", argv[0]);
	if (simulates(o))
		return cli_usage(&cli,
				 "--replay goes with --lead, --history, --csv and --json alone");
	return replay_trace(o);
}

static int load_policy_of(const struct options *o)
{
	const char *wrong = o->policy ? native_load(o->policy, sim_task_name) : NULL;

	if (!wrong)
		return EXIT_OK;
	fprintf(stderr, "tgsim: %s: %s\n", o->policy, wrong);
	return EXIT_SYSTEM;
}

static int run(int argc, char **argv)
{
	int ret = cli_parse(&cli, argc, argv);

	if (ret != CLI_GO_ON)
		return ret;
	argc -= optind;
	argv += optind;
	if (options.replay)
		return run_replay(&options, argc, argv);
	if (options.history)
		return cli_usage(&cli, "--history is for --replay");
	if (options.lead_ns != NOT_GIVEN && options.lead_ns > SCENARIO_LEAD_MAX_NS)
		return cli_usage(&cli, "--lead: give a time up to 100ms");
	if (options.lead_ns != NOT_GIVEN && options.random)
		return cli_usage(&cli, "--random makes its own scenarios: no --lead");
	if (options.random && argc)
		return cli_usage(&cli, "--random makes its own scenarios: %s", argv[0]);
	if (options.random)
		return campaign_run(options.random,
				    options.seed != NOT_GIVEN ? options.seed : 1, options.quiet);
	if (options.events && options.format == FORMAT_CSV && budget_is_shown(&options))
		return cli_usage(&cli, "--events and --budget - are two tables: give --budget a file");
	if (options.timeline && options.format != FORMAT_TEXT)
		return cli_usage(&cli, "--timeline is a drawing: it is neither --csv nor --json");
	if (!argc)
		return cli_usage(&cli, "no scenario given");
	if (argc > 1)
		return cli_usage(&cli, "more than one scenario given: %s", argv[1]);
	options.files.scenario = argv[0];
	return load_policy_of(&options) ?: run_scenario(&options);
}

int main(int argc, char **argv)
{
	return output_end("tgsim", run(argc, argv), EXIT_SYSTEM);
}
