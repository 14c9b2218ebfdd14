/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A text that grows.  Without memory the program ends with a message. */
#ifndef BUF_H
#define BUF_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

struct buf {
	char *p;
	size_t len, room;
};

void buf_put(struct buf *b, const void *data, size_t len);
void buf_puts(struct buf *b, const char *s);
void buf_pad(struct buf *b, char ch, size_t n);
void buf_printf(struct buf *b, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
bool buf_equal(const struct buf *b, const void *data, size_t len);
void buf_free(struct buf *b);

/* The text as a string of its own, to be freed. */
char *text_printf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
char *text_vprintf(const char *fmt, va_list ap);

/* As realloc() and calloc(), but they return or end the program. */
void *mem_resize(void *p, size_t n, size_t size);
void *mem_zero(size_t n, size_t size);

#endif
