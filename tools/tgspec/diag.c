// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>
#include <string.h>

#include "buf.h"
#include "diag.h"
#include "json.h"
#include "source.h"

static const char *const severity_name[DIAG_SEVERITIES] = {
	[DIAG_NOTE] = "note",
	[DIAG_WARNING] = "warning",
	[DIAG_ERROR] = "error",
};

void diags_add(struct diags *d, const struct diag *diag)
{
	d->list = mem_resize(d->list, d->n + 1, sizeof(*d->list));
	d->list[d->n++] = *diag;
	d->count[diag->severity]++;
}

static int compare(const void *x, const void *y)
{
	const struct diag *a = x, *b = y;

	if (a->line != b->line)
		return a->line < b->line ? -1 : 1;
	if (a->column != b->column)
		return a->column < b->column ? -1 : 1;
	return strcmp(a->check, b->check);
}

void diags_sort(struct diags *d)
{
	if (d->n)
		qsort(d->list, d->n, sizeof(*d->list), compare);
}

/* A longer line is shown from near the column on. */
#define SHOWN_BYTES 100

static bool is_continuation(char ch)
{
	return ((unsigned char)ch & 0xc0) == 0x80;
}

static bool ends_field(char ch)
{
	return strchr(":<>#\" \t\r", ch);	/* and NUL */
}

/* The line, and below it ^~~~ under the field at @column (from 1). */
static void print_line(const struct diag *d, const char *line, size_t len, FILE *out)
{
	size_t at = d->column - 1, from = 0, end;

	if (len && line[len - 1] == '\r')
		len--;
	if (at > SHOWN_BYTES / 2)
		from = at - SHOWN_BYTES / 2;
	while (from && is_continuation(line[from]))
		from--;
	if (len > from + SHOWN_BYTES)
		len = from + SHOWN_BYTES;

	fprintf(out, "%5u | %s", d->line, from ? "..." : "");
	/* Nothing of the file may steer the terminal. */
	for (size_t i = from; i < len; i++)
		putc((unsigned char)line[i] < 0x20 || line[i] == 0x7f ?
			     (line[i] == '\t' ? '\t' : '?') : line[i], out);
	fprintf(out, "\n      | %s", from ? "   " : "");
	for (size_t i = from; i < at; i++) {
		if (i < len && line[i] == '\t')
			putc('\t', out);
		else if (i >= len || !is_continuation(line[i]))
			putc(' ', out);
	}
	putc('^', out);
	for (end = at + 1; end < len && !ends_field(line[end]); end++)
		if (!is_continuation(line[end]) && !ends_field(line[at]))
			putc('~', out);
	putc('\n', out);
}

static void print_one(const struct diag *d, const struct source *src, FILE *out)
{
	const char *line;
	size_t len;

	fprintf(out, "%s:", d->file);
	if (d->line)
		fprintf(out, "%u:%u:", d->line, d->column);
	fprintf(out, " %s[%s]: %s\n", severity_name[d->severity], d->check, d->text);
	line = d->line ? source_line(src, d->line, &len) : NULL;
	if (line)
		print_line(d, line, len, out);
	fprintf(out, "      = %s\n", d->hint);
}

void diags_print(const struct diags *d, const struct source *src, FILE *out)
{
	for (size_t i = 0; i < d->n; i++)
		print_one(&d->list[i], src, out);
}

void diags_json(const struct diags *d, struct json *j)
{
	for (size_t i = 0; i < d->n; i++) {
		const struct diag *x = &d->list[i];

		json_open(j, NULL, '{');
		json_string(j, "file", x->file);
		if (x->line) {
			json_uint(j, "line", x->line);
			json_uint(j, "column", x->column);
		} else {
			json_null(j, "line");
			json_null(j, "column");
		}
		json_string(j, "severity", severity_name[x->severity]);
		json_string(j, "check", x->check);
		json_string(j, "text", x->text);
		json_string(j, "hint", x->hint);
		json_close(j, '}');
	}
}

void diags_free(struct diags *d)
{
	for (size_t i = 0; i < d->n; i++) {
		free(d->list[i].text);
		free(d->list[i].hint);
	}
	free(d->list);
	*d = (struct diags){ 0 };
}
