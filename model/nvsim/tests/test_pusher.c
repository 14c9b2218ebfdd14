// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The pusher on random streams, against one that is written anew from the page
 * (envytools: docs/hw/fifo/dma-pusher.rst) and knows nothing of the model's:
 * methods, positions, state and errors, with a driver that recovers in several
 * ways. Where page and model are known to differ is in
 * Documentation/gpu-model-documents.rst: test_pusher STREAMS SEED for more.
 */
#include "machine.h"

#define SEGMENTS	0x100000u	/* push buffers, in system memory */
#define SEGMENT_BYTES	0x10000u
#define RAM_END		(VA_RAM + RAM_BYTES)
#define METHODS		4096

static uint64_t seed = 1;

static uint32_t rnd(uint32_t n)
{
	seed = seed * 6364136223846793005ull + 1442695040888963407ull;
	return (seed >> 33) * n >> 31;
}

enum failure { NONE, MTHD = 2, CMD = 4, EMPTY = 5, FAULT = 6 };

/* One method that goes to the puller. */
struct sent {
	uint32_t subc, mthd, data;
};

/* The state that the page lists, by its names. */
struct page {
	const uint8_t *ram;
	uint64_t ib_address, dma_get, dma_put, dma_mget;
	uint32_t ib_order, ib_get, ib_put;
	uint32_t mthd, subc, mcnt, dcount, rsvd, data, sli_mask, bit40;
	bool ni, lenp, nonmain, mget_val, sli_enable, sli_active;
	enum failure error;
	struct sent sent[METHODS];
	uint32_t n;
};

static bool page_word(const struct page *p, uint64_t va, uint32_t *word)
{
	if (va < VA_RAM || va + 4 > RAM_END)
		return false;
	*word = nvsim_ld32(p->ram + (va - VA_RAM));
	return true;
}

/* The methods below 100 that docs/hw/fifo/puller.rst has for this chip. */
static bool page_knows(uint32_t mthd)
{
	static const uint8_t low[] = { 0x00, 0x10, 0x14, 0x18, 0x1c, 0x20, 0x24, 0x50, 0x60,
				       0x64, 0x68, 0x6c, 0x80 };
	size_t i;

	for (i = 0; i < sizeof(low); i++)
		if (low[i] == mthd)
			return true;
	return mthd >= 0x100;
}

static enum failure page_entry(struct page *p)
{
	uint64_t at = p->ib_address + p->ib_get * 8ull;
	uint32_t lo, hi, size;

	if (!page_word(p, at, &lo) || !page_word(p, at + 4, &hi))
		return FAULT;
	p->ib_get = (p->ib_get + 1) % (1u << p->ib_order);
	size = hi << 1 >> 11;
	if (!size)
		return EMPTY;
	p->dma_get = (uint64_t)(hi & 0xff) << 32 | lo / 4 * 4;
	p->dma_put = (p->dma_get + size * 4ull) % (1ull << 40);
	p->bit40 = hi >> 8 & 1;
	p->nonmain = hi >> 9 & 1;
	if (!p->nonmain)
		p->dma_mget = p->dma_get;
	return NONE;
}

static enum failure page_command(struct page *p, uint32_t w)
{
	bool aligned = !(w & 3);
	uint32_t top = w >> 29, kind = w >> 16 & 3;

	p->rsvd = w;
	if (aligned && kind == 1 && w >> 16 == 1 && p->sli_enable) {
		p->sli_active = (p->sli_mask & (w << 16 >> 20)) != 0;
		return NONE;
	}
	if (aligned && kind == 0 && (top == 0 || top == 2)) {
		p->ni = top == 2;
		p->mcnt = w << 3 >> 21;
	} else if (aligned && w >> 16 == 3) {
		p->ni = true;
		p->lenp = true;
	} else {
		return CMD;
	}
	p->mthd = w & 0x1ffc;
	p->subc = w >> 13 & 7;
	p->dcount = 0;
	return NONE;
}

static enum failure page_data(struct page *p, uint32_t w)
{
	p->data = w;
	if (!page_knows(p->mthd))
		return MTHD;
	if ((!p->sli_enable || p->sli_active) && p->n < METHODS)
		p->sent[p->n++] = (struct sent) { p->subc, p->mthd, w };
	if (!p->ni)
		p->mthd = (p->mthd + 4) % 0x2000;
	p->mcnt--;
	p->dcount++;
	return NONE;
}

static enum failure page_segment(struct page *p)
{
	uint32_t w;

	if (!page_word(p, p->dma_get, &w))
		return FAULT;
	p->dma_get = (p->dma_get + 4) % (1ull << 40);
	if (!p->nonmain) {
		p->dma_mget = p->dma_get;
		p->mget_val = true;
	}
	if (p->lenp) {
		p->lenp = false;
		p->mcnt = w % (1u << 24);
		return NONE;
	}
	return p->mcnt ? page_data(p, w) : page_command(p, w);
}

