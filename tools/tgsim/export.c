// SPDX-License-Identifier: GPL-2.0-or-later
/* The report for programs: CSV and JSON.  Times are in nanoseconds. */
#include "json.h"
#include "memory.h"
#include "show.h"

/* One record: an object's fields, or without @json a row of a table. */
struct record {
	FILE *out;
	struct json *json;
	bool any;
};

void csv_text(FILE *out, const char *p)
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

/* What stands before a cell. */
static FILE *cell(struct record *r)
{
	if (r->any)
		fputc(',', r->out);
	r->any = true;
	return r->out;
}

static void str(struct record *r, const char *name, const char *v)
{
	if (r->json)
		json_string(r->json, name, v);
	else
		csv_text(cell(r), v);
}

static void num(struct record *r, const char *name, u64 v)
{
	if (r->json)
		json_uint(r->json, name, v);
	else
		fprintf(cell(r), "%llu", (unsigned long long)v);
}

static void snum(struct record *r, const char *name, s64 v)
{
	if (r->json)
		json_int(r->json, name, v);
	else
		fprintf(cell(r), "%lld", (long long)v);
}

static void real(struct record *r, const char *name, double v)
{
	if (r->json)
		json_real(r->json, name, v);
	else
		fprintf(cell(r), "%.4f", v);
}

