/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The destination side of the 2D engine, shared by draws, blits and SIFC. */
#ifndef NVSIM_GR_2D_DST_H
#define NVSIM_GR_2D_DST_H

#include "format.h"
#include "op.h"
#include "surface.h"

/* What one method may touch; the largest surface is 8192 x 8192. */
#define NVSIM_GR_2D_MAX_PIXELS	(1u << 26)

/* The methods that write cells of the colour pattern in other formats than X8R8G8B8. */
#define NVSIM_GR_2D_PATTERN_R5G6B5	0x0400	/* 32 */
#define NVSIM_GR_2D_PATTERN_X1R5G5B5	0x0480	/* 32 */
#define NVSIM_GR_2D_PATTERN_Y8		0x0500	/* 16 */
#define NVSIM_GR_2D_PATTERN_END		0x0540

struct nvsim_gr_2d_dst {
	struct nvsim_gr_surface sf;
	const struct nvsim_gr_format *fmt;
	/* surface and clip rectangle together, pixels, end exclusive */
	int32_t x0, y0, x1, y1;
	uint32_t operation;
	uint64_t pixels;	/* written, for the cost */
};

/* false = refused, the error is set. */
bool nvsim_gr_2d_open_dst(struct nvsim_gr_op *op, struct nvsim_gr_2d_dst *d);
bool nvsim_gr_2d_open_src(struct nvsim_gr_op *op, struct nvsim_gr_surface *sf,
			  const struct nvsim_gr_format **fmt, uint32_t *width, uint32_t *height);
/*
 * n pixels of format fmt to (x, y) and on, clipped, through OPERATION. false = trap.
 * px is not changed.
 */
bool nvsim_gr_2d_put(struct nvsim_gr_op *op, struct nvsim_gr_2d_dst *d, int64_t x, int32_t y,
		     uint32_t n, const struct nvsim_gr_format *fmt, const uint8_t *px);
/* One of them: two or four cells. */
void nvsim_gr_2d_pattern_cells(struct nvsim_gr_op *op);
/* Charge what was done to d (and src, which may be NULL). */
void nvsim_gr_2d_charge(struct nvsim_gr_op *op, const struct nvsim_gr_2d_dst *d,
			const struct nvsim_gr_surface *src);

#endif
