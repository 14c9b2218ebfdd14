// SPDX-License-Identifier: GPL-2.0-or-later
/* Formats: what the bits of an element mean. */
#include "format.h"

#include <string.h>

#include "srgb.h"

#define UN	NVSIM_GR_UNORM
#define SN	NVSIM_GR_SNORM
#define UI	NVSIM_GR_UINT
#define SI	NVSIM_GR_SINT
#define FL	NVSIM_GR_FLOAT

#define F(cpp_, type_, r, g, b, a, sr, sg, sb, sa) \
	{ .cpp = cpp_, .type = type_, .bits = { r, g, b, a }, .shift = { sr, sg, sb, sa } }
#define F_SRGB(r, g, b, a, sr, sg, sb, sa) \
	{ .cpp = 4, .type = UN, .bits = { r, g, b, a }, .shift = { sr, sg, sb, sa }, .srgb = true }
#define F_LUM(cpp_, type_, r) \
	{ .cpp = cpp_, .type = type_, .bits = { r }, .luminance = true }

/* Index: format id - 0xc0. */
static const struct nvsim_gr_format formats[64] = {
	[0x00] = F(16, FL, 32, 32, 32, 32, 0, 32, 64, 96),	/* RGBA32 */
	[0x01] = F(16, SI, 32, 32, 32, 32, 0, 32, 64, 96),
	[0x02] = F(16, UI, 32, 32, 32, 32, 0, 32, 64, 96),
	[0x03] = F(16, FL, 32, 32, 32, 0, 0, 32, 64, 96),	/* RGBX32 */
	[0x04] = F(16, SI, 32, 32, 32, 0, 0, 32, 64, 96),
	[0x05] = F(16, UI, 32, 32, 32, 0, 0, 32, 64, 96),
	[0x06] = F(8, UN, 16, 16, 16, 16, 0, 16, 32, 48),	/* RGBA16 */
	[0x07] = F(8, SN, 16, 16, 16, 16, 0, 16, 32, 48),
	[0x08] = F(8, SI, 16, 16, 16, 16, 0, 16, 32, 48),
	[0x09] = F(8, UI, 16, 16, 16, 16, 0, 16, 32, 48),
	[0x0a] = F(8, FL, 16, 16, 16, 16, 0, 16, 32, 48),
	[0x0b] = F(8, FL, 32, 32, 0, 0, 0, 32, 0, 0),		/* RG32 */
	[0x0c] = F(8, SI, 32, 32, 0, 0, 0, 32, 0, 0),
	[0x0d] = F(8, UI, 32, 32, 0, 0, 0, 32, 0, 0),
	[0x0e] = F(8, FL, 16, 16, 16, 0, 0, 16, 32, 48),	/* RGBX16 */
	[0x0f] = F(4, UN, 8, 8, 8, 8, 16, 8, 0, 24),		/* BGRA8 */
	[0x10] = F_SRGB(8, 8, 8, 8, 16, 8, 0, 24),
	[0x11] = F(4, UN, 10, 10, 10, 2, 0, 10, 20, 30),	/* RGB10_A2 */
	[0x12] = F(4, UI, 10, 10, 10, 2, 0, 10, 20, 30),
	[0x15] = F(4, UN, 8, 8, 8, 8, 0, 8, 16, 24),		/* RGBA8 */
	[0x16] = F_SRGB(8, 8, 8, 8, 0, 8, 16, 24),
	[0x17] = F(4, SN, 8, 8, 8, 8, 0, 8, 16, 24),
	[0x18] = F(4, SI, 8, 8, 8, 8, 0, 8, 16, 24),
	[0x19] = F(4, UI, 8, 8, 8, 8, 0, 8, 16, 24),
	[0x1a] = F(4, UN, 16, 16, 0, 0, 0, 16, 0, 0),		/* RG16 */
	[0x1b] = F(4, SN, 16, 16, 0, 0, 0, 16, 0, 0),
	[0x1c] = F(4, SI, 16, 16, 0, 0, 0, 16, 0, 0),
	[0x1d] = F(4, UI, 16, 16, 0, 0, 0, 16, 0, 0),
	[0x1e] = F(4, FL, 16, 16, 0, 0, 0, 16, 0, 0),
	[0x1f] = F(4, UN, 10, 10, 10, 2, 20, 10, 0, 30),	/* BGR10_A2 */
	[0x20] = F(4, FL, 11, 11, 10, 0, 0, 11, 22, 0),		/* R11G11B10 */
	[0x23] = F(4, SI, 32, 0, 0, 0, 0, 0, 0, 0),		/* R32 */
	[0x24] = F(4, UI, 32, 0, 0, 0, 0, 0, 0, 0),
	[0x25] = F_LUM(4, FL, 32),
	[0x26] = F(4, UN, 8, 8, 8, 0, 16, 8, 0, 0),		/* BGRX8 */
	[0x27] = F_SRGB(8, 8, 8, 0, 16, 8, 0, 0),
	[0x28] = F(2, UN, 5, 6, 5, 0, 11, 5, 0, 0),		/* B5G6R5 */
	[0x29] = F(2, UN, 5, 5, 5, 1, 10, 5, 0, 15),		/* BGR5_A1 */
	[0x2a] = F(2, UN, 8, 8, 0, 0, 0, 8, 0, 0),		/* RG8 */
	[0x2b] = F(2, SN, 8, 8, 0, 0, 0, 8, 0, 0),
	[0x2c] = F(2, SI, 8, 8, 0, 0, 0, 8, 0, 0),
	[0x2d] = F(2, UI, 8, 8, 0, 0, 0, 8, 0, 0),
	[0x2e] = F_LUM(2, UN, 16),				/* R16 */
	[0x2f] = F(2, SN, 16, 0, 0, 0, 0, 0, 0, 0),
	[0x30] = F(2, SI, 16, 0, 0, 0, 0, 0, 0, 0),
	[0x31] = F(2, UI, 16, 0, 0, 0, 0, 0, 0, 0),
	[0x32] = F(2, FL, 16, 0, 0, 0, 0, 0, 0, 0),
	[0x33] = F_LUM(1, UN, 8),				/* R8 */
	[0x34] = F(1, SN, 8, 0, 0, 0, 0, 0, 0, 0),
	[0x35] = F(1, SI, 8, 0, 0, 0, 0, 0, 0, 0),
	[0x36] = F(1, UI, 8, 0, 0, 0, 0, 0, 0, 0),
	[0x37] = F(1, UN, 0, 0, 0, 8, 0, 0, 0, 0),		/* A8 */
	[0x38] = F(2, UN, 5, 5, 5, 0, 10, 5, 0, 0),		/* BGR5_X1 */
	[0x39] = F(4, UN, 8, 8, 8, 0, 0, 8, 16, 0),		/* RGBX8 */
	[0x3a] = F_SRGB(8, 8, 8, 0, 0, 8, 16, 0),
	[0x3b] = F(2, UN, 5, 5, 5, 0, 10, 5, 0, 0),
	[0x3c] = F(2, UN, 5, 5, 5, 0, 10, 5, 0, 0),
	[0x3d] = F(4, UN, 8, 8, 8, 0, 16, 8, 0, 0),
	[0x3e] = F(4, UN, 8, 8, 8, 0, 16, 8, 0, 0),
	[0x3f] = F(4, UI, 32, 0, 0, 0, 0, 0, 0, 0),		/* Y32 */
};

