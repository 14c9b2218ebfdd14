// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The grammar of scenarios.
 *
 * A line is a keyword and its arguments.  The first keywords describe the GPU
 * and the run; "task" opens a block, whose keywords describe that task.  The
 * lines of a specification that stand in the scenario are handed to the
 * kernel's own parser, in a text with the same line numbers and columns.
 */
#include "mem.h"
#include "reader.h"

struct loader {
	struct scenario *sc;
	struct reader r;
	struct task_desc *task;
	char *spec;		/* inline specification */
	size_t spec_len;
	const char *spec_file;	/* or the file that holds it */
	const char *ac_file;
	char dir[4096];		/* of the scenario, for the files that it names */
	struct focus_name { char name[TG_NAME_MAX]; u32 change, line, column; } *focus;
	u32 nr_focus;
};

static int refuse(struct loader *l, u32 word, const char *check,
		  const char *text, const char *hint)
{
	u32 last = l->r.nr_words ? l->r.nr_words - 1 : 0;
	u32 column = word <= last ? l->r.column[word] :
		     l->r.column[last] + (u32)strlen(l->r.word[last]);

	return reader_refuse(&l->r, column, check, text, hint);
}

static const struct unit {
	const char *name;
	u64 ns;
} units[] = { { "ns", 1 }, { "us", 1000 }, { "ms", 1000000 },
	      { "s", 1000000000 } };

/* At most 15 digits before a point are read: they fit 64 bits. */
size_t parse_time(const char *text, u64 *ns)
{
	u64 whole = 0, part = 0, scale = 1, unit = 1000;
	const char *p = text;
	u32 digits = 0;

	for (; *p >= '0' && *p <= '9' && digits < 15; p++, digits++)
		whole = whole * 10 + (*p - '0');
	if (!digits)
		return 0;
	if (*p == '.')
		for (p++; *p >= '0' && *p <= '9'; p++)
			if (scale < 1000000000) {
				part = part * 10 + (*p - '0');
				scale *= 10;
			}
	for (u32 i = 0; i < ARRAY_SIZE(units); i++) {
		size_t n = strlen(units[i].name);

		if (!strncmp(p, units[i].name, n)) {
			unit = units[i].ns;
			p += n;
			break;
		}
	}
	if (whole > SCENARIO_TIME_MAX_NS / unit)
		return 0;
	/* part < 10^9 and unit <= 10^9. */
	*ns = whole * unit + part * unit / scale;
	return p - text;
}

#define TIME_HINT "a number of microseconds, or with ns, us, ms, s: 2.5ms"

static int get_time(struct loader *l, u32 word, const char *text, u64 *ns)
{
	size_t n = text ? parse_time(text, ns) : 0;

	if (!n || text[n])
		return refuse(l, word, "bad-time",
			      text ? "this is no time, or it is too long" :
				     "a time is missing", TIME_HINT);
	return 0;
}

static int word_time(struct loader *l, u32 word, u64 *ns)
{
	return get_time(l, word, word < l->r.nr_words ? l->r.word[word] : NULL,
			ns);
}

/* A time that is not 0. */
static int word_cost(struct loader *l, u32 word, u64 *ns)
{
	int ret = word_time(l, word, ns);

	if (!ret && (!*ns || *ns > TG_TIME_MAX_NS))
		return refuse(l, word, "cost-out-of-range",
			      "a cost must be more than 0 and at most 100 s",
			      TIME_HINT);
	return ret;
}

static int get_count(struct loader *l, u32 word, const char *text, u64 lo,
		     u64 hi, u64 *v)
{
	char hint[80];
	char *end;

	errno = 0;
	*v = text && *text >= '0' && *text <= '9' ? strtoull(text, &end, 10) :
						     UINT64_MAX;
	if (text && *v != UINT64_MAX && !*end && !errno && *v >= lo && *v <= hi)
		return 0;
	snprintf(hint, sizeof(hint), "a whole number from %llu to %llu",
		 (unsigned long long)lo, (unsigned long long)hi);
	return refuse(l, word, "bad-number", "this is no number in range", hint);
}

static int word_count(struct loader *l, u32 word, u64 lo, u64 hi, u64 *v)
{
	return get_count(l, word,
			 word < l->r.nr_words ? l->r.word[word] : NULL, lo, hi,
			 v);
}

