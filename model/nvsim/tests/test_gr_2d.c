// SPDX-License-Identifier: GPL-2.0-or-later
/* The 2D engine: blits, SIFC, rectangles, operations, clipping, conversions. */
#include "test_gr_fake.h"

#define SRC	(FAKE_BASE + 0x100000)
#define DST	(FAKE_BASE + 0x800000)
#define AREA	0x400000u

struct surf {
	uint64_t address;
	uint32_t format, cpp, pitch, width, height, bh, bd, depth, layer;
	bool linear;
};

static uint64_t va_of(const struct surf *f, uint32_t x, uint32_t y)
{
	if (f->linear)
		return f->address + (uint64_t)y * f->pitch + x * f->cpp;
	return f->address + naive_va(f->bh, f->bd, f->width * f->cpp, f->height, x * f->cpp, y,
				     f->layer);
}

static void set_surf(struct gpu *g, const struct surf *f, bool dst)
{
	seq(g, SUBC_2D, dst ? 0x200 : 0x230, 10, f->format, (uint32_t)f->linear,
	    f->bh << 4 | f->bd << 8, f->depth, f->layer, f->pitch, f->width, f->height,
	    HI(f->address), LO(f->address));
}

static void random_surf(struct surf *f, uint64_t address, uint32_t format, uint32_t cpp,
			uint32_t w, uint32_t h)
{
	memset(f, 0, sizeof(*f));
	f->format = format;
	f->cpp = cpp;
	f->linear = rnd(3) == 0;
	f->address = address + rnd(8) * 256;
	f->width = w;
	f->height = h;
	f->pitch = w * cpp + rnd(64);
	f->bh = rnd(6);
	f->bd = rnd(3);
	f->depth = 4;
	f->layer = f->linear ? 0 : rnd(3);
}

static void set_blit(struct gpu *g, uint32_t x, uint32_t y, uint32_t w, uint32_t h)
{
	seq(g, SUBC_2D, 0x8b0, 4, x, y, w, h);
}

static void set_step(struct gpu *g, int32_t du, int32_t dv)
{
	seq(g, SUBC_2D, 0x8c0, 4, 0u, (uint32_t)du, 0u, (uint32_t)dv);
}

static bool start_blit(struct gpu *g, uint32_t x, uint32_t y)
{
	return seq(g, SUBC_2D, 0x8d0, 4, 0u, x, 0u, y);
}

static bool compare(struct gpu *g, const uint8_t *want)
{
	for (uint32_t i = 0; i < AREA; i++) {
		if (want[i] != *fake_ptr(g->s, DST + i)) {
			printf("# byte %x is %02x, not %02x\n", i, *fake_ptr(g->s, DST + i),
			       want[i]);
			return false;
		}
	}
	return true;
}

static uint8_t *snapshot(struct gpu *g)
{
	uint8_t *p = malloc(AREA);

	for (uint32_t i = 0; i < AREA; i++)
		p[i] = *fake_ptr(g->s, DST + i);
	return p;
}

static bool random_blit(struct gpu *g)
{
	static const struct {
		uint32_t format, cpp;
	} fmt[] = { { 0xcf, 4 }, { 0xf3, 1 }, { 0xe8, 2 }, { 0xca, 8 }, { 0xc0, 16 } };
	uint32_t k = rnd(5), w = 1 + rnd(90), h = 1 + rnd(60);
	struct surf src, dst;
	uint32_t sx = rnd(30), sy = rnd(30), dx = rnd(40), dy = rnd(40);
	uint32_t clip[4] = { rnd(60), rnd(60), rnd(80), rnd(80) };
	bool flip_x = rnd(3) == 0, flip_y = rnd(3) == 0, clipped = rnd(2), ok;
	uint8_t *want;

	random_surf(&src, SRC, fmt[k].format, fmt[k].cpp, sx + w + rnd(50), sy + h + rnd(50));
	/* the destination may be too small: what hangs over is cut */
	random_surf(&dst, DST, fmt[k].format, fmt[k].cpp, 1 + rnd(150), 1 + rnd(120));
	set_surf(g, &src, false);
	set_surf(g, &dst, true);
	seq(g, SUBC_2D, 0x280, 5, clip[0], clip[1], clip[2], clip[3], (uint32_t)clipped);
	want = snapshot(g);
	for (uint32_t j = 0; j < h; j++) {
		for (uint32_t i = 0; i < w; i++) {
			uint32_t x = dx + i, y = dy + j;
			uint32_t u = sx + (flip_x ? w - 1 - i : i);
			uint32_t v = sy + (flip_y ? h - 1 - j : j);

			if (x >= dst.width || y >= dst.height)
				continue;
			if (clipped && (x < clip[0] || y < clip[1] || x >= clip[0] + clip[2] ||
					y >= clip[1] + clip[3]))
				continue;
			for (uint32_t b = 0; b < src.cpp; b++)
				want[va_of(&dst, x, y) - DST + b] =
					*fake_ptr(g->s, va_of(&src, u, v) + b);
		}
	}
	set_blit(g, dx, dy, w, h);
	set_step(g, flip_x ? -1 : 1, flip_y ? -1 : 1);
	ok = start_blit(g, flip_x ? sx + w - 1 : sx, flip_y ? sy + h - 1 : sy) &&
	     compare(g, want);
	free(want);
	return ok;
}

