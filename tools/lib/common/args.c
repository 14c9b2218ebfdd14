// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "tg_spec.h"
#include "tg_words.h"

/* Longer ones are no values of anybody's. */
#define LINE_BYTES 256

static bool refuse(struct cli_error *err, const char *text, const char *hint)
{
	err->text = text;
	err->hint = hint;
	return false;
}

bool args_number(const char *s, uint32_t max, uint32_t *v)
{
	uint64_t n = 0;

	if (!*s)
		return false;
	for (; *s; s++) {
		if (*s < '0' || *s > '9')
			return false;
		n = 10 * n + (*s - '0');
		if (n > max)
			return false;
	}
	*v = n;
	return true;
}

bool args_pid(const char *s, int32_t *pid)
{
	uint32_t v;

	if (!args_number(s, INT32_MAX, &v) || !v)
		return false;
	*pid = v;
	return true;
}

bool args_seconds(const char *s, uint64_t *ns)
{
	char *end;
	double v;

	/* Not what strtod() takes besides: signs, hexadecimal, infinity. */
	if (!*s || s[strspn(s, "0123456789.")])
		return false;
	v = strtod(s, &end);
	if (*end || !(v >= 0.01 && v <= 86400))
		return false;
	*ns = llround(v * 1e9);
	return true;
}

bool args_take_number(const struct cli_opt *opt, const char *value, struct cli_error *err)
{
	uint32_t n;

	if (!args_number(value, opt->max ? opt->max : UINT32_MAX, &n) || n < opt->min)
		return false;
	*(uint32_t *)opt->dst = n;
	return true;
}

bool args_take_seconds(const struct cli_opt *opt, const char *value, struct cli_error *err)
{
	return args_seconds(value, opt->dst);
}

bool args_take_bytes(const struct cli_opt *opt, const char *value, struct cli_error *err)
{
	u64 bytes;

	(void)err;
	if (tg_words_size(value, strlen(value), &bytes))
		return false;
	*(uint64_t *)opt->dst = bytes;
	return true;
}

/*
 * One entry of a specification.  A value comes from one argument: what would end
 * its field or its line is refused before.
 */
static bool parse(struct tg_spec_entry *e, struct cli_error *err, const char *sched,
		  const char *resv, const char *prio, const char *times)
{
	struct tg_spec_error why;
	char line[LINE_BYTES];
	int n = snprintf(line, sizeof(line), "x:%s:%s:%s:%s", sched, resv, prio, times);

	if (n >= (int)sizeof(line))
		return refuse(err, "the value is too long", "see tgctl(1)");
	if (tg_spec_parse(line, n, e, 1, &why) != 1)
		return refuse(err, why.text, why.hint);
	return true;
}

static bool is_field(const char *s, struct cli_error *err)
{
	if (!*s)
		return refuse(err, "the value is empty", "see tgctl(1)");
	if (strpbrk(s, ":<>#\n"))
		return refuse(err, "a character that no value can have",
			      "no : < > # and no line ends");
	return true;
}

bool args_policy(const char *s, struct timegraph_set *set, struct cli_error *err)
{
	struct tg_spec_entry e;

	if (!is_field(s, err) || !parse(&e, err, s, "-", "0", ":"))
		return false;
	set->policy = (uint8_t)e.sched;
	set->fields |= TIMEGRAPH_SET_POLICY;
	if (s[strcspn(s, "= \t")] == '=') {
		set->weight = e.weight;
		set->fields |= TIMEGRAPH_SET_WEIGHT;
	}
	if (e.has_lead) {
		set->lead_ns = e.lead_ns;
		set->fields |= TIMEGRAPH_SET_LEAD;
	}
	return true;
}

bool args_lead(const char *s, struct timegraph_set *set, struct cli_error *err)
{
	struct tg_spec_entry e;
	char sched[LINE_BYTES];

	set->fields |= TIMEGRAPH_SET_LEAD;
	set->lead_ns = TIMEGRAPH_LEAD_COMMON;
	if (!strcmp(s, "-"))
		return true;
	if (!is_field(s, err))
		return false;
	snprintf(sched, sizeof(sched), "PRT lead=%s", s);
	if (!parse(&e, err, sched, "-", "0", ":"))
		return false;
	set->lead_ns = e.lead_ns;
	return true;
}

