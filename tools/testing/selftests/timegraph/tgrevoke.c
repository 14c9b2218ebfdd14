// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What files of /dev/timegraph that are open when the module goes do then.
 *
 *	tgrevoke TEST
 *
 * Takes the module out and puts it back, so it is root's.  Ends with 0 if all is as
 * <drm/timegraph.h> says; else it says what is not.
 */
#include <linux/aio_abi.h>
#include <linux/io_uring.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>

#include "device.h"
#include "served.h"

static long now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void sleep_ms(long ms)
{
	nanosleep(&(struct timespec){ ms / 1000, ms % 1000 * 1000000 }, NULL);
}

/* As a person types it. */
static bool remove_module_within(long limit_ms)
{
	long t0 = now_ms();
	int status = system("rmmod timegraph 2>/dev/null");

	printf("# rmmod took %ld ms\n", now_ms() - t0);
	/* Emulation of a debug kernel says nothing about time. */
	if (access("/sys/kernel/debug/kmemleak", F_OK))
		CHECK(now_ms() - t0 <= limit_ms);
	return !status;
}

static bool remove_module(void)
{
	return remove_module_within(1000);
}

static bool insert_module(void)
{
	return !system("modprobe timegraph && chmod 666 " NODE);
}

static int subscribed(void)
{
	struct timegraph_subscribe s = { .mask = TIMEGRAPH_EVENT_TASK };
	int fd = node(O_RDWR);

	CHECK(!ioctl(fd, TIMEGRAPH_IOC_SUBSCRIBE, &s));
	return fd;
}

static int poll_of(int fd, int ms)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	return poll(&p, 1, ms) == 1 ? p.revents : 0;
}

static void is_gone(int fd)
{
	struct timegraph_events events;
	struct timegraph_caps caps;

	FAILS(read(fd, &events, sizeof(events)), ENODEV);
	FAILS(ioctl(fd, TIMEGRAPH_IOC_CAPS, &caps), ENODEV);
	FAILS(ioctl(fd, TIMEGRAPH_IOC_RELOAD), ENODEV);
	CHECK(poll_of(fd, 0) & POLLERR);
}

static void is_there(int fd)
{
	struct timegraph_caps caps;

	CHECK(!ioctl(fd, TIMEGRAPH_IOC_CAPS, &caps));
	CHECK(!poll_of(fd, 0));
}

/* A thread in a call that waits, and what came of it. */
struct waiter {
	pthread_t thread;
	int fd;
	int result;
};

static void *in_read(void *arg)
{
	struct timegraph_events events;
	struct waiter *w = arg;

	w->result = read(w->fd, &events, sizeof(events)) < 0 ? errno : 0;
	return NULL;
}

static void *in_poll(void *arg)
{
	struct waiter *w = arg;

	w->result = poll_of(w->fd, 10000);
	return NULL;
}

static void *in_select(void *arg)
{
	struct timeval limit = { .tv_sec = 10 };
	struct waiter *w = arg;
	fd_set set;

	FD_ZERO(&set);
	FD_SET(w->fd, &set);
	w->result = select(w->fd + 1, &set, NULL, NULL, &limit);
	return NULL;
}

static void *in_epoll(void *arg)
{
	struct epoll_event event = { .events = EPOLLIN };
	struct waiter *w = arg;
	int e = epoll_create1(EPOLL_CLOEXEC);

	CHECK(!epoll_ctl(e, EPOLL_CTL_ADD, w->fd, &event));
	w->result = epoll_wait(e, &event, 1, 10000) == 1 ? (int)event.events : 0;
	close(e);
	return NULL;
}

enum { NR_WAITS = 4 };

static void *(*const waits[NR_WAITS])(void *) = { in_read, in_poll, in_select, in_epoll };

static void start(struct waiter *w, int fd, void *(*fn)(void *))
{
	w->fd = fd;
	w->result = -1;
	if (pthread_create(&w->thread, NULL, fn, w))
		exit(2);
}

