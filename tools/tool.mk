# SPDX-License-Identifier: GPL-2.0-or-later
#
# What the Makefiles of the tools and of their library have in common. Such a
# Makefile sets, and then includes this:
#
#   SRC          its folder, with a / at its end
#   TOOL         the program that it builds into $(O); the library has none
#   SOURCES      the program's: of SRC, tools/lib, tools/lib/common and the core
#   PAGES        manual pages
#   TOOL_CFLAGS  beside the usual ones
#   TOOL_LIBS
#   TOOL_FLAGS   what, if it changes, makes everything be built anew
#   INSTALLS     what is installed beside the program and its pages, in words
#
# It says "install: install-tool", and adds what else there is to install: a
# folder with an "install" of its own is one that packages take up.

O		?= build
# gcc writes into what an object depends on how it is called.
override O	:= $(abspath $(O))
CC		?= cc
CFLAGS		?= -O2 -g
PREFIX		?= /usr/local
VERSION		?= $(shell sed -n 's/^VERSION := //p' $(TOP)/Makefile)

TOP		:= $(abspath $(SRC)../..)
LIB		:= $(TOP)/tools/lib
MAN		:= $(TOP)/Documentation/man
# A test builds against a core of its own.
CORE		?= $(TOP)/drivers/gpu/timegraph/core
BIN		= $(DESTDIR)$(PREFIX)/bin
SHARE		= $(DESTDIR)$(PREFIX)/share

# Functions that are called through a pointer share a signature, so a parameter may
# be unused.
USUAL_CFLAGS	:= -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Werror -Wno-unused-parameter \
	-Wno-missing-field-initializers -I$(SRC) -I$(LIB) -I$(LIB)/common -I$(CORE) \
	-I$(TOP)/include/uapi

.PHONY: all install install-tool clean help FORCE
.SECONDARY:

ifneq ($(TOOL),)
all: $(O)/$(TOOL)

help::
	@echo "all      $(O)/$(TOOL)"
	@echo "install  it, its manual and bash completion$(if $(INSTALLS), with its $(INSTALLS)), into \$$(DESTDIR)\$$(PREFIX)"
	@echo "clean    remove \$$(O)"

$(O)/$(TOOL): $(patsubst %.c,$(O)/%.o,$(SOURCES))
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(TOOL_LIBS) -lm

install-tool: all
	install -D -m 755 -t $(BIN) $(O)/$(TOOL)
	install -D -m 644 -t $(SHARE)/bash-completion/completions $(SRC)../completion/$(TOOL)
	set -e; for page in $(PAGES); do \
		install -D -m 644 -t $(SHARE)/man/man$${page##*.} $(MAN)/$$page; done
endif

FLAGS		:= $(CC) $(CFLAGS) $(LDFLAGS) $(VERSION) $(CORE) $(TOOL_FLAGS)
$(O)/flags: FORCE
	@mkdir -p $(O)
	@echo '$(FLAGS)' | cmp -s - $@ || echo '$(FLAGS)' > $@

VPATH		:= $(SRC) $(LIB) $(LIB)/common $(CORE)
$(O)/%.o: %.c $(O)/flags
	$(CC) $(USUAL_CFLAGS) $(TOOL_CFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

clean:
	rm -rf $(O)

-include $(wildcard $(O)/*.d)
