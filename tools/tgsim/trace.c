// SPDX-License-Identifier: GPL-2.0-or-later
/* What happens, as lines: events, and budgets. */
#include "mem.h"
#include "show.h"

static const char *const state_name[] = {
	[TG_GROUP_NEW] = "new",		    [TG_GROUP_WAITING] = "waits",
	[TG_GROUP_THROTTLED] = "throttled", [TG_GROUP_ONLINE] = "granted",
	[TG_GROUP_RUNNING] = "running",	    [TG_GROUP_OUT] = "out",
};

static void line(FILE *out, u64 now, const char *who, const char *what)
{
	fprintf(out, "%14.6f  %-16s %-10s", (double)now / 1e6, who, what);
}

static void group_event(FILE *out, const struct sim_event *ev)
{
	const struct sim_group *g = ev->group;
	const char *who = g->inst->name;

	switch (ev->what) {
	case SIM_ARRIVE:
		line(out, ev->now, who, "arrives");
		fprintf(out, " group %llu\n", (unsigned long long)g->id);
		break;
	case SIM_STATE:
		if (g->core.state != TG_GROUP_WAITING &&
		    g->core.state != TG_GROUP_THROTTLED)
			break;
		line(out, ev->now, who, state_name[g->core.state]);
		fprintf(out, " group %llu\n", (unsigned long long)g->id);
		break;
	case SIM_GRANT:
		line(out, ev->now, who, "granted");
		fprintf(out, " group %llu\n", (unsigned long long)g->id);
		break;
	case SIM_REFUSE:
		line(out, ev->now, who, "refused");
		fprintf(out, " group %llu, predicted %.6f ms\n",
			(unsigned long long)g->id, (double)g->x / 1e6);
		break;
	case SIM_START:
		line(out, ev->now, who, "starts");
		fprintf(out, " group %llu%s", (unsigned long long)g->id,
			g->core.switched ? ", switch" : "");
		if (g->profiled)
			fprintf(out, ", predicted %.6f ms", (double)g->x / 1e6);
		fputc('\n', out);
		break;
	case SIM_COMPLETE:
		line(out, ev->now, who, "completes");
		fprintf(out, " group %llu, cost %.6f ms, response %.6f ms\n",
			(unsigned long long)g->id, (double)g->core.cost_ns / 1e6,
			(double)(ev->now - g->released_ns) / 1e6);
		break;
	case SIM_CANCEL:
		line(out, ev->now, who, "cancelled");
		fprintf(out, " group %llu\n", (unsigned long long)g->id);
		break;
	default:
		break;
	}
}

static void print_event(void *arg, struct sim *s, const struct sim_event *ev)
{
	FILE *out = arg;

	switch (ev->what) {
	case SIM_JOIN:
		line(out, ev->now, ev->inst->name, "begins");
		fprintf(out, " %s, priority %u, reserve %s\n",
			show_sched(ev->inst), ev->inst->entry.prio,
			show_reserve(ev->inst));
		break;
	case SIM_LEAVE:
		line(out, ev->now, ev->inst->name, "leaves");
		fputc('\n', out);
		break;
	case SIM_ADMISSION:
		line(out, ev->now, ev->reserve->name,
		     ev->reserve->demoted ? "demoted" : "admitted");
		fputc('\n', out);
		break;
	case SIM_LIMIT:
		line(out, ev->now, "-", "limit");
		fprintf(out, " %u%%\n", s->core.limit_percent);
		break;
	default:
		if (ev->group)
			group_event(out, ev);
	}
}

void events_observe(struct sim *s, FILE *out)
{
	const struct sim_observer o = { print_event, out, true };

	fprintf(out, "# %12s  %-16s %s\n", "ms", "who", "what");
	sim_observe(s, &o);
}

static void budget_line(const struct budgets *b, u64 now, const char *name,
			s64 e, const char *why)
{
	if (b->format == FORMAT_CSV)
		fprintf(b->out, "%llu,%s,%lld,%s\n", (unsigned long long)now,
			name, (long long)e, why);
	else if (b->format == FORMAT_JSON)
		fprintf(b->out,
			"{\"time_ns\": %llu, \"reserve\": \"%s\", \"budget_ns\": %lld, \"reason\": \"%s\"}\n",
			(unsigned long long)now, name, (long long)e, why);
	else
		fprintf(b->out, "%14.6f  %-16s %14.6f  %s\n", (double)now / 1e6,
			name, (double)e / 1e6, why);
}

/*
 * Budgets are filled up when somebody looks, so a replenishment is seen at the
 * first event of its reserve after it; one with a charge in the same event was
 * before the charge.
 */
static void look(struct budgets *b, u64 now, const struct sim_reserve *r,
		 bool admission)
{
	const struct tg_reserve *c = r->core;
	struct budget_seen *was = &b->seen[r->id];
	u64 charged = c->used_ns - was->used_ns;

	if (!was->known || admission)
		budget_line(b, now, r->name, c->budget_ns,
			    !was->known ? "initial" : "admission");
	else if (c->periods != was->periods)
		budget_line(b, now, r->name, c->budget_ns + (s64)charged,
			    "replenished");
	if (was->known && charged)
		budget_line(b, now, r->name, c->budget_ns, "charged");
	*was = (struct budget_seen){ c->periods, c->used_ns, c->budget_ns, true };
}

static void see(struct budgets *b, u64 now, const struct sim_reserve *r,
		bool admission)
{
	u32 n = b->n;

	if (r->id >= n) {
		b->n = 2 * r->id + 8;
		b->seen = mem_realloc(b->seen, b->n * sizeof(*b->seen));
		memset(b->seen + n, 0, (b->n - n) * sizeof(*b->seen));
	}
	look(b, now, r, admission);
}

static void budget_event(void *arg, struct sim *s, const struct sim_event *ev)
{
	struct budgets *b = arg;

	if (ev->what == SIM_ADMISSION)
		see(b, ev->now, ev->reserve, true);
	if (ev->what != SIM_SETTLED && ev->what != SIM_COMPLETE)
		return;
	see(b, ev->now, &s->background, false);
	for (const struct sim_reserve *r = s->reserves; r; r = r->next)
		if (!r->gone)
			see(b, ev->now, r, false);
}

void budgets_observe(struct budgets *b, struct sim *s)
{
	const struct sim_observer o = { budget_event, b };

	if (b->format == FORMAT_CSV)
		fputs("time_ns,reserve,budget_ns,reason\n", b->out);
	else if (b->format == FORMAT_TEXT)
		fprintf(b->out, "# %12s  %-16s %14s  %s\n", "ms", "reserve",
			"budget, ms", "why");
	sim_observe(s, &o);
}

void budgets_fini(struct budgets *b)
{
	free(b->seen);
}
