/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The device, for the commands that need the module. */
#ifndef DEVICE_H
#define DEVICE_H

#include "libtimegraph.h"

/* Opens it; returns the descriptor, or -status with the reason printed. */
int device_open(const char *command, int flags);

/* Says why reading it failed (-errno); returns the status. */
int device_fail(const char *command, int err);

#endif
