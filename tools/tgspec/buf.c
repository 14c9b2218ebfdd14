// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "buf.h"
#include "tgspec.h"

static void no_memory(void)
{
	fputs("tgspec: out of memory\n", stderr);
	exit(TGSPEC_IO);
}

void *mem_resize(void *p, size_t n, size_t size)
{
	/* A byte at least: NULL means failure. */
	p = reallocarray(p, n ? n : 1, size);
	if (!p)
		no_memory();
	return p;
}

void *mem_zero(size_t n, size_t size)
{
	void *p = calloc(n ? n : 1, size);

	if (!p)
		no_memory();
	return p;
}

static char *buf_grow(struct buf *b, size_t n)
{
	if (b->room - b->len < n) {
		b->room = 2 * b->room + n;
		b->p = mem_resize(b->p, b->room, 1);
	}
	return b->p + b->len;
}

void buf_put(struct buf *b, const void *data, size_t len)
{
	char *end = buf_grow(b, len + 1);

	if (len)
		memcpy(end, data, len);
	b->len += len;
	b->p[b->len] = '\0';
}

void buf_puts(struct buf *b, const char *s)
{
	buf_put(b, s, strlen(s));
}

void buf_pad(struct buf *b, char ch, size_t n)
{
	while (n--)
		buf_put(b, &ch, 1);
}

char *text_vprintf(const char *fmt, va_list ap)
{
	char *s;

	if (vasprintf(&s, fmt, ap) < 0)
		no_memory();
	return s;
}

char *text_printf(const char *fmt, ...)
{
	va_list ap;
	char *s;

	va_start(ap, fmt);
	s = text_vprintf(fmt, ap);
	va_end(ap);
	return s;
}

void buf_printf(struct buf *b, const char *fmt, ...)
{
	va_list ap;
	char *s;

	va_start(ap, fmt);
	s = text_vprintf(fmt, ap);
	va_end(ap);
	buf_puts(b, s);
	free(s);
}

bool buf_equal(const struct buf *b, const void *data, size_t len)
{
	return b->len == len && (!len || !memcmp(b->p, data, len));
}

void buf_free(struct buf *b)
{
	free(b->p);
	*b = (struct buf){ 0 };
}
