// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Two cards in one process: whatever one does, the other's memory, registers,
 * times, interrupts and report are those of a card alone.
 */
#include <unistd.h>

#include "machine.h"

#define TURNS	120
#define H_2D	0xbeef502du
#define I_2D	0xd500
#define SEM	(VA_RAM + 0xd00000)

/* What a card is given to do; two kinds have no step in common. */
struct player {
	struct machine *m;
	struct chan *c[2];
	bool draws;
	uint32_t fence;
};

static struct player *player_new(bool draws)
{
	struct player *p = calloc(1, sizeof(*p));
	unsigned int i;
	uint32_t inst;

	p->draws = draws;
	p->m = machine_new(draws ? "late-nonstall:2-:9,hang@2:30" : NULL);
	for (i = 0; i < 2; i++) {
		p->c[i] = chan_new(p->m, i + 1);
		inst = p->c[i]->inst;
		/* one address leads to different places on the two kinds' cards */
		if (draws)
			vw64(p->m, vr(p->m, inst + I_PD + 8) & ~0xfffu, (V_DATA + MB) | 1);
		vw(p->m, inst + I_2D, 0x502d);
		ramht_add(p->m, inst, H_2D, I_2D >> 4 | 1 << 20);
		bind(p->c[i]);
		mthd1(p->c[i], 3, 0, H_2D);
		mthd1(p->c[i], 3, 0x184, H_VM);
		kick(p->c[i]);
	}
	listed(p->m, 1, 2);
	return p;
}

static void player_free(struct player *p)
{
	free(p->c[0]);
	free(p->c[1]);
	machine_free(p->m);
	free(p);
}

/* A rectangle in an sRGB format, 64 x 64 pixels at VA_VRAM. */
static void draw(struct chan *c, uint32_t x, uint32_t y, uint32_t color)
{
	mthd1(c, 3, 0x200, 0xd0);
	mthd1(c, 3, 0x204, 1);
	mthd(c, 3, 0x214, 5);
	out(c, 256);
	out(c, 64);
	out(c, 64);
	out(c, 0);
	out(c, VA_VRAM);
	mthd1(c, 3, 0x2ac, 3);
	mthd(c, 3, 0x580, 3);
	out(c, 4);
	out(c, 0xe6);
	out(c, color);
	mthd(c, 3, 0x600, 4);
	out(c, x);
	out(c, y);
	out(c, x + 9);
	out(c, y + 7);
}

/* As the driver's handlers do. rnndb/graph/g80_pgraph/pgraph.xml */
static void handle(struct machine *m)
{
	if (rd(m, 0x400100)) {
		wr(m, 0x400108, ~0u);
		wr(m, 0x400100, ~0u);
		wr(m, 0x400500, 0x00010001);
	}
	wr(m, 0x2100, ~0u);
	wr(m, 0x2500, 1);
	wr(m, 0x100c90, 0x80000000);
}

static void play(struct player *p, uint32_t turn)
{
	struct chan *c = p->c[turn % 2];

	if (p->draws) {
		draw(c, turn % 48, turn % 31, turn * 0x01030507);
		mthd1(c, 3, 0x110, 0);
		mthd1(c, 3, 0x290 + turn % 3 * 4, turn);
	} else {
		rw(p->m, 0xe00000 + turn * 4, turn * 0x9e3779b9u);
		work(c, 1 + turn % 5);
		mthd1(c, 5, 0x104, 1);
		mthd1(c, 5, 0x100, 0);
		if (turn % 7 == 3)
			mthd1(c, 5, 0x1ff0, turn);
	}
	fence(c, SEM + turn % 2 * 16, ++p->fence);
	kick(c);
	run_for(p->m, p->draws ? 7000 : 3000);
	handle(p->m);
	(void)rd(p->m, 0x00abcd00 + turn % 3 * 4);
}

/* Until all that was submitted is done. */
static void settle(struct player *p)
{
	uint32_t i;

	for (i = 0; i < TURNS; i++) {
		run_for(p->m, 10000);
		handle(p->m);
	}
}

