// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * VRAM and PFB's own registers.
 *
 * Fill tags: for each 64 KiB of VRAM the model knows whether every 32-bit
 * word of it holds one and the same pattern.  Filling such a page with its
 * own pattern changes nothing, so it is skipped: a program that clears the
 * same buffer a thousand times a second costs the host next to nothing, and
 * the memory is still exact.  Every other write must therefore go through
 * the functions here, which drop the tag.
 */
#include <stdlib.h>
#include <string.h>

#include "../card.h"

bool nvsim_fb_init(struct nvsim *s)
{
	size_t pages = s->vram_bytes >> NVSIM_TAG_SHIFT;

	/* Zero pages of the host's own: untouched VRAM takes no memory. */
	s->vram = calloc(1, s->vram_bytes);
	s->tag_pattern = calloc(pages, sizeof(*s->tag_pattern));
	s->tag_uniform = malloc(pages);
	if (!s->vram || !s->tag_pattern || !s->tag_uniform)
		return false;
	memset(s->tag_uniform, 1, pages);
	return true;
}

void nvsim_fb_fini(struct nvsim *s)
{
	free(s->tag_uniform);
	free(s->tag_pattern);
	free(s->vram);
}

static bool in_vram(const struct nvsim *s, uint64_t addr, uint64_t len)
{
	return addr < s->vram_bytes && len <= s->vram_bytes - addr;
}

const uint8_t *nvsim_vram_ptr(struct nvsim *s, uint64_t addr, size_t len)
{
	return in_vram(s, addr, len) ? s->vram + addr : NULL;
}

uint8_t *nvsim_vram_wptr(struct nvsim *s, uint64_t addr, size_t len)
{
	uint64_t page;

	if (!len || !in_vram(s, addr, len))
		return NULL;
	for (page = addr >> NVSIM_TAG_SHIFT; page <= (addr + len - 1) >> NVSIM_TAG_SHIFT; page++)
		s->tag_uniform[page] = 0;
	return s->vram + addr;
}

uint32_t nvsim_vram_rd32(struct nvsim *s, uint64_t addr)
{
	const uint8_t *p = nvsim_vram_ptr(s, addr, 4);

	return p ? nvsim_ld32(p) : 0;
}

uint64_t nvsim_vram_rd64(struct nvsim *s, uint64_t addr)
{
	return nvsim_vram_rd32(s, addr) | (uint64_t)nvsim_vram_rd32(s, addr + 4) << 32;
}

void nvsim_vram_wr32(struct nvsim *s, uint64_t addr, uint32_t val)
{
	uint8_t *p = nvsim_vram_wptr(s, addr, 4);

	if (p)
		nvsim_st32(p, val);
}

uint64_t nvsim_vram_read(struct nvsim *s, uint64_t addr, unsigned int size)
{
	const uint8_t *p = nvsim_vram_ptr(s, addr, size);
	uint64_t val = 0;
	unsigned int i;

	if (!p)
		return ~0ull >> (64 - 8 * size);
	if (size == 4)
		return nvsim_ld32(p);
	for (i = 0; i < size; i++)
		val |= (uint64_t)p[i] << (8 * i);
	return val;
}

void nvsim_vram_write(struct nvsim *s, uint64_t addr, uint64_t val, unsigned int size)
{
	uint8_t *p;
	unsigned int i;

	if (!in_vram(s, addr, size))
		return;
	p = s->vram + addr;
	/* A BAR's object may start anywhere, so this may be two pages. */
	s->tag_uniform[addr >> NVSIM_TAG_SHIFT] = 0;
	s->tag_uniform[(addr + size - 1) >> NVSIM_TAG_SHIFT] = 0;
	if (size == 4) {
		nvsim_st32(p, val);
		return;
	}
	for (i = 0; i < size; i++)
		p[i] = val >> (8 * i);
}

static void store_pattern(uint8_t *p, uint32_t pattern, uint64_t len)
{
	uint64_t i;

	if ((pattern & 0xffff) == pattern >> 16 && (pattern & 0xff) == (pattern >> 8 & 0xff)) {
		memset(p, pattern & 0xff, len);
		return;
	}
	for (i = 0; i < len; i += 4)
		nvsim_st32(p + i, pattern);
}

/* addr and len are multiples of 4 and inside VRAM. */
void nvsim_vram_fill(struct nvsim *s, uint64_t addr, uint32_t pattern, uint64_t len)
{
	const uint64_t page_bytes = 1u << NVSIM_TAG_SHIFT;
	uint64_t page, n;

	while (len) {
		page = addr >> NVSIM_TAG_SHIFT;
		n = page_bytes - (addr & (page_bytes - 1));
		if (n > len)
			n = len;
		if (!s->tag_uniform[page] || s->tag_pattern[page] != pattern) {
			store_pattern(s->vram + addr, pattern, n);
			s->tag_uniform[page] = n == page_bytes;
			s->tag_pattern[page] = pattern;
		}
		addr += n;
		len -= n;
	}
}

/*
 * DRAM geometry that multiplies to the VRAM size:
 * partitions x banks x 2^columns x 8 bytes x 2^rows, with 4 partitions,
 * 8 banks, 10 columns = 256 KiB per row, and rows = log2(size / 256 KiB).
 * Source: nouveau nvkm/subdev/fb/ramnv50.c, nv50_fb_vram_rblock().
 */
static uint32_t geometry(uint64_t vram_bytes)
{
	uint32_t rows = 0;

	while ((256u << 10) << rows < vram_bytes)
		rows++;
	return 1u << 24 | (rows - 8) << 16 | 10u << 12;
}

uint32_t nvsim_fb_read(struct nvsim *s, uint32_t off)
{
	uint32_t v = s->reg[off / 4];

	switch (off) {
	case NV_PFB_CFG_1:
		return geometry(s->vram_bytes);
	case NV_PFB_SIZE:
		return s->vram_bytes;
	case NV_PFB_TLB_FLUSH:
		return v & ~1u;
	case NV_PFB_FAULT_IDX:
		return (v & 0x00ffffff) | (s->vm_fault ? 0x80000000 : 0);
	case NV_PFB_FAULT_DATA:
		v = s->reg[NV_PFB_FAULT_IDX / 4] >> 24 & 0x7f;
		return v < 6 ? s->vm_fault_word[v] : 0;
	default:
		return v;
	}
}

void nvsim_fb_write(struct nvsim *s, uint32_t off, uint32_t val)
{
	switch (off) {
	case NV_PFB_CFG_1:
	case NV_PFB_SIZE:
	case NV_PFB_FAULT_DATA:
		break;
	case NV_PFB_TLB_FLUSH:
		s->reg[off / 4] = val;
		if (val & 1)
			nvsim_mmu_flush(s);
		break;
	case NV_PFB_FAULT_IDX:
		s->reg[off / 4] = val & 0x7fffffff;
		if (val & 0x80000000)
			s->vm_fault = false;
		break;
	default:
		s->reg[off / 4] = val;
		break;
	}
}
