// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "device.h"
#include "libtimegraph.h"

static const char dev_folder[] = "/dev", dev_name[] = "timegraph";

static void refuse(struct focus_device *d, int error)
{
	if (d->refusal == error)
		return;
	d->refusal = error;
	if (error == -ENOENT || error == -ENXIO || error == -ENODEV)
		focus_say("timegraph.ko is not loaded; waiting for %s", TIMEGRAPH_DEVICE);
	else if (error == -EACCES)
		focus_say("%s may not be written by this user; waiting for its permissions",
			  TIMEGRAPH_DEVICE);
	else
		focus_say("%s: %s; waiting for another one", TIMEGRAPH_DEVICE,
			  strerror(-error));
}

static int open_device(struct focus_device *d)
{
	int error;

	d->fd = timegraph_open(O_RDWR | O_NONBLOCK);
	if (d->fd < 0) {
		error = d->fd;
		d->fd = -1;
		return error;
	}
	error = timegraph_subscribe(d->fd, TIMEGRAPH_EVENT_TASK);
	if (error) {
		timegraph_close(d->fd);
		d->fd = -1;
		return error;
	}
	d->refusal = 0;
	d->changes++;
	focus_note("%s is open", TIMEGRAPH_DEVICE);
	return 0;
}

/*
 * The watch begins before the last try, so that a node which appears in between
 * is not missed.
 */
static int wait_for_device(struct focus_device *d)
{
	int error;

	d->watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	d->changes++;
	if (d->watch < 0)
		return -errno;
	/* udev sets owner and mode a moment after the node appeared. */
	if (inotify_add_watch(d->watch, dev_folder,
			      IN_CREATE | IN_MOVED_TO | IN_ATTRIB | IN_ONLYDIR) < 0)
		return -errno;
	error = open_device(d);
	if (!error) {
		close(d->watch);
		d->watch = -1;
	} else {
		refuse(d, error);
	}
	return 0;
}

int device_init(struct focus_device *d)
{
	*d = (struct focus_device){ .fd = -1, .watch = -1 };
	if (!open_device(d))
		return 0;
	return wait_for_device(d);
}

void device_fini(struct focus_device *d)
{
	timegraph_close(d->fd);
	if (d->watch >= 0)
		close(d->watch);
	d->fd = d->watch = -1;
}

void device_failed(struct focus_device *d, int error)
{
	timegraph_close(d->fd);
	d->fd = -1;
	d->changes++;
	d->refusal = 0;
	focus_say("%s failed: %s", TIMEGRAPH_DEVICE, strerror(-error));
	if (d->watch < 0 && wait_for_device(d))
		focus_say("cannot wait for %s: %s", TIMEGRAPH_DEVICE, strerror(errno));
}

/* @server: a socket, or -1 */
static int set(const struct focus_device *d, const struct focus_unit *unit,
	       const struct focus_pins *pins, int server)
{
	int boosted = -EOPNOTSUPP;

	if (pins)
		boosted = timegraph_set_foreground_server(d->fd, pins->fd, pins->n,
							  TIMEGRAPH_BY_PIDFD, server);
	/* The kernel may hide what pidfds stand for; -EINVAL: an older module. */
	if (boosted == -EOPNOTSUPP || boosted == -EINVAL)
		boosted = timegraph_set_foreground_server(d->fd, unit->pids, unit->nr_pids,
							  0, server);
	return boosted;
}

int device_set(struct focus_device *d, const struct focus_unit *unit,
	       const struct focus_pins *pins, int server)
{
	int boosted;

	if (d->fd < 0)
		return 0;
	boosted = set(d, unit, pins, server);
	if (boosted < 0 && server >= 0) {
		/* -E2BIG: an older module; -ENOTSOCK: a server on another host. */
		focus_note("the display server gets nothing: %s", strerror(-boosted));
		boosted = set(d, unit, pins, -1);
	}
	if (boosted == -EPERM) {
		/* Somebody in it became another user just now: nobody, not half of it. */
		focus_say("%.64s may not be boosted: it has another user's processes",
			  unit->name);
		boosted = timegraph_set_foreground(d->fd, NULL, 0);
	}
	if (boosted < 0)
		device_failed(d, boosted);
	return boosted;
}

bool device_event(struct focus_device *d)
{
	struct timegraph_events events;
	int error;

	error = timegraph_read_events(d->fd, &events);
	if (error == -EAGAIN || error == -EINTR)
		return false;
	if (error) {
		device_failed(d, error);
		return false;
	}
	return events.mask & TIMEGRAPH_EVENT_TASK;
}

/* Many files of /dev come and go: only one name is looked at. */
static bool node_changed(int watch)
{
	char buf[4096] __attribute__((aligned(__alignof__(struct inotify_event))));
	const struct inotify_event *e;
	bool changed = false;
	ssize_t n;
	char *p;

	while ((n = read(watch, buf, sizeof(buf))) > 0) {
		for (p = buf; p < buf + n; p += sizeof(*e) + e->len) {
			e = (const struct inotify_event *)p;
			changed |= (e->mask & IN_Q_OVERFLOW) ||
				   (e->len && !strcmp(e->name, dev_name));
		}
	}
	return changed;
}

bool device_appeared(struct focus_device *d)
{
	int error;

	if (!node_changed(d->watch))
		return false;
	error = open_device(d);
	if (error) {
		refuse(d, error);
		return false;
	}
	close(d->watch);
	d->watch = -1;
	return true;
}
