// SPDX-License-Identifier: GPL-2.0-only
/*
 * How buffers are made and freed, and where they are put.
 *
 * A buffer is charged before nouveau makes it, by the size that it will have; in
 * nouveau_bo_init() its address is known, under which it is found until
 * nouveau_bo_del_ttm(), which TTM calls when its memory is free again: after the last
 * fence, whoever let go of it last.  From nouveau_gem_object_del() on, when nobody has a handle
 * any more, its maker may have as much anew.
 *
 * One that is to be in system memory is made for both: nouveau then gives it pages that
 * either can have, and takes PUSHBUF's word that it be in video memory for possible.  It is
 * put into system memory each time that nouveau says where it may be.  Only one that is
 * to be scanned out goes to video memory for good.
 */
#define pr_fmt(fmt) "timegraph: " fmt

#include <drm/drm_device.h>
#include <drm/drm_drv.h>
#include <drm/drm_file.h>
#include <drm/drm_gem.h>
#include <drm/drm_ioctl.h>
#include <drm/drm_mode.h>
#ifdef TG_HAVE_TTM_BO_HEADER
#include <drm/ttm/ttm_bo.h>
#else
#include <drm/ttm/ttm_bo_api.h>
#endif
#include <drm/ttm/ttm_placement.h>
#include <linux/delay.h>
#include <linux/ktime.h>
#include <linux/list.h>
#include <linux/math.h>
#include <linux/mutex.h>
#include <linux/sched/signal.h>
#include <linux/sizes.h>
#include <linux/spinlock.h>

#include "../tg_buffer.h"
#include "../tg_instance.h"
#include "../tg_memory.h"
#include "../tg_params.h"
#include "../tg_registry.h"
#include "tg_stock_call.h"

typedef int (*dumb_fn)(struct drm_file *file, struct drm_device *dev, void *data);

/**
 * struct birth - a buffer that is being made
 * @node: in births
 * @task: who makes it
 * @buffer: until its address is known
 * @spill: it is to be in system memory
 * @scanout: it is to be scanned out
 */
struct birth {
	struct list_head node;
	struct task_struct *task;
	struct tg_buffer *buffer;
	bool spill;
	bool scanout;
};

static DEFINE_SPINLOCK(births_lock);
static LIST_HEAD(births);

/* All of them, or nothing is accounted for. */
static const struct {
	enum tg_stock_fn fn;
	const char *name;
} needed[] = {
	{ TG_FN_GEM_NEW, "nouveau_gem_ioctl_new" },
	{ TG_FN_DUMB_CREATE, "nouveau_display_dumb_create" },
	{ TG_FN_BO_INIT, "nouveau_bo_init" },
	{ TG_FN_BO_PLACE, "nouveau_bo_placement_set" },
	{ TG_FN_BO_PIN, "nouveau_bo_pin" },
	{ TG_FN_GEM_DEL, "nouveau_gem_object_del" },
	{ TG_FN_BO_DEL, "nouveau_bo_del_ttm" },
};

/* What this nouveau lacks, or NULL. */
static const char *missing(void)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(needed); i++)
		if (!tg_stock_has(needed[i].fn))
			return needed[i].name;
	return NULL;
}

void tg_stock_mem_say(void)
{
	const char *name = tg_param_vram ? missing() : NULL;

	if (name)
		pr_notice("video memory cannot be reserved: this nouveau has no %s to hook\n",
			  name);
}

/* @lately: see tg_memory_is_described(). */
static struct tg_device *described_device_of(struct drm_device *dev, struct drm_file *file,
					     const struct tg_stock_gpu **gpu, bool lately)
{
	struct tg_device *td;
	u64 size, used;

	if (tg_stock_closing() || missing())
		return NULL;
	*gpu = tg_stock_gpu_get(dev, file);
	/* Before Tesla a buffer can be where it was not made for, and be larger than is asked. */
	if (!*gpu || (*gpu)->chipset < 0x50)
		return NULL;
	td = tg_registry_get(dev->dev);
	if (!td || tg_memory_is_described(td, lately))
		return td;
	tg_stock_gpu_memory(dev, file, &size, &used);
	tg_memory_describe(td, size, used);
	return td;
}

