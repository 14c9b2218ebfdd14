// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * PFIFO's registers, the channel table, the channel control areas, RAMHT.
 * Sources: nouveau nvkm/engine/fifo/{nv50,g84,nv04}.c, nvkm/core/ramht.c;
 * envytools hw/fifo/{dma-pusher,puller}, rnndb fifo/g80_pfifo.
 */
#include <string.h>

#include "../card.h"

/*
 * RAMFC+44, as nouveau writes it: 01003fff = time-out enabled, 0x3fff units.
 * The unit is published nowhere.  With 128 ns a slice is 2.097 ms, which is
 * the order of magnitude that people report for this generation.
 */
#define TIMESLICE_UNIT_NS	128

void nvsim_fifo_forget(struct nvsim *s)
{
	unsigned int i;

	for (i = 0; i < NVSIM_CHANNELS; i++) {
		nvsim_graph_unload(s, &s->stored[i]);
		memset(&s->stored[i], 0, sizeof(s->stored[i]));
	}
}

void nvsim_fifo_reset(struct nvsim *s)
{
	unsigned int i;

	for (i = 0; i < NVSIM_CHANNELS; i++) {
		nvsim_graph_unload(s, &s->chan[i]);
		memset(&s->chan[i], 0, sizeof(s->chan[i]));
		s->reg[NV_PFIFO_CHAN / 4 + i] = 0;
	}
	s->playlist_len = 0;
	memset(s->listed, 0, sizeof(s->listed));
	s->cur = NVSIM_NO_CHANNEL;
	s->cache_get = 0;
	s->refused = false;
	s->kick_pending = false;
	s->late_nonstall_ns = NVSIM_NEVER;
	s->reg[NV_PFIFO_INTR / 4] = 0;
	s->reg[NV_PFIFO_PUSH0 / 4] = 0;
	s->reg[NV_PFIFO_PULL0 / 4] = 0;
	s->reg[NV_PFIFO_CACHES / 4] = 0;
	s->reg[NV_PFIFO_DMA_PUSH / 4] = 1;
	s->reg[NV_PFIFO_DMA_STATE / 4] = 0;
}

/* Handle to context.  A free slot is handle 0, context 0, and matches as such. */
bool nvsim_ramht_lookup(struct nvsim *s, const struct nvsim_chan *c, uint32_t handle,
			uint32_t *context)
{
	uint32_t bits = 0, hash = 0, h, i;
	uint64_t at;

	while (c->ramht_mask >> bits)
		bits++;
	for (h = handle; h; h >>= bits)
		hash ^= h & c->ramht_mask;
	for (i = 0; i <= c->ramht_mask; i++) {
		at = c->inst + c->ramht + ((hash + i) & c->ramht_mask) * 8ull;
		if (nvsim_vram_rd32(s, at) == handle) {
			*context = nvsim_vram_rd32(s, at + 4);
			return true;
		}
	}
	return false;
}

static uint64_t slice_of(uint32_t timeslice)
{
	if (!(timeslice & 0x01000000))
		return NVSIM_NEVER;
	return ((timeslice & 0x1ffff) + 1ull) * TIMESLICE_UNIT_NS;
}

/*
 * A channel leaves the table, as all do when the card is suspended. RAMFC tells
 * where it was; the rest of it, which real RAMFCs and context images have in
 * places that are not published, waits here.
 */
static void chan_store(struct nvsim *s, uint32_t chid)
{
	struct nvsim_chan *c = &s->chan[chid], *to = &s->stored[chid];
	uint64_t ramfc = (uint64_t)(c->ctx & 0x00ffffff) << 8;

	nvsim_graph_leave(s, c);
	nvsim_graph_unload(s, to);
	nvsim_vram_wr32(s, ramfc + NV_RAMFC_IB_PUT, c->ib_put);
	nvsim_vram_wr32(s, ramfc + NV_RAMFC_IB_GET, c->ib_get);
	*to = *c;
	if (s->cur == chid) {
		s->cur = NVSIM_NO_CHANNEL;
		s->refused = false;
	}
	memset(c, 0, sizeof(*c));
}

/* The same channel comes back if its RAMFC still says what was stored. */
static void chan_restore(struct nvsim *s, uint32_t chid)
{
	struct nvsim_chan *c = &s->chan[chid], *from = &s->stored[chid], now = *c;

	if (!from->bound || from->ctx != now.ctx || from->inst != now.inst ||
	    from->ib_base != now.ib_base || from->ib_get != now.ib_get ||
	    from->ib_put != now.ib_put || !(now.ib_get | now.ib_put))
		return;
	*c = *from;
	c->serial = now.serial;
	c->slice_ns = now.slice_ns;
	memset(from, 0, sizeof(*from));
}

