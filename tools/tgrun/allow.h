/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * /etc/timegraph.grant: what a user may have for a domain of his own; see
 * timegraph.grant(5).  Nothing here reads a file or prints: a text, who asks, and what for.
 */
#ifndef ALLOW_H
#define ALLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "want.h"

#define ALLOW_PATH "/etc/timegraph.grant"
#define ALLOW_FILE_BYTES 65536
#define ALLOW_LINE_BYTES 1024
#define ALLOW_WHY_BYTES 256
/* What a domain has that nobody gave a weight, and a program of FQ. */
#define ALLOW_WEIGHT 100

/**
 * struct allow_caller - who asks
 * @uid: his number
 * @name: his name, NULL if he has none
 * @gids: groups that he is in, @nr_groups
 * @groups: their names, NULL where there is none
 */
struct allow_caller {
	uid_t uid;
	const char *name;
	const gid_t *gids;
	const char *const *groups;
	int nr_groups;
};

/**
 * struct allow - what one may have at most
 * @weight: of a domain
 * @fq_weight: of FQ; 0: not the policy FQ either
 * @target_ppm: 0: no target
 * @capacity_ns: C of a reserve; 0: none
 * @period_ns: its T: C/T is what a reserve may be of the GPU, whatever its own C is
 * @prio: priority
 * @prt: the policy PRT
 * @ht: the policies HT and PRT
 */
struct allow {
	uint32_t weight;
	uint32_t fq_weight;
	uint32_t target_ppm;
	uint64_t capacity_ns;
	uint64_t period_ns;
	uint32_t prio;
	bool prt;
	bool ht;
};

/* What is wrong with a text; @line counts from 1. */
struct allow_error {
	unsigned int line;
	const char *text;
	const char *hint;
};

/*
 * What who is in no line may have, and all without a file: nothing that replaces what the
 * specification gives his programs, but by less.
 */
void allow_default(struct allow *a);

/*
 * The first line of @text that means @caller, or allow_default().  All of @text must be
 * right: false otherwise, with @err, and then nobody may have anything.
 */
bool allow_read(const char *text, size_t len, const struct allow_caller *caller,
		struct allow *a, struct allow_error *err);

/* Whether @w is within @a; false with the reason in @why. */
bool allow_check(const struct allow *a, const struct want *w, char why[ALLOW_WHY_BYTES]);

#endif
