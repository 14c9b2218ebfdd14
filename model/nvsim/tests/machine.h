/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A host for the card without QEMU: a clock that the test turns, some system
 * memory, an interrupt line, and just enough of a driver to set up channels
 * the way nouveau does, through registers and PRAMIN only.
 */
#ifndef MACHINE_H
#define MACHINE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../bus/bits.h"
#include "../card.h"
#include "../nvsim.h"
#include "tap.h"

#define RAM_BASE	0x10000000ull	/* bus address of system memory */
#define RAM_BYTES	(16u << 20)
#define VRAM_BYTES	(64u << 20)
#define MB		(1u << 20)

/* Offsets inside an instance block; the fixed ones are nouveau's. */
#define I_GRCTX		0x0020
#define I_PD		0x0200
#define I_RAMFC		0x4200
#define I_RAMHT		0x5400
#define I_VM		0xd400	/* DMA object: all of the address space */
#define I_M2MF		0xd420	/* object of class 5039 */
#define I_NTFY		0xd440	/* DMA object: one page for notifiers */
#define I_SW		0xd460

#define H_VM		0xbeef0201u
#define H_M2MF		0xbeef5039u
#define H_NTFY		0xbeef0301u
#define H_SW		0xbeef506eu

/* Virtual addresses that every channel has. */
#define VA_RAM		0x00100000ull	/* system memory, 4 KiB pages: RAM_BYTES */
#define VA_VRAM		0x20000000ull	/* VRAM from V_DATA on, 64 KiB pages: 16 MiB */
#define V_DATA		(32u << 20)
#define VA_RO		0x01900000ull	/* one read-only page of VRAM */

struct machine {
	struct nvsim *s;
	uint64_t now, timer;
	bool irq;
	unsigned int irqs;
	uint8_t *ram;
	uint32_t bump;		/* next free VRAM */
	uint32_t ram_bump;
	unsigned int timers;
	char log[4096];
	bool reenter;
};

struct chan {
	struct machine *m;
	uint32_t id, inst;
	uint32_t ib;		/* offset of the IB ring in RAM */
	uint32_t ib_put, ib_order;
	uint32_t pb, pb_put;	/* push buffer in RAM */
	uint32_t pb_start;
};

static inline uint64_t machine_now(void *host)
{
	return ((struct machine *)host)->now;
}

static inline void machine_irq(void *host, bool level)
{
	struct machine *m = host;

	m->irq = level;
	m->irqs += level;
}

static inline void machine_timer(void *host, uint64_t t)
{
	((struct machine *)host)->timer = t;
}

static inline bool machine_dma(struct machine *m, uint64_t addr, size_t len)
{
	/* like a device that reaches its own BAR: must not do anything */
	if (m->reenter) {
		nvsim_mmio_write(m->s, 0x200, 0, 4);
		nvsim_bar1_write(m->s, 0, ~0ull, 8);
		nvsim_timer(m->s);
		(void)nvsim_mmio_read(m->s, 0, 4);
	}
	return addr >= RAM_BASE && addr - RAM_BASE <= RAM_BYTES &&
	       len <= RAM_BYTES - (addr - RAM_BASE);
}

static inline bool machine_dma_read(void *host, uint64_t addr, void *buf, size_t len)
{
	struct machine *m = host;

	if (!machine_dma(m, addr, len))
		return false;
	memcpy(buf, m->ram + (addr - RAM_BASE), len);
	return true;
}

static inline bool machine_dma_write(void *host, uint64_t addr, const void *buf, size_t len)
{
	struct machine *m = host;

	if (!machine_dma(m, addr, len))
		return false;
	memcpy(m->ram + (addr - RAM_BASE), buf, len);
	return true;
}

static inline void machine_log(void *host, const char *line)
{
	struct machine *m = host;

	snprintf(m->log + strlen(m->log), sizeof(m->log) - strlen(m->log), "%s\n", line);
}

static inline uint32_t rd(struct machine *m, uint32_t off)
{
	return nvsim_mmio_read(m->s, off, 4);
}

