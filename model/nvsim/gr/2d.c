// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * NV50_2D, class 0x502d: solid shapes and blits. Methods: envytools g80_2d.
 *
 * Not modelled: triangles and lines of DRAW, colour keys, I4/I8 of SIFC.
 */
#include "2d.h"

#include <stdlib.h>
#include <string.h>

#include "../bus/bits.h"
#include "2d_dst.h"
#include "op.h"
#include "query.h"
#include "sifc.h"

#define DMA_COND		0x018c
#define DST_FORMAT		0x0200
#define SRC_FORMAT		0x0230
#define COND_ADDRESS_HIGH	0x0264
#define COND_ADDRESS_LOW	0x0268
#define COND_MODE		0x026c
#define OPERATION		0x02ac
#define COLOR_KEY_FORMAT	0x0294
#define PATTERN_SELECT		0x02b4
#define PATTERN_COLOR_FORMAT	0x02e8
#define PATTERN_BITMAP_FORMAT	0x02ec
#define SIFC_BITMAP_FORMAT	0x0808
#define SIFC_BITMAP_LINE_PACK	0x0810
#define DRAW_SHAPE		0x0580
#define DRAW_COLOR_FORMAT	0x0584
#define DRAW_COLOR		0x0588
#define DRAW_POINT16		0x05e0
#define DRAW_POINT32		0x0600	/* 64 pairs X, Y */
#define DRAW_POINT32_END	0x0800
#define BLIT_CONTROL		0x088c
#define BLIT_DST_X		0x08b0
#define BLIT_DST_Y		0x08b4
#define BLIT_DST_W		0x08b8
#define BLIT_DST_H		0x08bc
#define BLIT_DU_DX		0x08c0	/* fraction, integer */
#define BLIT_DV_DY		0x08c8
#define BLIT_SRC_X		0x08d0
#define BLIT_SRC_Y		0x08d8
#define BLIT_START		0x08dc	/* BLIT_SRC_Y_INT */

/* What takes one of a few values: the last that there is (envytools: rnndb/graph/g80_2d.xml). */
static const struct {
	uint16_t mthd, last;
} enums[] = {
	{ COLOR_KEY_FORMAT, 6 },
	{ OPERATION, 6 },
	{ PATTERN_SELECT, 3 },
	{ PATTERN_COLOR_FORMAT, 5 },
	{ PATTERN_BITMAP_FORMAT, 1 },
	{ DRAW_SHAPE, 4 },
	{ SIFC_BITMAP_FORMAT, 2 },
	{ SIFC_BITMAP_LINE_PACK, 2 },
};

#define SHAPE_POINTS		0
#define SHAPE_RECTANGLES	4
#define CONTROL_CORNER		0x01
#define CONTROL_BILINEAR	0x10
#define OPERATION_SRCCOPY	3

struct blit {
	struct nvsim_gr_2d_dst dst;
	struct nvsim_gr_surface src;
	const struct nvsim_gr_format *src_fmt;
	uint32_t src_w, src_h;
	int64_t u, v;		/* 32.32, source position of the first destination pixel */
	int64_t du, dv;
	int32_t x, y;
	uint32_t w, h;
	bool bilinear;
	uint32_t sx0, sx1;	/* source columns needed */
	uint8_t *row[2];	/* source rows, from sx0 on */
	int64_t row_y[2];	/* which; -1 = none */
	uint8_t *out;		/* one destination row in the source's format */
};

static int64_t fixed(const struct nvsim_gr_op *op, uint32_t mthd)
{
	return (int64_t)((uint64_t)nvsim_gr_reg(op, mthd + 4) << 32 | nvsim_gr_reg(op, mthd));
}

/* start + step * i, saturated: positions are clamped to the source anyway. */
static int64_t step_to(int64_t start, int64_t step, uint32_t i)
{
	__int128 p = (__int128)step * i + start;

	if (p > INT64_MAX)
		return INT64_MAX;
	return p < INT64_MIN ? INT64_MIN : (int64_t)p;
}

static uint32_t clamp_to(int64_t p, uint32_t size)
{
	if (p < 0)
		return 0;
	return p >= size ? size - 1 : (uint32_t)p;
}

