// SPDX-License-Identifier: GPL-2.0-only
/*
 * The provider for a nouveau as the distribution ships it: which functions of
 * nouveau's something runs instead of, or sees when they are entered.
 *
 *	instead of		the ioctls PUSHBUF, EXEC, CHANNEL_ALLOC and _FREE, GEM_NEW
 *				and CREATE_DUMB, the end of a DRM file, EXEC's worker,
 *				PGRAPH's interrupt, suspend and resume
 *	when entered		space is asked for in a ring, a fence is emitted, is
 *				let go; EXEC's job is queued; the fences' interrupt;
 *				a buffer is begun, placed, pinned, freed; page tables and
 *				contexts begin, which can be refused, and go; a buffer is to
 *				be moved for another, which can be refused
 */
#define pr_fmt(fmt) "timegraph: " fmt

#include <drm/drm_device.h>
#include <drm/drm_file.h>
#include <linux/pci.h>

#include "../tg_buffer.h"
#include "../tg_instance.h"
#include "../tg_memory.h"
#include "../tg_nouveau.h"
#include "../tg_params.h"
#include "../tg_registry.h"
#include "tg_stock_call.h"

typedef void (*postclose_fn)(struct drm_device *dev, struct drm_file *file);
typedef void (*gr_intr_fn)(void *gr);
typedef int (*pm_fn)(struct device *dev);

/*
 * Channels and files.
 */

static int chan_alloc(struct drm_device *dev, void *data, struct drm_file *file)
{
	struct tg_abi_channel_alloc *req = data;
	struct tg_stock_chan_args args = {
		.dev = dev,
		.file = file,
		.vram_handle = req->vram_handle,
	};
	int srcu = srcu_read_lock(&tg_stock_calls_srcu);
	int ret;

	ret = tg_stock_mem_open(dev, file);
	if (ret)
		goto out;
	ret = tg_stock_mem_channel(dev, req, file);
	if (!ret && !tg_stock_closing()) {
		args.chid = req->channel;
		args.notifier_handle = req->notifier_handle;
		tg_stock_chan_add(&args);
	}
	tg_stock_mem_opened(dev, file);
out:
	srcu_read_unlock(&tg_stock_calls_srcu, srcu);
	return ret;
}

static int chan_free(struct drm_device *dev, void *data, struct drm_file *file)
{
	const struct tg_abi_channel_free *req = data;
	int srcu = srcu_read_lock(&tg_stock_calls_srcu);
	struct tg_stock_gone gone;
	int ret;

	if (req->channel >= 0)
		tg_stock_chan_take(&gone, file, req->channel);
	ret = tg_stock_call_original(TG_FN_CHAN_FREE, dev, data, file);
	if (req->channel >= 0)
		tg_stock_chan_taken(&gone);
	srcu_read_unlock(&tg_stock_calls_srcu, srcu);
	return ret;
}

static void postclose(struct drm_device *dev, struct drm_file *file)
{
	postclose_fn original = tg_stock_original(TG_FN_POSTCLOSE);
	int srcu = srcu_read_lock(&tg_stock_calls_srcu);
	struct tg_stock_gone gone;

	tg_stock_chan_take(&gone, file, -1);
	original(dev, file);
	tg_stock_chan_taken(&gone);
	srcu_read_unlock(&tg_stock_calls_srcu, srcu);
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
	int srcu = srcu_read_lock(&tg_stock_calls_srcu);
	int ret;

	tg_nouveau_suspend(dev, true);
	ret = original(dev);
	if (ret)
		tg_nouveau_suspend(dev, false);
	srcu_read_unlock(&tg_stock_calls_srcu, srcu);
	return ret;
}

