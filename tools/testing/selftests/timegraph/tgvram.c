// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Takes and reserves video memory, by the ABIs alone.
 *
 *	tgvram STEP…
 *
 *	name=NAME		is called that from now on
 *	open			opens the card
 *	channel			and a channel on it
 *	reserve=MB[,MS]		reserves, waits for so long at most; try=MB: does not wait
 *	free			gives the reservation back
 *	gpu=N			the other steps are of that card from now on; "open" opens it
 *	behind=MB[,MS]		a thread reserves that on the card, MS later, and waits, while the
 *				program goes on; prints its line when it has it
 *	race=MB,MS		for so long a thread reserves without waiting, and another one gives
 *				back: how often it was granted
 *	alloc=N,MB		buffers that may be in video memory only
 *	piece=N,MB		such, each in one piece
 *	both=N,MB		buffers that may be in system memory, too
 *	dumb=N,MB		buffers to be scanned out
 *	files=N			opens the card as often again, with a page of system memory in each: for
 *				how many there were page tables
 *	time=N,MB		makes and lets go of so many, one after the other: ns for each
 *	begin			opens a channel: ns for that
 *	busy=N			the GPU reads N times 4 MiB of commands that do nothing, and has the
 *				buffers in use: 4 ms each in the simulated machine
 *	crowd=N			so many threads free the channel at once, of which one succeeds: ns of
 *				processor time for each
 *	drop=N			lets go of so many, the last first
 *	thin			lets go of each second one
 *	where			how many buffers are where
 *	rest			bytes of the card that are used without a reservation
 *	used			and all that have a buffer in them, by nouveau's word (from 6.9 on)
 *	fork			a child goes on, with all that is open; it is waited for
 *	orphan			the same, and it is not
 *	nobody			is another user without rights from now on
 *	alarm=MS[,MS]		a signal with a handler comes so often, which restarts nothing,
 *				and takes so long
 *	wait=FILE		until somebody writes a line to that pipe
 *	hold			until a signal ends it
 *
 * Each prints a line: "STEP ok", "STEP" and an error's name, or what is where.
 */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <drm/timegraph.h>
#include <nouveau_drm.h>

#include "channel.h"

#define MB (1ULL << 20)
#define VRAM 2u
#define GART 4u
#define MAX_BUFFERS 4096
/* Of a group: the list of buffers, with that of the commands, and of pieces of commands. */
#define MAX_USED 64
#define MAX_PUSHES 512

struct getparam {
	uint64_t param, value;
};

struct gem_info {
	uint32_t handle, domain;
	uint64_t size, offset, map;
	uint32_t mode, flags;
};

struct gem_new {
	struct gem_info info;
	uint32_t hint, align;
};

struct gem_close {
	uint32_t handle, pad;
};

struct dumb {
	uint32_t height, width, bpp, flags, handle, pitch;
	uint64_t size;
};

#define CREATE_DUMB _IOWR('d', 0xb2, struct dumb)
#define GEM_NEW NV(0x40, struct gem_new)
#define GEM_INFO NV(0x44, struct gem_info)
#define GEM_CLOSE _IOW('d', 0x09, struct gem_close)
#define GETPARAM NV(0x00, struct getparam)
/* Not in every libdrm. */
#define GETPARAM_VRAM_USED 19
#define PUSHBUF NV(0x41, struct drm_nouveau_gem_pushbuf)

static uint32_t handles[MAX_BUFFERS];
static unsigned int nr_buffers;
static int card = -1, node = -1;
static unsigned int gpu;
static int channel;

static void say(const char *step, int error)
{
	printf("%s %s\n", step, error ? strerrorname_np(error) : "ok");
}

/* As libdrm does it; of timegraph's calls the caller says. */
static int call(int fd, unsigned long nr, void *arg)
{
	int ret;

	do
		ret = ioctl(fd, nr, arg);
	while (ret && (errno == EINTR || errno == EAGAIN));
	return ret ? errno : 0;
}

static int open_card(void)
{
	struct getparam chipset = { .param = 11 };
	char path[32];

	snprintf(path, sizeof(path), "/dev/dri/renderD%u", 128 + gpu);
	card = open(path, O_RDWR);
	return card < 0 ? errno : call(card, GETPARAM, &chipset);
}

