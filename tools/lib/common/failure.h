/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Why the device cannot be opened, in words that say what to do. */
#ifndef FAILURE_H
#define FAILURE_H

#include <stdbool.h>

/* @err is what timegraph_open() returned.  No "\n" at the end. */
const char *failure_open(int err);

/* A right is missing. */
bool failure_is_denial(int err);

#endif
