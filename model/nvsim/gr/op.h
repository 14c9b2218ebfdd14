/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One method under way: its arguments, its registers, the ways it can fail. */
#ifndef NVSIM_GR_OP_H
#define NVSIM_GR_OP_H

#include <stdbool.h>
#include <stdint.h>

#include "../bus/bus.h"
#include "../mem/mmu.h"
#include "chan.h"
#include "cost.h"
#include "method.h"
#include "names.h"

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

/* What the units get and what they leave. */
struct nvsim_gr_op {
	struct nvsim_bus *bus;
	struct nvsim_mmu *mmu;
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

#endif
