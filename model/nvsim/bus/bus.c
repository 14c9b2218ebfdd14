// SPDX-License-Identifier: GPL-2.0-or-later
#include "bus.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LOG_LINES	1000

bool nvsim_bus_init(struct nvsim_bus *bus, const struct nvsim_ops *ops, void *host)
{
	bus->ops = *ops;
	bus->host = host;
	bus->reg = calloc(NV_BAR0_BYTES / 4, sizeof(*bus->reg));
	return bus->reg;
}

void nvsim_bus_fini(struct nvsim_bus *bus)
{
	free(bus->reg);
}

void nvsim_bus_reset_range(struct nvsim_bus *bus, uint32_t first, uint32_t bytes)
{
	const struct nvsim_reg_desc *d;
	uint32_t i, off;
	size_t n;

	memset(&bus->reg[first / 4], 0, bytes);
	for (d = nvsim_reg_table(&n); n--; d++) {
		for (i = 0; i < d->count; i++) {
			off = d->off + i * d->stride;
			if (off - first < bytes)
				bus->reg[off / 4] = d->reset;
		}
	}
}

void nvsim_bus_reset(struct nvsim_bus *bus)
{
	nvsim_bus_reset_range(bus, 0, NV_BAR0_BYTES);
}

void nvsim_log(struct nvsim_bus *bus, const char *fmt, ...)
{
	char line[256];
	va_list ap;

	if (!bus->ops.log || bus->log_lines > LOG_LINES)
		return;
	va_start(ap, fmt);
	vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	if (bus->log_lines++ == LOG_LINES)
		strcpy(line, "too many messages; no more are shown");
	bus->ops.log(bus->host, line);
}

/*
 * The guest may aim the card's DMA, or its MSI address, at the card's own
 * BARs.  What then comes back in while bus->outside is set gets no answer.
 */
bool nvsim_dma_read(struct nvsim_bus *bus, uint64_t addr, void *buf, size_t len)
{
	bool ok;

	bus->outside++;
	ok = bus->ops.dma_read(bus->host, addr, buf, len);
	bus->outside--;
	if (!ok)
		memset(buf, 0xff, len);
	return ok;
}

bool nvsim_dma_write(struct nvsim_bus *bus, uint64_t addr, const void *buf, size_t len)
{
	bool ok;

	bus->outside++;
	ok = bus->ops.dma_write(bus->host, addr, buf, len);
	bus->outside--;
	return ok;
}

/* PTIMER counts in steps of 32 ns. */
uint64_t nvsim_ptimer_at(const struct nvsim_bus *bus, uint64_t virt_ns)
{
	return (virt_ns + bus->ptimer_base) & ~31ull;
}

uint64_t nvsim_gpu_time_ns(const struct nvsim_bus *bus)
{
	return nvsim_ptimer_at(bus, bus->gpu_ns);
}
