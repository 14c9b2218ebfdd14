# SPDX-License-Identifier: GPL-2.0-or-later
# What tgspec consists of, for its own Makefile and its tests', after tools/lib's.
TGSPEC_LIB := buf.c source.c diag.c spec.c reserves.c lint.c layout.c rta.c model.c \
	priorities.c
TGSPEC_SOURCES := $(TGSPEC_LIB) input.c study.c tgspec.c check.c fmt.c explain.c assign.c \
	analyze.c
TGSPEC_CORE := tg_spec.c tg_sched.c tg_reserve.c
