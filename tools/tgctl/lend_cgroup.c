// SPDX-License-Identifier: GPL-2.0-or-later
/* See lend_cgroup.h. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "lend_cgroup.h"
#include "libtimegraph.h"

#define FILE_NAME "cpu.weight"
#define LENT_ATTRIBUTE "trusted.timegraph.cpu_lent"
#define WEIGHT_MAX 10000
#define PATH_BYTES 4096

/* -ENODEV: 0, which an idle one has. */
static int number(const char *text)
{
	char *end;
	long n;

	errno = 0;
	n = strtol(text, &end, 10);
	if (errno || end == text || (*end && *end != '\n') || n < 0 || n > WEIGHT_MAX)
		return -EINVAL;
	return n ? (int)n : -ENODEV;
}

/* The cgroup's directory, for reading it and its attributes. */
static int open_directory(const char *path)
{
	int handle = timegraph_open_cgroup(path), dir;

	if (handle < 0)
		return handle;
	dir = openat(handle, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0)
		dir = -errno;
	close(handle);
	return dir;
}

static int check(int dir, uint64_t id, bool lent)
{
	struct statfs fs;
	struct stat st;

	if (fstatfs(dir, &fs) || fstat(dir, &st))
		return -errno;
	if (fs.f_type != CGROUP2_SUPER_MAGIC || st.st_ino != id)
		return -ENOENT;
	if (fstatat(dir, FILE_NAME, &st, AT_SYMLINK_NOFOLLOW)) {
		if (errno != ENOENT)
			return -errno;
		return lent ? 0 : -ENODEV;
	}
	return st.st_uid && !lent ? -EPERM : 0;
}

int lend_cgroup_open(const char *path, uint64_t id, bool lent)
{
	/* It is none of the namespace's. */
	int dir = strncmp(path, "/..", 3) ? open_directory(path) : -ENOENT, ret;

	if (dir < 0)
		return dir;
	ret = check(dir, id, lent);
	if (!ret)
		return dir;
	close(dir);
	return ret;
}

int lend_cgroup_weight(int dir)
{
	int fd = openat(dir, FILE_NAME, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	char text[16] = "";
	ssize_t n;

	if (fd < 0)
		return errno == ENOENT ? -ENODEV : -errno;
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	return n < 0 ? -errno : number(text);
}

static int write_weight(int dir, int weight)
{
	int fd = openat(dir, FILE_NAME, O_WRONLY | O_CLOEXEC | O_NOFOLLOW), ret = 0;

	if (fd < 0)
		return -errno;
	if (dprintf(fd, "%d\n", weight) < 0)
		ret = -errno;
	close(fd);
	return ret;
}

static int say(int dir, const char *attribute, const char *text)
{
	return fsetxattr(dir, attribute, text, strlen(text), 0) ? -errno : 0;
}

static int say_own(int dir, int own)
{
	char text[16];

	snprintf(text, sizeof(text), "%d", own);
	return say(dir, LEND_ATTRIBUTE, text);
}

/* What it has, and what it is to have: between the two one may be killed. */
static int say_lent(int dir, int weight)
{
	int now = lend_cgroup_weight(dir);
	char text[32];

	snprintf(text, sizeof(text), "%d %d", now < 0 ? weight : now, weight);
	return say(dir, LENT_ATTRIBUTE, text);
}

static int said_own(int dir)
{
	char text[16] = "";

	if (fgetxattr(dir, LEND_ATTRIBUTE, text, sizeof(text) - 1) <= 0)
		return -ENODATA;
	return number(text);
}

/* Whether @weight is what was lent. */
static bool is_lent(int dir, int weight)
{
	char text[32] = "";
	int from, to;

	if (fgetxattr(dir, LENT_ATTRIBUTE, text, sizeof(text) - 1) <= 0 ||
	    sscanf(text, "%d %d", &from, &to) != 2)
		return true;
	return weight == from || weight == to;
}

int lend_cgroup_own(int dir)
{
	int now = lend_cgroup_weight(dir), own = said_own(dir);

	return now > 0 && own > 0 && is_lent(dir, now) ? own : now;
}

static int unsay(int dir)
{
	if (fremovexattr(dir, LEND_ATTRIBUTE) && errno != ENODATA)
		return -errno;
	fremovexattr(dir, LENT_ATTRIBUTE);
	return 0;
}

/* In this order: at no time is something lent of which nobody knows. */
int lend_cgroup_set(int dir, int weight, int own)
{
	bool ends = weight == own;
	int ret = ends ? 0 : say_lent(dir, weight);

	if (!ret && !ends)
		ret = say_own(dir, own);
	if (!ret)
		ret = write_weight(dir, weight);
	/* One that is idle, or has no weight now, has nothing that could be taken back. */
	if (ends && (ret == -EINVAL || ret == -ENOENT))
		ret = 0;
	return ret || !ends ? ret : unsay(dir);
}

/**
 * struct walk - through all cgroups
 * @path: of the one that is looked at
 * @failed: so many could not be
 */
struct walk {
	void (*done)(const char *path, int had, int own);
	char path[PATH_BYTES];
	int failed;
};

static void undo_one(struct walk *w, int dir)
{
	int own = said_own(dir), now = lend_cgroup_weight(dir);
	int to = now > 0 && !is_lent(dir, now) ? now : own;

	if (own < 0)
		return;
	if (lend_cgroup_set(dir, to, to))
		w->failed++;
	else if (w->done && now != to)
		w->done(*w->path ? w->path : "/", now, to);
}

static void walk(struct walk *w, int dir);

/* One that goes meanwhile has nothing to take back. */
static void walk_into(struct walk *w, int dir, const char *name)
{
	int below = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	size_t len = strlen(w->path);

	if (below < 0) {
		w->failed += errno != ENOENT && errno != ENODEV;
		return;
	}
	if (len + strlen(name) + 2 > sizeof(w->path)) {
		w->failed++;
		close(below);
		return;
	}
	sprintf(w->path + len, "/%s", name);
	walk(w, below);
	w->path[len] = '\0';
}

/* Closes @dir. */
static void walk(struct walk *w, int dir)
{
	DIR *d = fdopendir(dir);
	struct dirent *e;

	if (!d) {
		w->failed++;
		close(dir);
		return;
	}
	undo_one(w, dir);
	while ((e = readdir(d)))
		if (e->d_type == DT_DIR && strcmp(e->d_name, ".") && strcmp(e->d_name, ".."))
			walk_into(w, dir, e->d_name);
	closedir(d);
}

int lend_cgroup_undo(void (*done)(const char *path, int had, int own))
{
	struct walk w = { .done = done };
	int root = open_directory("/");

	if (root < 0)
		return root;
	walk(&w, root);
	return w.failed;
}
