// SPDX-License-Identifier: GPL-2.0-or-later
/* Page tables, DMA objects, faults, BARs, fill tags; against naive models. */
#include "machine.h"

static uint32_t seed = 12345;

static uint32_t rnd(uint32_t n)
{
	seed = seed * 1664525u + 1013904223u;
	return (uint64_t)(seed >> 4) * n >> 28;
}

static struct nvsim_vm vm_of(const struct chan *c)
{
	return (struct nvsim_vm) {
		.inst = c->inst,
		.engine = NVSIM_VM_ENGINE_PGRAPH,
		.client = NVSIM_VM_CLIENT_PROP,
		.subclient = 8,
	};
}

/*
 * Block rule: the entries of a block all hold its base, which need only be
 * page-aligned.  A table of random blocks against an array that says where
 * each page lies.
 */
static bool blocks_add_to_their_base(uint32_t shift, uint64_t pde_flags, uint32_t slot)
{
	struct machine *m = machine_new(NULL);
	struct chan *c = chan_new(m, 1);
	uint32_t pt = vram_alloc(m, 0x100000), want[512], i, n, k, base;
	struct nvsim_vm vm = vm_of(c);
	struct nvsim_run run;
	bool ok = true;

	vw64(m, c->inst + I_PD + slot * 8, pt | pde_flags);
	for (i = 0; i < 512; i += n) {
		for (k = rnd(8); (i & ((1u << k) - 1)) || i + (1u << k) > 512;)
			k--;
		n = 1u << k;
		base = (V_DATA + rnd(0x1000) * 0x1000) & ~((1u << shift) - 1);
		while (n--) {
			vw64(m, pt + (i + n) * 8, base | (uint64_t)k << 7 | 1);
			want[i + n] = base + (n << shift);
		}
		n = 1u << k;
	}
	wr(m, 0x100c80, 1);
	for (k = 0; k < 4000; k++) {
		i = rnd(512);
		base = rnd(1u << shift);
		ok &= nvsim_mmu_map(mmu(m), &vm, I_VM, ((uint64_t)slot << 29) + ((uint64_t)i << shift) +
				    base, 1, false, &run) && run.phys == want[i] + base;
	}
	free(c);
	machine_free(m);
	return ok;
}

static bool blocks_of_small_pages(void)
{
	return blocks_add_to_their_base(12, 3, 4);
}

static bool blocks_of_large_pages(void)
{
	return blocks_add_to_their_base(16, 1, 5);
}

/* Reading and writing across pages, in VRAM and in system memory. */
static bool access_matches_memory(void)
{
	struct machine *m = machine_new(NULL);
	struct chan *c = chan_new(m, 1);
	struct nvsim_vm vm = vm_of(c);
	uint8_t a[9000], b[9000];
	uint32_t i, k, at, n;
	bool ok = true;

	for (k = 0; k < 200; k++) {
		n = 1 + rnd(sizeof(a));
		at = rnd(4 * MB);
		for (i = 0; i < n; i++)
			a[i] = rnd(256);
		EXPECT(nvsim_mmu_write(mmu(m), &vm, I_VM, VA_VRAM + at, a, n));
		EXPECT(nvsim_mmu_read(mmu(m), &vm, I_VM, VA_VRAM + 0x100000000ull + at, b, n));
		EXPECT(!memcmp(a, b, n));
		EXPECT(!memcmp(a, nvsim_vram_ptr(vram(m), V_DATA + at, n), n));
		EXPECT(nvsim_mmu_write(mmu(m), &vm, I_VM, VA_RAM + at, a, n));
		EXPECT(!memcmp(a, m->ram + at, n));
		memset(b, 0, n);
		EXPECT(nvsim_mmu_read(mmu(m), &vm, I_VM, VA_RAM + at, b, n));
		EXPECT(!memcmp(a, b, n));
	}
	free(c);
	machine_free(m);
	return ok;
}

struct fault {
	const char *what;
	uint64_t va;
	uint32_t dma;
	bool write;
	int reason;		/* -1: must work */
};

