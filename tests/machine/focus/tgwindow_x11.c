// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <xcb/xcb.h>

#include "tgwindow.h"
#include "x11.h"

static xcb_connection_t *conn;
static xcb_window_t window;

static void set_text(xcb_atom_t property, const char *text, size_t bytes)
{
	xcb_change_property(conn, XCB_PROP_MODE_REPLACE, window, property, XCB_ATOM_STRING, 8,
			    (uint32_t)bytes, text);
}

/* What a toolkit tells about itself (ICCCM 2.0, EWMH 1.5). */
static void introduce(const struct window_options *o)
{
	uint32_t pid = o->claim < 0 ? (uint32_t)getpid() : (uint32_t)o->claim;
	char host[256] = "", class[256];
	int n;

	gethostname(host, sizeof(host) - 1);
	if (o->host)
		snprintf(host, sizeof(host), "%s", o->host);
	n = snprintf(class, sizeof(class), "%s%c%s%c", o->title, 0, o->title, 0);
	set_text(XCB_ATOM_WM_NAME, o->title, strlen(o->title));
	set_text(XCB_ATOM_WM_CLASS, class, (size_t)n);
	if (*host)
		set_text(XCB_ATOM_WM_CLIENT_MACHINE, host, strlen(host));
	if (pid)
		xcb_change_property(conn, XCB_PROP_MODE_REPLACE, window,
				    x11_atom(conn, "_NET_WM_PID"), XCB_ATOM_CARDINAL, 32, 1,
				    &pid);
}

static bool open_window(const struct window_options *o)
{
	xcb_screen_t *screen;
	uint32_t values[2];

	conn = xcb_connect(NULL, NULL);
	if (xcb_connection_has_error(conn)) {
		fprintf(stderr, "tgwindow: no X server\n");
		return false;
	}
	screen = xcb_setup_roots_iterator(xcb_get_setup(conn)).data;
	window = xcb_generate_id(conn);
	values[0] = screen->white_pixel;
	values[1] = XCB_EVENT_MASK_STRUCTURE_NOTIFY;
	xcb_create_window(conn, XCB_COPY_FROM_PARENT, window, screen->root, 0, 0, 200, 150, 0,
			  XCB_WINDOW_CLASS_INPUT_OUTPUT, screen->root_visual,
			  XCB_CW_BACK_PIXEL | XCB_CW_EVENT_MASK, values);
	introduce(o);
	xcb_map_window(conn, window);
	return xcb_flush(conn) > 0;
}

static int display_fd(void)
{
	return xcb_get_file_descriptor(conn);
}

static bool dispatch(void)
{
	xcb_generic_event_t *event;

	while ((event = xcb_poll_for_event(conn)))
		free(event);
	return !xcb_connection_has_error(conn);
}

const struct window_ops x11_window = {
	.open = open_window,
	.fd = display_fd,
	.dispatch = dispatch,
};
