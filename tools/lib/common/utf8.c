// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdbool.h>

#include "utf8.h"

static bool is_within(unsigned char ch, unsigned char low, unsigned char high)
{
	return ch >= low && ch <= high;
}

unsigned int utf8_length(const char *text)
{
	const unsigned char *s = (const unsigned char *)text;
	/* Of the second byte: no overlong forms, surrogates, or over U+10FFFF. */
	unsigned char low = s[0] == 0xe0 ? 0xa0 : s[0] == 0xf0 ? 0x90 : 0x80;
	unsigned char high = s[0] == 0xed ? 0x9f : s[0] == 0xf4 ? 0x8f : 0xbf;
	unsigned int n;

	if (s[0] < 0x80)
		return 1;
	if (s[0] < 0xc2 || s[0] > 0xf4)
		return 0;
	n = s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;
	if (!is_within(s[1], low, high))
		return 0;
	for (unsigned int i = 2; i < n; i++)
		if (!is_within(s[i], 0x80, 0xbf))
			return 0;
	return n;
}
