/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PGRAPH's surroundings, faked: a flat virtual address space of 4 KiB pages that lie scattered in
 * memory, some of them "system" (no direct pointer), some absent. Include once per test program.
 */
#ifndef TEST_GR_FAKE_H
#define TEST_GR_FAKE_H

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../gr/gr.h"
#include "../gr/op.h"
#include "tap.h"

#define FAKE_BASE	0x120000000ull		/* above 4 GiB: high words matter */
#define FAKE_PAGES	4096u
#define FAKE_PAGE	4096u
#define FAKE_INST	0x40000u
#define FAKE_DMA	0x50u			/* spans everything */
#define FAKE_NTFY	0x60u			/* 32 bytes for notifiers */
#define FAKE_NTFY_VA	(FAKE_BASE + 0x8000)

/* instance offsets of objects = class id, so that any class can be bound */
struct fake {
	struct nvsim_bus bus;
	struct nvsim_mmu mmu;
	uint8_t *mem;
	uint16_t page[FAKE_PAGES];		/* where a virtual page lies in mem */
	bool absent[FAKE_PAGES], system[FAKE_PAGES], dirty[FAKE_PAGES];
	uint64_t now_ns;
	/* the fault latched last */
	bool faulted;
	struct nvsim_vm fault;
	uint64_t fault_va;
	uint64_t filled, fills;			/* bytes and calls of nvsim_mmu_fill() */
};

static uint32_t fake_seed = 1;

static inline uint32_t rnd(uint32_t n)
{
	fake_seed = fake_seed * 1664525u + 1013904223u;
	return (uint32_t)((uint64_t)(fake_seed >> 8) * n >> 24);
}

static inline struct fake *fake_create(void)
{
	struct fake *s = calloc(1, sizeof(*s));

	s->mem = calloc(FAKE_PAGES, FAKE_PAGE);
	for (uint32_t i = 0; i < FAKE_PAGES; i++)
		s->page[i] = i;
	/* runs of up to 16 pages stay together */
	for (uint32_t i = 0; i < FAKE_PAGES / 16; i++) {
		uint32_t j = rnd(FAKE_PAGES / 16);

		for (uint32_t k = 0; k < 16; k++) {
			uint16_t t = s->page[i * 16 + k];

			s->page[i * 16 + k] = s->page[j * 16 + k];
			s->page[j * 16 + k] = t;
		}
	}
	s->now_ns = 1000;
	return s;
}

static inline void fake_destroy(struct fake *s)
{
	free(s->mem);
	free(s);
}

static inline uint8_t *fake_ptr(struct fake *s, uint64_t va)
{
	uint64_t off = va - FAKE_BASE;

	return s->mem + (size_t)s->page[off / FAKE_PAGE] * FAKE_PAGE + off % FAKE_PAGE;
}

static inline bool fake_ok(struct fake *s, const struct nvsim_vm *vm, uint32_t dma, uint64_t va)
{
	uint64_t off = va - FAKE_BASE;

	if ((dma == FAKE_DMA || dma == FAKE_NTFY) && va >= FAKE_BASE && off / FAKE_PAGE < FAKE_PAGES &&
	    !s->absent[off / FAKE_PAGE])
		return true;
	s->faulted = true;
	s->fault = *vm;
	s->fault_va = va;
	return false;
}

/* va of an offset into a DMA object; out of range for what lies beyond the small one. */
static inline uint64_t fake_va(uint32_t dma, uint64_t va)
{
	if (dma == FAKE_NTFY)
		return va < 32 ? FAKE_NTFY_VA + va : 0;
	return va;
}

static inline struct fake *fake_of(struct nvsim_mmu *mmu)
{
	return (struct fake *)((char *)mmu - offsetof(struct fake, mmu));
}

bool nvsim_mmu_read(struct nvsim_mmu *mmu, const struct nvsim_vm *vm, uint32_t dma, uint64_t va,
		    void *buf, size_t len)
{
	struct fake *s = fake_of(mmu);

	va = fake_va(dma, va);
	for (size_t i = 0; i < len; i++) {
		if (!fake_ok(s, vm, dma, va + i))
			return false;
		((uint8_t *)buf)[i] = *fake_ptr(s, va + i);
	}
	return true;
}

bool nvsim_mmu_write(struct nvsim_mmu *mmu, const struct nvsim_vm *vm, uint32_t dma, uint64_t va,
		     const void *buf, size_t len)
{
	struct fake *s = fake_of(mmu);

	va = fake_va(dma, va);
	for (size_t i = 0; i < len; i++) {
		if (!fake_ok(s, vm, dma, va + i))
			return false;
		*fake_ptr(s, va + i) = ((const uint8_t *)buf)[i];
		s->dirty[(va + i - FAKE_BASE) / FAKE_PAGE] = true;
	}
	return true;
}

bool nvsim_mmu_fill(struct nvsim_mmu *mmu, const struct nvsim_vm *vm, uint32_t dma, uint64_t va,
		    uint32_t pattern, size_t len)
{
	struct fake *s = fake_of(mmu);

	if (va & 3)
		return false;
	for (size_t i = 0; i < (len & ~(size_t)3); i++) {
		if (!fake_ok(s, vm, dma, va + i))
			return false;
		*fake_ptr(s, va + i) = pattern >> (8 * (i & 3));
	}
	s->filled += len;
	s->fills++;
	return true;
}

