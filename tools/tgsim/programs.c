// SPDX-License-Identifier: GPL-2.0-or-later
/* What the simulated programs do: when their groups arrive and what they cost. */
#include "domains.h"
#include "mem.h"
#include "programs.h"

#define GROUPS_A_SLAB 256

static struct sim_group *new_group(struct sim *s)
{
	struct sim_group *g = s->unused;

	if (!g) {
		struct sim_slab *slab = mem_alloc(sizeof(*slab) +
						  GROUPS_A_SLAB * sizeof(*g));

		slab->next = s->slabs;
		s->slabs = slab;
		g = (struct sim_group *)(slab + 1);
		for (u32 i = 0; i + 1 < GROUPS_A_SLAB; i++)
			g[i].next = &g[i + 1];
	}
	s->unused = g->next;
	memset(g, 0, sizeof(*g));
	return g;
}

/* Kinds in turn, each weight times, or at random. */
static u32 pick_kind(struct sim_inst *inst)
{
	const struct task_desc *t = inst->desc;
	u64 n;

	if (t->nr_kinds == 1)
		return 0;
	n = t->cycle ? inst->pick_turn++ % inst->pick_sum :
		       rng_below(&inst->rng, inst->pick_sum);
	for (u32 k = 0; k < t->nr_kinds; k++) {
		if (n < t->kinds[k].weight)
			return k;
		n -= t->kinds[k].weight;
	}
	return 0;
}

static void set_profile(struct sim *s, struct sim_inst *inst,
			struct sim_group *g)
{
	if (rng_chance(&inst->rng, s->sc->unknown_ppm)) {
		g->profile.hash = rng_next(&inst->rng) | 1ULL << 63;
		g->profile.words = 1;
		return;
	}
	g->profile.hash = g->kind + 1;
	g->profile.words = 64;
}

static struct sim_group *release(struct sim *s, struct sim_inst *inst, u32 kind,
				 u64 cost_ns)
{
	struct sim_group *g = new_group(s);

	g->inst = inst;
	g->id = ++s->nr_groups;
	g->kind = kind;
	g->work_ns = cost_ns;
	g->released_ns = s->now;
	INIT_LIST_HEAD(&g->pending);
	set_profile(s, inst, g);
	*inst->backlog.last = g;
	inst->backlog.last = &g->next;
	inst->backlog.n++;
	inst->nr_released++;
	s->nr_open++;
	return g;
}

static void release_frame(struct sim *s, struct sim_inst *inst)
{
	const struct task_desc *t = inst->desc;
	struct sim_group *g = NULL;

	for (u32 i = 0; i < t->arrival.groups; i++) {
		u32 k = pick_kind(inst);

		g = release(s, inst, k,
			    cost_draw(&t->kinds[k].cost, &inst->rng,
				      &inst->cost_turn[k], t->noise_ppm));
	}
	g->last_of_frame = true;
	inst->frames_begun++;
}

static void schedule(struct sim *s, struct sim_inst *inst, u64 at)
{
	heap_add(&s->heap, at, HEAP_FRAME, inst);
}

/* @k-th period: its frame comes up to a jitter later than the period begins. */
static void schedule_periodic(struct sim *s, struct sim_inst *inst)
{
	const struct arrival *a = &inst->desc->arrival;

	schedule(s, inst, inst->next_base_ns +
			  (a->jitter_ns ? rng_below(&inst->rng, a->jitter_ns + 1) : 0));
	inst->next_base_ns += a->period_ns;
}

static void schedule_point(struct sim *s, struct sim_inst *inst)
{
	const struct arrival *a = &inst->desc->arrival;
	u32 n = a->type == ARRIVE_AT ? a->nr_at : a->nr_trace;
	u64 at;

	if (inst->next_point == n)
		return;
	at = a->type == ARRIVE_AT ? a->at[inst->next_point] :
				    a->trace[inst->next_point].at_ns;
	schedule(s, inst, inst->begun_ns + at);
}

static void schedule_sporadic(struct sim *s, struct sim_inst *inst, u64 gap_ns)
{
	const struct arrival *a = &inst->desc->arrival;

	schedule(s, inst, s->now + gap_ns +
			  (a->extra_ns ? rng_below(&inst->rng, a->extra_ns + 1) : 0));
}

void program_start(struct sim *s, struct sim_inst *inst)
{
	const struct task_desc *t = inst->desc;

	for (u32 k = 0; k < t->nr_kinds; k++)
		inst->pick_sum += t->kinds[k].weight;
	switch (t->arrival.type) {
	case ARRIVE_PERIODIC:
		inst->next_base_ns = s->now + t->arrival.offset_ns;
		schedule_periodic(s, inst);
		break;
	case ARRIVE_SPORADIC:
		schedule_sporadic(s, inst, 0);
		break;
	case ARRIVE_LOOP:
		program_continue(s, inst);
		break;
	case ARRIVE_AT:
	case ARRIVE_TRACE:
		schedule_point(s, inst);
		break;
	}
}

void program_frame(struct sim *s, struct sim_inst *inst)
{
	const struct arrival *a = &inst->desc->arrival;
	const struct trace_point *p;

	inst->thinking = false;
	if (inst->stopped || s->draining)
		return;
	switch (a->type) {
	case ARRIVE_PERIODIC:
		release_frame(s, inst);
		schedule_periodic(s, inst);
		break;
	case ARRIVE_SPORADIC:
		release_frame(s, inst);
		schedule_sporadic(s, inst, a->gap_ns);
		break;
	case ARRIVE_LOOP:
		release_frame(s, inst);
		break;
	case ARRIVE_AT:
		release_frame(s, inst);
		inst->next_point++;
		schedule_point(s, inst);
		break;
	case ARRIVE_TRACE:
		p = &a->trace[inst->next_point++];
		release(s, inst, p->kind, p->cost_ns)->last_of_frame = true;
		inst->frames_begun++;
		schedule_point(s, inst);
		break;
	}
}

bool program_is_over(const struct sim_inst *inst)
{
	u32 frames = inst->desc->arrival.frames;

	return frames && inst->frames_done >= frames;
}

void program_continue(struct sim *s, struct sim_inst *inst)
{
	const struct arrival *a = &inst->desc->arrival;

	if (a->type != ARRIVE_LOOP || inst->thinking || inst->stopped)
		return;
	if (a->frames && inst->frames_begun >= a->frames)
		return;
	/* The thread that thinks is the one that submits. */
	if (inst->backlog.n || inst->nr_inside ||
	    inst->frames_begun - inst->frames_done >= a->ahead)
		return;
	inst->thinking = true;
	if (!domains_think(s, inst, a->think_ns))
		schedule(s, inst, s->now + a->think_ns);
}
