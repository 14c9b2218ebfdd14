# SPDX-License-Identifier: GPL-2.0-or-later
# What tgtop consists of beside tools/lib, for its own Makefile and its tests'.
TGTOP_LIB := state.c
TGTOP_SOURCES := $(TGTOP_LIB) tgtop.c batch.c screen.c
