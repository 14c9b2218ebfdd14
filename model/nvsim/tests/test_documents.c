// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the public hardware documents say of registers. Each value has the file
 * of envytools' repository that it is from: rnndb/ is its register database,
 * docs/hw/ its pages, hwtest/ the programs that were run against cards.
 */
#include "machine.h"

struct value {
	uint32_t off, val;
	const char *source;
};

static bool registers_come_up_as_documented(void)
{
	static const struct value resets[] = {
		/* chip 92, stepping a2, bits 19:15: the low bits of device 0614 */
		{ 0x000000, 0x092a00a2, "rnndb/bus/pmc.xml" },
		{ 0x001540, 0x130f007f, "rnndb/bus/pbus.xml" },	/* "the card dies" without bit 28 */
		{ 0x002048, 0x00090100, "rnndb/fifo/g80_pfifo.xml" },
		{ 0x002054, 0x00000002, "rnndb/fifo/g80_pfifo.xml" },
		{ 0x003300, 0x0004004f, "rnndb/fifo/g80_pfifo.xml" },
		{ 0x003304, 0x00000003, "rnndb/fifo/g80_pfifo.xml" },
		{ 0x003308, 0x00000000, "rnndb/fifo/g80_pfifo.xml" },
		{ 0x003318, 0x00000002, "rnndb/fifo/g80_pfifo.xml" },
	};
	struct machine *m = machine_new(NULL);
	const struct value *v;
	bool ok = true;

	for (v = resets; v < resets + NVSIM_ARRAY_SIZE(resets); v++) {
		if (rd(m, v->off) == v->val)
			continue;
		printf("# %06x is %08x, %s has %08x\n", v->off, rd(m, v->off), v->source, v->val);
		ok = false;
	}
	machine_free(m);
	return ok;
}

static bool writes_keep_the_documented_bits(void)
{
	static const struct value masks[] = {
		{ 0x002040, 0xf00003ff, "rnndb/fifo/g80_pfifo.xml" },
		{ 0x002044, 0xf101ffff, "rnndb/fifo/g80_pfifo.xml" },
		{ 0x002048, 0x0007ffff, "rnndb/fifo/g80_pfifo.xml" },
		{ 0x002054, 0xf00003ff, "rnndb/fifo/g80_pfifo.xml" },
		{ 0x003300, 0xffffffff, "rnndb/fifo/g80_pfifo.xml" },
		{ 0x003310, 0xffffffff, "rnndb/fifo/g80_pfifo.xml" },
		{ 0x003318, 0x00000007, "rnndb/fifo/g80_pfifo.xml" },
		{ 0x009200, 0x0000ffff, "docs/hw/bus/ptimer.rst" },
		{ 0x009210, 0x0000ffff, "docs/hw/bus/ptimer.rst" },
		{ 0x009220, 0x00011fff, "rnndb/bus/ptimer.xml" },
		{ 0x009410, 0x1fffffff, "docs/hw/bus/ptimer.rst" },
		{ 0x009420, 0xffffffe0, "docs/hw/bus/ptimer.rst" },
		{ 0x100c90, 0x073f07ff, "rnndb/memory/g80_pfb.xml" },	/* 31 clears */
		{ 0x000200, 0xdff3d113, "rnndb/bus/pmc.xml" },	/* the last: 0 turns all off */
	};
	struct machine *m = machine_new(NULL);
	const struct value *v;
	bool ok = true;

	for (v = masks; v < masks + NVSIM_ARRAY_SIZE(masks); v++) {
		wr(m, v->off, 0xffffffff);
		if (rd(m, v->off) != v->val) {
			printf("# %06x keeps %08x, %s has %08x\n", v->off, rd(m, v->off),
			       v->source, v->val);
			ok = false;
		}
		wr(m, v->off, 0);
		EXPECT(rd(m, v->off) == 0);
	}
	wr(m, 0x000200, 0xffffffff);
	wr(m, 0x003304, 0xffffffff);
	wr(m, 0x003308, 0xffffffff);
	EXPECT(rd(m, 0x003304) == 3 && rd(m, 0x003308) == 0);
	machine_free(m);
	return ok;
}

/*
 * docs/hw/io/pstraps.rst: device id, sizes of the BARs, crystal, class, where the ROM is
 * rnndb/bus/pci.xml, docs/hw/mmio.rst
 */