/* Until nothing is left or an error stops it. */
static void page_run(struct page *p)
{
	while (!p->error && (p->dma_get != p->dma_put || p->ib_get != p->ib_put))
		p->error = p->dma_get != p->dma_put ? page_segment(p) : page_entry(p);
}

static uint32_t page_state(const struct page *p)
{
	return (uint32_t)p->error << 29 | (uint32_t)p->nonmain << 18 | (uint32_t)p->lenp << 16 |
	       p->subc << 13 | p->mthd | p->bit40 << 1 | p->ni;
}

/* A word of a push buffer: commands of all kinds, well-formed or not, data. */
static uint32_t some_word(void)
{
	static const uint16_t low[] = { 0x00, 0x10, 0x18, 0x24, 0x50, 0x60, 0x68, 0x80, 0x08, 0x28,
					0x40, 0xfc, 0x100, 0x180, 0x328, 0x1ffc, 0x1ff8 };
	uint32_t addr = rnd(3) ? low[rnd(NVSIM_ARRAY_SIZE(low))] : rnd(0x800) * 4;
	uint32_t head = rnd(8) << 13 | addr, w;

	switch (rnd(12)) {
	case 0 ... 4:
		w = rnd(6) << 18 | head;
		break;
	case 5 ... 6:
		w = 0x40000000 | rnd(6) << 18 | head;
		break;
	case 7:
		w = 0x00030000 | head;
		break;
	case 8:
		w = 0x00010000 | rnd(0x1000) << 4 | rnd(4) << 2;
		break;
	case 9:
		w = rnd(20);
		break;
	case 10:
		w = 0;
		break;
	default:
		w = rnd(0x10000) << 16 | rnd(0x10000);
		break;
	}
	return rnd(40) ? w : w ^ 1u << rnd(32);
}

/* Segments lie in one area, at the end of what is mapped, or nowhere. */
static void some_entry(struct machine *m, uint32_t at)
{
	uint64_t va = VA_RAM + SEGMENTS + rnd(SEGMENT_BYTES - 64 * 4);
	uint32_t size = rnd(20) ? 1 + rnd(12) : rnd(40);

	if (rnd(30) == 0)
		va = RAM_END - rnd(80);
	else if (rnd(100) == 0)
		va = (uint64_t)rnd(256) << 32 | 0x40000000u | rnd(0x1000000);
	if (rnd(40) == 0)
		size = 0;
	rw(m, at, va);
	rw(m, at + 4, (uint32_t)(va >> 32) | rnd(4) << 8 | size << 10 | rnd(2) << 31);
}

static struct machine *m;
static struct chan *c;
static struct page p;

static void fill_memory(void)
{
	uint32_t i;

	for (i = 0; i < SEGMENT_BYTES; i += 4)
		rw(m, SEGMENTS + i, some_word());
	for (i = RAM_BYTES - 128; i < RAM_BYTES; i += 4)
		rw(m, i, some_word());
}

/* The channel starts anew, as after the driver made it. */
static void new_stream(void)
{
	uint32_t ramfc = c->inst + I_RAMFC, i, sli = 0;

	if (rnd(3) == 0)
		sli = 1u << 29 | rnd(2) << 28 | rnd(0x1000);
	memset(&p, 0, sizeof(p));
	p.ram = m->ram;
	p.ib_order = 1 + rnd(4);
	p.ib_address = VA_RAM + c->ib;
	if (rnd(200) == 0)
		p.ib_address = RAM_END - 12;
	p.sli_enable = sli >> 29;
	p.sli_active = sli >> 28 & 1;
	p.sli_mask = sli & 0xfff;
	for (i = 0; i < 1u << p.ib_order; i++)
		some_entry(m, p.ib_address - VA_RAM + i * 8 < RAM_BYTES - 8 ?
			   (uint32_t)(p.ib_address - VA_RAM) + i * 8 : c->ib);
	wr(m, 0x2604, 0);
	vw(m, ramfc, 0);
	vw(m, ramfc + 4, 0);
	vw(m, ramfc + 0x50, p.ib_address);
	vw(m, ramfc + 0x54, p.ib_order << 16);
	vw(m, ramfc + 0x7c, sli);
	wr(m, 0x2604, 0x80000000 | ramfc >> 8);
	wr(m, 0x3220, 1);
	wr(m, 0x2100, ~0u);
}

/* The model's pusher, with the puller held: each method is taken from its hands. */
static bool card_run(struct sent *sent, uint32_t *n)
{
	struct nvsim_chan *state = &m->s->fifo.sched.chan[1];
	uint32_t guard;

	for (guard = 0; guard < 100000; guard++) {
		run_for(m, 1000000);
		if (!state->pend.valid)
			return true;
		if (*n < METHODS)
			sent[(*n)++] = (struct sent) { state->pend.subc, state->pend.addr,
						       state->pend.data };
		state->pend.valid = false;
		wr(m, 0x3200, 1);
	}
	return false;
}

