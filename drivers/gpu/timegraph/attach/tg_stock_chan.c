// SPDX-License-Identifier: GPL-2.0-only
/*
 * Channels: who has which, and what timegraph makes in them.
 *
 * A channel is known by its DRM file and its number, since that is what user space
 * names it by.  Those allocated while the hooks are there are known from the
 * start, older ones from their first group on.
 *
 * Locks: chans_mutex is the outermost one.  The table is read by RCU.
 */
#define pr_fmt(fmt) "timegraph: " fmt

#include <drm/drm_device.h>
#include <drm/drm_drv.h>
#include <drm/drm_file.h>
#include <drm/drm_gem.h>
#include <drm/drm_ioctl.h>
#include <linux/delay.h>
#include <linux/hashtable.h>
#include <linux/mm.h>
#include <linux/preempt.h>
#include <linux/rculist.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "../tg_nouveau.h"
#include "../tg_chan.h"
#include "tg_stock.h"
#include "tg_stock_abi.h"

/* NV50_MEMORY_TO_MEMORY_FORMAT: of all classes with NOTIFY the least to do. */
#define CLASS_M2MF 0x5039

/*
 * Where the scratch area is in the page of notifiers that nouveau makes for each
 * channel, where nouveau keeps no account of it: from Fermi on nothing uses it.
 */
#define SCRATCH_OFFSET 1024

static DEFINE_MUTEX(chans_mutex);
/* By file; written under the mutex. */
static DEFINE_HASHTABLE(table, 8);
/* Under the mutex. */
static LIST_HEAD(chans);
/* Numbers that nouveau is about to free or has just freed, by tg_stock_gone.node; as above. */
static DEFINE_HASHTABLE(leaving, 8);

static int call_ioctl(struct drm_device *dev, enum tg_abi_nr nr, void *arg,
		      struct drm_file *file)
{
	const struct drm_driver *driver = dev->driver;

	if (nr >= driver->num_ioctls || !driver->ioctls[nr].func)
		return -ENOTTY;
	return driver->ioctls[nr].func(dev, arg, file);
}

/*
 * The page with the notifiers, which nouveau keeps where it is as long as the
 * channel exists.  The handle could have been given to another buffer by now:
 * whatever it is, it is pinned, and if it is not where the GPU writes, then the
 * program has spoilt its own accounts.
 */
static void *page_get(struct tg_stock_chan *sc, u32 handle)
{
	struct drm_gem_object *obj = drm_gem_object_lookup(sc->file, handle);
	struct page *page;

	if (!obj)
		return NULL;
	page = tg_stock_bo_pin(obj);
	if (!page) {
		drm_gem_object_put(obj);
		return NULL;
	}
	sc->page = obj;
	return page_address(page);
}

static void page_put(struct tg_stock_chan *sc)
{
	if (!sc->page)
		return;
	tg_stock_bo_unpin(sc->page);
	drm_gem_object_put(sc->page);
	sc->page = NULL;
}

/*
 * The object and notifier of the trailer, as a program makes them for itself; they
 * go with the channel.  Returns where nouveau put the notifier, or an error.
 */
static int make_objects(struct drm_device *dev, struct tg_stock_chan *sc)
{
	struct tg_abi_notifierobj_alloc ntfy = {
		.channel = sc->base.chid,
		.handle = TG_HOOK_NOTIFY_HANDLE,
		.size = TG_HOOK_SCRATCH_BYTES,
	};
	struct tg_abi_grobj_alloc object = {
		.channel = sc->base.chid,
		.handle = TG_HOOK_OBJECT_HANDLE,
		.class = CLASS_M2MF,
	};
	struct tg_abi_gpuobj_free undo = {
		.channel = sc->base.chid,
		.handle = TG_HOOK_NOTIFY_HANDLE,
	};
	int ret;

	ret = call_ioctl(dev, TG_ABI_NOTIFIEROBJ_ALLOC, &ntfy, sc->file);
	if (ret)
		return ret;
	if (ntfy.offset > PAGE_SIZE - TG_HOOK_SCRATCH_BYTES)
		ret = -ENOSPC;
	else
		ret = call_ioctl(dev, TG_ABI_GROBJ_ALLOC, &object, sc->file);
	if (!ret)
		return ntfy.offset;
	call_ioctl(dev, TG_ABI_GPUOBJ_FREE, &undo, sc->file);
	return ret;
}

