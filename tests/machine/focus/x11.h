/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the tests' X11 programs share. */
#ifndef X11_H
#define X11_H

#include <stdlib.h>
#include <string.h>

#include <xcb/xcb.h>

/* The atom of this name, made if need be; XCB_ATOM_NONE if the server is gone. */
static inline xcb_atom_t x11_atom(xcb_connection_t *conn, const char *name)
{
	xcb_intern_atom_reply_t *reply = xcb_intern_atom_reply(
		conn, xcb_intern_atom(conn, 0, (uint16_t)strlen(name), name), NULL);
	xcb_atom_t value = reply ? reply->atom : XCB_ATOM_NONE;

	free(reply);
	return value;
}

#endif
