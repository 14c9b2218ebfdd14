/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The card: its units, one in each of its members. For nvsim.c and the tests. */
#ifndef NVSIM_CARD_H
#define NVSIM_CARD_H

#include <stdint.h>
#include <stdio.h>

#include "bus/bus.h"
#include "bus/fault.h"
#include "bus/mc.h"
#include "bus/report.h"
#include "bus/vbios.h"
#include "fifo/fifo.h"
#include "gr/graph.h"
#include "mem/mem.h"

struct nvsim {
	struct nvsim_bus bus;
	struct nvsim_report report;
	struct nvsim_faults faults;
	struct nvsim_mc mc;
	struct nvsim_mem mem;
	struct nvsim_graph graph;
	struct nvsim_fifo fifo;
	uint8_t vbios[NVSIM_VBIOS_BYTES];

	FILE *reglog;
	char *report_path;
	uint64_t timer_ns;	/* what the host's timer is set to */
};

#endif
