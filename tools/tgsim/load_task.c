// SPDX-License-Identifier: GPL-2.0-or-later
/* The block of a task: when its groups arrive, and what they cost. */
#include "loader.h"
#include "mem.h"

static int trace_line(struct loader *l, struct reader *r, u32 nr_lines)
{
	struct arrival *a = &l->task->arrival;
	struct trace_point *p;
	char *end;
	size_t n;

	a->trace = mem_grow(a->trace, nr_lines, sizeof(*a->trace));
	p = &a->trace[nr_lines];
	memset(p, 0, sizeof(*p));
	n = parse_time(r->word[0], &p->at_ns);
	if (!n || r->word[0][n])
		return reader_refuse(r, r->column[0], "bad-time",
				     "this is no time", TIME_HINT);
	if (nr_lines && p->at_ns < p[-1].at_ns)
		return reader_refuse(r, r->column[0], "unsorted-time",
				     "the times do not rise", "sort the trace");
	n = r->nr_words > 1 ? parse_time(r->word[1], &p->cost_ns) : 0;
	if (!n || r->word[1][n] || !p->cost_ns || p->cost_ns > TG_TIME_MAX_NS)
		return reader_refuse(r, r->column[r->nr_words > 1], "bad-time",
				     "the group's cost is missing, no time, or out of range",
				     "a line is TIME COST [KIND]");
	if (r->nr_words > 3)
		return reader_refuse(r, r->column[3], "trailing-text",
				     "there is more text than a line needs",
				     "a line is TIME COST [KIND]");
	if (r->nr_words > 2) {
		unsigned long kind = strtoul(r->word[2], &end, 10);

		if (*end || kind > UINT32_MAX - 1 || *r->word[2] == '-')
			return reader_refuse(r, r->column[2], "bad-number",
					     "the kind is no number",
					     "a line is TIME COST [KIND]");
		p->kind = kind;
	}
	return 0;
}

static int load_trace(struct loader *l, const char *name)
{
	struct reader *r = mem_alloc(sizeof(*r));
	char path[8192];
	int ret;
	u32 n = 0;

	load_resolve(l, name, path, sizeof(path));
	ret = reader_open(r, path);
	if (!ret) {
		while ((ret = reader_next(r)) > 0) {
			ret = trace_line(l, r, n);
			if (ret)
				break;
			n++;
		}
		reader_close(r);
	}
	l->task->arrival.nr_trace = n;
	free(r);
	return ret;
}

static int tk_program(struct loader *l)
{
	if (l->r.nr_words < 2 || strlen(l->r.word[1]) >= TG_NAME_MAX)
		return load_refuse(l, 1, "bad-name",
			      "the program's name is missing or too long",
			      "program NAME: what the specification calls it");
	snprintf(l->task->program, TG_NAME_MAX, "%s", l->r.word[1]);
	return load_no_more(l, 2);
}

static int arrive_at(struct loader *l, struct arrival *a)
{
	u64 at;

	a->type = ARRIVE_AT;
	if (l->r.nr_words < 3)
		return load_refuse(l, 2, "bad-time", "a time is missing", TIME_HINT);
	for (u32 i = 2; i < l->r.nr_words; i++) {
		int ret = load_time(l, i, &at);

		if (ret)
			return ret;
		if (a->nr_at && at < a->at[a->nr_at - 1])
			return load_refuse(l, i, "unsorted-time",
				      "the times do not rise", "sort them");
		a->at = mem_grow(a->at, a->nr_at, sizeof(*a->at));
		a->at[a->nr_at++] = at;
	}
	return 0;
}