static void open_files_answer_that_it_is_gone(int *pids)
{
	struct waiter w[NR_WAITS];
	int idle = node(O_RDWR), shared = subscribed();

	(void)pids;
	for (int i = 0; i < NR_WAITS; i++)
		start(&w[i], subscribed(), waits[i]);
	/* Two of them wait by one file. */
	struct waiter second[2];

	start(&second[0], shared, in_read);
	start(&second[1], shared, in_poll);
	sleep_ms(200);
	CHECK(remove_module());
	for (int i = 0; i < NR_WAITS; i++)
		pthread_join(w[i].thread, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(second[i].thread, NULL);
	CHECK(w[0].result == ENODEV && second[0].result == ENODEV);
	CHECK(w[1].result & POLLERR && second[1].result & POLLERR);
	CHECK(w[2].result == 1);
	CHECK(w[3].result & EPOLLERR);
	is_gone(idle);
	for (int i = 0; i < NR_WAITS; i++)
		is_gone(w[i].fd);
	/* With the module back it is the old files that stay gone. */
	CHECK(insert_module());
	is_there(node(O_RDWR));
	is_gone(idle);
	for (int i = 0; i < NR_WAITS; i++) {
		is_gone(w[i].fd);
		CHECK(!close(w[i].fd));
	}
	CHECK(!close(idle) && !close(shared));
}

/* What watches a file without waiting outlives it, and lets go of it. */
static void what_watches_a_file_lets_go_of_it(int *pids)
{
	struct epoll_event event = { .events = EPOLLIN };
	int e[3], fd[3];

	(void)pids;
	for (int i = 0; i < 3; i++) {
		e[i] = epoll_create1(EPOLL_CLOEXEC);
		fd[i] = subscribed();
		CHECK(!epoll_ctl(e[i], EPOLL_CTL_ADD, fd[i], &event));
	}
	CHECK(remove_module());
	/* It is told, is taken out, goes with its file, goes before it. */
	CHECK(epoll_wait(e[0], &event, 1, 1000) == 1 && event.events & EPOLLERR);
	CHECK(!epoll_ctl(e[0], EPOLL_CTL_DEL, fd[0], NULL));
	CHECK(!close(fd[1]) && !epoll_wait(e[1], &event, 1, 0));
	CHECK(!close(e[2]));
	is_gone(fd[0]);
	is_gone(fd[2]);
	CHECK(insert_module());
}

/* What they have asked for ends with the module, not with the file. */
static void what_a_file_has_asked_for_ends(int *pids)
{
	struct timegraph_foreground fg = { .ptr = (uintptr_t)&(int){ getpid() }, .count = 1 };
	int fd = node(O_RDWR), other;

	(void)pids;
	CHECK(!ioctl(fd, TIMEGRAPH_IOC_FOREGROUND, &fg));
	CHECK(remove_module());
	CHECK(insert_module());
	FAILS(ioctl(fd, TIMEGRAPH_IOC_FOREGROUND, &fg), ENODEV);
	other = node(O_RDWR);
	CHECK(!ioctl(other, TIMEGRAPH_IOC_FOREGROUND, &fg));
}

/*
 * What a file can be used for that nobody thought of.
 */

/* It is two kinds of file, and neither can do more than <drm/timegraph.h> says. */
static void odd_calls(int fd, bool gone)
{
	const clockid_t clock = (clockid_t)(~(unsigned int)fd << 3 | 3);
	struct timespec t;
	char path[64];
	int other;

	FAILS(clock_gettime(clock, &t), gone ? ENODEV : EINVAL);
	CHECK(mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0) == MAP_FAILED && errno == ENODEV);
	FAILS(lseek(fd, 0, SEEK_SET), ESPIPE);
	FAILS(fsync(fd), EINVAL);
	FAILS(write(fd, "", 1), EINVAL);
	FAILS(sendfile(STDOUT_FILENO, fd, NULL, 16), EINVAL);
	CHECK(!flock(fd, LOCK_EX | LOCK_NB) && !flock(fd, LOCK_UN));
	CHECK(!fcntl(fd, F_SETFL, O_ASYNC | O_NONBLOCK) && !fcntl(fd, F_SETFL, 0));
	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
	other = open(path, O_RDONLY | O_CLOEXEC);
	CHECK(read(other, path, sizeof(path)) > 0);
	close(other);
}

static bool send_file(int to, int fd)
{
	char room[CMSG_SPACE(sizeof(fd))] = { };
	struct iovec iov = { "", 1 };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1,
			      .msg_control = room, .msg_controllen = sizeof(room) };
	struct cmsghdr *c = CMSG_FIRSTHDR(&msg);

	c->cmsg_level = SOL_SOCKET;
	c->cmsg_type = SCM_RIGHTS;
	c->cmsg_len = CMSG_LEN(sizeof(fd));
	memcpy(CMSG_DATA(c), &fd, sizeof(fd));
	return sendmsg(to, &msg, 0) == 1 && !close(fd);
}

static int receive_file(int from)
{
	char room[CMSG_SPACE(sizeof(int))] = { }, byte;
	struct iovec iov = { &byte, 1 };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1,
			      .msg_control = room, .msg_controllen = sizeof(room) };
	int fd = -1;

	if (recvmsg(from, &msg, MSG_CMSG_CLOEXEC) == 1 && CMSG_FIRSTHDR(&msg))
		memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&msg)), sizeof(fd));
	return fd;
}

