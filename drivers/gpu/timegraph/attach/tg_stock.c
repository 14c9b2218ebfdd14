// SPDX-License-Identifier: GPL-2.0-only
/*
 * The provider for a nouveau as the distribution ships it: what runs instead of
 * its functions, or when they are entered.
 *
 *	instead of		the ioctls PUSHBUF, EXEC, CHANNEL_ALLOC and _FREE, the
 *				end of a DRM file, EXEC's worker, PGRAPH's interrupt,
 *				suspend and resume
 *	when entered		space is asked for in a ring, a fence is emitted, is
 *				let go; the fences' interrupt
 *
 * Within a PUSHBUF call all the latter happen in the calling task, which is how
 * they are told from those of others: the task's call is looked up.
 *
 * Lifetime: what runs instead of a function is inside of an SRCU read section, but
 * for its first and last instructions, after which synchronize_rcu_tasks() waits.
 * So no thread is in here any more when detach() returns.
 */
#define pr_fmt(fmt) "timegraph: " fmt

#include <drm/drm_device.h>
#include <drm/drm_file.h>
#include <drm/drm_gem.h>
#include <drm/drm_syncobj.h>
#include <linux/dma-fence.h>
#include <linux/dma-resv.h>
#include <linux/hash.h>
#include <linux/highmem.h>
#include <linux/pci.h>
#include <linux/sched/signal.h>
#include <linux/srcu.h>
#include <linux/uaccess.h>
#include <linux/wait.h>

#include "../tg_registry.h"
#include "../tg_nouveau.h"
#include "tg_stock.h"
#include "tg_stock_abi.h"

typedef int (*ioctl_fn)(struct drm_device *dev, void *data,
			struct drm_file *file);
typedef void (*postclose_fn)(struct drm_device *dev, struct drm_file *file);
typedef void (*gr_intr_fn)(void *gr);
typedef struct dma_fence *(*run_fn)(void *job);
typedef int (*pm_fn)(struct device *dev);

DEFINE_STATIC_SRCU(calls_srcu);
/* Calls that come now are nouveau's alone. */
static bool closing;

/**
 * struct call - a group on its way through nouveau, in its task
 * @node: in the table of calls
 * @task: who runs nouveau's function
 * @group: timegraph's view; of an EXEC job in its worker, none
 * @sc: the channel
 * @worker: an EXEC job is being run
 * @file: the caller's, of PUSHBUF as the next three
 * @push: user's array of entries
 * @buffers: user's array of buffers
 * @nr_buffers: its length
 * @entry: the entry that push_map() looked at last
 * @index: its number
 * @obj: its buffer, locked, or NULL
 * @space: the space that the group needs was asked for, with what is added to it
 * @emitted: the fence that ends it; a key only
 * @fence: the same, with a reference, once it is one
 */
struct call {
	struct hlist_node node;
	struct task_struct *task;
	struct tg_hook_group group;
	struct tg_stock_chan *sc;
	bool worker;

	struct drm_file *file;
	const struct tg_abi_push __user *push;
	const struct tg_abi_buffer __user *buffers;
	u32 nr_buffers;
	struct tg_abi_push entry;
	u32 index;
	struct drm_gem_object *obj;

	bool space;
	void *emitted;
	struct dma_fence *fence;
};

/*
 * Calls by task.  A task looks for its own call only, which it has put there
 * itself: an empty place is a safe no.
 */
#define CALL_BITS 6
static struct {
	spinlock_t lock;
	struct hlist_head head;
} calls[1 << CALL_BITS];

static void call_begin(struct call *call)
{
	unsigned int i = hash_ptr(current, CALL_BITS);

	call->task = current;
	spin_lock(&calls[i].lock);
	hlist_add_head(&call->node, &calls[i].head);
	spin_unlock(&calls[i].lock);
}

static void call_end(struct call *call)
{
	unsigned int i = hash_ptr(current, CALL_BITS);

	spin_lock(&calls[i].lock);
	hlist_del(&call->node);
	spin_unlock(&calls[i].lock);
}

