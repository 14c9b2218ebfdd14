/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tgrun-grant is asked, by pkexec, for what tgrun itself may not do. */
#ifndef ASK_H
#define ASK_H

#include <signal.h>
#include <stdbool.h>

#include "want.h"

/*
 * Whether the cgroup at @path got @w; else the reason has been said.  @mask: signals that
 * pkexec is to have blocked.
 */
bool ask_grant(const char *path, const struct want *w, const sigset_t *mask);

#endif
