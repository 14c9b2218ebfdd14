// SPDX-License-Identifier: GPL-2.0-or-later
/* Render targets of G82_3D, and the rectangles that clears and draws cover. */
#include "target.h"

#include <string.h>

#define DMA_ZETA		0x0184
#define DMA_COLOR		0x01c0
#define RT			0x0200	/* ADDRESS_HIGH, LOW, FORMAT, BLOCK_DIMENSIONS, STRIDE */
#define RT_STEP			0x20
#define VIEWPORT_HORIZ		0x0c00
#define VIEWPORT_VERT		0x0c04
#define SCISSOR_ENABLE		0x0e00
#define SCISSOR_HORIZ		0x0e04
#define SCISSOR_VERT		0x0e08
#define ZETA			0x0fe0	/* like RT */
#define SCREEN_SCISSOR_HORIZ	0x0ff4
#define SCREEN_SCISSOR_VERT	0x0ff8
#define RT_CONTROL		0x121c
#define RT_ARRAY_MODE		0x1224
#define ZETA_HORIZ		0x1228
#define ZETA_VERT		0x122c
#define ZETA_ARRAY_MODE		0x1230
#define RT_HORIZ		0x1240
#define RT_VERT			0x1244
#define ZETA_ENABLE		0x1538
#define MULTISAMPLE_MODE	0x15d0

#define OFF_FORMAT		0x08
#define OFF_BLOCKS		0x0c
#define OFF_STRIDE		0x10
#define HORIZ_LINEAR		0x80000000u
#define ARRAY_MODE_3D		0x00010000u
#define MAX_SIZE		0x10000u
/* log2 of gobs (envytools: docs/hw/memory/g80-surface.rst) */
#define TARGET_BLOCK_WIDTH	1

void nvsim_gr_rect_clip(struct nvsim_gr_rect *r, int64_t x0, int64_t y0, int64_t x1, int64_t y1)
{
	if (r->x0 < x0)
		r->x0 = x0;
	if (r->y0 < y0)
		r->y0 = y0;
	if (r->x1 > x1)
		r->x1 = x1;
	if (r->y1 > y1)
		r->y1 = y1;
}

bool nvsim_gr_rect_empty(const struct nvsim_gr_rect *r)
{
	return r->x0 >= r->x1 || r->y0 >= r->y1;
}

struct nvsim_gr_rect nvsim_gr_target_screen(const struct nvsim_gr_op *op)
{
	uint32_t h = nvsim_gr_reg(op, SCREEN_SCISSOR_HORIZ);
	uint32_t v = nvsim_gr_reg(op, SCREEN_SCISSOR_VERT);

	return (struct nvsim_gr_rect){
		.x0 = h & 0xffff, .x1 = (h & 0xffff) + (h >> 16),
		.y0 = v & 0xffff, .y1 = (v & 0xffff) + (v >> 16),
	};
}

void nvsim_gr_target_clip_viewport(const struct nvsim_gr_op *op, struct nvsim_gr_rect *r)
{
	uint32_t h = nvsim_gr_reg(op, VIEWPORT_HORIZ);
	uint32_t v = nvsim_gr_reg(op, VIEWPORT_VERT);
	int64_t x = (int16_t)h, y = (int16_t)v;

	nvsim_gr_rect_clip(r, x, y, x + (h >> 16), y + (v >> 16));
}

void nvsim_gr_target_clip_scissor(const struct nvsim_gr_op *op, struct nvsim_gr_rect *r)
{
	uint32_t h = nvsim_gr_reg(op, SCISSOR_HORIZ);
	uint32_t v = nvsim_gr_reg(op, SCISSOR_VERT);

	if (nvsim_gr_reg(op, SCISSOR_ENABLE) & 1)
		nvsim_gr_rect_clip(r, h & 0xffff, v & 0xffff, h >> 16, v >> 16);
}

void nvsim_gr_target_samples(const struct nvsim_gr_op *op, unsigned int *x, unsigned int *y)
{
	/* by MULTISAMPLE_MODE: 1x1 2x1 2x2 4x2, then the coverage sampled ones */
	static const uint8_t xs[16] = { 0, 1, 1, 2, 2, 1, 0, 0, 1, 1, 2 };
	static const uint8_t ys[16] = { 0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1 };

	*x = xs[nvsim_gr_reg(op, MULTISAMPLE_MODE) & 0xf];
	*y = ys[nvsim_gr_reg(op, MULTISAMPLE_MODE) & 0xf];
}

/* What RT(i) and ZETA have in common. */
static bool open_target(struct nvsim_gr_op *op, uint32_t base, uint32_t layer, bool slices,
			struct nvsim_gr_target *t)
{
	struct nvsim_gr_surface *sf = &t->sf;