/* Return: it, with its *@gpu; NULL: nothing is accounted for. */
static struct tg_device *device_of(struct drm_device *dev, struct drm_file *file,
				   const struct tg_stock_gpu **gpu)
{
	return described_device_of(dev, file, gpu, false);
}

/* nouveau's allocator of a GPU's memory (struct nvkm_ram), or NULL. */
static void *heap_of(const void *device)
{
	const struct tg_stock_layout *l = &tg_stock_layout;
	const void *fb;

	if (!l->heap)
		return NULL;
	fb = *(void *const *)(device + l->device_fb);
	return fb ? *(void *const *)(fb + l->fb_ram) : NULL;
}

static struct mutex *mutex_of(void *heap)
{
	return heap + tg_stock_layout.ram_mutex;
}

/* Up to @enough; its mutex is held. */
static u64 sum_of_free(void *heap, u64 enough)
{
	const struct tg_stock_layout *l = &tg_stock_layout;
	struct list_head *list = heap + l->ram_free;
	u64 sum = 0;

	for (struct list_head *at = list->next; at != list && sum < enough; at = at->next)
		sum += (u64)*(const u32 *)((void *)at - l->node_free + l->node_length) << 12;
	return sum;
}

/* What is free of a GPU's memory, up to @enough; TG_VRAM_MAX_BYTES: that is not known. */
static u64 free_of_heap(const void *device, u64 enough)
{
	void *heap = heap_of(device);
	u64 sum;

	if (!heap)
		return TG_VRAM_MAX_BYTES;
	mutex_lock(mutex_of(heap));
	sum = sum_of_free(heap, enough);
	mutex_unlock(mutex_of(heap));
	return sum;
}

/* The same where nobody may sleep. */
static u64 free_of_heap_now(const void *device, u64 enough)
{
	void *heap = heap_of(device);
	u64 sum;

	if (!heap || !mutex_trylock(mutex_of(heap)))
		return TG_VRAM_MAX_BYTES;
	sum = sum_of_free(heap, enough);
	mutex_unlock(mutex_of(heap));
	return sum;
}

/* A worker that has a CPU takes some microseconds for each buffer. */
#define ROOM_GROWS_NS (50 * NSEC_PER_MSEC)
#define ROOM_WAIT_NS (500 * NSEC_PER_MSEC)

/*
 * See tg_memory_promised().  Who does not wait would be refused page tables, or have buffers of
 * others evicted.
 */
static void wait_for_room(struct tg_device *td, const struct tg_stock_gpu *gpu, u64 bytes,
			  bool must)
{
	u64 begin = ktime_get_ns(), now = begin, grew = begin, most = 0, promised, free;
	const void *nvkm;

	while ((nvkm = READ_ONCE(gpu->nvkm)) &&
	       (promised = tg_memory_promised(td, bytes, must))) {
		free = free_of_heap(nvkm, promised);
		if (free >= promised || fatal_signal_pending(current))
			return;
		now = ktime_get_ns();
		if (free > most)
			grew = now;
		most = max(most, free);
		if (now - grew > ROOM_GROWS_NS || now - begin > ROOM_WAIT_NS) {
			tg_memory_in_vain(td);
			return;
		}
		usleep_range(50, 200);
	}
}

/* For page tables, or the context of a channel. */
#define ROOM_BYTES SZ_4M

/*
 * Who has a reservation may have it while others, who have none, still fill the card: TTM evicts
 * those for his buffers, but nobody does so for his page tables.  So a buffer of that size besides
 * is made, or nearly: it may be that which fails for want of page tables, and then there is room.
 */
static void evict_some(struct drm_device *dev, struct drm_file *file,
		       const struct tg_stock_gpu *gpu, u64 bytes)
{
	const void *nvkm = READ_ONCE(gpu->nvkm);
	struct tg_abi_gem_new req = {
		.info = {
			.domain = TG_ABI_DOMAIN_VRAM,
			.size = bytes,
			.tile_flags = TG_ABI_TILE_NONCONTIG,
		},
	};

	if (nvkm && free_of_heap(nvkm, req.info.size) < req.info.size &&
	    !tg_stock_call_original(TG_FN_GEM_NEW, dev, &req, file))
		drm_gem_handle_delete(file, req.info.handle);
}

