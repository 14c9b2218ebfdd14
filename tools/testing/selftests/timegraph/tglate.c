// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A client that runs free, and whose last group is on its way when the others have to ask:
 * the list of its buffers lies in memory that the program serves itself (userfaultfd), so
 * nouveau waits for that until a file exists.  Other threads of it may come after that
 * group meanwhile.  Then it stays until it is told to end.
 */
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <nouveau_drm.h>
#include <xf86drm.h>

#include "nv.h"
#include "opts.h"
#include "served.h"

/* Of short groups that are submitted at once; and from then on nothing is, for a while. */
#define BATCH 8
#define PAUSE_NS 20000000
#define SHORT_ROWS 16
#define TARGET_BYTES ((uint64_t)NV_MAX_ROWS * NV_PITCH)
#define GROUP_BYTES (256u << 10)

static struct {
	struct wl_common common;
	uint64_t quick_ns, fills, threads;
	const char *go, *say;
} opt = { .common = { .task = "tglate" }, .quick_ns = 2000000000, .fills = 100 };

static struct served served;

struct late {
	struct nv nv;
	struct nouveau_bo *target, *words;
	uint32_t nr_words;
};

static bool alloc(struct late *l)
{
	return !nouveau_bo_new(l->nv.device, NOUVEAU_BO_VRAM, 0, TARGET_BYTES, NULL, &l->target) &&
	       !nouveau_bo_new(l->nv.device, NOUVEAU_BO_GART | NOUVEAU_BO_MAP, 0, GROUP_BYTES, NULL,
			       &l->words) &&
	       !nouveau_bo_map(l->words, NOUVEAU_BO_WR, l->nv.client);
}

static bool begin(struct late *l, uint32_t words)
{
	struct nouveau_pushbuf_refn ref = { l->target, NOUVEAU_BO_VRAM | NOUVEAU_BO_RDWR };

	return nv_group_begin(&l->nv, words, &ref, 1);
}

static bool quick(struct late *l)
{
	if (!begin(l, 64))
		return false;
	nv_fill_target(&l->nv, l->target->offset, NV_MAX_ROWS);
	nv_fill(&l->nv, 1, SHORT_ROWS);
	return nv_group_end(&l->nv);
}

static bool run_quick(struct late *l)
{
	const uint64_t end_ns = wl_now_ns() + opt.quick_ns;
	unsigned int n = 0;

	while (wl_now_ns() < end_ns && !wl_stopped())
		if (!quick(l) || (++n % BATCH == 0 &&
				  nouveau_bo_wait(l->target, NOUVEAU_BO_RD, l->nv.client)))
			return false;
	return true;
}

/* As libdrm makes them; it is not libdrm that sends them. */
static bool make_words(struct late *l)
{
	const uint32_t *first;

	if (opt.fills > (GROUP_BYTES / 4 - 64) / NV_FILL_WORDS) {
		errno = EINVAL;
		return false;
	}
	if (!begin(l, 64 + (uint32_t)opt.fills * NV_FILL_WORDS))
		return false;
	first = l->nv.push->cur;
	nv_fill_target(&l->nv, l->target->offset, NV_MAX_ROWS);
	for (uint64_t i = 0; i < opt.fills; i++)
		nv_fill(&l->nv, 2, NV_MAX_ROWS);
	l->nr_words = (uint32_t)(l->nv.push->cur - first);
	memcpy(l->words->map, first, l->nr_words * 4);
	l->nv.push->cur -= l->nr_words;
	return true;
}

static void fill_list(const struct late *l)
{
	const struct drm_nouveau_gem_pushbuf_bo list[] = {
		{
			.handle = l->words->handle,
			.read_domains = NOUVEAU_GEM_DOMAIN_GART,
			.valid_domains = NOUVEAU_GEM_DOMAIN_GART,
		}, {
			.handle = l->target->handle,
			.read_domains = NOUVEAU_GEM_DOMAIN_VRAM,
			.write_domains = NOUVEAU_GEM_DOMAIN_VRAM,
			.valid_domains = NOUVEAU_GEM_DOMAIN_VRAM,
		},
	};

	memcpy(served.contents, list, sizeof(list));
}

/* Nouveau is given the words, by a list of buffers that is where it says. */
static bool submit(struct late *l, const void *list, uint32_t nr_words)
{
	struct drm_nouveau_gem_pushbuf_push push = { .length = nr_words * 4 };
	struct drm_nouveau_gem_pushbuf req = {
		.channel = ((struct nouveau_fifo *)l->nv.channel->data)->channel,
		.nr_buffers = 2, .buffers = (uintptr_t)list,
		.nr_push = 1, .push = (uintptr_t)&push,
	};

	return !drmCommandWriteRead(l->nv.fd, DRM_NOUVEAU_GEM_PUSHBUF, &req, sizeof(req));
}

/* The first method of the same group, which draws nothing. */
static void *come_after(void *late)
{
	char list[2 * sizeof(struct drm_nouveau_gem_pushbuf_bo)];

	memcpy(list, served.contents, sizeof(list));
	if (!submit(late, list, 3))
		wl_error("a thread could not submit: %m");
	return NULL;
}

static void *serve(void *late)
{
	pthread_t thread;
	FILE *say;

	if (!served_wanted(&served))
		return NULL;
	for (uint64_t i = 0; i < opt.threads; i++)
		if (pthread_create(&thread, NULL, come_after, late))
			wl_error("no thread: %m");
	say = fopen(opt.say, "w");
	if (!say || fclose(say))
		wl_error("%s: %m", opt.say);
	while (access(opt.go, F_OK) && !wl_stopped())
		wl_sleep_until(wl_now_ns() + 1000000);
	served_give(&served);
	return NULL;
}

int main(int argc, char **argv)
{
	const struct wl_opt opts[] = {
		{ "quick-ms", WL_OPT_TIME, &opt.quick_ns, "MS", "short groups first, for so long (2000)",
		  .unit_ns = 1000000 },
		{ "fills", WL_OPT_UINT, &opt.fills, "N", "of the last group (100)" },
		{ "threads", WL_OPT_UINT, &opt.threads, "N", "that submit while nouveau waits (0)" },
		{ "say", WL_OPT_STRING, &opt.say, "FILE", "make FILE when nouveau waits" },
		{ "go", WL_OPT_STRING, &opt.go, "FILE", "until FILE exists" },
		{ 0 },
	};
	struct late l = { .nv.fd = -1 };
	pthread_t thread;
	bool good;

	wl_common_init(&opt.common, argc, argv, "A client that is on its way for long.", opts, NULL);
	wl_catch_signals();
	if (!opt.go || !opt.say) {
		wl_error("--go and --say are needed");
		return WL_USAGE;
	}
	if (nv_open(&l.nv, NULL) != WL_OK)
		return WL_FAILED;
	good = alloc(&l) && served_begin(&served) && run_quick(&l) && make_words(&l);
	if (good) {
		fill_list(&l);
		wl_sleep_until(wl_now_ns() + PAUSE_NS);
		/* The first one after a pause is seen, and lets some more pass. */
		good = !pthread_create(&thread, NULL, serve, &l) && quick(&l) &&
		       submit(&l, served.page, l.nr_words) &&
		       !nouveau_bo_wait(l.target, NOUVEAU_BO_RD, l.nv.client);
	}
	if (!good)
		wl_error("no group could be submitted: %m");
	while (good && !wl_stopped())
		wl_sleep_until(wl_now_ns() + PAUSE_NS);
	nv_close(&l.nv);
	return good ? WL_OK : WL_FAILED;
}
