// SPDX-License-Identifier: GPL-2.0-only
/*
 * Memory that all channels of a GPU have in common.
 *
 * From the G84 on nouveau has one buffer for the fences of all channels, 16 bytes each by
 * their numbers, which every channel's address space has (nv84_fence.c).  A buffer has
 * whole pages, and the fences of the Tesla family's 128 channels take half of one: behind
 * them is room for another word of each.
 *
 * Its address in the channel's address space is taken from what nouveau itself wrote into
 * the ring last, the release of a fence: that is held against what it has to be, word by
 * word.
 */
#include <drm/drm_file.h>
#include <linux/mm.h>

#include "tg_stock.h"

/* What nv84_fence_emit32() writes: methods of the Tesla family's FIFO. */
#define EMIT_WORDS 8
#define EMIT_DMA_SEMAPHORE 0x00040060
#define EMIT_SEMAPHORE 0x00140010 /* address high, low, value, operation; interrupt */
#define EMIT_RELEASE 2

static void *pointer(const void *base, u32 offset)
{
	return *(void *const *)(base + offset);
}

/* The address of the channel's fence, or 0: that is not what it was given last. */
static u64 last_fence(const struct tg_stock_chan *sc)
{
	const struct tg_stock_layout *l = &tg_stock_layout;
	const void *push = sc->nv + l->push;
	const u32 *map = pointer(push, l->map), *cur = pointer(push, l->cur);
	const u32 *w = cur - EMIT_WORDS;

	if (cur - map < EMIT_WORDS || cur != pointer(push, l->bgn) ||
	    w[0] != EMIT_DMA_SEMAPHORE || w[1] != sc->base.sema_dma ||
	    w[2] != EMIT_SEMAPHORE || w[6] != EMIT_RELEASE)
		return 0;
	return (u64)w[3] << 32 | w[4];
}

static void *drm_of(const struct tg_stock_chan *sc)
{
	const struct tg_stock_layout *l = &tg_stock_layout;
	const void *cli = sc->file->driver_priv;

	if (l->has_drm)
		return pointer(sc->nv, l->chan_drm);
	return tg_stock_is_memory(cli) ? pointer(cli, l->cli_drm) : NULL;
}

/* nouveau's buffer, if it has room for as much again, where the CPU has it; or NULL. */
static void *buffer(const struct tg_stock_chan *sc, u32 *fences)
{
	const struct tg_stock_layout *l = &tg_stock_layout;
	void *drm = drm_of(sc), *priv, *bo;
	u32 nr;

	priv = tg_stock_is_memory(drm) ? pointer(drm, l->drm_fence) : NULL;
	bo = tg_stock_is_memory(priv) ? pointer(priv, l->priv_bo) : NULL;
	if (!tg_stock_is_memory(bo))
		return NULL;
	nr = *(const u32 *)(drm + l->drm_channels);
	*fences = nr * TG_HOOK_STAMP_BYTES;
	if (!nr || nr > PAGE_SIZE / TG_HOOK_STAMP_BYTES || sc->base.chid >= nr ||
	    *(const u64 *)(bo + l->bo_size) < 2ULL * *fences)
		return NULL;
	return pointer(bo, l->bo_virtual);
}

void tg_stock_words_learn(struct tg_stock_chan *sc)
{
	struct tg_hook_chan *hc = &sc->base;
	void *cpu;
	u64 fence;
	u32 fences;

	if (hc->words || !tg_stock_layout.words || !hc->sema_dma || !hc->scratch)
		return;
	fence = last_fence(sc);
	cpu = fence ? buffer(sc, &fences) : NULL;
	fence -= (u64)hc->chid * TG_HOOK_STAMP_BYTES;
	if (!cpu || !PAGE_ALIGNED(fence))
		return;
	hc->words_cpu = (void __iomem *)(cpu + fences);
	hc->words = fence + fences;
}
