// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A client of EXEC (VM_BIND).
 *
 *	tgexec [--name NAME] [--groups N | --seconds S] [--ahead N] [--after]
 *	       [--copies N] [--empty N] [--waiters N] [--wrong] [--stamps]
 *	       [--stall-ms MS [--stall-waits]]
 *
 * Each group releases a semaphore with a value of its own; the program reads it
 * back.  On Tesla GPUs nouveau cannot map buffers for such clients, but the page of
 * notifiers that each channel has is mapped: its words are executed, and written.
 *
 *	--ahead N	groups under way at once (1)
 *	--after		each group waits, by a sync object, for the one before
 *	--copies N	each group moves 4 MiB N times: about half a millisecond each (0)
 *	--empty N	so many jobs without commands go before each group (0)
 *	--waiters N	so many more processes, whose groups are small and wait for this
 *			one's latest
 *	--wrong		calls that are to be refused go before each group
 *	--stamps	prints "stamp PID GROUP START END" of each group, as the GPU wrote
 *			them, in ns of its clock
 *	--stall-ms MS	the entries of each group lie in memory that the program serves
 *			itself, and come so late
 *	--stall-waits	what the group waits for comes late instead
 *
 * Prints "groups N" at its end.  77: this nouveau has no EXEC.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <signal.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "channel.h"
#include "served.h"

/* nouveau's and DRM's ABI; Debian 12's libdrm is older than EXEC. */
#define DRM(nr, type) _IOWR('d', nr, type)

struct vm_init {
	uint64_t addr, size;
};

