// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * X11: the window manager names the active window in a property of the root
 * window (Extended Window Manager Hints 1.5, _NET_ACTIVE_WINDOW), and the server
 * tells when the property changes.
 *
 * Whose window it is: the X server knows the process at the other end of a local
 * connection (X-Resource 1.2, XResQueryClientIds), as the server's own process
 * namespace calls it.  What the client claims in _NET_WM_PID is looked at where the
 * server lacks that; a client in a container claims its own namespace's number.
 * Either only counts for a client that is on this host (WM_CLIENT_MACHINE).
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <xcb/res.h>
#include <xcb/xcb.h>

#include "focus.h"

#define PROPERTY_WORDS 64

static struct {
	xcb_connection_t *conn;
	xcb_window_t root;
	xcb_window_t watched;		/* the window that was active last */
	xcb_atom_t active, supported, wm_pid, machine;
	bool have_res;
	char host[256];
} x11;

static bool x11_probe(void)
{
	const char *display = getenv("DISPLAY");

	return display && *display && !getenv("WAYLAND_DISPLAY");
}

static void intern(void)
{
	static const char *const names[] = {
		"_NET_ACTIVE_WINDOW", "_NET_SUPPORTED", "_NET_WM_PID", "WM_CLIENT_MACHINE",
	};
	xcb_atom_t *const atoms[] = { &x11.active, &x11.supported, &x11.wm_pid, &x11.machine };
	xcb_intern_atom_cookie_t cookies[4];
	xcb_intern_atom_reply_t *reply;
	unsigned int i;

	for (i = 0; i < 4; i++)
		cookies[i] = xcb_intern_atom(x11.conn, 0, (uint16_t)strlen(names[i]), names[i]);
	for (i = 0; i < 4; i++) {
		reply = xcb_intern_atom_reply(x11.conn, cookies[i], NULL);
		*atoms[i] = reply ? reply->atom : XCB_ATOM_NONE;
		free(reply);
	}
}

static xcb_get_property_cookie_t ask(xcb_window_t window, xcb_atom_t property, xcb_atom_t type,
				     uint32_t words)
{
	return xcb_get_property(x11.conn, 0, window, property, type, 0, words);
}

static bool manager_names_active_window(void)
{
	xcb_get_property_reply_t *reply;
	bool found = false;
	int i, n;

	reply = xcb_get_property_reply(x11.conn, ask(x11.root, x11.supported, XCB_ATOM_ATOM,
						     1024), NULL);
	n = reply && reply->format == 32 ? xcb_get_property_value_length(reply) / 4 : 0;
	for (i = 0; i < n; i++)
		found |= ((xcb_atom_t *)xcb_get_property_value(reply))[i] == x11.active;
	free(reply);
	return found;
}

static bool server_knows_clients(void)
{
	const xcb_query_extension_reply_t *ext;
	xcb_res_query_version_reply_t *version;
	bool known;

	ext = xcb_get_extension_data(x11.conn, &xcb_res_id);
	if (!ext || !ext->present)
		return false;
	version = xcb_res_query_version_reply(x11.conn,
					      xcb_res_query_version(x11.conn, 1, 2), NULL);
	known = version && (version->server_major > 1 ||
			    (version->server_major == 1 && version->server_minor >= 2));
	free(version);
	return known;
}

static int x11_fd(void)
{
	return xcb_get_file_descriptor(x11.conn);
}

/*
 * The server's numbers mean something here only if the server runs here, and in
 * the same process namespace.
 */
static bool server_is_here(void)
{
	struct ucred server;
	socklen_t size = sizeof(server);

	if (getsockopt(x11_fd(), SOL_SOCKET, SO_PEERCRED, &server, &size))
		return false;
	return server.pid > 0 && focus_same_namespace(server.pid);
}

static void x11_close(void)
{
	xcb_disconnect(x11.conn);
	x11.conn = NULL;
	x11.watched = XCB_WINDOW_NONE;
}

