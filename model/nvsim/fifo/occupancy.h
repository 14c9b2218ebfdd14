/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who used the GPU when: moves the GPU's time on, and writes it down. */
#ifndef NVSIM_OCCUPANCY_H
#define NVSIM_OCCUPANCY_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "../bus/bus.h"
#include "chan.h"

struct nvsim_occupancy {
	struct nvsim_bus *bus;
	FILE *log;		/* NULL = no log */
	/* the run without gap that is going on; serial 0 = none */
	uint32_t serial, chid;
	uint64_t start, end, busy;
};

void nvsim_occupancy_init(struct nvsim_occupancy *o, struct nvsim_bus *bus);
/* false = the log cannot be opened. */
bool nvsim_occupancy_open(struct nvsim_occupancy *o, const char *path);
void nvsim_occupancy_close(struct nvsim_occupancy *o);
/* A channel was activated. */
void nvsim_occupancy_chan(struct nvsim_occupancy *o, const struct nvsim_chan *c);
/* The GPU works for a channel for ns. */
void nvsim_occupancy_charge(struct nvsim_occupancy *o, struct nvsim_chan *c, uint64_t ns);

#endif
