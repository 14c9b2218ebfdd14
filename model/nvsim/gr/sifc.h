/* SPDX-License-Identifier: GPL-2.0-or-later */
/* SIFC of the 2D class: an image in the push buffer itself. */
#ifndef NVSIM_GR_SIFC_H
#define NVSIM_GR_SIFC_H

struct nvsim_gr_op;

#define NVSIM_GR_SIFC_FORMAT	0x0804
#define NVSIM_GR_SIFC_START	0x085c	/* SIFC_DST_Y_INT */
#define NVSIM_GR_SIFC_DATA	0x0860

void nvsim_gr_sifc_start(struct nvsim_gr_op *op);
void nvsim_gr_sifc_data(struct nvsim_gr_op *op);

#endif
