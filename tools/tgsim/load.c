// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The grammar of scenarios.
 *
 * A line is a keyword and its arguments.  The first keywords describe the GPU
 * and the run; "task" opens a block, whose keywords describe that task.  The
 * lines of a specification that stand in the scenario are handed to the
 * kernel's own parser, in a text with the same line numbers and columns.
 */
#include "loader.h"
#include "mem.h"

static int kw_title(struct loader *l)
{
	if (l->r.nr_words < 2)
		return load_refuse(l, 1, "missing-text", "the title is missing",
			      "title \"what this scenario shows\"");
	snprintf(l->sc->title, sizeof(l->sc->title), "%s", l->r.word[1]);
	return load_no_more(l, 2);
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

	return load_options(l, 1, o, ARRAY_SIZE(o));
}

static int kw_horizon(struct loader *l)
{
	int ret = load_time(l, 1, &l->sc->horizon_ns);

	if (!ret && !l->sc->horizon_ns)
		return load_refuse(l, 1, "bad-time", "the horizon is 0", TIME_HINT);
	return ret ? ret : load_no_more(l, 2);
}

static int kw_drain(struct loader *l)
{
	int ret = load_time(l, 1, &l->sc->drain_ns);

	return ret ? ret : load_no_more(l, 2);
}

static int kw_seed(struct loader *l)
{
	int ret = load_count(l, 1, 0, UINT64_MAX - 1, &l->sc->seed);

	return ret ? ret : load_no_more(l, 2);
}

static int kw_limit(struct loader *l)
{
	u64 percent, at = 0;
	int ret = load_count(l, 1, 0, 100, &percent);

	if (ret)
		return ret;
	if (l->r.nr_words == 2) {
		l->sc->limit_percent = percent;
		return 0;
	}
	if (strcmp(l->r.word[2], "at"))
		return load_refuse(l, 2, "unknown-option",
			      "only \"at TIME\" may follow the limit",
			      "limit 80 at 5s");
	ret = load_time(l, 3, &at);
	if (ret)
		return ret;
	scenario_add_change(l->sc, CHANGE_LIMIT, at)->percent = percent;
	return load_no_more(l, 4);
}