/* rnndb/memory/g80_pfb.xml, nouveau:subdev/fb/nv50.c, rnndb/memory/g80_vm.xml */
static bool read_fault(struct machine *m, uint32_t w[6])
{
	uint32_t i;

	if (!(rd(m, 0x100c90) & 0x80000000))
		return false;
	for (i = 0; i < 6; i++) {
		wr(m, 0x100c90, 0x001d07ff | i << 24);
		w[i] = rd(m, 0x100c94);
	}
	wr(m, 0x100c90, 0x801d07ff);
	return true;
}

/* rnndb/memory/g80_pfb.xml */
static bool faults_say_who_where_why(void)
{
	static const struct fault faults[] = {
		{ "no page table", 0x40000000, I_VM, false, NVSIM_VM_PT_NOT_PRESENT },
		{ "no page", 0x00001000, I_VM, true, NVSIM_VM_PAGE_NOT_PRESENT },
		{ "table too short", 0xc0000000 + 0x10000000, I_VM, false, NVSIM_VM_PT_TOO_SHORT },
		{ "write, read only", VA_RO, I_VM, true, NVSIM_VM_PAGE_READ_ONLY },
		{ "read, read only", VA_RO, I_VM, false, -1 },
		{ "no object", VA_RAM, 0, false, NVSIM_VM_NULL_DMAOBJ },
		{ "beyond object", 0x20, I_NTFY, true, NVSIM_VM_DMAOBJ_LIMIT },
		{ "end of object", 0x1f, I_NTFY, true, -1 },
		{ "beyond VRAM", 0xe0000000, I_VM, false, NVSIM_VM_VRAM_LIMIT },
		{ "write, no page, read-only object", 0x1000, 0xe000, true,
		  NVSIM_VM_PAGE_NOT_PRESENT },
		{ "write, no table, read-only object", 0x40000000, 0xe000, true,
		  NVSIM_VM_PT_NOT_PRESENT },
		{ "write, read-only object", VA_RAM, 0xe000, true, NVSIM_VM_PAGE_READ_ONLY },
		{ "write, read-write object, read-only page", VA_RO, 0xe020, true, -1 },
	};
	struct machine *m = machine_new(NULL);
	struct chan *c = chan_new(m, 1);
	struct nvsim_vm vm = vm_of(c);
	uint32_t pt = vram_alloc(m, 0x10000), w[6];
	const struct fault *f;
	bool ok = true, worked;
	uint8_t byte = 0;
	uint64_t va;

	vw64(m, c->inst + I_PD + 6 * 8, pt | 3 | 0x60);		/* 8192 entries: 32 MiB */
	vw64(m, c->inst + I_PD + 7 * 8, pt | 1);
	vw64(m, pt, VRAM_BYTES | 1);
	/* docs/hw/memory/g80-vm.rst: the object's flags replace the page's, once it is found */
	dma_object(m, c->inst + 0xe000, 0, 0xffffffffffull);
	vw(m, c->inst + 0xe000, 0x0004003d);
	dma_object(m, c->inst + 0xe020, 0, 0xffffffffffull);
	vw(m, c->inst + 0xe020, 0x0008003d);
	for (f = faults; f < faults + NVSIM_ARRAY_SIZE(faults); f++) {
		worked = f->write ? nvsim_mmu_write(mmu(m), &vm, f->dma, f->va, &byte, 1) :
				    nvsim_mmu_read(mmu(m), &vm, f->dma, f->va, &byte, 1);
		if (f->reason < 0) {
			if (!worked || (rd(m, 0x100c90) & 0x80000000)) {
				printf("# %s: should work\n", f->what);
				ok = false;
			}
			continue;
		}
		va = f->dma == I_NTFY ? f->va + VA_RAM + 0xf00000 : f->va;
		if (worked || !read_fault(m, w) || w[0] != (0x8b00u | (uint32_t)f->reason << 4) ||
		    (w[2] << 16 | w[1]) != c->inst >> 12 ||
		    ((uint64_t)(w[5] & 0xff) << 32 | w[4] << 16 | w[3]) != va ||
		    (w[5] & 0x100) != (f->write ? 0 : 0x100)) {
			printf("# %s: %08x %x %x %x %x %x\n", f->what, w[0], w[1], w[2], w[3], w[4],
			       w[5]);
			ok = false;
		}
		EXPECT(!(rd(m, 0x100c90) & 0x80000000));
	}
	free(c);
	machine_free(m);
	return ok;
}

