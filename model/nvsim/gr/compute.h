/* SPDX-License-Identifier: GPL-2.0-or-later */
/* NV50_COMPUTE. */
#ifndef NVSIM_GR_COMPUTE_H
#define NVSIM_GR_COMPUTE_H

#include "names.h"

struct nvsim_gr_chan;
struct nvsim_gr_op;

/* A method that does more than store its data, which is stored already. */
void nvsim_gr_compute_method(struct nvsim_gr_op *op);
/* Its methods in known[]: NVSIM_GR_ACTION, and NVSIM_GR_INPUT for what those read. */
void nvsim_gr_compute_mark(uint8_t known[NVSIM_GR_METHODS]);
/* Power-up values of the registers that matter. */
void nvsim_gr_compute_reset(struct nvsim_gr_chan *c);

#endif
