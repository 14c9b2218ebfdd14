// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A client whose threads use a channel that another of them makes and frees, over and over:
 * they submit to its number before they can know of it, and after it is gone, and two free it
 * at once.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

#include <nouveau_drm.h>
#include <xf86drm.h>

#include "channel.h"
#include "nv.h"
#include "opts.h"

#define NR_PUSHERS 3

static struct {
	struct wl_common common;
	uint64_t groups;
} opt = { .common = { .task = "tgrace" }, .groups = 20 };

static struct nv nv = { .fd = -1 };
static struct nouveau_bo *words;
static atomic_int number = -1;
static atomic_bool over;
static atomic_ulong pushed, refused;
/* Of the two that free it: before, and after. */
static pthread_barrier_t both;

/* A group that does nothing, and needs no object. */
static bool make_words(void)
{
	uint32_t *w;

	if (nouveau_bo_new(nv.device, NOUVEAU_BO_GART | NOUVEAU_BO_MAP, 0, 4096, NULL, &words) ||
	    nouveau_bo_map(words, NOUVEAU_BO_WR, nv.client))
		return false;
	w = words->map;
	w[0] = 1u << 18 | NV_REF;
	w[1] = 0;
	return true;
}

static bool submit(int channel)
{
	struct drm_nouveau_gem_pushbuf_bo list = {
		.handle = words->handle,
		.read_domains = NOUVEAU_GEM_DOMAIN_GART,
		.valid_domains = NOUVEAU_GEM_DOMAIN_GART,
	};
	struct drm_nouveau_gem_pushbuf_push push = { .length = 8 };
	struct drm_nouveau_gem_pushbuf req = {
		.channel = (uint32_t)channel,
		.nr_buffers = 1, .buffers = (uintptr_t)&list,
		.nr_push = 1, .push = (uintptr_t)&push,
	};

	return !drmCommandWriteRead(nv.fd, DRM_NOUVEAU_GEM_PUSHBUF, &req, sizeof(req));
}

static void *push_to_it(void *unused)
{
	int channel;

	while (!over) {
		channel = number;
		if (channel < 0)
			continue;
		if (submit(channel))
			pushed++;
		else
			refused++;
	}
	return unused;
}

/* One of the two is refused.  Returns whether it was the last time: then there is none. */
static bool free_with_another(void)
{
	struct chan_free gone;
	bool last;

	pthread_barrier_wait(&both);
	last = over;
	gone.channel = number;
	if (!last)
		ioctl(nv.fd, CHANNEL_FREE, &gone);
	pthread_barrier_wait(&both);
	return last;
}

static void *free_it_too(void *unused)
{
	while (!free_with_another())
		continue;
	return unused;
}

static bool live(void)
{
	struct chan_alloc alloc = { .vram = VRAM_HANDLE, .gart = GART_HANDLE };

	if (ioctl(nv.fd, CHANNEL_ALLOC, &alloc))
		return false;
	number = alloc.channel;
	for (uint64_t i = 0; i < opt.groups; i++)
		if (!submit(alloc.channel))
			return false;
	free_with_another();
	return true;
}

int main(int argc, char **argv)
{
	const struct wl_opt opts[] = {
		{ "groups", WL_OPT_UINT, &opt.groups, "N", "of its owner, in each channel (20)" },
		{ 0 },
	};
	pthread_t thread[NR_PUSHERS], other;
	unsigned long lives = 0;
	uint64_t end;
	bool good;

	wl_common_init(&opt.common, argc, argv, "Channels that are freed under calls.", opts, NULL);
	wl_catch_signals();
	if (nv_open(&nv, NULL) != WL_OK)
		return WL_FAILED;
	end = wl_now_ns() + opt.common.duration_ns;
	good = make_words() && !pthread_barrier_init(&both, NULL, 2) &&
	       !pthread_create(&other, NULL, free_it_too, NULL);
	for (int i = 0; good && i < NR_PUSHERS; i++)
		good = !pthread_create(&thread[i], NULL, push_to_it, NULL);
	while (good && !wl_stopped() && wl_now_ns() < end) {
		good = live();
		lives++;
	}
	if (!good)
		wl_error("a channel that is there does not work: %m");
	over = true;
	if (good) {
		free_with_another();
		pthread_join(other, NULL);
	}
	for (int i = 0; good && i < NR_PUSHERS; i++)
		pthread_join(thread[i], NULL);
	printf("%lu channels, %lu groups of others, %lu refused\n", lives, (unsigned long)pushed,
	       (unsigned long)refused);
	nv_close(&nv);
	return good ? WL_OK : WL_FAILED;
}
