/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The puller executes the host's own methods and hands the rest to PGRAPH. It
 * stops with a method that the driver must see first.
 */
#ifndef NVSIM_PULLER_H
#define NVSIM_PULLER_H

#include <stdbool.h>
#include <stdint.h>

#include "../bus/bus.h"
#include "../bus/fault.h"
#include "../gr/graph.h"
#include "../mem/mmu.h"
#include "chan.h"
#include "occupancy.h"

struct nvsim_puller {
	struct nvsim_bus *bus;
	struct nvsim_mmu *mmu;
	struct nvsim_graph *graph;
	struct nvsim_faults *faults;
	struct nvsim_occupancy *occupancy;

	/* the method that waits for the driver, and where CACHE1 GET was then */
	bool refused;
	uint32_t cache_get_refused;
	uint32_t cache_get;

	uint64_t poll_ns;	/* semaphore poll interval, backing off; 0 = start anew */
	uint64_t nonstalls;
	uint64_t late_nonstall_ns;	/* injected, NVSIM_NEVER = none */
};

enum nvsim_step {
	NVSIM_STEP_DONE,	/* progress was made */
	NVSIM_STEP_EMPTY,	/* nothing left to do on this channel */
	NVSIM_STEP_BLOCKED,	/* waits for a semaphore */
	NVSIM_STEP_YIELD,	/* asks for another channel to run */
	NVSIM_STEP_SETTLE,	/* must wait until the clock reaches gpu_ns */
	NVSIM_STEP_STALLED,	/* waits for the driver */
};

void nvsim_puller_reset(struct nvsim_puller *p);
/* The driver's write to PULL0: it has dealt with a refused method of c (NULL = no channel). */
void nvsim_puller_resume(struct nvsim_puller *p, struct nvsim_chan *c, uint32_t val);
/* An injected delay has passed. */
void nvsim_puller_timer(struct nvsim_puller *p, uint64_t now);

/* Is this method, below 0x100, one that the host has? */
bool nvsim_puller_knows(uint32_t mthd);
/* c->pend is valid. */
enum nvsim_step nvsim_puller_exec(struct nvsim_puller *p, struct nvsim_chan *c, uint64_t now);
/* May the waiting channel go on?  A fault says yes: then it is reported. */
bool nvsim_puller_acquired(struct nvsim_puller *p, struct nvsim_chan *c);

#endif
