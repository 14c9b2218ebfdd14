// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lists that ioctls give to user space.  They are made under locks, so into memory
 * of the kernel's own, and copied after that.
 */
#include <linux/mm.h>
#include <linux/slab.h>

#include "tg_list.h"
#include "tg_registry.h"
#include "tg_uaccess.h"

#define STRIDE_MIN 8
#define STRIDE_MAX 4096

static int copy(const struct timegraph_list *list, const struct tg_list *snap,
		size_t size)
{
	u8 __user *to = u64_to_user_ptr(list->ptr);
	u32 n = min3(snap->count, snap->room, list->room);
	size_t bytes = min_t(size_t, size, list->stride);
	int ret = 0;

	for (u32 i = 0; i < n && !ret; i++, to += list->stride)
		ret = tg_uaccess_write(to, snap->elements + i * size, bytes) ?:
		      tg_uaccess_clear(to + bytes, list->stride - bytes);
	return ret;
}

int tg_list_make(struct timegraph_list *list, size_t size, bool all,
		 void (*fill)(struct tg_list *snap))
{
	struct tg_list snap = { .td = tg_registry_by_index(list->gpu),
				.all = all };
	int ret;

	if (list->flags || list->reserved)
		return -EINVAL;
	if (list->room &&
	    (list->stride < STRIDE_MIN || list->stride > STRIDE_MAX ||
	     list->stride % 8))
		return -EINVAL;
	if (!snap.td)
		return -ENXIO;

	/* Twice: to count them, and to have room for them and a few more. */
	fill(&snap);
	snap.room = min(snap.count + 16, list->room);
	snap.elements = kvcalloc(snap.room, size, GFP_KERNEL_ACCOUNT);
	if (!snap.elements)
		return -ENOMEM;
	snap.count = 0;
	fill(&snap);
	list->count = snap.count;
	ret = copy(list, &snap, size);
	kvfree(snap.elements);
	return ret;
}
