// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Translation of random addresses through random objects and tables, against
 * one that is written anew from the page (envytools: docs/hw/memory/g80-vm.rst).
 * test_translate ACCESSES SEED for more.
 */
#include "machine.h"

#define CHANNEL		0x100000u	/* instance block; tables behind it, all in VRAM */
#define TABLES		0x200000u
#define TABLE_BYTES	0x100000u
#define OBJECTS		0xe000u		/* offset in the channel */
#define OBJECT_COUNT	64u

static uint64_t seed = 1;

static uint32_t rnd(uint32_t n)
{
	seed = seed * 6364136223846793005ull + 1442695040888963407ull;
	return (seed >> 33) * n >> 31;
}

static uint64_t rnd64(void)
{
	return (uint64_t)rnd(1u << 31) << 33 ^ (uint64_t)rnd(1u << 31) << 12 ^ rnd(1u << 31);
}

/* What the page says of an access: a linear address and its target, or why not. */
struct answer {
	int fault;		/* -1: none */
	bool system;
	uint64_t linear;
};

static const uint8_t *vram_bytes;

static uint32_t vram32(uint64_t addr)
{
	addr = (uint32_t)addr;
	return addr + 4 <= VRAM_BYTES ? nvsim_ld32(vram_bytes + addr) : 0;
}

static uint64_t vram64(uint64_t addr)
{
	return (uint64_t)vram32(addr + 4) << 32 | vram32(addr);
}

static struct answer no(int fault)
{
	return (struct answer) { .fault = fault };
}

/* A virtual address through the page tables. */
static struct answer page_tables(uint64_t channel, uint64_t va, bool *read_only)
{
	static const uint32_t pages[4] = { 0x20000, 0x8000, 0x4000, 0x2000 };
	uint64_t pde = vram64(channel + 0x200 + va / 0x20000000 * 8), pte, page, number, base;
	struct answer a = { .fault = -1 };
	uint32_t small = (pde & 3) == 3, contig;

	if ((pde & 3) != 1 && (pde & 3) != 3)
		return no(NVSIM_VM_PT_NOT_PRESENT);
	page = small ? 0x1000 : 0x10000;
	number = va % 0x20000000 / page;
	if (small && number >= pages[pde >> 5 & 3])
		return no(NVSIM_VM_PT_TOO_SHORT);
	pte = vram64((pde & 0xfffffff000ull) + number * 8);
	if (!(pte & 1))
		return no(NVSIM_VM_PAGE_NOT_PRESENT);
	contig = pte >> 7 & 7;
	base = (pte & 0xffffffffffull) / page * page;
	a.linear = base + va % (page << contig);
	a.system = pte & 0x30;
	*read_only = pte & 8;
	return a;
}

static struct answer logical(uint64_t channel, uint32_t object, uint64_t addr, bool write)
{
	uint64_t at = channel + object, base, limit;
	uint32_t flags = vram32(at), rw = flags >> 18 & 3;
	struct answer a = { .fault = -1 };
	bool read_only = false;

	if (!object)
		return no(NVSIM_VM_NULL_DMAOBJ);
	base = vram32(at + 8) | (uint64_t)(vram32(at + 12) & 0xff) << 32;
	limit = vram32(at + 4) | (uint64_t)(vram32(at + 12) >> 24) << 32;
	if (addr + base > limit)
		return no(NVSIM_VM_DMAOBJ_LIMIT);
	if ((flags >> 16 & 3) == 0) {
		a = page_tables(channel, addr + base, &read_only);
		if (a.fault >= 0)
			return a;
	} else {
		a.linear = addr + base;
		a.system = flags >> 17 & 1;
	}
	if (rw == 1 || (rw == 0 && read_only)) {
		if (write)
			return no(NVSIM_VM_PAGE_READ_ONLY);
	}
	if (a.system)
		return a;
	a.linear %= 1ull << 32;
	return a.linear < VRAM_BYTES ? a : no(NVSIM_VM_VRAM_LIMIT);
}

static struct machine *m;
/* How often each came: by fault, then VRAM and system memory. */
static uint32_t seen[18];

static void put64(uint32_t at, uint64_t val)
{
	nvsim_vram_wr32(vram(m), at, val);
	nvsim_vram_wr32(vram(m), at + 4, val >> 32);
}

/* Mostly what a driver would write; every bit is tried. */
static uint64_t some_pte(void)
{
	uint64_t pte = (rnd64() & 0x03fff000) | (uint64_t)rnd(8) << 7 | (rnd(6) != 0) |
		       (uint64_t)(rnd(5) == 0) << 3 | (uint64_t)(rnd(4) ? 0 : 2 + rnd(2)) << 4;

	switch (rnd(8)) {
	case 0:
		return rnd64();
	case 1:
		return pte | (rnd64() & 0xff00000000ull);
	case 2:
		return pte | (uint64_t)rnd(0x80) << 40;
	default:
		return pte;
	}
}

