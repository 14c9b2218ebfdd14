// SPDX-License-Identifier: GPL-2.0-or-later
/* Files as lines of words, and messages about them. */
#include "excerpt.h"
#include "mem.h"
#include "reader.h"

static int unreadable(const char *name, const char *why)
{
	fprintf(stderr, "%s: error[unreadable]: %s\n", name, why);
	return -EIO;
}

static int read_all(struct reader *r, FILE *f)
{
	size_t room = 65536;

	r->text = mem_alloc(room + 1);
	for (;;) {
		r->len += fread(r->text + r->len, 1, room - r->len, f);
		if (r->len < room)
			break;
		if (room >= SCENARIO_BYTES_MAX)
			return unreadable(r->name, "larger than 64 MiB");
		room *= 2;
		r->text = mem_realloc(r->text, room + 1);
	}
	r->text[r->len] = '\0';
	return ferror(f) ? unreadable(r->name, strerror(errno)) : 0;
}

int reader_open(struct reader *r, const char *name)
{
	bool is_stdin = !strcmp(name, "-");
	FILE *f = is_stdin ? stdin : fopen(name, "r");
	int ret;

	memset(r, 0, sizeof(*r));
	r->name = is_stdin ? "<stdin>" : name;
	if (!f)
		return unreadable(name, strerror(errno));
	ret = read_all(r, f);
	if (!is_stdin)
		fclose(f);
	if (ret) {
		reader_close(r);
		return ret;
	}
	r->next = r->text;
	return 0;
}

int reader_open_text(struct reader *r, const char *name, const char *text)
{
	memset(r, 0, sizeof(*r));
	r->name = name;
	r->len = strlen(text);
	r->text = mem_alloc(r->len + 1);
	memcpy(r->text, text, r->len);
	r->next = r->text;
	return 0;
}

void reader_close(struct reader *r)
{
	free(r->text);
	free(r->buffer);
	r->text = NULL;
	r->buffer = NULL;
}

static size_t line_length(const struct reader *r, const char *start)
{
	const char *end = memchr(start, '\n', r->text + r->len - start);

	return end ? (size_t)(end - start) :
		     (size_t)(r->text + r->len - start);
}

static int split(struct reader *r, size_t len)
{
	char *p, *out;

	free(r->buffer);
	r->buffer = mem_alloc(len + 1);
	memcpy(r->buffer, r->start, len);
	r->nr_words = 0;
	for (p = r->buffer; *p;) {
		bool quoted, comment;
		char *end;

		if (*p == ' ' || *p == '\t' || *p == '\r') {
			*p++ = '\0';
			continue;
		}
		if (*p == '#')
			break;
		if (r->nr_words == WORDS_MAX)
			return reader_refuse(r, p - r->buffer + 1, "too-many-words",
					     "the line has more than 4096 words",
					     "write several lines");
		r->column[r->nr_words] = p - r->buffer + 1;
		quoted = *p == '"';
		p += quoted;
		r->word[r->nr_words++] = out = p;
		while (*p && (quoted ? *p != '"' : !strchr(" \t\r#", *p)))
			*out++ = *p++;
		if (quoted && *p != '"')
			return reader_refuse(r, r->column[r->nr_words - 1],
					     "unclosed-quote",
					     "the quoted text does not end on this line",
					     "add the closing \"");
		end = quoted || !*p || *p == '#' ? p + quoted : p + 1;
		comment = *p == '#' && !quoted;
		*out = '\0';
		if (comment)
			break;
		p = end;
	}
	return 0;
}

int reader_next(struct reader *r)
{
	while (r->next < r->text + r->len) {
		size_t len = line_length(r, r->next);

		r->start = r->next;
		r->next += len + 1;
		r->line++;
		if (memchr(r->start, '\0', len))
			return reader_refuse(r, 1, "control-character",
					     "the line has a NUL character",
					     "a scenario is text");
		if (split(r, len))
			return -EINVAL;
		if (r->nr_words)
			return 1;
	}
	return 0;
}

static void show(const struct reader *r, const char *start, u32 line, u32 column,
		 const char *check, const char *text, const char *hint)
{
	size_t len = start ? line_length(r, start) : 0;

	fprintf(stderr, "%s:%u:%u: error[%s]: %s\n", r->name, line, column,
		check, text);
	if (len)
		excerpt_print(stderr, line, start, len, column);
	if (hint)
		fprintf(stderr, "      = %s\n", hint);
}

int reader_refuse(const struct reader *r, u32 column, const char *check,
		  const char *text, const char *hint)
{
	u32 at = r->start ? excerpt_column(r->start, line_length(r, r->start), column - 1) : column;

	show(r, r->start, r->line, at, check, text, hint);
	return -EINVAL;
}

int reader_refuse_spec(const struct reader *r, const struct tg_spec_error *e)
{
	const char *start = r->text;

	for (u32 i = 1; start && i < e->line; i++) {
		start = memchr(start, '\n', r->text + r->len - start);
		start = start ? start + 1 : NULL;
	}
	show(r, start, e->line, e->column, e->check, e->text, e->hint);
	return -EINVAL;
}
