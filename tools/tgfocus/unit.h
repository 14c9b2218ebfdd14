/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The unit that is boosted: all processes of the application that owns the
 * window.
 *
 * A desktop that starts each application in a control group of its own (systemd's
 * "app-….scope" and "app-….service", see "Desktop Environments" in systemd's
 * documentation) says exactly what belongs together, whoever forked whom. Else,
 * and for a program that was started from within another application (from a
 * terminal, say), the unit is the window's process and its descendants, but for those
 * that the desktop gave a group of their own.
 */
#ifndef TGFOCUS_UNIT_H
#define TGFOCUS_UNIT_H

#include "focus.h"

#define UNIT_PIDS_MAX 4096	/* TIMEGRAPH_FOREGROUND_MAX */

enum focus_unit_kind {
	FOCUS_UNIT_NONE,
	FOCUS_UNIT_CGROUP,
	FOCUS_UNIT_TREE,
};

struct focus_unit {
	enum focus_unit_kind kind;
	char name[NAME_MAX + 1];	/* of the control group or of the process */
	uint32_t nr_pids;
	int32_t pids[UNIT_PIDS_MAX];	/* ascending */
	char why[FOCUS_TEXT_BYTES];	/* of FOCUS_UNIT_NONE */
};

/* Where processes and control groups are; tests have their own. */
struct focus_roots {
	const char *proc, *cgroup;
	uid_t uid;
};

extern struct focus_roots focus_roots;

void focus_unit_resolve(struct focus_unit *unit, const struct focus_window *w);
bool focus_unit_equal(const struct focus_unit *a, const struct focus_unit *b);
/* "tree", "cgroup", "none" */
const char *focus_unit_kind_name(enum focus_unit_kind kind);

/* A name as "app-gnome-org.gnome.Maps-1234.scope": an application's own group. */
bool focus_unit_is_app(const char *name);
/* The application's name in it is @app_id, with or without a launcher before it. */
bool focus_unit_is_app_id(const char *name, const char *app_id);

/*
 * Calls visit() for each unit's group in this user's app.slice, with its path below
 * the root; stops when it returns true.
 */
void focus_unit_each(bool (*visit)(const char *path, void *data), void *data);
/* "/user.slice/user-1000.slice/user@1000.service/app.slice", or "" */
void focus_unit_app_slice(char path[PATH_MAX]);

#endif
