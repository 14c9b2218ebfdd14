// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Random guests: registers, BARs, page tables, push buffers half sensible and
 * half garbage, with the driver's own recovery now and then so that work goes
 * on.  fuzz SECONDS SEED; every machine is reproducible from its seed, which
 * is printed if the process dies.  Build with -fsanitize (the Makefile does).
 *
 * A step that takes the host longer than HANG_S ends the run as a failure:
 * no input may hold the host.
 */
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "machine.h"

#define STEPS	4000
#define HANG_S	20

static uint64_t state;
static volatile uint64_t current_seed;

static uint32_t rnd32(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state >> 16;
}

static uint32_t rnd(uint32_t n)
{
	return (uint64_t)rnd32() * n >> 32;
}

/* Numbers that tend to hurt. */
static uint32_t nasty(void)
{
	static const uint32_t edge[] = { 0, 1, 2, 3, 4, 0x7f, 0x80, 0xff, 0x100, 0xfff, 0x1000,
		0xffff, 0x10000, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffffc };

	switch (rnd(6)) {
	case 0:
		return edge[rnd(NVSIM_ARRAY_SIZE(edge))];
	case 1:
		return 1u << rnd(32);
	case 2:
		return rnd(0x2000) & ~3u;
	case 3:
		return VA_VRAM + (rnd(16 * MB) & ~3u);
	case 4:
		return VA_RAM + (rnd(RAM_BYTES) & ~3u);
	default:
		return rnd32();
	}
}

static uint32_t some_register(void)
{
	const struct nvsim_reg_desc *d;
	size_t n;

	switch (rnd(8)) {
	case 0:
		return rnd(NVSIM_MMIO_BYTES);
	case 1:
		return NV_USERD + rnd(8) * NV_USERD_STRIDE + (rnd(0x100) & ~3u);
	case 2:
		return NV_PRAMIN + (rnd(NV_PRAMIN_BYTES) & ~3u);
	case 3:
		return 0x400000 + (rnd(0x10000) & ~3u);
	case 4:
		return 0x2000 + (rnd(0x2000) & ~3u);
	default:
		d = nvsim_reg_table(&n);
		d += rnd(n);
		return d->off + rnd(d->count) * d->stride;
	}
}

/* Methods of the classes with arguments that look like addresses and sizes. */
static const uint16_t classes[] = { 0x5039, 0x502d, 0x8297, 0x50c0, 0x0030 };

static void some_methods(struct chan *c)
{
	uint32_t n = 1 + rnd(20), k;

	while (n--) {
		switch (rnd(12)) {
		case 0:
			out(c, rnd32());
			break;
		case 1:
			mthd1(c, rnd(8), 0, 0xbeef0000 | classes[rnd(5)]);
			break;
		case 2:
			fence(c, rnd(3) ? VA_RAM + 0xd00000 + rnd(256) : nasty(), rnd(4));
			break;
		case 3:
			if (rnd(8) == 0)
				acquire_geq(c, VA_RAM + 0xd00000 + rnd(4) * 16, rnd(3));
			break;
		case 4:
			work(c, rnd(4));
			break;
		case 5:
			mthd(c, rnd(8), 0x180 + rnd(16) * 4, 2);
			out(c, rnd(4) ? H_VM : nasty());
			out(c, rnd(2) ? H_NTFY : H_VM);
			break;
		case 6:
			mthd1(c, rnd(8), 0x104, rnd(3));
			mthd1(c, rnd(8), 0x100, 0);
			break;
		case 7:
			out(c, 0x00030000 | rnd(8) << 13 | (rnd(0x2000) & ~3u));
			out(c, rnd(40));
			break;
		default:
			k = 1 + rnd(12);
			out(c, (rnd(4) ? 0 : 0x40000000) | k << 18 | rnd(8) << 13 |
			    ((rnd(3) ? 0x100 + rnd(0x1c00) : rnd(0x2000)) & ~3u));
			while (k--)
				out(c, rnd(3) ? rnd(0x1000) : nasty());
			break;
		}
	}
	if (rnd(30) == 0)
		kick_flags(c, rnd32());
	else
		kick(c);
}

static void recover(struct machine *m)
{
	uint32_t get;

	if (rd(m, 0x400100) || rnd(20) == 0) {
		wr(m, 0x400108, ~0u);
		wr(m, 0x400100, ~0u);
		wr(m, 0x400500, 0x00010001);
	}
	if (rd(m, 0x2100) & 0x00100001) {
		get = rd(m, 0x3270);
		wr(m, 0x3270, get + 4);
	}
	if (rd(m, 0x2100) & 0x1000) {
		wr(m, 0x3364, 0);
		wr(m, 0x3244, rd(m, 0x3240));
		wr(m, 0x3328, rd(m, 0x3320));
		wr(m, 0x3228, 0);
	}
	wr(m, 0x2100, ~0u);
	wr(m, 0x3200, 1);
	wr(m, 0x3220, 1);
	wr(m, 0x3250, 1);
	wr(m, 0x2500, 1);
	wr(m, 0x2504, 0);
	wr(m, 0x100c90, 0x80000000);
	wr(m, 0x140, 1);
	m->now += rnd(3000);
}

