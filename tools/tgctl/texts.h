/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The specification's and the limit's file, as they are pushed. */
#ifndef TEXTS_H
#define TEXTS_H

#include <stdbool.h>
#include <sys/stat.h>

#include "libtimegraph.h"

enum { TEXTS_SPEC, TEXTS_AC, TEXTS_NUMBER };

/**
 * struct texts - both files as they were at one moment
 * @path: where they are
 * @owner: who must own them: root
 * @text: what they hold; NULL: there is none
 * @len: how many bytes
 * @st: what was read; 0 if there is none
 *
 * Starts with @path and @owner and 0, and ends with texts_free().
 */
struct texts {
	const char *path[TEXTS_NUMBER];
	uid_t owner;
	char *text[TEXTS_NUMBER];
	uint32_t len[TEXTS_NUMBER];
	struct stat st[TEXTS_NUMBER];
};

/*
 * Reads both.  False if one is none that the module would take: not a regular file of
 * @owner's that no other may write, over 64 KiB, open for writing by somebody, not to
 * be read, or changing all the time.  The module is to be asked then: it says why.
 */
bool texts_read(struct texts *t);

/* Whether both files still are what was read. */
bool texts_hold(const struct texts *t);

void texts_free(struct texts *t);

#endif