/* Eight bytes at a time: it goes over 80 MB for each digest. */
static uint64_t mix(uint64_t h, const void *data, size_t len)
{
	const uint8_t *b = data;

	while (len) {
		size_t n = len < sizeof(uint64_t) ? len : sizeof(uint64_t);
		uint64_t word = 0;

		memcpy(&word, b, n);
		h = (h ^ word) * 1099511628211ull;
		h ^= h >> 29;
		b += n;
		len -= n;
	}
	return h;
}

static uint64_t mix_report(uint64_t h, struct machine *m)
{
	char path[] = "/tmp/nvsim-cards-XXXXXX", buf[4096];
	int fd = mkstemp(path);
	ssize_t n;

	if (fd < 0 || nvsim_report(m->s, path))
		return 0;
	while ((n = read(fd, buf, sizeof(buf))) > 0)
		h = mix(h, buf, n);
	close(fd);
	unlink(path);
	return h;
}

static uint64_t digest(struct player *p)
{
	struct machine *m = p->m;
	uint64_t h = 14695981039346656037ull;
	uint32_t off, word;

	h = mix_report(h, m);
	h = mix(h, m->ram, RAM_BYTES);
	h = mix(h, nvsim_vram_ptr(vram(m), 0, VRAM_BYTES), VRAM_BYTES);
	for (off = 0; off < NVSIM_MMIO_BYTES; off += off < 0x500000 ? 4 : 0x2000) {
		word = rd(m, off);
		h = mix(h, &word, sizeof(word));
	}
	h = mix(h, &m->now, sizeof(m->now));
	h = mix(h, &m->irqs, sizeof(m->irqs));
	h = mix(h, &m->timers, sizeof(m->timers));
	h = mix(h, m->log, strlen(m->log));
	h = mix(h, &chan_state(m, 1)->busy_ns, sizeof(uint64_t));
	return mix(h, &chan_state(m, 2)->busy_ns, sizeof(uint64_t));
}

static uint64_t alone(bool draws)
{
	struct player *p = player_new(draws);
	uint64_t h;
	uint32_t i;

	for (i = 0; i < TURNS; i++)
		play(p, i);
	settle(p);
	h = digest(p);
	player_free(p);
	return h;
}

/* The two take turns; b starts when a has had some, and goes faster. */
static bool together(bool a_draws, bool b_draws)
{
	struct player *a = player_new(a_draws), *b = NULL;
	uint64_t want_a, want_b;
	uint32_t i, k = 0;
	bool ok = true;

	for (i = 0; i < TURNS; i++) {
		play(a, i);
		if (i == 10)
			b = player_new(b_draws);
		for (; b && k < TURNS && k < (i - 9) * 2; k++)
			play(b, k);
	}
	settle(b);
	settle(a);
	want_a = alone(a_draws);
	want_b = alone(b_draws);
	EXPECT(k == TURNS);
	EXPECT(digest(a) == want_a);
	EXPECT(digest(b) == want_b);
	player_free(a);
	player_free(b);
	return ok;
}

static bool both_kinds_of_work_do_something(void)
{
	struct player *p = player_new(true), *q = player_new(false);
	bool ok = true;
	uint32_t i;

	for (i = 0; i < TURNS; i++) {
		play(p, i);
		play(q, i);
	}
	settle(p);
	settle(q);
	EXPECT(rr(p->m, 0xd00010) == 58);	/* the hang is in group 30 of channel 2 */
	EXPECT(rr(p->m, 0xd00000) == TURNS - 1);
	EXPECT(rr(q->m, 0xd00010) == TURNS);
	EXPECT(p->m->irqs && q->m->irqs && strstr(p->m->log, "never completes"));
	EXPECT(alone(true) != alone(false) && alone(true) == alone(true));
	player_free(p);
	player_free(q);
	return ok;
}

static bool cards_with_different_work_do_not_meet(void)
{
	return together(true, false) && together(false, true);
}

static bool cards_with_the_same_work_count_apart(void)
{
	return together(true, true) && together(false, false);
}

int main(void)
{
	TEST(both_kinds_of_work_do_something);
	TEST(cards_with_different_work_do_not_meet);
	TEST(cards_with_the_same_work_count_apart);
	return tap_done();
}
