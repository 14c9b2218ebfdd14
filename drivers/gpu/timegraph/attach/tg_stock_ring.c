// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writing into a channel's ring as nouveau itself does, with offsets from its BTF.
 *
 * Nothing is written before the offsets were held against what is known to be
 * true of this very channel: its number, its client, the functions that keep its
 * ring, the ring's bounds, and how far the GPU has been told to read.
 */
#include <drm/drm_file.h>
#include <linux/device.h>
#include <linux/kallsyms.h>
#include <linux/mm.h>
#include <linux/rculist.h>
#include <linux/string.h>

#include "../tg_compat.h"
#include "tg_stock.h"

/* Of nouveau's push buffers, in words: 64 KiB (nouveau_chan.c). */
#define RING_WORDS (0x10000 / 4)

typedef int (*wait_fn)(void *push, u32 nr);
typedef void (*kick_fn)(void *push);

/* A pointer-sized member. */
static void **word(void *base, u32 offset)
{
	return base + offset;
}

static void *push_of(void *nv)
{
	return nv + tg_stock_layout.push;
}

static u32 **at(void *push, u32 offset)
{
	return (u32 **)word(push, offset);
}

bool tg_stock_is_memory(const void *p)
{
	return p && IS_ALIGNED((unsigned long)p, sizeof(void *)) &&
	       virt_addr_valid(p);
}

/* Whether @nv has the channel's number and client. */
static bool is_channel(const struct tg_stock_chan *sc, const void *nv)
{
	const struct tg_stock_layout *l = &tg_stock_layout;

	if (!l->known || !tg_stock_is_memory(nv) ||
	    *(const int *)(nv + l->chan_chid) != sc->base.chid)
		return false;
	return !l->has_cli ||
	       *(void *const *)(nv + l->chan_cli) == sc->file->driver_priv;
}

static bool is_function(const void *fn, const char *name)
{
	char is[KSYM_SYMBOL_LEN];

	sprint_symbol_no_offset(is, (unsigned long)fn);
	return !strncmp(is, name, strlen(name)) &&
	       !strcmp(is + strlen(name), " [nouveau]");
}

/* NULL if all that is read by the offsets of the ring makes sense. */
static const char *doubt(const struct tg_stock_chan *sc, void *nv)
{
	const struct tg_stock_layout *l = &tg_stock_layout;
	void *push = push_of(nv);
	u32 *map = *at(push, l->map), *bgn = *at(push, l->bgn);
	u32 *cur = *at(push, l->cur), *end = *at(push, l->end);

	if (!is_function(*word(push, l->wait), l->gpfifo ?
			 "nvif_chan_gpfifo_push_wait" : "nouveau_channel_wait") ||
	    !is_function(*word(push, l->kick), l->gpfifo ?
			 "nvif_chan_gpfifo_push_kick" : "nouveau_channel_kick"))
		return "a ring's functions are not where BTF says";
	if (!map || !PAGE_ALIGNED(map) || bgn < map || cur < bgn || end < cur ||
	    end > map + RING_WORDS)
		return "a ring is not where BTF says";
	if (!sc->gpu->user ||
	    *(const u32 *)(nv + l->ib_put) !=
		    tg_stock_gpu_ib_put(sc->gpu, sc->base.chid))
		return "a ring's PUT is not what BTF says";
	return NULL;
}

void tg_stock_ring_learn(struct tg_stock_chan *sc, void *nv)
{
	static bool reported;
	const char *why;

	if (sc->nv || !is_channel(sc, nv))
		return;
	WRITE_ONCE(sc->nv, nv);
	if (tg_stock_layout.has_inst)
		WRITE_ONCE(sc->context, *(const u64 *)(nv + tg_stock_layout.chan_inst) >> 12);
	if (!sc->base.notify || !tg_stock_layout.ring)
		return;
	why = doubt(sc, nv);
	sc->ring = !why;
	if (!why)
		return;
	sc->base.why = why;
	sc->base.notify = false;
	if (!reported)
		dev_warn(sc->base.dev, "timegraph: %s: fences alone\n", why);
	reported = true;
}

int tg_stock_ring_write(struct tg_stock_chan *sc, const u32 *words, u32 nr)
{
	const struct tg_stock_layout *l = &tg_stock_layout;
	void *push = push_of(sc->nv);
	u32 **cur = at(push, l->cur);
	int ret;

	/*
	 * As nouveau's PUSH_WAIT(), which asks for exactly what is used: what is
	 * granted and not written goes stale when the ring wraps.
	 */
	if (*cur + nr >= *at(push, l->end)) {
		/* nvif_chan drops what was not kicked: there was room before. */
		if (l->gpfifo && *cur != *at(push, l->bgn))
			return -ENOSPC;
		ret = ((wait_fn)*word(push, l->wait))(push, nr);
		if (ret)
			return ret;
	}
	memcpy(*cur, words, nr * sizeof(*words));
	*cur += nr;
	return 0;
}

void tg_stock_ring_kick(struct tg_stock_chan *sc)
{
	void *push = push_of(sc->nv);

	((kick_fn)*word(push, tg_stock_layout.kick))(push);
}
