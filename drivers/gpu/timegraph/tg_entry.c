// SPDX-License-Identifier: GPL-2.0-only
/* The entry of a process that has no channel yet. */
#include <linux/string.h>

#include "tg_cgroup.h"
#include "tg_config.h"
#include "tg_entry.h"
#include "tg_process.h"
#include "tg_program.h"
#include "tg_reader.h"

unsigned long tg_entry_look(struct pid *pid, const char *comm, struct tg_spec_entry *entry)
{
	unsigned long ticket = tg_reader_look();
	struct tg_spec_program p;
	struct tg_program program;
	struct tg_version *v;

	tg_program_look(&program, pid);
	v = tg_config_current();
	p = tg_program_match(&program, comm, tg_process_uid(pid));
	tg_config_lookup(v, &p, entry);
	tg_version_put(v);
	return ticket;
}

/* Of the cgroup of a path, which @cgrp is in or below. */
static void fill(struct tg_entry_domain *domain, const struct tg_spec_entry *e,
		 struct cgroup *cgrp)
{
	const char *path = e->name + strlen(TG_SPEC_CGROUP_WORD);
	u32 depth = 0;

	for (const char *p = path; *p; p++)
		depth += *p == '/';
	domain->id = tg_cgroup_ancestor_id(cgrp, depth);
	strscpy(domain->name, kbasename(path), sizeof(domain->name));
	domain->vram_bytes = e->vram_bytes;
}

void tg_entry_look_domain(struct pid *pid, struct tg_entry_domain *domain)
{
	const struct tg_spec_entry *e;
	char path[TG_SPEC_NAME_MAX];
	struct tg_version *v;
	struct cgroup *cgrp;

	memset(domain, 0, sizeof(*domain));
	if (!tg_config_gives_domains_vram())
		return;
	v = tg_config_current();
	cgrp = tg_cgroup_of(pid);
	if (cgrp && tg_cgroup_path_within(cgrp, TG_CGROUP_LEVELS, path, sizeof(path))) {
		e = tg_spec_match_domain(v->entry, v->nr_entries, path);
		if (e)
			fill(domain, e, cgrp);
	}
	tg_cgroup_put(cgrp);
	tg_version_put(v);
}