static const uint64_t formats_2d = 0xff0843e080608409ull;

const struct nvsim_gr_format *nvsim_gr_format_get(uint32_t id)
{
	static const struct nvsim_gr_format none;

	return id >= 0xc0 && id <= 0xff ? &formats[id - 0xc0] : &none;
}

bool nvsim_gr_format_is_2d(uint32_t id)
{
	return id >= 0xc0 && id <= 0xff && (formats_2d >> (id - 0xc0) & 1);
}

static uint32_t float_bits(float f)
{
	uint32_t u;

	memcpy(&u, &f, sizeof(u));
	return u;
}

static float bits_float(uint32_t u)
{
	float f;

	memcpy(&f, &u, sizeof(f));
	return f;
}

/* Small floats: 5 bits of exponent (bias 15), mant bits of fraction, sign for 16-bit ones only. */
static float small_to_float(uint32_t v, unsigned int mant, bool has_sign)
{
	uint32_t sign = has_sign ? (v >> (mant + 5) & 1) << 31 : 0;
	uint32_t exp = v >> mant & 0x1f;
	uint32_t frac = v & ((1u << mant) - 1);
	float f;

	if (exp == 0x1f)
		return bits_float(sign | 0x7f800000 | frac << (23 - mant));
	if (exp == 0) {
		f = (float)frac / (float)(1u << (14 + mant));
		return sign ? -f : f;
	}
	return bits_float(sign | (exp + 112) << 23 | frac << (23 - mant));
}

