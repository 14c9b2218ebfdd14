// SPDX-License-Identifier: GPL-2.0-or-later
#include "sched.h"

#include <stddef.h>
#include <string.h>

/*
 * How far methods nobody can watch may run ahead of the virtual clock.  It
 * bounds how often the host's timer fires: once per 2 us of GPU time.
 */
#define AHEAD_NS	2000
/* Words the pusher may take in one call, so that no input holds the host. */
#define STEPS_PER_CALL	4096

/* PFIFO's part of a switch: storing and loading RAMFC; an assumption. */
#define FIFO_SWITCH_NS		1000
/* How often semaphores are read again while all channels wait for one. */
#define POLL_MIN_NS		1000
#define POLL_MAX_NS		20000

void nvsim_sched_init(struct nvsim_sched *s, struct nvsim_bus *bus, struct nvsim_mmu *mmu,
		      struct nvsim_graph *graph, struct nvsim_faults *faults)
{
	s->bus = bus;
	s->graph = graph;
	nvsim_occupancy_init(&s->occupancy, bus);
	s->puller.bus = bus;
	s->puller.mmu = mmu;
	s->puller.graph = graph;
	s->puller.faults = faults;
	s->puller.occupancy = &s->occupancy;
	s->pusher.bus = bus;
	s->pusher.mmu = mmu;
	s->pusher.occupancy = &s->occupancy;
	s->pusher.puller = &s->puller;
}

void nvsim_sched_reset(struct nvsim_sched *s)
{
	s->bus->gpu_ns = nvsim_now(s->bus);
	s->run_ns = NVSIM_NEVER;
	s->puller.poll_ns = 0;
	s->idle = true;
	s->yield = false;
}

void nvsim_sched_forget(struct nvsim_sched *s)
{
	s->playlist_len = 0;
	memset(s->listed, 0, sizeof(s->listed));
	s->cur = NVSIM_NO_CHANNEL;
	nvsim_puller_reset(&s->puller);
}

static bool runnable(struct nvsim_sched *s, uint32_t chid)
{
	struct nvsim_chan *c = &s->chan[chid];

	return c->enabled && s->listed[chid] && !c->gr.hung && nvsim_pusher_has_work(&s->pusher, c);
}

/* The first runnable channel after the current one, in playlist order. */
static uint32_t next_runnable(struct nvsim_sched *s)
{
	unsigned int i, at = 0, n = s->playlist_len;
	uint32_t chid;

	for (i = 0; i < n; i++)
		if (s->playlist[i] == s->cur)
			at = i + 1;
	for (i = 0; i < n; i++) {
		chid = s->playlist[(at + i) % n];
		if (chid != s->cur && runnable(s, chid))
			return chid;
	}
	return NVSIM_NO_CHANNEL;
}

static struct nvsim_chan *switch_to(struct nvsim_sched *s, uint32_t chid)
{
	bool first = s->cur == NVSIM_NO_CHANNEL;

	s->cur = chid;
	if (!first)
		nvsim_occupancy_charge(&s->occupancy, &s->chan[chid], FIFO_SWITCH_NS);
	s->slice_start = s->bus->gpu_ns;
	return &s->chan[chid];
}

/* While the driver handles an error the registers must keep showing it. */
static bool pinned(const struct nvsim_sched *s)
{
	return s->cur != NVSIM_NO_CHANNEL &&
	       (s->puller.refused || !(s->bus->reg[NV_PFIFO_DMA_PUSH / 4] & 1));
}

static struct nvsim_chan *pick(struct nvsim_sched *s)
{
	struct nvsim_chan *c = nvsim_sched_current(s);
	bool yield = s->yield, can;
	uint32_t next;

	s->yield = false;
	if (pinned(s))
		return c;
	can = c && runnable(s, s->cur);
	if (!(s->bus->reg[NV_PFIFO_CACHES / 4] & 1))
		return can ? c : NULL;
	if (can && !yield && s->bus->gpu_ns - s->slice_start < c->slice_ns)
		return c;
	next = next_runnable(s);
	if (next != NVSIM_NO_CHANNEL)
		return switch_to(s, next);
	s->slice_start = s->bus->gpu_ns;
	return can ? c : NULL;
}

