// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Random scenarios.  They are written as text and read like a user's, so one
 * that breaks a rule is left behind as a file to run again.
 */
#include <unistd.h>

#include "campaign.h"
#include "draw.h"
#include "mem.h"
#include "monitor.h"

#define MS 1000000ULL

static u64 one_of(struct rng *r, const u64 *v, u32 n)
{
	return v[rng_below(r, n)];
}

#define ONE_OF(r, ...) \
	one_of(r, (const u64[]){ __VA_ARGS__ }, \
	       sizeof((const u64[]){ __VA_ARGS__ }) / sizeof(u64))

static bool one_in(struct rng *r, u32 n)
{
	return !rng_below(r, n);
}

static void ns(FILE *f, const char *before, u64 v)
{
	fprintf(f, "%s%lluns", before, (unsigned long long)v);
}

/*
 * Whole parts of T, so that sums meet the limit exactly, or anything from a
 * hundredth, so that debts are paid within the patience of a check.
 */
static void reserve_times(struct rng *r, u64 *c, u64 *t)
{
	*t = one_in(r, 2) ? ONE_OF(r, 10, 20, 25, 40, 50) * MS :
			    rng_range(r, MS, 60 * MS);
	if (one_in(r, 2))
		*c = *t / ONE_OF(r, 2, 4, 5, 10, 20);
	else
		*c = rng_range(r, *t / 100, *t / (1 + rng_below(r, 8)));
}

static void spec_entry(FILE *f, struct rng *r, u32 task, u32 *shared)
{
	static const char *const sched[] = { "HT", "PRT", "PRT", "FQ" };
	const char *kind = one_in(r, 2) ? "PE" : "AE";
	u64 c = 0, t = 0;
	char resv[16];
	u32 group = 0;

	switch (rng_below(r, 8)) {
	case 0:
		return;		/* no entry: Background */
	case 1:
		snprintf(resv, sizeof(resv), "-");
		break;
	case 2:
		snprintf(resv, sizeof(resv), "BG");
		break;
	case 3:
	case 4:
		group = 1 + rng_below(r, 2);
		kind = group == 1 ? "PE" : "AE";
		snprintf(resv, sizeof(resv), "%s@%u", kind, group);
		if (!(*shared & 1u << group))
			reserve_times(r, &c, &t);
		*shared |= 1u << group;
		break;
	default:
		snprintf(resv, sizeof(resv), "%s", kind);
		reserve_times(r, &c, &t);
	}
	fprintf(f, "spec <t%u:%s", task, sched[rng_below(r, ARRAY_SIZE(sched))]);
	if (one_in(r, 3))
		ns(f, " lead=", ONE_OF(r, 0, MS, 10 * MS));
	fprintf(f, ":%s:", resv);
	if (one_in(r, 6))
		fputc('*', f);
	else
		fprintf(f, "%llu", (unsigned long long)ONE_OF(r, 0, 10, 50, 50, 90, 99));
	if (c)
		fprintf(f, ":%lluns:%lluns>\n", (unsigned long long)c,
			(unsigned long long)t);
	else
		fputs("::>\n", f);
}

static void cost_text(FILE *f, struct rng *r)
{
	u64 a = ONE_OF(r, 50000, 200000, 500000, 2 * MS, 5 * MS, 12 * MS);
	u64 b = a + rng_below(r, 8 * MS);

	switch (rng_below(r, 5)) {
	case 0:
		ns(f, "", a);
		break;
	case 1:
		ns(f, "uniform ", a);
		ns(f, " ", b);
		break;
	case 2:
	case 3:
		fputs(one_in(r, 2) ? "choice" : "cycle", f);
		for (u64 n = rng_range(r, 1, 4); n; n--)
			ns(f, " ", rng_range(r, a, b));
		break;
	default:
		ns(f, "lognormal ", a);
		fprintf(f, " %llu%%", (unsigned long long)rng_range(r, 1, 80));
	}
	fputc('\n', f);
}

