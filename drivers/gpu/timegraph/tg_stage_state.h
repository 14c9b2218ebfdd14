/* SPDX-License-Identifier: GPL-2.0-only */
/* What a GPU has of tg_stage.h. */
#ifndef TG_STAGE_STATE_H
#define TG_STAGE_STATE_H

#include <linux/types.h>

struct tg_dev_group;

/**
 * struct tg_stage - the two groups of which one waits for the other; tg_device.lock
 * @before: whose end is waited for, or NULL
 * @behind: who waits for it on the GPU, or NULL: nobody does
 * @turn: last number given out
 * @awake: how often the GPU has slept, and 1: what its memory held then is gone
 *
 * Both are in the lists of the GPU: what is taken out of those leaves this first.
 */
struct tg_stage {
	struct tg_dev_group *before;
	struct tg_dev_group *behind;
	u32 turn;
	u32 awake;
};

struct tg_word;

/**
 * struct tg_word_ops - a channel's word in memory that all channels of the GPU have
 * @exists: there is one; only then are the others called
 * @read: what it has
 * @write: write @value to that of channel @chid
 * @finish: the GPU's clock when the trailer with stamp number @stamp ran; false if it did not
 * @now: the GPU's clock
 * @let_in: the GPU's clock when the channel had waited for the value @turn of another's;
 *	false if it has not, or has waited for another value since
 *
 * Any context, the channel as of tg_chan_ops.
 */
struct tg_word_ops {
	bool (*exists)(const struct tg_word *word);
	u32 (*read)(const struct tg_word *word);
	void (*write)(const struct tg_word *word, int chid, u32 value);
	bool (*finish)(const struct tg_word *word, u32 stamp, u64 *ns);
	u64 (*now)(const struct tg_word *word);
	bool (*let_in)(const struct tg_word *word, u32 turn, u64 *ns);
};

/**
 * struct tg_word - a channel's; @shown and what follows under tg_device.lock
 * @ops: constant
 * @chid: the channel; constant
 * @not_before_ns: its task's: when one may be staged again; the pointer is constant
 * @shown: tg_stage.awake when what a trailer wrote was what the CPU reads
 * @nr_unshown: times that it was not
 */
struct tg_word {
	const struct tg_word_ops *ops;
	int chid;
	u64 *not_before_ns;
	u32 shown;
	u32 nr_unshown;
};

#endif
