/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PGRAPH as the bus sees it: interrupt and trap registers, the stop after an
 * interrupt, dispatch control, status, whose context is loaded.  What the
 * methods do is gr.h's side.
 * Sources: nouveau nvkm/engine/gr/{nv50,g84,ctxnv50}.c.
 *
 * The context program that the driver uploads is not run: on a switch the
 * model just swaps its own per-channel state, shows the new context in
 * 0x40032c as the program would, and charges the switch's time.
 */
#ifndef NVSIM_GRAPH_H
#define NVSIM_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include "../bus/bus.h"
#include "../bus/fault.h"
#include "../mem/mmu.h"
#include "gr.h"
#include "method.h"

/* A channel as PGRAPH knows it: part of PFIFO's, which owns it. */
struct nvsim_graph_chan {
	uint32_t chid;
	uint64_t inst;			/* address of its instance block */
	struct nvsim_gr_chan *context;	/* NULL until its first method */

	/* groups, for fault injection */
	uint64_t releases;	/* host semaphore releases: completed fences */
	uint64_t faulted_group;	/* group that had its injected page fault */
	bool hung;
};

/* What PGRAPH asks of PFIFO, which feeds it. */
struct nvsim_graph_ops {
	/* c keeps the GPU busy for ns more. From nvsim_graph_exec(). */
	void (*charge)(void *owner, struct nvsim_graph_chan *c, uint64_t ns);
	/* Methods may be accepted again. From nvsim_graph_write(). */
	void (*kick)(void *owner);
};

/* What a PGRAPH interrupt leaves in the registers. */
struct nvsim_gr_event {
	struct nvsim_gr_result r;
	uint64_t inst;
	uint64_t at_ns;		/* when it may be raised */
	bool valid;
};

struct nvsim_graph {
	struct nvsim_bus *bus;
	struct nvsim_mmu *mmu;
	struct nvsim_faults *faults;
	const struct nvsim_graph_ops *ops;
	void *owner;

	struct nvsim_gr gr;
	struct nvsim_graph_chan *cur;	/* whose context is loaded */
	uint64_t busy_until;
	bool stalled;			/* by an interrupt, until 0x400500 */
	bool wedged;			/* by an injected fault, for good */
	struct nvsim_gr_event event;	/* raised once its cost has elapsed */
	struct nvsim_gr_event late_event;
	uint64_t notifies;

	/* a method in CMD_ADDR and CMD_DATA that did not come from PFIFO */
	bool handed;
	uint64_t handed_ns;		/* when to try it again */
	struct nvsim_graph_chan host;	/* whose it is, if no channel of PFIFO's is loaded */
};

/* What became of a method. */
enum nvsim_graph_status {
	NVSIM_GRAPH_DONE,
	NVSIM_GRAPH_EARLY,	/* may run only when the clock has reached gpu_ns */
	NVSIM_GRAPH_HUNG,	/* the channel waits for ever; others may run */
	NVSIM_GRAPH_STOPPED,	/* nobody may run until the driver has done something */
};

struct nvsim_graph_config {
	struct nvsim_bus *bus;
	struct nvsim_mmu *mmu;
	struct nvsim_faults *faults;
	const struct nvsim_graph_ops *ops;
	void *owner;		/* for ops */
};

void nvsim_graph_init(struct nvsim_graph *g, const struct nvsim_graph_config *config);
void nvsim_graph_fini(struct nvsim_graph *g);
void nvsim_graph_reset(struct nvsim_graph *g);

/* Registers, 0x400000 to 0x40ffff. */
uint32_t nvsim_graph_read(struct nvsim_graph *g, uint32_t off);
void nvsim_graph_write(struct nvsim_graph *g, uint32_t off, uint32_t val);

/* m's data: handles are already translated to instance offsets. Method 0 binds. */
enum nvsim_graph_status nvsim_graph_exec(struct nvsim_graph *g, struct nvsim_graph_chan *c,
					 const struct nvsim_mthd *m, uint64_t now);
/* No method is accepted. */
bool nvsim_graph_stopped(const struct nvsim_graph *g);
bool nvsim_graph_busy(const struct nvsim_graph *g, uint64_t now);

/* A method's interrupt waits for the method's end: */
static inline bool nvsim_graph_pending(const struct nvsim_graph *g)
{
	return g->event.valid;
}

/* That time has come. */
void nvsim_graph_raise(struct nvsim_graph *g);

/* Injected delays, methods handed in: when nvsim_graph_timer() is to be called. */
uint64_t nvsim_graph_deadline(const struct nvsim_graph *g);
void nvsim_graph_timer(struct nvsim_graph *g, uint64_t now);

/* PGRAPH has nothing of the channel's in it any more; unload also frees its context. */
void nvsim_graph_leave(struct nvsim_graph *g, const struct nvsim_graph_chan *c);
void nvsim_graph_unload(struct nvsim_graph *g, struct nvsim_graph_chan *c);
/* The channel with this instance block leaves if PGRAPH has finished its work; is it gone? */
bool nvsim_graph_kick_off(struct nvsim_graph *g, uint64_t inst, uint64_t now);

#endif
