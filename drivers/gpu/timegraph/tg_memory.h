/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The memory of cards: whose buffers are where, and who has reserved how much; see
 * core/tg_vram.h for the rules.
 *
 * A buffer is charged to the process that makes it, from before it is made until its
 * memory is given back, whoever else has a handle of it and wherever it is at the moment:
 * one that was evicted comes back.  Imported buffers are system memory, and not charged.
 * When the reservation ends before the buffer, that is charged to its process without one.
 *
 * While nobody has a reservation or waits for one nothing is refused.
 *
 * Locks: one for all, a leaf; nothing sleeps under it.
 */
#ifndef TG_MEMORY_H
#define TG_MEMORY_H

#include <linux/spinlock.h>
#include <linux/types.h>

#include <uapi/drm/timegraph.h>

#include "tg_account.h"

/* Protects all that is said here; a leaf. */
extern spinlock_t tg_memory_lock;

struct pid;
struct seq_file;
struct tg_device;
struct tg_memory_buffer;

/** tg_memory_init - set what module parameters say.  Return: 0; -EINVAL, reported */
int tg_memory_init(void);

/** tg_memory_start - a GPU appears */
void tg_memory_start(struct tg_device *td);

/** tg_memory_stop - it goes: nobody is in a call, and all buffers are forgotten */
void tg_memory_stop(struct tg_device *td);

/**
 * tg_memory_describe - how large the memory is
 * @size: bytes
 * @used: bytes of all buffers that are there, or 0 if that is not known: what is not
 *	accounted for is older than the module
 */
void tg_memory_describe(struct tg_device *td, u64 size, u64 used);

/** tg_memory_is_described - what it has said is all that can be known; any context */
bool tg_memory_is_described(const struct tg_device *td);

/**
 * tg_memory_begin - the calling process makes a buffer in video memory
 * @bytes: of it
 * @buffer: for tg_memory_born() or tg_memory_end(); NULL: it is not accounted for
 *
 * May sleep; no lock held.
 * Return: 0; 1: it is to be put elsewhere; -ENOMEM; -ERESTARTSYS.
 */
int tg_memory_begin(struct tg_device *td, u64 bytes, struct tg_memory_buffer **buffer);

/**
 * tg_memory_begin_scanout - one to be scanned out, which is nowhere else
 *
 * The kernel makes such buffers, too, with locks of its own: it does not wait.
 * Return: 0; -ENOMEM.
 */
int tg_memory_begin_scanout(struct tg_device *td, u64 bytes,
			    struct tg_memory_buffer **buffer);

/** tg_memory_born - it is made; @key is its own until tg_memory_gone(); atomic */
void tg_memory_born(struct tg_memory_buffer *buffer, unsigned long key, u64 bytes);

/** tg_memory_end - it was not made; NULL: nothing */
void tg_memory_end(struct tg_memory_buffer *buffer);

/** tg_memory_let_go - nobody has a handle of a buffer any more; any key; atomic */
void tg_memory_let_go(unsigned long key);

/** tg_memory_gone - a buffer's memory has been given back; any key; atomic */
void tg_memory_gone(unsigned long key);

/**
 * tg_memory_place - a buffer is about to be put somewhere; atomic
 * @prio: for TTM: the higher, the later it is evicted; not changed for any other key
 *
 * Return: whether it is to be elsewhere than in video memory.
 */
bool tg_memory_place(unsigned long key, unsigned int *prio);

/** tg_memory_pin - a buffer is about to be pinned in video memory; atomic */
void tg_memory_pin(unsigned long key);

/**
 * tg_memory_open - the calling process opens a channel
 *
 * If the specification gives it memory and it has none yet, waits for that, interruptibly,
 * no lock held.  One tg_memory_opened() is owed.
 * Return: 0 or -ERESTARTSYS: then nothing is owed.
 */
int tg_memory_open(struct tg_device *td);

/** tg_memory_opened - it has, or it could not */
void tg_memory_opened(struct tg_device *td);

/** tg_memory_client - a process has channels from now on, or has none any more; atomic */
void tg_memory_client(struct tg_device *td, struct pid *pid, bool has);

/** tg_memory_focus - whether it is in the foreground; atomic */
void tg_memory_focus(struct tg_device *td, struct pid *pid, bool foreground);

/** tg_memory_close - nobody is to wait any more, or begin to */
void tg_memory_close(void);

/** tg_memory_keep - buffers are seen from now on, or not any more: all are forgotten */
void tg_memory_keep(bool keep);

/*
 * For tg_vram_ioctl.c and tg_memory_entry.c.
 */

/** tg_memory_get - the caller's account, which it is inside of; NULL without memory */
struct tg_account *tg_memory_get(struct tg_memory *m);

/** tg_memory_put_locked - undoes it */
void tg_memory_put_locked(struct tg_memory *m, struct tg_account *a);

/** tg_memory_settle_locked - what an entry gives ends with the last channel; may free it */
void tg_memory_settle_locked(struct tg_memory *m, struct tg_account *a);

/** tg_memory_find_locked - of a process, or NULL */
struct tg_account *tg_memory_find_locked(struct tg_memory *m, const struct pid *pid);

/**
 * struct tg_memory_want - what is asked for
 * @bytes: all that the account is to hold
 * @deadline_ns: how long it waits, or 0
 * @wait: it does, if it must
 * @one: the first reservation of its user has no limit
 */
struct tg_memory_want {
	u64 bytes;
	u64 deadline_ns;
	bool wait;
	bool one;
};

/**
 * tg_memory_ask - reserve for an account that the caller is inside of; may sleep
 *
 * Return: see tg_vram_ask(); -EDQUOT: its user has enough; or what ended the wait:
 * -ETIMEDOUT; -ERESTARTSYS; -ECANCELED: it was given back meanwhile; -ENODEV: nothing is
 * given any more.
 */
int tg_memory_ask(struct tg_memory *m, struct tg_account *a, const struct tg_memory_want *w);

/** tg_memory_leave_locked - give back what the account holds, or wait no more; may free it */
void tg_memory_leave_locked(struct tg_memory *m, struct tg_account *a);

/** tg_memory_serve_locked - after every change: those that wait are served as can be */
void tg_memory_serve_locked(struct tg_memory *m);

/* What becomes of what is beyond a reservation, under the lock; of all GPUs. */
extern enum timegraph_vram_beyond tg_memory_beyond;

/** tg_memory_user - whom what the caller reserves is limited for */
kuid_t tg_memory_user(void);

/** tg_memory_show - for the file in debugfs */
void tg_memory_show(struct tg_device *td, struct seq_file *m);

#endif