bool nvsim_mmu_map(struct nvsim_mmu *mmu, const struct nvsim_vm *vm, uint32_t dma, uint64_t va,
		   size_t len, bool write, struct nvsim_run *run)
{
	struct fake *s = fake_of(mmu);
	uint64_t page = (va - FAKE_BASE) / FAKE_PAGE;
	size_t n = FAKE_PAGE - va % FAKE_PAGE;

	if (!fake_ok(s, vm, dma, va))
		return false;
	run->ptr = s->system[page] ? NULL : fake_ptr(s, va);
	run->phys = 0;
	run->kind = 0;
	s->dirty[page] |= write;
	while (n < len && page + 1 < FAKE_PAGES && s->page[page + 1] == s->page[page] + 1 &&
	       !s->absent[page + 1] && s->system[page + 1] == s->system[page]) {
		page++;
		n += FAKE_PAGE;
		s->dirty[page] |= write;
	}
	run->len = n < len ? n : len;
	return true;
}

uint32_t nvsim_vram_rd32(struct nvsim_vram *vram, uint64_t addr)
{
	(void)vram;
	return (uint32_t)(addr - FAKE_INST);
}

uint64_t nvsim_gpu_time_ns(const struct nvsim_bus *bus)
{
	/* the first member of its fake */
	return ((const struct fake *)bus)->now_ns;
}

/* One channel with every class bound: 0 M2MF, 1 2D, 2 3D, 3 compute. */
enum { SUBC_M2MF, SUBC_2D, SUBC_3D, SUBC_CP };

struct gpu {
	struct fake *s;
	struct nvsim_gr gr;
	struct nvsim_gr_chan *c;
	struct nvsim_gr_result r;	/* of the last method */
	uint64_t ns;			/* cost so far */
};

static inline bool mthd(struct gpu *g, unsigned int subc, uint32_t m, uint32_t data)
{
	enum nvsim_gr_status st = nvsim_gr_method(&g->gr, g->c, subc, m, data, &g->r);

	g->ns += g->r.cost_ns;
	return st == NVSIM_GR_OK;
}

static inline void gpu_init(struct gpu *g)
{
	static const uint16_t class_id[] = { 0x5039, 0x502d, 0x8297, 0x50c0 };

	memset(g, 0, sizeof(*g));
	g->s = fake_create();
	nvsim_gr_init(&g->gr, &g->s->bus, &g->s->mmu);
	g->c = nvsim_gr_chan_create(FAKE_INST);
	for (unsigned int i = 0; i < 4; i++) {
		nvsim_gr_bind(&g->gr, g->c, i, class_id[i], &g->r);
		for (uint32_t m = 0x180; m < 0x200; m += 4)
			mthd(g, i, m, FAKE_DMA);
	}
}

static inline void gpu_fini(struct gpu *g)
{
	nvsim_gr_chan_destroy(g->c);
	fake_destroy(g->s);
}

/* Several methods in a row, as an incrementing packet. */
static inline bool seq(struct gpu *g, unsigned int subc, uint32_t m, unsigned int n, ...)
{
	bool ok = true;
	va_list ap;

	va_start(ap, n);
	for (unsigned int i = 0; i < n; i++)
		ok &= mthd(g, subc, m + i * 4, va_arg(ap, uint32_t));
	va_end(ap);
	return ok;
}

#define HI(a) ((uint32_t)((uint64_t)(a) >> 32))
#define LO(a) ((uint32_t)(a))

static inline uint32_t peek32(struct fake *s, uint64_t va)
{
	uint32_t v = 0;

	for (int i = 0; i < 4; i++)
		v |= (uint32_t)*fake_ptr(s, va + i) << (8 * i);
	return v;
}

static inline void poke32(struct fake *s, uint64_t va, uint32_t v)
{
	for (int i = 0; i < 4; i++)
		*fake_ptr(s, va + i) = v >> (8 * i);
}

static inline void scramble(struct fake *s, uint64_t va, uint32_t len)
{
	for (uint32_t i = 0; i < len; i++)
		*fake_ptr(s, va + i) = rnd(256);
}

/*
 * The naive model of a blocklinear surface: walk memory byte by byte, in the order the layout is
 * defined (blocks, slices, gobs, rows), and stop where the coordinate matches. A block is 2^bw gobs
 * wide, 2^bh high, 2^bd slices deep.
 */
static inline uint64_t naive_wide_va(uint32_t bw, uint32_t bh, uint32_t bd, uint32_t width,
				     uint32_t height, uint32_t x, uint32_t y, uint32_t z)
{
	uint64_t va = 0, block = 256ull << bw << bh << bd;

	for (uint32_t bz = 0;; bz += 1u << bd) {
		for (uint32_t by = 0; by < height; by += 4u << bh) {
			for (uint32_t bx = 0; bx < width; bx += 64u << bw) {
				/* skip blocks that cannot hold it; purely for speed */
				if (x / (64u << bw) != bx / (64u << bw) ||
				    y / (4u << bh) != by / (4u << bh) || z >> bd != bz >> bd) {
					va += block;
					continue;
				}
				for (uint32_t iz = 0; iz < 1u << bd; iz++)
					for (uint32_t gy = 0; gy < 4u << bh; gy += 4)
						for (uint32_t gx = 0; gx < 64u << bw; gx += 64)
							for (uint32_t r = 0; r < 4; r++, va += 64)
								if (bz + iz == z &&
								    by + gy + r == y &&
								    (bx + gx) / 64 == x / 64)
									return va + x % 64;
			}
		}
	}
}

static inline uint64_t naive_va(uint32_t bh, uint32_t bd, uint32_t width, uint32_t height,
				uint32_t x, uint32_t y, uint32_t z)
{
	return naive_wide_va(0, bh, bd, width, height, x, y, z);
}

#endif
