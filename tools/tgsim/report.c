// SPDX-License-Identifier: GPL-2.0-or-later
/* The report as text.  Tables fit 80 columns where names have at most ten. */
#include "memory.h"
#include "show.h"

#define T(ns) show_time((char [24]){ 0 }, 24, ns)

static int name_width(const struct sim *s)
{
	size_t w = 10;

	for (u32 i = 0; i < s->nr_insts; i++)
		if (strlen(s->insts[i].name) > w)
			w = strlen(s->insts[i].name);
	for (u32 i = 0; i < s->sc->nr_domains; i++)
		if (strlen(s->sc->domains[i].name) > w)
			w = strlen(s->sc->domains[i].name);
	for (const struct sim_reserve *r = s->reserves; r; r = r->next)
		if (strlen(r->name) > w)
			w = strlen(r->name);
	return (int)w;
}

static void head(const struct sim *s, FILE *out)
{
	if (s->sc->title[0])
		fprintf(out, "%s\n", s->sc->title);
	fprintf(out,
		"%s simulated, seed %llu: %llu groups complete, GPU %.1f%% busy, %llu switches\n",
		T(s->now), (unsigned long long)s->sc->seed,
		(unsigned long long)s->nr_complete,
		stats_share(s->gpu_busy_ns, 0, s->now),
		(unsigned long long)s->nr_switches);
}

static u64 end_of(const struct sim *s, const struct sim_inst *inst)
{
	return inst->left ? inst->left_ns : s->now;
}

static void tasks(const struct sim *s, int w, FILE *out)
{
	fprintf(out, "\n%-*s sched prio %-12s %8s %6s %9s %9s\n", w, "TASK",
		"reserve", "groups", "GPU", "waited", "throttled");
	for (u32 i = 0; i < s->nr_insts; i++) {
		const struct sim_inst *inst = &s->insts[i];

		fprintf(out, "%-*s %-5s %3u%c %-12s %8llu %5.1f%% %9s %9s\n", w,
			inst->name, show_sched(inst), inst->entry.prio,
			inst->entry.focus ? '*' : ' ', show_reserve(inst),
			(unsigned long long)inst->core.nr_groups,
			stats_share(inst->core.gpu_ns, inst->from_ns,
				    end_of(s, inst)),
			T(inst->core.wait_ns), T(inst->core.throttle_ns));
	}
}

static void responses(const struct sim *s, const struct stats *st, int w, FILE *out)
{
	fprintf(out, "\n%-*s %9s %9s %9s %9s %9s\n", w, "RESPONSE", "min", "mean",
		"p50", "p99", "max");
	for (u32 i = 0; i < s->nr_insts; i++) {
		const struct hist *h = &st->inst[i].response;

		fprintf(out, "%-*s %9s %9s %9s %9s %9s\n", w, s->insts[i].name,
			T(h->min), T((u64)hist_mean(h)), T(hist_percentile(h, 50)),
			T(hist_percentile(h, 99)), T(h->max));
	}
}

static void frames(const struct sim *s, const struct stats *st, int w, FILE *out)
{
	bool any = false;

	for (u32 i = 0; i < s->nr_insts; i++) {
		const struct sim_inst *inst = &s->insts[i];
		const struct inst_stats *is = &st->inst[i];
		u64 life = end_of(s, inst) - inst->from_ns;

		if ((inst->desc->arrival.type != ARRIVE_PERIODIC &&
		     inst->desc->arrival.type != ARRIVE_LOOP) || !is->frame.n)
			continue;
		if (!any)
			fprintf(out, "\n%-*s %6s %6s %5s %8s %7s %7s %8s %7s %7s\n",
				w, "FRAMES", "done", "per s", "late",
				"took p50", "p99", "max", "gap p50", "p99",
				"max");
		any = true;
		fprintf(out, "%-*s %6llu %6.2f ", w, inst->name,
			(unsigned long long)is->frame.n,
			life ? 1e9 * (double)is->frame.n / (double)life : 0);
		if (inst->desc->arrival.type == ARRIVE_PERIODIC)
			fprintf(out, "%5llu ", (unsigned long long)is->nr_late);
		else
			fprintf(out, "%5s ", "-");
		fprintf(out, "%8s %7s %7s %8s %7s %7s\n",
			T(hist_percentile(&is->frame, 50)),
			T(hist_percentile(&is->frame, 99)), T(is->frame.max),
			T(hist_percentile(&is->frame_gap, 50)),
			T(hist_percentile(&is->frame_gap, 99)),
			T(is->frame_gap.max));
	}
}

