// SPDX-License-Identifier: GPL-2.0-or-later
/* The loop: waits, and when something has moved, resolves the unit anew. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "clock.h"
#include "daemon.h"
#include "device.h"

#define MS_NS 1000000ull
/*
 * After a task came or went the unit is looked up again, but not more often than
 * this: somebody who starts processes without end gets no second process to
 * burn time for him.
 */
#define TASK_INTERVAL_NS (10 * MS_NS)
/*
 * How long --once waits for a desktop that tells and cannot be asked, and for how long
 * that must say nothing more: it may tell of windows before the one that is active now.
 */
#define TOLD_WITHIN_MS 2000
#define SETTLED_MS 300

enum source {
	SOURCE_SIGNAL,
	SOURCE_BACKEND,
	SOURCE_DEVICE,
	SOURCE_WATCH,
};

static struct {
	const struct focus_backend *backend;
	struct focus_device device;
	bool dry;
	int epoll, signals;
	int display;			/* a connection to the server, if the backend has none */
	unsigned int changes;		/* of the device's descriptors, seen so far */
	bool look;			/* the window may be another one */
	bool resolve;			/* its processes may be others */
	uint64_t resolve_ns;		/* ... but not before this time */
	int status;			/* enum focus_exit once it is not negative */
	struct focus_window window;
	struct focus_unit unit, next;
} daemon_state, *const d = &daemon_state;

static bool listen_to(int fd, enum source source)
{
	struct epoll_event e = { .events = EPOLLIN, .data.u32 = source };

	if (!epoll_ctl(d->epoll, EPOLL_CTL_ADD, fd, &e))
		return true;
	focus_say("epoll: %s", strerror(errno));
	return false;
}

/* The device's descriptors change when it comes and goes; a closed one has left. */
static bool device_changed(void)
{
	if (d->changes == d->device.changes)
		return false;
	d->changes = d->device.changes;
	if (d->device.fd >= 0)
		listen_to(d->device.fd, SOURCE_DEVICE);
	if (d->device.watch >= 0)
		listen_to(d->device.watch, SOURCE_WATCH);
	return true;
}

static bool init(void)
{
	sigset_t mask;

	sigemptyset(&mask);
	sigaddset(&mask, SIGINT);
	sigaddset(&mask, SIGTERM);
	sigaddset(&mask, SIGHUP);
	sigprocmask(SIG_BLOCK, &mask, NULL);
	d->signals = signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
	d->epoll = epoll_create1(EPOLL_CLOEXEC);
	d->device.fd = d->device.watch = -1;
	d->status = -1;
	if (d->signals < 0 || d->epoll < 0) {
		focus_say("cannot wait for signals: %s", strerror(errno));
		return false;
	}
	if (!d->dry && device_init(&d->device)) {
		focus_say("cannot wait for the device: %s", strerror(errno));
		return false;
	}
	device_changed();
	return listen_to(d->signals, SOURCE_SIGNAL) &&
	       listen_to(d->backend->fd(), SOURCE_BACKEND);
}

static int server(void)
{
	return d->backend->at_server ? d->backend->fd() : d->display;
}

static void tell(int boosted)
{
	const struct focus_unit *u = &d->unit;

	if (u->kind == FOCUS_UNIT_NONE)
		focus_note("nobody: %s", u->why);
	else
		focus_note("%s %s: %u process%s, %d task%s boosted (window%s%s, process %d %s)",
			   focus_unit_kind_name(u->kind), u->name, u->nr_pids,
			   u->nr_pids == 1 ? "" : "es", boosted, boosted == 1 ? "" : "s",
			   d->window.app_id[0] ? " of " : "", d->window.app_id,
			   (int)d->window.pid, d->window.why);
}

/*
 * Tells the module.  The processes of the unit are looked for a second time, when they
 * can be held to.  Who came in between is added when he gets a channel, which the
 * module tells.
 */
static int tell_module(void)
{
	static struct focus_pins pins;
	int boosted, error = focus_pins_open(&pins, &d->unit);

	if (!error && pins.n) {
		focus_unit_resolve(&d->next, &d->window);
		focus_pins_keep(&pins, &d->next);
		d->unit = d->next;
	}
	boosted = device_set(&d->device, &d->unit, error ? NULL : &pins, server());
	/* If it failed and there is another one already, that one knows nothing. */
	if (boosted < 0 && device_changed() && d->device.fd >= 0) {
		boosted = device_set(&d->device, &d->unit, error ? NULL : &pins, server());
		device_changed();
	}
	if (!error)
		focus_pins_close(&pins);
	return boosted;
}