	sf->vm.inst = op->c->inst;
	sf->vm.engine = NVSIM_VM_ENGINE_PGRAPH;
	sf->vm.client = NVSIM_VM_CLIENT_PROP;
	sf->address = nvsim_gr_reg_addr(op, base, base + 4);
	if (slices)
		sf->z = layer;
	else
		sf->address += (uint64_t)layer * nvsim_gr_reg(op, base + OFF_STRIDE) * 4;
	if (t->width > MAX_SIZE || t->height > MAX_SIZE) {
		nvsim_gr_error(op, NVSIM_GR_ERR_INVALID_VALUE);
		return false;
	}
	sf->width_bytes = t->width * t->cpp;
	sf->height = t->height;
	if (!sf->linear &&
	    !nvsim_gr_surface_set_blocks(sf, nvsim_gr_reg(op, base + OFF_BLOCKS),
					 TARGET_BLOCK_WIDTH)) {
		nvsim_gr_error(op, NVSIM_GR_ERR_INVALID_BITFIELD);
		return false;
	}
	return true;
}

bool nvsim_gr_target_open_rt(struct nvsim_gr_op *op, uint32_t i, uint32_t layer,
			 struct nvsim_gr_target *t)
{
	uint32_t base = RT + i * RT_STEP;
	uint32_t horiz = nvsim_gr_reg(op, RT_HORIZ + i * 8);
	uint32_t id = nvsim_gr_reg(op, base + OFF_FORMAT) & 0xff;

	memset(t, 0, sizeof(*t));
	t->fmt = nvsim_gr_format_get(id);
	if (!t->fmt->cpp) {
		if (id)
			nvsim_gr_error(op, NVSIM_GR_ERR_INVALID_ENUM);
		return false;
	}
	t->cpp = t->fmt->cpp;
	t->height = nvsim_gr_reg(op, RT_VERT + i * 8);
	t->sf.vm.subclient = i;
	t->sf.dma = nvsim_gr_reg(op, DMA_COLOR + i * 4);
	t->sf.linear = horiz & HORIZ_LINEAR;
	if (t->sf.linear) {
		t->sf.pitch = horiz & 0x0fffffff;
		t->width = t->sf.pitch / t->cpp;
		if (nvsim_gr_reg(op, ZETA_ENABLE) & 1) {
			nvsim_gr_error(op, NVSIM_GR_ERR_RT_LINEAR_WITH_ZETA);
			return false;
		}
	} else {
		t->width = horiz & 0x0fffffff;
	}
	return open_target(op, base, layer, nvsim_gr_reg(op, RT_ARRAY_MODE) & ARRAY_MODE_3D, t);
}

bool nvsim_gr_target_open_zeta(struct nvsim_gr_op *op, uint32_t layer, struct nvsim_gr_target *t)
{
	memset(t, 0, sizeof(*t));
	if (!(nvsim_gr_reg(op, ZETA_ENABLE) & 1))
		return false;
	t->zfmt = nvsim_gr_zeta_format_get(nvsim_gr_reg(op, ZETA + OFF_FORMAT));
	if (!t->zfmt->cpp) {
		nvsim_gr_error(op, NVSIM_GR_ERR_INVALID_ENUM);
		return false;
	}
	t->cpp = t->zfmt->cpp;
	t->width = nvsim_gr_reg(op, ZETA_HORIZ);
	t->height = nvsim_gr_reg(op, ZETA_VERT);
	t->sf.vm.subclient = 8;
	t->sf.dma = nvsim_gr_reg(op, DMA_ZETA);
	return open_target(op, ZETA, layer, false, t);
}

void nvsim_gr_target_mark(uint8_t known[NVSIM_GR_METHODS])
{
	nvsim_gr_mark_inputs(known, DMA_ZETA, 1, 4);
	nvsim_gr_mark_inputs(known, DMA_COLOR, 8, 4);
	for (uint32_t i = 0; i < NVSIM_GR_RTS; i++)
		nvsim_gr_mark_inputs(known, RT + i * RT_STEP, 5, 4);
	nvsim_gr_mark_inputs(known, VIEWPORT_HORIZ, 2, 4);
	nvsim_gr_mark_inputs(known, SCISSOR_ENABLE, 3, 4);
	nvsim_gr_mark_inputs(known, ZETA, 7, 4);		/* and SCREEN_SCISSOR */
	nvsim_gr_mark_inputs(known, RT_CONTROL, 1, 4);
	nvsim_gr_mark_inputs(known, RT_ARRAY_MODE, 3, 4);	/* and ZETA_HORIZ, ZETA_VERT */
	nvsim_gr_mark_inputs(known, RT_HORIZ, 16, 4);
	nvsim_gr_mark_inputs(known, ZETA_ENABLE, 1, 4);
	nvsim_gr_mark_inputs(known, MULTISAMPLE_MODE, 1, 4);
}

/* Power-up values: nouveau, nvkm/engine/gr/ctxnv50.c. */
void nvsim_gr_target_reset(struct nvsim_gr_chan *c)
{
	uint32_t *reg = c->reg[NVSIM_GR_3D];

	reg[RT_CONTROL / 4] = 0x0fac6881;	/* identity map, one target */
	reg[(RT + OFF_FORMAT) / 4] = 0xcf;
	reg[(ZETA + OFF_FORMAT) / 4] = 0x14;
	reg[ZETA_ENABLE / 4] = 1;
	reg[ZETA_ARRAY_MODE / 4] = 1;
}
