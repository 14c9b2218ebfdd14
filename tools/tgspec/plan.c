// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>
#include <string.h>

#include "plan.h"
#include "reserves.h"
#include "tg_reserve.h"
#include "tg_sched.h"

static bool same_resv(const struct tg_spec_entry *a, const struct tg_spec_entry *b)
{
	return a->resv == b->resv && a->capacity_ns == b->capacity_ns &&
	       a->period_ns == b->period_ns && !strcmp(a->group, b->group);
}

/* An HT task's reserve makes no difference, and it is left what it has. */
static u32 differing(const struct running *t, const struct tg_spec_entry *to)
{
	u32 fields = 0;

	if (t->has.sched != to->sched)
		fields |= TIMEGRAPH_SET_POLICY;
	if (!running_same_prio(&t->has, to))
		fields |= TIMEGRAPH_SET_PRIO;
	if (to->sched == TG_SPEC_FQ && t->has.weight != to->weight)
		fields |= TIMEGRAPH_SET_WEIGHT;
	if (!spec_same_lead(&t->has, to))
		fields |= TIMEGRAPH_SET_LEAD;
	if (tg_spec_is_regulated(to) &&
	    (!t->known || !tg_spec_is_regulated(&t->has) || !same_resv(&t->has, to)))
		fields |= TIMEGRAPH_SET_RESV;
	return fields;
}

/* A process on several GPUs has its parameters on all of them. */
static struct change *find(const struct plan *p, const struct running *t)
{
	for (u32 i = 0; i < p->n; i++) {
		const struct running *x = p->list[i].task;

		if ((t->pid && x->pid == t->pid) || (x->gpu == t->gpu && x->id == t->id))
			return &p->list[i];
	}
	return NULL;
}

const struct change *plan_find(const struct plan *p, const struct running *t)
{
	return find(p, t);
}

bool change_moves(const struct change *c)
{
	return c->fields & (TIMEGRAPH_SET_POLICY | TIMEGRAPH_SET_RESV);
}

static bool was_seen(const struct state *st, u32 k)
{
	for (u32 j = 0; j < k; j++)
		if (st->task[k].pid && st->task[j].pid == st->task[k].pid)
			return true;
	return false;
}

static bool only_lowers(const struct change *c, u32 uid)
{
	return c->fields == TIMEGRAPH_SET_PRIO && c->task->uid == uid && !c->to.focus &&
	       !c->to.cpu && !c->task->has.cpu && c->to.prio <= c->task->has.prio;
}

/* C/T that it takes more, as far as that is known; for the order only. */
static double growth(const struct change *c)
{
	const struct tg_spec_entry *has = &c->task->has;
	double more = 0;

	if (tg_spec_has_reserve(&c->to))
		more += (double)c->to.capacity_ns / c->to.period_ns;
	if (tg_spec_has_reserve(has) && !c->task->demoted && has->period_ns)
		more -= (double)has->capacity_ns / has->period_ns;
	return more;
}

static int compare(const void *x, const void *y)
{
	const struct change *a = x, *b = y;
	double ga = growth(a), gb = growth(b);

	if (a->lowers != b->lowers)
		return a->lowers ? 1 : -1;
	if (ga < gb || ga > gb)
		return ga < gb ? -1 : 1;
	return a->task < b->task ? -1 : a->task > b->task;
}

void plan_make(struct plan *p, const struct spec *spec, const struct state *st, u32 uid)
{
	memset(p, 0, sizeof(*p));
	p->list = mem_zero(st->n, sizeof(*p->list));
	for (u32 k = 0; k < st->n; k++) {
		const struct running *t = &st->task[k];
		struct change *old = find(p, t), c = { .task = t };
		int entry = running_lookup(spec, t, &c.to);

		c.line = entry < 0 ? 0 : c.to.line;
		c.fields = differing(t, &c.to);
		c.lowers = only_lowers(&c, uid);
		p->nr_tasks += !was_seen(st, k);
		if (old) {
			old->fields |= c.fields;
			old->lowers = old->lowers && (!c.fields || c.lowers) &&
				      old->fields == TIMEGRAPH_SET_PRIO;
		} else if (c.fields) {
			p->list[p->n++] = c;
		}
	}
	if (p->n)
		qsort(p->list, p->n, sizeof(*p->list), compare);
}

void plan_free(struct plan *p)
{
	free(p->list);
	memset(p, 0, sizeof(*p));
}

/**
 * struct room - the reserves on a GPU as they would be
 * @r: @n of them
 * @name: of each, "" for a task's own
 * @claimed: by those that fit
 */
struct room {
	struct tg_reserve *r;
	const char **name;
	u32 n;
	struct tg_admission claimed;
};

