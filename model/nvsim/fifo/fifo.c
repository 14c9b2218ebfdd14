// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Sources: nouveau nvkm/engine/fifo/{nv50,g84,nv04}.c, nvkm/core/ramht.c;
 * envytools hw/fifo/{dma-pusher,puller}, rnndb fifo/g80_pfifo.
 */
#include "fifo.h"

#include <string.h>

void nvsim_fifo_init(struct nvsim_fifo *f, struct nvsim_bus *bus, struct nvsim_mem *mem,
		     struct nvsim_graph *graph, struct nvsim_faults *faults)
{
	f->bus = bus;
	f->vram = &mem->vram;
	f->graph = graph;
	nvsim_sched_init(&f->sched, bus, &mem->mmu, graph, faults);
}

void nvsim_fifo_fini(struct nvsim_fifo *f)
{
	unsigned int i;

	for (i = 0; i < NVSIM_CHANNELS; i++)
		nvsim_graph_unload(f->graph, &f->sched.chan[i].gr);
	nvsim_fifo_forget(f);
	nvsim_occupancy_close(&f->sched.occupancy);
}

void nvsim_fifo_forget(struct nvsim_fifo *f)
{
	unsigned int i;

	for (i = 0; i < NVSIM_CHANNELS; i++) {
		nvsim_graph_unload(f->graph, &f->stored[i].gr);
		memset(&f->stored[i], 0, sizeof(f->stored[i]));
	}
}

void nvsim_fifo_reset(struct nvsim_fifo *f)
{
	unsigned int i;

	for (i = 0; i < NVSIM_CHANNELS; i++) {
		nvsim_graph_unload(f->graph, &f->sched.chan[i].gr);
		memset(&f->sched.chan[i], 0, sizeof(f->sched.chan[i]));
		f->bus->reg[NV_PFIFO_CHAN / 4 + i] = 0;
	}
	nvsim_sched_forget(&f->sched);
	f->kick_pending = false;
	f->bus->reg[NV_PFIFO_INTR / 4] = 0;
	f->bus->reg[NV_PFIFO_PUSH0 / 4] = 0;
	f->bus->reg[NV_PFIFO_PULL0 / 4] = 0;
	f->bus->reg[NV_PFIFO_CACHES / 4] = 0;
	f->bus->reg[NV_PFIFO_DMA_PUSH / 4] = 1;
}

/*
 * A channel leaves the table, as all do when the card is suspended. RAMFC tells
 * where it was; the rest of it, which a real RAMFC has too (envytools,
 * rnndb/fifo/g80_pfifo.xml: G80_RAMFC) and the context image, waits here.
 */
static void chan_store(struct nvsim_fifo *f, uint32_t chid)
{
	struct nvsim_chan *c = &f->sched.chan[chid], *to = &f->stored[chid];

	nvsim_graph_leave(f->graph, &c->gr);
	nvsim_graph_unload(f->graph, &to->gr);
	nvsim_chan_save(c, f->vram);
	*to = *c;
	if (f->sched.cur == chid) {
		f->sched.cur = NVSIM_NO_CHANNEL;
		f->sched.puller.refused = false;
	}
	memset(c, 0, sizeof(*c));
}

/* The same channel comes back if its RAMFC still says what was stored. */
static void chan_restore(struct nvsim_fifo *f, uint32_t chid)
{
	struct nvsim_chan *c = &f->sched.chan[chid], *from = &f->stored[chid], now = *c;

	if (!nvsim_chan_is_same(&now, from))
		return;
	*c = *from;
	c->serial = now.serial;
	c->slice_ns = now.slice_ns;
	memset(from, 0, sizeof(*from));
}

static void chan_activate(struct nvsim_fifo *f, uint32_t chid, uint32_t ctx)
{
	struct nvsim_chan *c = &f->sched.chan[chid];

	nvsim_chan_load(c, f->vram, chid, ctx);
	c->serial = ++f->next_serial;
	chan_restore(f, chid);
	nvsim_occupancy_chan(&f->sched.occupancy, c);
}

static void chan_write(struct nvsim_fifo *f, uint32_t chid, uint32_t val)
{
	struct nvsim_chan *c = &f->sched.chan[chid];
	uint32_t ctx = val & 0x7fffffff;

	f->bus->reg[NV_PFIFO_CHAN / 4 + chid] = val;
	if (c->bound && c->ctx != ctx)
		chan_store(f, chid);
	/* 0 is the PIO channel, 127 means "no channel". */
	if (ctx && chid != 0 && chid != NVSIM_NO_CHANNEL && !c->bound)
		chan_activate(f, chid, ctx);
	c->enabled = c->bound && (val & 0x80000000);
	nvsim_sched_kick(&f->sched);
}

static void playlist_write(struct nvsim_fifo *f, uint32_t count)
{
	uint64_t at = (uint64_t)(f->bus->reg[NV_PFIFO_PLAYLIST / 4] & 0x0fffffff) << 12;
	uint32_t i, chid;

	f->sched.playlist_len = 0;
	memset(f->sched.listed, 0, sizeof(f->sched.listed));
	for (i = 0; i < (count & 0xfff) && f->sched.playlist_len < NVSIM_CHANNELS; i++) {
		chid = nvsim_vram_rd32(f->vram, at + i * 4) & 0x7f;
		f->sched.playlist[f->sched.playlist_len++] = chid;
		f->sched.listed[chid] = true;
	}
	nvsim_sched_kick(&f->sched);
}

