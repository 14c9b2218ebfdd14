// SPDX-License-Identifier: GPL-2.0-only
/* What cgroups are to get. */
#include <linux/hashtable.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "tg_client_mutex.h"
#include "tg_rules.h"

/**
 * struct told - what calls have said of a cgroup
 * @node: in the table
 * @cgrp: it, a reference is held: its memory stays when it is removed, until somebody looks
 * @id: its number
 * @owner: who said it, if he may not say it of all; else GLOBAL_ROOT_UID
 * @whose: who owned its directory when somebody said something first; GLOBAL_ROOT_UID if that
 *	could not be told
 * @said: of the domain
 * @set: TIMEGRAPH_SET_* fields of @entry
 * @entry: of its tasks
 */
struct told {
	struct hlist_node node;
	struct cgroup *cgrp;
	u64 id;
	kuid_t owner;
	kuid_t whose;
	struct tg_said said;
	u32 set;
	struct tg_spec_entry entry;
};

/* As many of the table are left for cgroups that are no user's. */
#define LEFT_FOR_ROOT 256

/* Under tg_client_mutex, with their number. */
static DEFINE_HASHTABLE(table, 8);
static u32 nr_told;

static struct told *find(u64 id)
{
	struct told *t;

	lockdep_assert_held(&tg_client_mutex);
	hash_for_each_possible(table, t, node, id)
		if (t->id == id)
			return t;
	return NULL;
}

static void forget(struct told *t)
{
	hash_del(&t->node);
	nr_told--;
	tg_cgroup_put(t->cgrp);
	kfree(t);
}

static void forget_gone(void)
{
	struct hlist_node *n;
	struct told *t;
	int bucket;

	hash_for_each_safe(table, bucket, n, t, node)
		if (tg_cgroup_is_gone(t->cgrp))
			forget(t);
}

static u32 count_of(kuid_t whose, bool by_root)
{
	struct told *t;
	u32 n = 0;
	int bucket;

	hash_for_each(table, bucket, t, node)
		n += uid_eq(t->whose, whose) && uid_eq(t->owner, GLOBAL_ROOT_UID) == by_root;
	return n;
}

static kuid_t whose_is(const struct tg_cgroup_chain *chain)
{
	kuid_t uid = chain->nr ? chain->level[chain->nr - 1].owner : INVALID_UID;

	return uid_valid(uid) ? uid : GLOBAL_ROOT_UID;
}

/*
 * Who may have root's helper rule his cgroups (tgrun-grant) has as many cgroups as he likes: so
 * they are counted as his, whoever speaks.  Root's for him apart from his own, or he could
 * use up what root needs to rule him.
 */
static int check_room(kuid_t whose, bool by_root)
{
	bool roots = uid_eq(whose, GLOBAL_ROOT_UID);

	if (nr_told >= TIMEGRAPH_DOMAINS_MAX - (roots ? 0 : LEFT_FOR_ROOT))
		return -ENOSPC;
	if (!roots && count_of(whose, by_root) >= TIMEGRAPH_DOMAINS_USER_MAX)
		return -EDQUOT;
	return 0;
}

static struct told *make(const struct tg_cgroup_chain *chain, kuid_t owner)
{
	kuid_t whose = whose_is(chain);
	struct told *t;
	int ret;

	forget_gone();
	ret = check_room(whose, uid_eq(owner, GLOBAL_ROOT_UID));
	if (ret)
		return ERR_PTR(ret);
	t = kzalloc(sizeof(*t), GFP_KERNEL_ACCOUNT);
	if (!t)
		return ERR_PTR(-ENOMEM);
	tg_cgroup_get(chain->leaf);
	t->cgrp = chain->leaf;
	t->id = chain->id;
	t->owner = owner;
	t->whose = whose;
	hash_add(table, &t->node, t->id);
	nr_told++;
	return t;
}

/*
 * The outermost cgroup of the chain that @uid owns, or -1.  Of root's there is none: who
 * owns nothing of his own is not held below it.
 */
static int outermost(const struct tg_cgroup_chain *chain, kuid_t uid)
{
	for (u32 i = 0; i < chain->nr; i++)
		if (uid_valid(uid) && uid_eq(chain->level[i].owner, uid))
			return i;
	return -1;
}

/* Whether @uid may divide what the leaf's surroundings get. */
static bool may_say(const struct tg_cgroup_chain *chain, bool privileged, kuid_t uid)
{
	int last = (int)chain->nr - 1;

	return privileged || (last > 0 && uid_eq(chain->level[last].owner, uid) &&
			      outermost(chain, uid) < last);
}

static void say(struct tg_said *to, u32 fields, const struct tg_domain_rule *rule)
{
	to->fields |= fields;
	if (fields & TIMEGRAPH_DOMAIN_WEIGHT)
		to->rule.weight = rule->weight;
	if (fields & TIMEGRAPH_DOMAIN_TARGET)
		to->rule.target_ppm = rule->target_ppm;
	if (fields & TIMEGRAPH_DOMAIN_QUOTA) {
		to->rule.capacity_ns = rule->capacity_ns;
		to->rule.period_ns = rule->period_ns;
	}
}

