// SPDX-License-Identifier: GPL-2.0-only
/*
 * Submission hooks: the way of a command group.
 *
 * The read section of nouveau_hooks_read_lock() spans a scheduled ioctl or EXEC
 * job, so the operations that its start found stay callable to its end.
 */
#include <linux/err.h>
#include <linux/highmem.h>
#include <linux/minmax.h>
#include <linux/string.h>

#include <drm/ttm/ttm_tt.h>

#include <nvif/push.h>

#include <subdev/timer.h>

#include "nouveau_drv.h"
#include "nouveau_abi16.h"
#include "nouveau_bo.h"
#include "nouveau_chan.h"
#include "nouveau_dma.h"
#include "nouveau_fence.h"
#include "nouveau_hooks_priv.h"

/* USERD: REF_CNT (nouveau: nv50_fence.c reads the same register). */
#define USERD_REF_CNT	0x48

/* The scheduled channel @chid of the file, with a reference, or NULL. */
static struct nouveau_hook_chan *chan_find(struct drm_file *file_priv, int chid,
					   const struct nouveau_hook_ops *ops)
{
	struct nouveau_abi16 *abi16 = nouveau_abi16_get(file_priv);
	struct nouveau_hook_chan *hc = NULL;
	struct nouveau_abi16_chan *temp;

	if (!abi16)
		return NULL;

	list_for_each_entry(temp, &abi16->channels, head) {
		if (temp->chan->chid == chid) {
			hc = temp->chan->hook;
			break;
		}
	}

	if (hc && nouveau_hooks_chan_scheduled(hc, ops))
		nouveau_hooks_chan_get(hc);
	else
		hc = NULL;

	nouveau_abi16_put(abi16, 0);
	return hc;
}

static bool ioctl_enter(struct nouveau_hooks_call *call,
			struct drm_file *file_priv, int chid)
{
	memset(call, 0, sizeof(*call));
	call->ops = nouveau_hooks_read_lock(&call->srcu);
	if (call->ops)
		call->hc = chan_find(file_priv, chid, call->ops);
	if (!call->hc) {
		nouveau_hooks_read_unlock(call->srcu);
		return false;
	}

	call->group.hc = call->hc;
	return true;
}

static void ioctl_leave(struct nouveau_hooks_call *call)
{
	nouveau_hooks_chan_put(call->hc);
	nouveau_hooks_read_unlock(call->srcu);
}

static void group_settle(struct nouveau_hooks_call *call)
{
	if (call->group.held && !call->submitted && !call->again)
		call->ops->cancelled(&call->group);
}

int nouveau_hooks_pushbuf(struct drm_device *dev,
			  struct drm_nouveau_gem_pushbuf *req,
			  struct drm_file *file_priv,
			  nouveau_hooks_pushbuf_t body)
{
	/* Parts of the argument are both input and output. */
	const struct drm_nouveau_gem_pushbuf input = *req;
	struct nouveau_hooks_call call;
	int ret;

	if (!ioctl_enter(&call, file_priv, req->channel))
		return body(dev, req, file_priv, NULL);

	call.group.nr_push = req->nr_push;
	do {
		call.again = false;
		*req = input;

		ret = call.ops->admit(&call.group);
		if (ret)
			break;

		ret = body(dev, req, file_priv, &call);
		group_settle(&call);
	} while (call.again);

	/* The argument is copied back even then, and read again. */
	if (ret == -ERESTARTSYS && !call.submitted)
		*req = input;

	ioctl_leave(&call);
	return ret;
}

int nouveau_hooks_exec(struct drm_device *dev, struct drm_nouveau_exec *req,
		       struct drm_file *file_priv, nouveau_hooks_exec_t body)
{
	struct nouveau_hooks_call call;
	int ret;

	if (!ioctl_enter(&call, file_priv, req->channel))
		return body(dev, req, file_priv);

