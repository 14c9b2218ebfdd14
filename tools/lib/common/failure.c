// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "failure.h"
#include "libtimegraph.h"

bool failure_is_denial(int err)
{
	return err == -EACCES || err == -EPERM;
}

const char *failure_open(int err)
{
	if (failure_is_denial(err))
		return "you may not open " TIMEGRAPH_DEVICE " for this: become root, or give\n"
		       "yourself the node's permission (see PERMISSIONS in tgctl(1))";
	if (err != -ENOENT && err != -ENXIO && err != -ENODEV)
		return strerror(-err);
	if (!access("/sys/module/timegraph", F_OK))
		return "the module timegraph is loaded, but there is no " TIMEGRAPH_DEVICE ":\n"
		       "it is too old for this program, or /dev lacks it";
	return "timegraph is not loaded: run 'modprobe timegraph' as root";
}
