/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A channel's context on PGRAPH: its bindings, the registers of each class, and what the units
 * have under way between two methods.
 */
#ifndef NVSIM_GR_CHAN_H
#define NVSIM_GR_CHAN_H

#include <stdbool.h>
#include <stdint.h>

#include "cost.h"
#include "method.h"
#include "names.h"

/* Counters that queries report (envytools: g80_3d, QUERY_GET). */
enum nvsim_gr_counter {
	NVSIM_GR_VFETCH_VERTICES,
	NVSIM_GR_VFETCH_PRIMITIVES,
	NVSIM_GR_VP_LAUNCHES,
	NVSIM_GR_GP_LAUNCHES,
	NVSIM_GR_GP_PRIMITIVES_OUT,
	NVSIM_GR_TRANSFORM_FEEDBACK,
	NVSIM_GR_GENERATED_PRIMITIVES,
	NVSIM_GR_RAST_PRECLIP,
	NVSIM_GR_RAST_POSTCLIP,
	NVSIM_GR_FP_PIXELS,
	NVSIM_GR_COUNTERS,
};

/* SIFC: an image that arrives word by word. Its size and format are those at its start. */
struct nvsim_gr_sifc {
	uint32_t width, height;
	uint32_t format;
	bool bitmap;
	uint8_t *line;		/* one source line; malloc, owned */
	uint32_t line_size;	/* bytes allocated */
	uint32_t line_bytes;	/* bytes of a line as they arrive, with padding */
	uint32_t have;		/* bytes of the current line received */
	uint32_t row;		/* lines done */
	bool active;
};

/* 2D DRAW: vertices of the shape under construction. */
struct nvsim_gr_draw2d {
	int32_t x[3];
	int32_t y[3];
	uint32_t count;
};

/* 3D: the primitive between VERTEX_BEGIN and VERTEX_END. */
struct nvsim_gr_draw3d {
	bool active;
	uint32_t prim;
	uint64_t verts;
	uint64_t inline_words;
	uint32_t elements_left;	/* of VB_ELEMENT_U16/U8_SETUP */
	uint32_t elements_skip;
	bool elements_limited;
};

/* Instruction counts of one shader program, kept until code is flushed. */
struct nvsim_gr_prog {
	bool valid;
	uint64_t address;
	uint32_t alu;		/* instructions that are not texture fetches */
	uint32_t tex;
};

enum nvsim_gr_stage { NVSIM_GR_VP, NVSIM_GR_FP, NVSIM_GR_CP, NVSIM_GR_STAGES };
#define NVSIM_GR_PROGS 64

struct nvsim_gr_chan {
	uint64_t inst;
	const struct nvsim_cost_model *model;
	struct nvsim_cost_carry carry;

	/* bindings; unit NVSIM_GR_NONE = nothing usable bound */
	uint16_t class_id[NVSIM_GR_SUBCHANNELS];
	uint8_t unit[NVSIM_GR_SUBCHANNELS];

	/* volatile state: a NOTIFY waits for the method after it */
	bool notify_pending;
	bool notify_awaken;
	uint8_t notify_subc;

	/* non-volatile state: last data of every method, per unit */
	uint32_t reg[NVSIM_GR_UNITS][NVSIM_GR_METHODS];

	struct nvsim_gr_sifc sifc;
	struct nvsim_gr_draw2d draw2d;
	struct nvsim_gr_draw3d draw3d;
	struct nvsim_gr_prog prog[NVSIM_GR_STAGES][NVSIM_GR_PROGS];
	bool cond_3d;		/* result of the last COND_MODE */
	bool cond_2d;
	bool cond_cp;
	bool blockdim_latched;
	uint64_t counter[NVSIM_GR_COUNTERS];
	uint64_t samples;
};

#endif