	call.group.nr_push = req->push_count;
	call.group.exec = true;

	ret = call.ops->admit(&call.group);
	if (!ret) {
		ret = body(dev, req, file_priv);
		group_settle(&call);
	}

	ioctl_leave(&call);
	return ret;
}

int __nouveau_hooks_prepare(struct nouveau_hooks_call *call,
			    struct nouveau_channel *chan)
{
	/* Freed while admit slept, and its number belongs to another one. */
	if (chan->hook != call->hc)
		return -ENOENT;

	nouveau_hooks_objects_init(call->hc);
	return 0;
}

int __nouveau_hooks_validated(struct nouveau_hooks_call *call)
{
	int ret;

	call->nvbo = NULL;
	call->group.pushes = call->push;
	ret = call->ops->validated(&call->group);
	call->group.pushes = NULL;

	call->again = ret == -EAGAIN;
	return ret;
}

/* Returns the words written, or an error. */
static int push_words(struct nouveau_hooks_call *call, const u32 *words,
		      unsigned int nr, unsigned int limit)
{
	struct nvif_push *push = &call->hc->chan->chan.push;
	unsigned int i;
	int ret;

	if (!nr || WARN_ON_ONCE(nr > limit))
		return 0;

	/*
	 * Ask for exactly what is used: space that is granted and not written
	 * would go stale when nouveau_dma_wait() wraps the ring.
	 */
	ret = PUSH_WAIT(push, nr);
	if (ret)
		return ret;

	for (i = 0; i < nr; i++)
		PUSH_DATA(push, words[i]);
	return nr;
}

int __nouveau_hooks_leader(struct nouveau_hooks_call *call)
{
	u32 words[NOUVEAU_HOOK_LEADER_DW];
	unsigned int nr;

	nr = call->ops->leader(call->hc, &call->group, words);
	return push_words(call, words, nr, ARRAY_SIZE(words));
}

int __nouveau_hooks_trailer(struct nouveau_hooks_call *call)
{
	struct nouveau_hook_group *g = call->worker ? NULL : &call->group;
	u32 words[NOUVEAU_HOOK_TRAILER_DW];
	unsigned int nr;
	int ret;

	nr = call->ops->trailer(call->hc, g, words);
	ret = push_words(call, words, nr, ARRAY_SIZE(words));
	if (ret < 0)
		return ret;

	call->trailer_dw = ret;
	return 0;
}

void __nouveau_hooks_rewind(struct nouveau_hooks_call *call)
{
	struct nvif_push *push = &call->hc->chan->chan.push;

	/* A fence that failed late has kicked them. */
	if (push->cur - push->bgn >= call->trailer_dw)
		push->cur -= call->trailer_dw;
}

void __nouveau_hooks_submitted(struct nouveau_hooks_call *call,
			       struct nouveau_fence *fence)
{
	struct nouveau_hook_group *g = call->worker ? NULL : &call->group;

	call->submitted = true;
	call->ops->submitted(call->hc, g, fence->base.seqno);
}

/* The channel outlives its jobs, so no reference is taken. */
bool __nouveau_hooks_enter(struct nouveau_hooks_call *call,
			   struct nouveau_channel *chan)
{
	if (!chan->hook)
		return false;

	memset(call, 0, sizeof(*call));
	call->worker = true;
	call->hc = chan->hook;
	call->ops = nouveau_hooks_read_lock(&call->srcu);
	if (nouveau_hooks_chan_scheduled(call->hc, call->ops))
		return true;

	nouveau_hooks_read_unlock(call->srcu);
	return false;
}

void __nouveau_hooks_leave(struct nouveau_hooks_call *call)
{
	nouveau_hooks_read_unlock(call->srcu);
}

/*
 * The scheduler's services.
 */

u32 nouveau_hook_ref_read(struct nouveau_hook_chan *hc)
{
	return nvif_rd32(hc->chan->userd, USERD_REF_CNT);
}
EXPORT_SYMBOL_GPL(nouveau_hook_ref_read);