static uint32_t float_to_small(float f, unsigned int mant, bool has_sign)
{
	uint32_t u = float_bits(f);
	uint32_t sign = u >> 31;
	uint32_t top = has_sign ? sign << (mant + 5) : 0;
	int32_t exp = (int32_t)(u >> 23 & 0xff) - 112;
	uint32_t frac = (u & 0x7fffff) | 0x800000;
	unsigned int drop = 23 - mant;
	uint32_t out, rest;

	if ((u & 0x7fffffff) > 0x7f800000)
		return top | 0x1f << mant | 1u << (mant - 1);	/* NaN */
	if (sign && !has_sign)
		return 0;
	if (exp >= 31)
		return top | 0x1f << mant;
	if (exp <= 0) {
		drop += 1 - exp;
		if (drop > 24)
			return top;
		exp = 0;
	} else {
		frac &= 0x7fffff;
	}
	out = (uint32_t)exp << mant | frac >> drop;
	rest = frac & ((1u << drop) - 1);
	if (rest > 1u << (drop - 1) || (rest == 1u << (drop - 1) && (out & 1)))
		out++;
	return top | out;
}

static uint32_t get_bits(const uint8_t *px, unsigned int shift, unsigned int bits)
{
	uint64_t v = 0;

	/* a component never crosses a 32-bit word */
	for (unsigned int i = 0; i * 8 < shift % 8 + bits; i++)
		v |= (uint64_t)px[shift / 8 + i] << (8 * i);
	return v >> (shift % 8) & ((1ull << bits) - 1);
}

static void put_bits(uint8_t *px, unsigned int shift, unsigned int bits, uint32_t val)
{
	uint64_t v = (uint64_t)val << (shift % 8);

	for (unsigned int i = 0; i * 8 < shift % 8 + bits; i++)
		px[shift / 8 + i] |= v >> (8 * i);
}

static int32_t sign_extend(uint32_t v, unsigned int bits)
{
	return (int32_t)(v << (32 - bits)) >> (32 - bits);
}

static union nvsim_gr_value decode(const struct nvsim_gr_format *f, unsigned int i, uint32_t raw)
{
	union nvsim_gr_value v = { .u = raw };
	unsigned int bits = f->bits[i];

	switch (f->type) {
	case NVSIM_GR_UNORM:
		if (f->srgb && i < 3)
			v.f = nvsim_gr_srgb_decode(raw);
		else
			v.f = (float)((double)raw / (double)((1ull << bits) - 1));
		break;
	case NVSIM_GR_SNORM:
		v.f = (float)sign_extend(raw, bits) / (float)((1u << (bits - 1)) - 1);
		if (v.f < -1.0f)
			v.f = -1.0f;
		break;
	case NVSIM_GR_SINT:
		v.u = (uint32_t)sign_extend(raw, bits);
		break;
	case NVSIM_GR_FLOAT:
		if (bits != 32)
			v.f = small_to_float(raw, bits == 16 ? 10 : bits - 5, bits == 16);
		break;
	}
	return v;
}

static double clamp(double d, double lo, double hi)
{
	if (!(d > lo))		/* NaN becomes the lower end */
		return lo;
	return d < hi ? d : hi;
}

