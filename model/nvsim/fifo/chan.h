/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A channel: its state in the pusher and the puller, its RAMFC and its RAMHT. */
#ifndef NVSIM_CHAN_H
#define NVSIM_CHAN_H

#include <stdbool.h>
#include <stdint.h>

#include "../gr/graph.h"
#include "../gr/method.h"
#include "../mem/vram.h"

#define NVSIM_FETCH_WORDS	32	/* 128 bytes, what nouveau sets in RAMFC+3c */

struct nvsim_chan {
	/* config: from RAMFC when the channel table entry is written */
	bool bound;		/* has a RAMFC */
	bool enabled;
	uint32_t ctx;		/* channel table entry without bit 31 */
	uint32_t serial;	/* counts activations of all channels, for the log */
	uint32_t push_dma;
	uint64_t ib_base;
	uint32_t ib_mask;
	uint32_t ramht;
	uint32_t ramht_mask;
	uint64_t slice_ns;

	/* pusher */
	uint32_t ib_get, ib_put;
	uint64_t get, put;
	uint64_t mget;
	bool mget_valid;
	bool nonmain;
	uint32_t get_hi, mget_hi, put_hi;	/* read shadows */
	uint32_t word[NVSIM_FETCH_WORDS];
	uint64_t word_base;
	uint32_t words;
	uint16_t mthd;
	uint8_t subc;
	bool noninc;
	bool long_pending;
	bool entry_bit8;	/* of the IB entry; nobody knows what it is */
	uint32_t count;
	enum nvsim_dma_error error;
	bool sli_enable, sli_active;
	uint32_t sli_mask;
	/* shadows for the driver: last command, last data, data words of the command so far */
	uint32_t command, data, dcount;

	/* puller */
	struct nvsim_mthd pend;
	uint8_t engine[NVSIM_GR_SUBCHANNELS];
	uint32_t ref;
	uint32_t sem_dma;
	uint64_t sem_addr;
	uint32_t sem_seq;
	uint32_t sem_off;
	bool sem_off_valid;
	bool acquiring;
	uint32_t acq_value;
	uint64_t acq_addr;
	bool acq_geq;

	struct nvsim_graph_chan gr;	/* what PGRAPH knows of it, and its instance block */

	uint64_t busy_ns;	/* GPU time it has had */
};

/* A channel gets a RAMFC, ctx << 8: its state starts from there. */
void nvsim_chan_load(struct nvsim_chan *c, struct nvsim_vram *vram, uint32_t chid, uint32_t ctx);
/* Where it is goes to RAMFC. */
void nvsim_chan_save(const struct nvsim_chan *c, struct nvsim_vram *vram);
/* Is what was loaded the channel that was saved, at the place where it was? */
bool nvsim_chan_is_same(const struct nvsim_chan *loaded, const struct nvsim_chan *saved);
/* Handle to context. */
bool nvsim_chan_lookup(const struct nvsim_chan *c, struct nvsim_vram *vram, uint32_t handle,
		       uint32_t *context);

#endif
