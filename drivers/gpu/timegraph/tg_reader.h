/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The one thread that looks at the administrator's files.
 *
 * A file can be on a file system that does not answer.  Then this thread waits, and who
 * asked it for a look goes on with what is in force; so nobody who holds a lock that
 * others need may ask.
 */
#ifndef TG_READER_H
#define TG_READER_H

#include <linux/types.h>

#include "tg_version.h"

/* A channel's allocation waits no longer for a look. */
#define TG_READER_WAIT_MS 500

/**
 * tg_reader_init - has the files read for the first time
 * @late: called by the thread when a look has ended that somebody did not wait for
 *
 * Return: 0, -ENOMEM.
 */
int tg_reader_init(void (*late)(void));

/** tg_reader_exit - waits for the thread, as long as the file's server likes */
void tg_reader_exit(void);

/**
 * tg_reader_look - have the files and paths looked at
 *
 * If a file has changed, and both are good, they are in force then.  Sleeps at most
 * TG_READER_WAIT_MS, killably, and not at all while the thread has been at it for
 * longer than that.
 * Return: the look's ticket.
 */
unsigned long tg_reader_look(void);

/** tg_reader_done - whether a look has ended */
bool tg_reader_done(unsigned long ticket);

/** tg_reader_is_late - that it has not; then @late will be called */
bool tg_reader_is_late(unsigned long ticket);

/**
 * tg_reader_reload - read the files, changed or not, whatever was pushed
 *
 * Return: 0, also if one is refused; -ERESTARTSYS.
 */
int tg_reader_reload(void);

/**
 * tg_reader_resolve - look the paths of a version up that is not in force
 *
 * In a thread of its own, so that a file that does not answer is no hindrance.
 * Return: 0, -ENOMEM, -ERESTARTSYS.
 */
int tg_reader_resolve(struct tg_version *v);

/** tg_reader_slow - whether the thread has been at it for long */
bool tg_reader_slow(void);

#endif