static int open_channel(void)
{
	struct chan_alloc c = { .vram = VRAM_HANDLE, .gart = GART_HANDLE };
	int error = call(card, CHANNEL_ALLOC, &c);

	channel = c.channel;
	return error;
}

/* NOUVEAU_GEM_TILE_NONCONTIG: in pieces, as all buffers are that are not scanned out. */
#define NONCONTIG 8u

static int alloc_as(unsigned int n, uint64_t mb, uint32_t domain, uint32_t flags)
{
	while (n-- && nr_buffers < MAX_BUFFERS) {
		struct gem_new new = {
			.info = { .domain = domain, .size = mb ? mb * MB : 4096, .flags = flags },
			.align = 4096,
		};
		int error = call(card, GEM_NEW, &new);

		if (error)
			return error;
		handles[nr_buffers++] = new.info.handle;
	}
	return 0;
}

static int alloc(unsigned int n, uint64_t mb, uint32_t domain)
{
	return alloc_as(n, mb, domain, NONCONTIG);
}

/* Each has page tables of its own once it has a buffer, wherever that is. */
static unsigned int open_files(unsigned int n)
{
	struct rlimit most = { n + 64, n + 64 };
	unsigned int nr;

	setrlimit(RLIMIT_NOFILE, &most);
	for (nr = 0; nr < n; nr++)
		if (open_card() || alloc(1, 0, GART))
			break;
	return nr;
}

static struct drm_nouveau_gem_pushbuf_bo in_use(uint32_t handle, uint32_t domain)
{
	return (struct drm_nouveau_gem_pushbuf_bo){
		.handle = handle, .read_domains = domain, .valid_domains = domain,
	};
}

/* New memory is 0, which is a command to do nothing. */
static int busy(unsigned int n)
{
	struct drm_nouveau_gem_pushbuf_bo list[MAX_USED];
	struct drm_nouveau_gem_pushbuf_push pushes[MAX_PUSHES] = { };
	struct drm_nouveau_gem_pushbuf req = {
		.channel = channel, .nr_push = n, .push = (uintptr_t)pushes,
		.buffers = (uintptr_t)list,
	};
	int error = n > MAX_PUSHES || nr_buffers + 1 > MAX_USED ? EINVAL : alloc(1, 4, GART);

	if (error)
		return error;
	list[req.nr_buffers++] = in_use(handles[--nr_buffers], GART);
	for (unsigned int i = 0; i < nr_buffers; i++)
		list[req.nr_buffers++] = in_use(handles[i], VRAM);
	for (unsigned int i = 0; i < n; i++)
		pushes[i].length = 4 * MB;
	return call(card, PUSHBUF, &req);
}

static void *free_channel(void *unused)
{
	struct chan_free c = { .channel = channel };

	(void)unused;
	call(card, CHANNEL_FREE, &c);
	return NULL;
}

static uint64_t cpu_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return ts.tv_sec * 1000000000ULL + ts.tv_nsec;
}

/* The mean; 0 if one could not begin. */
static uint64_t crowd(unsigned int n)
{
	pthread_t *threads = calloc(n, sizeof(*threads));
	uint64_t since = cpu_ns();
	pthread_attr_t attr;
	unsigned int i, nr;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 1 << 16);
	for (nr = 0; threads && nr < n; nr++)
		if (pthread_create(&threads[nr], &attr, free_channel, NULL))
			break;
	for (i = 0; i < nr; i++)
		pthread_join(threads[i], NULL);
	free(threads);
	return n && nr == n ? (cpu_ns() - since) / n : 0;
}

/* Only the first node has them; its buffers are let go at the end. */
static int dumb(unsigned int n, uint64_t mb)
{
	static int primary = -1;

	if (primary < 0)
		primary = open("/dev/dri/card0", O_RDWR);
	if (primary < 0)
		return errno;
	while (n--) {
		struct dumb d = { .height = mb * 256, .width = 1024, .bpp = 32 };
		int error = call(primary, CREATE_DUMB, &d);

		if (error)
			return error;
	}
	return 0;
}

static int let_go(uint32_t handle)
{
	struct gem_close c = { .handle = handle };

	return ioctl(card, GEM_CLOSE, &c) ? errno : 0;
}

