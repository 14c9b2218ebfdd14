// SPDX-License-Identifier: GPL-2.0-or-later
/* Clears, queries, draws, notifiers and refusals. */
#include "test_gr_fake.h"

#define RT_VA	(FAKE_BASE + 0x100000)
#define ZETA_VA	(FAKE_BASE + 0x500000)
#define QUERY	(FAKE_BASE + 0x20)
#define CODE	(FAKE_BASE + 0x40000)
#define AREA	0x400000u

static uint32_t bits(float f)
{
	uint32_t u;

	memcpy(&u, &f, 4);
	return u;
}

struct target {
	uint32_t width, height, bw, bh, bd, layers_3d;
};

static void set_rt(struct gpu *g, const struct target *t, uint32_t format, bool linear)
{
	seq(g, SUBC_3D, 0x200, 5, HI(RT_VA), LO(RT_VA), format, t->bw | t->bh << 4 | t->bd << 8,
	    0x100000 / 4);
	seq(g, SUBC_3D, 0x1240, 2, linear ? 0x80000000u | t->width : t->width, t->height);
	mthd(g, SUBC_3D, 0x1224, t->layers_3d ? 0x10000 | t->layers_3d : 1);
	mthd(g, SUBC_3D, 0x1538, 0);
	mthd(g, SUBC_3D, 0x15d0, 0);
	mthd(g, SUBC_3D, 0x143c, 0x10);
}

static void set_rect(struct gpu *g, uint32_t x, uint32_t y, uint32_t w, uint32_t h)
{
	seq(g, SUBC_3D, 0xff4, 2, w << 16 | x, h << 16 | y);
	seq(g, SUBC_3D, 0xc00, 2, w << 16 | x, h << 16 | y);
}

static bool clear_matches(struct gpu *g, const struct target *t, uint32_t x, uint32_t y,
			  uint32_t w, uint32_t h, uint32_t mode, uint32_t layer, uint32_t mask,
			  uint32_t value)
{
	uint8_t *want = malloc(AREA);
	bool ok;

	scramble(g->s, RT_VA, AREA);
	for (uint32_t i = 0; i < AREA; i++)
		want[i] = *fake_ptr(g->s, RT_VA + i);
	for (uint32_t j = y; j < y + h && j < t->height; j++) {
		for (uint32_t i = x; i < x + w && i < t->width; i++) {
			uint64_t va = naive_wide_va(t->bw, t->bh, t->bd, t->width * 4, t->height,
						    i * 4, j, t->layers_3d ? layer : 0);
			uint32_t old;

			va += t->layers_3d ? 0 : layer * 0x100000;
			memcpy(&old, want + va, 4);
			old = (old & ~mask) | (value & mask);
			memcpy(want + va, &old, 4);
		}
	}
	set_rect(g, x, y, w, h);
	ok = mthd(g, SUBC_3D, 0x19d0, mode | layer << 10);
	for (uint32_t i = 0; i < AREA && ok; i++) {
		ok = want[i] == *fake_ptr(g->s, RT_VA + i);
		if (!ok)
			printf("# %ux%u bw %u bh %u bd %u layer %u, rect %u,%u %ux%u: byte %x\n",
			       t->width, t->height, t->bw, t->bh, t->bd, layer, x, y, w, h, i);
	}
	free(want);
	return ok;
}

static bool random_clears(struct gpu *g)
{
	bool ok = true;

	/* BGRA8: 1.0, 0.5, 0.25, 0.0 */
	seq(g, SUBC_3D, 0xd80, 4, bits(1.0f), bits(0.5f), bits(0.25f), bits(0.0f));
	for (int i = 0; i < 60 && ok; i++) {
		struct target t = { .bw = rnd(2), .bh = rnd(6) };
		uint32_t layer = rnd(2), w, h;

		if (rnd(4) == 0) {
			t.layers_3d = 4;
			t.bd = rnd(3);
			layer = rnd(4);
		}
		t.width = rnd(4) ? 1 + rnd(200) : 16 * (1 + rnd(12));
		t.height = 1 + rnd(150);
		w = rnd(3) ? 1 + rnd(t.width + 10) : t.width;
		h = rnd(3) ? 1 + rnd(t.height + 10) : t.height;
		set_rt(g, &t, 0xcf, false);
		ok = clear_matches(g, &t, rnd(2) ? rnd(t.width) : 0, rnd(2) ? rnd(t.height) : 0,
				   w, h, 0x3c, layer, 0xffffffff, 0x00ff8040) &&
		     clear_matches(g, &t, 0, 0, w, h, 0x0c, layer, 0x00ffff00, 0x00ff8040);
	}
	return ok;
}