static int arrive_open(struct loader *l, struct arrival *a)
{
	u64 groups = 1;
	const struct option periodic[] = {
		{ "period", .time = &a->period_ns },
		{ "offset", .time = &a->offset_ns },
		{ "jitter", .time = &a->jitter_ns },
		{ "groups", .count = &groups, .min = 1, .max = 100000 },
	}, sporadic[] = {
		{ "gap", .time = &a->gap_ns },
		{ "extra", .time = &a->extra_ns },
		{ "groups", .count = &groups, .min = 1, .max = 100000 },
	};
	bool is_periodic = a->type == ARRIVE_PERIODIC;
	int ret = is_periodic ?
		  load_options(l, 2, periodic, ARRAY_SIZE(periodic)) :
		  load_options(l, 2, sporadic, ARRAY_SIZE(sporadic));

	if (ret)
		return ret;
	a->groups = groups;
	if (is_periodic && !a->period_ns)
		return load_refuse(l, l->r.nr_words, "missing-period",
			      "the period is missing or 0",
			      "arrive periodic period=40ms");
	if (is_periodic && a->jitter_ns >= a->period_ns)
		return load_refuse(l, 2, "bad-jitter",
			      "the jitter is not shorter than the period",
			      "frames keep their order");
	if (!is_periodic && !a->gap_ns)
		return load_refuse(l, l->r.nr_words, "missing-gap",
			      "the smallest gap is missing or 0",
			      "arrive sporadic gap=5ms extra=20ms");
	return 0;
}

static int arrive_loop(struct loader *l, struct arrival *a)
{
	u64 groups = 1, ahead = 1, frames = 0;
	const struct option o[] = {
		{ "groups", .count = &groups, .min = 1, .max = 100000 },
		{ "ahead", .count = &ahead, .min = 1, .max = 10000 },
		{ "think", .time = &a->think_ns },
		{ "frames", .count = &frames, .min = 1, .max = 1000000000 },
	};
	int ret = load_options(l, 2, o, ARRAY_SIZE(o));

	a->type = ARRIVE_LOOP;
	a->groups = groups;
	a->ahead = ahead;
	a->frames = frames;
	return ret;
}

static int tk_arrive(struct loader *l)
{
	struct arrival *a = &l->task->arrival;
	const char *w = l->r.nr_words > 1 ? l->r.word[1] : "";

	if (l->task->has_arrival)
		return load_refuse(l, 0, "second-arrival",
			      "the task has an arrival pattern already",
			      "write a task of its own with the same \"program\"");
	l->task->has_arrival = true;
	if (!strcmp(w, "periodic") || !strcmp(w, "sporadic")) {
		a->type = *w == 'p' ? ARRIVE_PERIODIC : ARRIVE_SPORADIC;
		return arrive_open(l, a);
	}
	if (!strcmp(w, "loop"))
		return arrive_loop(l, a);
	if (!strcmp(w, "at"))
		return arrive_at(l, a);
	if (!strcmp(w, "trace") && l->r.nr_words == 3) {
		a->type = ARRIVE_TRACE;
		return load_trace(l, l->r.word[2]);
	}
	return load_refuse(l, 1, "bad-arrival", "unknown arrival pattern",
		      "arrive loop, periodic, sporadic, at TIME …, trace FILE");
}

static int cost_words(struct loader *l, u32 from, struct cost *c)
{
	static const struct {
		const char *name;
		enum cost_type type;
	} types[] = {
		{ "uniform", COST_UNIFORM }, { "choice", COST_CHOICE },
		{ "cycle", COST_CYCLE }, { "lognormal", COST_LOGNORMAL },
	};
	const char *w = from < l->r.nr_words ? l->r.word[from] : "";
	u32 n = l->r.nr_words, times = n;
	int ret;

	c->type = COST_CONSTANT;
	for (u32 i = 0; i < ARRAY_SIZE(types); i++)
		if (!strcmp(w, types[i].name)) {
			c->type = types[i].type;
			from++;
		}
	if (c->type == COST_LOGNORMAL) {
		times = from + 1;
		ret = load_percent(l, times, 100, &c->sigma_ppm);
		if (ret)
			return ret;
		n = times + 1;
	} else if (c->type == COST_CONSTANT || c->type == COST_UNIFORM) {
		times = n = from + (c->type == COST_UNIFORM ? 2 : 1);
	}
	for (u32 i = from; i < times || i == from; i++) {
		u64 ns;

		ret = load_cost(l, i, &ns);
		if (ret)
			return ret;
		cost_add(c, ns);
	}
	if (c->type == COST_UNIFORM && c->v[1] < c->v[0])
		return load_refuse(l, from, "bad-cost",
			      "the first cost is larger than the second",
			      "cost uniform SMALLEST LARGEST");
	return load_no_more(l, n);
}

static int tk_cost(struct loader *l)
{
	if (l->task->nr_kinds)
		return load_refuse(l, 0, "second-cost", "the task has a cost already",
			      "for several kinds of groups: kind NAME [weight] COST");
	return cost_words(l, 1, &task_add_kind(l->task, l->task->name)->cost);
}

