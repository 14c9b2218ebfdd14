/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Honesty: which registers a guest used that the model does not know, and
 * which it was seen waiting on.
 */
#ifndef NVSIM_REPORT_H
#define NVSIM_REPORT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "bus.h"

#define NVSIM_SPINS	32

struct nvsim_spin {
	uint32_t off;
	uint64_t longest;
	uint64_t total;
};

struct nvsim_report {
	struct nvsim_bus *bus;
	/* accesses of unknown registers, a count for each word of BAR0 */
	uint32_t *miss_rd, *miss_wr;
	/* the run of equal reads that is going on */
	uint32_t spin_off, spin_val;
	uint64_t spin_run;
	struct nvsim_spin spin[NVSIM_SPINS];
	unsigned int spins;
};

bool nvsim_report_init(struct nvsim_report *r, struct nvsim_bus *bus);
void nvsim_report_fini(struct nvsim_report *r);
/* A register was read or written. */
void nvsim_report_access(struct nvsim_report *r, uint32_t off, uint32_t val, bool write);
/* Returns the number of unknown registers. */
unsigned int nvsim_report_print(struct nvsim_report *r, FILE *f);

#endif