static int x11_open(char why[FOCUS_TEXT_BYTES])
{
	static const uint32_t mask = XCB_EVENT_MASK_PROPERTY_CHANGE;
	xcb_screen_iterator_t screens;
	int screen;

	x11.conn = xcb_connect(NULL, &screen);
	if (xcb_connection_has_error(x11.conn)) {
		const char *display = getenv("DISPLAY");

		snprintf(why, FOCUS_TEXT_BYTES, "no X server answers at DISPLAY=%s",
			 display ? display : "");
		x11_close();
		return -ENOTSUP;
	}
	for (screens = xcb_setup_roots_iterator(xcb_get_setup(x11.conn)); screen > 0; screen--)
		xcb_screen_next(&screens);
	x11.root = screens.data->root;
	gethostname(x11.host, sizeof(x11.host) - 1);
	/* First the events, then the questions: nothing happens unseen in between. */
	xcb_change_window_attributes(x11.conn, x11.root, XCB_CW_EVENT_MASK, &mask);
	intern();
	x11.have_res = server_is_here() && server_knows_clients();
	if (!manager_names_active_window())
		focus_say("no window manager names the active window yet (_NET_ACTIVE_WINDOW)");
	return 0;
}

static bool concerns_focus(const xcb_generic_event_t *event)
{
	const xcb_property_notify_event_t *p = (const void *)event;

	switch (event->response_type & 0x7f) {
	case XCB_PROPERTY_NOTIFY:
		return (p->window == x11.root && p->atom == x11.active) ||
		       (p->window == x11.watched && (p->atom == x11.wm_pid ||
						     p->atom == x11.machine));
	case XCB_DESTROY_NOTIFY:
		return ((const xcb_destroy_notify_event_t *)event)->window == x11.watched;
	default:
		return false;
	}
}

static int x11_dispatch(void)
{
	xcb_generic_event_t *event;
	int moved = 0;

	while ((event = xcb_poll_for_event(x11.conn))) {
		moved |= concerns_focus(event);
		free(event);
	}
	return xcb_connection_has_error(x11.conn) ? -EPIPE : moved;
}

/* 0 if the property is not one 32-bit number. */
static uint32_t number_of(xcb_get_property_cookie_t cookie)
{
	xcb_get_property_reply_t *reply = xcb_get_property_reply(x11.conn, cookie, NULL);
	uint32_t value = 0;

	if (reply && reply->format == 32 && xcb_get_property_value_length(reply) == 4)
		value = *(uint32_t *)xcb_get_property_value(reply);
	free(reply);
	return value;
}

static void text_of(xcb_get_property_cookie_t cookie, char *text, size_t size)
{
	xcb_get_property_reply_t *reply = xcb_get_property_reply(x11.conn, cookie, NULL);
	int n = reply && reply->format == 8 ? xcb_get_property_value_length(reply) : 0;

	snprintf(text, size, "%.*s", n, n ? (char *)xcb_get_property_value(reply) : "");
	free(reply);
}

/* The server's word, 0 if it has none. */
static pid_t client_pid(xcb_res_query_client_ids_cookie_t cookie)
{
	xcb_res_query_client_ids_reply_t *reply;
	xcb_res_client_id_value_iterator_t ids;
	pid_t pid = 0;

	reply = xcb_res_query_client_ids_reply(x11.conn, cookie, NULL);
	if (!reply)
		return 0;
	for (ids = xcb_res_query_client_ids_ids_iterator(reply); ids.rem;
	     xcb_res_client_id_value_next(&ids))
		if ((ids.data->spec.mask & XCB_RES_CLIENT_ID_MASK_LOCAL_CLIENT_PID) &&
		    xcb_res_client_id_value_value_length(ids.data) == 1)
			pid = (pid_t)*xcb_res_client_id_value_value(ids.data);
	free(reply);
	return pid;
}

