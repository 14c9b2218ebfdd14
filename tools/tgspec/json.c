// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "json.h"

/* Length of the UTF-8 sequence at @s (RFC 3629), 0 if there is none. */
static unsigned int utf8_length(const unsigned char *s)
{
	unsigned int n, low = 0x80, high = 0xbf;

	if (s[0] < 0x80)
		return 1;
	if (s[0] >= 0xc2 && s[0] <= 0xdf)
		n = 2;
	else if (s[0] >= 0xe0 && s[0] <= 0xef)
		n = 3;
	else if (s[0] >= 0xf0 && s[0] <= 0xf4)
		n = 4;
	else
		return 0;
	/* No overlong forms, no surrogates, nothing above U+10FFFF. */
	if (s[0] == 0xe0)
		low = 0xa0;
	else if (s[0] == 0xed)
		high = 0x9f;
	else if (s[0] == 0xf0)
		low = 0x90;
	else if (s[0] == 0xf4)
		high = 0x8f;
	for (unsigned int i = 1; i < n; i++) {
		if (s[i] < low || s[i] > high)
			return 0;
		low = 0x80;
		high = 0xbf;
	}
	return n;
}

static void put_string(FILE *out, const char *value)
{
	const unsigned char *s = (const unsigned char *)value;

	putc('"', out);
	while (*s) {
		unsigned int n = utf8_length(s);

		if (!n) {
			fputs("\\ufffd", out);
			n = 1;
		} else if (*s == '"' || *s == '\\') {
			fprintf(out, "\\%c", *s);
		} else if (*s < 0x20 || *s == 0x7f) {
			fprintf(out, "\\u%04x", *s);
		} else {
			fwrite(s, 1, n, out);
		}
		s += n;
	}
	putc('"', out);
}

static void begin(struct json *j, const char *key)
{
	if (j->comma)
		putc(',', j->out);
	if (j->depth)
		fprintf(j->out, "\n%*s", (int)(2 * j->depth), "");
	if (key)
		fprintf(j->out, "\"%s\": ", key);
	j->comma = true;
}

void json_open(struct json *j, const char *key, char bracket)
{
	begin(j, key);
	putc(bracket, j->out);
	j->depth++;
	j->comma = false;
}

void json_close(struct json *j, char bracket)
{
	j->depth--;
	if (j->comma)
		fprintf(j->out, "\n%*s", (int)(2 * j->depth), "");
	putc(bracket, j->out);
	j->comma = true;
	if (!j->depth)
		putc('\n', j->out);
}

void json_string(struct json *j, const char *key, const char *value)
{
	if (!value) {
		json_null(j, key);
		return;
	}
	begin(j, key);
	put_string(j->out, value);
}

void json_uint(struct json *j, const char *key, uint64_t value)
{
	begin(j, key);
	fprintf(j->out, "%llu", (unsigned long long)value);
}

void json_bool(struct json *j, const char *key, bool value)
{
	begin(j, key);
	fputs(value ? "true" : "false", j->out);
}

void json_null(struct json *j, const char *key)
{
	begin(j, key);
	fputs("null", j->out);
}

void json_real(struct json *j, const char *key, double value)
{
	begin(j, key);
	fprintf(j->out, "%.3f", value);
}
