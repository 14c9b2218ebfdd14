/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A writer of JSON (RFC 8259) that knows where commas belong. */
#ifndef JSON_H
#define JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct json {
	FILE *out;
	unsigned int depth;
	bool comma;	/* a value stands before, in the same object or array */
};

/* @key is NULL in an array and at the top. */
void json_open(struct json *j, const char *key, char bracket);
/* Behind the outermost bracket the line ends. */
void json_close(struct json *j, char bracket);
/* Bytes that are no UTF-8 come out as U+FFFD; NULL as null. */
void json_string(struct json *j, const char *key, const char *value);
void json_uint(struct json *j, const char *key, uint64_t value);
void json_bool(struct json *j, const char *key, bool value);
void json_null(struct json *j, const char *key);
/* Three digits behind the point. */
void json_real(struct json *j, const char *key, double value);

#endif
