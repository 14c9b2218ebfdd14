// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A client of EXEC (VM_BIND).
 *
 *	tgexec [--name NAME] [--groups N | --seconds S] [--ahead N] [--after]
 *
 * Each group releases a semaphore with a value of its own; the program reads it
 * back.  On Tesla GPUs nouveau cannot map buffers for such clients, but the page of
 * notifiers that each channel has is mapped: its words are executed, and written.
 *
 *	--ahead N	groups under way at once (1)
 *	--after		each group waits, by a sync object, for the one before
 *
 * Prints "groups N" at its end.  77: this nouveau has no EXEC.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

/* nouveau's and DRM's ABI; Debian 12's libdrm is older than EXEC. */
#define NV(nr, type) _IOWR('d', 0x40 + (nr), type)
#define DRM(nr, type) _IOWR('d', nr, type)

struct vm_init {
	uint64_t addr, size;
};

struct chan_alloc {
	uint32_t vram, gart;
	int32_t channel;
	uint32_t domains, notifier;
	uint32_t subchannel[8][2];
	uint32_t nr;
};

struct gem_info {
	uint32_t handle, domain;
	uint64_t size, offset, map_handle;
	uint32_t tile_mode, tile_flags;
};

struct push {
	uint64_t va;
	uint32_t len, flags;
};

struct sync {
	uint32_t flags, handle;
	uint64_t value;
};

struct exec {
	uint32_t channel, push_count, wait_count, sig_count;
	uint64_t wait_ptr, sig_ptr, push_ptr;
};

struct syncobj_create {
	uint32_t handle, flags;
};

struct syncobj_wait {
	uint64_t handles;
	int64_t timeout;
	uint32_t count, flags, first, pad;
	uint64_t deadline;
};

#define VRAM_HANDLE 0xbeef0201u
#define GART_HANDLE 0xbeef0202u
#define MAX_AHEAD 8
/* Where nouveau puts the notifiers, after its own areas, in the kernel's part. */
#define KERNEL_VA (1ull << 39)
#define NOTIFIER_OFFSET 0x13000
/* In the page: the words of each group under way, and what they write. */
#define WORDS_AT(i) (2304 + (i) * 64)
#define VALUE_AT(i) (3072 + (i) * 16)

static struct {
	const char *name;
	unsigned long groups;
	double seconds;
	unsigned int ahead;
	int after;
} opt = { .name = "tgexec", .ahead = 1 };

static int fd;
static volatile uint32_t *page;
static struct chan_alloc chan = { .vram = VRAM_HANDLE, .gart = GART_HANDLE };
static uint32_t syncobj[MAX_AHEAD];

static void die(const char *what)
{
	fprintf(stderr, "tgexec: %s: %s\n", what, strerror(errno));
	exit(1);
}

static void call(const char *what, unsigned long request, void *arg)
{
	while (ioctl(fd, request, arg))
		if (errno != EINTR && errno != EAGAIN)
			die(what);
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec * 1e-9;
}

static void setup(void)
{
	struct vm_init vm = { KERNEL_VA, 1ull << 39 };
	struct gem_info info = { 0 };

	fd = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
	if (fd < 0)
		die("/dev/dri/renderD128");
	if (ioctl(fd, NV(0x10, struct vm_init), &vm)) {
		fprintf(stderr, "tgexec: this nouveau has no EXEC\n");
		exit(77);
	}
	call("CHANNEL_ALLOC", NV(0x02, struct chan_alloc), &chan);
	info.handle = chan.notifier;
	call("GEM_INFO", NV(0x44, struct gem_info), &info);
	page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, info.map_handle);
	if (page == MAP_FAILED)
		die("mmap");
	for (unsigned int i = 0; i < opt.ahead; i++) {
		struct syncobj_create c = { 0 };

		call("SYNCOBJ_CREATE", DRM(0xbf, struct syncobj_create), &c);
		syncobj[i] = c.handle;
	}
}

static void submit(unsigned int i, uint32_t value, int wait_for)
{
	uint64_t at = KERNEL_VA + NOTIFIER_OFFSET;
	volatile uint32_t *w = page + WORDS_AT(i) / 4;
	struct push push = { at + WORDS_AT(i), 7 * 4, 0 };
	struct sync sig = { 0, syncobj[i], 0 };
	struct sync wait = { 0, wait_for < 0 ? 0 : syncobj[wait_for], 0 };
	struct exec e = {
		.channel = chan.channel,
		.push_count = 1, .push_ptr = (uintptr_t)&push,
		.sig_count = 1, .sig_ptr = (uintptr_t)&sig,
		.wait_count = wait_for >= 0, .wait_ptr = (uintptr_t)&wait,
	};

	at += VALUE_AT(i);
	w[0] = 1 << 18 | 0x60;
	w[1] = VRAM_HANDLE;
	w[2] = 4 << 18 | 0x10;
	w[3] = at >> 32;
	w[4] = at;
	w[5] = value;
	w[6] = 2; /* release */
	call("EXEC", NV(0x12, struct exec), &e);
}

static void finish(unsigned int i, uint32_t value)
{
	struct syncobj_wait w = {
		.handles = (uintptr_t)&syncobj[i],
		.timeout = INT64_MAX, .count = 1,
	};

	call("SYNCOBJ_WAIT", DRM(0xc3, struct syncobj_wait), &w);
	if (page[VALUE_AT(i) / 4] != value) {
		fprintf(stderr, "tgexec: a group wrote %u, not %u\n",
			page[VALUE_AT(i) / 4], value);
		exit(1);
	}
}

static void usage(void)
{
	fprintf(stderr, "usage: tgexec [--name NAME] [--groups N | --seconds S] [--ahead N] [--after]\n");
	exit(2);
}

static void parse(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--after")) {
			opt.after = 1;
			continue;
		}
		if (i + 1 == argc)
			usage();
		if (!strcmp(argv[i], "--name"))
			opt.name = argv[i + 1];
		else if (!strcmp(argv[i], "--groups"))
			opt.groups = strtoul(argv[i + 1], NULL, 0);
		else if (!strcmp(argv[i], "--seconds"))
			opt.seconds = strtod(argv[i + 1], NULL);
		else if (!strcmp(argv[i], "--ahead"))
			opt.ahead = strtoul(argv[i + 1], NULL, 0);
		else
			usage();
		i++;
	}
	if (!opt.ahead || opt.ahead > MAX_AHEAD || (!opt.groups && opt.seconds <= 0))
		usage();
}

int main(int argc, char **argv)
{
	unsigned long sent = 0, done = 0;
	double end;

	parse(argc, argv);
	prctl(PR_SET_NAME, opt.name);
	setup();
	end = now() + opt.seconds;
	while (opt.groups ? sent < opt.groups : now() < end) {
		int last = (sent + opt.ahead - 1) % opt.ahead;

		if (sent - done == opt.ahead) {
			finish(done % opt.ahead, done + 1);
			done++;
		}
		submit(sent % opt.ahead, sent + 1,
		       opt.after && sent > done ? last : -1);
		sent++;
	}
	for (; done < sent; done++)
		finish(done % opt.ahead, done + 1);
	printf("groups %lu\n", done);
	return 0;
}
