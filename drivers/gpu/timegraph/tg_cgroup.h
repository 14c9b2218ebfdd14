/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Control groups (cgroup v2): where a process is, who owns that, and what its extended
 * attributes say.
 *
 * They are read in a mount of the module's own, by a thread of its own: who asks may have
 * another root, and may not be allowed to read trusted.*.  A cgroup's directory is the
 * kernel's, no server of anybody's answers for it; so this takes no longer than reading does.
 */
#ifndef TG_CGROUP_H
#define TG_CGROUP_H

#include <linux/pid.h>
#include <linux/sched.h>
#include <linux/types.h>
#include <linux/uidgid.h>

#include "core/tg_domain.h"

struct cgroup;

/* How deep it is looked: who is further within is as if he were there. */
#define TG_CGROUP_LEVELS 64

/**
 * struct tg_said - what somebody says that a cgroup is to get
 * @fields: TIMEGRAPH_DOMAIN_* bits: what he says
 * @rule: that
 */
struct tg_said {
	u32 fields;
	struct tg_domain_rule rule;
};

/**
 * struct tg_cgroup_level - a cgroup
 * @cgrp: it; the chain's leaf holds it
 * @id: its number, never used again
 * @owner: of its directory; INVALID_UID if that cannot be told
 * @path_len: of its path, which the chain's begins with
 * @by_root: what trusted.timegraph.* says
 * @by_owner: what user.timegraph.* says
 */
struct tg_cgroup_level {
	struct cgroup *cgrp;
	u64 id;
	kuid_t owner;
	u32 path_len;
	struct tg_said by_root;
	struct tg_said by_owner;
};

/**
 * struct tg_cgroup_chain - a cgroup and those around it, but for the root
 * @leaf: the cgroup, a reference is held
 * @id: its number
 * @path: its path from the root; cut at the level where it would be too long
 * @nr: how many there are
 * @level: the outermost first
 */
struct tg_cgroup_chain {
	struct cgroup *leaf;
	u64 id;
	char *path;
	u32 nr;
	struct tg_cgroup_level level[];
};

/** tg_cgroup_init - -ENOMEM */
int tg_cgroup_init(void);
void tg_cgroup_exit(void);

/**
 * tg_cgroup_of - the cgroup of a process, with a reference; NULL if it has none
 *
 * A process is where its first thread is.
 */
struct cgroup *tg_cgroup_of(struct pid *pid);

/**
 * tg_cgroup_from_fd - the cgroup of a directory of cgroup2, with a reference
 *
 * Return: it; -EBADF: it is no such directory; -ENODEV: it is removed; -EINVAL: the root;
 * -EOPNOTSUPP.
 */
struct cgroup *tg_cgroup_from_fd(int fd);

/** tg_cgroup_get - another reference */
void tg_cgroup_get(struct cgroup *cgrp);

/** tg_cgroup_put - @cgrp may be NULL */
void tg_cgroup_put(struct cgroup *cgrp);

/** tg_cgroup_id - number of a cgroup; 0 of NULL */
u64 tg_cgroup_id(struct cgroup *cgrp);

/** tg_cgroup_is_gone - whether it is removed */
bool tg_cgroup_is_gone(struct cgroup *cgrp);

/** tg_cgroup_path - its path, from the root of the caller's namespace; cut if too long */
void tg_cgroup_path(struct cgroup *cgrp, char *buf, size_t size);

/**
 * tg_cgroup_path_within - the path, from the root, of a cgroup or of the innermost around it
 * that has one that fits
 * @levels: how deep that is to be at most
 *
 * Return: how deep it is; 0: the root.  Takes no lock that sleeps.
 */
u32 tg_cgroup_path_within(struct cgroup *cgrp, u32 levels, char *buf, size_t size);

/** tg_cgroup_id_of - that of the one a process is in; 0: the process is gone.  Takes no lock */
u64 tg_cgroup_id_of(struct pid *pid);

/** tg_cgroup_ancestor_id - number of the cgroup @depth below the root around it, or it; or 0 */
u64 tg_cgroup_ancestor_id(struct cgroup *cgrp, u32 depth);

/**
 * tg_cgroup_look - at a cgroup and those around it
 * @leaf: its reference is taken over, in any case; NULL or the root has an empty chain
 *
 * May sleep; no lock may be held that a reader of cgroupfs needs.
 * Return: the chain, for tg_cgroup_free(); NULL without memory.
 */
struct tg_cgroup_chain *tg_cgroup_look(struct cgroup *leaf);

/** tg_cgroup_free - @chain may be NULL */
void tg_cgroup_free(struct tg_cgroup_chain *chain);

/**
 * tg_cgroup_weight - what the cgroup's cpu.weight says
 *
 * May sleep.  Return: that; 100 if the cgroup has none, or if the file is not root's: who owns
 * it would set his own weight on the GPU.
 */
u32 tg_cgroup_weight(struct cgroup *cgrp);

#endif
