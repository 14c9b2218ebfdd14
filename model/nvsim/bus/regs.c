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

uint32_t nvsim_reg_mask(uint32_t off)
{
	/* envytools: rnndb/fifo/g80_pfifo.xml, docs/hw/bus/ptimer.rst, rnndb/bus/ptimer.xml */
	static const struct {
		uint32_t off, mask;
	} masks[] = {
		{ NV_PFIFO_DELAY, 0xf00003ff },
		{ NV_PFIFO_DMA_TIMESLICE, 0xf101ffff },
		{ NV_PFIFO_MIN_SLICE, 0x0007ffff },
		{ NV_PFIFO_DELAY_1, 0xf00003ff },
		{ NV_PFIFO_UNK3318, 0x00000007 },
		{ NV_PMC_ENABLE, 0xdff3d113 },
		{ NV_PTIMER_NUMERATOR, 0x0000ffff },
		{ NV_PTIMER_DENOMINATOR, 0x0000ffff },
		{ NV_PTIMER_UNK9220, 0x00011fff },
		{ NV_PTIMER_TIME_0, 0xffffffe0 },
		{ NV_PTIMER_TIME_1, 0x1fffffff },
		{ NV_PTIMER_ALARM, 0xffffffe0 },
		{ NV_PFB_FAULT_IDX, 0x873f07ff },
	};
	size_t i;

	for (i = 0; i < NVSIM_ARRAY_SIZE(masks); i++)
		if (masks[i].off == off)
			return masks[i].mask;
	return 0xffffffff;
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
