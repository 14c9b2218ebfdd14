/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TGFOCUS_SESSION_H
#define TGFOCUS_SESSION_H

/*
 * session_lock - be the only one who serves this session
 *
 * The lock is a file in XDG_RUNTIME_DIR named after the session's display; the
 * kernel drops it when the process ends.
 *
 * Return: 0; -EWOULDBLOCK: there is another; -errno.
 */
int session_lock(void);

#endif
