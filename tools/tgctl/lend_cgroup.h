/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The weight of a cgroup on the CPU while some of it is lent.  What it is without that stands
 * in an extended attribute of the cgroup: there the module reads it (XC and AugC go by it),
 * and whoever comes after one that was killed.  A second one says what was written, so that
 * another's weight is known.
 */
#ifndef LEND_CGROUP_H
#define LEND_CGROUP_H

#include <stdbool.h>
#include <stdint.h>

#define LEND_ATTRIBUTE "trusted.timegraph.cpu_weight"

/**
 * lend_cgroup_open - the cgroup @path, if it still is the one whose number is @id
 * @lent: something is lent to it: whose its weight is does not matter any more
 *
 * Return: a descriptor of its directory; -ENOENT: it is gone; -EPERM: its weight is not root's,
 * who owns it gives himself what he likes; -ENODEV: it has none, see cgroup.subtree_control.
 */
int lend_cgroup_open(const char *path, uint64_t id, bool lent);

/** lend_cgroup_weight - its weight now; -ENODEV: it has none, or is idle; or -errno */
int lend_cgroup_weight(int dir);

/** lend_cgroup_own - what it is without what is lent, which need not be by this process */
int lend_cgroup_own(int dir);

/**
 * lend_cgroup_set - has it @weight; without what is lent that would be @own
 *
 * With the same for both nothing is lent any more, also if it has no weight now.
 *
 * Return: 0 or -errno; then it is as it was, or told to have something lent although it has not.
 */
int lend_cgroup_set(int dir, int weight, int own);

/**
 * lend_cgroup_undo - takes back from all cgroups what is still lent to them
 * @done: called for each, with its path, what it had, and its own weight; or NULL
 *
 * A weight that another has set since stays.
 *
 * Return: how many could not be looked at, or -errno
 */
int lend_cgroup_undo(void (*done)(const char *path, int had, int own));

#endif
