// SPDX-License-Identifier: GPL-2.0-or-later
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
#include <string.h>

#include "../card.h"

/* PFIFO's part of a switch: storing and loading RAMFC; an assumption. */
#define FIFO_SWITCH_NS		1000
/* How often semaphores are read again while all channels wait for one. */
#define POLL_MIN_NS		1000
#define POLL_MAX_NS		20000
#define RUN_LOG_NS		1000000

void nvsim_sched_reset(struct nvsim *s)
{
	s->gpu_ns = nvsim_now(s);
	s->gr_busy_until = 0;
	s->run_ns = NVSIM_NEVER;
	s->poll_ns = 0;
	s->idle = true;
	s->yield = false;
}

void nvsim_sched_log_flush(struct nvsim *s)
{
	if (s->gpulog && s->run_serial)
		fprintf(s->gpulog, "run %u %u %llu %llu %llu\n", s->run_serial, s->run_chid,
			(unsigned long long)s->run_start, (unsigned long long)s->run_end,
			(unsigned long long)s->run_busy);
	s->run_serial = 0;
}

void nvsim_sched_charge(struct nvsim *s, struct nvsim_chan *c, uint64_t ns)
{
	if (!ns)
		return;
	if (s->run_serial != c->serial || s->run_end != s->gpu_ns ||
	    s->run_end - s->run_start >= RUN_LOG_NS) {
		nvsim_sched_log_flush(s);
		s->run_serial = c->serial;
		s->run_chid = c - s->chan;
		s->run_start = s->gpu_ns;
	}
	s->gpu_ns += ns;
	c->busy_ns += ns;
	s->run_end = s->gpu_ns;
	s->run_busy = c->busy_ns;
}

static bool runnable(struct nvsim *s, uint32_t chid)
{
	struct nvsim_chan *c = &s->chan[chid];

	return c->enabled && s->listed[chid] && !c->hung && nvsim_pusher_has_work(s, c);
}

/* The first runnable channel after the current one, in playlist order. */
static uint32_t next_runnable(struct nvsim *s)
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

static struct nvsim_chan *switch_to(struct nvsim *s, uint32_t chid)
{
	bool first = s->cur == NVSIM_NO_CHANNEL;

	s->cur = chid;
	if (!first)
		nvsim_sched_charge(s, &s->chan[chid], FIFO_SWITCH_NS);
	s->slice_start = s->gpu_ns;
	return &s->chan[chid];
}

/* While the driver handles an error the registers must keep showing it. */
static bool pinned(const struct nvsim *s)
{
	return s->cur != NVSIM_NO_CHANNEL &&
	       (s->refused || !(s->reg[NV_PFIFO_DMA_PUSH / 4] & 1));
}

static struct nvsim_chan *pick(struct nvsim *s)
{
	struct nvsim_chan *c = s->cur == NVSIM_NO_CHANNEL ? NULL : &s->chan[s->cur];
	bool yield = s->yield, can;
	uint32_t next;

	s->yield = false;
	if (pinned(s))
		return c;
	can = c && runnable(s, s->cur);
	if (!(s->reg[NV_PFIFO_CACHES / 4] & 1))
		return can ? c : NULL;
	if (can && !yield && s->gpu_ns - s->slice_start < c->slice_ns)
		return c;
	next = next_runnable(s);
	if (next != NVSIM_NO_CHANNEL)
		return switch_to(s, next);
	s->slice_start = s->gpu_ns;
	return can ? c : NULL;
}

static bool anyone_acquiring(const struct nvsim *s)
{
	unsigned int i;

	for (i = 0; i < NVSIM_CHANNELS; i++)
		if (s->chan[i].enabled && s->chan[i].acquiring && s->listed[i])
			return true;
	return false;
}

static void pause(struct nvsim *s, uint64_t wake_ns)
{
	s->idle = true;
	s->run_ns = wake_ns;
}

static void nothing_to_run(struct nvsim *s, uint64_t now)
{
	if (!anyone_acquiring(s)) {
		s->poll_ns = 0;
		pause(s, NVSIM_NEVER);
		return;
	}
	/* Their memory may be written by the CPU, which nothing announces. */
	s->poll_ns = s->poll_ns ? s->poll_ns * 2 : POLL_MIN_NS;
	if (s->poll_ns > POLL_MAX_NS)
		s->poll_ns = POLL_MAX_NS;
	pause(s, now + s->poll_ns);
}

static void run(struct nvsim *s, uint64_t now)
{
	struct nvsim_chan *c;
	unsigned int n;

	if (s->idle && s->gpu_ns < now)
		s->gpu_ns = now;
	s->idle = false;
	for (n = 0; n < NVSIM_STEPS_PER_CALL; n++) {
		if (s->gpu_ns > now + NVSIM_AHEAD_NS || (s->gr_event.valid && s->gpu_ns > now)) {
			s->run_ns = s->gpu_ns;
			return;
		}
		if (s->gr_event.valid)
			nvsim_graph_raise(s);
		if (s->reg[NV_PFIFO_FREEZE / 4] & 1) {
			pause(s, NVSIM_NEVER);
			return;
		}
		c = pick(s);
		if (!c) {
			nothing_to_run(s, now);
			return;
		}
		switch (nvsim_pusher_step(s, c, now)) {
		case NVSIM_STEP_DONE:
			break;
		case NVSIM_STEP_EMPTY:
		case NVSIM_STEP_BLOCKED:
			if (!pinned(s))
				break;
			nothing_to_run(s, now);
			return;
		case NVSIM_STEP_YIELD:
			s->yield = true;
			break;
		case NVSIM_STEP_SETTLE:
			s->run_ns = s->gpu_ns;
			return;
		case NVSIM_STEP_STALLED:
			pause(s, NVSIM_NEVER);
			return;
		}
	}
	/* Enough for one call; the clock goes on before the next. */
	s->run_ns = s->gpu_ns > now ? s->gpu_ns : now + POLL_MIN_NS;
}

void nvsim_sched_kick(struct nvsim *s)
{
	if (s->running || s->outside)
		return;
	s->running = true;
	s->run_ns = NVSIM_NEVER;
	run(s, nvsim_now(s));
	s->running = false;
}
