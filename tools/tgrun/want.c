// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <string.h>

#include "args.h"
#include "text.h"
#include "want.h"

/* Longer ones are no times of anybody's. */
#define TIMES_BYTES 96

struct want want_typed;

static bool refuse(struct cli_error *err, const char *text, const char *hint)
{
	err->text = text;
	err->hint = hint;
	return false;
}

bool want_times(const char *s, uint64_t *capacity_ns, uint64_t *period_ns,
		struct cli_error *err)
{
	const char *slash = strchr(s, '/');
	char times[TIMES_BYTES];

	if (!slash || strchr(s, ':') || strlen(s) >= sizeof(times))
		return refuse(err, "it is written C/T", "for example 10ms/40ms");
	strcpy(times, s);
	times[slash - s] = ':';
	return args_times(times, capacity_ns, period_ns, err);
}

bool want_percent(const char *s, uint32_t *ppm)
{
	uint32_t v = 0, unit = WANT_PPM / 100;
	bool digits = false;

	for (; *s >= '0' && *s <= '9'; s++, digits = true) {
		v = 10 * v + unit * (uint32_t)(*s - '0');
		if (v > WANT_PPM)
			return false;
	}
	if (*s == '.' && digits)
		for (s++; *s >= '0' && *s <= '9'; s++) {
			unit /= 10;
			if (!unit)
				return false;
			v += unit * (uint32_t)(*s - '0');
		}
	if (!digits || strcmp(s, "%") || !v || v > WANT_PPM)
		return false;
	*ppm = v;
	return true;
}

static bool take_quota(const struct cli_opt *opt, const char *value, struct cli_error *err)
{
	struct want *w = opt->dst;

	return want_times(value, &w->quota_ns, &w->quota_period_ns, err);
}

static bool take_target(const struct cli_opt *opt, const char *value, struct cli_error *err)
{
	return want_percent(value, opt->dst);
}

/* "10ms/40ms", "AE:10ms/40ms" */
static bool take_reserve(const struct cli_opt *opt, const char *value, struct cli_error *err)
{
	struct timegraph_set *set = opt->dst;
	uint64_t capacity_ns, period_ns;
	uint8_t resv = TIMEGRAPH_RESV_PE;

	if (!strncmp(value, "AE:", 3))
		resv = TIMEGRAPH_RESV_AE;
	if (resv == TIMEGRAPH_RESV_AE || !strncmp(value, "PE:", 3))
		value += 3;
	if (!want_times(value, &capacity_ns, &period_ns, err))
		return false;
	set->capacity_ns = capacity_ns;
	set->period_ns = period_ns;
	set->resv = resv;
	set->fields |= TIMEGRAPH_SET_RESV;
	return true;
}

static bool take_policy(const struct cli_opt *opt, const char *value, struct cli_error *err)
{
	struct timegraph_set *set = opt->dst, other = { 0 };

	if (!args_policy(value, &other, err))
		return false;
	if (other.fields & TIMEGRAPH_SET_LEAD)
		return refuse(err, "a domain has no lead", "give the policy alone");
	set->policy = other.policy;
	set->weight = other.weight;
	set->fields &= ~(TIMEGRAPH_SET_POLICY | TIMEGRAPH_SET_WEIGHT);
	set->fields |= other.fields;
	return true;
}

/* Not those that follow something: what is granted is a number. */
static bool take_prio(const struct cli_opt *opt, const char *value, struct cli_error *err)
{
	struct timegraph_set *set = opt->dst;
	uint32_t prio;

	if (!args_number(value, 99, &prio))
		return false;
	set->prio = prio;
	set->fields |= TIMEGRAPH_SET_PRIO;
	return true;
}

const struct cli_opt want_opts[] = {
	{ "weight", args_take_number, &want_typed.weight, "N",
	  "its part beside others, 1 to 10000; 100 is usual", 'w', .min = 1,
	  .max = WANT_WEIGHT_MAX },
	{ "quota", take_quota, &want_typed, "C/T", "GPU time of at most C in every T, as 10ms/40ms",
	  'q' },
	{ "target", take_target, &want_typed.target_ppm, "P%",
	  "part of the GPU that the policy SLAF gives it", 'g',
	  "write a percentage, for example 50%" },
	{ "reserve", take_reserve, &want_typed.task, "C/T",
	  "a reserve that all in it share: C in every T;\n"
	  "PE, or AE as AE:10ms/40ms", 'r' },
	{ "ht", cli_flag, &want_typed.ht, NULL, "policy HT" },
	{ "prt", cli_flag, &want_typed.prt, NULL, "policy PRT" },
	{ "policy", take_policy, &want_typed.task, "P", "PRT, HT, FQ or FQ=WEIGHT", 'p' },
	{ "prio", take_prio, &want_typed.task, "N", "priority, 0 (lowest) to 99", 'n',
	  "give a number from 0 to 99" },
	{ 0 }
};

