// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The pusher turns IB entries and push buffers into methods; the puller
 * executes the host's own methods and hands the rest to PGRAPH.
 * Sources: envytools hw/fifo/dma-pusher and puller; nouveau
 * nvkm/engine/fifo/nv04.c for what the driver looks at after an error.
 */
#include <string.h>

#include "../card.h"

/* Fetching an IB entry and the first line of its segment; an assumption. */
#define IB_ENTRY_NS	100
/* Words that are no engine method (headers, host methods, skips). */
#define WORD_NS		4

enum host_mthd {
	HOST_BIND		= 0x00,
	HOST_SEM_ADDR_HI	= 0x10,
	HOST_SEM_ADDR_LO	= 0x14,
	HOST_SEM_SEQUENCE	= 0x18,
	HOST_SEM_TRIGGER	= 0x1c,
	HOST_NONSTALL		= 0x20,
	HOST_WRCACHE_FLUSH	= 0x24,
	HOST_SET_REF		= 0x50,
	HOST_SEM_DMA		= 0x60,
	HOST_SEM_OFFSET		= 0x64,
	HOST_SEM_ACQUIRE	= 0x68,
	HOST_SEM_RELEASE	= 0x6c,
	HOST_YIELD		= 0x80,
};

static bool host_mthd_known(uint32_t mthd)
{
	switch (mthd) {
	case HOST_BIND:
	case HOST_SEM_ADDR_HI:
	case HOST_SEM_ADDR_LO:
	case HOST_SEM_SEQUENCE:
	case HOST_SEM_TRIGGER:
	case HOST_NONSTALL:
	case HOST_WRCACHE_FLUSH:
	case HOST_SET_REF:
	case HOST_SEM_DMA:
	case HOST_SEM_OFFSET:
	case HOST_SEM_ACQUIRE:
	case HOST_SEM_RELEASE:
	case HOST_YIELD:
		return true;
	default:
		return false;
	}
}

static struct nvsim_vm push_vm(const struct nvsim_chan *c)
{
	return (struct nvsim_vm) {
		.inst = c->inst,
		.engine = NVSIM_VM_ENGINE_PFIFO,
		.client = NVSIM_VM_CLIENT_PFIFO_READ,
		.subclient = 0,
	};
}

static struct nvsim_vm sem_vm(const struct nvsim_chan *c, bool write)
{
	return (struct nvsim_vm) {
		.inst = c->inst,
		.engine = NVSIM_VM_ENGINE_PFIFO,
		.client = write ? NVSIM_VM_CLIENT_PFIFO_WRITE : NVSIM_VM_CLIENT_PFIFO_READ,
		.subclient = 1,
	};
}

/* The pusher stops, and says why; the driver drops the segment and restarts it. */
static enum nvsim_step pusher_error(struct nvsim *s, struct nvsim_chan *c, enum nvsim_dma_error e)
{
	s->reg[NV_PFIFO_DMA_STATE / 4] = (uint32_t)e << 29 | (uint32_t)c->subc << 13 | c->mthd;
	s->reg[NV_PFIFO_DMA_PUSH / 4] &= ~1u;
	s->reg[NV_PFIFO_INTR / 4] |= NV_PFIFO_INTR_DMA_PUSHER;
	return NVSIM_STEP_STALLED;
}

bool nvsim_pusher_has_work(struct nvsim *s, struct nvsim_chan *c)
{
	if (c->acquiring)
		return nvsim_puller_acquired(s, c);
	return c->pend.valid || c->get != c->put || c->ib_get != c->ib_put;
}

static enum nvsim_step next_segment(struct nvsim *s, struct nvsim_chan *c)
{
	struct nvsim_vm vm = push_vm(c);
	uint32_t w0, w1, size;
	uint8_t b[8];

	if (c->ib_get == c->ib_put)
		return NVSIM_STEP_EMPTY;
	if (!nvsim_mmu_read(s, &vm, c->push_dma, c->ib_base + c->ib_get * 8ull, b, sizeof(b)))
		return pusher_error(s, c, NV_DMA_MEM_FAULT);
	w0 = nvsim_ld32(b);
	w1 = nvsim_ld32(b + 4);
	size = w1 >> 10 & 0x1fffff;
	if (!size)
		return pusher_error(s, c, NV_DMA_IB_EMPTY);
	c->ib_get = (c->ib_get + 1) & c->ib_mask;
	c->get = (w0 & ~3u) | (uint64_t)(w1 & 0xff) << 32;
	c->put = (c->get + size * 4ull) & 0xffffffffffull;
	c->nonmain = w1 >> 9 & 1;
	c->words = 0;
	if (!c->nonmain) {
		c->mget = c->get;
		c->mget_valid = true;
	}
	nvsim_sched_charge(s, c, IB_ENTRY_NS);
	return NVSIM_STEP_DONE;
}