static bool full_clear_is_one_fill(struct gpu *g)
{
	struct target t = { .width = 640, .height = 512, .bh = 4 };

	set_rt(g, &t, 0xcf, false);
	set_rect(g, 0, 0, 640, 512);
	g->s->filled = 0;
	g->s->fills = 0;
	mthd(g, SUBC_3D, 0x19d0, 0x3c);
	return g->s->filled == 640 * 512 * 4 && g->s->fills == 1;
}

static bool clear_formats(struct gpu *g)
{
	/* format, element bytes, expected first 16 bytes for (1, 0.5, 0.25, 0) */
	static const struct {
		uint32_t format, cpp;
		uint8_t want[16];
	} cases[] = {
		{ 0xd5, 4, { 0xff, 0x80, 0x40, 0x00 } },		/* RGBA8 */
		{ 0xd6, 4, { 0xff, 0xbc, 0x89, 0x00 } },		/* RGBA8_SRGB */
		{ 0xe8, 2, { 0x08, 0xfc } },				/* B5G6R5 */
		{ 0xf3, 1, { 0xff } },					/* R8 */
		{ 0xf7, 1, { 0x00 } },					/* A8 */
		{ 0xca, 8, { 0x00, 0x3c, 0x00, 0x38, 0x00, 0x34, 0x00, 0x00 } },
		{ 0xc0, 16, { 0, 0, 0x80, 0x3f, 0, 0, 0, 0x3f, 0, 0, 0x80, 0x3e } },
		{ 0xd1, 4, { 0xff, 0x03, 0x08, 0x10 } },		/* RGB10_A2 */
		{ 0xe0, 4, { 0xc0, 0x03, 0x1c, 0x68 } },		/* R11G11B10 */
		{ 0xda, 4, { 0xff, 0xff, 0x00, 0x80 } },		/* RG16 */
	};
	bool ok = true;

	seq(g, SUBC_3D, 0xd80, 4, bits(1.0f), bits(0.5f), bits(0.25f), bits(0.0f));
	for (unsigned int i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct target t = { .width = 8, .height = 4 };

		scramble(g->s, RT_VA, 4096);
		set_rt(g, &t, cases[i].format, false);
		set_rect(g, 0, 0, 8, 4);
		ok &= mthd(g, SUBC_3D, 0x19d0, 0x3c);
		for (uint32_t b = 0; b < cases[i].cpp * 2; b++) {
			uint8_t got = *fake_ptr(g->s, RT_VA + b);

			if (got != cases[i].want[b % cases[i].cpp]) {
				printf("# format %02x byte %u is %02x\n", cases[i].format, b, got);
				ok = false;
			}
		}
	}
	return ok;
}

/* Rectangles of 16-bit pixels that begin or end inside a word. */
static bool clear_halves(struct gpu *g)
{
	bool ok = true;

	seq(g, SUBC_3D, 0xd80, 4, bits(1.0f), bits(0.0f), bits(0.0f), bits(0.0f));
	for (uint32_t i = 0; i < 80; i++) {
		bool linear = i & 1;
		struct target t = { .width = linear ? 128 : 33, .height = 9, .bh = 1 };
		uint32_t x0 = rnd(32), y0 = rnd(8), w = 1 + rnd(10), h = 1 + rnd(8);

		for (uint32_t b = 0; b < 4096; b += 4)
			poke32(g->s, RT_VA + b, 0x11112222);
		set_rt(g, &t, 0xe8, linear);
		set_rect(g, x0, y0, w, h);
		ok &= mthd(g, SUBC_3D, 0x19d0, 0x3c);
		for (uint32_t y = 0; y < 9; y++) {
			for (uint32_t x = 0; x < 33; x++) {
				uint64_t va = RT_VA + (linear ? y * 128 + x * 2 :
						       naive_va(1, 0, 66, 9, x * 2, y, 0));
				uint32_t got = *fake_ptr(g->s, va) | *fake_ptr(g->s, va + 1) << 8;
				bool in = x >= x0 && x < x0 + w && y >= y0 && y < y0 + h;

				ok &= got == (in ? 0xf800u : va & 2 ? 0x1111u : 0x2222u);
			}
		}
	}
	return ok;
}

