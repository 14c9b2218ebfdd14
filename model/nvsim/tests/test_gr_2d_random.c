// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Random pixels through the 2D engine's operations, patterns and formats, against
 * arithmetic written anew from the documents (envytools: rnndb/graph/g80_2d.xml,
 * docs/hw/graph/2d/pattern.rst) in whole numbers. test_gr_2d_random PIXELS SEED.
 */
#include "test_gr_fake.h"

#define SRC	(FAKE_BASE + 0x100000)
#define DST	(FAKE_BASE + 0x800000)
#define SIDE	8u
#define ONE	65535u		/* components have 16 bits here */

enum { SRCCOPY_AND, ROP_AND, BLEND, SRCCOPY, ROP, SRCCOPY_PREMULT, BLEND_PREMULT };

/* Bits of R, G, B, A, and how far up they are. */
struct layout {
	uint32_t id, bytes, bits[4], shift[4];
};

static const struct layout layouts[] = {
	{ 0xcf, 4, { 8, 8, 8, 8 }, { 16, 8, 0, 24 } },
	{ 0xd5, 4, { 8, 8, 8, 8 }, { 0, 8, 16, 24 } },
	{ 0xe6, 4, { 8, 8, 8, 0 }, { 16, 8, 0, 0 } },
	{ 0xdf, 4, { 10, 10, 10, 2 }, { 20, 10, 0, 30 } },
	{ 0xe8, 2, { 5, 6, 5, 0 }, { 11, 5, 0, 0 } },
	{ 0xe9, 2, { 5, 5, 5, 1 }, { 10, 5, 0, 15 } },
	{ 0xf3, 1, { 8, 0, 0, 0 }, { 0, 0, 0, 0 } },
};

#define BGRA8	(&layouts[0])
#define B5G6R5	(&layouts[4])
#define BGR5_A1	(&layouts[5])
#define R8	(&layouts[6])

struct color {
	uint32_t c[4];
};

static uint32_t ones(uint32_t bits)
{
	return (1u << bits) - 1;
}

/* To the nearest value; no two are equally near, since the number of steps is odd. */
static uint32_t scale(uint32_t v, uint32_t from, uint32_t to)
{
	return (uint32_t)(((uint64_t)v * to * 2 + from) / (2 * from));
}

static struct color decode(const struct layout *l, uint32_t raw)
{
	struct color k = { { 0, 0, 0, ONE } };

	for (int i = 0; i < 4; i++)
		if (l->bits[i])
			k.c[i] = scale(raw >> l->shift[i] & ones(l->bits[i]), ones(l->bits[i]),
				       ONE);
	if (l == R8)		/* one component is grey */
		k.c[1] = k.c[2] = k.c[0];
	return k;
}

static uint32_t encode(const struct layout *l, struct color k)
{
	uint32_t raw = 0;

	for (int i = 0; i < 4; i++)
		if (l->bits[i])
			raw |= scale(k.c[i], ONE, ones(l->bits[i])) << l->shift[i];
	return raw;
}

struct state {
	const struct layout *src, *dst;
	uint32_t operation, rop, beta1, beta4, offset, select, color_format, order;
	uint32_t color[2], bitmap[2], cell[64];
};

static struct color bitmap_color(const struct state *s, uint32_t w)
{
	struct color k;

	switch (s->color_format) {
	case 0:
		k = decode(B5G6R5, w & 0xffff);
		k.c[3] = w >> 16;
		return k;
	case 1:
		return decode(BGR5_A1, w & 0xffff);
	case 3:
		k = decode(R8, w & 0xff);
		k.c[3] = scale(w >> 8 & 0xff, 255, ONE);
		return k;
	default:
		return decode(BGRA8, w);
	}
}

static struct color pattern(const struct state *s, uint32_t x, uint32_t y)
{
	uint32_t px = x + s->offset % 64, py = y + s->offset / 256 % 64, bit;

