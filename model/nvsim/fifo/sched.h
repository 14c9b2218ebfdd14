/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which channel runs, and when: the execution engine in virtual time.
 *
 * gpu_ns is the GPU's own point in virtual time: all work before it is done.
 * A method runs, its cost is added to gpu_ns, and the next one follows, until
 * gpu_ns is ahead of the clock by more than NVSIM_AHEAD_NS; then the host's
 * timer brings us back.  Methods that somebody else can see (semaphores,
 * REF_CNT, queries, notifiers, interrupts) run only when the clock has
 * reached gpu_ns, so they happen at exactly the time they would.
 *
 *	idle ──work──> busy ──nothing left──> idle
 *	               busy ──interrupt──> stalled ──driver──> busy
 *
 * idle and stalled: gpu_ns does not advance by itself; when work resumes it
 * jumps to the clock.  busy: gpu_ns never jumps, so a late timer of the host
 * costs the GPU nothing.
 *
 * Channels take turns in playlist order.  A turn ends when the channel's time
 * slice (RAMFC+44) is used up and somebody else can run, when it has nothing
 * to do, waits for a semaphore, or yields; always between two methods.
 */
#ifndef NVSIM_SCHED_H
#define NVSIM_SCHED_H

#include <stdbool.h>
#include <stdint.h>

#include "../bus/bus.h"
#include "../gr/graph.h"
#include "chan.h"
#include "occupancy.h"
#include "puller.h"
#include "pusher.h"

struct nvsim_sched {
	struct nvsim_bus *bus;
	struct nvsim_graph *graph;
	struct nvsim_occupancy occupancy;
	struct nvsim_puller puller;
	struct nvsim_pusher pusher;

	struct nvsim_chan chan[NVSIM_CHANNELS];
	uint8_t playlist[NVSIM_CHANNELS];
	unsigned int playlist_len;
	bool listed[NVSIM_CHANNELS];

	uint32_t cur;		/* channel in CACHE1 */
	uint64_t slice_start;
	uint64_t run_ns;	/* when nvsim_sched_kick() is to be called again */
	bool running;
	bool idle;		/* nothing runs: gpu_ns follows the clock */
	bool yield;		/* the current channel gives its turn away */
};

void nvsim_sched_init(struct nvsim_sched *s, struct nvsim_bus *bus, struct nvsim_mmu *mmu,
		      struct nvsim_graph *graph, struct nvsim_faults *faults);
/* The card was reset: its time starts now. */
void nvsim_sched_reset(struct nvsim_sched *s);
/* PFIFO was: nobody is listed, nobody in CACHE1. */
void nvsim_sched_forget(struct nvsim_sched *s);
/* Something changed, or run_ns has come: execute what can be. */
void nvsim_sched_kick(struct nvsim_sched *s);

/* NULL = nobody is in CACHE1. */
static inline struct nvsim_chan *nvsim_sched_current(struct nvsim_sched *s)
{
	return s->cur == NVSIM_NO_CHANNEL ? NULL : &s->chan[s->cur];
}

/* For nvsim_graph_init(); the owner is the struct nvsim_sched. */
extern const struct nvsim_graph_ops nvsim_sched_graph_ops;

#endif
