// SPDX-License-Identifier: GPL-2.0-or-later
#include "chan.h"

#include <string.h>

#include "../bus/bus.h"

/*
 * RAMFC+44, as nouveau writes it: 01003fff = time-out enabled, 0x3fff units.
 * The unit is published nowhere.  With 128 ns a slice is 2.097 ms, which is
 * the order of magnitude that people report for this generation.
 */
#define TIMESLICE_UNIT_NS	128

static uint64_t slice_of(uint32_t timeslice)
{
	if (!(timeslice & 0x01000000))
		return NVSIM_NEVER;
	return ((timeslice & 0x1ffff) + 1ull) * TIMESLICE_UNIT_NS;
}

static uint64_t ramfc_of(uint32_t ctx)
{
	return (uint64_t)(ctx & 0x00ffffff) << 8;
}

void nvsim_chan_load(struct nvsim_chan *c, struct nvsim_vram *vram, uint32_t chid, uint32_t ctx)
{
	uint64_t ramfc = ramfc_of(ctx);
	uint32_t hi, ht, sli;

	memset(c, 0, sizeof(*c));
	c->bound = true;
	c->ctx = ctx;
	c->slice_ns = slice_of(nvsim_vram_rd32(vram, ramfc + NV_RAMFC_TIMESLICE));
	c->push_dma = (nvsim_vram_rd32(vram, ramfc + NV_RAMFC_PUSH_DMA) & 0xffff) << 4;
	hi = nvsim_vram_rd32(vram, ramfc + NV_RAMFC_IB_HI);
	c->ib_base = nvsim_vram_rd32(vram, ramfc + NV_RAMFC_IB_LO) | (uint64_t)(hi & 0xff) << 32;
	c->ib_mask = (1u << (hi >> 16 & 0x1f)) - 1;
	ht = nvsim_vram_rd32(vram, ramfc + NV_RAMFC_RAMHT);
	c->ib_put = nvsim_vram_rd32(vram, ramfc + NV_RAMFC_IB_PUT) & c->ib_mask;
	c->ib_get = nvsim_vram_rd32(vram, ramfc + NV_RAMFC_IB_GET) & c->ib_mask;
	sli = nvsim_vram_rd32(vram, ramfc + NV_RAMFC_SLI);
	c->sli_enable = sli >> 29 & 1;
	c->sli_active = sli >> 28 & 1;
	c->sli_mask = sli & 0xfff;
	c->ramht = (ht & 0xffff) << 4;
	c->ramht_mask = (512u << (ht >> 27 & 3)) - 1;
	c->gr.chid = chid;
	c->gr.inst = (uint64_t)(nvsim_vram_rd32(vram, ramfc + NV_RAMFC_INST) & 0x0fffffff) << 12;
}

void nvsim_chan_save(const struct nvsim_chan *c, struct nvsim_vram *vram)
{
	uint64_t ramfc = ramfc_of(c->ctx);

	nvsim_vram_wr32(vram, ramfc + NV_RAMFC_IB_PUT, c->ib_put);
	nvsim_vram_wr32(vram, ramfc + NV_RAMFC_IB_GET, c->ib_get);
}

bool nvsim_chan_is_same(const struct nvsim_chan *loaded, const struct nvsim_chan *saved)
{
	return saved->bound && saved->ctx == loaded->ctx && saved->gr.inst == loaded->gr.inst &&
	       saved->ib_base == loaded->ib_base && saved->ib_get == loaded->ib_get &&
	       saved->ib_put == loaded->ib_put && (loaded->ib_get | loaded->ib_put);
}

/* A free slot is handle 0, context 0, and matches as such. */
bool nvsim_chan_lookup(const struct nvsim_chan *c, struct nvsim_vram *vram, uint32_t handle,
		       uint32_t *context)
{
	uint32_t bits = 0, hash = 0, h, i;
	uint64_t at;

	while (c->ramht_mask >> bits)
		bits++;
	for (h = handle; h; h >>= bits)
		hash ^= h & c->ramht_mask;
	for (i = 0; i <= c->ramht_mask; i++) {
		at = c->gr.inst + c->ramht + ((hash + i) & c->ramht_mask) * 8ull;
		if (nvsim_vram_rd32(vram, at) == handle) {
			*context = nvsim_vram_rd32(vram, at + 4);
			return true;
		}
	}
	return false;
}
