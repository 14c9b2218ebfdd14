/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What all units of a card stand on: its registers, its time, the way to the
 * host's memory and to its log.
 *
 * Interrupts: a unit sets a bit in its own INTR register; the line follows when
 * the card has finished what the host asked of it (mc.c).
 */
#ifndef NVSIM_BUS_H
#define NVSIM_BUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "host.h"
#include "regs.h"

#define NVSIM_NEVER	UINT64_MAX

struct nvsim_bus {
	/* config */
	struct nvsim_ops ops;
	void *host;

	/* one word for each word of BAR0 */
	uint32_t *reg;

	/* time */
	uint64_t gpu_ns;	/* virtual time up to which the GPU's work is done */
	uint64_t ptimer_base;	/* PTIMER - virtual time */

	unsigned int outside;	/* inside a host callback: refuse re-entry */
	unsigned int log_lines;
};

bool nvsim_bus_init(struct nvsim_bus *bus, const struct nvsim_ops *ops, void *host);
void nvsim_bus_fini(struct nvsim_bus *bus);
/* Registers to their power-up values. */
void nvsim_bus_reset(struct nvsim_bus *bus);
/* The same for a unit's; first and bytes are multiples of 4. */
void nvsim_bus_reset_range(struct nvsim_bus *bus, uint32_t first, uint32_t bytes);

/* Bounded: a guest cannot flood the log. */
void nvsim_log(struct nvsim_bus *bus, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Bus mastering; false = nobody answers, buf is all ones. */
bool nvsim_dma_read(struct nvsim_bus *bus, uint64_t addr, void *buf, size_t len);
bool nvsim_dma_write(struct nvsim_bus *bus, uint64_t addr, const void *buf, size_t len);

static inline uint64_t nvsim_now(const struct nvsim_bus *bus)
{
	return bus->ops.now_ns(bus->host);
}

/* What PTIMER shows at a point in virtual time. */
uint64_t nvsim_ptimer_at(const struct nvsim_bus *bus, uint64_t virt_ns);
/* The same at the GPU's own point: the stamp of reports, notifiers and semaphores. */
uint64_t nvsim_gpu_time_ns(const struct nvsim_bus *bus);

#endif