/*
 * Kick-off: get this channel's context out of the engines.  It ends when
 * PGRAPH has finished what it was doing for the channel.
 */
static bool kick_done(struct nvsim_fifo *f)
{
	uint64_t inst = (uint64_t)f->kick_inst << 12;

	if (f->kick_pending)
		f->kick_pending = !nvsim_graph_kick_off(f->graph, inst, nvsim_now(f->bus));
	return !f->kick_pending;
}

/* The pusher has fetched all there is (envytools, rnndb/fifo/g80_pfifo.xml: DMA_PUSH.EMPTY). */
static uint32_t push_empty(struct nvsim_fifo *f)
{
	const struct nvsim_chan *c = nvsim_sched_current(&f->sched);

	return !c || (c->get == c->put && c->ib_get == c->ib_put) ? 0x100 : 0;
}

/* envytools, rnndb/fifo/g80_pfifo.xml: DMA_STATE */
static uint32_t dma_state(const struct nvsim_chan *c)
{
	return (uint32_t)c->error << 29 | (uint32_t)c->nonmain << 18 |
	       (uint32_t)c->long_pending << 16 | (uint32_t)c->subc << 13 | c->mthd |
	       (uint32_t)c->entry_bit8 << 1 | c->noninc;
}

static void dma_state_write(struct nvsim_chan *c, uint32_t val)
{
	c->error = val >> 29;
	c->nonmain = val >> 18 & 1;
	c->long_pending = val >> 16 & 1;
	c->subc = val >> 13 & 7;
	c->mthd = val & 0x1ffc;
	c->entry_bit8 = val >> 1 & 1;
	c->noninc = val & 1;
}

static uint32_t engines(const struct nvsim_chan *c)
{
	uint32_t i, v = 0;

	for (i = 0; i < NVSIM_GR_SUBCHANNELS; i++)
		v |= (uint32_t)(c->engine[i] & 0xf) << (4 * i);
	return v;
}

/* Registers that show the channel in CACHE1. */
static bool cache1_read(struct nvsim_fifo *f, uint32_t off, uint32_t *val)
{
	static const struct nvsim_chan none;
	const struct nvsim_chan *c = nvsim_sched_current(&f->sched);

	if (!c)
		c = &none;
	switch (off) {
	case NV_PFIFO_DMA_PUT:
		*val = c->put;
		return true;
	case NV_PFIFO_DMA_GET:
		*val = c->get;
		return true;
	case NV_PFIFO_DMA_PUT_HI:
		*val = c->put >> 32;
		return true;
	case NV_PFIFO_DMA_GET_HI:
		*val = c->get >> 32;
		return true;
	case NV_PFIFO_IB_PUT:
		*val = c->ib_put;
		return true;
	case NV_PFIFO_IB_GET:
		*val = c->ib_get;
		return true;
	case NV_PFIFO_REF:
		*val = c->ref;
		return true;
	case NV_PFIFO_ENGINE:
		*val = engines(c);
		return true;
	case NV_PFIFO_MTHD_COUNT:
		*val = c->count;
		return true;
	case NV_PFIFO_DMA_STATE:
		*val = dma_state(c);
		return true;
	case NV_PFIFO_DMA_DCOUNT:
		*val = c->dcount;
		return true;
	case NV_PFIFO_DMA_COMMAND:
		*val = c->command;
		return true;
	case NV_PFIFO_DMA_DATA:
		*val = c->data;
		return true;
	default:
		return false;
	}
}

uint32_t nvsim_fifo_read(struct nvsim_fifo *f, uint32_t off)
{
	uint32_t val;

	if (cache1_read(f, off, &val))
		return val;
	switch (off) {
	case NV_PFIFO_PUSH1:
		return f->sched.cur | 0x10000;
	case NV_PFIFO_CUR_CHAN:
		return f->sched.cur;
	case NV_PFIFO_DMA_PUSH:
		return f->bus->reg[off / 4] | push_empty(f);
	case NV_PFIFO_GET:
		return f->sched.puller.cache_get;
	case NV_PFIFO_PLAYLIST_LEN:
		return f->sched.playlist_len;
	case NV_PFIFO_KICK:
		return kick_done(f) ? f->kick_inst : 0xffffffff;
	case NV_PFIFO_FLUSH:
		return 0;
	case NV_PFIFO_FREEZE:
		val = f->bus->reg[off / 4] & 1;
		return val | val << 4;
	default:
		return f->bus->reg[off / 4];
	}
}