int tg_rules_set(const struct tg_cgroup_chain *chain, const struct timegraph_domain_set *set,
		 bool privileged, kuid_t uid)
{
	const struct tg_domain_rule rule = {
		.weight = set->weight,
		.target_ppm = set->target_ppm,
		.capacity_ns = set->capacity_ns,
		.period_ns = set->period_ns,
	};
	struct told *t = find(chain->id);

	if (!may_say(chain, privileged, uid))
		return -EPERM;
	/* What root has said is not the owner's to change. */
	if (t && !privileged && t->said.fields && !uid_eq(t->owner, uid))
		return -EPERM;
	if (!t)
		t = make(chain, privileged ? GLOBAL_ROOT_UID : uid);
	if (IS_ERR(t))
		return PTR_ERR(t);
	/* What the owner has said does not become root's. */
	if (privileged && !uid_eq(t->owner, GLOBAL_ROOT_UID))
		memset(&t->said, 0, sizeof(t->said));
	t->owner = privileged ? GLOBAL_ROOT_UID : uid;
	say(&t->said, set->fields, &rule);
	return 0;
}

int tg_rules_clear(const struct tg_cgroup_chain *chain, bool privileged, kuid_t uid)
{
	struct told *t = find(chain->id);

	if (!may_say(chain, privileged, uid))
		return -EPERM;
	if (!t || !t->said.fields)
		return -ENOENT;
	if (!privileged && !uid_eq(t->owner, uid))
		return -EPERM;
	memset(&t->said, 0, sizeof(t->said));
	if (!t->set)
		forget(t);
	return 0;
}

void tg_rules_copy_fields(struct tg_spec_entry *to, const struct tg_spec_entry *from,
			  u32 fields)
{
	if (fields & TIMEGRAPH_SET_POLICY)
		to->sched = from->sched;
	if (fields & TIMEGRAPH_SET_WEIGHT)
		to->weight = from->weight;
	if (fields & TIMEGRAPH_SET_LEAD) {
		to->has_lead = from->has_lead;
		to->lead_ns = from->lead_ns;
	}
	if (fields & TIMEGRAPH_SET_PRIO) {
		to->prio = from->prio;
		to->focus = from->focus;
		to->cpu = from->cpu;
	}
	if (fields & TIMEGRAPH_SET_RESV) {
		to->resv = from->resv;
		to->capacity_ns = from->capacity_ns;
		to->period_ns = from->period_ns;
		memcpy(to->group, from->group, sizeof(to->group));
	}
}

int tg_rules_set_tasks(const struct tg_cgroup_chain *chain, u32 fields,
		       const struct tg_spec_entry *entry)
{
	struct told *t = find(chain->id);

	if (!fields && (!t || !t->set))
		return -ENOENT;
	if (!t)
		t = make(chain, GLOBAL_ROOT_UID);
	if (IS_ERR(t))
		return PTR_ERR(t);
	t->set = fields ? t->set | fields : 0;
	tg_rules_copy_fields(&t->entry, entry, fields);
	if (!t->set && !t->said.fields)
		forget(t);
	return 0;
}

u32 tg_rules_tasks(const struct tg_cgroup_chain *chain, struct tg_spec_entry *entry)
{
	u32 fields = 0;

	for (u32 i = 0; i < chain->nr; i++) {
		const struct told *t = find(chain->level[i].id);

		if (!t)
			continue;
		tg_rules_copy_fields(entry, &t->entry, t->set);
		fields |= t->set;
	}
	return fields;
}

/* Collects what is said of one cgroup; who comes later is heard. */
static void hear(struct tg_wanted *w, u32 fields, const struct tg_domain_rule *rule,
		 enum timegraph_origin origin, kuid_t owner)
{
	struct tg_said said = { .rule = w->rule };

	if (!fields)
		return;
	say(&said, fields, rule);
	w->rule = said.rule;
	w->owner = owner;
	if (fields & TIMEGRAPH_DOMAIN_WEIGHT)
		w->origin_weight = origin;
	if (fields & TIMEGRAPH_DOMAIN_TARGET)
		w->origin_target = origin;
	if (fields & TIMEGRAPH_DOMAIN_QUOTA)
		w->origin_quota = origin;
}

static const struct tg_spec_entry *find_entry(const struct tg_version *v,
					      const struct tg_cgroup_chain *chain, u32 i)
{
	u32 len = chain->level[i].path_len;

	for (u32 n = 0; n < v->nr_entries; n++) {
		const struct tg_spec_entry *e = &v->entry[n];
		const char *path = e->name + strlen(TG_SPEC_CGROUP_WORD);

		if (e->domain && strlen(path) == len && !memcmp(path, chain->path, len))
			return e;
	}
	return NULL;
}

