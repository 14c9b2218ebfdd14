/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The methods of each class: which there are, and what the model makes of them. */
#ifndef NVSIM_GR_NAMES_H
#define NVSIM_GR_NAMES_H

#include <stdint.h>

#include "method.h"

enum nvsim_gr_unit {
	NVSIM_GR_M2MF,
	NVSIM_GR_2D,
	NVSIM_GR_3D,
	NVSIM_GR_COMPUTE,
	NVSIM_GR_UNITS,
	NVSIM_GR_NONE = NVSIM_GR_UNITS,
};

/* What the model makes of a method. */
enum nvsim_gr_known {
	NVSIM_GR_ILLEGAL,
	NVSIM_GR_STORED,	/* accepted, without effect here */
	NVSIM_GR_INPUT,		/* read by an action */
	NVSIM_GR_ACTION,
};

/* known[mthd / 4] = NVSIM_GR_STORED for what the class accepts; others are left alone. */
void nvsim_gr_names_mark(enum nvsim_gr_unit unit, uint8_t known[NVSIM_GR_METHODS]);
/* NULL = the class has no such method. */
const char *nvsim_gr_names_find(enum nvsim_gr_unit unit, uint32_t mthd);

/* count methods from first on, every stride bytes; what is ILLEGAL or an ACTION stays so. */
void nvsim_gr_mark_inputs(uint8_t known[NVSIM_GR_METHODS], uint32_t first, uint32_t count,
			  uint32_t stride);

#endif
