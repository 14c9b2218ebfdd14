// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <string.h>

#include "output.h"

int output_end(const char *who, int status, int lost)
{
	bool any = __fpending(stdout), failed = ferror(stdout);

	errno = 0;
	/* Who was started without a standard output and prints nothing lacks nothing. */
	if (fclose(stdout) && (any || errno != EBADF))
		failed = true;
	if (!failed)
		return status;
	fprintf(stderr, "%s: the output cannot be written%s%s\n", who, errno ? ": " : "",
		errno ? strerror(errno) : "");
	return status ? status : lost;
}