u32 nouveau_hook_fence_read(struct nouveau_hook_chan *hc)
{
	struct nouveau_fence_chan *fctx = hc->chan->fence;

	return fctx->read(hc->chan);
}
EXPORT_SYMBOL_GPL(nouveau_hook_fence_read);

u64 nouveau_hook_time(struct nouveau_hook_chan *hc)
{
	return nvkm_timer_read(nvxx_device(hc->chan->cli->drm)->timer);
}
EXPORT_SYMBOL_GPL(nouveau_hook_time);

void nouveau_hook_fence_irq(struct nouveau_hook_chan *hc, bool on)
{
	struct nouveau_fence_chan *fctx = hc->chan->fence;
	unsigned long flags;

	/* The same count and lock as nouveau_fence_enable_signaling(). */
	spin_lock_irqsave(&fctx->lock, flags);
	if (on) {
		if (!fctx->notify_ref++)
			nvif_event_allow(&fctx->event);
	} else if (!--fctx->notify_ref) {
		nvif_event_block(&fctx->event);
	}
	spin_unlock_irqrestore(&fctx->lock, flags);
}
EXPORT_SYMBOL_GPL(nouveau_hook_fence_irq);

static struct nouveau_bo *push_bo(struct nouveau_hooks_call *call, u32 bo_index)
{
	struct nouveau_bo *nvbo = call->nvbo;

	if (nvbo && nvbo->pbbo_index == bo_index)
		return nvbo;

	list_for_each_entry(nvbo, call->bos, entry) {
		if (nvbo->pbbo_index == bo_index) {
			call->nvbo = nvbo;
			return nvbo;
		}
	}
	return NULL;
}

const u32 *nouveau_hook_push_map(struct nouveau_hook_group *g, u32 index,
				 u32 offset, u32 *count)
{
	struct nouveau_hooks_call *call =
		container_of(g, struct nouveau_hooks_call, group);
	const struct drm_nouveau_gem_pushbuf_push *p;
	struct nouveau_bo *nvbo;
	struct ttm_tt *ttm;
	u64 size, pos;

	*count = 0;
	if (!g->pushes || index >= g->nr_push)
		return ERR_PTR(-EINVAL);

	/* NO_PREFETCH: the GPU itself writes such entries, e.g. indirect draws. */
	p = &call->push[index];
	if (p->length & NOUVEAU_GEM_PUSHBUF_NO_PREFETCH)
		return ERR_PTR(-EOPNOTSUPP);

	nvbo = push_bo(call, p->bo_index);
	if (!nvbo)
		return ERR_PTR(-EINVAL);

	ttm = nvbo->bo.ttm;
	if (nvbo->bo.resource->mem_type != TTM_PL_TT || !ttm || !ttm->pages ||
	    ttm->caching != ttm_cached)
		return ERR_PTR(-EOPNOTSUPP);

	/* On NV50 and later nouveau itself does not check these. */
	size = nvbo->bo.base.size;
	if (((p->offset | p->length) & 3) || p->offset > size ||
	    p->length > size - p->offset ||
	    p->length > NV50_DMA_PUSH_MAX_LENGTH)
		return ERR_PTR(-EINVAL);

	if (offset >= p->length / 4)
		return NULL;

	pos = p->offset + (u64)offset * 4;
	*count = min_t(u32, p->length / 4 - offset,
		       (PAGE_SIZE - offset_in_page(pos)) / 4);
	return kmap_local_page(ttm->pages[pos >> PAGE_SHIFT]) +
	       offset_in_page(pos);
}
EXPORT_SYMBOL_GPL(nouveau_hook_push_map);

void nouveau_hook_push_unmap(const u32 *words)
{
	kunmap_local(words);
}
EXPORT_SYMBOL_GPL(nouveau_hook_push_unmap);
