/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The card's state, shared by the units of the core only. */
#ifndef NVSIM_PRIV_H
#define NVSIM_PRIV_H

#include <stdio.h>

#include "nvsim.h"
#include "gr/gr.h"
#include "mem/mmu.h"
#include "bus/regs.h"

#define NVSIM_ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

#define NVSIM_CHANNELS		128
#define NVSIM_NO_CHANNEL	127	/* CACHE1 holds nothing */
#define NVSIM_NEVER		UINT64_MAX
#define NVSIM_FETCH_WORDS	32	/* 128 bytes, what nouveau sets in RAMFC+3c */
#define NVSIM_TLB_SIZE		4096
#define NVSIM_BAR_TLB_SIZE	1024
#define NVSIM_TAG_SHIFT		16	/* fill tags cover 64 KiB */
#define NVSIM_VBIOS_BYTES	4096
#define NVSIM_SPINS		32
#define NVSIM_FAULTS		8

/*
 * How far methods nobody can watch may run ahead of the virtual clock.  It
 * bounds how often the host's timer fires: once per 2 us of GPU time.
 */
#define NVSIM_AHEAD_NS		2000
/* Words the pusher may take in one call, so that no input holds the host. */
#define NVSIM_STEPS_PER_CALL	4096

/* A method on its way from the pusher to the puller. */
struct nvsim_mthd {
	bool valid;
	uint8_t subc;
	uint16_t addr;
	uint32_t data;
};

struct nvsim_chan {
	/* config: from RAMFC when the channel table entry is written */
	bool bound;		/* has a RAMFC */
	bool enabled;
	uint32_t ctx;		/* channel table entry without bit 31 */
	uint32_t serial;	/* counts activations of all channels, for the log */
	uint64_t inst;
	uint32_t push_dma;
	uint64_t ib_base;
	uint32_t ib_mask;
	uint32_t ramht;
	uint32_t ramht_mask;
	uint64_t slice_ns;

	/* pusher */
	uint32_t ib_get, ib_put;
	uint64_t get, put;
	uint64_t mget;
	bool mget_valid;
	bool nonmain;
	uint32_t get_hi, mget_hi, put_hi;	/* read shadows */
	uint32_t word[NVSIM_FETCH_WORDS];
	uint64_t word_base;
	uint32_t words;
	uint16_t mthd;
	uint8_t subc;
	bool noninc;
	bool long_pending;
	uint32_t count;

	/* puller */
	struct nvsim_mthd pend;
	uint8_t engine[NVSIM_GR_SUBCHANNELS];
	uint32_t ref;
	uint32_t sem_dma;
	uint64_t sem_addr;
	uint32_t sem_seq;
	uint32_t sem_off;
	bool sem_off_valid;
	bool acquiring;
	uint32_t acq_value;
	uint64_t acq_addr;
	bool acq_geq;

	/* PGRAPH */
	struct nvsim_gr_chan *gr;

	/* statistics and fault injection */
	uint64_t busy_ns;
	uint64_t releases;	/* host semaphore releases: completed fences */
	uint64_t faulted_group;	/* group that had its injected page fault */
	bool hung;
};

struct nvsim_tlb {
	uint64_t inst;
	uint64_t page;		/* va >> 12, NVSIM_NEVER = empty */
	uint64_t phys;
	bool system, ro;
	uint8_t kind;
};

struct nvsim_bar_tlb {
	uint32_t page;		/* offset >> 12, UINT32_MAX = empty */
	bool ro;
	uint64_t vram;
};

enum nvsim_fault_kind {
	NVSIM_FAULT_NONE,
	NVSIM_FAULT_HANG,
	NVSIM_FAULT_WEDGE,
	NVSIM_FAULT_PAGE,
	NVSIM_FAULT_LOST_NOTIFY,
	NVSIM_FAULT_LOST_NONSTALL,
	NVSIM_FAULT_LATE_NOTIFY,
	NVSIM_FAULT_LATE_NONSTALL,
};

struct nvsim_fault {
	enum nvsim_fault_kind kind;
	uint32_t chid;		/* UINT32_MAX = any */
	uint64_t nth;
	bool onwards;		/* every one from the nth on */
	uint64_t delay_ns;
	uint64_t hits;
};

/* What a PGRAPH interrupt leaves in the registers. */
struct nvsim_gr_event {
	struct nvsim_gr_result r;
	uint64_t inst;
	uint64_t at_ns;		/* when it may be raised */
	bool valid;
};

