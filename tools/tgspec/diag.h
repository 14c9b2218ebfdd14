/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Messages about a file: collected first, then shown as text or as JSON. */
#ifndef DIAG_H
#define DIAG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct json;
struct source;

enum diag_severity {
	DIAG_NOTE,	/* may well be meant: never changes the exit status */
	DIAG_WARNING,	/* the kernel takes it, but it is hardly meant */
	DIAG_ERROR,	/* the kernel refuses the file */
};
#define DIAG_SEVERITIES 3

/**
 * struct diag - one message
 * @severity: see above
 * @file: name of the file
 * @line: from 1; 0 if it is about the file as a whole
 * @column: from 1, in characters
 * @check: stable name of the rule
 * @text: what is wrong; on the heap, owned
 * @hint: what to write instead; on the heap, owned
 */
struct diag {
	enum diag_severity severity;
	const char *file;
	uint32_t line, column;
	const char *check;
	char *text;
	char *hint;
};

/**
 * struct diags - the messages about a file
 * @list: them
 * @n: how many
 * @count: of each severity
 * @allowed: how many more there would be if the file did not accept them
 */
struct diags {
	struct diag *list;
	size_t n;
	size_t count[DIAG_SEVERITIES];
	size_t allowed;
};

void diags_add(struct diags *d, const struct diag *diag);

/* By line and column, those about the whole file first. */
void diags_sort(struct diags *d);

/* With the line of @src that each is about, and a mark under the column. */
void diags_print(const struct diags *d, const struct source *src, FILE *out);

void diags_json(const struct diags *d, struct json *j);

void diags_free(struct diags *d);

#endif
