// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>
#include <string.h>

#include "model.h"

/* Names may have a '=', times have none. */
static bool take(struct model_list *ml, const char *arg, u64 *all)
{
	const char *eq = strrchr(arg, '=');
	u64 ns;

	if (!spec_time(eq ? eq + 1 : arg, &ns))
		return false;
	if (!eq) {
		*all = ns;
		return true;
	}
	ml->of = mem_resize(ml->of, ml->n + 1, sizeof(*ml->of));
	ml->of[ml->n++] = (struct model_length){
		.name = arg, .name_len = eq - arg, .ns = ns,
	};
	return true;
}

bool model_take_group(struct model_lengths *ml, const char *arg)
{
	return take(&ml->longest, arg, &ml->group_ns);
}

bool model_take_blocking(struct model_lengths *ml, const char *arg)
{
	ml->blocking_given = true;
	return take(&ml->longest, arg, &ml->blocking_ns);
}

bool model_take_shortest(struct model_lengths *ml, const char *arg)
{
	return take(&ml->shortest, arg, &ml->shortest_ns);
}

/* A time, or 0. */
static bool take_from_0(const char *arg, u64 *ns)
{
	*ns = 0;
	return !strcmp(arg, "0") || spec_time(arg, ns);
}

bool model_take_idle(struct model_lengths *ml, const char *arg)
{
	ml->idle_given = true;
	return take_from_0(arg, &ml->idle_ns);
}

bool model_take_lead(struct model_lengths *ml, const char *arg)
{
	return take_from_0(arg, &ml->lead_ns);
}

bool model_take_floor_period(struct model_lengths *ml, const char *arg)
{
	return spec_time(arg, &ml->floor_period_ns) && ml->floor_period_ns;
}

u64 model_floor_ns(const struct model_lengths *ml)
{
	return ml->floor_period_ns / 100 * ml->floor;
}

/* The last one that was given for @name; 0 if none was. */
static bool find(struct model_list *ml, const char *name, u64 *ns)
{
	bool found = false;

	for (size_t i = 0; i < ml->n; i++) {
		struct model_length *l = &ml->of[i];

		if (strlen(name) != l->name_len || memcmp(name, l->name, l->name_len))
			continue;
		*ns = l->ns;
		l->used = true;
		found = true;
	}
	return found && *ns;
}

/* A Shared reserve goes by its name, and its longest program's by theirs. */
static bool group_of(struct model_lengths *ml, const struct spec *spec,
		     const struct reserves *rs, u32 n, u64 *ns)
{
	bool found = find(&ml->longest, rs->r[n].label, ns);
	u64 longest = found ? *ns : 0;

	for (u32 i = 0; i < spec->n; i++) {
		if (rs->of[i] != n || !find(&ml->longest, spec->entry[i].name, ns))
			continue;
		if (*ns > longest)
			longest = *ns;
		found = true;
	}
	if (!found && ml->group_ns) {
		longest = ml->group_ns;
		found = true;
	}
	*ns = longest;
	return found;
}

/* Likewise the shortest of its programs'; 0 if nothing is known of one. */
static u64 shortest_of(struct model_lengths *ml, const struct spec *spec,
		       const struct reserves *rs, u32 n)
{
	u64 of_others = ml->shortest_ns, shortest = UINT64_MAX;

	find(&ml->shortest, rs->r[n].label, &of_others);
	for (u32 i = 0; i < spec->n; i++) {
		u64 ns = of_others;

		if (rs->of[i] != n)
			continue;
		find(&ml->shortest, spec->entry[i].name, &ns);
		if (ns < shortest)
			shortest = ns;
	}
	return shortest;
}

/* Of those without a reserve: what is said of the others has to do. */
static u64 shortest_known(const struct model_lengths *ml)
{
	u64 shortest = ml->shortest_ns ?: UINT64_MAX;

	for (size_t i = 0; i < ml->shortest.n; i++)
		if (ml->shortest.of[i].ns < shortest)
			shortest = ml->shortest.of[i].ns;
	return shortest;
}

static u64 lead_of(const struct model_lengths *ml, const struct tg_spec_entry *e)
{
	return e->has_lead ? e->lead_ns : ml->lead_ns;
}

static u64 longest_lead(const struct model_lengths *ml, const struct spec *spec,
			const struct reserves *rs, u32 n)
{
	u64 longest = 0;

	for (u32 i = 0; i < spec->n; i++)
		if (rs->of[i] == n && lead_of(ml, &spec->entry[i]) > longest)
			longest = lead_of(ml, &spec->entry[i]);
	return longest;
}