static inline void wr(struct machine *m, uint32_t off, uint32_t val)
{
	nvsim_mmio_write(m->s, off, val, 4);
}

/* VRAM through PRAMIN, as a driver without BAR3 does it. */
static inline void vw(struct machine *m, uint32_t addr, uint32_t val)
{
	wr(m, 0x1700, addr >> 16 & ~0xfu);
	wr(m, 0x700000 + (addr & 0xfffff), val);
}

/* docs/hw/mmio.rst */
static inline uint32_t vr(struct machine *m, uint32_t addr)
{
	wr(m, 0x1700, addr >> 16 & ~0xfu);
	return rd(m, 0x700000 + (addr & 0xfffff));
}

static inline void rw(struct machine *m, uint32_t off, uint32_t val)
{
	nvsim_st32(m->ram + off, val);
}

static inline uint32_t rr(struct machine *m, uint32_t off)
{
	return nvsim_ld32(m->ram + off);
}

static inline struct nvsim_mmu *mmu(struct machine *m)
{
	return &m->s->mem.mmu;
}

static inline struct nvsim_vram *vram(struct machine *m)
{
	return &m->s->mem.vram;
}

/* What the card knows of a channel. */
static inline const struct nvsim_chan *chan_state(const struct machine *m, uint32_t id)
{
	return &m->s->fifo.sched.chan[id];
}

/* Time passes; the card's timer fires when it is due. */
static inline void run_until(struct machine *m, uint64_t t)
{
	unsigned int guard = 0;

	while (m->timer <= t && guard++ < 10000000) {
		if (m->now < m->timer)
			m->now = m->timer;
		m->timer = NVSIM_NEVER;
		m->timers++;
		nvsim_timer(m->s);
	}
	if (m->now < t)
		m->now = t;
}

static inline void run_for(struct machine *m, uint64_t ns)
{
	run_until(m, m->now + ns);
}

/* As nv50_fifo_init and nv50_gr_init leave them. */
static inline void engines_init(struct machine *m)
{
	static const uint32_t traps[] = { 0x400804, 0x406800, 0x400c04, 0x401800, 0x405018,
					  0x402000, 0x408900, 0x408e08, 0x408314 };
	size_t i;

	for (i = 0; i < NVSIM_ARRAY_SIZE(traps); i++)
		wr(m, traps[i], 0xc0000000);
	wr(m, 0x140, 1);
	wr(m, 0x2100, ~0u);
	wr(m, 0x2140, 0xffffffff);
	wr(m, 0x3200, 1);
	wr(m, 0x3250, 1);
	wr(m, 0x2500, 1);
	wr(m, 0x400100, ~0u);
	wr(m, 0x40013c, ~0u);
	wr(m, 0x400500, 0x00010001);
}

static inline struct machine *machine_new(const char *fault)
{
	static const struct nvsim_ops ops = {
		.now_ns = machine_now,
		.set_irq = machine_irq,
		.set_timer = machine_timer,
		.dma_read = machine_dma_read,
		.dma_write = machine_dma_write,
		.log = machine_log,
	};
	struct machine *m = calloc(1, sizeof(*m));
	struct nvsim_config config = { .ops = &ops, .host = m, .vram_bytes = VRAM_BYTES };
	const char *err = "?";

	m->ram = calloc(1, RAM_BYTES);
	m->timer = NVSIM_NEVER;
	m->now = 1000000;
	m->bump = 1 * MB;
	config.fault = fault;
	config.gpulog_path = getenv("NVSIM_GPULOG");
	m->s = nvsim_create(&config, &err);
	if (!m->s) {
		printf("Bail out! nvsim_create: %s\n", err);
		exit(1);
	}
	engines_init(m);
	return m;
}

static inline void machine_free(struct machine *m)
{
	nvsim_destroy(m->s);
	free(m->ram);
	free(m);
}

static inline uint32_t vram_alloc(struct machine *m, uint32_t bytes)
{
	uint32_t at = (m->bump + 0xffff) & ~0xffffu;

	m->bump = at + bytes;
	return at;
}

