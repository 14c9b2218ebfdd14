/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A walk over the text of a specification or a limit, for their parser alone: hence the
 * short names.
 */
#ifndef TG_CURSOR_H
#define TG_CURSOR_H

#include "tg_port.h"
#include "tg_spec_error.h"
#include "tg_utf8.h"

/**
 * struct tg_cursor - where it is
 * @p: the next byte
 * @end: behind the last
 * @line_start: where its line begins
 * @line: that line, from 1
 * @err: filled in by refuse()
 */
struct tg_cursor {
	const char *p;
	const char *end;
	const char *line_start;
	u32 line;
	struct tg_spec_error *err;
};

/** tg_cursor_init - at the beginning of a text; @err is cleared */
void tg_cursor_init(struct tg_cursor *c, const char *text, size_t len,
		    struct tg_spec_error *err);

/** tg_cursor_refuse_encoding - at the beginning of a file: what is no UTF-8 without a mark */
int tg_cursor_refuse_encoding(struct tg_cursor *c);

/**
 * tg_cursor_begin_line - at the beginning of a line: past its first blanks
 *
 * Return: 1 if something stands in it, 0 if not, -EINVAL.
 */
int tg_cursor_begin_line(struct tg_cursor *c);

/* As an editor counts: characters, each tab one. */
static inline u32 column_of(const struct tg_cursor *c, const char *at)
{
	u32 column = 1;

	for (const char *p = c->line_start; p < at; p += tg_utf8_step(p, c->end))
		column++;
	return column;
}

/* What is wrong @at a place, by which rule, and what to write instead. */
static inline int refuse(struct tg_cursor *c, const char *at, const char *check,
			 const char *text, const char *hint)
{
	*c->err = (struct tg_spec_error){
		.line = c->line, .column = column_of(c, at),
		.check = check, .text = text, .hint = hint,
	};
	return -EINVAL;
}

static inline bool is_blank(char ch)
{
	return ch == ' ' || ch == '\t' || ch == '\r';
}

static inline void skip_blanks(struct tg_cursor *c)
{
	while (c->p < c->end && is_blank(*c->p))
		c->p++;
}

static inline bool at_line_end(const struct tg_cursor *c)
{
	return c->p == c->end || *c->p == '\n' || *c->p == '#';
}

static inline void next_line(struct tg_cursor *c)
{
	while (c->p < c->end && *c->p != '\n')
		c->p++;
	if (c->p == c->end)
		return;
	c->p++;
	c->line++;
	c->line_start = c->p;
}

static inline bool is_control(const struct tg_cursor *c, const char *p)
{
	return tg_utf8_is_control(tg_utf8_char(p, c->end));
}

#endif
