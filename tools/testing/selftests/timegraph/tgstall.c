// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A client that is given its turn and does not use it: the list of a group's buffers
 * lies in memory that the program serves itself (userfaultfd), and when it is read
 * again, by nouveau, nothing comes for a while.
 */
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <nouveau_drm.h>
#include <xf86drm.h>

#include "nv.h"
#include "opts.h"

#define PAGE 4096
/* By then the reader has gone on, to wait for its turn. */
#define READ_NS 1000000

static struct {
	struct wl_common common;
	uint64_t stall_ns;
} opt = { .stall_ns = 50000000 };

static struct {
	int fd;
	void *page;
	char contents[PAGE] __attribute__((aligned(PAGE)));
	unsigned int faults;	/* of this group */
} served;

static void drop(void)
{
	madvise(served.page, PAGE, MADV_DONTNEED);
}

static void *serve(void *unused)
{
	struct uffdio_copy copy = {
		.dst = (uintptr_t)served.page, .src = (uintptr_t)served.contents, .len = PAGE,
	};
	struct uffd_msg msg;

	while (read(served.fd, &msg, sizeof(msg)) == sizeof(msg)) {
		bool first = !__atomic_fetch_add(&served.faults, 1, __ATOMIC_SEQ_CST);

		if (!first)
			wl_sleep_until(wl_now_ns() + opt.stall_ns);
		ioctl(served.fd, UFFDIO_COPY, &copy);
		if (!first)
			continue;
		wl_sleep_until(wl_now_ns() + READ_NS);
		drop();
	}
	return unused;
}

static bool begin_to_serve(void)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register reg = { .mode = UFFDIO_REGISTER_MODE_MISSING };
	pthread_t thread;

	served.fd = (int)syscall(SYS_userfaultfd, O_CLOEXEC);
	served.page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	reg.range.start = (uintptr_t)served.page;
	reg.range.len = PAGE;
	return served.fd >= 0 && served.page != MAP_FAILED &&
	       !ioctl(served.fd, UFFDIO_API, &api) && !ioctl(served.fd, UFFDIO_REGISTER, &reg) &&
	       !pthread_create(&thread, NULL, serve, NULL);
}

/* A group that does nothing. */
static struct nouveau_bo *make_group(struct nv *nv)
{
	struct nouveau_bo *bo = NULL;
	uint32_t *words;

	if (nouveau_bo_new(nv->device, NOUVEAU_BO_GART | NOUVEAU_BO_MAP, 0, PAGE, NULL, &bo) ||
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

	drop();
	__atomic_store_n(&served.faults, 0, __ATOMIC_SEQ_CST);
	return !drmCommandWriteRead(nv->fd, DRM_NOUVEAU_GEM_PUSHBUF, &req, sizeof(req));
}

int main(int argc, char **argv)
{
	const struct wl_opt opts[] = {
		{ "stall-ms", WL_OPT_TIME, &opt.stall_ns, "MS", "until what is read again comes (50)",
		  .unit_ns = 1000000 },
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
	while (good && !wl_stopped())
		good = submit(&nv) || wl_stopped();
	if (!good)
		wl_error("no group could be submitted: %m");
	nv_close(&nv);
	return good ? WL_OK : WL_FAILED;
}
