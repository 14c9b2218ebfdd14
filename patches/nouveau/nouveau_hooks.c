// SPDX-License-Identifier: GPL-2.0-only
/*
 * Submission hooks: who is attached to which channel, and what the GPU reports
 * to it.  The contract is in <drm/nouveau_hooks.h>, the call sites use
 * nouveau_hooks_priv.h, the way of a group is in nouveau_hooks_submit.c.
 *
 * Locks, outermost first:
 *
 *	hook_srcu (read)	the whole of a scheduled ioctl or EXEC job
 *	cli->mutex		of the DRM file, by nouveau
 *	hook_mutex		hook_chans and who is attached to its channels
 *
 * Nothing is held while admit runs but the read section.  hook_mutex is never
 * held while waiting for readers, so that a reader may take it.
 */
#include <linux/atomic.h>
#include <linux/bits.h>
#include <linux/kref.h>
#include <linux/mutex.h>
#include <linux/pm_runtime.h>
#include <linux/rculist.h>
#include <linux/slab.h>
#include <linux/srcu.h>
#include <linux/string.h>

#include <nvif/class.h>
#include <nvif/cl0002.h>
#include <nvif/cl0080.h>
#include <nvif/fifo.h>

#include "nouveau_drv.h"
#include "nouveau_abi16.h"
#include "nouveau_bo.h"
#include "nouveau_chan.h"
#include "nouveau_fence.h"
#include "nouveau_hooks_priv.h"
#include "nouveau_vmm.h"

DEFINE_STATIC_KEY_FALSE(nouveau_hooks_key);

/* Called through; NULL as soon as the scheduler starts to detach. */
static const struct nouveau_hook_ops __rcu *hook_ops;
DEFINE_STATIC_SRCU(hook_srcu);

static DEFINE_MUTEX(hook_mutex);
static LIST_HEAD(hook_chans);			/* under hook_mutex, read by RCU */
static const struct nouveau_hook_ops *hook_owner; /* until detached */

/**
 * struct hook_chan - nouveau's part of a hooked channel
 * @base: the scheduler's view
 * @ref: one for the channel, one for each ioctl on it
 * @ops: the scheduler that is owed a chan_free.  Written under hook_mutex as
 *	long as the channel is in hook_chans, constant afterwards.
 * @gone: in the list of a scheduler that detaches
 * @awake: its GPU is held awake while a scheduler comes or goes
 * @rcu: interrupt handlers may still look at a channel that is gone
 * @graphics: it runs on the graphics engine
 * @tried: page and completion object were created, or could not be
 * @bo: the scratch page, which also has the object's notifier
 * @vma: its mapping in the channel's address space
 * @dma: NOUVEAU_HOOK_NOTIFY_HANDLE
 * @m2mf: NOUVEAU_HOOK_OBJECT_HANDLE
 *
 * The last five are under cli->mutex.
 */
struct hook_chan {
	struct nouveau_hook_chan base;
	struct kref ref;
	const struct nouveau_hook_ops *ops;
	struct list_head gone;
	struct list_head awake;
	struct rcu_head rcu;
	bool graphics;

	bool tried;
	struct nouveau_bo *bo;
	struct nouveau_vma *vma;
	struct nvif_object dma;
	struct nvif_object m2mf;
};

static struct hook_chan *to_hook_chan(struct nouveau_hook_chan *hc)
{
	return container_of(hc, struct hook_chan, base);
}

static void chan_release(struct kref *ref)
{
	struct hook_chan *h = container_of(ref, struct hook_chan, ref);

	if (h->ops)
		h->ops->chan_free(&h->base);
	put_pid(h->base.pid);
	put_device(h->base.dev);
	kfree_rcu(h, rcu);
}

void nouveau_hooks_chan_put(struct nouveau_hook_chan *hc)
{
	kref_put(&to_hook_chan(hc)->ref, chan_release);
}

void nouveau_hooks_chan_get(struct nouveau_hook_chan *hc)
{
	kref_get(&to_hook_chan(hc)->ref);
}

/* Offer the channel to a scheduler; one that declines leaves it ungated. */
static void chan_attach(struct hook_chan *h, const struct nouveau_hook_ops *ops)
{
	lockdep_assert_held(&hook_mutex);

	if (ops->chan_new(&h->base))
		return;

	/* priv before ops: pairs with nouveau_hooks_chan_scheduled() */
	smp_store_release(&h->ops, ops);
}

bool nouveau_hooks_chan_scheduled(struct nouveau_hook_chan *hc,
				  const struct nouveau_hook_ops *ops)
{
	/* ops before priv: pairs with chan_attach() */
	return ops && smp_load_acquire(&to_hook_chan(hc)->ops) == ops;
}

