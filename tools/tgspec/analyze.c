// SPDX-License-Identifier: GPL-2.0-or-later
/* tgspec analyze: worst-case response times of the reserves. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "study.h"

struct analysis {
	const struct input *in;
	const struct model *m;
	const struct model_lengths *lengths;
	struct rta_result *res;
};

static const char *const verdict_name[] = {
	[RTA_MET] = "met",
	[RTA_IN_STEP] = "in step only",
	[RTA_LATE] = "not met",
	[RTA_UNBOUNDED] = "unbounded",
};

static bool is_met(const struct analysis *a, u32 i)
{
	return a->res[i].verdict == RTA_MET && !a->in->rs.r[i].core.demoted;
}

/* Three digits are enough to compare by eye; JSON has them all. */
static const char *ms(char *out, u64 ns)
{
	if (!ns)
		return "-";
	snprintf(out, SPEC_TIME_BYTES, "%.3f", ns / 1e6);
	return out;
}

static void print_rows(const struct analysis *a)
{
	int width = strlen("reserve");

	for (u32 i = 0; i < a->in->rs.n; i++)
		if ((int)strlen(a->in->rs.r[i].label) > width)
			width = strlen(a->in->rs.r[i].label);
	printf("%-*s prio %10s %10s %10s %10s %10s %10s  verdict (ms)\n", width, "reserve",
	       "C", "T", "group", "blocked", "in step", "any time");
	for (u32 i = 0; i < a->in->rs.n; i++) {
		const struct resv *r = &a->in->rs.r[i];
		const struct rta_result *res = &a->res[i];
		char t[6][SPEC_TIME_BYTES];

		printf("%-*s %4u %10s %10s %10s %10s %10s %10s  %s\n", width, r->label,
		       r->low / 2, ms(t[0], r->capacity_ns), ms(t[1], r->period_ns),
		       ms(t[2], a->m->task[i].group), ms(t[3], res->blocking),
		       ms(t[4], res->in_step), ms(t[5], res->any_time),
		       r->core.demoted ? "not admitted" : verdict_name[res->verdict]);
	}
}

static void explain_unbounded(const struct analysis *a, const struct resv *r,
			      const struct rta_result *res)
{
	int entry = a->m->free_entry[res->culprit];
	const struct tg_spec_entry *e;

	if (entry < 0) {
		printf("%s: priority 0 is that of every program without an entry: give it at least 1\n",
		       r->label);
		return;
	}
	e = &a->in->spec.entry[entry];
	printf("%s: \"%s\" (line %u) runs at priority %u or above and no reserve of its own limits it:\n"
	       "  give it one (PRT with PE or AE), or a priority below %u\n", r->label,
	       e->name, e->line, r->low / 2, r->low / 2);
}

static void explain_failure(const struct analysis *a, u32 i)
{
	const struct resv *r = &a->in->rs.r[i];
	const struct rta_result *res = &a->res[i];

	if (r->core.demoted) {
		printf("%s: does not fit the admission limit of %u %%: it becomes a background task\n",
		       r->label, a->in->limit.percent);
		return;
	}
	switch (res->verdict) {
	case RTA_UNBOUNDED:
		explain_unbounded(a, r, res);
		break;
	case RTA_IN_STEP:
		printf("%s: work that comes as its budget is replenished is done within T; work that comes\n"
		       "  at another time may find the budget used up, and then be late\n", r->label);
		break;
	default:
		if (!a->m->task[i].work)
			printf("%s: AE promises C less one group, and groups are taken to be as long as C:\n"
			       "  say how long they are: --group %s=TIME\n", r->label, r->label);
		else
			printf("%s: its work may take longer than T: blocking and the reserves that go first\n"
			       "  leave it too little time\n", r->label);
	}
}

static void print_text(const struct analysis *a)
{
	char t[SPEC_TIME_BYTES];
	u32 met = 0;

	if (!a->in->rs.n) {
		printf("%s: no entry has a reserve that is enforced\n",
		       source_name(&a->in->spec.src));
		return;
	}
	print_rows(a);
	for (u32 i = 0; i < a->in->rs.n; i++) {
		met += is_met(a, i);
		if (!is_met(a, i))
			explain_failure(a, i);
	}
	printf("%u of %u reserves can be met, if no command group of theirs is longer than shown,\n",
	       met, a->in->rs.n);
	if (a->lengths->blocking_given)
		printf("none of a program without a reserve is longer than %s where nothing else is given,\n",
		       a->lengths->blocking_ns ?
		       spec_time_text(t, a->lengths->blocking_ns) : "nothing");
	else
		puts("programs without a reserve leave the GPU alone (not given: --blocking TIME),");
	if (a->lengths->idle_given)
		printf("the GPU idles for no more than %s around each group,\n",
		       a->lengths->idle_ns ? spec_time_text(t, a->lengths->idle_ns) : "nothing");
	else
		puts("no time passes from one group to the next (not given: --idle TIME),");
	if (a->lengths->lead_ns)
		printf("the module's lead is %s,\n", spec_time_text(t, a->lengths->lead_ns));
	if (model_floor_ns(a->lengths))
		printf("its floor is %u %% of %s,\n", a->lengths->floor,
		       spec_time_text(t, a->lengths->floor_period_ns));
	puts("and each line is for one process at a time.");
}

