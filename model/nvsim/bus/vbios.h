/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The VBIOS image. */
#ifndef NVSIM_VBIOS_H
#define NVSIM_VBIOS_H

#include <stdint.h>

#define NVSIM_VBIOS_BYTES	4096

void nvsim_vbios_build(uint8_t image[NVSIM_VBIOS_BYTES]);

#endif