static int come_back(struct device *dev, enum tg_stock_fn fn)
{
	pm_fn original = tg_stock_original(fn);
	int srcu = srcu_read_lock(&tg_stock_calls_srcu);
	int ret;

	ret = original(dev);
	tg_stock_gpu_woke(dev);
	if (!ret)
		tg_nouveau_suspend(dev, false);
	srcu_read_unlock(&tg_stock_calls_srcu, srcu);
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
		.call = true,
		.from = TG_SEE_CALLS,
		.replace = tg_stock_pushbuf, .required = true, .param = IOCTL_PARAMS,
	},
	[TG_FN_EXEC] = {
		.name = "nouveau_exec_ioctl_exec",
		.call = true,
		.from = TG_SEE_CALLS,
		.replace = tg_stock_exec, .param = IOCTL_PARAMS,
	},
	[TG_FN_EXEC_RUN] = {
		.name = "nouveau_exec_job_run",
		.from = TG_SEE_CALLS,
		.replace = tg_stock_exec_run, .param = { "nouveau_job" },
	},
	[TG_FN_CHAN_ALLOC] = {
		.name = "nouveau_abi16_ioctl_channel_alloc",
		.call = true,
		.replace = chan_alloc, .required = true, .param = IOCTL_PARAMS,
	},
	[TG_FN_CHAN_FREE] = {
		.name = "nouveau_abi16_ioctl_channel_free",
		.call = true,
		.replace = chan_free, .required = true, .param = IOCTL_PARAMS,
	},
	[TG_FN_GEM_NEW] = {
		.name = "nouveau_gem_ioctl_new",
		.call = true,
		.replace = tg_stock_gem_new, .memory = true, .param = IOCTL_PARAMS,
	},
	[TG_FN_DUMB_CREATE] = {
		.name = "nouveau_display_dumb_create",
		.replace = tg_stock_dumb_create, .memory = true,
		.param = { "drm_file", "drm_device", "drm_mode_create_dumb" },
	},
	[TG_FN_POSTCLOSE] = {
		.name = "nouveau_drm_postclose",
		.call = true,
		.replace = postclose, .required = true,
		.param = { "drm_device", "drm_file" },
	},
	[TG_FN_GR_INTR] = {
		.name = "nv50_gr_intr",
		.replace = gr_intr, .param = { "nvkm_gr" },
	},
	[TG_FN_SUSPEND] = {
		.name = "nouveau_pmops_suspend",
		.replace = on_suspend, .required = true, .param = { "device" },
	},
	[TG_FN_RESUME] = {
		.name = "nouveau_pmops_resume",
		.replace = on_resume, .required = true, .param = { "device" },
	},
	[TG_FN_FREEZE] = {
		.name = "nouveau_pmops_freeze",
		.replace = on_freeze, .param = { "device" },
	},
	[TG_FN_THAW] = {
		.name = "nouveau_pmops_thaw",
		.replace = on_thaw, .param = { "device" },
	},
	[TG_FN_RUNTIME_SUSPEND] = {
		.name = "nouveau_pmops_runtime_suspend",
		.replace = on_runtime_suspend, .param = { "device" },
	},
	[TG_FN_RUNTIME_RESUME] = {
		.name = "nouveau_pmops_runtime_resume",
		.replace = on_runtime_resume, .param = { "device" },
	},
	[TG_FN_EMIT] = {
		.name = "nouveau_fence_emit",
		.from = TG_SEE_ALL,
		.enter = tg_stock_enter_emit, .required = true,
		.param = { "nouveau_fence" },
	},
	[TG_FN_UNREF] = {
		.name = "nouveau_fence_unref",
		.from = TG_SEE_ALL,
		.enter = tg_stock_enter_unref, .required = true, .param = { "" },
	},
	[TG_FN_JOB] = {
		.name = "nouveau_job_submit",
		.from = TG_SEE_CALLS,
		.enter = tg_stock_enter_job, .param = { "nouveau_job" },
	},
	[TG_FN_SPACE] = {
		.name = "nouveau_dma_wait",
		.from = TG_SEE_ALL,
		.or_else = "nvif_chan_gpfifo_wait",
		.enter = tg_stock_enter_space, .param = { "", "#", "#" },
	},
	[TG_FN_UEVENT] = {
		.name = "nouveau_fence_wait_uevent_handler",
		.from = TG_SEE_ALL,
		.enter = enter_uevent, .param = { "" },
	},
	[TG_FN_BO_INIT] = {
		.name = "nouveau_bo_init",
		.enter = tg_stock_enter_bo_init, .memory = true,
		.param = { "nouveau_bo", "##", "#", "#" },
	},
	[TG_FN_BO_PLACE] = {
		.name = "nouveau_bo_placement_set",
		.enter = tg_stock_enter_bo_place, .memory = true,
		.param = { "nouveau_bo", "#", "#" },
	},
	[TG_FN_BO_PIN] = {
		.name = "nouveau_bo_pin",
		.enter = tg_stock_enter_bo_pin, .memory = true,
		.param = { "nouveau_bo", "#" },
	},
	[TG_FN_GEM_DEL] = {
		.name = "nouveau_gem_object_del",
		.enter = tg_stock_enter_gem_del, .memory = true,
		.param = { "drm_gem_object" },
	},
	[TG_FN_BO_DEL] = {
		.name = "nouveau_bo_del_ttm",
		.enter = tg_stock_enter_bo_del, .memory = true,
		.param = { "ttm_buffer_object" },
	},
	[TG_FN_INSTANCE_NEW] = {
		.name = "nvkm_instobj_new",
		.refuse = tg_stock_refuse_instance, .replace = tg_stock_no_instance,
		.memory = true, .param = { "nvkm_instmem", "#", "#" },
	},
	[TG_FN_INSTANCE_CTOR] = {
		.name = "nvkm_instobj_ctor",
		.enter = tg_stock_enter_instance_ctor, .memory = true,
		.param = { "", "nvkm_instmem", "nvkm_instobj" },
	},
	[TG_FN_INSTANCE_DTOR] = {
		.name = "nvkm_instobj_dtor",
		.enter = tg_stock_enter_instance_dtor, .memory = true,
		.param = { "nvkm_instmem", "nvkm_instobj" },
	},
	[TG_FN_VALUABLE] = {
		.name = "ttm_bo_eviction_valuable", .module = "ttm",
		.refuse = tg_stock_refuse_eviction, .replace = tg_stock_not_valuable,
		.memory = true,
	},
};

