// SPDX-License-Identifier: GPL-2.0-or-later
#include "vram.h"

#include <stdlib.h>
#include <string.h>

#include "../bus/bits.h"

#define TAG_SHIFT	16	/* fill tags cover 64 KiB */
#define COPY_BYTES	4096	/* patterns are stored by copies of so much */

bool nvsim_vram_init(struct nvsim_vram *vram, uint64_t bytes)
{
	size_t pages = bytes >> TAG_SHIFT;

	vram->bytes = bytes;
	/* Zero pages of the host's own: untouched VRAM takes no memory. */
	vram->data = calloc(1, vram->bytes);
	vram->tag_pattern = calloc(pages, sizeof(*vram->tag_pattern));
	vram->tag_uniform = malloc(pages);
	if (!vram->data || !vram->tag_pattern || !vram->tag_uniform)
		return false;
	memset(vram->tag_uniform, 1, pages);
	return true;
}

void nvsim_vram_fini(struct nvsim_vram *vram)
{
	free(vram->tag_uniform);
	free(vram->tag_pattern);
	free(vram->data);
}

static bool in_vram(const struct nvsim_vram *vram, uint64_t addr, uint64_t len)
{
	return addr < vram->bytes && len <= vram->bytes - addr;
}

const uint8_t *nvsim_vram_ptr(struct nvsim_vram *vram, uint64_t addr, size_t len)
{
	addr = nvsim_vram_addr(addr);
	return in_vram(vram, addr, len) ? vram->data + addr : NULL;
}

uint8_t *nvsim_vram_wptr(struct nvsim_vram *vram, uint64_t addr, size_t len)
{
	uint64_t page;

	addr = nvsim_vram_addr(addr);
	if (!len || !in_vram(vram, addr, len))
		return NULL;
	for (page = addr >> TAG_SHIFT; page <= (addr + len - 1) >> TAG_SHIFT; page++)
		vram->tag_uniform[page] = 0;
	return vram->data + addr;
}

uint32_t nvsim_vram_rd32(struct nvsim_vram *vram, uint64_t addr)
{
	const uint8_t *p = nvsim_vram_ptr(vram, addr, 4);

	return p ? nvsim_ld32(p) : 0;
}

uint64_t nvsim_vram_rd64(struct nvsim_vram *vram, uint64_t addr)
{
	return nvsim_vram_rd32(vram, addr) | (uint64_t)nvsim_vram_rd32(vram, addr + 4) << 32;
}

void nvsim_vram_wr32(struct nvsim_vram *vram, uint64_t addr, uint32_t val)
{
	uint8_t *p = nvsim_vram_wptr(vram, addr, 4);

	if (p)
		nvsim_st32(p, val);
}

uint64_t nvsim_vram_read(struct nvsim_vram *vram, uint64_t addr, unsigned int size)
{
	const uint8_t *p = nvsim_vram_ptr(vram, addr, size);
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

void nvsim_vram_write(struct nvsim_vram *vram, uint64_t addr, uint64_t val, unsigned int size)
{
	uint8_t *p;
	unsigned int i;

	addr = nvsim_vram_addr(addr);
	if (!in_vram(vram, addr, size))
		return;
	p = vram->data + addr;
	/* A BAR's object may start anywhere, so this may be two pages. */
	vram->tag_uniform[addr >> TAG_SHIFT] = 0;
	vram->tag_uniform[(addr + size - 1) >> TAG_SHIFT] = 0;
	if (size == 4) {
		nvsim_st32(p, val);
		return;
	}
	for (i = 0; i < size; i++)
		p[i] = val >> (8 * i);
}

/* By what is there already, twice as much each time, as far as a copy comes out of the cache. */
static void store_pattern(uint8_t *p, uint32_t pattern, uint64_t len)
{
	uint64_t done, n;

	nvsim_st32(p, pattern);
	for (done = 4; done < len; done += n) {
		n = done < COPY_BYTES ? done : COPY_BYTES;
		if (n > len - done)
			n = len - done;
		memcpy(p + done, p, n);
	}
}

void nvsim_vram_fill(struct nvsim_vram *vram, uint64_t addr, uint32_t pattern, uint64_t len)
{
	const uint64_t page_bytes = 1u << TAG_SHIFT;
	uint64_t page, n;

	while (len) {
		page = addr >> TAG_SHIFT;
		n = page_bytes - (addr & (page_bytes - 1));
		if (n > len)
			n = len;
		if (!vram->tag_uniform[page] || vram->tag_pattern[page] != pattern) {
			store_pattern(vram->data + addr, pattern, n);
			vram->tag_uniform[page] = n == page_bytes;
			vram->tag_pattern[page] = pattern;
		}
		addr += n;
		len -= n;
	}
}
