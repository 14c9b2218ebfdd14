// SPDX-License-Identifier: GPL-2.0-or-later
/* Sources: envytools docs/hw/fifo/puller.rst; nouveau nvkm/engine/fifo/nv04.c. */
#include "puller.h"

#include "../bus/bits.h"

/* A host method, an assumption. */
#define METHOD_NS	4

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

bool nvsim_puller_knows(uint32_t mthd)
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

/* Reads that are repeated are another engine's (docs/hw/fifo/puller.rst). */
static struct nvsim_vm sem_vm(const struct nvsim_chan *c, bool write)
{
	return (struct nvsim_vm) {
		.inst = c->gr.inst,
		.engine = c->acquiring ? NVSIM_VM_ENGINE_PFIFO_BG : NVSIM_VM_ENGINE_PFIFO,
		.client = write ? NVSIM_VM_CLIENT_PFIFO_WRITE : NVSIM_VM_CLIENT_PFIFO_READ,
		.subclient = 1,
	};
}

void nvsim_puller_reset(struct nvsim_puller *p)
{
	p->refused = false;
	p->cache_get = 0;
	p->late_nonstall_ns = NVSIM_NEVER;
}

void nvsim_puller_resume(struct nvsim_puller *p, struct nvsim_chan *c, uint32_t val)
{
	p->bus->reg[NV_PFIFO_PULL0 / 4] = val & 1;
	if (!(val & 1))
		return;
	/* stepping GET over the method drops it */
	if (p->refused && c && p->cache_get != p->cache_get_refused)
		c->pend.valid = false;
	p->refused = false;
}

void nvsim_puller_timer(struct nvsim_puller *p, uint64_t now)
{
	if (p->late_nonstall_ns > now)
		return;
	p->late_nonstall_ns = NVSIM_NEVER;
	p->bus->reg[NV_PFIFO_INTR / 4] |= NV_PFIFO_INTR_NONSTALL;
}

/*
 * The puller stops with the method in CACHE1.  The driver looks at it there,
 * perhaps executes it itself (software objects), steps GET over it and
 * restarts the puller.
 */
static enum nvsim_step refuse(struct nvsim_puller *p, struct nvsim_chan *c, uint32_t intr,
			      uint32_t pull0)
{
	uint32_t slot = (p->cache_get & 0x7ff) >> 2;
	uint32_t *reg = p->bus->reg;

	reg[NV_PFIFO_CACHE_MTHD / 4 + slot * 2] = (uint32_t)c->pend.subc << 13 | c->pend.addr;
	reg[NV_PFIFO_CACHE_MTHD / 4 + slot * 2 + 1] = c->pend.data;
	reg[NV_PFIFO_PULL0 / 4] = pull0;
	reg[NV_PFIFO_INTR / 4] |= intr;
	p->cache_get_refused = p->cache_get;
	p->refused = true;
	return NVSIM_STEP_STALLED;
}

static enum nvsim_step cache_error(struct nvsim_puller *p, struct nvsim_chan *c, uint32_t pull0)
{
	return refuse(p, c, NV_PFIFO_INTR_CACHE_ERROR, pull0);
}

static enum nvsim_step sem_error(struct nvsim_puller *p, struct nvsim_chan *c,
				 enum nvsim_sem_error e)
{
	return refuse(p, c, NV_PFIFO_INTR_SEMAPHORE, NV_PULL0_SEM_ERROR(e));
}

static enum nvsim_step done(struct nvsim_puller *p, struct nvsim_chan *c)
{
	c->pend.valid = false;
	nvsim_occupancy_charge(p->occupancy, c, METHOD_NS);
	return NVSIM_STEP_DONE;
}

static enum nvsim_step engine_method(struct nvsim_puller *p, struct nvsim_chan *c, uint32_t data,
				     uint64_t now)
{
	struct nvsim_mthd m = c->pend;

	m.data = data;
	switch (nvsim_graph_exec(p->graph, &c->gr, &m, now)) {
	case NVSIM_GRAPH_DONE:
		c->pend.valid = false;
		return NVSIM_STEP_DONE;
	case NVSIM_GRAPH_EARLY:
		return NVSIM_STEP_SETTLE;
	case NVSIM_GRAPH_HUNG:
		return NVSIM_STEP_BLOCKED;
	default:
		return NVSIM_STEP_STALLED;
	}
}

