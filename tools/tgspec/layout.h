/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The canonical layout of a specification. */
#ifndef LAYOUT_H
#define LAYOUT_H

#include "spec.h"

/*
 * Entries in brackets, their columns aligned between empty lines, times in the
 * largest unit that divides them; comments stay where they are.  @spec has no
 * errors.
 */
void layout_spec(const struct spec *spec, struct buf *out);

/* One entry, by itself, with the C and T that it has. */
void layout_entry(const struct tg_spec_entry *e, struct buf *out);

/* Whether both have the same entries in the same order. */
bool layout_same_meaning(const struct spec *a, const struct spec *b);

/*
 * Parse @text as the new content of @old; false if the kernel would refuse it
 * (it has become too large).
 */
bool layout_reparse(struct spec *spec, const struct spec *old, const struct buf *text);

#endif
