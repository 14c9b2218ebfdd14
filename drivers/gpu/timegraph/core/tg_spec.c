// SPDX-License-Identifier: GPL-2.0-only
/*
 * Parser of the specification; the grammar stands in tg_spec.h.
 *
 * A cursor walks the text once.  Every refusal names the place where the
 * offending field starts, the rule and what to write instead.
 */
#include "tg_spec.h"
#include "tg_sched.h"

struct cursor {
	const char *p;
	const char *end;
	const char *line_start;
	u32 line;
	struct tg_spec_error *err;
};

/* A field: the text between two colons without the blanks around it. */
struct field {
	const char *p;
	size_t len;
};

static int refuse(struct cursor *c, const char *at, const char *check,
		  const char *text, const char *hint)
{
	c->err->line = c->line;
	c->err->column = at - c->line_start + 1;
	c->err->check = check;
	c->err->text = text;
	c->err->hint = hint;
	return -EINVAL;
}

static bool is_blank(char ch)
{
	return ch == ' ' || ch == '\t' || ch == '\r';
}

static bool is_digit(char ch)
{
	return ch >= '0' && ch <= '9';
}

static void skip_blanks(struct cursor *c)
{
	while (c->p < c->end && is_blank(*c->p))
		c->p++;
}

static bool at_line_end(const struct cursor *c)
{
	return c->p == c->end || *c->p == '\n' || *c->p == '#';
}

static void next_line(struct cursor *c)
{
	while (c->p < c->end && *c->p != '\n')
		c->p++;
	if (c->p == c->end)
		return;
	c->p++;
	c->line++;
	c->line_start = c->p;
}

/* Whether only blanks stand between @p and what ends a bare name. */
static bool ends_bare_name(const struct cursor *c, const char *p)
{
	while (p < c->end && is_blank(*p))
		p++;
	return p == c->end || *p == ':' || *p == '>' || *p == '#' || *p == '\n';
}

static bool field_is(struct field f, const char *word)
{
	return strlen(word) == f.len && !memcmp(f.p, word, f.len);
}

/* The name: bare up to a colon, or quoted. */
static int parse_name(struct cursor *c, char *name)
{
	const char *start;
	size_t n = 0;
	bool quoted;

	skip_blanks(c);
	start = c->p;
	quoted = c->p < c->end && *c->p == '"';
	if (quoted)
		c->p++;
	for (; c->p < c->end && *c->p != '\n'; c->p++) {
		char ch = *c->p;

		if (quoted && ch == '"')
			break;
		if (!quoted && ends_bare_name(c, c->p))
			break;
		if (quoted && ch == '\\' && c->p + 1 < c->end &&
		    (c->p[1] == '"' || c->p[1] == '\\'))
			ch = *++c->p;
		else if (!quoted && ch == '<')
			return refuse(c, c->p, "stray-bracket",
				      "an opening bracket inside a bare name",
				      "an entry has one pair of brackets; quote a name that has one");
		else if (!quoted && ch == '"')
			return refuse(c, c->p, "stray-quote",
				      "a quote inside a bare name",
				      "quote the whole name and write \\\" inside");
		if ((u8)ch < 0x20 || ch == 0x7f)
			return refuse(c, c->p, "control-character",
				      "a control character in a name",
				      "names are printable text");
		if (n == TG_NAME_MAX - 1)
			return refuse(c, start, "name-too-long",
				      "the name has more than 63 bytes",
				      "programs are compared by 15 characters of their comm or by their base name");
		name[n++] = ch;
	}
	if (quoted) {
		if (c->p == c->end || *c->p != '"')
			return refuse(c, start, "unclosed-quote",
				      "the quoted name does not end on this line",
				      "add the closing \"");
		c->p++;
	}
	name[n] = '\0';
	if (!n)
		return refuse(c, start, "empty-name", "the name is empty",
			      "write <name:sched:resv:prio:C:T>");
	return 0;
}

static int expect_colon(struct cursor *c, const char *missing)
{
	skip_blanks(c);
	if (c->p == c->end || *c->p != ':')
		return refuse(c, c->p, "missing-field", missing,
			      "an entry is <name:sched:resv:prio:C:T>; C and T may be empty, their colons not");
	c->p++;
	return 0;
}

/* A bare field: up to a colon, a closing bracket or the end of the line. */
static struct field parse_field(struct cursor *c)
{
	struct field f;