/* @frames: after which a loop ends, 0: never.  Whether its frames come one after the other. */
static bool arrival_text(FILE *f, struct rng *r, u64 frames)
{
	u64 ahead = 0;

	fputs("\tarrive ", f);
	switch (rng_below(r, 5)) {
	case 0:
	case 1:
		fprintf(f, "loop groups=%llu", (unsigned long long)rng_range(r, 1, 4));
		ahead = rng_range(r, 1, 3);
		fprintf(f, " ahead=%llu", (unsigned long long)ahead);
		if (one_in(r, 2))
			ns(f, " think=", rng_below(r, 5 * MS));
		if (frames)
			fprintf(f, " frames=%llu", (unsigned long long)frames);
		break;
	case 2:
		ns(f, "periodic period=", ONE_OF(r, 8, 10, 16, 20, 25, 40) * MS);
		ns(f, " offset=", one_in(r, 2) ? 0 : rng_below(r, 20 * MS));
		ns(f, " jitter=", one_in(r, 2) ? 0 : rng_below(r, 5 * MS));
		fprintf(f, " groups=%llu",
			(unsigned long long)rng_range(r, 1, 3));
		break;
	case 3:
		ns(f, "sporadic gap=", rng_range(r, 2 * MS, 20 * MS));
		ns(f, " extra=", rng_below(r, 20 * MS));
		break;
	default:
		fputs("at", f);
		for (u64 i = 0, t = 0; i < 8; i++) {
			t += one_in(r, 3) ? 0 : ONE_OF(r, 1, 5, 10, 20) * MS;
			ns(f, " ", t);
		}
	}
	fputc('\n', f);
	return ahead == 1;
}

/* Up to three, the third of them within the first; returns their number. */
static u32 domains_text(FILE *f, struct rng *r)
{
	static const char *const policies[] = { "fq", "rr", "accc", "xc", "slaf", "augc",
						"cosched" };
	u32 n = rng_below(r, 4);

	if (!n)
		return 0;
	fprintf(f, "policy %s\n", policies[rng_below(r, ARRAY_SIZE(policies))]);
	ns(f, "tick ", ONE_OF(r, MS, 5 * MS, 30 * MS));
	fputc('\n', f);
	if (one_in(r, 2)) {
		fprintf(f, "cpu %llu", (unsigned long long)rng_range(r, 1, 2));
		ns(f, " slice ", ONE_OF(r, 1, 7, 30) * MS);
		fputc('\n', f);
	}
	for (u32 i = 0; i < n; i++) {
		u64 c, t;

		fprintf(f, "domain d%u weight %llu cpu %llu", i,
			(unsigned long long)ONE_OF(r, 1, 50, 100, 300, 10000),
			(unsigned long long)ONE_OF(r, 20, 100, 400));
		if (one_in(r, 3))
			fprintf(f, " target %llu%%", (unsigned long long)rng_below(r, 101));
		if (one_in(r, 2)) {
			reserve_times(r, &c, &t);
			ns(f, " quota ", c);
			ns(f, " ", t);
		}
		fputs(i == 2 ? " in d0\n" : "\n", f);
	}
	return n;
}

/* Whether the card has any. */
static bool memory_text(FILE *f, struct rng *r)
{
	static const char *const policies[] = { "fifo", "mmu", "prio-fifo", "prio-mmu", "none" };

	if (!one_in(r, 3))
		return false;
	fprintf(f, "memory 256M policy %s margin 16M", policies[rng_below(r, ARRAY_SIZE(policies))]);
	if (one_in(r, 2))
		ns(f, " aging ", ONE_OF(r, 5, 20, 100) * MS);
	fputc('\n', f);
	return true;
}

/* Some of them more than the card has. */
static void task_memory_text(FILE *f, struct rng *r, bool in_turn)
{
	u64 mb = rng_range(r, 1, ONE_OF(r, 60, 150, 260));

	fprintf(f, "\tmemory %lluM", (unsigned long long)mb);
	if (one_in(r, 2))
		fprintf(f, " uses %lluM", (unsigned long long)rng_range(r, 1, mb));
	if (one_in(r, 3) && in_turn)
		fputs(" each frame", f);
	fputc('\n', f);
}

