// SPDX-License-Identifier: GPL-2.0-or-later
/* The report for programs: CSV and JSON.  Times are in nanoseconds. */
#include "show.h"

/* One row or object: the first field has no comma. */
struct record {
	FILE *out;
	bool json;
	bool any;
};

static void text(FILE *out, const char *p)
{
	fputc('"', out);
	for (; *p; p++) {
		if (*p == '"' || *p == '\\')
			fprintf(out, "\\%c", *p);
		else if ((unsigned char)*p < 0x20)
			fprintf(out, "\\u%04x", *p);
		else
			fputc(*p, out);
	}
	fputc('"', out);
}

static void csv_text(FILE *out, const char *p)
{
	if (!strpbrk(p, ",\"\n")) {
		fputs(p, out);
		return;
	}
	fputc('"', out);
	for (; *p; p++) {
		if (*p == '"')
			fputc('"', out);
		fputc(*p, out);
	}
	fputc('"', out);
}

static void key(struct record *r, const char *name)
{
	if (r->any)
		fputs(r->json ? ", " : ",", r->out);
	r->any = true;
	if (r->json)
		fprintf(r->out, "\"%s\": ", name);
}

static void str(struct record *r, const char *name, const char *v)
{
	key(r, name);
	if (r->json)
		text(r->out, v);
	else
		csv_text(r->out, v);
}

static void num(struct record *r, const char *name, u64 v)
{
	key(r, name);
	fprintf(r->out, "%llu", (unsigned long long)v);
}

static void snum(struct record *r, const char *name, s64 v)
{
	key(r, name);
	fprintf(r->out, "%lld", (long long)v);
}

static void real(struct record *r, const char *name, double v)
{
	key(r, name);
	fprintf(r->out, "%.4f", v);
}

static void flag(struct record *r, const char *name, bool v)
{
	key(r, name);
	fputs(r->json ? v ? "true" : "false" : v ? "1" : "0", r->out);
}

static u64 end_of(const struct sim *s, const struct sim_inst *inst)
{
	return inst->left ? inst->left_ns : s->now;
}

static void task_fields(struct record *r, const struct sim *s,
			const struct stats *st, u32 i)
{
	const struct sim_inst *inst = &s->insts[i];
	const struct inst_stats *is = &st->inst[i];
	const struct hist *h = &is->response;

	str(r, "task", inst->name);
	str(r, "sched", show_sched(inst));
	num(r, "prio", inst->entry.prio);
	str(r, "reserve", show_reserve(inst));
	num(r, "groups", inst->core.nr_groups);
	num(r, "cancelled", inst->nr_cancelled);
	num(r, "unfinished", inst->nr_released - inst->nr_cancelled -
			     inst->core.nr_groups);
	num(r, "gpu_ns", inst->core.gpu_ns);
	real(r, "share_percent", stats_share(inst->core.gpu_ns, inst->from_ns,
					     end_of(s, inst)));
	num(r, "response_min_ns", h->min);
	num(r, "response_mean_ns", (u64)hist_mean(h));
	num(r, "response_p50_ns", hist_percentile(h, 50));
	num(r, "response_p99_ns", hist_percentile(h, 99));
	num(r, "response_max_ns", h->max);
	num(r, "wait_ns", inst->core.wait_ns);
	num(r, "wait_max_ns", inst->core.wait_max_ns);
	num(r, "throttle_ns", inst->core.throttle_ns);
	num(r, "throttle_max_ns", inst->core.throttle_max_ns);
	num(r, "frames", is->frame.n);
	num(r, "frames_late", is->nr_late);
	num(r, "frame_p50_ns", hist_percentile(&is->frame, 50));
	num(r, "frame_p99_ns", hist_percentile(&is->frame, 99));
	num(r, "frame_max_ns", is->frame.max);
	num(r, "frame_gap_p50_ns", hist_percentile(&is->frame_gap, 50));
	num(r, "frame_gap_max_ns", is->frame_gap.max);
	num(r, "predicted", is->error.n);
	num(r, "predict_hits", inst->history_table.nr_hits);
	num(r, "predict_misses", inst->history_table.nr_misses);
	num(r, "error_p50_ppm", hist_percentile(&is->error, 50));
	num(r, "error_p95_ppm", hist_percentile(&is->error, 95));
	num(r, "error_max_ppm", is->error.max);
}

