// SPDX-License-Identifier: GPL-2.0-only
/*
 * Parser of the specification; the grammar stands in tg_spec.h.
 *
 * A cursor walks the text once.  Every refusal names the place where the
 * offending field starts, the rule and what to write instead.
 */
#include "tg_cursor.h"
#include "tg_sched.h"
#include "tg_spec.h"
#include "tg_time.h"
#include "tg_utf8.h"
#include "tg_words.h"

/* A field: the text between two colons without the blanks around it. */
struct field {
	const char *p;
	size_t len;
};

static bool is_digit(char ch)
{
	return ch >= '0' && ch <= '9';
}

/* Whether only blanks stand between @p and what ends a bare name. */
static bool ends_bare_name(const struct tg_cursor *c, const char *p)
{
	while (p < c->end && is_blank(*p))
		p++;
	return p == c->end || *p == ':' || *p == '>' || *p == '#' || *p == '\n' ||
	       *p == '@';
}

static enum tg_spec_kind kind_of(const char *name)
{
	static const char cgroup[] = TG_SPEC_CGROUP_WORD "/";

	if (name[0] == '/')
		return TG_SPEC_PATH;
	return strncmp(name, cgroup, strlen(cgroup)) ? TG_SPEC_NAME : TG_SPEC_CGROUP;
}

static bool is_word(const char *word, const char *name, size_t n)
{
	return n == strlen(word) - 1 && !memcmp(name, word, n);
}

/* The colon of a bare cgroup:/path or gpu:0, of which the text before has been read. */
static bool is_word_colon(const struct tg_cursor *c, const char *name, size_t n)
{
	char next = c->end - c->p > 1 ? c->p[1] : '\0';

	return *c->p == ':' && ((next == '/' && is_word(TG_SPEC_CGROUP_WORD, name, n)) ||
	       ((is_digit(next) || next == '*') && is_word(TG_SPEC_GPU_WORD, name, n)));
}

static bool field_is(struct field f, const char *word)
{
	return strlen(word) == f.len && !memcmp(f.p, word, f.len);
}

/* The name: bare up to a colon, or quoted. */
static int parse_name(struct tg_cursor *c, char *name)
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
		if (!quoted && ends_bare_name(c, c->p) && !is_word_colon(c, name, n))
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
		if (is_control(c, c->p))
			return refuse(c, c->p, "control-character",
				      "a control character in a name",
				      "names are printable text: type the name anew");
		name[n] = '\0';
		if (n == TG_NAME_MAX - 1 && kind_of(name) == TG_SPEC_NAME)
			return refuse(c, start, "name-too-long",
				      "the name has more than 63 bytes",
				      "write the first 15 characters of its comm, or the base name of its executable");
		if (n == TG_SPEC_NAME_MAX - 1)
			return refuse(c, start, "name-too-long",
				      "the path has more than 255 bytes",
				      "make a shorter one lead to it: a symbolic link, or a cgroup above it");
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

/* @1000: the kernel knows users by their numbers only. */
static int parse_user(struct tg_cursor *c, struct tg_spec_entry *e)
{
	const char *start = c->p;
	u64 v = 0;

	if (c->p == c->end || *c->p != '@')
		return 0;
	for (c->p++; c->p < c->end && is_digit(*c->p) && v < TG_SPEC_NO_UID; c->p++)
		v = v * 10 + (*c->p - '0');
	if (c->p == start + 1 || v >= TG_SPEC_NO_UID || !ends_bare_name(c, c->p))
		return refuse(c, start, "bad-user", "what follows the @ is no user's number",
			      "write the number that \"id -u NAME\" tells: the kernel knows no names; quote a name that has an @");
	e->uid = v;
	e->has_uid = true;
	return 0;
}

