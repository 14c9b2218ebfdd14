/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Colour and depth formats of surfaces (envytools: g80_defs, g80-surface). */
#ifndef NVSIM_GR_FORMAT_H
#define NVSIM_GR_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

enum nvsim_gr_ctype {
	NVSIM_GR_UNORM,
	NVSIM_GR_SNORM,
	NVSIM_GR_UINT,
	NVSIM_GR_SINT,
	NVSIM_GR_FLOAT,
};

/* Components in the order R, G, B, A; bits 0 = not stored. */
struct nvsim_gr_format {
	uint8_t cpp;		/* bytes per element, 0 = no such format */
	uint8_t type;		/* enum nvsim_gr_ctype */
	uint8_t bits[4];
	uint8_t shift[4];
	bool srgb;
	bool luminance;		/* one component; the 2D engine reads it as grey */
};

/* A colour: .f, or .u for the integer types. */
union nvsim_gr_value {
	float f;
	uint32_t u;
};

/* By the id of RT_FORMAT, SRC_FORMAT, ...; cpp is 0 for what is no colour format. */
const struct nvsim_gr_format *nvsim_gr_format_get(uint32_t id);
/* Does the 2D engine take it (Mesa: nv50_surface.c, ENG2D_SUPPORTED_FORMATS)? */
bool nvsim_gr_format_is_2d(uint32_t id);

/* Missing colours read as 0, missing alpha as 1. */
void nvsim_gr_format_unpack(const struct nvsim_gr_format *f, const uint8_t *px,
			    union nvsim_gr_value v[4]);
/* px gets f->cpp bytes; bits that belong to no component become 0. */
void nvsim_gr_format_pack(const struct nvsim_gr_format *f, const union nvsim_gr_value v[4],
			  uint8_t *px);
/* px gets 1 bits where the components of mask (bit 0 R ... bit 3 A) are stored. */
void nvsim_gr_format_mask(const struct nvsim_gr_format *f, unsigned int mask, uint8_t *px);

/* Where a zeta format keeps depth and stencil. */
struct nvsim_gr_zeta_format {
	uint8_t cpp;		/* 0 = no such format on this chipset */
	bool z_float;
	uint8_t z_bits, z_shift;
	uint8_t s_bits, s_shift;
};

const struct nvsim_gr_zeta_format *nvsim_gr_zeta_format_get(uint32_t id);
/* Element and mask as 64 bits, little endian; depth in [0, 1] unless z_float. */
uint64_t nvsim_gr_zeta_pack(const struct nvsim_gr_zeta_format *f, float depth, uint8_t stencil);
uint64_t nvsim_gr_zeta_mask(const struct nvsim_gr_zeta_format *f, bool depth, uint8_t stencil);

#endif