static bool random_blits(struct gpu *g, int n)
{
	bool ok = true;

	scramble(g->s, SRC, AREA);
	mthd(g, SUBC_2D, 0x88c, 0);
	for (int i = 0; i < n && ok; i++)
		ok = random_blit(g);
	mthd(g, SUBC_2D, 0x290, 0);
	return ok;
}

static void plain(struct gpu *g, struct surf *f, uint64_t address, uint32_t format, uint32_t cpp,
		  uint32_t w, uint32_t h, bool dst)
{
	*f = (struct surf){ .address = address, .format = format, .cpp = cpp, .linear = true,
			    .pitch = w * cpp, .width = w, .height = h, .depth = 1 };
	set_surf(g, f, dst);
}

/* BGRA8 from SRC to DST, @size pixels square. */
static void one_to_one(struct gpu *g, uint32_t size)
{
	struct surf src, dst;

	plain(g, &src, SRC, 0xcf, 4, size, size, false);
	plain(g, &dst, DST, 0xcf, 4, size, size, true);
	set_blit(g, 0, 0, size, size);
	set_step(g, 1, 1);
}

static bool scaled_blit(struct gpu *g)
{
	struct surf src, dst;
	bool ok = true;

	plain(g, &src, SRC, 0xcf, 4, 4, 2, false);
	plain(g, &dst, DST, 0xcf, 4, 8, 4, true);
	for (uint32_t i = 0; i < 8; i++)
		poke32(g->s, SRC + i * 4, i * 0x01010101);
	/* twice as large: half a source pixel per destination pixel */
	set_blit(g, 0, 0, 8, 4);
	seq(g, SUBC_2D, 0x8c0, 4, 0x80000000u, 0u, 0x80000000u, 0u);
	start_blit(g, 0, 0);
	for (uint32_t i = 0; i < 32; i++)
		ok &= peek32(g->s, DST + i * 4) == (i / 8 / 2 * 4 + i % 8 / 2) * 0x01010101;
	/* bilinear, corner origin, half size: the mean of four */
	for (uint32_t i = 0; i < 8; i++)
		poke32(g->s, SRC + i * 4, (i & 1 ? 0x40 : 0) + (i & 4 ? 0x80 : 0));
	mthd(g, SUBC_2D, 0x88c, 0x11);
	set_blit(g, 0, 0, 2, 1);
	set_step(g, 2, 2);
	seq(g, SUBC_2D, 0x8d0, 4, 0u, 1u, 0u, 1u);
	ok &= peek32(g->s, DST) == 0x60 && peek32(g->s, DST + 4) == 0x60;
	mthd(g, SUBC_2D, 0x88c, 0);
	return ok;
}

static bool convert(struct gpu *g, uint32_t from, uint32_t from_cpp, uint32_t to, uint32_t to_cpp,
		    uint32_t in, uint32_t want)
{
	struct surf src, dst;
	uint32_t got;

	plain(g, &src, SRC, from, from_cpp, 1, 1, false);
	plain(g, &dst, DST, to, to_cpp, 1, 1, true);
	poke32(g->s, SRC, in);
	poke32(g->s, DST, 0);
	set_blit(g, 0, 0, 1, 1);
	set_step(g, 1, 1);
	start_blit(g, 0, 0);
	got = peek32(g->s, DST);
	if (got != want)
		printf("# %02x -> %02x: %x gave %x, not %x\n", from, to, in, got, want);
	return got == want;
}

