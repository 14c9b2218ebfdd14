// SPDX-License-Identifier: GPL-2.0-or-later
/* The list of registers as a table. */
#include "regs.h"

#include <stdbool.h>
#include <stdio.h>

#include "bits.h"

#define REG_DESC(off, count, stride, name, kind, reset, meaning) \
	{ off, count, stride, reset, #kind[1], #name, meaning },
static const struct nvsim_reg_desc table[] = { NVSIM_REGS(REG_DESC) };

const struct nvsim_reg_desc *nvsim_reg_table(size_t *n)
{
	*n = NVSIM_ARRAY_SIZE(table);
	return table;
}

static bool covers(const struct nvsim_reg_desc *d, uint32_t off)
{
	uint32_t rel = off - d->off;

	return off >= d->off && rel % d->stride == 0 && rel / d->stride < d->count;
}

/*
 * Strided entries may interleave, so the entry that starts last before off
 * need not be the one: step back while an earlier one can still reach.
 */
const struct nvsim_reg_desc *nvsim_reg_find(uint32_t off)
{
	size_t lo = 0, hi = NVSIM_ARRAY_SIZE(table), mid;
	unsigned int back;

	while (lo < hi) {
		mid = (lo + hi) / 2;
		if (table[mid].off <= off)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (back = 0; lo && back < 4; back++)
		if (covers(&table[--lo], off))
			return &table[lo];
	return NULL;
}

void nvsim_reg_name(uint32_t off, char *buf, size_t len)
{
	const struct nvsim_reg_desc *d = nvsim_reg_find(off);

	if (off >= NV_USERD && off < NV_USERD_END)
		snprintf(buf, len, "USERD(%u)+%02x", (off - NV_USERD) / NV_USERD_STRIDE,
			 off % NV_USERD_STRIDE);
	else if (!d)
		snprintf(buf, len, "-");
	else if (d->count > 1)
		snprintf(buf, len, "%s(%u)", d->name, (off - d->off) / d->stride);
	else
		snprintf(buf, len, "%s", d->name);
}
