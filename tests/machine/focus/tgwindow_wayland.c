// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The same for Wayland. Of xdg-shell only the messages that a plain window needs
 * are described here, in the order that gives them their numbers (source: the
 * protocol's stable version 1), so that the test needs no package for them.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <wayland-client.h>

#include "tgwindow.h"

#define WIDTH 200
#define HEIGHT 150

/* --- xdg-shell */

static const struct wl_interface xdg_surface_interface, xdg_toplevel_interface;
static const struct wl_interface *no_types[4];
static const struct wl_interface *get_surface_types[] = { &xdg_surface_interface,
							  &wl_surface_interface };
static const struct wl_interface *get_toplevel_types[] = { &xdg_toplevel_interface };

static const struct wl_message wm_base_requests[] = {
	{ "destroy", "", no_types },
	{ "create_positioner", "n", no_types },
	{ "get_xdg_surface", "no", get_surface_types },
	{ "pong", "u", no_types },
};
static const struct wl_message wm_base_events[] = { { "ping", "u", no_types } };
static const struct wl_interface xdg_wm_base_interface = {
	"xdg_wm_base", 1, 4, wm_base_requests, 1, wm_base_events,
};
enum { WM_BASE_GET_SURFACE = 2, WM_BASE_PONG = 3 };

static const struct wl_message surface_requests[] = {
	{ "destroy", "", no_types },
	{ "get_toplevel", "n", get_toplevel_types },
	{ "get_popup", "n?oo", no_types },
	{ "set_window_geometry", "iiii", no_types },
	{ "ack_configure", "u", no_types },
};
static const struct wl_message surface_events[] = { { "configure", "u", no_types } };
static const struct wl_interface xdg_surface_interface = {
	"xdg_surface", 1, 5, surface_requests, 1, surface_events,
};
enum { SURFACE_GET_TOPLEVEL = 1, SURFACE_ACK_CONFIGURE = 4 };

static const struct wl_message toplevel_requests[] = {
	{ "destroy", "", no_types },
	{ "set_parent", "?o", no_types },
	{ "set_title", "s", no_types },
	{ "set_app_id", "s", no_types },
};
static const struct wl_message toplevel_events[] = {
	{ "configure", "iia", no_types },
	{ "close", "", no_types },
};
static const struct wl_interface xdg_toplevel_interface = {
	"xdg_toplevel", 1, 4, toplevel_requests, 2, toplevel_events,
};
enum { TOPLEVEL_SET_TITLE = 2, TOPLEVEL_SET_APP_ID = 3 };

/* --- the window */

static struct wl_display *display;
static struct wl_compositor *compositor;
static struct wl_shm *shm;
static struct wl_proxy *wm_base, *xdg_surface, *toplevel;
static struct wl_surface *surface;
static struct wl_buffer *buffer;

static void on_ping(void *data, struct wl_proxy *proxy, uint32_t serial)
{
	(void)data;
	wl_proxy_marshal_flags(proxy, WM_BASE_PONG, NULL, 1, 0, serial);
}

/* The first one allows the first picture. */
static void on_configure(void *data, struct wl_proxy *proxy, uint32_t serial)
{
	(void)data;
	wl_proxy_marshal_flags(proxy, SURFACE_ACK_CONFIGURE, NULL, 1, 0, serial);
	wl_surface_attach(surface, buffer, 0, 0);
	wl_surface_commit(surface);
}

static void on_size(void *data, struct wl_proxy *proxy, int32_t width, int32_t height,
		    struct wl_array *states)
{
	(void)data, (void)proxy, (void)width, (void)height, (void)states;
}

static void on_close(void *data, struct wl_proxy *proxy)
{
	(void)data, (void)proxy;
}

static void (*const wm_base_listener[])(void) = { (void (*)(void))on_ping };
static void (*const surface_listener[])(void) = { (void (*)(void))on_configure };
static void (*const toplevel_listener[])(void) = { (void (*)(void))on_size,
						   (void (*)(void))on_close };

static void listen_to(struct wl_proxy *proxy, void (*const *listener)(void))
{
	wl_proxy_add_listener(proxy, (void (**)(void))listener, NULL);
}

static void on_global(void *data, struct wl_registry *registry, uint32_t name,
		      const char *interface, uint32_t version)
{
	(void)data, (void)version;
	if (!strcmp(interface, wl_compositor_interface.name))
		compositor = wl_registry_bind(registry, name, &wl_compositor_interface, 1);
	else if (!strcmp(interface, wl_shm_interface.name))
		shm = wl_registry_bind(registry, name, &wl_shm_interface, 1);
	else if (!strcmp(interface, xdg_wm_base_interface.name))
		wm_base = wl_registry_bind(registry, name, &xdg_wm_base_interface, 1);
}

static void on_global_remove(void *data, struct wl_registry *registry, uint32_t name)
{
	(void)data, (void)registry, (void)name;
}

static const struct wl_registry_listener registry_listener = {
	.global = on_global,
	.global_remove = on_global_remove,
};

static struct wl_buffer *white_buffer(void)
{
	const int bytes = WIDTH * HEIGHT * 4;
	struct wl_shm_pool *pool;
	void *pixels;
	int fd;

	fd = memfd_create("tgwindow", MFD_CLOEXEC);
	if (fd < 0 || ftruncate(fd, bytes))
		return NULL;
	pixels = mmap(NULL, (size_t)bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (pixels == MAP_FAILED)
		return NULL;
	memset(pixels, 0xff, (size_t)bytes);
	pool = wl_shm_create_pool(shm, fd, bytes);
	close(fd);
	return wl_shm_pool_create_buffer(pool, 0, WIDTH, HEIGHT, WIDTH * 4,
					 WL_SHM_FORMAT_XRGB8888);
}

static bool open_window(const struct window_options *o)
{
	struct wl_registry *registry;

	display = wl_display_connect(NULL);
	if (!display) {
		fprintf(stderr, "tgwindow: no compositor\n");
		return false;
	}
	registry = wl_display_get_registry(display);
	wl_registry_add_listener(registry, &registry_listener, NULL);
	wl_display_roundtrip(display);
	buffer = shm ? white_buffer() : NULL;
	if (!compositor || !wm_base || !buffer) {
		fprintf(stderr, "tgwindow: the compositor lacks something\n");
		return false;
	}
	listen_to(wm_base, wm_base_listener);
	surface = wl_compositor_create_surface(compositor);
	xdg_surface = wl_proxy_marshal_flags(wm_base, WM_BASE_GET_SURFACE, &xdg_surface_interface,
					     1, 0, NULL, surface);
	listen_to(xdg_surface, surface_listener);
	toplevel = wl_proxy_marshal_flags(xdg_surface, SURFACE_GET_TOPLEVEL,
					  &xdg_toplevel_interface, 1, 0, NULL);
	listen_to(toplevel, toplevel_listener);
	wl_proxy_marshal_flags(toplevel, TOPLEVEL_SET_TITLE, NULL, 1, 0, o->title);
	wl_proxy_marshal_flags(toplevel, TOPLEVEL_SET_APP_ID, NULL, 1, 0, o->title);
	wl_surface_commit(surface);
	return wl_display_roundtrip(display) >= 0 && wl_display_flush(display) >= 0;
}

static int display_fd(void)
{
	return wl_display_get_fd(display);
}

static bool dispatch(void)
{
	return wl_display_dispatch(display) >= 0 && wl_display_flush(display) >= 0;
}

const struct window_ops wayland_window = {
	.open = open_window,
	.fd = display_fd,
	.dispatch = dispatch,
};