/*
 * The scratch page: where semaphores of leaders and trailers are released to,
 * and the completion object notifies.
 */

static void scratch_fini(struct hook_chan *h)
{
	h->base.scratch = 0;
	h->base.scratch_cpu = NULL;
	nouveau_vma_del(&h->vma);
	if (h->bo) {
		nouveau_bo_unmap(h->bo);
		nouveau_bo_unpin(h->bo);
		nouveau_bo_fini(h->bo);
		h->bo = NULL;
	}
}

static int scratch_init(struct hook_chan *h, struct nouveau_channel *chan)
{
	/* Snooped where the bus does it, else not cached. */
	const u32 domain = NOUVEAU_GEM_DOMAIN_GART |
			   NOUVEAU_GEM_DOMAIN_COHERENT;
	struct nouveau_bo *bo;
	bool is_iomem;
	void *cpu;
	int ret;

	ret = nouveau_bo_new(chan->cli, PAGE_SIZE, 0, domain, 0, 0, NULL, NULL,
			     &bo);
	if (ret)
		return ret;

	ret = nouveau_bo_pin(bo, domain, false);
	if (ret) {
		nouveau_bo_fini(bo);
		return ret;
	}
	h->bo = bo;

	ret = nouveau_bo_map(bo);
	if (ret)
		goto err;

	cpu = ttm_kmap_obj_virtual(&bo->kmap, &is_iomem);
	if (is_iomem) {
		ret = -ENODEV;
		goto err;
	}
	memset(cpu, 0, PAGE_SIZE);

	ret = nouveau_vma_new(bo, chan->vmm, &h->vma);
	if (ret)
		goto err;

	h->base.scratch = h->vma->addr;
	h->base.scratch_cpu = cpu;
	return 0;

err:
	scratch_fini(h);
	return ret;
}

/*
 * The completion object: an M2MF object of the kernel with a notifier of its
 * own, so that a trailer does not disturb the user's objects.  PGRAPH keeps one
 * DMA_NOTIFY for all M2MF objects of a channel, though: a trailer that sets it
 * takes it from a user who notifies through M2MF.
 */

static void completion_fini(struct hook_chan *h)
{
	h->base.notify = false;
	nvif_object_dtor(&h->m2mf);
	nvif_object_dtor(&h->dma);
}

static int completion_init(struct hook_chan *h, struct nouveau_channel *chan)
{
	struct nv_dma_v0 args = {
		.target = NV_DMA_V0_TARGET_VM,
		.access = NV_DMA_V0_ACCESS_VM,
		.start = h->base.scratch,
		.limit = h->base.scratch +
			 NOUVEAU_HOOK_SCRATCH_NOTIFY_BYTES - 1,
	};
	int ret;

	/* REF_CNT must be a live register, and the fence an nv84_fence. */
	if (chan->user.oclass != G82_CHANNEL_GPFIFO || !chan->userd->map.ptr)
		return -ENODEV;

	ret = nvif_object_ctor(&chan->user, "hookNtfy",
			       NOUVEAU_HOOK_NOTIFY_HANDLE, NV_DMA_IN_MEMORY,
			       &args, sizeof(args), &h->dma);
	if (ret)
		return ret;

	ret = nvif_object_ctor(&chan->user, "hookM2mf",
			       NOUVEAU_HOOK_OBJECT_HANDLE,
			       NV50_MEMORY_TO_MEMORY_FORMAT, NULL, 0, &h->m2mf);
	if (ret) {
		completion_fini(h);
		return ret;
	}

	h->base.notify = true;
	return 0;
}

/* A PUSHBUF group is about to be validated: no client of VM_BIND comes here. */
void nouveau_hooks_objects_init(struct nouveau_hook_chan *hc)
{
	struct hook_chan *h = to_hook_chan(hc);
	struct nouveau_channel *chan = hc->chan;
	int ret;

	if (h->tried)
		return;
	h->tried = true;

	/* Later classes release semaphores, and stamp them, by other methods. */
	if (chan->user.oclass < G82_CHANNEL_GPFIFO ||
	    chan->user.oclass >= VOLTA_CHANNEL_GPFIFO_A)
		return;

	ret = scratch_init(h, chan);
	if (!ret)
		ret = completion_init(h, chan);
	if (ret)
		NV_PRINTK(dbg, chan->cli, "channel %d: no %s: %d\n", chan->chid,
			  h->bo ? "completion object" : "scratch page", ret);
}

