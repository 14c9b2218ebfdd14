// SPDX-License-Identifier: GPL-2.0-or-later
/* Query reports and conditions. Layouts: envytools g80_3d (QUERY_GET), g80_defs (G80_QUERY). */
#include "query.h"

#include "op.h"

#define DMA_QUERY_3D		0x0188
#define QUERY_ADDRESS_HIGH_3D	0x1b00
#define QUERY_ADDRESS_LOW_3D	0x1b04
#define QUERY_SEQUENCE_3D	0x1b08
#define DMA_QUERY_CP		0x01a4
#define QUERY_ADDRESS_HIGH_CP	0x0310
#define QUERY_ADDRESS_LOW_CP	0x0314
#define QUERY_SEQUENCE_CP	0x0318

#define GET_MODE(d)		((d) & 3)
#define MODE_SYNC		1
#define GET_IS_COUNTER(d)	((d) >> 23 & 1)
#define GET_SELECT(d)		((d) >> 24 & 0xf)
#define GET_SHORT_3D(d)		((d) >> 28 & 1)
#define GET_SHORT_CP(d)		((d) >> 15 & 1)
#define SELECT_SAMPLECNT	1
#define SELECT_NO_OVERFLOW	2

#define SUBCLIENT_QUERY		2
#define SUBCLIENT_COND		3
#define STATUS_COND		1
#define STATUS_QUERY		2

static struct nvsim_vm dispatch_vm(const struct nvsim_gr_op *op, uint8_t subclient)
{
	return (struct nvsim_vm){
		.inst = op->c->inst, .engine = NVSIM_VM_ENGINE_PGRAPH,
		.client = NVSIM_VM_CLIENT_DISPATCH, .subclient = subclient,
	};
}

static void put32(uint8_t *buf, uint32_t val)
{
	for (int i = 0; i < 4; i++)
		buf[i] = val >> (8 * i);
}

/* Two words and PTIMER, or the first word alone. */
static void report(struct nvsim_gr_op *op, uint32_t dma, uint64_t va, uint32_t word0,
		   uint32_t word1, bool is_short)
{
	const struct nvsim_vm vm = dispatch_vm(op, SUBCLIENT_QUERY);
	uint64_t now_ns = nvsim_gpu_time_ns(op->bus);
	uint8_t buf[16];

	put32(buf, word0);
	put32(buf + 4, word1);
	put32(buf + 8, (uint32_t)now_ns);
	put32(buf + 12, (uint32_t)(now_ns >> 32));
	op->ps += op->c->model->report_ps;
	if (!nvsim_mmu_write(op->mmu, &vm, dma, va, buf, is_short ? 4 : sizeof(buf)))
		nvsim_gr_trap(op, NVSIM_GR_TRAP_DISPATCH, STATUS_QUERY, va);
}

void nvsim_gr_query_3d(struct nvsim_gr_op *op)
{
	uint64_t va = nvsim_gr_reg_addr(op, QUERY_ADDRESS_HIGH_3D, QUERY_ADDRESS_LOW_3D);
	uint32_t dma = nvsim_gr_reg(op, DMA_QUERY_3D);
	uint32_t select = GET_SELECT(op->data);
	uint32_t value = 0;

	if (GET_MODE(op->data) == MODE_SYNC || GET_MODE(op->data) == 3) {
		nvsim_gr_error(op, NVSIM_GR_ERR_INVALID_ENUM);	/* SYNC is not modelled */
		return;
	}
	if (GET_IS_COUNTER(op->data)) {
		if (select < NVSIM_GR_COUNTERS)
			value = (uint32_t)op->c->counter[select];
		report(op, dma, va, value, 0, GET_SHORT_3D(op->data));
		return;
	}
	if (select == SELECT_SAMPLECNT)
		value = (uint32_t)op->c->samples;
	else if (select == SELECT_NO_OVERFLOW)
		value = 1;
	report(op, dma, va, nvsim_gr_reg(op, QUERY_SEQUENCE_3D), value, GET_SHORT_3D(op->data));
}

void nvsim_gr_query_compute(struct nvsim_gr_op *op)
{
	report(op, nvsim_gr_reg(op, DMA_QUERY_CP),
	       nvsim_gr_reg_addr(op, QUERY_ADDRESS_HIGH_CP, QUERY_ADDRESS_LOW_CP),
	       nvsim_gr_reg(op, QUERY_SEQUENCE_CP), 0, GET_SHORT_CP(op->data));
}

/* Modes 3 and 4 compare the first two words of two reports that follow each other. */
bool nvsim_gr_cond(struct nvsim_gr_op *op, uint32_t dma, uint64_t va, uint32_t mode, bool *result)
{
	const struct nvsim_vm vm = dispatch_vm(op, SUBCLIENT_COND);
	uint8_t buf[32];
	bool equal = true;

	if (mode > 4) {
		nvsim_gr_error(op, NVSIM_GR_ERR_INVALID_ENUM);
		return false;
	}
	if (mode < 2) {
		*result = mode;
		return true;
	}
	if (!nvsim_mmu_read(op->mmu, &vm, dma, va, buf, mode == 2 ? 16 : 32)) {
		nvsim_gr_trap(op, NVSIM_GR_TRAP_DISPATCH, STATUS_COND, va);
		return false;
	}
	if (mode == 2) {
		*result = buf[4] | buf[5] | buf[6] | buf[7];
		return true;
	}
	for (int i = 0; i < 8; i++)
		equal &= buf[i] == buf[16 + i];
	*result = equal == (mode == 3);
	return true;
}
