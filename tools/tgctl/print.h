/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables for people, at most 80 columns wide. */
#ifndef PRINT_H
#define PRINT_H

#include <stdbool.h>
#include <stdio.h>

#include "libtimegraph.h"

/* One after the other, each with its line of columns first. */
void print_gpus(FILE *out, const struct timegraph_snapshot *snap);
void print_reserves(FILE *out, const struct timegraph_gpu_state *g);
/* Those within others stand below them, indented. */
void print_domains(FILE *out, const struct timegraph_domains *domains);
/* Who has video memory and who waits for it, in MiB; nothing if nobody does. */
void print_accounts(FILE *out, const struct timegraph_vram_accounts *accounts, uint64_t now_ns);
void print_tasks(FILE *out, const struct timegraph_gpu_state *g);

/* "PRT, priority 50 (focus), PE 5/20ms": what regulates a task, as a phrase. */
void print_parameters(FILE *out, const struct timegraph_task *t,
		      const struct timegraph_gpu_state *g);

/*
 * Counters that should not rise, each in a line with what a rise means: those
 * that are not 0, or all.  Returns how many were printed.
 */
unsigned int print_trouble(FILE *out, const struct timegraph_gpu *g, bool all);

#endif