static bool conversions(struct gpu *g)
{
	bool ok = true;

	ok &= convert(g, 0xcf, 4, 0xd5, 4, 0x80112233, 0x80332211);	/* BGRA8 -> RGBA8 */
	ok &= convert(g, 0xcf, 4, 0xe6, 4, 0x80112233, 0x00112233);	/* -> BGRX8 */
	ok &= convert(g, 0xe6, 4, 0xcf, 4, 0x80112233, 0xff112233);	/* BGRX8 -> */
	ok &= convert(g, 0xcf, 4, 0xe8, 2, 0xffff0080, 0xf810);		/* -> B5G6R5 */
	ok &= convert(g, 0xe8, 2, 0xcf, 4, 0xf810, 0xffff0084);
	ok &= convert(g, 0xcf, 4, 0xe9, 2, 0x80ff0000, 0xfc00);		/* -> BGR5_A1 */
	ok &= convert(g, 0xd5, 4, 0xdf, 4, 0xff0000ff, 0xfff00000);	/* RGBA8 -> BGR10_A2 */
	ok &= convert(g, 0xd6, 4, 0xd5, 4, 0xff0080ff, 0xff0037ff);	/* sRGB -> linear */
	ok &= convert(g, 0xd5, 4, 0xd6, 4, 0xff0037ff, 0xff0080ff);	/* linear -> sRGB */
	ok &= convert(g, 0xf3, 1, 0xcf, 4, 0x7f, 0xff7f7f7f);		/* R8 reads as grey */
	ok &= convert(g, 0xe5, 4, 0xf3, 1, 0x3f000000, 0x80);		/* R32_FLOAT 0.5 */
	return ok;
}

/* The write mask Mesa makes of a pattern: ROP 0xca, source where the pattern is set. */
static bool rop_masks(struct gpu *g)
{
	bool ok;

	one_to_one(g, 4);
	for (uint32_t i = 0; i < 16; i++) {
		poke32(g->s, SRC + i * 4, 0x12345678 + i);
		poke32(g->s, DST + i * 4, 0xffffffff);
	}
	mthd(g, SUBC_2D, 0x2a0, 0xca);
	mthd(g, SUBC_2D, 0x2e8, 2);
	seq(g, SUBC_2D, 0x2f0, 4, 0u, 0x00ffffffu, 0xffffffffu, 0xffffffffu);
	mthd(g, SUBC_2D, 0x2ac, 4);
	start_blit(g, 0, 0);
	mthd(g, SUBC_2D, 0x2ac, 3);
	ok = peek32(g->s, DST) == 0xff345678 && peek32(g->s, DST + 60) == 0xff345687;
	return ok;
}

/* PATCOPY of an 8x8 bitmap, and its two orders of bits. */
static bool rop_patterns(struct gpu *g)
{
	bool ok = true;

	one_to_one(g, 8);
	mthd(g, SUBC_2D, 0x2a0, 0xf0);
	mthd(g, SUBC_2D, 0x2ac, 4);
	for (uint32_t le = 0; le < 2; le++) {
		/* pixel (1, 0) of LE order, (6, 1), (0, 4) */
		seq(g, SUBC_2D, 0x2e8, 6, 2u, le, 0x11u, 0x22u, 0x00004002u, 0x00000001u);
		start_blit(g, 0, 0);
		for (uint32_t i = 0; i < 64; i++) {
			uint32_t at = le ? i : (i & ~7u) | (7 - (i & 7));
			bool set = at == 1 || at == 14 || at == 32;

			ok &= peek32(g->s, DST + i * 4) == (set ? 0x22 : 0x11);
		}
	}
	mthd(g, SUBC_2D, 0x2ac, 3);
	return ok;
}

