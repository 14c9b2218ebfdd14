/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The core's host in user space: what tg_port.h takes from the kernel. */
#ifndef TG_PORT_USER_H
#define TG_PORT_USER_H

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int32_t s32;
typedef int64_t s64;

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define container_of(ptr, type, member) \
	((type *)((char *)(ptr) - offsetof(type, member)))
#define WARN_ON_ONCE(cond)                                                  \
	({                                                                  \
		bool warn__ = (cond);                                       \
		if (warn__) {                                               \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__,  \
				#cond);                                     \
			abort();                                            \
		}                                                           \
		warn__;                                                     \
	})

#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))
#define READ_ONCE(x) (*(const volatile __typeof__(x) *)&(x))

static inline u64 div64_u64(u64 a, u64 b)
{
	return a / b;
}

static inline u64 div_u64(u64 a, u32 b)
{
	return a / b;
}

static inline s64 div_s64(s64 a, s32 b)
{
	return a / b;
}

struct list_head {
	struct list_head *next, *prev;
};

#define LIST_HEAD(name) struct list_head name = { &(name), &(name) }

static inline void INIT_LIST_HEAD(struct list_head *head)
{
	head->next = head;
	head->prev = head;
}

static inline bool list_empty(const struct list_head *head)
{
	return head->next == head;
}

static inline void list_add(struct list_head *node, struct list_head *head)
{
	node->prev = head;
	node->next = head->next;
	head->next->prev = node;
	head->next = node;
}

static inline void list_add_tail(struct list_head *node, struct list_head *head)
{
	node->prev = head->prev;
	node->next = head;
	head->prev->next = node;
	head->prev = node;
}

static inline void list_del_init(struct list_head *node)
{
	node->prev->next = node->next;
	node->next->prev = node->prev;
	INIT_LIST_HEAD(node);
}

#define list_entry(ptr, type, member) container_of(ptr, type, member)
#define list_first_entry(head, type, member) \
	list_entry((head)->next, type, member)
#define list_first_entry_or_null(head, type, member) \
	(list_empty(head) ? NULL : list_first_entry(head, type, member))
#define list_for_each_entry(pos, head, member)                           \
	for (pos = list_entry((head)->next, __typeof__(*pos), member);   \
	     &pos->member != (head);                                     \
	     pos = list_entry(pos->member.next, __typeof__(*pos), member))
#define list_for_each_entry_reverse(pos, head, member)                   \
	for (pos = list_entry((head)->prev, __typeof__(*pos), member);   \
	     &pos->member != (head);                                     \
	     pos = list_entry(pos->member.prev, __typeof__(*pos), member))
#define list_for_each_entry_safe(pos, n, head, member)                   \
	for (pos = list_entry((head)->next, __typeof__(*pos), member),   \
	    n = list_entry(pos->member.next, __typeof__(*pos), member);  \
	     &pos->member != (head);                                     \
	     pos = n, n = list_entry(n->member.next, __typeof__(*n), member))

#include "tg_port_tree.h"

#define BITS_PER_LONG (CHAR_BIT * sizeof(long))
#define BITS_TO_LONGS(n) (((n) + BITS_PER_LONG - 1) / BITS_PER_LONG)
#define DECLARE_BITMAP(name, bits) unsigned long name[BITS_TO_LONGS(bits)]

static inline void __set_bit(unsigned int nr, unsigned long *map)
{
	map[nr / BITS_PER_LONG] |= 1UL << (nr % BITS_PER_LONG);
}

static inline void __clear_bit(unsigned int nr, unsigned long *map)
{
	map[nr / BITS_PER_LONG] &= ~(1UL << (nr % BITS_PER_LONG));
}

/* The highest set bit below @size, or @size if none is set, as the kernel's. */
static inline unsigned long find_last_bit(const unsigned long *map,
					  unsigned long size)
{
	for (unsigned long i = BITS_TO_LONGS(size); i-- > 0;) {
		unsigned long word = map[i];

		if (i == size / BITS_PER_LONG)
			word &= (1UL << (size % BITS_PER_LONG)) - 1;
		if (word)
			return (i + 1) * BITS_PER_LONG - 1 - __builtin_clzl(word);
	}
	return size;
}

#endif
