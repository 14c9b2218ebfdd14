// SPDX-License-Identifier: GPL-2.0-or-later
/* The arguments of a line: times, numbers, options. */
#include "loader.h"

int load_refuse(struct loader *l, u32 word, const char *check,
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

static int get_time(struct loader *l, u32 word, const char *text, u64 *ns)
{
	size_t n = text ? parse_time(text, ns) : 0;

	if (!n || text[n])
		return load_refuse(l, word, "bad-time",
			      text ? "this is no time, or it is too long" :
				     "a time is missing", TIME_HINT);
	return 0;
}

int load_time(struct loader *l, u32 word, u64 *ns)
{
	return get_time(l, word, word < l->r.nr_words ? l->r.word[word] : NULL,
			ns);
}

/* A time that is not 0. */
int load_cost(struct loader *l, u32 word, u64 *ns)
{
	int ret = load_time(l, word, ns);

	if (!ret && (!*ns || *ns > TG_TIME_MAX_NS))
		return load_refuse(l, word, "cost-out-of-range",
			      "a cost must be more than 0 and at most 100 s",
			      TIME_HINT);
	return ret;
}

int load_value(struct loader *l, u32 word, const char *text, u64 lo,
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
	return load_refuse(l, word, "bad-number", "this is no number in range", hint);
}

int load_count(struct loader *l, u32 word, u64 lo, u64 hi, u64 *v)
{
	return load_value(l, word,
			 word < l->r.nr_words ? l->r.word[word] : NULL, lo, hi,
			 v);
}

/* "5%", "0.5%", in ppm. */
int load_percent(struct loader *l, u32 word, u32 max, u32 *ppm)
{
	const char *text = word < l->r.nr_words ? l->r.word[word] : "";
	char *end;
	double v = *text >= '0' && *text <= '9' ? strtod(text, &end) : -1;

	if (v < 0 || v > max || strcmp(end, *end ? "%" : ""))
		return load_refuse(l, word, "bad-percent",
			      "this is no percentage in range",
			      "write 5% or 0.5%");
	*ppm = (u32)(v * PPM / 100 + 0.5);
	return 0;
}

int load_no_more(struct loader *l, u32 n)
{
	if (l->r.nr_words > n)
		return load_refuse(l, n, "trailing-text",
			      "there is more text than this line needs",
			      "a comment starts with #");
	return 0;
}

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
			return load_value(l, word, value + 1, o[i].min,
					 o[i].max, o[i].count);
		}
		snprintf(hint + strlen(hint), sizeof(hint) - strlen(hint),
			 " %s=", o[i].name);
	}
	return load_refuse(l, word, "unknown-option", "unknown option of this line",
		      hint);
}

int load_options(struct loader *l, u32 from, const struct option *o, u32 n)
{
	int ret = 0;

	for (u32 i = from; i < l->r.nr_words && !ret; i++)
		ret = one_option(l, i, o, n);
	return ret;
}
