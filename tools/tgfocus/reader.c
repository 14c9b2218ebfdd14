// SPDX-License-Identifier: GPL-2.0-or-later
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "reader.h"

static char fail(struct reader *r)
{
	r->bad = true;
	r->at = "";
	return 0;
}

static char blanks(struct reader *r)
{
	r->at += strspn(r->at, " \t\r\n");
	return *r->at;
}

char reader_type(struct reader *r)
{
	char c = blanks(r);

	if (c == '-' || isdigit((unsigned char)c))
		return '0';
	return c == 'f' ? 't' : c;
}

bool reader_enter(struct reader *r, char bracket)
{
	if (blanks(r) != bracket)
		return fail(r);
	r->at++;
	return true;
}

/*
 * What stands between two members is a ','; before the first there is a bracket.
 * At the end of the object or array it is left.
 */
static bool another(struct reader *r, char end)
{
	/* Right behind the opening bracket: a value does not end like that. */
	bool first = r->at[-1] == '{' || r->at[-1] == '[';
	char c = blanks(r);

	if (c == end) {
		r->at++;
		return false;
	}
	if (!first) {
		if (c != ',')
			return fail(r);
		r->at++;
		c = blanks(r);
	}
	return c && c != end && c != ',' ? true : fail(r);
}

bool reader_key(struct reader *r, char *key, size_t size)
{
	*key = '\0';
	if (r->bad || !another(r, '}'))
		return false;
	if (*r->at != '"')
		return fail(r);
	reader_string(r, key, size);
	if (blanks(r) != ':')
		return fail(r);
	r->at++;
	return true;
}

bool reader_item(struct reader *r)
{
	return !r->bad && another(r, ']');
}

/* Behind the closing quote. */
static void skip_string(struct reader *r)
{
	for (r->at++; *r->at != '"'; r->at++) {
		if (*r->at == '\\')
			r->at++;
		if (!*r->at) {
			fail(r);
			return;
		}
	}
	r->at++;
}

/* Brackets are counted, not matched: a text that mixes them up is no JSON anyway. */
void reader_skip(struct reader *r)
{
	size_t depth = 0;

	do {
		switch (reader_type(r)) {
		case '{':
		case '[':
			depth++;
			r->at++;
			break;
		case '}':
		case ']':
			if (!depth) {
				fail(r);
				return;
			}
			depth--;
			r->at++;
			break;
		case ',':
		case ':':
			if (!depth) {
				fail(r);
				return;
			}
			r->at++;
			break;
		case '"':
			skip_string(r);
			break;
		case '0':
			r->at += strspn(r->at, "+-.0123456789eE");
			break;
		case 't':
		case 'n':
			r->at += strspn(r->at, "aeflnrstu");
			break;
		default:
			fail(r);
		}
	} while (depth && !r->bad);
}

/* The ASCII that \uXXXX stands for, or '?': names are shown, not compared, beyond. */
static char unicode(const char *hex)
{
	char digits[5] = "";
	unsigned long value;

	strncpy(digits, hex, 4);
	value = strtoul(digits, NULL, 16);
	return value >= ' ' && value < 127 ? (char)value : '?';
}

static char escaped(struct reader *r)
{
	static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
	const char *p;
	char c = *r->at;

	if (c == 'u') {
		if (strspn(r->at + 1, "0123456789abcdefABCDEF") < 4)
			return fail(r);
		c = unicode(r->at + 1);
		r->at += 5;
		return c;
	}
	p = c ? strchr(from, c) : NULL;
	if (!p)
		return fail(r);
	r->at++;
	return to[p - from];
}

void reader_string(struct reader *r, char *text, size_t size)
{
	size_t n = 0;
	char c;

	*text = '\0';
	if (reader_type(r) != '"') {
		reader_skip(r);
		return;
	}
	r->at++;
	while (!r->bad && *r->at != '"') {
		c = *r->at;
		if (!c) {
			fail(r);
		} else if (c == '\\') {
			r->at++;
			c = escaped(r);
		} else {
			r->at++;
		}
		if (n + 1 < size && c)
			text[n++] = c;
	}
	if (r->bad)
		n = 0;
	else
		r->at++;
	text[n] = '\0';
}

int64_t reader_int(struct reader *r)
{
	int64_t value;
	char *end;

	if (reader_type(r) != '0') {
		reader_skip(r);
		return 0;
	}
	value = strtoll(r->at, &end, 10);
	/* No fraction is wanted; what there is of it is passed over. */
	if (end == r->at)
		return fail(r);
	reader_skip(r);
	return value;
}

bool reader_bool(struct reader *r)
{
	bool value;

	if (reader_type(r) != 't') {
		reader_skip(r);
		return false;
	}
	value = *r->at == 't';
	reader_skip(r);
	return value;
}