/*
 * The read section of the operations that may sleep.
 */

const struct nouveau_hook_ops *nouveau_hooks_read_lock(int *srcu)
	__acquires(&hook_srcu)
{
	*srcu = srcu_read_lock(&hook_srcu);
	return srcu_dereference(hook_ops, &hook_srcu);
}

void nouveau_hooks_read_unlock(int srcu)
	__releases(&hook_srcu)
{
	srcu_read_unlock(&hook_srcu, srcu);
}

/*
 * Channels.
 */

/* A user's channel is complete.  cli->mutex held. */
void nouveau_hooks_chan_new(struct nouveau_channel *chan)
{
	struct nouveau_fence_chan *fctx = chan->fence;
	struct nouveau_drm *drm = chan->cli->drm;
	const struct nouveau_hook_ops *ops;
	struct hook_chan *h;

	/* Without memory for it the channel is merely not scheduled. */
	h = kzalloc(sizeof(*h), GFP_KERNEL);
	if (!h)
		return;

	kref_init(&h->ref);
	h->base.dev = get_device(drm->dev->dev);
	h->base.chan = chan;
	h->base.pid = get_pid(task_tgid(current));
	strscpy(h->base.comm, current->group_leader->comm,
		sizeof(h->base.comm));
	h->base.chid = chan->chid;
	h->base.chipset = drm->client.device.info.chipset;
	h->base.fence = nouveau_fence(drm)->uevent &&
			nvif_object_constructed(&fctx->event.object);
	/* None before Tesla has scratch pages, none since Fermi the object. */
	h->base.sema_dma = chan->vram.handle;
	h->graphics = nvif_fifo_runlist(&drm->client.device,
					NV_DEVICE_HOST_RUNLIST_ENGINES_GR) &
		      BIT_ULL(chan->runlist);

	mutex_lock(&hook_mutex);
	ops = rcu_dereference_protected(hook_ops,
					lockdep_is_held(&hook_mutex));
	if (ops)
		chan_attach(h, ops);
	list_add_tail_rcu(&h->base.node, &hook_chans);
	mutex_unlock(&hook_mutex);

	WRITE_ONCE(chan->hook, &h->base);
	rcu_assign_pointer(fctx->hook, &h->base);
}

/* The channel goes; its fence context still works.  cli->mutex held. */
void nouveau_hooks_chan_del(struct nouveau_channel *chan)
{
	struct nouveau_fence_chan *fctx = chan->fence;
	struct hook_chan *h;
	int srcu;

	if (!chan->hook)
		return;
	h = to_hook_chan(chan->hook);

	/* Keeps h->ops callable: unregister does not return before the end. */
	nouveau_hooks_read_lock(&srcu);

	mutex_lock(&hook_mutex);
	if (h->ops)
		h->ops->chan_del(&h->base);
	list_del_rcu(&h->base.node);
	mutex_unlock(&hook_mutex);

	WRITE_ONCE(chan->hook, NULL);
	rcu_assign_pointer(fctx->hook, NULL);

	/* fence_event must be over before the page goes, and chan_free. */
	if (h->ops || h->bo)
		synchronize_rcu();
	completion_fini(h);
	scratch_fini(h);
	nouveau_hooks_chan_put(&h->base);

	nouveau_hooks_read_unlock(srcu);
}

/*
 * Events.
 */

void __nouveau_hooks_chan_killed(struct nouveau_channel *chan)
{
	const struct nouveau_hook_ops *ops;
	struct nouveau_hook_chan *hc;

	rcu_read_lock();
	ops = rcu_dereference(hook_ops);
	hc = READ_ONCE(chan->hook);
	if (hc && nouveau_hooks_chan_scheduled(hc, ops))
		ops->chan_killed(hc);
	rcu_read_unlock();
}

void __nouveau_hooks_fence_event(struct nouveau_fence_chan *fctx)
{
	const struct nouveau_hook_ops *ops;
	struct nouveau_hook_chan *hc;

	rcu_read_lock();
	ops = rcu_dereference(hook_ops);
	hc = rcu_dereference(fctx->hook);
	if (hc && nouveau_hooks_chan_scheduled(hc, ops) && ops->fence_event)
		ops->fence_event(hc);
	rcu_read_unlock();
}

/* A trailer's notification that comes after its scheduler was detached. */
static bool notify_is_left_over(struct device *dev, int chid)
{
	struct nouveau_hook_chan *hc;

	list_for_each_entry_rcu(hc, &hook_chans, node) {
		if (hc->dev == dev && hc->chid == chid)
			return hc->notify;
	}
	return false;
}

