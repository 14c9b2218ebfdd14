/* SPDX-License-Identifier: GPL-2.0-only */
/* What an open file of /dev/timegraph can ask for; the interface is in <drm/timegraph.h>. */
#ifndef TG_IOCTL_H
#define TG_IOCTL_H

#include <linux/list.h>
#include <linux/mutex.h>

#include "tg_events.h"
#include "tg_foreground.h"

struct file;

/**
 * struct tg_handle - an open file
 * @foreground: who is in the foreground by it
 * @subscriber: its events
 * @lock: protects @kept
 * @kept: reserves it keeps
 */
struct tg_handle {
	struct tg_foreground foreground;
	struct tg_subscriber subscriber;
	struct mutex lock; /* of @kept */
	struct list_head kept;
};

/**
 * tg_handle_init - @h is zeroed
 * @wait: of its readers, see tg_events_add()
 *
 * Return: 0 or -ENOMEM.
 */
int tg_handle_init(struct tg_handle *h, wait_queue_head_t *wait);

/** tg_handle_fini - all that the file asked for ends: nobody is left to take it back */
void tg_handle_fini(struct tg_handle *h);

/** tg_ioctl - of a file whose private_data is its handle */
long tg_ioctl(struct file *file, unsigned int cmd, unsigned long arg);

#endif
