// SPDX-License-Identifier: GPL-2.0-only
/*
 * PUSHBUF: a group is read, waits for its turn, and goes through nouveau's own ioctl.
 */
#include <drm/drm_device.h>
#include <drm/drm_file.h>
#include <drm/drm_gem.h>
#include <linux/dma-fence.h>
#include <linux/dma-resv.h>
#include <linux/highmem.h>
#include <linux/rcupdate.h>
#include <linux/uaccess.h>

#include "../tg_nouveau.h"
#include "../tg_uaccess.h"
#include "tg_stock_call.h"

/* The entry's buffer, reserved: its pages stay where they are. */
static int entry_open(struct tg_stock_call *call)
{
	struct drm_gem_object *obj;
	u32 handle;

	if (call->entry.buffer >= call->nr_buffers ||
	    tg_uaccess_read(&handle, &call->buffers[call->entry.buffer].handle,
			    sizeof(handle)))
		return -EINVAL;
	obj = drm_gem_object_lookup(call->file, handle);
	if (!obj)
		return -EINVAL;
	if (dma_resv_lock_interruptible(obj->resv, NULL)) {
		drm_gem_object_put(obj);
		return -ERESTARTSYS;
	}
	call->obj = obj;
	return 0;
}

static void entry_close(struct tg_stock_call *call)
{
	if (!call->obj)
		return;
	dma_resv_unlock(call->obj->resv);
	drm_gem_object_put(call->obj);
	call->obj = NULL;
}

/* The words' pages, or why they cannot be read; of a reserved buffer. */
static struct page **entry_pages(const struct tg_stock_call *call)
{
	const struct tg_abi_push *e = &call->entry;
	u64 size = call->obj->size;

	if (((e->offset | e->length) & 3) || e->offset > size ||
	    e->length > size - e->offset || e->length > TG_ABI_MAX_LENGTH)
		return ERR_PTR(-EINVAL);
	return tg_stock_bo_pages(call->obj) ?: ERR_PTR(-EOPNOTSUPP);
}

const u32 *tg_stock_push_map(struct tg_hook_group *g, u32 index, u32 offset,
			     u32 *count)
{
	struct tg_stock_call *call = container_of(g, struct tg_stock_call, group);
	struct tg_abi_push *e = &call->entry;
	struct page **pages;
	u64 pos;
	int ret;

	*count = 0;
	if (!call->obj || index != call->index) {
		entry_close(call);
		call->index = index;
		if (tg_uaccess_read(e, &call->push[index], sizeof(*e)))
			return ERR_PTR(-EFAULT);
		if (e->length & TG_ABI_NO_PREFETCH)
			return ERR_PTR(-EOPNOTSUPP);
		ret = entry_open(call);
		if (ret)
			return ERR_PTR(ret);
	}
	pages = entry_pages(call);
	if (IS_ERR(pages))
		return ERR_CAST(pages);
	if (offset >= e->length / 4)
		return NULL;
	pos = e->offset + (u64)offset * 4;
	*count = min_t(u32, e->length / 4 - offset,
		       (PAGE_SIZE - offset_in_page(pos)) / 4);
	return kmap_local_page(pages[pos >> PAGE_SHIFT]) + offset_in_page(pos);
}

void tg_stock_push_unmap(const u32 *words)
{
	kunmap_local(words);
}

/*
 * Before the group waits for its turn, so that nobody waits for its memory.
 * Threads of one program take turns here; what they submit may still overtake
 * each other, but what they bind is bound by both.
 */
static int read_group(struct tg_stock_call *call)
{
	int ret;

	if (mutex_lock_interruptible(&call->sc->submit))
		return -ERESTARTSYS;
	ret = tg_nouveau_read(&call->group);
	entry_close(call);
	mutex_unlock(&call->sc->submit);
	return ret;
}

static int wait_for_turn(struct tg_stock_call *call)
{
	int ret = read_group(call);

	if (ret)
		return ret;
	do {
		ret = tg_nouveau_admit(&call->group);
		if (ret)
			return ret;
	} while (tg_nouveau_check(&call->group) == -EAGAIN);
	return 0;
}