static void file_that_is_used_oddly_does_no_harm(int *pids)
{
	int fd = subscribed(), sv[2], lost[2], sent;

	(void)pids;
	FAILS(open(NODE, O_RDONLY | O_DIRECT | O_CLOEXEC), EINVAL);
	odd_calls(fd, false);
	CHECK(!socketpair(AF_UNIX, SOCK_STREAM, 0, sv));
	CHECK(!socketpair(AF_UNIX, SOCK_STREAM, 0, lost));
	CHECK(send_file(sv[0], subscribed()) && send_file(lost[0], subscribed()));
	CHECK(remove_module());
	odd_calls(fd, true);
	is_gone(fd);
	sent = receive_file(sv[1]);
	odd_calls(sent, true);
	is_gone(sent);
	/* With what was sent and not received. */
	CHECK(!close(lost[0]) && !close(lost[1]));
	CHECK(insert_module());
	odd_calls(fd, true);
	CHECK(!close(fd) && !close(sent));
}

/* aio's poll waits in no call, as epoll's, but once. */
static void asynchronous_poll_ends(int *pids)
{
	struct iocb cb = { .aio_lio_opcode = IOCB_CMD_POLL, .aio_buf = POLLIN };
	struct timespec limit = { .tv_sec = 1 };
	struct iocb *list = &cb;
	aio_context_t ctx = 0;
	struct io_event event;

	(void)pids;
	cb.aio_fildes = (uint32_t)subscribed();
	CHECK(!syscall(SYS_io_setup, 1, &ctx) && syscall(SYS_io_submit, ctx, 1, &list) == 1);
	CHECK(remove_module());
	CHECK(syscall(SYS_io_getevents, ctx, 1, 1, &event, &limit) == 1 && event.res & POLLERR);
	CHECK(!syscall(SYS_io_destroy, ctx));
	is_gone((int)cb.aio_fildes);
	CHECK(insert_module());
}

/**
 * struct uring - a ring of io_uring's with room for one request
 * @fd: its file
 * @sq: submission and completion queue
 * @sqe: the request
 * @p: where in @sq what is
 */
struct uring {
	int fd;
	char *sq;
	struct io_uring_sqe *sqe;
	struct io_uring_params p;
};

static bool uring_init(struct uring *u)
{
	size_t size;

	u->p = (struct io_uring_params){ };
	u->fd = (int)syscall(SYS_io_uring_setup, 1, &u->p);
	if (u->fd < 0)
		return false;
	size = u->p.cq_off.cqes + u->p.cq_entries * sizeof(struct io_uring_cqe);
	u->sq = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, u->fd, IORING_OFF_SQ_RING);
	u->sqe = mmap(NULL, sizeof(*u->sqe), PROT_READ | PROT_WRITE, MAP_SHARED, u->fd,
		      IORING_OFF_SQES);
	return u->sq != MAP_FAILED && u->sqe != MAP_FAILED;
}

static bool uring_submit(struct uring *u, struct io_uring_sqe request)
{
	*u->sqe = request;
	*(uint32_t *)(u->sq + u->p.sq_off.array) = 0;
	__atomic_store_n((uint32_t *)(u->sq + u->p.sq_off.tail), 1, __ATOMIC_RELEASE);
	return syscall(SYS_io_uring_enter, u->fd, 1, 0, 0, NULL, 0) == 1;
}

/* io_uring's poll stays armed after it has told; it has to be taken from the file. */
static void poll_that_stays_ends(int *pids)
{
	struct io_uring_sqe request = { .opcode = IORING_OP_POLL_ADD, .poll32_events = POLLIN,
					.len = IORING_POLL_ADD_MULTI };
	const struct io_uring_cqe *first;
	struct uring u;

	(void)pids;
	if (!CHECK(uring_init(&u)))
		return;
	request.fd = subscribed();
	CHECK(uring_submit(&u, request));
	CHECK(!poll_of(u.fd, 0));
	CHECK(remove_module());
	CHECK(poll_of(u.fd, 1000) & POLLIN);
	first = (struct io_uring_cqe *)(u.sq + u.p.cq_off.cqes);
	CHECK(first->res < 0 || first->res & POLLERR);
	is_gone(request.fd);
	CHECK(!close(request.fd) && !close(u.fd));
	CHECK(insert_module());
}

static void many_open_files_do_not_hold_it_up(int *pids)
{
	enum { N = 10000 };
	struct rlimit lim = { N + 64, N + 64 };
	static int fd[N];

	(void)pids;
	if (setrlimit(RLIMIT_NOFILE, &lim))
		exit(2);
	for (int i = 0; i < N; i++)
		fd[i] = subscribed();
	CHECK(remove_module());
	for (int i = 0; i < N; i += 999)
		is_gone(fd[i]);
	CHECK(insert_module());
}

/*
 * Calls of all kinds while it comes and goes.
 */

static bool over;

