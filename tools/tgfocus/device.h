/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * /dev/timegraph, whether it is there or not: opened when it appears, told the
 * unit, and left when it fails, as when the module is removed.  What was said ends when
 * it is closed, also by a crash.
 */
#ifndef TGFOCUS_DEVICE_H
#define TGFOCUS_DEVICE_H

#include "pins.h"
#include "unit.h"

struct focus_device {
	int fd;			/* -1: not open */
	int watch;		/* inotify on /dev while it is not open, else -1 */
	int refusal;		/* -errno last said, so that it is said once */
	unsigned int changes;	/* of @fd and @watch: a number may come again */
};

/* Opens it, or begins to wait for it.  0, or -errno if not even that is possible. */
int device_init(struct focus_device *d);
void device_fini(struct focus_device *d);

/*
 * device_set - the unit is in the foreground
 * @pins: its processes, or NULL: then by number
 * @server: a connection to the display server, which gets their level; -1: none
 *
 * Return: how many of its tasks are boosted now; -errno: the device was left.
 */
int device_set(struct focus_device *d, const struct focus_unit *unit,
	       const struct focus_pins *pins, int server);

/* device_event - @fd is readable.  True: a task appeared or went. */
bool device_event(struct focus_device *d);
/* device_appeared - @watch is readable.  True: the device is open now. */
bool device_appeared(struct focus_device *d);
/* device_failed - the device is no good any more: leave it, try once, wait. */
void device_failed(struct focus_device *d, int error);

#endif
