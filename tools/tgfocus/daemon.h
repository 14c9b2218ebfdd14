/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TGFOCUS_DAEMON_H
#define TGFOCUS_DAEMON_H

#include "unit.h"

/*
 * daemon_run - follow the focus until a signal comes or the desktop goes
 * @b: an open backend
 * @dry: decide, but tell nobody
 *
 * Return: an enum focus_exit.
 */
int daemon_run(const struct focus_backend *b, bool dry);

/*
 * daemon_look - what is in the foreground now
 *
 * A backend that is told by the desktop, and cannot ask, gets a moment to be told.
 */
void daemon_look(const struct focus_backend *b, struct focus_window *w,
		 struct focus_unit *unit);

#endif