/* "5%", "0.5%", in ppm. */
static int word_percent(struct loader *l, u32 word, u32 max, u32 *ppm)
{
	const char *text = word < l->r.nr_words ? l->r.word[word] : "";
	char *end;
	double v = *text >= '0' && *text <= '9' ? strtod(text, &end) : -1;

	if (v < 0 || v > max || strcmp(end, *end ? "%" : ""))
		return refuse(l, word, "bad-percent",
			      "this is no percentage in range",
			      "write 5% or 0.5%");
	*ppm = (u32)(v * PPM / 100 + 0.5);
	return 0;
}

static int no_more(struct loader *l, u32 n)
{
	if (l->r.nr_words > n)
		return refuse(l, n, "trailing-text",
			      "there is more text than this line needs",
			      "a comment starts with #");
	return 0;
}

/* A "key=value" option of a line. */
struct option {
	const char *name;
	u64 *time;
	u64 *count;
	u64 min, max;
};

static int one_option(struct loader *l, u32 word, const struct option *o,
		      u32 n)
{
	char *text = l->r.word[word];
	char *value = strchr(text, '=');
	char hint[200] = "known here:";

	for (u32 i = 0; i < n; i++) {
		size_t len = strlen(o[i].name);

		if (value && (size_t)(value - text) == len &&
		    !memcmp(text, o[i].name, len)) {
			if (o[i].time)
				return get_time(l, word, value + 1, o[i].time);
			return get_count(l, word, value + 1, o[i].min,
					 o[i].max, o[i].count);
		}
		snprintf(hint + strlen(hint), sizeof(hint) - strlen(hint),
			 " %s=", o[i].name);
	}
	return refuse(l, word, "unknown-option", "unknown option of this line",
		      hint);
}

static int options(struct loader *l, u32 from, const struct option *o, u32 n)
{
	int ret = 0;

	for (u32 i = from; i < l->r.nr_words && !ret; i++)
		ret = one_option(l, i, o, n);
	return ret;
}

static int kw_title(struct loader *l)
{
	if (l->r.nr_words < 2)
		return refuse(l, 1, "missing-text", "the title is missing",
			      "title \"what this scenario shows\"");
	snprintf(l->sc->title, sizeof(l->sc->title), "%s", l->r.word[1]);
	return no_more(l, 2);
}

static int kw_gpu(struct loader *l)
{
	struct gpu_desc *g = &l->sc->gpu;
	const struct option o[] = {
		{ "switch", .time = &g->switch_ns },
		{ "dispatch", .time = &g->dispatch_ns },
		{ "submit", .time = &g->submit_ns },
		{ "irq", .time = &g->irq_ns },
	};

	return options(l, 1, o, ARRAY_SIZE(o));
}

static int kw_horizon(struct loader *l)
{
	int ret = word_time(l, 1, &l->sc->horizon_ns);

	if (!ret && !l->sc->horizon_ns)
		return refuse(l, 1, "bad-time", "the horizon is 0", TIME_HINT);
	return ret ? ret : no_more(l, 2);
}

static int kw_drain(struct loader *l)
{
	int ret = word_time(l, 1, &l->sc->drain_ns);

	return ret ? ret : no_more(l, 2);
}

static int kw_seed(struct loader *l)
{
	int ret = word_count(l, 1, 0, UINT64_MAX - 1, &l->sc->seed);

	return ret ? ret : no_more(l, 2);
}

static int kw_limit(struct loader *l)
{
	u64 percent, at = 0;
	int ret = word_count(l, 1, 0, 100, &percent);

	if (ret)
		return ret;
	if (l->r.nr_words == 2) {
		l->sc->limit_percent = percent;
		return 0;
	}
	if (strcmp(l->r.word[2], "at"))
		return refuse(l, 2, "unknown-option",
			      "only \"at TIME\" may follow the limit",
			      "limit 80 at 5s");
	ret = word_time(l, 3, &at);
	if (ret)
		return ret;
	scenario_add_change(l->sc, CHANGE_LIMIT, at)->percent = percent;
	return no_more(l, 4);
}

