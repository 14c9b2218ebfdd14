// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A client that is given its turn and does not use it: the list of a group's buffers
 * lies in memory that the program serves itself (userfaultfd), and when it is read
 * again, by nouveau, nothing comes for a while.
 */
#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <nouveau_drm.h>
#include <xf86drm.h>

#include "nv.h"
#include "opts.h"
#include "served.h"

/* By then the reader has gone on, to wait for its turn. */
#define READ_NS 1000000

static struct {
	struct wl_common common;
	uint64_t stall_ns;
	unsigned int stalls;
} opt = { .common = { .task = "tgstall" }, .stall_ns = 50000000, .stalls = UINT_MAX };

static struct served served;
/* Of this group. */
static unsigned int faults;
static unsigned int groups;

static void *serve(void *unused)
{
	while (served_wanted(&served)) {
		bool first = !__atomic_fetch_add(&faults, 1, __ATOMIC_SEQ_CST);

		if (!first && __atomic_load_n(&groups, __ATOMIC_SEQ_CST) < opt.stalls)
			wl_sleep_until(wl_now_ns() + opt.stall_ns);
		served_give(&served);
		if (!first)
			continue;
		wl_sleep_until(wl_now_ns() + READ_NS);
		served_drop(&served);
	}
	return unused;
}

static bool begin_to_serve(void)
{
	pthread_t thread;

	return served_begin(&served) && !pthread_create(&thread, NULL, serve, NULL);
}

/* A group that does nothing. */
static struct nouveau_bo *make_group(struct nv *nv)
{
	struct nouveau_bo *bo = NULL;
	uint32_t *words;

	if (nouveau_bo_new(nv->device, NOUVEAU_BO_GART | NOUVEAU_BO_MAP, 0,
			   SERVED_BYTES, NULL, &bo) ||
	    nouveau_bo_map(bo, NOUVEAU_BO_WR, nv->client))
		return NULL;
	words = bo->map;
	words[0] = 1u << 18 | NV_SUBC_2D << 13 | NV_NOP;
	words[1] = 0;
	return bo;
}

static bool submit(const struct nv *nv)
{
	struct drm_nouveau_gem_pushbuf_push push = { .length = 8 };
	struct drm_nouveau_gem_pushbuf req = {
		.channel = ((struct nouveau_fifo *)nv->channel->data)->channel,
		.nr_buffers = 1, .buffers = (uintptr_t)served.page,
		.nr_push = 1, .push = (uintptr_t)&push,
	};

	served_drop(&served);
	__atomic_store_n(&faults, 0, __ATOMIC_SEQ_CST);
	return !drmCommandWriteRead(nv->fd, DRM_NOUVEAU_GEM_PUSHBUF, &req, sizeof(req));
}

int main(int argc, char **argv)
{
	const struct wl_opt opts[] = {
		{ "stall-ms", WL_OPT_TIME, &opt.stall_ns, "MS", "until what is read again comes (50)",
		  .unit_ns = 1000000 },
		{ "stalls", WL_OPT_UINT, &opt.stalls, "N",
		  "with the first N groups only (all)", .max = UINT_MAX },
		{ 0 },
	};
	struct drm_nouveau_gem_pushbuf_bo entry = {
		.read_domains = NOUVEAU_GEM_DOMAIN_GART,
		.valid_domains = NOUVEAU_GEM_DOMAIN_GART,
	};
	struct nouveau_bo *bo;
	struct nv nv = { .fd = -1 };
	bool good;

	wl_common_init(&opt.common, argc, argv, "A client that does not use its turns.", opts, NULL);
	wl_catch_signals();
	if (nv_open(&nv, NULL) != WL_OK)
		return WL_FAILED;
	bo = make_group(&nv);
	good = bo && begin_to_serve();
	if (good) {
		entry.handle = bo->handle;
		memcpy(served.contents, &entry, sizeof(entry));
	}
	while (good && !wl_stopped()) {
		good = submit(&nv) || wl_stopped();
		__atomic_fetch_add(&groups, 1, __ATOMIC_SEQ_CST);
	}
	if (!good)
		wl_error("no group could be submitted: %m");
	nv_close(&nv);
	return good ? WL_OK : WL_FAILED;
}
