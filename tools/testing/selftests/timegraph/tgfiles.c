// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What open files of /dev/timegraph hold, and for how long.
 *
 *	tgfiles TEST [PID]...
 *	tgfiles many_are_held FILES RESERVES
 *	tgfiles foreground_goes_from_one_to_the_next PID...
 *
 * Ends with 0 if all is as <drm/timegraph.h> says; else it says what is not.
 */
#include <linux/sched.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "device.h"

#define ALL_EVENTS (TIMEGRAPH_EVENT_TASK | TIMEGRAPH_EVENT_ADMISSION | TIMEGRAPH_EVENT_BYPASS | \
		    TIMEGRAPH_EVENT_FOREGROUND | TIMEGRAPH_EVENT_CONFIG | TIMEGRAPH_EVENT_DOMAIN)

/* How many tasks are boosted, or -1. */
static int foreground(int fd, const int *names, uint32_t n, uint32_t flags)
{
	struct timegraph_foreground fg = { .ptr = (uintptr_t)names, .count = n, .flags = flags };

	return ioctl(fd, TIMEGRAPH_IOC_FOREGROUND, &fg) ? -1 : (int)fg.nr_boosted;
}

static int set_prio(int fd, int name, uint32_t flags, int prio)
{
	struct timegraph_set s = {
		.pid = name, .flags = flags, .fields = TIMEGRAPH_SET_PRIO, .prio = prio,
	};

	return ioctl(fd, TIMEGRAPH_IOC_SET_TASK, &s);
}

static void many_files(void)
{
	struct rlimit lim = { 1 << 16, 1 << 16 };

	if (setrlimit(RLIMIT_NOFILE, &lim))
		exit(2);
}

/* Memory of the kernel's own that it cannot take back, in KiB. */
static long kernel_kb(void)
{
	FILE *f = fopen("/proc/meminfo", "re");
	char line[128];
	long sum = 0, kb;

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "SUnreclaim: %ld", &kb) == 1 ||
		    sscanf(line, "VmallocUsed: %ld", &kb) == 1)
			sum += kb;
	if (f)
		fclose(f);
	return sum;
}

/* struct pids in use, without the hundreds of free ones that kernel 7.2 keeps at hand. */
static long nr_pids(void)
{
	FILE *f = fopen("/sys/kernel/slab/pid/shrink", "we");
	char line[256];
	long n = -1;

	if (f) {
		fputs("1", f);
		fclose(f);
	}
	f = fopen("/proc/slabinfo", "re");
	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "pid %ld", &n) == 1)
			break;
	if (f)
		fclose(f);
	return n;
}

static pid_t child_that_waits(void)
{
	pid_t pid = fork();

	if (!pid) {
		pause();
		_exit(0);
	}
	CHECK(pid > 0);
	return pid;
}