static int drop(unsigned int n)
{
	int error = 0;

	while (n-- && nr_buffers && !error)
		error = let_go(handles[--nr_buffers]);
	return error;
}

static int thin(void)
{
	unsigned int kept = 0;
	int error = 0;

	for (unsigned int i = 0; i < nr_buffers && !error; i++) {
		if (i % 2)
			error = let_go(handles[i]);
		else
			handles[kept++] = handles[i];
	}
	nr_buffers = kept;
	return error;
}

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ULL + ts.tv_nsec;
}

/* The mean; 0 if one failed. */
static uint64_t time_buffers(unsigned int n, uint64_t mb)
{
	uint64_t since = now_ns();

	for (unsigned int i = 0; i < n; i++)
		if (alloc(1, mb, VRAM) || drop(1))
			return 0;
	return (now_ns() - since) / n;
}

static uint64_t time_channel(void)
{
	uint64_t since = now_ns();

	return open_channel() ? 0 : now_ns() - since;
}

static void where(void)
{
	unsigned int vram = 0, gart = 0;

	for (unsigned int i = 0; i < nr_buffers; i++) {
		struct gem_info info = { .handle = handles[i] };

		if (ioctl(card, GEM_INFO, &info))
			continue;
		vram += info.domain == VRAM;
		gart += info.domain == GART;
	}
	printf("where vram=%u gart=%u\n", vram, gart);
}

static void rest(void)
{
	struct timegraph_vram v = { };

	if (node < 0)
		node = open("/dev/timegraph", O_RDONLY);
	if (ioctl(node, TIMEGRAPH_IOC_VRAM, &v))
		say("rest", errno);
	else
		printf("rest %llu\n", (unsigned long long)v.rest);
}

static void used(void)
{
	struct getparam p = { .param = GETPARAM_VRAM_USED };
	int error = call(card, GETPARAM, &p);

	if (error)
		say("used", error);
	else
		printf("used %llu\n", (unsigned long long)p.value);
}

static int reserve_on(unsigned int on, uint64_t mb, uint64_t ms, uint32_t flags)
{
	struct timegraph_vram_reserve r = {
		.gpu = on, .flags = flags, .bytes = mb * MB,
		.deadline_ns = ms ? now_ns() + ms * 1000000 : 0,
	};
	int ret;

	if (node < 0)
		node = open("/dev/timegraph", O_RDWR);
	if (node < 0)
		return errno;
	do
		ret = ioctl(node, TIMEGRAPH_IOC_RESERVE_VRAM, &r);
	while (ret && errno == EINTR);
	return ret ? errno : 0;
}

static int reserve(uint64_t mb, uint64_t ms, uint32_t flags)
{
	return reserve_on(gpu, mb, ms, flags);
}

static uint64_t behind_mb, behind_ms;
static unsigned int behind_gpu;

static void *reserve_behind(void *unused)
{
	(void)unused;
	usleep(behind_ms * 1000);
	say("behind", reserve_on(behind_gpu, behind_mb, 0, 0));
	return NULL;
}

/* Without a delay it waits then, or has it. */
static void begin_behind(uint64_t mb, uint64_t ms)
{
	pthread_t other;

	behind_mb = mb;
	behind_ms = ms;
	behind_gpu = gpu;
	if (node < 0)
		node = open("/dev/timegraph", O_RDWR);
	if (pthread_create(&other, NULL, reserve_behind, NULL))
		say("behind", EAGAIN);
	usleep(20000);
}

static int give_back(void)
{
	struct timegraph_vram_reserve r = { .gpu = gpu };

	return ioctl(node, TIMEGRAPH_IOC_FREE_VRAM, &r) ? errno : 0;
}

static bool racing = true;

static void *give_back_over_and_over(void *unused)
{
	(void)unused;
	while (__atomic_load_n(&racing, __ATOMIC_RELAXED))
		give_back();
	return NULL;
}

/* What it was granted at last is given back. */
static unsigned int race(uint64_t mb, uint64_t ms)
{
	uint64_t until = now_ns() + ms * 1000000;
	unsigned int granted = 0;
	pthread_t other;

	reserve(mb, 0, TIMEGRAPH_VRAM_NOWAIT);
	if (pthread_create(&other, NULL, give_back_over_and_over, NULL))
		return UINT_MAX;
	while (now_ns() < until)
		granted += !reserve(mb, 0, TIMEGRAPH_VRAM_NOWAIT);
	__atomic_store_n(&racing, false, __ATOMIC_RELAXED);
	pthread_join(other, NULL);
	give_back();
	return granted;
}

