/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Instance memory: page tables, contexts of channels and the like, which nouveau has in the card's
 * memory beside all buffers; see core/tg_vram.h for who may have how much.
 *
 * It is nobody's in the end, for page tables that are let go of are kept for the next who needs
 * some; but how much a user caused is counted, and how much a process, as long as its account
 * is there.  What is older than the module is not known: it is a part of the margin.
 */
#ifndef TG_INSTANCE_H
#define TG_INSTANCE_H

#include <linux/types.h>

struct tg_device;
struct tg_memory;

/** tg_instance_enough - of what is free on the card no more than that has to be known; a guess */
u64 tg_instance_enough(struct tg_device *td);

/**
 * tg_instance_begin - the calling thread makes some
 * @scanout: for a buffer that is to be scanned out
 * @free: on the card itself: the accounts do not know of what is older than the module
 *
 * Atomic.  Return: false: it is not to be made.
 */
bool tg_instance_begin(struct tg_device *td, u64 bytes, bool scanout, u64 free);

/** tg_instance_born - it is made; @key is its own until tg_instance_gone(); atomic */
void tg_instance_born(unsigned long key);

/** tg_instance_gone - and goes; any key; atomic */
void tg_instance_gone(unsigned long key);

/** tg_instance_forget - none of a GPU's is seen any more; NULL: of no GPU's */
void tg_instance_forget(const struct tg_memory *m);

#endif
