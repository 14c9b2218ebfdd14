// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads what "tgctl trace show" printed. */
#include "mem.h"
#include "reader.h"
#include "replay.h"
#include "tracefs.h"

#define TASKS_MAX 10000
#define VALUE_BYTES 32

/**
 * struct input - the file, and the line of it that is being read
 * @line: a copy of it, which ends
 * @event: what it is
 */
struct input {
	struct reader file;
	struct replay *r;
	char *line;
	struct trace_line event;
};

static int refuse(const struct input *in, const char *at, const char *check,
		  const char *text, const char *hint)
{
	return reader_refuse(&in->file, at ? at - in->line + 1 : 1, check, text, hint);
}

/* @base is 10 or 16. */
static int take(const struct input *in, const char *key, int base, u64 max, u64 *out)
{
	char value[VALUE_BYTES], text[64], *end;
	const char *at;
	size_t len;

	at = trace_field(in->event.text, key, &len);
	if (!at) {
		snprintf(text, sizeof(text), "the event does not tell its %s", key);
		return refuse(in, in->event.event, "missing-field", text,
			      "was the trace cut off? record it again: tgctl trace on");
	}
	if (len && len < sizeof(value)) {
		memcpy(value, at, len);
		value[len] = '\0';
		errno = 0;
		*out = strtoull(value, &end, base);
		if (!*end && !errno && *value != '-' && *value != '+' && *out <= max)
			return 0;
	}
	snprintf(text, sizeof(text), "this is no %s", key);
	return refuse(in, at, "bad-field", text, "leave a trace as it was recorded");
}

static u32 *bucket_of(struct replay *r, u64 id, u32 pid)
{
	return &r->bucket[(id + pid) % REPLAY_BUCKETS];
}

/* The last group of that number, or NULL. */
static struct replay_group *find_group(struct replay *r, u64 id, u32 pid)
{
	for (u32 i = *bucket_of(r, id, pid); i; i = r->group[i - 1].next)
		if (r->group[i - 1].id == id && r->group[i - 1].pid == pid)
			return &r->group[i - 1];
	return NULL;
}

static struct replay_task *find_task(const struct replay *r, u32 pid)
{
	for (size_t i = r->nr_tasks; i-- > 0;)
		if (r->task[i].pid == pid && !r->task[i].gone)
			return &r->task[i];
	return NULL;
}

static struct replay_task *get_task(const struct input *in, u32 pid)
{
	struct replay *r = in->r;
	struct replay_task *t = find_task(r, pid);

	if (t)
		return t;
	if (r->nr_tasks == TASKS_MAX) {
		refuse(in, NULL, "too-many-programs", "the trace has more than 10000 programs",
		       "record a shorter one");
		return NULL;
	}
	r->task = mem_grow(r->task, r->nr_tasks, sizeof(*r->task));
	t = &r->task[r->nr_tasks++];
	memset(t, 0, sizeof(*t));
	t->pid = pid;
	return t;
}

static struct replay_group *add_group(const struct input *in, u64 id, u32 pid)
{
	struct replay *r = in->r;
	struct replay_task *t = get_task(in, pid);
	struct replay_group *g;
	u32 *bucket = bucket_of(r, id, pid);

	if (!t)
		return NULL;
	r->group = mem_grow(r->group, r->nr_groups, sizeof(*r->group));
	g = &r->group[r->nr_groups++];
	memset(g, 0, sizeof(*g));
	g->id = id;
	g->pid = pid;
	g->task = t - r->task;
	g->next = *bucket;
	*bucket = r->nr_groups;
	return g;
}

static void add_event(struct replay *r, const struct replay_group *g, bool ends)
{
	r->event = mem_grow(r->event, r->nr_events, sizeof(*r->event));
	r->event[r->nr_events++] = (struct replay_event){ g - r->group, ends };
}

static int take_group(const struct input *in, u64 *id, u32 *pid)
{
	u64 value;
	int ret = take(in, "id", 10, ~0ULL, id);

	if (!ret)
		ret = take(in, "pid", 10, INT32_MAX, &value);
	if (!ret)
		*pid = value;
	return ret;
}

/* That which an event is about, a new one if there is none that goes on. */
static int get_group(const struct input *in, struct replay_group **g)
{
	u64 id;
	u32 pid;
	int ret = take_group(in, &id, &pid);

	if (ret)
		return ret;
	*g = find_group(in->r, id, pid);
	/* Numbers do not come again, but for the module's or another GPU's. */
	if (!*g || (*g)->ended)
		*g = add_group(in, id, pid);
	return *g ? 0 : -EINVAL;
}

static int on_begin(const struct input *in)
{
	struct replay_group *g;
	int ret = get_group(in, &g);

	if (ret)
		return ret;
	g->began = true;
	add_event(in->r, g, false);
	return 0;
}

static int on_arrive(const struct input *in)
{
	return strstr(in->event.text, " starts ") ? on_begin(in) : 0;
}

/* Traces of modules from before there were such fields do without a profile. */
static int take_profile(const struct input *in, struct replay_group *g)
{
	u64 words;
	size_t len;
	int ret;

	if (!trace_field(in->event.text, "profile", &len))
		return 0;
	ret = take(in, "profile", 16, ~0ULL, &g->profile.hash);
	if (!ret)
		ret = take(in, "words", 10, UINT32_MAX, &words);
	if (ret)
		return ret;
	g->profile.words = words;
	if (words)
		in->r->has_profiles = true;
	return 0;
}