static void *any_calls(void *unused)
{
	while (!__atomic_load_n(&over, __ATOMIC_RELAXED)) {
		struct timegraph_subscribe s = { .mask = TIMEGRAPH_EVENT_TASK };
		struct waiter w = { .fd = open(NODE, O_RDWR | O_NONBLOCK | O_CLOEXEC) };
		struct timegraph_caps caps;

		if (w.fd < 0)
			continue;
		for (int i = rand() % 8; i; i--) {
			int ret = ioctl(w.fd, TIMEGRAPH_IOC_CAPS, &caps);

			CHECK(!ret || errno == ENODEV);
			ret = ioctl(w.fd, TIMEGRAPH_IOC_SUBSCRIBE, &s);
			CHECK(!ret || errno == ENODEV);
			in_read(&w);
			CHECK(!w.result || w.result == EAGAIN || w.result == ENODEV);
			CHECK(!(poll_of(w.fd, rand() % 4) & ~(POLLIN | POLLERR | POLLHUP)));
		}
		close(w.fd);
	}
	return unused;
}

/*
 * Threads that never sleep, on one CPU: a grace period of RCU tasks, of which ftrace takes
 * two and detaching one, comes when each was interrupted, and a process among them waits
 * for its turns.
 */
static void calls_race_with_its_going(int *pids)
{
	enum { THREADS = 6, ROUNDS = 15, LIMIT_MS = 4000 };
	pthread_t thread[THREADS];

	(void)pids;
	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&thread[i], NULL, any_calls, NULL))
			exit(2);
	for (int i = 0; i < ROUNDS; i++) {
		sleep_ms(20 + rand() % 50);
		CHECK(remove_module_within(LIMIT_MS));
		CHECK(insert_module());
	}
	__atomic_store_n(&over, true, __ATOMIC_RELAXED);
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
}

/* Waits with open files, in calls and out of them, for its end. */
static void wait_to_be_killed(int ready)
{
	struct waiter w[NR_WAITS];

	for (int i = 0; i < NR_WAITS; i++)
		start(&w[i], subscribed(), waits[i]);
	for (int i = 0; i < 50; i++)
		subscribed();
	sleep_ms(20);
	if (write(ready, "", 1) == 1)
		sleep(600);
	_exit(1);
}

static void kill_one_by_one(const pid_t *children, int n)
{
	for (int i = 0; i < n; i++) {
		sleep_ms(rand() % 40);
		kill(children[i], SIGKILL);
	}
	_exit(0);
}

/* The kernel closes their files in the middle of the removal. */
static void processes_are_killed_while_it_goes(int *pids)
{
	enum { N = 12, ROUNDS = 6 };
	int ready[2], status;
	pid_t child[N + 1];
	char byte;

	(void)pids;
	CHECK(!pipe(ready));
	for (int round = 0; round < ROUNDS; round++) {
		for (int i = 0; i < N; i++) {
			child[i] = fork();
			if (!child[i])
				wait_to_be_killed(ready[1]);
		}
		for (int i = 0; i < N; i++)
			CHECK(read(ready[0], &byte, 1) == 1);
		srand((unsigned int)round);
		child[N] = fork();
		if (!child[N])
			kill_one_by_one(child, N);
		CHECK(remove_module());
		for (int i = 0; i <= N; i++)
			CHECK(waitpid(child[i], &status, 0) == child[i]);
		CHECK(insert_module());
	}
}

/*
 * A call whose memory does not come.
 */

static struct served served;

static void *in_stalled_call(void *arg)
{
	struct waiter *w = arg;

	w->result = ioctl(w->fd, TIMEGRAPH_IOC_SUBSCRIBE, served.page) ? errno : 0;
	return NULL;
}

/* Refused, which harms nobody, instead of a removal that hangs. */
static void call_without_its_memory_refuses_the_removal(int *pids)
{
	struct waiter w;

	(void)pids;
	if (!served_begin(&served))
		exit(2);
	start(&w, node(O_RDWR), in_stalled_call);
	sleep_ms(100);
	CHECK(!remove_module());
	is_there(w.fd);
	CHECK(served_give(&served));
	pthread_join(w.thread, NULL);
	CHECK(!w.result);
	CHECK(remove_module());
	is_gone(w.fd);
	CHECK(insert_module());
}

static const struct device_test tests[] = {
	TEST(open_files_answer_that_it_is_gone),
	TEST(what_watches_a_file_lets_go_of_it),
	TEST(what_a_file_has_asked_for_ends),
	TEST(file_that_is_used_oddly_does_no_harm),
	TEST(asynchronous_poll_ends),
	TEST(poll_that_stays_ends),
	TEST(many_open_files_do_not_hold_it_up),
	TEST(processes_are_killed_while_it_goes),
	TEST(calls_race_with_its_going),
	TEST(call_without_its_memory_refuses_the_removal),
	{ },
};

int main(int argc, char **argv)
{
	return run_device_test(tests, argc, argv);
}