/* Others take what is free as well, and TTM passes over what somebody is about to use. */
#define ROOM_TRIES 8

/*
 * For who has a reservation, after a call for @bytes has failed for the @n-th time.
 *
 * Return: whether it is worth to be made again.
 */
static bool make_room(struct drm_device *dev, struct drm_file *file, struct tg_device *td,
		      const struct tg_stock_gpu *gpu, u64 bytes, unsigned int n)
{
	if (n > ROOM_TRIES || fatal_signal_pending(current) || !tg_memory_holds(td))
		return false;
	if (n > 1)
		usleep_range(200, 1000);
	wait_for_room(td, gpu, bytes, n == 1);
	evict_some(dev, file, gpu, bytes + (ROOM_BYTES << min(n - 1, 2U)));
	return true;
}

/* For what needs page tables or a context alone.  nouveau may have changed what failed. */
static int call_with_room(enum tg_stock_fn fn, struct drm_device *dev, void *req, size_t size,
			  struct drm_file *file)
{
	union {
		struct tg_abi_channel_alloc channel;
		struct tg_abi_gem_new gem;
	} before;
	const struct tg_stock_gpu *gpu;
	struct tg_device *td;
	int ret;

	memcpy(&before, req, size);
	for (unsigned int n = 1;; n++) {
		ret = tg_stock_call_original(fn, dev, req, file);
		td = ret == -ENOMEM ? device_of(dev, file, &gpu) : NULL;
		if (!td || !make_room(dev, file, td, gpu, 0, n))
			return ret;
		memcpy(req, &before, size);
	}
}

int tg_stock_mem_channel(struct drm_device *dev, struct tg_abi_channel_alloc *req,
			 struct drm_file *file)
{
	return call_with_room(TG_FN_CHAN_ALLOC, dev, req, sizeof(*req), file);
}

int tg_stock_mem_open(struct drm_device *dev, struct drm_file *file)
{
	const struct tg_stock_gpu *gpu;
	struct tg_device *td = device_of(dev, file, &gpu);
	int ret = td ? tg_memory_open(td) : 0;

	if (!td || ret)
		return ret;
	wait_for_room(td, gpu, 0, false);
	if (tg_memory_holds(td))
		evict_some(dev, file, gpu, ROOM_BYTES);
	return 0;
}

void tg_stock_mem_opened(struct drm_device *dev, struct drm_file *file)
{
	struct tg_device *td;

	rcu_read_lock();
	td = tg_registry_find_rcu(dev->dev);
	if (td)
		tg_memory_opened(td);
	rcu_read_unlock();
}

/*
 * As nouveau rounds it up, from Tesla on: to pages of 64 KiB (128 from Fermi on; from Pascal on
 * 64 KiB or 2 MiB) once it is as large, those of system memory below that, and where it may be
 * there.  A kind of tiles can be compressed, which small pages cannot.
 */
static u64 rounded(const struct tg_stock_gpu *gpu, u64 size, bool small, bool kind)
{
	u64 page = SZ_64K;

	if (gpu->chipset >= 0x130 && size >= SZ_2M)
		page = SZ_2M;
	else if (gpu->chipset >= 0xc0 && gpu->chipset < 0x130)
		page = SZ_128K;
	if ((size < page && !kind) || small)
		page = PAGE_SIZE;
	return size > TG_VRAM_MAX_BYTES ? TG_VRAM_MAX_BYTES : round_up(size, page);
}

static void begin(struct birth *birth)
{
	birth->task = current;
	spin_lock(&births_lock);
	list_add(&birth->node, &births);
	spin_unlock(&births_lock);
}

static void end(struct birth *birth)
{
	spin_lock(&births_lock);
	list_del(&birth->node);
	spin_unlock(&births_lock);
	tg_buffer_end(birth->buffer);
}

