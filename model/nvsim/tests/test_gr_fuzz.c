// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Random methods with random and with plausible data: nothing may crash, run away or leave the
 * mapped memory (ASan and UBSan watch), and results must stay within what gr/gr.h promises.
 *
 *	test_gr_fuzz [SECONDS [SEED]]	default: 4 seconds, seed 1
 */
#include <time.h>

#include "test_gr_fake.h"

static const uint16_t interesting[4][24] = {
	{ 0x104, 0x200, 0x204, 0x208, 0x20c, 0x214, 0x218, 0x21c, 0x220, 0x224, 0x228, 0x230,
	  0x234, 0x30c, 0x310, 0x314, 0x318, 0x31c, 0x320, 0x328, 0x328, 0x328, 0x100, 0x110 },
	{ 0x200, 0x204, 0x208, 0x214, 0x218, 0x21c, 0x230, 0x234, 0x24c, 0x280, 0x28c, 0x290,
	  0x2ac, 0x580, 0x5e0, 0x604, 0x800, 0x804, 0x838, 0x83c, 0x85c, 0x860, 0x8b8, 0x8dc },
	{ 0x104, 0x208, 0x20c, 0x210, 0xc00, 0xc04, 0xd78, 0xe04, 0xff4, 0xff8, 0x1224, 0x1240,
	  0x1244, 0x143c, 0x1558, 0x15d0, 0x15dc, 0x15e0, 0x15f0, 0x1640, 0x19d0, 0x19d0, 0x1538,
	  0x1b0c },
	{ 0x104, 0x214, 0x2b4, 0x2f8, 0x2f8, 0x310, 0x314, 0x318, 0x31c, 0x320, 0x328, 0x368,
	  0x368, 0x380, 0x3a4, 0x3ac, 0x3b0, 0x3b4, 0x100, 0x110, 0x600, 0x604, 0x238, 0x23c },
};

static uint32_t random_data(void)
{
	static const uint32_t edge[] = {
		0, 1, 2, 3, 4, 0x10, 0x3c, 0x40, 0xff, 0x100, 0xffff, 0x10000, 0x7fffffff,
		0x80000000, 0xffffffff, 0xcf, 0xf3, 0xe8, 0xc0, 0xca, 0x16, 0x14, 0x19,
	};

	switch (rnd(6)) {
	case 0:
		return edge[rnd(sizeof(edge) / sizeof(edge[0]))];
	case 1:
		return rnd(1 << 24) << 8 | rnd(256);
	case 2:		/* a rectangle */
		return rnd(600) << 16 | rnd(600);
	case 3:		/* an address, low word */
		return LO(FAKE_BASE) + rnd(FAKE_PAGES) * FAKE_PAGE;
	default:
		return rnd(300);
	}
}

static uint32_t address(void)
{
	return LO(FAKE_BASE) + rnd(FAKE_PAGES) * FAKE_PAGE + (rnd(4) ? 0 : rnd(4096));
}

static uint32_t blocks(void)
{
	return rnd(6) << 4 | rnd(6) << 8;
}

