/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The only seam between the core and its host.  In the kernel it names the
 * kernel's own facilities; in user space tg_port_user.h supplies the same few.
 */
#ifndef TG_PORT_H
#define TG_PORT_H

#ifdef __KERNEL__
#include <linux/bitmap.h>
#include <linux/bug.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/math64.h>
#include <linux/rbtree.h>
#include <linux/string.h>
#include <linux/types.h>
#else
#include "tg_port_user.h"
#endif

#endif
