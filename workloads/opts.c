// SPDX-License-Identifier: GPL-2.0-or-later
/* Options of the workloads: times and sizes. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "opts.h"

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

bool wl_take_time(const struct cli_opt *opt, const char *value, struct cli_error *err)
{
	uint64_t ns;

	if (!wl_parse_time(value, opt->unit_ns, &ns) ||
	    (opt->max && (ns < opt->min || ns > opt->max)))
		return false;
	*(uint64_t *)opt->dst = ns;
	return true;
}

bool wl_take_size(const struct cli_opt *opt, const char *value, struct cli_error *err)
{
	unsigned int width, height;
	char tail;

	if (sscanf(value, "%5ux%5u%c", &width, &height, &tail) != 2)
		return false;
	if (!width || !height || width > 8192 || height > 8192)
		return false;
	*(struct wl_size *)opt->dst = (struct wl_size){ width, height };
	return true;
}

struct cli wl_opts_cli(const struct wl_opt *const *tables)
{
	struct cli cli = { .column = 25, .stops = true, .whole = true };
	int i;

	for (i = 0; tables[i]; i++)
		cli.opts[i] = tables[i];
	return cli;
}

int wl_opts_parse(int argc, char **argv, const struct wl_opt *const *tables,
		  char *err, size_t err_size)
{
	struct cli cli = wl_opts_cli(tables);

	return cli_read(&cli, argc, argv, err, err_size);
}