/* What the driver writes to get a channel past an error. */
static bool cache1_write(struct nvsim_fifo *f, uint32_t off, uint32_t val)
{
	struct nvsim_chan dummy, *c = nvsim_sched_current(&f->sched);
	unsigned int i;

	if (!c) {
		memset(&dummy, 0, sizeof(dummy));
		c = &dummy;
	}
	switch (off) {
	case NV_PFIFO_DMA_PUT:
		return true;
	case NV_PFIFO_DMA_GET:
		c->get = (c->get & ~0xffffffffull) | (val & ~3u);
		return true;
	case NV_PFIFO_DMA_PUT_HI:
		return true;
	case NV_PFIFO_DMA_GET_HI:
		c->get = (uint64_t)(val & 0xff) << 32 | (uint32_t)c->get;
		return true;
	case NV_PFIFO_IB_PUT:
		return true;
	case NV_PFIFO_IB_GET:
		c->ib_get = val & c->ib_mask;
		return true;
	case NV_PFIFO_REF:
		c->ref = val;
		return true;
	case NV_PFIFO_ENGINE:
		for (i = 0; i < NVSIM_GR_SUBCHANNELS; i++)
			c->engine[i] = val >> (4 * i) & 0xf;
		return true;
	case NV_PFIFO_MTHD_COUNT:
		c->count = val & 0xffffff;
		return true;
	case NV_PFIFO_DMA_STATE:
		dma_state_write(c, val);
		return true;
	case NV_PFIFO_DMA_DCOUNT:
		c->dcount = val;
		return true;
	case NV_PFIFO_DMA_COMMAND:
		c->command = val;
		return true;
	case NV_PFIFO_DMA_DATA:
		c->data = val;
		return true;
	default:
		return false;
	}
}

void nvsim_fifo_write(struct nvsim_fifo *f, uint32_t off, uint32_t val)
{
	if (off >= NV_PFIFO_CHAN && off < NV_PFIFO_CHAN + NVSIM_CHANNELS * 4) {
		chan_write(f, (off - NV_PFIFO_CHAN) / 4, val);
		return;
	}
	if (cache1_write(f, off, val))
		return;
	switch (off) {
	case NV_PFIFO_INTR:
		f->bus->reg[off / 4] &= ~val;
		return;
	case NV_PFIFO_GET:
		f->sched.puller.cache_get = val & 0x7fc;
		return;
	case NV_PFIFO_PULL0:
		nvsim_puller_resume(&f->sched.puller, nvsim_sched_current(&f->sched), val);
		break;
	case NV_PFIFO_PLAYLIST_LEN:
		playlist_write(f, val);
		return;
	case NV_PFIFO_KICK:
		f->kick_inst = val & 0x0fffffff;
		f->kick_pending = true;
		kick_done(f);
		return;
	case NV_PFIFO_PUSH1:
	case NV_PFIFO_CUR_CHAN:
		return;
	case NV_PFIFO_CACHES:
	case NV_PFIFO_PUSH0:
	case NV_PFIFO_DMA_PUSH:
	case NV_PFIFO_FREEZE:
		f->bus->reg[off / 4] = val & 1;
		break;
	default:
		f->bus->reg[off / 4] = val;
		return;
	}
	nvsim_sched_kick(&f->sched);
}

/*
 * Addresses are 40 bits wide and read in two halves: reading the low half
 * latches the high one.
 */
uint32_t nvsim_userd_read(struct nvsim_fifo *f, uint32_t off)
{
	struct nvsim_chan *c = &f->sched.chan[off / NV_USERD_STRIDE % NVSIM_CHANNELS];

	switch (off % NV_USERD_STRIDE) {
	case NV_USERD_PUT:
		c->put_hi = c->put >> 32;
		return c->put;
	case NV_USERD_PUT_HI:
		return c->put_hi;
	case NV_USERD_GET:
		c->get_hi = c->get >> 32;
		return c->get;
	case NV_USERD_GET_HI:
		return c->get_hi;
	case NV_USERD_MGET:
		c->mget_hi = c->mget >> 32 | (c->mget_valid ? 0x80000000 : 0);
		return c->mget;
	case NV_USERD_MGET_HI:
		return c->mget_hi;
	case NV_USERD_REF:
		return c->ref;
	case NV_USERD_IB_GET:
		return c->ib_get;
	case NV_USERD_IB_PUT:
		return c->ib_put;
	default:
		return 0;
	}
}

void nvsim_userd_write(struct nvsim_fifo *f, uint32_t off, uint32_t val)
{
	struct nvsim_chan *c = &f->sched.chan[off / NV_USERD_STRIDE % NVSIM_CHANNELS];

	if (off % NV_USERD_STRIDE != NV_USERD_IB_PUT || !c->bound)
		return;
	c->ib_put = val & c->ib_mask;
	nvsim_sched_kick(&f->sched);
}

uint64_t nvsim_fifo_deadline(const struct nvsim_fifo *f)
{
	uint64_t nonstall = f->sched.puller.late_nonstall_ns;

	return nonstall < f->sched.run_ns ? nonstall : f->sched.run_ns;
}

void nvsim_fifo_timer(struct nvsim_fifo *f, uint64_t now)
{
	nvsim_puller_timer(&f->sched.puller, now);
	if (f->sched.run_ns <= now)
		nvsim_sched_kick(&f->sched);
}