static void make_scratch(struct drm_device *dev, struct tg_stock_chan *sc,
			 u32 handle)
{
	struct tg_abi_gem_info info = { .handle = handle };
	bool tesla = tg_stock_gpu_is_tesla(sc->gpu);
	int offset = SCRATCH_OFFSET;
	void *page;

	sc->base.why = "this card has no NOTIFY that can be used";
	/* A client of VM_BIND maps its buffers itself: this one has no address. */
	if (!sc->gpu->timer || call_ioctl(dev, TG_ABI_GEM_INFO, &info, sc->file) ||
	    !info.offset || info.size != PAGE_SIZE)
		return;
	page = page_get(sc, handle);
	if (!page)
		return;
	if (tesla) {
		offset = make_objects(dev, sc);
		if (offset < 0) {
			sc->base.why = "no room for its completion object";
			page_put(sc);
			return;
		}
		sc->base.notify = tg_stock_layout.ring && sc->gpu->graph &&
				  sc->gpu->user && tg_stock_has(TG_FN_GR_INTR) &&
				  tg_stock_has(TG_FN_SPACE);
		sc->base.why = sc->base.notify ? NULL :
			       tg_stock_layout.missing ?:
			       "nouveau lacks a function for it";
	}
	/* Without the ring nothing can be put before nouveau's fence. */
	if (!tg_stock_layout.ring || !tg_stock_has(TG_FN_SPACE))
		return;
	sc->base.scratch_cpu = page + offset;
	memset(sc->base.scratch_cpu, 0, TG_HOOK_SCRATCH_BYTES);
	sc->base.scratch = info.offset + offset;
	sc->base.marks = tesla && tg_stock_layout.words;
}

static struct tg_stock_chan *create(const struct tg_stock_chan_args *args)
{
	struct tg_stock_gpu *gpu = tg_stock_gpu_get(args->dev, args->file);
	struct tg_stock_chan *sc;

	if (!gpu)
		return NULL;
	sc = kzalloc(sizeof(*sc), GFP_KERNEL);
	if (!sc)
		return NULL;
	kref_init(&sc->ref);
	mutex_init(&sc->submit);
	init_rwsem(&sc->use);
	sc->gpu = gpu;
	sc->file = args->file;
	sc->base.ops = &tg_stock;
	sc->base.dev = get_device(gpu->dev);
	sc->base.pid = get_pid(task_tgid(current));
	strscpy(sc->base.comm, current->group_leader->comm,
		sizeof(sc->base.comm));
	sc->base.chid = args->chid;
	sc->base.chipset = gpu->chipset;
	sc->base.older = args->older;
	sc->base.event = gpu->chipset >= 0x84;
	sc->base.why = "it is older than the module";
	if (tg_stock_gpu_is_tesla(gpu))
		sc->base.sema_dma = args->vram_handle;
	if (!args->older)
		make_scratch(args->dev, sc, args->notifier_handle);
	return sc;
}

static void destroy(struct tg_stock_chan *sc)
{
	page_put(sc);
	put_pid(sc->base.pid);
	put_device(sc->base.dev);
	kfree_rcu(sc, rcu);
}

static void release(struct kref *ref)
{
	struct tg_stock_chan *sc = container_of(ref, struct tg_stock_chan, ref);
	struct tg_stock_chan *before = sc->before;

	tg_nouveau_chan_free(&sc->base);
	destroy(sc);
	if (before)
		tg_stock_chan_put(before);
}

void tg_stock_chan_put(struct tg_stock_chan *sc)
{
	kref_put(&sc->ref, release);
}

/*
 * Once it is out of the table no new call finds it; those that did go on, and see that it
 * is freed before they are let go.
 */
static void take_back(struct tg_stock_chan *sc, struct list_head *gone)
{
	lockdep_assert_held(&chans_mutex);
	WRITE_ONCE(sc->freed, true);
	hash_del_rcu(&sc->node);
	list_move_tail(&sc->list, gone);
	tg_nouveau_chan_close(&sc->base);
}

static void take_all_of(struct drm_file *file, int chid, bool only_older,
			struct list_head *gone)
{
	struct tg_stock_chan *sc;
	struct hlist_node *tmp;