/* False if it does not fit. */
static bool claim(struct room *room, enum tg_spec_resv kind, const char *group,
		  u64 capacity_ns, u64 period_ns, u32 percent)
{
	struct tg_reserve *r = &room->r[room->n];

	for (u32 i = 0; i < room->n; i++)
		if (group[0] && !strcmp(room->name[i], group))
			return true;
	room->name[room->n++] = group;
	tg_reserve_init(r, kind == TG_SPEC_RESV_AE ? &tg_reserve_ae : &tg_reserve_pe,
			capacity_ns, period_ns, 0);
	if (!tg_admission_fits(&room->claimed, capacity_ns, period_ns, percent))
		return false;
	tg_admission_add(&room->claimed, &r->share, capacity_ns, period_ns);
	return true;
}

static bool claim_entry(struct room *room, const struct tg_spec_entry *e, u32 percent)
{
	return !tg_spec_has_reserve(e) ||
	       claim(room, e->resv, e->group, e->capacity_ns, e->period_ns, percent);
}

static bool is_renewed(const struct plan *p, const struct kept *k)
{
	for (u32 i = 0; i < p->n; i++)
		if (!strcmp(p->list[i].to.group, k->name))
			return true;
	return false;
}

/* First those that stay, then those that change, in the order of the plan. */
static const struct change *misfit_on(const struct plan *p, const struct state *st,
				      u32 gpu, struct room *room)
{
	u32 percent = st->config.limit_percent;

	for (u32 k = 0; k < st->nr_kept; k++) {
		const struct kept *r = &st->kept[k];

		if (r->gpu == gpu && !r->demoted && !is_renewed(p, r))
			claim(room, r->kind, r->name, r->capacity_ns, r->period_ns, percent);
	}
	for (u32 k = 0; k < st->n; k++) {
		const struct running *t = &st->task[k];
		const struct change *c = find(p, t);

		if (t->gpu == gpu && !(c && change_moves(c)) && !t->demoted && t->known)
			claim_entry(room, &t->has, percent);
	}
	for (u32 i = 0; i < p->n; i++) {
		const struct change *c = &p->list[i];

		for (u32 k = 0; k < st->n; k++)
			if (st->task[k].gpu == gpu && find(p, &st->task[k]) == c &&
			    change_moves(c) && !claim_entry(room, &c->to, percent))
				return c;
	}
	return NULL;
}

const struct change *plan_misfit(const struct plan *p, const struct state *st)
{
	const struct change *misfit = NULL;

	for (u32 k = 0; k < st->n && !misfit; k++) {
		struct room room = {
			.r = mem_zero(st->n + st->nr_kept, sizeof(*room.r)),
			.name = mem_zero(st->n + st->nr_kept, sizeof(*room.name)),
		};

		tg_admission_init(&room.claimed);
		/* Once for each GPU. */
		if (!k || st->task[k].gpu != st->task[k - 1].gpu)
			misfit = misfit_on(p, st, st->task[k].gpu, &room);
		free(room.r);
		free(room.name);
	}
	return misfit;
}

void plan_set(struct timegraph_set *set, s32 pid, u32 fields, const struct tg_spec_entry *e)
{
	static const u8 resv[] = {
		[TG_SPEC_RESV_NONE] = TIMEGRAPH_RESV_NONE,
		[TG_SPEC_RESV_PE] = TIMEGRAPH_RESV_PE,
		[TG_SPEC_RESV_AE] = TIMEGRAPH_RESV_AE,
		[TG_SPEC_RESV_BG] = TIMEGRAPH_RESV_BG,
	};

	memset(set, 0, sizeof(*set));
	set->pid = pid;
	set->fields = fields;
	if (fields & TIMEGRAPH_SET_POLICY)
		set->policy = (u8)e->sched;
	if (fields & TIMEGRAPH_SET_WEIGHT)
		set->weight = e->weight;
	if (fields & TIMEGRAPH_SET_LEAD)
		set->lead_ns = e->has_lead ? e->lead_ns : TIMEGRAPH_LEAD_COMMON;
	if (fields & TIMEGRAPH_SET_PRIO) {
		set->prio = e->prio;
		set->focus = e->focus ? TIMEGRAPH_FOLLOW_FOCUS :
			     e->cpu ? TIMEGRAPH_FOLLOW_CPU : TIMEGRAPH_FOLLOW_NOTHING;
	}
	if (fields & TIMEGRAPH_SET_RESV) {
		set->resv = resv[e->resv];
		set->capacity_ns = e->capacity_ns;
		set->period_ns = e->period_ns;
		memcpy(set->group, e->group, sizeof(set->group));
	}
}
