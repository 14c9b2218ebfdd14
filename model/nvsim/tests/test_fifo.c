// SPDX-License-Identifier: GPL-2.0-or-later
/* IB ring, push buffers, methods, semaphores, errors and how a driver gets past them. */
#include "machine.h"

#define SEM	(VA_RAM + 0xd00000)	/* seen by the CPU at RAM + 0xd00000 */
#define SEM_RAM	0xd00000

static struct machine *m;
static struct chan *a, *b;

static void up(unsigned int chans)
{
	m = machine_new(NULL);
	a = chan_new(m, 1);
	b = chans > 1 ? chan_new(m, 2) : NULL;
	listed(m, 1, chans);
}

static void down(void)
{
	free(a);
	free(b);
	machine_free(m);
}

static bool ref_follows_push_buffer(void)
{
	bool ok = true;

	up(1);
	mthd1(a, 0, 0x50, 1234);
	kick(a);
	run_for(m, 10000);
	EXPECT(userd(a, 0x48) == 1234);
	EXPECT(userd(a, 0x88) == 1);
	EXPECT(userd(a, 0x44) == VA_RAM + a->pb + a->pb_put);
	EXPECT(userd(a, 0x44) == userd(a, 0x40));
	down();
	return ok;
}

/* MGET moves with main segments only; its high word says it is valid. */
static bool mget_ignores_side_buffers(void)
{
	bool ok = true;
	uint32_t main_end;

	up(1);
	EXPECT(!(userd(a, 0x58), userd(a, 0x5c) & 0x80000000));
	mthd1(a, 0, 0x50, 1);
	kick(a);
	run_for(m, 10000);
	main_end = VA_RAM + a->pb + a->pb_put;
	EXPECT(userd(a, 0x58) == main_end && userd(a, 0x5c) == 0x80000000);
	mthd1(a, 0, 0x50, 2);
	kick_flags(a, 1 << 9);
	run_for(m, 10000);
	EXPECT(userd(a, 0x48) == 2);
	EXPECT(userd(a, 0x58) == main_end);
	EXPECT(userd(a, 0x44) == VA_RAM + a->pb + a->pb_put);
	down();
	return ok;
}

static bool ring_wraps(void)
{
	bool ok = true;
	uint32_t i;

	up(1);
	for (i = 1; i <= 300; i++) {
		mthd1(a, 0, 0x50, i);
		kick(a);
		run_for(m, 3000);
		EXPECT(userd(a, 0x48) == i);
	}
	EXPECT(userd(a, 0x88) == 300 % 64);
	down();
	return ok;
}

/* Header forms: incrementing, non-incrementing, long; data may start a new segment. */
static bool headers_and_split_data(void)
{
	bool ok = true;

	up(1);
	out(a, 0x40000000 | 3 << 18 | 0x50);	/* three times the same method */
	out(a, 1);
	out(a, 2);
	kick(a);
	out(a, 3);
	kick(a);
	run_for(m, 10000);
	EXPECT(userd(a, 0x48) == 3);
	out(a, 0x00030050);			/* long: count in the next word */
	kick(a);
	out(a, 4);
	out(a, 10);
	out(a, 11);
	out(a, 12);
	kick(a);
	run_for(m, 10000);
	EXPECT(userd(a, 0x48) == 12);
	out(a, 13);
	out(a, 0);
	out(a, 0);				/* empty commands are skipped */
	mthd1(a, 0, 0x50, 14);
	kick(a);
	run_for(m, 10000);
	EXPECT(userd(a, 0x48) == 14);
	down();
	return ok;
}

/* rnndb/fifo/g80_pfifo.xml, rnndb/bus/pmc.xml */
static bool release_writes_value_and_time(void)
{
	bool ok = true;
	uint64_t t0, t;

	up(1);
	rw(m, SEM_RAM + 4, 99);
	fence(a, SEM, 7);
	t0 = m->now;
	kick(a);
	run_for(m, 20000);
	EXPECT(rr(m, SEM_RAM) == 7 && rr(m, SEM_RAM + 4) == 0);
	t = rr(m, SEM_RAM + 8) | (uint64_t)rr(m, SEM_RAM + 12) << 32;
	EXPECT(t >= (t0 & ~31ull) && t <= t0 + 1000 && !(t & 31));
	EXPECT(rd(m, 0x2100) & 0x40000000);
	EXPECT(rd(m, 0x100) & 0x100);
	EXPECT(m->irq);
	wr(m, 0x2100, 0x40000000);
	EXPECT(!m->irq && !rd(m, 0x100));
	down();
	return ok;
}

