/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a domain is lent of the CPU, as a factor of its cpu.weight.
 *
 * Lent is to who could use more of the GPU than he does, waits for the CPU meanwhile, and makes
 * more of the GPU's time out of his CPU time than all do on the average: step by step, up to a
 * limit.  Who does not, gives it back.  Where all are alike nobody is lent anything, as nobody
 * would gain by it.
 */
#ifndef LEND_LAW_H
#define LEND_LAW_H

#include <stdbool.h>
#include <stdint.h>

#include <drm/timegraph.h>

/**
 * struct lend_rates - of a second, so many seconds
 * @gpu: a GPU was used; more than 1 if several were
 * @cpu: a CPU was; more than 1 if several threads did
 * @waits: a thread waited for a CPU; more than 1 if several did
 */
struct lend_rates {
	double gpu;
	double cpu;
	double waits;
};

/** lend_average - what is measured now, taken into the average of the last ten looks or so */
void lend_average(struct lend_rates *average, const struct lend_rates *now);

/**
 * lend_entitled - the part of a GPU that the weight of each domain gives it
 * @d, @n: as TIMEGRAPH_IOC_DOMAINS lists them: parents before those within them
 * @competes: of @n: it wants the GPU
 * @part: of @n, 0 to 1
 *
 * Those within one share what that gets, and what is left by who does not want it; each
 * counts itself among them.
 */
void lend_entitled(const struct timegraph_domain *d, uint32_t n, const bool *competes,
		   double *part);

/**
 * lend_factor - by how much the weight on the CPU is multiplied from now on
 * @factor: by how much it was, at least 1
 * @of: what the domain had
 * @all: what all had
 * @could: what of the GPUs it could have had: what it is entitled to, and what was idle
 * @max: the limit, at least 1
 *
 * Return: 1 to @max
 */
double lend_factor(double factor, const struct lend_rates *of, const struct lend_rates *all,
		   double could, double max);

#endif