	skip_blanks(c);
	f.p = c->p;
	while (!at_line_end(c) && *c->p != ':' && *c->p != '>')
		c->p++;
	f.len = c->p - f.p;
	while (f.len && is_blank(f.p[f.len - 1]))
		f.len--;
	return f;
}

static int parse_sched(struct cursor *c, struct tg_spec_entry *e)
{
	struct field f = parse_field(c);

	if (field_is(f, "PRT"))
		e->sched = TG_SPEC_PRT;
	else if (field_is(f, "HT"))
		e->sched = TG_SPEC_HT;
	else
		return refuse(c, f.p, "bad-policy", "unknown scheduling policy",
			      "write PRT or HT, in capitals");
	return 0;
}

static int parse_resv(struct cursor *c, struct tg_spec_entry *e)
{
	struct field f = parse_field(c);
	struct field kind = { f.p, 0 };
	size_t glen;

	while (kind.len < f.len && f.p[kind.len] != '@')
		kind.len++;

	if (field_is(kind, "-"))
		e->resv = TG_SPEC_RESV_NONE;
	else if (field_is(kind, "PE"))
		e->resv = TG_SPEC_RESV_PE;
	else if (field_is(kind, "AE"))
		e->resv = TG_SPEC_RESV_AE;
	else if (field_is(kind, "BG"))
		e->resv = TG_SPEC_RESV_BG;
	else
		return refuse(c, f.p, "bad-reservation",
			      "unknown reservation policy",
			      "write -, PE, AE, PE@group, AE@group or BG");

	e->group[0] = '\0';
	if (kind.len == f.len)
		return 0;
	if (e->resv != TG_SPEC_RESV_PE && e->resv != TG_SPEC_RESV_AE)
		return refuse(c, f.p + kind.len, "group-without-reserve",
			      "only PE and AE reserves can be shared",
			      "write PE@group or AE@group");
	glen = f.len - kind.len - 1;
	if (!glen || glen >= TG_NAME_MAX)
		return refuse(c, f.p + kind.len, "bad-group",
			      "the group's name is empty or has more than 63 bytes",
			      "write PE@group");
	for (size_t i = 0; i < glen; i++) {
		char ch = f.p[kind.len + 1 + i];

		if ((u8)ch <= 0x20 || ch == 0x7f || ch == '@' || ch == '"' ||
		    ch == '<')
			return refuse(c, f.p + kind.len + 1 + i, "bad-group",
				      "a character that a group's name cannot have",
				      "use letters, digits, - and _");
	}
	memcpy(e->group, f.p + kind.len + 1, glen);
	e->group[glen] = '\0';
	return 0;
}

static int parse_prio(struct cursor *c, struct tg_spec_entry *e)
{
	struct field f = parse_field(c);
	u32 v = 0;

	e->focus = field_is(f, "*");
	if (e->focus) {
		e->prio = TG_PRIO_DEFAULT;
		return 0;
	}
	if (!f.len || f.len > 2)
		goto bad;
	for (size_t i = 0; i < f.len; i++) {
		if (!is_digit(f.p[i]))
			goto bad;
		v = v * 10 + (f.p[i] - '0');
	}
	e->prio = v;
	return 0;
bad:
	return refuse(c, f.p, "bad-priority",
		      "the priority is no number from 0 to 99",
		      "0 is the lowest, 99 the highest, * follows the focus");
}

/* Units of time; @max is TG_TIME_MAX_NS in the unit. */
static const struct time_unit {
	const char *name;
	u64 ns;
	u64 max;
} time_units[] = {
	{ "", 1000, TG_TIME_MAX_NS / 1000 },
	{ "us", 1000, TG_TIME_MAX_NS / 1000 },
	{ "ns", 1, TG_TIME_MAX_NS },
	{ "ms", 1000000, TG_TIME_MAX_NS / 1000000 },
	{ "s", 1000000000, TG_TIME_MAX_NS / 1000000000 },
};

/*
 * A time in nanoseconds.  No digit is read behind a number over TG_TIME_MAX_NS
 * = 10^11, so it stays below 10^13; it is compared with the unit's maximum
 * before it is multiplied, so the product is at most TG_TIME_MAX_NS.
 */
static int parse_time(struct cursor *c, u64 *ns, bool *empty,
		      struct field *where)
{
	const struct time_unit *u, *end = time_units + ARRAY_SIZE(time_units);
	struct field f = parse_field(c);
	struct field unit;
	u64 v = 0;
	size_t n = 0;

