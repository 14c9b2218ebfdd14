// SPDX-License-Identifier: GPL-2.0-or-later
/* Source: envytools docs/hw/memory/g80-vm.rst, rnndb/memory/g80_vm.xml. */
#include "mmu.h"

#include <string.h>

#include "../bus/bits.h"

#define PAGE	0x1000ull

enum target { TARGET_VM, TARGET_VRAM, TARGET_PCI, TARGET_PCI_NOSNOOP };

struct where {
	uint64_t phys;
	uint64_t run;		/* bytes that follow contiguously, at least 1 */
	uint64_t va;		/* address for the fault report */
	bool system;
	uint8_t kind;
};

struct dma_object {
	enum target target;
	bool ro;		/* read only */
	bool ro_from_pte;	/* the page decides */
	uint64_t start, limit;
};

void nvsim_mmu_init(struct nvsim_mmu *mmu, struct nvsim_bus *bus, struct nvsim_vram *vram)
{
	mmu->bus = bus;
	mmu->vram = vram;
	nvsim_mmu_flush(mmu);
}

void nvsim_mmu_flush(struct nvsim_mmu *mmu)
{
	unsigned int i;

	for (i = 0; i < NVSIM_TLB_SIZE; i++)
		mmu->tlb[i].page = NVSIM_NEVER;
}

void nvsim_mmu_raise(struct nvsim_mmu *mmu, const struct nvsim_vm *vm, uint64_t va, bool write,
		     enum nvsim_vm_reason reason)
{
	uint32_t inst = vm->inst >> 12;

	/* The first fault stays until the driver has read it. */
	if (mmu->fault)
		return;
	mmu->fault = true;
	mmu->fault_word[0] = vm->engine | reason << 4 | (vm->client & 0xf) << 8 |
			      (uint32_t)(vm->subclient & 0xf) << 12;
	mmu->fault_word[1] = inst & 0xffff;
	mmu->fault_word[2] = inst >> 16;
	mmu->fault_word[3] = va & 0xffff;
	mmu->fault_word[4] = va >> 16 & 0xffff;
	mmu->fault_word[5] = (va >> 32 & 0xff) | (write ? 0 : 0x100);
}

static struct dma_object dma_object(struct nvsim_mmu *mmu, uint64_t addr)
{
	uint32_t w0 = nvsim_vram_rd32(mmu->vram, addr);
	uint32_t w3 = nvsim_vram_rd32(mmu->vram, addr + 12);

	return (struct dma_object) {
		.target = w0 >> 16 & 3,
		.ro = (w0 >> 18 & 3) == 1,
		.ro_from_pte = (w0 >> 18 & 3) == 0,
		.limit = nvsim_vram_rd32(mmu->vram, addr + 4) | (uint64_t)(w3 >> 24) << 32,
		.start = nvsim_vram_rd32(mmu->vram, addr + 8) | (uint64_t)(w3 & 0xff) << 32,
	};
}

/*
 * One entry of a page table in VRAM or system memory.  Tables in system
 * memory are legal and nouveau never makes them.
 */
static bool read_pte(struct nvsim_mmu *mmu, uint32_t target, uint64_t addr, uint64_t *pte)
{
	uint8_t b[8];

	if (target == 0) {
		*pte = nvsim_vram_rd64(mmu->vram, addr);
		return true;
	}
	if (target == 1 || !nvsim_dma_read(mmu->bus, addr, b, sizeof(b)))
		return false;
	*pte = nvsim_ld32(b) | (uint64_t)nvsim_ld32(b + 4) << 32;
	return true;
}