static struct call *call_find(void)
{
	unsigned int i = hash_ptr(current, CALL_BITS);
	struct call *call;

	if (hlist_empty(&calls[i].head))
		return NULL;
	spin_lock(&calls[i].lock);
	hlist_for_each_entry(call, &calls[i].head, node)
		if (call->task == current)
			break;
	spin_unlock(&calls[i].lock);
	return call;
}

/*
 * PUSHBUF.
 */

/* The entry's buffer, reserved: its pages stay where they are. */
static int entry_open(struct call *call)
{
	struct drm_gem_object *obj;
	u32 handle;

	if (call->entry.buffer >= call->nr_buffers ||
	    get_user(handle, &call->buffers[call->entry.buffer].handle))
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

static void entry_close(struct call *call)
{
	if (!call->obj)
		return;
	dma_resv_unlock(call->obj->resv);
	drm_gem_object_put(call->obj);
	call->obj = NULL;
}

/* The words' pages, or why they cannot be read; of a reserved buffer. */
static struct page **entry_pages(const struct call *call)
{
	const struct tg_abi_push *e = &call->entry;
	u64 size = call->obj->size;

	if (((e->offset | e->length) & 3) || e->offset > size ||
	    e->length > size - e->offset || e->length > TG_ABI_MAX_LENGTH)
		return ERR_PTR(-EINVAL);
	return tg_stock_bo_pages(call->obj) ?: ERR_PTR(-EOPNOTSUPP);
}

static const u32 *push_map(struct tg_hook_group *g, u32 index, u32 offset,
			   u32 *count)
{
	struct call *call = container_of(g, struct call, group);
	struct tg_abi_push *e = &call->entry;
	struct page **pages;
	u64 pos;
	int ret;

	*count = 0;
	if (!call->obj || index != call->index) {
		entry_close(call);
		call->index = index;
		if (copy_from_user(e, &call->push[index], sizeof(*e)))
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

static void push_unmap(const u32 *words)
{
	kunmap_local(words);
}

/*
 * Before the group waits for its turn, so that nobody waits for its memory.
 * Threads of one program take turns here; what they submit may still overtake
 * each other, but what they bind is bound by both.
 */
static int read_group(struct call *call)
{
	if (mutex_lock_interruptible(&call->sc->submit))
		return -ERESTARTSYS;
	tg_nouveau_read(&call->group);
	entry_close(call);
	mutex_unlock(&call->sc->submit);
	return 0;
}

static int wait_for_turn(struct call *call)
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

/* What the call has come to, whatever nouveau returned. */
static void settle(struct call *call)
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
	if (call->group.held) {
		if (fence)
			tg_nouveau_submitted(&call->group, fence);
		else
			tg_nouveau_cancelled(&call->group);
	}
	dma_fence_put(fence);
}

static int scheduled_pushbuf(struct drm_device *dev, struct tg_abi_pushbuf *req,
			     struct drm_file *file, struct tg_stock_chan *sc)
{
	ioctl_fn original = tg_stock_original(TG_FN_PUSHBUF);
	const struct tg_abi_pushbuf input = *req;
	struct call call = {
		.group = { .hc = &sc->base, .nr_push = req->nr_push },
		.sc = sc,
		.file = file,
		.push = u64_to_user_ptr(req->push),
		.buffers = u64_to_user_ptr(req->buffers),
		.nr_buffers = req->nr_buffers,
	};
	int ret;

	ret = wait_for_turn(&call);
	if (ret)
		return ret;
	if (call.group.held)
		call_begin(&call);
	ret = original(dev, req, file);
	if (call.group.held) {
		call_end(&call);
		/* Parts of the argument are both input and output. */
		if (ret == -ERESTARTSYS && !call.fence)
			*req = input;
	}
	settle(&call);
	return ret;
}

static bool is_sane(const struct tg_abi_pushbuf *req)
{
	return req->nr_push && req->nr_push <= TG_ABI_MAX_PUSH &&
	       req->nr_buffers <= TG_ABI_MAX_BUFFERS;
}

/*
 * A channel that is older than the hooks: it exists if nouveau takes a call for it
 * that submits nothing.
 */
static struct tg_stock_chan *find_older(struct drm_device *dev,
					struct drm_file *file, int chid)
{
	ioctl_fn original = tg_stock_original(TG_FN_PUSHBUF);
	struct tg_abi_pushbuf nothing = { .channel = chid };
	struct tg_stock_chan_args args = {
		.dev = dev,
		.file = file,
		.chid = chid,
		.older = true,
	};

	if (original(dev, &nothing, file))
		return NULL;
	tg_stock_chan_add(&args);
	return tg_stock_chan_find(file, chid);
}

static int pushbuf(struct drm_device *dev, void *data, struct drm_file *file)
{
	ioctl_fn original = tg_stock_original(TG_FN_PUSHBUF);
	struct tg_abi_pushbuf *req = data;
	struct tg_stock_chan *sc;
	int srcu = srcu_read_lock(&calls_srcu);
	int ret;

	if (READ_ONCE(closing) || !is_sane(req)) {
		ret = original(dev, req, file);
		goto out;
	}
	sc = tg_stock_chan_find(file, req->channel) ?:
	     find_older(dev, file, req->channel);
	if (sc) {
		ret = scheduled_pushbuf(dev, req, file, sc);
		tg_stock_chan_put(sc);
	} else {
		ret = original(dev, req, file);
	}
out:
	srcu_read_unlock(&calls_srcu, srcu);
	return ret;
}

/* Of nouveau_dma_wait() or nvif_chan_gpfifo_wait(): channel, entries, words. */
static void enter_space(unsigned long *args)
{
	void *nv = (void *)args[0] - tg_stock_layout.space;
	struct call *call = call_find();
	u32 words[TG_HOOK_LEADER_DW], nr;

	if (call && call->worker && !call->sc && tg_stock_layout.known)
		call->sc = tg_stock_ring_find(nv);
	/* nouveau asks for one entry where it writes methods of its own. */
	if (!call || call->worker || call->space ||
	    (int)args[1] != (int)call->group.nr_push + 1)
		return;
	tg_stock_ring_learn(call->sc, nv);
	if (nv != call->sc->nv || !call->sc->ring)
		return;
	call->space = true;
	nr = tg_nouveau_leader(&call->group, words);
	if (nr && !tg_stock_ring_write(call->sc, words, nr))
		tg_stock_ring_kick(call->sc);
	args[2] += TG_HOOK_TRAILER_DW;
}

static void add_trailer(struct call *call)
{
	u32 words[TG_HOOK_TRAILER_DW], nr;

	nr = tg_nouveau_trailer(&call->group, words);
	if (nr && tg_stock_ring_write(call->sc, words, nr))
		tg_nouveau_trailer_lost(&call->group);
}

/* The channel that a fence is emitted in; 6.1 gives it beside the fence. */
static void *channel_of(const unsigned long *args)
{
	const struct tg_stock_layout *l = &tg_stock_layout;

	return l->emit_has_chan ? (void *)args[1] :
	       *(void **)(args[0] + l->fence_channel);
}

/*
 * nouveau_fence_emit().  Buffers may be moved for a group, by fences of nouveau's
 * own channel: the last one of a call is the group's.
 */
static void enter_emit(unsigned long *args)
{
	struct call *call = call_find();

	if (!call)
		return;
	if (call->worker) {
		if (tg_stock_layout.known && !call->sc)
			call->sc = tg_stock_ring_find(channel_of(args));
		return;
	}
	dma_fence_put(call->fence);
	call->fence = NULL;
	call->emitted = (void *)args[0];
	if (call->space && channel_of(args) == call->sc->nv)
		add_trailer(call);
}

/* nouveau_fence_unref(): the caller still has its reference. */
static void enter_unref(unsigned long *args)
{
	struct call *call = call_find();
	void *fence;

	if (!call || call->fence)
		return;
	fence = *(void **)args[0];
	if (fence && fence == call->emitted)
		call->fence = dma_fence_get(fence);
}

/*
 * EXEC.
 */

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
		} while (!ret && !READ_ONCE(closing));
		dma_fence_put(fence);
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
	ioctl_fn original = tg_stock_original(TG_FN_EXEC);
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
	ioctl_fn original = tg_stock_original(TG_FN_EXEC);
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
	ioctl_fn original = tg_stock_original(TG_FN_EXEC);
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

static int exec(struct drm_device *dev, void *data, struct drm_file *file)
{
	ioctl_fn original = tg_stock_original(TG_FN_EXEC);
	struct tg_abi_exec *req = data;
	struct tg_stock_chan *sc;
	int srcu = srcu_read_lock(&calls_srcu);
	int ret;

	if (READ_ONCE(closing) || !req->push_count) {
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
	srcu_read_unlock(&calls_srcu, srcu);
	return ret;
}

static struct dma_fence *exec_run(void *job)
{
	run_fn original = tg_stock_original(TG_FN_EXEC_RUN);
	struct call call = { .worker = true };
	int srcu = srcu_read_lock(&calls_srcu);
	struct dma_fence *fence;

	call_begin(&call);
	fence = original(job);
	call_end(&call);
	if (call.sc) {
		wake_up_all(&chan_met);
		if (!IS_ERR_OR_NULL(fence))
			tg_nouveau_exec_submitted(&call.sc->base, fence);
		else
			tg_nouveau_exec_failed(&call.sc->base);
		tg_stock_chan_put(call.sc);
	}
	dma_fence_put(call.fence);
	srcu_read_unlock(&calls_srcu, srcu);
	return fence;
}

/*
 * Channels and files.
 */

static int chan_alloc(struct drm_device *dev, void *data, struct drm_file *file)
{
	ioctl_fn original = tg_stock_original(TG_FN_CHAN_ALLOC);
	struct tg_abi_channel_alloc *req = data;
	struct tg_stock_chan_args args = {
		.dev = dev,
		.file = file,
		.vram_handle = req->vram_handle,
	};
	int srcu = srcu_read_lock(&calls_srcu);
	int ret;

	ret = original(dev, data, file);
	if (!ret && !READ_ONCE(closing)) {
		args.chid = req->channel;
		args.notifier_handle = req->notifier_handle;
		tg_stock_chan_add(&args);
	}
	srcu_read_unlock(&calls_srcu, srcu);
	return ret;
}

static int chan_free(struct drm_device *dev, void *data, struct drm_file *file)
{
	ioctl_fn original = tg_stock_original(TG_FN_CHAN_FREE);
	const struct tg_abi_channel_free *req = data;
	int srcu = srcu_read_lock(&calls_srcu);
	int ret;

	if (req->channel >= 0)
		tg_stock_chan_del(file, req->channel);
	ret = original(dev, data, file);
	srcu_read_unlock(&calls_srcu, srcu);
	return ret;
}

static void postclose(struct drm_device *dev, struct drm_file *file)
{
	postclose_fn original = tg_stock_original(TG_FN_POSTCLOSE);
	int srcu = srcu_read_lock(&calls_srcu);

	tg_stock_chan_del(file, -1);
	original(dev, file);
	srcu_read_unlock(&calls_srcu, srcu);
}

/*
 * Interrupts, sleep.
 */

static void gr_intr(void *gr)
{
	gr_intr_fn original = tg_stock_original(TG_FN_GR_INTR);

	if (!tg_stock_gpu_notify(gr))
		original(gr);
	/* Not the last thing to do, see Kbuild. */
	barrier();
}

static void enter_uevent(unsigned long *args)
{
	tg_stock_gpu_fences();
}

static int go_to_sleep(struct device *dev, enum tg_stock_fn fn)
{
	pm_fn original = tg_stock_original(fn);
	int srcu = srcu_read_lock(&calls_srcu);
	int ret;

	tg_nouveau_suspend(dev, true);
	ret = original(dev);
	if (ret)
		tg_nouveau_suspend(dev, false);
	srcu_read_unlock(&calls_srcu, srcu);
	return ret;
}

static int come_back(struct device *dev, enum tg_stock_fn fn)
{
	pm_fn original = tg_stock_original(fn);
	int srcu = srcu_read_lock(&calls_srcu);
	int ret;

	ret = original(dev);
	if (!ret)
		tg_nouveau_suspend(dev, false);
	srcu_read_unlock(&calls_srcu, srcu);
	return ret;
}

static int on_suspend(struct device *dev)
{
	return go_to_sleep(dev, TG_FN_SUSPEND);
}

static int on_resume(struct device *dev)
{
	return come_back(dev, TG_FN_RESUME);
}

static int on_freeze(struct device *dev)
{
	return go_to_sleep(dev, TG_FN_FREEZE);
}

static int on_thaw(struct device *dev)
{
	return come_back(dev, TG_FN_THAW);
}

static int on_runtime_suspend(struct device *dev)
{
	return go_to_sleep(dev, TG_FN_RUNTIME_SUSPEND);
}

static int on_runtime_resume(struct device *dev)
{
	return come_back(dev, TG_FN_RUNTIME_RESUME);
}

#define IOCTL_PARAMS { "drm_device", "", "drm_file" }

static const struct tg_stock_hook hooks[TG_NR_FN] = {
	[TG_FN_PUSHBUF] = {
		.name = "nouveau_gem_ioctl_pushbuf",
		.replace = pushbuf, .required = true, .param = IOCTL_PARAMS,
	},
	[TG_FN_EXEC] = {
		.name = "nouveau_exec_ioctl_exec",
		.replace = exec, .param = IOCTL_PARAMS,
	},
	[TG_FN_EXEC_RUN] = {
		.name = "nouveau_exec_job_run",
		.replace = exec_run, .param = { "nouveau_job" },
	},
	[TG_FN_CHAN_ALLOC] = {
		.name = "nouveau_abi16_ioctl_channel_alloc",
		.replace = chan_alloc, .always = true, .required = true, .param = IOCTL_PARAMS,
	},
	[TG_FN_CHAN_FREE] = {
		.name = "nouveau_abi16_ioctl_channel_free",
		.replace = chan_free, .always = true, .required = true, .param = IOCTL_PARAMS,
	},
	[TG_FN_POSTCLOSE] = {
		.name = "nouveau_drm_postclose",
		.replace = postclose, .always = true, .required = true,
		.param = { "drm_device", "drm_file" },
	},
	[TG_FN_GR_INTR] = {
		.name = "nv50_gr_intr",
		.replace = gr_intr, .always = true, .param = { "nvkm_gr" },
	},
	[TG_FN_SUSPEND] = {
		.name = "nouveau_pmops_suspend",
		.replace = on_suspend, .always = true, .required = true, .param = { "device" },
	},
	[TG_FN_RESUME] = {
		.name = "nouveau_pmops_resume",
		.replace = on_resume, .always = true, .required = true, .param = { "device" },
	},
	[TG_FN_FREEZE] = {
		.name = "nouveau_pmops_freeze",
		.replace = on_freeze, .always = true, .param = { "device" },
	},
	[TG_FN_THAW] = {
		.name = "nouveau_pmops_thaw",
		.replace = on_thaw, .always = true, .param = { "device" },
	},
	[TG_FN_RUNTIME_SUSPEND] = {
		.name = "nouveau_pmops_runtime_suspend",
		.replace = on_runtime_suspend, .always = true, .param = { "device" },
	},
	[TG_FN_RUNTIME_RESUME] = {
		.name = "nouveau_pmops_runtime_resume",
		.replace = on_runtime_resume, .always = true, .param = { "device" },
	},
	[TG_FN_EMIT] = {
		.name = "nouveau_fence_emit",
		.enter = enter_emit, .required = true,
		.param = { "nouveau_fence" },
	},
	[TG_FN_UNREF] = {
		.name = "nouveau_fence_unref",
		.enter = enter_unref, .required = true, .param = { "" },
	},
	[TG_FN_SPACE] = {
		.name = "nouveau_dma_wait",
		.or_else = "nvif_chan_gpfifo_wait",
		.enter = enter_space, .param = { "", "#", "#" },
	},
	[TG_FN_UEVENT] = {
		.name = "nouveau_fence_wait_uevent_handler",
		.enter = enter_uevent, .param = { "" },
	},
};

static int attach(void)
{
	struct tg_btf *btf;
	int ret;

	for (unsigned int i = 0; i < ARRAY_SIZE(calls); i++) {
		spin_lock_init(&calls[i].lock);
		INIT_HLIST_HEAD(&calls[i].head);
	}
	if (!driver_find("nouveau", &pci_bus_type))
		return -ENODEV;

	btf = tg_stock_layout_read();
	ret = tg_stock_hooks_find(hooks, btf);
	tg_stock_layout_free(btf);
	if (ret)
		return ret;
	/* Which of the two it is says what it is given, too. */
	if (tg_stock_layout.ring &&
	    tg_stock_layout.gpfifo != tg_stock_has_other(TG_FN_SPACE)) {
		tg_stock_layout.ring = false;
		tg_stock_layout.missing =
			"nouveau's rings and what asks for room in them are of different kernels";
	}
	WRITE_ONCE(closing, false);
	ret = tg_stock_hooks_start();
	if (ret)
		return ret;
	pr_info("attached (stock)%s%s\n",
		tg_stock_layout.missing ? ", by fences alone: " : "",
		tg_stock_layout.missing ?: "");
	return 0;
}

/*
 * First no call comes in any more, and the sleepers of those that are in go on;
 * then the trailers that were sent run, while their interrupts are still seen to;
 * then the hooks go; and last what those used.
 */
static void detach(void)
{
	LIST_HEAD(gone);

	WRITE_ONCE(closing, true);
	tg_stock_chan_close(&gone);
	synchronize_srcu(&calls_srcu);
	/* Those that the last of these calls have made. */
	tg_stock_chan_close(&gone);
	tg_stock_chan_drain(&gone);
	tg_stock_hooks_stop();
	synchronize_srcu(&calls_srcu);
	synchronize_rcu_tasks();
	synchronize_rcu();
	tg_stock_chan_free(&gone);
	tg_stock_gpus_free();
}

/* Channels that were made meanwhile are of the epoch before, as those before. */
static void set_idle(bool idle)
{
	if (tg_stock_hooks_see_groups(!idle) == 1 && !idle)
		tg_registry_new_epoch();
}

static struct tg_stock_gpu *gpu_of(const struct tg_hook_chan *hc)
{
	return container_of(hc, struct tg_stock_chan, base)->gpu;
}

static u32 ref(const struct tg_hook_chan *hc)
{
	return tg_stock_gpu_ref(gpu_of(hc), hc->chid);
}

static u64 gpu_time(const struct tg_hook_chan *hc)
{
	return tg_stock_gpu_time(gpu_of(hc));
}

static int text(char *buf, size_t size)
{
	const char *missing = tg_stock_layout.missing;

	return snprintf(buf, size, "stock%s%s",
			missing ? ", by fences alone: " : "", missing ?: "");
}

const struct tg_attach_ops tg_stock = {
	.name = "stock",
	.attach = attach,
	.detach = detach,
	.set_idle = set_idle,
	.text = text,
	.ref = ref,
	.time = gpu_time,
	.push_map = push_map,
	.push_unmap = push_unmap,
};
