/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TGWINDOW_H
#define TGWINDOW_H

#include <stdbool.h>

struct window_options {
	const char *title;	/* also the class or app_id */
	long claim;		/* X11: _NET_WM_PID; 0: none, -1: the truth */
	const char *host;	/* X11: WM_CLIENT_MACHINE; "": none, NULL: the truth */
};

/*
 * Each connects to its display and maps a window; false after saying why not.
 * dispatch() handles what has come, false when the display went away.
 */
struct window_ops {
	bool (*open)(const struct window_options *o);
	int (*fd)(void);
	bool (*dispatch)(void);
};

extern const struct window_ops x11_window, wayland_window;

#endif
