/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Buffers in a card's memory, and to whom each is charged; see tg_memory.h.
 *
 * A buffer is charged to the process that makes it, or to its domain, from before it is made
 * until its memory is given back, whoever else has a handle of it and wherever it is at the
 * moment: one that was evicted comes back.  Imported buffers are system memory, and not
 * charged.  When the reservation ends before the buffer, that is charged without one.
 */
#ifndef TG_BUFFER_H
#define TG_BUFFER_H

#include <linux/types.h>

struct tg_buffer;
struct tg_device;

/**
 * tg_buffer_begin - the calling process makes a buffer in video memory
 * @bytes: of it
 * @both: it may be in system memory, too: there it is always if it is larger than the card
 * @buffer: for tg_buffer_born() or tg_buffer_end()
 *
 * May sleep; no lock held.
 * Return: 0; 1: it is to be put elsewhere; -ENOMEM; -ERESTARTSYS.
 */
int tg_buffer_begin(struct tg_device *td, u64 bytes, bool both, struct tg_buffer **buffer);

/**
 * tg_buffer_begin_scanout - one to be scanned out, which is nowhere else
 *
 * The kernel makes such buffers, too, with locks of its own: it does not wait.
 * Return: 0; -ENOMEM.
 */
int tg_buffer_begin_scanout(struct tg_device *td, u64 bytes,
			    struct tg_buffer **buffer);

/** tg_buffer_born - it is made; @key is its own until tg_buffer_gone(); atomic */
void tg_buffer_born(struct tg_buffer *buffer, unsigned long key, u64 bytes);

/** tg_buffer_end - it was not made; NULL: nothing */
void tg_buffer_end(struct tg_buffer *buffer);

/** tg_buffer_let_go - nobody has a handle of a buffer any more; any key; atomic */
void tg_buffer_let_go(unsigned long key);

/** tg_buffer_gone - a buffer's memory has been given back; any key; atomic */
void tg_buffer_gone(unsigned long key);

/**
 * tg_buffer_place - a buffer is about to be put somewhere; atomic
 * @prio: for TTM: the higher, the later it is evicted; not changed for any other key
 *
 * Return: whether it is to be elsewhere than in video memory.
 */
bool tg_buffer_place(unsigned long key, unsigned int *prio);

/**
 * tg_buffer_is_kept - whether a buffer is not to be moved so that the caller's has room; atomic
 * @piece: that is to be in one piece
 *
 * Nothing that is within a reservation is, for who has none: what is left to him is less. Nor for
 * who has one, if it is only that there is no such piece.
 */
bool tg_buffer_is_kept(unsigned long key, bool piece);

/** tg_buffer_pin - a buffer is about to be pinned in video memory; atomic */
void tg_buffer_pin(unsigned long key);

/** tg_buffer_forget_all - none is seen any more */
void tg_buffer_forget_all(void);

#endif
