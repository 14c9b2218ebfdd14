/* SPDX-License-Identifier: GPL-2.0-only */
/* Times as they are written: 2500, 2.5ms. */
#ifndef TG_TIME_H
#define TG_TIME_H

#include "tg_port.h"

#define TG_TIME_MAX_NS		(100ULL * 1000 * 1000 * 1000)

/* What is said of one that is too long, or 0 where it must not be. */
#define TG_TIME_RANGE_CHECK	"time-out-of-range"
#define TG_TIME_RANGE_TEXT	"a time must be more than 0 and at most 100 s"
#define TG_TIME_RANGE_HINT \
	"without a unit it is microseconds: for 2.5 ms every 25 ms write 2.5ms:25ms"

/**
 * struct tg_time_error - why a text is no time
 * @at: the character from which on it is none
 * @check, @text, @hint: as those of struct tg_spec_error
 */
struct tg_time_error {
	const char *at;
	const char *check;
	const char *text;
	const char *hint;
};

/**
 * tg_time_parse - read a time, exactly
 * @p: a number, which may have decimals, and a unit; need not end in NUL
 * @len: its length
 * @ns: gets it, 0–TG_TIME_MAX_NS
 * @err: filled in on error
 *
 * Return: 0 or -EINVAL with @err filled in.
 */
int tg_time_parse(const char *p, size_t len, u64 *ns, struct tg_time_error *err);

#endif