static int kw_focus(struct loader *l)
{
	struct focus_name *f;
	u64 at = 0;
	int ret;

	if (l->r.nr_words < 2)
		return refuse(l, 1, "missing-text", "the task's name is missing",
			      "focus TASK [at TIME]");
	if (l->r.nr_words > 2) {
		if (strcmp(l->r.word[2], "at"))
			return refuse(l, 2, "unknown-option",
				      "only \"at TIME\" may follow the name",
				      "focus game at 5s");
		ret = word_time(l, 3, &at);
		if (ret)
			return ret;
	}
	scenario_add_change(l->sc, CHANGE_FOCUS, at);
	l->focus = mem_grow(l->focus, l->nr_focus, sizeof(*l->focus));
	f = &l->focus[l->nr_focus++];
	snprintf(f->name, sizeof(f->name), "%s", l->r.word[1]);
	f->change = l->sc->nr_changes - 1;
	f->line = l->r.line;
	f->column = l->r.column[1];
	return no_more(l, 4);
}

static int kw_background(struct loader *l)
{
	int ret = word_cost(l, 1, &l->sc->bg_capacity_ns);

	if (!ret)
		ret = word_cost(l, 2, &l->sc->bg_period_ns);
	if (!ret && l->sc->bg_capacity_ns > l->sc->bg_period_ns)
		return refuse(l, 1, "capacity-over-period",
			      "the capacity C is larger than the period T",
			      "background 25ms 25ms");
	return ret ? ret : no_more(l, 3);
}

static int kw_ht_depth(struct loader *l)
{
	u64 v;
	int ret = word_count(l, 1, 1, 256, &v);

	if (!ret)
		l->sc->ht_depth = v;
	return ret ? ret : no_more(l, 2);
}

static int kw_history(struct loader *l)
{
	u64 v;
	int ret = word_count(l, 1, 1, TG_HISTORY_MAX, &v);

	if (!ret)
		l->sc->history = v;
	return ret ? ret : no_more(l, 2);
}

static int kw_clock(struct loader *l)
{
	const char *w = l->r.nr_words > 1 ? l->r.word[1] : "";

	l->sc->cpu_clock = !strcmp(w, "cpu");
	if (!l->sc->cpu_clock && strcmp(w, "gpu"))
		return refuse(l, 1, "bad-clock", "unknown clock",
			      "gpu: by its timestamps; cpu: by the interrupts");
	return no_more(l, 2);
}

static int kw_predict(struct loader *l)
{
	const char *w = l->r.nr_words > 1 ? l->r.word[1] : "";
	u32 n = 2;
	int ret;

	if (!strcmp(w, "perfect"))
		l->sc->predictor = PREDICT_PERFECT;
	else if (!strcmp(w, "history"))
		l->sc->predictor = PREDICT_HISTORY;
	else
		return refuse(l, 1, "bad-predictor", "unknown predictor",
			      "predict history [unknown 2%], or predict perfect");
	if (l->r.nr_words > 2 && !strcmp(l->r.word[2], "unknown")) {
		ret = word_percent(l, 3, 100, &l->sc->unknown_ppm);
		if (ret)
			return ret;
		n = 4;
	}
	return no_more(l, n);
}

/* The rest of the line keeps its place: blanks for what stands before it. */
static void add_inline_spec(struct loader *l, size_t from, size_t to)
{
	size_t n;

	for (n = 0; n < from; n++)
		l->spec[l->spec_len++] = l->r.start[n] == '\t' ? '\t' : ' ';
	memcpy(l->spec + l->spec_len, l->r.start + from, to - from);
	l->spec_len += to - from;
}

static int kw_spec(struct loader *l)
{
	size_t len = l->r.next - l->r.start - 1;

	if (l->r.nr_words < 2)
		return refuse(l, 1, "missing-text",
			      "an entry or a file is missing",
			      "spec <name:sched:resv:prio:C:T>, or spec FILE");
	if (l->r.start[l->r.column[1] - 1] == '<') {
		add_inline_spec(l, l->r.column[1] - 1, len);
		return 0;
	}
	if (l->spec_file)
		return refuse(l, 1, "second-file",
			      "a specification was named before",
			      "one file, or the entries themselves");
	l->spec_file = strdup(l->r.word[1]);
	return no_more(l, 2);
}

