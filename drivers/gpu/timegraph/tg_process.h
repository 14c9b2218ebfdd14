/* SPDX-License-Identifier: GPL-2.0-only */
/* Processes as user space names them. */
#ifndef TG_PROCESS_H
#define TG_PROCESS_H

#include <linux/types.h>
#include <linux/uidgid.h>

struct pid;
struct task_struct;

/** tg_process_init - look up what the kernel has for it; may sleep */
void tg_process_init(void);

/**
 * tg_process_get - a process that user space names
 * @name: its number in the caller's namespace, or a pidfd of the caller's
 * @is_pidfd: which
 *
 * A number may be another process's by now, a pidfd is always the one it was
 * opened for.
 *
 * May sleep.
 * Return: a reference; NULL if the process is gone or never was; -EBADF: the
 * descriptor is no pidfd; -EOPNOTSUPP: pidfds cannot be had.
 */
struct pid *tg_process_get(s32 name, bool is_pidfd);

/**
 * tg_process_peer - the process at the other end of a Unix socket, as SO_PEERCRED has it
 * @socket: a descriptor of the caller's
 *
 * Who listened there, or made the pair: perhaps for another.  May sleep.
 * Return: a reference; -EBADF, -ENOTSOCK; -ENOTCONN: it has no other end.
 */
struct pid *tg_process_peer(s32 socket);

/** tg_process_is_dead - it has ended, though its parent may not have looked yet */
bool tg_process_is_dead(struct pid *pid);

/** tg_process_nr - its number in the caller's namespace; 0: none there, or it is gone */
pid_t tg_process_nr(struct pid *pid);

/** tg_process_uid - the user of a process; INVALID_UID if there is none */
kuid_t tg_process_uid(struct pid *pid);

/**
 * tg_process_payer - whose limits a process counts for, and whose it has used
 *
 * Its user; in a user namespace who made that, who may have many users there, or if that was
 * root, as for a container, whom the namespace's root is outside.  INVALID_UID if there is none.
 */
kuid_t tg_process_payer(struct pid *pid);

/** tg_process_caller_payer - the same, of who calls, and acts as */
kuid_t tg_process_caller_payer(void);

/** tg_process_thread_rank - how the CPU prefers a thread, see core/tg_cpu.h */
u8 tg_process_thread_rank(const struct task_struct *p);

/** tg_process_rank - of a process' first thread; as of nice 0 if it is gone */
u8 tg_process_rank(struct pid *pid);

#endif
