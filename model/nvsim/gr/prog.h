/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Instruction counts of a program. */
#ifndef NVSIM_GR_PROG_H
#define NVSIM_GR_PROG_H

#include "chan.h"

struct nvsim_gr_op;

/* NULL = memory not accessible, trapped. */
const struct nvsim_gr_prog *nvsim_gr_prog_get(struct nvsim_gr_op *op, enum nvsim_gr_stage stage,
					      uint32_t dma, uint64_t address);
void nvsim_gr_prog_flush(struct nvsim_gr_chan *c);

#endif
