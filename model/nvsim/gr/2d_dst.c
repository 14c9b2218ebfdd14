// SPDX-License-Identifier: GPL-2.0-or-later
/* The 2D engine's surfaces, and how pixels reach the destination: clipping, conversion, ROP. */
#include "2d_dst.h"

#include <string.h>

#include "../bus/bits.h"

#define DMA_DST			0x0184
#define DMA_SRC			0x0188
#define DST_FORMAT		0x0200
#define SRC_FORMAT		0x0230
/* offsets from FORMAT */
#define LINEAR			0x04
#define BLOCK_DIMENSIONS	0x08
#define LAYER			0x10
#define PITCH			0x14
#define WIDTH			0x18
#define HEIGHT			0x1c
#define ADDRESS_HIGH		0x20
#define ADDRESS_LOW		0x24

#define CLIP_X			0x0280
#define CLIP_ENABLE		0x0290
#define ROP			0x02a0
#define BETA1			0x02a4
#define BETA4			0x02a8
#define OPERATION		0x02ac
#define PATTERN_OFFSET		0x02b0
#define PATTERN_SELECT		0x02b4
#define PATTERN_COLOR_FORMAT	0x02e8
#define PATTERN_BITMAP_FORMAT	0x02ec
#define PATTERN_BITMAP_COLOR	0x02f0
#define PATTERN_BITMAP		0x02f8
#define PATTERN_X8R8G8B8	0x0300

/* values of OPERATION (envytools g80_2d has the formulas) */
enum {
	SRCCOPY_AND, ROP_AND, BLEND, SRCCOPY, OP_ROP, SRCCOPY_PREMULT, BLEND_PREMULT,
};

/* PATTERN_COLOR_FORMAT, PATTERN_SELECT (envytools: rnndb/graph/g80_2d.xml) */
enum { A16R5G6B5, X16A1R5G5B5, A8R8G8B8, X16A8Y8 };
#define PATTERN_SELECT_COLOR	3

/* ids of surface formats */
enum {
	FORMAT_BGRA8	= 0xcf,
	FORMAT_B5G6R5	= 0xe8,
	FORMAT_BGR5_A1	= 0xe9,
	FORMAT_R8	= 0xf3,
	FORMAT_BGR5_X1	= 0xf8,
};

#define MAX_SIZE	0x10000u
#define CHUNK		256u		/* pixels */

static bool open_surface(struct nvsim_gr_op *op, uint32_t base, uint32_t dma,
			 struct nvsim_gr_surface *sf, const struct nvsim_gr_format **fmt)
{
	memset(sf, 0, sizeof(*sf));
	*fmt = nvsim_gr_format_get(nvsim_gr_reg(op, base));
	sf->vm.inst = op->c->inst;
	sf->vm.engine = NVSIM_VM_ENGINE_PGRAPH;
	sf->vm.client = base == DST_FORMAT ? NVSIM_VM_CLIENT_PROP : NVSIM_VM_CLIENT_TEXTURE;
	sf->vm.subclient = base == DST_FORMAT ? 0xc : 0;
	sf->dma = nvsim_gr_reg(op, dma);
	sf->address = nvsim_gr_reg_addr(op, base + ADDRESS_HIGH, base + ADDRESS_LOW);
	sf->linear = nvsim_gr_reg(op, base + LINEAR) & 1;
	sf->pitch = nvsim_gr_reg(op, base + PITCH) & 0x7ffff;
	sf->height = nvsim_gr_reg(op, base + HEIGHT);
	sf->z = nvsim_gr_reg(op, base + LAYER) & 0xffff;
	if (!(*fmt)->cpp || nvsim_gr_reg(op, base + WIDTH) > MAX_SIZE || sf->height > MAX_SIZE) {
		nvsim_gr_error(op, NVSIM_GR_ERR_INVALID_VALUE);
		return false;
	}
	sf->width_bytes = nvsim_gr_reg(op, base + WIDTH) * (*fmt)->cpp;
	if (!sf->linear &&
	    !nvsim_gr_surface_set_blocks(sf, nvsim_gr_reg(op, base + BLOCK_DIMENSIONS),
					 0)) {
		nvsim_gr_error(op, NVSIM_GR_ERR_INVALID_BITFIELD);
		return false;
	}
	return true;
}