/* The window may get its process number, or go, while it is the active one. */
static void watch(xcb_window_t window)
{
	static const uint32_t nothing = XCB_EVENT_MASK_NO_EVENT;
	static const uint32_t mask = XCB_EVENT_MASK_PROPERTY_CHANGE |
				     XCB_EVENT_MASK_STRUCTURE_NOTIFY;

	if (window == x11.watched)
		return;
	if (x11.watched && x11.watched != x11.root)
		xcb_change_window_attributes(x11.conn, x11.watched, XCB_CW_EVENT_MASK, &nothing);
	if (window && window != x11.root)
		xcb_change_window_attributes(x11.conn, window, XCB_CW_EVENT_MASK, &mask);
	x11.watched = window;
}

/* "host" and "host.domain" are the same. */
static bool is_this_host(const char *machine)
{
	size_t n = strcspn(machine, "."), m = strcspn(x11.host, ".");

	if (machine[n] && x11.host[m])
		return !strcasecmp(machine, x11.host);
	return n == m && !strncasecmp(machine, x11.host, n);
}

static void describe(struct focus_window *w, xcb_window_t window)
{
	xcb_res_client_id_spec_t spec = {
		.client = window, .mask = XCB_RES_CLIENT_ID_MASK_LOCAL_CLIENT_PID,
	};
	xcb_get_property_cookie_t claim, machine, class;
	xcb_res_query_client_ids_cookie_t ids = { 0 };
	pid_t claimed, known = 0;
	char host[256], *name;

	claim = ask(window, x11.wm_pid, XCB_ATOM_CARDINAL, 1);
	machine = ask(window, x11.machine, XCB_GET_PROPERTY_TYPE_ANY, PROPERTY_WORDS);
	class = ask(window, XCB_ATOM_WM_CLASS, XCB_ATOM_STRING, PROPERTY_WORDS);
	if (x11.have_res)
		ids = xcb_res_query_client_ids(x11.conn, 1, &spec);
	claimed = (pid_t)number_of(claim);
	text_of(machine, host, sizeof(host));
	/* Two strings, one behind the other; the first is enough. */
	text_of(class, w->app_id, sizeof(w->app_id));
	for (name = w->app_id; *name; name++)
		if ((unsigned char)*name < ' ')
			*name = '?';
	if (x11.have_res)
		known = client_pid(ids);

	if (host[0] && !is_this_host(host)) {
		focus_nobody(w, "window 0x%x belongs to a program on %.64s", window, host);
	} else if (known > 0) {
		w->pid = known;
		if (claimed && claimed != known)
			focus_why(w, "by the server, though window 0x%x claims %d", window,
				  (int)claimed);
		else
			focus_why(w, "by the server");
	} else if (claimed > 0 && host[0]) {
		w->pid = claimed;
		focus_why(w, "claimed by window 0x%x", window);
	} else if (claimed > 0) {
		focus_nobody(w, "window 0x%x claims process %d, but not on which host", window,
			     (int)claimed);
	} else {
		focus_nobody(w, "window 0x%x does not tell its process", window);
	}
}

static void x11_current(struct focus_window *w)
{
	xcb_window_t window;

	window = number_of(ask(x11.root, x11.active, XCB_ATOM_WINDOW, 1));
	watch(window);
	if (window == XCB_WINDOW_NONE || window == x11.root)
		focus_nobody(w, "no window is active");
	else
		describe(w, window);
	xcb_flush(x11.conn);
}

const struct focus_backend focus_x11 = {
	.name = "x11",
	.about = "X11 window managers: _NET_ACTIVE_WINDOW",
	.wants = "DISPLAY is not set, or WAYLAND_DISPLAY is",
	.probe = x11_probe,
	.open = x11_open,
	.fd = x11_fd,
	.at_server = true,
	.dispatch = x11_dispatch,
	.current = x11_current,
	.close = x11_close,
};