static void reserve(const struct sim *s, const struct sim_reserve *r, int w,
		    FILE *out)
{
	const struct tg_reserve *c = r->core;
	s64 e = c->budget_ns;
	char kind[8], left[24];

	snprintf(kind, sizeof(kind), "%s%s", c->ops->name, c->demoted ? "->BG" : "");
	snprintf(left, sizeof(left), "%s%s", e < 0 ? "-" : "",
		 T(e < 0 ? (u64)-e : (u64)e));
	fprintf(out, "%-*s %-6s %7s %7s %5.1f%% %5.1f%% %6llu %7llu %8s %8s\n", w,
		r->name, kind, T(c->capacity_ns), T(c->period_ns),
		stats_share(c->capacity_ns, 0, c->period_ns),
		stats_share(c->used_ns, r->created_ns,
			    r->gone ? r->gone_ns : s->now),
		(unsigned long long)c->nr_refused,
		(unsigned long long)r->nr_overrun, T(c->debt_max_ns), left);
}

static void reserves(const struct sim *s, int w, FILE *out)
{
	fprintf(out, "\n%-*s %-6s %7s %7s %6s %6s %6s %7s %8s %8s\n", w,
		"RESERVE", "kind", "C", "T", "C/T", "used", "waits",
		"overrun", "max.debt", "left");
	for (const struct sim_reserve *r = s->reserves; r; r = r->next)
		reserve(s, r, w, out);
	reserve(s, &s->background, w, out);
}

static void domains(const struct sim *s, int w, FILE *out)
{
	if (!s->sc->nr_domains)
		return;
	fprintf(out, "\n%-*s %6s %6s %7s %8s %6s %9s %9s %6s\n", w, "DOMAIN", "weight", "cpu",
		"target", "groups", "GPU", "waited", "throttled", "times");
	for (u32 i = 0; i < s->sc->nr_domains; i++) {
		const struct sim_domain *d = &s->domains[i];

		fprintf(out, "%-*s %6u %6u %6.1f%% %8llu %5.1f%% %9s %9s %6llu\n", w,
			d->desc->name, d->core.rule.weight, d->core.cpu_weight,
			d->core.rule.target_ppm / 1e4, (unsigned long long)d->core.nr_groups,
			stats_share(d->core.gpu_ns, 0, s->now), T(d->core.wait_ns),
			T(d->core.throttle_ns), (unsigned long long)d->core.nr_throttled);
	}
}

static void job(const struct sim *s, const struct sim_inst *inst, int w, FILE *out)
{
	bool waits = inst->vram.state == TG_VRAM_WAITING;

	fprintf(out, "%-*s %6lluM %4u %9s ", w, inst->name,
		(unsigned long long)(inst->desc->memory_bytes >> 20), inst->entry.prio,
		T(inst->from_ns));
	if (inst->refused)
		fprintf(out, "%9s\n", "refused");
	else if (waits)
		fprintf(out, "%9s  waits\n", T(inst->memory_wait_ns + s->now - inst->asked_ns));
	else
		fprintf(out, "%9s %9s %9s\n", T(inst->memory_wait_ns),
			inst->left ? T(inst->left_ns) : "-",
			inst->left ? T(inst->left_ns - inst->begun_ns) : "-");
}

static void memory(const struct sim *s, int w, FILE *out)
{
	const struct memory_desc *m = &s->sc->memory;
	struct memory_sum sum;

	if (!m->bytes)
		return;
	sum = memory_sum(s);
	fprintf(out, "\n%-*s %7s %4s %9s %9s %9s %9s\n", w, "MEMORY", "wants", "prio", "came",
		"waited", "ended", "ran for");
	for (u32 i = 0; i < s->nr_insts; i++)
		if (s->insts[i].desc->memory_bytes)
			job(s, &s->insts[i], w, out);
	fprintf(out, "%lluM, %s: %s in %s, GPU %.1f%% busy, memory %.1f%% taken",
		(unsigned long long)(tg_vram_usable(&s->vram) >> 20),
		m->policy ? m->policy->name : "none", sum.all ? "all" : "not all",
		T(sum.makespan_ns), sum.gpu_ppm / 1e4, sum.used_ppm / 1e4);
	if (sum.nr_refused)
		fprintf(out, ", %u REFUSED", sum.nr_refused);
	fputc('\n', out);
}