static bool same_number(const char *what, uint64_t want, uint64_t got)
{
	if (want != got)
		printf("# %s: the page has %llx, the model %llx\n", what,
		       (unsigned long long)want, (unsigned long long)got);
	return want == got;
}

static uint64_t pair(uint32_t lo, uint32_t hi)
{
	uint32_t low = userd(c, lo);

	return (uint64_t)userd(c, hi) << 32 | low;
}

/* rnndb/fifo/g80_pfifo.xml */
static bool same(const struct sent *sent, uint32_t n)
{
	bool ok = same_number("methods", p.n, n), shown = rd(m, 0x3204) == 0x10001;
	uint32_t i;

	for (i = 0; ok && i < n; i++)
		ok = same_number("subchannel", p.sent[i].subc, sent[i].subc) &&
		     same_number("method", p.sent[i].mthd, sent[i].mthd) &&
		     same_number("data", p.sent[i].data, sent[i].data);
	ok &= same_number("error", p.error, rd(m, 0x2100) & 0x1000 ? rd(m, 0x3228) >> 29 : 0);
	ok &= same_number("DMA_GET", p.dma_get, pair(0x44, 0x60));
	ok &= same_number("DMA_PUT", p.dma_put, pair(0x40, 0x4c));
	ok &= same_number("DMA_MGET", p.dma_mget | (uint64_t)p.mget_val << 63, pair(0x58, 0x5c));
	ok &= same_number("IB_GET", p.ib_get, userd(c, 0x88));
	if (!shown)		/* a channel that never ran is not in CACHE1 */
		return ok;
	ok &= same_number("DMA_STATE", page_state(&p), rd(m, 0x3228));
	ok &= same_number("METHOD_COUNT", p.mcnt, rd(m, 0x3364));
	ok &= same_number("DCOUNT", p.dcount, rd(m, 0x32a0));
	ok &= same_number("RSVD", p.rsvd, rd(m, 0x32a8));
	ok &= same_number("DATA", p.data, rd(m, 0x32ac));
	return ok;
}

/* nouveau's handler, or less, or something else; the page's state follows. */
static void recover(void)
{
	uint32_t how = rnd(4);

	if (how) {
		wr(m, 0x3364, 0);
		p.mcnt = 0;
	}
	if (how > 1 && p.dma_get != p.dma_put) {
		wr(m, 0x3244, p.dma_put);
		wr(m, 0x3328, p.dma_put >> 32);
		p.dma_get = p.dma_put;
	} else if (how > 1 && p.ib_get != p.ib_put) {
		wr(m, 0x3334, p.ib_put);
		p.ib_get = p.ib_put;
	}
	if (how == 3) {
		wr(m, 0x3228, 0);
		p.mthd = 0;
		p.subc = 0;
		p.bit40 = 0;
		p.ni = false;
		p.lenp = false;
		p.nonmain = false;
	} else {
		wr(m, 0x3228, page_state(&p) & 0x1fffffff);
	}
	p.error = NONE;
	wr(m, 0x2100, 0x1000);
	wr(m, 0x3220, 1);
}

static bool stream(uint32_t rings)
{
	static struct sent sent[METHODS];
	uint32_t n = 0;

	new_stream();
	while (rings--) {
		p.ib_put = rnd(1u << p.ib_order);
		wr(m, 0xc0008c + 0x2000, p.ib_put);
		page_run(&p);
		if (!card_run(sent, &n) || !same(sent, n))
			return false;
		if (p.error)
			recover();
		page_run(&p);
		if (!card_run(sent, &n) || !same(sent, n))
			return false;
		if (p.error)
			return true;
	}
	return true;
}

int main(int argc, char **argv)
{
	uint32_t streams = argc > 1 ? strtoul(argv[1], NULL, 0) : 3000, i;
	uint64_t methods = 0, errors = 0, first;
	bool ok = true;

	seed = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
	m = machine_new(NULL);
	c = chan_new(m, 1);
	listed(m, 1, 1);
	wr(m, 0x3250, 0);
	for (i = 0; ok && i < streams; i++) {
		if (i % 64 == 0)
			fill_memory();
		first = seed;
		ok = stream(1 + rnd(4));
		methods += p.n;
		errors += p.error != NONE;
		if (!ok)
			printf("# stream %u, seed %llu\n", i, (unsigned long long)first);
	}
	printf("# %u streams, %llu methods, %llu ended in an error\n", i,
	       (unsigned long long)methods, (unsigned long long)errors);
	tap(ok && methods > streams, "random_streams_go_as_the_page_says");
	free(c);
	machine_free(m);
	return tap_done();
}
