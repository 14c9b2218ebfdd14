/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The NV50 MMU: DMA object, page directory, page table, fault latch.
 * Sources: nouveau nvkm/subdev/mmu/vmmnv50.c, engine/dma/usernv50.c,
 * subdev/fb/nv50.c; envytools hw/memory/g80-vm.
 *
 * The translation cache holds 4 KiB pages by (instance block, VA) and is
 * emptied as a whole by 0x100c80, whatever engine that names: stale entries
 * can only live longer than on hardware by a flush that never came.  Missing
 * pages are never cached.
 */
#ifndef NVSIM_MMU_H
#define NVSIM_MMU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../bus/bus.h"
#include "vram.h"

#define NVSIM_TLB_SIZE	4096

struct nvsim_tlb {
	uint64_t inst;
	uint64_t page;		/* va >> 12, NVSIM_NEVER = empty */
	uint64_t phys;
	bool system, ro;
	uint8_t kind;
};

struct nvsim_mmu {
	struct nvsim_bus *bus;
	struct nvsim_vram *vram;
	struct nvsim_tlb tlb[NVSIM_TLB_SIZE];
	/* the fault that 0x100c90 shows: the first since the driver cleared it */
	bool fault;
	uint32_t fault_word[6];
};

/* Who asks; copied into 0x100c94 if the access faults. */
struct nvsim_vm {
	uint64_t inst;		/* VRAM address of the channel's instance block, bytes */
	uint8_t engine;		/* NVSIM_VM_ENGINE_* */
	uint8_t client;		/* NVSIM_VM_CLIENT_* */
	uint8_t subclient;	/* meaning depends on client (or engine) */
};

/* Source: nouveau nvkm/subdev/fb/nv50.c, tables vm_engine, vm_client. */
enum nvsim_vm_engine {
	NVSIM_VM_ENGINE_PGRAPH	= 0x0,
	NVSIM_VM_ENGINE_PEEPHOLE = 0x4,
	NVSIM_VM_ENGINE_PFIFO	= 0x5,	/* subclient 0 PUSHBUF, 1 SEMAPHORE */
	NVSIM_VM_ENGINE_BAR	= 0x6,	/* subclient 0 FB, 1 IN */
	NVSIM_VM_ENGINE_PFIFO_BG = 0xc,	/* subclient 1: a semaphore that is waited for */
};

enum nvsim_vm_client {
	NVSIM_VM_CLIENT_STRMOUT	= 0x0,
	NVSIM_VM_CLIENT_DISPATCH = 0x3,	/* 0 GRCTX 1 NOTIFY 2 QUERY 3 COND 4/5/6 M2M IN/OUT/NOTIFY */
	NVSIM_VM_CLIENT_PFIFO_WRITE = 0x4,
	NVSIM_VM_CLIENT_CCACHE	= 0x5,	/* 0 CB 1 TIC 2 TSC */
	NVSIM_VM_CLIENT_CLIPID	= 0x7,
	NVSIM_VM_CLIENT_PFIFO_READ = 0x8,
	NVSIM_VM_CLIENT_VFETCH	= 0x9,
	NVSIM_VM_CLIENT_TEXTURE	= 0xa,
	NVSIM_VM_CLIENT_PROP	= 0xb,	/* 0-7 RTn 8 ZETA 9 LOCAL a GLOBAL b STACK c DST2D */
};

/* Source: nouveau nvkm/subdev/fb/nv50.c, table vm_fault. */
enum nvsim_vm_reason {
	NVSIM_VM_PT_NOT_PRESENT	= 0x0,
	NVSIM_VM_PT_TOO_SHORT	= 0x1,
	NVSIM_VM_PAGE_NOT_PRESENT = 0x2,
	NVSIM_VM_PAGE_SYSTEM_ONLY = 0x3,
	NVSIM_VM_PAGE_READ_ONLY	= 0x4,
	NVSIM_VM_NULL_DMAOBJ	= 0x6,
	NVSIM_VM_WRONG_MEMTYPE	= 0x7,
	NVSIM_VM_VRAM_LIMIT	= 0xb,
	NVSIM_VM_DMAOBJ_LIMIT	= 0xf,
};

/* A contiguous run of memory, as nvsim_mmu_map() found it. */
struct nvsim_run {
	uint8_t *ptr;		/* direct pointer if in VRAM, NULL if in system memory */
	uint64_t phys;		/* VRAM or bus address */
	size_t len;		/* bytes, <= the length asked for, >= 1 */
	uint8_t kind;		/* storage type of the PTE (0 = pitch linear) */
};

/*
 * va is an offset into the DMA object at byte offset dma_off inside the
 * channel's instance block (what methods 0x180-0x1fc carry after the host's
 * RAMHT lookup, NOT shifted).  dma_off 0 = no object is bound: NULL_DMAOBJ.
 *
 * On failure: false, the fault is latched in 0x100c90 with vm's names, and
 * whatever precedes the failing page has been transferred.  Accesses longer
 * than a page are fine; the caller bounds len.
 */
bool nvsim_mmu_read(struct nvsim_mmu *mmu, const struct nvsim_vm *vm, uint32_t dma_off,
		   uint64_t va, void *buf, size_t len);
bool nvsim_mmu_write(struct nvsim_mmu *mmu, const struct nvsim_vm *vm, uint32_t dma_off,
		    uint64_t va, const void *buf, size_t len);
/* len is rounded down to 4; va must be 4-aligned (checked: false + no fault). */
bool nvsim_mmu_fill(struct nvsim_mmu *mmu, const struct nvsim_vm *vm, uint32_t dma_off,
		   uint64_t va, uint32_t pattern, size_t len);
/*
 * Translate only.  With write set the fill tags of the run become "mixed"
 * before the call returns; the caller may store through run->ptr until it
 * returns to the core.
 */
bool nvsim_mmu_map(struct nvsim_mmu *mmu, const struct nvsim_vm *vm, uint32_t dma_off,
		  uint64_t va, size_t len, bool write, struct nvsim_run *run);

void nvsim_mmu_init(struct nvsim_mmu *mmu, struct nvsim_bus *bus, struct nvsim_vram *vram);
/* Forget all translations. */
void nvsim_mmu_flush(struct nvsim_mmu *mmu);
/* Latch a fault, if none is. */
void nvsim_mmu_raise(struct nvsim_mmu *mmu, const struct nvsim_vm *vm, uint64_t va, bool write,
		     enum nvsim_vm_reason reason);

#endif