static bool load_row(struct nvsim_gr_op *op, struct blit *b, unsigned int slot, uint32_t y)
{
	if (b->row_y[slot] == y)
		return true;
	b->row_y[slot] = y;
	if (nvsim_gr_surface_read(op->mmu, &b->src, b->sx0 * b->src_fmt->cpp, y, b->row[slot],
				  (b->sx1 - b->sx0) * b->src_fmt->cpp))
		return true;
	/* the texture unit reads the source: "any" and FAULT (nouveau: nv50_tex_traps) */
	nvsim_gr_trap(op, NVSIM_GR_TRAP_TEXTURE, 0x3, b->src.fault_va);
	return false;
}

static void mix(const struct nvsim_gr_format *f, const uint8_t *p[4], float fx, float fy,
		uint8_t *out)
{
	union nvsim_gr_value v[4][4], res[4];

	if (f->type == NVSIM_GR_UINT || f->type == NVSIM_GR_SINT) {
		memcpy(out, p[0], f->cpp);
		return;
	}
	for (int i = 0; i < 4; i++)
		nvsim_gr_format_unpack(f, p[i], v[i]);
	for (int i = 0; i < 4; i++) {
		float top = v[0][i].f + (v[1][i].f - v[0][i].f) * fx;
		float low = v[2][i].f + (v[3][i].f - v[2][i].f) * fx;

		res[i].f = top + (low - top) * fy;
	}
	nvsim_gr_format_pack(f, res, out);
}

static float fraction(int64_t p)
{
	return (float)(uint32_t)p / 4294967296.0f;
}

static bool blit_row(struct nvsim_gr_op *op, struct blit *b, uint32_t j, uint32_t i0, uint32_t n)
{
	uint32_t cpp = b->src_fmt->cpp;
	int64_t v = step_to(b->v, b->dv, j);

	if (!load_row(op, b, 0, clamp_to(v >> 32, b->src_h)))
		return false;
	if (b->bilinear && !load_row(op, b, 1, clamp_to((v >> 32) + 1, b->src_h)))
		return false;
	if (!b->bilinear && b->du == 1ll << 32 && b->sx1 - b->sx0 == n)
		return nvsim_gr_2d_put(op, &b->dst, b->x + (int32_t)i0, b->y + (int32_t)j, n,
				       b->src_fmt, b->row[0]);
	for (uint32_t i = 0; i < n; i++) {
		int64_t u = step_to(b->u, b->du, i0 + i);
		uint32_t sx = clamp_to(u >> 32, b->src_w) - b->sx0;

		if (b->bilinear) {
			uint32_t sx1 = clamp_to((u >> 32) + 1, b->src_w) - b->sx0;
			const uint8_t *p[4] = {
				b->row[0] + sx * cpp, b->row[0] + sx1 * cpp,
				b->row[1] + sx * cpp, b->row[1] + sx1 * cpp,
			};

			mix(b->src_fmt, p, fraction(u), fraction(v), b->out + i * cpp);
		} else {
			memcpy(b->out + i * cpp, b->row[0] + sx * cpp, cpp);
		}
	}
	return nvsim_gr_2d_put(op, &b->dst, b->x + (int32_t)i0, b->y + (int32_t)j, n,
			       b->src_fmt, b->out);
}

/* The part [*i0, *i1) of n pixels from start on that lies in [lo, hi). */
static void clip_span(int32_t start, uint32_t n, int32_t lo, int32_t hi, uint32_t *i0,
		      uint32_t *i1)
{
	int64_t first = (int64_t)lo - start;
	int64_t last = (int64_t)hi - start;

	*i0 = first < 0 ? 0 : first > n ? n : (uint32_t)first;
	*i1 = last < 0 ? 0 : last > n ? n : (uint32_t)last;
}

/* Source columns that destination columns i0 <= i < i1 read; du may be negative. */
static void find_columns(struct blit *b, uint32_t i0, uint32_t i1)
{
	int64_t u0 = step_to(b->u, b->du, i0) >> 32;
	int64_t u1 = step_to(b->u, b->du, i1 - 1) >> 32;

	b->sx0 = clamp_to(u0 < u1 ? u0 : u1, b->src_w);
	b->sx1 = clamp_to((u0 < u1 ? u1 : u0) + b->bilinear, b->src_w) + 1;
}

