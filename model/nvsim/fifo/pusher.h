/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The pusher turns IB entries and push buffers into methods. */
#ifndef NVSIM_PUSHER_H
#define NVSIM_PUSHER_H

#include <stdbool.h>
#include <stdint.h>

#include "../bus/bus.h"
#include "../mem/mmu.h"
#include "chan.h"
#include "occupancy.h"
#include "puller.h"

struct nvsim_pusher {
	struct nvsim_bus *bus;
	struct nvsim_mmu *mmu;
	struct nvsim_occupancy *occupancy;
	struct nvsim_puller *puller;	/* who gets the methods */
};

/* Is there anything that c could do now? */
bool nvsim_pusher_has_work(struct nvsim_pusher *p, struct nvsim_chan *c);
/* The channel's next word, or its next method. */
enum nvsim_step nvsim_pusher_step(struct nvsim_pusher *p, struct nvsim_chan *c, uint64_t now);

#endif
