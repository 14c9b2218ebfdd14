// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * PGRAPH: object binding, methods common to all classes, notifiers, errors.
 *
 * A method goes: class check -> method check -> store the data -> the class's action -> notifier.
 */
#include "gr.h"

#include <stdlib.h>
#include <string.h>

#include "2d.h"
#include "3d.h"
#include "compute.h"
#include "m2mf.h"
#include "op.h"

#define MTHD_NOP		0x0100
#define MTHD_NOTIFY		0x0104
#define MTHD_WAIT_FOR_IDLE	0x0110
#define MTHD_DMA_NOTIFY		0x0180
#define MTHD_M2MF_BUF_NOTIFY	0x0328
#define MTHD_3D_QUERY_GET	0x1b0c
#define G80_3D_UNK0DCC		0x0dcc
#define G84_3D_FIRST		0x1104
#define G84_3D_LAST		0x111c
#define MTHD_COMPUTE_QUERY_GET	0x031c

static const uint16_t unit_class[NVSIM_GR_UNITS] = {
	[NVSIM_GR_M2MF] = NVSIM_CLASS_NV50_M2MF,
	[NVSIM_GR_2D] = NVSIM_CLASS_NV50_2D,
	[NVSIM_GR_3D] = NVSIM_CLASS_G82_3D,
	[NVSIM_GR_COMPUTE] = NVSIM_CLASS_NV50_COMPUTE,
};

static void (*const unit_method[NVSIM_GR_UNITS])(struct nvsim_gr_op *op) = {
	[NVSIM_GR_M2MF] = nvsim_gr_m2mf_method,
	[NVSIM_GR_2D] = nvsim_gr_2d_method,
	[NVSIM_GR_3D] = nvsim_gr_3d_method,
	[NVSIM_GR_COMPUTE] = nvsim_gr_compute_method,
};

void nvsim_gr_init(struct nvsim_gr *gr, struct nvsim_bus *bus, struct nvsim_mmu *mmu)
{
	gr->bus = bus;
	gr->mmu = mmu;
	memset(gr->known, NVSIM_GR_ILLEGAL, sizeof(gr->known));
	memset(gr->used, 0, sizeof(gr->used));
	for (unsigned int u = 0; u < NVSIM_GR_UNITS; u++) {
		nvsim_gr_names_mark(u, gr->known[u]);
		gr->known[u][MTHD_WAIT_FOR_IDLE / 4] = NVSIM_GR_ACTION;
		nvsim_gr_mark_inputs(gr->known[u], MTHD_NOP, 2, 4);	/* and NOTIFY */
		nvsim_gr_mark_inputs(gr->known[u], MTHD_DMA_NOTIFY, 1, 4);
	}
	nvsim_gr_m2mf_mark(gr->known[NVSIM_GR_M2MF]);
	nvsim_gr_2d_mark(gr->known[NVSIM_GR_2D]);
	nvsim_gr_3d_mark(gr->known[NVSIM_GR_3D]);
	nvsim_gr_compute_mark(gr->known[NVSIM_GR_COMPUTE]);
}

struct nvsim_gr_chan *nvsim_gr_chan_create(uint64_t channel_instance)
{
	struct nvsim_gr_chan *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	c->inst = channel_instance;
	c->model = &nvsim_cost_9800gt;
	memset(c->unit, NVSIM_GR_NONE, sizeof(c->unit));
	nvsim_gr_m2mf_reset(c);
	nvsim_gr_2d_reset(c);
	nvsim_gr_3d_reset(c);
	nvsim_gr_compute_reset(c);
	return c;
}

void nvsim_gr_chan_destroy(struct nvsim_gr_chan *c)
{
	if (!c)
		return;
	free(c->sifc.line);
	free(c);
}

uint16_t nvsim_gr_class(const struct nvsim_gr_chan *c, unsigned subc)
{
	return c->class_id[subc % NVSIM_GR_SUBCHANNELS];
}

uint64_t nvsim_gr_switch_cost_ns(void)
{
	return nvsim_cost_9800gt.switch_ns;
}