bool nouveau_hooks_gr_notify(struct device *dev, int chid, u32 data)
{
	const struct nouveau_hook_ops *ops;
	bool known;

	rcu_read_lock();
	ops = rcu_dereference(hook_ops);
	if (ops)
		known = ops->gr_notify && ops->gr_notify(dev, chid, data);
	else
		known = notify_is_left_over(dev, chid);
	rcu_read_unlock();
	return known;
}

void __nouveau_hooks_suspend(struct nouveau_drm *drm, bool suspended)
{
	const struct nouveau_hook_ops *ops;
	int srcu;

	ops = nouveau_hooks_read_lock(&srcu);
	if (ops)
		ops->suspend(drm->dev->dev, suspended);
	nouveau_hooks_read_unlock(srcu);
}

/*
 * The scheduler's side.
 */

void nouveau_hook_charge(struct nouveau_hook_chan *hc, u64 ns)
{
	if (to_hook_chan(hc)->graphics)
		atomic64_add(ns, &hc->chan->cli->hook_gpu_ns);
}
EXPORT_SYMBOL_GPL(nouveau_hook_charge);

/*
 * chan_new and chan_del find the GPU awake, as they do in an ioctl.  Waking it
 * takes locks of nouveau, so not under hook_mutex.
 */
static void gpus_get(struct list_head *awake)
{
	struct hook_chan *h;

	mutex_lock(&hook_mutex);
	list_for_each_entry(h, &hook_chans, base.node) {
		kref_get(&h->ref);
		list_add_tail(&h->awake, awake);
	}
	mutex_unlock(&hook_mutex);

	list_for_each_entry(h, awake, awake)
		pm_runtime_get_sync(h->base.dev);
}

static void gpus_put(struct list_head *awake)
{
	struct hook_chan *h, *tmp;

	list_for_each_entry_safe(h, tmp, awake, awake) {
		pm_runtime_mark_last_busy(h->base.dev);
		pm_runtime_put_autosuspend(h->base.dev);
		nouveau_hooks_chan_put(&h->base);
	}
}

int nouveau_hooks_register(const struct nouveau_hook_ops *ops)
{
	struct hook_chan *h;
	LIST_HEAD(awake);

	if (!ops->chan_new || !ops->chan_del || !ops->chan_free ||
	    !ops->chan_killed || !ops->admit || !ops->validated ||
	    !ops->trailer || !ops->submitted || !ops->cancelled ||
	    !ops->suspend)
		return -EINVAL;

	mutex_lock(&hook_mutex);
	if (hook_owner) {
		mutex_unlock(&hook_mutex);
		return -EBUSY;
	}
	hook_owner = ops;
	mutex_unlock(&hook_mutex);

	/* First: a new channel's first group must not pass unseen. */
	static_branch_enable(&nouveau_hooks_key);
	gpus_get(&awake);
	mutex_lock(&hook_mutex);
	list_for_each_entry(h, &hook_chans, base.node)
		chan_attach(h, ops);
	rcu_assign_pointer(hook_ops, ops);
	mutex_unlock(&hook_mutex);

	gpus_put(&awake);
	return 0;
}
EXPORT_SYMBOL_GPL(nouveau_hooks_register);

void nouveau_hooks_unregister(const struct nouveau_hook_ops *ops)
{
	struct hook_chan *h, *tmp;
	LIST_HEAD(awake);
	LIST_HEAD(gone);

	if (WARN_ON(hook_owner != ops))
		return;

	static_branch_disable(&nouveau_hooks_key);
	gpus_get(&awake);

	mutex_lock(&hook_mutex);
	rcu_assign_pointer(hook_ops, NULL);
	list_for_each_entry(h, &hook_chans, base.node) {
		if (!h->ops)
			continue;
		ops->chan_del(&h->base);
		WRITE_ONCE(h->ops, NULL);
		kref_get(&h->ref);
		list_add_tail(&h->gone, &gone);
	}
	mutex_unlock(&hook_mutex);

	/* Channels that were deleted before are freed by their last reader. */
	synchronize_srcu(&hook_srcu);
	synchronize_rcu();

	list_for_each_entry_safe(h, tmp, &gone, gone) {
		ops->chan_free(&h->base);
		h->base.priv = NULL;
		nouveau_hooks_chan_put(&h->base);
	}
	gpus_put(&awake);

	mutex_lock(&hook_mutex);
	hook_owner = NULL;
	mutex_unlock(&hook_mutex);
}
EXPORT_SYMBOL_GPL(nouveau_hooks_unregister);
