// SPDX-License-Identifier: GPL-2.0-or-later
/* In the place of scope.c where libsystemd is missing. */
#include <errno.h>
#include <stdio.h>

#include "scope.h"

int scope_start(const char *name, const char *slice, const char *about, pid_t pid,
		char why[SCOPE_WHY_BYTES])
{
	snprintf(why, SCOPE_WHY_BYTES, "this tgrun was built without libsystemd");
	return -ENOSYS;
}