static inline void vw64(struct machine *m, uint32_t addr, uint64_t val)
{
	vw(m, addr, val);
	vw(m, addr + 4, val >> 32);
}

static inline void dma_object(struct machine *m, uint32_t at, uint64_t start, uint64_t limit)
{
	vw(m, at, 0x0000003d);
	vw(m, at + 4, limit);
	vw(m, at + 8, start);
	vw(m, at + 12, (uint32_t)(limit >> 32) << 24 | (uint32_t)(start >> 32));
}

static inline void ramht_add(struct machine *m, uint32_t inst, uint32_t handle, uint32_t context)
{
	uint32_t hash = 0, h, at;

	for (h = handle; h; h >>= 12)
		hash ^= h & 0xfff;
	at = inst + I_RAMHT + hash * 8;
	while (vr(m, at + 4))
		at = at + 8 < inst + I_RAMHT + 0x8000 ? at + 8 : inst + I_RAMHT;
	vw(m, at, handle);
	vw(m, at + 4, context);
}

static inline void map_spaces(struct machine *m, uint32_t inst)
{
	uint32_t pt4k = vram_alloc(m, 0x100000), pt64k = vram_alloc(m, 0x10000), i;

	for (i = 0; i < RAM_BYTES / 4096; i++)
		vw64(m, pt4k + ((VA_RAM >> 12) + i) * 8, (RAM_BASE + i * 4096ull) | 0x21);
	vw64(m, pt4k + (VA_RO >> 12) * 8, V_DATA | 0x09);
	for (i = 0; i < 256; i++)
		vw64(m, pt64k + i * 8, (V_DATA + i * 0x10000ull) | 1);
	vw64(m, inst + I_PD, pt4k | 3);
	vw64(m, inst + I_PD + 8, pt64k | 1);
	for (i = 2; i < 2048; i++)
		vw64(m, inst + I_PD + i * 8, 0xdeadcafe00000000ull);
	/* 4 GiB and a bit: the table of VA_VRAM again, to use high words */
	vw64(m, inst + I_PD + 8 * 9, pt64k | 1);
}

static inline struct chan *chan_new_slice(struct machine *m, uint32_t id, uint32_t timeslice)
{
	struct chan *c = calloc(1, sizeof(*c));
	uint32_t i;

	c->m = m;
	c->id = id;
	c->inst = vram_alloc(m, 0x10000);
	c->ib_order = 6;
	c->ib = m->ram_bump;
	c->pb = c->ib + 0x1000;
	m->ram_bump += 0x21000;
	for (i = 0; i < 0x10000; i += 4)
		vw(m, c->inst + i, 0);
	map_spaces(m, c->inst);
	dma_object(m, c->inst + I_VM, 0, 0xffffffffffull);
	dma_object(m, c->inst + I_NTFY, VA_RAM + 0xf00000, VA_RAM + 0xf0001f);
	vw(m, c->inst + I_M2MF, 0x5039);
	ramht_add(m, c->inst, H_VM, I_VM >> 4);
	ramht_add(m, c->inst, H_NTFY, I_NTFY >> 4);
	ramht_add(m, c->inst, H_M2MF, I_M2MF >> 4 | 1 << 20);
	ramht_add(m, c->inst, H_SW, I_SW >> 4);
	vw(m, c->inst + I_RAMFC + 0x44, timeslice);
	vw(m, c->inst + I_RAMFC + 0x48, I_VM >> 4);
	vw(m, c->inst + I_RAMFC + 0x50, VA_RAM + c->ib);
	vw(m, c->inst + I_RAMFC + 0x54, c->ib_order << 16);
	vw(m, c->inst + I_RAMFC + 0x80, 3u << 27 | 4u << 24 | I_RAMHT >> 4);
	vw(m, c->inst + I_RAMFC + 0x98, c->inst >> 12);
	wr(m, 0x2600 + id * 4, (c->inst + I_RAMFC) >> 8);
	wr(m, 0x2600 + id * 4, 0x80000000 | (c->inst + I_RAMFC) >> 8);
	return c;
}

