/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sRGB transfer function on 8-bit codes. */
#ifndef NVSIM_GR_SRGB_H
#define NVSIM_GR_SRGB_H

#include <stdint.h>

float nvsim_gr_srgb_decode(uint8_t code);
/* The nearest code; what lies outside of [0, 1] and NaN become the nearer end, or 0. */
uint8_t nvsim_gr_srgb_encode(float f);

#endif