static void some_tables(void)
{
	uint32_t i;

	for (i = 0; i < TABLE_BYTES; i += 8)
		put64(TABLES + i, some_pte());
	for (i = 0; i < 2048; i++) {
		uint64_t pde = TABLES + rnd(TABLE_BYTES / 0x1000) * 0x1000;

		if (rnd(10) == 0)
			pde |= (uint64_t)rnd(256) << 32;
		put64(CHANNEL + 0x200 + i * 8, pde | rnd(4) | rnd(4) << 5);
	}
	for (i = 0; i < OBJECT_COUNT; i++) {
		uint64_t base = rnd(4) ? rnd64() & 0xfffff000 : rnd64() & 0xffffffffff;
		uint64_t limit = rnd(4) ? 0xffffffffffull : base + (rnd64() & 0xfffffff);
		uint32_t at = CHANNEL + OBJECTS + i * 32;

		limit &= 0xffffffffffull;
		put64(at, (uint32_t)limit * (1ull << 32) | rnd(3) << 18 |
			  (rnd(3) ? 0 : rnd(4)) << 16 | 0x3d);
		put64(at + 8, (limit >> 32 << 24 | base >> 32) << 32 | (uint32_t)base);
	}
	wr(m, 0x100c80, 1);
}

static uint64_t some_address(uint32_t object)
{
	uint64_t base = vram32(CHANNEL + object + 8) |
			(uint64_t)(vram32(CHANNEL + object + 12) & 0xff) << 32;

	switch (rnd(5)) {
	case 0:
		return rnd64() & 0xffffffffff;
	case 4:		/* where a short table ends */
		return ((uint64_t)rnd(2048) << 29) + (0x2000ull << rnd(4) << 12) - base + rnd(9) - 4;
	case 1:		/* the first pages of a table */
		return (rnd64() & 0x3e003ffff) - base % 0x20000000 + (1ull << 30);
	case 2:
		return rnd64() & 0xfffffff;
	default:	/* at the end of the object */
		return ((uint64_t)(vram32(CHANNEL + object + 12) >> 24) << 32 |
			vram32(CHANNEL + object + 4)) - base + rnd(5) - 2;
	}
}

/* rnndb/memory/g80_pfb.xml, nouveau:subdev/fb/nv50.c, rnndb/memory/g80_vm.xml */
static int model_fault(void)
{
	uint32_t w;

	if (!(rd(m, 0x100c90) & 0x80000000))
		return -1;
	wr(m, 0x100c90, 0);
	w = rd(m, 0x100c94);
	wr(m, 0x100c90, 0x80000000);
	return w >> 4 & 15;
}

static bool access_is_the_same(void)
{
	const struct nvsim_vm vm = { .inst = CHANNEL, .engine = NVSIM_VM_ENGINE_PGRAPH,
				     .client = NVSIM_VM_CLIENT_PROP };
	uint32_t object = rnd(200) ? OBJECTS + rnd(OBJECT_COUNT) * 32 : 0;
	uint64_t addr = some_address(object) & 0xffffffffffull;
	bool write = rnd(2), there;
	struct answer want = logical(CHANNEL, object, addr, write);
	struct nvsim_run run = { .phys = 0 };
	int fault = -1;

	seen[want.fault >= 0 ? want.fault : 16 + want.system]++;
	there = nvsim_mmu_map(mmu(m), &vm, object, addr, 1, write, &run);
	if (!there)
		fault = model_fault();
	if (fault == want.fault && (fault >= 0 || (run.phys == want.linear &&
						   !run.ptr == want.system)))
		return true;
	printf("# object %x flags %08x, %s %010llx: the page has fault %d, %s %010llx\n", object,
	       vram32(CHANNEL + object), write ? "write" : "read", (unsigned long long)addr,
	       want.fault, want.system ? "system" : "VRAM", (unsigned long long)want.linear);
	printf("# the model fault %d, %s %010llx\n", fault, run.ptr ? "VRAM" : "system",
	       (unsigned long long)run.phys);
	return false;
}

int main(int argc, char **argv)
{
	static const uint8_t outcomes[] = { 0, 1, 2, 4, 6, 11, 15, 16, 17 };
	uint32_t n = argc > 1 ? strtoul(argv[1], NULL, 0) : 200000, i;
	bool ok = true, all = true;

	seed = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
	m = machine_new(NULL);
	vram_bytes = vram(m)->data;
	for (i = 0; ok && i < n; i++) {
		if (i % 20000 == 0)
			some_tables();
		ok = access_is_the_same();
	}
	printf("# %u accesses:", i);
	for (i = 0; i < NVSIM_ARRAY_SIZE(outcomes); i++) {
		printf(" %u", seen[outcomes[i]]);
		all &= seen[outcomes[i]] > n / 1000;
	}
	printf("\n");
	tap(ok && all, "random_addresses_go_where_the_page_says");
	machine_free(m);
	return tap_done();
}
