# SPDX-License-Identifier: GPL-2.0-or-later
# What the tools compile in: the library, and what they share beside it.
TGLIB_SOURCES := libtimegraph.c
TGLIB_JSON := json.c utf8.c excerpt.c
TGLIB_TRACE := tracefs.c
TGLIB_CLI := cli.c output.c
TGLIB_COMMANDS := command.c $(TGLIB_CLI)
TGLIB_COMMON := $(TGLIB_TRACE) args.c text.c object.c sample.c view.c failure.c $(TGLIB_JSON) $(TGLIB_COMMANDS)
include $(dir $(lastword $(MAKEFILE_LIST)))../../drivers/gpu/timegraph/core/policies.mk
TGLIB_CORE := $(TG_SPEC:%=%.c)
