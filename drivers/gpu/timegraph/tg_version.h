/* SPDX-License-Identifier: GPL-2.0-only */
/* A specification and an admission limit that belong together. */
#ifndef TG_VERSION_H
#define TG_VERSION_H

#include <linux/refcount.h>

#include "core/tg_spec.h"
#include "tg_file.h"

/**
 * enum tg_version_part - what a version consists of
 * @TG_VERSION_SPEC: the specification
 * @TG_VERSION_AC: the admission limit
 * @TG_VERSION_PARTS: how many there are
 */
enum tg_version_part {
	TG_VERSION_SPEC,
	TG_VERSION_AC,
	TG_VERSION_PARTS,
};

/**
 * struct tg_version - both, parsed
 * @refs: references
 * @nr: its number, rising; 0 until it is in force, see tg_config.c
 * @pushed: a tool brought it; else it was read from the files
 * @text: what was parsed
 * @limit_percent: the admission limit
 * @nr_entries: of the specification
 * @nr_paths: of these, how many name a file
 * @nr_vram_domains: how many give a domain memory
 * @entry: they, as parsed
 *
 * Constant once it is in force, but for tg_spec_entry.file: that is under the mutex of
 * tg_config.c.
 */
struct tg_version {
	refcount_t refs;
	u64 nr;
	bool pushed;
	struct tg_text text[TG_VERSION_PARTS];
	u32 limit_percent;
	u32 nr_entries;
	u32 nr_paths;
	u32 nr_vram_domains;
	struct tg_spec_entry entry[];
};

/**
 * tg_version_create - parse both texts
 * @text: what each file holds, or should; left empty if it succeeds
 * @err: filled in if a text is refused; of the other one err.check is NULL
 *
 * Return: a version; -EBADMSG: a text is refused; -ENOMEM.
 */
struct tg_version *tg_version_create(struct tg_text text[TG_VERSION_PARTS],
				     struct tg_spec_error err[TG_VERSION_PARTS]);

struct tg_version *tg_version_get(struct tg_version *v);
/** tg_version_put - @v may be NULL */
void tg_version_put(struct tg_version *v);

/** tg_version_same - whether both texts are the same */
bool tg_version_same(const struct tg_version *v,
		     const struct tg_text text[TG_VERSION_PARTS]);

/**
 * tg_version_look_up - the files that the paths lead to now
 * @v: not changed
 * @files: room for its entries: those of paths are filled in
 *
 * For a kernel worker.  None of the files is read, so nobody is asked whether it may
 * be.  May sleep, for as long as a file's server likes.
 */
void tg_version_look_up(const struct tg_version *v, struct tg_spec_file *files);

#endif
