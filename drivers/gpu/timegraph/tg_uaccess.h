/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The memory of a caller of /dev/timegraph.
 *
 * A user can have a copy wait for as long as he likes, by memory that he serves
 * himself (userfaultfd, FUSE).  What has to be waited for therefore holds the module:
 * rmmod then says at once that it is in use, where it would hang otherwise.  What is
 * there already, as nearly always, holds nothing.
 */
#ifndef TG_UACCESS_H
#define TG_UACCESS_H

#include <linux/types.h>

/** tg_uaccess_read - Return: 0, -EFAULT, or -ENODEV if the module is going */
int tg_uaccess_read(void *to, const void __user *from, size_t size);

/** tg_uaccess_write - Return: as tg_uaccess_read() */
int tg_uaccess_write(void __user *to, const void *from, size_t size);

/** tg_uaccess_clear - at most a page.  Return: as tg_uaccess_read() */
int tg_uaccess_clear(void __user *to, size_t size);

#endif
