// SPDX-License-Identifier: GPL-2.0-or-later
/* The tables of gr/srgb.c against the function's definition. */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "../gr/srgb.h"
#include "tap.h"

/* x^2.4 = x^2 * (x^(1/5))^2, the root by Newton. */
static double transfer(double x)
{
	double b, root = 1.0;
	int i;

	if (x <= 0.04045)
		return x / 12.92;
	b = (x + 0.055) / 1.055;
	for (i = 0; i < 12; i++)
		root -= (root - b / (root * root * root * root)) / 5.0;
	return b * b * root * root;
}

/* The float after f, or before it; f > 0. */
static float neighbour(float f, int step)
{
	uint32_t bits;

	memcpy(&bits, &f, sizeof(bits));
	bits += step;
	memcpy(&f, &bits, sizeof(f));
	return f;
}

static bool every_code_decodes_by_definition(void)
{
	bool ok = true;
	int i;

	for (i = 0; i < 256; i++)
		ok &= nvsim_gr_srgb_decode(i) == (float)transfer(i / 255.0);
	return ok;
}

static bool every_code_ends_half_way_to_the_next(void)
{
	bool ok = true;
	double limit;
	float below, above;
	int i;

	for (i = 0; i < 255; i++) {
		limit = transfer((i + 0.5) / 255.0);
		above = (float)limit;
		if (above < limit)
			above = neighbour(above, 1);
		below = neighbour(above, -1);
		ok &= nvsim_gr_srgb_encode(above) == i + 1;
		ok &= nvsim_gr_srgb_encode(below) == i;
	}
	return ok;
}

static bool codes_survive_a_round_trip_and_ends_saturate(void)
{
	bool ok = true;
	int i;

	for (i = 0; i < 256; i++)
		ok &= nvsim_gr_srgb_encode(nvsim_gr_srgb_decode(i)) == i;
	ok &= nvsim_gr_srgb_encode(-1.0f) == 0 && nvsim_gr_srgb_encode(NAN) == 0;
	return ok && nvsim_gr_srgb_encode(2.0f) == 255;
}

int main(void)
{
	TEST(every_code_decodes_by_definition);
	TEST(every_code_ends_half_way_to_the_next);
	TEST(codes_survive_a_round_trip_and_ends_saturate);
	return tap_done();
}
