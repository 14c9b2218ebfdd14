// SPDX-License-Identifier: GPL-2.0-or-later
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cgroup.h"
#include "domain.h"

/*
 * Somebody who sweeps may hold a new one for a moment, or take it away before it is locked:
 * for how long to try.  Who holds one of that name for longer is another's tgrun.
 */
#define TRIES 1000
#define TRY_NS 1000000
/* A process that has ended leaves a moment after it was waited for. */
#define GOING_TRIES 50
#define GOING_NS 2000000

#define DIRECTORY (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)

/* "\040" and the like are what a path may not have in this file. */
static void unescape(char *s)
{
	char *to = s;

	for (; *s; s++)
		if (*s == '\\' && s[1] >= '0' && s[1] <= '3' && s[2] >= '0' && s[2] <= '7' &&
		    s[3] >= '0' && s[3] <= '7') {
			*to++ = (s[1] - '0') << 6 | (s[2] - '0') << 3 | (s[3] - '0');
			s += 3;
		} else {
			*to++ = *s;
		}
	*to = '\0';
}

/* "41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw" */
static bool mount_of(char *line, char root[PATH_MAX])
{
	char *sep = strstr(line, " - "), *where = line;

	if (!sep || strncmp(sep + 3, "cgroup2 ", 8))
		return false;
	for (int i = 0; i < 4 && where; i++) {
		where = strchr(where, ' ');
		where = where ? where + 1 : NULL;
	}
	if (!where || where > sep)
		return false;
	where[strcspn(where, " ")] = '\0';
	unescape(where);
	return snprintf(root, PATH_MAX, "%s", where) < PATH_MAX;
}

static bool is_below(const char *path, const char *root)
{
	size_t n = strlen(root);

	return !strncmp(path, root, n) && path[n] == '/';
}

int cgroup_find_root(const char *mountinfo, const char *path, char root[PATH_MAX])
{
	FILE *f = fopen(mountinfo, "re");
	bool found = false;
	char *line = NULL;
	size_t size = 0;

	if (!f)
		return -errno;
	while (!found && getline(&line, &size, f) > 0)
		found = mount_of(line, root) && (!path || is_below(path, root));
	free(line);
	fclose(f);
	return found ? 0 : -ENOENT;
}

int cgroup_of(const char *root, pid_t pid, char path[PATH_MAX])
{
	char name[64], *line = NULL;
	int ret = -ENOENT, n;
	size_t size = 0;
	FILE *f;

	snprintf(name, sizeof(name), "/proc/%d/cgroup", pid);
	f = fopen(name, "re");
	if (!f)
		return -errno;
	while (ret && getline(&line, &size, f) > 0) {
		line[strcspn(line, "\n")] = '\0';
		if (strncmp(line, "0::/", 4))
			continue;
		/* The root's own path has no part of its own. */
		n = snprintf(path, PATH_MAX, "%s%s", root, line[4] ? line + 3 : "");
		ret = n < PATH_MAX ? 0 : -ENAMETOOLONG;
	}
	free(line);
	fclose(f);
	return ret;
}

/* Whether the directory of @fd still is what @name in @dir leads to. */
static bool is_there(int dir, const char *name, int fd)
{
	struct stat a, b;

	return !fstatat(dir, name, &a, AT_SYMLINK_NOFOLLOW) && !fstat(fd, &b) &&
	       a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* rmdir() itself refuses one with processes. */
static bool remove_left(int dir, const char *name)
{
	int fd = openat(dir, name, DIRECTORY);
	bool gone;

	if (fd < 0)
		return false;
	gone = !flock(fd, LOCK_EX | LOCK_NB) && is_there(dir, name, fd) &&
	       !unlinkat(dir, name, AT_REMOVEDIR);
	close(fd);
	return gone;
}

int cgroup_sweep(const char *parent)
{
	DIR *d = opendir(parent);
	struct dirent *e;
	int n = 0;

	while (d && (e = readdir(d)))
		if (!strncmp(e->d_name, DOMAIN_PREFIX, strlen(DOMAIN_PREFIX)))
			n += remove_left(dirfd(d), e->d_name);
	if (d)
		closedir(d);
	return n;
}

int cgroup_make(struct cgroup *cg, const char *parent, const char *name)
{
	const struct timespec moment = { .tv_nsec = TRY_NS };
	int ret = -EAGAIN;

	if (snprintf(cg->path, sizeof(cg->path), "%s/%s", parent, name) >=
	    (int)sizeof(cg->path))
		return -ENAMETOOLONG;
	for (int i = 0; i < TRIES; i++) {
		if (mkdir(cg->path, 0755) && errno != EEXIST)
			return -errno;
		cg->fd = open(cg->path, DIRECTORY);
		if (cg->fd < 0 && errno != ENOENT)
			return -errno;
		if (cg->fd < 0)
			continue;
		if (flock(cg->fd, LOCK_EX | LOCK_NB))
			ret = -errno;
		else if (is_there(AT_FDCWD, cg->path, cg->fd))
			break;
		close(cg->fd);
		cg->fd = -1;
		nanosleep(&moment, NULL);
	}
	if (cg->fd < 0)
		return ret;
	cg->made = true;
	return 0;
}

int cgroup_open(struct cgroup *cg)
{
	cg->made = false;
	cg->fd = open(cg->path, DIRECTORY);
	return cg->fd < 0 ? -errno : 0;
}

int cgroup_enter(const struct cgroup *cg, pid_t pid)
{
	int fd = openat(cg->fd, "cgroup.procs", O_WRONLY | O_CLOEXEC);
	char text[16];
	int n = snprintf(text, sizeof(text), "%d", pid), ret = 0;

	if (fd < 0)
		return -errno;
	if (write(fd, text, n) != n)
		ret = -errno;
	close(fd);
	return ret;
}

/* Whether it has processes that are listed, not only some that are going. */
static bool has_processes(const struct cgroup *cg)
{
	int fd = openat(cg->fd, "cgroup.procs", O_RDONLY | O_CLOEXEC);
	char c;
	bool has = fd >= 0 && read(fd, &c, 1) > 0;

	if (fd >= 0)
		close(fd);
	return has;
}

int cgroup_end(struct cgroup *cg)
{
	const struct timespec moment = { .tv_nsec = GOING_NS };
	int ret = 0;

	if (cg->fd < 0)
		return 0;
	for (int i = 0; cg->made && i < GOING_TRIES; i++) {
		ret = rmdir(cg->path) && errno != ENOENT ? -errno : 0;
		if (ret != -EBUSY || has_processes(cg))
			break;
		nanosleep(&moment, NULL);
	}
	close(cg->fd);
	cg->fd = -1;
	return ret;
}
