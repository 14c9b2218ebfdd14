// SPDX-License-Identifier: GPL-2.0-or-later
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "focus.h"
#include "libtimegraph.h"

static bool wayland_path(char path[PATH_MAX], const char *display)
{
	const char *folder = getenv("XDG_RUNTIME_DIR");
	int n;

	if (display[0] == '/')
		n = snprintf(path, PATH_MAX, "%s", display);
	else
		n = snprintf(path, PATH_MAX, "%s/%s", folder ? folder : "", display);
	return n < PATH_MAX;
}

/* ":0.1" is screen 1 of the server 0 here; with a host before it, it is elsewhere. */
static bool x11_path(char path[PATH_MAX], const char *display)
{
	unsigned int nr;

	if (sscanf(display, ":%5u", &nr) != 1)
		return false;
	snprintf(path, PATH_MAX, "/tmp/.X11-unix/X%u", nr);
	return true;
}

int focus_display_open(void)
{
	const char *wayland = getenv("WAYLAND_DISPLAY"), *x11 = getenv("DISPLAY");
	char path[PATH_MAX];
	int fd;

	if (wayland && *wayland ? !wayland_path(path, wayland) : !x11 || !x11_path(path, x11))
		return -1;
	fd = timegraph_connect_server(path);
	if (fd < 0)
		focus_note("%.100s: %s", path, strerror(-fd));
	return fd < 0 ? -1 : fd;
}
