/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Specifications as nobody would write them. */
#ifndef RANDOM_SPEC_H
#define RANDOM_SPEC_H

#include <stdint.h>

#include "buf.h"

/* Valid, in any layout, with comments. */
void random_spec(uint64_t *seed, struct buf *out);

/* Change @n bytes; it may still be valid. */
void random_damage(uint64_t *seed, struct buf *text, uint32_t n);

#endif
