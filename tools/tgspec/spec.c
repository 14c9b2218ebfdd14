// SPDX-License-Identifier: GPL-2.0-or-later
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "excerpt.h"
#include "spec.h"
#include "text.h"
#include "tg_sched.h"
#include "tgspec.h"

static bool is_blank(char ch)
{
	return ch == ' ' || ch == '\t' || ch == '\r';
}

/* Where line @line (from 1) begins, and in @end where it ends. */
static size_t find_line(const struct buf *text, u32 line, size_t *end)
{
	size_t at = 0;
	const char *nl;

	while (--line) {
		nl = memchr(text->p + at, '\n', text->len - at);
		at = nl + 1 - text->p;
	}
	nl = memchr(text->p + at, '\n', text->len - at);
	*end = nl ? (size_t)(nl - text->p) : text->len;
	return at;
}

/* Groups that bad lines seem to name: text behind an @, up to what ends it. */
struct lost_groups {
	struct buf names;	/* each ends in NUL */
};

static size_t group_in_line(const char *p, const char *end, const char **name)
{
	const char *at = memchr(p, '@', end - p), *stop;

	if (!at)
		return 0;
	for (stop = ++at; stop < end && !is_blank(*stop) && !strchr(":>#@", *stop); stop++)
		;
	*name = at;
	return stop - at;
}

static bool group_was_lost(const struct lost_groups *lost, const char *name, size_t len)
{
	for (size_t i = 0; i < lost->names.len; i += strlen(lost->names.p + i) + 1)
		if (strlen(lost->names.p + i) == len &&
		    !memcmp(lost->names.p + i, name, len))
			return true;
	return false;
}

/* Behind the word of a GPU or a cgroup, whose colon ends no field. */
static const char *behind_word(const char *p, const char *end)
{
	static const char *const words[] = { TG_SPEC_GPU_WORD, TG_SPEC_CGROUP_WORD };

	while (p < end && (is_blank(*p) || *p == '<'))
		p++;
	for (unsigned int i = 0; i < ARRAY_SIZE(words); i++) {
		size_t n = strlen(words[i]);

		if ((size_t)(end - p) >= n && !memcmp(p, words[i], n))
			return p + n;
	}
	return p;
}

/* Fields of an entry as it was meant: a quoted name may have colons. */
static unsigned int count_fields(const char *p, const char *end)
{
	unsigned int n = 1;
	bool quoted = false;

	p = behind_word(p, end);
	for (; p < end && (quoted || *p != '#'); p++) {
		if (quoted && *p == '\\' && p + 1 < end)
			p++;
		else if (*p == '"')
			quoted = !quoted;
		else if (*p == ':' && !quoted)
			n++;
	}
	return n;
}

#define ENTRY_FORM "<name:sched:resv:prio:C:T>"

static bool begins_with(const char *p, const char *end, const char *word)
{
	return (size_t)(end - p) >= strlen(word) && !memcmp(p, word, strlen(word));
}

static bool begins_like_a_comment(const char *p, const char *end)
{
	static const char *const others[] = { "//", "/*", ";", "--", "[", "!" };

	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		if (begins_with(p, end, others[i]))
			return true;
	return false;
}

/* A field is missing at @at, and before it there is no colon: what is this line? */
static const char *advice_on_name(const char *p, const char *end, const char *at)
{
	if (at < end && *at == '#')
		return "what follows # is a comment: quote a name that has one";
	if (at < end && *at == '>')
		return "the brackets stand around the whole entry";
	if (begins_like_a_comment(p, end))
		return "if this is a comment: those start with #";
	for (; p < end; p++)
		if (strchr(",;|=\t ", *p))
			return "colons separate the fields";
	return NULL;
}

/* Checks of a field, which may fail because the wrong one stands in its place. */
static bool is_of_field(const char *check)
{
	return !strcmp(check, "bad-policy") || !strcmp(check, "bad-reservation") ||
	       !strcmp(check, "bad-priority") || !strcmp(check, "bad-time") ||
	       !strcmp(check, "bad-unit") || !strcmp(check, "group-without-reserve");
}

/*
 * A field that was left out makes the parser complain about the next one that stands
 * in its place, so the line as a whole says what is meant.
 */
static char *user_hint(const char *hint, const char *at, const char *end)
{
	const struct passwd *user;
	char name[64] = "";
	size_t n = 0;

	/* Behind the @. */
	for (at++; at < end && n < sizeof(name) - 1 && !is_blank(*at) && !strchr(":>#", *at); at++)
		name[n++] = *at;
	user = n ? getpwnam(name) : NULL;
	if (!user)
		return text_printf("%s", hint);
	return text_printf("write @%u, which is %s; the kernel knows no names", user->pw_uid,
			   name);
}