/* Words come in lines of 128 bytes, as nouveau programs the fetcher. */
static bool next_word(struct nvsim *s, struct nvsim_chan *c, uint32_t *word)
{
	struct nvsim_vm vm = push_vm(c);
	uint8_t b[NVSIM_FETCH_WORDS * 4];
	uint64_t n;
	uint32_t i;

	if (!c->words || c->get < c->word_base || c->get >= c->word_base + c->words * 4ull) {
		n = (c->put - c->get) & 0xffffffffffull;
		if (n > sizeof(b))
			n = sizeof(b);
		if (!nvsim_mmu_read(s, &vm, c->push_dma, c->get, b, n))
			return false;
		c->word_base = c->get;
		c->words = n / 4;
		for (i = 0; i < c->words; i++)
			c->word[i] = nvsim_ld32(b + i * 4);
	}
	*word = c->word[(c->get - c->word_base) / 4];
	return true;
}

static void advance(struct nvsim_chan *c)
{
	c->get = (c->get + 4) & 0xffffffffffull;
	if (!c->nonmain)
		c->mget = c->get;
}

/* A word where a command is expected. */
static bool command(struct nvsim_chan *c, uint32_t w)
{
	if ((w & 0xe0030003) == 0x00000000 || (w & 0xe0030003) == 0x40000000) {
		c->noninc = w >> 30;
		c->count = w >> 18 & 0x7ff;
	} else if ((w & 0xffff0003) == 0x00030000) {
		c->noninc = true;
		c->long_pending = true;
		c->count = 0;
	} else {
		/* jumps, calls and returns exist outside of IB mode only */
		return false;
	}
	c->mthd = w & 0x1ffc;
	c->subc = w >> 13 & 7;
	return true;
}

static enum nvsim_step push_word(struct nvsim *s, struct nvsim_chan *c)
{
	uint32_t w;

	if (!next_word(s, c, &w))
		return pusher_error(s, c, NV_DMA_MEM_FAULT);
	if (c->long_pending) {
		c->long_pending = false;
		c->count = w & 0xffffff;
	} else if (!c->count) {
		if (!command(c, w))
			return pusher_error(s, c, NV_DMA_INVALID_CMD);
	} else {
		if (c->mthd < 0x100 && !host_mthd_known(c->mthd))
			return pusher_error(s, c, NV_DMA_INVALID_MTHD);
		c->pend = (struct nvsim_mthd) { true, c->subc, c->mthd, w };
		c->count--;
		if (!c->noninc)
			c->mthd = (c->mthd + 4) & 0x1ffc;
		advance(c);
		return NVSIM_STEP_DONE;
	}
	advance(c);
	nvsim_sched_charge(s, c, WORD_NS);
	return NVSIM_STEP_DONE;
}

enum nvsim_step nvsim_pusher_step(struct nvsim *s, struct nvsim_chan *c, uint64_t now)
{
	if (c->pend.valid) {
		if (!(s->reg[NV_PFIFO_PULL0 / 4] & 1))
			return NVSIM_STEP_STALLED;
		return nvsim_puller_exec(s, c, now);
	}
	if (!(s->reg[NV_PFIFO_DMA_PUSH / 4] & 1) || !(s->reg[NV_PFIFO_PUSH0 / 4] & 1))
		return NVSIM_STEP_STALLED;
	if (c->get == c->put)
		return next_segment(s, c);
	return push_word(s, c);
}

/*
 * The puller stops with the method in CACHE1.  The driver looks at it there,
 * perhaps executes it itself (software objects), steps GET over it and
 * restarts the puller.
 */
static enum nvsim_step refuse(struct nvsim *s, struct nvsim_chan *c, uint32_t intr,
			      uint32_t pull0)
{
	uint32_t slot = (s->cache_get & 0x7ff) >> 2;

	s->reg[NV_PFIFO_CACHE_MTHD / 4 + slot * 2] = (uint32_t)c->pend.subc << 13 | c->pend.addr;
	s->reg[NV_PFIFO_CACHE_MTHD / 4 + slot * 2 + 1] = c->pend.data;
	s->reg[NV_PFIFO_PULL0 / 4] = pull0;
	s->reg[NV_PFIFO_INTR / 4] |= intr;
	s->cache_get_refused = s->cache_get;
	s->refused = true;
	return NVSIM_STEP_STALLED;
}

static enum nvsim_step cache_error(struct nvsim *s, struct nvsim_chan *c, uint32_t pull0)
{
	return refuse(s, c, NV_PFIFO_INTR_CACHE_ERROR, pull0);
}

