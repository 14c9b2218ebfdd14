/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A specification amended by what was set at run time, so that it gives every
 * program that runs what it has now.
 */
#ifndef AMEND_H
#define AMEND_H

#include "running.h"

/**
 * struct amended - the outcome
 * @spec: it, in canonical layout; its path is the old one's
 * @changed: how many entries are not the old one's
 * @lost: for each task whether @spec gives it something else than it has: two
 *	of one name that have not the same, or what no entry can say
 * @nr_lost: how many
 * @stale: for each task whether the old one gives it something else than it has,
 *	although nothing was set: the file has changed since it was read for it
 */
struct amended {
	struct spec spec;
	u32 changed;
	bool *lost;
	u32 nr_lost;
	bool *stale;
};

/*
 * @old has no errors.  Returns false if the text would be too large for the
 * kernel; to be freed even then.
 */
bool amend(struct amended *a, const struct spec *old, const struct state *st);
void amended_free(struct amended *a);

#endif
