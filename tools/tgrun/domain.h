/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A cgroup gets what is wanted. */
#ifndef DOMAIN_H
#define DOMAIN_H

#include "want.h"

/* What a domain is called when nobody names it, and what sweeping looks for. */
#define DOMAIN_PREFIX "tgrun-"

/**
 * domain_apply - make it so, until the cgroup is removed
 * @fd: /dev/timegraph, open for writing
 * @cgroup: descriptor of its directory
 * @name: the directory's name, which its reserve gets: all in it share one
 *
 * A domain is made even if nothing is wanted for it.  Return: 0 or -errno, and then it may
 * have a part of what is wanted, until it is removed.
 */
int domain_apply(int fd, int cgroup, const char *name, const struct want *w);

/* Why, in words. */
const char *domain_failure(int err);

#endif