static void blit_rows(struct nvsim_gr_op *op, struct blit *b)
{
	uint32_t i0, i1, j0, j1;
	size_t row_bytes;

	clip_span(b->x, b->w, b->dst.x0, b->dst.x1, &i0, &i1);
	clip_span(b->y, b->h, b->dst.y0, b->dst.y1, &j0, &j1);
	if (i0 >= i1 || j0 >= j1)
		return;
	if ((uint64_t)(i1 - i0) * (j1 - j0) > NVSIM_GR_2D_MAX_PIXELS) {
		nvsim_gr_error(op, NVSIM_GR_ERR_INVALID_VALUE);
		return;
	}
	find_columns(b, i0, i1);
	row_bytes = (size_t)(b->sx1 - b->sx0) * b->src_fmt->cpp;
	b->row_y[0] = -1;
	b->row_y[1] = -1;
	b->row[0] = malloc(row_bytes);
	b->row[1] = malloc(row_bytes);
	b->out = malloc((size_t)(i1 - i0) * b->src_fmt->cpp);
	if (b->row[0] && b->row[1] && b->out) {
		while (j0 < j1 && blit_row(op, b, j0, i0, i1 - i0))
			j0++;
	} else {
		nvsim_gr_error(op, NVSIM_GR_ERR_INVALID_VALUE);
	}
	free(b->row[0]);
	free(b->row[1]);
	free(b->out);
}

/*
 * Sampling positions: with origin CENTER a source position is the index of a pixel, with CORNER
 * its upper left corner (Mesa: nv50_blit_eng2d adds half a pixel for the latter).
 */
static void blit(struct nvsim_gr_op *op)
{
	uint32_t control = nvsim_gr_reg(op, BLIT_CONTROL);
	struct blit b = { 0 };

	if (!op->c->cond_2d)
		return;
	if (!nvsim_gr_2d_open_dst(op, &b.dst) ||
	    !nvsim_gr_2d_open_src(op, &b.src, &b.src_fmt, &b.src_w, &b.src_h))
		return;
	b.x = (int32_t)nvsim_gr_reg(op, BLIT_DST_X);
	b.y = (int32_t)nvsim_gr_reg(op, BLIT_DST_Y);
	b.w = nvsim_gr_reg(op, BLIT_DST_W) & 0x1ffff;
	b.h = nvsim_gr_reg(op, BLIT_DST_H) & 0x1ffff;
	b.du = fixed(op, BLIT_DU_DX);
	b.dv = fixed(op, BLIT_DV_DY);
	b.u = fixed(op, BLIT_SRC_X);
	b.v = fixed(op, BLIT_SRC_Y);
	b.bilinear = control & CONTROL_BILINEAR;
	if (b.bilinear && (control & CONTROL_CORNER)) {
		b.u = step_to(b.u, -1, 1u << 31);
		b.v = step_to(b.v, -1, 1u << 31);
	}
	if (b.src_w && b.src_h)
		blit_rows(op, &b);
	nvsim_gr_2d_charge(op, &b.dst, &b.src);
}

static uint32_t pattern_of(const uint8_t *px, uint32_t cpp)
{
	uint32_t p = 0;

	for (unsigned int i = 0; i < 4; i++)
		p |= (uint32_t)px[i % cpp] << (8 * i);
	return p;
}

