/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PGRAPH of the G92 model: what the object classes do.
 *
 * PFIFO (the caller) decides when a method runs and on which channel; this side decides what it
 * does to memory, how long it takes, and which interrupt it raises. It keeps no clock, no lock and
 * no host type. Everything it needs from the rest of the model is the short list at the end.
 *
 * Instance offsets: a context in RAMHT is "offset >> 4 | engine << 20". Every instance offset in
 * this interface is in bytes, relative to the channel's instance block: (context & 0xfffff) << 4.
 */
#ifndef NVSIM_GR_H
#define NVSIM_GR_H

#include <stdbool.h>
#include <stdint.h>

struct nvsim;
struct nvsim_gr_chan;

#define NVSIM_GR_SUBCHANNELS 8

/* Object classes of chipset 0x92; any other id is refused with ILLEGAL_CLASS. */
#define NVSIM_CLASS_NULL	0x0030
#define NVSIM_CLASS_NV50_2D	0x502d
#define NVSIM_CLASS_NV50_M2MF	0x5039
#define NVSIM_CLASS_NV50_COMPUTE 0x50c0
#define NVSIM_CLASS_G82_3D	0x8297

/* Bits of PGRAPH_INTR, 0x400100 (envytools: g80_pgraph; nouveau: nvkm/engine/gr/nv50.c). */
#define NVSIM_GR_INTR_NOTIFY		0x00000001u
#define NVSIM_GR_INTR_ILLEGAL_MTHD	0x00000010u
#define NVSIM_GR_INTR_ILLEGAL_CLASS	0x00000020u
#define NVSIM_GR_INTR_DOUBLE_NOTIFY	0x00000040u
#define NVSIM_GR_INTR_DATA_ERROR	0x00100000u
#define NVSIM_GR_INTR_TRAP		0x00200000u

enum nvsim_gr_status {
	NVSIM_GR_OK,		/* done; charge r->cost_ns */
	NVSIM_GR_INTR,		/* done or refused; r->intr is raised and PGRAPH stalls until 0x400500 */
};

#define NVSIM_GR_TRAP_REGS 5

/* One method's outcome. cost_ns and intr are always written, the rest only with intr != 0. */
struct nvsim_gr_result {
	uint64_t cost_ns;	/* GPU time of this method, charged before later methods run */
	uint32_t intr;		/* bits to OR into 0x400100; 0 with NVSIM_GR_OK */
	uint32_t data_error;	/* 0x400110, with DATA_ERROR */
	uint32_t trap;		/* 0x400108: bit per unit, with TRAP */
	/* registers that the trapping unit shows (its status and where it stopped) */
	struct {
		uint32_t reg;
		uint32_t val;
	} trap_regs[NVSIM_GR_TRAP_REGS];
	uint32_t trap_reg_count;
	uint32_t mthd_addr;	/* 0x400704: subchannel << 16 | method */
	uint32_t mthd_data;	/* 0x400708 */
	uint32_t mthd_class;	/* 0x400814 */
};

/* NULL when out of memory. channel_instance is the address of the instance block in VRAM. */
struct nvsim_gr_chan *nvsim_gr_chan_create(struct nvsim *s, uint64_t channel_instance);
void nvsim_gr_chan_destroy(struct nvsim_gr_chan *c);

/*
 * The caller translates handles: for a bind (method 0) it calls nvsim_gr_bind() with the object's
 * instance offset; for 0x180-0x1fc it passes the instance offset of the DMA object as the data.
 * Status NVSIM_GR_INTR = raise r->intr and stall.
 */
enum nvsim_gr_status nvsim_gr_bind(struct nvsim *s, struct nvsim_gr_chan *c, unsigned subc,
				   uint32_t instance_offset, struct nvsim_gr_result *r);
enum nvsim_gr_status nvsim_gr_method(struct nvsim *s, struct nvsim_gr_chan *c, unsigned subc,
				     uint32_t mthd, uint32_t data, struct nvsim_gr_result *r);

/*
 * May anybody outside the GPU see when this method takes effect? Such a method must run only after
 * all earlier cost has elapsed on the virtual clock. Others may run ahead of it.
 */
bool nvsim_gr_method_visible(const struct nvsim_gr_chan *c, unsigned subc, uint32_t mthd);

/* The class bound to a subchannel, 0 for none. For 0x400814 and reports. */
uint16_t nvsim_gr_class(const struct nvsim_gr_chan *c, unsigned subc);

/* Cost of making this channel PGRAPH's current one, when another channel was. */
uint64_t nvsim_gr_switch_cost_ns(void);

/*
 * How methods were used that the model only stores, or refuses: for the report of unmodelled
 * accesses. Calls emit() once per (class, method) seen on any channel of this process.
 */
typedef void nvsim_gr_report_fn(void *opaque, uint16_t class_id, uint32_t mthd, const char *what,
				uint64_t count);
void nvsim_gr_report(nvsim_gr_report_fn *emit, void *opaque);

/*
 * Needed from the rest of the model: nvsim_mmu_read/write/fill/map(), nvsim_vram_rd32() and
 * nvsim_gpu_time_ns() of mem/mmu.h. An access that fails latches its VM fault there, with the
 * client and sub-client that PGRAPH names; here it becomes a TRAP of the unit that made it.
 */

#endif
