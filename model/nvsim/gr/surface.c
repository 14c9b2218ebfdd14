// SPDX-License-Identifier: GPL-2.0-or-later
/* Addressing and row access of surfaces. */
#include "surface.h"

#include <string.h>

#define READ_RUN_MAX	(256u << 10)
/* A mapping for writing ends the fill tag of all it covers: keep within one tag's 64 KiB. */
#define WRITE_RUN_MAX	0x10000u
#define VA_MASK	((1ull << 40) - 1)

bool nvsim_gr_surface_set_blocks(struct nvsim_gr_surface *sf, uint32_t dimensions,
				 uint32_t max_width)
{
	sf->block_width = dimensions & 0xf;
	sf->block_height = (dimensions >> 4) & 0xf;
	sf->block_depth = (dimensions >> 8) & 0xf;
	return sf->block_width <= max_width && sf->block_height <= 5 && sf->block_depth <= 5;
}

static uint32_t block_rows_log2(const struct nvsim_gr_surface *sf)
{
	return NVSIM_GR_GOB_ROWS_LOG2 + sf->block_height;
}

static uint32_t block_bytes_x(const struct nvsim_gr_surface *sf)
{
	return NVSIM_GR_GOB_WIDTH << sf->block_width;
}

static uint64_t blocks_x(const struct nvsim_gr_surface *sf)
{
	return ((uint64_t)sf->width_bytes + block_bytes_x(sf) - 1) / block_bytes_x(sf);
}

/*
 * No overflow: rows are at most 2^20 bytes and slices at most 2^17 rows, z is below 2^16, so the
 * block index stays below 2^(16+15+14); a block has at most 2^18 bytes, and if it is twice as wide
 * there are half as many: 2^63. What lies outside
 * of the surface in y may wrap, as addresses do; it is unsigned throughout.
 */
uint64_t nvsim_gr_surface_va(const struct nvsim_gr_surface *sf, uint32_t x, uint32_t y)
{
	uint32_t rows_log2 = block_rows_log2(sf);
	uint64_t blocks_y, block, gob;

	if (sf->linear)
		return (sf->address + (uint64_t)sf->pitch * y + x) & VA_MASK;
	blocks_y = ((uint64_t)sf->height + (1u << rows_log2) - 1) >> rows_log2;
	block = (uint64_t)(sf->z >> sf->block_depth) * blocks_y + (y >> rows_log2);
	block = block * blocks_x(sf) + x / block_bytes_x(sf);
	gob = (uint64_t)(sf->z & ((1u << sf->block_depth) - 1)) << sf->block_height;
	gob += (y >> NVSIM_GR_GOB_ROWS_LOG2) & ((1u << sf->block_height) - 1);
	gob = gob << sf->block_width | (x % block_bytes_x(sf) / NVSIM_GR_GOB_WIDTH);
	gob += block << (sf->block_width + sf->block_height + sf->block_depth);
	return (sf->address + gob * NVSIM_GR_GOB_BYTES +
		(y & 3) * NVSIM_GR_GOB_WIDTH + x % NVSIM_GR_GOB_WIDTH) & VA_MASK;
}

/* How many of len bytes from x on are contiguous in the surface's layout. */
static uint32_t contiguous(const struct nvsim_gr_surface *sf, uint32_t x, uint32_t len)
{
	uint32_t left = NVSIM_GR_GOB_WIDTH - x % NVSIM_GR_GOB_WIDTH;

	return sf->linear || len < left ? len : left;
}

/*
 * A pointer to va, good for *len bytes (reduced if need be); NULL when memory must be accessed
 * through the bus. false = fault.
 */
static bool locate(struct nvsim_mmu *mmu, struct nvsim_gr_surface *sf, uint64_t va, uint32_t *len,
		   bool write, uint8_t **ptr)
{
	uint32_t max = write ? WRITE_RUN_MAX - (va & (WRITE_RUN_MAX - 1)) : READ_RUN_MAX;
	struct nvsim_run run;

	if (va < sf->run_va || va - sf->run_va >= sf->run_len || (write && !sf->run_write)) {
		sf->run_len = 0;
		if (!nvsim_mmu_map(mmu, &sf->vm, sf->dma, va, max, write, &run)) {
			sf->fault_va = va;
			return false;
		}
		sf->run_va = va;
		sf->run_len = run.len < max ? run.len : max;
		sf->run_ptr = run.ptr;
		sf->run_write = write;
	}
	if (*len > sf->run_len - (va - sf->run_va))
		*len = sf->run_len - (va - sf->run_va);
	*ptr = sf->run_ptr ? sf->run_ptr + (va - sf->run_va) : NULL;
	if (sf->run_ptr)
		sf->vram_bytes += *len;
	else
		sf->system_bytes += *len;
	return *len != 0;
}

static bool move(struct nvsim_mmu *mmu, struct nvsim_gr_surface *sf, uint64_t va, uint8_t *buf,
		 uint32_t len, bool write)
{
	while (len) {
		uint32_t n = len;
		uint8_t *ptr;
		bool ok = true;

		if (!locate(mmu, sf, va, &n, write, &ptr))
			return false;
		if (ptr && write)
			memcpy(ptr, buf, n);
		else if (ptr)
			memcpy(buf, ptr, n);
		else if (write)
			ok = nvsim_mmu_write(mmu, &sf->vm, sf->dma, va, buf, n);
		else
			ok = nvsim_mmu_read(mmu, &sf->vm, sf->dma, va, buf, n);
		if (!ok) {
			sf->fault_va = va;
			return false;
		}
		va += n;
		buf += n;
		len -= n;
	}
	return true;
}

