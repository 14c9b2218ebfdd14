// SPDX-License-Identifier: GPL-2.0-or-later
/* M2MF against a naive model of the layouts. */
#include "test_gr_fake.h"

#define SRC	(FAKE_BASE + 0x10000)
#define DST	(FAKE_BASE + 0x600000)
#define AREA	0x400000u

struct side {
	bool linear;
	uint64_t address;
	uint32_t pitch, bh, bd, width, height, x, y, z;
};

static uint64_t side_va(const struct side *d, uint32_t x, uint32_t y)
{
	if (d->linear)
		return d->address + (uint64_t)y * d->pitch + x;
	return d->address + naive_va(d->bh, d->bd, d->width, d->height, d->x + x, d->y + y, d->z);
}

static uint64_t size_of(const struct side *d)
{
	uint64_t blocks = (d->width + 63) / 64;

	blocks *= (d->height + (4u << d->bh) - 1) / (4u << d->bh);
	blocks *= (d->z >> d->bd) + 1;
	return blocks * 256 << d->bh << d->bd;
}

static void random_side(struct side *d, uint64_t base, uint32_t line, uint32_t count)
{
	memset(d, 0, sizeof(*d));
	d->linear = rnd(3) == 0;
	if (d->linear) {
		d->address = base + rnd(5000);
		d->pitch = line + rnd(300);
		return;
	}
	d->address = base + rnd(16) * 256;
	do {
		d->bh = rnd(6);
		d->bd = rnd(4);
		d->x = rnd(100);
		d->y = rnd(70);
		d->z = rnd(4);
		d->width = d->x + line + rnd(200);
		d->height = d->y + count + rnd(100);
	} while (size_of(d) > AREA - 0x1000);
}

static void setup(struct gpu *g, const struct side *d, bool out)
{
	uint32_t base = out ? 0x21c : 0x200;

	mthd(g, SUBC_M2MF, base, d->linear);
	if (d->linear)
		mthd(g, SUBC_M2MF, out ? 0x318 : 0x314, d->pitch);
	else
		seq(g, SUBC_M2MF, base + 4, 6, d->bh << 4 | d->bd << 8, d->width, d->height,
		    d->z + 1, d->z, d->y << 16 | d->x);
	mthd(g, SUBC_M2MF, out ? 0x23c : 0x238, HI(d->address));
	mthd(g, SUBC_M2MF, out ? 0x310 : 0x30c, LO(d->address));
}

static bool copy(struct gpu *g, const struct side *in, const struct side *out, uint32_t line,
		 uint32_t count)
{
	setup(g, in, false);
	setup(g, out, true);
	return seq(g, SUBC_M2MF, 0x31c, 4, line, count, 0x101, 0);
}

/* Everything is as the naive model says, and nothing else has changed. */
static bool check_random(struct gpu *g)
{
	uint32_t line = 1 + rnd(rnd(4) ? 300 : 6000), count = 1 + rnd(90);
	uint8_t *want = malloc(AREA);
	struct side in, out;
	bool ok;

	random_side(&in, SRC, line, count);
	random_side(&out, DST, line, count);
	for (uint32_t i = 0; i < AREA; i += FAKE_PAGE)
		memcpy(want + i, fake_ptr(g->s, DST + i), FAKE_PAGE);
	for (uint32_t y = 0; y < count; y++) {
		for (uint32_t x = 0; x < line; x++)
			want[side_va(&out, x, y) - DST] = *fake_ptr(g->s, side_va(&in, x, y));
	}
	ok = copy(g, &in, &out, line, count);
	for (uint32_t i = 0; i < AREA && ok; i += FAKE_PAGE)
		ok = !memcmp(want + i, fake_ptr(g->s, DST + i), FAKE_PAGE);
	if (!ok)
		printf("# line %u count %u: %s bh %u bd %u (%u,%u,%u) -> %s bh %u bd %u (%u,%u,%u)\n",
		       line, count, in.linear ? "linear" : "tiled", in.bh, in.bd, in.x, in.y, in.z,
		       out.linear ? "linear" : "tiled", out.bh, out.bd, out.x, out.y, out.z);
	free(want);
	return ok;
}

static bool random_rectangles(struct gpu *g, int n)
{
	bool ok = true;

	scramble(g->s, SRC, 0x500000);
	for (int i = 0; i < n && ok; i++)
		ok = check_random(g);
	return ok;
}

/* The copy nouveau makes when TTM moves a buffer: 64 bytes wide, one gob per block. */
static bool ttm_move_is_flat(struct gpu *g)
{
	struct side in = { .address = SRC, .width = 64, .height = 4096 };
	struct side out = { .linear = true, .address = DST, .pitch = 64 };
	bool ok = copy(g, &in, &out, 64, 4096);

	for (uint32_t i = 0; i < 64 * 4096 && ok; i++)
		ok = *fake_ptr(g->s, SRC + i) == *fake_ptr(g->s, DST + i);
	return ok;
}