static bool clear_costs(struct gpu *g)
{
	struct target t = { .width = 1024, .height = 1024, .bh = 4 };
	uint64_t px = 1024 * 1024, fill_ns, masked_ns;

	set_rt(g, &t, 0xcf, false);
	set_rect(g, 0, 0, 1024, 1024);
	mthd(g, SUBC_3D, 0x19d0, 0x3c);
	fill_ns = g->r.cost_ns;
	mthd(g, SUBC_3D, 0x19d0, 0x04);
	masked_ns = g->r.cost_ns;
	/* 9.6 pixels a ns; when old pixels are read, 8 bytes each at 57.6 bytes a ns */
	return fill_ns >= px * 10 / 96 + 1000 && fill_ns <= px * 10 / 96 + 1010 &&
	       masked_ns >= px * 80 / 576 + 1000 && masked_ns <= px * 80 / 576 + 1010;
}

static bool clear_zeta(struct gpu *g)
{
	seq(g, SUBC_3D, 0xfe0, 5, HI(ZETA_VA), LO(ZETA_VA), 0x16, 0, 0);
	seq(g, SUBC_3D, 0x1228, 3, 16, 4, 0x10001);
	mthd(g, SUBC_3D, 0x1538, 1);
	mthd(g, SUBC_3D, 0x121c, 0);
	mthd(g, SUBC_3D, 0xd90, bits(0.5f));
	mthd(g, SUBC_3D, 0xda0, 0xa5);
	set_rect(g, 0, 0, 16, 4);
	poke32(g->s, ZETA_VA, 0x11223344);
	mthd(g, SUBC_3D, 0x19d0, 1);
	if (peek32(g->s, ZETA_VA) != 0x11800000)
		return false;
	mthd(g, SUBC_3D, 0x19d0, 2);
	if (peek32(g->s, ZETA_VA) != 0xa5800000)
		return false;
	mthd(g, SUBC_3D, 0xd90, bits(1.0f));
	mthd(g, SUBC_3D, 0x19d0, 3);
	if (peek32(g->s, ZETA_VA + 0xfc) != 0xa5ffffff)
		return false;
	mthd(g, SUBC_3D, 0x1538, 0);
	mthd(g, SUBC_3D, 0xda0, 0);
	mthd(g, SUBC_3D, 0x19d0, 3);
	return peek32(g->s, ZETA_VA) == 0xa5ffffff;
}

/* rnndb/graph/g80_pgraph/tpc.xml */
static bool clear_faults_trap(struct gpu *g)
{
	struct target t = { .width = 64, .height = 64, .bh = 4 };

	set_rt(g, &t, 0xcf, false);
	set_rect(g, 0, 0, 64, 64);
	g->s->absent[(RT_VA - FAKE_BASE) / FAKE_PAGE + 2] = true;
	mthd(g, SUBC_3D, 0x19d0, 0x3c);
	g->s->absent[(RT_VA - FAKE_BASE) / FAKE_PAGE + 2] = false;
	return g->r.intr == NVSIM_GR_INTR_TRAP && g->r.trap == 0x100 &&
	       g->r.trap_regs[0].reg == 0x408e08 && (g->r.trap_regs[0].val & 0x40) &&
	       g->s->fault.client == 0xb && g->s->fault.subclient == 0;
}

