/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the tests of /dev/timegraph share; each is a program "PROGRAM TEST [PID]...". */
#ifndef SELFTESTS_DEVICE_H
#define SELFTESTS_DEVICE_H

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <drm/timegraph.h>

#include "tap.h"

#define NODE "/dev/timegraph"
#define NOBODY 65534
/* Of a list. */
#define ROOM 256u

/* The call fails with this error. */
#define FAILS(call, error) CHECK((call) == -1 && errno == (error))

static inline int node(int flags)
{
	int fd = open(NODE, flags | O_CLOEXEC);

	if (fd < 0) {
		perror(NODE);
		exit(1);
	}
	return fd;
}

/* @t has ROOM. Before its first channel there is no GPU, and so no task. */
static inline uint32_t list_tasks(int fd, struct timegraph_task *t)
{
	struct timegraph_list list = { .ptr = (uintptr_t)t, .stride = sizeof(*t), .room = ROOM };

	CHECK(!ioctl(fd, TIMEGRAPH_IOC_TASKS, &list) || errno == ENXIO);
	return list.count;
}

static inline bool find_task(int fd, int pid, struct timegraph_task *out)
{
	static struct timegraph_task t[ROOM];
	uint32_t n = list_tasks(fd, t);

	for (uint32_t i = 0; i < n && i < ROOM; i++)
		if (t[i].pid == pid) {
			*out = t[i];
			return true;
		}
	return false;
}

/* Without the privileges, and without the groups. */
static inline bool become_nobody(void)
{
	return !setgroups(0, NULL) && !setresgid(NOBODY, NOBODY, NOBODY) &&
	       !setresuid(NOBODY, NOBODY, NOBODY);
}

/* Runs @fn as another user and without privileges. */
static inline void as_nobody(void (*fn)(int *pids), int *pids)
{
	pid_t child = fork();
	int status;

	if (!child) {
		tap_bad_checks = 0;
		if (!become_nobody())
			_exit(2);
		fn(pids);
		fflush(stdout);
		_exit(tap_bad_checks ? 1 : 0);
	}
	waitpid(child, &status, 0);
	CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

struct device_test {
	const char *name;
	void (*run)(int *pids);
};

/* In a list of struct device_test, whose last has no name. */
#define TEST(name) { #name, name }

/* The test that is named, with up to seven PIDs. Returns the program's status. */
static inline int run_device_test(const struct device_test *tests, int argc, char **argv)
{
	int pids[8] = { };	/* the last is always 0 */

	for (int i = 0; i < 7 && i + 2 < argc; i++)
		pids[i] = atoi(argv[i + 2]);
	for (const struct device_test *t = tests; argc > 1 && t->name; t++) {
		if (strcmp(t->name, argv[1]))
			continue;
		t->run(pids);
		fflush(stdout);
		return tap_bad_checks ? 1 : 0;
	}
	fprintf(stderr, "usage: %s TEST [PID]...\nTests:\n", argv[0]);
	for (const struct device_test *t = tests; t->name; t++)
		fprintf(stderr, "  %s\n", t->name);
	return 2;
}

#endif
