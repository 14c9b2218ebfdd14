/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Queries and conditions. */
#ifndef NVSIM_GR_QUERY_H
#define NVSIM_GR_QUERY_H

#include <stdbool.h>
#include <stdint.h>

struct nvsim_gr_op;

void nvsim_gr_query_3d(struct nvsim_gr_op *op);
void nvsim_gr_query_compute(struct nvsim_gr_op *op);
/* dma = instance offset of the DMA object; false and a trap if memory is not accessible. */
bool nvsim_gr_cond(struct nvsim_gr_op *op, uint32_t dma, uint64_t va, uint32_t mode, bool *result);

#endif