static void hear_entry(struct tg_wanted *w, const struct tg_spec_entry *e)
{
	const struct tg_domain_rule rule = {
		.weight = e->weight,
		.target_ppm = e->target_ppm,
		.capacity_ns = e->capacity_ns,
		.period_ns = e->period_ns,
	};
	u32 fields = TIMEGRAPH_DOMAIN_WEIGHT;

	if (e->has_target)
		fields |= TIMEGRAPH_DOMAIN_TARGET;
	if (e->capacity_ns)
		fields |= TIMEGRAPH_DOMAIN_QUOTA;
	hear(w, fields, &rule, TIMEGRAPH_ORIGIN_SPEC, GLOBAL_ROOT_UID);
}

static bool is_wanted(const struct tg_wanted *w)
{
	return w->origin_weight || w->origin_target || w->origin_quota;
}

/**
 * struct hearing - the way from outside in
 * @chain: along which
 * @v: the specification
 * @ruled: the innermost level so far that root has said something of, or -1
 * @implied: levels that are domains for what is said within them
 */
struct hearing {
	const struct tg_cgroup_chain *chain;
	const struct tg_version *v;
	int ruled;
	u64 implied;
};

/*
 * What its owner, who is not root, says of level @i.  He divides what the outermost level gets
 * that is his: so that must be a domain.  If root has ruled one within that, that is what he
 * divides; one further out, of a weight that nobody gave it, would lift it.
 */
static void hear_owner(struct tg_wanted *w, struct hearing *h, int i, bool ruled,
		       const struct told *t)
{
	const struct tg_cgroup_level *l = &h->chain->level[i];
	int above = outermost(h->chain, l->owner);
	bool bounded = h->ruled >= above;

	if (above < 0 || above >= i || (ruled && !bounded))
		return;
	hear(w, l->by_owner.fields, &l->by_owner.rule, TIMEGRAPH_ORIGIN_XATTR, l->owner);
	if (t && uid_eq(t->owner, l->owner))
		hear(w, t->said.fields, &t->said.rule, TIMEGRAPH_ORIGIN_CALL, t->owner);
	if (is_wanted(w) && !bounded)
		h->implied |= 1ULL << above;
}

/* What is said of level @i. */
static void hear_all(struct tg_wanted *w, struct hearing *h, int i)
{
	const struct tg_cgroup_level *l = &h->chain->level[i];
	bool roots = uid_valid(l->owner) && uid_eq(l->owner, GLOBAL_ROOT_UID);
	const struct tg_spec_entry *e = find_entry(h->v, h->chain, i);
	const struct told *t = find(l->id);
	bool told_by_root = t && uid_eq(t->owner, GLOBAL_ROOT_UID);
	bool ruled = l->by_root.fields || e || (told_by_root && t->said.fields);

	w->cgrp = l->cgrp;
	w->id = l->id;
	w->rule.weight = TG_WEIGHT_DEFAULT;
	w->owner = GLOBAL_ROOT_UID;
	if (roots)
		hear(w, l->by_owner.fields, &l->by_owner.rule, TIMEGRAPH_ORIGIN_XATTR, l->owner);
	else
		hear_owner(w, h, i, ruled, told_by_root ? NULL : t);
	hear(w, l->by_root.fields, &l->by_root.rule, TIMEGRAPH_ORIGIN_XATTR, GLOBAL_ROOT_UID);
	if (e)
		hear_entry(w, e);
	if (told_by_root)
		hear(w, t->said.fields, &t->said.rule, TIMEGRAPH_ORIGIN_CALL, GLOBAL_ROOT_UID);
	if (ruled || (roots && is_wanted(w)))
		h->ruled = i;
}

u32 tg_rules_of(const struct tg_cgroup_chain *chain, const struct tg_version *v,
		struct tg_wanted wanted[TG_DOMAIN_DEPTH])
{
	struct hearing h = { .chain = chain, .v = v, .ruled = -1 };
	u32 n = 0;

	static_assert(TG_CGROUP_LEVELS <= 64);
	for (u32 i = 0; i < chain->nr; i++) {
		struct tg_wanted w = { };

		hear_all(&w, &h, i);
	}
	h.ruled = -1;
	for (u32 i = 0; i < chain->nr && n < TG_DOMAIN_DEPTH; i++) {
		struct tg_wanted w = { };

		hear_all(&w, &h, i);
		if (is_wanted(&w) || h.implied & (1ULL << i))
			wanted[n++] = w;
	}
	return n;
}

u32 tg_rules_imposed(const struct tg_wanted wanted[TG_DOMAIN_DEPTH], u32 nr)
{
	u32 n = 0;

	while (n < nr && is_wanted(&wanted[n]))
		n++;
	for (u32 i = n; i < nr; i++)
		if (is_wanted(&wanted[i]) && uid_eq(wanted[i].owner, GLOBAL_ROOT_UID))
			n = i + 1;
	return n;
}

void tg_rules_exit(void)
{
	struct hlist_node *n;
	struct told *t;
	int bucket;

	mutex_lock(&tg_client_mutex);
	hash_for_each_safe(table, bucket, n, t, node)
		forget(t);
	mutex_unlock(&tg_client_mutex);
}
