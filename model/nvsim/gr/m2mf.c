// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * NV50_MEMORY_TO_MEMORY_FORMAT, class 0x5039: copies rows of bytes.
 *
 * Methods: envytools nv_m2mf. Writing BUF_NOTIFY executes the copy and then, if a notifier is
 * bound, writes the one at offset 0x10 (envytools, graph/intro: "M2MF notifiers").
 */
#include "m2mf.h"

#include "op.h"
#include "surface.h"

#define DMA_NOTIFY		0x0180
#define DMA_BUFFER_IN		0x0184
#define DMA_BUFFER_OUT		0x0188
#define LAYOUT_IN		0x0200	/* ... POSITION_IN 0x0218 */
#define LAYOUT_OUT		0x021c	/* ... POSITION_OUT 0x0234 */
#define OFFSET_IN_HIGH		0x0238
#define OFFSET_OUT_HIGH		0x023c
#define OFFSET_IN		0x030c
#define OFFSET_OUT		0x0310
#define PITCH_IN		0x0314
#define PITCH_OUT		0x0318
#define LINE_LENGTH_IN		0x031c
#define LINE_COUNT		0x0320
#define BUF_NOTIFY		0x0328

/* offsets from LAYOUT_x */
#define DIMENSIONS		0x04
#define TILED_PITCH		0x08
#define TILED_HEIGHT		0x0c
#define TILED_POSITION_Z	0x14
#define TILED_POSITION		0x18

#define STATUS_NOTIFY		0x1
#define STATUS_IN		0x2
#define STATUS_OUT		0x4

#define INTR_BUFFER_NOTIFY	0x00010000u

/* What one method may move. The largest copies seen: nouveau 4 MiB, Mesa 128 MiB. */
#define MAX_BYTES		(256u << 20)
#define CHUNK			4096u

struct side {
	struct nvsim_gr_surface sf;
	uint32_t x, y;
};

static bool side_setup(struct nvsim_gr_op *op, struct side *d, bool out)
{
	uint32_t layout = out ? LAYOUT_OUT : LAYOUT_IN;
	uint32_t position = nvsim_gr_reg(op, layout + TILED_POSITION);
	struct nvsim_gr_surface *sf = &d->sf;

	*d = (struct side){ 0 };
	sf->vm.inst = op->c->inst;
	sf->vm.engine = NVSIM_VM_ENGINE_PGRAPH;
	sf->vm.client = NVSIM_VM_CLIENT_DISPATCH;
	sf->vm.subclient = out ? 5 : 4;
	sf->dma = nvsim_gr_reg(op, out ? DMA_BUFFER_OUT : DMA_BUFFER_IN);
	sf->address = nvsim_gr_reg_addr(op, out ? OFFSET_OUT_HIGH : OFFSET_IN_HIGH,
					out ? OFFSET_OUT : OFFSET_IN);
	sf->linear = nvsim_gr_reg(op, layout) & 1;
	if (sf->linear) {
		sf->pitch = nvsim_gr_reg(op, out ? PITCH_OUT : PITCH_IN);
		return true;
	}
	sf->width_bytes = nvsim_gr_reg(op, layout + TILED_PITCH) & 0x3ffff;
	sf->height = nvsim_gr_reg(op, layout + TILED_HEIGHT) & 0x1ffff;
	sf->z = nvsim_gr_reg(op, layout + TILED_POSITION_Z) & 0xffff;
	d->x = position & 0xffff;
	d->y = position >> 16;
	return nvsim_gr_surface_set_blocks(sf, nvsim_gr_reg(op, layout + DIMENSIONS), 0);
}

/* Do consecutive lines of this side follow each other in memory without a gap? */
static bool side_is_flat(const struct side *d, uint32_t line)
{
	if (d->sf.linear)
		return d->sf.pitch == line;
	return d->x == 0 && line == NVSIM_GR_GOB_WIDTH && d->sf.width_bytes == line &&
	       d->sf.block_depth == 0;
}

static void side_flatten(struct side *d)
{
	d->sf.address = nvsim_gr_surface_va(&d->sf, d->x, d->y);
	d->sf.linear = true;
	d->x = 0;
	d->y = 0;
}

