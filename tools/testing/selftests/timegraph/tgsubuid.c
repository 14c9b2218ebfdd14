// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tgsubuid [--outside | --root] N COMMAND...: runs it as the Nth of the users that nobody has in
 * a user namespace of his, as newuidmap(1) gives them to who has some in /etc/subuid; with
 * --outside in none, as by a program that is that user's and set-user-ID, which he can make there.
 * With --root as root of a namespace that root has made, as for a container, and who is that user
 * outside.  To be called by root.
 */
#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "device.h"

#define FIRST 100000
#define USERS 65536

enum place { WITHIN, OUTSIDE, ROOT };

/* When @fd says that the namespace is there. */
static int map_users(pid_t pid, int fd, int first, int users)
{
	char path[64], c;
	int map;

	snprintf(path, sizeof(path), "/proc/%d/uid_map", pid);
	if (read(fd, &c, 1) != 1)
		return 1;
	map = open(path, O_WRONLY);
	return map < 0 || dprintf(map, "0 %d %d\n", first, users) < 0;
}

static bool become_outside(uid_t uid)
{
	return !setgroups(0, NULL) && !setresgid(uid, uid, uid) && !setresuid(uid, uid, uid);
}

/*
 * Return: as @uid of a namespace of @users, numbered from 0 in it and from @first outside.  Its
 * owner is root, or @nobody.
 */
static bool become_within(uid_t uid, int first, int users, bool nobody)
{
	pid_t self = getpid(), child;
	int status, fds[2];

	if (pipe(fds))
		return false;
	/* Made as root, who may write any map. */
	child = fork();
	if (!child)
		_exit(map_users(self, fds[0], first, users));
	return child > 0 && (!nobody || become_nobody()) && !unshare(CLONE_NEWUSER) &&
	       write(fds[1], "", 1) == 1 && waitpid(child, &status, 0) == child &&
	       !status && !close(fds[0]) && !close(fds[1]) && !setresuid(uid, uid, uid);
}

static bool become(enum place place, int n)
{
	switch (place) {
	case OUTSIDE:
		return become_outside((uid_t)(FIRST + n));
	case ROOT:
		return become_within(0, FIRST + n, 1, false);
	default:
		return become_within((uid_t)n, FIRST, USERS, true);
	}
}

int main(int argc, char **argv)
{
	enum place place = WITHIN;
	int n;

	if (argc > 1 && !strcmp(argv[1], "--outside"))
		place = OUTSIDE;
	else if (argc > 1 && !strcmp(argv[1], "--root"))
		place = ROOT;
	argv += place != WITHIN;
	argc -= place != WITHIN;
	n = argc > 2 ? atoi(argv[1]) : -1;
	if (n < 0 || n >= USERS) {
		fputs("usage: tgsubuid [--outside | --root] N COMMAND...\n", stderr);
		return 2;
	}
	if (become(place, n))
		execvp(argv[2], argv + 2);
	perror(argv[2]);
	return 1;
}
