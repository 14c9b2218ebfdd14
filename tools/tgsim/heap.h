/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Events to come, the earliest first; those of one time by class, then age. */
#ifndef HEAP_H
#define HEAP_H

#include "tg_port.h"

/* The classes, in the order in which events of one time happen. */
enum heap_class {
	HEAP_COMPLETE,	/* a completion interrupt */
	HEAP_CHECK,	/* a group was validated */
	HEAP_CHANGE,	/* the user does something */
	HEAP_START,	/* a program starts */
	HEAP_AGED,	/* one has waited for memory for as long as it is to */
	HEAP_SLICE,	/* a CPU goes to the next domain */
	HEAP_THOUGHT,	/* a program has computed what comes before its frame */
	HEAP_FRAME,	/* a frame of a program */
	HEAP_STOP,	/* a program ends */
};

struct heap_event {
	u64 at;
	u64 order;	/* class << 56 | age */
	void *arg;
};

struct heap {
	struct heap_event *e;
	u32 n, room;
	u64 age;
};

void heap_add(struct heap *h, u64 at, enum heap_class class, void *arg);
struct heap_event heap_take(struct heap *h);

static inline enum heap_class heap_class_of(const struct heap_event *e)
{
	return e->order >> 56;
}

#endif
