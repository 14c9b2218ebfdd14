// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * CLEAR_BUFFERS: one layer of one render target and/or of the zeta buffer.
 *
 * The rectangle is the screen scissor cut by the viewport or the scissor (CLEAR_FLAGS); colour
 * masks of the blend state do not apply (Mesa: nv50_clear).
 */
#include "clear.h"

#include <string.h>

#include "op.h"
#include "target.h"

#define CLEAR_COLOR		0x0d80
#define CLEAR_DEPTH		0x0d90
#define CLEAR_STENCIL		0x0da0
#define STENCIL_FRONT_MASK	0x1398
#define CLEAR_FLAGS		0x143c

#define FLAG_STENCIL_MASK	0x01
#define FLAG_RECT_VIEWPORT	0x10

#define CLEAR_Z			0x01
#define CLEAR_S			0x02
#define CLEAR_RGBA(d)		((d) >> 2 & 0xf)
#define CLEAR_RT(d)		((d) >> 6 & 0xf)
#define CLEAR_LAYER(d)		((d) >> 10 & 0x7ff)

#define CHUNK			4096u
#define STATUS_ZETA_FAULT	0x20
#define STATUS_RT_FAULT		0x40
#define MAX_PIXELS		(1u << 28)	/* 8192 x 8192 with 4 samples */

struct fill {
	uint8_t px[16], mask[16];	/* elements, and which of their bits change */
	bool whole;			/* mask covers all bits that mean anything */
};

static struct nvsim_gr_rect clear_rect(const struct nvsim_gr_op *op,
				       const struct nvsim_gr_target *t)
{
	struct nvsim_gr_rect r = nvsim_gr_target_screen(op);
	unsigned int ms_x, ms_y;

	if (nvsim_gr_reg(op, CLEAR_FLAGS) & FLAG_RECT_VIEWPORT)
		nvsim_gr_target_clip_viewport(op, &r);
	else
		nvsim_gr_target_clip_scissor(op, &r);
	nvsim_gr_target_samples(op, &ms_x, &ms_y);
	r.x0 *= 1 << ms_x;
	r.x1 *= 1 << ms_x;
	r.y0 *= 1 << ms_y;
	r.y1 *= 1 << ms_y;
	nvsim_gr_rect_clip(&r, 0, 0, t->width, t->height);
	return r;
}

/* A 32-bit pattern that repeats the element, if there is one. */
static bool pattern_of(const struct fill *f, uint32_t cpp, uint32_t *pattern)
{
	*pattern = 0;
	for (uint32_t i = 4; i < cpp; i++) {
		if (f->px[i] != f->px[i - 4])
			return false;
	}
	for (uint32_t i = 0; i < 4; i++)
		*pattern |= (uint32_t)f->px[i % cpp] << (8 * i);
	return true;
}

/* px and mask hold one element: repeat it up to 16 bytes, which every element size divides. */
static void repeat(struct fill *f, uint32_t cpp)
{
	for (uint32_t i = cpp; i < sizeof(f->px); i++) {
		f->px[i] = f->px[i - cpp];
		f->mask[i] = f->mask[i - cpp];
	}
}

static void merge(uint8_t *buf, const struct fill *f, uint32_t n)
{
	uint64_t px[2], mask[2], v;

	memcpy(px, f->px, sizeof(px));
	memcpy(mask, f->mask, sizeof(mask));
	for (uint32_t i = 0; i < n / 8; i++) {
		memcpy(&v, buf + i * 8, 8);
		v = (v & ~mask[i & 1]) | (px[i & 1] & mask[i & 1]);
		memcpy(buf + i * 8, &v, 8);
	}
	for (uint32_t i = n & ~7u; i < n; i++)
		buf[i] = (uint8_t)((buf[i] & ~f->mask[i & 15]) | (f->px[i & 15] & f->mask[i & 15]));
}

static bool merge_chunk(struct nvsim_gr_op *op, struct nvsim_gr_target *t, const struct fill *f,
			uint32_t x, uint32_t y, uint32_t n)
{
	uint8_t buf[CHUNK];

	if (!f->whole && !nvsim_gr_surface_read(op->mmu, &t->sf, x, y, buf, n))
		return false;
	if (f->whole)
		memset(buf, 0, n);
	merge(buf, f, n);
	return nvsim_gr_surface_write(op->mmu, &t->sf, x, y, buf, n);
}

static bool fill_rows(struct nvsim_gr_op *op, struct nvsim_gr_target *t, const struct fill *f,
		      const struct nvsim_gr_rect *r)
{
	uint32_t x0 = (uint32_t)r->x0 * t->cpp, x1 = (uint32_t)r->x1 * t->cpp;

	for (uint32_t y = (uint32_t)r->y0; y < (uint32_t)r->y1; y++) {
		for (uint32_t x = x0; x < x1; x += CHUNK) {
			if (!merge_chunk(op, t, f, x, y, x1 - x < CHUNK ? x1 - x : CHUNK))
				return false;
		}
	}
	return true;
}

