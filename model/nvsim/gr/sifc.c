// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * SIFC, "stretched image from CPU": an image in the push buffer itself, drawn line by line as its
 * words arrive. Mesa uploads shaders and small buffers with it.
 */
#include "sifc.h"

#include <stdlib.h>
#include <string.h>

#include "2d_dst.h"
#include "op.h"

#define BITMAP_ENABLE		0x0800
#define BITMAP_FORMAT		0x0808
#define BITMAP_LSB_FIRST	0x080c
#define BITMAP_LINE_PACK	0x0810
#define BITMAP_COLOR_BIT0	0x0814
#define BITMAP_WRITE_BIT0	0x081c
#define SIFC_WIDTH		0x0838
#define SIFC_HEIGHT		0x083c
#define SIFC_DX_DU		0x0840	/* fraction, integer */
#define SIFC_DY_DV		0x0848
#define SIFC_DST_X		0x0850
#define SIFC_DST_Y		0x0858

#define MAX_SIZE		0x10000u
#define ONE			(1ll << 32)

enum { PACKED, ALIGN_BYTE, ALIGN_WORD };

static int64_t fixed(const struct nvsim_gr_op *op, uint32_t mthd)
{
	return (int64_t)((uint64_t)nvsim_gr_reg(op, mthd + 4) << 32 | nvsim_gr_reg(op, mthd));
}

/* A line is kept as it arrives, or for bitmaps as one byte per pixel. */
void nvsim_gr_sifc_start(struct nvsim_gr_op *op)
{
	const struct nvsim_gr_format *fmt =
		nvsim_gr_format_get(nvsim_gr_reg(op, NVSIM_GR_SIFC_FORMAT));
	struct nvsim_gr_sifc *sifc = &op->c->sifc;
	uint32_t bytes;

	sifc->active = false;
	sifc->width = nvsim_gr_reg(op, SIFC_WIDTH);
	sifc->height = nvsim_gr_reg(op, SIFC_HEIGHT);
	sifc->format = nvsim_gr_reg(op, NVSIM_GR_SIFC_FORMAT);
	sifc->bitmap = nvsim_gr_reg(op, BITMAP_ENABLE) & 1;
	if (sifc->width > MAX_SIZE || sifc->height > MAX_SIZE || !fmt->cpp ||
	    fixed(op, SIFC_DX_DU) <= 0 || fixed(op, SIFC_DY_DV) <= 0) {
		nvsim_gr_error(op, NVSIM_GR_ERR_INVALID_VALUE);
		return;
	}
	if (!sifc->width || !sifc->height)
		return;
	bytes = sifc->bitmap ? sifc->width : (sifc->width * fmt->cpp + 3) & ~3u;
	if (bytes > sifc->line_size) {
		uint8_t *line = realloc(sifc->line, bytes);

		if (!line) {
			nvsim_gr_error(op, NVSIM_GR_ERR_INVALID_VALUE);
			return;
		}
		sifc->line = line;
		sifc->line_size = bytes;
	}
	sifc->line_bytes = bytes;
	sifc->have = 0;
	sifc->row = 0;
	sifc->active = true;
	op->ps += op->c->model->copy_ps;
}

/* Destination columns of one line, n source pixels wide, to row y. */
static bool put_scaled(struct nvsim_gr_op *op, struct nvsim_gr_2d_dst *d, int32_t y, uint32_t n,
		       const struct nvsim_gr_format *fmt, const uint8_t *px)
{
	int64_t dx = fixed(op, SIFC_DX_DU);
	int64_t start = fixed(op, SIFC_DST_X);

	for (int32_t x = d->x0; x < d->x1; x++) {
		__int128 u = (__int128)x * ONE - start;

		if (u < 0 || u / dx >= n)
			continue;
		u /= dx;
		if (!nvsim_gr_2d_put(op, d, x, y, 1, fmt, px + (size_t)u * fmt->cpp))
			return false;
	}
	return true;
}