/* rnndb/graph/g80_pgraph/pgraph.xml */
static bool fault_traps(struct gpu *g, bool out)
{
	struct side in = { .linear = true, .address = SRC, .pitch = 4096 };
	struct side to = { .linear = true, .address = DST, .pitch = 4096 };
	uint64_t page = ((out ? DST : SRC) - FAKE_BASE) / FAKE_PAGE + 3;
	bool ok;

	g->s->absent[page] = true;
	ok = !copy(g, &in, &to, 4096, 8) && g->r.intr == NVSIM_GR_INTR_TRAP &&
	     g->r.trap == 2 && g->r.trap_regs[0].reg == 0x406800 &&
	     (g->r.trap_regs[0].val & 7) == (out ? 4u : 2u) && g->s->faulted &&
	     g->s->fault.client == 3 && g->s->fault.subclient == (out ? 5 : 4) &&
	     g->s->fault_va / FAKE_PAGE == FAKE_BASE / FAKE_PAGE + page;
	/* what came before has been transferred */
	for (uint32_t i = 0; i < 3 * 4096 && ok; i++)
		ok = *fake_ptr(g->s, SRC + i) == *fake_ptr(g->s, DST + i);
	g->s->absent[page] = false;
	return ok;
}

static bool huge_is_refused(struct gpu *g)
{
	struct side in = { .linear = true, .address = SRC, .pitch = 0 };
	struct side to = { .linear = true, .address = DST, .pitch = 0 };

	return !copy(g, &in, &to, 0xffffffff, 0xffffffff) &&
	       g->r.intr == NVSIM_GR_INTR_DATA_ERROR && g->r.data_error == 4 &&
	       !copy(g, &in, &to, 64, 0x80000000) && g->r.intr == NVSIM_GR_INTR_DATA_ERROR &&
	       !copy(g, &in, &to, 0x10000, 0x2000) && g->r.intr == NVSIM_GR_INTR_DATA_ERROR;
}

static bool notifier_written(struct gpu *g)
{
	struct side in = { .linear = true, .address = SRC, .pitch = 64 };

	g->s->now_ns = 0x55500000777ull;
	mthd(g, SUBC_M2MF, 0x180, FAKE_NTFY);
	for (uint32_t i = 0; i < 32; i += 4)
		poke32(g->s, FAKE_NTFY_VA + i, 0xffffffff);
	if (!copy(g, &in, &in, 0, 0) || peek32(g->s, FAKE_NTFY_VA) != 0xffffffff ||
	    peek32(g->s, FAKE_NTFY_VA + 16) != 0x777 || peek32(g->s, FAKE_NTFY_VA + 20) != 0x555 ||
	    peek32(g->s, FAKE_NTFY_VA + 28) != 0)
		return false;
	/* an object that spans everything: its notifiers would lie in unmapped memory */
	mthd(g, SUBC_M2MF, 0x180, FAKE_DMA);
	if (copy(g, &in, &in, 0, 0) || g->r.intr != NVSIM_GR_INTR_TRAP ||
	    (g->r.trap_regs[0].val & 7) != 1)
		return false;
	mthd(g, SUBC_M2MF, 0x180, 0);
	return copy(g, &in, &in, 0, 0);
}

static bool cost_is_bandwidth(struct gpu *g)
{
	struct side in = { .linear = true, .address = SRC, .pitch = 4096 };
	struct side out = { .linear = true, .address = DST, .pitch = 4096 };
	uint64_t bytes = 4096 * 512, vram_ns, pcie_ns;

	copy(g, &in, &out, 4096, 512);
	vram_ns = g->r.cost_ns;
	for (uint32_t i = 0; i < 512; i++)
		g->s->system[(SRC - FAKE_BASE) / FAKE_PAGE + i] = true;
	copy(g, &in, &out, 4096, 512);
	pcie_ns = g->r.cost_ns;
	memset(g->s->system, 0, sizeof(g->s->system));
	/* 57.6 GB/s, read + write; 8 GB/s; plus 1 us */
	return vram_ns >= bytes * 2 * 10 / 576 + 1000 && vram_ns <= bytes * 2 * 10 / 576 + 1010 &&
	       pcie_ns >= bytes / 8 + 1000 && pcie_ns <= bytes / 8 + 1010;
}

int main(void)
{
	struct gpu g;

	gpu_init(&g);
	tap(notifier_written(&g), "m2mf_notifier_goes_to_dma_notify_or_traps");
	tap(random_rectangles(&g, 150), "random_rectangles_match_naive_layout");
	for (uint32_t i = 0; i < FAKE_PAGES; i++)
		g.s->system[i] = rnd(3) == 0;
	tap(random_rectangles(&g, 30), "random_rectangles_with_system_pages");
	memset(g.s->system, 0, sizeof(g.s->system));
	tap(ttm_move_is_flat(&g), "ttm_move_is_flat");
	tap(fault_traps(&g, false), "read_fault_traps_as_in");
	tap(fault_traps(&g, true), "write_fault_traps_as_out");
	tap(huge_is_refused(&g), "huge_copy_is_refused");
	tap(cost_is_bandwidth(&g), "copy_costs_bytes_over_bandwidth");
	gpu_fini(&g);
	return tap_done();
}
