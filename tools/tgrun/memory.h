/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Video memory that a program has before it begins. */
#ifndef MEMORY_H
#define MEMORY_H

#include <stdbool.h>
#include <stdint.h>

/**
 * memory_reserve - for the calling process, as long as it runs, whatever it executes
 * @bytes: of the first GPU; more than 0
 * @program: that it will execute: it is called so from now on
 * @wait: until there is as much, or a signal
 *
 * Return: 0 or -errno; -EAGAIN: there is not as much now.
 */
int memory_reserve(uint64_t bytes, const char *program, bool wait);

/* Why, in words. */
const char *memory_failure(int err);

/* "256 MiB" */
#define MEMORY_TEXT_BYTES 32
const char *memory_text(char out[MEMORY_TEXT_BYTES], uint64_t bytes);

#endif