static uint32_t encode(const struct nvsim_gr_format *f, unsigned int i, union nvsim_gr_value v)
{
	unsigned int bits = f->bits[i];
	uint32_t max = bits == 32 ? UINT32_MAX : (1u << bits) - 1;
	int32_t smax = (int32_t)(max >> 1);
	double d;

	switch (f->type) {
	case NVSIM_GR_UNORM:
		if (f->srgb && i < 3)
			return nvsim_gr_srgb_encode(v.f);
		return (uint32_t)(clamp(v.f, 0.0, 1.0) * max + 0.5);
	case NVSIM_GR_SNORM:
		d = clamp(v.f != v.f ? 0.0 : v.f, -1.0, 1.0) * smax;
		return (uint32_t)(int32_t)(d < 0 ? d - 0.5 : d + 0.5) & max;
	case NVSIM_GR_UINT:
		return v.u < max ? v.u : max;
	case NVSIM_GR_SINT:
		if ((int32_t)v.u > smax)
			return (uint32_t)smax;
		return (int32_t)v.u < -smax - 1 ? (uint32_t)(-smax - 1) & max : v.u & max;
	default:
		if (bits == 32)
			return v.u;
		return float_to_small(v.f, bits == 16 ? 10 : bits - 5, bits == 16);
	}
}

void nvsim_gr_format_unpack(const struct nvsim_gr_format *f, const uint8_t *px,
			    union nvsim_gr_value v[4])
{
	bool integer = f->type == NVSIM_GR_UINT || f->type == NVSIM_GR_SINT;

	for (unsigned int i = 0; i < 4; i++) {
		if (f->bits[i])
			v[i] = decode(f, i, get_bits(px, f->shift[i], f->bits[i]));
		else if (i < 3)
			v[i].u = 0;
		else if (integer)
			v[i].u = 1;
		else
			v[i].f = 1.0f;
	}
}

void nvsim_gr_format_pack(const struct nvsim_gr_format *f, const union nvsim_gr_value v[4],
			  uint8_t *px)
{
	memset(px, 0, f->cpp);
	for (unsigned int i = 0; i < 4; i++) {
		if (f->bits[i])
			put_bits(px, f->shift[i], f->bits[i], encode(f, i, v[i]));
	}
}

void nvsim_gr_format_mask(const struct nvsim_gr_format *f, unsigned int mask, uint8_t *px)
{
	memset(px, 0, f->cpp);
	for (unsigned int i = 0; i < 4; i++) {
		if (f->bits[i] && (mask >> i & 1))
			put_bits(px, f->shift[i], f->bits[i], UINT32_MAX >> (32 - f->bits[i]));
	}
}

/* Layouts: the names in envytools list components from the least significant bit. */
const struct nvsim_gr_zeta_format *nvsim_gr_zeta_format_get(uint32_t id)
{
	static const struct nvsim_gr_zeta_format zeta[32] = {
		[0x0a] = { .cpp = 4, .z_float = true, .z_bits = 32 },
		[0x14] = { .cpp = 4, .z_bits = 24, .z_shift = 8, .s_bits = 8 },
		[0x15] = { .cpp = 4, .z_bits = 24 },
		[0x16] = { .cpp = 4, .z_bits = 24, .s_bits = 8, .s_shift = 24 },
		[0x18] = { .cpp = 4, .z_bits = 24 },
		[0x19] = { .cpp = 8, .z_float = true, .z_bits = 32, .s_bits = 8, .s_shift = 32 },
	};

	return &zeta[id < 32 ? id : 0];
}

uint64_t nvsim_gr_zeta_pack(const struct nvsim_gr_zeta_format *f, float depth, uint8_t stencil)
{
	uint64_t z;

	if (f->z_float)
		z = float_bits(depth);
	else
		z = (uint64_t)(clamp(depth, 0.0, 1.0) * ((1u << f->z_bits) - 1) + 0.5);
	return z << f->z_shift | (f->s_bits ? (uint64_t)stencil << f->s_shift : 0);
}

uint64_t nvsim_gr_zeta_mask(const struct nvsim_gr_zeta_format *f, bool depth, uint8_t stencil)
{
	uint64_t mask = 0;

	if (depth)
		mask |= ((1ull << f->z_bits) - 1) << f->z_shift;
	if (f->s_bits)
		mask |= (uint64_t)stencil << f->s_shift;
	return mask;
}