static int32_t min_i64(int64_t a, int64_t b)
{
	return (int32_t)(a < b ? a : b);
}

bool nvsim_gr_2d_open_dst(struct nvsim_gr_op *op, struct nvsim_gr_2d_dst *d)
{
	memset(d, 0, sizeof(*d));
	if (!open_surface(op, DST_FORMAT, DMA_DST, &d->sf, &d->fmt))
		return false;
	d->operation = nvsim_gr_reg(op, OPERATION);
	d->x1 = (int32_t)nvsim_gr_reg(op, DST_FORMAT + WIDTH);
	d->y1 = (int32_t)d->sf.height;
	if (nvsim_gr_reg(op, CLIP_ENABLE) & 1) {
		int32_t cx = (int32_t)nvsim_gr_reg(op, CLIP_X);
		int32_t cy = (int32_t)nvsim_gr_reg(op, CLIP_X + 4);

		d->x0 = cx > 0 ? cx : 0;
		d->y0 = cy > 0 ? cy : 0;
		d->x1 = min_i64(d->x1, (int64_t)cx + nvsim_gr_reg(op, CLIP_X + 8));
		d->y1 = min_i64(d->y1, (int64_t)cy + nvsim_gr_reg(op, CLIP_X + 12));
	}
	return true;
}

bool nvsim_gr_2d_open_src(struct nvsim_gr_op *op, struct nvsim_gr_surface *sf,
			  const struct nvsim_gr_format **fmt, uint32_t *width, uint32_t *height)
{
	if (!open_surface(op, SRC_FORMAT, DMA_SRC, sf, fmt))
		return false;
	*width = nvsim_gr_reg(op, SRC_FORMAT + WIDTH);
	*height = sf->height;
	return true;
}

static uint32_t pattern_bit(const struct nvsim_gr_op *op, uint32_t x, uint32_t y)
{
	uint32_t select = nvsim_gr_reg(op, PATTERN_SELECT);
	uint32_t bit;

	if (select == 1)
		bit = x & 63;
	else if (select == 2)
		bit = y & 63;
	else
		bit = (y & 7) << 3 | (x & 7);
	if (!(nvsim_gr_reg(op, PATTERN_BITMAP_FORMAT) & 1))
		bit ^= 7;	/* CGA6: leftmost pixel in the top bit of each byte */
	return nvsim_gr_reg(op, PATTERN_BITMAP + bit / 32 * 4) >> (bit & 31) & 1;
}

static void unpack_word(uint32_t format, uint32_t color, union nvsim_gr_value v[4])
{
	uint8_t word[4];

	nvsim_st32(word, color);
	nvsim_gr_format_unpack(nvsim_gr_format_get(format), word, v);
}

/* PATTERN_COLOR_FORMAT. What 4 and 5 are is not known; they read as A8R8G8B8. */
static void bitmap_color(const struct nvsim_gr_op *op, uint32_t color, union nvsim_gr_value v[4])
{
	switch (nvsim_gr_reg(op, PATTERN_COLOR_FORMAT)) {
	case A16R5G6B5:
		unpack_word(FORMAT_B5G6R5, color, v);
		v[3].f = (float)(color >> 16) / 65535.0f;
		break;
	case X16A1R5G5B5:
		unpack_word(FORMAT_BGR5_A1, color, v);
		break;
	case X16A8Y8:
		v[0].f = (float)(color & 0xff) / 255.0f;
		v[1] = v[0];
		v[2] = v[0];
		v[3].f = (float)(color >> 8 & 0xff) / 255.0f;
		break;
	default:
		unpack_word(FORMAT_BGRA8, color, v);
		break;
	}
}

/* The pattern's pixel in the destination's format. */
static void pattern_pixel(const struct nvsim_gr_op *op, const struct nvsim_gr_format *fmt,
			  int32_t x, int32_t y, uint8_t *px)
{
	uint32_t offset = nvsim_gr_reg(op, PATTERN_OFFSET);
	uint32_t px_x = (uint32_t)x + (offset & 63);
	uint32_t px_y = (uint32_t)y + (offset >> 8 & 63);
	uint32_t cell = (px_y & 7) << 3 | (px_x & 7);
	union nvsim_gr_value v[4];

	if (nvsim_gr_reg(op, PATTERN_SELECT) == PATTERN_SELECT_COLOR)
		unpack_word(FORMAT_BGRA8, nvsim_gr_reg(op, PATTERN_X8R8G8B8 + cell * 4) |
					  0xff000000, v);
	else
		bitmap_color(op, nvsim_gr_reg(op, PATTERN_BITMAP_COLOR +
					      pattern_bit(op, px_x, px_y) * 4), v);
	nvsim_gr_format_pack(fmt, v, px);
}