static enum nvsim_step bind_object(struct nvsim_puller *p, struct nvsim_chan *c, uint64_t now)
{
	uint32_t context;

	if (!nvsim_chan_lookup(c, p->mmu->vram, c->pend.data, &context))
		return cache_error(p, c, NV_PULL0_HASH_FAILED);
	p->bus->reg[NV_PFIFO_HASH / 4] = context & 0xffff;
	switch (context >> 20 & 0xf) {
	case 0:
		c->engine[c->pend.subc] = 0;
		return cache_error(p, c, NV_PULL0_SOFTWARE);
	case 1:
		c->engine[c->pend.subc] = 1;
		return engine_method(p, c, (context & 0xffff) << 4, now);
	default:
		return cache_error(p, c, NV_PULL0_BAD_ENGINE);
	}
}

static bool acquire_met(const struct nvsim_chan *c, uint32_t value)
{
	return c->acq_geq ? (int32_t)(value - c->acq_value) >= 0 : value == c->acq_value;
}

static bool sem_read(struct nvsim_puller *p, struct nvsim_chan *c, uint32_t *value)
{
	struct nvsim_vm vm = sem_vm(c, false);
	uint8_t b[4];

	if (!nvsim_mmu_read(p->mmu, &vm, c->sem_dma, c->acq_addr, b, sizeof(b)))
		return false;
	*value = nvsim_ld32(b);
	return true;
}

bool nvsim_puller_acquired(struct nvsim_puller *p, struct nvsim_chan *c)
{
	bool had = p->mmu->fault;
	uint32_t value;

	if (sem_read(p, c, &value))
		return acquire_met(c, value);
	p->mmu->fault = had;
	return true;
}

static enum nvsim_step acquire(struct nvsim_puller *p, struct nvsim_chan *c, uint64_t addr,
			       uint32_t value, bool geq)
{
	uint32_t have;

	c->acq_addr = addr;
	c->acq_value = value;
	c->acq_geq = geq;
	if (!sem_read(p, c, &have)) {
		c->acquiring = false;
		return sem_error(p, c, NV_SEM_MEM_FAULT);
	}
	c->acquiring = !acquire_met(c, have);
	if (c->acquiring)
		return NVSIM_STEP_BLOCKED;
	return done(p, c);
}

/* bytes: 16 = value, 0, PTIMER time; 4 = the old style, value only. */
static enum nvsim_step release(struct nvsim_puller *p, struct nvsim_chan *c, uint64_t addr,
			       uint32_t value, unsigned int bytes)
{
	struct nvsim_vm vm = sem_vm(c, true);
	uint64_t t = nvsim_gpu_time_ns(p->bus);
	uint8_t b[16];

	nvsim_st32(b, value);
	nvsim_st32(b + 4, 0);
	nvsim_st32(b + 8, t);
	nvsim_st32(b + 12, t >> 32);
	if (!nvsim_mmu_write(p->mmu, &vm, c->sem_dma, addr, b, bytes))
		return sem_error(p, c, NV_SEM_MEM_FAULT);
	c->gr.releases++;
	p->poll_ns = 0;
	return done(p, c);
}

/*
 * The operation is the low three bits. One that there is not reads memory like
 * an acquire, and then hangs. That the channel hangs and not all of PFIFO is an
 * assumption.
 */
static enum nvsim_step sem_trigger(struct nvsim_puller *p, struct nvsim_chan *c)
{
	uint32_t have;

	switch (c->pend.data & 7) {
	case 1:
		return acquire(p, c, c->sem_addr, c->sem_seq, false);
	case 2:
		return release(p, c, c->sem_addr, c->sem_seq, 16);
	case 4:
		return acquire(p, c, c->sem_addr, c->sem_seq, true);
	default:
		c->acq_addr = c->sem_addr;
		if (!sem_read(p, c, &have))
			return sem_error(p, c, NV_SEM_MEM_FAULT);
		c->gr.hung = true;
		return NVSIM_STEP_BLOCKED;
	}
}

static enum nvsim_step nonstall(struct nvsim_puller *p, struct nvsim_chan *c)
{
	uint64_t nth = ++p->nonstalls;
	uint32_t chid = c->gr.chid;
	struct nvsim_fault *f;