/* rnndb/graph/g80_2d.xml, OPERATION: ROP_AND looks at the alpha of what comes out. */
static bool rop_and_tests_the_result(struct gpu *g)
{
	static const struct {
		uint32_t rop, src, dst, want;
	} cases[] = {
		{ 0xcc, 0x00ffffff, 5, 5 },			/* the source, transparent */
		{ 0xcc, 0x01ffffff, 5, 0x01ffffff },
		{ 0x33, 0x00ffffff, 5, 0xff000000 },		/* not the source: opaque */
		{ 0x33, 0xff00ffff, 5, 5 },
		{ 0x66, 0x80123456, 0x80000001, 0x80000001 },	/* xor: alpha 0 */
		{ 0xff, 0x00000000, 5, 0xffffffff },
	};
	bool ok = true;

	one_to_one(g, 1);
	mthd(g, SUBC_2D, 0x2ac, 1);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		mthd(g, SUBC_2D, 0x2a0, cases[i].rop);
		poke32(g->s, SRC, cases[i].src);
		poke32(g->s, DST, cases[i].dst);
		start_blit(g, 0, 0);
		if (peek32(g->s, DST) != cases[i].want) {
			printf("# rop %02x gave %08x\n", cases[i].rop, peek32(g->s, DST));
			ok = false;
		}
	}
	mthd(g, SUBC_2D, 0x2ac, 3);
	return ok;
}

/* The colour of a bitmap pattern, as it comes out of PATCOPY in BGRA8. */
static bool pattern_is(struct gpu *g, uint32_t format, uint32_t color, uint32_t want)
{
	seq(g, SUBC_2D, 0x2e8, 6, format, 1u, color, color, 0u, 0u);
	start_blit(g, 0, 0);
	if (peek32(g->s, DST) != want)
		printf("# format %u: %08x gave %08x\n", format, color, peek32(g->s, DST));
	return peek32(g->s, DST) == want;
}

/* rnndb/graph/g80_2d.xml, PATTERN_COLOR_FORMAT: where the names have alpha and grey */
static bool pattern_colors_have_alpha_and_grey(struct gpu *g)
{
	bool ok = true;

	one_to_one(g, 1);
	mthd(g, SUBC_2D, 0x2b4, 0);
	mthd(g, SUBC_2D, 0x2a0, 0xf0);
	mthd(g, SUBC_2D, 0x2ac, 4);
	ok &= pattern_is(g, 0, 0xfffff800, 0xffff0000);		/* A16R5G6B5 */
	ok &= pattern_is(g, 0, 0x0000f800, 0x00ff0000);
	ok &= pattern_is(g, 0, 0x8000001f, 0x800000ff);
	ok &= pattern_is(g, 1, 0xfffffc00, 0xffff0000);		/* X16A1R5G5B5 */
	ok &= pattern_is(g, 1, 0xffff03e0, 0x0000ff00);
	ok &= pattern_is(g, 2, 0x12345678, 0x12345678);		/* A8R8G8B8 */
	ok &= pattern_is(g, 3, 0xffff80ab, 0x80ababab);		/* X16A8Y8 */
	ok &= pattern_is(g, 3, 0x000000ff, 0x00ffffff);
	mthd(g, SUBC_2D, 0x2ac, 3);
	return ok;
}

/* docs/hw/graph/2d/pattern.rst: four ways to write the same cells */
static bool color_patterns_of_every_format(struct gpu *g)
{
	static const uint32_t want[8] = { 0xffff0000, 0xff0000ff, 0xffff0000, 0xff00ff00,
					  0xff010101, 0xff020202, 0xff030303, 0xff040404 };
	bool ok = true;

	one_to_one(g, 8);
	for (uint32_t i = 0; i < 64; i++)
		mthd(g, SUBC_2D, 0x300 + i * 4, 0x123456);
	mthd(g, SUBC_2D, 0x400, 0x001ff800);		/* R5G6B5: cells 0, 1 */
	mthd(g, SUBC_2D, 0x484, 0x83e0fc00);		/* X1R5G5B5: 2, 3 */
	mthd(g, SUBC_2D, 0x504, 0x04030201);		/* Y8: 4 to 7 */
	mthd(g, SUBC_2D, 0x2a0, 0xf0);
	mthd(g, SUBC_2D, 0x2b4, 3);
	mthd(g, SUBC_2D, 0x2ac, 4);
	start_blit(g, 0, 0);
	for (uint32_t i = 0; i < 64; i++)
		ok &= peek32(g->s, DST + i * 4) == (i < 8 ? want[i] : 0xff123456);
	mthd(g, SUBC_2D, 0x2b4, 0);
	mthd(g, SUBC_2D, 0x2ac, 3);
	return ok;
}