/* Behind gpu:, where a digit or * stands. */
static int parse_gpu(struct tg_cursor *c, const char *start, struct tg_spec_entry *e)
{
	const char *number = e->name + strlen(TG_SPEC_GPU_WORD), *p = number;
	u32 v = 0;

	e->kind = TG_SPEC_GPU;
	e->gpu = TG_SPEC_ANY_GPU;
	if (!strcmp(number, TG_SPEC_ANY_WORD))
		return 0;
	for (; is_digit(*p) && v <= TG_SPEC_GPU_MAX; p++)
		v = v * 10 + (*p - '0');
	e->gpu = v;
	/* A GPU has one name: none with a zero before it. */
	if (!*p && v <= TG_SPEC_GPU_MAX && (*number != '0' || p == number + 1))
		return 0;
	return refuse(c, start, "bad-gpu", "what follows gpu: is no number of a GPU",
		      "write the number that \"tgctl policy\" tells, gpu:0, or gpu:* for each; quote a program's name that has a colon");
}

/* Which programs, or what instead. */
static int parse_who(struct tg_cursor *c, struct tg_spec_entry *e)
{
	const char *start;
	bool quoted;
	int ret;

	skip_blanks(c);
	start = c->p;
	ret = parse_name(c, e->name);
	if (ret)
		return ret;
	quoted = memchr(start, '"', c->p - start);
	e->kind = kind_of(e->name);
	if (!quoted && !strncmp(e->name, TG_SPEC_GPU_WORD, strlen(TG_SPEC_GPU_WORD)))
		ret = parse_gpu(c, start, e);
	else if (!quoted && !strcmp(e->name, TG_SPEC_ANY_WORD))
		e->kind = TG_SPEC_ANY;
	if (ret)
		return ret;
	skip_blanks(c);
	return parse_user(c, e);
}

static int expect_colon(struct tg_cursor *c, const char *missing)
{
	skip_blanks(c);
	if (c->p == c->end || *c->p != ':')
		return refuse(c, c->p, "missing-field", missing,
			      "an entry is <name:sched:resv:prio:C:T>; C and T may be empty, their colons not");
	c->p++;
	return 0;
}

/* A bare field: up to a colon, a closing bracket or the end of the line. */
static struct field parse_field(struct tg_cursor *c)
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

static int read_time(struct tg_cursor *c, struct field f, u64 *ns)
{
	struct tg_time_error err;

	if (!tg_time_parse(f.p, f.len, ns, &err))
		return 0;
	return refuse(c, err.at, err.check, err.text, err.hint);
}

/* An empty one is 0. */
static int parse_time(struct tg_cursor *c, u64 *ns, bool *empty,
		      struct field *where)
{
	struct field f = parse_field(c);
	int ret;

	*where = f;
	*ns = 0;
	*empty = !f.len;
	if (*empty)
		return 0;
	ret = read_time(c, f, ns);
	if (ret || *ns)
		return ret;
	return refuse(c, f.p, TG_TIME_RANGE_CHECK, TG_TIME_RANGE_TEXT, TG_TIME_RANGE_HINT);
}

/* Behind the =. */
static int parse_weight(struct tg_cursor *c, struct field f, struct tg_spec_entry *e)
{
	if (tg_words_weight(f.p, f.len, &e->weight))
		return refuse(c, f.p, "bad-weight", "the weight is no number from 1 to 10000",
			      "100 is that of every other program or domain; FQ=200 gets twice as much of the GPU");
	return 0;
}

/* What follows @word, which @f must begin with. */
static bool cut_word(struct field *f, const char *word)
{
	size_t len = strlen(word);

	if (f->len < len || memcmp(f->p, word, len))
		return false;
	f->p += len;
	f->len -= len;
	return true;
}

static int parse_policy(struct tg_cursor *c, struct field f, struct tg_spec_entry *e)
{
	e->weight = TG_WEIGHT_DEFAULT;
	if (field_is(f, "PRT") || field_is(f, "FIFO")) {
		e->sched = TG_SPEC_PRT;
	} else if (field_is(f, "HT")) {
		e->sched = TG_SPEC_HT;
	} else if (field_is(f, "FQ")) {
		e->sched = TG_SPEC_FQ;
	} else if (cut_word(&f, "FQ=")) {
		e->sched = TG_SPEC_FQ;
		return parse_weight(c, f, e);
	} else {
		return refuse(c, f.p, "bad-policy", "unknown scheduling policy",
			      "write PRT, HT, FQ or FQ=weight, in capitals and without quotes; lead=1ms, then vram=256M may follow; or DOMAIN");
	}
	return 0;
}