/* rnndb/graph/g80_pgraph/pgraph.xml */
static bool query_reports(struct gpu *g)
{
	bool ok = true;

	g->s->now_ns = 0x123456789a0ull;
	for (uint32_t i = 0; i < 32; i += 4)
		poke32(g->s, QUERY + i, 0xeeeeeeee);
	/* Mesa's fence: short */
	ok &= seq(g, SUBC_3D, 0x1b00, 4, HI(QUERY), LO(QUERY), 77u, 0x1000f010u);
	ok &= peek32(g->s, QUERY) == 77 && peek32(g->s, QUERY + 4) == 0xeeeeeeee;
	/* time stamp: long */
	ok &= seq(g, SUBC_3D, 0x1b00, 4, HI(QUERY), LO(QUERY), 78u, 0x00005002u);
	ok &= peek32(g->s, QUERY) == 78 && peek32(g->s, QUERY + 4) == 0 &&
	      peek32(g->s, QUERY + 8) == 0x456789a0 && peek32(g->s, QUERY + 12) == 0x123;
	ok &= peek32(g->s, QUERY + 16) == 0xeeeeeeee;
	/* not mapped: the query traps in DISPATCH, register block 84c */
	ok &= !seq(g, SUBC_3D, 0x1b00, 4, 0u, 0u, 79u, 0x00005002u);
	ok &= g->r.intr == NVSIM_GR_INTR_TRAP && g->r.trap == 1 &&
	      g->r.trap_regs[1].reg == 0x40084c && g->s->fault.subclient == 2;
	return ok;
}

/* A draw of n vertices with 64x64 pixels of target; programs of 2 instructions. */
static uint64_t draw(struct gpu *g, uint32_t prim, uint32_t n)
{
	mthd(g, SUBC_3D, 0x15dc, prim);
	seq(g, SUBC_3D, 0xd74, 2, 0u, n);
	mthd(g, SUBC_3D, 0x15e0, 0);
	return g->r.cost_ns;
}

static void set_draw(struct gpu *g, uint32_t size)
{
	struct target t = { .width = size, .height = size, .bh = 4 };

	/* short, then long with the exit bit */
	poke32(g->s, CODE, 0x10000000);
	poke32(g->s, CODE + 4, 0x10000001);
	poke32(g->s, CODE + 8, 0x0423c789);
	seq(g, SUBC_3D, 0xf7c, 2, HI(CODE), LO(CODE));
	seq(g, SUBC_3D, 0xfa4, 2, HI(CODE), LO(CODE));
	mthd(g, SUBC_3D, 0x140c, 0);
	mthd(g, SUBC_3D, 0x1414, 0);
	mthd(g, SUBC_3D, 0x1440, 0);
	set_rt(g, &t, 0xcf, false);
	set_rect(g, 0, 0, size, size);
	mthd(g, SUBC_3D, 0x121c, 0x0fac6881);
}

static bool draw_costs(struct gpu *g)
{
	uint64_t px = 1024 * 1024, ns;
	bool ok = true;

	set_draw(g, 1024);
	ns = draw(g, 4, 3);
	/* 16 ROPs at 600 MHz: 9.6 pixels a ns, above what 4-byte writes take; plus 1 us */
	ok &= ns >= px * 10 / 96 + 1000 && ns <= px * 10 / 96 + 1010;
	/* 4,000,000 triangles at 600 M/s; 12 M vertices take three times as long */
	ns = draw(g, 4, 12000000);
	ok &= ns >= 20000000 + 1000 && ns <= 20000000 + 1010;
	/* scissored to 64x64 */
	seq(g, SUBC_3D, 0xe00, 3, 1u, 64u << 16, 64u << 16);
	ns = draw(g, 4, 3);
	ok &= ns >= 4096 * 10 / 96 + 1000 && ns <= 4096 * 10 / 96 + 1010;
	mthd(g, SUBC_3D, 0xe00, 0);
	/* a condition that fails: no more than the method */
	mthd(g, SUBC_3D, 0x1558, 0);
	ok &= draw(g, 4, 12000000) < 10;
	mthd(g, SUBC_3D, 0x1558, 1);
	return ok;
}

static bool draw_leaves_memory(struct gpu *g)
{
	uint32_t pages = 0;

	set_draw(g, 256);
	memset(g->s->dirty, 0, sizeof(g->s->dirty));
	draw(g, 5, 100);
	for (uint32_t i = 0; i < FAKE_PAGES; i++)
		pages += g->s->dirty[i];
	return pages == 0;
}

