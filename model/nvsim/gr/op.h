/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of PGRAPH's side share. Nobody else includes this. */
#ifndef NVSIM_GR_PRIV_H
#define NVSIM_GR_PRIV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cost.h"
#include "gr.h"
#include "../mem/mmu.h"

#define NVSIM_GR_METHODS	2048u	/* methods 0x0000-0x1ffc, one word each */

enum nvsim_gr_unit {
	NVSIM_GR_M2MF,
	NVSIM_GR_2D,
	NVSIM_GR_3D,
	NVSIM_GR_COMPUTE,
	NVSIM_GR_UNITS,
	NVSIM_GR_NONE = NVSIM_GR_UNITS,
};

struct nvsim_gr_name {
	uint16_t mthd;
	uint16_t count;
	uint16_t stride;	/* bytes */
	const char *name;
};

/* What the model makes of a method. */
enum nvsim_gr_known {
	NVSIM_GR_ILLEGAL,
	NVSIM_GR_STORED,	/* accepted, without effect here */
	NVSIM_GR_INPUT,		/* read by an action */
	NVSIM_GR_ACTION,
};

/* known[mthd / 4] = NVSIM_GR_STORED for what the class accepts; others are left alone. */
void nvsim_gr_names_mark(enum nvsim_gr_unit unit, uint8_t known[NVSIM_GR_METHODS]);
const char *nvsim_gr_names_find(enum nvsim_gr_unit unit, uint32_t mthd);

/* Codes of 0x400110 (nouveau: nvkm/engine/gr/nv50.c, nv50_data_error_names). */
enum nvsim_gr_error {
	NVSIM_GR_ERR_NONE = 0x00,
	NVSIM_GR_ERR_INVALID_OPERATION = 0x03,
	NVSIM_GR_ERR_INVALID_VALUE = 0x04,
	NVSIM_GR_ERR_INVALID_ENUM = 0x05,
	NVSIM_GR_ERR_INVALID_BITFIELD = 0x0c,
	NVSIM_GR_ERR_BEGIN_END_ACTIVE = 0x0d,
	NVSIM_GR_ERR_RT_LINEAR_WITH_ZETA = 0x12,
	NVSIM_GR_ERR_CP_BLOCK_SIZE_MISMATCH = 0x2b,
	NVSIM_GR_ERR_CP_NO_BLOCKDIM_LATCH = 0x2e,
};

/* Bits of 0x400108 (nouveau: nv50_gr_trap_handler). */
enum nvsim_gr_trap {
	NVSIM_GR_TRAP_DISPATCH = 0x001,
	NVSIM_GR_TRAP_M2MF = 0x002,
	NVSIM_GR_TRAP_CCACHE = 0x010,
	NVSIM_GR_TRAP_TEXTURE = 0x040,
	NVSIM_GR_TRAP_PROP = 0x100,
};

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

/* One method under way: what the units get and what they leave. */
struct nvsim_gr_op {
	struct nvsim *s;
	struct nvsim_gr_chan *c;
	enum nvsim_gr_unit unit;
	uint32_t mthd;
	uint32_t data;
	uint64_t ps;			/* cost so far */
	struct nvsim_gr_result *r;
};

static inline uint32_t nvsim_gr_reg(const struct nvsim_gr_op *op, uint32_t mthd)
{
	return op->c->reg[op->unit][mthd / 4];
}

/* Address from a pair of registers HIGH (7:0), LOW. */
static inline uint64_t nvsim_gr_reg_addr(const struct nvsim_gr_op *op, uint32_t high, uint32_t low)
{
	return (uint64_t)(nvsim_gr_reg(op, high) & 0xff) << 32 | nvsim_gr_reg(op, low);
}

static inline void nvsim_gr_work(struct nvsim_gr_op *op, const struct nvsim_cost_work *w)
{
	op->ps += nvsim_cost_work_ps(op->c->model, w);
}

/* Refuse the method with DATA_ERROR. */
void nvsim_gr_error(struct nvsim_gr_op *op, enum nvsim_gr_error code);
/* A memory access of this method failed. status = the unit's own bits. */
void nvsim_gr_trap(struct nvsim_gr_op *op, enum nvsim_gr_trap unit, uint32_t status, uint64_t va);

/* Methods that do more than store their data, per unit; data is already stored. */
void nvsim_gr_m2mf_method(struct nvsim_gr_op *op);
void nvsim_gr_2d_method(struct nvsim_gr_op *op);
void nvsim_gr_3d_method(struct nvsim_gr_op *op);
void nvsim_gr_compute_method(struct nvsim_gr_op *op);
/* Those become NVSIM_GR_ACTION in known[], and what they read NVSIM_GR_INPUT. */
void nvsim_gr_m2mf_mark(uint8_t known[NVSIM_GR_METHODS]);
void nvsim_gr_2d_mark(uint8_t known[NVSIM_GR_METHODS]);
void nvsim_gr_3d_mark(uint8_t known[NVSIM_GR_METHODS]);
void nvsim_gr_compute_mark(uint8_t known[NVSIM_GR_METHODS]);
/* count methods from first on, every stride bytes; what is ILLEGAL or an ACTION stays so. */
void nvsim_gr_mark_inputs(uint8_t known[NVSIM_GR_METHODS], uint32_t first, uint32_t count,
			  uint32_t stride);
/* Power-up values of the registers that matter. */
void nvsim_gr_m2mf_reset(struct nvsim_gr_chan *c);
void nvsim_gr_2d_reset(struct nvsim_gr_chan *c);
void nvsim_gr_3d_reset(struct nvsim_gr_chan *c);
void nvsim_gr_compute_reset(struct nvsim_gr_chan *c);

/* Vertices and draws (draw.c). */
void nvsim_gr_draw_method(struct nvsim_gr_op *op);
void nvsim_gr_draw_mark(uint8_t known[NVSIM_GR_METHODS]);
/* log2 of samples per pixel in x and y, from MULTISAMPLE_MODE. */
void nvsim_gr_3d_samples(const struct nvsim_gr_op *op, unsigned int *x, unsigned int *y);

/* Queries and conditions (query.c). */
void nvsim_gr_query_3d(struct nvsim_gr_op *op);
void nvsim_gr_query_compute(struct nvsim_gr_op *op);
/* dma = instance offset of the DMA object; false and a trap if memory is not accessible. */
bool nvsim_gr_cond(struct nvsim_gr_op *op, uint32_t dma, uint64_t va, uint32_t mode, bool *result);

/* Instruction counts of a program (prog.c). NULL = memory not accessible, trapped. */
const struct nvsim_gr_prog *nvsim_gr_prog_get(struct nvsim_gr_op *op, enum nvsim_gr_stage stage,
					      uint32_t dma, uint64_t address);
void nvsim_gr_prog_flush(struct nvsim_gr_chan *c);

#endif