static int take_end(const struct input *in, struct replay_group *g)
{
	u64 switched = 0;
	int ret = take(in, "cost_ns", 10, TG_COSTS_MAX_NS, &g->cost_ns);

	if (!ret)
		ret = take(in, "switched", 10, 1, &switched);
	if (!ret)
		ret = take(in, "lead_predicted_ns", 10, ~0ULL, &g->recorded_ns);
	g->switched = switched;
	return ret ? ret : take_profile(in, g);
}

/* It stays too long and is set aside: it has not ended. */
static bool is_stuck(const struct input *in)
{
	size_t len = 0;
	const char *by = trace_field(in->event.text, "by", &len);

	return by && len == 5 && !strncmp(by, "stuck", len);
}

static int on_complete(const struct input *in)
{
	struct replay_group *g;
	u64 id;
	u32 pid;
	int ret;

	if (is_stuck(in))
		return take_group(in, &id, &pid);
	ret = get_group(in, &g);
	if (ret)
		return ret;
	g->ended = true;
	add_event(in->r, g, true);
	return take_end(in, g);
}

/* The group that the event names; NULL if the trace does not tell of it before. */
static int known_group(const struct input *in, struct replay_group **g)
{
	u64 id;
	u32 pid;
	int ret = take_group(in, &id, &pid);

	if (!ret)
		*g = find_group(in->r, id, pid);
	return ret;
}

static int on_drop(const struct input *in)
{
	struct replay_group *g;
	int ret = known_group(in, &g);

	if (ret)
		return ret;
	if (g && g->began && !g->ended) {
		g->began = false;
		in->r->nr_dropped++;
	}
	return 0;
}

/* It begins later. */
static int on_pass(const struct input *in)
{
	struct replay_group *g;
	int ret = known_group(in, &g);

	if (ret)
		return ret;
	if (g && !g->ended)
		g->began = false;
	return 0;
}

/* A name may have blanks, and look like what follows: that is looked for from the end. */
static void take_name(struct replay_task *t, const char *text)
{
	const char *from = strstr(text, " comm="), *end = NULL;

	if (!from)
		return;
	from += strlen(" comm=");
	for (const char *p = from; (p = strstr(p, " pid=")); p++)
		end = p;
	if (end)
		snprintf(t->name, sizeof(t->name), "%.*s", (int)(end - from), from);
}

static int on_channel(const struct input *in)
{
	const char *at = NULL;
	struct replay_task *t;
	u32 pid;

	for (const char *p = in->event.text; (p = strstr(p, " pid=")); p++)
		at = p;
	if (!at)
		return refuse(in, in->event.event, "missing-field",
			      "the event does not tell its pid",
			      "was the trace cut off? record it again: tgctl trace on");
	pid = strtoul(at + strlen(" pid="), NULL, 10);
	if (!strncmp(in->event.text, "del", 3)) {
		t = find_task(in->r, pid);
		if (t && t->nr_chans && !--t->nr_chans)
			t->gone = true;
		return 0;
	}
	t = get_task(in, pid);
	if (!t)
		return -EINVAL;
	t->nr_chans++;
	take_name(t, in->event.text);
	return 0;
}

static const struct {
	const char *name;
	int (*take)(const struct input *in);
} events[] = {
	{ "tg_arrive", on_arrive },	{ "tg_dispatch", on_begin },
	{ "tg_complete", on_complete }, { "tg_drop", on_drop },
	{ "tg_pass", on_pass },		{ "tg_channel", on_channel },
};

static int take_line(struct input *in)
{
	struct replay *r = in->r;

	if (!trace_parse(in->line, &in->event)) {
		if (strstr(in->line, " [LOST "))
			r->has_lost = true;
		else if (in->line[0] && in->line[0] != '#')
			r->nr_other++;
		return 0;
	}
	if (!r->from_ns)
		r->from_ns = in->event.time_ns;
	r->to_ns = in->event.time_ns;
	for (u32 i = 0; i < ARRAY_SIZE(events); i++)
		if (in->event.event_len == strlen(events[i].name) &&
		    !strncmp(in->event.event, events[i].name, in->event.event_len))
			return events[i].take(in);
	return 0;
}

static int read_lines(struct input *in)
{
	struct reader *f = &in->file;
	const char *end = f->text + f->len;
	int ret = 0;

	while (!ret && f->next < end) {
		const char *newline = memchr(f->next, '\n', end - f->next);
		size_t len = (newline ? newline : end) - f->next;

		f->start = f->next;
		f->next += len + 1;
		f->line++;
		in->line = mem_realloc(in->line, len + 1);
		memcpy(in->line, f->start, len);
		in->line[len] = '\0';
		if (!newline)
			return refuse(in, in->line + len, "cut-off", "the trace ends within a line",
				      "take that line away, or record it again");
		ret = take_line(in);
	}
	if (ret || in->r->nr_groups)
		return ret;
	f->line += !f->line;
	return refuse(in, NULL, "no-groups", "no group of timegraph's is in it",
		      "tgctl trace on; run programs; tgctl trace show >TRACE");
}

int replay_read(struct replay *r, const char *name)
{
	struct input in = { .r = r };
	int ret = reader_open(&in.file, name);

	if (ret)
		return ret;
	r->name = in.file.name;
	ret = read_lines(&in);
	free(in.line);
	reader_close(&in.file);
	return ret;
}

void replay_fini(struct replay *r)
{
	for (size_t i = 0; i < r->nr_tasks; i++)
		free(r->task[i].record);
	free(r->task);
	free(r->group);
	free(r->event);
}
