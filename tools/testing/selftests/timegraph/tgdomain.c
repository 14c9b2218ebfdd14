// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Calls of /dev/timegraph for domains, right and wrong.
 *
 *	tgdomain TEST [PID FD]		a client, and a descriptor of its cgroup's directory
 *	tgdomain --xattr NAME VALUE PATH	as setfattr(1), which is not everywhere
 *	tgdomain --below PATH LEVELS COMMAND…	runs it in so many cgroups, one within another,
 *						with names so long that no path leads there
 *	tgdomain --below PATH -1		removes those, once they are empty
 *
 * Ends with 0 if all is as <drm/timegraph.h> says; else it says what is not.
 */
#include <sys/stat.h>
#include <sys/xattr.h>

#include "device.h"

#define MS 1000000ull

static struct timegraph_set set_prio(int pid, int prio)
{
	return (struct timegraph_set){ .pid = pid, .fields = TIMEGRAPH_SET_PRIO, .prio = prio };
}

static int set_task(int fd, struct timegraph_set s)
{
	return ioctl(fd, TIMEGRAPH_IOC_SET_TASK, &s);
}

static int clear_task(int fd, int pid)
{
	struct timegraph_set s = { .pid = pid };

	return ioctl(fd, TIMEGRAPH_IOC_CLEAR_TASK, &s);
}

static int set_domain(int fd, struct timegraph_domain_set set)
{
	return ioctl(fd, TIMEGRAPH_IOC_SET_DOMAIN, &set);
}

static int clear_domain(int fd, int cgroup)
{
	struct timegraph_domain_set set = { .cgroup = cgroup };

	return ioctl(fd, TIMEGRAPH_IOC_CLEAR_DOMAIN, &set);
}

/* @pids: a client, and the descriptor of its cgroup's directory */
static void bad_domains(int *pids)
{
	const struct timegraph_domain_set good = {
		.cgroup = pids[1], .fields = TIMEGRAPH_DOMAIN_WEIGHT, .weight = 300,
	};
	const struct timegraph_domain_set quota = {
		.cgroup = pids[1], .fields = TIMEGRAPH_DOMAIN_QUOTA, .capacity_ns = MS,
		.period_ns = 10 * MS,
	};
	struct timegraph_domain_set s;
	int fd = node(O_RDWR), reader = node(O_RDONLY), file = open("/proc/self/status", O_RDONLY);

	FAILS(set_domain(reader, good), EBADF);
	s = good, s.cgroup = -1;
	FAILS(set_domain(fd, s), EBADF);
	s = good, s.cgroup = file;
	FAILS(set_domain(fd, s), EBADF);
	s = good, s.fields = 0;
	FAILS(set_domain(fd, s), EINVAL);
	s = good, s.fields |= 1U << 30;
	FAILS(set_domain(fd, s), EINVAL);
	s = good, s.weight = 0;
	FAILS(set_domain(fd, s), EINVAL);
	s = good, s.weight = 10001;
	FAILS(set_domain(fd, s), EINVAL);
	s = good, s.target_ppm = 1000001;
	FAILS(set_domain(fd, s), EINVAL);
	s = good, s.flags = 1;
	FAILS(set_domain(fd, s), EINVAL);
	s = quota, s.capacity_ns = 11 * MS;
	FAILS(set_domain(fd, s), EINVAL);
	s = quota, s.capacity_ns = 0;
	FAILS(set_domain(fd, s), EINVAL);
	s = quota, s.period_ns = 100001 * MS;
	FAILS(set_domain(fd, s), EINVAL);
	FAILS(clear_domain(fd, pids[1]), ENOENT);
	CHECK(!set_domain(fd, good) && !set_domain(fd, quota));
	CHECK(!clear_domain(fd, pids[1]));
	FAILS(clear_domain(fd, pids[1]), ENOENT);
	close(file);
	close(reader);
	close(fd);
}

