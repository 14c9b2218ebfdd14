// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Display servers: TIMEGRAPH_IOC_FOREGROUND with a connection to one.
 *
 *	tgserver --listen SOCKET COMMAND...	runs it as who listens there
 *	tgserver TEST SERVER [PID]		with SERVER listening at ./socket
 *
 * Ends with 0 if all is as <drm/timegraph.h> says; else it says what is not.
 */
#include <arpa/inet.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "device.h"

#define SOCKET "socket"
#define STRANGER 1000

static struct sockaddr_un address(const char *path)
{
	struct sockaddr_un to = { .sun_family = AF_UNIX };

	strncpy(to.sun_path, path, sizeof(to.sun_path) - 1);
	return to;
}

/* The descriptor stays open in the command. */
static bool listen_at(const char *path)
{
	struct sockaddr_un at = address(path);
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	unlink(path);
	return fd >= 0 && !bind(fd, (struct sockaddr *)&at, sizeof(at)) &&
	       !chmod(path, 0666) && !listen(fd, 8);
}

static int connection(void)
{
	struct sockaddr_un to = address(SOCKET);
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	CHECK(fd >= 0 && !connect(fd, (struct sockaddr *)&to, sizeof(to)));
	return fd;
}

static int focus(int fd, int pid, int server)
{
	struct timegraph_foreground fg = {
		.ptr = (uintptr_t)&pid, .count = 1, .flags = TIMEGRAPH_WITH_SERVER,
		.server = server,
	};

	return ioctl(fd, TIMEGRAPH_IOC_FOREGROUND, &fg);
}

/* The level of the server, and whether it is told to be lent. */
static bool has(int fd, int pid, unsigned int level)
{
	struct timegraph_task t = { };
	bool is_server;

	CHECK(find_task(fd, pid, &t));
	is_server = t.flags & TIMEGRAPH_TASK_SERVER;
	if (t.level != level)
		tap_diag("level %u, wanted %u", t.level, level);
	return t.level == level && is_server == (level > 2u * t.prio + 1);
}

/* pids: the server, the game of priority 60 */
static void bad_servers_are_refused(int *pids)
{
	struct timegraph_foreground fg = { .flags = TIMEGRAPH_WITH_SERVER };
	int rw = node(O_RDWR), lone = socket(AF_UNIX, SOCK_STREAM, 0);
	int netlink = socket(AF_NETLINK, SOCK_RAW, 0), server = connection();

	FAILS(focus(rw, pids[1], -1), EBADF);
	FAILS(focus(rw, pids[1], 9999), EBADF);
	FAILS(focus(rw, pids[1], rw), ENOTSOCK);
	FAILS(focus(rw, pids[1], netlink), ENOTSOCK);
	FAILS(focus(rw, pids[1], lone), ENOTCONN);
	fg.server = server;
	fg.reserved2 = 1;
	FAILS(ioctl(rw, TIMEGRAPH_IOC_FOREGROUND, &fg), EINVAL);
	fg.reserved2 = 0;
	fg.flags = 0;
	FAILS(ioctl(rw, TIMEGRAPH_IOC_FOREGROUND, &fg), EINVAL);
	CHECK(has(rw, pids[0], 0));
	/* What fails changes nothing. */
	CHECK(!focus(rw, pids[1], server) && has(rw, pids[0], 120));
	FAILS(focus(rw, pids[1], lone), ENOTCONN);
	CHECK(has(rw, pids[0], 120));
	close(rw);
}

/* Each is looked at whenever a channel comes or goes. */
static void files_with_a_server_are_limited(int *pids)
{
	int fd[TIMEGRAPH_SERVER_USER_MAX + 1], server;

	(void)pids;
	CHECK(become_nobody());
	server = connection();
	for (int i = 0; i < TIMEGRAPH_SERVER_USER_MAX; i++) {
		fd[i] = node(O_RDWR);
		CHECK(!focus(fd[i], getpid(), server));
	}
	fd[TIMEGRAPH_SERVER_USER_MAX] = node(O_RDWR);
	FAILS(focus(fd[TIMEGRAPH_SERVER_USER_MAX], getpid(), server), EDQUOT);
	/* One that has a server may have another. */
	CHECK(!focus(fd[0], getpid(), server));
	close(fd[0]);
	CHECK(!focus(fd[TIMEGRAPH_SERVER_USER_MAX], getpid(), server));
	for (int i = 1; i <= TIMEGRAPH_SERVER_USER_MAX; i++)
		close(fd[i]);
}

static void level_ends_with_the_focus(int *pids)
{
	struct timegraph_foreground nobody = { };
	int a = node(O_RDWR), b = node(O_RDWR), look = node(O_RDONLY), server = connection();

	CHECK(!focus(a, pids[1], server) && has(look, pids[0], 120));
	/* Nobody, or somebody without a channel. */
	CHECK(!ioctl(a, TIMEGRAPH_IOC_FOREGROUND, &nobody) && has(look, pids[0], 0));
	CHECK(!focus(a, getpid(), server) && has(look, pids[0], 0));
	/* Another's foreground is not this one's. */
	CHECK(!focus(a, getpid(), server));
	nobody.ptr = (uintptr_t)&pids[1];
	nobody.count = 1;
	CHECK(!ioctl(b, TIMEGRAPH_IOC_FOREGROUND, &nobody) && has(look, pids[0], 0));
	/* The connection need not last, the file must. */
	CHECK(!focus(a, pids[1], server));
	close(server);
	CHECK(has(look, pids[0], 120));
	close(a);
	CHECK(has(look, pids[0], 0));
}