static bool first_fault_stays_latched(void)
{
	struct machine *m = machine_new(NULL);
	struct chan *c = chan_new(m, 1);
	struct nvsim_vm vm = vm_of(c);
	uint32_t w[6];
	bool ok = true;
	uint8_t b;

	EXPECT(!nvsim_mmu_read(mmu(m), &vm, I_VM, 0x1000, &b, 1));
	EXPECT(!nvsim_mmu_read(mmu(m), &vm, I_VM, 0x2000, &b, 1));
	EXPECT(read_fault(m, w) && w[3] == 0x1000);
	EXPECT(!read_fault(m, w));
	EXPECT(!nvsim_mmu_read(mmu(m), &vm, I_VM, 0x2000, &b, 1));
	EXPECT(read_fault(m, w) && w[3] == 0x2000);
	free(c);
	machine_free(m);
	return ok;
}

/*
 * Translations are remembered until the driver flushes; failures are not.
 * rnndb/memory/g80_pfb.xml
 */
static bool translations_last_until_flush(void)
{
	struct machine *m = machine_new(NULL);
	struct chan *c = chan_new(m, 1);
	struct nvsim_vm vm = vm_of(c);
	uint32_t pt = vram_alloc(m, 0x10000);
	bool ok = true;
	uint32_t v;

	vw(m, V_DATA, 1);
	vw(m, V_DATA + 0x10000, 2);
	EXPECT(!nvsim_mmu_read(mmu(m), &vm, I_VM, 0xa0000000, &v, 4));
	vw64(m, c->inst + I_PD + 5 * 8, pt | 1);
	vw64(m, pt, V_DATA | 1);
	EXPECT(nvsim_mmu_read(mmu(m), &vm, I_VM, 0xa0000000, &v, 4) && v == 1);
	vw64(m, pt, (V_DATA + 0x10000) | 1);
	EXPECT(nvsim_mmu_read(mmu(m), &vm, I_VM, 0xa0000000, &v, 4) && v == 1);
	wr(m, 0x100c80, 1);
	EXPECT(!(rd(m, 0x100c80) & 1));
	EXPECT(nvsim_mmu_read(mmu(m), &vm, I_VM, 0xa0000000, &v, 4) && v == 2);
	free(c);
	machine_free(m);
	return ok;
}

