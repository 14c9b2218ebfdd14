/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the card asks of the program around it. */
#ifndef NVSIM_HOST_H
#define NVSIM_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * What the host provides.  All callbacks are called from inside one of the
 * nvsim_*() functions below and may not call back into them.
 */
struct nvsim_ops {
	/* Virtual time in ns.  Never goes backwards. */
	uint64_t (*now_ns)(void *host);
	/* Level of the interrupt line; called on changes only. */
	void (*set_irq)(void *host, bool level);
	/*
	 * The one timer of the card: nvsim_timer() is to be called once
	 * now_ns() >= deadline_ns.  A call replaces the deadline before;
	 * UINT64_MAX turns it off.  A deadline may lie in the past.
	 */
	void (*set_timer)(void *host, uint64_t deadline_ns);
	/* Bus mastering; false = the address cannot be accessed. */
	bool (*dma_read)(void *host, uint64_t addr, void *buf, size_t len);
	bool (*dma_write)(void *host, uint64_t addr, const void *buf, size_t len);
	/*
	 * One line for a person, without newline.  May be NULL.  Bounded by
	 * the core: a guest cannot flood it.
	 */
	void (*log)(void *host, const char *line);
};

#endif