/*
 * First no call comes in any more, and the sleepers of those that are in go on;
 * then the trailers that were sent run, while their interrupts are still seen to;
 * then the hooks go; and last what those used.
 */
static void detach(void)
{
	LIST_HEAD(gone);

	tg_stock_calls_close();
	tg_memory_close();
	tg_stock_chan_close(&gone);
	tg_stock_hooks_release();
	synchronize_srcu_expedited(&tg_stock_calls_srcu);
	/* Those that the last of these calls have made. */
	tg_stock_chan_close(&gone);
	tg_stock_chan_drain(&gone);
	tg_stock_hooks_stop();
	synchronize_rcu_expedited();
	tg_stock_chan_free(&gone);
	tg_buffer_forget_all();
	tg_instance_forget(NULL);
	tg_memory_keep(false);
	tg_stock_gpus_free();
}

static int attach(void)
{
	struct tg_btf *btf;
	int ret;

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
	tg_stock_calls_init();
	tg_memory_keep(tg_param_vram);
	tg_stock_mem_say();
	ret = tg_stock_hooks_see(TG_SEE_ALL, NULL);
	if (ret) {
		/* Some may have been redirected for a moment. */
		detach();
		return ret;
	}
	pr_info("attached (stock)%s%s\n",
		tg_stock_layout.missing ? ", by fences alone: " : "",
		tg_stock_layout.missing ?: "");
	return 0;
}

/* Channels that were made meanwhile are of the epoch before, as those before. */
static void see(enum tg_see see)
{
	bool anew;

	tg_stock_hooks_see(see, &anew);
	if (anew)
		tg_registry_new_epoch();
}

static const struct tg_stock_chan *chan_of(const struct tg_hook_chan *hc)
{
	return container_of(hc, struct tg_stock_chan, base);
}

static struct tg_stock_gpu *gpu_of(const struct tg_hook_chan *hc)
{
	return chan_of(hc)->gpu;
}

static u32 ref(const struct tg_hook_chan *hc)
{
	return tg_stock_gpu_ref(gpu_of(hc), hc->chid);
}

static u64 gpu_time(const struct tg_hook_chan *hc)
{
	return tg_stock_gpu_time(gpu_of(hc));
}

static int engine(const struct tg_hook_chan *hc)
{
	return tg_stock_gpu_engine(gpu_of(hc));
}

static u32 context(const struct tg_hook_chan *hc)
{
	return READ_ONCE(chan_of(hc)->context);
}

static u32 engine_context(const struct tg_hook_chan *hc)
{
	return tg_stock_gpu_engine_context(gpu_of(hc));
}

static bool number(const struct tg_hook_chan *hc, u32 *nr)
{
	return tg_stock_fence_number(chan_of(hc), nr);
}

static struct dma_fence *newest(const struct tg_hook_chan *hc)
{
	return tg_stock_fence_newest(chan_of(hc));
}

static bool busy(const struct tg_hook_chan *hc)
{
	return tg_stock_fence_busy(chan_of(hc)->file);
}

static int text(char *buf, size_t size)
{
	const char *missing = tg_stock_layout.missing;

	return snprintf(buf, size, "stock%s%s%s",
			missing ? ", by fences alone: " : "", missing ?: "",
			missing || tg_stock_layout.fences ? "" :
			", nobody runs free: nouveau's fences are not laid out as expected");
}

const struct tg_attach_ops tg_stock = {
	.name = "stock",
	.attach = attach,
	.detach = detach,
	.see = see,
	.text = text,
	.ref = ref,
	.time = gpu_time,
	.engine = engine,
	.context = context,
	.engine_context = engine_context,
	.number = number,
	.newest = newest,
	.busy = busy,
	.push_map = tg_stock_push_map,
	.push_unmap = tg_stock_push_unmap,
};