static int tk_kind(struct loader *l)
{
	struct kind *k;
	u32 from = 2;
	u64 weight = 1;
	int ret;

	if (l->r.nr_words < 3 || strlen(l->r.word[1]) >= TG_NAME_MAX)
		return load_refuse(l, 1, "bad-name",
			      "the kind's name or its cost is missing",
			      "kind NAME [weight=N] COST");
	if (!strncmp(l->r.word[2], "weight=", 7)) {
		ret = load_value(l, 2, l->r.word[2] + 7, 1, 1000000, &weight);
		if (ret)
			return ret;
		from = 3;
	}
	k = task_add_kind(l->task, l->r.word[1]);
	k->weight = weight;
	return cost_words(l, from, &k->cost);
}

static int tk_pick(struct loader *l)
{
	const char *w = l->r.nr_words > 1 ? l->r.word[1] : "";

	l->task->cycle = !strcmp(w, "cycle");
	if (!l->task->cycle && strcmp(w, "random"))
		return load_refuse(l, 1, "bad-pick", "unknown order of kinds",
			      "pick cycle, or pick random");
	return load_no_more(l, 2);
}

static int tk_noise(struct loader *l)
{
	int ret = load_percent(l, 1, 99, &l->task->noise_ppm);

	return ret ? ret : load_no_more(l, 2);
}

static int tk_from(struct loader *l)
{
	int ret = load_time(l, 1, &l->task->from_ns);

	return ret ? ret : load_no_more(l, 2);
}

static int tk_until(struct loader *l)
{
	int ret = load_time(l, 1, &l->task->until_ns);

	return ret ? ret : load_no_more(l, 2);
}

static int tk_instances(struct loader *l)
{
	const struct option o[] = {
		{ "stagger", .time = &l->task->stagger_ns },
	};
	u64 v;
	int ret = load_count(l, 1, 1, SCENARIO_INSTANCES_MAX, &v);

	if (ret)
		return ret;
	l->task->instances = v;
	return load_options(l, 2, o, ARRAY_SIZE(o));
}

static int tk_threads(struct loader *l)
{
	u64 v;
	int ret = load_count(l, 1, 1, 10000, &v);

	if (ret)
		return ret;
	l->task->threads = v;
	return load_no_more(l, 2);
}

int load_task_end(struct loader *l)
{
	struct task_desc *t = l->task;

	if (!t)
		return 0;
	if (!t->has_arrival)
		return reader_refuse(&l->r, 1, "missing-arrival",
				     "the task before this line has no \"arrive\"",
				     "arrive loop, periodic, sporadic, at or trace");
	if (!t->nr_kinds && t->arrival.type != ARRIVE_TRACE)
		return reader_refuse(&l->r, 1, "missing-cost",
				     "the task before this line has no \"cost\"",
				     "cost 2ms");
	if (t->until_ns && t->until_ns <= t->from_ns)
		return reader_refuse(&l->r, 1, "bad-life",
				     "the task before this line ends before it starts",
				     "from TIME, until a later TIME");
	if (t->each_frame && (t->arrival.type != ARRIVE_LOOP || t->arrival.ahead != 1))
		return reader_refuse(&l->r, 1, "frames-overlap",
				     "the task before this line has memory for each frame, and its frames may overlap",
				     "arrive loop, without ahead");
	if (!t->nr_kinds)
		cost_add(&task_add_kind(t, "trace")->cost, 1);
	return 0;
}

static const struct keyword {
	const char *name;
	int (*read)(struct loader *l);
} keywords[] = {
	{ "program", tk_program }, { "arrive", tk_arrive }, { "cost", tk_cost },
	{ "kind", tk_kind }, { "pick", tk_pick }, { "noise", tk_noise },
	{ "from", tk_from }, { "until", tk_until },
	{ "instances", tk_instances }, { "threads", tk_threads },
};

int load_task_line(struct loader *l)
{
	for (u32 i = 0; i < ARRAY_SIZE(keywords); i++) {
		if (strcmp(l->r.word[0], keywords[i].name))
			continue;
		if (!l->task)
			return load_refuse(l, 0, "outside-task",
					   "this belongs to a task, and none is open",
					   "write \"task NAME\" before it");
		return keywords[i].read(l);
	}
	return 1;
}