/* Asks the desktop and the system, and tells the module if the answer is new. */
static void follow(bool force)
{
	int boosted;

	if (d->look) {
		memset(&d->window, 0, sizeof(d->window));
		d->backend->current(&d->window);
		d->look = false;
	}
	focus_unit_resolve(&d->next, &d->window);
	d->resolve = false;
	d->resolve_ns = now_ns() + TASK_INTERVAL_NS;
	if (focus_unit_equal(&d->next, &d->unit) && !force)
		return;
	d->unit = d->next;
	boosted = tell_module();
	if (boosted >= 0)
		tell(boosted);
}

static const char *gone(const struct focus_backend *b, int error)
{
	if (error != EPIPE)
		return strerror(error);
	return b->ended ? b->ended() : "it closed the connection";
}

/*
 * A backend may have read events while it waited for an answer: they are not in
 * its descriptor any more, so it is asked until it has none.
 */
static void follow_desktop(void)
{
	int moved;

	while ((moved = d->backend->dispatch()) > 0) {
		d->look = true;
		follow(false);
	}
	if (moved < 0) {
		focus_say("the desktop (%s) went away: %s", d->backend->name,
			  gone(d->backend, -moved));
		d->status = FOCUS_EXIT_NO_DESKTOP;
	}
}

static void on_signal(void)
{
	struct signalfd_siginfo info;

	if (read(d->signals, &info, sizeof(info)) != sizeof(info))
		return;
	focus_note("ended by signal %u", info.ssi_signo);
	d->status = FOCUS_EXIT_OK;
}

static void handle(enum source source)
{
	switch (source) {
	case SOURCE_SIGNAL:
		on_signal();
		break;
	case SOURCE_BACKEND:
		follow_desktop();
		break;
	case SOURCE_DEVICE:
		if (d->device.fd >= 0)
			d->resolve |= device_event(&d->device);
		if (device_changed())
			follow(true);
		break;
	case SOURCE_WATCH:
		if (d->device.watch >= 0 && device_appeared(&d->device) && device_changed())
			follow(true);
		break;
	}
}

/* -1: nothing is due. */
static int wait_ms(void)
{
	uint64_t now = now_ns();

	if (!d->resolve)
		return -1;
	return d->resolve_ns > now ? (int)((d->resolve_ns - now + MS_NS - 1) / MS_NS) : 0;
}

static void loop(void)
{
	struct epoll_event events[8];
	int i, n;

	while (d->status < 0) {
		n = epoll_wait(d->epoll, events, 8, wait_ms());
		if (n < 0 && errno != EINTR) {
			focus_say("epoll: %s", strerror(errno));
			d->status = FOCUS_EXIT_FAILED;
		}
		for (i = 0; i < n && d->status < 0; i++)
			handle((enum source)events[i].data.u32);
		if (d->status < 0 && d->resolve && now_ns() >= d->resolve_ns)
			follow(false);
	}
}

int daemon_run(const struct focus_backend *b, bool dry)
{
	d->backend = b;
	d->dry = dry;
	d->display = b->at_server || dry ? -1 : focus_display_open();
	focus_pins_init();
	if (!init())
		return FOCUS_EXIT_FAILED;
	focus_note("following the focus by %s", b->name);
	d->look = true;
	follow(true);
	follow_desktop();
	loop();
	device_fini(&d->device);
	close(d->signals);
	close(d->epoll);
	if (d->display >= 0)
		close(d->display);
	return d->status;
}

/* Also what was told before the other end went, if that has told anything. */
static void wait_to_be_told(const struct focus_backend *b)
{
	struct pollfd p = { .fd = b->fd(), .events = POLLIN };
	uint64_t end = now_ns() + TOLD_WITHIN_MS * MS_NS, now;
	uint64_t settled = end;
	int moved = 0;

	while (moved >= 0 && (now = now_ns()) < settled && now < end) {
		uint64_t until = settled < end ? settled : end;

		if (poll(&p, 1, (int)((until - now + MS_NS - 1) / MS_NS)) < 1)
			continue;
		moved = b->dispatch();
		if (moved > 0)
			settled = now_ns() + SETTLED_MS * MS_NS;
	}
}

void daemon_look(const struct focus_backend *b, struct focus_window *w,
		 struct focus_unit *unit)
{
	memset(w, 0, sizeof(*w));
	if (b->told)
		wait_to_be_told(b);
	b->current(w);
	focus_unit_resolve(unit, w);
}
