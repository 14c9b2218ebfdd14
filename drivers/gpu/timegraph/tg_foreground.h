/* SPDX-License-Identifier: GPL-2.0-only */
/* Who is in the foreground. */
#ifndef TG_FOREGROUND_H
#define TG_FOREGROUND_H

#include <linux/list.h>
#include <linux/types.h>

struct pid;
struct process;
struct tg_foreground_user;

/**
 * struct tg_foreground - the processes that an open file has in the foreground
 * @members: of them, those that live
 * @count: how many
 * @user: who opened it
 * @of_server: in process.served of @server
 * @server: its display server, or NULL
 * @lent: to @server, see tg_foreground_lend(): without a reserve, and with one
 *
 * Under a mutex of tg_foreground.c's.
 */
struct tg_foreground {
	struct list_head members;
	u32 count;
	struct tg_foreground_user *user;
	struct list_head of_server;
	struct process *server;
	u8 lent[2];
};

/*
 * Whether a process is in the foreground can change at once: who changes it has
 * tg_client_refocus() called next.
 */

/** tg_foreground_has - whether a process is in the foreground; may sleep */
bool tg_foreground_has(const struct pid *pid);

/** tg_foreground_by - whether it is so by this file; may sleep */
bool tg_foreground_by(const struct tg_foreground *fg, const struct pid *pid);

/**
 * tg_foreground_init - the caller opens a file; nothing is in its foreground
 *
 * May sleep.  Return: 0 or -ENOMEM.
 */
int tg_foreground_init(struct tg_foreground *fg);

/**
 * tg_foreground_set - other processes are in the foreground
 * @pids: processes; the caller keeps its references
 * @count: how many
 * @server: their display server, or NULL
 *
 * Processes that have ended are passed over, and one that ends later is
 * forgotten: of the dead nothing is kept.
 *
 * May sleep.
 * Return: 0, -ENOMEM, or -EDQUOT: the files of the user who opened this one have
 * more than TIMEGRAPH_FOREGROUND_USER_MAX.  If it fails nothing has changed.
 */
int tg_foreground_set(struct tg_foreground *fg, struct pid *const *pids,
		      u32 count, struct pid *server);

/*
 * What display servers have of the foreground; for tg_client.c, under tg_client_mutex:
 * first all are reset, then all lend, then all borrow.
 */

/** tg_foreground_reset - nothing is lent to @pid; may sleep */
void tg_foreground_reset(const struct pid *pid);

/**
 * tg_foreground_lend - @pid lends its level to the servers of the files that name it
 * @capped: it has a reserve, and lends to who has one
 *
 * May sleep.
 */
void tg_foreground_lend(const struct pid *pid, u8 level, bool capped);

/** tg_foreground_borrow - the highest that was lent to @pid, or 0; may sleep */
u8 tg_foreground_borrow(const struct pid *pid, bool capped);

/**
 * tg_foreground_fini - the file goes; may sleep
 *
 * Return: whether it had anybody in the foreground.
 */
bool tg_foreground_fini(struct tg_foreground *fg);

/** tg_foreground_exit - no file is open any more; may sleep */
void tg_foreground_exit(void);

#endif