bool want_settle(struct want *w, struct cli_error *err)
{
	struct timegraph_set *t = &w->task;

	if (w->ht + w->prt + !!(t->fields & TIMEGRAPH_SET_POLICY) > 1)
		return refuse(err, "the policy is given twice",
			      "give one of --ht, --prt and --policy");
	if (w->ht || w->prt) {
		t->policy = w->ht ? TIMEGRAPH_POLICY_HT : TIMEGRAPH_POLICY_PRT;
		t->fields |= TIMEGRAPH_SET_POLICY;
	}
	if (t->fields & TIMEGRAPH_SET_RESV && t->fields & TIMEGRAPH_SET_POLICY &&
	    t->policy == TIMEGRAPH_POLICY_HT)
		return refuse(err, "HT programs are not regulated",
			      "give the reserve to a program of PRT or FQ");
	return true;
}

static void add(struct want_words *out, int *n, const char *option, const char *value)
{
	out->word[*n] = strcpy(out->text[*n], option);
	snprintf(out->text[*n + 1], WANT_WORD_BYTES, "%s", value);
	out->word[*n + 1] = out->text[*n + 1];
	*n += 2;
}

static void add_number(struct want_words *out, int *n, const char *option, uint32_t value)
{
	char text[TEXT_BYTES];

	snprintf(text, sizeof(text), "%u", value);
	add(out, n, option, text);
}

static void add_times(struct want_words *out, int *n, const char *option, const char *kind,
		      uint64_t capacity_ns, uint64_t period_ns)
{
	char text[WANT_WORD_BYTES], c[TEXT_BYTES], t[TEXT_BYTES];

	snprintf(text, sizeof(text), "%s%s/%s", kind, text_time(c, capacity_ns),
		 text_time(t, period_ns));
	add(out, n, option, text);
}

void want_words(const struct want *w, struct want_words *out)
{
	const struct timegraph_set *t = &w->task;
	char text[2 * TEXT_BYTES];
	int n = 0;

	if (w->weight)
		add_number(out, &n, "--weight", w->weight);
	if (w->quota_ns)
		add_times(out, &n, "--quota", "", w->quota_ns, w->quota_period_ns);
	if (w->target_ppm) {
		snprintf(text, sizeof(text), "%u.%04u%%", w->target_ppm / 10000,
			 w->target_ppm % 10000);
		add(out, &n, "--target", text);
	}
	if (t->fields & TIMEGRAPH_SET_WEIGHT)
		snprintf(text, sizeof(text), "%s=%u", text_policy(t->policy), t->weight);
	else
		snprintf(text, sizeof(text), "%s", text_policy(t->policy));
	if (t->fields & TIMEGRAPH_SET_POLICY)
		add(out, &n, "--policy", text);
	if (t->fields & TIMEGRAPH_SET_PRIO)
		add_number(out, &n, "--prio", t->prio);
	if (t->fields & TIMEGRAPH_SET_RESV)
		add_times(out, &n, "--reserve", t->resv == TIMEGRAPH_RESV_AE ? "AE:" : "PE:",
			  t->capacity_ns, t->period_ns);
	out->word[n] = NULL;
}

void want_json(struct json *j, const struct want *w)
{
	const struct timegraph_set *t = &w->task;

	if (w->weight)
		json_uint(j, "weight", w->weight);
	if (w->quota_ns) {
		json_uint(j, "quota_ns", w->quota_ns);
		json_uint(j, "quota_period_ns", w->quota_period_ns);
	}
	if (w->target_ppm)
		json_uint(j, "target_ppm", w->target_ppm);
	if (t->fields & TIMEGRAPH_SET_POLICY)
		json_string(j, "policy", text_policy(t->policy));
	if (t->fields & TIMEGRAPH_SET_WEIGHT)
		json_uint(j, "policy_weight", t->weight);
	if (t->fields & TIMEGRAPH_SET_PRIO)
		json_uint(j, "prio", t->prio);
	if (t->fields & TIMEGRAPH_SET_RESV) {
		json_string(j, "reserve", text_resv(t->resv));
		json_uint(j, "capacity_ns", t->capacity_ns);
		json_uint(j, "period_ns", t->period_ns);
	}
}
