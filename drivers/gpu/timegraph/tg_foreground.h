/* SPDX-License-Identifier: GPL-2.0-only */
/* Who is in the foreground. */
#ifndef TG_FOREGROUND_H
#define TG_FOREGROUND_H

#include <linux/list.h>
#include <linux/types.h>

struct pid;

/**
 * struct tg_foreground - the processes that an open file has in the foreground
 * @node: in the list of those that have any
 * @pids: references
 * @count: how many
 *
 * Under a mutex of tg_foreground.c's.
 */
struct tg_foreground {
	struct list_head node;
	struct pid **pids;
	u32 count;
};

/*
 * Whether a process is in the foreground can change at once: who changes it has
 * tg_client_refocus() called next.
 */

/** tg_foreground_has - whether a process is in the foreground; may sleep */
bool tg_foreground_has(const struct pid *pid);

/** tg_foreground_by - whether it is so by this file; may sleep */
bool tg_foreground_by(const struct tg_foreground *fg, const struct pid *pid);

/** tg_foreground_init - a file is opened; nothing is in its foreground */
void tg_foreground_init(struct tg_foreground *fg);

/**
 * tg_foreground_set - other processes are in the foreground
 * @pids: kvmalloc()ed array of references, taken over
 * @count: its length; 0 before the file goes
 *
 * May sleep.
 */
void tg_foreground_set(struct tg_foreground *fg, struct pid **pids, u32 count);

#endif