/*
 * What stands behind " @word" at the end of a field, which is cut by it, and whether it is
 * there.  What is none of these words is left to the policy, and so refused.
 */
static bool cut_option(struct field *f, const char *word, struct field *value)
{
	const char *end = f->p + f->len, *p = f->p, *blank = NULL;

	for (; p < end; p++) {
		if (is_blank(*p)) {
			blank = blank ?: p;
			continue;
		}
		if (blank && (size_t)(end - p) >= strlen(word) &&
		    !memcmp(p, word, strlen(word)))
			break;
		blank = NULL;
	}
	if (p >= end)
		return false;
	f->len = blank - f->p;
	value->p = p + strlen(word);
	value->len = end - value->p;
	return true;
}

/* It is the last word of a field. */
static int take_vram(struct tg_cursor *c, struct field *f, u64 *bytes)
{
	struct field vram;

	if (!cut_option(f, "vram=", &vram))
		return 0;
	switch (tg_words_size(vram.p, vram.len, bytes)) {
	case 0:
		return 0;
	case -ERANGE:
		return refuse(c, vram.p, "vram-out-of-range",
			      "the video memory is 0, missing, or more than any card has",
			      "write what the program needs at most: vram=256M");
	default:
		return refuse(c, vram.p, "bad-vram", "this is no amount of video memory",
			      "write a whole number with K, M or G behind it: vram=256M");
	}
}

/* Whether it is no program's; then @f is what stands behind the word. */
static bool is_domain(struct field *f)
{
	struct field rest = *f;

	if (!cut_word(&rest, TG_SPEC_DOMAIN_WORD) ||
	    (rest.len && *rest.p != '=' && !is_blank(*rest.p)))
		return false;
	*f = rest;
	return true;
}

static int parse_domain(struct tg_cursor *c, const char *start, struct field f,
			struct tg_spec_entry *e)
{
	struct field target;

	e->domain = true;
	e->sched = TG_SPEC_FQ;
	e->weight = TG_WEIGHT_DEFAULT;
	if (e->kind != TG_SPEC_CGROUP || e->has_uid)
		return refuse(c, start, "domain-without-cgroup", "only a cgroup can be a domain",
			      "write cgroup:/path:DOMAIN, without @user; or FQ=weight for programs");
	if (!strcmp(e->name, TG_SPEC_CGROUP_WORD "/"))
		return refuse(c, start, "domain-of-all", "all programs are in the root cgroup",
			      "name a cgroup below it; domains share the GPU with each other");
	if (take_vram(c, &f, &e->vram_bytes))
		return -EINVAL;
	e->has_target = cut_option(&f, "target=", &target);
	if (e->has_target && tg_words_target(target.p, target.len, &e->target_ppm))
		return refuse(c, target.p, "bad-target", "the target is no percentage from 0 to 100",
			      "write target=50%, with at most four decimals");
	if (cut_word(&f, "="))
		return parse_weight(c, f, e);
	return f.len ? refuse(c, f.p, "bad-domain", "unknown text behind DOMAIN",
			      "write DOMAIN, DOMAIN=300 or DOMAIN=300 target=50% vram=1G") : 0;
}

/* As tgpolicy takes it. */
static bool is_policy_name(struct field f)
{
	for (size_t i = 0; i < f.len; i++) {
		char ch = f.p[i];

		if (!is_digit(ch) && !(ch >= 'a' && ch <= 'z') && !(ch >= 'A' && ch <= 'Z') &&
		    ch != '_' && ch != '-')
			return false;
	}
	return f.len && f.len < TG_SPEC_POLICY_LEN;
}

