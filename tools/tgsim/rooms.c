// SPDX-License-Identifier: GPL-2.0-or-later
#include "mem.h"
#include "rooms.h"

struct rooms {
	const struct sim *s;
	const struct sim_inst **waiting;	/* in the order in which they came */
	u32 nr_waiting;
	bool *has;				/* [index]: it has its memory */
	u64 usable, taken;
	u64 nr_begun;
};

struct rooms *rooms_create(const struct sim *s)
{
	const struct memory_desc *m = &s->sc->memory;
	struct rooms *r = mem_alloc(sizeof(*r));

	r->s = s;
	r->waiting = mem_alloc((s->nr_insts + 1) * sizeof(*r->waiting));
	r->has = mem_alloc((s->nr_insts + 1) * sizeof(*r->has));
	r->usable = m->bytes - m->margin_bytes;
	return r;
}

void rooms_free(struct rooms *r)
{
	free(r->waiting);
	free(r->has);
	free(r);
}

static bool reserves(const struct rooms *r)
{
	return r->s->sc->memory.policy;
}

static u64 size_of(const struct rooms *r, const struct sim_inst *inst)
{
	return reserves(r) ? inst->desc->memory_bytes : inst->desc->uses_bytes;
}

static bool fits(const struct rooms *r, const struct sim_inst *inst)
{
	return r->taken + size_of(r, inst) <= r->usable;
}

static bool is_policy(const struct rooms *r, enum tg_vram_policy_id id)
{
	return r->s->sc->memory.policy == &tg_vram_policies[id];
}

/* Section 5 of the paper, as sentences about the list; the first who has aged is it. */
static const struct sim_inst *next(const struct rooms *r)
{
	bool by_prio = is_policy(r, TG_VRAM_PRIO_FIFO) || is_policy(r, TG_VRAM_PRIO_MMU);
	bool packs = is_policy(r, TG_VRAM_MMU) || is_policy(r, TG_VRAM_PRIO_MMU);
	u64 aging = r->s->sc->memory.aging_ns;
	u32 top = 0;

	if (!r->nr_waiting)
		return NULL;
	if (aging && r->s->now - r->waiting[0]->asked_ns >= aging)
		return fits(r, r->waiting[0]) ? r->waiting[0] : NULL;
	for (u32 i = 0; i < r->nr_waiting; i++)
		if (r->waiting[i]->entry.prio > top)
			top = r->waiting[i]->entry.prio;
	for (u32 i = 0; i < r->nr_waiting; i++) {
		if (by_prio && r->waiting[i]->entry.prio != top)
			continue;
		if (fits(r, r->waiting[i]))
			return r->waiting[i];
		if (!packs)
			return NULL;
	}
	return NULL;
}

/* Then it may be another's turn by the next event, which is of the same instant. */
static bool first_ages_now(const struct rooms *r)
{
	u64 aging = r->s->sc->memory.aging_ns;

	return aging && r->nr_waiting && r->s->now - r->waiting[0]->asked_ns == aging;
}

static bool drop(struct rooms *r, const struct sim_inst *inst)
{
	for (u32 i = 0; i < r->nr_waiting; i++) {
		if (r->waiting[i] != inst)
			continue;
		memmove(&r->waiting[i], &r->waiting[i + 1],
			(--r->nr_waiting - i) * sizeof(r->waiting[0]));
		return true;
	}
	return false;
}

static const char *see_memory(struct rooms *r, const struct sim_inst *inst)
{
	const struct sim_inst *want = reserves(r) ? next(r) : inst;
	bool never = size_of(r, inst) > r->usable;

	if (inst->refused) {
		drop(r, inst);
		return reserves(r) && !never ? "memory: a reservation that fits on the card is refused" :
					       NULL;
	}
	if (want != inst)
		return "memory: another is to begin before it";
	if (!fits(r, inst))
		return "memory: it begins, and there is no room for it";
	r->nr_begun += r->s->now > inst->asked_ns;
	drop(r, inst);
	r->has[inst->index] = true;
	r->taken += size_of(r, inst);
	return NULL;
}

static void give_back(struct rooms *r, const struct sim_inst *inst)
{
	if (!r->has[inst->index])
		return;
	r->has[inst->index] = false;
	r->taken -= size_of(r, inst);
}

static const char *see_end(const struct rooms *r)
{
	const struct tg_vram *v = &r->s->vram;
	u64 held = reserves(r) ? r->taken : 0;

	if (v->held != held || tg_vram_usable(v) - tg_vram_free(v) != r->taken)
		return "memory: the sums at the end are not those of who has something";
	return NULL;
}

const char *rooms_see(struct rooms *r, const struct sim_event *ev)
{
	const struct sim_inst *inst = ev->inst;

	if (ev->what == SIM_END)
		return see_end(r);
	if (ev->what == SIM_SETTLED)
		return reserves(r) && !first_ages_now(r) && next(r) ?
		       "memory: one waits who is to begin" : NULL;
	if (!inst || !inst->desc->memory_bytes)
		return NULL;
	if (ev->what == SIM_ASK)
		r->waiting[r->nr_waiting++] = inst;
	if (ev->what == SIM_MEMORY)
		return see_memory(r, inst);
	if ((ev->what == SIM_LEAVE || ev->what == SIM_GIVE) && !drop(r, inst))
		give_back(r, inst);
	return NULL;
}

u64 rooms_begun(const struct rooms *r)
{
	return r->nr_begun;
}
