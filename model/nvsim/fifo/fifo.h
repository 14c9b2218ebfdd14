/* SPDX-License-Identifier: GPL-2.0-or-later */
/* PFIFO: its registers, the channel table, the channel control areas. */
#ifndef NVSIM_FIFO_H
#define NVSIM_FIFO_H

#include <stdbool.h>
#include <stdint.h>

#include "../bus/bus.h"
#include "../bus/fault.h"
#include "../gr/graph.h"
#include "../mem/mem.h"
#include "chan.h"
#include "sched.h"

struct nvsim_fifo {
	struct nvsim_bus *bus;
	struct nvsim_vram *vram;
	struct nvsim_graph *graph;
	struct nvsim_sched sched;
	struct nvsim_chan stored[NVSIM_CHANNELS];	/* taken out of the table */
	uint32_t next_serial;
	/* the kick-off that is going on */
	uint32_t kick_inst;
	bool kick_pending;
};

void nvsim_fifo_init(struct nvsim_fifo *f, struct nvsim_bus *bus, struct nvsim_mem *mem,
		     struct nvsim_graph *graph, struct nvsim_faults *faults);
/* Frees the channels' contexts and closes the occupancy log. */
void nvsim_fifo_fini(struct nvsim_fifo *f);
/* PFIFO's part of a reset of PMC_ENABLE. */
void nvsim_fifo_reset(struct nvsim_fifo *f);
/* Drops the channels that are out of the table: memory is lost with the power. */
void nvsim_fifo_forget(struct nvsim_fifo *f);

/* Registers, 0x002000 to 0x003fff and 0x090000 to 0x090fff. */
uint32_t nvsim_fifo_read(struct nvsim_fifo *f, uint32_t off);
void nvsim_fifo_write(struct nvsim_fifo *f, uint32_t off, uint32_t val);
/* off counts from NV_USERD. */
uint32_t nvsim_userd_read(struct nvsim_fifo *f, uint32_t off);
void nvsim_userd_write(struct nvsim_fifo *f, uint32_t off, uint32_t val);

/* When nvsim_fifo_timer() is to be called. */
uint64_t nvsim_fifo_deadline(const struct nvsim_fifo *f);
void nvsim_fifo_timer(struct nvsim_fifo *f, uint64_t now);

#endif
