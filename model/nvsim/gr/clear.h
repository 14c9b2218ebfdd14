/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CLEAR_BUFFERS of the 3D class. */
#ifndef NVSIM_GR_CLEAR_H
#define NVSIM_GR_CLEAR_H

struct nvsim_gr_op;

void nvsim_gr_clear(struct nvsim_gr_op *op);

#endif
