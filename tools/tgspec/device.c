// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "device.h"
#include "failure.h"
#include "tgspec.h"

int device_open(const char *command, int flags)
{
	int fd = timegraph_open(flags);

	if (fd >= 0)
		return fd;
	fprintf(stderr, "tgspec %s: %s\n", command, failure_open(fd));
	return failure_is_denial(fd) ? -TGSPEC_DENIED : -TGSPEC_IO;
}

int device_fail(const char *command, int err)
{
	if (err == -ENOTTY || err == -E2BIG)
		fprintf(stderr, "tgspec %s: the loaded module does not know this: is it older than tgspec?\n",
			command);
	else
		fprintf(stderr, "tgspec %s: " TIMEGRAPH_DEVICE ": %s\n", command, strerror(-err));
	return failure_is_denial(err) ? TGSPEC_DENIED : TGSPEC_IO;
}
