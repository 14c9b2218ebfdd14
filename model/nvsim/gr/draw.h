/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Vertices and draws of the 3D class. */
#ifndef NVSIM_GR_DRAW_H
#define NVSIM_GR_DRAW_H

#include "names.h"

struct nvsim_gr_op;

void nvsim_gr_draw_method(struct nvsim_gr_op *op);
/* Its methods in known[]: NVSIM_GR_ACTION, and NVSIM_GR_INPUT for what those read. */
void nvsim_gr_draw_mark(uint8_t known[NVSIM_GR_METHODS]);

#endif