	lockdep_assert_held(&chans_mutex);
	hash_for_each_possible_safe(table, sc, tmp, node, (unsigned long)file)
		if (sc->file == file && (chid < 0 || sc->base.chid == chid) &&
		    (!only_older || sc->base.older))
			take_back(sc, gone);
}

/* Until no call that found them is in nouveau; then nobody looks at what nouveau has of them. */
static void wait_for_calls(const struct list_head *gone)
{
	struct tg_stock_chan *head, *sc;

	list_for_each_entry(head, gone, list) {
		for (sc = head; sc; sc = sc->before) {
			down_write(&sc->use);
			up_write(&sc->use);
			tg_nouveau_chan_last(&sc->base);
		}
	}
}

static void forget(struct tg_stock_chan *sc)
{
	for (; sc; sc = sc->before)
		tg_nouveau_chan_del(&sc->base);
}

static bool is_there(struct drm_file *file, int chid)
{
	const struct tg_stock_chan *sc;

	lockdep_assert_held(&chans_mutex);
	hash_for_each_possible(table, sc, node, (unsigned long)file)
		if (sc->file == file && sc->base.chid == chid)
			return true;
	return false;
}

static unsigned long leaving_key(const struct drm_file *file, int chid)
{
	return (unsigned long)file + chid;
}

static struct tg_stock_gone *find_leaving(const struct drm_file *file, int chid)
{
	struct tg_stock_gone *gone;

	lockdep_assert_held(&chans_mutex);
	hash_for_each_possible(leaving, gone, node, leaving_key(file, chid))
		if (gone->file == file && gone->chid == chid)
			return gone;
	return NULL;
}

/* What had its number was added by a thread that had guessed that, and may still be in use. */
static void replace(struct tg_stock_chan *sc)
{
	LIST_HEAD(gone);

	lockdep_assert_held(&chans_mutex);
	take_all_of(sc->file, sc->base.chid, false, &gone);
	sc->before = list_first_entry_or_null(&gone, struct tg_stock_chan, list);
	if (sc->before)
		list_del_init(&sc->before->list);
	WARN_ON(!list_empty(&gone));
}

/*
 * Of several threads that meet an older channel, one adds it, unless nouveau is freeing it:
 * nobody would take it back before that.  One that was just made takes the place of what
 * has its number.
 */
void tg_stock_chan_add(const struct tg_stock_chan_args *args)
{
	struct tg_stock_chan *sc = create(args);

	/* Without memory for it the channel is merely not scheduled. */
	if (!sc)
		return;
	if (tg_nouveau_chan_new(&sc->base)) {
		destroy(sc);
		return;
	}
	mutex_lock(&chans_mutex);
	if (!args->older || (!is_there(args->file, args->chid) &&
			     !find_leaving(args->file, args->chid))) {
		replace(sc);
		hash_add_rcu(table, &sc->node, (unsigned long)sc->file);
		list_add_tail(&sc->list, &chans);
		sc = NULL;
	}
	mutex_unlock(&chans_mutex);
	if (sc)
		tg_stock_chan_put(sc);
}

static struct tg_stock_chan *find_rcu(const struct drm_file *file, int chid)
{
	struct tg_stock_chan *sc;

	hash_for_each_possible_rcu(table, sc, node, (unsigned long)file)
		if (sc->file == file && sc->base.chid == chid)
			return sc;
	return NULL;
}

struct tg_stock_chan *tg_stock_chan_find(struct drm_file *file, int chid)
{
	struct tg_stock_chan *sc;

	rcu_read_lock();
	sc = find_rcu(file, chid);
	if (sc && !kref_get_unless_zero(&sc->ref))
		sc = NULL;
	rcu_read_unlock();
	return sc;
}

/* Of RCU's ways the one that costs least: this is the way of each group that runs free. */
bool tg_stock_chan_pass(unsigned long data, unsigned long file)
{
	const struct tg_abi_pushbuf *req = (const void *)data;
	struct tg_stock_chan *sc;
	bool passes;

	preempt_disable_notrace();
	sc = find_rcu((struct drm_file *)file, req->channel);
	passes = sc && atomic_read(&sc->base.pass) && !tg_stock_fence_busy(sc->file) &&
		 atomic_dec_if_positive(&sc->base.pass) >= 0;
	preempt_enable_notrace();
	return passes;
}

/*
 * One at a time of each number: until the calls are over that have found a channel nobody
 * else gets on to free it.  Who ends wakes the next one alone, however many there are, and
 * leaves him those behind him.
 */
