// SPDX-License-Identifier: GPL-2.0-or-later
/* The errors of predictors, as a table, CSV or JSON. */
#include "excerpt.h"
#include "json.h"
#include "replay.h"

static const char *row_name(u32 row)
{
	return row == REPLAY_RECORDED ? "recorded" : tg_predictors[row].name;
}

static u64 mean(u64 sum, const struct replay_errors *e)
{
	return e->nr ? sum / e->nr : 0;
}

static double percent(u64 n, const struct replay_errors *e)
{
	return e->nr ? 100.0 * (double)n / (double)e->nr : 0;
}

static u64 late_of(const struct replay_errors *e)
{
	return e->late_ns;
}

static u64 error_of(const struct replay_errors *e)
{
	return e->late_ns + e->early_ns;
}

static u64 gaps_of(const struct replay_errors *e)
{
	return e->nr_gaps;
}

/* Of the predictors, not of what was recorded; the first of equals. */
static const char *least(const struct replay *r, u64 (*of)(const struct replay_errors *e))
{
	u32 best = REPLAY_RECORDED;

	for (u32 i = 0; i < TG_NR_PREDICTORS; i++)
		if (replay_has(r, i) &&
		    (best == REPLAY_RECORDED || of(&r->all.errors[i]) < of(&r->all.errors[best])))
			best = i;
	return row_name(best);
}

static void text_row(FILE *out, u32 row, const struct replay_errors *e)
{
	char error[16], late[16], early[16], late_max[16], early_max[16];

	fprintf(out, "%-10s %6llu", row_name(row), (unsigned long long)e->nr);
	if (!e->nr) {
		fputs("       -\n", out);
		return;
	}
	fprintf(out, " %7s %7s %7s %7s %7s %5.1f%% %5.1f%% %7llu\n",
		show_time(error, sizeof(error), mean(error_of(e), e)),
		show_time(late, sizeof(late), mean(e->late_ns, e)),
		show_time(early, sizeof(early), mean(e->early_ns, e)),
		show_time(late_max, sizeof(late_max), e->late_max_ns),
		show_time(early_max, sizeof(early_max), e->early_max_ns),
		percent(e->nr_late, e), percent(e->nr_gaps, e),
		(unsigned long long)e->nr_unknown);
}

static void text_task(const struct replay *r, const struct replay_task *t, FILE *out)
{
	if (t->name[0]) {
		excerpt_put(out, t->name, strlen(t->name));
		fprintf(out, " (%u)", t->pid);
	} else if (t == &r->all) {
		fputs("all programs", out);
	} else {
		fprintf(out, "program %u", t->pid);
	}
	fprintf(out, ": %llu groups\n", (unsigned long long)t->nr_groups);
	for (u32 i = 0; i < REPLAY_ROWS; i++)
		if (replay_has(r, i))
			text_row(out, i, &t->errors[i]);
}

static void note(FILE *out, u64 n, const char *what)
{
	if (n)
		fprintf(out, "%llu %s\n", (unsigned long long)n, what);
}

static void text_notes(const struct replay *r, FILE *out)
{
	note(out, r->nr_cut, "groups began before the trace, or did not end in it");
	note(out, r->nr_dropped, "groups were dropped before they ended");
	note(out, r->nr_other, "lines are no events of timegraph");
	if (r->has_lost)
		fputs("the kernel lost events within the trace: tgctl trace on --buffer KIB\n", out);
	if (!r->has_profiles)
		fputs("it does not tell what was in the groups: nothing for the history table\n", out);
}

static u32 tasks_with_groups(const struct replay *r)
{
	u32 n = 0;

	for (size_t i = 0; i < r->nr_tasks; i++)
		n += !!r->task[i].nr_groups;
	return n;
}

static void show_text(const struct replay *r, FILE *out)
{
	char span[16], lead[16];
	u32 tasks = tasks_with_groups(r);

	fprintf(out, "%s: %u program%s, %s, lead %s\n", r->name, tasks, tasks == 1 ? "" : "s",
		show_time(span, sizeof(span), r->to_ns - r->from_ns),
		show_time(lead, sizeof(lead), r->lead_ns));
	text_notes(r, out);
	fputs("\nPREDICTOR  groups   error    late   early maxlate maxearl  late%  gaps% unknown\n",
	      out);
	text_task(r, &r->all, out);
	for (size_t i = 0; tasks > 1 && i < r->nr_tasks; i++)
		if (r->task[i].nr_groups)
			text_task(r, &r->task[i], out);
	if (r->all.nr_compared)
		fprintf(out, "\nleast error: %s; least late: %s; fewest gaps: %s\n",
			least(r, error_of), least(r, late_of), least(r, gaps_of));
}

