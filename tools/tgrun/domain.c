// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

#include "domain.h"

#define WEIGHT_USUAL 100
/* Of a directory's name, so that a number of 20 digits has room behind it. */
#define NAME_BYTES 40

static int set_rule(int fd, int cgroup, const struct want *w)
{
	struct timegraph_domain_set set = {
		.cgroup = cgroup,
		.fields = TIMEGRAPH_DOMAIN_WEIGHT,
		.weight = w->weight ? w->weight : WEIGHT_USUAL,
	};

	if (w->target_ppm) {
		set.fields |= TIMEGRAPH_DOMAIN_TARGET;
		set.target_ppm = w->target_ppm;
	}
	if (w->quota_ns) {
		set.fields |= TIMEGRAPH_DOMAIN_QUOTA;
		set.capacity_ns = w->quota_ns;
		set.period_ns = w->quota_period_ns;
	}
	return ioctl(fd, TIMEGRAPH_IOC_SET_DOMAIN, &set) ? -errno : 0;
}

void domain_reserve_name(char out[TIMEGRAPH_NAME_LEN], const char *name, uint64_t id)
{
	snprintf(out, TIMEGRAPH_NAME_LEN, "%.*s-%" PRIu64, NAME_BYTES, name, id);
}

/* A reserve of each process would be as many times what was asked for as there are. */
static int set_tasks(int fd, int cgroup, const char *name, const struct want *w)
{
	struct timegraph_set set = w->task;
	struct stat st;

	set.pid = cgroup;
	set.flags = TIMEGRAPH_BY_CGROUP;
	if (set.fields & TIMEGRAPH_SET_RESV) {
		/* The directory's inode has the cgroup's number. */
		if (fstat(cgroup, &st))
			return -errno;
		domain_reserve_name(set.group, name, st.st_ino);
	}
	return timegraph_set_task(fd, &set);
}

int domain_apply(int fd, int cgroup, const char *name, const struct want *w)
{
	int ret = set_rule(fd, cgroup, w);

	if (!ret && w->task.fields)
		ret = set_tasks(fd, cgroup, name, w);
	return ret;
}

const char *domain_failure(int err)
{
	switch (err) {
	case -ENOTTY:
		return "the module is too old for domains";
	case -EBADF:
		return "this is no cgroup v2";
	case -EPERM:
	case -EACCES:
		return "you may not give it that";
	case -EDQUOT:
		return "you have too many domains";
	case -ENOSPC:
		return "there are too many domains";
	case -EOPNOTSUPP:
		return "this kernel has no cgroups";
	case -ENODEV:
		return "the module or the cgroup has just been removed";
	default:
		return strerror(-err);
	}
}