/* Fills go around the surface's run, which is how the bus is found out otherwise. */
static bool in_system_memory(struct nvsim_gr_op *op, const struct nvsim_gr_surface *sf)
{
	struct nvsim_run run;

	return nvsim_mmu_map(op->mmu, &sf->vm, sf->dma, sf->address, 1, false, &run) && !run.ptr;
}

static void fill_target(struct nvsim_gr_op *op, struct nvsim_gr_target *t, struct fill *f)
{
	struct nvsim_gr_rect r = clear_rect(op, t);
	struct nvsim_cost_work work = { .fixed_ps = op->c->model->clear_ps };
	uint64_t bytes;
	uint32_t pattern;
	bool ok;

	if (nvsim_gr_rect_empty(&r))
		return;
	repeat(f, t->cpp);
	work.rop_pixels = (uint64_t)(r.x1 - r.x0) * (uint64_t)(r.y1 - r.y0);
	if (work.rop_pixels > MAX_PIXELS) {
		nvsim_gr_error(op, NVSIM_GR_ERR_INVALID_VALUE);
		return;
	}
	if (f->whole && pattern_of(f, t->cpp, &pattern) && r.x0 * t->cpp % 4 == 0 &&
	    r.x1 * t->cpp % 4 == 0)
		ok = nvsim_gr_surface_fill(op->mmu, &t->sf, (uint32_t)r.x0 * t->cpp, (uint32_t)r.y0,
					   (uint32_t)r.x1 * t->cpp, (uint32_t)r.y1, pattern);
	else
		ok = fill_rows(op, t, f, &r);
	if (!ok) {
		nvsim_gr_trap(op, NVSIM_GR_TRAP_PROP,
			      t->zfmt ? STATUS_ZETA_FAULT : STATUS_RT_FAULT, t->sf.fault_va);
		return;
	}
	bytes = work.rop_pixels * t->cpp * (f->whole ? 1 : 2);
	if (in_system_memory(op, &t->sf))
		work.pcie_bytes = bytes;
	else
		work.vram_bytes = bytes;
	nvsim_gr_work(op, &work);
}

static void clear_color(struct nvsim_gr_op *op)
{
	uint32_t rt = CLEAR_RT(op->data);
	union nvsim_gr_value v[4];
	struct nvsim_gr_target t;
	struct fill f = { 0 };
	uint8_t all[16] = { 0 };

	if (rt >= NVSIM_GR_RTS) {
		nvsim_gr_error(op, NVSIM_GR_ERR_INVALID_VALUE);
		return;
	}
	if (!nvsim_gr_target_open_rt(op, rt, CLEAR_LAYER(op->data), &t))
		return;
	for (unsigned int i = 0; i < 4; i++)
		v[i].u = nvsim_gr_reg(op, CLEAR_COLOR + i * 4);
	nvsim_gr_format_pack(t.fmt, v, f.px);
	nvsim_gr_format_mask(t.fmt, CLEAR_RGBA(op->data), f.mask);
	nvsim_gr_format_mask(t.fmt, 0xf, all);
	f.whole = memcmp(f.mask, all, t.cpp) == 0;
	fill_target(op, &t, &f);
}

static void put64(uint8_t *buf, uint64_t val)
{
	for (int i = 0; i < 8; i++)
		buf[i] = val >> (8 * i);
}

static void clear_zeta(struct nvsim_gr_op *op)
{
	uint8_t stencil_mask = 0;
	struct nvsim_gr_target t;
	struct fill f = { 0 };
	uint64_t mask;
	float depth;

	if (!nvsim_gr_target_open_zeta(op, CLEAR_LAYER(op->data), &t))
		return;
	memcpy(&depth, &op->c->reg[NVSIM_GR_3D][CLEAR_DEPTH / 4], sizeof(depth));
	if (op->data & CLEAR_S)
		stencil_mask = nvsim_gr_reg(op, CLEAR_FLAGS) & FLAG_STENCIL_MASK ?
			       nvsim_gr_reg(op, STENCIL_FRONT_MASK) : 0xff;
	mask = nvsim_gr_zeta_mask(t.zfmt, op->data & CLEAR_Z, stencil_mask);
	put64(f.px, nvsim_gr_zeta_pack(t.zfmt, depth, nvsim_gr_reg(op, CLEAR_STENCIL)));
	put64(f.mask, mask);
	f.whole = mask == nvsim_gr_zeta_mask(t.zfmt, true, 0xff);
	if (mask)
		fill_target(op, &t, &f);
}

void nvsim_gr_clear(struct nvsim_gr_op *op)
{
	if (!op->c->cond_3d)
		return;
	if (CLEAR_RGBA(op->data))
		clear_color(op);
	if ((op->data & (CLEAR_Z | CLEAR_S)) && !op->r->intr)
		clear_zeta(op);
}