static void go_on_as_child(bool orphan)
{
	int status;
	pid_t pid = fork();

	if (!pid)
		return;
	if (orphan)
		exit(0);
	waitpid(pid, &status, 0);
	exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
}

static int become_nobody(void)
{
	return setgroups(0, NULL) || setresgid(65534, 65534, 65534) ||
	       setresuid(65534, 65534, 65534) ? errno : 0;
}

static unsigned int handler_ms;

static void on_alarm(int sig)
{
	struct timespec ts = { handler_ms / 1000, handler_ms % 1000 * 1000000 };

	(void)sig;
	nanosleep(&ts, NULL);
}

static int storm(unsigned int ms, unsigned int each)
{
	struct sigaction sa = { .sa_handler = on_alarm };
	const struct timeval every = { ms / 1000, ms % 1000 * 1000 };
	struct itimerval t = { every, every };

	handler_ms = each;
	return sigaction(SIGALRM, &sa, NULL) || setitimer(ITIMER_REAL, &t, NULL) ? errno : 0;
}

static int wait_for(const char *path)
{
	char c;
	int fd = open(path, O_RDONLY), error = fd < 0 || read(fd, &c, 1) < 0 ? errno : 0;

	close(fd);
	return error;
}

static void run(const char *arg)
{
	unsigned long long a = 0, b = 0;
	char step[32] = "";
	int error = 0;

	sscanf(arg, "%31[a-z]=%llu,%llu", step, &a, &b);
	if (!strcmp(step, "name"))
		prctl(PR_SET_NAME, arg + 5);
	else if (!strcmp(step, "gpu"))
		gpu = a;
	else if (!strcmp(step, "behind"))
		return begin_behind(a, b);
	else if (!strcmp(step, "open"))
		error = open_card();
	else if (!strcmp(step, "channel"))
		error = open_channel();
	else if (!strcmp(step, "reserve"))
		error = reserve(a, b, 0);
	else if (!strcmp(step, "try"))
		error = reserve(a, 0, TIMEGRAPH_VRAM_NOWAIT);
	else if (!strcmp(step, "race")) {
		printf("race %u\n", race(a, b));
		return;
	} else if (!strcmp(step, "free"))
		error = give_back();
	else if (!strcmp(step, "alloc"))
		error = alloc(a, b, VRAM);
	else if (!strcmp(step, "piece"))
		error = alloc_as(a, b, VRAM, 0);
	else if (!strcmp(step, "both"))
		error = alloc(a, b, VRAM | GART);
	else if (!strcmp(step, "files")) {
		printf("files %u\n", open_files(a));
		return;
	} else if (!strcmp(step, "time") || !strcmp(step, "begin")) {
		printf("%s %llu\n", step, (unsigned long long)(a ? time_buffers(a, b) :
							       time_channel()));
		return;
	} else if (!strcmp(step, "crowd")) {
		printf("crowd %llu\n", (unsigned long long)crowd(a));
		return;
	} else if (!strcmp(step, "dumb"))
		error = dumb(a, b);
	else if (!strcmp(step, "busy"))
		error = busy(a);
	else if (!strcmp(step, "drop"))
		error = drop(a);
	else if (!strcmp(step, "thin"))
		error = thin();
	else if (!strcmp(step, "fork") || !strcmp(step, "orphan"))
		go_on_as_child(step[0] == 'o');
	else if (!strcmp(step, "nobody"))
		error = become_nobody();
	else if (!strcmp(step, "alarm"))
		error = storm(a, b);
	else if (!strcmp(step, "where"))
		return where();
	else if (!strcmp(step, "rest"))
		return rest();
	else if (!strcmp(step, "used"))
		return used();
	else if (!strcmp(step, "wait"))
		error = wait_for(arg + 5);
	else if (!strcmp(step, "hold"))
		for (;;)
			pause();
	else
		error = ENOSYS;
	say(step, error);
}

int main(int argc, char **argv)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	for (int i = 1; i < argc; i++)
		run(argv[i]);
	return 0;
}