/* State with which actions mostly get somewhere; single methods spoil it again. */
static void plausible(struct gpu *g)
{
	static const uint8_t fmt[] = { 0xcf, 0xd5, 0xd6, 0xe8, 0xe9, 0xf3, 0xc0, 0xca, 0xe5, 0xdf };
	static const uint8_t zeta[] = { 0x0a, 0x14, 0x15, 0x16, 0x19 };

	for (uint32_t base = 0x200; base <= 0x230; base += 0x30) {
		seq(g, SUBC_2D, base, 8, (uint32_t)fmt[rnd(10)], rnd(2), blocks(), 1 + rnd(8),
		    rnd(8), rnd(4096), rnd(600), rnd(600));
		mthd(g, SUBC_2D, base + 0x24, address());
	}
	seq(g, SUBC_2D, 0x8b0, 4, rnd(100) - 50, rnd(100) - 50, rnd(400), rnd(400));
	mthd(g, SUBC_2D, 0x8d4, rnd(100) - 50);
	mthd(g, SUBC_2D, 0x290, rnd(3) == 0);
	mthd(g, SUBC_2D, 0x2ac, rnd(2) ? 3 : rnd(7));
	mthd(g, SUBC_2D, 0x26c, 1);
	seq(g, SUBC_2D, 0x838, 2, rnd(40), rnd(40));
	for (uint32_t base = 0x200; base <= 0x21c; base += 0x1c)
		seq(g, SUBC_M2MF, base, 7, rnd(2), blocks(), rnd(2000), rnd(300), 1 + rnd(8),
		    rnd(8), rnd(50) << 16 | rnd(200));
	seq(g, SUBC_M2MF, 0x30c, 6, address(), address(), rnd(4096), rnd(4096), rnd(2000),
	    rnd(100));
	for (uint32_t i = 0; i < 2; i++) {
		seq(g, SUBC_3D, 0x200 + i * 0x20, 5, HI(FAKE_BASE), address(),
		    (uint32_t)fmt[rnd(10)], blocks(), rnd(0x10000));
		seq(g, SUBC_3D, 0x1240 + i * 8, 2, (rnd(3) ? 0 : 0x80000000u) | rnd(700),
		    rnd(500));
	}
	seq(g, SUBC_3D, 0xfe0, 5, HI(FAKE_BASE), address(), (uint32_t)zeta[rnd(5)], blocks(),
	    rnd(0x10000));
	seq(g, SUBC_3D, 0x1228, 2, rnd(600), rnd(600));
	mthd(g, SUBC_3D, 0x1538, rnd(2));
	mthd(g, SUBC_3D, 0x1224, rnd(4) ? 1 : 0x10008);
	mthd(g, SUBC_3D, 0x15d0, rnd(4) ? 0 : rnd(11));
	mthd(g, SUBC_3D, 0x121c, 0x0fac6880 | rnd(4));
	mthd(g, SUBC_3D, 0x1558, 1);
	seq(g, SUBC_3D, 0xff4, 2, rnd(700) << 16 | rnd(100), rnd(700) << 16 | rnd(100));
	seq(g, SUBC_3D, 0xc00, 2, rnd(700) << 16, rnd(700) << 16);
	seq(g, SUBC_3D, 0xf7c, 2, HI(FAKE_BASE), address());
	seq(g, SUBC_3D, 0xfa4, 2, HI(FAKE_BASE), address());
	mthd(g, SUBC_3D, 0x140c, rnd(4096));
	mthd(g, SUBC_3D, 0x1414, rnd(4096));
}

/* Whole operations, which single random methods rarely complete. */
static void operation(struct gpu *g)
{
	uint32_t n = rnd(200);

	switch (rnd(5)) {
	case 0:
		mthd(g, SUBC_M2MF, 0x328, rnd(2));
		break;
	case 1:
		mthd(g, SUBC_2D, 0x8dc, rnd(100) - 50);
		break;
	case 2:
		mthd(g, SUBC_2D, 0x85c, rnd(100) - 50);
		while (n--)
			mthd(g, SUBC_2D, 0x860, random_data());
		break;
	case 3:
		mthd(g, SUBC_3D, 0x15dc, rnd(14));
		mthd(g, SUBC_3D, 0xd78, random_data());
		while (n--)
			mthd(g, SUBC_3D, rnd(2) ? 0x1640 : 0x15f0, random_data());
		mthd(g, SUBC_3D, 0x15e0, 0);
		break;
	default:
		mthd(g, SUBC_3D, 0x19d0, rnd(1 << 14));
		break;
	}
}

