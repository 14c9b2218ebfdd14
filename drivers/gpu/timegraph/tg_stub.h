/* SPDX-License-Identifier: GPL-2.0-only */
/* What an open file of /dev/timegraph becomes when the module goes. */
#ifndef TG_STUB_H
#define TG_STUB_H

#include <linux/poll.h>
#include <linux/sync_file.h>

/**
 * struct tg_stub - of an open file
 * @data: the file's private_data once it is a stub
 * @waiters: has the wait queue of the file's readers
 */
struct tg_stub {
	void *data;
	struct sync_file *waiters;
};

int tg_stub_init(void);

/** tg_stub_exit - what is a stub, or becomes one, answers -ENODEV from here on */
void tg_stub_exit(void);

/**
 * tg_stub_open - all that the file will need, so that nothing can fail later
 *
 * Leaves another private_data in @file.  Return: 0, -ENOMEM or -ENFILE.
 */
int tg_stub_open(struct tg_stub *stub, struct file *file);

/**
 * tg_stub_close - the file was not made a stub, and is being released
 *
 * After it the kernel looks at nothing of this module's in @file.
 */
void tg_stub_close(struct tg_stub *stub, struct file *file);

/** tg_stub_prepare - the first step; nobody may use the file's private_data any more */
void tg_stub_prepare(const struct tg_stub *stub, struct file *file);

/**
 * tg_stub_replace - the second, a grace period of RCU after the first: from here on
 * the file is the kernel's, and may go at any moment
 */
void tg_stub_replace(struct file *file);

/**
 * tg_stub_wake - who polls it asks the file again
 * @last: who does so without waiting in a call (epoll) forgets the wait queue, too.
 *	Nobody may come into it any more; a grace period of RCU later it can be let go by
 *	tg_stub_put()
 */
void tg_stub_wake(struct tg_stub *stub, bool last);

void tg_stub_put(struct tg_stub *stub);

void tg_stub_poll_wait(struct tg_stub *stub, struct poll_table_struct *wait);

#endif