/* Where the caller wants it is restored: the call may be made again.  @charged: it failed later */
static int try_gem_new(struct drm_device *dev, struct tg_abi_gem_new *req, struct drm_file *file,
		       struct tg_device *td, const struct tg_stock_gpu *gpu, bool *charged)
{
	bool small = req->info.domain & TG_ABI_DOMAIN_GART;
	u32 domain = req->info.domain;
	struct birth birth = { };
	u64 bytes = rounded(gpu, req->info.size, small, req->info.tile_flags & TG_ABI_TILE_KIND);
	int ret;

	ret = tg_buffer_begin(td, bytes, small, &birth.buffer);
	*charged = !ret;
	if (ret < 0)
		return ret;
	birth.spill = ret;
	if (birth.spill)
		req->info.domain |= TG_ABI_DOMAIN_GART;
	else
		wait_for_room(td, gpu, bytes, false);
	begin(&birth);
	ret = tg_stock_call_original(TG_FN_GEM_NEW, dev, req, file);
	end(&birth);
	if (ret)
		req->info.domain = domain;
	return ret;
}

static int gem_new(struct drm_device *dev, struct tg_abi_gem_new *req, struct drm_file *file)
{
	const struct tg_abi_gem_new before = *req;
	const struct tg_stock_gpu *gpu;
	struct tg_device *td;
	bool charged;
	int ret;

	/* Page tables are made for those in system memory, too. */
	if (!(req->info.domain & TG_ABI_DOMAIN_VRAM))
		return call_with_room(TG_FN_GEM_NEW, dev, req, sizeof(*req), file);
	td = described_device_of(dev, file, &gpu, true);
	if (!td)
		return tg_stock_call_original(TG_FN_GEM_NEW, dev, req, file);
	for (unsigned int n = 1;; n++) {
		ret = try_gem_new(dev, req, file, td, gpu, &charged);
		if (ret != -ENOMEM || !charged ||
		    !make_room(dev, file, td, gpu, before.info.size, n))
			return ret;
		*req = before;
	}
}

int tg_stock_gem_new(struct drm_device *dev, void *data, struct drm_file *file)
{
	int srcu = srcu_read_lock(&tg_stock_calls_srcu);
	int ret = gem_new(dev, data, file);

	srcu_read_unlock(&tg_stock_calls_srcu, srcu);
	return ret;
}

/* These are scanned out, and so are nowhere else. */
static int dumb_create(struct drm_file *file, struct drm_device *dev,
		       struct drm_mode_create_dumb *args)
{
	dumb_fn original = tg_stock_original(TG_FN_DUMB_CREATE);
	u64 pitch = round_up((u64)args->width * (args->bpp / 8), 256);
	const struct tg_stock_gpu *gpu;
	struct tg_device *td = device_of(dev, file, &gpu);
	struct birth birth = { .scanout = true };
	int ret;

	if (!td)
		return original(file, dev, args);
	ret = tg_buffer_begin_scanout(td, rounded(gpu, pitch * args->height, false, false),
				      &birth.buffer);
	if (ret < 0)
		return ret;
	begin(&birth);
	ret = original(file, dev, args);
	end(&birth);
	return ret;
}

int tg_stock_dumb_create(struct drm_file *file, struct drm_device *dev, void *data)
{
	int srcu = srcu_read_lock(&tg_stock_calls_srcu);
	int ret = dumb_create(file, dev, data);

	srcu_read_unlock(&tg_stock_calls_srcu, srcu);
	return ret;
}

static struct birth *birth_of_caller(void)
{
	struct birth *birth;

	lockdep_assert_held(&births_lock);
	list_for_each_entry(birth, &births, node)
		if (birth->task == current)
			return birth;
	return NULL;
}

/* The birth's buffer, once. */
static struct tg_buffer *take_buffer(bool *spill)
{
	struct tg_buffer *buffer = NULL;
	struct birth *birth;

	spin_lock(&births_lock);
	birth = birth_of_caller();
	if (birth) {
		buffer = birth->buffer;
		birth->buffer = NULL;
		*spill = birth->spill;
	}
	spin_unlock(&births_lock);
	return buffer;
}