static void json_row(struct json *j, u32 row, const struct replay_errors *e)
{
	json_open(j, NULL, '{');
	json_string(j, "predictor", row_name(row));
	json_uint(j, "groups", e->nr);
	json_uint(j, "error_ns", mean(error_of(e), e));
	json_uint(j, "late_ns", mean(e->late_ns, e));
	json_uint(j, "early_ns", mean(e->early_ns, e));
	json_uint(j, "late_max_ns", e->late_max_ns);
	json_uint(j, "early_max_ns", e->early_max_ns);
	json_uint(j, "nr_late", e->nr_late);
	json_uint(j, "nr_gaps", e->nr_gaps);
	json_uint(j, "nr_unknown", e->nr_unknown);
	if (row == REPLAY_RECORDED)
		json_null(j, "nr_hits");
	else
		json_uint(j, "nr_hits", e->nr_hits);
	json_close(j, '}');
}

static void json_errors(struct json *j, const struct replay *r, const struct replay_task *t)
{
	json_uint(j, "groups", t->nr_groups);
	json_uint(j, "compared", t->nr_compared);
	json_open(j, "predictors", '[');
	for (u32 i = 0; i < REPLAY_ROWS; i++)
		if (replay_has(r, i))
			json_row(j, i, &t->errors[i]);
	json_close(j, ']');
}

static void json_least(struct json *j, const struct replay *r, const char *key,
		       u64 (*of)(const struct replay_errors *e))
{
	json_string(j, key, r->all.nr_compared ? least(r, of) : NULL);
}

static void show_json(const struct replay *r, FILE *out)
{
	struct json j = { .out = out };

	json_open(&j, NULL, '{');
	json_string(&j, "trace", r->name);
	json_uint(&j, "span_ns", r->to_ns - r->from_ns);
	json_uint(&j, "lead_ns", r->lead_ns);
	json_uint(&j, "history", r->nr_records);
	json_uint(&j, "cut", r->nr_cut);
	json_uint(&j, "dropped", r->nr_dropped);
	json_uint(&j, "other_lines", r->nr_other);
	json_bool(&j, "lost", r->has_lost);
	json_errors(&j, r, &r->all);
	json_open(&j, "programs", '[');
	for (size_t i = 0; i < r->nr_tasks; i++) {
		const struct replay_task *t = &r->task[i];

		if (!t->nr_groups)
			continue;
		json_open(&j, NULL, '{');
		json_string(&j, "program", t->name[0] ? t->name : NULL);
		json_uint(&j, "pid", t->pid);
		json_errors(&j, r, t);
		json_close(&j, '}');
	}
	json_close(&j, ']');
	json_least(&j, r, "least_error", error_of);
	json_least(&j, r, "least_late", late_of);
	json_least(&j, r, "fewest_gaps", gaps_of);
	json_close(&j, '}');
}

static void csv_task(const struct replay *r, const struct replay_task *t, FILE *out)
{
	for (u32 i = 0; i < REPLAY_ROWS; i++) {
		const struct replay_errors *e = &t->errors[i];
		const u64 cells[] = { e->nr, mean(error_of(e), e), mean(e->late_ns, e),
				      mean(e->early_ns, e), e->late_max_ns, e->early_max_ns,
				      e->nr_late, e->nr_gaps, e->nr_unknown };

		if (!replay_has(r, i))
			continue;
		csv_text(out, t->name);
		fprintf(out, ",%u,%s", t->pid, row_name(i));
		for (u32 k = 0; k < ARRAY_SIZE(cells); k++)
			fprintf(out, ",%llu", (unsigned long long)cells[k]);
		fputc('\n', out);
	}
}

static void show_csv(const struct replay *r, FILE *out)
{
	fputs("program,pid,predictor,groups,error_ns,late_ns,early_ns,late_max_ns,early_max_ns,nr_late,nr_gaps,nr_unknown\n",
	      out);
	csv_task(r, &r->all, out);
	for (size_t i = 0; i < r->nr_tasks; i++)
		if (r->task[i].nr_groups)
			csv_task(r, &r->task[i], out);
}

void replay_show(const struct replay *r, enum format format, FILE *out)
{
	if (format == FORMAT_JSON)
		show_json(r, out);
	else if (format == FORMAT_CSV)
		show_csv(r, out);
	else
		show_text(r, out);
}