static void reserve_fields(struct record *r, const struct sim *s,
			   const struct sim_reserve *res)
{
	const struct tg_reserve *c = res->core;

	str(r, "reserve", res->name);
	str(r, "kind", c->ops->name);
	num(r, "capacity_ns", c->capacity_ns);
	num(r, "period_ns", c->period_ns);
	num(r, "used_ns", c->used_ns);
	real(r, "share_percent",
	     stats_share(c->used_ns, res->created_ns,
			 res->gone ? res->gone_ns : s->now));
	num(r, "throttles", c->nr_refused);
	num(r, "periods", c->periods);
	num(r, "periods_overrun", res->nr_overrun);
	num(r, "debt_max_ns", c->debt_max_ns);
	snum(r, "budget_ns", c->budget_ns);
	num(r, "created_ns", res->created_ns);
	flag(r, "demoted", c->demoted);
	num(r, "nr_demoted", res->nr_demoted);
	num(r, "demoted_ns", res->demoted_ns);
	num(r, "nr_admitted", res->nr_admitted);
	num(r, "admitted_ns", res->readmitted_ns);
	num(r, "gone_ns", res->gone_ns);
}

/* The header is a record whose values are not looked at. */
static void header(FILE *out, const char *const *names)
{
	for (u32 i = 0; names[i]; i++)
		fprintf(out, "%s%s", i ? "," : "", names[i]);
	fputc('\n', out);
}

void report_csv(const struct sim *s, const struct stats *st, FILE *out)
{
	static const char *const task_names[] = {
		"task", "sched", "prio", "reserve", "groups", "cancelled",
		"unfinished", "gpu_ns", "share_percent", "response_min_ns",
		"response_mean_ns", "response_p50_ns", "response_p99_ns",
		"response_max_ns", "wait_ns", "wait_max_ns", "throttle_ns",
		"throttle_max_ns", "frames", "frames_late", "frame_p50_ns",
		"frame_p99_ns", "frame_max_ns", "frame_gap_p50_ns",
		"frame_gap_max_ns", "predicted", "predict_hits",
		"predict_misses", "error_p50_ppm", "error_p95_ppm",
		"error_max_ppm", NULL,
	};
	static const char *const reserve_names[] = {
		"reserve", "kind", "capacity_ns", "period_ns", "used_ns",
		"share_percent", "throttles", "periods", "periods_overrun",
		"debt_max_ns", "budget_ns", "created_ns", "demoted",
		"nr_demoted", "demoted_ns", "nr_admitted", "admitted_ns",
		"gone_ns", NULL,
	};
	struct record r = { out };

	header(out, task_names);
	for (u32 i = 0; i < s->nr_insts; i++) {
		r.any = false;
		task_fields(&r, s, st, i);
		fputc('\n', out);
	}
	fputc('\n', out);
	header(out, reserve_names);
	for (const struct sim_reserve *res = s->reserves; res; res = res->next) {
		r.any = false;
		reserve_fields(&r, s, res);
		fputc('\n', out);
	}
	r.any = false;
	reserve_fields(&r, s, &s->background);
	fputc('\n', out);
}

static void open_object(struct record *r, bool first)
{
	fputs(first ? "\n    { " : ",\n    { ", r->out);
	r->any = false;
}

void report_json(const struct sim *s, const struct stats *st, FILE *out)
{
	struct record r = { out, true };
	bool first = true;

	fputs("{\n  ", out);
	str(&r, "title", s->sc->title);
	num(&r, "seed", s->sc->seed);
	num(&r, "simulated_ns", s->now);
	num(&r, "groups", s->nr_complete);
	num(&r, "unfinished", s->nr_open);
	num(&r, "gpu_busy_ns", s->gpu_busy_ns);
	num(&r, "context_switches", s->nr_switches);
	num(&r, "limit_percent", s->core.limit_percent);
	str(&r, "stopped", s->stuck ? s->stuck : "");
	fputs(",\n  \"tasks\": [", out);
	for (u32 i = 0; i < s->nr_insts; i++) {
		open_object(&r, !i);
		task_fields(&r, s, st, i);
		fputs(" }", out);
	}
	fputs("\n  ],\n  \"reserves\": [", out);
	for (const struct sim_reserve *res = s->reserves; res; res = res->next) {
		open_object(&r, first);
		first = false;
		reserve_fields(&r, s, res);
		fputs(" }", out);
	}
	open_object(&r, first);
	reserve_fields(&r, s, &s->background);
	fputs(" }\n  ]\n}\n", out);
}