static bool straps_name_the_card(void)
{
	struct machine *m = machine_new(NULL);
	uint32_t s0 = rd(m, 0x101000), s1 = rd(m, 0x10100c), id = rd(m, 0x88000) >> 16;
	bool ok = true;

	EXPECT((s0 >> 10 & 15) == (id & 15) && (s0 >> 28 & 1) == (id >> 4 & 1));
	EXPECT((rd(m, 0) >> 15 & 0x1f) == (id & 0x1f));
	EXPECT(64ull * MB << ((s0 >> 14 & 3) + (s1 >> 20 & 7)) == NVSIM_BAR1_BYTES);
	EXPECT(16ull * MB << (s1 >> 17 & 7) == NVSIM_MMIO_BYTES);
	EXPECT(NVSIM_MMIO_BYTES << !(s1 >> 23 & 1) == NVSIM_BAR3_BYTES);
	/* 27 MHz: bit 6; nouveau's device/base.c reads bit 22 too, a serial ROM's here */
	EXPECT((s0 & 0x00400040) == 0x00400000 && (s0 >> 22 & 3) == 1);
	EXPECT((s1 >> 4 & 1) == (rd(m, 0x88008) >> 8 == 0x030000));
	/* a card of its own: its subsystem is at 0x54 of the ROM */
	EXPECT((s0 & 2) && rd(m, 0x300054) == rd(m, 0x8802c));
	wr(m, 0x101000, 0x80000040);		/* overridden by the host, */
	EXPECT(rd(m, 0x101000) == 0x80000040);
	wr(m, 0x101000, 0x00000040);		/* and no longer */
	EXPECT(rd(m, 0x101000) == s0);
	machine_free(m);
	return ok;
}

/* rnndb/fifo/g80_pfifo.xml: DMA_PUSH.EMPTY */
static bool idle_pusher_is_empty(void)
{
	struct machine *m = machine_new(NULL);
	struct chan *c = chan_new(m, 1);
	bool ok = true;

	listed(m, 1, 1);
	EXPECT(rd(m, 0x3220) == 0x101);
	mthd1(c, 0, 0x50, 1);
	kick(c);
	run_for(m, 10000);
	EXPECT(userd(c, 0x48) == 1 && rd(m, 0x3220) == 0x101);
	mthd1(c, 3, 0x100, 1);			/* refused: what follows waits */
	mthd1(c, 0, 0x50, 2);
	kick(c);
	run_for(m, 10000);
	EXPECT(rd(m, 0x3220) == 0x001);
	wr(m, 0x3220, 0x100);			/* not the driver's to set */
	EXPECT(rd(m, 0x3220) == 0);
	free(c);
	machine_free(m);
	return ok;
}

/* rnndb/bus/pbus.xml: HOST_MEM.PMEM has a target. docs/hw/mmio.rst */
static bool pramin_reaches_system_memory(void)
{
	struct machine *m = machine_new(NULL);
	uint32_t target;
	bool ok = true;

	for (target = 2; target < 4; target++) {
		rw(m, 0x12344, 0x11223344);
		wr(m, 0x1700, target << 24 | (uint32_t)(RAM_BASE >> 16));
		EXPECT(rd(m, 0x712344) == 0x11223344);
		EXPECT(nvsim_mmio_read(m->s, 0x712345, 1) == 0x33);
		nvsim_mmio_write(m->s, 0x712346, 0xaabb, 2);
		EXPECT(rr(m, 0x12344) == 0xaabb3344);
		wr(m, 0x712348, target);
		EXPECT(rr(m, 0x12348) == target);
	}
	wr(m, 0x1700, 2u << 24);			/* nobody is there */
	EXPECT(rd(m, 0x700000) == 0xffffffff);
	/* docs/hw/memory/g80-vm.rst: VRAM has 32 bits, the high 8 are ignored */
	vw(m, 0x10000, 0x5a5a);
	wr(m, 0x1700, 0x00ab0001);
	EXPECT(rd(m, 0x700000) == 0x5a5a);
	machine_free(m);
	return ok;
}

struct unit {
	uint32_t bit, reg, val, reset;
};

/*
 * docs/hw/bus/pmc.rst: a disabled engine is not in MMIO, and comes back reset
 * rnndb/bus/ptimer.xml
 */
static bool disabled_units_leave_mmio(void)
{
	static const struct unit units[] = {
		{ 8, 0x2044, 0x00001234, 0x01003fff },
		{ 8, 0x2140, 0xffffffff, 0 },
		{ 8, 0x3200, 1, 0 },
		{ 8, 0x3318, 5, 2 },
		{ 8, 0x90000, 0x1234, 0 },
		{ 12, 0x400500, 0x00010001, 0 },
		{ 12, 0x40013c, 0xffffffff, 0 },
		{ 12, 0x40008c, 4, 0 },
		{ 12, 0x408900, 0x80000000, 0 },
		{ 16, 0x9140, 1, 0 },
		{ 16, 0x9200, 0x1234, 0 },
		{ 20, 0x100c08, 0x1234, 0 },
	};
	struct machine *m = machine_new(NULL);
	const struct unit *u;
	bool ok = true;

	for (u = units; u < units + NVSIM_ARRAY_SIZE(units); u++) {
		wr(m, u->reg, u->val);
		if (rd(m, u->reg) != u->val)
			printf("# %06x does not store\n", u->reg);
		wr(m, 0x200, ~(1u << u->bit));
		ok &= rd(m, u->reg) == 0;
		wr(m, u->reg, u->val);
		ok &= rd(m, u->reg) == 0;
		wr(m, 0x200, 0xffffffff);
		if (rd(m, u->reg) != u->reset) {
			printf("# %06x came back as %08x\n", u->reg, rd(m, u->reg));
			ok = false;
		}
	}
	wr(m, 0x9420, 4096);			/* PTIMER's alarm goes too, its time starts anew */
	wr(m, 0x200, 0xfffeffff);
	EXPECT(m->timer == NVSIM_NEVER);
	run_for(m, 50000);
	EXPECT(rd(m, 0x9400) == 0);
	wr(m, 0x200, 0xffffffff);
	EXPECT(rd(m, 0x9400) < 64);
	machine_free(m);
	return ok;
}