void nvsim_gr_2d_pattern_cells(struct nvsim_gr_op *op)
{
	uint32_t format = FORMAT_B5G6R5, first = NVSIM_GR_2D_PATTERN_R5G6B5, n = 2;
	union nvsim_gr_value v[4];
	uint8_t px[4];

	if (op->mthd >= NVSIM_GR_2D_PATTERN_Y8) {
		format = FORMAT_R8;
		first = NVSIM_GR_2D_PATTERN_Y8;
		n = 4;
	} else if (op->mthd >= NVSIM_GR_2D_PATTERN_X1R5G5B5) {
		format = FORMAT_BGR5_X1;
		first = NVSIM_GR_2D_PATTERN_X1R5G5B5;
	}
	for (uint32_t i = 0; i < n; i++) {
		unpack_word(format, op->data >> (32 / n * i), v);
		if (format == FORMAT_R8) {
			v[1] = v[0];
			v[2] = v[0];
		}
		nvsim_gr_format_pack(nvsim_gr_format_get(FORMAT_BGRA8), v, px);
		op->c->reg[op->unit][PATTERN_X8R8G8B8 / 4 + (op->mthd - first) / 4 * n + i] =
			nvsim_ld32(px) & 0x00ffffff;
	}
}

static void rop_pixel(const struct nvsim_gr_op *op, const struct nvsim_gr_2d_dst *d, int32_t x,
		      int32_t y, const uint8_t *src, uint8_t *dst)
{
	uint32_t rop = nvsim_gr_reg(op, ROP);
	uint8_t pattern[16];

	pattern_pixel(op, d->fmt, x, y, pattern);
	for (unsigned int i = 0; i < d->fmt->cpp; i++) {
		uint8_t out = 0;

		for (unsigned int b = 0; b < 8; b++) {
			unsigned int index = (dst[i] >> b & 1) | (src[i] >> b & 1) << 1 |
					     (pattern[i] >> b & 1) << 2;

			out |= (rop >> index & 1) << b;
		}
		dst[i] = out;
	}
}

static bool is_integer(const struct nvsim_gr_format *f)
{
	return f->type == NVSIM_GR_UINT || f->type == NVSIM_GR_SINT;
}

static float beta4(const struct nvsim_gr_op *op, int component)
{
	/* register order B, G, R, A */
	static const uint8_t shift[4] = { 16, 8, 0, 24 };

	return (float)(nvsim_gr_reg(op, BETA4) >> shift[component] & 0xff) / 255.0f;
}

static void blend_pixel(const struct nvsim_gr_op *op, const struct nvsim_gr_2d_dst *d,
			const union nvsim_gr_value s[4], uint8_t *dst)
{
	float beta1 = (float)(nvsim_gr_reg(op, BETA1) >> 23 & 0xff) / 255.0f;
	union nvsim_gr_value v[4], out[4];

	nvsim_gr_format_unpack(d->fmt, dst, v);
	for (int i = 0; i < 4; i++) {
		float keep, add;

		if (d->operation == BLEND) {
			keep = 1.0f - s[3].f * beta1;
			add = s[i].f * s[3].f * beta1;
		} else {
			keep = d->operation == BLEND_PREMULT ? 1.0f - s[3].f * beta4(op, 3) : 0.0f;
			add = s[i].f * beta4(op, i);
		}
		out[i].f = keep * v[i].f + add;
	}
	nvsim_gr_format_pack(d->fmt, out, dst);
}

static void convert(const struct nvsim_gr_2d_dst *d, const struct nvsim_gr_format *fmt,
		    const uint8_t *src, union nvsim_gr_value v[4], uint8_t *px)
{
	nvsim_gr_format_unpack(fmt, src, v);
	if (fmt->luminance) {
		v[1] = v[0];
		v[2] = v[0];
	}
	if (fmt == d->fmt)
		memcpy(px, src, fmt->cpp);
	else
		nvsim_gr_format_pack(d->fmt, v, px);
}

