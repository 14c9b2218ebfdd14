// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tracefs.h"

#define PREFIX "tg_"
#define MAX_FIELDS 16
#define WORD_BYTES 128

static bool is_digit(char ch)
{
	return ch >= '0' && ch <= '9';
}

/* "12.345678" that ends at @end; its start, or NULL. */
static const char *time_before(const char *line, const char *end)
{
	const char *p = end;

	while (p > line && (is_digit(p[-1]) || p[-1] == '.'))
		p--;
	return p < end && p > line && p[-1] == ' ' && memchr(p, '.', end - p) ? p : NULL;
}

/* Any number of digits behind the point. */
static uint64_t parse_time(const char *s)
{
	uint64_t seconds = 0, ns = 0, unit = 1000000000;

	for (; is_digit(*s); s++)
		seconds = 10 * seconds + (*s - '0');
	for (s++; is_digit(*s) && unit > 1; s++) {
		unit /= 10;
		ns += (*s - '0') * unit;
	}
	return seconds * 1000000000 + ns;
}

/*
 * "comm-pid [cpu] flags time: event: text".  A comm may hold anything, so the
 * first ": tg_" behind a time is looked for, and nothing is counted from the left.
 */
bool trace_parse(const char *line, struct trace_line *t)
{
	const char *p = line, *time, *colon;

	while ((p = strstr(p, ": " PREFIX))) {
		time = time_before(line, p);
		colon = strchr(p + 2, ':');
		if (time && colon && colon[1] == ' ') {
			t->time_ns = parse_time(time);
			t->event = p + 2;
			t->event_len = colon - t->event;
			t->text = colon + 2;
			return true;
		}
		p += 2;
	}
	return false;
}

const char *trace_field(const char *text, const char *key, size_t *len)
{
	size_t n = strlen(key);

	for (; *text; text += strspn(text, " ")) {
		size_t word = strcspn(text, " ");

		if (word > n && text[n] == '=' && !strncmp(text, key, n)) {
			*len = word - n - 1;
			return text + n + 1;
		}
		text += word;
	}
	return NULL;
}

static bool copy(char *out, const char *s, size_t n)
{
	if (n >= WORD_BYTES)
		return false;
	memcpy(out, s, n);
	out[n] = '\0';
	return true;
}

static void put_value(struct json *j, const char *key, const char *value)
{
	const char *digits = value + (*value == '-');
	size_t n = strspn(digits, "0123456789");

	/* JSON has no leading zeros, and 18 digits fit. */
	if (n && n <= 18 && !digits[n] && (digits[0] != '0' || n == 1))
		json_int(j, key, strtoll(value, NULL, 10));
	else
		json_string(j, key, value);
}

/* Words with "=" in them; of two with the same key, the first. */
static void put_fields(struct json *j, const char *text)
{
	char key[MAX_FIELDS][WORD_BYTES], value[WORD_BYTES];
	unsigned int n = 0;

	while (*text && n < MAX_FIELDS) {
		size_t len = strcspn(text, " ");
		const char *eq = memchr(text, '=', len);
		unsigned int same = 0;

		if (eq && eq > text && copy(key[n], text, eq - text) &&
		    copy(value, eq + 1, text + len - eq - 1)) {
			while (same < n && strcmp(key[same], key[n]))
				same++;
			if (same == n)
				put_value(j, key[n++], value);
		}
		text += len;
		text += strspn(text, " ");
	}
}

void trace_json(struct json *j, const struct trace_line *t)
{
	char event[WORD_BYTES];

	if (!copy(event, t->event, t->event_len))
		event[0] = '\0';
	json_open(j, NULL, '{');
	json_uint(j, "time_ns", t->time_ns);
	json_string(j, "event", event);
	json_string(j, "text", t->text);
	json_open(j, "fields", '{');
	put_fields(j, t->text);
	json_close(j, '}');
	json_close(j, '}');
}

bool trace_counts(const char *line, uint64_t *kept, uint64_t *written)
{
	const char *p = strstr(line, "entries-in-buffer/entries-written:");

	return p && sscanf(strchr(p, ':'), ": %" SCNu64 "/%" SCNu64, kept, written) == 2;
}
