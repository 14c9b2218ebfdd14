/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files as lines of words, and messages about them. */
#ifndef READER_H
#define READER_H

#include "scenario.h"

#define WORDS_MAX 4096

/**
 * struct reader - a file being read
 * @name: for messages
 * @text, @len: its contents, NUL behind them
 * @line: number of the present line, from 1
 * @start: where that line begins
 * @next: where the next begins
 * @word, @nr_words: its words, NUL-terminated copies in @buffer
 * @column: of each word, from 1, in bytes
 */
struct reader {
	const char *name;
	char *text;
	size_t len;
	u32 line;
	const char *start;
	const char *next;
	char *word[WORDS_MAX];
	u32 column[WORDS_MAX];
	u32 nr_words;
	char *buffer;
};

/* 0, or -EIO with a message on stderr. */
int reader_open(struct reader *r, const char *name);
int reader_open_text(struct reader *r, const char *name, const char *text);
void reader_close(struct reader *r);

/* The next line that has words: 1, 0 at the end, -EINVAL with a message. */
int reader_next(struct reader *r);

/* Says what is wrong in the present line; returns -EINVAL. */
int reader_refuse(const struct reader *r, u32 column, const char *check,
		  const char *text, const char *hint);

/* The same for an error of the specification's parser. */
int reader_refuse_spec(const struct reader *r, const struct tg_spec_error *e);

#endif
