// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Long options from a table: the same rows drive parsing, range checks and
 * --help, so that the three cannot disagree.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "opts.h"

static bool parse_uint(const char *text, uint64_t *value)
{
	char *end;

	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	*value = strtoull(text, &end, 0);
	return !errno && !*end;
}

static bool unit_of(const char *suffix, uint64_t bare_ns, uint64_t *unit_ns)
{
	static const struct {
		const char *suffix;
		uint64_t ns;
	} units[] = {
		{ "ns", 1 }, { "us", 1000 }, { "ms", 1000000 }, { "s", 1000000000 },
	};
	size_t i;

	if (!*suffix) {
		*unit_ns = bare_ns;
		return true;
	}
	for (i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (!strcmp(suffix, units[i].suffix)) {
			*unit_ns = units[i].ns;
			return true;
		}
	}
	return false;
}

/*
 * Integer part and up to nine decimals are kept apart, so that a nanosecond
 * count of any size survives: a double would lose digits above 2^53.
 */
bool wl_parse_time(const char *text, uint64_t unit_ns, uint64_t *ns)
{
	uint64_t whole, decimals = 0, scale = 1, unit;
	char *end;

	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	whole = strtoull(text, &end, 10);
	if (errno)
		return false;
	if (*end == '.') {
		for (end++; *end >= '0' && *end <= '9' && scale < 1000000000; end++) {
			decimals = decimals * 10 + (uint64_t)(*end - '0');
			scale *= 10;
		}
		if (scale == 1)
			return false;
	}
	if (!unit_of(end, unit_ns, &unit) || whole > UINT64_MAX / 2 / unit)
		return false;
	/* decimals < 1e9 and unit <= 1e9: the product is below 2^60. */
	*ns = whole * unit + decimals * unit / scale;
	return true;
}

static bool parse_size(const char *text, struct wl_size *size)
{
	unsigned int width, height;
	char tail;

	if (sscanf(text, "%5ux%5u%c", &width, &height, &tail) != 2)
		return false;
	if (!width || !height || width > 8192 || height > 8192)
		return false;
	size->width = width;
	size->height = height;
	return true;
}

static bool parse_choice(const struct wl_opt *opt, const char *text)
{
	int i;

	for (i = 0; opt->choices[i]; i++) {
		if (!strcmp(text, opt->choices[i])) {
			*(int *)opt->dst = i;
			return true;
		}
	}
	return false;
}

static bool in_range(const struct wl_opt *opt, uint64_t value)
{
	return !opt->max || (value >= opt->min && value <= opt->max);
}

static bool store(const struct wl_opt *opt, const char *value)
{
	uint64_t number;

	switch (opt->type) {
	case WL_OPT_FLAG:
		*(bool *)opt->dst = true;
		return true;
	case WL_OPT_UINT:
		if (!parse_uint(value, &number) || !in_range(opt, number))
			return false;
		*(uint64_t *)opt->dst = number;
		return true;
	case WL_OPT_TIME:
		if (!wl_parse_time(value, opt->unit_ns, &number) || !in_range(opt, number))
			return false;
		*(uint64_t *)opt->dst = number;
		return true;
	case WL_OPT_SIZE:
		return parse_size(value, opt->dst);
	case WL_OPT_STRING:
		*(const char **)opt->dst = value;
		return true;
	case WL_OPT_CHOICE:
		return parse_choice(opt, value);
	}
	return false;
}

static const struct wl_opt *find(const struct wl_opt *const *tables, const char *name,
				 size_t len)
{
	const struct wl_opt *opt;

	for (; *tables; tables++)
		for (opt = *tables; opt->name; opt++)
			if (strlen(opt->name) == len && !strncmp(opt->name, name, len))
				return opt;
	return NULL;
}

static void say_bad_value(const struct wl_opt *opt, const char *value, char *err, size_t err_size)
{
	int i, used;

	used = snprintf(err, err_size, "--%s: '%s' is not a valid %s", opt->name, value, opt->arg);
	for (i = 0; opt->type == WL_OPT_CHOICE && opt->choices[i]; i++)
		if (used >= 0 && (size_t)used < err_size)
			used += snprintf(err + used, err_size - (size_t)used, "%s%s",
					 i ? ", " : ": write one of ", opt->choices[i]);
}

int wl_opts_parse(int argc, char **argv, const struct wl_opt *const *tables,
		  char *err, size_t err_size)
{
	int i;

	for (i = 1; i < argc; i++) {
		const struct wl_opt *opt;
		const char *name = argv[i] + 2, *value;
		size_t len;

		if (strncmp(argv[i], "--", 2))
			break;
		if (!*name)
			return i + 1;
		len = strcspn(name, "=");
		value = name[len] ? name + len + 1 : NULL;
		opt = find(tables, name, len);
		if (!opt) {
			snprintf(err, err_size, "unknown option '--%.*s' (try --help)",
				 (int)len, name);
			return -1;
		}
		if (opt->type == WL_OPT_FLAG && value) {
			snprintf(err, err_size, "--%s takes no value", opt->name);
			return -1;
		}
		if (opt->type != WL_OPT_FLAG && !value) {
			if (++i == argc) {
				snprintf(err, err_size, "--%s needs %s", opt->name, opt->arg);
				return -1;
			}
			value = argv[i];
		}
		if (!store(opt, value)) {
			say_bad_value(opt, value, err, err_size);
			return -1;
		}
	}
	return i;
}

void wl_opts_help(const struct wl_opt *table)
{
	char left[40];

	for (; table->name; table++) {
		snprintf(left, sizeof(left), "--%s%s%s", table->name,
			 table->arg ? " " : "", table->arg ? table->arg : "");
		printf("  %-22s %s\n", left, table->help);
	}
}
