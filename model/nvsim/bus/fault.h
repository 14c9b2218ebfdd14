/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fault injection.  SPEC is a list separated by "," or "+":
 *
 *	hang@CHID:N	the N-th group of channel CHID never completes: its
 *			first engine method waits for ever, as behind a
 *			semaphore nobody releases; other channels go on
 *	wedge@CHID:N	PGRAPH itself stops there: nobody goes on
 *	page-fault@CHID:N	M2MF reads an unmapped page in that group
 *	lost-irq:N	the N-th NOTIFY interrupt is not raised
 *	late-irq:N:USEC	it is raised USEC later
 *	lost-nonstall:N, late-nonstall:N:USEC
 *			the same for PFIFO's non-stall interrupt (fences)
 *
 * CHID is a number or "any"; N counts from 1 and strikes once; "N-" strikes
 * the N-th and every later one.  A channel's N-th group is what it executes
 * after N - 1 host semaphore releases (each nouveau submission ends with one,
 * its fence); the count starts anew when the channel number is used again.
 * lost-irq and late-irq may be limited to a channel as well: lost-irq@3:1-
 * loses every one of channel 3; N then still counts all channels together.
 */
#ifndef NVSIM_FAULT_H
#define NVSIM_FAULT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define NVSIM_FAULTS	8

enum nvsim_fault_kind {
	NVSIM_FAULT_NONE,
	NVSIM_FAULT_HANG,
	NVSIM_FAULT_WEDGE,
	NVSIM_FAULT_PAGE,
	NVSIM_FAULT_LOST_NOTIFY,
	NVSIM_FAULT_LOST_NONSTALL,
	NVSIM_FAULT_LATE_NOTIFY,
	NVSIM_FAULT_LATE_NONSTALL,
};

struct nvsim_fault {
	enum nvsim_fault_kind kind;
	uint32_t chid;		/* UINT32_MAX = any */
	uint64_t nth;
	bool onwards;		/* every one from the nth on */
	uint64_t delay_ns;
	uint64_t hits;
};

struct nvsim_faults {
	struct nvsim_fault fault[NVSIM_FAULTS];
	unsigned int n;
};

/* NULL and "" are no faults; false = *err says what is wrong. */
bool nvsim_fault_parse(struct nvsim_faults *faults, const char *spec, const char **err);
/* The fault that strikes this nth event of a channel, counted; NULL = none. */
struct nvsim_fault *nvsim_fault_hit(struct nvsim_faults *faults, enum nvsim_fault_kind kind,
				    uint32_t chid, uint64_t nth);
/* For the report: how often each struck. */
void nvsim_fault_print(const struct nvsim_faults *faults, FILE *f);

#endif
