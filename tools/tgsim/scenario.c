// SPDX-License-Identifier: GPL-2.0-or-later
/* Scenarios in memory. */
#include "scenario.h"
#include "mem.h"

void scenario_init(struct scenario *sc)
{
	memset(sc, 0, sizeof(*sc));
	sc->limit_percent = TG_AC_DEFAULT;
	/* As the module's parameters. */
	sc->bg_capacity_ns = 25000000;
	sc->bg_period_ns = 25000000;
	sc->ht_depth = 16;
	sc->lead_ns = 1000000;
	sc->floor_percent = 3;
	sc->floor_period_ns = 100000000;
	sc->history = TG_HISTORY_DEFAULT;
	sc->slice_ns = TG_CREDIT_TICK_NS;
	sc->seed = 1;
	sc->horizon_ns = 10000000000ULL;
}

void scenario_free(struct scenario *sc)
{
	for (u32 i = 0; i < sc->nr_tasks; i++) {
		struct task_desc *t = &sc->tasks[i];

		for (u32 k = 0; k < t->nr_kinds; k++)
			free(t->kinds[k].cost.v);
		free(t->kinds);
		free(t->arrival.at);
		free(t->arrival.trace);
	}
	free(sc->tasks);
	free(sc->domains);
	free(sc->changes);
	free(sc->spec);
	memset(sc, 0, sizeof(*sc));
}

static void copy_name(char *to, const char *name)
{
	snprintf(to, TG_NAME_MAX, "%s", name);
}

struct task_desc *scenario_add_task(struct scenario *sc, const char *name)
{
	struct task_desc *t;

	sc->tasks = mem_grow(sc->tasks, sc->nr_tasks, sizeof(*sc->tasks));
	t = &sc->tasks[sc->nr_tasks++];
	memset(t, 0, sizeof(*t));
	copy_name(t->name, name);
	copy_name(t->program, name);
	t->instances = 1;
	t->threads = 1;
	t->arrival.groups = 1;
	t->arrival.ahead = 1;
	return t;
}

struct domain_desc *scenario_add_domain(struct scenario *sc, const char *name)
{
	struct domain_desc *d;

	sc->domains = mem_grow(sc->domains, sc->nr_domains, sizeof(*sc->domains));
	d = &sc->domains[sc->nr_domains++];
	memset(d, 0, sizeof(*d));
	copy_name(d->name, name);
	return d;
}

struct kind *task_add_kind(struct task_desc *t, const char *name)
{
	struct kind *k;

	t->kinds = mem_grow(t->kinds, t->nr_kinds, sizeof(*t->kinds));
	k = &t->kinds[t->nr_kinds++];
	memset(k, 0, sizeof(*k));
	copy_name(k->name, name);
	k->weight = 1;
	return k;
}

void cost_add(struct cost *c, u64 v)
{
	c->v = mem_grow(c->v, c->n, sizeof(*c->v));
	c->v[c->n++] = v;
}

struct change *scenario_add_change(struct scenario *sc, enum change_type type,
				   u64 at_ns)
{
	struct change *c;

	sc->changes = mem_grow(sc->changes, sc->nr_changes,
			       sizeof(*sc->changes));
	c = &sc->changes[sc->nr_changes++];
	memset(c, 0, sizeof(*c));
	c->type = type;
	c->at_ns = at_ns;
	return c;
}