static void flag(struct record *r, const char *name, bool v)
{
	if (r->json)
		json_bool(r->json, name, v);
	else
		fputc(v ? '1' : '0', cell(r));
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

static void domain_fields(struct record *r, const struct sim *s, const struct sim_domain *d)
{
	const struct tg_domain *c = &d->core;

	str(r, "domain", d->desc->name);
	str(r, "within", d->desc->parent ? s->domains[d->desc->parent - 1].desc->name : "");
	num(r, "weight", c->rule.weight);
	num(r, "cpu_weight", c->cpu_weight);
	num(r, "target_ppm", c->rule.target_ppm);
	num(r, "capacity_ns", c->rule.capacity_ns);
	num(r, "period_ns", c->rule.period_ns);
	num(r, "groups", c->nr_groups);
	num(r, "gpu_ns", c->gpu_ns);
	real(r, "share_percent", stats_share(c->gpu_ns, 0, s->now));
	num(r, "wait_ns", c->wait_ns);
	num(r, "throttle_ns", c->throttle_ns);
	num(r, "throttles", c->nr_throttled);
}

static void job_fields(struct record *r, const struct sim_inst *inst)
{
	bool begun = !inst->refused && (inst->left || inst->vram.state != TG_VRAM_WAITING);

	str(r, "job", inst->name);
	num(r, "memory_bytes", inst->desc->memory_bytes);
	num(r, "uses_bytes", inst->desc->uses_bytes);
	num(r, "prio", inst->entry.prio);
	num(r, "came_ns", inst->from_ns);
	flag(r, "refused", inst->refused);
	flag(r, "begun", begun);
	num(r, "begun_ns", begun ? inst->begun_ns : 0);
	num(r, "waited_ns", inst->memory_wait_ns);
	num(r, "ended_ns", inst->left ? inst->left_ns : 0);
	num(r, "passed_by", inst->vram.nr_passed);
}

/* The header is a record whose values are not looked at. */
static void header(FILE *out, const char *const *names)
{
	for (u32 i = 0; names[i]; i++)
		fprintf(out, "%s%s", i ? "," : "", names[i]);
	fputc('\n', out);
}

static void csv_domains(const struct sim *s, FILE *out)
{
	static const char *const names[] = {
		"domain", "within", "weight", "cpu_weight", "target_ppm", "capacity_ns",
		"period_ns", "groups", "gpu_ns", "share_percent", "wait_ns", "throttle_ns",
		"throttles", NULL,
	};

	if (!s->sc->nr_domains)
		return;
	fputc('\n', out);
	header(out, names);
	for (u32 i = 0; i < s->sc->nr_domains; i++) {
		struct record r = { .out = out };

		domain_fields(&r, s, &s->domains[i]);
		fputc('\n', out);
	}
}

static void json_domains(struct record *r, const struct sim *s)
{
	json_open(r->json, "domains", '[');
	for (u32 i = 0; i < s->sc->nr_domains; i++) {
		json_open(r->json, NULL, '{');
		domain_fields(r, s, &s->domains[i]);
		json_close(r->json, '}');
	}
	json_close(r->json, ']');
}

static void csv_jobs(const struct sim *s, FILE *out)
{
	static const char *const names[] = {
		"job", "memory_bytes", "uses_bytes", "prio", "came_ns", "refused", "begun",
		"begun_ns", "waited_ns", "ended_ns", "passed_by", NULL,
	};

	if (!s->sc->memory.bytes)
		return;
	fputc('\n', out);
	header(out, names);
	for (u32 i = 0; i < s->nr_insts; i++) {
		struct record r = { .out = out };

		if (!s->insts[i].desc->memory_bytes)
			continue;
		job_fields(&r, &s->insts[i]);
		fputc('\n', out);
	}
}

static void json_memory(struct record *r, const struct sim *s)
{
	const struct memory_desc *m = &s->sc->memory;
	const struct memory_sum sum = memory_sum(s);

	json_open(r->json, "memory", '{');
	num(r, "bytes", m->bytes);
	num(r, "margin_bytes", m->margin_bytes);
	str(r, "policy", m->policy ? m->policy->name : "none");
	num(r, "makespan_ns", sum.makespan_ns);
	num(r, "gpu_busy_ppm", sum.gpu_ppm);
	num(r, "taken_ppm", sum.used_ppm);
	num(r, "refused", sum.nr_refused);
	flag(r, "all_ended", sum.all);
	json_open(r->json, "jobs", '[');
	for (u32 i = 0; i < s->nr_insts; i++) {
		if (!s->insts[i].desc->memory_bytes)
			continue;
		json_open(r->json, NULL, '{');
		job_fields(r, &s->insts[i]);
		json_close(r->json, '}');
	}
	json_close(r->json, ']');
	json_close(r->json, '}');
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
	struct record r = { .out = out };

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
	csv_domains(s, out);
	csv_jobs(s, out);
}

static void reserve_object(struct record *r, const struct sim *s,
			   const struct sim_reserve *res)
{
	json_open(r->json, NULL, '{');
	reserve_fields(r, s, res);
	json_close(r->json, '}');
}

void report_json(const struct sim *s, const struct stats *st, bool line, FILE *out)
{
	struct json j = { .out = out, .compact = line };
	struct record r = { .json = &j };

	json_open(&j, NULL, '{');
	json_string(&j, "title", s->sc->title);
	json_uint(&j, "seed", s->sc->seed);
	json_uint(&j, "simulated_ns", s->now);
	json_uint(&j, "groups", s->nr_complete);
	json_uint(&j, "unfinished", s->nr_open);
	json_uint(&j, "gpu_busy_ns", s->gpu_busy_ns);
	json_uint(&j, "context_switches", s->nr_switches);
	json_uint(&j, "limit_percent", s->core.limit_percent);
	json_string(&j, "stopped", s->stuck ? s->stuck : "");
	json_open(&j, "tasks", '[');
	for (u32 i = 0; i < s->nr_insts; i++) {
		json_open(&j, NULL, '{');
		task_fields(&r, s, st, i);
		json_close(&j, '}');
	}
	json_close(&j, ']');
	json_open(&j, "reserves", '[');
	for (const struct sim_reserve *res = s->reserves; res; res = res->next)
		reserve_object(&r, s, res);
	reserve_object(&r, s, &s->background);
	json_close(&j, ']');
	if (s->sc->nr_domains)
		json_domains(&r, s);
	if (s->sc->memory.bytes)
		json_memory(&r, s);
	json_close(&j, '}');
}
