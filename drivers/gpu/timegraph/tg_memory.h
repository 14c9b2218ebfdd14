/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The memory of cards: who has reserved how much, and what each has of it; see
 * core/tg_vram.h for the rules, and tg_buffer.h for what is charged.
 *
 * An account is a process's, or that of a cgroup which an entry makes a domain with memory of
 * its own: then what the processes in it make is charged to that.  Those with channels are its
 * members, and it has its memory while there are any.  A process with a reservation of its own
 * is as if it were in no cgroup.
 *
 * While nobody has a reservation or waits for one nothing is refused.
 *
 * Locks: one for all, a leaf; nothing sleeps under it.
 */
#ifndef TG_MEMORY_H
#define TG_MEMORY_H

#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/wait.h>

#include <uapi/drm/timegraph.h>

#include "tg_account.h"

/* Protects all that is said here; a leaf. */
extern spinlock_t tg_memory_lock;

struct pid;
struct seq_file;
struct tg_device;

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

/**
 * tg_memory_is_described - what it has said is all that can be known; any context
 * @lately: or was so a tenth of a second ago: enough for a buffer while nobody has reserved
 */
bool tg_memory_is_described(const struct tg_device *td, bool lately);

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

/**
 * tg_memory_looked - whether the files were looked at for the channel that it opens now
 * @ticket: the look's
 *
 * Not if it has waited for its memory since.  Atomic.
 */
bool tg_memory_looked(struct tg_device *td, struct pid *pid, unsigned long *ticket);

/** tg_memory_client - a process has channels from now on, or has none any more; atomic */
void tg_memory_client(struct tg_device *td, struct pid *pid, bool has);

/** tg_memory_focus - whether it is in the foreground; atomic */
void tg_memory_focus(struct tg_device *td, struct pid *pid, bool foreground);

/**
 * tg_memory_promised - what has to be free on the card for all to have what the accounts say
 * @bytes: what the caller was charged with, and has not made yet
 * @must: also if nothing was given back of late, or that was waited for in vain
 *
 * TTM gives a buffer's memory up before nouveau has taken it out of its client's page tables, which
 * hold it, too; a worker of the kernel's does that. So what the accounts give to the next may be
 * there a moment later only.
 *
 * Return: bytes; 0: nothing of that kind is to be expected now, or the caller has no reservation.
 */
u64 tg_memory_promised(struct tg_device *td, u64 bytes, bool must);

/** tg_memory_in_vain - the caller has waited for that, and it did not come */
void tg_memory_in_vain(struct tg_device *td);

/** tg_memory_holds - whether what the caller makes is within a reservation, his or his domain's */
bool tg_memory_holds(struct tg_device *td);

/** tg_memory_close - nobody is to wait any more, or begin to */
void tg_memory_close(void);

/** tg_memory_keep - buffers are seen from now on, or not any more: then all are forgotten */
void tg_memory_keep(bool keep);

/*
 * For tg_vram_ioctl.c, tg_memory_entry.c and tg_buffer.c.
 */

/** tg_memory_get - the caller's account, which it is inside of; NULL without memory */
struct tg_account *tg_memory_get(struct tg_memory *m);

/** tg_memory_put_locked - undoes it */
void tg_memory_put_locked(struct tg_memory *m, struct tg_account *a);

/**
 * tg_memory_settle_locked - what an entry gives ends with the last channel, and so does being
 * in a domain; may free both accounts
 */
void tg_memory_settle_locked(struct tg_memory *m, struct tg_account *a);

/** tg_memory_find_locked - of a process, or NULL */
struct tg_account *tg_memory_find_locked(struct tg_memory *m, const struct pid *pid);

/**
 * tg_memory_get_domain - a cgroup's account, which the caller is inside of
 * @id: of the cgroup, not 0
 * @name: for people
 *
 * Return: it; NULL without memory.
 */
struct tg_account *tg_memory_get_domain(struct tg_memory *m, u64 id, const char *name);

/**
 * tg_memory_join_locked - the buffers that a process makes are the domain's from now on
 *
 * Return: whether they are: not while it waits, if the process has something that others could
 * wait for.
 */
bool tg_memory_join_locked(struct tg_memory *m, struct tg_account *a, struct tg_account *domain);

/** tg_memory_payer_locked - to whom a buffer that a process makes is charged */
struct tg_account *tg_memory_payer_locked(struct tg_memory *m, struct tg_account *a);

/**
 * tg_memory_enter_domain - the account of the domain that the calling process is in, without
 * having a channel there
 *
 * May sleep.  Return: it, which the caller is inside of; NULL: it has none of a domain that
 * has memory.
 */
struct tg_account *tg_memory_enter_domain(struct tg_memory *m);

/**
 * struct tg_memory_want - what is asked for
 * @bytes: all that the account is to hold
 * @deadline_ns: how long it waits, or 0
 * @wait: it does, if it must
 * @one: the first reservation of its user has no limit
 * @prio: of who has no reservation yet
 * @limited: see struct tg_account
 * @handle: the open file that asks, or NULL: an entry gives it
 * @claim: whether it may ask, and by what right, which it notes in the account: 0 or an error.
 *	Under the lock, together with the question: what it saw may change at once.  NULL: a
 *	domain, which may
 */
struct tg_memory_want {
	u64 bytes;
	u64 deadline_ns;
	bool wait;
	bool one;
	u8 prio;
	bool limited;
	struct tg_handle *handle;
	int (*claim)(const struct tg_memory *m, struct tg_account *a,
		     const struct tg_memory_want *w);
};

/**
 * tg_memory_ask - reserve for an account that the caller is inside of; may sleep
 *
 * Return: see tg_vram_ask(); what @claim says; -EDQUOT: its user has enough, or too many wait;
 * or what ended the wait:
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

/* Woken when something may be over. */
extern wait_queue_head_t tg_memory_waiters;

/* Nobody is to wait; under the lock, or a guess. */
extern bool tg_memory_closed;

/**
 * tg_memory_is_blocked_before_locked - a thread of the caller's process waits for memory of a card
 * before this one
 *
 * Then it gets nothing of this one, for that may be waited for by who has the other.
 */
bool tg_memory_is_blocked_before_locked(const struct tg_memory *m);

/** tg_memory_is_over - an account that one is inside of does not wait, or nobody is to */
bool tg_memory_is_over(const struct tg_account *a);

/** tg_memory_is_unlimited - nobody has a reservation or waits for one; under the lock */
bool tg_memory_is_unlimited(const struct tg_memory *m);

/** tg_memory_sweep_soon - those that have it may be dead */
void tg_memory_sweep_soon(struct tg_memory *m);

/** tg_memory_show - for the file in debugfs */
void tg_memory_show(struct tg_device *td, struct seq_file *m);

#endif
