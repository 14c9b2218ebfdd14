// SPDX-License-Identifier: GPL-2.0-only
/* What a domain is to get, and amounts of memory, as people write them. */
#include "tg_words.h"
#include "tg_time.h"

/* Decimals of a percentage that a millionth has. */
#define DECIMALS 4
/* More digits than any value has: what is longer is none, and nothing overflows. */
#define DIGITS 5

static bool is_digit(char ch)
{
	return ch >= '0' && ch <= '9';
}

/* The number at @p; how many digits it has, 0 if there is none or it is too long. */
static size_t read_digits(const char *p, size_t len, u32 *v)
{
	size_t i;

	*v = 0;
	for (i = 0; i < len && is_digit(p[i]); i++) {
		if (i == DIGITS)
			return 0;
		*v = *v * 10 + (p[i] - '0');
	}
	return i;
}

int tg_words_weight(const char *p, size_t len, u32 *weight)
{
	u32 v;

	if (!len || read_digits(p, len, &v) != len || v < TG_WEIGHT_MIN || v > TG_WEIGHT_MAX)
		return -EINVAL;
	*weight = v;
	return 0;
}

int tg_words_target(const char *p, size_t len, u32 *ppm)
{
	u32 whole, part = 0;
	size_t n, decimals = 0;

	if (!len || p[len - 1] != '%')
		return -EINVAL;
	len--;
	n = read_digits(p, len, &whole);
	if (!n || whole > 100)
		return -EINVAL;
	if (n < len) {
		decimals = len - n - 1;
		if (p[n] != '.' || !decimals || decimals > DECIMALS ||
		    read_digits(p + n + 1, decimals, &part) != decimals)
			return -EINVAL;
	}
	for (; decimals < DECIMALS; decimals++)
		part *= 10;
	whole = whole * (TG_PPM / 100) + part;
	if (whole > TG_PPM)
		return -EINVAL;
	*ppm = whole;
	return 0;
}

int tg_words_quota(const char *p, size_t len, u64 *capacity_ns, u64 *period_ns)
{
	struct tg_time_error err;
	u64 capacity, period;
	size_t n = 0;

	if (len == 1 && *p == '-') {
		*capacity_ns = 0;
		*period_ns = 0;
		return 0;
	}
	while (n < len && p[n] != '/')
		n++;
	if (!n || n + 1 >= len || tg_time_parse(p, n, &capacity, &err) ||
	    tg_time_parse(p + n + 1, len - n - 1, &period, &err))
		return -EINVAL;
	if (!capacity || capacity > period || period > TG_TIME_MAX_NS)
		return -EINVAL;
	*capacity_ns = capacity;
	*period_ns = period;
	return 0;
}

static unsigned int size_shift(char suffix)
{
	switch (suffix) {
	case 'K':
		return 10;
	case 'M':
		return 20;
	case 'G':
		return 30;
	}
	return 0;
}

/* No sum overflows: the number is cut off at what is refused. */
int tg_words_size(const char *p, size_t len, u64 *bytes)
{
	unsigned int shift = len ? size_shift(p[len - 1]) : 0;
	size_t digits = len - !!shift;
	u64 n = 0;

	for (size_t i = 0; i < digits; i++) {
		if (!is_digit(p[i]))
			return -EINVAL;
		n = min(n * 10 + (p[i] - '0'), TG_WORDS_SIZE_MAX + 1);
	}
	if (!n || n > TG_WORDS_SIZE_MAX >> shift)
		return -ERANGE;
	*bytes = n << shift;
	return 0;
}