static char *hint_of(const struct tg_spec_error *err, const char *p, const char *end)
{
	const char *at = p + excerpt_offset(p, end - p, err->column), *more = NULL;
	unsigned int n = count_fields(p, end);

	while (p < end && is_blank(*p))
		p++;
	if (!strcmp(err->check, "bad-user"))
		return user_hint(err->hint, at, end);
	if (!strcmp(err->check, "missing-field") && !memchr(p, ':', at - p))
		more = advice_on_name(p, end, at);
	else if (!strcmp(err->check, "bad-time") && p < end && (*p == '[' || *p == '('))
		more = "an entry stands in < >, or in no brackets";
	if (more)
		return text_printf("%s; %s", err->hint, more);
	if (!is_of_field(err->check) || strstr(err->hint, ENTRY_FORM))
		return text_printf("%s", err->hint);
	if (n < SPEC_FIELDS)
		return text_printf("%s; this line has %u of the %d fields " ENTRY_FORM,
				   err->hint, n, SPEC_FIELDS);
	if (n > SPEC_FIELDS)
		return text_printf("%s; this line has %u fields instead of the %d of " ENTRY_FORM
				   ": quote a name that has a colon", err->hint, n, SPEC_FIELDS);
	if (!strcmp(err->check, "bad-policy") || !strcmp(err->check, "bad-reservation"))
		return text_printf("%s; the order is " ENTRY_FORM, err->hint);
	return text_printf("%s", err->hint);
}

/* Report @err unless it follows from another, and blank its line. */
static void take_error(struct spec *spec, struct buf *text,
		       const struct tg_spec_error *err,
		       struct lost_groups *lost, struct diags *diags)
{
	size_t end, at = find_line(text, err->line, &end), len;
	const char *name;
	bool follows = false;

	len = group_in_line(text->p + at, text->p + end, &name);
	if (len) {
		follows = !strcmp(err->check, "missing-capacity") &&
			  group_was_lost(lost, name, len);
		buf_put(&lost->names, name, len);
		buf_put(&lost->names, "", 1);
	}
	if (!follows) {
		struct diag d = {
			.severity = DIAG_ERROR,
			.file = source_name(&spec->src),
			.line = err->line,
			.column = err->column,
			.check = err->check,
			.text = text_printf("%s", err->text),
			.hint = hint_of(err, text->p + at, text->p + end),
		};

		diags_add(diags, &d);
	}
	memset(text->p + at, ' ', end - at);
}

/* The file is accepted: so it has six fields, and quotes end. */
static void locate(const struct spec *spec, struct spec_place *pl, u32 line,
		   enum tg_spec_kind kind)
{
	const struct buf *text = &spec->src.text;
	size_t end, at = find_line(text, line, &end);

	pl->line_at = at;
	while (is_blank(text->p[at]))
		at++;
	if (text->p[at] == '<')
		at++;
	for (int f = 0; f < SPEC_FIELDS; f++) {
		size_t stop;

		while (at < end && is_blank(text->p[at]))
			at++;
		stop = at;
		/* The colon of its word is no end. */
		if (f == SPEC_NAME && text->p[at] != '"')
			stop += kind == TG_SPEC_CGROUP ? strlen(TG_SPEC_CGROUP_WORD) :
				kind == TG_SPEC_GPU ? strlen(TG_SPEC_GPU_WORD) : 0;
		if (f == SPEC_NAME && text->p[at] == '"') {
			for (stop++; text->p[stop] != '"'; stop++)
				stop += text->p[stop] == '\\' &&
					(text->p[stop + 1] == '"' ||
					 text->p[stop + 1] == '\\');
			stop++;
		}
		while (stop < end && text->p[stop] != ':' && text->p[stop] != '>' &&
		       text->p[stop] != '#')
			stop++;
		pl->at[f] = at;
		pl->len[f] = stop - at;
		while (pl->len[f] && is_blank(text->p[at + pl->len[f] - 1]))
			pl->len[f]--;
		at = stop + (stop < end && text->p[stop] == ':');
	}
	while (at < end && (is_blank(text->p[at]) || text->p[at] == '>'))
		at++;
	pl->end = at;
}

/* As many as a file may have entries: who has more has another problem. */
#define MAX_ERRORS TG_SPEC_MAX_ENTRIES

