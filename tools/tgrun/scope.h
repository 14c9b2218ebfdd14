/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A cgroup from systemd: a scope, which it makes for processes that somebody else has
 * started, and removes when the last of them has ended.
 */
#ifndef SCOPE_H
#define SCOPE_H

#include <sys/types.h>

#define SCOPE_WHY_BYTES 256

/**
 * scope_start - have @pid put into a scope
 * @name: of the unit, with ".scope"
 * @slice: that it is in; NULL: where the manager puts it
 * @about: its description
 * @why: what went wrong, if something did
 *
 * Of root it is the system's manager that is asked, of others their own.  Return: 0, or
 * -errno; -ENOSYS: no manager can be reached.
 */
int scope_start(const char *name, const char *slice, const char *about, pid_t pid,
		char why[SCOPE_WHY_BYTES]);

#endif