static bool move_row(struct nvsim_mmu *mmu, struct nvsim_gr_surface *sf, uint32_t x, uint32_t y,
		     uint8_t *buf, uint32_t len, bool write)
{
	while (len) {
		uint32_t n = contiguous(sf, x, len);

		if (!move(mmu, sf, nvsim_gr_surface_va(sf, x, y), buf, n, write))
			return false;
		x += n;
		buf += n;
		len -= n;
	}
	return true;
}

bool nvsim_gr_surface_read(struct nvsim_mmu *mmu, struct nvsim_gr_surface *sf, uint32_t x,
			   uint32_t y, void *buf, uint32_t len)
{
	return move_row(mmu, sf, x, y, buf, len, false);
}

bool nvsim_gr_surface_write(struct nvsim_mmu *mmu, struct nvsim_gr_surface *sf, uint32_t x,
			    uint32_t y, const void *buf, uint32_t len)
{
	/* move() only reads buf when it writes memory */
	return move_row(mmu, sf, x, y, (uint8_t *)(uintptr_t)buf, len, true);
}

static bool fill_run(struct nvsim_mmu *mmu, struct nvsim_gr_surface *sf, uint64_t va, uint64_t len,
		     uint32_t pattern)
{
	if (nvsim_mmu_fill(mmu, &sf->vm, sf->dma, va, pattern, len))
		return true;
	sf->fault_va = va;
	return false;
}

static bool fill_row(struct nvsim_mmu *mmu, struct nvsim_gr_surface *sf, uint32_t x0, uint32_t x1,
		     uint32_t y, uint32_t pattern)
{
	uint8_t buf[NVSIM_GR_GOB_WIDTH];

	if (sf->linear)
		return fill_run(mmu, sf, nvsim_gr_surface_va(sf, x0, y), x1 - x0, pattern);
	for (unsigned int i = 0; i < sizeof(buf); i++)
		buf[i] = pattern >> (8 * (i & 3));
	while (x0 < x1) {
		uint32_t n = contiguous(sf, x0, x1 - x0);

		if (!move(mmu, sf, nvsim_gr_surface_va(sf, x0, y), buf, n, true))
			return false;
		x0 += n;
	}
	return true;
}

/*
 * n rows of blocks, [x0, x1) multiples of their width, y at a block's first row: contiguous memory. n is 1
 * unless they reach over the whole surface.
 */
static bool fill_blocks(struct nvsim_mmu *mmu, struct nvsim_gr_surface *sf, uint32_t x0,
			uint32_t x1, uint32_t y, uint32_t n, uint32_t pattern)
{
	uint32_t slice_bytes = NVSIM_GR_GOB_BYTES << (sf->block_width + sf->block_height);
	uint32_t width = block_bytes_x(sf);

	if (sf->block_depth == 0)
		return fill_run(mmu, sf, nvsim_gr_surface_va(sf, x0, y),
				(uint64_t)(x1 - x0) / width * slice_bytes * n,
				pattern);
	for (; x0 < x1; x0 += width) {
		if (!fill_run(mmu, sf, nvsim_gr_surface_va(sf, x0, y), slice_bytes, pattern))
			return false;
	}
	return true;
}

static bool fill_blocklinear(struct nvsim_mmu *mmu, struct nvsim_gr_surface *sf, uint32_t x0,
			     uint32_t y0, uint32_t x1, uint32_t y1, uint32_t pattern)
{
	uint32_t rows = 1u << block_rows_log2(sf);
	uint32_t width = block_bytes_x(sf);
	uint32_t bx0 = (x0 + width - 1) / width * width;
	uint32_t bx1 = x1 / width * width;
	/* one fill for all rows of blocks: the memory remembers whole fills */
	bool across = x0 == 0 && x1 == bx1 && sf->block_depth == 0 &&
		      bx1 / width == blocks_x(sf);

	while (y0 < y1) {
		uint32_t n = across ? (y1 - y0) / rows : 1;

		if (y0 % rows || y1 - y0 < rows || bx0 >= bx1) {
			if (!fill_row(mmu, sf, x0, x1, y0, pattern))
				return false;
			y0++;
			continue;
		}
		if (!fill_blocks(mmu, sf, bx0, bx1, y0, n, pattern))
			return false;
		for (uint32_t y = y0; y < y0 + rows && x0 < bx0; y++) {
			if (!fill_row(mmu, sf, x0, bx0, y, pattern))
				return false;
		}
		for (uint32_t y = y0; y < y0 + rows && bx1 < x1; y++) {
			if (!fill_row(mmu, sf, bx1, x1, y, pattern))
				return false;
		}
		y0 += n * rows;
	}
	return true;
}

bool nvsim_gr_surface_fill(struct nvsim_mmu *mmu, struct nvsim_gr_surface *sf, uint32_t x0,
			   uint32_t y0, uint32_t x1, uint32_t y1, uint32_t pattern)
{
	/* fills go around the run, which may have become stale by them */
	sf->run_len = 0;
	if (!sf->linear)
		return fill_blocklinear(mmu, sf, x0, y0, x1, y1, pattern);
	if (x0 == 0 && x1 == sf->pitch)
		return y0 >= y1 || fill_run(mmu, sf, nvsim_gr_surface_va(sf, 0, y0),
					    (uint64_t)sf->pitch * (y1 - y0), pattern);
	for (; y0 < y1; y0++) {
		if (!fill_row(mmu, sf, x0, x1, y0, pattern))
			return false;
	}
	return true;
}
