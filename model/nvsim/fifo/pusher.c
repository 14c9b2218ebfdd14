// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Sources: envytools docs/hw/fifo/dma-pusher.rst; nouveau nvkm/engine/fifo/nv04.c for
 * what the driver looks at after an error.
 */
#include "pusher.h"

#include "../bus/bits.h"

/* Fetching an IB entry and the first line of its segment; an assumption. */
#define IB_ENTRY_NS	100
/* Words that are no method (headers, skips). */
#define WORD_NS		4

static struct nvsim_vm push_vm(const struct nvsim_chan *c)
{
	return (struct nvsim_vm) {
		.inst = c->gr.inst,
		.engine = NVSIM_VM_ENGINE_PFIFO,
		.client = NVSIM_VM_CLIENT_PFIFO_READ,
		.subclient = 0,
	};
}

/*
 * The pusher stops, and says why; the driver drops the segment and restarts it.
 * It stands behind the word or the IB entry that it could not use: both are
 * counted as read before they are looked at. What could not be read is not.
 */
static enum nvsim_step pusher_error(struct nvsim_pusher *p, struct nvsim_chan *c,
				    enum nvsim_dma_error e)
{
	c->error = e;
	p->bus->reg[NV_PFIFO_DMA_PUSH / 4] &= ~1u;
	p->bus->reg[NV_PFIFO_INTR / 4] |= NV_PFIFO_INTR_DMA_PUSHER;
	return NVSIM_STEP_STALLED;
}

bool nvsim_pusher_has_work(struct nvsim_pusher *p, struct nvsim_chan *c)
{
	if (c->acquiring)
		return nvsim_puller_acquired(p->puller, c);
	return c->pend.valid || c->get != c->put || c->ib_get != c->ib_put;
}

static enum nvsim_step next_segment(struct nvsim_pusher *p, struct nvsim_chan *c)
{
	struct nvsim_vm vm = push_vm(c);
	uint32_t w0, w1, size;
	uint8_t b[8];

	if (c->ib_get == c->ib_put)
		return NVSIM_STEP_EMPTY;
	if (!nvsim_mmu_read(p->mmu, &vm, c->push_dma, c->ib_base + c->ib_get * 8ull, b, sizeof(b)))
		return pusher_error(p, c, NV_DMA_MEM_FAULT);
	w0 = nvsim_ld32(b);
	w1 = nvsim_ld32(b + 4);
	size = w1 >> 10 & 0x1fffff;
	c->ib_get = (c->ib_get + 1) & c->ib_mask;
	if (!size)
		return pusher_error(p, c, NV_DMA_IB_EMPTY);
	c->get = (w0 & ~3u) | (uint64_t)(w1 & 0xff) << 32;
	c->put = (c->get + size * 4ull) & 0xffffffffffull;
	c->entry_bit8 = w1 >> 8 & 1;
	c->nonmain = w1 >> 9 & 1;
	c->words = 0;
	if (!c->nonmain)
		c->mget = c->get;
	nvsim_occupancy_charge(p->occupancy, c, IB_ENTRY_NS);
	return NVSIM_STEP_DONE;
}

/* Reads words from GET on, as many as are there and belong together. */
static bool fetch(struct nvsim_pusher *p, struct nvsim_chan *c)
{
	struct nvsim_vm vm = push_vm(c);
	uint8_t b[NVSIM_FETCH_WORDS * 4];
	struct nvsim_run run;
	uint64_t n;
	uint32_t i;

	n = (c->put - c->get) & 0xffffffffffull;
	if (n > sizeof(b))
		n = sizeof(b);
	if (!nvsim_mmu_map(p->mmu, &vm, c->push_dma, c->get, n, false, &run))
		return false;
	/* what lies beyond a page that ends here is not this word's fault */
	if (n > run.len)
		n = run.len < 4 ? 4 : run.len & ~3ull;
	if (!nvsim_mmu_read(p->mmu, &vm, c->push_dma, c->get, b, n))
		return false;
	c->word_base = c->get;
	c->words = n / 4;
	for (i = 0; i < c->words; i++)
		c->word[i] = nvsim_ld32(b + i * 4);
	return true;
}

/* Words come in lines of 128 bytes, as nouveau programs the fetcher. */
static bool next_word(struct nvsim_pusher *p, struct nvsim_chan *c, uint32_t *word)
{
	if (!c->words || c->get < c->word_base || c->get >= c->word_base + c->words * 4ull)
		if (!fetch(p, c))
			return false;
	*word = c->word[(c->get - c->word_base) / 4];
	c->get = (c->get + 4) & 0xffffffffffull;
	if (!c->nonmain) {
		c->mget = c->get;
		c->mget_valid = true;
	}
	return true;
}

/* A word where a command is expected. Jumps, calls and returns exist outside of IB mode only. */
static bool command(struct nvsim_chan *c, uint32_t w)
{
	if (c->sli_enable && (w & 0xffff0003) == 0x00010000) {
		c->sli_active = c->sli_mask & (w >> 4 & 0xfff);
		return true;
	}
	if ((w & 0xe0030003) == 0x00000000 || (w & 0xe0030003) == 0x40000000) {
		c->noninc = w >> 30;
		c->count = w >> 18 & 0x7ff;
	} else if ((w & 0xffff0003) == 0x00030000) {
		c->noninc = true;
		c->long_pending = true;
	} else {
		return false;
	}
	c->mthd = w & 0x1ffc;
	c->subc = w >> 13 & 7;
	c->dcount = 0;
	return true;
}

/* A word of a command's data; false = the method below 0x100 is none. */
static bool data(struct nvsim_chan *c, uint32_t w)
{
	c->data = w;
	if (c->mthd < 0x100 && !nvsim_puller_knows(c->mthd))
		return false;
	if (!c->sli_enable || c->sli_active)
		c->pend = (struct nvsim_mthd) { true, c->subc, c->mthd, w };
	if (!c->noninc)
		c->mthd = (c->mthd + 4) & 0x1ffc;
	c->count--;
	c->dcount++;
	return true;
}

static enum nvsim_step push_word(struct nvsim_pusher *p, struct nvsim_chan *c)
{
	uint32_t w;

	if (!next_word(p, c, &w))
		return pusher_error(p, c, NV_DMA_MEM_FAULT);
	if (c->long_pending) {
		c->long_pending = false;
		c->count = w & 0xffffff;
	} else if (c->count) {
		if (!data(c, w))
			return pusher_error(p, c, NV_DMA_INVALID_MTHD);
	} else {
		c->command = w;
		if (!command(c, w))
			return pusher_error(p, c, NV_DMA_INVALID_CMD);
	}
	/* a method has a price of its own */
	if (!c->pend.valid)
		nvsim_occupancy_charge(p->occupancy, c, WORD_NS);
	return NVSIM_STEP_DONE;
}

enum nvsim_step nvsim_pusher_step(struct nvsim_pusher *p, struct nvsim_chan *c, uint64_t now)
{
	if (c->pend.valid) {
		if (!(p->bus->reg[NV_PFIFO_PULL0 / 4] & 1))
			return NVSIM_STEP_STALLED;
		return nvsim_puller_exec(p->puller, c, now);
	}
	if (!(p->bus->reg[NV_PFIFO_DMA_PUSH / 4] & 1) || !(p->bus->reg[NV_PFIFO_PUSH0 / 4] & 1))
		return NVSIM_STEP_STALLED;
	if (c->get == c->put)
		return next_segment(p, c);
	return push_word(p, c);
}