static enum nvsim_gr_unit unit_of_class(uint16_t class_id)
{
	for (unsigned int u = 0; u < NVSIM_GR_UNITS; u++) {
		if (unit_class[u] == class_id)
			return u;
	}
	return class_id == NVSIM_CLASS_G80_3D ? NVSIM_GR_3D : NVSIM_GR_NONE;
}

/*
 * What a class makes of a method. G80_3D, which all chips before G200 have (envytools:
 * docs/hw/graph/intro.rst), lacks some of G84_3D's and has one more (rnndb/graph/g80_3d.xml).
 */
static uint8_t kind_of(const struct nvsim_gr *gr, enum nvsim_gr_unit unit, uint16_t class_id,
		       uint32_t mthd)
{
	if (class_id == NVSIM_CLASS_G80_3D && mthd >= G84_3D_FIRST && mthd <= G84_3D_LAST)
		return NVSIM_GR_ILLEGAL;
	if (class_id == NVSIM_CLASS_G80_3D && mthd == G80_3D_UNK0DCC)
		return NVSIM_GR_STORED;
	return gr->known[unit][mthd / 4];
}

static void start(struct nvsim_gr_result *r, unsigned int subc, uint32_t mthd, uint32_t data,
		  uint16_t class_id)
{
	r->cost_ns = 0;
	r->intr = 0;
	r->data_error = 0;
	r->trap = 0;
	r->trap_reg_count = 0;
	r->mthd_addr = subc << 16 | mthd;
	r->mthd_data = data;
	r->mthd_class = class_id;
}

static enum nvsim_gr_status finish(struct nvsim_gr_op *op)
{
	op->r->cost_ns = nvsim_cost_take_ns(&op->c->carry, op->ps);
	return op->r->intr ? NVSIM_GR_INTR : NVSIM_GR_OK;
}

/*
 * Hardware calls this CTXSW_NOTIFY (envytools, graph/intro); which interrupt the Tesla family
 * raises for it is not known. The request is dropped.
 */
static void lose_pending_notify(struct nvsim_gr_op *op)
{
	op->c->notify_pending = false;
	nvsim_gr_error(op, NVSIM_GR_ERR_INVALID_OPERATION);
}

enum nvsim_gr_status nvsim_gr_bind(struct nvsim_gr *gr, struct nvsim_gr_chan *c, unsigned subc,
				   uint32_t instance_offset, struct nvsim_gr_result *r)
{
	uint16_t class_id = nvsim_vram_rd32(gr->mmu->vram, c->inst + instance_offset);
	enum nvsim_gr_unit unit = unit_of_class(class_id);
	struct nvsim_gr_op op = {
		.bus = gr->bus, .mmu = gr->mmu, .c = c, .unit = unit, .data = instance_offset,
		.ps = c->model->method_ps, .r = r,
	};

	subc %= NVSIM_GR_SUBCHANNELS;
	start(r, subc, 0, instance_offset, class_id);
	c->class_id[subc] = class_id;
	c->unit[subc] = unit;
	if (unit == NVSIM_GR_NONE && class_id != NVSIM_CLASS_NULL)
		r->intr |= NVSIM_GR_INTR_ILLEGAL_CLASS;
	else if (c->notify_pending)
		lose_pending_notify(&op);
	return finish(&op);
}

static void request_notify(struct nvsim_gr_op *op, unsigned int subc)
{
	struct nvsim_gr_chan *c = op->c;

	if (c->notify_pending) {
		op->r->intr |= NVSIM_GR_INTR_DOUBLE_NOTIFY;
	} else if (op->data > 1) {
		nvsim_gr_error(op, NVSIM_GR_ERR_INVALID_VALUE);
	} else {
		c->notify_pending = true;
		c->notify_awaken = op->data == 1;
		c->notify_subc = subc;
	}
}