static struct timegraph_set set_prio(int pid, int prio)
{
	return (struct timegraph_set){ .pid = pid, .fields = TIMEGRAPH_SET_PRIO, .prio = prio };
}

static void set_task(int fd, unsigned int call, struct timegraph_set set)
{
	CHECK(!ioctl(fd, call, &set));
}

static void level_follows_both_tasks(int *pids)
{
	struct timegraph_set clear = { };
	int rw = node(O_RDWR), server = connection();

	CHECK(!focus(rw, pids[1], server) && has(rw, pids[0], 120));
	set_task(rw, TIMEGRAPH_IOC_SET_TASK, set_prio(pids[1], 70));
	CHECK(has(rw, pids[0], 140));
	/* Its own is higher. */
	set_task(rw, TIMEGRAPH_IOC_SET_TASK, set_prio(pids[0], 90));
	CHECK(has(rw, pids[0], 180) && has(rw, pids[1], 140));
	/* It is not passed on twice, nor back. */
	CHECK(!focus(rw, pids[0], server) && has(rw, pids[0], 180));
	for (int i = 0; i < 2; i++) {
		clear.pid = pids[i];
		set_task(rw, TIMEGRAPH_IOC_CLEAR_TASK, clear);
	}
	CHECK(has(rw, pids[0], 0));
	close(rw);
}

/* The game has a reserve, the server none; then a reserve, too. */
static void level_of_a_capped_task_needs_a_cap(int *pids)
{
	struct timegraph_set set = {
		.pid = pids[0], .fields = TIMEGRAPH_SET_RESV, .resv = TIMEGRAPH_RESV_PE,
		.capacity_ns = 1000000, .period_ns = 100000000,
	};
	int rw = node(O_RDWR), server = connection();

	CHECK(!focus(rw, pids[1], server) && has(rw, pids[0], 0));
	set_task(rw, TIMEGRAPH_IOC_SET_TASK, set);
	CHECK(has(rw, pids[0], 120));
	set_task(rw, TIMEGRAPH_IOC_CLEAR_TASK, (struct timegraph_set){ .pid = pids[0] });
	CHECK(has(rw, pids[0], 0));
	close(rw);
}

static bool become(int uid)
{
	return !setgroups(0, NULL) && !setresgid(uid, uid, uid) && !setresuid(uid, uid, uid);
}

static void try_as_stranger(int *pids, int connected)
{
	int rw = node(O_RDWR), pair[2];

	FAILS(focus(rw, getpid(), connected), EPERM);
	FAILS(focus(rw, getpid(), connection()), EPERM);
	/* Oneself, one may. */
	CHECK(!socketpair(AF_UNIX, SOCK_STREAM, 0, pair) && !focus(rw, getpid(), pair[0]));
	FAILS(focus(rw, pids[1], pair[0]), EPERM);
	close(rw);
}

/* pids: nobody's server, root's game */
static void server_of_another_user_is_refused(int *pids)
{
	int connected = connection(), look = node(O_RDONLY), status;
	pid_t child = fork();

	if (!child) {
		if (!become(STRANGER))
			_exit(2);
		try_as_stranger(pids, connected);
		fflush(stdout);
		_exit(tap_bad_checks ? 1 : 0);
	}
	CHECK(waitpid(child, &status, 0) == child && !status);
	CHECK(has(look, pids[0], 0));
}

/* pids: nobody's server */
static void give_up(int *pids)
{
	int rw = node(O_RDWR);

	set_task(rw, TIMEGRAPH_IOC_SET_TASK, set_prio(pids[0], 0));
	close(rw);
}

static void take_back(int *pids)
{
	int rw = node(O_RDWR);

	set_task(rw, TIMEGRAPH_IOC_CLEAR_TASK, (struct timegraph_set){ .pid = pids[0] });
	close(rw);
}

/* pids: nobody's server, root's game */
static void server_that_gave_up_is_not_lifted(int *pids)
{
	int rw = node(O_RDWR);

	CHECK(!focus(rw, pids[1], connection()) && has(rw, pids[0], 120));
	as_nobody(give_up, pids);
	CHECK(has(rw, pids[0], 0));
	as_nobody(take_back, pids);
	CHECK(has(rw, pids[0], 120));
	close(rw);
}

/* pids: root's server, nobody's game */
static void nobody_asks(int *pids)
{
	int rw = node(O_RDWR);

	CHECK(!focus(rw, pids[1], connection()) && has(rw, pids[1], 120));
}

static void server_of_root_is_lifted(int *pids)
{
	int look = node(O_RDONLY), server = connection(), rw = node(O_RDWR);

	as_nobody(nobody_asks, pids);
	/* He ended, and so did his file. */
	CHECK(has(look, pids[0], 0));
	CHECK(!focus(rw, pids[1], server) && has(look, pids[0], 120));
	close(rw);
}

static const struct device_test tests[] = {
	TEST(bad_servers_are_refused),
	TEST(files_with_a_server_are_limited),
	TEST(level_ends_with_the_focus),
	TEST(level_follows_both_tasks),
	TEST(level_of_a_capped_task_needs_a_cap),
	TEST(server_of_another_user_is_refused),
	TEST(server_that_gave_up_is_not_lifted),
	TEST(server_of_root_is_lifted),
	{ },
};

int main(int argc, char **argv)
{
	if (argc > 3 && !strcmp(argv[1], "--listen")) {
		if (listen_at(argv[2]))
			execvp(argv[3], argv + 3);
		perror(argv[3]);
		return 1;
	}
	return run_device_test(tests, argc, argv);
}
