/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The small units: PMC (interrupt tree, unit enables), PBUS, PTIMER, GPIO,
 * clocks, fuses.
 */
#ifndef NVSIM_MC_H
#define NVSIM_MC_H

#include <stdbool.h>
#include <stdint.h>

#include "bus.h"

/* What the small units ask of the card above them; from nvsim_mc_write(). */
struct nvsim_mc_ops {
	/* These units (bits of PMC_ENABLE) were switched off. */
	void (*disable)(void *owner, uint32_t units);
	/* Where BAR1 and BAR3 look may have changed. */
	void (*bars_moved)(void *owner);
};

struct nvsim_mc {
	struct nvsim_bus *bus;
	const struct nvsim_mc_ops *ops;
	void *owner;
	uint64_t alarm_ns;	/* PTIMER's alarm, NVSIM_NEVER = none */
	bool irq;		/* the interrupt line's level */
};

void nvsim_mc_init(struct nvsim_mc *mc, struct nvsim_bus *bus, const struct nvsim_mc_ops *ops,
		   void *owner);
void nvsim_mc_reset(struct nvsim_mc *mc);
uint32_t nvsim_mc_read(struct nvsim_mc *mc, uint32_t off);
void nvsim_mc_write(struct nvsim_mc *mc, uint32_t off, uint32_t val);
/* To be called at alarm_ns. */
void nvsim_mc_timer(struct nvsim_mc *mc, uint64_t now);
/* Sets the line to what the units' interrupt registers say. */
void nvsim_mc_update(struct nvsim_mc *mc);

#endif