/* envytools, graph/intro: u64 PTIMER, then two words of 0, at the start of the DMA object. */
static void write_notifier(struct nvsim_gr_op *op)
{
	struct nvsim_gr_chan *c = op->c;
	const struct nvsim_vm vm = {
		.inst = c->inst, .engine = NVSIM_VM_ENGINE_PGRAPH,
		.client = NVSIM_VM_CLIENT_DISPATCH, .subclient = 1,
	};
	uint64_t now_ns = nvsim_gpu_time_ns(op->bus);
	uint8_t buf[16] = { 0 };

	for (int i = 0; i < 8; i++)
		buf[i] = now_ns >> (8 * i);
	c->notify_pending = false;
	op->ps += c->model->report_ps;
	if (!nvsim_mmu_write(op->mmu, &vm, nvsim_gr_reg(op, MTHD_DMA_NOTIFY), 0, buf, sizeof(buf)))
		nvsim_gr_trap(op, NVSIM_GR_TRAP_DISPATCH, 1, 0);
	else if (c->notify_awaken)
		op->r->intr |= NVSIM_GR_INTR_NOTIFY;
}

static void run(struct nvsim_gr *gr, struct nvsim_gr_op *op)
{
	uint8_t kind = kind_of(gr, op->unit, op->r->mthd_class, op->mthd);
	uint32_t *reg = &op->c->reg[op->unit][op->mthd / 4];
	uint32_t old = *reg;

	gr->used[op->unit][op->mthd / 4]++;
	if (kind == NVSIM_GR_ILLEGAL) {
		op->r->intr |= NVSIM_GR_INTR_ILLEGAL_MTHD;
		return;
	}
	*reg = op->data;
	if (op->mthd == MTHD_WAIT_FOR_IDLE)
		op->ps += op->c->model->idle_ps;
	else if (kind == NVSIM_GR_ACTION)
		unit_method[op->unit](op);
	if (op->r->intr & NVSIM_GR_INTR_DATA_ERROR)
		*reg = old;	/* what was refused has no effect on what follows */
}

enum nvsim_gr_status nvsim_gr_method(struct nvsim_gr *gr, struct nvsim_gr_chan *c, unsigned subc,
				     uint32_t mthd, uint32_t data, struct nvsim_gr_result *r)
{
	subc %= NVSIM_GR_SUBCHANNELS;
	mthd &= 0x1ffc;
	struct nvsim_gr_op op = {
		.bus = gr->bus, .mmu = gr->mmu, .c = c, .unit = c->unit[subc], .mthd = mthd,
		.data = data, .ps = c->model->method_ps, .r = r,
	};

	start(r, subc, mthd, data, c->class_id[subc]);
	if (op.unit == NVSIM_GR_NONE) {
		r->intr |= c->class_id[subc] ? NVSIM_GR_INTR_ILLEGAL_MTHD :
					       NVSIM_GR_INTR_ILLEGAL_CLASS;
		return finish(&op);
	}
	if (mthd == MTHD_NOTIFY) {
		gr->used[op.unit][mthd / 4]++;
		request_notify(&op, subc);
		return finish(&op);
	}
	if (c->notify_pending && (subc != c->notify_subc || mthd == MTHD_DMA_NOTIFY)) {
		lose_pending_notify(&op);
		return finish(&op);
	}
	run(gr, &op);
	if (c->notify_pending)
		write_notifier(&op);
	return finish(&op);
}

bool nvsim_gr_method_visible(const struct nvsim_gr_chan *c, unsigned subc, uint32_t mthd)
{
	subc %= NVSIM_GR_SUBCHANNELS;
	if (c->notify_pending || mthd == MTHD_WAIT_FOR_IDLE)
		return true;
	switch (c->unit[subc]) {
	case NVSIM_GR_M2MF:
		return mthd == MTHD_M2MF_BUF_NOTIFY;
	case NVSIM_GR_3D:
		return mthd == MTHD_3D_QUERY_GET;
	case NVSIM_GR_COMPUTE:
		return mthd == MTHD_COMPUTE_QUERY_GET;
	default:
		return false;
	}
}

void nvsim_gr_report(const struct nvsim_gr *gr, nvsim_gr_report_fn *emit, void *opaque)
{
	for (unsigned int u = 0; u < NVSIM_GR_UNITS; u++) {
		for (uint32_t m = 0; m < NVSIM_GR_METHODS; m++) {
			const char *name = nvsim_gr_names_find(u, m * 4);

			if (!gr->used[u][m] || gr->known[u][m] >= NVSIM_GR_INPUT)
				continue;
			emit(opaque, unit_class[u], m * 4, name ? name : "illegal method",
			     gr->used[u][m]);
		}
	}
}
