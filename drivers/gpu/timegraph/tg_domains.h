/* SPDX-License-Identifier: GPL-2.0-only */
/* The domains of a GPU: cgroups with a rule that have, or had, tasks there. */
#ifndef TG_DOMAINS_H
#define TG_DOMAINS_H

#include <linux/hashtable.h>
#include <linux/rcupdate.h>
#include <linux/types.h>
#include <linux/uidgid.h>

#include <uapi/drm/timegraph.h>

#include "core/tg_domain.h"
#include "tg_rules.h"

struct cgroup;
struct tg_device;

/**
 * struct tg_dev_domain - a domain of a GPU
 * @core: the core's part, under tg_device.lock
 * @node: in tg_device.domains.table, by number; changed under tg_client_mutex, read under RCU
 * @all: in tg_device.domains.list: those that were replaced too; under tg_client_mutex
 * @rcu: of its memory
 * @td: the GPU
 * @cgrp: the cgroup, a reference is held
 * @id: its number
 * @owner: by whose rules it is a domain, if not by root's; else GLOBAL_ROOT_UID
 * @origin_weight, @origin_target, @origin_quota: enum timegraph_origin
 * @replaced: another has its place, as it is within another domain now
 * @held: somebody gets it, or one within it, or another in its place: it stays
 * @runs: CPUs that run a thread of it, while tg_oncpu.c counts them; under tg_device.lock
 * @shown, @shown_since: see tg_coarse(); under tg_device.lock
 *
 * Without another word: constant, or under tg_client_mutex.
 */
struct tg_dev_domain {
	struct tg_domain core;
	struct hlist_node node;
	struct list_head all;
	struct rcu_head rcu;
	struct tg_device *td;
	struct cgroup *cgrp;
	u64 id;
	kuid_t owner;
	u8 origin_weight;
	u8 origin_target;
	u8 origin_quota;
	bool replaced;
	bool held;
	u32 runs;
	struct timegraph_domain shown;
	u64 shown_since;
};

static inline struct tg_dev_domain *tg_dev_domain_of(struct tg_domain *d)
{
	return d ? container_of(d, struct tg_dev_domain, core) : NULL;
}

/** tg_domains_exit - it goes, with all tasks gone */
void tg_domains_exit(struct tg_device *td);

/**
 * tg_domains_get - the domain of a task, made if it is not there, with those around it
 * @wanted: the outermost first
 * @nr: how many
 *
 * Under tg_client_mutex.  Without memory, or beyond a limit, it is the innermost that could
 * be had.
 * Return: it, or NULL for none.
 */
struct tg_dev_domain *tg_domains_get(struct tg_device *td, const struct tg_wanted *wanted,
				     u32 nr);

/**
 * tg_domains_sweep - free those that have nothing and nobody, and whose cgroup is removed or
 * which was replaced
 *
 * Under tg_client_mutex.
 */
void tg_domains_sweep(struct tg_device *td);

/**
 * tg_domains_forget - free those without tasks whose rule may have ended
 * @id: the one of that number, and those that were only made for some within them; 0: those
 *	that the specification gave a rule
 *
 * Under tg_client_mutex.
 */
void tg_domains_forget(struct tg_device *td, u64 id);

/** tg_domains_find_rcu - by number; NULL; RCU read section or tg_client_mutex */
struct tg_dev_domain *tg_domains_find_rcu(struct tg_device *td, u64 id);

/* All of a GPU, under tg_client_mutex, in no order. */
#define tg_domains_for_each(d, td) list_for_each_entry(d, &(td)->domains.list, all)

#endif