	*where = f;
	*ns = 0;
	*empty = !f.len;
	if (*empty)
		return 0;
	while (n < f.len && is_digit(f.p[n])) {
		if (v > TG_TIME_MAX_NS)
			goto range;
		v = v * 10 + (f.p[n++] - '0');
	}
	if (!n || (n < f.len && (f.p[n] == '.' || f.p[n] == ',')))
		return refuse(c, f.p + n, "bad-time", "a time is a whole number",
			      "write microseconds, or a suffix: 2500, 2500us, 25ms, 1s");
	while (n < f.len && is_blank(f.p[n]))
		n++;
	unit.p = f.p + n;
	unit.len = f.len - n;
	for (u = time_units; u < end && !field_is(unit, u->name); u++)
		;
	if (u == end)
		return refuse(c, unit.p, "bad-unit", "unknown unit of time",
			      "use ns, us, ms or s; without one it is microseconds");
	if (!v || v > u->max)
		goto range;
	*ns = v * u->ns;
	return 0;
range:
	return refuse(c, f.p, "time-out-of-range",
		      "a time must be more than 0 and at most 100 s",
		      "for a reserve of 2.5 ms every 25 ms write 2500:25000");
}

static const struct tg_spec_entry *find_group(const struct tg_spec_entry *e,
					      int n, const char *group)
{
	for (int i = 0; i < n; i++)
		if (!strcmp(e[i].group, group))
			return &e[i];
	return NULL;
}

/* C and T against each other, against resv and against the group's first entry. */
static int parse_reserve_times(struct cursor *c, struct tg_spec_entry *e,
			       const struct tg_spec_entry *first,
			       const char *resv)
{
	struct field cf, tf;
	bool no_c, no_t;
	int ret;

	ret = parse_time(c, &e->capacity_ns, &no_c, &cf);
	if (!ret)
		ret = expect_colon(c, "the period T is missing");
	if (!ret)
		ret = parse_time(c, &e->period_ns, &no_t, &tf);
	if (ret)
		return ret;

	if (e->resv == TG_SPEC_RESV_NONE || e->resv == TG_SPEC_RESV_BG) {
		if (!no_c || !no_t)
			return refuse(c, no_c ? tf.p : cf.p, "unused-time",
				      "C and T are given, but there is no reserve of its own",
				      "leave C and T empty, or write PE or AE");
		return 0;
	}
	if (no_c && no_t && first) {
		if (first->resv != e->resv)
			goto other_kind;
		e->capacity_ns = first->capacity_ns;
		e->period_ns = first->period_ns;
		return 0;
	}
	if (no_c)
		return refuse(c, cf.p, "missing-capacity",
			      "the reserve has no capacity C",
			      "write C:T, for example 2500:25000");
	if (no_t)
		return refuse(c, tf.p, "missing-period",
			      "the reserve has no period T",
			      "write C:T, for example 2500:25000");
	if (e->capacity_ns > e->period_ns)
		return refuse(c, cf.p, "capacity-over-period",
			      "the capacity C is larger than the period T",
			      "a task can run for at most T every T");
	if (first && first->resv != e->resv)
		goto other_kind;
	if (first && (first->capacity_ns != e->capacity_ns ||
		      first->period_ns != e->period_ns))
		return refuse(c, cf.p, "group-mismatch",
			      "the group was given another C and T before",
			      "leave C and T empty after the group's first entry");
	return 0;
other_kind:
	return refuse(c, resv, "group-mismatch",
		      "the group was given the other reservation policy before",
		      "a Shared reserve is either PE or AE for all its tasks");
}

static int parse_entry(struct cursor *c, struct tg_spec_entry *entries, int n)
{
	struct tg_spec_entry *e = &entries[n];
	const struct tg_spec_entry *first = NULL;
	const char *open = NULL;
	const char *resv = NULL;
	int ret;

	memset(e, 0, sizeof(*e));
	e->line = c->line;
	if (*c->p == '<')
		open = c->p++;

	ret = parse_name(c, e->name);
	if (!ret)
		ret = expect_colon(c, "the scheduling policy is missing");
	if (!ret)
		ret = parse_sched(c, e);
	if (!ret)
		ret = expect_colon(c, "the reservation policy is missing");
	if (!ret) {
		skip_blanks(c);
		resv = c->p;
		ret = parse_resv(c, e);
	}
	if (!ret)
		ret = expect_colon(c, "the priority is missing");
	if (!ret)
		ret = parse_prio(c, e);
	if (!ret)
		ret = expect_colon(c, "the capacity C is missing");
	if (ret)
		return ret;
	if (e->group[0])
		first = find_group(entries, n, e->group);
	ret = parse_reserve_times(c, e, first, resv);
	if (ret)
		return ret;

	skip_blanks(c);
	if (c->p < c->end && *c->p == '>') {
		if (!open)
			return refuse(c, c->p, "stray-bracket",
				      "a closing bracket without an opening one",
				      "write both or none");
		c->p++;
		open = NULL;
		skip_blanks(c);
	}
	if (!at_line_end(c))
		return refuse(c, c->p, "trailing-text",
			      "there is more text after the entry",
			      "an entry has six fields; a comment starts with #");
	if (open)
		return refuse(c, open, "unclosed-bracket",
			      "the opening bracket is not closed on this line",
			      "an entry stands on one line; add >");
	return 0;
}

