# SPDX-License-Identifier: GPL-2.0-or-later
# Test programs of several files, which are compiled once for all of them: $(BINS) in $(O),
# with $(BIN_CFLAGS) and $(BIN_LIBS), each from the file of its name and what
# "$(O)/test_x: $(call objects,one.c two.c)" says, found along the Makefile's vpath.
OBJ := $(O)/objects
objects = $(patsubst %.c,$(OBJ)/%.o,$(notdir $(1)))

$(OBJ)/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(CC) $(BIN_CFLAGS) -MMD -MP -c -o $@ $<

$(BINS): $(O)/%: $(OBJ)/%.o
	$(CC) $(BIN_CFLAGS) -o $@ $(filter %.o,$^) $(BIN_LIBS)

-include $(wildcard $(OBJ)/*.d)
