/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A writer of JSON (RFC 8259) for the tools: it knows where commas belong. */
#ifndef JSON_H
#define JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/**
 * struct json - a text being written
 * @out: where to
 * @compact: all in one line
 * @dense: ... and without blanks
 * @depth: brackets open
 * @comma: a value stands before, within the same brackets
 */
struct json {
	FILE *out;
	bool compact;
	bool dense;
	unsigned int depth;
	bool comma;
};

/* @key is NULL in an array and at the top. */
void json_open(struct json *j, const char *key, char bracket);
/* Behind the outermost bracket the line ends. */
void json_close(struct json *j, char bracket);
/* NULL comes out as null, a byte that is no UTF-8 as U+FFFD. */
void json_string(struct json *j, const char *key, const char *value);
void json_uint(struct json *j, const char *key, uint64_t value);
void json_int(struct json *j, const char *key, int64_t value);
/* Six digits behind the point, or @digits; what is not finite as null. */
void json_real(struct json *j, const char *key, double value);
void json_fixed(struct json *j, const char *key, double value, int digits);
void json_bool(struct json *j, const char *key, bool value);
void json_null(struct json *j, const char *key);
/* A value that is JSON already. */
void json_raw(struct json *j, const char *key, const char *text);

#endif
