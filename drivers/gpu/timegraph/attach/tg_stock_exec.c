// SPDX-License-Identifier: GPL-2.0-only
/*
 * EXEC: a job is let into nouveau's queue when it is its group's turn, for once it is
 * published it must end in bounded time; a worker runs it later.
 *
 * Nothing in that queue waits for anything but the GPU: what a job is to wait for is
 * waited for here, before its turn, and nouveau is not told of it.  A job that waited
 * while it holds the GPU would keep it from what it waits for; one without commands,
 * which has no turn, would keep those behind it that have theirs.
 */
#include <drm/drm_device.h>
#include <drm/drm_file.h>
#include <drm/drm_syncobj.h>
#include <linux/dma-fence.h>
#include <linux/module.h>
#include <linux/sched/signal.h>
#include <linux/uaccess.h>

#include "../tg_nouveau.h"
#include "../tg_uaccess.h"
#include "tg_stock_call.h"

typedef struct dma_fence *(*run_fn)(void *job);

/* Until it signals, the channel goes, or the module does: then it is nouveau's. */
static int wait_for_fence(struct dma_fence *fence, const struct tg_stock_chan *sc)
{
	long ret;

	do {
		ret = dma_fence_wait_timeout(fence, true, HZ / 10);
	} while (!ret && !tg_stock_closing() && !READ_ONCE(sc->freed));
	if (ret < 0)
		return ret;
	cond_resched();
	return signal_pending(current) ? -ERESTARTSYS : 0;
}

/*
 * What can be waited for is published, so that it ends by itself.  Errors are
 * nouveau's for the same fault: it must not look once more, since another thread can
 * put another fence there at any time.
 */
static int wait_for_syncs(const struct tg_abi_exec *req, struct drm_file *file,
			  const struct tg_stock_chan *sc)
{
	const struct tg_abi_sync __user *from = u64_to_user_ptr(req->wait_ptr);
	struct tg_abi_sync sync;
	struct dma_fence *fence;
	u32 type;
	int ret;

	for (u32 i = 0; i < req->wait_count; i++) {
		ret = tg_uaccess_read(&sync, &from[i], sizeof(sync));
		if (ret)
			return tg_stock_closing() ? 0 : ret;
		type = sync.flags & TG_ABI_SYNC_TYPE;
		if (type > TG_ABI_SYNC_TIMELINE)
			return -EOPNOTSUPP;
		if (type != TG_ABI_SYNC_TIMELINE)
			sync.timeline_value = 0;
		ret = drm_syncobj_find_fence(file, sync.handle,
					     sync.timeline_value, 0, &fence);
		if (ret)
			return ret;
		ret = wait_for_fence(fence, sc);
		dma_fence_put(fence);
		if (ret)
			return ret;
		if (tg_stock_closing())
			return 0;
	}
	return 0;
}

/* What became of a group that had its turn. */
static void settle(struct tg_stock_call *call, int ret)
{
	/* Of what was made a job, the worker tells. */
	if (ret && call->job)
		tg_nouveau_exec_take(&call->group, call->job);
	if (call->group.held)
		tg_nouveau_cancelled(&call->group);
}

/* As PUSHBUF's argument, it is copied back. */
static int without_waits(struct tg_stock_call *call, struct drm_device *dev,
			 struct tg_abi_exec *req, struct drm_file *file)
{
	const u32 wait_count = req->wait_count;
	int ret;

	if (!tg_stock_closing())
		req->wait_count = 0;
	ret = tg_stock_call_without_faults(TG_FN_EXEC, dev, req, file);
	/* As push() does, and before there is a job. */
	if (ret == -EFAULT && !call->job)
		ret = tg_stock_call_holding(TG_FN_EXEC, dev, req, file);
	req->wait_count = wait_count;
	return ret;
}

static int scheduled_exec(struct drm_device *dev, struct tg_abi_exec *req,
			  struct drm_file *file, struct tg_stock_chan *sc)
{
	struct tg_stock_call call = {
		.group = { .hc = &sc->base, .nr_push = req->push_count, .exec = true },
		.sc = sc,
	};
	int ret;

	ret = wait_for_syncs(req, file, sc);
	/* A job without commands only signals: it takes no time of the GPU's. */
	if (!ret && req->push_count)
		ret = tg_nouveau_admit(&call.group);
	if (ret)
		return ret;
	ret = tg_stock_chan_enter(sc);
	if (!ret) {
		tg_stock_call_begin(&call);
		ret = without_waits(&call, dev, req, file);
		tg_stock_call_end(&call);
		tg_stock_chan_leave(sc);
	}
	settle(&call, ret);
	return ret;
}

/*
 * Whether nouveau knows the channel: then it says that the array cannot be read, which
 * is nobody's address.
 */
static bool exists(struct drm_device *dev, struct drm_file *file, int chid)
{
	struct tg_abi_exec nothing = {
		.channel = chid,
		.wait_count = 1,
		.wait_ptr = TASK_SIZE_MAX,
	};

	return tg_stock_call_original(TG_FN_EXEC, dev, &nothing, file) == -EFAULT;
}

/* Where the worker cannot be seen, or not for whom it works, nothing is scheduled. */
static bool can_schedule(void)
{
	return tg_stock_has(TG_FN_EXEC_RUN) && tg_stock_has(TG_FN_JOB) &&
	       !tg_stock_closing();
}

int tg_stock_exec(struct drm_device *dev, void *data, struct drm_file *file)
{
	struct tg_abi_exec *req = data;
	struct tg_stock_chan *sc = NULL;
	int srcu = srcu_read_lock(&tg_stock_calls_srcu);
	int ret;

	if (can_schedule())
		sc = tg_stock_chan_find(file, req->channel) ?:
		     tg_stock_chan_find_older(dev, file, req->channel, exists);
	if (sc) {
		ret = scheduled_exec(dev, req, file, sc);
		tg_stock_chan_put(sc);
	} else {
		/* As without_waits(): nouveau reads its arrays before there is a job. */
		ret = tg_stock_call_without_faults(TG_FN_EXEC, dev, req, file);
		if (ret == -EFAULT)
			ret = tg_stock_call_holding(TG_FN_EXEC, dev, req, file);
	}
	srcu_read_unlock(&tg_stock_calls_srcu, srcu);
	return ret;
}

/*
 * The group is taken before the job runs: afterwards the job may be over and gone,
 * and its address another's.
 */
struct dma_fence *tg_stock_exec_run(void *job)
{
	run_fn original = tg_stock_original(TG_FN_EXEC_RUN);
	struct tg_hook_group g = { .exec = true };
	int srcu = srcu_read_lock(&tg_stock_calls_srcu);
	struct dma_fence *fence;
	bool scheduled;

	scheduled = tg_nouveau_exec_take(&g, (unsigned long)job);
	fence = original(job);
	if (scheduled && !IS_ERR_OR_NULL(fence))
		tg_nouveau_submitted(&g, fence);
	else if (scheduled)
		tg_nouveau_cancelled(&g);
	srcu_read_unlock(&tg_stock_calls_srcu, srcu);
	return fence;
}
