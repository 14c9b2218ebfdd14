// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Compositors with wlr-foreign-toplevel-management-unstable-v1 (labwc, wayfire,
 * river, sway, …): they tell which windows are "activated" and how their
 * applications call themselves, but not their processes.
 *
 * The process is looked for where applications run in control groups of their own:
 * the one group whose name has the window's app_id.  None or several: nobody.
 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <wayland-client.h>

#include "unit.h"
#include "wlr-foreign-toplevel-management-unstable-v1-client.h"

#define MANAGER_VERSION 1	/* all that is needed is there since the first */

struct toplevel {
	struct wl_list link;
	struct zwlr_foreign_toplevel_handle_v1 *handle;
	char app_id[128];
	bool activated;
	/* Told, but not in force before "done". */
	char next_app_id[128];
	bool next_activated;
};

static struct {
	struct wl_display *display;
	struct wl_registry *registry;
	struct zwlr_foreign_toplevel_manager_v1 *manager;
	struct wl_list toplevels;
	bool moved, finished;
} wlr;

static bool wlroots_probe(void)
{
	return getenv("WAYLAND_DISPLAY") != NULL;
}

/* --- one window */

static void on_title(void *data, struct zwlr_foreign_toplevel_handle_v1 *handle,
		     const char *title)
{
	(void)data, (void)handle, (void)title;
}

static void on_app_id(void *data, struct zwlr_foreign_toplevel_handle_v1 *handle,
		      const char *app_id)
{
	struct toplevel *t = data;

	(void)handle;
	snprintf(t->next_app_id, sizeof(t->next_app_id), "%s", app_id);
}

static void on_output(void *data, struct zwlr_foreign_toplevel_handle_v1 *handle,
		      struct wl_output *output)
{
	(void)data, (void)handle, (void)output;
}

static void on_state(void *data, struct zwlr_foreign_toplevel_handle_v1 *handle,
		     struct wl_array *states)
{
	struct toplevel *t = data;
	const uint32_t *state;

	(void)handle;
	t->next_activated = false;
	wl_array_for_each(state, states)
		t->next_activated |= *state == ZWLR_FOREIGN_TOPLEVEL_HANDLE_V1_STATE_ACTIVATED;
}

static void on_done(void *data, struct zwlr_foreign_toplevel_handle_v1 *handle)
{
	struct toplevel *t = data;

	(void)handle;
	wlr.moved |= t->activated != t->next_activated || strcmp(t->app_id, t->next_app_id);
	t->activated = t->next_activated;
	memcpy(t->app_id, t->next_app_id, sizeof(t->app_id));
}

static void forget(struct toplevel *t)
{
	zwlr_foreign_toplevel_handle_v1_destroy(t->handle);
	wl_list_remove(&t->link);
	free(t);
}

static void on_closed(void *data, struct zwlr_foreign_toplevel_handle_v1 *handle)
{
	struct toplevel *t = data;

	(void)handle;
	wlr.moved |= t->activated;
	forget(t);
}

static const struct zwlr_foreign_toplevel_handle_v1_listener toplevel_listener = {
	.title = on_title,
	.app_id = on_app_id,
	.output_enter = on_output,
	.output_leave = on_output,
	.state = on_state,
	.done = on_done,
	.closed = on_closed,
};

/* --- the list of windows */

static void on_toplevel(void *data, struct zwlr_foreign_toplevel_manager_v1 *manager,
			struct zwlr_foreign_toplevel_handle_v1 *handle)
{
	struct toplevel *t = calloc(1, sizeof(*t));

	(void)data, (void)manager;
	if (!t) {
		/* With a window unknown nobody can be said to be the only one. */
		wlr.finished = true;
		return;
	}
	t->handle = handle;
	wl_list_insert(&wlr.toplevels, &t->link);
	zwlr_foreign_toplevel_handle_v1_add_listener(handle, &toplevel_listener, t);
}

static void on_finished(void *data, struct zwlr_foreign_toplevel_manager_v1 *manager)
{
	(void)data, (void)manager;
	wlr.finished = true;
}

static const struct zwlr_foreign_toplevel_manager_v1_listener manager_listener = {
	.toplevel = on_toplevel,
	.finished = on_finished,
};

static void on_global(void *data, struct wl_registry *registry, uint32_t name,
		      const char *interface, uint32_t version)
{
	(void)data, (void)version;
	if (wlr.manager || strcmp(interface, zwlr_foreign_toplevel_manager_v1_interface.name))
		return;
	wlr.manager = wl_registry_bind(registry, name,
				       &zwlr_foreign_toplevel_manager_v1_interface,
				       MANAGER_VERSION);
	zwlr_foreign_toplevel_manager_v1_add_listener(wlr.manager, &manager_listener, NULL);
}

