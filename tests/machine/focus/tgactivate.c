// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Moves the focus, and leaves a mark at the moment of the request:
 *
 *	tgactivate x11|sway NAME [MARK-FILE]
 *
 * As a click does: the window manager or compositor is asked by a message, and its
 * answer takes its time. What a program needs to start is over by then.
 */
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <xcb/xcb.h>

#include "x11.h"

static const char *mark_file;

static void mark(void)
{
	static const char text[] = "move\n";
	int fd = mark_file ? open(mark_file, O_WRONLY) : -1;

	if (mark_file && (fd < 0 || write(fd, text, sizeof(text) - 1) < 0))
		perror(mark_file);
	if (fd >= 0)
		close(fd);
}

/* --- sway-ipc(7): "i3-ipc", length, type 0 (run a command), command */

static bool sway_activate(const char *name)
{
	struct sockaddr_un to = { .sun_family = AF_UNIX };
	const char *path = getenv("SWAYSOCK");
	char message[256], answer[256] = "";
	uint32_t size, type = 0;
	int fd;

	snprintf(to.sun_path, sizeof(to.sun_path), "%s", path ? path : "");
	size = (uint32_t)snprintf(message + 14, sizeof(message) - 14, "[app_id=\"^%s$\"] focus",
				  name);
	memcpy(message, "i3-ipc", 6);
	memcpy(message + 6, &size, 4);
	memcpy(message + 10, &type, 4);
	fd = socket(AF_UNIX, SOCK_STREAM, 0);
	if (fd < 0 || connect(fd, (struct sockaddr *)&to, sizeof(to))) {
		perror("SWAYSOCK");
		return false;
	}
	mark();
	if (write(fd, message, 14 + size) != 14 + (ssize_t)size ||
	    read(fd, answer, 14) != 14 || read(fd, answer, sizeof(answer) - 1) <= 0)
		return false;
	return strstr(answer, "true") != NULL;
}

/* --- Extended Window Manager Hints: a message to the root window */

static xcb_connection_t *conn;
static xcb_window_t root;

static xcb_get_property_reply_t *property(xcb_window_t window, xcb_atom_t name)
{
	return xcb_get_property_reply(conn, xcb_get_property(conn, 0, window, name,
							     XCB_GET_PROPERTY_TYPE_ANY, 0, 256),
				      NULL);
}

static bool has_class(xcb_window_t window, const char *name)
{
	xcb_get_property_reply_t *class = property(window, XCB_ATOM_WM_CLASS);
	bool has = class && xcb_get_property_value_length(class) > (int)strlen(name) &&
		   !strcmp(xcb_get_property_value(class), name);

	free(class);
	return has;
}

static xcb_window_t find(const char *name)
{
	xcb_get_property_reply_t *list = property(root, x11_atom(conn, "_NET_CLIENT_LIST"));
	xcb_window_t *windows = list ? xcb_get_property_value(list) : NULL, found = 0;
	int i, n = list ? xcb_get_property_value_length(list) / 4 : 0;

	for (i = 0; i < n; i++)
		if (has_class(windows[i], name))
			found = windows[i];
	free(list);
	return found;
}

static bool x11_activate(const char *name)
{
	xcb_client_message_event_t message = { .response_type = XCB_CLIENT_MESSAGE, .format = 32 };
	xcb_get_input_focus_reply_t *done;

	conn = xcb_connect(NULL, NULL);
	if (xcb_connection_has_error(conn)) {
		fprintf(stderr, "tgactivate: no X server\n");
		return false;
	}
	root = xcb_setup_roots_iterator(xcb_get_setup(conn)).data->root;
	message.window = find(name);
	message.type = x11_atom(conn, "_NET_ACTIVE_WINDOW");
	message.data.data32[0] = 2; /* as a pager: the user wants it */
	if (!message.window) {
		fprintf(stderr, "tgactivate: no window %s\n", name);
		return false;
	}
	mark();
	xcb_send_event(conn, 0, root, XCB_EVENT_MASK_SUBSTRUCTURE_REDIRECT |
		       XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY, (const char *)&message);
	/* The server has it when it has answered something that came later. */
	done = xcb_get_input_focus_reply(conn, xcb_get_input_focus(conn), NULL);
	free(done);
	return !xcb_connection_has_error(conn);
}

int main(int argc, char **argv)
{
	if (argc < 3 || argc > 4) {
		fprintf(stderr, "usage: tgactivate x11|sway NAME [MARK-FILE]\n");
		return 2;
	}
	mark_file = argv[3];
	return !(strcmp(argv[1], "sway") ? x11_activate(argv[2]) : sway_activate(argv[2]));
}