/* Values that rnndb/graph/g80_2d.xml does not list; docs/hw/graph/2d/pattern.rst: INVALID_ENUM. */
static bool reserved_values_are_refused(struct gpu *g)
{
	static const struct {
		uint32_t mthd, first_bad;
	} enums[] = {
		{ 0x2ac, 7 }, { 0x2b4, 4 }, { 0x2e8, 6 }, { 0x2ec, 2 }, { 0x580, 5 },
		{ 0x808, 3 }, { 0x810, 3 }, { 0x294, 7 },
	};
	bool ok = true;

	for (size_t i = 0; i < sizeof(enums) / sizeof(enums[0]); i++) {
		ok &= mthd(g, SUBC_2D, enums[i].mthd, enums[i].first_bad - 1);
		if (mthd(g, SUBC_2D, enums[i].mthd, enums[i].first_bad) || g->r.data_error != 5 ||
		    mthd(g, SUBC_2D, enums[i].mthd, 0xffffffff)) {
			printf("# %04x takes %u\n", enums[i].mthd, enums[i].first_bad);
			ok = false;
		}
		mthd(g, SUBC_2D, enums[i].mthd, 0);
	}
	mthd(g, SUBC_2D, 0x2ac, 3);
	return ok;
}

static bool operations(struct gpu *g)
{
	bool ok = true;

	one_to_one(g, 1);
	/* SRCCOPY_AND: transparent source pixels are left out */
	mthd(g, SUBC_2D, 0x2ac, 0);
	poke32(g->s, DST, 5);
	poke32(g->s, SRC, 0x00ffffff);
	start_blit(g, 0, 0);
	ok &= peek32(g->s, DST) == 5;
	poke32(g->s, SRC, 0x01ffffff);
	start_blit(g, 0, 0);
	ok &= peek32(g->s, DST) == 0x01ffffff;
	/* SRCCOPY_PREMULT */
	seq(g, SUBC_2D, 0x2a8, 2, 0xffff0000u, 5u);
	poke32(g->s, SRC, 0xff7f7f7f);
	start_blit(g, 0, 0);
	ok &= peek32(g->s, DST) == 0xff7f0000;
	/* BLEND with beta 1: half of each */
	mthd(g, SUBC_2D, 0x2a4, 0xffu << 23);
	mthd(g, SUBC_2D, 0x2ac, 2);
	poke32(g->s, SRC, 0x80ff0000);
	poke32(g->s, DST, 0x000000ff);
	start_blit(g, 0, 0);
	ok &= peek32(g->s, DST) == 0x4080007f;
	mthd(g, SUBC_2D, 0x2ac, 3);
	return ok;
}

/* An upload as Mesa sends it: one row of bytes at an odd offset. */
static bool sifc_bytes(struct gpu *g)
{
	const uint32_t size = 1001, x = 77;
	uint8_t *want = snapshot(g);
	struct surf dst;
	bool ok = true;

	plain(g, &dst, DST, 0xf3, 1, 65536, 1, true);
	mthd(g, SUBC_2D, 0x214, 262144);
	seq(g, SUBC_2D, 0x800, 2, 0u, 0xf3u);
	seq(g, SUBC_2D, 0x838, 10, size, 1u, 0u, 1u, 0u, 1u, 0u, x, 0u, 0u);
	for (uint32_t i = 0; i < (size + 3) / 4; i++) {
		uint32_t w = rnd(1 << 24) * 257;

		for (uint32_t b = 0; b < 4 && i * 4 + b < size; b++)
			want[x + i * 4 + b] = w >> (8 * b);
		ok &= mthd(g, SUBC_2D, 0x860, w);
	}
	/* what follows the last line is ignored */
	ok &= mthd(g, SUBC_2D, 0x860, 0xffffffff);
	ok &= compare(g, want);
	free(want);
	return ok;
}

