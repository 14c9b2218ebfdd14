/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * VRAM.
 *
 * Fill tags: for each 64 KiB of VRAM the model knows whether every 32-bit
 * word of it holds one and the same pattern.  Filling such a page with its
 * own pattern changes nothing, so it is skipped: a program that clears the
 * same buffer a thousand times a second costs the host next to nothing, and
 * the memory is still exact.  Every other write must therefore go through
 * the functions here, which drop the tag.
 */
#ifndef NVSIM_VRAM_H
#define NVSIM_VRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct nvsim_vram {
	uint64_t bytes;
	uint8_t *data;
	/* fill tags, one for each 64 KiB */
	uint32_t *tag_pattern;
	uint8_t *tag_uniform;
};

/* 32 bits of an address of 40 are looked at (envytools: docs/hw/memory/g80-vm.rst). */
static inline uint64_t nvsim_vram_addr(uint64_t addr)
{
	return addr & 0xffffffff;
}

bool nvsim_vram_init(struct nvsim_vram *vram, uint64_t bytes);
void nvsim_vram_fini(struct nvsim_vram *vram);

/* VRAM by physical address, little endian; out of range reads 0. */
uint32_t nvsim_vram_rd32(struct nvsim_vram *vram, uint64_t addr);
void nvsim_vram_wr32(struct nvsim_vram *vram, uint64_t addr, uint32_t val);
uint64_t nvsim_vram_rd64(struct nvsim_vram *vram, uint64_t addr);
/* Pointer for reading, NULL if [addr, addr + len) is not all inside VRAM. */
const uint8_t *nvsim_vram_ptr(struct nvsim_vram *vram, uint64_t addr, size_t len);
/* The same for writing: marks the fill tags "mixed". */
uint8_t *nvsim_vram_wptr(struct nvsim_vram *vram, uint64_t addr, size_t len);

/* The same for what comes through a window: size 1, 2, 4 or 8; out of range reads all ones. */
uint64_t nvsim_vram_read(struct nvsim_vram *vram, uint64_t addr, unsigned int size);
void nvsim_vram_write(struct nvsim_vram *vram, uint64_t addr, uint64_t val, unsigned int size);
/* addr and len are multiples of 4 and inside VRAM. */
void nvsim_vram_fill(struct nvsim_vram *vram, uint64_t addr, uint32_t pattern, uint64_t len);

#endif