/* DRAW_COLOR is one word; formats of 64 and 128 bits take the longer methods of later classes. */
static void draw_rect(struct nvsim_gr_op *op, int32_t x0, int32_t y0, int32_t x1, int32_t y1)
{
	const struct nvsim_gr_format *fmt =
		nvsim_gr_format_get(nvsim_gr_reg(op, DRAW_COLOR_FORMAT));
	uint32_t color = nvsim_gr_reg(op, DRAW_COLOR);
	struct nvsim_gr_2d_dst d;
	uint32_t i0, i1, j0, j1;
	uint8_t px[16], *row;
	union nvsim_gr_value v[4];

	if (!op->c->cond_2d || x0 >= x1 || y0 >= y1 || !nvsim_gr_2d_open_dst(op, &d))
		return;
	if (!fmt->cpp || fmt->cpp > 4) {
		nvsim_gr_error(op, NVSIM_GR_ERR_INVALID_ENUM);
		return;
	}
	clip_span(x0, (uint32_t)x1 - (uint32_t)x0, d.x0, d.x1, &i0, &i1);
	clip_span(y0, (uint32_t)y1 - (uint32_t)y0, d.y0, d.y1, &j0, &j1);
	if (i0 >= i1 || j0 >= j1)
		return;
	if ((uint64_t)(i1 - i0) * (j1 - j0) > NVSIM_GR_2D_MAX_PIXELS) {
		nvsim_gr_error(op, NVSIM_GR_ERR_INVALID_VALUE);
		return;
	}
	for (unsigned int i = 0; i < sizeof(px); i++)
		px[i] = color >> (8 * (i & 3));
	nvsim_gr_format_unpack(fmt, px, v);
	nvsim_gr_format_pack(d.fmt, v, px);
	if (d.operation == OPERATION_SRCCOPY && d.fmt->cpp == 4) {
		if (!nvsim_gr_surface_fill(op->mmu, &d.sf, (uint32_t)(x0 + (int32_t)i0) * 4,
					   (uint32_t)(y0 + (int32_t)j0),
					   (uint32_t)(x0 + (int32_t)i1) * 4,
					   (uint32_t)(y0 + (int32_t)j1), pattern_of(px, 4)))
			nvsim_gr_trap(op, NVSIM_GR_TRAP_PROP, 0x10, d.sf.fault_va);
		d.pixels = (uint64_t)(i1 - i0) * (j1 - j0);
		d.sf.vram_bytes = d.pixels * 4;
		nvsim_gr_2d_charge(op, &d, NULL);
		return;
	}
	row = malloc((size_t)(i1 - i0) * d.fmt->cpp);
	if (!row) {
		nvsim_gr_error(op, NVSIM_GR_ERR_INVALID_VALUE);
		return;
	}
	for (uint32_t i = 0; i < i1 - i0; i++)
		memcpy(row + (size_t)i * d.fmt->cpp, px, d.fmt->cpp);
	while (j0 < j1 && nvsim_gr_2d_put(op, &d, x0 + (int32_t)i0, y0 + (int32_t)j0, i1 - i0,
					  d.fmt, row))
		j0++;
	free(row);
	nvsim_gr_2d_charge(op, &d, NULL);
}

static void vertex(struct nvsim_gr_op *op, int32_t x, int32_t y)
{
	struct nvsim_gr_draw2d *draw = &op->c->draw2d;
	uint32_t shape = nvsim_gr_reg(op, DRAW_SHAPE);

	draw->x[draw->count] = x;
	draw->y[draw->count] = y;
	draw->count++;
	if (shape == SHAPE_POINTS) {
		draw->count = 0;
		if (x < INT32_MAX && y < INT32_MAX)
			draw_rect(op, x, y, x + 1, y + 1);
	} else if (shape == SHAPE_RECTANGLES && draw->count == 2) {
		draw->count = 0;
		draw_rect(op, draw->x[0], draw->y[0], x, y);
	} else if (draw->count == 3) {
		draw->count = 0;
	}
}

static void cond_mode(struct nvsim_gr_op *op)
{
	nvsim_gr_cond(op, nvsim_gr_reg(op, DMA_COND),
		      nvsim_gr_reg_addr(op, COND_ADDRESS_HIGH, COND_ADDRESS_LOW), op->data,
		      &op->c->cond_2d);
}

static bool is_enum(const struct nvsim_gr_op *op, uint32_t *last)
{
	for (size_t i = 0; i < NVSIM_ARRAY_SIZE(enums); i++) {
		if (enums[i].mthd != op->mthd)
			continue;
		*last = enums[i].last;
		return true;
	}
	return false;
}

static void enum_method(struct nvsim_gr_op *op, uint32_t last)
{
	if (op->mthd == DRAW_SHAPE)
		op->c->draw2d.count = 0;
	if (op->data > last)
		nvsim_gr_error(op, NVSIM_GR_ERR_INVALID_ENUM);
}