static uint32_t counter(struct gpu *g, uint32_t get)
{
	seq(g, SUBC_3D, 0x1b00, 4, HI(QUERY), LO(QUERY), 1u, get);
	return peek32(g->s, get >> 23 & 1 ? QUERY : QUERY + 4);
}

static bool counters_count(struct gpu *g)
{
	uint32_t prims, samples;

	set_draw(g, 64);
	mthd(g, SUBC_3D, 0x1530, 1);
	mthd(g, SUBC_3D, 0x1514, 1);
	prims = counter(g, 0x06805002);
	draw(g, 4, 30);		/* 10 triangles */
	draw(g, 5, 30);		/* 28 */
	draw(g, 7, 8);		/* 2 quads = 4 */
	mthd(g, SUBC_3D, 0x15dc, 4);
	mthd(g, SUBC_3D, 0x15ec, 0x80000005);	/* 5 indices, the first half word skipped */
	for (int i = 0; i < 3; i++)
		mthd(g, SUBC_3D, 0x15f0, 0);
	mthd(g, SUBC_3D, 0x15ec, 0);
	mthd(g, SUBC_3D, 0x15e8, 0);		/* and one more: 2 triangles */
	mthd(g, SUBC_3D, 0x15e0, 0);
	mthd(g, SUBC_3D, 0x15dc, 4);
	for (int i = 0; i < 3; i++) {		/* immediate: attribute 1, then 0 */
		seq(g, SUBC_3D, 0x410, 3, 0u, 0u, 0u);
		seq(g, SUBC_3D, 0x380, 2, 0u, 0u);
	}
	mthd(g, SUBC_3D, 0x15e0, 0);
	mthd(g, SUBC_3D, 0x1514, 0);
	samples = counter(g, 0x0100f002);
	return counter(g, 0x06805002) - prims == 10 + 28 + 4 + 2 + 1 && samples == 5 * 64 * 64;
}

static bool nested_begin_is_refused(struct gpu *g)
{
	mthd(g, SUBC_3D, 0x15dc, 4);
	mthd(g, SUBC_3D, 0x15dc, 4);
	if (g->r.intr != NVSIM_GR_INTR_DATA_ERROR || g->r.data_error != 0xd)
		return false;
	mthd(g, SUBC_3D, 0x15e0, 0);
	return true;
}

static bool notify_waits_for_next_method(struct gpu *g)
{
	bool ok = true;

	g->s->now_ns = 0xabc00001234ull;
	mthd(g, SUBC_3D, 0x180, FAKE_NTFY);
	for (uint32_t i = 0; i < 32; i += 4)
		poke32(g->s, FAKE_NTFY_VA + i, 0xffffffff);
	ok &= mthd(g, SUBC_3D, 0x104, 1) && g->r.intr == 0;
	ok &= peek32(g->s, FAKE_NTFY_VA) == 0xffffffff;
	ok &= nvsim_gr_method_visible(g->c, SUBC_3D, 0x100);
	ok &= !mthd(g, SUBC_3D, 0x100, 0xcafe) && g->r.intr == NVSIM_GR_INTR_NOTIFY;
	ok &= g->r.mthd_data == 0xcafe && g->r.mthd_addr == (SUBC_3D << 16 | 0x100);
	ok &= peek32(g->s, FAKE_NTFY_VA) == 0x1234 && peek32(g->s, FAKE_NTFY_VA + 4) == 0xabc;
	ok &= peek32(g->s, FAKE_NTFY_VA + 8) == 0 && peek32(g->s, FAKE_NTFY_VA + 12) == 0;
	ok &= peek32(g->s, FAKE_NTFY_VA + 16) == 0xffffffff;
	ok &= !nvsim_gr_method_visible(g->c, SUBC_3D, 0x100);
	/* once only; and without AWAKEN no interrupt */
	ok &= mthd(g, SUBC_3D, 0x100, 0);
	poke32(g->s, FAKE_NTFY_VA + 12, 0xffffffff);
	ok &= mthd(g, SUBC_3D, 0x104, 0) && mthd(g, SUBC_3D, 0x110, 0);
	return ok && peek32(g->s, FAKE_NTFY_VA + 12) == 0;
}

