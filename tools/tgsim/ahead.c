// SPDX-License-Identifier: GPL-2.0-or-later
#include "ahead.h"
#include "mem.h"

#define COSTS 16
/* What the GPU may have of a program that is alone, with a rule and without one. */
#define RULED_NS 4000000ULL
#define ALONE_NS 20000000ULL
/* Of the groups lifted last, the times from which on they are added up. */
#define LIFTED 64

/* What a program's last groups cost. */
struct past {
	u64 cost_ns[COSTS];
	u64 nr;
};

struct on_gpu {
	const struct sim_group *g;
	u64 expect_ns;		/* 0: unknown */
	u64 since_ns;
};

struct ahead {
	const struct sim *s;
	struct past *past;	/* of each instance */
	struct on_gpu *on;	/* oldest first */
	u32 n;
	u64 last_end_ns;
	struct {
		u64 from_ns, used_ns;
	} lifted[LIFTED];
	u64 nr_lifted, used_ns, longest_ns;
	u32 at_once, most_at_once;
};

struct ahead *ahead_create(const struct sim *s)
{
	struct ahead *a = mem_alloc(sizeof(*a));

	a->s = s;
	a->past = mem_alloc(s->nr_insts * sizeof(*a->past));
	return a;
}

void ahead_free(struct ahead *a)
{
	free(a->past);
	free(a->on);
	free(a);
}

static u64 expected(const struct past *p)
{
	u64 largest = 0;

	for (u32 i = 0; p->nr >= COSTS && i < COSTS; i++)
		if (p->cost_ns[i] > largest)
			largest = p->cost_ns[i];
	return largest;
}

static bool has_rule(const struct sim_inst *inst)
{
	const struct tg_spec_entry *e = &inst->entry;

	return inst->started && !inst->left &&
	       (e->sched != TG_SPEC_FQ || e->prio || e->focus || e->has_lead ||
		e->weight != TG_WEIGHT_DEFAULT);
}

static u64 lead_of(const struct ahead *a, const struct sim_inst *inst)
{
	u64 lead = a->s->sc->lead_ns, alone = has_rule(inst) ? RULED_NS : ALONE_NS;

	if (inst->entry.has_lead)
		return inst->entry.lead_ns;
	if (!lead)
		return 0;
	for (u32 i = 0; i < a->s->nr_insts; i++)
		if (&a->s->insts[i] != inst && has_rule(&a->s->insts[i]))
			return lead;
	return lead > alone ? lead : alone;
}

const char *ahead_forbids(const struct ahead *a, const struct sim_inst *inst, u64 now)
{
	u64 lead = lead_of(a, inst), sum = 0, begin;

	if (!lead)
		return "there is no lead";
	for (u32 i = 0; i < a->n; i++) {
		if (!a->on[i].expect_ns)
			return "nobody knows how long one takes that the GPU has";
		sum += a->on[i].expect_ns;
	}
	begin = a->on[0].since_ns > a->last_end_ns ? a->on[0].since_ns : a->last_end_ns;
	if (now >= begin + a->on[0].expect_ns)
		return "the oldest should have ended";
	return sum > now - begin + lead ? "the GPU has more to do than the lead" : NULL;
}

u64 ahead_before(const struct ahead *a, const struct sim_group *g)
{
	u64 sum = 0;

	for (u32 i = 0; i < a->n && a->on[i].g != g; i++)
		sum += a->on[i].expect_ns;
	return sum;
}

u64 ahead_expected(const struct ahead *a, const struct sim_group *g)
{
	for (u32 i = 0; i < a->n; i++)
		if (a->on[i].g == g)
			return a->on[i].expect_ns;
	return 0;
}

void ahead_enter(struct ahead *a, const struct sim_group *g, u64 now)
{
	a->on = mem_grow(a->on, a->n, sizeof(*a->on));
	a->on[a->n++] = (struct on_gpu){
		g, expected(&a->past[g->inst->index]), now,
	};
	if (!g->core.lifted)
		return;
	a->lifted[a->nr_lifted % LIFTED].from_ns = now;
	a->lifted[a->nr_lifted++ % LIFTED].used_ns = a->used_ns;
	if (++a->at_once > a->most_at_once)
		a->most_at_once = a->at_once;
}

void ahead_start(struct ahead *a, const struct sim_group *g, u64 now)
{
	for (u32 i = 0; i < a->n; i++)
		if (a->on[i].g == g)
			a->on[i].since_ns = now;
}

void ahead_leave(struct ahead *a, const struct sim_group *g)
{
	u32 i;

	for (i = 0; i < a->n && a->on[i].g != g; i++)
		;
	if (i == a->n)
		return;
	a->n--;
	memmove(a->on + i, a->on + i + 1, (a->n - i) * sizeof(*a->on));
	a->at_once -= g->core.lifted;
}

void ahead_end(struct ahead *a, const struct sim_group *g, u64 cost_ns, u64 now)
{
	struct past *p = &a->past[g->inst->index];

	ahead_leave(a, g);
	p->cost_ns[p->nr++ % COSTS] = cost_ns;
	a->last_end_ns = now;
	if (!g->core.lifted)
		return;
	a->used_ns += cost_ns;
	if (cost_ns > a->longest_ns)
		a->longest_ns = cost_ns;
}

bool ahead_exceeds_floor(const struct ahead *a, u64 now)
{
	u64 c = scenario_floor_ns(a->s->sc), t = a->s->sc->floor_period_ns;

	for (u64 i = 0; i < LIFTED && i < a->nr_lifted; i++) {
		u64 periods = (now - a->lifted[i].from_ns + t - 1) / t + 1;

		if (a->used_ns - a->lifted[i].used_ns >
		    periods * c + a->most_at_once * a->longest_ns)
			return true;
	}
	return false;
}
