// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a channel was given last, by what nouveau keeps of it: without being told of each
 * group.
 *
 * nouveau has a list for each channel of the fences that may not have signalled, oldest
 * first, and numbers them.  A fence is freed after a grace period of RCU, and the list has
 * a reference: so its end can be looked at without nouveau's lock, which is outside of
 * tg_device.lock.
 */
#include <drm/drm_file.h>
#include <linux/dma-fence.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>

#include "tg_stock.h"

static void *fctx_of(const struct tg_stock_chan *sc)
{
	return READ_ONCE(*(void **)(sc->nv + tg_stock_layout.chan_fence));
}

static u32 sequence(const void *fctx)
{
	return READ_ONCE(*(const u32 *)(fctx + tg_stock_layout.fctx_sequence));
}

static struct list_head *pending(void *fctx)
{
	return fctx + tg_stock_layout.fctx_pending;
}

void tg_stock_fence_learn(struct tg_stock_chan *sc, const struct dma_fence *fence)
{
	const struct tg_stock_layout *l = &tg_stock_layout;
	void *fctx;

	if (sc->fenced || !sc->nv || !l->fences)
		return;
	fctx = fctx_of(sc);
	if (tg_stock_is_memory(fctx) && sequence(fctx) == (u32)fence->seqno &&
	    (void *)READ_ONCE(pending(fctx)->prev) == (void *)fence + l->fence_head)
		WRITE_ONCE(sc->fenced, true);
}

bool tg_stock_fence_number(const struct tg_stock_chan *sc, u32 *nr)
{
	const void *fctx;

	if (!READ_ONCE(sc->fenced))
		return false;
	fctx = fctx_of(sc);
	if (fctx)
		*nr = sequence(fctx);
	return fctx;
}

/* One that cannot be had any more has signalled, and so have all before it. */
struct dma_fence *tg_stock_fence_newest(const struct tg_stock_chan *sc)
{
	struct dma_fence *fence = NULL;
	struct list_head *head, *last;
	void *fctx;

	fctx = READ_ONCE(sc->fenced) ? fctx_of(sc) : NULL;
	if (!fctx)
		return NULL;
	head = pending(fctx);
	rcu_read_lock();
	last = READ_ONCE(head->prev);
	if (last != head)
		fence = dma_fence_get_rcu((void *)last - tg_stock_layout.fence_head);
	rcu_read_unlock();
	return fence;
}

/*
 * One that was given up and that somebody waits for counts as well, who has not woken yet.
 * With PREEMPT_RT it is locked then, without it has no owner, but not all bits of 0.
 */
bool tg_stock_fence_busy(const struct drm_file *file)
{
	struct mutex *mutex = file->driver_priv + tg_stock_layout.cli_mutex;

#ifdef CONFIG_PREEMPT_RT
	return mutex_is_locked(mutex);
#else
	return atomic_long_read(&mutex->owner);
#endif
}
