/* SPDX-License-Identifier: GPL-2.0-only */
/* The tasks of control groups: rules for them, and for what they are to get together. */
#ifndef TG_MEMBERS_H
#define TG_MEMBERS_H

#include <uapi/drm/timegraph.h>

struct cgroup;

/** tg_members_look - at the cgroups of all tasks anew, and their attributes; may sleep */
void tg_members_look(void);

/**
 * tg_members_set_tasks - give what the tasks of a cgroup have, on all GPUs
 * @cgrp: its reference is taken over
 * @set: as for tg_client_set(), by somebody who may; @set->fields 0: as it was
 *
 * May sleep.  Return: 0; -ENOENT: nothing was set, or a Shared reserve does not exist;
 * -ENOMEM, -ENOSPC, -EDQUOT.  If it fails nothing has changed.
 */
int tg_members_set_tasks(struct cgroup *cgrp, const struct timegraph_set *set);

/**
 * tg_members_set_domain - say what a cgroup is to get, on all GPUs
 * @cgrp: its reference is taken over
 * @set: @set->fields 0: what calls have said is forgotten
 * @privileged: the caller has CAP_SYS_ADMIN; else he must own the cgroup and one around it
 *
 * May sleep.  Return: 0, -EINVAL, -EPERM, -ENOENT, -ENOMEM, -ENOSPC, -EDQUOT.
 */
int tg_members_set_domain(struct cgroup *cgrp, const struct timegraph_domain_set *set,
			  bool privileged);

#endif