static bool sifc_rows_and_scale(struct gpu *g)
{
	struct surf dst;
	bool ok = true;

	plain(g, &dst, DST, 0xcf, 4, 8, 8, true);
	for (uint32_t i = 0; i < 64; i++)
		poke32(g->s, DST + i * 4, 0);
	/* 2x2 of B5G6R5, each pixel to 2x3, from (1, 1) on */
	seq(g, SUBC_2D, 0x800, 2, 0u, 0xe8u);
	seq(g, SUBC_2D, 0x838, 10, 2u, 2u, 0u, 2u, 0u, 3u, 0u, 1u, 0u, 1u);
	mthd(g, SUBC_2D, 0x860, 0x001ff800);
	mthd(g, SUBC_2D, 0x860, 0xffff0000);
	for (uint32_t y = 0; y < 8; y++) {
		for (uint32_t x = 0; x < 8; x++) {
			static const uint32_t px[4] = { 0xffff0000, 0xff0000ff, 0xff000000,
							0xffffffff };
			bool in = x >= 1 && x < 5 && y >= 1 && y < 7;
			uint32_t want = in ? px[(y - 1) / 3 * 2 + (x - 1) / 2] : 0;

			ok &= peek32(g->s, DST + (y * 8 + x) * 4) == want;
		}
	}
	return ok;
}

static bool sifc_bitmap(struct gpu *g)
{
	struct surf dst;
	bool ok = true;

	plain(g, &dst, DST, 0xcf, 4, 8, 2, true);
	for (uint32_t i = 0; i < 16; i++)
		poke32(g->s, DST + i * 4, 7);
	/* I1, most significant bit first, rows padded to bytes, zero bits not written */
	seq(g, SUBC_2D, 0x800, 8, 1u, 0xcfu, 0u, 0u, 1u, 0x11111111u, 0x22222222u, 0u);
	seq(g, SUBC_2D, 0x838, 10, 5u, 2u, 0u, 1u, 0u, 1u, 0u, 1u, 0u, 0u);
	mthd(g, SUBC_2D, 0x860, 0x0000f0a8);	/* 10101, 11110 */
	mthd(g, SUBC_2D, 0x800, 0);
	for (uint32_t y = 0; y < 2; y++) {
		for (uint32_t x = 0; x < 8; x++) {
			uint32_t bits = y ? 0x1e : 0x15;
			bool set = x >= 1 && x < 6 && (bits >> (5 - x) & 1);

			ok &= peek32(g->s, DST + (y * 8 + x) * 4) == (set ? 0x22222222 : 7);
		}
	}
	return ok;
}

static bool rectangles(struct gpu *g)
{
	uint8_t *want = snapshot(g);
	struct surf dst;
	bool ok = true;

	random_surf(&dst, DST, 0xcf, 4, 200, 100);
	dst.linear = false;
	set_surf(g, &dst, true);
	mthd(g, SUBC_2D, 0x580, 4);
	seq(g, SUBC_2D, 0x584, 2, 0xcfu, 0xdeadbeefu);
	for (int i = 0; i < 10; i++) {
		uint32_t x0 = rnd(220), y0 = rnd(120), x1 = x0 + rnd(100), y1 = y0 + rnd(60);

		for (uint32_t y = y0; y < y1 && y < 100; y++) {
			for (uint32_t x = x0; x < x1 && x < 200; x++) {
				uint32_t v = 0xdeadbeef;

				memcpy(want + (va_of(&dst, x, y) - DST), &v, 4);
			}
		}
		ok &= seq(g, SUBC_2D, 0x600, 4, x0, y0, x1, y1);
	}
	ok &= compare(g, want);
	free(want);
	return ok;
}

static bool bad_formats_are_refused(struct gpu *g)
{
	one_to_one(g, 1);
	poke32(g->s, SRC, 0x1234);
	/* and what follows works as if they had never come */
	return !mthd(g, SUBC_2D, 0x200, 0x14) && g->r.data_error == 5 &&
	       !mthd(g, SUBC_2D, 0x230, 0xe3) && g->r.data_error == 5 &&
	       !mthd(g, SUBC_2D, 0x2ac, 7) && g->r.data_error == 5 &&
	       start_blit(g, 0, 0) && peek32(g->s, DST) == 0x1234;
}

static bool huge_is_refused(struct gpu *g)
{
	struct surf src, dst;

	plain(g, &src, SRC, 0xcf, 4, 1, 1, false);
	plain(g, &dst, DST, 0xcf, 4, 65536, 65536, true);
	mthd(g, SUBC_2D, 0x214, 0);
	set_blit(g, 0, 0, 65536, 65536);
	set_step(g, 0, 0);
	return !start_blit(g, 0, 0) && g->r.intr == NVSIM_GR_INTR_DATA_ERROR;
}

