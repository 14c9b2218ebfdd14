// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>
#include <string.h>

#include "buf.h"
#include "diag.h"
#include "excerpt.h"
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

static void print_one(const struct diag *d, const struct source *src, FILE *out)
{
	const char *line;
	size_t len;

	fprintf(out, "%s:", d->file);
	if (d->line)
		fprintf(out, "%u:%u:", d->line, d->column);
	fprintf(out, " %s[%s]: ", severity_name[d->severity], d->check);
	excerpt_put(out, d->text, strlen(d->text));
	putc('\n', out);
	line = d->line ? source_line(src, d->line, &len) : NULL;
	if (line)
		excerpt_print(out, d->line, line, len, d->column);
	fputs("      = ", out);
	excerpt_put(out, d->hint, strlen(d->hint));
	putc('\n', out);
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