/* rnndb/graph/g80_pgraph: TRAP of each unit: 30 CLEAR, 31 ENABLE */
static bool unit_traps_are_cleared_and_enabled(void)
{
	static const uint32_t traps[] = { 0x400804, 0x400c04, 0x401800, 0x402000, 0x405018,
					  0x406800, 0x408314, 0x408900, 0x40ee08 };
	struct machine *m = machine_new(NULL);
	bool ok = true;
	size_t i;

	for (i = 0; i < NVSIM_ARRAY_SIZE(traps); i++) {
		m->s->bus.reg[traps[i] / 4] = 5;	/* as if the unit had trapped */
		wr(m, traps[i], 0x80000000);
		EXPECT(rd(m, traps[i]) == 0x80000005);
		wr(m, traps[i], 0xc0000000);
		EXPECT(rd(m, traps[i]) == 0x80000000);
		wr(m, traps[i], 0x00000003);		/* what trapped is not the driver's to set */
		EXPECT(rd(m, traps[i]) == 0);
	}
	machine_free(m);
	return ok;
}

/* rnndb/graph/g80_pgraph/pgraph.xml */
static bool host_method(struct machine *m, uint32_t subc, uint32_t mthd, uint32_t data)
{
	wr(m, 0x40080c, data);
	wr(m, 0x400808, 0x80000000 | subc << 16 | mthd);
	run_for(m, 100000);
	return !(rd(m, 0x400808) & 0x80000000);
}

/*
 * hwtest/g80_gr.cc drives the engine that way: no PFIFO, a channel in 40032c
 * rnndb/graph/g80_pgraph/pgraph.xml
 */
static bool methods_can_be_handed_in(void)
{
	struct machine *m = machine_new(NULL);
	uint32_t inst = vram_alloc(m, 0x10000);
	bool ok = true;

	vw(m, inst + 0x100, 0x0019003d);	/* object 10: all of VRAM */
	vw(m, inst + 0x104, 0xffffffff);
	vw(m, inst + 0x108, 0);
	vw(m, inst + 0x10c, 0);
	vw(m, inst + 0x120, 0x5039);		/* object 12: M2MF */
	vw(m, V_DATA, 0xcafe);
	wr(m, 0x400500, 0x00010001);
	EXPECT(!host_method(m, 0, 0, 0x12));	/* whose context? */
	wr(m, 0x400808, 0);
	wr(m, 0x40032c, 0x80000000 | inst >> 12);
	EXPECT(host_method(m, 0, 0, 0x12));
	EXPECT(host_method(m, 0, 0x180, 0x10) && host_method(m, 0, 0x184, 0x10) &&
	       host_method(m, 0, 0x188, 0x10));
	EXPECT(host_method(m, 0, 0x200, 1) && host_method(m, 0, 0x21c, 1));
	EXPECT(host_method(m, 0, 0x30c, V_DATA) && host_method(m, 0, 0x310, V_DATA + 0x1000));
	EXPECT(host_method(m, 0, 0x31c, 4) && host_method(m, 0, 0x320, 1));
	EXPECT(host_method(m, 0, 0x324, 0x101));
	wr(m, 0x400500, 0x00010000);		/* not while dispatch is off */
	EXPECT(!host_method(m, 0, 0x328, 0) && vr(m, V_DATA + 0x1000) == 0);
	wr(m, 0x400500, 0x00010001);
	run_for(m, 100000);
	EXPECT(!(rd(m, 0x400808) & 0x80000000) && vr(m, V_DATA + 0x1000) == 0xcafe);
	EXPECT(rd(m, 0x400700) == 0 && rd(m, 0x400100) == 0);
	/* an error stops it as it does the other way */
	EXPECT(host_method(m, 0, 0x1ff8, 7));
	EXPECT(rd(m, 0x400100) == 0x10 && rd(m, 0x400704) == 0x1ff8 && rd(m, 0x400708) == 7);
	EXPECT(!host_method(m, 0, 0x100, 0));
	wr(m, 0x400100, 0x10);
	wr(m, 0x400500, 0x00010001);
	run_for(m, 100000);
	EXPECT(!(rd(m, 0x400808) & 0x80000000) && rd(m, 0x400100) == 0);
	machine_free(m);
	return ok;
}

int main(void)
{
	TEST(registers_come_up_as_documented);
	TEST(writes_keep_the_documented_bits);
	TEST(straps_name_the_card);
	TEST(idle_pusher_is_empty);
	TEST(pramin_reaches_system_memory);
	TEST(disabled_units_leave_mmio);
	TEST(unit_traps_are_cleared_and_enabled);
	TEST(methods_can_be_handed_in);
	return tap_done();
}
