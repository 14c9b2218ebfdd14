/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How long the simulated GPU takes: the one place where work becomes time.
 *
 * A roofline. Each piece of work is counted in the units its bottlenecks consume (pixels, bytes,
 * instructions, triangles, ...), every unit has a rate, and the work lasts as long as its slowest
 * unit: a real GPU pipelines the others behind it.
 *
 *	time = launch + max over units u of (amount_u / rate_u)
 *
 * Rates are millions of units per second, so amount * 10^6 / rate is picoseconds.
 *
 * Overflow: every amount is clamped to NVSIM_COST_MAX_AMOUNT = 2^40, 10^6 < 2^20, so a product
 * stays below 2^60; a channel's sum is reduced to whole ns after each method. Rounding: a term
 * drops less than 1 ps, and what is left below 1 ns is carried to the channel's next method.
 */
#ifndef NVSIM_COST_H
#define NVSIM_COST_H

#include <stdint.h>

#define NVSIM_COST_MAX_AMOUNT	(1ull << 40)

struct nvsim_cost_model {
	/* rates, 10^6 per second; none may be 0 */
	uint32_t rop_mpixels;		/* colour or depth samples through the ROPs */
	uint32_t vram_mbytes;		/* video memory, reads + writes */
	uint32_t pcie_mbytes;		/* system memory, per direction */
	uint32_t alu_mops;		/* scalar instructions over all stream processors */
	uint32_t tex_mtexels;		/* bilinear texture samples */
	uint32_t setup_mprims;		/* triangles, lines or points set up */
	uint32_t vfetch_mverts;		/* vertices fetched */
	/* fixed times, ps */
	uint32_t method_ps;		/* front end: decode and dispatch of one method */
	uint32_t draw_ps;		/* start and drain of the 3D pipe, per BEGIN/END */
	uint32_t clear_ps;		/* per CLEAR_BUFFERS */
	uint32_t copy_ps;		/* per M2MF or 2D operation */
	uint32_t grid_ps;		/* per compute launch */
	uint32_t block_ps;		/* per thread block, on one multiprocessor */
	uint32_t report_ps;		/* a semaphore, query or notifier write */
	uint32_t idle_ps;		/* WAIT_FOR_IDLE on an idle pipe */
	uint32_t switch_ns;		/* PGRAPH context switch between channels */
	uint32_t multiprocessors;	/* how many blocks start at a time */
};

/* The 9800 GT; every number is explained in Documentation/gpu-model-graphics.rst. */
extern const struct nvsim_cost_model nvsim_cost_9800gt;

/* What one operation consumes. Unused members are 0. */
struct nvsim_cost_work {
	uint64_t rop_pixels;
	uint64_t vram_bytes;
	uint64_t pcie_bytes;
	uint64_t alu_ops;
	uint64_t texels;
	uint64_t prims;
	uint64_t verts;
	uint64_t fixed_ps;		/* added, not part of the maximum */
};

/* Sub-nanosecond remainder of one channel, 0..999 ps. */
struct nvsim_cost_carry {
	uint32_t ps;
};

uint64_t nvsim_cost_work_ps(const struct nvsim_cost_model *m, const struct nvsim_cost_work *w);
/* Whole ns of ps plus what was carried; the rest is carried on. */
uint64_t nvsim_cost_take_ns(struct nvsim_cost_carry *carry, uint64_t ps);
/* a * b, or NVSIM_COST_MAX_AMOUNT if that is smaller. */
uint64_t nvsim_cost_mul(uint64_t a, uint64_t b);

#endif