/* dst holds the pixel's old value and gets the new one. */
static void operate(const struct nvsim_gr_op *op, const struct nvsim_gr_2d_dst *d, int32_t x,
		    int32_t y, const struct nvsim_gr_format *fmt, const uint8_t *src, uint8_t *dst)
{
	union nvsim_gr_value v[4];
	uint8_t px[16], out[16];

	convert(d, fmt, src, v, px);
	switch (d->operation) {
	case SRCCOPY_AND:
		if (v[3].u)
			memcpy(dst, px, d->fmt->cpp);
		break;
	case ROP_AND:
		memcpy(out, dst, d->fmt->cpp);
		rop_pixel(op, d, x, y, px, out);
		nvsim_gr_format_unpack(d->fmt, out, v);
		if (v[3].u)
			memcpy(dst, out, d->fmt->cpp);
		break;
	case OP_ROP:
		rop_pixel(op, d, x, y, px, dst);
		break;
	case BLEND:
	case SRCCOPY_PREMULT:
	case BLEND_PREMULT:
		if (!is_integer(fmt) && !is_integer(d->fmt)) {
			blend_pixel(op, d, v, dst);
			break;
		}
		/* fall through */
	default:
		memcpy(dst, px, d->fmt->cpp);
		break;
	}
}

static bool put_chunk(struct nvsim_gr_op *op, struct nvsim_gr_2d_dst *d, int32_t x, int32_t y,
		      uint32_t n, const struct nvsim_gr_format *fmt, const uint8_t *px)
{
	uint32_t cpp = d->fmt->cpp;
	uint8_t buf[CHUNK * 16];

	if (d->operation != SRCCOPY &&
	    !nvsim_gr_surface_read(op->mmu, &d->sf, (uint32_t)x * cpp, (uint32_t)y, buf, n * cpp))
		return false;
	for (uint32_t i = 0; i < n; i++)
		operate(op, d, x + (int32_t)i, y, fmt, px + i * fmt->cpp, buf + i * cpp);
	return nvsim_gr_surface_write(op->mmu, &d->sf, (uint32_t)x * cpp, (uint32_t)y, buf,
				      n * cpp);
}

bool nvsim_gr_2d_put(struct nvsim_gr_op *op, struct nvsim_gr_2d_dst *d, int64_t x, int32_t y,
		     uint32_t n, const struct nvsim_gr_format *fmt, const uint8_t *px)
{
	int64_t first = x, last = x + n;
	bool ok = true;

	if (first < d->x0)
		first = d->x0;
	if (last > d->x1)
		last = d->x1;
	if (y < d->y0 || y >= d->y1 || first >= last)
		return true;
	px += (size_t)(first - x) * fmt->cpp;
	d->pixels += (uint64_t)(last - first);
	if (d->operation == SRCCOPY && fmt == d->fmt) {
		ok = nvsim_gr_surface_write(op->mmu, &d->sf, (uint32_t)first * fmt->cpp,
					    (uint32_t)y, px, (uint32_t)(last - first) * fmt->cpp);
		first = last;
	}
	while (ok && first < last) {
		uint32_t m = last - first < CHUNK ? (uint32_t)(last - first) : CHUNK;

		ok = put_chunk(op, d, (int32_t)first, y, m, fmt, px);
		first += m;
		px += m * fmt->cpp;
	}
	if (!ok)
		nvsim_gr_trap(op, NVSIM_GR_TRAP_PROP, 0x10, d->sf.fault_va);
	return ok;
}

void nvsim_gr_2d_charge(struct nvsim_gr_op *op, const struct nvsim_gr_2d_dst *d,
			const struct nvsim_gr_surface *src)
{
	struct nvsim_cost_work work = {
		.rop_pixels = d->pixels,
		.vram_bytes = d->sf.vram_bytes + (src ? src->vram_bytes : 0),
		.pcie_bytes = d->sf.system_bytes + (src ? src->system_bytes : 0),
		.fixed_ps = op->c->model->copy_ps,
	};

	nvsim_gr_work(op, &work);
}