static void begin_leaving(struct tg_stock_gone *gone, struct drm_file *file, int chid,
			  bool only_older)
{
	struct tg_stock_gone *first;

	INIT_LIST_HEAD(&gone->chans);
	INIT_LIST_HEAD(&gone->next);
	init_completion(&gone->turn);
	gone->file = file;
	gone->chid = chid;
	mutex_lock(&chans_mutex);
	first = find_leaving(file, chid);
	if (first) {
		list_add_tail(&gone->next, &first->next);
		mutex_unlock(&chans_mutex);
		wait_for_completion(&gone->turn);
		mutex_lock(&chans_mutex);
	} else {
		hash_add(leaving, &gone->node, leaving_key(file, chid));
	}
	take_all_of(file, chid, only_older, &gone->chans);
	mutex_unlock(&chans_mutex);
	wait_for_calls(&gone->chans);
}

/* Nouveau does not know it, and did when it was asked. */
static void drop_older(struct drm_file *file, int chid)
{
	struct tg_stock_gone gone;

	begin_leaving(&gone, file, chid, true);
	tg_stock_chan_taken(&gone);
}

/*
 * It is asked again when it can be found, for another thread may have freed it: either
 * that is seen here, or this by that thread.
 */
struct tg_stock_chan *tg_stock_chan_find_older(struct drm_device *dev,
					       struct drm_file *file, int chid,
					       tg_stock_exists_fn exists)
{
	struct tg_stock_chan_args args = {
		.dev = dev,
		.file = file,
		.chid = chid,
		.older = true,
	};

	if (!exists(dev, file, chid))
		return NULL;
	tg_stock_chan_add(&args);
	if (!exists(dev, file, chid))
		drop_older(file, chid);
	return tg_stock_chan_find(file, chid);
}

int tg_stock_chan_enter(struct tg_stock_chan *sc)
{
	down_read(&sc->use);
	if (!READ_ONCE(sc->freed))
		return 0;
	up_read(&sc->use);
	return -ENOENT;
}

void tg_stock_chan_leave(struct tg_stock_chan *sc)
{
	up_read(&sc->use);
}

void tg_stock_chan_take(struct tg_stock_gone *gone, struct drm_file *file, int chid)
{
	begin_leaving(gone, file, chid, false);
}

void tg_stock_chan_taken(struct tg_stock_gone *gone)
{
	struct tg_stock_gone *next;

	mutex_lock(&chans_mutex);
	hash_del(&gone->node);
	next = list_first_entry_or_null(&gone->next, struct tg_stock_gone, next);
	if (next) {
		/* The list goes on without its first head. */
		list_del(&gone->next);
		hash_add(leaving, &next->node, leaving_key(next->file, next->chid));
		complete(&next->turn);
	}
	mutex_unlock(&chans_mutex);
	tg_stock_chan_free(&gone->chans);
}

/* Nothing is charged any more; and nouveau may free them as soon as no hook sees it. */
void tg_stock_chan_close(struct list_head *gone)
{
	struct tg_stock_chan *sc, *n;
	struct tg_stock_gone *other;
	int bucket;

	mutex_lock(&chans_mutex);
	hash_for_each(leaving, bucket, other, node)
		list_for_each_entry(sc, &other->chans, list)
			forget(sc);
	list_for_each_entry_safe(sc, n, &chans, list) {
		hash_del_rcu(&sc->node);
		list_move_tail(&sc->list, gone);
		forget(sc);
	}
	mutex_unlock(&chans_mutex);
}

static bool is_quiet(const struct list_head *gone)
{
	const struct tg_stock_chan *sc;

	list_for_each_entry(sc, gone, list)
		if (sc->ring && sc->base.priv->seq &&
		    tg_stock_gpu_ref(sc->gpu, sc->base.chid) !=
			    sc->base.priv->seq)
			return false;
	return true;
}

void tg_stock_chan_drain(const struct list_head *gone)
{
	for (int i = 0; i < 150 && !is_quiet(gone); i++)
		usleep_range(900, 1100);
}

void tg_stock_chan_free(struct list_head *gone)
{
	struct tg_stock_chan *sc, *n;

	list_for_each_entry_safe(sc, n, gone, list) {
		forget(sc);
		tg_stock_chan_put(sc);
	}
}