static int kw_focus(struct loader *l)
{
	struct focus_name *f;
	u64 at = 0;
	int ret;

	if (l->r.nr_words < 2)
		return load_refuse(l, 1, "missing-text", "the task's name is missing",
			      "focus TASK [at TIME]");
	if (l->r.nr_words > 2) {
		if (strcmp(l->r.word[2], "at"))
			return load_refuse(l, 2, "unknown-option",
				      "only \"at TIME\" may follow the name",
				      "focus game at 5s");
		ret = load_time(l, 3, &at);
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
	return load_no_more(l, 4);
}

static int kw_background(struct loader *l)
{
	int ret = load_cost(l, 1, &l->sc->bg_capacity_ns);

	if (!ret)
		ret = load_cost(l, 2, &l->sc->bg_period_ns);
	if (!ret && l->sc->bg_capacity_ns > l->sc->bg_period_ns)
		return load_refuse(l, 1, "capacity-over-period",
			      "the capacity C is larger than the period T",
			      "background 25ms 25ms");
	return ret ? ret : load_no_more(l, 3);
}

static int kw_ht_depth(struct loader *l)
{
	u64 v;
	int ret = load_count(l, 1, 1, 256, &v);

	if (!ret)
		l->sc->ht_depth = v;
	return ret ? ret : load_no_more(l, 2);
}

static int kw_lead(struct loader *l)
{
	int ret = load_time(l, 1, &l->sc->lead_ns);

	if (!ret && l->sc->lead_ns > SCENARIO_LEAD_MAX_NS)
		return load_refuse(l, 1, "bad-lead", "the lead is longer than 100 ms",
				   "lead 1ms, as the module's; 0 as in the paper");
	return ret ? ret : load_no_more(l, 2);
}

static int kw_floor(struct loader *l)
{
	struct scenario *sc = l->sc;
	u64 percent;
	int ret = load_count(l, 1, 0, SCENARIO_FLOOR_MAX, &percent);

	if (ret)
		return ret;
	sc->floor_percent = percent;
	if (l->r.nr_words == 2)
		return 0;
	ret = load_time(l, 2, &sc->floor_period_ns);
	if (!ret && (sc->floor_period_ns < SCENARIO_FLOOR_PERIOD_MIN_NS ||
		     sc->floor_period_ns > SCENARIO_FLOOR_PERIOD_MAX_NS))
		return load_refuse(l, 2, "bad-floor",
				   "the floor's period is not from 1 ms to 10 s",
				   "floor 3 100ms, as the module's; floor 0 as in the paper");
	return ret ? ret : load_no_more(l, 3);
}

static int kw_history(struct loader *l)
{
	u64 v;
	int ret = load_count(l, 1, 1, TG_HISTORY_MAX, &v);

	if (!ret)
		l->sc->history = v;
	return ret ? ret : load_no_more(l, 2);
}

static int kw_clock(struct loader *l)
{
	const char *w = l->r.nr_words > 1 ? l->r.word[1] : "";

	l->sc->cpu_clock = !strcmp(w, "cpu");
	if (!l->sc->cpu_clock && strcmp(w, "gpu"))
		return load_refuse(l, 1, "bad-clock", "unknown clock",
			      "gpu: by its timestamps; cpu: by the interrupts");
	return load_no_more(l, 2);
}

static bool take_predictor(struct scenario *sc, const char *word)
{
	sc->perfect = !strcmp(word, "perfect");
	sc->predictor = TG_PREDICTOR_HISTORY;
	for (u32 i = 0; i < TG_NR_PREDICTORS; i++)
		if (!strcmp(word, tg_predictors[i].name)) {
			sc->predictor = i;
			return true;
		}
	return sc->perfect;
}

static int kw_predict(struct loader *l)
{
	const char *w = l->r.nr_words > 1 ? l->r.word[1] : "";
	u32 n = 2;
	int ret;

	if (!take_predictor(l->sc, w))
		return load_refuse(l, 1, "bad-predictor", "unknown predictor",
				   "predict history [unknown 2%], largest, average, or perfect");
	if (l->r.nr_words > 2 && !strcmp(l->r.word[2], "unknown")) {
		ret = load_percent(l, 3, 100, &l->sc->unknown_ppm);
		if (ret)
			return ret;
		n = 4;
	}
	return load_no_more(l, n);
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
		return load_refuse(l, 1, "missing-text",
			      "an entry or a file is missing",
			      "spec <name:sched:resv:prio:C:T>, or spec FILE");
	if (l->r.start[l->r.column[1] - 1] == '<') {
		add_inline_spec(l, l->r.column[1] - 1, len);
		return 0;
	}
	if (l->spec_file)
		return load_refuse(l, 1, "second-file",
			      "a specification was named before",
			      "one file, or the entries themselves");
	l->spec_file = strdup(l->r.word[1]);
	return load_no_more(l, 2);
}

static int kw_ac(struct loader *l)
{
	if (l->r.nr_words < 2)
		return load_refuse(l, 1, "missing-text", "the file is missing",
			      "ac FILE, or limit PERCENT");
	l->ac_file = strdup(l->r.word[1]);
	return load_no_more(l, 2);
}

static int kw_task(struct loader *l)
{
	int ret = load_task_end(l);

	if (ret)
		return ret;
	if (l->r.nr_words < 2 || strlen(l->r.word[1]) >= TG_NAME_MAX)
		return load_refuse(l, 1, "bad-name",
			      "the task's name is missing or has more than 63 bytes",
			      "task NAME");
	for (u32 i = 0; i < l->sc->nr_tasks; i++)
		if (!strcmp(l->sc->tasks[i].name, l->r.word[1]))
			return load_refuse(l, 1, "second-task",
				      "a task of this name stands before",
				      "use \"instances\", or another name and \"program\"");
	l->task = scenario_add_task(l->sc, l->r.word[1]);
	l->task->line = l->r.line;
	return load_no_more(l, 2);
}

/* In a task's block it is the one that the task is in. */
static int kw_domain(struct loader *l)
{
	return l->task ? load_task_domain(l) : load_domain(l);
}

static const struct keyword {
	const char *name;
	int (*read)(struct loader *l);
} keywords[] = {
	{ "title", kw_title }, { "gpu", kw_gpu }, { "horizon", kw_horizon },
	{ "drain", kw_drain }, { "seed", kw_seed }, { "limit", kw_limit },
	{ "ac", kw_ac }, { "background", kw_background },
	{ "ht-depth", kw_ht_depth }, { "lead", kw_lead }, { "floor", kw_floor },
	{ "history", kw_history },
	{ "clock", kw_clock }, { "predict", kw_predict }, { "spec", kw_spec },
	{ "domain", kw_domain }, { "policy", load_policy }, { "tick", load_tick },
	{ "cpu", load_cpu }, { "memory", load_memory },
	{ "focus", kw_focus }, { "task", kw_task },
};

static int read_line(struct loader *l)
{
	int ret;

	for (u32 i = 0; i < ARRAY_SIZE(keywords); i++)
		if (!strcmp(l->r.word[0], keywords[i].name))
			return keywords[i].read(l);
	ret = load_task_line(l);
	if (ret <= 0)
		return ret;
	return load_refuse(l, 0, "unknown-keyword", "unknown keyword",
			   "see tgsim(1); a comment starts with #");
}

void load_resolve(const struct loader *l, const char *name, char *path,
		    size_t size)
{
	snprintf(path, size, "%s%s", *name == '/' ? "" : l->dir, name);
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
	return load_task_end(l);
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
		load_resolve(l, l->spec_file, path, sizeof(path));
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
	load_resolve(l, l->ac_file, path, sizeof(path));
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
	if (!ret)
		load_policy_of_spec(sc);
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
