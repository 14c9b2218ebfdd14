// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tgsubuid N COMMAND...: runs it as the Nth of the users that nobody has in a user namespace of
 * his, as newuidmap(1) gives them to who has some in /etc/subuid.  To be called by root.
 */
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "device.h"

#define FIRST 100000
#define USERS 65536

/* When @fd says that the namespace is there. */
static int map_users(pid_t pid, int fd)
{
	char path[64], c;
	int map;

	snprintf(path, sizeof(path), "/proc/%d/uid_map", pid);
	if (read(fd, &c, 1) != 1)
		return 1;
	map = open(path, O_WRONLY);
	return map < 0 || dprintf(map, "0 %d %d\n", FIRST, USERS) < 0;
}

/* Return: as that user, in the namespace. */
static bool become(uid_t uid)
{
	pid_t self = getpid(), child;
	int status, fds[2];

	if (pipe(fds))
		return false;
	child = fork();
	if (!child)
		_exit(map_users(self, fds[0]));
	return child > 0 && become_nobody() && !unshare(CLONE_NEWUSER) &&
	       write(fds[1], "", 1) == 1 && waitpid(child, &status, 0) == child &&
	       !status && !close(fds[0]) && !close(fds[1]) && !setresuid(uid, uid, uid);
}

int main(int argc, char **argv)
{
	int n = argc > 2 ? atoi(argv[1]) : -1;

	if (n < 0 || n >= USERS) {
		fputs("usage: tgsubuid N COMMAND...\n", stderr);
		return 2;
	}
	if (become((uid_t)n))
		execvp(argv[2], argv + 2);
	perror(argv[2]);
	return 1;
}
