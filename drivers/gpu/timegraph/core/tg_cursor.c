// SPDX-License-Identifier: GPL-2.0-only
/* What a text may not be, whatever stands in it. */
#include "tg_cursor.h"

void tg_cursor_init(struct tg_cursor *c, const char *text, size_t len,
		    struct tg_spec_error *err)
{
	c->p = text;
	c->end = text + len;
	c->line_start = text;
	c->line = 1;
	c->err = err;
	memset(err, 0, sizeof(*err));
}

int tg_cursor_refuse_encoding(struct tg_cursor *c)
{
	size_t len = c->end - c->p;

	/* Editors show nothing of it, and it would become part of the first name. */
	if (len >= 3 && !memcmp(c->p, "\xef\xbb\xbf", 3))
		return refuse(c, c->p, "byte-order-mark",
			      "the file begins with a byte order mark",
			      "save it as UTF-8 without one");
	if (len >= 2 && (!memcmp(c->p, "\xff\xfe", 2) || !memcmp(c->p, "\xfe\xff", 2)))
		return refuse(c, c->p, "utf-16", "the file is UTF-16",
			      "save it as UTF-8 without a byte order mark");
	return 0;
}

/*
 * In comments, too.  A carriage return as the only end of lines makes one line of all:
 * what follows a comment would be lost without a word.
 */
static int refuse_odd_text(struct tg_cursor *c)
{
	for (const char *p = c->p; p < c->end && *p != '\n'; p++) {
		if (!*p)
			return refuse(c, p, "nul-character",
				      "a NUL character: this is no text, or it is UTF-16",
				      "save it as UTF-8 without a byte order mark");
		if (*p == '\r' && p + 1 < c->end && p[1] != '\n')
			return refuse(c, p, "carriage-return",
				      "a carriage return that is not at the end of a line",
				      "save the file with Unix line ends (LF), not those of old Macs (CR)");
	}
	return 0;
}

/* Such as come from a web page.  A quoted name may have them, and a comment. */
static int refuse_odd_blank(struct tg_cursor *c)
{
	bool quoted = false;

	for (const char *p = c->p; p < c->end && *p != '\n'; p += tg_utf8_step(p, c->end)) {
		u32 ch = tg_utf8_char(p, c->end);

		if (quoted && ch == '\\' && p + 1 < c->end && (p[1] == '"' || p[1] == '\\'))
			p++;
		else if (ch == '"')
			quoted = !quoted;
		else if (!quoted && ch == '#')
			break;
		else if (!quoted && tg_utf8_is_odd_blank(ch))
			return refuse(c, p, "odd-blank", ch == 0xa0 ? "a no-break space" :
				      "an invisible character, or a blank that is none of ASCII",
				      "write a plain blank, or nothing; a name that has it stands in quotes");
	}
	return 0;
}

int tg_cursor_begin_line(struct tg_cursor *c)
{
	int ret = refuse_odd_text(c);

	if (ret)
		return ret;
	skip_blanks(c);
	if (at_line_end(c))
		return 0;
	ret = refuse_odd_blank(c);
	return ret ? ret : 1;
}
