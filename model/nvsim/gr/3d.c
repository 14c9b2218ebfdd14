// SPDX-License-Identifier: GPL-2.0-or-later
/* G82_3D, class 0x8297: its methods, each to the file that does it. */
#include "3d.h"

#include "clear.h"
#include "draw.h"
#include "op.h"
#include "prog.h"
#include "query.h"
#include "target.h"

#define DMA_QUERY		0x0188
#define CODE_CB_FLUSH		0x1440
#define COUNTER_RESET		0x1530
#define COND_ADDRESS_HIGH	0x1550
#define COND_ADDRESS_LOW	0x1554
#define COND_MODE		0x1558
#define CLEAR_BUFFERS		0x19d0
#define QUERY_GET		0x1b0c

/* Values of COUNTER_RESET: envytools g80_3d. */
static void counter_reset(struct nvsim_gr_op *op)
{
	struct nvsim_gr_chan *c = op->c;

	switch (op->data) {
	case 0x01:
		c->samples = 0;
		break;
	case 0x10:
		c->counter[NVSIM_GR_TRANSFORM_FEEDBACK] = 0;
		break;
	case 0x11:
		c->counter[NVSIM_GR_GENERATED_PRIMITIVES] = 0;
		break;
	case 0x12:
		c->counter[NVSIM_GR_VFETCH_VERTICES] = 0;
		break;
	case 0x13:
		c->counter[NVSIM_GR_VFETCH_PRIMITIVES] = 0;
		break;
	case 0x15:
		c->counter[NVSIM_GR_VP_LAUNCHES] = 0;
		break;
	case 0x1a:
		c->counter[NVSIM_GR_GP_LAUNCHES] = 0;
		break;
	case 0x1b:
		c->counter[NVSIM_GR_GP_PRIMITIVES_OUT] = 0;
		break;
	case 0x1c:
		c->counter[NVSIM_GR_RAST_PRECLIP] = 0;
		break;
	case 0x1d:
		c->counter[NVSIM_GR_RAST_POSTCLIP] = 0;
		break;
	case 0x1e:
		c->counter[NVSIM_GR_FP_PIXELS] = 0;
		break;
	}
}

void nvsim_gr_3d_method(struct nvsim_gr_op *op)
{
	switch (op->mthd) {
	case CLEAR_BUFFERS:
		nvsim_gr_clear(op);
		break;
	case QUERY_GET:
		nvsim_gr_query_3d(op);
		break;
	case COND_MODE:
		nvsim_gr_cond(op, nvsim_gr_reg(op, DMA_QUERY),
			      nvsim_gr_reg_addr(op, COND_ADDRESS_HIGH, COND_ADDRESS_LOW), op->data,
			      &op->c->cond_3d);
		break;
	case COUNTER_RESET:
		counter_reset(op);
		break;
	case CODE_CB_FLUSH:
		nvsim_gr_prog_flush(op->c);
		break;
	default:
		nvsim_gr_draw_method(op);
		break;
	}
}

void nvsim_gr_3d_mark(uint8_t known[NVSIM_GR_METHODS])
{
	known[CLEAR_BUFFERS / 4] = NVSIM_GR_ACTION;
	known[QUERY_GET / 4] = NVSIM_GR_ACTION;
	known[COND_MODE / 4] = NVSIM_GR_ACTION;
	known[COUNTER_RESET / 4] = NVSIM_GR_ACTION;
	known[CODE_CB_FLUSH / 4] = NVSIM_GR_ACTION;
	nvsim_gr_mark_inputs(known, DMA_QUERY, 1, 4);
	nvsim_gr_mark_inputs(known, 0x0d80, 5, 4);		/* CLEAR_COLOR, CLEAR_DEPTH */
	nvsim_gr_mark_inputs(known, 0x0da0, 1, 4);		/* CLEAR_STENCIL */
	nvsim_gr_mark_inputs(known, 0x1398, 1, 4);		/* STENCIL_FRONT_MASK */
	nvsim_gr_mark_inputs(known, 0x143c, 1, 4);		/* CLEAR_FLAGS */
	nvsim_gr_mark_inputs(known, COND_ADDRESS_HIGH, 2, 4);
	nvsim_gr_mark_inputs(known, 0x1b00, 3, 4);		/* QUERY_* */
	nvsim_gr_target_mark(known);
	nvsim_gr_draw_mark(known);
}

/* Power-up values: nouveau, nvkm/engine/gr/ctxnv50.c. */
void nvsim_gr_3d_reset(struct nvsim_gr_chan *c)
{
	uint32_t *reg = c->reg[NVSIM_GR_3D];

	nvsim_gr_target_reset(c);
	reg[COND_MODE / 4] = 1;
	reg[0x17b4 / 4] = 1;			/* RASTERIZE_ENABLE */
	c->cond_3d = true;
}
