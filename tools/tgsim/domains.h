/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The domains of a run, and the CPUs that they share.
 *
 * CPUs serve the domains without a parent in turn, for a slice each; one that has a
 * larger weight on the CPU has a longer slice.  A domain has one CPU at most, and keeps it
 * for its slice, also while its programs wait for the GPU: as those do that poll, and as
 * a virtual CPU is in the schedule of a period.  While it has a CPU one of its programs
 * after the other does what comes before its frames ("think").  Programs in no domain have
 * CPUs of their own.
 */
#ifndef DOMAINS_H
#define DOMAINS_H

#include "sim_state.h"

/** domains_init - all of the scenario, and the CPUs */
void domains_init(struct sim *s);

void domains_fini(struct sim *s);

/** domains_join - @inst's program has started */
void domains_join(struct sim *s, struct sim_inst *inst);

/** domains_leave - it ends */
void domains_leave(struct sim *s, struct sim_inst *inst);

/**
 * domains_think - it needs a CPU for a time, then its next frame comes
 *
 * Return: false if it has one of its own.
 */
bool domains_think(struct sim *s, struct sim_inst *inst, u64 ns);

/** domains_slice_over - a CPU goes to the next */
void domains_slice_over(struct sim *s, struct sim_cpu *cpu);

/** domains_thought - one of a domain's programs may have thought for long enough */
void domains_thought(struct sim *s, struct sim_domain *d);

#endif
