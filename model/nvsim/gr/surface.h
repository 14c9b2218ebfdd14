/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Surfaces: two- or three-dimensional arrays of elements in memory, pitch-linear or blocklinear.
 *
 * Blocklinear on this family (envytools: docs/hw/memory/g80-surface.rst): a gob is 64 bytes x 4
 * rows; a block is 2^block_width gobs wide, 2^block_height high and 2^block_depth slices deep.
 * Blocks follow each other in x, then y, then z; so do gobs inside a block. All coordinates here
 * are bytes in x, rows in y, slices in z.
 */
#ifndef NVSIM_GR_SURFACE_H
#define NVSIM_GR_SURFACE_H

#include <stdbool.h>
#include <stdint.h>

#include "../mem/mmu.h"

#define NVSIM_GR_GOB_WIDTH	64u
#define NVSIM_GR_GOB_ROWS_LOG2	2u
#define NVSIM_GR_GOB_BYTES	256u

struct nvsim_gr_surface {
	struct nvsim_vm vm;
	uint32_t dma;		/* instance offset of the DMA object */
	uint64_t address;
	bool linear;
	uint32_t pitch;		/* bytes; linear only */
	uint32_t width_bytes;	/* of a row; blocklinear: decides the block pitch */
	uint32_t height;	/* rows; decides the slice pitch */
	uint8_t block_width;	/* log2 of gobs, 0..1 */
	uint8_t block_height;	/* log2 of gobs, 0..5 */
	uint8_t block_depth;	/* log2 of slices, 0..5 */
	uint32_t z;		/* slice in use */

	/* the run of memory seen last, so that neighbours need no translation */
	uint64_t run_va;
	uint32_t run_len;
	uint8_t *run_ptr;
	bool run_write;
	/* bytes moved, for the cost model */
	uint64_t vram_bytes;
	uint64_t system_bytes;
	uint64_t fault_va;
};

/*
 * From a BLOCK_DIMENSIONS register: bits 3:0 block width, 7:4 height, 11:8 depth. false = not valid,
 * or wider than this use of the surface allows.
 */
bool nvsim_gr_surface_set_blocks(struct nvsim_gr_surface *sf, uint32_t dimensions,
				 uint32_t max_width);

/* Address of a byte. x, y may lie outside of the surface: the layout goes on. */
uint64_t nvsim_gr_surface_va(const struct nvsim_gr_surface *sf, uint32_t x, uint32_t y);

/* One row, or part of it. false = a memory access failed, sf->fault_va says where. */
bool nvsim_gr_surface_read(struct nvsim_mmu *mmu, struct nvsim_gr_surface *sf, uint32_t x,
			   uint32_t y, void *buf, uint32_t len);
bool nvsim_gr_surface_write(struct nvsim_mmu *mmu, struct nvsim_gr_surface *sf, uint32_t x,
			    uint32_t y, const void *buf, uint32_t len);
/* Rows y0 <= y < y1, bytes x0 <= x < x1 (multiples of 4) with one 32-bit pattern. */
bool nvsim_gr_surface_fill(struct nvsim_mmu *mmu, struct nvsim_gr_surface *sf, uint32_t x0,
			   uint32_t y0, uint32_t x1, uint32_t y1, uint32_t pattern);

#endif