static enum nvsim_step sem_error(struct nvsim *s, struct nvsim_chan *c, enum nvsim_sem_error e)
{
	return refuse(s, c, NV_PFIFO_INTR_SEMAPHORE, NV_PULL0_SEM_ERROR(e));
}

static enum nvsim_step done(struct nvsim *s, struct nvsim_chan *c)
{
	c->pend.valid = false;
	nvsim_sched_charge(s, c, WORD_NS);
	return NVSIM_STEP_DONE;
}

static enum nvsim_step bind_object(struct nvsim *s, struct nvsim_chan *c, uint64_t now)
{
	uint32_t context;

	if (!nvsim_ramht_lookup(s, c, c->pend.data, &context))
		return cache_error(s, c, NV_PULL0_HASH_FAILED);
	s->reg[NV_PFIFO_HASH / 4] = context & 0xffff;
	switch (context >> 20 & 0xf) {
	case 0:
		c->engine[c->pend.subc] = 0;
		return cache_error(s, c, NV_PULL0_SOFTWARE);
	case 1:
		c->engine[c->pend.subc] = 1;
		return nvsim_graph_exec(s, c, (context & 0xffff) << 4, now);
	default:
		return cache_error(s, c, NV_PULL0_BAD_ENGINE);
	}
}

static bool acquire_met(const struct nvsim_chan *c, uint32_t value)
{
	return c->acq_geq ? (int32_t)(value - c->acq_value) >= 0 : value == c->acq_value;
}

static bool sem_read(struct nvsim *s, struct nvsim_chan *c, uint32_t *value)
{
	struct nvsim_vm vm = sem_vm(c, false);
	uint8_t b[4];

	if (!nvsim_mmu_read(s, &vm, c->sem_dma, c->acq_addr, b, sizeof(b)))
		return false;
	*value = nvsim_ld32(b);
	return true;
}

/* May the waiting channel go on?  A fault says yes: then it is reported. */
bool nvsim_puller_acquired(struct nvsim *s, struct nvsim_chan *c)
{
	bool had = s->vm_fault;
	uint32_t value;

	if (sem_read(s, c, &value))
		return acquire_met(c, value);
	s->vm_fault = had;
	return true;
}

static enum nvsim_step acquire(struct nvsim *s, struct nvsim_chan *c, uint64_t addr,
			       uint32_t value, bool geq)
{
	uint32_t have;

	if (!c->sem_dma)
		return sem_error(s, c, NV_SEM_INVALID_STATE);
	if (addr & 3)
		return sem_error(s, c, NV_SEM_UNALIGNED);
	c->acq_addr = addr;
	c->acq_value = value;
	c->acq_geq = geq;
	if (!sem_read(s, c, &have)) {
		c->acquiring = false;
		return sem_error(s, c, NV_SEM_MEM_FAULT);
	}
	c->acquiring = !acquire_met(c, have);
	if (c->acquiring)
		return NVSIM_STEP_BLOCKED;
	return done(s, c);
}

/* bytes: 16 = value, 0, PTIMER time; 4 = the old style, value only. */
static enum nvsim_step release(struct nvsim *s, struct nvsim_chan *c, uint64_t addr,
			       uint32_t value, unsigned int bytes)
{
	struct nvsim_vm vm = sem_vm(c, true);
	uint64_t t = nvsim_ptimer_at(s, s->gpu_ns);
	uint8_t b[16];

	if (!c->sem_dma)
		return sem_error(s, c, NV_SEM_INVALID_STATE);
	if (addr & 3)
		return sem_error(s, c, NV_SEM_UNALIGNED);
	nvsim_st32(b, value);
	nvsim_st32(b + 4, 0);
	nvsim_st32(b + 8, t);
	nvsim_st32(b + 12, t >> 32);
	if (!nvsim_mmu_write(s, &vm, c->sem_dma, addr, b, bytes))
		return sem_error(s, c, NV_SEM_MEM_FAULT);
	c->releases++;
	s->poll_ns = 0;
	return done(s, c);
}

static enum nvsim_step sem_trigger(struct nvsim *s, struct nvsim_chan *c)
{
	switch (c->pend.data) {
	case 1:
		return acquire(s, c, c->sem_addr, c->sem_seq, false);
	case 2:
		return release(s, c, c->sem_addr, c->sem_seq, 16);
	case 4:
		return acquire(s, c, c->sem_addr, c->sem_seq, true);
	default:
		return sem_error(s, c, NV_SEM_INVALID_STATE);
	}
}

static enum nvsim_step nonstall(struct nvsim *s, struct nvsim_chan *c)
{
	uint64_t nth = ++s->nonstalls;
	uint32_t chid = c - s->chan;
	struct nvsim_fault *f;