/* A channel gets a RAMFC: its state starts from there. */
static void chan_load(struct nvsim *s, uint32_t chid, uint32_t ctx)
{
	struct nvsim_chan *c = &s->chan[chid];
	uint64_t ramfc = (uint64_t)(ctx & 0x00ffffff) << 8;
	uint64_t now = nvsim_now(s);
	uint32_t hi, ht;

	memset(c, 0, sizeof(*c));
	c->bound = true;
	c->ctx = ctx;
	c->serial = ++s->next_serial;
	c->slice_ns = slice_of(nvsim_vram_rd32(s, ramfc + NV_RAMFC_TIMESLICE));
	c->push_dma = (nvsim_vram_rd32(s, ramfc + NV_RAMFC_PUSH_DMA) & 0xffff) << 4;
	hi = nvsim_vram_rd32(s, ramfc + NV_RAMFC_IB_HI);
	c->ib_base = nvsim_vram_rd32(s, ramfc + NV_RAMFC_IB_LO) | (uint64_t)(hi & 0xff) << 32;
	c->ib_mask = (1u << (hi >> 16 & 0x1f)) - 1;
	ht = nvsim_vram_rd32(s, ramfc + NV_RAMFC_RAMHT);
	c->ib_put = nvsim_vram_rd32(s, ramfc + NV_RAMFC_IB_PUT) & c->ib_mask;
	c->ib_get = nvsim_vram_rd32(s, ramfc + NV_RAMFC_IB_GET) & c->ib_mask;
	c->ramht = (ht & 0xffff) << 4;
	c->ramht_mask = (512u << (ht >> 27 & 3)) - 1;
	c->inst = (uint64_t)(nvsim_vram_rd32(s, ramfc + NV_RAMFC_INST) & 0x0fffffff) << 12;
	chan_restore(s, chid);
	nvsim_sched_log_flush(s);
	if (s->gpulog)
		fprintf(s->gpulog, "chan %u %u %08llx %llu %llu\n", c->serial, chid,
			(unsigned long long)c->inst, (unsigned long long)now,
			(unsigned long long)nvsim_ptimer_at(s, now));
}

static void chan_write(struct nvsim *s, uint32_t chid, uint32_t val)
{
	struct nvsim_chan *c = &s->chan[chid];
	uint32_t ctx = val & 0x7fffffff;

	s->reg[NV_PFIFO_CHAN / 4 + chid] = val;
	if (c->bound && c->ctx != ctx)
		chan_store(s, chid);
	/* 0 is the PIO channel, 127 means "no channel". */
	if (ctx && chid != 0 && chid != NVSIM_NO_CHANNEL && !c->bound)
		chan_load(s, chid, ctx);
	c->enabled = c->bound && (val & 0x80000000);
	nvsim_sched_kick(s);
}

static void playlist_write(struct nvsim *s, uint32_t count)
{
	uint64_t at = (uint64_t)(s->reg[NV_PFIFO_PLAYLIST / 4] & 0x0fffffff) << 12;
	uint32_t i, chid;

	s->playlist_len = 0;
	memset(s->listed, 0, sizeof(s->listed));
	for (i = 0; i < (count & 0xfff) && s->playlist_len < NVSIM_CHANNELS; i++) {
		chid = nvsim_vram_rd32(s, at + i * 4) & 0x7f;
		s->playlist[s->playlist_len++] = chid;
		s->listed[chid] = true;
	}
	nvsim_sched_kick(s);
}

/*
 * Kick-off: get this channel's context out of the engines.  It ends when
 * PGRAPH has finished what it was doing for the channel.
 */
static bool kick_done(struct nvsim *s)
{
	uint64_t inst = (uint64_t)s->kick_inst << 12;
	uint64_t now;

	if (!s->kick_pending)
		return true;
	now = nvsim_now(s);
	if (s->gr_cur && s->gr_cur->inst == inst && nvsim_graph_busy(s, now))
		return false;
	if (s->gr_cur && s->gr_cur->inst == inst) {
		s->gr_cur = NULL;
		s->reg[NV_PGRAPH_CTX_CUR / 4] = 0;
	}
	s->kick_pending = false;
	return true;
}

