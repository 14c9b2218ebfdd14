/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tgfocus: who has the focus, told to the module.
 *
 *	backend (one desktop each)  --struct focus_window-->  unit (which processes
 *	belong to it)  --struct focus_unit-->  device (/dev/timegraph)
 *
 * The daemon (daemon.c) only waits: for the desktop, for the module's events, for
 * the device node to appear, for signals.
 */
#ifndef TGFOCUS_FOCUS_H
#define TGFOCUS_FOCUS_H

#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define FOCUS_TEXT_BYTES 192

/* Exit statuses; also in the manual. */
enum focus_exit {
	FOCUS_EXIT_OK = 0,
	FOCUS_EXIT_FAILED = 1,
	FOCUS_EXIT_USAGE = 2,
	FOCUS_EXIT_NOBODY = 3,	/* --once: nobody can be told to have the focus */
	FOCUS_EXIT_NO_DESKTOP = 4,
	FOCUS_EXIT_RUNNING = 5,	/* another instance serves this session */
};

/**
 * struct focus_window - what a backend knows about the window with the focus
 * @pid: its process, 0 if unknown
 * @cgroup: or its application's control group, below the cgroup file system's
 *	root and beginning with '/'; "" if unknown
 * @app_id: what the application calls itself, for people; ""
 * @why: where @pid or @cgroup come from, or, with neither, why nobody has the
 *	focus for certain
 */
struct focus_window {
	pid_t pid;
	char cgroup[PATH_MAX];
	char app_id[128];
	char why[FOCUS_TEXT_BYTES];
};

/* The window is nobody's, for a reason. */
void focus_nobody(struct focus_window *w, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void focus_why(struct focus_window *w, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/**
 * struct focus_backend - one kind of desktop
 * @name: for --backend
 * @about: for --help, what it talks to
 * @wants: what @probe looks for, as a person would say that it is missing
 * @probe: is this session of its kind?  Looks at the environment alone, so that
 *	asking all backends costs nothing.  NULL: only when named.
 * @open: connects and asks for events.  0, or -errno after saying why not in
 *	@why; -ENOTSUP: this desktop lacks what the backend needs, try the next.
 * @fd: readable when @dispatch has something to do.
 * @dispatch: never waits.  1: the focus may have moved; 0: it has not; -errno:
 *	the connection is gone, -EPIPE: at its other end.
 * @current: fills in the window; may ask the desktop and wait for the answer.
 * @close: also after a failed @dispatch.
 * @ended: how the other end went, after @dispatch said -EPIPE; NULL: nothing is known.
 * @at_server: @fd is connected to the display server itself.
 * @told: the desktop tells and cannot be asked: @current knows nothing at first.
 *
 * All are called by the daemon's only thread.  One backend is open at a time, so
 * each keeps its state to itself.
 */
struct focus_backend {
	const char *name;
	const char *about;
	const char *wants;
	bool (*probe)(void);
	int (*open)(char why[FOCUS_TEXT_BYTES]);
	int (*fd)(void);
	int (*dispatch)(void);
	void (*current)(struct focus_window *w);
	void (*close)(void);
	const char *(*ended)(void);
	bool at_server;
	bool told;
};

/*
 * A connection to the display server that the environment names, for backends that have
 * none: WAYLAND_DISPLAY, else DISPLAY.  Nothing is said on it.  -1: there is none here.
 */
int focus_display_open(void);

extern const struct focus_backend focus_x11, focus_wlroots, focus_sway, focus_gnome,
	focus_kde, focus_exec;
/* In the order they are tried, NULL behind the last. */
extern const struct focus_backend *const focus_backends[];
/* "x11 sway exec": what this program was built with. */
const char *focus_backend_names(void);
const struct focus_backend *focus_backend_find(const char *name);

/* --exec: the command of the exec backend. */
extern const char *focus_exec_command;

/* Messages: to standard error, the line complete and with the program's name. */
extern bool focus_verbose;
void focus_say(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* With --verbose only. */
void focus_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * The process @pid, as this process numbers it, is in no namespace below this
 * one's: the numbers that it knows are the same ones.
 */
bool focus_same_namespace(pid_t pid);

/* A word of XDG_CURRENT_DESKTOP, which is a list with ':' between. */
bool focus_desktop_is(const char *word);

#endif
