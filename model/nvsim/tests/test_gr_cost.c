// SPDX-License-Identifier: GPL-2.0-or-later
/* The cost model's arithmetic. */
#include "test_gr_fake.h"

static const struct nvsim_cost_model *m = &nvsim_cost_9800gt;

/* Many small costs, taken one by one in ns, add up to their sum in ps. */
static bool carry_loses_nothing(void)
{
	struct nvsim_cost_carry carry = { 0 };
	uint64_t ps = 0, ns = 0;

	for (int i = 0; i < 100000; i++) {
		uint64_t p = rnd(5000);

		ps += p;
		ns += nvsim_cost_take_ns(&carry, p);
		if (ns != ps / 1000 || carry.ps != ps % 1000)
			return false;
	}
	return true;
}

static bool slowest_resource_decides(void)
{
	struct nvsim_cost_work w = { .rop_pixels = 9600, .fixed_ps = 7 };

	if (nvsim_cost_work_ps(m, &w) != 1000000 + 7)
		return false;
	w.vram_bytes = 57600 * 2;
	w.alu_ops = 168000;
	w.texels = 33600;
	w.prims = 600;
	w.verts = 600;
	if (nvsim_cost_work_ps(m, &w) != 2000000 + 7)
		return false;
	w.pcie_bytes = 8000 * 3;
	return nvsim_cost_work_ps(m, &w) == 3000000 + 7;
}

static bool more_work_never_takes_less(void)
{
	struct nvsim_cost_work w = { 0 };
	uint64_t *amount[] = { &w.rop_pixels, &w.vram_bytes, &w.pcie_bytes, &w.alu_ops,
			       &w.texels, &w.prims, &w.verts };
	uint64_t last = 0;

	for (int i = 0; i < 2000; i++) {
		uint64_t *a = amount[rnd(7)], ps;

		*a += (uint64_t)rnd(1 << 20) << rnd(44);
		ps = nvsim_cost_work_ps(m, &w);
		if (ps < last)
			return false;
		last = ps;
	}
	return true;
}

static bool extremes_do_not_overflow(void)
{
	struct nvsim_cost_work w = { .rop_pixels = UINT64_MAX, .vram_bytes = UINT64_MAX,
				     .pcie_bytes = UINT64_MAX, .alu_ops = UINT64_MAX,
				     .texels = UINT64_MAX, .prims = UINT64_MAX,
				     .verts = UINT64_MAX };

	return nvsim_cost_work_ps(m, &w) == NVSIM_COST_MAX_AMOUNT * 1000000 / 600 &&
	       nvsim_cost_mul(UINT64_MAX, 2) == NVSIM_COST_MAX_AMOUNT &&
	       nvsim_cost_mul(1ull << 39, 3) == NVSIM_COST_MAX_AMOUNT &&
	       nvsim_cost_mul(1ull << 20, 3) == 3ull << 20 && nvsim_cost_mul(0, UINT64_MAX) == 0;
}

/* The published data the rates are made of. */
static bool rates_are_the_9800gt(void)
{
	return m->rop_mpixels == 16 * 600 && m->alu_mops == 112 * 1500 &&
	       m->tex_mtexels == 56 * 600 && m->vram_mbytes == 256 / 8 * 1800 &&
	       m->pcie_mbytes == 16 * 500 && m->setup_mprims == 600 &&
	       nvsim_gr_switch_cost_ns() == m->switch_ns;
}

int main(void)
{
	tap(carry_loses_nothing(), "carry_loses_nothing");
	tap(slowest_resource_decides(), "slowest_resource_decides");
	tap(more_work_never_takes_less(), "more_work_never_takes_less");
	tap(extremes_do_not_overflow(), "extremes_do_not_overflow");
	tap(rates_are_the_9800gt(), "rates_are_the_9800gt");
	return tap_done();
}