/* rnndb/graph/g80_pgraph/pgraph.xml */
static bool notify_without_object_traps(struct gpu *g)
{
	bool ok = true;

	mthd(g, SUBC_3D, 0x180, 0);
	ok &= mthd(g, SUBC_3D, 0x104, 1) && g->r.intr == 0;
	ok &= !mthd(g, SUBC_3D, 0x100, 0xcafe) && g->r.intr == NVSIM_GR_INTR_TRAP;
	ok &= g->r.trap == 1 && g->s->fault.client == 3 && g->s->fault.subclient == 1;
	ok &= g->r.trap_regs[1].reg == 0x400808 &&
	      g->r.trap_regs[1].val == (0x80000000 | SUBC_3D << 16 | 0x100);
	ok &= mthd(g, SUBC_3D, 0x100, 0);
	mthd(g, SUBC_3D, 0x180, FAKE_NTFY);
	return ok;
}

static bool notify_errors(struct gpu *g)
{
	bool ok = true;

	ok &= !mthd(g, SUBC_3D, 0x104, 2) && g->r.intr == NVSIM_GR_INTR_DATA_ERROR &&
	      g->r.data_error == 4;
	mthd(g, SUBC_3D, 0x104, 0);
	ok &= !mthd(g, SUBC_3D, 0x104, 0) && g->r.intr == NVSIM_GR_INTR_DOUBLE_NOTIFY;
	ok &= !mthd(g, SUBC_2D, 0x100, 0) && g->r.intr == NVSIM_GR_INTR_DATA_ERROR;
	mthd(g, SUBC_3D, 0x104, 0);
	ok &= !mthd(g, SUBC_3D, 0x180, FAKE_DMA) && g->r.intr == NVSIM_GR_INTR_DATA_ERROR;
	mthd(g, SUBC_3D, 0x104, 0);
	ok &= nvsim_gr_bind(&g->gr, g->c, SUBC_3D, 0x8297, &g->r) == NVSIM_GR_INTR;
	return ok;
}

/* docs/hw/graph/intro.rst: chips before G200 have G80_3D as well; rnndb/graph/g80_3d.xml */
static bool class_of_the_g80_is_there(struct gpu *g)
{
	static const uint32_t later[] = { 0x1104, 0x1108, 0x110c, 0x1110, 0x1114, 0x1118, 0x111c };
	bool ok = nvsim_gr_bind(&g->gr, g->c, 5, 0x5097, &g->r) == NVSIM_GR_OK;

	ok &= nvsim_gr_class(g->c, 5) == 0x5097;
	ok &= mthd(g, 5, 0xd80, bits(0.5f)) && mthd(g, 5, 0xdcc, 0) && !mthd(g, SUBC_3D, 0xdcc, 0);
	for (size_t i = 0; i < sizeof(later) / sizeof(later[0]); i++) {
		ok &= mthd(g, SUBC_3D, later[i], 0) && !mthd(g, 5, later[i], 0);
		ok &= g->r.intr == NVSIM_GR_INTR_ILLEGAL_MTHD && g->r.mthd_class == 0x5097;
	}
	return ok;
}

/* docs/hw/memory/g80-surface.rst: blocks of one or two gobs' width, on render targets alone */
static bool wide_blocks_are_for_targets(struct gpu *g)
{
	struct target t = { .width = 64, .height = 64, .bw = 2 };
	bool ok = true;

	set_rt(g, &t, 0xcf, false);
	ok &= !mthd(g, SUBC_3D, 0x19d0, 0x3c) && g->r.data_error == 0x0c;
	t.bw = 1;
	set_rt(g, &t, 0xcf, false);
	ok &= mthd(g, SUBC_3D, 0x19d0, 0x3c);
	seq(g, SUBC_2D, 0x200, 3, 0xcfu, 0u, 1u);
	seq(g, SUBC_2D, 0x218, 4, 64u, 64u, HI(RT_VA), LO(RT_VA));
	mthd(g, SUBC_2D, 0x580, 4);
	ok &= !seq(g, SUBC_2D, 0x600, 4, 0u, 0u, 4u, 4u) && g->r.data_error == 0x0c;
	return ok;
}

