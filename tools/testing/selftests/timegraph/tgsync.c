// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A client that has nouveau wait within PUSHBUF until its group has ended, which it ends itself
 * a while later: meanwhile the group waits on the GPU for a word that the program writes.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <nouveau_drm.h>
#include <xf86drm.h>

#include "nv.h"
#include "opts.h"

/* NOUVEAU_GEM_PUSHBUF_SYNC of nouveau_drm.h, which libdrm's lacks: in vram_available, from 6.6 on. */
#define PUSHBUF_SYNC 1
#define PAGE_BYTES 4096
#define MAX_WORDS 64

static struct {
	struct wl_common common;
	uint64_t hold_ns;
	unsigned int groups;
} opt = { .common = { .task = "tgsync" }, .hold_ns = 700000000, .groups = 2 };

static struct {
	struct nv nv;
	struct nouveau_bo *words, *word;
	uint32_t nr_words;
	/* Of the group that is on its way. */
	uint32_t number;
} s;

static struct nouveau_bo *make_page(void)
{
	struct nouveau_bo *bo = NULL;

	if (nouveau_bo_new(s.nv.device, NOUVEAU_BO_GART | NOUVEAU_BO_MAP, 0, PAGE_BYTES, NULL, &bo) ||
	    nouveau_bo_map(bo, NOUVEAU_BO_RDWR, s.nv.client))
		return NULL;
	return bo;
}

/* As libdrm makes them; it is not libdrm that sends them. */
static bool make_words(uint32_t number)
{
	struct nouveau_pushbuf_refn ref = { s.word, NOUVEAU_BO_GART | NOUVEAU_BO_RD };
	const uint32_t *first;

	if (!nv_group_begin(&s.nv, MAX_WORDS, &ref, 1))
		return false;
	first = s.nv.push->cur;
	nv_semaphore(&s.nv, s.word->offset, number, NV_ACQUIRE_EQUAL);
	nv_method(&s.nv, NV_SUBC_2D, NV_NOP, 0);
	s.nr_words = (uint32_t)(s.nv.push->cur - first);
	memcpy(s.words->map, first, s.nr_words * 4);
	s.nv.push->cur -= s.nr_words;
	return true;
}

static bool submit(void)
{
	struct drm_nouveau_gem_pushbuf_bo list[2] = { };
	struct drm_nouveau_gem_pushbuf_push push = { .length = s.nr_words * 4 };
	struct drm_nouveau_gem_pushbuf req = {
		.channel = ((struct nouveau_fifo *)s.nv.channel->data)->channel,
		.nr_buffers = 2, .buffers = (uintptr_t)list,
		.nr_push = 1, .push = (uintptr_t)&push,
		.vram_available = PUSHBUF_SYNC,
	};

	for (int i = 0; i < 2; i++) {
		list[i].handle = (i ? s.word : s.words)->handle;
		list[i].read_domains = NOUVEAU_GEM_DOMAIN_GART;
		list[i].valid_domains = NOUVEAU_GEM_DOMAIN_GART;
	}
	return !drmCommandWriteRead(s.nv.fd, DRM_NOUVEAU_GEM_PUSHBUF, &req, sizeof(req));
}

static void *let_go(void *unused)
{
	volatile uint32_t *word = s.word->map;
	uint32_t number, last = 0;

	while (!wl_stopped()) {
		number = __atomic_load_n(&s.number, __ATOMIC_ACQUIRE);
		wl_sleep_until(wl_now_ns() + (number == last ? 1000000 : opt.hold_ns));
		*word = number;
		last = number;
	}
	return unused;
}

/* Return: whether the group had ended when the call returned. */
static bool run(uint32_t number)
{
	volatile uint32_t *word = s.word->map;

	if (!make_words(number))
		return false;
	__atomic_store_n(&s.number, number, __ATOMIC_RELEASE);
	return submit() && *word == number;
}

int main(int argc, char **argv)
{
	const struct wl_opt opts[] = {
		{ "hold-ms", WL_OPT_TIME, &opt.hold_ns, "MS", "until a group may go on (700)",
		  .unit_ns = 1000000 },
		{ "groups", WL_OPT_UINT, &opt.groups, "N", "one after the other (2)" },
		{ 0 },
	};
	pthread_t thread;
	bool good;

	wl_common_init(&opt.common, argc, argv, "A client that has nouveau wait.", opts, NULL);
	wl_catch_signals();
	if (nv_open(&s.nv, NULL) != WL_OK)
		return WL_FAILED;
	s.words = make_page();
	s.word = make_page();
	good = s.words && s.word && !pthread_create(&thread, NULL, let_go, NULL);
	for (uint32_t i = 1; good && i <= opt.groups && !wl_stopped(); i++)
		good = run(i) || wl_stopped();
	if (!good)
		wl_error("a group could not be submitted, or had not ended: %m");
	nv_close(&s.nv);
	return good ? WL_OK : WL_FAILED;
}