/* nouveau masks bit 30 while nobody waits, and must find it later. */
static bool nonstall_latches_while_masked(void)
{
	bool ok = true;

	up(1);
	wr(m, 0x2140, 0xbfffffff);
	fence(a, SEM, 1);
	kick(a);
	run_for(m, 20000);
	EXPECT(rr(m, SEM_RAM) == 1 && !m->irq);
	wr(m, 0x2140, 0xffffffff);
	EXPECT(m->irq);
	down();
	return ok;
}

/* rnndb/bus/pmc.xml */
static bool line_follows_the_master_enable(void)
{
	bool ok = true;
	unsigned int n;

	up(1);
	fence(a, SEM, 1);
	kick(a);
	run_for(m, 20000);
	n = m->irqs;
	EXPECT(m->irq && n == 1);
	wr(m, 0x3258, 0);		/* the line is not raised twice */
	EXPECT(m->irqs == n);
	wr(m, 0x140, 0);
	EXPECT(!m->irq && (rd(m, 0x100) & 0x100));
	wr(m, 0x140, 1);		/* still pending: a new edge for MSI */
	EXPECT(m->irq && m->irqs == n + 1);
	down();
	return ok;
}

/* rnndb/fifo/g80_pfifo.xml */
static bool effect_seen(unsigned int which)
{
	switch (which) {
	case 0:
		return userd(a, 0x48) == 1;
	case 1:
		return rd(m, 0x2100) != 0;
	default:
		return rr(m, SEM_RAM) == 1;
	}
}

/* What the CPU can see comes when the work before it is done, not sooner. */
static bool effects_are_not_early(void)
{
	uint64_t t0, busy, took;
	unsigned int which;
	bool ok = true;

	for (which = 0; which < 3; which++) {
		up(1);
		bind(a);
		kick(a);
		run_for(m, 100000);
		busy = chan_state(m, 1)->busy_ns;
		work(a, 1);		/* about 1.6 us: within the run-ahead */
		if (which == 0)
			mthd1(a, 0, 0x50, 1);
		else if (which == 1)
			mthd1(a, 0, 0x20, 0);
		else
			fence(a, SEM, 1);
		t0 = m->now;
		kick(a);
		while (!effect_seen(which) && m->now < t0 + 100000)
			run_for(m, 10);
		took = m->now - t0;
		run_for(m, 100000);
		busy = chan_state(m, 1)->busy_ns - busy;
		/* behind it: itself, with a fence the interrupt too, 4 ns each */
		if (took + 12 < busy || took > busy + 20)
			printf("# effect %u after %u ns, work %u ns\n", which, (unsigned int)took,
			       (unsigned int)busy);
		EXPECT(took + 12 >= busy && took <= busy + 20);
		down();
	}
	return ok;
}

/* rnndb/fifo/g80_pfifo.xml */
static bool acknowledging_one_keeps_the_other(void)
{
	bool ok = true;

	up(1);
	mthd1(a, 0, 0x20, 0);
	mthd1(a, 3, 0x100, 1);
	kick(a);
	run_for(m, 20000);
	EXPECT(rd(m, 0x2100) == 0x40000001);
	wr(m, 0x2100, 0x40000000);
	EXPECT(rd(m, 0x2100) == 1 && m->irq);
	down();
	return ok;
}

static bool acquire_waits_for_other_channel(void)
{
	bool ok = true;

	up(2);
	acquire_geq(a, SEM, 5);
	mthd1(a, 0, 0x50, 1);
	kick(a);
	run_for(m, 100000);
	EXPECT(userd(a, 0x48) == 0);
	fence(b, SEM, 4);
	mthd1(b, 0, 0x50, 1);
	kick(b);
	run_for(m, 100000);
	EXPECT(userd(b, 0x48) == 1 && userd(a, 0x48) == 0);
	fence(b, SEM, 6);
	kick(b);
	run_for(m, 5000);
	EXPECT(userd(a, 0x48) == 1);
	down();
	return ok;
}

static bool acquire_sees_the_cpu_write(void)
{
	bool ok = true;

	up(1);
	rw(m, SEM_RAM, 0xffffffe0);
	acquire_geq(a, SEM, 0xfffffff0);
	mthd1(a, 0, 0x50, 1);
	kick(a);
	run_for(m, 1000000);
	EXPECT(userd(a, 0x48) == 0);
	EXPECT(m->timers < 200);		/* polling backs off */
	rw(m, SEM_RAM, 0xffffffef);
	run_for(m, 100000);
	EXPECT(userd(a, 0x48) == 0);
	rw(m, SEM_RAM, 3);			/* greater: the order wraps */
	run_for(m, 50000);
	EXPECT(userd(a, 0x48) == 1);
	down();
	return ok;
}