/* What the call has come to, whatever nouveau returned.  Return: its fence, or NULL. */
static struct dma_fence *settle(struct tg_stock_call *call)
{
	struct dma_fence *fence = call->fence;

	/*
	 * nouveau keeps one that was pushed until it has signalled: if it is
	 * nobody's but ours, it has, or never will.
	 */
	if (fence && kref_read(&fence->refcount) == 1 &&
	    !test_bit(DMA_FENCE_FLAG_SIGNALED_BIT, &fence->flags)) {
		dma_fence_put(fence);
		fence = NULL;
	}
	if (call->free) {
		tg_nouveau_ran(&call->group);
	} else if (call->group.held) {
		if (fence)
			tg_nouveau_submitted(&call->group, fence);
		else
			tg_nouveau_cancelled(&call->group);
	}
	return fence;
}

/* As long as nouveau does at most. */
#define SYNC_NS (15 * NSEC_PER_SEC)

/*
 * Who wants to wait for his group's end does it here, when all is known of it: nouveau would
 * within its ioctl, before that, in a loop that keeps the CPU.  It cannot be called again.
 * When the module goes it is not waited for.
 */
static int wait_for_end(struct dma_fence *fence, const struct tg_stock_chan *sc)
{
	u64 until = ktime_get_ns() + SYNC_NS;
	int status;

	while (!dma_fence_wait_timeout(fence, false, HZ / 10))
		if (tg_stock_closing() || READ_ONCE(sc->freed) || fatal_signal_pending(current) ||
		    ktime_get_ns() > until)
			break;
	status = dma_fence_get_status(fence);
	if (status)
		return status < 0 ? status : 0;
	return tg_stock_closing() ? 0 : -EBUSY;
}

/*
 * nouveau reads the caller's memory, and for that a user can have it wait for as long as
 * he likes; this thread would be within us meanwhile.  So it must do without what is not
 * there, and only if it cannot, which comes before it has done anything, is it called
 * again, and the module held: rmmod says that it is in use instead of hanging.
 *
 * For cards before Tesla, which have relocations, nouveau writes to the caller's memory
 * last, so that it cannot be called again, and the module is held each time; for all others
 * it has done nothing yet when it needs that memory.
 */
static int push(struct tg_stock_call *call, struct drm_device *dev,
		struct tg_abi_pushbuf *req)
{
	const struct tg_abi_pushbuf input = *req;
	int ret;

	if (call->sc->base.chipset < 0x50)
		return tg_stock_call_holding(TG_FN_PUSHBUF, dev, req, call->file);
	ret = tg_stock_call_without_faults(TG_FN_PUSHBUF, dev, req, call->file);
	if (ret == -EFAULT && !call->emitted) {
		*req = input;
		ret = tg_stock_call_holding(TG_FN_PUSHBUF, dev, req, call->file);
	}
	return ret;
}

/*
 * What nouveau does with groups may not be seen (yet) when this one is to be followed.  Then
 * its fence is the newest one of the channel, if there is a new one, and if that is gone
 * it has signalled.  Another thread's may be newer: then it seems to take longer.
 */
static void find_fence_rcu(struct tg_stock_call *call)
{
	u32 number;

	if (call->fence && call->busy)
		tg_stock_fence_learn(call->sc, call->fence);
	if (call->fence || !call->numbered ||
	    !tg_stock_fence_number(call->sc, &number) || number == call->number)
		return;
	call->fence = tg_stock_fence_newest(call->sc) ?: dma_fence_get_stub();
}

/*
 * When the module goes, nobody waits for this call who frees its channel; but nouveau does for
 * a grace period.
 */
static void find_fence(struct tg_stock_call *call)
{
	rcu_read_lock();
	if (!tg_stock_closing())
		find_fence_rcu(call);
	rcu_read_unlock();
}

static void find_number(struct tg_stock_call *call)
{
	rcu_read_lock();
	call->numbered = !tg_stock_closing() &&
			 tg_stock_fence_number(call->sc, &call->number);
	rcu_read_unlock();
}

