// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "focus.h"
#include "session.h"

int session_lock(void)
{
	const char *dir = getenv("XDG_RUNTIME_DIR"), *display = getenv("WAYLAND_DISPLAY");
	char path[PATH_MAX], name[128];
	int fd, error;
	char *p;

	if (!display || !*display)
		display = getenv("DISPLAY");
	snprintf(name, sizeof(name), "%s", display ? display : "");
	for (p = name; *p; p++)
		if (*p == '/')
			*p = '_';
	if (!dir || !*dir) {
		focus_say("XDG_RUNTIME_DIR is not set: this is no session of a user");
		return -ENOENT;
	}
	snprintf(path, sizeof(path), "%s/tgfocus%s%s.lock", dir, *name ? "-" : "", name);
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0) {
		error = -errno;
		focus_say("%s: %s", path, strerror(errno));
		return error;
	}
	/* Never closed: the lock lasts as long as the process. */
	return flock(fd, LOCK_EX | LOCK_NB) ? -errno : 0;
}
