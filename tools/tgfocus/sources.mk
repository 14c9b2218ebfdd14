# SPDX-License-Identifier: GPL-2.0-or-later
# What tgfocus consists of, for its own Makefile and its tests'.  FOCUS_X11,
# FOCUS_WLROOTS and FOCUS_KDE are "y" where the libraries are; say "n" to leave
# one out.
PKG_CONFIG	?= pkg-config

focus_have	= $(shell $(PKG_CONFIG) --exists $(1) 2>/dev/null && echo y)
FOCUS_X11	?= $(call focus_have,xcb xcb-res)
FOCUS_WLROOTS	?= $(call focus_have,wayland-client wayland-scanner)
FOCUS_KDE	?= $(call focus_have,libsystemd)

FOCUS_SOURCES	:= backend.c backend_exec.c backend_gnome.c backend_sway.c daemon.c \
	device.c display.c message.c pins.c reader.c session.c unit.c
# Of tools/lib and the core: the library, the writer of JSON and what that needs.
FOCUS_SHARED	= libtimegraph.c text.c $(TGLIB_JSON) $(TGLIB_CLI) $(TGLIB_CORE)
FOCUS_PACKAGES	:=
FOCUS_CFLAGS	:=

ifeq ($(FOCUS_X11),y)
FOCUS_SOURCES	+= backend_x11.c
FOCUS_PACKAGES	+= xcb xcb-res
FOCUS_CFLAGS	+= -DFOCUS_HAVE_X11
endif
ifeq ($(FOCUS_WLROOTS),y)
FOCUS_SOURCES	+= backend_wlroots.c
FOCUS_PACKAGES	+= wayland-client
FOCUS_CFLAGS	+= -DFOCUS_HAVE_WLROOTS
FOCUS_PROTOCOL	:= wlr-foreign-toplevel-management-unstable-v1
WAYLAND_SCANNER	?= $(shell $(PKG_CONFIG) --variable=wayland_scanner wayland-scanner)
endif
ifeq ($(FOCUS_KDE),y)
FOCUS_SOURCES	+= backend_kde.c
FOCUS_PACKAGES	+= libsystemd
FOCUS_CFLAGS	+= -DFOCUS_HAVE_KDE
endif

ifneq ($(strip $(FOCUS_PACKAGES)),)
FOCUS_CFLAGS	+= $(shell $(PKG_CONFIG) --cflags $(FOCUS_PACKAGES))
FOCUS_LIBS	:= $(shell $(PKG_CONFIG) --libs $(FOCUS_PACKAGES))
endif