static bool anyone_acquiring(const struct nvsim_sched *s)
{
	unsigned int i;

	for (i = 0; i < NVSIM_CHANNELS; i++)
		if (s->chan[i].enabled && s->chan[i].acquiring && s->listed[i])
			return true;
	return false;
}

static void pause(struct nvsim_sched *s, uint64_t wake_ns)
{
	s->idle = true;
	s->run_ns = wake_ns;
}

static void nothing_to_run(struct nvsim_sched *s, uint64_t now)
{
	if (!anyone_acquiring(s)) {
		s->puller.poll_ns = 0;
		pause(s, NVSIM_NEVER);
		return;
	}
	/* Their memory may be written by the CPU, which nothing announces. */
	s->puller.poll_ns = s->puller.poll_ns ? s->puller.poll_ns * 2 : POLL_MIN_NS;
	if (s->puller.poll_ns > POLL_MAX_NS)
		s->puller.poll_ns = POLL_MAX_NS;
	pause(s, now + s->puller.poll_ns);
}

/* Must the clock move on before the next step? */
static bool ahead(const struct nvsim_sched *s, uint64_t now)
{
	uint64_t gpu = s->bus->gpu_ns;

	return gpu > now + AHEAD_NS || (nvsim_graph_pending(s->graph) && gpu > now);
}

/* Takes one step; false = nothing more for now, and run_ns says until when. */
static bool advance(struct nvsim_sched *s, uint64_t now)
{
	struct nvsim_chan *c = pick(s);

	if (!c) {
		nothing_to_run(s, now);
		return false;
	}
	switch (nvsim_pusher_step(&s->pusher, c, now)) {
	case NVSIM_STEP_EMPTY:
	case NVSIM_STEP_BLOCKED:
		if (!pinned(s))
			return true;
		nothing_to_run(s, now);
		return false;
	case NVSIM_STEP_YIELD:
		s->yield = true;
		return true;
	case NVSIM_STEP_SETTLE:
		s->run_ns = s->bus->gpu_ns;
		return false;
	case NVSIM_STEP_STALLED:
		pause(s, NVSIM_NEVER);
		return false;
	default:
		return true;
	}
}

static void run(struct nvsim_sched *s, uint64_t now)
{
	unsigned int n;

	if (s->idle && s->bus->gpu_ns < now)
		s->bus->gpu_ns = now;
	s->idle = false;
	for (n = 0; n < STEPS_PER_CALL; n++) {
		if (ahead(s, now)) {
			s->run_ns = s->bus->gpu_ns;
			return;
		}
		if (nvsim_graph_pending(s->graph))
			nvsim_graph_raise(s->graph);
		if (s->bus->reg[NV_PFIFO_FREEZE / 4] & 1) {
			pause(s, NVSIM_NEVER);
			return;
		}
		if (!advance(s, now))
			return;
	}
	/* Enough for one call; the clock goes on before the next. */
	s->run_ns = s->bus->gpu_ns > now ? s->bus->gpu_ns : now + POLL_MIN_NS;
}

void nvsim_sched_kick(struct nvsim_sched *s)
{
	if (s->running || s->bus->outside)
		return;
	s->running = true;
	s->run_ns = NVSIM_NEVER;
	run(s, nvsim_now(s->bus));
	s->running = false;
}

static void graph_charge(void *owner, struct nvsim_graph_chan *gr, uint64_t ns)
{
	struct nvsim_sched *s = owner;

	nvsim_occupancy_charge(&s->occupancy, &s->chan[gr->chid], ns);
}

static void graph_kick(void *owner)
{
	nvsim_sched_kick(owner);
}

const struct nvsim_graph_ops nvsim_sched_graph_ops = {
	.charge = graph_charge,
	.kick = graph_kick,
};
