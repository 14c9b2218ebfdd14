// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "args.h"
#include "cgroup.h"
#include "domain.h"
#include "owner.h"

#define STATUS_BYTES 4096
#define NOT_HIS "there is no cgroup v2 of yours"

const char *owner_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

bool owner_is_path(const char *path)
{
	size_t n;

	if (*path != '/' || strlen(path) >= PATH_MAX)
		return false;
	for (const char *part = path; *part; part += n) {
		part++;
		n = strcspn(part, "/");
		if (!n || !strncmp(part, "..", n) || (n == 1 && *part == '.'))
			return false;
	}
	return !strncmp(owner_name(path), DOMAIN_PREFIX, strlen(DOMAIN_PREFIX));
}

/*
 * "Uid:\t1000\t1000\t1000\t1000": real, effective, saved and of the file system.  One that
 * could become another's again, as sudo, is not his.
 */
bool owner_check_status(const char *status, uid_t uid)
{
	const char *line = strstr(status, "\nUid:");
	unsigned long id[4];

	if (!line || sscanf(line, " Uid: %lu %lu %lu %lu", &id[0], &id[1], &id[2], &id[3]) != 4)
		return false;
	for (int i = 0; i < 4; i++)
		if (id[i] != uid)
			return false;
	return true;
}

static bool is_his(const char *pid, uid_t uid, const char *proc)
{
	char path[PATH_MAX], status[STATUS_BYTES];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "%s/%s/status", proc, pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	n = read(fd, status, sizeof(status) - 1);
	close(fd);
	if (n <= 0)
		return false;
	status[n] = '\0';
	return owner_check_status(status, uid);
}

static bool refuse(const char **why, const char *text)
{
	*why = text;
	return false;
}

/* 0 in the list: a process that this namespace does not know. */
bool owner_check_procs(int cgroup, uid_t uid, const char *proc, const char **why)
{
	int fd = openat(cgroup, "cgroup.procs", O_RDONLY | O_CLOEXEC | O_NOFOLLOW), seen = 0;
	FILE *f = fd < 0 ? NULL : fdopen(fd, "r");
	bool all = true;
	char line[32];

	if (!f)
		return refuse(why, "its processes cannot be read");
	for (; all && fgets(line, sizeof(line), f); seen++) {
		int32_t pid;

		line[strcspn(line, "\n")] = '\0';
		all = args_pid(line, &pid) && is_his(line, uid, proc);
	}
	fclose(f);
	if (!all)
		return refuse(why, "it has a process that is not yours");
	return seen || refuse(why, "it has no process");
}

static bool check(int fd, uid_t uid, const char *proc, const char **why)
{
	struct stat st;

	if (fstat(fd, &st) || st.st_uid != uid)
		return refuse(why, NOT_HIS);
	/* As in any file system of the kernel's own: two, and one for each below. */
	if (st.st_nlink > 2)
		return refuse(why, "it has cgroups below it");
	return owner_check_procs(fd, uid, proc, why);
}

/* The way there may lead nowhere else: no link is followed, no other mount entered. */
static int open_below(const char *root, const char *path)
{
	struct open_how how = {
		.flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC,
		.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS |
			   RESOLVE_NO_XDEV,
	};
	int top = open(root, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), fd = -1;
	struct statfs fs;

	if (top < 0)
		return -1;
	if (!fstatfs(top, &fs) && fs.f_type == CGROUP2_SUPER_MAGIC)
		fd = syscall(SYS_openat2, top, path, &how, sizeof(how));
	close(top);
	return fd;
}

static int open_cgroup(const char *path, const char *proc)
{
	char mounts[PATH_MAX], root[PATH_MAX];

	snprintf(mounts, sizeof(mounts), "%s/self/mountinfo", proc);
	if (cgroup_find_root(mounts, path, root))
		return -1;
	return open_below(root, path + strlen(root) + 1);
}

int owner_open(const char *path, uid_t uid, const char *proc, const char **why)
{
	int fd;

	if (!owner_is_path(path)) {
		refuse(why, "it is no cgroup that tgrun has made");
		return -1;
	}
	fd = open_cgroup(path, proc);
	if (fd < 0) {
		refuse(why, NOT_HIS);
		return -1;
	}
	if (!check(fd, uid, proc, why)) {
		close(fd);
		return -1;
	}
	return fd;
}