static void stop_reporting(struct spec *spec, u32 line, struct diags *diags)
{
	struct diag d = {
		.severity = DIAG_ERROR,
		.file = source_name(&spec->src),
		.line = line,
		.column = 1,
		.check = "too-many-errors",
		.text = text_printf("there are more errors, from here on"),
		.hint = text_printf("is this a specification?"),
	};

	diags_add(diags, &d);
}

/* A line is an entry at most. */
static u32 most_entries(const struct buf *text)
{
	u32 n = 1;

	for (size_t i = 0; i < text->len && n < TG_SPEC_MAX_ENTRIES; i++)
		n += text->p[i] == '\n';
	return n;
}

void spec_parse(struct spec *spec, struct diags *diags)
{
	struct lost_groups lost = { 0 };
	struct tg_spec_error err;
	struct buf text = { 0 };
	u32 errors = 0, room;
	int n;

	buf_put(&text, spec->src.text.p, spec->src.text.len);
	room = most_entries(&text);
	spec->entry = mem_zero(room, sizeof(*spec->entry));
	for (;;) {
		n = tg_spec_parse(text.p, text.len, spec->entry, room, &err);
		if (n >= 0)
			break;
		if (errors++ == MAX_ERRORS) {
			stop_reporting(spec, err.line, diags);
			break;
		}
		take_error(spec, &text, &err, &lost, diags);
		/* About the file, not a line of it: there is no going on behind it. */
		if (n == -E2BIG || !strcmp(err.check, "utf-16") ||
		    !strcmp(err.check, "nul-character"))
			break;
	}
	spec->n = n < 0 ? 0 : n;
	buf_free(&text);
	buf_free(&lost.names);

	spec->place = mem_zero(spec->n, sizeof(*spec->place));
	for (u32 i = 0; i < spec->n; i++) {
		struct tg_spec_entry *e = &spec->entry[i];

		locate(spec, &spec->place[i], e->line, e->kind);
		if (e->kind == TG_SPEC_PATH)
			e->file = spec_file(e->name);
	}
}

struct tg_spec_file spec_file(const char *path)
{
	struct stat st;

	if (stat(path, &st))
		return (struct tg_spec_file){ 0, 0 };
	return (struct tg_spec_file){ .dev = st.st_dev, .ino = st.st_ino };
}

int spec_read(struct spec *spec, const char *path, bool may_be_missing,
	      struct diags *diags)
{
	int ret;

	memset(spec, 0, sizeof(*spec));
	ret = source_read(&spec->src, path, may_be_missing);
	if (!ret)
		spec_parse(spec, diags);
	return ret;
}

void spec_free(struct spec *spec)
{
	source_free(&spec->src);
	free(spec->entry);
	free(spec->place);
	memset(spec, 0, sizeof(*spec));
}

/*
 * "80 %", as numbers are printed: the kernel takes only "80%", and complains about
 * the number.  The blank is what is wrong with it.
 */
static char *blank_before_percent(const struct buf *text, struct tg_spec_error *err)
{
	size_t end, at = find_line(text, err->line, &end), digits, blank, stop;
	unsigned int percent = 0;

	at += excerpt_offset(text->p + at, end - at, err->column);
	digits = at;
	while (digits < end && text->p[digits] >= '0' && text->p[digits] <= '9' && percent <= 100)
		percent = 10 * percent + (text->p[digits++] - '0');
	for (blank = digits; blank < end && is_blank(text->p[blank]); blank++)
		;
	for (stop = blank + 1; stop < end && is_blank(text->p[stop]); stop++)
		;
	if (digits == at || percent > 100 || blank == digits || blank >= end ||
	    text->p[blank] != '%' || (stop < end && text->p[stop] != '#'))
		return NULL;
	err->column += digits - at;
	err->text = "a blank between the number and %";
	return text_printf("write %u%% or %u", percent, percent);
}

/* One number: one error says it all. */
int spec_limit_read(struct spec_limit *limit, struct source *src,
		    const char *path, struct diags *diags)
{
	struct tg_spec_error err;
	int ret;

	*limit = (struct spec_limit){ .percent = TG_AC_DEFAULT };
	ret = source_read(src, path ? path : TGSPEC_AC_PATH, !path);
	if (ret || src->missing)
		return ret;
	limit->path = source_name(src);
	if (tg_ac_parse(src->text.p, src->text.len, &limit->percent, &err)) {
		char *hint = strcmp(err.check, "bad-limit") ? NULL :
			     blank_before_percent(&src->text, &err);
		struct diag d = {
			.severity = DIAG_ERROR,
			.file = limit->path,
			.line = err.line,
			.column = err.column,
			.check = err.check,
			.text = text_printf("%s", err.text),
			.hint = hint ? hint : text_printf("%s", err.hint),
		};

		diags_add(diags, &d);
	}
	return 0;
}