/*
 * What nv04_fifo_intr_cache_error does, when nobody handles the method.
 * rnndb/fifo/g80_pfifo.xml, rnndb/fifo/nv4_pfifo.xml
 */
static uint32_t skip_method(uint32_t *mthd_word, uint32_t *data)
{
	uint32_t get = rd(m, 0x3270), pull0 = rd(m, 0x3250);

	*mthd_word = rd(m, 0x90000 + (get & 0x7ff) / 4 * 8);
	*data = rd(m, 0x90004 + (get & 0x7ff) / 4 * 8);
	wr(m, 0x3220, 0);
	wr(m, 0x2100, 1);
	wr(m, 0x3200, 0);
	wr(m, 0x3270, get + 4);
	wr(m, 0x3200, 1);
	wr(m, 0x3258, 0);
	wr(m, 0x3220, 1);
	wr(m, 0x3250, 1);
	return pull0;
}

struct refusal {
	const char *what;
	uint32_t subc, mthd, data, pull0;
};

/* rnndb/fifo/g80_pfifo.xml */
static bool refused_methods_can_be_skipped(void)
{
	static const struct refusal cases[] = {
		{ "unknown handle", 3, 0x000, 0x12345678, NV_PULL0_HASH_FAILED },
		{ "software object", 3, 0x000, H_SW, NV_PULL0_SOFTWARE },
		{ "method of a software object", 3, 0x500, 42, NV_PULL0_SOFTWARE },
		{ "subchannel never bound", 6, 0x100, 43, NV_PULL0_SOFTWARE },
		{ "unknown DMA handle", 5, 0x180, 44, NV_PULL0_HASH_FAILED },
		{ "unknown semaphore object", 0, 0x060, 45, NV_PULL0_HASH_FAILED },
	};
	const struct refusal *r;
	uint32_t word, data, pull0;
	bool ok = true;

	up(1);
	bind(a);
	kick(a);
	run_for(m, 50000);
	for (r = cases; r < cases + NVSIM_ARRAY_SIZE(cases); r++) {
		mthd1(a, r->subc, r->mthd, r->data);
		mthd1(a, 0, 0x50, r->data + 1);
		kick(a);
		run_for(m, 50000);
		if (!(rd(m, 0x2100) & 1) || !m->irq || userd(a, 0x48) == r->data + 1 ||
		    rd(m, 0x3204) != 0x10001) {
			printf("# %s: not refused\n", r->what);
			ok = false;
		}
		pull0 = skip_method(&word, &data);
		run_for(m, 50000);
		if (pull0 != r->pull0 || word != (r->subc << 13 | r->mthd) || data != r->data ||
		    userd(a, 0x48) != r->data + 1 || m->irq) {
			printf("# %s: pull0 %08x word %08x data %08x ref %x\n", r->what, pull0,
			       word, data, userd(a, 0x48));
			ok = false;
		}
	}
	down();
	return ok;
}

/* A handler that does not step GET over the method gets it again. rnndb/fifo/g80_pfifo.xml */
static bool unskipped_method_comes_back(void)
{
	bool ok = true;

	up(1);
	mthd1(a, 3, 0x100, 1);
	kick(a);
	run_for(m, 20000);
	EXPECT(rd(m, 0x2100) & 1);
	wr(m, 0x2100, 1);
	wr(m, 0x3250, 1);
	run_for(m, 20000);
	EXPECT(rd(m, 0x2100) & 1);
	down();
	return ok;
}

/* What nv04_fifo_intr_dma_pusher does. rnndb/fifo/g80_pfifo.xml */
static uint32_t drop_segment(void)
{
	uint32_t state = rd(m, 0x3228);

	wr(m, 0x3364, 0);
	if (rd(m, 0x3244) != rd(m, 0x3240) || rd(m, 0x3328) != rd(m, 0x3320)) {
		wr(m, 0x3244, rd(m, 0x3240));
		wr(m, 0x3328, rd(m, 0x3320));
	} else if (rd(m, 0x3334) != rd(m, 0x3330)) {
		wr(m, 0x3334, rd(m, 0x3330));
	}
	wr(m, 0x3228, 0);
	wr(m, 0x3220, 1);
	wr(m, 0x2100, 0x1000);
	return state >> 29;
}

/* rnndb/fifo/g80_pfifo.xml */
static bool expect_pusher_error(uint32_t error, uint32_t next_ref)
{
	bool ok = true;
	uint32_t had;

	run_for(m, 50000);
	EXPECT((rd(m, 0x2100) & 0x1000) && m->irq);
	EXPECT(!(rd(m, 0x3220) & 1));
	had = drop_segment();
	if (had != error)
		printf("# error %u, expected %u\n", had, error);
	EXPECT(had == error);
	mthd1(a, 0, 0x50, next_ref);
	kick(a);
	run_for(m, 50000);
	EXPECT(userd(a, 0x48) == next_ref && !m->irq);
	return ok;
}

