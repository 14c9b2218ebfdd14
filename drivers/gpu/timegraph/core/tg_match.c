// SPDX-License-Identifier: GPL-2.0-only
/* Which entry of a specification is for a program, what it has without one, and its words. */
#include "tg_spec.h"

static bool is_file(const struct tg_spec_entry *e, const struct tg_spec_program *p)
{
	if (e->file.ino && p->file.ino)
		return e->file.ino == p->file.ino && e->file.dev == p->file.dev;
	return p->path && !strcmp(e->name, p->path);
}

/* /a is below /, and /a and /a/b are below /a, and /ab is not. */
static bool is_below(const char *cgroup, const char *above)
{
	size_t len = strlen(above);

	if (!cgroup || len == 1)
		return cgroup;
	return !strncmp(cgroup, above, len) && (!cgroup[len] || cgroup[len] == '/');
}

bool tg_spec_matches(const struct tg_spec_entry *e,
		     const struct tg_spec_program *p)
{
	if (!tg_spec_is_programs(e))
		return false;
	if (e->has_uid && p->uid != TG_SPEC_ANY_UID && e->uid != p->uid)
		return false;
	switch (e->kind) {
	case TG_SPEC_PATH:
		return is_file(e, p);
	case TG_SPEC_CGROUP:
		return is_below(p->cgroup, e->name + strlen(TG_SPEC_CGROUP_WORD));
	case TG_SPEC_ANY:
		return true;
	case TG_SPEC_GPU:
		return false;
	case TG_SPEC_NAME:
		break;
	}
	return (p->exe && !strcmp(e->name, p->exe)) ||
	       !strncmp(e->name, p->comm, TG_COMM_MAX);
}

const struct tg_spec_entry *tg_spec_match(const struct tg_spec_entry *entries,
					  u32 n, const struct tg_spec_program *p)
{
	for (u32 i = 0; i < n; i++)
		if (tg_spec_matches(&entries[i], p))
			return &entries[i];
	return NULL;
}

const struct tg_spec_entry *tg_spec_match_domain(const struct tg_spec_entry *entries, u32 n,
						 const char *cgroup)
{
	const struct tg_spec_entry *best = NULL;

	for (u32 i = 0; i < n; i++) {
		const struct tg_spec_entry *e = &entries[i];

		if (e->domain && e->vram_bytes &&
		    is_below(cgroup, e->name + strlen(TG_SPEC_CGROUP_WORD)) &&
		    (!best || strlen(e->name) > strlen(best->name)))
			best = e;
	}
	return best;
}

const char *tg_spec_match_gpu(const struct tg_spec_entry *entries, u32 n, u32 gpu)
{
	for (u32 i = 0; i < n; i++)
		if (entries[i].kind == TG_SPEC_GPU &&
		    (entries[i].gpu == gpu || entries[i].gpu == TG_SPEC_ANY_GPU))
			return entries[i].policy;
	return NULL;
}

void tg_spec_default(struct tg_spec_entry *e)
{
	memset(e, 0, sizeof(*e));
	e->sched = TG_SPEC_FQ;
	e->weight = TG_WEIGHT_DEFAULT;
	e->resv = TG_SPEC_RESV_BG;
	e->prio = TG_PRIO_MIN;
}

const char *tg_spec_sched_name(enum tg_spec_sched sched)
{
	static const char *const name[] = { "PRT", "HT", "FQ" };

	return name[sched];
}

const char *tg_spec_class_name(enum tg_policy_id id)
{
	static const char *const name[] = {
		[TG_POLICY_FQ] = "fq",
		[TG_POLICY_RR] = "rr",
		[TG_POLICY_ACCC] = "accc",
		[TG_POLICY_XC] = "xc",
		[TG_POLICY_SLAF] = "slaf",
		[TG_POLICY_AUGC] = "augc",
		[TG_POLICY_COSCHED] = "cosched",
	};

	return id < ARRAY_SIZE(name) ? name[id] : NULL;
}

enum tg_policy_id tg_spec_class(const char *name)
{
	enum tg_policy_id id = 0;

	while (id < TG_NR_POLICIES &&
	       (!tg_spec_class_name(id) || strcmp(tg_spec_class_name(id), name)))
		id++;
	return id;
}

const char *tg_spec_resv_name(enum tg_spec_resv resv)
{
	static const char *const name[] = { "-", "PE", "AE", "BG" };

	return name[resv];
}
