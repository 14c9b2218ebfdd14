# SPDX-License-Identifier: GPL-2.0-or-later
# What tgctl consists of beside tools/lib, for its own Makefile and its tests'.
TGCTL_LIB := events.c lend_law.c print.c texts.c
TGCTL_SOURCES := $(TGCTL_LIB) tgctl.c device.c status.c list.c top.c set.c domain.c policy.c hold.c \
	admin.c monitor.c trace.c selftest.c channel.c vram.c lend.c lend_cgroup.c
