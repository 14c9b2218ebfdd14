/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What cgroups are to get: what was said by calls, and what comes of that together with the
 * specification and the extended attributes.
 *
 * Root's word counts before an owner's, a call before the specification, and that before an
 * attribute, field by field.  What the owner of a cgroup says, by a call or by user.timegraph.*,
 * counts only below the outermost cgroup that he owns, and makes that a domain, or below one
 * within that which root has ruled: so he divides what it gets, and cannot change it.
 */
#ifndef TG_RULES_H
#define TG_RULES_H

#include <uapi/drm/timegraph.h>

#include "core/tg_domain.h"
#include "core/tg_spec.h"
#include "tg_cgroup.h"
#include "tg_version.h"

/**
 * struct tg_wanted - a domain that a cgroup is to be
 * @cgrp: the cgroup
 * @id: its number
 * @rule: what it is to get
 * @owner: whose words these are, if nobody of root's; else GLOBAL_ROOT_UID
 * @origin_weight, @origin_target, @origin_quota: enum timegraph_origin
 */
struct tg_wanted {
	struct cgroup *cgrp;
	u64 id;
	struct tg_domain_rule rule;
	kuid_t owner;
	u8 origin_weight;
	u8 origin_target;
	u8 origin_quota;
};

/**
 * tg_rules_copy_fields - a part of an entry
 * @fields: TIMEGRAPH_SET_*: which
 */
void tg_rules_copy_fields(struct tg_spec_entry *to, const struct tg_spec_entry *from,
			  u32 fields);

/* All that follow: under tg_client_mutex. */

/**
 * tg_rules_of - the domains that somebody in a cgroup is in
 * @chain: that cgroup, and what is around it
 * @v: the specification in force
 * @wanted: filled in, the outermost first; @wanted[].cgrp is one of @chain's
 *
 * Return: how many there are.
 */
u32 tg_rules_of(const struct tg_cgroup_chain *chain, const struct tg_version *v,
		struct tg_wanted wanted[TG_DOMAIN_DEPTH]);

/**
 * tg_rules_imposed - those of them that nobody can leave
 * @wanted: by tg_rules_of()
 * @nr: their number
 *
 * A domain that is one only since its owner divides it has the usual weight.  Who was given
 * less than that would get more in it.
 *
 * Return: how many there are, from outside in, up to the last that root has ruled or to
 * such a domain, whichever is further in; the latter not included.
 */
u32 tg_rules_imposed(const struct tg_wanted wanted[TG_DOMAIN_DEPTH], u32 nr);

/**
 * tg_rules_set - what a call says of a cgroup
 * @chain: it, as it was just looked at
 * @set: checked for range
 * @privileged: the caller has CAP_SYS_ADMIN
 * @uid: the caller
 *
 * Return: 0, -EPERM, -ENOMEM, -ENOSPC, -EDQUOT.
 */
int tg_rules_set(const struct tg_cgroup_chain *chain, const struct timegraph_domain_set *set,
		 bool privileged, kuid_t uid);

/** tg_rules_clear - the opposite; -ENOENT, -EPERM */
int tg_rules_clear(const struct tg_cgroup_chain *chain, bool privileged, kuid_t uid);

/**
 * tg_rules_set_tasks - what the tasks of a cgroup have instead of what the specification says
 * @fields: TIMEGRAPH_SET_*; 0: nothing any more
 * @entry: the values
 *
 * Return: 0, -ENOMEM, -ENOSPC, -EDQUOT; -ENOENT: there is nothing to clear.
 */
int tg_rules_set_tasks(const struct tg_cgroup_chain *chain, u32 fields,
		       const struct tg_spec_entry *entry);

/**
 * tg_rules_tasks - what that is for somebody in a cgroup: field by field of the innermost around
 * him that has one
 *
 * Return: fields of @entry that are set; 0: none.
 */
u32 tg_rules_tasks(const struct tg_cgroup_chain *chain, struct tg_spec_entry *entry);

/** tg_rules_exit - forgets all */
void tg_rules_exit(void);

#endif