static void print_json(const struct analysis *a)
{
	struct json j = { .out = stdout };

	json_open(&j, NULL, '{');
	json_string(&j, "file", source_name(&a->in->spec.src));
	json_uint(&j, "limit_percent", a->in->limit.percent);
	json_uint(&j, "blocking_ns", a->lengths->blocking_ns);
	json_bool(&j, "blocking_given", a->lengths->blocking_given);
	json_uint(&j, "ht_depth", a->lengths->ht_depth);
	json_uint(&j, "lead_ns", a->lengths->lead_ns);
	json_uint(&j, "floor_capacity_ns", model_floor_ns(a->lengths));
	json_uint(&j, "floor_period_ns", a->lengths->floor_period_ns);
	json_uint(&j, "idle_ns", a->lengths->idle_ns);
	json_open(&j, "reserves", '[');
	for (u32 i = 0; i < a->in->rs.n; i++) {
		const struct resv *r = &a->in->rs.r[i];
		const struct rta_result *res = &a->res[i];

		json_open(&j, NULL, '{');
		json_string(&j, "name", r->label);
		json_bool(&j, "shared", r->shared);
		json_uint(&j, "line", a->in->spec.entry[r->first].line);
		json_string(&j, "resv", tg_spec_resv_name(r->kind));
		json_uint(&j, "level", r->low);
		json_uint(&j, "capacity_ns", r->capacity_ns);
		json_uint(&j, "period_ns", r->period_ns);
		json_uint(&j, "work_ns", a->m->task[i].work);
		json_uint(&j, "group_ns", a->m->task[i].group);
		json_uint(&j, "shortest_ns", a->m->task[i].shortest);
		json_uint(&j, "blocking_ns", res->blocking);
		json_bool(&j, "admitted", !r->core.demoted);
		if (res->in_step)
			json_uint(&j, "in_step_ns", res->in_step);
		else
			json_null(&j, "in_step_ns");
		if (res->any_time)
			json_uint(&j, "any_time_ns", res->any_time);
		else
			json_null(&j, "any_time_ns");
		json_string(&j, "verdict", verdict_name[res->verdict]);
		json_bool(&j, "met", is_met(a, i));
		json_close(&j, '}');
	}
	json_close(&j, ']');
	json_close(&j, '}');
}

static int analyze(struct study *s)
{
	struct analysis a = { .in = &s->in, .m = &s->m, .lengths = &s->lengths };
	int ret = TGSPEC_OK;

	a.res = mem_zero(s->in.rs.n, sizeof(*a.res));
	for (u32 i = 0; i < s->in.rs.n; i++) {
		rta_analyze(&s->m.set, i, &a.res[i]);
		if (!is_met(&a, i))
			ret = TGSPEC_REFUSED;
	}
	if (s->json)
		print_json(&a);
	else
		print_text(&a);
	free(a.res);
	return ret;
}

static struct study study = STUDY_INIT;

static const struct cli_opt opts[] = {
	STUDY_OPTS(study),
	{ "json", cli_flag, &study.json, NULL, "the same as JSON; times in nanoseconds" },
	{ 0 }
};

static int run(const struct command *cmd, int n, char **args)
{
	int ret;

	study.spec = args[0];
	ret = study_open(&study, &cmd->cli);
	if (ret == TGSPEC_OK)
		ret = analyze(&study);
	study_close(&study);
	return ret;
}

const struct command tgspec_analyze = {
	.cli = {
		.who = "tgspec analyze",
		.about =
		"usage: tgspec analyze [OPTION]... [FILE]\n"
		"\n"
		"Bounds how long the work of each reserve takes, at most C (AE: C less one group)\n"
		"in any T, and says which cannot be done within T.  Command groups are not\n"
		"preemptive: give the longest ones, as measured.  A TIME is written as in FILE\n"
		"(" TGSPEC_SPEC_PATH ").\n"
		"\n",
		.opts = { opts },
		.column = 28,
		.max_args = 1,
		.args_wanted = "one file at a time",
		.notes =
		"\n"
		"\"in step\" bounds work that comes as the budget is replenished, \"any time\" all.\n"
		"Exit status: 0 all reserves can be met; 1 one cannot, or the kernel refuses the\n"
		"file; 2 wrong usage; 3 a file cannot be read.\n",
	},
	.summary = "worst-case response times of the reserves",
	.run = run,
};
