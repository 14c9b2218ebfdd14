/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The memory side as a whole: VRAM, the MMU, the windows, and PFB's registers. */
#ifndef NVSIM_MEM_H
#define NVSIM_MEM_H

#include <stdbool.h>
#include <stdint.h>

#include "../bus/bus.h"
#include "bar.h"
#include "mmu.h"
#include "vram.h"

struct nvsim_mem {
	struct nvsim_bus *bus;
	struct nvsim_vram vram;
	struct nvsim_mmu mmu;
	struct nvsim_bar bar1, bar3;
};

bool nvsim_mem_init(struct nvsim_mem *mem, struct nvsim_bus *bus, uint64_t vram_bytes);
void nvsim_mem_fini(struct nvsim_mem *mem);
/* Forgets translations and faults; VRAM keeps its content. */
void nvsim_mem_reset(struct nvsim_mem *mem);
/* Forget all translations, those of the windows too. */
void nvsim_mem_flush(struct nvsim_mem *mem);

/* PFB's registers, 0x100000 to 0x100fff. */
uint32_t nvsim_mem_reg_read(struct nvsim_mem *mem, uint32_t off);
void nvsim_mem_reg_write(struct nvsim_mem *mem, uint32_t off, uint32_t val);

/* PRAMIN: off is an offset in BAR0, size 1, 2 or 4. */
uint64_t nvsim_mem_pramin_read(struct nvsim_mem *mem, uint32_t off, unsigned int size);
void nvsim_mem_pramin_write(struct nvsim_mem *mem, uint32_t off, uint64_t val, unsigned int size);

#endif
