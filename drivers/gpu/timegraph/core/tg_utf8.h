/* SPDX-License-Identifier: GPL-2.0-only */
/* Characters of a text that may be no UTF-8, which is read as single bytes then. */
#ifndef TG_UTF8_H
#define TG_UTF8_H

#include "tg_port.h"

static inline bool tg_utf8_within(u8 ch, u8 low, u8 high)
{
	return ch >= low && ch <= high;
}

/* Bytes of the UTF-8 sequence at @p (RFC 3629), which ends before @end; or 0. */
static inline u32 tg_utf8_length(const char *p, const char *end)
{
	const u8 *s = (const u8 *)p;
	u8 low, high;
	u32 n;

	if (s[0] < 0x80)
		return 1;
	if (!tg_utf8_within(s[0], 0xc2, 0xf4))
		return 0;
	n = s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;
	if (end - p < (int)n)
		return 0;
	/* Of the second byte: no overlong forms, surrogates, or over U+10FFFF. */
	low = s[0] == 0xe0 ? 0xa0 : s[0] == 0xf0 ? 0x90 : 0x80;
	high = s[0] == 0xed ? 0x9f : s[0] == 0xf4 ? 0x8f : 0xbf;
	if (!tg_utf8_within(s[1], low, high))
		return 0;
	for (u32 i = 2; i < n; i++)
		if (!tg_utf8_within(s[i], 0x80, 0xbf))
			return 0;
	return n;
}

/* Bytes up to the next character: a byte that is no UTF-8 is one by itself. */
static inline u32 tg_utf8_step(const char *p, const char *end)
{
	u32 n = tg_utf8_length(p, end);

	return n ? n : 1;
}

/* The character at @p; 0xfffd for a byte that is no UTF-8. */
static inline u32 tg_utf8_char(const char *p, const char *end)
{
	const u8 *s = (const u8 *)p;

	switch (tg_utf8_length(p, end)) {
	case 1:
		return s[0];
	case 2:
		return (s[0] & 0x1f) << 6 | (s[1] & 0x3f);
	case 3:
		return (s[0] & 0x0f) << 12 | (s[1] & 0x3f) << 6 | (s[2] & 0x3f);
	case 4:
		return (s[0] & 0x07) << 18 | (s[1] & 0x3f) << 12 | (s[2] & 0x3f) << 6 |
		       (s[3] & 0x3f);
	}
	return 0xfffd;
}

/* C0, DEL and C1: what a terminal obeys instead of showing it. */
static inline bool tg_utf8_is_control(u32 ch)
{
	return ch < 0x20 || (ch >= 0x7f && ch < 0xa0);
}

/* What looks like a blank or like nothing, and is neither a blank of ASCII nor control. */
static inline bool tg_utf8_is_odd_blank(u32 ch)
{
	return ch == 0xa0 || ch == 0xad || ch == 0x1680 || (ch >= 0x2000 && ch <= 0x200f) ||
	       (ch >= 0x2028 && ch <= 0x202f) || (ch >= 0x205f && ch <= 0x2064) ||
	       ch == 0x3000 || ch == 0xfeff;
}

#endif