static void cursor_init(struct cursor *c, const char *text, size_t len,
			struct tg_spec_error *err)
{
	c->p = text;
	c->end = text + len;
	c->line_start = text;
	c->line = 1;
	c->err = err;
	memset(err, 0, sizeof(*err));
}

/* Editors show nothing of it, and it would become part of the first name. */
static int refuse_bom(struct cursor *c)
{
	if (c->end - c->p < 3 || memcmp(c->p, "\xef\xbb\xbf", 3))
		return 0;
	return refuse(c, c->p, "byte-order-mark",
		      "the file begins with a byte order mark",
		      "save it as UTF-8 without one");
}

int tg_spec_parse(const char *text, size_t len, struct tg_spec_entry *entries,
		  u32 max, struct tg_spec_error *err)
{
	struct cursor c;
	int ret;
	u32 n = 0;

	cursor_init(&c, text, len, err);
	if (len > TG_SPEC_MAX_BYTES) {
		refuse(&c, c.p, "file-too-large",
		       "the file is larger than 64 KiB", "shorten it");
		return -E2BIG;
	}
	ret = refuse_bom(&c);
	if (ret)
		return ret;
	for (; c.p < c.end; next_line(&c)) {
		skip_blanks(&c);
		if (at_line_end(&c))
			continue;
		if (n == max) {
			refuse(&c, c.p, "too-many-entries",
			       "there are too many entries", "shorten the file");
			return -E2BIG;
		}
		ret = parse_entry(&c, entries, n);
		if (ret)
			return ret;
		n++;
	}
	return n;
}

const struct tg_spec_entry *tg_spec_match(const struct tg_spec_entry *entries,
					  u32 n, const char *comm,
					  const char *exe)
{
	for (u32 i = 0; i < n; i++) {
		const struct tg_spec_entry *e = &entries[i];

		if (exe && !strcmp(e->name, exe))
			return e;
		if (!strncmp(e->name, comm, TG_COMM_MAX))
			return e;
	}
	return NULL;
}

int tg_ac_parse(const char *text, size_t len, u32 *percent,
		struct tg_spec_error *err)
{
	struct cursor c;
	bool found = false;
	u32 v = 0;
	int ret;

	cursor_init(&c, text, len, err);
	if (len > TG_SPEC_MAX_BYTES)
		return refuse(&c, c.p, "file-too-large",
			      "the file is larger than 64 KiB", "shorten it");
	ret = refuse_bom(&c);
	if (ret)
		return ret;
	for (; c.p < c.end; next_line(&c)) {
		const char *start;

		skip_blanks(&c);
		if (at_line_end(&c))
			continue;
		start = c.p;
		if (found)
			return refuse(&c, start, "trailing-text",
				      "there is a second value",
				      "the file holds one number");
		for (v = 0; c.p < c.end && is_digit(*c.p); c.p++) {
			v = v * 10 + (*c.p - '0');
			if (v > 100)
				break;
		}
		if (c.p > start && c.p < c.end && *c.p == '%')
			c.p++;
		skip_blanks(&c);
		if (c.p == start || v > 100 || !at_line_end(&c))
			return refuse(&c, start, "bad-limit",
				      "the limit is no whole number from 0 to 100",
				      "write the percentage of GPU time that reserves may claim");
		found = true;
	}
	if (!found)
		return refuse(&c, c.p, "empty-file", "there is no limit in the file",
			      "write a number from 0 to 100, or remove the file");
	*percent = v;
	return 0;
}

const char *tg_spec_sched_name(enum tg_spec_sched sched)
{
	return sched == TG_SPEC_HT ? "HT" : "PRT";
}

const char *tg_spec_resv_name(enum tg_spec_resv resv)
{
	static const char *const name[] = { "-", "PE", "AE", "BG" };

	return name[resv];
}