	if (nvsim_fault_hit(p->faults, NVSIM_FAULT_LOST_NONSTALL, chid, nth))
		return done(p, c);
	f = nvsim_fault_hit(p->faults, NVSIM_FAULT_LATE_NONSTALL, chid, nth);
	if (f)
		p->late_nonstall_ns = p->bus->gpu_ns + f->delay_ns;
	else
		p->bus->reg[NV_PFIFO_INTR / 4] |= NV_PFIFO_INTR_NONSTALL;
	return done(p, c);
}

static enum nvsim_step sem_dma(struct nvsim_puller *p, struct nvsim_chan *c)
{
	uint32_t context;

	if (!nvsim_chan_lookup(c, p->mmu->vram, c->pend.data, &context))
		return cache_error(p, c, NV_PULL0_HASH_FAILED);
	c->sem_dma = (context & 0xffff) << 4;
	return done(p, c);
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

static enum nvsim_step host_exec(struct nvsim_puller *p, struct nvsim_chan *c, uint64_t now)
{
	uint32_t data = c->pend.data;

	switch (c->pend.addr) {
	case HOST_BIND:
		return bind_object(p, c, now);
	case HOST_SEM_ADDR_HI:
		if (data >> 8)
			return sem_error(p, c, NV_SEM_TOO_LARGE);
		c->sem_addr = (uint64_t)data << 32 | (uint32_t)c->sem_addr;
		return done(p, c);
	case HOST_SEM_ADDR_LO:
		if (data & 3)
			return sem_error(p, c, NV_SEM_UNALIGNED);
		c->sem_addr = (c->sem_addr & ~0xffffffffull) | data;
		return done(p, c);
	case HOST_SEM_SEQUENCE:
		c->sem_seq = data;
		return done(p, c);
	case HOST_SEM_TRIGGER:
		return sem_trigger(p, c);
	case HOST_NONSTALL:
		return nonstall(p, c);
	case HOST_SET_REF:
		c->ref = data;
		return done(p, c);
	case HOST_SEM_DMA:
		return sem_dma(p, c);
	case HOST_SEM_OFFSET:
		if (data & 3)
			return sem_error(p, c, NV_SEM_UNALIGNED);
		if (data >> 16)
			return sem_error(p, c, NV_SEM_TOO_LARGE);
		c->sem_off = data;
		c->sem_off_valid = true;
		return done(p, c);
	case HOST_SEM_ACQUIRE:
		if (!c->sem_off_valid)
			return sem_error(p, c, NV_SEM_INVALID_STATE);
		return acquire(p, c, c->sem_off, data, false);
	case HOST_SEM_RELEASE:
		if (!c->sem_off_valid)
			return sem_error(p, c, NV_SEM_INVALID_STATE);
		return release(p, c, c->sem_off, data, 4);
	case HOST_YIELD:
		done(p, c);
		return NVSIM_STEP_YIELD;
	default: /* WRCACHE_FLUSH: the model has no cache to write back */
		return done(p, c);
	}
}

/* An engine method; 0x180-0x1fc carry handles. */
static enum nvsim_step engine_exec(struct nvsim_puller *p, struct nvsim_chan *c, uint64_t now)
{
	uint32_t context, data = c->pend.data;
	bool handle = c->pend.addr >= 0x180 && c->pend.addr < 0x200;

	if (handle) {
		if (!nvsim_chan_lookup(c, p->mmu->vram, data, &context))
			return cache_error(p, c, NV_PULL0_HASH_FAILED);
		p->bus->reg[NV_PFIFO_HASH / 4] = context & 0xffff;
		data = (context & 0xffff) << 4;
	}
	/* Engine 0 is software; a subchannel that was never bound has it too. */
	if (c->engine[c->pend.subc] == 0)
		return cache_error(p, c, NV_PULL0_SOFTWARE);
	if (c->engine[c->pend.subc] != 1)
		return cache_error(p, c, NV_PULL0_BAD_ENGINE);
	return engine_method(p, c, data, now);
}

enum nvsim_step nvsim_puller_exec(struct nvsim_puller *p, struct nvsim_chan *c, uint64_t now)
{
	if (c->pend.addr >= 0x100)
		return engine_exec(p, c, now);
	if (waits_for_idle(c->pend.addr)) {
		if (p->bus->gpu_ns > now)
			return NVSIM_STEP_SETTLE;
		/* idle never comes while PGRAPH is stopped with this channel */
		if (nvsim_graph_stopped(p->graph) && p->graph->cur == &c->gr)
			return NVSIM_STEP_STALLED;
	}
	return host_exec(p, c, now);
}