/* A process that is in the cgroup has what calls set for it, and no other. */
static void entries_of_a_cgroup(int *pids)
{
	struct timegraph_set s = {
		.pid = pids[1], .flags = TIMEGRAPH_BY_CGROUP,
		.fields = TIMEGRAPH_SET_POLICY | TIMEGRAPH_SET_PRIO,
		.policy = TIMEGRAPH_POLICY_PRT, .prio = 20,
	};
	struct timegraph_task t = { };
	int fd = node(O_RDWR);

	FAILS(ioctl(fd, TIMEGRAPH_IOC_CLEAR_TASK, &(struct timegraph_set){
		.pid = pids[1], .flags = TIMEGRAPH_BY_CGROUP }), ENOENT);
	s.flags |= TIMEGRAPH_BY_PIDFD;
	FAILS(set_task(fd, s), EINVAL);
	s.flags = TIMEGRAPH_BY_CGROUP;
	CHECK(!set_task(fd, s));
	CHECK(find_task(fd, pids[0], &t));
	CHECK(t.policy == TIMEGRAPH_POLICY_PRT && t.prio == 20 && t.resv == TIMEGRAPH_RESV_BG);
	s.fields = TIMEGRAPH_SET_RESV;
	s.resv = TIMEGRAPH_RESV_PE;
	s.capacity_ns = 5 * MS;
	s.period_ns = 50 * MS;
	CHECK(!set_task(fd, s) && find_task(fd, pids[0], &t));
	CHECK(t.policy == TIMEGRAPH_POLICY_PRT && t.prio == 20 && t.resv == TIMEGRAPH_RESV_PE);
	/* What is set for the process itself goes before it. */
	CHECK(!set_task(fd, set_prio(pids[0], 3)) && find_task(fd, pids[0], &t) && t.prio == 3);
	CHECK(!clear_task(fd, pids[0]) && find_task(fd, pids[0], &t) && t.prio == 20);
	CHECK(!ioctl(fd, TIMEGRAPH_IOC_CLEAR_TASK, &(struct timegraph_set){
		.pid = pids[1], .flags = TIMEGRAPH_BY_CGROUP }));
	CHECK(find_task(fd, pids[0], &t));
	CHECK(t.policy == TIMEGRAPH_POLICY_FQ && t.prio == 0 && t.resv == TIMEGRAPH_RESV_BG);
	close(fd);
}

/* As somebody without rights. */
static void policy_is_the_administrators(int *pids)
{
	struct timegraph_class class = { .set = "rr" };
	int fd = node(O_RDWR);

	(void)pids;
	FAILS(ioctl(fd, TIMEGRAPH_IOC_POLICY, &class), EPERM);
	class.set[0] = '\0';
	CHECK(!ioctl(fd, TIMEGRAPH_IOC_POLICY, &class) && !strcmp(class.name, "fq"));
	class.gpu = 99;
	FAILS(ioctl(fd, TIMEGRAPH_IOC_POLICY, &class), ENXIO);
	class.flags = 1;
	FAILS(ioctl(fd, TIMEGRAPH_IOC_POLICY, &class), EINVAL);
	close(fd);
}

#define TENTH "ddddddddddddddddddddddddd"
static const char name[] = TENTH TENTH TENTH TENTH TENTH TENTH TENTH TENTH TENTH TENTH;

/* The innermost first. */
static int remove_below(int up)
{
	int dir = openat(up, name, O_RDONLY | O_DIRECTORY), ret;

	if (dir < 0)
		return 0;
	ret = remove_below(dir) || unlinkat(up, name, AT_REMOVEDIR);
	close(dir);
	return ret;
}

static int run_below(const char *path, int levels, char **command)
{
	int dir = open(path, O_RDONLY | O_DIRECTORY), procs;

	if (levels < 0)
		return remove_below(dir);
	for (int i = 0; i < levels && dir >= 0; i++) {
		int up = dir;

		dir = mkdirat(up, name, 0755) ? -1 : openat(up, name, O_RDONLY | O_DIRECTORY);
		close(up);
	}
	procs = openat(dir, "cgroup.procs", O_WRONLY);
	if (dir >= 0 && procs >= 0 && write(procs, "0", 1) == 1) {
		close(procs);
		close(dir);
		execvp(command[0], command);
	}
	perror(path);
	return 1;
}

static const struct device_test tests[] = {
	TEST(bad_domains),
	TEST(entries_of_a_cgroup),
	TEST(policy_is_the_administrators),
	{ },
};

int main(int argc, char **argv)
{
	if (argc == 5 && !strcmp(argv[1], "--xattr")) {
		if (!setxattr(argv[4], argv[2], argv[3], strlen(argv[3]), 0))
			return 0;
		perror(argv[4]);
		return 1;
	}
	if (argc > 3 && !strcmp(argv[1], "--below"))
		return run_below(argv[2], atoi(argv[3]), argv + 4);
	return run_device_test(tests, argc, argv);
}
