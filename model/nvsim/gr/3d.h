/* SPDX-License-Identifier: GPL-2.0-or-later */
/* G82_3D. */
#ifndef NVSIM_GR_3D_H
#define NVSIM_GR_3D_H

#include "names.h"

struct nvsim_gr_chan;
struct nvsim_gr_op;

/* A method that does more than store its data, which is stored already. */
void nvsim_gr_3d_method(struct nvsim_gr_op *op);
/* Its methods in known[]: NVSIM_GR_ACTION, and NVSIM_GR_INPUT for what those read. */
void nvsim_gr_3d_mark(uint8_t known[NVSIM_GR_METHODS]);
/* Power-up values of the registers that matter. */
void nvsim_gr_3d_reset(struct nvsim_gr_chan *c);

#endif
