// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * GNOME marks the control group of the application that has the focus: mutter sets
 * the extended attribute user.xdg.inactive-since of the directory of the systemd
 * unit that the window's process is in to "-1" and, when the focus goes to another
 * unit, to the time it left (mutter: src/core/display.c; uresourced reads it).
 *
 * All units below app.slice are watched: an attribute that is set is an event of
 * its directory.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "unit.h"

#define ATTRIBUTE "user.xdg.inactive-since"
#define ACTIVE "-1"

static int notify = -1;

static bool gnome_probe(void)
{
	/* On X11 the window manager knows the window's process. */
	return focus_desktop_is("GNOME") && getenv("WAYLAND_DISPLAY");
}

static bool watch(const char *path, void *data)
{
	char dir[2 * PATH_MAX], *slash;

	(void)data;
	snprintf(dir, sizeof(dir), "%s%s", focus_roots.cgroup, path);
	inotify_add_watch(notify, dir, IN_ATTRIB | IN_ONLYDIR);
	/* A slice between here and the root: groups come and go in it. */
	slash = strrchr(dir, '/');
	*slash = '\0';
	inotify_add_watch(notify, dir, IN_CREATE | IN_DELETE | IN_ONLYDIR);
	return false;
}

/* Watches that are there already stay as they are. */
static void watch_all(void)
{
	char slice[PATH_MAX], dir[2 * PATH_MAX];

	focus_unit_app_slice(slice);
	snprintf(dir, sizeof(dir), "%s%s", focus_roots.cgroup, slice);
	inotify_add_watch(notify, dir, IN_CREATE | IN_DELETE | IN_ONLYDIR);
	focus_unit_each(watch, NULL);
}

static int gnome_open(char why[FOCUS_TEXT_BYTES])
{
	char slice[PATH_MAX];

	focus_unit_app_slice(slice);
	if (!slice[0]) {
		snprintf(why, FOCUS_TEXT_BYTES, "this user has no app.slice");
		return -ENOTSUP;
	}
	notify = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	if (notify < 0)
		return -errno;
	watch_all();
	return 0;
}

static int gnome_fd(void)
{
	return notify;
}

static int gnome_dispatch(void)
{
	char buf[4096] __attribute__((aligned(__alignof__(struct inotify_event))));
	const struct inotify_event *e;
	bool moved = false, groups = false;
	ssize_t n;
	char *p;

	while ((n = read(notify, buf, sizeof(buf))) > 0) {
		for (p = buf; p < buf + n; p += sizeof(*e) + e->len) {
			e = (const struct inotify_event *)p;
			moved |= (e->mask & (IN_ATTRIB | IN_DELETE | IN_Q_OVERFLOW)) != 0;
			groups |= (e->mask & (IN_CREATE | IN_Q_OVERFLOW)) != 0;
		}
	}
	if (n < 0 && errno != EAGAIN && errno != EINTR)
		return -errno;
	if (groups)
		watch_all();
	/* A new group may have been marked before it was watched. */
	return moved || groups;
}

struct marked {
	struct focus_window *window;
	unsigned int count;
};

static bool look(const char *path, void *data)
{
	struct marked *m = data;
	char dir[2 * PATH_MAX], value[32];
	ssize_t n;

	snprintf(dir, sizeof(dir), "%s%s", focus_roots.cgroup, path);
	n = getxattr(dir, ATTRIBUTE, value, sizeof(value) - 1);
	if (n <= 0)
		return false;
	value[n] = '\0';
	if (!strcmp(value, ACTIVE) && !m->count++)
		snprintf(m->window->cgroup, sizeof(m->window->cgroup), "%s", path);
	return false;
}

static void gnome_current(struct focus_window *w)
{
	struct marked m = { .window = w };

	w->cgroup[0] = '\0';
	focus_unit_each(look, &m);
	if (!m.count)
		focus_nobody(w, "no application's control group is marked as active");
	else if (m.count > 1)
		focus_nobody(w, "%u applications are marked as active", m.count);
	else
		focus_why(w, "by its control group's " ATTRIBUTE);
}

static void gnome_close(void)
{
	close(notify);
	notify = -1;
}

const struct focus_backend focus_gnome = {
	.name = "gnome",
	.about = "GNOME on Wayland: marks at the applications' control groups",
	.wants = "XDG_CURRENT_DESKTOP has no GNOME, or WAYLAND_DISPLAY is not set",
	.probe = gnome_probe,
	.open = gnome_open,
	.fd = gnome_fd,
	.dispatch = gnome_dispatch,
	.current = gnome_current,
	.close = gnome_close,
};