/* Returns a reason, or -1 when *t has been filled. */
static int walk(struct nvsim_mmu *mmu, uint64_t inst, uint64_t va, struct nvsim_tlb *t)
{
	static const uint32_t table_entries[4] = { 0x20000, 0x8000, 0x4000, 0x2000 };
	uint64_t pde = nvsim_vram_rd64(mmu->vram, inst + 0x200 + (va >> 29) * 8);
	uint64_t pte, block, phys;
	uint32_t shift, index, entries;

	if (!(pde & 1))
		return NVSIM_VM_PT_NOT_PRESENT;
	shift = pde & 2 ? 12 : 16;
	entries = pde & 2 ? table_entries[pde >> 5 & 3] : 0x2000;
	index = (va & 0x1fffffff) >> shift;
	if (index >= entries)
		return NVSIM_VM_PT_TOO_SHORT;
	if (!read_pte(mmu, pde >> 2 & 3, (pde & 0xfffffff000ull) + index * 8ull, &pte))
		return NVSIM_VM_PT_NOT_PRESENT;
	if (!(pte & 1))
		return NVSIM_VM_PAGE_NOT_PRESENT;
	/*
	 * Block rule: each entry of a block of 2^n pages holds the block's
	 * base, aligned to a page only: physical = base + (VA mod block).
	 */
	block = 1ull << (shift + (pte >> 7 & 7));
	phys = (pte & 0xffffffffffull & ~((1ull << shift) - 1)) + (va & (block - 1));
	t->inst = inst;
	t->page = va / PAGE;
	t->phys = phys & ~(PAGE - 1);
	t->system = (pte >> 4 & 3) != 0;
	t->ro = pte >> 3 & 1;
	t->kind = pte >> 40 & 0x7f;
	return -1;
}

static int page_lookup(struct nvsim_mmu *mmu, uint64_t inst, uint64_t va, struct nvsim_tlb **out)
{
	uint32_t slot = (va / PAGE ^ inst / 0x10000 * 37) % NVSIM_TLB_SIZE;
	struct nvsim_tlb *t = &mmu->tlb[slot];
	struct nvsim_tlb fresh;
	int reason;

	if (t->page != va / PAGE || t->inst != inst) {
		reason = walk(mmu, inst, va, &fresh);
		if (reason >= 0)
			return reason;
		*t = fresh;
	}
	*out = t;
	return -1;
}

/* Returns a reason, or -1. */
static int translate(struct nvsim_mmu *mmu, const struct nvsim_vm *vm, uint32_t dma_off,
		     uint64_t va, uint64_t len, bool write, struct where *w)
{
	struct dma_object d;
	struct nvsim_tlb *t;
	int reason;

	w->va = va;
	if (!dma_off)
		return NVSIM_VM_NULL_DMAOBJ;
	d = dma_object(mmu, vm->inst + dma_off);
	va = (va + d.start) & 0xffffffffffull;
	w->va = va;
	if (va < d.start || va > d.limit)
		return NVSIM_VM_DMAOBJ_LIMIT;
	w->run = d.limit - va + 1;
	if (d.target == TARGET_VM) {
		reason = page_lookup(mmu, vm->inst, va, &t);
		if (reason >= 0)
			return reason;
		/* the object's flags replace those of a page that is there */
		if (d.ro_from_pte)
			d.ro = t->ro;
		w->phys = t->phys + (va & (PAGE - 1));
		w->system = t->system;
		w->kind = t->kind;
		if (w->run > PAGE - (va & (PAGE - 1)))
			w->run = PAGE - (va & (PAGE - 1));
	} else {
		w->phys = va;
		w->system = d.target != TARGET_VRAM;
		w->kind = 0;
	}
	if (write && d.ro)
		return NVSIM_VM_PAGE_READ_ONLY;
	if (w->run > len)
		w->run = len;
	if (!w->system) {
		w->phys = nvsim_vram_addr(w->phys);
		if (w->phys >= mmu->vram->bytes)
			return NVSIM_VM_VRAM_LIMIT;
		if (w->run > mmu->vram->bytes - w->phys)
			w->run = mmu->vram->bytes - w->phys;
	}
	return -1;
}