	if (s->select == 3)
		return decode(BGRA8, s->cell[py % 8 * 8 + px % 8] | 0xff000000);
	bit = s->select == 0 ? py % 8 * 8 + px % 8 : s->select == 1 ? px % 64 : py % 64;
	if (s->order == 0)	/* CGA6: each byte's pixels from its top bit on */
		bit = bit / 8 * 8 + (7 - bit % 8);
	return bitmap_color(s, s->color[s->bitmap[bit / 32] >> bit % 32 & 1]);
}

static uint32_t raster_op(uint32_t rop, uint32_t d, uint32_t s, uint32_t p)
{
	uint32_t r = 0;

	for (int b = 0; b < 32; b++)
		r |= (rop >> ((d >> b & 1) + (s >> b & 1) * 2 + (p >> b & 1) * 4) & 1) << b;
	return r;
}

/* The three formulas that mix; the components are parts of 1. */
static struct color mixed(const struct state *s, struct color src, struct color dst)
{
	static const uint32_t byte[4] = { 16, 8, 0, 24 };
	struct color k;

	for (int i = 0; i < 4; i++) {
		double beta4 = (s->beta4 >> byte[i] & 0xff) / 255.0, v;
		double beta4a = (s->beta4 >> 24) / 255.0, beta1 = (s->beta1 >> 23 & 0xff) / 255.0;
		double a = src.c[3] / (double)ONE, c = src.c[i] / (double)ONE;
		double d = dst.c[i] / (double)ONE;

		if (s->operation == BLEND)
			v = (1 - a * beta1) * d + c * a * beta1;
		else if (s->operation == SRCCOPY_PREMULT)
			v = c * beta4;
		else
			v = (1 - a * beta4a) * d + c * beta4;
		k.c[i] = v > 1 ? ONE : (uint32_t)(v * ONE + 0.5);
	}
	return k;
}

static uint32_t want(const struct state *s, uint32_t x, uint32_t y, uint32_t src, uint32_t dst)
{
	struct color k = decode(s->src, src);
	uint32_t px = s->src == s->dst ? src : encode(s->dst, k), out;

	switch (s->operation) {
	case SRCCOPY_AND:
		return k.c[3] ? px : dst;
	case ROP_AND:
	case ROP:
		out = raster_op(s->rop, dst, px, encode(s->dst, pattern(s, x, y)));
		return s->operation == ROP || decode(s->dst, out).c[3] ? out : dst;
	case SRCCOPY:
		return px;
	default:
		return encode(s->dst, mixed(s, k, decode(s->dst, dst)));
	}
}

/* The documents do not say how blending rounds: one step either way is no difference. */
static bool near(const struct state *s, uint32_t a, uint32_t b)
{
	bool exact = s->operation <= ROP_AND || s->operation == SRCCOPY || s->operation == ROP;

	for (int i = 0; i < 4; i++) {
		uint32_t mask = ones(s->dst->bits[i]);
		int32_t step = (int32_t)(a >> s->dst->shift[i] & mask) -
			       (int32_t)(b >> s->dst->shift[i] & mask);

		if (mask && (exact ? step : step < -1 || step > 1))
			return false;
	}
	return true;
}

static uint32_t word(void)
{
	return rnd(4) ? rnd(0x10000) << 16 | rnd(0x10000) : rnd(2) * 0xffffffff;
}

static void surface(struct gpu *g, uint32_t at, const struct layout *l, uint64_t address)
{
	seq(g, SUBC_2D, at, 10, l->id, 1u, 0u, 1u, 0u, SIDE * l->bytes, SIDE, SIDE, HI(address),
	    LO(address));
}