static bool task_text(FILE *f, struct rng *r, u32 task, u64 horizon_ns, u64 frames)
{
	bool in_turn;
	u64 from = one_in(r, 3) ? rng_below(r, horizon_ns) : 0;

	fprintf(f, "task t%u\n", task);
	in_turn = arrival_text(f, r, frames);
	if (one_in(r, 2)) {
		fputs("\tcost ", f);
		cost_text(f, r);
	} else {
		for (u64 i = rng_range(r, 1, 3); i; i--) {
			fprintf(f, "\tkind k%llu weight=%llu ",
				(unsigned long long)i,
				(unsigned long long)rng_range(r, 1, 3));
			cost_text(f, r);
		}
		fprintf(f, "\tpick %s\n", one_in(r, 2) ? "cycle" : "random");
	}
	if (one_in(r, 3))
		fprintf(f, "\tnoise %llu%%\n",
			(unsigned long long)rng_range(r, 1, 30));
	ns(f, "\tfrom ", from);
	fputc('\n', f);
	if (one_in(r, 3)) {
		ns(f, "\tuntil ", rng_range(r, from + 1, from + horizon_ns));
		fputc('\n', f);
	}
	if (one_in(r, 3)) {
		fprintf(f, "\tinstances %llu",
			(unsigned long long)rng_range(r, 2, 4));
		ns(f, " stagger=", one_in(r, 2) ? 0 : rng_below(r, 20 * MS));
		fputc('\n', f);
	}
	fprintf(f, "\tthreads %llu\n",
		(unsigned long long)ONE_OF(r, 1, 1, 2, 4));
	return in_turn;
}

static void gpu_text(FILE *f, struct rng *r)
{
	static const char *const names[] = { "switch", "dispatch", "submit",
					     "irq" };

	fputs("gpu", f);
	for (u32 i = 0; i < ARRAY_SIZE(names); i++) {
		if (one_in(r, 2))
			continue;
		fprintf(f, " %s", names[i]);
		ns(f, "=", rng_below(r, 100000));
	}
	fputc('\n', f);
}

static void run_text(FILE *f, struct rng *r, u32 tasks, u64 horizon_ns)
{
	ns(f, "horizon ", horizon_ns);
	/* Long enough for every debt to be paid. */
	fputs("\ndrain 1000000s\n", f);
	fprintf(f, "seed %llu\n", (unsigned long long)rng_below(r, 1u << 30));
	gpu_text(f, r);
	fprintf(f, "limit %llu\n",
		(unsigned long long)ONE_OF(r, 100, 100, 100, 80, 50, 20, 0));
	if (one_in(r, 3))
		fprintf(f, "limit %llu at %llums\n",
			(unsigned long long)ONE_OF(r, 100, 70, 40),
			(unsigned long long)rng_below(r, horizon_ns / MS));
	if (one_in(r, 2)) {
		u64 c, t;

		reserve_times(r, &c, &t);
		ns(f, "background ", c);
		ns(f, " ", t);
		fputc('\n', f);
	}
	fprintf(f, "ht-depth %llu\nhistory %llu\nclock %s\n",
		(unsigned long long)ONE_OF(r, 1, 2, 16),
		(unsigned long long)ONE_OF(r, 1, 2, 100),
		one_in(r, 4) ? "cpu" : "gpu");
	ns(f, "lead ", ONE_OF(r, 0, MS / 2, MS, 5 * MS, 30 * MS));
	fprintf(f, "\nfloor %llu %llums\n", (unsigned long long)ONE_OF(r, 0, 3, 10, 50),
		(unsigned long long)ONE_OF(r, 5, 20, 100));
	if (one_in(r, 3))
		fputs("predict perfect\n", f);
	else
		fprintf(f, "predict history unknown %llu%%\n",
			(unsigned long long)ONE_OF(r, 0, 1, 10));
	for (u64 i = rng_below(r, 3); i; i--)
		fprintf(f, "focus t%llu at %lluns\n",
			(unsigned long long)rng_below(r, tasks),
			(unsigned long long)rng_below(r, horizon_ns));
}

static char *scenario_text(u64 seed, u64 number)
{
	struct rng r, of_domains, of_memory;
	u32 tasks, domains, shared = 0;
	bool memory;
	u64 horizon_ns;
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	if (!f)
		exit(EXIT_SYSTEM);
	rng_seed(&r, seed, number, 0);
	/* What is in no domain stays as it is, whatever is drawn for those. */
	rng_seed(&of_domains, seed, number, 1);
	rng_seed(&of_memory, seed, number, 2);
	tasks = rng_range(&r, 1, 6);
	horizon_ns = rng_range(&r, 50 * MS, 400 * MS);
	fprintf(f, "# tgsim --random, seed %llu, scenario %llu\n",
		(unsigned long long)seed, (unsigned long long)number);
	run_text(f, &r, tasks, horizon_ns);
	for (u32 i = 0; i < tasks; i++)
		spec_entry(f, &r, i, &shared);
	domains = domains_text(f, &of_domains);
	memory = memory_text(f, &of_memory);
	for (u32 i = 0; i < tasks; i++) {
		bool job = memory && !one_in(&of_memory, 4), in_turn;

		in_turn = task_text(f, &r, i, horizon_ns, job ? rng_range(&of_memory, 1, 9) : 0);
		if (domains && !one_in(&of_domains, 4))
			fprintf(f, "\tdomain d%llu\n",
				(unsigned long long)rng_below(&of_domains, domains));
		if (job)
			task_memory_text(f, &of_memory, in_turn);
	}
	if (fclose(f))
		exit(EXIT_SYSTEM);
	return text;
}

