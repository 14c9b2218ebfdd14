// SPDX-License-Identifier: GPL-2.0-only
/*
 * The provider for a nouveau with the hook patch (patches/nouveau).
 *
 * Its entry points are looked up when it is attached, so that one timegraph.ko
 * works with either kind of nouveau.  The look-up does not compare symbol
 * versions: struct nouveau_hook_ops begins with one of its own.
 */
#define pr_fmt(fmt) "timegraph: " fmt

#include <drm/nouveau_hooks.h>
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>

#include "../tg_nouveau.h"
#include "tg_attach.h"

/* Functions of nouveau's; valid while attached: each holds the module. */
static struct {
	typeof(&nouveau_hooks_attach) attach;
	typeof(&nouveau_hooks_detach) detach;
	typeof(&nouveau_hook_ref_read) ref;
	typeof(&nouveau_hook_time) time;
	typeof(&nouveau_hook_charge) charge;
	typeof(&nouveau_hook_push_map) push_map;
	typeof(&nouveau_hook_push_unmap) push_unmap;
} nv;

static const struct {
	const char *name;
	void **fn;
} symbols[] = {
	{ "nouveau_hooks_attach", (void **)&nv.attach },
	{ "nouveau_hooks_detach", (void **)&nv.detach },
	{ "nouveau_hook_ref_read", (void **)&nv.ref },
	{ "nouveau_hook_time", (void **)&nv.time },
	{ "nouveau_hook_charge", (void **)&nv.charge },
	{ "nouveau_hook_push_map", (void **)&nv.push_map },
	{ "nouveau_hook_push_unmap", (void **)&nv.push_unmap },
};

/**
 * struct patch_chan - a channel
 * @base: timegraph's view
 * @hc: nouveau's
 */
struct patch_chan {
	struct tg_hook_chan base;
	struct nouveau_hook_chan *hc;
};

/**
 * struct patch_group - a group between admit and submitted or cancelled
 * @base: timegraph's view
 * @g: nouveau's, between validated's begin and end
 */
struct patch_group {
	struct tg_hook_group base;
	struct nouveau_hook_group *g;
};

static struct nouveau_hook_chan *to_hc(const struct tg_hook_chan *base)
{
	return container_of(base, struct patch_chan, base)->hc;
}

static struct patch_chan *to_chan(struct nouveau_hook_chan *hc)
{
	return hc->priv;
}

static int chan_new(struct nouveau_hook_chan *hc)
{
	struct patch_chan *pc = kzalloc(sizeof(*pc), GFP_KERNEL);
	int ret;

	if (!pc)
		return -ENOMEM;
	pc->hc = hc;
	pc->base.ops = &tg_patch;
	pc->base.dev = hc->dev;
	pc->base.pid = hc->pid;
	strscpy(pc->base.comm, hc->comm, sizeof(pc->base.comm));
	pc->base.chid = hc->chid;
	pc->base.chipset = hc->chipset;
	pc->base.older = hc->pid != task_tgid(current);
	pc->base.event = hc->fence;
	pc->base.sema_dma = hc->sema_dma;
	pc->base.why = "the channel has no completion object";
	ret = tg_nouveau_chan_new(&pc->base);
	if (ret) {
		kfree(pc);
		return ret;
	}
	hc->priv = pc;
	return 0;
}

static void chan_del(struct nouveau_hook_chan *hc)
{
	if (hc->priv)
		tg_nouveau_chan_del(&to_chan(hc)->base);
}

static void chan_free(struct nouveau_hook_chan *hc)
{
	if (hc->priv) {
		tg_nouveau_chan_free(&to_chan(hc)->base);
		kfree(hc->priv);
	}
	hc->priv = NULL;
}

static int admit(struct nouveau_hook_group *g)
{
	struct patch_group *pg = g->priv;
	int ret;

	if (!g->hc->priv)
		return 0;
	if (!pg) {
		pg = kzalloc(sizeof(*pg), GFP_KERNEL);
		if (!pg)
			return 0;
		pg->base.hc = &to_chan(g->hc)->base;
		pg->base.nr_push = g->nr_push;
		pg->base.exec = g->exec;
	}
	ret = tg_nouveau_admit(&pg->base);
	g->held = pg->base.held;
	/* Of a job no more is known from now on than its number. */
	if (g->held && g->exec)
		tg_nouveau_exec_queue(&pg->base, g->job);
	if (!g->held || g->exec) {
		kfree(pg);
		pg = NULL;
	}
	g->priv = pg;
	return ret;
}