static void end(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

/* Lists of one process that lives and 4,095 that do not, in many files. */
static void lists_of_the_dead_take_no_memory(int *unused)
{
	enum { FILES = 1000 };
	static int names[TIMEGRAPH_FOREGROUND_MAX];
	long before, after;

	(void)unused;
	many_files();
	CHECK(become_nobody());
	names[0] = getpid();
	for (int i = 1; i < TIMEGRAPH_FOREGROUND_MAX; i++)
		names[i] = 0x7fff0000 + i;
	CHECK(!foreground(node(O_RDWR), names, TIMEGRAPH_FOREGROUND_MAX, 0));
	before = kernel_kb();
	for (int i = 0; i < FILES; i++)
		CHECK(!foreground(node(O_RDWR), names, TIMEGRAPH_FOREGROUND_MAX, 0));
	after = kernel_kb();
	printf("%d files took %ld KiB of kernel memory\n", FILES, after - before);
	CHECK(after - before < 4096);
}

/* Processes in the foreground end: nothing is left of them, though the file is open. */
static void processes_that_end_are_forgotten(int *unused)
{
	enum { CHILDREN = 600 };
	int names[CHILDREN], fd = node(O_RDWR);
	long before = nr_pids(), alive, after = 0;

	(void)unused;
	CHECK(before > 0);
	for (int i = 0; i < CHILDREN; i++)
		names[i] = child_that_waits();
	CHECK(!foreground(fd, names, CHILDREN, 0));
	alive = nr_pids();
	for (int i = 0; i < CHILDREN; i++)
		end(names[i]);
	/* They are freed a grace period later. */
	for (int i = 0; i < 100; i++) {
		after = nr_pids();
		if (after < before + CHILDREN / 3)
			break;
		usleep(50000);
	}
	printf("struct pid: %ld before, %ld with %d children, %ld after them\n", before, alive,
	       CHILDREN, after);
	CHECK(alive >= before + CHILDREN / 2 && after < before + CHILDREN / 3);
	close(fd);
}

/* What files name of the living is limited by user, and counted down again. */
static void files_of_a_user_share_a_limit(int *unused)
{
	enum { CHILDREN = 64, FILES = TIMEGRAPH_FOREGROUND_USER_MAX / CHILDREN };
	int names[2 * CHILDREN], fd[FILES], more, last;

	(void)unused;
	many_files();
	CHECK(become_nobody());
	for (int i = 0; i < CHILDREN; i++)
		names[i] = names[CHILDREN + i] = child_that_waits();
	/* Named twice is named once. */
	for (int i = 0; i < FILES; i++) {
		fd[i] = node(O_RDWR);
		CHECK(!foreground(fd[i], names, 2 * CHILDREN, 0));
	}
	more = node(O_RDWR);
	FAILS(foreground(more, names, 1, 0), EDQUOT);
	/* What a file has is not counted against what it gets instead. */
	CHECK(!foreground(fd[0], names, CHILDREN, 0));
	CHECK(!foreground(fd[0], names, CHILDREN - 1, 0));
	CHECK(!foreground(more, names, 1, 0));
	FAILS(foreground(more, names, 2, 0), EDQUOT);
	close(fd[1]);
	CHECK(!foreground(more, names, CHILDREN, 0));
	last = node(O_RDWR);
	FAILS(foreground(last, names, CHILDREN + 1, 0), EDQUOT);
	for (int i = 0; i < CHILDREN; i++)
		end(names[i]);
	/* All of them ended: the limit is free again, as soon as they are forgotten. */
	names[0] = getpid();
	for (int i = 0; i < 100 && foreground(last, names, 1, 0); i++)
		usleep(50000);
	CHECK(!foreground(last, names, 1, 0));
}

/* In a user namespace there are as many users as one likes: they are one's own. */
static void namespaces_do_not_widen_the_limit(int *unused)
{
	enum { CHILDREN = 64, FILES = TIMEGRAPH_FOREGROUND_USER_MAX / CHILDREN };
	int names[CHILDREN], status;
	pid_t child;

	(void)unused;
	many_files();
	CHECK(become_nobody());
	for (int i = 0; i < CHILDREN; i++)
		names[i] = child_that_waits();
	for (int i = 0; i < FILES; i++)
		CHECK(!foreground(node(O_RDWR), names, CHILDREN, 0));
	child = fork();
	if (!child) {
		tap_bad_checks = 0;
		if (unshare(CLONE_NEWUSER))
			_exit(2);
		FAILS(foreground(node(O_RDWR), names, 1, 0), EDQUOT);
		fflush(stdout);
		_exit(tap_bad_checks ? 1 : 0);
	}
	waitpid(child, &status, 0);
	CHECK(WIFEXITED(status) && !WEXITSTATUS(status));
	for (int i = 0; i < CHILDREN; i++)
		end(names[i]);
}

/* Runs a client with this number: of a process that has ended. */
static void run_client_as(pid_t number)
{
	struct clone_args args = {
		.exit_signal = SIGCHLD, .set_tid = (uintptr_t)&number, .set_tid_size = 1,
	};
	long pid = syscall(SYS_clone3, &args, sizeof(args));

	if (!pid) {
		execlp("tgload", "tgload", "--name", "gamma", "--json", "--seconds", "600",
		       "--fills", "2", "--period-us", "5000", (char *)NULL);
		_exit(127);
	}
	CHECK(pid == number);
}

static bool appears(int fd, int pid, struct timegraph_task *t)
{
	for (int i = 0; i < 400; i++) {
		if (find_task(fd, pid, t))
			return true;
		usleep(50000);
	}
	return false;
}

/* A process ends, and a client gets its number: a pidfd of the first is not its own. */
static void pidfds_are_never_another_process(int *unused)
{
	struct timegraph_set clear = { .flags = TIMEGRAPH_BY_PIDFD };
	int fd = node(O_RDWR), pid = child_that_waits(), old, new;
	struct timegraph_task t = { };

	(void)unused;
	old = syscall(SYS_pidfd_open, pid, 0);
	CHECK(old >= 0);
	end(pid);
	run_client_as(pid);
	CHECK(appears(fd, pid, &t) && t.prio == 50);
	new = syscall(SYS_pidfd_open, pid, 0);

	CHECK(foreground(fd, &old, 1, TIMEGRAPH_BY_PIDFD) == 0);
	CHECK(find_task(fd, pid, &t) && !(t.flags & TIMEGRAPH_TASK_FOREGROUND));
	FAILS(set_prio(fd, old, TIMEGRAPH_BY_PIDFD, 7), ESRCH);
	clear.pid = old;
	FAILS(ioctl(fd, TIMEGRAPH_IOC_CLEAR_TASK, &clear), ESRCH);
	CHECK(find_task(fd, pid, &t) && t.prio == 50);

	CHECK(foreground(fd, &new, 1, TIMEGRAPH_BY_PIDFD) == 1);
	CHECK(find_task(fd, pid, &t) && (t.flags & TIMEGRAPH_TASK_FOREGROUND));
	CHECK(!set_prio(fd, new, TIMEGRAPH_BY_PIDFD, 7));
	CHECK(find_task(fd, pid, &t) && t.prio == 7);
	clear.pid = new;
	CHECK(!ioctl(fd, TIMEGRAPH_IOC_CLEAR_TASK, &clear));
	CHECK(find_task(fd, pid, &t) && t.prio == 50);
	/* By number, as before. */
	CHECK(foreground(fd, &pid, 1, 0) == 1 && !set_prio(fd, pid, 0, 8));

	FAILS(foreground(fd, &fd, 1, TIMEGRAPH_BY_PIDFD), EBADF);
	FAILS(set_prio(fd, fd, TIMEGRAPH_BY_PIDFD, 7), EBADF);
	FAILS(set_prio(fd, -1, TIMEGRAPH_BY_PIDFD, 7), EBADF);
	FAILS(set_prio(fd, new, TIMEGRAPH_BY_PIDFD << 3, 7), EINVAL);
	FAILS(foreground(fd, &new, 1, TIMEGRAPH_BY_PIDFD << 2), EINVAL);
	CHECK(find_task(fd, pid, &t) && t.prio == 8 && (t.flags & TIMEGRAPH_TASK_FOREGROUND));
	end(pid);
	close(fd);
}

/* Until it is killed: files that are told of all that happens, and reserves, half of which fit. */
static void many_are_held(int *numbers)
{
	struct timegraph_subscribe all = { .mask = ALL_EVENTS };
	struct timegraph_create c = { .policy = TIMEGRAPH_RESV_PE, .period_ns = 10000000 };
	int fd = -1;

	many_files();
	for (int i = 0; i < numbers[0]; i++) {
		fd = node(O_RDWR);
		CHECK(!ioctl(fd, TIMEGRAPH_IOC_SUBSCRIBE, &all));
	}
	c.capacity_ns = 2 * c.period_ns / (unsigned int)numbers[1];
	for (int i = 0; i < numbers[1]; i++) {
		snprintf(c.name, sizeof(c.name), "reserve%d", i);
		CHECK(!ioctl(fd, TIMEGRAPH_IOC_CREATE_RESERVE, &c));
	}
	puts("ready");
	fflush(stdout);
	while (!tap_bad_checks)
		pause();
}

/*
 * As nobody, until it is killed: who of these programs is in the foreground changes as fast as it
 * can, among processes that end, in as many files as a user may have them.
 */
static void foreground_goes_from_one_to_the_next(int *pids)
{
	enum { CHILDREN = 64, FILES = TIMEGRAPH_FOREGROUND_USER_MAX / (CHILDREN + 1) };
	int names[CHILDREN + 1], fd[FILES], nr = 0;

	many_files();
	CHECK(become_nobody());
	while (pids[nr])
		nr++;
	CHECK(nr);
	for (int i = 0; i < CHILDREN; i++)
		names[i] = child_that_waits();
	for (int i = 0; i < FILES; i++)
		fd[i] = node(O_RDWR);
	for (unsigned int n = 0; !tap_bad_checks; n++) {
		names[CHILDREN] = pids[n % nr];
		CHECK(foreground(fd[n % FILES], names, CHILDREN + 1, 0) >= 0);
		if (n % 16)
			continue;
		end(names[n / 16 % CHILDREN]);
		names[n / 16 % CHILDREN] = child_that_waits();
	}
}

static const struct device_test tests[] = {
	TEST(lists_of_the_dead_take_no_memory),
	TEST(processes_that_end_are_forgotten),
	TEST(files_of_a_user_share_a_limit),
	TEST(namespaces_do_not_widen_the_limit),
	TEST(pidfds_are_never_another_process),
	TEST(many_are_held),
	TEST(foreground_goes_from_one_to_the_next),
	{ },
};

int main(int argc, char **argv)
{
	return run_device_test(tests, argc, argv);
}