/* BAR1 starts at VA 0, BAR3 at 4 GiB, both in the BAR channel. rnndb/memory/g80_pfb.xml */
static bool bars_show_their_address_space(void)
{
	struct machine *m = machine_new(NULL);
	uint32_t inst = vram_alloc(m, 0x20000), pt1 = vram_alloc(m, 0x100000),
		 pt3 = vram_alloc(m, 0x100000), i;
	bool ok = true;

	for (i = 0; i < 0x20000; i += 4)
		vw(m, inst + i, 0);
	nvsim_bar1_write(m->s, V_DATA + 8, 0x11223344, 4);
	EXPECT(vr(m, V_DATA + 8) == 0x11223344);	/* not set up: VRAM as it lies */
	for (i = 0; i < 16; i++) {
		vw64(m, pt1 + i * 8, (V_DATA + i * 0x2000) | 1);
		vw64(m, pt3 + i * 8, (V_DATA + i * 0x3000) | (i == 3 ? 9 : 1));
	}
	vw64(m, inst + 0x200, pt1 | 3);
	vw64(m, inst + 0x200 + 8 * 8, pt3 | 3);
	dma_object(m, inst + 0x10000, 0, NVSIM_BAR1_BYTES - 1);
	dma_object(m, inst + 0x10020, 1ull << 32, (1ull << 32) + NVSIM_BAR3_BYTES - 1);
	wr(m, 0x1704, 0x40000000 | inst >> 12);
	wr(m, 0x1708, 0x80000000 | 0x10000 >> 4);
	wr(m, 0x170c, 0x80000000 | 0x10020 >> 4);
	nvsim_bar1_write(m->s, 0x5004, 0xa1a2a3a4a5a6a7a8ull, 4);
	EXPECT(vr(m, V_DATA + 5 * 0x2000 + 4) == 0xa5a6a7a8);
	nvsim_bar3_write(m->s, 0x2010, 0xcafe, 2);
	EXPECT((vr(m, V_DATA + 2 * 0x3000 + 0x10) & 0xffff) == 0xcafe);
	EXPECT(nvsim_bar3_read(m->s, 0x2011, 1) == 0xca);
	/* unaligned, and across two pages that lie apart */
	nvsim_bar1_write(m->s, 0x5ffd, 0x1122334455667788ull, 8);
	EXPECT(nvsim_bar1_read(m->s, 0x5ffd, 8) == 0x1122334455667788ull);
	EXPECT(vr(m, V_DATA + 5 * 0x2000 + 0xffc) >> 8 == 0x667788);
	EXPECT(vr(m, V_DATA + 6 * 0x2000) == 0x22334455);
	EXPECT((vr(m, V_DATA + 6 * 0x2000 + 4) & 0xff) == 0x11);
	vw(m, V_DATA + 3 * 0x3000, 77);
	EXPECT(nvsim_bar3_read(m->s, 0x3000, 4) == 77);
	nvsim_bar3_write(m->s, 0x3000, 78, 4);		/* read only */
	EXPECT(vr(m, V_DATA + 3 * 0x3000) == 77);
	EXPECT(rd(m, 0x100c90) & 0x80000000);
	EXPECT(nvsim_bar1_read(m->s, 0x100000, 4) == (uint32_t)~0u ||
	       nvsim_bar1_read(m->s, 0x100000, 4) == ~0ull);
	EXPECT(nvsim_bar1_read(m->s, NVSIM_BAR1_BYTES - 2, 4) == ~0ull);
	machine_free(m);
	return ok;
}

/* Random fills and writes from every side against a plain array. */
static bool fill_tags_never_lie(void)
{
	struct machine *m = machine_new(NULL);
	struct chan *c = chan_new(m, 1);
	struct nvsim_vm vm = vm_of(c);
	uint32_t n = 256 * 1024, i, k, at, len, pattern;
	uint8_t *want = calloc(n, 4);
	struct nvsim_run run;
	bool ok = true;

	for (k = 0; k < 3000; k++) {
		at = rnd(n);
		len = 1 + rnd(rnd(2) ? 100000 : 10);
		if (at + len > n)
			len = n - at;
		if (rnd(3) == 0) {
			at &= ~0x3fffu;
			len = 0x4000 * (1 + rnd(3));
			if (at + len > n)
				len = n - at;
		}
		pattern = rnd(3) * 0x01020304;
		switch (rnd(5)) {
		case 0:
			vw(m, V_DATA + at * 4, pattern + 1);
			nvsim_st32(want + at * 4, pattern + 1);
			break;
		case 1:
			EXPECT(nvsim_mmu_map(mmu(m), &vm, I_VM, VA_VRAM + at * 4, 4, true, &run));
			run.ptr[0] = 9;
			want[at * 4] = 9;
			break;
		default:
			EXPECT(nvsim_mmu_fill(mmu(m), &vm, I_VM, VA_VRAM + at * 4, pattern, len * 4));
			for (i = 0; i < len; i++)
				nvsim_st32(want + (at + i) * 4, pattern);
			break;
		}
		if (k % 100 == 99)
			EXPECT(!memcmp(want, nvsim_vram_ptr(vram(m), V_DATA, n * 4), n * 4));
	}
	free(want);
	free(c);
	machine_free(m);
	return ok;
}