static void predictions(const struct sim *s, const struct stats *st, int w,
			FILE *out)
{
	bool any = false;

	for (u32 i = 0; i < s->nr_insts; i++) {
		const struct inst_stats *is = &st->inst[i];
		const struct tg_history *h = &s->insts[i].history_table;

		if (!is->error.n)
			continue;
		if (!any)
			fprintf(out, "\n%-*s %8s %8s  %9s %9s %9s  %7s %7s\n", w,
				"PREDICTION", "known", "unknown", "error p50",
				"p95", "max", "under", "over");
		any = true;
		fprintf(out,
			"%-*s %8llu %8llu  %8.2f%% %8.2f%% %8.1f%%  %6.1f%% %6.1f%%\n",
			w, s->insts[i].name, (unsigned long long)h->nr_hits,
			(unsigned long long)h->nr_misses,
			(double)hist_percentile(&is->error, 50) / 1e4,
			(double)hist_percentile(&is->error, 95) / 1e4,
			(double)is->error.max / 1e4,
			100 * (double)is->under / (double)is->error.n,
			100 * (double)is->over / (double)is->error.n);
	}
}

static void admission(const struct sim *s, FILE *out)
{
	bool any = false;

	for (const struct sim_reserve *r = s->reserves; r; r = r->next) {
		if (!r->nr_demoted)
			continue;
		if (!any)
			fprintf(out, "\nADMISSION, limit %u%%; who does not fit is in the background\n",
				s->core.limit_percent);
		any = true;
		fprintf(out, "  %s (%s every %s) did not fit at %s",
			r->name, T(r->core->capacity_ns), T(r->core->period_ns),
			T(r->demoted_ns));
		if (r->nr_admitted)
			fprintf(out, "; admitted at %s", T(r->readmitted_ns));
		fputc('\n', out);
	}
}

static void unregulated(const struct sim *s, FILE *out)
{
	for (u32 i = 0; i < s->nr_insts; i++) {
		const struct tg_spec_entry *e = &s->insts[i].entry;

		if (e->sched == TG_SPEC_HT && (e->resv == TG_SPEC_RESV_PE ||
					       e->resv == TG_SPEC_RESV_AE))
			fprintf(out, "\nnote: %s is HT: its %s reserve does not regulate it\n",
				s->insts[i].name, tg_spec_resv_name(e->resv));
	}
}

/* Groups of @inst that wait for the same as @g does. */
static u32 count_like(const struct sim *s, const struct sim_group *g, u64 *oldest)
{
	const struct sim_group *o;
	u32 n = 0;

	*oldest = UINT64_MAX;
	list_for_each_entry(o, &s->pending, pending) {
		if (o->inst != g->inst || show_why(s, o) != show_why(s, g))
			continue;
		n++;
		if (o->core.queued_ns < *oldest)
			*oldest = o->core.queued_ns;
	}
	return n;
}

static bool is_first(const struct sim *s, const struct sim_group *g)
{
	const struct sim_group *o;

	list_for_each_entry(o, &s->pending, pending)
		if (o->inst == g->inst && show_why(s, o) == show_why(s, g))
			return o == g;
	return true;
}

static void unfinished(const struct sim *s, int w, FILE *out)
{
	const struct sim_group *g;
	u64 oldest;

	if (s->stuck)
		fprintf(out, "\nSTOPPED: %s\n", s->stuck);
	if (!s->nr_open)
		return;
	fprintf(out, "\nNOT FINISHED at the end\n");
	for (u32 i = 0; i < s->nr_insts; i++) {
		const struct sim_inst *inst = &s->insts[i];

		if (inst->nr_running)
			fprintf(out, "%-*s %8u  on the GPU\n", w, inst->name,
				inst->nr_running);
		list_for_each_entry(g, &s->pending, pending) {
			if (g->inst != inst || !is_first(s, g))
				continue;
			fprintf(out, "%-*s %8u  %s", w, inst->name,
				count_like(s, g, &oldest), show_why(s, g));
			fprintf(out, ", since %s\n", T(oldest));
		}
		if (inst->backlog.n)
			fprintf(out, "%-*s %8u  not come to be submitted\n", w,
				inst->name, inst->backlog.n);
	}
}

void report_text(const struct sim *s, const struct stats *st, FILE *out)
{
	int w = name_width(s);

	head(s, out);
	tasks(s, w, out);
	responses(s, st, w, out);
	frames(s, st, w, out);
	domains(s, w, out);
	reserves(s, w, out);
	memory(s, w, out);
	predictions(s, st, w, out);
	admission(s, out);
	unregulated(s, out);
	unfinished(s, w, out);
}
