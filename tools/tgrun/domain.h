/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A cgroup gets what is wanted. */
#ifndef DOMAIN_H
#define DOMAIN_H

#include <stdint.h>

#include "want.h"

/* What a domain is called when nobody names it, and what sweeping looks for. */
#define DOMAIN_PREFIX "tgrun-"

/**
 * domain_apply - make it so, until the cgroup is removed
 * @fd: /dev/timegraph, open for writing
 * @cgroup: descriptor of its directory
 * @name: the directory's name, for domain_reserve_name(): all in it share one reserve
 *
 * A domain is made even if nothing is wanted for it.  Return: 0 or -errno, and then it may
 * have a part of what is wanted, until it is removed.
 */
int domain_apply(int fd, int cgroup, const char *name, const struct want *w);

/*
 * "tgrun-player-1234-5678": what the reserve of the cgroup with number @id is called.
 * Reserves are shared by name: another user's directory can be called the same, but has a
 * number of its own, which is at the end even if @name is cut.
 */
void domain_reserve_name(char out[TIMEGRAPH_NAME_LEN], const char *name, uint64_t id);

/* Why, in words. */
const char *domain_failure(int err);

#endif