int spec_lookup(const struct spec *spec, const struct tg_spec_program *p,
		struct tg_spec_entry *e)
{
	const struct tg_spec_entry *found = tg_spec_match(spec->entry, spec->n, p);

	if (found) {
		*e = *found;
		return found - spec->entry;
	}
	tg_spec_default(e);
	snprintf(e->name, sizeof(e->name), "%s", p->comm);
	return -1;
}

u32 spec_column(const struct spec *spec, u32 entry, enum spec_field field)
{
	const struct spec_place *pl = &spec->place[entry];

	return excerpt_column(spec->src.text.p + pl->line_at, pl->end - pl->line_at,
			      pl->at[field] - pl->line_at);
}

bool spec_time(const char *text, u64 *ns)
{
	struct tg_spec_entry e;
	struct tg_spec_error err;
	char *line;
	bool ok;

	*ns = 0;
	if (!strcmp(text, "0"))
		return true;
	/* Nothing that would end the field. */
	if (!*text || strpbrk(text, ":>#\n"))
		return false;
	line = text_printf("x:PRT:PE:0:%s:100s", text);
	ok = tg_spec_parse(line, strlen(line), &e, 1, &err) == 1;
	free(line);
	if (ok)
		*ns = e.capacity_ns;
	return ok;
}

const char *spec_prio_text(char *out, const struct tg_spec_entry *e)
{
	if (!tg_spec_is_programs(e))
		snprintf(out, SPEC_PRIO_BYTES, "-");
	else if (e->focus || e->cpu)
		snprintf(out, SPEC_PRIO_BYTES, "%s", e->cpu ? TG_SPEC_CPU_WORD : "*");
	else
		snprintf(out, SPEC_PRIO_BYTES, "%u", e->prio);
	return out;
}

const char *spec_time_text(char *out, u64 ns)
{
	static const struct {
		u64 ns;
		const char *suffix;
	} unit[] = {
		{ 1000000000, "s" }, { 1000000, "ms" }, { 1000, "us" }, { 1, "ns" },
	};
	u32 u = 0;

	while (ns % unit[u].ns)
		u++;
	snprintf(out, SPEC_TIME_BYTES, "%llu%s",
		 (unsigned long long)(ns / unit[u].ns), unit[u].suffix);
	return out;
}

/* In the largest unit that divides it. */
static void append_vram(char *out, u64 bytes)
{
	static const char *const unit[] = { "", "K", "M", "G" };
	size_t n = strlen(out);
	u32 u = 0;

	for (; u < ARRAY_SIZE(unit) - 1 && bytes % 1024 == 0; u++)
		bytes /= 1024;
	snprintf(out + n, SPEC_SCHED_BYTES - n, " vram=%llu%s", (unsigned long long)bytes,
		 unit[u]);
}

/* The decimals that a target has, and no more. */
static void domain_text(char *out, const struct tg_spec_entry *e)
{
	char weight[16] = "", target[24] = "";

	if (e->weight != TG_WEIGHT_DEFAULT)
		snprintf(weight, sizeof(weight), "=%u", e->weight);
	if (e->has_target)
		snprintf(target, sizeof(target), " target=%.7g%%", e->target_ppm / 1e4);
	snprintf(out, SPEC_SCHED_BYTES, TG_SPEC_DOMAIN_WORD "%s%s", weight, target);
}

const char *spec_sched_text(char *out, const struct tg_spec_entry *e)
{
	if (e->domain)
		domain_text(out, e);
	else if (e->kind == TG_SPEC_GPU)
		snprintf(out, SPEC_SCHED_BYTES, TG_SPEC_POLICY_WORD "%s", e->policy);
	else
		text_sched(out, (unsigned int)e->sched, e->weight,
			   e->has_lead ? e->lead_ns : TIMEGRAPH_LEAD_COMMON);
	if (e->vram_bytes)
		append_vram(out, e->vram_bytes);
	return out;
}

bool spec_same_lead(const struct tg_spec_entry *a, const struct tg_spec_entry *b)
{
	if (a->sched == TG_SPEC_HT && b->sched == TG_SPEC_HT)
		return true;
	return a->has_lead == b->has_lead && a->lead_ns == b->lead_ns;
}