/* @f is what stands behind the word, if @has_word. */
static int parse_gpu_policy(struct tg_cursor *c, const char *start, bool has_word, struct field f,
			    struct tg_spec_entry *e)
{
	e->sched = TG_SPEC_FQ;
	e->weight = TG_WEIGHT_DEFAULT;
	if (e->kind != TG_SPEC_GPU)
		return refuse(c, start, "policy-without-gpu",
			      "only a GPU has a policy of that kind",
			      "write gpu:0:POLICY=accc, or gpu:*; a program has PRT, HT or FQ");
	if (!has_word || e->has_uid)
		return refuse(c, start, "gpu-without-policy",
			      "a GPU has a policy, and nothing else",
			      "write gpu:0:POLICY=accc:-:-::, without @user; quote a program's name that has a colon");
	if (!is_policy_name(f))
		return refuse(c, f.p, "bad-policy-name", "this is no name of a policy",
			      "write POLICY=accc: " TG_SPEC_CLASS_NAMES
			      ", or one that tgpolicy loads");
	memcpy(e->policy, f.p, f.len);
	return 0;
}

static int parse_sched(struct tg_cursor *c, struct tg_spec_entry *e)
{
	struct field f = parse_field(c), lead;
	const char *start = f.p;
	bool has_word = cut_word(&f, TG_SPEC_POLICY_WORD);
	int ret;

	if (has_word || e->kind == TG_SPEC_GPU)
		return parse_gpu_policy(c, start, has_word, f, e);
	if (is_domain(&f))
		return parse_domain(c, start, f, e);
	if (take_vram(c, &f, &e->vram_bytes))
		return -EINVAL;
	e->has_lead = cut_option(&f, "lead=", &lead);
	ret = parse_policy(c, f, e);
	if (ret || !e->has_lead)
		return ret;
	ret = read_time(c, lead, &e->lead_ns);
	if (!ret && e->lead_ns > TG_SPEC_LEAD_MAX_NS)
		return refuse(c, lead.p, "lead-out-of-range", "the lead is longer than 100 ms",
			      "a lead is about as long as a group: lead=1ms; 0 is the paper's PRT");
	return ret;
}

/* What stands behind the @; what ends a field is not in it. */
static int parse_group(struct tg_cursor *c, struct field f, char *group)
{
	if (!f.len)
		return refuse(c, f.p - 1, "bad-group",
			      "the name of the group is missing behind the @",
			      "write PE@group, or PE for a reserve of its own");
	if (f.len >= TG_NAME_MAX)
		return refuse(c, f.p - 1, "bad-group",
			      "the name of the group has more than 63 bytes",
			      "shorten it in all lines of the group");
	for (const char *p = f.p; p < f.p + f.len; p++) {
		if (is_control(c, p) || is_blank(*p) || *p == '@' || *p == '"' || *p == '<')
			return refuse(c, p, "bad-group",
				      "a character that the name of a group cannot have",
				      "it has no blanks, no control characters, none of @ : < > # and no quotes, and cannot be quoted");
	}
	memcpy(group, f.p, f.len);
	group[f.len] = '\0';
	return 0;
}

static int parse_resv(struct tg_cursor *c, struct tg_spec_entry *e)
{
	struct field f = parse_field(c);
	struct field kind = { f.p, 0 };
	struct field group;

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

	if (e->domain && (kind.len < f.len || e->resv == TG_SPEC_RESV_AE ||
			  e->resv == TG_SPEC_RESV_BG))
		return refuse(c, f.p, "bad-quota", "a domain has a quota of its own, or none",
			      "write PE with C and T, or -");
	if (e->kind == TG_SPEC_GPU && (kind.len < f.len || e->resv != TG_SPEC_RESV_NONE))
		return refuse(c, f.p, "gpu-reserve", "a GPU has no reserve",
			      "write -; reserves are programs', or a domain's quota");
	e->group[0] = '\0';
	if (kind.len == f.len)
		return 0;
	if (e->resv != TG_SPEC_RESV_PE && e->resv != TG_SPEC_RESV_AE)
		return refuse(c, f.p + kind.len, "group-without-reserve",
			      "only PE and AE reserves can be shared",
			      "write PE@group or AE@group");
	group.p = kind.p + kind.len + 1;
	group.len = f.len - kind.len - 1;
	return parse_group(c, group, e->group);
}