struct nvsim_spin {
	uint32_t off;
	uint64_t longest;
	uint64_t total;
};

struct nvsim {
	/* config */
	struct nvsim_ops ops;
	void *host;
	uint64_t vram_bytes;
	FILE *reglog, *gpulog;
	char *report_path;
	struct nvsim_fault fault[NVSIM_FAULTS];
	unsigned int faults;

	/* registers without a better place */
	uint32_t *reg;		/* one word per BAR0 word */
	uint8_t vbios[NVSIM_VBIOS_BYTES];

	/* time and interrupts */
	uint64_t ptimer_base;	/* PTIMER - virtual time */
	uint64_t alarm_ns;
	uint64_t timer_ns;	/* what the host's timer is set to */
	bool irq;
	unsigned int outside;	/* inside a host callback: refuse re-entry */

	/* memory */
	uint8_t *vram;
	uint32_t *tag_pattern;
	uint8_t *tag_uniform;
	struct nvsim_tlb tlb[NVSIM_TLB_SIZE];
	struct nvsim_bar_tlb bar_tlb[2][NVSIM_BAR_TLB_SIZE];
	bool vm_fault;
	uint32_t vm_fault_word[6];

	/* PFIFO */
	struct nvsim_chan chan[NVSIM_CHANNELS];
	struct nvsim_chan stored[NVSIM_CHANNELS];	/* taken out of the table */
	uint8_t playlist[NVSIM_CHANNELS];
	unsigned int playlist_len;
	bool listed[NVSIM_CHANNELS];
	uint32_t next_serial;
	uint32_t cur;		/* channel in CACHE1 */
	uint32_t cache_get;
	uint32_t cache_get_refused;
	bool refused;		/* the pending method waits for the driver */
	uint32_t kick_inst;
	bool kick_pending;

	/* execution in virtual time */
	uint64_t gpu_ns;	/* all work before here is done */
	uint64_t gr_busy_until;
	uint64_t slice_start;
	uint64_t run_ns;	/* when to call nvsim_sched_run() again */
	uint64_t poll_ns;	/* semaphore poll interval, backing off */
	bool running;
	bool idle;		/* nothing runs: gpu_ns follows the clock */
	bool yield;		/* the current channel gives its turn away */
	struct nvsim_gr gr;
	struct nvsim_chan *gr_cur;
	bool gr_stalled;
	bool gr_wedged;
	struct nvsim_gr_event gr_event;	/* raised once its cost has elapsed */
	struct nvsim_gr_event late_event;
	uint64_t late_nonstall_ns;
	uint64_t notifies, nonstalls;

	/* occupancy log */
	uint32_t run_serial, run_chid;
	uint64_t run_start, run_end, run_busy;

	/* honesty */
	uint32_t *miss_rd, *miss_wr;
	uint32_t spin_off, spin_val;
	uint64_t spin_run;
	struct nvsim_spin spin[NVSIM_SPINS];
	unsigned int spins;
	unsigned int log_lines;
};

