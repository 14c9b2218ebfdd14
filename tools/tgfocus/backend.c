// SPDX-License-Identifier: GPL-2.0-or-later
/* The list of backends, and what they share. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "focus.h"

/*
 * Those that know a process come before those that only know a name.  X11 is
 * asked when there is nothing else: under Wayland an X server sees only part of
 * the windows.
 */
const struct focus_backend *const focus_backends[] = {
	&focus_sway,
#ifdef FOCUS_HAVE_KDE
	&focus_kde,
#endif
	&focus_gnome,
#ifdef FOCUS_HAVE_WLROOTS
	&focus_wlroots,
#endif
#ifdef FOCUS_HAVE_X11
	&focus_x11,
#endif
	&focus_exec,
	NULL
};

const char *focus_backend_names(void)
{
	static char names[128];
	const struct focus_backend *const *b;

	names[0] = '\0';
	for (b = focus_backends; *b; b++) {
		if (b != focus_backends)
			strcat(names, " ");
		strcat(names, (*b)->name);
	}
	return names;
}

const struct focus_backend *focus_backend_find(const char *name)
{
	const struct focus_backend *const *b;

	for (b = focus_backends; *b; b++)
		if (!strcmp((*b)->name, name))
			return *b;
	return NULL;
}

void focus_nobody(struct focus_window *w, const char *format, ...)
{
	va_list args;

	w->pid = 0;
	w->cgroup[0] = '\0';
	va_start(args, format);
	vsnprintf(w->why, sizeof(w->why), format, args);
	va_end(args);
}

void focus_why(struct focus_window *w, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(w->why, sizeof(w->why), format, args);
	va_end(args);
}

bool focus_desktop_is(const char *word)
{
	const char *list = getenv("XDG_CURRENT_DESKTOP");
	size_t n;

	for (; list && *list; list += n + (list[n] == ':')) {
		n = strcspn(list, ":");
		if (n == strlen(word) && !strncasecmp(list, word, n))
			return true;
	}
	return false;
}
