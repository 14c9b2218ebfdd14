// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * withnice UID COMMAND [ARGUMENT]...: as another user that has CAP_SYS_NICE, and
 * nothing else: who may set everybody's tasks, but sees only their own.
 */
#include <errno.h>
#include <grp.h>
#include <linux/capability.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Keeps the capability over the change of user, and over the exec. */
static int become(unsigned int uid)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = { 0 };

	data[0].effective = data[0].permitted = data[0].inheritable = 1u << CAP_SYS_NICE;
	if (prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0) || setgroups(0, NULL) || setresgid(uid, uid, uid) ||
	    setresuid(uid, uid, uid) || syscall(SYS_capset, &header, data) ||
	    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, CAP_SYS_NICE, 0, 0))
		return -errno;
	return 0;
}

int main(int argc, char **argv)
{
	int ret;

	if (argc < 3) {
		fputs("usage: withnice UID COMMAND [ARGUMENT]...\n", stderr);
		return 2;
	}
	ret = become(strtoul(argv[1], NULL, 10));
	if (!ret) {
		execvp(argv[2], argv + 2);
		ret = -errno;
	}
	fprintf(stderr, "withnice: %s: %s\n", argv[2], strerror(-ret));
	return 126;
}