/*
 * The formulas are rta.c's.  Without a length, the work of a period is taken to
 * be one group of C.
 */
static void fill_task(struct rta_task *t, const struct resv *r, bool known, u64 g, u64 s, u64 lead)
{
	bool ae = r->kind == TG_SPEC_RESV_AE;
	u64 last = s ? s : 1;

	t->capacity = r->capacity_ns;
	t->period = r->period_ns;
	t->deadline = t->period - 1;
	t->group = known ? g : r->capacity_ns;
	t->lead = lead < r->capacity_ns ? lead : r->capacity_ns;
	t->shortest = last;
	t->last = known && last < r->capacity_ns ? last : r->capacity_ns;
	t->jitter = t->period - t->capacity;
	t->overrun = t->group - 1;
	t->work = t->capacity;
	t->low = r->low;
	t->high = r->high;
	if (!ae)
		return;
	t->refusals = r->members;
	t->work = t->group < r->capacity_ns ? r->capacity_ns - t->group : 0;
	t->last = last < t->work ? last : t->work;
	if (t->group > r->capacity_ns) {
		t->jitter = t->period;
		t->overrun += t->group - r->capacity_ns;
	}
}

static void add_free(struct model *m, int entry, u64 burst, u8 high)
{
	m->free[m->set.nr_free] = (struct rta_free){ .burst = burst, .high = high };
	m->free_entry[m->set.nr_free++] = entry;
}

/* Who has no groups has none ahead. */
static u64 with_lead(u64 lead, u64 group)
{
	return group ? group + lead : 0;
}

/* Of a task without a reserve. */
static u64 burst_of(const struct model_lengths *ml, const struct tg_spec_entry *e, u64 group)
{
	if (e->sched == TG_SPEC_HT)
		return group * ml->ht_depth;
	return with_lead(lead_of(ml, e), group);
}

static void fill_free(struct model *m, const struct spec *spec, const struct reserves *rs,
		      struct model_lengths *ml)
{
	for (u32 i = 0; i < spec->n; i++) {
		const struct tg_spec_entry *e = &spec->entry[i];
		u64 g = ml->blocking_ns;

		if (!tg_spec_is_programs(e) || rs->of[i] != RESV_NONE || spec_shadow(spec, i) >= 0)
			continue;
		find(&ml->longest, e->name, &g);
		if (g)
			g += ml->idle_ns;
		add_free(m, i, burst_of(ml, e, g), spec_level(e, true));
	}
	/* All others: PRT, Background, at the lowest level. */
	add_free(m, -1, ml->blocking_ns ? with_lead(ml->lead_ns, ml->blocking_ns + ml->idle_ns) : 0,
		 2 * TG_PRIO_MIN);
}

static const char *unused_in(const struct model_list *ml)
{
	for (size_t i = 0; i < ml->n; i++)
		if (!ml->of[i].used)
			return ml->of[i].name;
	return NULL;
}

void model_init(struct model *m, const struct spec *spec,
		const struct reserves *rs, struct model_lengths *ml,
		const char **unknown, const char **vague)
{
	*vague = NULL;
	memset(m, 0, sizeof(*m));
	m->task = mem_zero(rs->n, sizeof(*m->task));
	m->free = mem_zero(spec->n + 1, sizeof(*m->free));
	m->free_entry = mem_zero(spec->n + 1, sizeof(*m->free_entry));
	for (u32 i = 0; i < rs->n; i++) {
		u64 g = 0;
		bool known = group_of(ml, spec, rs, i, &g);
		u64 s = shortest_of(ml, spec, rs, i);

		fill_task(&m->task[i], &rs->r[i], known, g, s, longest_lead(ml, spec, rs, i));
		if (ml->idle_ns && !s)
			*vague = rs->r[i].label;
	}
	m->set.task = m->task;
	m->set.n = rs->n;
	m->set.free = m->free;
	m->set.idle = ml->idle_ns;
	m->set.floor.capacity = model_floor_ns(ml);
	m->set.floor.period = ml->floor_period_ns;
	m->set.floor.shortest = shortest_known(ml);
	fill_free(m, spec, rs, ml);

	*unknown = unused_in(&ml->longest);
	if (!*unknown)
		*unknown = unused_in(&ml->shortest);
}

void model_lengths_free(struct model_lengths *ml)
{
	free(ml->longest.of);
	free(ml->shortest.of);
}

void model_free(struct model *m)
{
	free(m->task);
	free(m->free);
	free(m->free_entry);
}