void nvsim_gr_2d_method(struct nvsim_gr_op *op)
{
	uint32_t last;

	if (is_enum(op, &last)) {
		enum_method(op, last);
		return;
	}
	switch (op->mthd) {
	case DST_FORMAT:
	case SRC_FORMAT:
	case NVSIM_GR_SIFC_FORMAT:
		if (!nvsim_gr_format_is_2d(op->data))
			nvsim_gr_error(op, NVSIM_GR_ERR_INVALID_ENUM);
		break;
	case COND_MODE:
		cond_mode(op);
		break;
	case NVSIM_GR_2D_PATTERN_R5G6B5 ... NVSIM_GR_2D_PATTERN_END - 4:
		nvsim_gr_2d_pattern_cells(op);
		break;
	case DRAW_POINT16:
		vertex(op, (int16_t)op->data, (int16_t)(op->data >> 16));
		break;
	case BLIT_START:
		blit(op);
		break;
	case NVSIM_GR_SIFC_START:
		nvsim_gr_sifc_start(op);
		break;
	case NVSIM_GR_SIFC_DATA:
		nvsim_gr_sifc_data(op);
		break;
	default:	/* DRAW_POINT32_Y */
		vertex(op, (int32_t)nvsim_gr_reg(op, op->mthd - 4), (int32_t)op->data);
		break;
	}
}

void nvsim_gr_2d_mark(uint8_t known[NVSIM_GR_METHODS])
{
	static const uint16_t active[] = {
		DST_FORMAT, SRC_FORMAT, NVSIM_GR_SIFC_FORMAT, COND_MODE, DRAW_POINT16, BLIT_START, NVSIM_GR_SIFC_START, NVSIM_GR_SIFC_DATA,
	};

	for (unsigned int i = 0; i < sizeof(active) / sizeof(active[0]); i++)
		known[active[i] / 4] = NVSIM_GR_ACTION;
	for (unsigned int i = 0; i < NVSIM_ARRAY_SIZE(enums); i++)
		known[enums[i].mthd / 4] = NVSIM_GR_ACTION;
	for (uint32_t m = NVSIM_GR_2D_PATTERN_R5G6B5; m < NVSIM_GR_2D_PATTERN_END; m += 4)
		known[m / 4] = NVSIM_GR_ACTION;
	for (uint32_t m = DRAW_POINT32 + 4; m < DRAW_POINT32_END; m += 8)
		known[m / 4] = NVSIM_GR_ACTION;
	nvsim_gr_mark_inputs(known, 0x0184, 3, 4);		/* DMA_DST, DMA_SRC, DMA_COND */
	nvsim_gr_mark_inputs(known, DST_FORMAT, 10, 4);
	nvsim_gr_mark_inputs(known, SRC_FORMAT, 10, 4);
	nvsim_gr_mark_inputs(known, COND_ADDRESS_HIGH, 2, 4);
	nvsim_gr_mark_inputs(known, 0x0280, 5, 4);		/* CLIP */
	nvsim_gr_mark_inputs(known, 0x02a0, 3, 4);		/* ROP, BETA1, BETA4 */
	nvsim_gr_mark_inputs(known, 0x02b0, 2, 4);		/* PATTERN_OFFSET, _SELECT */
	nvsim_gr_mark_inputs(known, 0x02e8, 6, 4);		/* PATTERN_* */
	nvsim_gr_mark_inputs(known, 0x0300, 64, 4);		/* PATTERN_X8R8G8B8 */
	nvsim_gr_mark_inputs(known, DRAW_COLOR_FORMAT, 2, 4);
	nvsim_gr_mark_inputs(known, DRAW_POINT32, 64, 8);
	nvsim_gr_mark_inputs(known, 0x0800, 24, 4);		/* SIFC_* */
	nvsim_gr_mark_inputs(known, BLIT_CONTROL, 1, 4);
	nvsim_gr_mark_inputs(known, BLIT_DST_X, 12, 4);
}

/* Power-up values: nouveau, nvkm/engine/gr/ctxnv50.c (the eng2d lines). */
void nvsim_gr_2d_reset(struct nvsim_gr_chan *c)
{
	uint32_t *reg = c->reg[NVSIM_GR_2D];

	reg[DST_FORMAT / 4] = 0xcf;
	reg[SRC_FORMAT / 4] = 0xcf;
	reg[NVSIM_GR_SIFC_FORMAT / 4] = 0xcf;
	reg[DRAW_COLOR_FORMAT / 4] = 0xcf;
	reg[0x0204 / 4] = 1;	/* DST_LINEAR */
	reg[0x0234 / 4] = 1;	/* SRC_LINEAR */
	reg[(BLIT_DU_DX + 4) / 4] = 1;
	reg[(BLIT_DV_DY + 4) / 4] = 1;
	reg[COND_MODE / 4] = 1;
	c->cond_2d = true;
}
