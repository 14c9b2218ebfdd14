/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a method is, and what one leaves behind: the words that PGRAPH's files and PFIFO share. */
#ifndef NVSIM_GR_METHOD_H
#define NVSIM_GR_METHOD_H

#include <stdbool.h>
#include <stdint.h>

#define NVSIM_GR_SUBCHANNELS	8
#define NVSIM_GR_METHODS	2048u	/* methods 0x0000-0x1ffc, one word each */

/* A method on its way from PFIFO's pusher to whoever executes it. */
struct nvsim_mthd {
	bool valid;
	uint8_t subc;
	uint16_t addr;
	uint32_t data;
};

/* Bits of PGRAPH_INTR, 0x400100 (envytools: g80_pgraph; nouveau: nvkm/engine/gr/nv50.c). */
#define NVSIM_GR_INTR_NOTIFY		0x00000001u
#define NVSIM_GR_INTR_ILLEGAL_MTHD	0x00000010u
#define NVSIM_GR_INTR_ILLEGAL_CLASS	0x00000020u
#define NVSIM_GR_INTR_DOUBLE_NOTIFY	0x00000040u
#define NVSIM_GR_INTR_DATA_ERROR	0x00100000u
#define NVSIM_GR_INTR_TRAP		0x00200000u

#define NVSIM_GR_TRAP_REGS 5

/* One method's outcome. cost_ns and intr are always written, the rest only with intr != 0. */
struct nvsim_gr_result {
	uint64_t cost_ns;	/* GPU time of this method, charged before later methods run */
	uint32_t intr;		/* bits to OR into 0x400100; 0 with NVSIM_GR_OK */
	uint32_t data_error;	/* 0x400110, with DATA_ERROR */
	uint32_t trap;		/* 0x400108: bit per unit, with TRAP */
	/* registers that the trapping unit shows (its status and where it stopped) */
	struct {
		uint32_t reg;
		uint32_t val;
	} trap_regs[NVSIM_GR_TRAP_REGS];
	uint32_t trap_reg_count;
	uint32_t mthd_addr;	/* 0x400704: subchannel << 16 | method */
	uint32_t mthd_data;	/* 0x400708 */
	uint32_t mthd_class;	/* 0x400814 */
};

#endif
