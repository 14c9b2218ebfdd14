/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory that is there, or the program ends. */
#ifndef MEM_H
#define MEM_H

#include <stddef.h>

/* Exit statuses, tgsim(1). */
enum {
	EXIT_OK,
	EXIT_INPUT,	/* a scenario or specification is wrong */
	EXIT_USAGE,
	EXIT_VIOLATED,	/* a rule was broken (--random, --monitor) */
	EXIT_SYSTEM,	/* a file or memory */
};

void *mem_alloc(size_t bytes);		/* zeroed */
void *mem_realloc(void *p, size_t bytes);

/* Room for one element more than @n; doubles, so that n of them cost O(n). */
void *mem_grow(void *p, size_t n, size_t size);

#endif