bool args_prio(const char *s, struct timegraph_set *set, struct cli_error *err)
{
	struct tg_spec_entry e;

	if (!is_field(s, err) || !parse(&e, err, "PRT", "-", s, ":"))
		return false;
	set->prio = e.prio;
	set->focus = e.focus ? TIMEGRAPH_FOLLOW_FOCUS :
		     e.cpu ? TIMEGRAPH_FOLLOW_CPU : TIMEGRAPH_FOLLOW_NOTHING;
	set->fields |= TIMEGRAPH_SET_PRIO;
	return true;
}

static uint8_t resv_number(enum tg_spec_resv resv)
{
	switch (resv) {
	case TG_SPEC_RESV_PE:
		return TIMEGRAPH_RESV_PE;
	case TG_SPEC_RESV_AE:
		return TIMEGRAPH_RESV_AE;
	case TG_SPEC_RESV_BG:
		return TIMEGRAPH_RESV_BG;
	default:
		return TIMEGRAPH_RESV_NONE;
	}
}

/* The reserve with its group as one field: "PE@group". */
static bool resv_field(const struct args_resv *r, char *field, size_t size,
		       struct cli_error *err)
{
	if (!r->resv)
		return refuse(err, "a reserve needs its policy", "add --resv PE or --resv AE");
	if (!is_field(r->resv, err) || (r->group && !is_field(r->group, err)))
		return false;
	if (r->group && strchr(r->resv, '@'))
		return refuse(err, "the group is given twice",
			      "write --resv PE --group NAME or --resv PE@NAME");
	if (snprintf(field, size, "%s%s%s", r->resv, r->group ? "@" : "",
		     r->group ? r->group : "") >= (int)size)
		return refuse(err, "the value is too long", "see tgctl(1)");
	return true;
}

/* The parser's hints for what is missing are for a specification. */
static bool has_times(const char *field, bool capacity, bool period, struct cli_error *err)
{
	bool own = !strncmp(field, "PE", 2) || !strncmp(field, "AE", 2);

	if (!own || (!capacity && !period && strchr(field, '@')) || (capacity && period))
		return true;
	return refuse(err, capacity ? "it has no period" : period ? "it has no capacity" :
					"it has no capacity and no period",
		      "give --capacity and --period, for example -c 5ms -t 20ms");
}

bool args_resv(const struct args_resv *r, struct timegraph_set *set,
	       struct cli_error *err)
{
	const char *c = r->capacity ? r->capacity : "", *t = r->period ? r->period : "";
	char field[LINE_BYTES], times[LINE_BYTES];
	struct tg_spec_entry e;
	bool joins;

	if (!resv_field(r, field, sizeof(field), err) ||
	    (*c && !is_field(c, err)) || (*t && !is_field(t, err)))
		return false;
	/* The group's C and T are not known here: any will do to read its name. */
	if (!has_times(field, *c, *t, err))
		return false;
	joins = strchr(field, '@') && !*c && !*t;
	if (joins)
		c = t = "1";
	if (snprintf(times, sizeof(times), "%s:%s", c, t) >= (int)sizeof(times))
		return refuse(err, "the value is too long", "see tgctl(1)");
	if (!parse(&e, err, "PRT", field, "0", times))
		return false;
	set->resv = resv_number(e.resv);
	set->capacity_ns = joins ? 0 : e.capacity_ns;
	set->period_ns = joins ? 0 : e.period_ns;
	snprintf(set->group, sizeof(set->group), "%s", e.group);
	set->fields |= TIMEGRAPH_SET_RESV;
	return true;
}

bool args_times(const char *s, uint64_t *capacity_ns, uint64_t *period_ns,
		struct cli_error *err)
{
	const char *colon = strchr(s, ':');
	struct tg_spec_entry e;

	if (!colon || strchr(colon + 1, ':') || strpbrk(s, "<>#\n"))
		return refuse(err, "a reserve is written C:T", "for example 5ms:20ms");
	if (!parse(&e, err, "PRT", "PE", "0", s))
		return false;
	*capacity_ns = e.capacity_ns;
	*period_ns = e.period_ns;
	return true;
}