/* rnndb/memory/g80_pfb.xml */
static bool pusher_errors_drop_the_segment(void)
{
	static const uint32_t bad[] = { 0xffffffff, 0x20000000, 0x00020000, 0x00000001, 0x2, 0x00010000 };
	uint32_t i, at;
	bool ok = true;

	up(1);
	for (i = 0; i < NVSIM_ARRAY_SIZE(bad); i++) {
		out(a, bad[i]);
		mthd1(a, 0, 0x50, 666);
		kick(a);
		EXPECT(expect_pusher_error(NV_DMA_INVALID_CMD, 100 + i));
	}
	mthd1(a, 0, 0x40, 1);			/* no such host method */
	mthd1(a, 0, 0x50, 666);
	kick(a);
	EXPECT(expect_pusher_error(NV_DMA_INVALID_MTHD, 200));
	kick(a);				/* an entry of no words */
	EXPECT(expect_pusher_error(NV_DMA_IB_EMPTY, 201));
	at = a->ib + a->ib_put * 8;		/* an entry that leads nowhere */
	rw(m, at, 0x40000000);
	rw(m, at + 4, 5 << 10);
	a->ib_put++;
	wr(m, 0xc0008c + 0x2000, a->ib_put);
	EXPECT(expect_pusher_error(NV_DMA_MEM_FAULT, 202));
	EXPECT(rd(m, 0x100c90) & 0x80000000);
	down();
	return ok;
}

/* Where the pusher is when it stops with an error (envytools: docs/hw/fifo/dma-pusher.rst). */
struct stop {
	uint32_t get;		/* words behind the start of the segment */
	uint32_t ib_get;	/* entries behind the first */
	uint32_t state, count, dcount;
};

static bool stopped_at(uint32_t first, uint32_t ib, const struct stop *w)
{
	bool ok = true;

	run_for(m, 50000);
	EXPECT(rd(m, 0x2100) & 0x1000);
	EXPECT(rd(m, 0x3244) == VA_RAM + a->pb + first + w->get * 4);
	EXPECT(rd(m, 0x3334) == ib + w->ib_get);
	EXPECT(rd(m, 0x3228) == w->state && rd(m, 0x3364) == w->count);
	EXPECT(rd(m, 0x32a0) == w->dcount);
	drop_segment();
	EXPECT(rd(m, 0x3228) == 0);
	run_for(m, 50000);
	return ok;
}

/* rnndb/fifo/g80_pfifo.xml */
static bool errors_stop_the_pusher_behind_the_word(void)
{
	const struct stop cmd = { 3, 1, 4u << 29 | 0x54, 0, 1 };
	const struct stop subc = { 2, 1, 2u << 29 | 3 << 13 | 0x40, 2, 0 };
	const struct stop ni = { 3, 1, 2u << 29 | 1 << 18 | 0x40 | 1, 5, 0 };
	bool ok = true;
	uint32_t at;

	up(1);
	at = a->pb_put;
	mthd1(a, 0, 0x50, 1);
	out(a, 0xffffffff);			/* no command */
	out(a, 0);
	kick(a);
	EXPECT(stopped_at(at, 0, &cmd) && rd(m, 0x32a8) == 0xffffffff && rd(m, 0x32ac) == 1);
	at = a->pb_put;
	mthd(a, 3, 0x40, 2);			/* no host method: the word counts as not yet done */
	out(a, 77);
	out(a, 78);
	kick(a);
	EXPECT(stopped_at(at, 1, &subc) && rd(m, 0x32ac) == 77);
	at = a->pb_put;
	out(a, 0x00030040);			/* the same, long, in a segment beside the main one */
	out(a, 5);
	out(a, 79);
	out(a, 80);
	kick_flags(a, 1 << 9);
	EXPECT(stopped_at(at, 2, &ni));
	down();
	return ok;
}

/* What is queued behind an empty entry is run, not dropped with it. rnndb/fifo/g80_pfifo.xml */
static bool empty_entry_is_behind_the_pusher(void)
{
	bool ok = true;

	up(1);
	mthd1(a, 0, 0x50, 1);
	kick(a);
	kick(a);
	run_for(m, 50000);
	EXPECT(rd(m, 0x2100) & 0x1000 && rd(m, 0x3228) >> 29 == NV_DMA_IB_EMPTY);
	EXPECT(rd(m, 0x3334) == 2 && rd(m, 0x3330) == 2);
	EXPECT(rd(m, 0x3244) == rd(m, 0x3240));
	wr(m, 0x3228, 0);
	wr(m, 0x3220, 1);
	wr(m, 0x2100, 0x1000);
	mthd1(a, 0, 0x50, 2);
	kick(a);
	run_for(m, 50000);
	EXPECT(userd(a, 0x48) == 2 && !m->irq);
	down();
	return ok;
}