static void on_global_remove(void *data, struct wl_registry *registry, uint32_t name)
{
	(void)data, (void)registry, (void)name;
}

static const struct wl_registry_listener registry_listener = {
	.global = on_global,
	.global_remove = on_global_remove,
};

/* --- the backend */

static void wlroots_close(void)
{
	struct toplevel *t, *next;

	wl_list_for_each_safe(t, next, &wlr.toplevels, link)
		forget(t);
	if (wlr.manager)
		zwlr_foreign_toplevel_manager_v1_destroy(wlr.manager);
	if (wlr.registry)
		wl_registry_destroy(wlr.registry);
	if (wlr.display)
		wl_display_disconnect(wlr.display);
	memset(&wlr, 0, sizeof(wlr));
}

/* First round: what there is; second: the windows that there are. */
static int wlroots_open(char why[FOCUS_TEXT_BYTES])
{
	wl_list_init(&wlr.toplevels);
	wlr.display = wl_display_connect(NULL);
	if (!wlr.display) {
		snprintf(why, FOCUS_TEXT_BYTES, "no compositor answers at WAYLAND_DISPLAY");
		goto failed;
	}
	wlr.registry = wl_display_get_registry(wlr.display);
	wl_registry_add_listener(wlr.registry, &registry_listener, NULL);
	if (wl_display_roundtrip(wlr.display) < 0 ||
	    (wlr.manager && wl_display_roundtrip(wlr.display) < 0)) {
		snprintf(why, FOCUS_TEXT_BYTES, "the compositor closed the connection");
		goto failed;
	}
	if (!wlr.manager) {
		snprintf(why, FOCUS_TEXT_BYTES,
			 "the compositor has no wlr-foreign-toplevel-management: it tells nobody which window is active");
		goto failed;
	}
	return 0;
failed:
	wlroots_close();
	return -ENOTSUP;
}

static int wlroots_fd(void)
{
	return wl_display_get_fd(wlr.display);
}

static int wlroots_dispatch(void)
{
	struct pollfd p = { .fd = wlroots_fd(), .events = POLLIN };
	bool moved;

	while (wl_display_prepare_read(wlr.display))
		if (wl_display_dispatch_pending(wlr.display) < 0)
			return -EPIPE;
	wl_display_flush(wlr.display);
	if (poll(&p, 1, 0) == 1) {
		if (wl_display_read_events(wlr.display) < 0)
			return -EPIPE;
	} else {
		wl_display_cancel_read(wlr.display);
	}
	if (wl_display_dispatch_pending(wlr.display) < 0 || wlr.finished)
		return -EPIPE;
	wl_display_flush(wlr.display);
	moved = wlr.moved;
	wlr.moved = false;
	return moved;
}

struct match {
	struct focus_window *window;
	unsigned int count;
};

static bool match(const char *path, void *data)
{
	struct match *m = data;
	const char *name = strrchr(path, '/');

	if (name && focus_unit_is_app_id(name + 1, m->window->app_id) && !m->count++)
		snprintf(m->window->cgroup, sizeof(m->window->cgroup), "%s", path);
	return false;
}

static void wlroots_current(struct focus_window *w)
{
	struct match m = { .window = w };
	struct toplevel *t;
	unsigned int activated = 0;

	wlr.moved = false;
	w->cgroup[0] = w->app_id[0] = '\0';
	wl_list_for_each(t, &wlr.toplevels, link) {
		if (!t->activated)
			continue;
		activated++;
		memcpy(w->app_id, t->app_id, sizeof(w->app_id));
	}
	if (activated != 1) {
		w->app_id[0] = '\0';
		focus_nobody(w, activated ? "%u windows are activated" :
			     "no window is activated", activated);
		return;
	}
	focus_unit_each(match, &m);
	if (m.count == 1)
		focus_why(w, "the only control group of that app_id");
	else if (m.count)
		focus_nobody(w, "%u control groups are of the app_id %.64s", m.count, w->app_id);
	else if (w->app_id[0])
		focus_nobody(w, "no control group is of the app_id '%.64s'", w->app_id);
	else
		focus_nobody(w, "the activated window has no app_id");
}

const struct focus_backend focus_wlroots = {
	.name = "wlroots",
	.about = "wlroots compositors: wlr-foreign-toplevel-management",
	.wants = "WAYLAND_DISPLAY is not set",
	.probe = wlroots_probe,
	.open = wlroots_open,
	.fd = wlroots_fd,
	.at_server = true,
	.dispatch = wlroots_dispatch,
	.current = wlroots_current,
	.close = wlroots_close,
};