static void restore_addresses(struct gpu *g)
{
	static const uint16_t high[4][3] = {
		{ 0x238, 0x23c, 0x238 }, { 0x220, 0x250, 0x264 }, { 0x200, 0xfe0, 0x1b00 },
		{ 0x210, 0x310, 0x320 },
	};

	for (unsigned int subc = 0; subc < 4; subc++) {
		for (unsigned int i = 0; i < 3; i++)
			mthd(g, subc, high[subc][i], HI(FAKE_BASE));
		mthd(g, subc, 0x184, FAKE_DMA);
		mthd(g, subc, 0x188, FAKE_DMA);
		mthd(g, subc, 0x180, rnd(8) ? FAKE_NTFY : rnd(256));
	}
	mthd(g, SUBC_3D, 0x1c0, FAKE_DMA);
	mthd(g, SUBC_3D, 0x198, FAKE_DMA);
	mthd(g, SUBC_CP, 0x1a4, FAKE_DMA);
	mthd(g, SUBC_CP, 0x1c0, FAKE_DMA);
	mthd(g, SUBC_2D, 0x8c4, rnd(4));
	mthd(g, SUBC_2D, 0x8cc, rnd(4));
	mthd(g, SUBC_2D, 0x844, 1);
	mthd(g, SUBC_2D, 0x84c, 1);
	for (unsigned int i = 0; i < 16; i++)
		g->s->absent[rnd(FAKE_PAGES)] = rnd(4) == 0;
	for (unsigned int i = 0; i < 16; i++)
		g->s->system[rnd(FAKE_PAGES)] = rnd(4) == 0;
}

/* What the interface promises about a result. */
static bool sane(const struct gpu *g, enum nvsim_gr_status st, uint32_t subc, uint32_t m)
{
	const struct nvsim_gr_result *r = &g->r;

	return (st == NVSIM_GR_INTR) == (r->intr != 0) && r->cost_ns < 1ull << 50 &&
	       r->trap_reg_count <= NVSIM_GR_TRAP_REGS && r->mthd_addr == (subc << 16 | m) &&
	       (!(r->intr & NVSIM_GR_INTR_DATA_ERROR) || r->data_error) &&
	       (!(r->intr & NVSIM_GR_INTR_TRAP) || r->trap);
}

static bool step(struct gpu *g)
{
	uint32_t subc = rnd(64) ? rnd(4) : rnd(8);
	uint32_t m = rnd(3) && subc < 4 ? interesting[subc][rnd(24)] : rnd(2048) * 4;
	enum nvsim_gr_status st;

	if (rnd(2000) == 0) {
		static const uint16_t id[] = { 0x5039, 0x502d, 0x8297, 0x50c0, 0x0030, 0x5097 };

		st = nvsim_gr_bind(&g->gr, g->c, subc, id[rnd(6)], &g->r);
		return sane(g, st, subc, 0);
	}
	if (m == 0)
		return true;	/* method 0 is a bind, which the caller takes */
	nvsim_gr_method_visible(g->c, subc, m);
	st = nvsim_gr_method(&g->gr, g->c, subc, m, random_data(), &g->r);
	return sane(g, st, subc, m);
}

/* The clock is looked at after every round, since a single method may copy 256 MiB. */
int main(int argc, char **argv)
{
	time_t end = time(NULL) + (argc > 1 ? atol(argv[1]) : 4);
	unsigned long rounds = 0, worst = 0;
	bool ok = true;
	struct gpu g;

	fake_seed = argc > 2 ? (uint32_t)atol(argv[2]) : 1;
	gpu_init(&g);
	while (ok && time(NULL) < end) {
		time_t start = time(NULL);

		restore_addresses(&g);
		plausible(&g);
		for (int i = 0; i < 100 && ok; i++) {
			if (i % 20 == 0)
				operation(&g);
			ok = step(&g);
		}
		if ((unsigned long)(time(NULL) - start) > worst)
			worst = (unsigned long)(time(NULL) - start);
		if (++rounds % 500 == 0) {
			gpu_fini(&g);
			gpu_init(&g);
		}
	}
	printf("# %lu methods, longest 100 took %lu s\n", rounds * 100, worst);
	tap(ok, "random_methods_keep_the_promises");
	gpu_fini(&g);
	return tap_done();
}