struct grobj_alloc {
	int32_t channel;
	uint32_t handle;
	int32_t class;
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

struct syncobj_handle {
	uint32_t handle, flags;
	int32_t fd;
	uint32_t pad;
};

struct syncobj_wait {
	uint64_t handles;
	int64_t timeout;
	uint32_t count, flags, first, pad;
	uint64_t deadline;
};

#define M2MF_HANDLE 0xbeef5039u
#define M2MF_CLASS 0x5039
#define MAX_AHEAD 8
#define MAX_COPIES 250
#define MAX_WAITERS 32
/* Where nouveau puts the notifiers, after its own areas, in the kernel's part. */
#define KERNEL_VA (1ull << 39)
#define NOTIFIER_OFFSET 0x13000
/*
 * In the page: the words of each group under way, of a copy, what the groups write at
 * their ends and their starts, and what is copied, to where it is.
 */
#define WORDS_AT(i) (2304 + (i) * 64)
#define START_WORDS 7
#define END_WORDS 9
#define SETUP_AT 2816
#define SETUP_WORDS 10
#define COPY_AT 2880
#define COPY_WORDS 12
#define VALUE_AT(i) (3072 + (i) * 16)
#define START_AT(i) (3200 + (i) * 16)
#define AREA_AT 3392
#define AREA_BYTES 704
#define AREA_LINES ((4 << 20) / AREA_BYTES)

static struct {
	const char *name;
	unsigned long groups;
	double seconds;
	unsigned int ahead, copies, empty, waiters, stall_ms;
	int after, wrong, stamps, stall_waits;
} opt = { .name = "tgexec", .ahead = 1 };

static int fd;
static volatile uint32_t *page;
static struct chan_alloc chan = { .vram = VRAM_HANDLE, .gart = GART_HANDLE };
static uint32_t syncobj[MAX_AHEAD];
/* Of a waiter: what it waits for, another process' sync object. */
static uint32_t waits_for;
static struct served served;

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

/* Words that release a semaphore, with the time. */
static volatile uint32_t *put_release(volatile uint32_t *w, uint32_t offset, uint32_t value)
{
	uint64_t at = KERNEL_VA + NOTIFIER_OFFSET + offset;

	*w++ = 1 << 18 | 0x60;
	*w++ = VRAM_HANDLE;
	*w++ = 4 << 18 | 0x10;
	*w++ = at >> 32;
	*w++ = at;
	*w++ = value;
	*w++ = 2; /* release */
	return w;
}

/* An object that copies, and the words that copy an area to where it is. */
static void setup_copies(void)
{
	uint64_t at = KERNEL_VA + NOTIFIER_OFFSET + AREA_AT;
	struct grobj_alloc object = { chan.channel, M2MF_HANDLE, M2MF_CLASS };
	const uint32_t setup[SETUP_WORDS] = {
		1 << 18 | 0x000, M2MF_HANDLE,
		3 << 18 | 0x180, 0, VRAM_HANDLE, VRAM_HANDLE,	/* it notifies nobody */
		1 << 18 | 0x200, 1,	/* linear in */
		1 << 18 | 0x21c, 1,	/* and out */
	};
	const uint32_t copy[COPY_WORDS] = {
		2 << 18 | 0x238, at >> 32, at >> 32,
		8 << 18 | 0x30c, at, at, 0, 0, AREA_BYTES, AREA_LINES, 0x101, 0,
	};

	call("GROBJ_ALLOC", _IOW('d', 0x44, struct grobj_alloc), &object);
	for (int i = 0; i < SETUP_WORDS; i++)
		page[SETUP_AT / 4 + i] = setup[i];
	for (int i = 0; i < COPY_WORDS; i++)
		page[COPY_AT / 4 + i] = copy[i];
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
	call("CHANNEL_ALLOC", CHANNEL_ALLOC, &chan);
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
	if (opt.copies)
		setup_copies();
}

static void put_push(struct push *p, uint32_t offset, uint32_t words)
{
	*p = (struct push){ KERNEL_VA + NOTIFIER_OFFSET + offset, words * 4, 0 };
}

/* Returns how many entries there are. */
static uint32_t put_group(struct push *p, unsigned int i, uint32_t value)
{
	volatile uint32_t *w = page + WORDS_AT(i) / 4;
	uint32_t nr = 0;

	w = put_release(w, START_AT(i), value);
	*w++ = 1 << 18 | 0x50;	/* SET_REFERENCE: all before it is done */
	*w++ = value;
	put_release(w, VALUE_AT(i), value);
	put_push(&p[nr++], WORDS_AT(i), START_WORDS);
	if (opt.copies)
		put_push(&p[nr++], SETUP_AT, SETUP_WORDS);
	for (unsigned int k = 0; k < opt.copies; k++)
		put_push(&p[nr++], COPY_AT, COPY_WORDS);
	put_push(&p[nr++], WORDS_AT(i) + START_WORDS * 4, END_WORDS);
	return nr;
}

static void expect_error(const char *what, struct exec e, int error)
{
	if (!ioctl(fd, NV(0x12, struct exec), &e) || errno != error) {
		fprintf(stderr, "tgexec: %s: %s, not %s\n", what, strerror(errno),
			strerror(error));
		exit(1);
	}
}

/* Whatever is wrong with a call, it is said, and nothing of it stays. */
static void send_wrong(const struct exec *good)
{
	struct sync none = { 0, 0xdeadu, 0 }, odd = { 7, syncobj[0], 0 };
	struct exec e = *good;

	e.channel = 99;
	expect_error("no such channel", e, ENOENT);
	e.channel = UINT32_MAX;
	expect_error("channel -1", e, ENOENT);
	e = *good;
	e.push_ptr = 8;
	expect_error("entries out of reach", e, EFAULT);
	e = *good;
	e.wait_count = 1;
	e.wait_ptr = 8;
	expect_error("waits out of reach", e, EFAULT);
	e.wait_ptr = (uintptr_t)&none;
	expect_error("wait for no sync object", e, ENOENT);
	e.wait_ptr = (uintptr_t)&odd;
	expect_error("wait of no known kind", e, EOPNOTSUPP);
	e = *good;
	e.sig_ptr = (uintptr_t)&none;
	expect_error("signal no sync object", e, ENOENT);
	e = *good;
	e.push_count = 100000;
	expect_error("too many entries", e, EINVAL);
}

_Static_assert((MAX_COPIES + 3) * sizeof(struct push) <= SERVED_BYTES,
	       "entries in a page");

static void *serve(void *unused)
{
	while (served_wanted(&served)) {
		usleep(opt.stall_ms * 1000);
		served_give(&served);
	}
	return unused;
}

static void begin_to_serve(void)
{
	pthread_t thread;

	if (!served_begin(&served) || pthread_create(&thread, NULL, serve, NULL))
		die("userfaultfd");
}

/* Returns where the array is for who reads it next, and waits. */
static uint64_t serve_array(uint64_t array, size_t bytes)
{
	memcpy(served.contents, (void *)(uintptr_t)array, bytes);
	served_drop(&served);
	return (uintptr_t)served.page;
}

/* One of its arrays is to come late. */
static void stall(struct exec *e)
{
	if (opt.stall_waits)
		e->wait_ptr = serve_array(e->wait_ptr,
					  e->wait_count * sizeof(struct sync));
	else
		e->push_ptr = serve_array(e->push_ptr,
					  e->push_count * sizeof(struct push));
}

static void submit(unsigned int i, uint32_t value, int wait_for)
{
	struct push push[MAX_COPIES + 3];
	struct sync sig = { 0, syncobj[i], 0 };
	struct sync wait = { 0, wait_for < 0 ? waits_for : syncobj[wait_for], 0 };
	struct exec e = { .channel = chan.channel }, sent;

	for (unsigned int k = 0; k < opt.empty; k++)
		call("EXEC of nothing", NV(0x12, struct exec), &e);
	e.push_count = put_group(push, i, value);
	e.push_ptr = (uintptr_t)push;
	e.sig_count = 1;
	e.sig_ptr = (uintptr_t)&sig;
	if (opt.wrong)
		send_wrong(&e);
	e.wait_count = wait.handle != 0;
	e.wait_ptr = (uintptr_t)&wait;
	if (opt.stall_ms)
		stall(&e);
	sent = e;
	call("EXEC", NV(0x12, struct exec), &e);
	if (memcmp(&sent, &e, sizeof(e))) {
		fprintf(stderr, "tgexec: EXEC's argument was changed\n");
		exit(1);
	}
}

/* The time behind the value that a semaphore was released to. */
static uint64_t stamp_at(uint32_t offset)
{
	return page[offset / 4 + 2] | (uint64_t)page[offset / 4 + 3] << 32;
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
	if (opt.stamps)
		printf("stamp %d %u %llu %llu\n", (int)getpid(), value,
		       (unsigned long long)stamp_at(START_AT(i)),
		       (unsigned long long)stamp_at(VALUE_AT(i)));
}

/*
 * Processes with channels of their own, that wait for this one's groups.  Returns 1 in
 * each of those.
 */
static int start_waiters(void)
{
	struct syncobj_handle h = { .handle = syncobj[0] };
	char name[16];

	if (!opt.waiters)
		return 0;
	call("SYNCOBJ_HANDLE_TO_FD", DRM(0xc1, struct syncobj_handle), &h);
	for (unsigned int i = 0; i < opt.waiters; i++) {
		if (fork())
			continue;
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		close(fd);
		opt.stamps = opt.waiters = opt.copies = 0;
		snprintf(name, sizeof(name), "%s-w", opt.name);
		prctl(PR_SET_NAME, name);
		chan = (struct chan_alloc){ .vram = VRAM_HANDLE, .gart = GART_HANDLE };
		setup();
		call("SYNCOBJ_FD_TO_HANDLE", DRM(0xc2, struct syncobj_handle), &h);
		waits_for = h.handle;
		return 1;
	}
	return 0;
}

static void usage(void)
{
	fprintf(stderr,
		"usage: tgexec [--name NAME] [--groups N | --seconds S] [--ahead N] [--after] [--copies N] [--empty N] [--waiters N] [--wrong] [--stamps] [--stall-ms MS [--stall-waits]]\n");
	exit(2);
}

static int is_flag(const char *arg, const char *name, int *flag)
{
	if (strcmp(arg, name))
		return 0;
	*flag = 1;
	return 1;
}

static void parse(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		if (is_flag(argv[i], "--after", &opt.after) ||
		    is_flag(argv[i], "--wrong", &opt.wrong) ||
		    is_flag(argv[i], "--stamps", &opt.stamps) ||
		    is_flag(argv[i], "--stall-waits", &opt.stall_waits))
			continue;
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
		else if (!strcmp(argv[i], "--copies"))
			opt.copies = strtoul(argv[i + 1], NULL, 0);
		else if (!strcmp(argv[i], "--empty"))
			opt.empty = strtoul(argv[i + 1], NULL, 0);
		else if (!strcmp(argv[i], "--waiters"))
			opt.waiters = strtoul(argv[i + 1], NULL, 0);
		else if (!strcmp(argv[i], "--stall-ms"))
			opt.stall_ms = strtoul(argv[i + 1], NULL, 0);
		else
			usage();
		i++;
	}
	if (!opt.ahead || opt.ahead > MAX_AHEAD || opt.copies > MAX_COPIES ||
	    opt.waiters > MAX_WAITERS || (!opt.groups && opt.seconds <= 0))
		usage();
}

int main(int argc, char **argv)
{
	unsigned long sent = 0, done = 0;
	double end;

	parse(argc, argv);
	prctl(PR_SET_NAME, opt.name);
	setlinebuf(stdout);
	setup();
	if (opt.stall_ms)
		begin_to_serve();
	end = now() + opt.seconds;
	while (opt.groups ? sent < opt.groups : now() < end) {
		int last = (sent + opt.ahead - 1) % opt.ahead;

		if (sent - done == opt.ahead) {
			finish(done % opt.ahead, done + 1);
			done++;
		}
		submit(sent % opt.ahead, sent + 1,
		       opt.after && sent > done ? last : -1);
		if (!sent++ && start_waiters())
			sent = 0;
		/* A waiter leaves the other one time to send the next group. */
		if (waits_for)
			usleep(1000);
	}
	for (; done < sent; done++)
		finish(done % opt.ahead, done + 1);
	printf("groups %lu\n", done);
	return 0;
}