static inline struct chan *chan_new(struct machine *m, uint32_t id)
{
	return chan_new_slice(m, id, 0x01003fff);
}

static inline void playlist(struct machine *m, unsigned int n, const uint32_t *ids)
{
	uint32_t at = 0x80000, i;

	for (i = 0; i < n; i++)
		vw(m, at + i * 4, ids[i]);
	wr(m, 0x32f4, at >> 12);
	wr(m, 0x32ec, n);
}

static inline void listed(struct machine *m, uint32_t first, uint32_t last)
{
	uint32_t ids[128], n = 0;

	for (; first <= last; first++)
		ids[n++] = first;
	playlist(m, n, ids);
}

/* Writing a push buffer: words go behind each other, the ring wraps. */
static inline void out(struct chan *c, uint32_t word)
{
	rw(c->m, c->pb + c->pb_put, word);
	c->pb_put += 4;
}

static inline void mthd(struct chan *c, uint32_t subc, uint32_t addr, uint32_t n)
{
	out(c, n << 18 | subc << 13 | addr);
}

static inline void mthd1(struct chan *c, uint32_t subc, uint32_t addr, uint32_t data)
{
	mthd(c, subc, addr, 1);
	out(c, data);
}

/* An IB entry for what was written since the last one; flags as in word 1. */
static inline void kick_flags(struct chan *c, uint32_t flags)
{
	uint64_t va = VA_RAM + c->pb + c->pb_start;
	uint32_t at = c->ib + c->ib_put * 8;

	rw(c->m, at, va);
	rw(c->m, at + 4, (uint32_t)(va >> 32) | flags | (c->pb_put - c->pb_start) / 4 << 10);
	c->ib_put = (c->ib_put + 1) & ((1u << c->ib_order) - 1);
	c->pb_start = c->pb_put;
	if (c->pb_put > 0x18000)
		c->pb_put = c->pb_start = 0;
	wr(c->m, 0xc0008c + c->id * 0x2000, c->ib_put);
}

static inline void kick(struct chan *c)
{
	kick_flags(c, 0);
}

/* rnndb/fifo/g80_pfifo.xml, USER_DMA: 40 44 48 4c 58 5c 60 88 8c */
static inline uint32_t userd(struct chan *c, uint32_t off)
{
	return rd(c->m, 0xc00000 + c->id * 0x2000 + off);
}

static inline void bind(struct chan *c)
{
	mthd1(c, 5, 0, H_M2MF);
	mthd(c, 5, 0x180, 3);
	out(c, H_NTFY);
	out(c, H_VM);
	out(c, H_VM);
}

/*
 * Copy lines of 4 KiB from one page of system memory (pitch 0) to VRAM: the
 * link's 8,000 MB/s make a line last 512 ns, so this is a knob for GPU time.
 */
static inline void work(struct chan *c, uint32_t lines)
{
	mthd1(c, 5, 0x200, 1);
	mthd1(c, 5, 0x21c, 1);
	mthd(c, 5, 0x238, 2);
	out(c, 0);
	out(c, 0);
	mthd(c, 5, 0x30c, 8);
	out(c, VA_RAM + 0xe00000);
	out(c, VA_VRAM);
	out(c, 0);
	out(c, 0);
	out(c, 4096);
	out(c, lines);
	out(c, 0x101);
	out(c, 0);
}

#define LINE_NS 512

/* nv84_fence_emit32: release a semaphore, ask for an interrupt. */
static inline void fence(struct chan *c, uint64_t va, uint32_t value)
{
	mthd1(c, 0, 0x60, H_VM);
	mthd(c, 0, 0x10, 5);
	out(c, va >> 32);
	out(c, va);
	out(c, value);
	out(c, 2);
	out(c, 0);
}

static inline void acquire_geq(struct chan *c, uint64_t va, uint32_t value)
{
	mthd1(c, 0, 0x60, H_VM);
	mthd(c, 0, 0x10, 4);
	out(c, va >> 32);
	out(c, va);
	out(c, value);
	out(c, 4);
}

#endif