static int validated(struct nouveau_hook_group *g)
{
	struct nouveau_hook_chan *hc = g->hc;
	struct patch_group *pg = g->priv, ungated = {};
	struct tg_hook_chan *base;
	int ret;

	if (!hc->priv)
		return 0;
	base = &to_chan(hc)->base;
	if (!pg) {
		ungated.base.hc = base;
		ungated.base.nr_push = g->nr_push;
		pg = &ungated;
	}
	/* nouveau makes them when the first group comes. */
	base->scratch = hc->scratch;
	base->scratch_cpu = hc->scratch_cpu;
	base->notify = hc->notify;
	pg->g = g;
	tg_nouveau_read(&pg->base);
	pg->g = NULL;
	ret = tg_nouveau_check(&pg->base);
	g->held = pg->base.held;
	return ret;
}

static unsigned int leader(struct nouveau_hook_chan *hc,
			   struct nouveau_hook_group *g, u32 *words)
{
	struct patch_group *pg = g->priv;

	return pg ? tg_nouveau_leader(&pg->base, words) : 0;
}

static unsigned int trailer(struct nouveau_hook_chan *hc,
			    struct nouveau_hook_group *g, u32 *words)
{
	struct patch_group *pg = g ? g->priv : NULL;

	return pg ? tg_nouveau_trailer(&pg->base, words) : 0;
}

static void submitted(struct nouveau_hook_chan *hc,
		      struct nouveau_hook_group *g, struct dma_fence *fence)
{
	struct tg_hook_group job = { .exec = true };
	struct patch_group *pg = g->priv;

	if (g->exec && tg_nouveau_exec_take(&job, g->job))
		tg_nouveau_submitted(&job, fence);
	if (pg)
		tg_nouveau_submitted(&pg->base, fence);
	kfree(pg);
}

static void cancelled(struct nouveau_hook_group *g)
{
	struct tg_hook_group job = { .exec = true };
	struct patch_group *pg = g->priv;

	if (g->exec && tg_nouveau_exec_take(&job, g->job))
		tg_nouveau_cancelled(&job);
	if (pg)
		tg_nouveau_cancelled(&pg->base);
	kfree(pg);
}

static void fence_event(struct nouveau_hook_chan *hc)
{
	tg_nouveau_fence_event(hc->dev);
}

static const struct nouveau_hook_ops hook_ops = {
	.version = NOUVEAU_HOOK_VERSION,
	.chan_new = chan_new,
	.chan_del = chan_del,
	.chan_free = chan_free,
	.chan_killed = chan_del,
	.admit = admit,
	.validated = validated,
	.leader = leader,
	.trailer = trailer,
	.submitted = submitted,
	.cancelled = cancelled,
	.fence_event = fence_event,
	.gr_notify = tg_nouveau_gr_notify,
	.suspend = tg_nouveau_suspend,
};

static void put_symbols(unsigned int n)
{
	while (n--)
		__symbol_put(symbols[n].name);
}

static int attach(void)
{
	unsigned int n;
	int ret;

	for (n = 0; n < ARRAY_SIZE(symbols); n++) {
		*symbols[n].fn = __symbol_get(symbols[n].name);
		if (!*symbols[n].fn)
			break;
	}
	if (n < ARRAY_SIZE(symbols)) {
		put_symbols(n);
		if (!n)
			return -ENODEV;
		pr_err("this nouveau's hooks are of another version: no %s\n",
		       symbols[n].name);
		return -EPROTO;
	}
	ret = nv.attach(&hook_ops);
	if (ret) {
		put_symbols(n);
		pr_err("nouveau's hooks cannot be had: %s (%d)\n",
		       ret == -EBUSY ? "somebody else has them" :
		       ret == -EPROTO ? "they are of another version" : "error",
		       ret);
	} else {
		pr_info("attached (patch)\n");
	}
	return ret;
}

static void detach(void)
{
	nv.detach(&hook_ops);
	synchronize_rcu_tasks();
	put_symbols(ARRAY_SIZE(symbols));
}

static u32 ref(const struct tg_hook_chan *base)
{
	return nv.ref(to_hc(base));
}

static u64 gpu_time(const struct tg_hook_chan *base)
{
	return nv.time(to_hc(base));
}

static void charge(const struct tg_hook_chan *base, u64 ns)
{
	nv.charge(to_hc(base), ns);
}

static const u32 *push_map(struct tg_hook_group *base, u32 index, u32 offset,
			   u32 *count)
{
	struct patch_group *pg = container_of(base, struct patch_group, base);

	return nv.push_map(pg->g, index, offset, count);
}

static void push_unmap(const u32 *words)
{
	nv.push_unmap(words);
}

const struct tg_attach_ops tg_patch = {
	.name = "patch",
	.attach = attach,
	.detach = detach,
	.ref = ref,
	.time = gpu_time,
	.charge = charge,
	.push_map = push_map,
	.push_unmap = push_unmap,
};
