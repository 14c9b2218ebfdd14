/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * nvsim: a simulated GeForce 9800 GT (G92, chipset 0x92), the public face.
 *
 * The core is plain C without host types.  Memory beyond the card, time and
 * the interrupt line come in through struct nvsim_ops; the caller maps its
 * BARs to the read/write functions below.  Every function runs in one thread
 * (under QEMU: with the big lock held) and none of them blocks.
 */
#ifndef NVSIM_H
#define NVSIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bus/host.h"

struct nvsim;

struct nvsim_config {
	const struct nvsim_ops *ops;
	void *host;
	/* 0 = 512 MiB; a power of two from 16 MiB to 512 MiB. */
	uint64_t vram_bytes;
	/* Fault injection, see bus/fault.c; NULL or "" = none. */
	const char *fault;
	/* File names; NULL = off. */
	const char *report_path;	/* unmodelled accesses, at destroy */
	const char *reglog_path;	/* every register access */
	const char *gpulog_path;	/* occupancy per channel, virtual time */
};

/* NULL on a bad config or no memory; *err (may be NULL) then says why. */
struct nvsim *nvsim_create(const struct nvsim_config *config, const char **err);
void nvsim_destroy(struct nvsim *s);
/* PCI reset: registers to their power-up values; VRAM keeps its content. */
void nvsim_reset(struct nvsim *s);

#define NVSIM_MMIO_BYTES	0x01000000u	/* BAR0, registers */
#define NVSIM_BAR1_BYTES	0x10000000u	/* BAR1, frame buffer aperture */
#define NVSIM_BAR3_BYTES	0x02000000u	/* BAR index 3, instance memory */

/* size is 1, 2, 4 or 8; offsets beyond the BAR read as ~0, write nothing. */
uint64_t nvsim_mmio_read(struct nvsim *s, uint32_t off, unsigned int size);
void nvsim_mmio_write(struct nvsim *s, uint32_t off, uint64_t val, unsigned int size);
uint64_t nvsim_bar1_read(struct nvsim *s, uint32_t off, unsigned int size);
void nvsim_bar1_write(struct nvsim *s, uint32_t off, uint64_t val, unsigned int size);
uint64_t nvsim_bar3_read(struct nvsim *s, uint32_t off, unsigned int size);
void nvsim_bar3_write(struct nvsim *s, uint32_t off, uint64_t val, unsigned int size);

/* The deadline of set_timer has been reached. */
void nvsim_timer(struct nvsim *s);

/* The VBIOS image, for the PCI expansion ROM if the host wants one. */
const uint8_t *nvsim_vbios(struct nvsim *s, size_t *bytes);

/*
 * Write the honesty report: every register that was accessed but is not
 * modelled, counted; registers the guest was seen spinning on.
 * Returns 0 or -errno.
 */
int nvsim_report(struct nvsim *s, const char *path);

#endif
