// SPDX-License-Identifier: GPL-2.0-or-later
/* The card's memory; see memory.h. */
#include "memory.h"

static struct sim_inst *inst_of(struct tg_vram_account *a)
{
	return container_of(a, struct sim_inst, vram);
}

void memory_init(struct sim *s)
{
	const struct memory_desc *m = &s->sc->memory;

	tg_vram_init(&s->vram, m->bytes, m->margin_bytes);
	s->vram.policy = m->policy ?: &tg_vram_policies[TG_VRAM_FIFO];
	s->vram.aging_ns = m->aging_ns;
}

/* What has been taken so far: since the last change it is the same. */
static double used(const struct sim *s)
{
	double seconds = (double)(s->now - s->vram_since_ns) / 1e9;

	return s->vram_used +
	       (double)(tg_vram_usable(&s->vram) - tg_vram_free(&s->vram)) * seconds;
}

static void note(struct sim *s)
{
	s->vram_used = used(s);
	s->vram_since_ns = s->now;
}

static u32 part_of(double part, double whole)
{
	return whole > 0 ? (u32)(PPM * part / whole + 0.5) : 0;
}

/* Behind the last one's end nothing is taken, but the GPU may be busy with others. */
struct memory_sum memory_sum(const struct sim *s)
{
	struct memory_sum sum = { .all = true };
	u64 from = UINT64_MAX, to = 0;

	for (u32 i = 0; i < s->nr_insts; i++) {
		const struct sim_inst *inst = &s->insts[i];

		if (!inst->desc->memory_bytes)
			continue;
		sum.nr_refused += inst->refused;
		sum.all &= inst->left;
		from = min(from, inst->from_ns);
		to = max(to, inst->left ? inst->left_ns : s->now);
	}
	if (to <= from)
		return sum;
	sum.makespan_ns = to - from;
	sum.gpu_ppm = part_of((double)s->gpu_busy_ns, (double)sum.makespan_ns);
	sum.used_ppm = part_of(used(s), (double)tg_vram_usable(&s->vram) *
					     (double)sum.makespan_ns / 1e9);
	return sum;
}

/* Its buffers, all of them at once: what is reserved is there. */
static bool make_buffers(struct sim *s, struct sim_inst *inst)
{
	u64 bytes = inst->desc->uses_bytes;

	if (tg_vram_charge(&s->vram, &inst->vram, bytes, s->now)) {
		inst->refused = true;
		return false;
	}
	inst->memory_wait_ns += s->now - inst->asked_ns;
	if (!inst->begun_ns)
		inst->begun_ns = s->now;
	return true;
}

bool memory_begin(struct sim *s, struct sim_inst *inst)
{
	u64 bytes = inst->desc->memory_bytes;
	int ret;

	inst->asked_ns = s->now;
	note(s);
	if (!s->sc->memory.policy)
		return make_buffers(s, inst);
	inst->vram.prio = inst->entry.prio;
	/* Scenarios have no users: what they give is the administrator's word. */
	inst->vram.entitled = true;
	ret = tg_vram_ask(&s->vram, &inst->vram, bytes, true, s->now);
	if (!ret)
		return make_buffers(s, inst);
	inst->refused = ret != -EINPROGRESS;
	if (!inst->refused && s->vram.aging_ns)
		heap_add(&s->heap, s->now + s->vram.aging_ns, HEAP_AGED, inst);
	return false;
}

struct sim_inst *memory_next(struct sim *s)
{
	struct tg_vram_account *a;

	note(s);
	a = tg_vram_next(&s->vram, s->now);
	if (!a)
		return NULL;
	make_buffers(s, inst_of(a));
	return inst_of(a);
}

void memory_end(struct sim *s, struct sim_inst *inst)
{
	if (!inst->desc->memory_bytes)
		return;
	note(s);
	tg_vram_uncharge(&s->vram, &inst->vram, inst->vram.charged);
	tg_vram_leave(&s->vram, &inst->vram);
}
