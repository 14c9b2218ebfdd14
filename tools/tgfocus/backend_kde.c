// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * KDE: KWin lends its windows to scripts.  This loads one into it that calls back
 * over the session bus whenever another window is activated:
 *
 *	org.timegraph.Focus  /org/timegraph/Focus  org.timegraph.Focus
 *	Activated(s process)		"" for nobody
 *
 * Only KWin's calls count.  When KWin is started anew, so is the script; it is
 * taken out at the end.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <systemd/sd-bus.h>

#include "focus.h"

#define NAME "org.timegraph.Focus"
#define OBJECT "/org/timegraph/Focus"
#define KWIN "org.kde.KWin"
#define SCRIPTING "/Scripting", "org.kde.kwin.Scripting"
#define PLUGIN "tgfocus"

/*
 * KWin has its name on the bus a while before it lends itself to scripts, and does
 * not say when: so long it is asked again.
 */
#define RETRIES 60
#define RETRY_S 1

static struct {
	sd_bus *bus;
	int epoll, timer;
	unsigned int retries;		/* left */
	char kwin[64];			/* its unique name on the bus, "" if it is not there */
	bool moved;
	struct focus_window window;
} kde = { .epoll = -1, .timer = -1 };

static bool kde_probe(void)
{
	return focus_desktop_is("KDE");
}

static int on_activated(sd_bus_message *m, void *data, sd_bus_error *error)
{
	const char *sender = sd_bus_message_get_sender(m), *text;
	char *end;
	long pid;

	(void)data;
	if (!sender || strcmp(sender, kde.kwin))
		return sd_bus_error_set(error, SD_BUS_ERROR_ACCESS_DENIED, "only for KWin");
	if (sd_bus_message_read(m, "s", &text) < 0)
		return -EINVAL;
	errno = 0;
	pid = strtol(text, &end, 10);
	if (!*text) {
		focus_nobody(&kde.window, "no window is active");
	} else if (*end || pid <= 0 || pid > INT_MAX || errno) {
		focus_nobody(&kde.window, "KWin's answer is no process: %.64s", text);
	} else {
		kde.window.pid = (pid_t)pid;
		focus_why(&kde.window, "by KWin");
	}
	kde.moved = true;
	return sd_bus_reply_method_return(m, "");
}

static const sd_bus_vtable vtable[] = {
	SD_BUS_VTABLE_START(0),
	SD_BUS_METHOD("Activated", "s", "", on_activated, SD_BUS_VTABLE_UNPRIVILEGED),
	SD_BUS_VTABLE_END,
};

/* --- the script in KWin */

static int on_started(sd_bus_message *m, void *data, sd_bus_error *error)
{
	const sd_bus_error *e = sd_bus_message_get_error(m);

	(void)data, (void)error;
	if (e)
		focus_say("KWin does not start the script: %s", e->message ? e->message : e->name);
	return 0;
}

static void retry(void)
{
	const struct itimerspec soon = { .it_value.tv_sec = RETRY_S };

	kde.retries--;
	timerfd_settime(kde.timer, 0, &soon, NULL);
}

static int on_loaded(sd_bus_message *m, void *data, sd_bus_error *error)
{
	const sd_bus_error *e = sd_bus_message_get_error(m);

	(void)data, (void)error;
	if (e && kde.retries) {
		retry();
		return 0;
	}
	if (e) {
		focus_say("KWin does not load %s: %s", FOCUS_KWIN_SCRIPT,
			  e->message ? e->message : e->name);
		return 0;
	}
	sd_bus_call_method_async(kde.bus, NULL, KWIN, SCRIPTING, "start", on_started, NULL, "");
	return 0;
}

static int on_unloaded(sd_bus_message *m, void *data, sd_bus_error *error)
{
	(void)m, (void)data, (void)error;
	sd_bus_call_method_async(kde.bus, NULL, KWIN, SCRIPTING, "loadScript", on_loaded, NULL,
				 "ss", FOCUS_KWIN_SCRIPT, PLUGIN);
	return 0;
}

/* What an earlier tgfocus left behind when it was killed must go first. */
static int load_script(void)
{
	focus_nobody(&kde.window, "KWin has not said yet");
	return sd_bus_call_method_async(kde.bus, NULL, KWIN, SCRIPTING, "unloadScript",
					on_unloaded, NULL, "s", PLUGIN);
}

