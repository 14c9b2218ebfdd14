// SPDX-License-Identifier: GPL-2.0-or-later
/* A binary heap. */
#include "heap.h"
#include "mem.h"

static bool before(const struct heap_event *a, const struct heap_event *b)
{
	return a->at != b->at ? a->at < b->at : a->order < b->order;
}

void heap_add(struct heap *h, u64 at, enum heap_class class, void *arg)
{
	struct heap_event e = { at, (u64)class << 56 | h->age++, arg };
	u32 i = h->n++;

	if (h->n > h->room) {
		h->room = h->room ? 2 * h->room : 64;
		h->e = mem_realloc(h->e, h->room * sizeof(*h->e));
	}
	for (; i && before(&e, &h->e[(i - 1) / 2]); i = (i - 1) / 2)
		h->e[i] = h->e[(i - 1) / 2];
	h->e[i] = e;
}

struct heap_event heap_take(struct heap *h)
{
	struct heap_event top = h->e[0], last = h->e[--h->n];
	u32 i = 0, child;

	for (; (child = 2 * i + 1) < h->n; i = child) {
		if (child + 1 < h->n && before(&h->e[child + 1], &h->e[child]))
			child++;
		if (!before(&h->e[child], &last))
			break;
		h->e[i] = h->e[child];
	}
	h->e[i] = last;
	return top;
}