static int kw_ac(struct loader *l)
{
	if (l->r.nr_words < 2)
		return refuse(l, 1, "missing-text", "the file is missing",
			      "ac FILE, or limit PERCENT");
	l->ac_file = strdup(l->r.word[1]);
	return no_more(l, 2);
}

static int check_task(struct loader *l)
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
	if (!t->nr_kinds)
		cost_add(&task_add_kind(t, "trace")->cost, 1);
	return 0;
}

static int kw_task(struct loader *l)
{
	int ret = check_task(l);

	if (ret)
		return ret;
	if (l->r.nr_words < 2 || strlen(l->r.word[1]) >= TG_NAME_MAX)
		return refuse(l, 1, "bad-name",
			      "the task's name is missing or has more than 63 bytes",
			      "task NAME");
	for (u32 i = 0; i < l->sc->nr_tasks; i++)
		if (!strcmp(l->sc->tasks[i].name, l->r.word[1]))
			return refuse(l, 1, "second-task",
				      "a task of this name stands before",
				      "use \"instances\", or another name and \"program\"");
	l->task = scenario_add_task(l->sc, l->r.word[1]);
	l->task->line = l->r.line;
	return no_more(l, 2);
}

static int tk_program(struct loader *l)
{
	if (l->r.nr_words < 2 || strlen(l->r.word[1]) >= TG_NAME_MAX)
		return refuse(l, 1, "bad-name",
			      "the program's name is missing or too long",
			      "program NAME: what the specification calls it");
	snprintf(l->task->program, TG_NAME_MAX, "%s", l->r.word[1]);
	return no_more(l, 2);
}

static int load_trace(struct loader *l, const char *name);