	if (nvsim_fault_hit(s, NVSIM_FAULT_LOST_NONSTALL, chid, nth))
		return done(s, c);
	f = nvsim_fault_hit(s, NVSIM_FAULT_LATE_NONSTALL, chid, nth);
	if (f)
		s->late_nonstall_ns = s->gpu_ns + f->delay_ns;
	else
		s->reg[NV_PFIFO_INTR / 4] |= NV_PFIFO_INTR_NONSTALL;
	return done(s, c);
}

static enum nvsim_step sem_dma(struct nvsim *s, struct nvsim_chan *c)
{
	uint32_t context;

	if (!nvsim_ramht_lookup(s, c, c->pend.data, &context))
		return cache_error(s, c, NV_PULL0_HASH_FAILED);
	c->sem_dma = (context & 0xffff) << 4;
	return done(s, c);
}

static bool waits_for_idle(uint32_t mthd)
{
	switch (mthd) {
	case HOST_SEM_TRIGGER:
	case HOST_SEM_ACQUIRE:
	case HOST_SEM_RELEASE:
	case HOST_NONSTALL:
	case HOST_SET_REF:
	case HOST_YIELD:
		return true;
	default:
		return false;
	}
}

static enum nvsim_step host_exec(struct nvsim *s, struct nvsim_chan *c, uint64_t now)
{
	uint32_t data = c->pend.data;

	switch (c->pend.addr) {
	case HOST_BIND:
		return bind_object(s, c, now);
	case HOST_SEM_ADDR_HI:
		if (data >> 8)
			return sem_error(s, c, NV_SEM_TOO_LARGE);
		c->sem_addr = (uint64_t)data << 32 | (uint32_t)c->sem_addr;
		return done(s, c);
	case HOST_SEM_ADDR_LO:
		c->sem_addr = (c->sem_addr & ~0xffffffffull) | data;
		return done(s, c);
	case HOST_SEM_SEQUENCE:
		c->sem_seq = data;
		return done(s, c);
	case HOST_SEM_TRIGGER:
		return sem_trigger(s, c);
	case HOST_NONSTALL:
		return nonstall(s, c);
	case HOST_SET_REF:
		c->ref = data;
		return done(s, c);
	case HOST_SEM_DMA:
		return sem_dma(s, c);
	case HOST_SEM_OFFSET:
		if (data >> 16)
			return sem_error(s, c, NV_SEM_TOO_LARGE);
		c->sem_off = data;
		c->sem_off_valid = true;
		return done(s, c);
	case HOST_SEM_ACQUIRE:
		if (!c->sem_off_valid)
			return sem_error(s, c, NV_SEM_INVALID_STATE);
		return acquire(s, c, c->sem_off, data, false);
	case HOST_SEM_RELEASE:
		if (!c->sem_off_valid)
			return sem_error(s, c, NV_SEM_INVALID_STATE);
		return release(s, c, c->sem_off, data, 4);
	case HOST_YIELD:
		done(s, c);
		return NVSIM_STEP_YIELD;
	default: /* WRCACHE_FLUSH: the model has no cache to write back */
		return done(s, c);
	}
}

/* An engine method; 0x180-0x1fc carry handles. */
static enum nvsim_step engine_exec(struct nvsim *s, struct nvsim_chan *c, uint64_t now)
{
	uint32_t context, data = c->pend.data;
	bool handle = c->pend.addr >= 0x180 && c->pend.addr < 0x200;

	if (handle) {
		if (!nvsim_ramht_lookup(s, c, data, &context))
			return cache_error(s, c, NV_PULL0_HASH_FAILED);
		s->reg[NV_PFIFO_HASH / 4] = context & 0xffff;
		data = (context & 0xffff) << 4;
	}
	/* Engine 0 is software; a subchannel that was never bound has it too. */
	if (c->engine[c->pend.subc] == 0)
		return cache_error(s, c, NV_PULL0_SOFTWARE);
	if (c->engine[c->pend.subc] != 1)
		return cache_error(s, c, NV_PULL0_BAD_ENGINE);
	return nvsim_graph_exec(s, c, data, now);
}

enum nvsim_step nvsim_puller_exec(struct nvsim *s, struct nvsim_chan *c, uint64_t now)
{
	if (c->pend.addr >= 0x100)
		return engine_exec(s, c, now);
	if (waits_for_idle(c->pend.addr)) {
		if (s->gpu_ns > now)
			return NVSIM_STEP_SETTLE;
		/* idle never comes while PGRAPH is stopped with this channel */
		if (nvsim_graph_stopped(s) && s->gr_cur == c)
			return NVSIM_STEP_STALLED;
	}
	return host_exec(s, c, now);
}
