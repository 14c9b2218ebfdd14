/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whose a cgroup is: tgrun-grant gives a user nothing but cgroups of his own. */
#ifndef OWNER_H
#define OWNER_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * An absolute path without "." and "..", whose last part tgrun made up: a rule that the
 * administrator gave a user's cgroup is not to be replaced.
 */
bool owner_is_path(const char *path);

/* The last part of @path. */
const char *owner_name(const char *path);

/*
 * Opens the cgroup at @path if it is @uid's: cgroup2, the directory his, no cgroup below it,
 * and at least one process in it, each of which runs as him alone.  @proc: where procfs is.
 * Returns a descriptor, or -1 with a reason in *why: one for all that is not his, so that
 * nobody learns what there is elsewhere.  No other file system is looked at.
 */
int owner_open(const char *path, uid_t uid, const char *proc, const char **why);

/* The two questions of it that are asked of files. */
bool owner_check_procs(int cgroup, uid_t uid, const char *proc, const char **why);
bool owner_check_status(const char *status, uid_t uid);

#endif
