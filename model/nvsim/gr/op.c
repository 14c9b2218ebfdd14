// SPDX-License-Identifier: GPL-2.0-or-later
/* How a method fails: DATA_ERROR and TRAP. */
#include "op.h"

void nvsim_gr_error(struct nvsim_gr_op *op, enum nvsim_gr_error code)
{
	op->r->intr |= NVSIM_GR_INTR_DATA_ERROR;
	op->r->data_error = code;
}

static void trap_reg(struct nvsim_gr_result *r, uint32_t reg, uint32_t val)
{
	if (r->trap_reg_count == NVSIM_GR_TRAP_REGS)
		return;
	r->trap_regs[r->trap_reg_count].reg = reg;
	r->trap_regs[r->trap_reg_count].val = val;
	r->trap_reg_count++;
}

/* Registers: nouveau, nvkm/engine/gr/nv50.c: nv50_gr_trap_handler(), nv50_gr_prop_trap(). */
void nvsim_gr_trap(struct nvsim_gr_op *op, enum nvsim_gr_trap unit, uint32_t status, uint64_t va)
{
	struct nvsim_gr_result *r = op->r;
	uint32_t stuck = 0x80000000 | op->r->mthd_addr;

	if (r->intr & NVSIM_GR_INTR_TRAP)
		return;
	r->intr |= NVSIM_GR_INTR_TRAP;
	r->trap = unit;
	r->trap_reg_count = 0;
	switch (unit) {
	case NVSIM_GR_TRAP_DISPATCH:
		trap_reg(r, 0x400804, status);
		if (status & 1) {
			trap_reg(r, 0x400808, stuck);
			trap_reg(r, 0x40080c, op->data);
			trap_reg(r, 0x400810, 0);
		} else {
			trap_reg(r, 0x40084c, stuck);
			trap_reg(r, 0x40085c, op->data);
		}
		break;
	case NVSIM_GR_TRAP_M2MF:
		trap_reg(r, 0x406800, status);
		trap_reg(r, 0x406804, va);
		trap_reg(r, 0x406808, va >> 32);
		break;
	case NVSIM_GR_TRAP_CCACHE:
		trap_reg(r, 0x405018, status);
		break;
	case NVSIM_GR_TRAP_TEXTURE:	/* of TP 0 */
		trap_reg(r, 0x408900, status);
		break;
	case NVSIM_GR_TRAP_PROP:	/* of TP 0 */
		trap_reg(r, 0x408e08, status);
		trap_reg(r, 0x408e10, va);
		trap_reg(r, 0x408e14, va >> 32);
		break;
	}
}
