/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A reader of JSON (RFC 8259) that builds nothing: the caller walks through the
 * text and picks what it knows.  After the first mistake everything comes out
 * empty and @bad is set.
 *
 *	reader_enter(&r, '{');
 *	while (reader_key(&r, key, sizeof(key)))
 *		if (!strcmp(key, "pid"))
 *			pid = reader_int(&r);
 *		else
 *			reader_skip(&r);
 */
#ifndef TGFOCUS_READER_H
#define TGFOCUS_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct reader {
	const char *at;		/* ends with a 0 */
	bool bad;
};

/* '{', '[', '"', '0' for a number, 't' for true or false, 'n', 0 at the end */
char reader_type(struct reader *r);
bool reader_enter(struct reader *r, char bracket);
/* The next member of the object: false behind its last, which is then left. */
bool reader_key(struct reader *r, char *key, size_t size);
/* The next element of the array: false behind its last, which is then left. */
bool reader_item(struct reader *r);
void reader_skip(struct reader *r);

/* Values of another type are skipped: "", 0, false. */
void reader_string(struct reader *r, char *text, size_t size);
int64_t reader_int(struct reader *r);
bool reader_bool(struct reader *r);

#endif