static int parse_prio(struct tg_cursor *c, struct tg_spec_entry *e)
{
	struct field f = parse_field(c);
	u32 v = 0;

	if (e->kind == TG_SPEC_GPU)
		return field_is(f, "-") ? 0 :
		       refuse(c, f.p, "gpu-priority", "a GPU has no priority",
			      "write -; its programs have the priorities of their own entries");
	if (e->domain)
		return field_is(f, "-") ? 0 :
		       refuse(c, f.p, "domain-priority", "a domain has no priority",
			      "write -; its programs have the priorities of their own entries");
	e->focus = field_is(f, "*");
	e->cpu = field_is(f, TG_SPEC_CPU_WORD);
	e->prio = e->focus ? TG_PRIO_DEFAULT : TG_PRIO_MIN;
	if (e->focus || e->cpu)
		return 0;
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
		      "0 is the lowest, 99 the highest, * follows the focus, cpu the CPU's");
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
static int parse_reserve_times(struct tg_cursor *c, struct tg_spec_entry *e,
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
	if (no_c && e->group[0] && !first)
		return refuse(c, cf.p, "missing-capacity",
			      "no line above gives this group its C and T",
			      "the first line of a group has them, for example 2.5ms:25ms; or is its name spelt differently there?");
	if (no_c)
		return refuse(c, cf.p, "missing-capacity",
			      "the reserve has no capacity C",
			      "write C:T, for example 2.5ms:25ms");
	if (no_t)
		return refuse(c, tf.p, "missing-period",
			      "the reserve has no period T",
			      "write C:T, for example 2.5ms:25ms");
	if (e->capacity_ns > e->period_ns)
		return refuse(c, cf.p, "capacity-over-period",
			      "the capacity C is larger than the period T",
			      "C is what it may use of every T; a time without a unit is in microseconds");
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

/* One that is given twice would be lost without a word. */
static int refuse_double(struct tg_cursor *c, const struct tg_spec_entry *entries, int n,
			 const char *start)
{
	const struct tg_spec_entry *e = &entries[n];

	for (int i = 0; e->domain && i < n; i++)
		if (entries[i].domain && !strcmp(entries[i].name, e->name))
			return refuse(c, start, "double-domain",
				      "this cgroup is made a domain above",
				      "write one line for it");
	if (e->kind == TG_SPEC_GPU && tg_spec_match_gpu(entries, n, e->gpu))
		return refuse(c, start, "double-policy", "this GPU is given a policy above",
			      "write one line for it; gpu:* stands behind the lines of single GPUs");
	return 0;
}

static int parse_entry(struct tg_cursor *c, struct tg_spec_entry *entries, int n)
{
	struct tg_spec_entry *e = &entries[n];
	const struct tg_spec_entry *first = NULL;
	const char *start = c->p, *open = NULL, *resv = NULL;
	int ret;

	memset(e, 0, sizeof(*e));
	e->line = c->line;
	if (*c->p == '<')
		open = c->p++;

	ret = parse_who(c, e);
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
	if (!ret)
		ret = refuse_double(c, entries, n, start);
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

int tg_spec_parse(const char *text, size_t len, struct tg_spec_entry *entries,
		  u32 max, struct tg_spec_error *err)
{
	struct tg_cursor c;
	int ret;
	u32 n = 0;

	tg_cursor_init(&c, text, len, err);
	if (len > TG_SPEC_MAX_BYTES) {
		refuse(&c, c.p, "file-too-large",
		       "the file is larger than 64 KiB", "shorten it");
		return -E2BIG;
	}
	ret = tg_cursor_refuse_encoding(&c);
	if (ret)
		return ret;
	for (; c.p < c.end; next_line(&c)) {
		ret = tg_cursor_begin_line(&c);
		if (ret < 0)
			return ret;
		if (!ret)
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

int tg_ac_parse(const char *text, size_t len, u32 *percent,
		struct tg_spec_error *err)
{
	struct tg_cursor c;
	bool found = false;
	u32 v = 0;
	int ret;

	tg_cursor_init(&c, text, len, err);
	if (len > TG_SPEC_MAX_BYTES)
		return refuse(&c, c.p, "file-too-large",
			      "the file is larger than 64 KiB", "shorten it");
	ret = tg_cursor_refuse_encoding(&c);
	if (ret)
		return ret;
	for (; c.p < c.end; next_line(&c)) {
		const char *start;

		ret = tg_cursor_begin_line(&c);
		if (ret < 0)
			return ret;
		if (!ret)
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