static inline uint32_t nvsim_ld32(const uint8_t *p)
{
	return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static inline void nvsim_st32(uint8_t *p, uint32_t v)
{
	p[0] = v;
	p[1] = v >> 8;
	p[2] = v >> 16;
	p[3] = v >> 24;
}

static inline uint64_t nvsim_now(struct nvsim *s)
{
	return s->ops.now_ns(s->host);
}

/* nvsim.c */
void nvsim_log(struct nvsim *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void nvsim_timer_update(struct nvsim *s);
bool nvsim_dma_read(struct nvsim *s, uint64_t addr, void *buf, size_t len);
bool nvsim_dma_write(struct nvsim *s, uint64_t addr, const void *buf, size_t len);

/* bus/mc.c */
void nvsim_mc_reset(struct nvsim *s);
uint32_t nvsim_mc_read(struct nvsim *s, uint32_t off);
void nvsim_mc_write(struct nvsim *s, uint32_t off, uint32_t val);
void nvsim_irq_update(struct nvsim *s);
uint64_t nvsim_ptimer_at(const struct nvsim *s, uint64_t virt_ns);
void nvsim_mc_timer(struct nvsim *s, uint64_t now);

/* mem/vram.c */
bool nvsim_fb_init(struct nvsim *s);
void nvsim_fb_fini(struct nvsim *s);
uint32_t nvsim_fb_read(struct nvsim *s, uint32_t off);
void nvsim_fb_write(struct nvsim *s, uint32_t off, uint32_t val);
void nvsim_vram_fill(struct nvsim *s, uint64_t addr, uint32_t pattern, uint64_t len);
uint64_t nvsim_vram_read(struct nvsim *s, uint64_t addr, unsigned int size);
void nvsim_vram_write(struct nvsim *s, uint64_t addr, uint64_t val, unsigned int size);

/* mem/mmu.c */
void nvsim_mmu_flush(struct nvsim *s);
void nvsim_mmu_raise(struct nvsim *s, const struct nvsim_vm *vm, uint64_t va, bool write,
		     enum nvsim_vm_reason reason);

/* fifo/fifo.c */
void nvsim_fifo_reset(struct nvsim *s);
/* Drops the channels that are out of the table: memory is lost with the power. */
void nvsim_fifo_forget(struct nvsim *s);
uint32_t nvsim_fifo_read(struct nvsim *s, uint32_t off);
void nvsim_fifo_write(struct nvsim *s, uint32_t off, uint32_t val);
uint32_t nvsim_userd_read(struct nvsim *s, uint32_t off);
void nvsim_userd_write(struct nvsim *s, uint32_t off, uint32_t val);
bool nvsim_ramht_lookup(struct nvsim *s, const struct nvsim_chan *c, uint32_t handle,
			uint32_t *context);

/* fifo/pusher.c */
enum nvsim_step {
	NVSIM_STEP_DONE,	/* progress was made */
	NVSIM_STEP_EMPTY,	/* nothing left to do on this channel */
	NVSIM_STEP_BLOCKED,	/* waits for a semaphore */
	NVSIM_STEP_YIELD,	/* asks for another channel to run */
	NVSIM_STEP_SETTLE,	/* must wait until the clock reaches gpu_ns */
	NVSIM_STEP_STALLED,	/* waits for the driver */
};
void nvsim_pusher_bind(struct nvsim *s, uint32_t chid);
bool nvsim_pusher_has_work(struct nvsim *s, struct nvsim_chan *c);
enum nvsim_step nvsim_pusher_step(struct nvsim *s, struct nvsim_chan *c, uint64_t now);
enum nvsim_step nvsim_puller_exec(struct nvsim *s, struct nvsim_chan *c, uint64_t now);
bool nvsim_puller_acquired(struct nvsim *s, struct nvsim_chan *c);

/* gr/graph.c */
void nvsim_graph_reset(struct nvsim *s);
uint32_t nvsim_graph_read(struct nvsim *s, uint32_t off);
void nvsim_graph_write(struct nvsim *s, uint32_t off, uint32_t val);
enum nvsim_step nvsim_graph_exec(struct nvsim *s, struct nvsim_chan *c, uint32_t data,
				 uint64_t now);
bool nvsim_graph_stopped(const struct nvsim *s);
void nvsim_graph_raise(struct nvsim *s);
void nvsim_graph_timer(struct nvsim *s, uint64_t now);
/* PGRAPH has nothing of the channel's in it any more; unload also frees its context. */
void nvsim_graph_leave(struct nvsim *s, const struct nvsim_chan *c);
void nvsim_graph_unload(struct nvsim *s, struct nvsim_chan *c);
bool nvsim_graph_busy(const struct nvsim *s, uint64_t now);

/* fifo/sched.c */
void nvsim_sched_reset(struct nvsim *s);
void nvsim_sched_kick(struct nvsim *s);
void nvsim_sched_charge(struct nvsim *s, struct nvsim_chan *c, uint64_t ns);
void nvsim_sched_log_flush(struct nvsim *s);

/* bus/vbios.c */
void nvsim_vbios_build(uint8_t *image);

/* bus/report.c */
struct nvsim_reg_desc {
	uint32_t off, count, stride, reset;
	char kind;		/* O, W or N: second letter of RO, RW, FN */
	const char *name;
	const char *meaning;
};
const struct nvsim_reg_desc *nvsim_reg_find(uint32_t off);
const struct nvsim_reg_desc *nvsim_reg_table(size_t *n);
void nvsim_reg_name(uint32_t off, char *buf, size_t len);
void nvsim_report_access(struct nvsim *s, uint32_t off, uint32_t val, bool write);

/* bus/fault.c */
bool nvsim_fault_parse(struct nvsim *s, const char *spec, const char **err);
struct nvsim_fault *nvsim_fault_hit(struct nvsim *s, enum nvsim_fault_kind kind, uint32_t chid,
				    uint64_t nth);

#endif