static bool refusals(struct gpu *g)
{
	static const uint16_t foreign[] = { 0x8397, 0x8597, 0x9097, 0x85c0, 0x5062, 0x1 };
	bool ok = true;

	for (unsigned int i = 0; i < sizeof(foreign) / sizeof(foreign[0]); i++) {
		ok &= nvsim_gr_bind(&g->gr, g->c, 7, foreign[i], &g->r) == NVSIM_GR_INTR &&
		      g->r.intr == NVSIM_GR_INTR_ILLEGAL_CLASS && g->r.mthd_class == foreign[i];
		ok &= !mthd(g, 7, 0x100, 0);
	}
	ok &= !mthd(g, SUBC_3D, 0x1c00, 5) && g->r.intr == NVSIM_GR_INTR_ILLEGAL_MTHD &&
	      g->r.mthd_addr == (SUBC_3D << 16 | 0x1c00) && g->r.mthd_data == 5 &&
	      g->r.mthd_class == 0x8297;
	ok &= !mthd(g, 6, 0x100, 0) && g->r.intr == NVSIM_GR_INTR_ILLEGAL_CLASS;
	ok &= mthd(g, SUBC_3D, 0x110, 0) && mthd(g, SUBC_3D, 0x100, 0);
	return ok;
}

static bool compute_costs(struct gpu *g)
{
	uint64_t ns;

	seq(g, SUBC_CP, 0x210, 2, HI(CODE), LO(CODE));
	mthd(g, SUBC_CP, 0x3b4, 0);
	seq(g, SUBC_CP, 0x3ac, 2, 8u << 16 | 32u, 1u);
	mthd(g, SUBC_CP, 0x2b4, 0x10000 | 256);
	mthd(g, SUBC_CP, 0x3a4, 100u << 16 | 140u);
	if (mthd(g, SUBC_CP, 0x368, 0) || g->r.data_error != 0x2e)
		return false;
	mthd(g, SUBC_CP, 0x2f8, 1);
	if (!mthd(g, SUBC_CP, 0x368, 0))
		return false;
	/* 14,000 blocks on 14 multiprocessors: 1,000 * 0.5 us; 7.2 M instructions: 43 us; 5 us */
	ns = g->r.cost_ns;
	mthd(g, SUBC_CP, 0x2b4, 0x10000 | 255);
	if (mthd(g, SUBC_CP, 0x368, 0) || g->r.data_error != 0x2b)
		return false;
	return ns >= 500000 + 42660 + 5000 && ns <= 500000 + 42680 + 5000;
}

int main(void)
{
	struct gpu g;

	gpu_init(&g);
	tap(random_clears(&g), "random_clears_match_naive_layout");
	tap(full_clear_is_one_fill(&g), "full_clear_is_one_fill");
	tap(clear_formats(&g), "clear_packs_formats");
	tap(clear_halves(&g), "clear_of_16_bit_pixels_at_odd_edges");
	tap(clear_costs(&g), "clear_costs_rops_or_bandwidth");
	tap(clear_zeta(&g), "clear_zeta_masks_depth_and_stencil");
	tap(clear_faults_trap(&g), "clear_fault_traps_as_rt");
	tap(query_reports(&g), "queries_write_short_and_long_reports");
	tap(draw_costs(&g), "draws_cost_their_area_or_vertices");
	tap(draw_leaves_memory(&g), "draw_leaves_memory_alone");
	tap(counters_count(&g), "counters_count_primitives_and_samples");
	tap(nested_begin_is_refused(&g), "nested_begin_is_refused");
	tap(notify_waits_for_next_method(&g), "notify_waits_for_next_method");
	tap(notify_without_object_traps(&g), "notify_without_object_traps");
	tap(notify_errors(&g), "notify_followed_by_notify_bind_or_switch_is_an_error");
	tap(class_of_the_g80_is_there(&g), "class_of_the_g80_is_there");
	tap(wide_blocks_are_for_targets(&g), "wide_blocks_are_for_targets");
	tap(refusals(&g), "unknown_classes_and_methods_are_refused");
	tap(compute_costs(&g), "compute_costs_blocks_and_instructions");
	gpu_fini(&g);
	return tap_done();
}
