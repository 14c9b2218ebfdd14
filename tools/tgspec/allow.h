/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a specification accepts of the lint's messages, in its comments:
 *
 *	<game:HT:-:60::>	# tgspec: allow ht-starves -- nobody else works here
 *
 * It is about the entry on its line; or, if it begins a comment on a line of its own,
 * about the next one.
 */
#ifndef ALLOW_H
#define ALLOW_H

#include "spec.h"

/**
 * struct allow - one name behind "allow"
 * @name: as it stands there, not ended by NUL
 * @len: its length
 * @entry: which it is about; ALLOW_NOBODY: none follows
 * @line: where it stands
 * @column: of its first character
 * @used: it has silenced something
 */
struct allow {
	const char *name;
	size_t len;
	u32 entry, line, column;
	bool used;
};

#define ALLOW_NOBODY UINT32_MAX

struct allows {
	struct allow *list;
	u32 n;
};

void allows_read(struct allows *a, const struct spec *spec);
void allows_free(struct allows *a);

/* Whether a message of @check about @entry is accepted; remembers that it was asked. */
bool allows_take(struct allows *a, u32 entry, const char *check);

#endif