/* A word of cells in one of the other formats. */
static void set_cells(struct gpu *g, struct state *s)
{
	uint32_t kind = rnd(3), n = kind == 2 ? 4 : 2, i = rnd(64 / n), data = word();
	uint32_t first = kind == 0 ? 0x400 : kind == 1 ? 0x480 : 0x500;

	mthd(g, SUBC_2D, first + i * 4, data);
	for (uint32_t k = 0; k < n; k++) {
		uint32_t raw = data >> (32 / n * k) & ones(32 / n);

		s->cell[i * n + k] = encode(BGRA8, kind == 2 ? decode(R8, raw) : kind == 0 ?
					    decode(B5G6R5, raw) : decode(BGR5_A1, raw)) & 0xffffff;
	}
}

static void random_state(struct gpu *g, struct state *s)
{
	uint32_t i;

	s->src = &layouts[rnd(sizeof(layouts) / sizeof(layouts[0]))];
	s->dst = &layouts[rnd(sizeof(layouts) / sizeof(layouts[0]))];
	s->operation = rnd(7);
	s->rop = rnd(256);
	s->beta1 = word();
	s->beta4 = word();
	s->offset = rnd(0x10000);
	s->select = rnd(4);
	s->color_format = rnd(4);
	s->order = rnd(2);
	for (i = 0; i < 2; i++) {
		s->color[i] = word();
		s->bitmap[i] = word();
	}
	surface(g, 0x200, s->dst, DST);
	surface(g, 0x230, s->src, SRC);
	seq(g, SUBC_2D, 0x2a0, 6, s->rop, s->beta1, s->beta4, s->operation, s->offset, s->select);
	seq(g, SUBC_2D, 0x2e8, 6, s->color_format, s->order, s->color[0], s->color[1],
	    s->bitmap[0], s->bitmap[1]);
	i = rnd(64);
	s->cell[i] = word() & 0xffffff;
	mthd(g, SUBC_2D, 0x300 + i * 4, s->cell[i]);
	set_cells(g, s);
}

static uint32_t get(struct gpu *g, const struct layout *l, uint64_t base, uint32_t i)
{
	return peek32(g->s, base + i * l->bytes) & (l->bytes == 4 ? ~0u : ones(l->bytes * 8));
}

static bool blit_is_right(struct gpu *g, struct state *s)
{
	uint32_t src[SIDE * SIDE], dst[SIDE * SIDE], i, got, expect;

	random_state(g, s);
	for (i = 0; i < SIDE * SIDE; i++) {
		poke32(g->s, SRC + i * 4, word());
		poke32(g->s, DST + i * 4, word());
	}
	for (i = 0; i < SIDE * SIDE; i++) {
		src[i] = get(g, s->src, SRC, i);
		dst[i] = get(g, s->dst, DST, i);
	}
	seq(g, SUBC_2D, 0x8b0, 12, 0u, 0u, SIDE, SIDE, 0u, 1u, 0u, 1u, 0u, 0u, 0u, 0u);
	for (i = 0; i < SIDE * SIDE; i++) {
		expect = want(s, i % SIDE, i / SIDE, src[i], dst[i]);
		got = get(g, s->dst, DST, i);
		if (near(s, expect, got))
			continue;
		printf("# %02x to %02x, operation %u rop %02x, pattern %u of format %u: src %08x "
		       "dst %08x gave %08x, not %08x\n", s->src->id, s->dst->id, s->operation,
		       s->rop, s->select, s->color_format, src[i], dst[i], got, expect);
		return false;
	}
	return true;
}

int main(int argc, char **argv)
{
	uint32_t pixels = argc > 1 ? strtoul(argv[1], NULL, 0) : 100000, done = 0;
	struct state s = { .rop = 0 };
	struct gpu g;
	bool ok = true;

	fake_seed = argc > 2 ? strtoul(argv[2], NULL, 0) : 1;
	gpu_init(&g);
	while (ok && done < pixels) {
		ok = blit_is_right(&g, &s);
		done += SIDE * SIDE;
	}
	printf("# %u pixels\n", done);
	tap(ok, "random_pixels_come_out_as_documented");
	gpu_fini(&g);
	return tap_done();
}
