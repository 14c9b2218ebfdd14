// SPDX-License-Identifier: GPL-2.0-or-later
/* The cost model; see cost.h for the formula. */
#include "cost.h"

#define PS_PER_NS 1000u

/*
 * Published for the GeForce 9800 GT (G92-270): 600 MHz core, 1,500 MHz shader clock, 112 stream
 * processors in 14 multiprocessors, 16 ROPs, 56 texture units, 256 bit of GDDR3 at 900 MHz
 * (1,800 MT/s), PCI Express 2.0 x16, one triangle set up per core clock.
 * Fixed times are not published: they are the model's assumptions.
 */
const struct nvsim_cost_model nvsim_cost_9800gt = {
	.rop_mpixels = 9600,		/* 16 * 600 MHz */
	.vram_mbytes = 57600,		/* 32 B * 1,800 MT/s */
	.pcie_mbytes = 8000,		/* 16 lanes * 500 MB/s */
	.alu_mops = 168000,		/* 112 * 1,500 MHz */
	.tex_mtexels = 33600,		/* 56 * 600 MHz */
	.setup_mprims = 600,
	.vfetch_mverts = 600,		/* one per core clock */
	.method_ps = 3333,		/* 2 core clocks */
	.draw_ps = 1000000,
	.clear_ps = 1000000,
	.copy_ps = 1000000,
	.grid_ps = 5000000,
	.block_ps = 500000,
	.report_ps = 200000,
	.idle_ps = 500000,
	.switch_ns = 20000,
	.multiprocessors = 14,
};

static uint64_t clamp_amount(uint64_t amount)
{
	return amount < NVSIM_COST_MAX_AMOUNT ? amount : NVSIM_COST_MAX_AMOUNT;
}

static uint64_t unit_ps(uint64_t amount, uint32_t rate_m)
{
	return clamp_amount(amount) * 1000000u / rate_m;
}

static uint64_t max_u64(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

uint64_t nvsim_cost_work_ps(const struct nvsim_cost_model *m, const struct nvsim_cost_work *w)
{
	uint64_t ps = unit_ps(w->rop_pixels, m->rop_mpixels);

	ps = max_u64(ps, unit_ps(w->vram_bytes, m->vram_mbytes));
	ps = max_u64(ps, unit_ps(w->pcie_bytes, m->pcie_mbytes));
	ps = max_u64(ps, unit_ps(w->alu_ops, m->alu_mops));
	ps = max_u64(ps, unit_ps(w->texels, m->tex_mtexels));
	ps = max_u64(ps, unit_ps(w->prims, m->setup_mprims));
	ps = max_u64(ps, unit_ps(w->verts, m->vfetch_mverts));
	return ps + w->fixed_ps;
}

uint64_t nvsim_cost_take_ns(struct nvsim_cost_carry *carry, uint64_t ps)
{
	uint64_t sum = ps + carry->ps;

	carry->ps = sum % PS_PER_NS;
	return sum / PS_PER_NS;
}

uint64_t nvsim_cost_mul(uint64_t a, uint64_t b)
{
	uint64_t p;

	if (__builtin_mul_overflow(a, b, &p))
		return NVSIM_COST_MAX_AMOUNT;
	return clamp_amount(p);
}
