// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <math.h>

#include "json.h"
#include "utf8.h"

static void line(struct json *j)
{
	if (!j->compact && !j->dense)
		fprintf(j->out, "\n%*s", (int)(2 * j->depth), "");
}

static void put_string(struct json *j, const char *value)
{
	const char *s = value;

	putc('"', j->out);
	while (*s) {
		unsigned int n = utf8_length(s);
		unsigned char ch = *s;

		if (!n) {
			fputs("\\ufffd", j->out);
			n = 1;
		} else if (ch == '"' || ch == '\\') {
			putc('\\', j->out);
			putc(ch, j->out);
		} else if (ch < 0x20 || ch == 0x7f) {
			fprintf(j->out, "\\u%04x", ch);
		} else {
			fwrite(s, 1, n, j->out);
		}
		s += n;
	}
	putc('"', j->out);
}

/* What stands before every value. */
static void before(struct json *j, const char *key)
{
	if (j->comma)
		fputs(j->compact && !j->dense ? ", " : ",", j->out);
	if (j->depth)
		line(j);
	if (key) {
		put_string(j, key);
		fputs(j->dense ? ":" : ": ", j->out);
	}
	j->comma = true;
}

void json_open(struct json *j, const char *key, char bracket)
{
	before(j, key);
	putc(bracket, j->out);
	j->depth++;
	j->comma = false;
}

void json_close(struct json *j, char bracket)
{
	j->depth--;
	if (j->comma)
		line(j);
	putc(bracket, j->out);
	j->comma = j->depth;
	if (!j->depth)
		putc('\n', j->out);
}

void json_string(struct json *j, const char *key, const char *value)
{
	before(j, key);
	if (value)
		put_string(j, value);
	else
		fputs("null", j->out);
}

void json_uint(struct json *j, const char *key, uint64_t value)
{
	before(j, key);
	fprintf(j->out, "%" PRIu64, value);
}

void json_int(struct json *j, const char *key, int64_t value)
{
	before(j, key);
	fprintf(j->out, "%" PRId64, value);
}

void json_fixed(struct json *j, const char *key, double value, int digits)
{
	before(j, key);
	if (isfinite(value))
		fprintf(j->out, "%.*f", digits, value);
	else
		fputs("null", j->out);
}

void json_real(struct json *j, const char *key, double value)
{
	json_fixed(j, key, value, 6);
}

void json_raw(struct json *j, const char *key, const char *text)
{
	before(j, key);
	fputs(text, j->out);
}

void json_bool(struct json *j, const char *key, bool value)
{
	before(j, key);
	fputs(value ? "true" : "false", j->out);
}

void json_null(struct json *j, const char *key)
{
	before(j, key);
	fputs("null", j->out);
}