/*
 * Words before a page that is not there are executed, GET is at the first that is not.
 * rnndb/fifo/g80_pfifo.xml
 */
static bool fault_stops_at_the_word_that_faults(void)
{
	uint32_t page = VA_VRAM + 16 * MB, i;
	bool ok = true;

	up(1);
	for (i = 0; i < 4; i++) {
		vw(m, V_DATA + 16 * MB - 32 + i * 8, 1 << 18 | 0x50);
		vw(m, V_DATA + 16 * MB - 28 + i * 8, 10 + i);
	}
	rw(m, a->ib, page - 32);
	rw(m, a->ib + 4, 16 << 10);
	wr(m, 0xc0208c, 1);
	run_for(m, 50000);
	EXPECT(userd(a, 0x48) == 13);
	EXPECT(rd(m, 0x3244) == page && rd(m, 0x3228) >> 29 == NV_DMA_MEM_FAULT);
	down();
	return ok;
}

/* SLI: a command that says for which cards the methods behind it are. */
static bool methods_of_other_cards_are_dropped(void)
{
	bool ok = true;

	up(1);
	wr(m, 0x2604, 0);
	vw(m, a->inst + I_RAMFC + 0x7c, 0x30000001);	/* enabled, active, this is card 0 */
	wr(m, 0x2604, 0x80000000 | (a->inst + I_RAMFC) >> 8);
	listed(m, 1, 1);
	mthd1(a, 0, 0x50, 1);
	kick(a);
	run_for(m, 10000);
	EXPECT(userd(a, 0x48) == 1);
	out(a, 0x00010000 | 2 << 4);
	mthd1(a, 0, 0x50, 2);
	kick(a);
	run_for(m, 10000);
	EXPECT(userd(a, 0x48) == 1 && !m->irq);
	out(a, 0x00010000 | 3 << 4);
	mthd1(a, 0, 0x50, 3);
	kick(a);
	run_for(m, 10000);
	EXPECT(userd(a, 0x48) == 3 && !m->irq);
	down();
	return ok;
}

/* The driver's way past a semaphore error: returns it. rnndb/fifo/g80_pfifo.xml */
static uint32_t skip_semaphore(uint32_t *word)
{
	uint32_t intr = rd(m, 0x2100), data, pull0;

	wr(m, 0x2100, 0x100000);
	pull0 = skip_method(word, &data);
	run_for(m, 50000);
	return intr & 0x100000 ? pull0 >> 20 & 15 : 0;
}

/* envytools: docs/hw/fifo/puller.rst. rnndb/memory/g80_pfb.xml */
static bool bad_semaphores_raise(void)
{
	static const struct {
		uint32_t mthd, data, error;
	} cases[] = {
		{ 0x1c, 2, NV_SEM_MEM_FAULT },		/* no object yet: a fault like others */
		{ 0x68, 2, NV_SEM_INVALID_STATE },	/* no offset yet */
		{ 0x6c, 2, NV_SEM_INVALID_STATE },
		{ 0x64, 6, NV_SEM_UNALIGNED },
		{ 0x64, 0x10002, NV_SEM_UNALIGNED },
		{ 0x64, 0x10000, NV_SEM_TOO_LARGE },
		{ 0x68, 2, NV_SEM_INVALID_STATE },	/* still none */
		{ 0x10, 0x100, NV_SEM_TOO_LARGE },
		{ 0x14, 0x11, NV_SEM_UNALIGNED },
		{ 0x60, H_VM, 0 },
		{ 0x14, 0x40000000, 0 },
		{ 0x1c, 2, NV_SEM_MEM_FAULT },
		{ 0x1c, 1, NV_SEM_MEM_FAULT },
		{ 0x1c, 4, NV_SEM_MEM_FAULT },
		{ 0x1c, 7, NV_SEM_MEM_FAULT },		/* read first, then looked at */
	};
	uint32_t word, error, i;
	bool ok = true;

	up(1);
	for (i = 0; i < NVSIM_ARRAY_SIZE(cases); i++) {
		mthd1(a, 0, cases[i].mthd, cases[i].data);
		mthd1(a, 0, 0x50, i + 1);
		kick(a);
		run_for(m, 50000);
		error = rd(m, 0x2100) & 0x100000 ? skip_semaphore(&word) : 0;
		if (error != cases[i].error || (error && word != cases[i].mthd) ||
		    userd(a, 0x48) != i + 1) {
			printf("# case %u: error %u, not %u\n", i, error, cases[i].error);
			ok = false;
		}
		wr(m, 0x2100, ~0u);
	}
	EXPECT(rd(m, 0x100c90) & 0x80000000);
	down();
	return ok;
}