/* Objects that name VRAM or bus addresses themselves, and read-only ones. */
static bool unpaged_objects_add_their_base(void)
{
	struct machine *m = machine_new(NULL);
	struct chan *c = chan_new(m, 1);
	struct nvsim_vm vm = vm_of(c);
	uint32_t at = c->inst + 0xe000, v = 0;
	bool ok = true;

	dma_object(m, at, V_DATA + 0x1234, V_DATA + 0x1fff);
	vw(m, at, 0x0009003d);				/* VRAM, read-write */
	dma_object(m, at + 0x20, RAM_BASE + 0x100, RAM_BASE + 0x1ff);
	vw(m, at + 0x20, 0x000a003d);			/* system memory */
	dma_object(m, at + 0x40, V_DATA, V_DATA + 0xfff);
	vw(m, at + 0x40, 0x0005003d);			/* VRAM, read only */
	vw(m, V_DATA + 0x1244, 0x55667788);
	EXPECT(nvsim_mmu_read(mmu(m), &vm, 0xe000, 0x10, &v, 4) && v == 0x55667788);
	EXPECT(!nvsim_mmu_read(mmu(m), &vm, 0xe000, 0xdcc, &v, 4));
	EXPECT(nvsim_mmu_fill(mmu(m), &vm, 0xe020, 0x20, 0xa5b6c7d8, 0x40));
	EXPECT(rr(m, 0x120) == 0xa5b6c7d8 && rr(m, 0x15c) == 0xa5b6c7d8 && rr(m, 0x160) == 0);
	EXPECT(nvsim_mmu_read(mmu(m), &vm, 0xe040, 0, &v, 4));
	EXPECT(!nvsim_mmu_write(mmu(m), &vm, 0xe040, 0, &v, 4));
	free(c);
	machine_free(m);
	return ok;
}

/* docs/hw/memory/g80-vm.rst: VRAM has 32 bits of address, a large page 16 bits of offset. */
static bool unused_address_bits_are_ignored(void)
{
	struct machine *m = machine_new(NULL);
	struct chan *c = chan_new(m, 1);
	uint32_t pt = vram_alloc(m, 0x10000), v = 0;
	struct nvsim_vm vm = vm_of(c);
	bool ok = true;

	vw(m, V_DATA + 0x20004, 0x1234);
	vw64(m, c->inst + I_PD + 4 * 8, 0xab00000000ull | pt | 1);
	vw64(m, pt, 0xcd00000000ull | (V_DATA + 0x20000) | 0xf000 | 1);
	EXPECT(nvsim_mmu_read(mmu(m), &vm, I_VM, 0x80000004, &v, 4) && v == 0x1234);
	dma_object(m, c->inst + 0xe000, 0xef00000000ull | V_DATA, 0xefffffffffull);
	vw(m, c->inst + 0xe000, 0x0009003d);
	v = 0;
	EXPECT(nvsim_mmu_read(mmu(m), &vm, 0xe000, 0x20004, &v, 4) && v == 0x1234);
	EXPECT(nvsim_mmu_write(mmu(m), &vm, 0xe000, 0x20008, &v, 4) && vr(m, V_DATA + 0x20008) == 0x1234);
	EXPECT(nvsim_mmu_fill(mmu(m), &vm, 0xe000, 0x2000c, 5, 4) && vr(m, V_DATA + 0x2000c) == 5);
	free(c);
	machine_free(m);
	return ok;
}

static bool fills_reach_system_memory(void)
{
	struct machine *m = machine_new(NULL);
	struct chan *c = chan_new(m, 1);
	struct nvsim_vm vm = vm_of(c);
	bool ok = true;
	uint32_t i;

	EXPECT(nvsim_mmu_fill(mmu(m), &vm, I_VM, VA_RAM + 0x500ff8, 0x01020304, 0x3010));
	for (i = 0x500ff8; i < 0x504008; i += 4)
		ok &= rr(m, i) == 0x01020304;
	EXPECT(rr(m, 0x500ff4) == 0 && rr(m, 0x504008) == 0);
	EXPECT(!nvsim_mmu_fill(mmu(m), &vm, I_VM, VA_RAM + 2, 1, 4));
	free(c);
	machine_free(m);
	return ok;
}

int main(void)
{
	TEST(blocks_of_small_pages);
	TEST(blocks_of_large_pages);
	TEST(access_matches_memory);
	TEST(faults_say_who_where_why);
	TEST(first_fault_stays_latched);
	TEST(translations_last_until_flush);
	TEST(bars_show_their_address_space);
	TEST(fill_tags_never_lie);
	TEST(unpaged_objects_add_their_base);
	TEST(unused_address_bits_are_ignored);
	TEST(fills_reach_system_memory);
	return tap_done();
}
