// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdbool.h>
#include <string.h>

#include "excerpt.h"
#include "tg_utf8.h"

/* A longer line is shown from near the column on. */
#define SHOWN_BYTES 100

/* Left-to-right marks, embeddings, overrides and isolates. */
static bool turns_writing(uint32_t ch)
{
	return ch == 0x61c || ch == 0x200e || ch == 0x200f || (ch >= 0x2028 && ch <= 0x202e) ||
	       (ch >= 0x2066 && ch <= 0x2069);
}

static bool is_invisible(uint32_t ch)
{
	return ch == 0xad || (ch >= 0x200b && ch <= 0x200d) || (ch >= 0x2060 && ch <= 0x2064) ||
	       ch == 0xfeff;
}

static bool is_shown(uint32_t ch)
{
	return ch == '\t' || (!tg_utf8_is_control(ch) && !turns_writing(ch) && !is_invisible(ch));
}

void excerpt_put(FILE *out, const char *s, size_t len)
{
	const char *end = s + len;

	while (s < end) {
		uint32_t n = tg_utf8_length(s, end);

		if (n && is_shown(tg_utf8_char(s, end)))
			fwrite(s, 1, n, out);
		else
			putc('?', out);
		s += n ? n : 1;
	}
}

size_t excerpt_offset(const char *line, size_t len, uint32_t column)
{
	const char *p = line, *end = line + len;

	while (--column && p < end)
		p += tg_utf8_step(p, end);
	return p - line;
}

uint32_t excerpt_column(const char *line, size_t len, size_t offset)
{
	const char *p = line, *end = line + len;
	uint32_t column = 1;

	for (; p < line + offset; column++)
		p += tg_utf8_step(p, end);
	return column;
}

static bool ends_field(char ch)
{
	return strchr(":<>#\" \t\r", ch);	/* and NUL */
}

/* As wide as the characters of the line, if each takes a column. */
static void put_blanks(FILE *out, const char *s, const char *to)
{
	for (; s < to; s += tg_utf8_step(s, to))
		putc(*s == '\t' ? '\t' : ' ', out);
}

void excerpt_print(FILE *out, uint32_t number, const char *line, size_t len,
		   uint32_t column)
{
	const char *at, *from = line, *end, *p;

	if (len && line[len - 1] == '\r')
		len--;
	end = line + len;
	at = line + excerpt_offset(line, len, column);
	while (at - from > SHOWN_BYTES / 2)
		from += tg_utf8_step(from, end);
	for (p = from; p < end && p - from < SHOWN_BYTES; p += tg_utf8_step(p, end))
		;
	end = p;

	fprintf(out, "%5u | %s", number, from > line ? "..." : "");
	excerpt_put(out, from, end - from);
	fprintf(out, "\n      | %s", from > line ? "   " : "");
	put_blanks(out, from, at);
	putc('^', out);
	if (at < end && !ends_field(*at))
		for (p = at + tg_utf8_step(at, end); p < end && !ends_field(*p);
		     p += tg_utf8_step(p, end))
			putc('~', out);
	putc('\n', out);
}