/* What was refused is not set: the release goes where the address was before. */
static bool refused_address_is_not_kept(void)
{
	bool ok = true;
	uint32_t word;

	up(1);
	fence(a, SEM, 1);
	kick(a);
	run_for(m, 50000);
	wr(m, 0x2100, ~0u);
	fence(a, SEM + 0x12, 2);
	kick(a);
	run_for(m, 50000);
	EXPECT(skip_semaphore(&word) == NV_SEM_UNALIGNED && word == 0x14);
	EXPECT(rr(m, SEM_RAM) == 2 && rr(m, SEM_RAM + 0x10) == 0);
	down();
	return ok;
}

/*
 * A waiting channel's memory is read by another engine of the MMU than at first.
 * nouveau:subdev/fb/nv50.c, rnndb/memory/g80_vm.xml
 */
static bool background_reads_fault_as_such(void)
{
	uint32_t word, pt, pte;
	bool ok = true;

	up(1);
	acquire_geq(a, SEM, 5);
	kick(a);
	run_for(m, 100000);
	EXPECT(!m->irq);
	pt = vr(m, a->inst + I_PD) & ~0xfffu;
	pte = pt + (uint32_t)(SEM >> 12) * 8;
	vw(m, pte, 0);
	wr(m, 0x100c80, 1);
	run_for(m, 100000);
	EXPECT(skip_semaphore(&word) == NV_SEM_MEM_FAULT && word == 0x1c);
	wr(m, 0x100c90, 0);
	EXPECT(rd(m, 0x100c94) == (0xc | NVSIM_VM_PAGE_NOT_PRESENT << 4 | 8 << 8 | 1 << 12));
	down();
	return ok;
}

/*
 * An operation that there is not: neither an error nor an end.
 * rnndb/fifo/g80_pfifo.xml, nouveau:engine/fifo/nv50.c
 */
static bool bad_trigger_hangs(void)
{
	static const uint32_t ops[] = { 0, 3, 5, 6, 7, 8 };
	bool ok = true;
	uint32_t i;

	for (i = 0; i < NVSIM_ARRAY_SIZE(ops); i++) {
		up(2);
		fence(a, SEM, 1);
		rw(m, a->pb + a->pb_put - 8, ops[i]);
		mthd1(a, 0, 0x50, 1);
		kick(a);
		run_for(m, 1000000);
		EXPECT(userd(a, 0x48) == 0 && !m->irq && rr(m, SEM_RAM) == 0);
		fence(b, SEM, 1);		/* others go on, and the channel can be killed */
		kick(b);
		run_for(m, 1000000);
		EXPECT(rr(m, SEM_RAM) == 1 && userd(a, 0x48) == 0);
		wr(m, 0x2604, rd(m, 0x2604) & 0x7fffffff);
		wr(m, 0x32fc, a->inst >> 12);
		EXPECT(rd(m, 0x32fc) == a->inst >> 12);
		down();
	}
	up(1);					/* three bits are the operation */
	fence(a, SEM, 1);
	rw(m, a->pb + a->pb_put - 8, 10);
	kick(a);
	run_for(m, 50000);
	EXPECT(rr(m, SEM_RAM) == 1);
	down();
	return ok;
}

/* Old-style: an offset in the object, one word. */
static bool old_style_semaphore(void)
{
	bool ok = true;

	up(2);
	dma_object(m, a->inst + I_NTFY, SEM, SEM + 0xff);
	dma_object(m, b->inst + I_NTFY, SEM, SEM + 0xff);
	mthd(a, 0, 0x60, 3);
	out(a, H_NTFY);
	out(a, 0x10);
	out(a, 5);
	mthd1(a, 0, 0x50, 1);
	kick(a);
	run_for(m, 50000);
	EXPECT(userd(a, 0x48) == 0);
	rw(m, SEM_RAM + 0x14, 77);
	mthd(b, 0, 0x60, 2);
	out(b, H_NTFY);
	out(b, 0x10);
	mthd1(b, 0, 0x6c, 5);
	kick(b);
	run_for(m, 50000);
	EXPECT(rr(m, SEM_RAM + 0x10) == 5 && rr(m, SEM_RAM + 0x14) == 77);
	EXPECT(userd(a, 0x48) == 1);
	down();
	return ok;
}

