/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PGRAPH of the G92 model: what the object classes do.
 *
 * PFIFO (the caller) decides when a method runs and on which channel; this side decides what it
 * does to memory, how long it takes, and which interrupt it raises. It keeps no clock, no lock and
 * no host type. Of the rest of the model it needs nvsim_mmu_read/write/fill/map(),
 * nvsim_vram_rd32() and nvsim_gpu_time_ns(). An access that fails latches its VM fault there, with
 * the client and sub-client that PGRAPH names; here it becomes a TRAP of the unit that made it.
 *
 * Instance offsets: a context in RAMHT is "offset >> 4 | engine << 20". Every instance offset in
 * this interface is in bytes, relative to the channel's instance block: (context & 0xfffff) << 4.
 */
#ifndef NVSIM_GR_H
#define NVSIM_GR_H

#include <stdbool.h>
#include <stdint.h>

#include "../bus/bus.h"
#include "../mem/mmu.h"
#include "method.h"
#include "names.h"

struct nvsim_gr_chan;

struct nvsim_gr {
	struct nvsim_bus *bus;
	struct nvsim_mmu *mmu;
	uint8_t known[NVSIM_GR_UNITS][NVSIM_GR_METHODS];	/* enum nvsim_gr_known */
	/* how often all channels used a method, for the report */
	uint32_t used[NVSIM_GR_UNITS][NVSIM_GR_METHODS];
};

/* Object classes of chipset 0x92; any other id is refused with ILLEGAL_CLASS. */
#define NVSIM_CLASS_NULL	0x0030
#define NVSIM_CLASS_NV50_2D	0x502d
#define NVSIM_CLASS_NV50_M2MF	0x5039
#define NVSIM_CLASS_G80_3D	0x5097
#define NVSIM_CLASS_NV50_COMPUTE 0x50c0
#define NVSIM_CLASS_G82_3D	0x8297

enum nvsim_gr_status {
	NVSIM_GR_OK,		/* done; charge r->cost_ns */
	NVSIM_GR_INTR,		/* done or refused; r->intr is raised and PGRAPH stalls until 0x400500 */
};

void nvsim_gr_init(struct nvsim_gr *gr, struct nvsim_bus *bus, struct nvsim_mmu *mmu);

/* NULL when out of memory. channel_instance is the address of the instance block in VRAM. */
struct nvsim_gr_chan *nvsim_gr_chan_create(uint64_t channel_instance);
void nvsim_gr_chan_destroy(struct nvsim_gr_chan *c);

/*
 * The caller translates handles: for a bind (method 0) it calls nvsim_gr_bind() with the object's
 * instance offset; for 0x180-0x1fc it passes the instance offset of the DMA object as the data.
 * Status NVSIM_GR_INTR = raise r->intr and stall.
 */
enum nvsim_gr_status nvsim_gr_bind(struct nvsim_gr *gr, struct nvsim_gr_chan *c, unsigned subc,
				   uint32_t instance_offset, struct nvsim_gr_result *r);
enum nvsim_gr_status nvsim_gr_method(struct nvsim_gr *gr, struct nvsim_gr_chan *c, unsigned subc,
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
 * accesses. Calls emit() once per (class, method) seen on any channel of this card.
 */
typedef void nvsim_gr_report_fn(void *opaque, uint16_t class_id, uint32_t mthd, const char *what,
				uint64_t count);
void nvsim_gr_report(const struct nvsim_gr *gr, nvsim_gr_report_fn *emit, void *opaque);

#endif
