// SPDX-License-Identifier: GPL-2.0-only
/*
 * A GPU's registers, through mappings of our own: the clock, what a channel has
 * reached, and PGRAPH's interrupt.
 *
 * Registers after envytools: PTIMER 0x009000, PGRAPH 0x400000, PFIFO's USERD of
 * G84 to GT21x 0xc00000.
 */
#include <drm/drm_device.h>
#include <drm/drm_drv.h>
#include <drm/drm_file.h>
#include <drm/drm_ioctl.h>
#include <linux/io.h>
#include <linux/ktime.h>
#include <linux/pci.h>
#include <linux/rculist.h>
#include <linux/slab.h>

#include "../tg_nouveau.h"
#include "tg_stock.h"
#include "tg_stock_abi.h"

#define PTIMER		0x009000
#define   TIME_LOW	0x400
#define   TIME_HIGH	0x410
#define PGRAPH		0x400000
#define   INTR		0x100	/* write 1 to clear */
#define     INTR_NOTIFY	BIT(0)
#define   CTX_CUR	0x32c	/* the context that it is at: its instance block / 4096 */
#define     CTX_VALID	BIT(31)
#define   FIFO		0x500	/* bit 16: go on after an interrupt */
#define   STATUS	0x700	/* 0: idle */
#define   TRAP_DATA	0x708
#define UNIT_BYTES	0x1000
#define USERD		0xc00000
#define   USERD_STRIDE	0x2000
#define   REF_CNT	0x48
#define   IB_PUT	0x8c
#define NR_CHANNELS	128

/* PTIMER may be off by a thousandth, and so by a microsecond after that. */
#define CLOCK_FRESH_NS	NSEC_PER_MSEC

static LIST_HEAD(gpus);
static DEFINE_MUTEX(gpus_mutex);

bool tg_stock_gpu_is_tesla(const struct tg_stock_gpu *gpu)
{
	return gpu->chipset >= 0x84 && gpu->chipset <= 0xaf;
}

/* From G84 to Pascal semaphores are released with PTIMER's time. */
static bool has_stamps(const struct tg_stock_gpu *gpu)
{
	return gpu->chipset >= 0x84 && gpu->chipset < 0x140;
}

static void unmap(struct tg_stock_gpu *gpu)
{
	if (gpu->timer)
		iounmap(gpu->timer);
	if (gpu->graph)
		iounmap(gpu->graph);
	if (gpu->user)
		iounmap(gpu->user);
}

/* What cannot be mapped is done without. */
static void map(struct tg_stock_gpu *gpu)
{
	phys_addr_t bar;

	if (!dev_is_pci(gpu->dev) || !has_stamps(gpu) ||
	    pci_resource_len(to_pci_dev(gpu->dev), 0) <
		    USERD + NR_CHANNELS * USERD_STRIDE)
		return;
	bar = pci_resource_start(to_pci_dev(gpu->dev), 0);
	gpu->timer = ioremap(bar + PTIMER, UNIT_BYTES);
	if (!tg_stock_gpu_is_tesla(gpu))
		return;
	gpu->graph = ioremap(bar + PGRAPH, UNIT_BYTES);
	gpu->user = ioremap(bar + USERD, NR_CHANNELS * USERD_STRIDE);
}

/* 0 if nouveau does not say. */
static u64 ask(struct drm_device *dev, struct drm_file *file, u64 param)
{
	struct tg_abi_getparam p = { .param = param };

	if (dev->driver->num_ioctls <= TG_ABI_GETPARAM ||
	    dev->driver->ioctls[TG_ABI_GETPARAM].func(dev, &p, file))
		return 0;
	return p.value;
}

void tg_stock_gpu_memory(struct drm_device *dev, struct drm_file *file, u64 *size, u64 *used)
{
	*size = ask(dev, file, TG_ABI_PARAM_FB_SIZE);
	*used = ask(dev, file, TG_ABI_PARAM_VRAM_USED);
}

static struct tg_stock_gpu *find(const struct device *dev)
{
	struct tg_stock_gpu *gpu;

	list_for_each_entry_rcu(gpu, &gpus, node, lockdep_is_held(&gpus_mutex))
		if (gpu->dev == dev)
			return gpu;
	return NULL;
}

struct tg_stock_gpu *tg_stock_gpu_get(struct drm_device *dev,
				      struct drm_file *file)
{
	struct tg_stock_gpu *gpu;

	mutex_lock(&gpus_mutex);
	gpu = find(dev->dev);
	if (!gpu) {
		gpu = kzalloc(sizeof(*gpu), GFP_KERNEL);
		if (gpu) {
			gpu->dev = get_device(dev->dev);
			spin_lock_init(&gpu->clock.lock);
			gpu->chipset = ask(dev, file, TG_ABI_PARAM_CHIPSET_ID);
			map(gpu);
			list_add_tail_rcu(&gpu->node, &gpus);
		}
	}
	mutex_unlock(&gpus_mutex);
	return gpu;
}