/*
 * nouveau toggles bit 31; only another address starts the channel anew.
 * rnndb/fifo/g80_pfifo.xml
 */
static bool disabling_keeps_position(void)
{
	bool ok = true;
	uint32_t entry;

	up(1);
	mthd1(a, 0, 0x50, 1);
	kick(a);
	run_for(m, 10000);
	entry = rd(m, 0x2604);
	wr(m, 0x2604, entry & 0x7fffffff);
	mthd1(a, 0, 0x50, 2);
	kick(a);
	run_for(m, 10000);
	EXPECT(userd(a, 0x48) == 1);
	wr(m, 0x2604, entry);
	run_for(m, 10000);
	EXPECT(userd(a, 0x48) == 2 && userd(a, 0x88) == 2);
	wr(m, 0x2604, 0);
	EXPECT(userd(a, 0x88) == 0 && userd(a, 0x48) == 0);
	down();
	return ok;
}

/*
 * As the driver does when the card is suspended: the engines lose everything.
 * rnndb/fifo/g80_pfifo.xml, rnndb/bus/pmc.xml, rnndb/graph/g80_pgraph/pgraph.xml
 */
static bool suspended_channel_goes_on_where_it_was(void)
{
	uint32_t entry, enabled, ramfc;
	bool ok = true;

	up(1);
	bind(a);
	mthd1(a, 0, 0x50, 7);
	kick(a);
	run_for(m, 50000);
	EXPECT(userd(a, 0x48) == 7 && userd(a, 0x88) == 1);
	entry = rd(m, 0x2604);
	ramfc = a->inst + I_RAMFC;
	wr(m, 0x2604, 0);
	EXPECT(vr(m, ramfc) == 1 && vr(m, ramfc + 4) == 1);
	enabled = rd(m, 0x200);
	wr(m, 0x200, enabled & ~0x1100);
	wr(m, 0x200, enabled);
	engines_init(m);
	wr(m, 0x2604, entry);
	listed(m, 1, 1);
	run_for(m, 50000);
	/* Nothing was run again, and subchannel 5 still has its object. */
	EXPECT(userd(a, 0x48) == 7 && userd(a, 0x88) == 1);
	work(a, 1);
	mthd1(a, 0, 0x50, 8);
	kick(a);
	run_for(m, 50000);
	EXPECT(userd(a, 0x48) == 8 && userd(a, 0x88) == 2);
	EXPECT(!(rd(m, 0x2100) & 1) && !rd(m, 0x400100));
	down();
	return ok;
}

/* A driver that clears RAMFC makes a new channel of it. rnndb/fifo/g80_pfifo.xml */
static bool cleared_ramfc_starts_from_nothing(void)
{
	bool ok = true;
	uint32_t entry;

	up(1);
	mthd1(a, 0, 0x50, 7);
	kick(a);
	run_for(m, 10000);
	entry = rd(m, 0x2604);
	wr(m, 0x2604, 0);
	vw(m, a->inst + I_RAMFC, 0);
	vw(m, a->inst + I_RAMFC + 4, 0);
	wr(m, 0x2604, entry);
	EXPECT(userd(a, 0x48) == 0 && userd(a, 0x88) == 0);
	down();
	return ok;
}

/* rnndb/fifo/g80_pfifo.xml */
static bool unlisted_channel_does_not_run(void)
{
	bool ok = true;

	up(1);
	playlist(m, 0, NULL);
	mthd1(a, 0, 0x50, 1);
	kick(a);
	run_for(m, 10000);
	EXPECT(userd(a, 0x48) == 0);
	listed(m, 1, 1);
	EXPECT(!(rd(m, 0x32ec) & 0x1100));	/* nouveau looks at bit 8, this family has 12 */
	run_for(m, 10000);
	EXPECT(userd(a, 0x48) == 1);
	down();
	return ok;
}

/* rnndb/graph/g80_pgraph/pgraph.xml, rnndb/fifo/g80_pfifo.xml, nouveau:engine/fifo/nv50.c */
static bool kick_off_waits_for_the_engine(void)
{
	bool ok = true;

	up(1);
	bind(a);
	work(a, 100);
	kick(a);
	run_for(m, 30000);
	EXPECT(rd(m, 0x40032c) == (0x80000000 | a->inst >> 12));
	wr(m, 0x2604, rd(m, 0x2604) & 0x7fffffff);
	wr(m, 0x32fc, a->inst >> 12);
	EXPECT(rd(m, 0x32fc) == 0xffffffff);
	run_for(m, 100 * LINE_NS);
	EXPECT(rd(m, 0x32fc) == a->inst >> 12);
	EXPECT(rd(m, 0x40032c) == 0);
	down();
	return ok;
}

