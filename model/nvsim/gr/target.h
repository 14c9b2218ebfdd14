/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Render targets of the 3D class and the rectangle that clears and draws cover (envytools: g80_3d). */
#ifndef NVSIM_GR_TARGET_H
#define NVSIM_GR_TARGET_H

#include "format.h"
#include "op.h"
#include "surface.h"

#define NVSIM_GR_RTS	8u

/* x0 <= x < x1, y0 <= y < y1; empty when an end does not exceed its start */
struct nvsim_gr_rect {
	int64_t x0, y0, x1, y1;
};

void nvsim_gr_rect_clip(struct nvsim_gr_rect *r, int64_t x0, int64_t y0, int64_t x1, int64_t y1);
bool nvsim_gr_rect_empty(const struct nvsim_gr_rect *r);

/* A render target or the zeta buffer, and its size in samples. */
struct nvsim_gr_target {
	struct nvsim_gr_surface sf;
	const struct nvsim_gr_format *fmt;		/* NULL for zeta */
	const struct nvsim_gr_zeta_format *zfmt;	/* NULL for colour */
	uint8_t cpp;
	uint32_t width, height;
};

/* false = this target is not in use (format 0) or not valid; then an error is set as well. */
bool nvsim_gr_target_open_rt(struct nvsim_gr_op *op, uint32_t i, uint32_t layer,
			 struct nvsim_gr_target *t);
bool nvsim_gr_target_open_zeta(struct nvsim_gr_op *op, uint32_t layer, struct nvsim_gr_target *t);

/* The screen scissor, in pixels. */
struct nvsim_gr_rect nvsim_gr_target_screen(const struct nvsim_gr_op *op);
void nvsim_gr_target_clip_viewport(const struct nvsim_gr_op *op, struct nvsim_gr_rect *r);
void nvsim_gr_target_clip_scissor(const struct nvsim_gr_op *op, struct nvsim_gr_rect *r);

/* log2 of samples per pixel in x and y, from MULTISAMPLE_MODE. */
void nvsim_gr_target_samples(const struct nvsim_gr_op *op, unsigned int *x, unsigned int *y);

/* The registers read here, as NVSIM_GR_INPUT; their power-up values. */
void nvsim_gr_target_mark(uint8_t known[NVSIM_GR_METHODS]);
void nvsim_gr_target_reset(struct nvsim_gr_chan *c);

#endif
