/* SPDX-License-Identifier: GPL-2.0-only */
/* Lists that ioctls give to user space. */
#ifndef TG_LIST_H
#define TG_LIST_H

#include <linux/types.h>

#include <uapi/drm/timegraph.h>

struct tg_device;

/**
 * struct tg_list - a list in the making
 * @td: the GPU
 * @all: the caller sees all of it
 * @elements: kvmalloc()ed
 * @room: elements there is room for
 * @count: elements there are
 */
struct tg_list {
	struct tg_device *td;
	bool all;
	void *elements;
	u32 room;
	u32 count;
};

/**
 * tg_list_make - make a list and copy it to user space
 * @list: what the caller asks for
 * @size: of an element
 * @all: the caller sees all of it
 * @fill: adds each element to @count, and to @elements while there is room; may
 *	take locks, for nothing is copied meanwhile
 *
 * May sleep.  Return: 0 or what TIMEGRAPH_IOC_TASKS returns.
 */
int tg_list_make(struct timegraph_list *list, size_t size, bool all,
		 void (*fill)(struct tg_list *snap));

#endif
