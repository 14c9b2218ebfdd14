// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <stdlib.h>

#include "mem.h"

static void *checked(void *p)
{
	if (p)
		return p;
	fputs("tgsim: out of memory\n", stderr);
	exit(EXIT_SYSTEM);
}

void *mem_alloc(size_t bytes)
{
	return checked(calloc(1, bytes ? bytes : 1));
}

void *mem_realloc(void *p, size_t bytes)
{
	return checked(realloc(p, bytes ? bytes : 1));
}

void *mem_grow(void *p, size_t n, size_t size)
{
	/* Full exactly when n is 0 or a power of two. */
	if (n & (n - 1))
		return p;
	return mem_realloc(p, (n ? 2 * n : 1) * size);
}