/* nouveau's part, of a group that was admitted. */
static int follow(struct tg_stock_call *call, struct drm_device *dev,
		  struct tg_abi_pushbuf *req)
{
	const struct tg_abi_pushbuf input = *req;
	int ret;

	find_number(call);
	tg_stock_call_begin(call);
	ret = push(call, dev, req);
	tg_stock_call_end(call);
	find_fence(call);
	/* Parts of the argument are both input and output. */
	if (ret == -ERESTARTSYS && !call->fence)
		*req = input;
	return ret;
}

static int scheduled_pushbuf(struct drm_device *dev, struct tg_abi_pushbuf *req,
			     struct drm_file *file, struct tg_stock_chan *sc)
{
	struct tg_stock_call call = {
		.group = { .hc = &sc->base, .nr_push = req->nr_push },
		.sc = sc,
		.file = file,
		.push = u64_to_user_ptr(req->push),
		.buffers = u64_to_user_ptr(req->buffers),
		.nr_buffers = req->nr_buffers,
	};
	struct dma_fence *fence;
	bool watched, sync;
	int ret;

	/* Where fences are not known it is nouveau's to wait for them. */
	sync = tg_stock_layout.fences && req->vram_available & TG_ABI_PUSHBUF_SYNC;
	if (sync)
		req->vram_available &= ~TG_ABI_PUSHBUF_SYNC;
	/* All that is known of a channel is learnt from what nouveau does with a group. */
	watched = tg_stock_layout.fences && !READ_ONCE(sc->fenced) && tg_stock_hooks_watch();
	ret = tg_nouveau_freerun(&call.group);
	if (ret < 0)
		goto out;
	call.free = ret;
	if (!call.free)
		ret = wait_for_turn(&call);
	if (ret >= 0)
		ret = tg_stock_chan_enter(sc);
	if (ret)
		goto out;
	if (call.group.held) {
		ret = follow(&call, dev, req);
	} else {
		if (sync)
			find_number(&call);
		ret = push(&call, dev, req);
		if (sync)
			find_fence(&call);
	}
	tg_stock_chan_leave(sc);
out:
	fence = settle(&call);
	if (watched)
		tg_stock_hooks_unwatch();
	if (sync && ret)
		req->vram_available |= TG_ABI_PUSHBUF_SYNC;
	else if (sync && fence)
		ret = wait_for_end(fence, sc);
	dma_fence_put(fence);
	return ret;
}

static bool is_sane(const struct tg_abi_pushbuf *req)
{
	return req->nr_push && req->nr_push <= TG_ABI_MAX_PUSH &&
	       req->nr_buffers <= TG_ABI_MAX_BUFFERS;
}

/* Whether nouveau takes a call for the channel that submits nothing. */
static bool exists(struct drm_device *dev, struct drm_file *file, int chid)
{
	struct tg_abi_pushbuf nothing = { .channel = chid };

	return !tg_stock_call_original(TG_FN_PUSHBUF, dev, &nothing, file);
}

int tg_stock_pushbuf(struct drm_device *dev, void *data, struct drm_file *file)
{
	struct tg_abi_pushbuf *req = data;
	struct tg_stock_chan *sc = NULL;
	int srcu = srcu_read_lock(&tg_stock_calls_srcu);
	int ret;

	if (!tg_stock_closing() && is_sane(req))
		sc = tg_stock_chan_find(file, req->channel) ?:
		     tg_stock_chan_find_older(dev, file, req->channel, exists);
	if (sc) {
		ret = scheduled_pushbuf(dev, req, file, sc);
		tg_stock_chan_put(sc);
	} else if (tg_stock_closing()) {
		ret = tg_stock_call_holding(TG_FN_PUSHBUF, dev, req, file);
	} else {
		/* It is refused before its memory is read, or there was no memory for the channel. */
		ret = tg_stock_call_original(TG_FN_PUSHBUF, dev, req, file);
	}
	srcu_read_unlock(&tg_stock_calls_srcu, srcu);
	return ret;
}