static void copy(struct nvsim_gr_op *op, struct side *in, struct side *out, uint32_t line,
		 uint32_t count)
{
	uint8_t buf[CHUNK];

	for (uint32_t y = 0; y < count; y++) {
		for (uint32_t x = 0; x < line; x += CHUNK) {
			uint32_t n = line - x < CHUNK ? line - x : CHUNK;

			if (!nvsim_gr_surface_read(op->mmu, &in->sf, in->x + x, in->y + y,
						   buf, n)) {
				nvsim_gr_trap(op, NVSIM_GR_TRAP_M2MF, STATUS_IN, in->sf.fault_va);
				return;
			}
			if (!nvsim_gr_surface_write(op->mmu, &out->sf, out->x + x, out->y + y,
						    buf, n)) {
				nvsim_gr_trap(op, NVSIM_GR_TRAP_M2MF, STATUS_OUT,
					      out->sf.fault_va);
				return;
			}
		}
	}
}

static void write_notifier(struct nvsim_gr_op *op)
{
	const struct nvsim_vm vm = {
		.inst = op->c->inst, .engine = NVSIM_VM_ENGINE_PGRAPH,
		.client = NVSIM_VM_CLIENT_DISPATCH, .subclient = 6,
	};
	uint32_t dma = nvsim_gr_reg(op, DMA_NOTIFY);
	uint64_t now_ns = nvsim_gpu_time_ns(op->bus);
	uint8_t buf[16] = { 0 };

	if (!dma)
		return;
	for (int i = 0; i < 8; i++)
		buf[i] = now_ns >> (8 * i);
	op->ps += op->c->model->report_ps;
	if (!nvsim_mmu_write(op->mmu, &vm, dma, 0x10, buf, sizeof(buf)))
		nvsim_gr_trap(op, NVSIM_GR_TRAP_M2MF, STATUS_NOTIFY, 0x10);
	else if (op->data == 1)
		op->r->intr |= INTR_BUFFER_NOTIFY;
}

static void execute(struct nvsim_gr_op *op)
{
	uint32_t line = nvsim_gr_reg(op, LINE_LENGTH_IN);
	uint32_t count = nvsim_gr_reg(op, LINE_COUNT);
	struct nvsim_cost_work work = { .fixed_ps = op->c->model->copy_ps };
	struct side in, out;

	if ((uint64_t)line * count > MAX_BYTES || line > MAX_BYTES || count > MAX_BYTES ||
	    op->data > 1) {
		nvsim_gr_error(op, NVSIM_GR_ERR_INVALID_VALUE);
		return;
	}
	if (!side_setup(op, &in, false) || !side_setup(op, &out, true)) {
		nvsim_gr_error(op, NVSIM_GR_ERR_INVALID_ENUM);
		return;
	}
	if (line && side_is_flat(&in, line) && side_is_flat(&out, line)) {
		side_flatten(&in);
		side_flatten(&out);
		line *= count;
		count = 1;
	}
	copy(op, &in, &out, line, line ? count : 0);
	/* the bus works in both directions at once; video memory does not */
	work.vram_bytes = in.sf.vram_bytes + out.sf.vram_bytes;
	work.pcie_bytes = in.sf.system_bytes > out.sf.system_bytes ? in.sf.system_bytes :
								     out.sf.system_bytes;
	nvsim_gr_work(op, &work);
	if (!op->r->intr)
		write_notifier(op);
}

void nvsim_gr_m2mf_method(struct nvsim_gr_op *op)
{
	if (op->mthd == BUF_NOTIFY)
		execute(op);
}

void nvsim_gr_m2mf_mark(uint8_t known[NVSIM_GR_METHODS])
{
	known[BUF_NOTIFY / 4] = NVSIM_GR_ACTION;
	nvsim_gr_mark_inputs(known, DMA_BUFFER_IN, 2, 4);
	nvsim_gr_mark_inputs(known, LAYOUT_IN, 16, 4);		/* to OFFSET_OUT_HIGH */
	nvsim_gr_mark_inputs(known, OFFSET_IN, 6, 4);		/* to LINE_COUNT */
}

void nvsim_gr_m2mf_reset(struct nvsim_gr_chan *c)
{
	uint32_t *reg = c->reg[NVSIM_GR_M2MF];

	reg[LAYOUT_IN / 4] = 1;
	reg[LAYOUT_OUT / 4] = 1;
}
