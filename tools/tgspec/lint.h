/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the kernel accepts, although it is hardly meant. */
#ifndef LINT_H
#define LINT_H

#include "reserves.h"

struct lint;

/**
 * struct lint_check - one rule
 * @name: stable, as in messages
 * @severity: of its messages
 * @about: one line, for --list
 * @entry: asked for every entry, or NULL
 * @reserve: asked for every reserve, or NULL
 * @file: asked once, or NULL
 */
struct lint_check {
	const char *name;
	enum diag_severity severity;
	const char *about;
	void (*entry)(struct lint *l, u32 entry);
	void (*reserve)(struct lint *l, u32 resv);
	void (*file)(struct lint *l);
};

extern const struct lint_check lint_checks[];
extern const size_t lint_nr_checks;

/* NULL if there is none of this name. */
const struct lint_check *lint_find(const char *name);

/*
 * @off: for each check whether to leave it out; NULL: none.  What the file accepts in
 * its comments (allow.h) is only counted.
 */
void lint_run(const struct spec *spec, const struct spec_limit *limit,
	      const bool *off, struct diags *diags);

#endif
