// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * NV50_COMPUTE, class 0x50c0: a grid takes time, its program is not executed.
 * Methods: envytools g80_compute.
 */
#include "compute.h"

#include "op.h"
#include "prog.h"
#include "query.h"

#define DMA_QUERY		0x01a4
#define DMA_CODE_CB		0x01c0
#define CP_ADDRESS_HIGH		0x0210
#define CP_ADDRESS_LOW		0x0214
#define BLOCK_ALLOC		0x02b4
#define BLOCKDIM_LATCH		0x02f8
#define QUERY_GET		0x031c
#define COND_ADDRESS_HIGH	0x0320
#define COND_ADDRESS_LOW	0x0324
#define COND_MODE		0x0328
#define LAUNCH			0x0368
#define CODE_CB_FLUSH		0x0380
#define GRIDDIM			0x03a4
#define BLOCKDIM_XY		0x03ac
#define BLOCKDIM_Z		0x03b0
#define CP_START_ID		0x03b4

#define WARP	32u

static uint64_t block_threads(const struct nvsim_gr_op *op)
{
	uint32_t xy = nvsim_gr_reg(op, BLOCKDIM_XY);

	return nvsim_cost_mul((uint64_t)(xy & 0xffff) * (xy >> 16),
			      nvsim_gr_reg(op, BLOCKDIM_Z));
}

static void launch(struct nvsim_gr_op *op)
{
	const struct nvsim_cost_model *m = op->c->model;
	uint32_t grid = nvsim_gr_reg(op, GRIDDIM);
	uint64_t blocks = (uint64_t)(grid & 0xffff) * (grid >> 16);
	uint64_t threads = block_threads(op);
	struct nvsim_cost_work work = { .fixed_ps = m->grid_ps };
	const struct nvsim_gr_prog *prog;
	uint64_t lanes;

	if (!op->c->blockdim_latched) {
		nvsim_gr_error(op, NVSIM_GR_ERR_CP_NO_BLOCKDIM_LATCH);
		return;
	}
	if (threads > (nvsim_gr_reg(op, BLOCK_ALLOC) & 0xffff)) {
		nvsim_gr_error(op, NVSIM_GR_ERR_CP_BLOCK_SIZE_MISMATCH);
		return;
	}
	if (!op->c->cond_cp)
		return;
	prog = nvsim_gr_prog_get(op, NVSIM_GR_CP, nvsim_gr_reg(op, DMA_CODE_CB),
				 nvsim_gr_reg_addr(op, CP_ADDRESS_HIGH, CP_ADDRESS_LOW) +
				 nvsim_gr_reg(op, CP_START_ID));
	if (!prog)
		return;
	/* whole warps take part, and each multiprocessor starts one block at a time */
	lanes = nvsim_cost_mul(blocks, (threads + WARP - 1) / WARP * WARP);
	work.alu_ops = nvsim_cost_mul(lanes, prog->alu);
	work.texels = nvsim_cost_mul(lanes, prog->tex);
	/* < 2^32 blocks * 2^32 ps / 14 */
	work.fixed_ps += (blocks + m->multiprocessors - 1) / m->multiprocessors * m->block_ps;
	nvsim_gr_work(op, &work);
}

void nvsim_gr_compute_method(struct nvsim_gr_op *op)
{
	switch (op->mthd) {
	case BLOCKDIM_XY:
	case BLOCKDIM_Z:
		op->c->blockdim_latched = false;
		break;
	case BLOCKDIM_LATCH:
		op->c->blockdim_latched = op->data & 1;
		break;
	case CODE_CB_FLUSH:
		nvsim_gr_prog_flush(op->c);
		break;
	case COND_MODE:
		nvsim_gr_cond(op, nvsim_gr_reg(op, DMA_QUERY),
			      nvsim_gr_reg_addr(op, COND_ADDRESS_HIGH, COND_ADDRESS_LOW), op->data,
			      &op->c->cond_cp);
		break;
	case QUERY_GET:
		nvsim_gr_query_compute(op);
		break;
	case LAUNCH:
		launch(op);
		break;
	}
}

void nvsim_gr_compute_mark(uint8_t known[NVSIM_GR_METHODS])
{
	static const uint16_t active[] = {
		BLOCKDIM_XY, BLOCKDIM_Z, BLOCKDIM_LATCH, CODE_CB_FLUSH, COND_MODE, QUERY_GET,
		LAUNCH,
	};

	for (unsigned int i = 0; i < sizeof(active) / sizeof(active[0]); i++)
		known[active[i] / 4] = NVSIM_GR_ACTION;
	nvsim_gr_mark_inputs(known, DMA_QUERY, 1, 4);
	nvsim_gr_mark_inputs(known, DMA_CODE_CB, 1, 4);
	nvsim_gr_mark_inputs(known, CP_ADDRESS_HIGH, 2, 4);
	nvsim_gr_mark_inputs(known, BLOCK_ALLOC, 1, 4);
	nvsim_gr_mark_inputs(known, 0x0310, 3, 4);		/* QUERY_* */
	nvsim_gr_mark_inputs(known, COND_ADDRESS_HIGH, 2, 4);
	nvsim_gr_mark_inputs(known, GRIDDIM, 1, 4);
	nvsim_gr_mark_inputs(known, CP_START_ID, 1, 4);
}

void nvsim_gr_compute_reset(struct nvsim_gr_chan *c)
{
	uint32_t *reg = c->reg[NVSIM_GR_COMPUTE];

	reg[BLOCK_ALLOC / 4] = 1;
	reg[BLOCKDIM_XY / 4] = 0x00010001;
	reg[BLOCKDIM_Z / 4] = 1;
	reg[COND_MODE / 4] = 1;
	c->cond_cp = true;
}
