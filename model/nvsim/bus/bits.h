/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Words as the guest's memory has them: little endian, at any address. */
#ifndef NVSIM_BITS_H
#define NVSIM_BITS_H

#include <stdint.h>

#define NVSIM_ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

static inline uint32_t nvsim_ld32(const uint8_t *p)
{
	return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static inline void nvsim_st32(uint8_t *p, uint32_t v)
{
	p[0] = v;
	p[1] = v >> 8;
	p[2] = v >> 16;
	p[3] = v >> 24;
}

#endif
