/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A cgroup made by hand, where no systemd can be asked for one.
 *
 * Whoever makes one holds a lock (flock) on its directory as long as he runs; the kernel
 * lets it go however he ends.  So one that nobody holds and that has no process was left
 * behind, and whoever finds it removes it.
 */
#ifndef CGROUP_H
#define CGROUP_H

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

/**
 * struct cgroup - a domain's cgroup
 * @path: of its directory
 * @fd: the directory, closed by an exec; negative: there is none
 * @made: by hand: to be removed
 */
struct cgroup {
	char path[PATH_MAX];
	int fd;
	bool made;
};

/*
 * Where cgroup2 is mounted, by @mountinfo: that of the mounts which @path is below, if it is
 * not NULL; and where @pid is in it, by /proc/@pid/cgroup: the directory's path.  Both 0 or
 * -errno; -ENOENT: there is no cgroup2.
 */
int cgroup_find_root(const char *mountinfo, const char *path, char root[PATH_MAX]);
int cgroup_of(const char *root, pid_t pid, char path[PATH_MAX]);

/* Removes what was left behind in @parent; how many. */
int cgroup_sweep(const char *parent);

/* Makes @parent/@name, locked.  0 or -errno. */
int cgroup_make(struct cgroup *cg, const char *parent, const char *name);

/* Opens the one at cg->path, which another has made.  0 or -errno. */
int cgroup_open(struct cgroup *cg);

/* @pid goes into it.  0 or -errno. */
int cgroup_enter(const struct cgroup *cg, pid_t pid);

/* Removes it if it was made by hand.  -EBUSY: it has processes, and stays until they end. */
int cgroup_end(struct cgroup *cg);

#endif
