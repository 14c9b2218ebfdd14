/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * BAR1 and BAR3 are windows onto the BAR channel's address space; without one
 * (before the driver sets it up) they show VRAM as it lies.
 */
#ifndef NVSIM_BAR_H
#define NVSIM_BAR_H

#include <stdbool.h>
#include <stdint.h>

#include "../bus/bus.h"
#include "mmu.h"
#include "vram.h"

#define NVSIM_BAR_TLB_SIZE	1024

struct nvsim_bar_tlb {
	uint32_t page;		/* offset >> 12, UINT32_MAX = empty */
	bool ro;
	uint64_t vram;
};

/* One of the two. */
struct nvsim_bar {
	struct nvsim_bus *bus;
	struct nvsim_mmu *mmu;
	struct nvsim_vram *vram;
	uint32_t ctl;		/* NV_PBUS_BAR1 or NV_PBUS_BAR3 */
	uint8_t subclient;	/* its name in a fault */
	struct nvsim_bar_tlb tlb[NVSIM_BAR_TLB_SIZE];
};

void nvsim_bar_init(struct nvsim_bar *bar, struct nvsim_bus *bus, struct nvsim_mmu *mmu,
		    uint32_t ctl, uint8_t subclient);
/* Forget what pages the window was seen to show. */
void nvsim_bar_flush(struct nvsim_bar *bar);
/* size is 1, 2, 4 or 8, at any alignment. */
uint64_t nvsim_bar_read(struct nvsim_bar *bar, uint32_t off, unsigned int size);
void nvsim_bar_write(struct nvsim_bar *bar, uint32_t off, uint64_t val, unsigned int size);

#endif