/* rnndb/graph/g80_pgraph/tpc.xml */
static bool fault_traps(struct gpu *g)
{
	bool ok;

	one_to_one(g, 64);
	g->s->absent[(DST - FAKE_BASE) / FAKE_PAGE + 1] = true;
	ok = !start_blit(g, 0, 0) && g->r.intr == NVSIM_GR_INTR_TRAP && g->r.trap == 0x100 &&
	     (g->r.trap_regs[0].val & 0x10) && g->s->fault.client == 0xb &&
	     g->s->fault.subclient == 0xc;
	g->s->absent[(DST - FAKE_BASE) / FAKE_PAGE + 1] = false;
	g->s->absent[(SRC - FAKE_BASE) / FAKE_PAGE + 1] = true;
	ok &= !start_blit(g, 0, 0) && g->r.intr == NVSIM_GR_INTR_TRAP && g->r.trap == 0x40 &&
	      g->r.trap_regs[0].reg == 0x408900 && (g->r.trap_regs[0].val & 2) &&
	      g->s->fault.client == 0xa;
	g->s->absent[(SRC - FAKE_BASE) / FAKE_PAGE + 1] = false;
	return ok;
}

static bool condition_stops_blit(struct gpu *g)
{
	const uint64_t query = FAKE_BASE + 0x20;
	bool ok = true;

	one_to_one(g, 1);
	poke32(g->s, SRC, 99);
	for (uint32_t res = 0; res < 2; res++) {
		poke32(g->s, DST, 0);
		poke32(g->s, query + 4, res);
		seq(g, SUBC_2D, 0x264, 3, HI(query), LO(query), 2u);
		start_blit(g, 0, 0);
		ok &= peek32(g->s, DST) == (res ? 99 : 0);
	}
	/* two reports, the same and not the same */
	for (uint32_t i = 0; i < 8; i++)
		poke32(g->s, query + i * 4, i & 3);
	for (uint32_t differ = 0; differ < 2; differ++) {
		poke32(g->s, DST, 0);
		poke32(g->s, query + 16, differ);
		seq(g, SUBC_2D, 0x264, 3, HI(query), LO(query), 3u);
		start_blit(g, 0, 0);
		ok &= peek32(g->s, DST) == (differ ? 0 : 99);
		seq(g, SUBC_2D, 0x264, 3, HI(query), LO(query), 4u);
		poke32(g->s, DST, 0);
		start_blit(g, 0, 0);
		ok &= peek32(g->s, DST) == (differ ? 99 : 0);
	}
	mthd(g, SUBC_2D, 0x26c, 1);
	return ok;
}

int main(void)
{
	struct gpu g;

	gpu_init(&g);
	mthd(&g, SUBC_2D, 0x2ac, 3);
	tap(random_blits(&g, 100), "random_blits_match_naive_layout");
	for (uint32_t i = 0; i < FAKE_PAGES; i++)
		g.s->system[i] = rnd(3) == 0;
	tap(random_blits(&g, 20), "random_blits_with_system_pages");
	memset(g.s->system, 0, sizeof(g.s->system));
	tap(scaled_blit(&g), "scaled_and_filtered_blits");
	tap(conversions(&g), "formats_are_converted");
	tap(rop_masks(&g), "rop_with_pattern_masks_bits");
	tap(rop_patterns(&g), "patterns_of_either_bit_order");
	tap(rop_and_tests_the_result(&g), "rop_and_tests_the_result");
	tap(pattern_colors_have_alpha_and_grey(&g), "pattern_colors_have_alpha_and_grey");
	tap(color_patterns_of_every_format(&g), "color_patterns_of_every_format");
	tap(reserved_values_are_refused(&g), "reserved_values_are_refused");
	tap(operations(&g), "operations");
	tap(sifc_bytes(&g), "sifc_uploads_bytes");
	tap(sifc_rows_and_scale(&g), "sifc_scales_and_converts");
	tap(sifc_bitmap(&g), "sifc_expands_bitmaps");
	tap(rectangles(&g), "rectangles_are_filled");
	tap(bad_formats_are_refused(&g), "bad_formats_are_refused");
	tap(huge_is_refused(&g), "huge_blit_is_refused");
	tap(fault_traps(&g), "fault_traps_as_dst2d_or_texture");
	tap(condition_stops_blit(&g), "condition_stops_blit");
	gpu_fini(&g);
	return tap_done();
}