static struct nvsim_chan *current(struct nvsim *s)
{
	return s->cur == NVSIM_NO_CHANNEL ? NULL : &s->chan[s->cur];
}

static uint32_t engines(const struct nvsim_chan *c)
{
	uint32_t i, v = 0;

	for (i = 0; i < NVSIM_GR_SUBCHANNELS; i++)
		v |= (uint32_t)(c->engine[i] & 0xf) << (4 * i);
	return v;
}

/* Registers that show the channel in CACHE1. */
static bool cache1_read(struct nvsim *s, uint32_t off, uint32_t *val)
{
	static const struct nvsim_chan none;
	const struct nvsim_chan *c = current(s);

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
	default:
		return false;
	}
}

uint32_t nvsim_fifo_read(struct nvsim *s, uint32_t off)
{
	uint32_t val;

	if (cache1_read(s, off, &val))
		return val;
	switch (off) {
	case NV_PFIFO_PUSH1:
		return s->cur | 0x10000;
	case NV_PFIFO_CUR_CHAN:
		return s->cur;
	case NV_PFIFO_GET:
		return s->cache_get;
	case NV_PFIFO_PLAYLIST_LEN:
		return s->playlist_len;
	case NV_PFIFO_KICK:
		return kick_done(s) ? s->kick_inst : 0xffffffff;
	case NV_PFIFO_FLUSH:
		return 0;
	case NV_PFIFO_FREEZE:
		val = s->reg[off / 4] & 1;
		return val | val << 4;
	default:
		return s->reg[off / 4];
	}
}

/* What the driver writes to get a channel past an error. */
static bool cache1_write(struct nvsim *s, uint32_t off, uint32_t val)
{
	struct nvsim_chan dummy, *c = current(s);
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
		c->long_pending = false;
		return true;
	default:
		return false;
	}
}

/* The driver has dealt with a refused method; stepping GET over it drops it. */
static void pull0_write(struct nvsim *s, uint32_t val)
{
	struct nvsim_chan *c = current(s);

	s->reg[NV_PFIFO_PULL0 / 4] = val & 1;
	if (!(val & 1))
		return;
	if (s->refused && c && s->cache_get != s->cache_get_refused)
		c->pend.valid = false;
	s->refused = false;
}

void nvsim_fifo_write(struct nvsim *s, uint32_t off, uint32_t val)
{
	if (off >= NV_PFIFO_CHAN && off < NV_PFIFO_CHAN + NVSIM_CHANNELS * 4) {
		chan_write(s, (off - NV_PFIFO_CHAN) / 4, val);
		return;
	}
	if (cache1_write(s, off, val))
		return;
	switch (off) {
	case NV_PFIFO_INTR:
		s->reg[off / 4] &= ~val;
		return;
	case NV_PFIFO_GET:
		s->cache_get = val & 0x7fc;
		return;
	case NV_PFIFO_PULL0:
		pull0_write(s, val);
		break;
	case NV_PFIFO_PLAYLIST_LEN:
		playlist_write(s, val);
		return;
	case NV_PFIFO_KICK:
		s->kick_inst = val & 0x0fffffff;
		s->kick_pending = true;
		kick_done(s);
		return;
	case NV_PFIFO_PUSH1:
	case NV_PFIFO_CUR_CHAN:
		return;
	case NV_PFIFO_CACHES:
	case NV_PFIFO_PUSH0:
	case NV_PFIFO_DMA_PUSH:
	case NV_PFIFO_FREEZE:
		s->reg[off / 4] = val & 1;
		break;
	default:
		s->reg[off / 4] = val;
		return;
	}
	nvsim_sched_kick(s);
}

/*
 * Addresses are 40 bits wide and read in two halves: reading the low half
 * latches the high one.
 */
uint32_t nvsim_userd_read(struct nvsim *s, uint32_t off)
{
	struct nvsim_chan *c = &s->chan[off / NV_USERD_STRIDE % NVSIM_CHANNELS];

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

void nvsim_userd_write(struct nvsim *s, uint32_t off, uint32_t val)
{
	struct nvsim_chan *c = &s->chan[off / NV_USERD_STRIDE % NVSIM_CHANNELS];

	if (off % NV_USERD_STRIDE != NV_USERD_IB_PUT || !c->bound)
		return;
	c->ib_put = val & c->ib_mask;
	nvsim_sched_kick(s);
	nvsim_irq_update(s);
	nvsim_timer_update(s);
}