static int arrive_at(struct loader *l, struct arrival *a)
{
	u64 at;

	a->type = ARRIVE_AT;
	if (l->r.nr_words < 3)
		return refuse(l, 2, "bad-time", "a time is missing", TIME_HINT);
	for (u32 i = 2; i < l->r.nr_words; i++) {
		int ret = word_time(l, i, &at);

		if (ret)
			return ret;
		if (a->nr_at && at < a->at[a->nr_at - 1])
			return refuse(l, i, "unsorted-time",
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
		  options(l, 2, periodic, ARRAY_SIZE(periodic)) :
		  options(l, 2, sporadic, ARRAY_SIZE(sporadic));

	if (ret)
		return ret;
	a->groups = groups;
	if (is_periodic && !a->period_ns)
		return refuse(l, l->r.nr_words, "missing-period",
			      "the period is missing or 0",
			      "arrive periodic period=40ms");
	if (is_periodic && a->jitter_ns >= a->period_ns)
		return refuse(l, 2, "bad-jitter",
			      "the jitter is not shorter than the period",
			      "frames keep their order");
	if (!is_periodic && !a->gap_ns)
		return refuse(l, l->r.nr_words, "missing-gap",
			      "the smallest gap is missing or 0",
			      "arrive sporadic gap=5ms extra=20ms");
	return 0;
}

static int arrive_loop(struct loader *l, struct arrival *a)
{
	u64 groups = 1, ahead = 1;
	const struct option o[] = {
		{ "groups", .count = &groups, .min = 1, .max = 100000 },
		{ "ahead", .count = &ahead, .min = 1, .max = 10000 },
		{ "think", .time = &a->think_ns },
	};
	int ret = options(l, 2, o, ARRAY_SIZE(o));

	a->type = ARRIVE_LOOP;
	a->groups = groups;
	a->ahead = ahead;
	return ret;
}

static int tk_arrive(struct loader *l)
{
	struct arrival *a = &l->task->arrival;
	const char *w = l->r.nr_words > 1 ? l->r.word[1] : "";

	if (l->task->has_arrival)
		return refuse(l, 0, "second-arrival",
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
	return refuse(l, 1, "bad-arrival", "unknown arrival pattern",
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
		ret = word_percent(l, times, 100, &c->sigma_ppm);
		if (ret)
			return ret;
		n = times + 1;
	} else if (c->type == COST_CONSTANT || c->type == COST_UNIFORM) {
		times = n = from + (c->type == COST_UNIFORM ? 2 : 1);
	}
	for (u32 i = from; i < times || i == from; i++) {
		u64 ns;

		ret = word_cost(l, i, &ns);
		if (ret)
			return ret;
		cost_add(c, ns);
	}
	if (c->type == COST_UNIFORM && c->v[1] < c->v[0])
		return refuse(l, from, "bad-cost",
			      "the first cost is larger than the second",
			      "cost uniform SMALLEST LARGEST");
	return no_more(l, n);
}

static int tk_cost(struct loader *l)
{
	if (l->task->nr_kinds)
		return refuse(l, 0, "second-cost", "the task has a cost already",
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
		return refuse(l, 1, "bad-name",
			      "the kind's name or its cost is missing",
			      "kind NAME [weight=N] COST");
	if (!strncmp(l->r.word[2], "weight=", 7)) {
		ret = get_count(l, 2, l->r.word[2] + 7, 1, 1000000, &weight);
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
		return refuse(l, 1, "bad-pick", "unknown order of kinds",
			      "pick cycle, or pick random");
	return no_more(l, 2);
}

static int tk_noise(struct loader *l)
{
	int ret = word_percent(l, 1, 99, &l->task->noise_ppm);

	return ret ? ret : no_more(l, 2);
}

static int tk_from(struct loader *l)
{
	int ret = word_time(l, 1, &l->task->from_ns);

	return ret ? ret : no_more(l, 2);
}

static int tk_until(struct loader *l)
{
	int ret = word_time(l, 1, &l->task->until_ns);

	return ret ? ret : no_more(l, 2);
}

static int tk_instances(struct loader *l)
{
	const struct option o[] = {
		{ "stagger", .time = &l->task->stagger_ns },
	};
	u64 v;
	int ret = word_count(l, 1, 1, SCENARIO_INSTANCES_MAX, &v);

	if (ret)
		return ret;
	l->task->instances = v;
	return options(l, 2, o, ARRAY_SIZE(o));
}

static int tk_threads(struct loader *l)
{
	u64 v;
	int ret = word_count(l, 1, 1, 10000, &v);

	if (ret)
		return ret;
	l->task->threads = v;
	return no_more(l, 2);
}

static const struct keyword {
	const char *name;
	int (*read)(struct loader *l);
	bool of_task;
} keywords[] = {
	{ "title", kw_title }, { "gpu", kw_gpu }, { "horizon", kw_horizon },
	{ "drain", kw_drain },
	{ "seed", kw_seed }, { "limit", kw_limit }, { "ac", kw_ac },
	{ "background", kw_background }, { "ht-depth", kw_ht_depth },
	{ "history", kw_history }, { "clock", kw_clock },
	{ "predict", kw_predict }, { "spec", kw_spec }, { "focus", kw_focus },
	{ "task", kw_task },
	{ "program", tk_program, true }, { "arrive", tk_arrive, true },
	{ "cost", tk_cost, true }, { "kind", tk_kind, true },
	{ "pick", tk_pick, true }, { "noise", tk_noise, true },
	{ "from", tk_from, true }, { "until", tk_until, true },
	{ "instances", tk_instances, true }, { "threads", tk_threads, true },
};

static int read_line(struct loader *l)
{
	for (u32 i = 0; i < ARRAY_SIZE(keywords); i++) {
		if (strcmp(l->r.word[0], keywords[i].name))
			continue;
		if (keywords[i].of_task && !l->task)
			return refuse(l, 0, "outside-task",
				      "this belongs to a task, and none is open",
				      "write \"task NAME\" before it");
		return keywords[i].read(l);
	}
	return refuse(l, 0, "unknown-keyword", "unknown keyword",
		      "see tgsim(1); a comment starts with #");
}

/* Names of files are relative to the scenario's. */
static void resolve(const struct loader *l, const char *name, char *path,
		    size_t size)
{
	snprintf(path, size, "%s%s", *name == '/' ? "" : l->dir, name);
}

static int trace_line(struct loader *l, struct reader *r, u32 nr_lines)
{
	struct arrival *a = &l->task->arrival;
	struct trace_point *p;
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
	if (r->nr_words > 2)
		p->kind = strtoul(r->word[2], NULL, 0);
	return 0;
}

static int load_trace(struct loader *l, const char *name)
{
	struct reader *r = mem_alloc(sizeof(*r));
	char path[8192];
	int ret;
	u32 n = 0;

	resolve(l, name, path, sizeof(path));
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

static int parse_spec(struct loader *l, const struct reader *r,
		      const char *text, size_t len)
{
	struct tg_spec_error err;
	int n;

	l->sc->spec = mem_realloc(l->sc->spec,
				  TG_SPEC_MAX_ENTRIES * sizeof(*l->sc->spec));
	n = tg_spec_parse(text, len, l->sc->spec, TG_SPEC_MAX_ENTRIES, &err);
	if (n < 0)
		return reader_refuse_spec(r, &err);
	l->sc->nr_spec = n;
	return 0;
}

static int load_spec(struct loader *l, const char *name)
{
	struct reader *r = mem_alloc(sizeof(*r));
	int ret = reader_open(r, name);

	if (!ret)
		ret = parse_spec(l, r, r->text, r->len);
	reader_close(r);
	free(r);
	return ret;
}

static int load_ac(struct loader *l, const char *name)
{
	struct reader *r = mem_alloc(sizeof(*r));
	struct tg_spec_error err;
	int ret = reader_open(r, name);

	if (!ret && tg_ac_parse(r->text, r->len, &l->sc->limit_percent, &err))
		ret = reader_refuse_spec(r, &err);
	reader_close(r);
	free(r);
	return ret;
}

static int resolve_focus(struct loader *l)
{
	for (u32 i = 0; i < l->nr_focus; i++) {
		struct focus_name *f = &l->focus[i];
		u32 t;

		for (t = 0; t < l->sc->nr_tasks; t++)
			if (!strcmp(l->sc->tasks[t].name, f->name))
				break;
		if (t == l->sc->nr_tasks) {
			fprintf(stderr,
				"%s:%u:%u: error[unknown-task]: there is no task of this name\n",
				l->r.name, f->line, f->column);
			return -EINVAL;
		}
		l->sc->changes[f->change].task = t;
	}
	return 0;
}

static int load_lines(struct loader *l)
{
	u32 line = 0;
	int ret;

	l->spec = mem_alloc(l->r.len + 1);
	while ((ret = reader_next(&l->r)) > 0) {
		/* Empty lines in the specification for those between. */
		for (; line + 1 < l->r.line; line++)
			l->spec[l->spec_len++] = '\n';
		ret = read_line(l);
		if (ret)
			return ret;
	}
	if (ret)
		return ret;
	if (!l->task) {
		l->r.start = l->r.text + l->r.len;
		return reader_refuse(&l->r, 1, "no-task",
				     "the scenario has no task", "task NAME");
	}
	return check_task(l);
}

static int load_others(struct loader *l, const struct scenario_files *files)
{
	char path[8192];
	int ret = resolve_focus(l);

	if (ret)
		return ret;
	if (files->spec) {
		ret = load_spec(l, files->spec);
	} else if (l->spec_file) {
		resolve(l, l->spec_file, path, sizeof(path));
		ret = load_spec(l, path);
	} else {
		ret = parse_spec(l, &l->r, l->spec, l->spec_len);
	}
	if (ret)
		return ret;
	if (files->ac)
		return load_ac(l, files->ac);
	if (!l->ac_file)
		return 0;
	resolve(l, l->ac_file, path, sizeof(path));
	return load_ac(l, path);
}

int scenario_load(struct scenario *sc, const struct scenario_files *files)
{
	struct loader *l = mem_alloc(sizeof(*l));
	const char *slash = strrchr(files->scenario, '/');
	int ret;

	l->sc = sc;
	scenario_init(sc);
	if (slash)
		snprintf(l->dir, sizeof(l->dir), "%.*s",
			 (int)(slash - files->scenario + 1), files->scenario);
	ret = files->text ?
	      reader_open_text(&l->r, files->scenario, files->text) :
	      reader_open(&l->r, files->scenario);
	if (!ret)
		ret = load_lines(l);
	if (!ret)
		ret = load_others(l, files);
	reader_close(&l->r);
	free(l->spec);
	free((char *)l->spec_file);
	free((char *)l->ac_file);
	free(l->focus);
	free(l);
	if (ret)
		scenario_free(sc);
	return ret;
}
