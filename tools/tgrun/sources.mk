# SPDX-License-Identifier: GPL-2.0-or-later
# What tgrun and tgrun-grant consist of, for their own Makefile and their tests'.
# RUN_SYSTEMD is "y" where libsystemd is; say "n" to leave it out.
PKG_CONFIG	?= pkg-config
RUN_SYSTEMD	?= $(shell $(PKG_CONFIG) --exists libsystemd 2>/dev/null && echo y)

RUN_SHARED	:= want.c domain.c owner.c cgroup.c
RUN_SOURCES	:= tgrun.c ask.c child.c memory.c
RUN_GRANT	:= grant.c allow.c
RUN_LIB		= libtimegraph.c args.c text.c failure.c $(TGLIB_JSON) $(TGLIB_CLI) $(TGLIB_CORE)

ifeq ($(RUN_SYSTEMD),y)
RUN_SOURCES	+= scope.c
RUN_CFLAGS	:= $(shell $(PKG_CONFIG) --cflags libsystemd)
RUN_LIBS	:= $(shell $(PKG_CONFIG) --libs libsystemd)
else
RUN_SOURCES	+= scope_none.c
endif
