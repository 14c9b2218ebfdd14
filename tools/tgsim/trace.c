// SPDX-License-Identifier: GPL-2.0-or-later
/* What happens, as lines: events, and budgets. */
#include "json.h"
#include "mem.h"
#include "show.h"

static const char *const state_name[] = {
	[TG_GROUP_NEW] = "new",		    [TG_GROUP_WAITING] = "waits",
	[TG_GROUP_THROTTLED] = "throttled", [TG_GROUP_ONLINE] = "granted",
	[TG_GROUP_RUNNING] = "running",	    [TG_GROUP_ASIDE] = "aside",
	[TG_GROUP_OUT] = "out",
};

/**
 * struct happening - an event, as it is told
 * @now: when
 * @who: a task's or a reserve's name
 * @what: a word
 * @group: which it is about, or NULL
 * @predicted: its cost was predicted: tell
 * @complete: tell what it cost, and how long it took from its arrival
 * @detail: more, or ""
 */
struct happening {
	u64 now;
	const char *who, *what;
	const struct sim_group *group;
	bool predicted, complete;
	char detail[96];
};

static u64 response_ns(const struct happening *h)
{
	return h->now - h->group->released_ns;
}

static void tell_text(FILE *out, const struct happening *h)
{
	const struct sim_group *g = h->group;

	fprintf(out, "%14.6f  %-16s %-10s", (double)h->now / 1e6, h->who, h->what);
	if (g)
		fprintf(out, " group %llu", (unsigned long long)g->id);
	if (h->detail[0])
		fprintf(out, "%s%s", g ? ", " : " ", h->detail);
	if (h->predicted)
		fprintf(out, ", predicted %.6f ms", (double)g->x / 1e6);
	if (h->complete)
		fprintf(out, ", cost %.6f ms, response %.6f ms", (double)g->core.cost_ns / 1e6,
			(double)response_ns(h) / 1e6);
	fputc('\n', out);
}

static void tell_json(FILE *out, const struct happening *h)
{
	struct json j = { .out = out, .compact = true };

	json_open(&j, NULL, '{');
	json_uint(&j, "time_ns", h->now);
	json_string(&j, "who", h->who);
	json_string(&j, "event", h->what);
	if (h->group)
		json_uint(&j, "group", h->group->id);
	if (h->predicted)
		json_uint(&j, "predicted_ns", h->group->x);
	if (h->complete) {
		json_uint(&j, "cost_ns", h->group->core.cost_ns);
		json_uint(&j, "response_ns", response_ns(h));
	}
	if (h->detail[0])
		json_string(&j, "detail", h->detail);
	json_close(&j, '}');
}

static void number(FILE *out, bool known, u64 value)
{
	fputc(',', out);
	if (known)
		fprintf(out, "%llu", (unsigned long long)value);
}

static void tell_csv(FILE *out, const struct happening *h)
{
	const struct sim_group *g = h->group;

	fprintf(out, "%llu,", (unsigned long long)h->now);
	csv_text(out, h->who);
	fprintf(out, ",%s", h->what);
	number(out, g, g ? g->id : 0);
	number(out, h->predicted, g ? g->x : 0);
	number(out, h->complete, g ? g->core.cost_ns : 0);
	number(out, h->complete, g ? response_ns(h) : 0);
	fputc(',', out);
	csv_text(out, h->detail);
	fputc('\n', out);
}

static void tell(const struct events *e, const struct happening *h)
{
	if (e->format == FORMAT_JSON)
		tell_json(e->out, h);
	else if (e->format == FORMAT_CSV)
		tell_csv(e->out, h);
	else
		tell_text(e->out, h);
}

static void group_event(const struct events *e, const struct sim_event *ev)
{
	const struct sim_group *g = ev->group;
	struct happening h = { .now = ev->now, .who = g->inst->name, .group = g };

	switch (ev->what) {
	case SIM_ARRIVE:
		h.what = "arrives";
		break;
	case SIM_STATE:
		if (g->core.state != TG_GROUP_WAITING &&
		    g->core.state != TG_GROUP_THROTTLED)
			return;
		h.what = state_name[g->core.state];
		break;
	case SIM_GRANT:
		h.what = "granted";
		break;
	case SIM_REFUSE:
		h.what = "refused";
		h.predicted = true;
		break;
	case SIM_START:
		h.what = "starts";
		h.predicted = g->profiled;
		if (g->core.switched)
			strcpy(h.detail, "switch");
		break;
	case SIM_COMPLETE:
		h.what = "completes";
		h.complete = true;
		break;
	case SIM_CANCEL:
		h.what = "cancelled";
		break;
	default:
		return;
	}
	tell(e, &h);
}

static void print_event(void *arg, struct sim *s, const struct sim_event *ev)
{
	struct happening h = { .now = ev->now };
	const struct events *e = arg;

	switch (ev->what) {
	case SIM_JOIN:
		h.who = ev->inst->name;
		h.what = "begins";
		snprintf(h.detail, sizeof(h.detail), "%s, priority %u, reserve %s",
			 show_sched(ev->inst), ev->inst->entry.prio, show_reserve(ev->inst));
		break;
	case SIM_LEAVE:
		h.who = ev->inst->name;
		h.what = "leaves";
		break;
	case SIM_ADMISSION:
		h.who = ev->reserve->name;
		h.what = ev->reserve->demoted ? "demoted" : "admitted";
		break;
	case SIM_LIMIT:
		h.who = "-";
		h.what = "limit";
		snprintf(h.detail, sizeof(h.detail), "%u%%", s->core.limit_percent);
		break;
	default:
		if (ev->group)
			group_event(e, ev);
		return;
	}
	tell(e, &h);
}

void events_observe(struct events *e, struct sim *s)
{
	const struct sim_observer o = { print_event, e, true };

	if (e->format == FORMAT_CSV)
		fputs("time_ns,who,event,group,predicted_ns,cost_ns,response_ns,detail\n", e->out);
	else if (e->format == FORMAT_TEXT)
		fprintf(e->out, "# %12s  %-16s %s\n", "ms", "who", "what");
	sim_observe(s, &o);
}

static void budget_line(const struct budgets *b, u64 now, const char *name,
			s64 e, const char *why)
{
	struct json j = { .out = b->out, .compact = true };

	if (b->format == FORMAT_CSV) {
		fprintf(b->out, "%llu,", (unsigned long long)now);
		csv_text(b->out, name);
		fprintf(b->out, ",%lld,%s\n", (long long)e, why);
	} else if (b->format == FORMAT_JSON) {
		json_open(&j, NULL, '{');
		json_uint(&j, "time_ns", now);
		json_string(&j, "reserve", name);
		json_int(&j, "budget_ns", e);
		json_string(&j, "reason", why);
		json_close(&j, '}');
	} else {
		fprintf(b->out, "%14.6f  %-16s %14.6f  %s\n", (double)now / 1e6,
			name, (double)e / 1e6, why);
	}
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