static void set_kwin(const char *name)
{
	snprintf(kde.kwin, sizeof(kde.kwin), "%s", name);
	if (*name) {
		kde.retries = RETRIES;
		load_script();
	} else {
		focus_nobody(&kde.window, "KWin does not run");
		kde.moved = true;
	}
}

static int on_owner(sd_bus_message *m, void *data, sd_bus_error *error)
{
	const char *name, *before, *after;

	(void)data, (void)error;
	if (sd_bus_message_read(m, "sss", &name, &before, &after) >= 0)
		set_kwin(after);
	return 0;
}

static int find_kwin(void)
{
	sd_bus_creds *creds = NULL;
	const char *name = "";
	int error;

	error = sd_bus_get_name_creds(kde.bus, KWIN, SD_BUS_CREDS_UNIQUE_NAME, &creds);
	if (error >= 0)
		error = sd_bus_creds_get_unique_name(creds, &name);
	if (error >= 0)
		set_kwin(name);
	sd_bus_creds_unref(creds);
	return error;
}

/* --- the backend */

static void kde_close(void)
{
	if (kde.bus && kde.kwin[0]) {
		sd_bus_call_method_async(kde.bus, NULL, KWIN, SCRIPTING, "unloadScript", NULL,
					 NULL, "s", PLUGIN);
		sd_bus_flush(kde.bus);
	}
	kde.bus = sd_bus_flush_close_unref(kde.bus);
	if (kde.timer >= 0)
		close(kde.timer);
	if (kde.epoll >= 0)
		close(kde.epoll);
	memset(&kde, 0, sizeof(kde));
	kde.epoll = kde.timer = -1;
}

/* One descriptor for the bus and the timer. */
static int join(void)
{
	struct epoll_event e = { .events = EPOLLIN };

	kde.timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	kde.epoll = epoll_create1(EPOLL_CLOEXEC);
	if (kde.timer < 0 || kde.epoll < 0 ||
	    epoll_ctl(kde.epoll, EPOLL_CTL_ADD, kde.timer, &e) ||
	    epoll_ctl(kde.epoll, EPOLL_CTL_ADD, sd_bus_get_fd(kde.bus), &e))
		return -errno;
	return 0;
}

static int kde_open(char why[FOCUS_TEXT_BYTES])
{
	const char *step = "no session bus";
	int error;

	error = sd_bus_open_user(&kde.bus);
	if (error < 0)
		goto failed;
	step = NAME " cannot be had on the session bus";
	error = join();
	if (error >= 0)
		error = sd_bus_add_object_vtable(kde.bus, NULL, OBJECT, NAME, vtable, NULL);
	if (error >= 0)
		error = sd_bus_request_name(kde.bus, NAME, 0);
	if (error < 0)
		goto failed;
	step = "the session bus does not tell who comes and goes";
	error = sd_bus_add_match(kde.bus, NULL,
				 "type='signal',sender='org.freedesktop.DBus',"
				 "interface='org.freedesktop.DBus',"
				 "member='NameOwnerChanged',arg0='" KWIN "'", on_owner, NULL);
	if (error < 0)
		goto failed;
	step = "KWin is not on the session bus";
	error = find_kwin();
	if (error < 0)
		goto failed;
	return 0;
failed:
	snprintf(why, FOCUS_TEXT_BYTES, "%s: %s", step, strerror(-error));
	kde_close();
	return -ENOTSUP;
}

static int kde_fd(void)
{
	return kde.epoll;
}

static int kde_dispatch(void)
{
	uint64_t expired;
	bool moved;
	int got;

	if (read(kde.timer, &expired, sizeof(expired)) == sizeof(expired) && kde.kwin[0])
		load_script();
	while ((got = sd_bus_process(kde.bus, NULL)) > 0)
		;
	if (got < 0)
		return got;
	sd_bus_flush(kde.bus);
	moved = kde.moved;
	kde.moved = false;
	return moved;
}

static void kde_current(struct focus_window *w)
{
	*w = kde.window;
}

const struct focus_backend focus_kde = {
	.name = "kde",
	.about = "KDE: a script in KWin, over D-Bus",
	.wants = "XDG_CURRENT_DESKTOP has no KDE",
	.probe = kde_probe,
	.open = kde_open,
	.fd = kde_fd,
	.dispatch = kde_dispatch,
	.current = kde_current,
	.close = kde_close,
	.told = true,
};