static bool put_bitmap(struct nvsim_gr_op *op, struct nvsim_gr_2d_dst *d, int32_t y,
		       const struct nvsim_gr_format *fmt)
{
	const struct nvsim_gr_sifc *sifc = &op->c->sifc;
	bool write0 = nvsim_gr_reg(op, BITMAP_WRITE_BIT0) & 1;
	int64_t dst_x = (int32_t)nvsim_gr_reg(op, SIFC_DST_X + 4);
	uint8_t color[2][16] = { { 0 } };

	for (int i = 0; i < 8; i++)
		color[i / 4][i % 4] = nvsim_gr_reg(op, BITMAP_COLOR_BIT0 + i / 4 * 4) >>
				      (8 * (i % 4));
	for (uint32_t x = 0; x < sifc->width; x++) {
		if (!write0 && !sifc->line[x])
			continue;
		if (!nvsim_gr_2d_put(op, d, dst_x + x, y, 1, fmt, color[sifc->line[x]]))
			return false;
	}
	return true;
}

/* The current line to destination row y. */
static bool put_line(struct nvsim_gr_op *op, struct nvsim_gr_2d_dst *d, int32_t y)
{
	const struct nvsim_gr_sifc *sifc = &op->c->sifc;
	const struct nvsim_gr_format *fmt = nvsim_gr_format_get(sifc->format);

	if (sifc->bitmap)
		return put_bitmap(op, d, y, fmt);
	if (fixed(op, SIFC_DX_DU) == ONE)
		return nvsim_gr_2d_put(op, d, (int32_t)nvsim_gr_reg(op, SIFC_DST_X + 4), y,
				       sifc->width, fmt, sifc->line);
	return fixed(op, SIFC_DX_DU) <= 0 || put_scaled(op, d, y, sifc->width, fmt, sifc->line);
}

/* Row number of the image is complete: draw it on every destination row it covers. */
static bool finish_line(struct nvsim_gr_op *op)
{
	struct nvsim_gr_sifc *sifc = &op->c->sifc;
	__int128 start = fixed(op, SIFC_DST_Y);
	int64_t dy = fixed(op, SIFC_DY_DV);
	struct nvsim_gr_2d_dst d;
	__int128 y0, y1;

	sifc->have = 0;
	y0 = (start + (__int128)dy * sifc->row) >> 32;
	y1 = (start + (__int128)dy * (sifc->row + 1)) >> 32;
	sifc->row++;
	if (sifc->row == sifc->height)
		sifc->active = false;
	if (!op->c->cond_2d)
		return true;
	if (!nvsim_gr_2d_open_dst(op, &d))
		return false;
	if (y0 < d.y0)
		y0 = d.y0;
	if (y1 > d.y1)
		y1 = d.y1;
	if (y0 < y1 && d.x0 < d.x1 && (y1 - y0) * (d.x1 - d.x0) > NVSIM_GR_2D_MAX_PIXELS) {
		nvsim_gr_error(op, NVSIM_GR_ERR_INVALID_VALUE);
		return false;
	}
	for (; y0 < y1; y0++) {
		if (!put_line(op, &d, (int32_t)y0))
			break;
	}
	nvsim_gr_2d_charge(op, &d, NULL);
	op->ps -= op->c->model->copy_ps;	/* the start of the image was charged already */
	return !op->r->intr;
}

static void bitmap_data(struct nvsim_gr_op *op)
{
	struct nvsim_gr_sifc *sifc = &op->c->sifc;
	uint32_t pack = nvsim_gr_reg(op, BITMAP_LINE_PACK);
	bool lsb = nvsim_gr_reg(op, BITMAP_LSB_FIRST) & 1;
	uint32_t k = 0;

	if (nvsim_gr_reg(op, BITMAP_FORMAT) != 0) {
		nvsim_gr_error(op, NVSIM_GR_ERR_INVALID_ENUM);	/* I4, I8: not modelled */
		return;
	}
	while (k < 32 && sifc->active) {
		uint32_t bit = lsb ? k : (k & ~7u) | (7 - (k & 7));

		sifc->line[sifc->have++] = op->data >> bit & 1;
		k++;
		if (sifc->have < sifc->line_bytes)
			continue;
		if (!finish_line(op))
			return;
		if (pack == ALIGN_BYTE)
			k = (k + 7) & ~7u;
		else if (pack != PACKED)
			k = 32;
	}
}

void nvsim_gr_sifc_data(struct nvsim_gr_op *op)
{
	struct nvsim_gr_sifc *sifc = &op->c->sifc;

	if (!sifc->active)
		return;
	if (sifc->bitmap) {
		bitmap_data(op);
		return;
	}
	for (int i = 0; i < 4; i++)
		sifc->line[sifc->have++] = op->data >> (8 * i);
	if (sifc->have >= sifc->line_bytes)
		finish_line(op);
}
