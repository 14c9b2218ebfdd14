// SPDX-License-Identifier: GPL-2.0-only
#include "tg_time.h"

/* Units of time; @max is TG_TIME_MAX_NS in the unit. */
static const struct time_unit {
	const char *name;
	u32 ns;
	u64 max;
} time_units[] = {
	{ "", 1000, TG_TIME_MAX_NS / 1000 },
	{ "us", 1000, TG_TIME_MAX_NS / 1000 },
	{ "ns", 1, TG_TIME_MAX_NS },
	{ "ms", 1000000, TG_TIME_MAX_NS / 1000000 },
	{ "s", 1000000000, TG_TIME_MAX_NS / 1000000000 },
};

/* A whole number, digits behind a point, a unit. */
struct decimal {
	u64 whole;
	const char *part, *part_end;
	const char *unit, *end;
};

static bool is_digit(char ch)
{
	return ch >= '0' && ch <= '9';
}

static const char *skip_digits(const char *p, const char *end)
{
	while (p < end && is_digit(*p))
		p++;
	return p;
}

static int refuse(struct tg_time_error *err, const char *at, const char *check,
		  const char *text, const char *hint)
{
	*err = (struct tg_time_error){ at, check, text, hint };
	return -EINVAL;
}

static int refuse_text(struct tg_time_error *err, const char *at)
{
	return refuse(err, at, "bad-time",
		      "a time is a number, which may have decimals, and a unit",
		      "write 2500us, 2.5ms or 1s; without a unit it is microseconds");
}

/*
 * No digit is read behind a number over TG_TIME_MAX_NS = 10^11, so @d->whole stays
 * below 10^13.
 */
static int split(const char *p, const char *end, struct decimal *d, struct tg_time_error *err)
{
	const char *start = p;

	d->whole = 0;
	for (; p < end && is_digit(*p) && d->whole <= TG_TIME_MAX_NS; p++)
		d->whole = d->whole * 10 + (*p - '0');
	p = skip_digits(p, end);
	d->part = p;
	if (p > start && p < end && *p == '.') {
		d->part = ++p;
		p = skip_digits(p, end);
		if (p == d->part)
			return refuse_text(err, p);
	}
	d->part_end = p;
	if (p < end && *p == ',')
		return refuse(err, p, "bad-time", "a comma in a time",
			      "write a point before decimals: 2.5ms");
	if (p == start || (p < end && *p == '.'))
		return refuse_text(err, p);
	while (p < end && (*p == ' ' || *p == '\t' || *p == '\r'))
		p++;
	d->unit = p;
	d->end = end;
	return 0;
}

/*
 * The decimals of @d in nanoseconds: each digit stands for a tenth of the one before,
 * and behind that of 1 ns there can only be zeros.  @unit_ns is a power of ten up to
 * 10^9, the sum is below it.
 */
static int add_decimals(const struct decimal *d, u32 unit_ns, u64 *ns, struct tg_time_error *err)
{
	for (const char *p = d->part; p < d->part_end; p++) {
		u32 digit = *p - '0';

		unit_ns /= 10;
		if (digit && !unit_ns)
			return refuse(err, p, "time-too-fine",
				      "the time has a fraction of a nanosecond",
				      "times are whole nanoseconds: leave out this digit and those behind it");
		*ns += digit * unit_ns;
	}
	return 0;
}

static bool is_unit(const struct decimal *d, const char *name)
{
	size_t len = d->end - d->unit;

	return strlen(name) == len && !memcmp(d->unit, name, len);
}

/*
 * The whole number is compared with the unit's maximum before it is multiplied, so the
 * product is at most TG_TIME_MAX_NS, and the sum with the decimals below
 * TG_TIME_MAX_NS + 10^9.
 */
int tg_time_parse(const char *p, size_t len, u64 *ns, struct tg_time_error *err)
{
	const struct time_unit *u, *end = time_units + ARRAY_SIZE(time_units);
	struct decimal d;
	int ret = split(p, p + len, &d, err);

	if (ret)
		return ret;
	for (u = time_units; u < end && !is_unit(&d, u->name); u++)
		;
	if (u == end)
		return refuse(err, d.unit, "bad-unit", "what follows the number is no unit of time",
			      "use ns, us, ms or s; without one it is microseconds");
	if (d.whole > u->max)
		goto range;
	*ns = d.whole * u->ns;
	ret = add_decimals(&d, u->ns, ns, err);
	if (ret || *ns <= TG_TIME_MAX_NS)
		return ret;
range:
	return refuse(err, p, TG_TIME_RANGE_CHECK, TG_TIME_RANGE_TEXT, TG_TIME_RANGE_HINT);
}
