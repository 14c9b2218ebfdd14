/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A GPU channel of the Tesla family (chipsets 0x50 to 0xaf) by libdrm_nouveau,
 * with the 2D, M2MF and 3D objects bound on the subchannels Mesa uses.
 *
 * Method offsets: envytools, rnndb/graph/g80_2d.xml, g80_3d.xml, nv01_m2mf.xml
 * and rnndb/fifo/nv_object.xml.
 */
#ifndef WL_NV_H
#define WL_NV_H

#include <nouveau.h>
#include <stdbool.h>
#include <stdint.h>

#include "common.h"

enum nv_subchannel {
	NV_SUBC_3D = 3,
	NV_SUBC_2D = 4,
	NV_SUBC_M2MF = 5,
	NV_SUBC_UNUSED = 7,
};

/* Of every object. */
#define NV_OBJECT		0x0000
#define NV_REF			0x0050	/* host method SET_REFERENCE */
#define NV_NOP			0x0100
#define NV_NOTIFY		0x0104
#define NV_SERIALIZE		0x0110	/* WAIT_FOR_IDLE */
#define NV_DMA_NOTIFY		0x0180

#define NV_NOTIFY_AWAKEN	1	/* data of NV_NOTIFY: also raise the interrupt */

/* Words that a report of the 3D object needs. */
#define NV_STAMP_WORDS		7
#define NV_STAMP_BYTES		16

/* A rectangle of 4-byte pixels, PITCH bytes a row. */
#define NV_PITCH		4096
#define NV_MAX_ROWS		1024
#define NV_FILL_WORDS		7
#define NV_COPY_WORDS		12

struct nv {
	int fd;
	struct nouveau_drm *drm;
	struct nouveau_device *device;
	struct nouveau_client *client;
	struct nv04_fifo fifo;
	struct nouveau_object *channel;
	struct nouveau_pushbuf *push;
	struct nouveau_object *twod, *m2mf, *threed;
	struct nv04_notify notify;
	struct nouveau_object *notifier;
	uint64_t channel_before_ns, channel_after_ns;
};

/* Returns an enum wl_exit; path NULL = the first nouveau render node. */
int nv_open(struct nv *nv, const char *path);
void nv_close(struct nv *nv);

/* GPU time (PTIMER, ns) of now; false if the kernel does not tell. */
bool nv_gpu_time(struct nv *nv, uint64_t *ns);
/* What to add to a GPU time to get CLOCK_MONOTONIC (modulo 2^64). */
bool nv_clock_offset(struct nv *nv, uint64_t *offset_ns);

static inline void nv_emit(struct nv *nv, uint32_t word)
{
	*nv->push->cur++ = word;
}

/* Header of `count` words for consecutive methods. */
static inline void nv_begin(struct nv *nv, int subc, uint32_t method, uint32_t count)
{
	nv_emit(nv, count << 18 | (uint32_t)subc << 13 | method);
}

static inline void nv_method(struct nv *nv, int subc, uint32_t method, uint32_t data)
{
	nv_begin(nv, subc, method, 1);
	nv_emit(nv, data);
}

/* Host methods of the NV84 semaphore (envytools, rnndb/fifo/nv_object.xml). */
#define NV_DMA_SEMAPHORE	0x0060
#define NV_SEMAPHORE		0x0010
#define NV_ACQUIRE_EQUAL	1
#define NV_RELEASE		2
#define NV_SEMAPHORE_WORDS	7

/* Waits until the word at `address` has the value, or writes it there. */
static inline void nv_semaphore(struct nv *nv, uint64_t address, uint32_t value,
				uint32_t operation)
{
	nv_method(nv, 0, NV_DMA_SEMAPHORE, nv->fifo.vram);
	nv_begin(nv, 0, NV_SEMAPHORE, 4);
	nv_emit(nv, (uint32_t)(address >> 32));
	nv_emit(nv, (uint32_t)address);
	nv_emit(nv, value);
	nv_emit(nv, operation);
}

/* Room for one group of `words`, with the given buffers fenced by it. */
bool nv_group_begin(struct nv *nv, uint32_t words, struct nouveau_pushbuf_refn *refs, int nr);
/* Submits what was emitted as one command group. */
bool nv_group_end(struct nv *nv);

/* When all earlier work of the channel is done, writes {sequence, 0, u64 GPU time}. */
void nv_stamp(struct nv *nv, uint64_t address, uint32_t sequence);
/* Where fills go, once per buffer. */
#define NV_TARGET_WORDS		9
void nv_fill_target(struct nv *nv, uint64_t address, uint32_t rows);
void nv_fill(struct nv *nv, uint32_t colour, uint32_t rows);
void nv_copy(struct nv *nv, uint64_t from, uint64_t to, uint32_t rows);

#endif