static bool yield_gives_the_turn_away(void)
{
	bool ok = true;

	up(2);
	bind(a);
	bind(b);
	kick(a);
	kick(b);
	run_for(m, 100000);
	work(a, 10);
	mthd1(a, 0, 0x80, 0);
	work(a, 1000);
	mthd1(a, 0, 0x50, 1);
	work(b, 10);
	mthd1(b, 0, 0x50, 1);
	kick(a);
	kick(b);
	run_for(m, 200000);		/* long before a's slice is over */
	EXPECT(userd(b, 0x48) == 1 && userd(a, 0x48) == 0);
	run_for(m, 2000000);
	EXPECT(userd(a, 0x48) == 1);
	down();
	return ok;
}

/* rnndb/fifo/g80_pfifo.xml */
static bool freeze_stops_everything(void)
{
	bool ok = true;

	up(1);
	wr(m, 0x2504, 1);
	EXPECT(rd(m, 0x2504) == 0x11);
	mthd1(a, 0, 0x50, 1);
	kick(a);
	run_for(m, 100000);
	EXPECT(userd(a, 0x48) == 0);
	wr(m, 0x2504, 0);
	run_for(m, 100000);
	EXPECT(userd(a, 0x48) == 1);
	down();
	return ok;
}

/* 40-bit positions come in two halves; the low half latches the high one. */
static bool segments_above_4_gib(void)
{
	bool ok = true;
	uint32_t at, va = 0x20000000 + 0x100000;

	up(1);
	vw(m, V_DATA + 0x100000, 1 << 18 | 0x50);
	vw(m, V_DATA + 0x100004, 4321);
	at = a->ib;
	rw(m, at, va);
	rw(m, at + 4, 1 | 2 << 10);
	wr(m, 0xc0208c, 1);
	run_for(m, 100000);
	EXPECT(userd(a, 0x48) == 4321);
	EXPECT(userd(a, 0x44) == va + 8 && userd(a, 0x60) == 1);
	EXPECT(userd(a, 0x40) == va + 8 && userd(a, 0x4c) == 1);
	EXPECT(userd(a, 0x58) == va + 8 && userd(a, 0x5c) == 0x80000001);
	down();
	return ok;
}

/*
 * What the driver does for a software object: it takes the subchannel over.
 * rnndb/fifo/g80_pfifo.xml
 */
static bool engine_register_shows_and_sets_bindings(void)
{
	uint32_t word, data;
	bool ok = true;

	up(1);
	bind(a);
	mthd1(a, 3, 0, H_SW);
	kick(a);
	run_for(m, 50000);
	EXPECT(rd(m, 0x3280) == 0x00100000);		/* subchannel 5: PGRAPH */
	EXPECT(rd(m, 0x3258) == I_SW >> 4);
	skip_method(&word, &data);
	wr(m, 0x3280, 0);
	mthd1(a, 5, 0x100, 1);
	kick(a);
	run_for(m, 50000);
	EXPECT((rd(m, 0x2100) & 1) && (rd(m, 0x3250) & 0x100));
	down();
	return ok;
}

int main(void)
{
	TEST(ref_follows_push_buffer);
	TEST(mget_ignores_side_buffers);
	TEST(ring_wraps);
	TEST(headers_and_split_data);
	TEST(release_writes_value_and_time);
	TEST(nonstall_latches_while_masked);
	TEST(line_follows_the_master_enable);
	TEST(effects_are_not_early);
	TEST(acknowledging_one_keeps_the_other);
	TEST(acquire_waits_for_other_channel);
	TEST(acquire_sees_the_cpu_write);
	TEST(refused_methods_can_be_skipped);
	TEST(unskipped_method_comes_back);
	TEST(pusher_errors_drop_the_segment);
	TEST(errors_stop_the_pusher_behind_the_word);
	TEST(empty_entry_is_behind_the_pusher);
	TEST(fault_stops_at_the_word_that_faults);
	TEST(methods_of_other_cards_are_dropped);
	TEST(bad_semaphores_raise);
	TEST(refused_address_is_not_kept);
	TEST(background_reads_fault_as_such);
	TEST(bad_trigger_hangs);
	TEST(old_style_semaphore);
	TEST(disabling_keeps_position);
	TEST(suspended_channel_goes_on_where_it_was);
	TEST(cleared_ramfc_starts_from_nothing);
	TEST(unlisted_channel_does_not_run);
	TEST(kick_off_waits_for_the_engine);
	TEST(yield_gives_the_turn_away);
	TEST(freeze_stops_everything);
	TEST(segments_above_4_gib);
	TEST(engine_register_shows_and_sets_bindings);
	return tap_done();
}
