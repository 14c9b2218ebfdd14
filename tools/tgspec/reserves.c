// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>
#include <string.h>

#include "reserves.h"

u8 spec_level(const struct tg_spec_entry *e, bool foreground)
{
	struct tg_task task = { 0 };

	/* A thread of the CPU may become real-time. */
	if (e->cpu)
		return foreground ? 2 * TG_PRIO_MAX : 2 * TG_PRIO_MIN;
	task.policy = tg_spec_policy(e);
	task.prio = e->prio;
	task.focus = e->focus;
	task.foreground = foreground;
	return tg_task_level(&task);
}

static bool covers_user(const struct tg_spec_entry *a, const struct tg_spec_entry *b)
{
	return !a->has_uid || (b->has_uid && a->uid == b->uid);
}

static bool covers_name(const struct tg_spec_entry *a, const struct tg_spec_entry *b)
{
	return a->kind == TG_SPEC_ANY || (a->kind == b->kind && !strcmp(a->name, b->name));
}

int spec_shadow(const struct spec *spec, u32 i)
{
	if (!tg_spec_is_programs(&spec->entry[i]))
		return -1;
	for (u32 k = 0; k < i; k++)
		if (tg_spec_is_programs(&spec->entry[k]) &&
		    covers_name(&spec->entry[k], &spec->entry[i]) &&
		    covers_user(&spec->entry[k], &spec->entry[i]))
			return k;
	return -1;
}

static u32 find_group(const struct reserves *rs, const char *group)
{
	for (u32 i = 0; i < rs->n; i++)
		if (rs->r[i].shared && !strcmp(rs->r[i].label, group))
			return i;
	return RESV_NONE;
}

static u32 make(struct reserves *rs, const struct spec *spec, u32 first)
{
	const struct tg_spec_entry *e = &spec->entry[first];
	struct resv *r = &rs->r[rs->n];

	r->shared = e->group[0];
	r->label = r->shared ? e->group : e->name;
	r->first = first;
	r->kind = e->resv;
	r->capacity_ns = e->capacity_ns;
	r->period_ns = e->period_ns;
	r->low = UINT8_MAX;
	tg_reserve_init(&r->core, e->resv == TG_SPEC_RESV_AE ? &tg_reserve_ae :
							       &tg_reserve_pe,
			e->capacity_ns, e->period_ns, 0);
	return rs->n++;
}

static void join(struct resv *r, const struct tg_spec_entry *e)
{
	u8 low = spec_level(e, false), high = spec_level(e, true);

	r->members++;
	if (low < r->low)
		r->low = low;
	if (high > r->high)
		r->high = high;
}

void reserves_init(struct reserves *rs, const struct spec *spec, u32 percent)
{
	rs->r = mem_zero(spec->n, sizeof(*rs->r));
	rs->of = mem_zero(spec->n, sizeof(*rs->of));
	rs->n = 0;
	tg_admission_init(&rs->admitted);
	for (u32 i = 0; i < spec->n; i++) {
		const struct tg_spec_entry *e = &spec->entry[i];

		rs->of[i] = RESV_NONE;
		if (!tg_spec_wants_reserve(e) || e->sched == TG_SPEC_HT ||
		    spec_shadow(spec, i) >= 0)
			continue;
		if (e->group[0])
			rs->of[i] = find_group(rs, e->group);
		if (rs->of[i] == RESV_NONE)
			rs->of[i] = make(rs, spec, i);
		join(&rs->r[rs->of[i]], e);
	}
	for (u32 i = 0; i < rs->n; i++) {
		struct tg_reserve *core = &rs->r[i].core;

		core->demoted = !tg_admission_fits(&rs->admitted, core->capacity_ns,
						   core->period_ns, percent);
		if (!core->demoted)
			tg_admission_add(&rs->admitted, &core->share,
					 core->capacity_ns, core->period_ns);
	}
}

void reserves_free(struct reserves *rs)
{
	free(rs->r);
	free(rs->of);
	memset(rs, 0, sizeof(*rs));
}

double resv_percent(const struct resv *r)
{
	return 100.0 * r->capacity_ns / r->period_ns;
}

double reserves_percent(const struct reserves *rs, u32 n)
{
	double sum = 0;

	for (u32 i = 0; i < n; i++)
		if (!rs->r[i].core.demoted)
			sum += resv_percent(&rs->r[i]);
	return sum;
}
