# SPDX-License-Identifier: GPL-2.0-or-later
# What tgspec consists of, for its own Makefile and its tests'.
include $(dir $(lastword $(MAKEFILE_LIST)))../../drivers/gpu/timegraph/core/policies.mk
TGSPEC_LIB := buf.c source.c diag.c trust.c spec.c reserves.c allow.c lint.c layout.c rta.c model.c \
	priorities.c
# What computes with the running state.
TGSPEC_STATE := running.c amend.c plan.c
TGSPEC_SOURCES := $(TGSPEC_LIB) $(TGSPEC_STATE) input.c study.c device.c apply.c tgspec.c \
	check.c fmt.c explain.c assign.c analyze.c export.c import.c
# Of tools/lib, beside the writer of JSON.
TGSPEC_SHARED = libtimegraph.c failure.c text.c args.c $(TGLIB_COMMANDS)
TGSPEC_CORE := $(TG_SPEC:%=%.c) $(TG_SCHED:%=%.c)