void tg_stock_gpu_is_nvkm(const struct device *dev, const void *nvkm)
{
	struct tg_stock_gpu *gpu;

	rcu_read_lock();
	gpu = find(dev);
	if (gpu)
		WRITE_ONCE(gpu->nvkm, nvkm);
	rcu_read_unlock();
}

/* The hooks are gone, and every channel. */
void tg_stock_gpus_free(void)
{
	struct tg_stock_gpu *gpu, *n;
	LIST_HEAD(gone);

	mutex_lock(&gpus_mutex);
	list_splice_init_rcu(&gpus, &gone, synchronize_rcu_expedited);
	mutex_unlock(&gpus_mutex);
	list_for_each_entry_safe(gpu, n, &gone, node) {
		unmap(gpu);
		put_device(gpu->dev);
		kfree(gpu);
	}
}

static u64 read_timer(const struct tg_stock_gpu *gpu)
{
	u32 high, low;

	do {
		high = ioread32(gpu->timer + TIME_HIGH);
		low = ioread32(gpu->timer + TIME_LOW);
	} while (high != ioread32(gpu->timer + TIME_HIGH));
	return (u64)high << 32 | low;
}

/* Each of the reads takes as long as some hundred instructions, or more.  Return: now */
static u64 set_clock(struct tg_stock_gpu *gpu)
{
	u64 before = ktime_get_ns(), time = read_timer(gpu), after = ktime_get_ns();

	gpu->clock.ahead_ns = time - (before + after) / 2;
	gpu->clock.set_ns = after;
	return after;
}

u64 tg_stock_gpu_time(struct tg_stock_gpu *gpu)
{
	struct tg_stock_clock *clock = &gpu->clock;
	unsigned long flags;
	u64 now;

	spin_lock_irqsave(&clock->lock, flags);
	now = ktime_get_ns();
	if (!clock->set_ns || now - clock->set_ns >= CLOCK_FRESH_NS)
		now = set_clock(gpu);
	now += clock->ahead_ns;
	spin_unlock_irqrestore(&clock->lock, flags);
	return now;
}

void tg_stock_gpu_woke(const struct device *dev)
{
	struct tg_stock_gpu *gpu;
	unsigned long flags;

	rcu_read_lock();
	gpu = find(dev);
	if (gpu) {
		spin_lock_irqsave(&gpu->clock.lock, flags);
		gpu->clock.set_ns = 0;
		spin_unlock_irqrestore(&gpu->clock.lock, flags);
	}
	rcu_read_unlock();
}

u32 tg_stock_gpu_ref(const struct tg_stock_gpu *gpu, int chid)
{
	return ioread32(gpu->user + chid * USERD_STRIDE + REF_CNT);
}

int tg_stock_gpu_engine(const struct tg_stock_gpu *gpu)
{
	return gpu->graph ? !!ioread32(gpu->graph + STATUS) : -ENODEV;
}

u32 tg_stock_gpu_engine_context(const struct tg_stock_gpu *gpu)
{
	u32 cur = gpu->graph ? ioread32(gpu->graph + CTX_CUR) : 0;

	return cur & CTX_VALID ? cur & ~CTX_VALID : 0;
}

u32 tg_stock_gpu_ib_put(const struct tg_stock_gpu *gpu, int chid)
{
	return ioread32(gpu->user + chid * USERD_STRIDE + IB_PUT);
}

static struct tg_stock_gpu *gpu_of_gr(const void *gr)
{
	const struct tg_stock_layout *l = &tg_stock_layout;
	const void *device;

	if (!l->gr)
		return NULL;
	device = *(void *const *)(gr + l->gr_device);
	return find(*(struct device *const *)(device + l->device_dev));
}

/*
 * nouveau has no case for NOTIFY on these GPUs: it would acknowledge it and log an
 * error.  Whatever else PGRAPH wants is nouveau's.
 */
bool tg_stock_gpu_notify(const void *gr)
{
	struct tg_stock_gpu *gpu;
	bool only = false;
	u32 stat, data;

	rcu_read_lock();
	gpu = gpu_of_gr(gr);
	if (!gpu || !gpu->graph)
		goto out;
	stat = ioread32(gpu->graph + INTR);
	if (!(stat & INTR_NOTIFY))
		goto out;
	data = ioread32(gpu->graph + TRAP_DATA);
	iowrite32(INTR_NOTIFY, gpu->graph + INTR);
	only = stat == INTR_NOTIFY;
	if (only)
		iowrite32(0x00010001, gpu->graph + FIFO);
	tg_nouveau_gr_notify(gpu->dev, -1, data);
out:
	rcu_read_unlock();
	return only;
}

void tg_stock_gpu_fences(void)
{
	struct tg_stock_gpu *gpu;

	rcu_read_lock();
	list_for_each_entry_rcu(gpu, &gpus, node)
		tg_nouveau_fence_event(gpu->dev);
	rcu_read_unlock();
}
