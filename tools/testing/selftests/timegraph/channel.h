/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A channel by nouveau's ABI alone, without libdrm. */
#ifndef SELFTESTS_CHANNEL_H
#define SELFTESTS_CHANNEL_H

#include <stdint.h>
#include <sys/ioctl.h>

#define NV(nr, type) _IOWR('d', 0x40 + (nr), type)

struct chan_alloc {
	uint32_t vram, gart;
	int32_t channel;
	uint32_t domains, notifier;
	uint32_t subchannel[8][2];
	uint32_t nr;
};

struct chan_free {
	int32_t channel;
};

#define CHANNEL_ALLOC NV(0x02, struct chan_alloc)
#define CHANNEL_FREE _IOW('d', 0x43, struct chan_free)

#define VRAM_HANDLE 0xbeef0201u
#define GART_HANDLE 0xbeef0202u

#endif
