/* SPDX-License-Identifier: GPL-2.0-only */
/* Where the GPU writes times, and how they are read. */
#ifndef TG_TOLD_H
#define TG_TOLD_H

#include "attach/tg_attach.h"
#include "tg_chan.h"

/*
 * What semaphores are released to in the scratch area, by number: the context switch is
 * measured between the first two; then when a group was let in that had waited for
 * another's end; each group that is on the GPU has its own of the others.
 */
#define TG_STAMP_BEFORE_SWITCH (TG_HOOK_NOTIFY_BYTES / TG_HOOK_STAMP_BYTES)
#define TG_STAMP_AFTER_SWITCH (TG_STAMP_BEFORE_SWITCH + 1)
#define TG_STAMP_LET_IN (TG_STAMP_BEFORE_SWITCH + 2)
#define TG_STAMP_FIRST (TG_STAMP_BEFORE_SWITCH + 3)
#define TG_NR_STAMPS (TG_HOOK_NR_STAMPS - 3)

/** tg_stamp_index - the number of a group's, which is its channel's @stamp-th */
static inline u32 tg_stamp_index(u32 stamp)
{
	return TG_STAMP_FIRST + stamp % TG_NR_STAMPS;
}

/* Of every channel that a provider tells of. */
extern const struct tg_chan_ops tg_chan_ops;
extern const struct tg_word_ops tg_word_ops;

#endif