/* What the calling thread makes is to be scanned out. */
static bool is_for_scanout(void)
{
	const struct birth *birth;
	bool scanout;

	spin_lock(&births_lock);
	birth = birth_of_caller();
	scanout = birth && birth->scanout;
	spin_unlock(&births_lock);
	return scanout;
}

static void put_elsewhere(unsigned long *domain)
{
	if (*domain & TG_ABI_DOMAIN_VRAM)
		*domain = (*domain & ~TG_ABI_DOMAIN_VRAM) | TG_ABI_DOMAIN_GART;
}

/* nouveau_bo_init(bo, size, align, domain): nobody else knows of it yet. */
void tg_stock_enter_bo_init(unsigned long *args)
{
	bool spill = false;
	struct tg_buffer *buffer = take_buffer(&spill);

	if (!buffer)
		return;
	tg_buffer_born(buffer, args[0], args[1]);
	if (spill)
		put_elsewhere(&args[3]);
}

/*
 * nouveau_bo_placement_set(bo, domain, busy).  The priority takes effect when TTM puts the
 * buffer back into its list, which it does when nouveau lets go of the reservation.
 */
void tg_stock_enter_bo_place(unsigned long *args)
{
	struct ttm_buffer_object *bo = (void *)args[0];
	unsigned int prio = bo->priority;

	if (tg_buffer_place(args[0], &prio)) {
		put_elsewhere(&args[1]);
		put_elsewhere(&args[2]);
	}
	bo->priority = prio;
}

/* nouveau_bo_pin(bo, domain) */
void tg_stock_enter_bo_pin(unsigned long *args)
{
	if (args[1] & TG_ABI_DOMAIN_VRAM)
		tg_buffer_pin(args[0]);
}

/* nouveau_gem_object_del(object): it is the first of what a buffer is. */
void tg_stock_enter_gem_del(unsigned long *args)
{
	tg_buffer_let_go(args[0]);
}

/* nouveau_bo_del_ttm(bo) */
void tg_stock_enter_bo_del(unsigned long *args)
{
	tg_buffer_gone(args[0]);
}

/* nvkm_instobj_new(imem, size) */
bool tg_stock_refuse_instance(const unsigned long *args)
{
	const struct tg_stock_layout *l = &tg_stock_layout;
	struct device *dev;
	struct tg_device *td;
	const void *device;
	bool may = true;
	u64 bytes = round_up((u64)(u32)args[1], PAGE_SIZE);

	if (!l->instance || missing() || !tg_stock_has(TG_FN_INSTANCE_CTOR) ||
	    !tg_stock_has(TG_FN_INSTANCE_DTOR))
		return false;
	device = *(void *const *)(args[0] + l->imem_device);
	dev = *(struct device *const *)(device + l->device_dev);
	tg_stock_gpu_is_nvkm(dev, device);
	rcu_read_lock();
	td = tg_registry_find_rcu(dev);
	if (td)
		may = tg_instance_begin(td, bytes, is_for_scanout(),
					free_of_heap_now(device, bytes + tg_instance_enough(td)));
	rcu_read_unlock();
	return !may;
}

int tg_stock_no_instance(void)
{
	return -ENOMEM;
}

/* nvkm_instobj_ctor(func, imem, object) */
void tg_stock_enter_instance_ctor(unsigned long *args)
{
	tg_instance_born(args[2]);
}

/* nvkm_instobj_dtor(imem, object) */
void tg_stock_enter_instance_dtor(unsigned long *args)
{
	tg_instance_gone(args[1]);
}

/*
 * ttm_bo_eviction_valuable(bo, place), which other drivers use as well.  It is not asked when all
 * are moved, for sleep.
 */
bool tg_stock_refuse_eviction(const unsigned long *args)
{
	const struct ttm_place *place = (const void *)args[1];

	return place && tg_buffer_is_kept(args[0], place->flags & TTM_PL_FLAG_CONTIGUOUS);
}

bool tg_stock_not_valuable(void)
{
	return false;
}
