// SPDX-License-Identifier: GPL-2.0-only
/*
 * EXEC: a job is let into nouveau's queue when it is its group's turn, for once it is
 * published it must end in bounded time; a worker runs it later.
 */
#include <drm/drm_device.h>
#include <drm/drm_file.h>
#include <drm/drm_syncobj.h>
#include <linux/dma-fence.h>
#include <linux/sched/signal.h>
#include <linux/uaccess.h>
#include <linux/wait.h>

#include "../tg_nouveau.h"
#include "tg_stock_call.h"

typedef struct dma_fence *(*run_fn)(void *job);

/* A worker has met a channel's job. */
static DECLARE_WAIT_QUEUE_HEAD(chan_met);

/*
 * A job that waits while it holds the GPU would keep it from what it waits for.
 * What can be waited for is published, so that it ends by itself; what is wrong
 * with the list is for nouveau to say.
 */
static int wait_for_syncs(const struct tg_abi_exec *req, struct drm_file *file)
{
	const struct tg_abi_sync __user *from = u64_to_user_ptr(req->wait_ptr);
	struct tg_abi_sync sync;
	struct dma_fence *fence;
	long ret;

	for (u32 i = 0; i < req->wait_count; i++) {
		if (copy_from_user(&sync, &from[i], sizeof(sync)))
			return 0;
		if ((sync.flags & TG_ABI_SYNC_TYPE) != TG_ABI_SYNC_TIMELINE)
			sync.timeline_value = 0;
		if (drm_syncobj_find_fence(file, sync.handle,
					   sync.timeline_value, 0, &fence))
			return 0;
		do {
			ret = dma_fence_wait_timeout(fence, true, HZ / 10);
		} while (!ret && !tg_stock_closing());
		dma_fence_put(fence);
		if (!ret)
			return 0;
		if (ret < 0)
			return ret;
		if (signal_pending(current))
			return -ERESTARTSYS;
		cond_resched();
	}
	return 0;
}

static int scheduled_exec(struct drm_device *dev, struct tg_abi_exec *req,
			  struct drm_file *file, struct tg_stock_chan *sc)
{
	tg_stock_ioctl_fn original = tg_stock_original(TG_FN_EXEC);
	struct tg_hook_group g = {
		.hc = &sc->base,
		.nr_push = req->push_count,
		.exec = true,
	};
	int ret;

	ret = wait_for_syncs(req, file);
	if (!ret)
		ret = tg_nouveau_admit(&g);
	if (ret)
		return ret;
	ret = original(dev, req, file);
	if (ret && g.held)
		tg_nouveau_cancelled(&g);
	return ret;
}

/* As find_older(), but that a call which submits nothing makes a job here. */
static int unknown_exec(struct drm_device *dev, struct tg_abi_exec *req,
			struct drm_file *file)
{
	tg_stock_ioctl_fn original = tg_stock_original(TG_FN_EXEC);
	struct tg_stock_chan_args args = {
		.dev = dev,
		.file = file,
		.chid = req->channel,
		.older = true,
	};
	int ret = original(dev, req, file);

	if (!ret && req->push_count)
		tg_stock_chan_add(&args);
	return ret;
}

/*
 * A job is known by its channel's address.  That this is read right has been seen
 * when the worker met the channel: so the first job goes unscheduled, and the next
 * one is not taken before, or a tenth of a second has passed.
 */
static int first_exec(struct drm_device *dev, struct tg_abi_exec *req,
		      struct drm_file *file, struct tg_stock_chan *sc)
{
	tg_stock_ioctl_fn original = tg_stock_original(TG_FN_EXEC);
	int ret;

	if (mutex_lock_interruptible(&sc->submit))
		return -ERESTARTSYS;
	if (sc->nv) {
		mutex_unlock(&sc->submit);
		return scheduled_exec(dev, req, file, sc);
	}
	ret = original(dev, req, file);
	if (!ret)
		wait_event_interruptible_timeout(chan_met, READ_ONCE(sc->nv),
						 HZ / 10);
	mutex_unlock(&sc->submit);
	return ret;
}

int tg_stock_exec(struct drm_device *dev, void *data, struct drm_file *file)
{
	tg_stock_ioctl_fn original = tg_stock_original(TG_FN_EXEC);
	struct tg_abi_exec *req = data;
	struct tg_stock_chan *sc;
	int srcu = srcu_read_lock(&tg_stock_calls_srcu);
	int ret;

	if (tg_stock_closing() || !req->push_count) {
		ret = original(dev, req, file);
		goto out;
	}
	sc = tg_stock_chan_find(file, req->channel);
	if (!sc)
		ret = unknown_exec(dev, req, file);
	else if (READ_ONCE(sc->nv))
		ret = scheduled_exec(dev, req, file, sc);
	else if (tg_stock_layout.known && tg_stock_has(TG_FN_EXEC_RUN))
		ret = first_exec(dev, req, file, sc);
	else
		ret = original(dev, req, file);
	if (sc)
		tg_stock_chan_put(sc);
out:
	srcu_read_unlock(&tg_stock_calls_srcu, srcu);
	return ret;
}

struct dma_fence *tg_stock_exec_run(void *job)
{
	run_fn original = tg_stock_original(TG_FN_EXEC_RUN);
	struct tg_stock_call call = { .worker = true };
	int srcu = srcu_read_lock(&tg_stock_calls_srcu);
	struct dma_fence *fence;

	tg_stock_call_begin(&call);
	fence = original(job);
	tg_stock_call_end(&call);
	if (call.sc) {
		wake_up_all(&chan_met);
		if (!IS_ERR_OR_NULL(fence))
			tg_nouveau_exec_submitted(&call.sc->base, fence);
		else
			tg_nouveau_exec_failed(&call.sc->base);
		tg_stock_chan_put(call.sc);
	}
	dma_fence_put(call.fence);
	srcu_read_unlock(&tg_stock_calls_srcu, srcu);
	return fence;
}