static void scribble(struct machine *m, struct chan *c)
{
	static const uint32_t into[] = { I_PD, I_PD + 8, I_RAMFC, I_RAMHT, I_VM, I_NTFY, I_GRCTX };
	uint32_t at = c->inst + into[rnd(7)] + rnd(16) * 4;

	vw(m, at, nasty());
	if (rnd(2))
		wr(m, 0x100c80, 1);
	if (rnd(4) == 0) {	/* put it right again */
		map_spaces(m, c->inst);
		m->bump -= 0x110000;
		dma_object(m, c->inst + I_VM, 0, 0xffffffffffull);
		wr(m, 0x100c80, 1);
	}
}

static void step(struct machine *m, struct chan **c)
{
	static const unsigned int sizes[] = { 1, 2, 4, 4, 4, 8, 3 };
	unsigned int size = sizes[rnd(7)];
	struct chan *ch = c[rnd(3)];
	uint32_t off;

	switch (rnd(20)) {
	case 0:
	case 1:
		nvsim_mmio_read(m->s, rnd(4) ? some_register() : rnd32(), size);
		break;
	case 2:
		off = some_register();
		if (off == 0x200 && rnd(8))
			break;
		nvsim_mmio_write(m->s, off, rnd(2) ? nasty() : rnd32(), size);
		break;
	case 3:
		nvsim_bar1_write(m->s, rnd(4) ? rnd(NVSIM_BAR1_BYTES) : rnd32(), rnd32(), size);
		nvsim_bar3_read(m->s, rnd(4) ? rnd(NVSIM_BAR3_BYTES) : rnd32(), size);
		break;
	case 4:
		if (rnd(4) == 0)
			scribble(m, ch);
		break;
	case 5:
	case 6:
		recover(m);
		break;
	case 7:
		rw(m, rnd(RAM_BYTES) & ~3u, rnd32());
		break;
	case 8:
		if (rnd(60) == 0)
			listed(m, 1, 3);
		else if (rnd(100) == 0)
			nvsim_reset(m->s);
		break;
	case 9:
		if (rnd(6) == 0)
			wr(m, 0x2600 + ch->id * 4, rnd(3) ? 0x80000000 | (ch->inst + I_RAMFC) >> 8 :
			   rnd(2) ? 0 : nasty());
		break;
	default:
		some_methods(ch);
		break;
	}
	run_for(m, rnd(30000));
}

static void one_machine(uint64_t seed)
{
	static const char *const faults[] = { NULL, NULL, NULL, "hang@2:3", "wedge@any:5",
		"page-fault@any:2-", "late-irq:1-:20,late-nonstall:2-:7", "lost-irq:2-" };
	struct machine *m;
	struct chan *c[3];
	unsigned int i, k;

	current_seed = seed;
	state = seed * 0x9e3779b97f4a7c15ull + 1;
	m = machine_new(faults[rnd(8)]);
	m->reenter = rnd(4) == 0;
	for (i = 0; i < 3; i++) {
		c[i] = chan_new(m, i + 1);
		for (k = 0; k < 5; k++) {
			vw(m, c[i]->inst + 0xd500 + k * 16, classes[k]);
			ramht_add(m, c[i]->inst, 0xbeef0000 | classes[k], (0xd50 + k) | 1 << 20);
		}
		bind(c[i]);
		kick(c[i]);
	}
	listed(m, 1, 3);
	for (i = 0; i < STEPS; i++) {
		step(m, c);
		alarm(HANG_S);
	}
	for (i = 0; i < 3; i++)
		free(c[i]);
	machine_free(m);
}

static void died(int sig)
{
	char buf[80];
	int n = snprintf(buf, sizeof(buf), "fuzz: signal %d, seed %llu\n", sig,
			 (unsigned long long)current_seed);

	(void)!write(2, buf, n);
	signal(sig, SIG_DFL);
	raise(sig);
}

void __asan_on_error(void);
void __asan_on_error(void)
{
	fprintf(stderr, "fuzz: seed %llu\n", (unsigned long long)current_seed);
}

int main(int argc, char **argv)
{
	unsigned int seconds = argc > 1 ? atoi(argv[1]) : 60;
	uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
	time_t end = time(NULL) + seconds;
	unsigned long n = 0;

	signal(SIGALRM, died);
	signal(SIGABRT, died);
	alarm(HANG_S);
	do {
		one_machine(seed++);
		n++;
	} while (time(NULL) < end);
	printf("fuzz: %lu machines of %u steps, seeds up to %llu, nothing found\n", n, STEPS,
	       (unsigned long long)seed - 1);
	return 0;
}