static void leave_behind(u64 seed, u64 number, const char *text)
{
	char name[80];
	FILE *f;

	snprintf(name, sizeof(name), "tgsim-%llu-%llu.tgsim",
		 (unsigned long long)seed, (unsigned long long)number);
	f = fopen(name, "w");
	if (f && fputs(text, f) >= 0 && !fclose(f))
		fprintf(stderr, "tgsim: left behind as %s: tgsim --monitor %s\n",
			name, name);
}

static void add_counts(struct monitor_counts *sum,
		       const struct monitor_counts *c)
{
	sum->grants += c->grants;
	sum->throttles += c->throttles;
	sum->refusals += c->refusals;
	sum->completions += c->completions;
	sum->replenishments += c->replenishments;
	sum->demotions += c->demotions;
	sum->admissions += c->admissions;
	sum->idle_checks += c->idle_checks;
	sum->windows += c->windows;
	sum->leads += c->leads;
	sum->lifts += c->lifts;
	sum->rooms += c->rooms;
}

/* Returns an exit status. */
static int run_one(u64 seed, u64 number, struct monitor_counts *sum)
{
	char *text = scenario_text(seed, number);
	const struct scenario_files files = { .scenario = "random",
					      .text = text };
	struct monitor *m;
	struct scenario sc;
	struct sim sim;
	int ret = EXIT_OK;

	if (scenario_load(&sc, &files)) {
		fprintf(stderr, "tgsim: scenario %llu of seed %llu cannot be read\n",
			(unsigned long long)number, (unsigned long long)seed);
		free(text);
		return EXIT_INPUT;
	}
	sim_init(&sim, &sc);
	m = monitor_observe(&sim);
	sim_run(&sim);
	add_counts(sum, monitor_counts(m));
	if (monitor_violation(m)) {
		fprintf(stderr, "tgsim: scenario %llu of seed %llu: %s\n",
			(unsigned long long)number, (unsigned long long)seed,
			monitor_violation(m));
		leave_behind(seed, number, text);
		ret = EXIT_VIOLATED;
	}
	monitor_free(m);
	sim_fini(&sim);
	scenario_free(&sc);
	free(text);
	return ret;
}

static void show_counts(u64 n, u64 seed, const struct monitor_counts *c)
{
	printf("%llu scenarios, seed %llu: no rule broken\n"
	       "%llu groups granted and %llu completed, %llu held back for a budget,\n"
	       "%llu refused after validation, %llu replenishments, %llu supply windows,\n"
	       "%llu reserves admitted and %llu demoted, %llu looks at an idle GPU,\n"
	       "%llu groups ahead by the lead, %llu by the floor, %llu waits for memory\n",
	       (unsigned long long)n, (unsigned long long)seed,
	       (unsigned long long)c->grants, (unsigned long long)c->completions,
	       (unsigned long long)c->throttles,
	       (unsigned long long)c->refusals,
	       (unsigned long long)c->replenishments,
	       (unsigned long long)c->windows,
	       (unsigned long long)c->admissions,
	       (unsigned long long)c->demotions,
	       (unsigned long long)c->idle_checks,
	       (unsigned long long)c->leads, (unsigned long long)c->lifts,
	       (unsigned long long)c->rooms);
}

int campaign_run(u64 n, u64 seed, bool quiet)
{
	struct monitor_counts sum = { 0 };
	bool progress = !quiet && isatty(STDERR_FILENO);
	int ret = EXIT_OK;

	for (u64 i = 0; i < n && ret == EXIT_OK; i++) {
		ret = run_one(seed, i, &sum);
		if (progress && !(i & 63))
			fprintf(stderr, "\r%llu of %llu",
				(unsigned long long)i, (unsigned long long)n);
	}
	if (progress)
		fputs("\r\033[K", stderr);
	if (ret == EXIT_OK && !quiet)
		show_counts(n, seed, &sum);
	return ret;
}
