// SPDX-License-Identifier: GPL-2.0-only
/* The tasks of control groups: rules for them, and for what they are to get together. */
#include <linux/cred.h>
#include <linux/slab.h>

#include "tg_cgroup.h"
#include "tg_client.h"
#include "tg_config.h"
#include "tg_device.h"
#include "tg_domains.h"
#include "tg_events.h"
#include "tg_members.h"
#include "tg_registry.h"
#include "tg_rules.h"

/**
 * struct seen - a task, whose cgroup is looked at without a lock
 * @td: its GPU
 * @id: its number
 * @cgrp: where it was, with a reference
 */
struct seen {
	struct tg_device *td;
	u64 id;
	struct cgroup *cgrp;
};

struct see_walk {
	struct seen *seen;
	u32 nr, room;
};

static void see(struct tg_device *td, void *arg)
{
	struct see_walk *w = arg;
	struct tg_client *client;

	lockdep_assert_held(&tg_client_mutex);
	list_for_each_entry(client, &td->clients, node) {
		if (w->nr < w->room)
			w->seen[w->nr] = (struct seen){ td, client->id, tg_cgroup_of(client->pid) };
		w->nr++;
	}
}

static void renew_chain(const struct seen *seen)
{
	struct tg_cgroup_chain *chain = tg_cgroup_look(seen->cgrp);
	struct tg_client *client;

	mutex_lock(&tg_client_mutex);
	list_for_each_entry(client, &seen->td->clients, node)
		if (client->id == seen->id) {
			tg_client_set_chain(client, chain);
			chain = NULL;
			break;
		}
	mutex_unlock(&tg_client_mutex);
	tg_cgroup_free(chain);
}

/* Without memory, what was seen before counts on. */
void tg_members_look(void)
{
	struct see_walk w = { };

	mutex_lock(&tg_client_mutex);
	tg_registry_for_each(see, &w);
	w.room = w.nr;
	w.nr = 0;
	w.seen = kvcalloc(w.room, sizeof(*w.seen), GFP_KERNEL);
	if (w.seen)
		tg_registry_for_each(see, &w);
	mutex_unlock(&tg_client_mutex);
	for (u32 i = 0; i < w.nr; i++)
		renew_chain(&w.seen[i]);
	kvfree(w.seen);
}

static bool is_in(const struct tg_client *client, u64 id)
{
	for (u32 i = 0; client->chain && i < client->chain->nr; i++)
		if (client->chain->level[i].id == id)
			return true;
	return false;
}

/* A cgroup has another rule. */
struct rule_walk {
	u64 id;
	struct tg_version *v;
};

static void rule_on(struct tg_device *td, void *arg)
{
	const struct rule_walk *w = arg;
	struct tg_client *client;

	lockdep_assert_held(&tg_client_mutex);
	list_for_each_entry(client, &td->clients, node)
		if (is_in(client, w->id))
			tg_client_apply_version(client, w->v);
	tg_domains_sweep(td);
	tg_client_update_servers(td);
}

static void rule_changed(u64 id)
{
	struct rule_walk w = { .id = id, .v = tg_config_current() };

	lockdep_assert_held(&tg_client_mutex);
	tg_registry_for_each(rule_on, &w);
	tg_version_put(w.v);
	tg_events_post(TIMEGRAPH_EVENT_DOMAIN);
}

static void forget_on(struct tg_device *td, void *id)
{
	tg_domains_forget(td, *(u64 *)id);
}

static bool good_domain(const struct timegraph_domain_set *set)
{
	const u32 known = TIMEGRAPH_DOMAIN_WEIGHT | TIMEGRAPH_DOMAIN_TARGET |
			  TIMEGRAPH_DOMAIN_QUOTA;

	if (set->fields & ~known || set->flags || set->reserved)
		return false;
	if (set->weight > TG_WEIGHT_MAX ||
	    (set->weight < TG_WEIGHT_MIN && set->fields & TIMEGRAPH_DOMAIN_WEIGHT))
		return false;
	if (set->target_ppm > TG_PPM || set->capacity_ns > set->period_ns ||
	    set->period_ns > TG_TIME_MAX_NS)
		return false;
	return set->capacity_ns || !set->period_ns;
}

int tg_members_set_domain(struct cgroup *cgrp, const struct timegraph_domain_set *set,
			  bool privileged)
{
	struct tg_cgroup_chain *chain;
	int ret;

	if (!good_domain(set)) {
		tg_cgroup_put(cgrp);
		return -EINVAL;
	}
	chain = tg_cgroup_look(cgrp);
	if (!chain)
		return -ENOMEM;
	mutex_lock(&tg_client_mutex);
	ret = set->fields ? tg_rules_set(chain, set, privileged, current_euid()) :
			    tg_rules_clear(chain, privileged, current_euid());
	if (!ret)
		rule_changed(chain->id);
	if (!ret && !set->fields)
		tg_registry_for_each(forget_on, &chain->id);
	mutex_unlock(&tg_client_mutex);
	tg_cgroup_free(chain);
	return ret;
}

/* What @set asks for, where a Shared reserve that it joins is known. */
static int to_common_entry(const struct timegraph_set *set, struct tg_spec_entry *e)
{
	struct tg_device *td;

	if (!set->group[0] || set->capacity_ns)
		return tg_client_to_entry(NULL, set, e) ? 0 : -ENOENT;
	for (u32 i = 0; (td = tg_registry_by_index(i)); i++)
		if (tg_client_to_entry(td, set, e))
			return 0;
	return -ENOENT;
}

int tg_members_set_tasks(struct cgroup *cgrp, const struct timegraph_set *set)
{
	struct tg_cgroup_chain *chain = tg_cgroup_look(cgrp);
	struct tg_spec_entry entry = { };
	int ret = 0;

	if (!chain)
		return -ENOMEM;
	mutex_lock(&tg_client_mutex);
	if (set->fields)
		ret = to_common_entry(set, &entry);
	if (!ret)
		ret = tg_rules_set_tasks(chain, set->fields, &entry);
	if (!ret)
		rule_changed(chain->id);
	mutex_unlock(&tg_client_mutex);
	tg_cgroup_free(chain);
	return ret;
}