/* translate(), joining pages that happen to follow each other in VRAM. */
static int translate_run(struct nvsim_mmu *mmu, const struct nvsim_vm *vm, uint32_t dma_off,
			 uint64_t va, uint64_t len, bool write, struct where *w)
{
	struct where more;
	int reason = translate(mmu, vm, dma_off, va, len, write, w);

	if (reason >= 0 || w->system)
		return reason;
	while (w->run < len &&
	       translate(mmu, vm, dma_off, va + w->run, len - w->run, write, &more) < 0 &&
	       !more.system && more.phys == w->phys + w->run && more.kind == w->kind)
		w->run += more.run;
	return reason;
}

/* The same, with the fault latched. */
static bool access_run(struct nvsim_mmu *mmu, const struct nvsim_vm *vm, uint32_t dma_off,
		       uint64_t va, uint64_t len, bool write, struct where *w)
{
	int reason = translate_run(mmu, vm, dma_off, va, len, write, w);

	if (reason < 0)
		return true;
	nvsim_mmu_raise(mmu, vm, w->va, write, reason);
	return false;
}

bool nvsim_mmu_read(struct nvsim_mmu *mmu, const struct nvsim_vm *vm, uint32_t dma_off, uint64_t va,
		    void *buf, size_t len)
{
	uint8_t *out = buf;
	struct where w;

	while (len) {
		if (!access_run(mmu, vm, dma_off, va, len, false, &w)) {
			memset(out, 0, len);
			return false;
		}
		if (w.system)
			nvsim_dma_read(mmu->bus, w.phys, out, w.run);
		else
			memcpy(out, mmu->vram->data + w.phys, w.run);
		va += w.run;
		out += w.run;
		len -= w.run;
	}
	return true;
}

bool nvsim_mmu_write(struct nvsim_mmu *mmu, const struct nvsim_vm *vm, uint32_t dma_off,
		     uint64_t va, const void *buf, size_t len)
{
	const uint8_t *in = buf;
	struct where w;

	while (len) {
		if (!access_run(mmu, vm, dma_off, va, len, true, &w))
			return false;
		if (w.system)
			nvsim_dma_write(mmu->bus, w.phys, in, w.run);
		else
			memcpy(nvsim_vram_wptr(mmu->vram, w.phys, w.run), in, w.run);
		va += w.run;
		in += w.run;
		len -= w.run;
	}
	return true;
}

static void fill_system(struct nvsim_mmu *mmu, uint64_t phys, uint32_t pattern, uint64_t len)
{
	uint8_t page[PAGE];
	unsigned int i;

	for (i = 0; i < len; i += 4)
		nvsim_st32(page + i, pattern);
	nvsim_dma_write(mmu->bus, phys, page, len);
}

bool nvsim_mmu_fill(struct nvsim_mmu *mmu, const struct nvsim_vm *vm, uint32_t dma_off, uint64_t va,
		    uint32_t pattern, size_t len)
{
	struct where w;

	if (va & 3)
		return false;
	len &= ~(size_t)3;
	while (len) {
		if (!access_run(mmu, vm, dma_off, va, len, true, &w))
			return false;
		/* An object that ends inside a word holds no word there. */
		if (w.run < 4)
			return false;
		w.run &= ~3ull;
		if (w.system) {
			if (w.run > PAGE)
				w.run = PAGE;
			fill_system(mmu, w.phys, pattern, w.run);
		} else if (w.phys & 3) {
			return false;
		} else {
			nvsim_vram_fill(mmu->vram, w.phys, pattern, w.run);
		}
		va += w.run;
		len -= w.run;
	}
	return true;
}

bool nvsim_mmu_map(struct nvsim_mmu *mmu, const struct nvsim_vm *vm, uint32_t dma_off, uint64_t va,
		   size_t len, bool write, struct nvsim_run *run)
{
	struct where w;

	if (!len || !access_run(mmu, vm, dma_off, va, len, write, &w))
		return false;
	run->phys = w.phys;
	run->len = w.run;
	run->kind = w.kind;
	run->ptr = NULL;
	if (w.system)
		return true;
	if (write)
		run->ptr = nvsim_vram_wptr(mmu->vram, w.phys, w.run);
	else
		run->ptr = mmu->vram->data + w.phys;
	return true;
}
