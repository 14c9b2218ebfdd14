/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A file as it was read. */
#ifndef SOURCE_H
#define SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "buf.h"

/**
 * struct source - a text and where it came from
 * @path: as the user named it; "-" is the standard input
 * @text: no more than a byte over what the parser accepts
 * @missing: there is no such file, and that was allowed
 */
struct source {
	const char *path;
	struct buf text;
	bool missing;
};

/* Returns 0 or -errno. */
int source_read(struct source *s, const char *path, bool may_be_missing);
void source_free(struct source *s);

/* Whether it is the standard input, not a file. */
bool source_is_stdin(const struct source *s);

/* What messages call it. */
const char *source_name(const struct source *s);

/* The line without its end; from 1.  NULL behind the last one. */
const char *source_line(const struct source *s, uint32_t line, size_t *len);

/*
 * Replace the file's content, or make it; print it if it was the standard input.  A
 * reader sees the old file or the new one, never a part.  Returns 0 or -errno.
 */
int source_write(const struct source *s, const struct buf *text);

#endif
