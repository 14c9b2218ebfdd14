// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A client for what tgload does not do: stamps of every group for a check of
 * the order on the GPU itself, signal storms, threads with a channel each, or
 * with one for all, a
 * file that a child inherits, odd subchannels, forged completions, groups that wait
 * for what the program itself lets them wait for, or let others in before their turn,
 * a notifier that is written by each copy, ends that it writes itself, earlier.
 *
 * Its groups fill a buffer: start stamp, N fills, end stamp. Stamps are printed
 * as "stamp PID GROUP START END", in ns of the GPU's clock.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common.h"
#include "nv.h"

#define ROWS		256u			/* a fill is 1 MiB */
#define STAMPS_BYTES	(2 * NV_STAMP_BYTES)
#define ROOM		64u			/* groups whose stamps are in flight */
#define MAX_THREADS	4096
#define THREAD_STACK	65536
#define NR_SUBC		8
#define FORGED		8			/* notifications in a forged group */
#define DRAIN_NS	60000000000ull
#define SAMPLE_STEP	251u			/* pixels: VRAM is slow to read */

#define HANDLE_2D	0xbeef502d		/* as nv.c has it */
#define TWOD_DST_FORMAT	0x0200
#define HANDLE_SECOND	0xbeef0302		/* a notifier */
/* Where M2MF writes in its notifier: the time, two words of status. */
#define NOTIFIER_M2MF	0x10

#define HOLD_OFFSET		(ROOM * STAMPS_BYTES)
#define WORDS			16u		/* of so many channels; 16 bytes each */
#define WORDS_WORDS		(WORDS * NV_SEMAPHORE_WORDS)
#define FORMAT_BGRA8	0xcf

/* What a semaphore is released with: a value, and the time in its second half. */
#define STAMP_SIZE	16u
#define PAGE_BYTES	4096u
#define FORGED_NS	100000u		/* what a group is to have taken */

enum mode { MODE_RUN, MODE_STORM, MODE_THREADS, MODE_SHARED, MODE_FORK, MODE_ORPHAN };

static struct options {
	struct wl_common common;
	int mode;
	uint64_t groups, fills, threads, subc, pause_ns, hold_ns, words, before, notifiers;
	bool stamps, forge, forge_ends, wait, no_restart, all_subcs;
	const char *go, *say;
} opt = {
	.common = { .task = "tgclient", .seed = 1 },
	.groups = 100, .before = 1, .fills = 4, .threads = 2, .subc = NV_SUBC_2D,
};

/* One channel with its buffers. */
struct client {
	struct nv nv;
	struct nouveau_bo *target, *stamps;
	struct nouveau_bo *page;	/* the channel's notifiers, if it uses one */
	struct nouveau_object *second;
	volatile uint64_t *notifier;
	int dmabuf_fd;
	uint64_t submitted, seen, lost, unnotified;
	uint32_t colour;
	bool holds;
	pthread_t forger;
	bool forges, over;
};

static volatile sig_atomic_t alarms;

static void on_alarm(int sig)
{
	(void)sig;
	alarms++;
}

static bool open_client(struct client *c)
{
	*c = (struct client){ .dmabuf_fd = -1 };
	if (nv_open(&c->nv, opt.common.device) != WL_OK)
		return false;
	if (nouveau_bo_new(c->nv.device, NOUVEAU_BO_VRAM | NOUVEAU_BO_MAP, 0, ROWS * NV_PITCH,
			   NULL, &c->target) ||
	    nouveau_bo_new(c->nv.device, NOUVEAU_BO_GART | NOUVEAU_BO_MAP, 0,
			   ROOM * STAMPS_BYTES + 16, NULL, &c->stamps) ||
	    nouveau_bo_map(c->stamps, NOUVEAU_BO_RDWR, c->nv.client) ||
	    nouveau_bo_map(c->target, NOUVEAU_BO_RDWR, c->nv.client) ||
	    nouveau_bo_set_prime(c->stamps, &c->dmabuf_fd)) {
		wl_error("no buffers");
		return false;
	}
	memset(c->stamps->map, 0, ROOM * STAMPS_BYTES + 16);
	return true;
}

/* That of the channel's notifiers. */
static bool map_page(struct client *c)
{
	/* libdrm's copy: there the kernel's answer is. */
	const struct nv04_fifo *fifo = c->nv.channel->data;

	return c->page || (!nouveau_bo_wrap(c->nv.device, fifo->notify, &c->page) &&
			   !nouveau_bo_map(c->page, NOUVEAU_BO_RDWR, c->nv.client));
}

/* Finds the notifier that nv.c has made; with two, 3D gets another. */
static bool take_notifiers(struct client *c)
{
	/* As above. */
	struct nv04_notify *first = c->nv.notifier->data;
	struct nv04_notify second = { .length = 32 };

	if (!opt.notifiers)
		return true;
	if (!map_page(c)) {
		wl_error("no notifier");
		return false;
	}
	c->notifier = (void *)((char *)c->page->map + first->offset + NOTIFIER_M2MF);
	if (opt.notifiers == 1)
		return true;
	if (nouveau_object_new(c->nv.channel, HANDLE_SECOND, NOUVEAU_NOTIFIER_CLASS, &second,
			       sizeof(second), &c->second) ||
	    !nv_group_begin(&c->nv, 2, NULL, 0))
		return false;
	nv_method(&c->nv, NV_SUBC_3D, NV_DMA_NOTIFY, HANDLE_SECOND);
	return nv_group_end(&c->nv);
}

static void close_client(struct client *c)
{
	nouveau_object_del(&c->second);
	nouveau_bo_ref(NULL, &c->page);
	if (c->dmabuf_fd >= 0)
		close(c->dmabuf_fd);
	nouveau_bo_ref(NULL, &c->stamps);
	nouveau_bo_ref(NULL, &c->target);
	nv_close(&c->nv);
}

/*
 * Whatever the GPU writes in the page of the channel's notifiers as a time becomes one soon after
 * the start of the group that is on its way, as soon as it is there.
 */
static void *forge_ends(void *client)
{
	const struct client *c = client;
	volatile uint64_t *page = c->page->map;
	const volatile uint64_t *stamps = c->stamps->map;

	while (!wl_stopped() && !__atomic_load_n(&c->over, __ATOMIC_RELAXED))
		for (uint64_t i = 0; i < PAGE_BYTES / STAMP_SIZE; i++) {
			uint64_t start = stamps[c->seen % ROOM * (STAMPS_BYTES / 8) + 1];

			if (start && page[2 * i + 1] > start + FORGED_NS)
				page[2 * i + 1] = start + FORGED_NS;
		}
	return NULL;
}

static bool begin_forging(struct client *c)
{
	if (!opt.forge_ends)
		return true;
	c->forges = map_page(c) && !pthread_create(&c->forger, NULL, forge_ends, c);
	return c->forges;
}

static void end_forging(struct client *c)
{
	if (!c->forges)
		return;
	__atomic_store_n(&c->over, true, __ATOMIC_RELAXED);
	pthread_join(c->forger, NULL);
}

/* Binds the 2D object on further subchannels and uses one of them for fills. */
static bool bind_subcs(struct client *c)
{
	int s;

	if (opt.subc == NV_SUBC_2D && !opt.all_subcs)
		return true;
	if (!nv_group_begin(&c->nv, 3 * NR_SUBC, NULL, 0))
		return false;
	for (s = 0; s < NR_SUBC; s++)
		if (s == (int)opt.subc ||
		    (opt.all_subcs && (s < NV_SUBC_3D || s > NV_SUBC_M2MF)))
			nv_method(&c->nv, s, NV_OBJECT, HANDLE_2D);
	return nv_group_end(&c->nv);
}

static void emit_target(struct client *c)
{
	struct nv *nv = &c->nv;
	int s = (int)opt.subc;

	nv_begin(nv, s, TWOD_DST_FORMAT, 2);
	nv_emit(nv, FORMAT_BGRA8);
	nv_emit(nv, 1);
	nv_begin(nv, s, 0x0214, 5);	/* pitch, width, height, address */
	nv_emit(nv, NV_PITCH);
	nv_emit(nv, NV_PITCH / 4);
	nv_emit(nv, ROWS);
	nv_emit(nv, (uint32_t)(c->target->offset >> 32));
	nv_emit(nv, (uint32_t)c->target->offset);
}

static void emit_fill(struct client *c)
{
	struct nv *nv = &c->nv;
	int s = (int)opt.subc;

	nv_method(nv, s, 0x0588, c->colour);	/* colour, then a rectangle */
	nv_begin(nv, s, 0x0600, 4);
	nv_emit(nv, 0);
	nv_emit(nv, 0);
	nv_emit(nv, NV_PITCH / 4);
	nv_emit(nv, ROWS);
}

/*
 * As if the group were over before its work has begun: a reference value beyond
 * every one of the scheduler's, and notifications whose tags continue its
 * count.
 */
static void emit_forgery(struct client *c)
{
	struct nv *nv = &c->nv;
	uint32_t i;

	nv_method(nv, NV_SUBC_2D, NV_REF, 0x7fffffff);
	for (i = 0; i < FORGED; i++) {
		nv_method(nv, NV_SUBC_M2MF, NV_NOTIFY, NV_NOTIFY_AWAKEN);
		nv_method(nv, NV_SUBC_M2MF, NV_NOP, (uint32_t)c->submitted + i);
	}
}

/* The group does not go on before the program writes the value. */
static void emit_hold(struct client *c)
{
	nv_semaphore(&c->nv, c->stamps->offset + HOLD_OFFSET, (uint32_t)c->submitted,
		     NV_ACQUIRE_EQUAL);
}

/* Whoever is to wait for one of the words finds that what it waits for is long over. */
static void emit_words(struct client *c)
{
	uint32_t i;

	for (i = 0; i < WORDS; i++)
		nv_semaphore(&c->nv, opt.words + 16 * i, 0x40000000, NV_RELEASE);
}

/* Lets the last group go on after a while, or when the program is to end. */
static void let_go(struct client *c)
{
	volatile uint32_t *value = (uint32_t *)((char *)c->stamps->map + HOLD_OFFSET);
	uint64_t until = wl_now_ns() + opt.hold_ns;

	while (wl_now_ns() < until && !wl_stopped())
		wl_sleep_until(wl_now_ns() + 1000000);
	*value = (uint32_t)c->submitted - 1;
}

static bool submit(struct client *c)
{
	struct nouveau_pushbuf_refn refs[] = {
		{ c->stamps, NOUVEAU_BO_GART | NOUVEAU_BO_WR },
		{ c->target, NOUVEAU_BO_VRAM | NOUVEAU_BO_WR },
	};
	uint64_t at = c->stamps->offset + c->submitted % ROOM * STAMPS_BYTES, i;
	uint32_t words = 2 * NV_STAMP_WORDS + NV_TARGET_WORDS + NV_FILL_WORDS * opt.fills +
			 4 * (FORGED + 1) + NV_SEMAPHORE_WORDS + WORDS_WORDS + NV_COPY_WORDS;

	if (!nv_group_begin(&c->nv, words, refs, 2))
		return false;
	nv_stamp(&c->nv, at, (uint32_t)c->submitted);
	if (opt.forge)
		emit_forgery(c);
	if (c->holds)
		emit_hold(c);
	emit_target(c);
	c->colour = c->colour * 1664525 + 1013904223;
	for (i = 0; i < opt.fills; i++)
		emit_fill(c);
	if (opt.words)
		emit_words(c);
	if (c->notifier) {
		c->notifier[0] = 0;
		nv_copy(&c->nv, c->target->offset, c->target->offset, 1);
	}
	nv_stamp(&c->nv, at + NV_STAMP_BYTES, (uint32_t)c->submitted);
	c->submitted++;
	return nv_group_end(&c->nv);
}

/* Waits for all groups and takes their stamps. */
static bool drain(struct client *c)
{
	volatile uint64_t *report = c->stamps->map;
	uint64_t until_ns = wl_now_ns() + DRAIN_NS;

	/* A signal ends the wait early. */
	while (!wl_wait_dmabuf(c->dmabuf_fd, until_ns)) {
		if (!wl_stopped() && wl_now_ns() < until_ns)
			continue;
		wl_error("gave up with %llu groups on their way",
			 (unsigned long long)(c->submitted - c->seen));
		return false;
	}
	for (; c->seen < c->submitted; c->seen++) {
		volatile uint64_t *r = report + c->seen % ROOM * (STAMPS_BYTES / 8);
		uint64_t start = r[1], end = r[3];

		if (!start || !end)
			c->lost++;
		else if (opt.stamps)
			printf("stamp %d %llu %llu %llu\n", (int)getpid(),
			       (unsigned long long)c->seen,
			       (unsigned long long)start, (unsigned long long)end);
		r[1] = r[3] = 0;
		if (c->notifier && !c->notifier[0])
			c->unnotified++;
	}
	return true;
}

static bool run_groups(struct client *c, uint64_t groups)
{
	uint64_t i;

	for (i = 0; i < groups && !wl_stopped(); i++) {
		if (!submit(c))
			return false;
		if (c->holds)
			let_go(c);
		if ((opt.wait || c->notifier || c->submitted - c->seen == ROOM) && !drain(c))
			return false;
		if (opt.pause_ns)
			wl_sleep_until(wl_now_ns() + opt.pause_ns);
	}
	return drain(c) && !wl_stopped();
}

/* The pixels have the last fill's colour: the fills went where they should. */
static bool verify(struct client *c)
{
	const uint32_t *pixel = c->target->map;
	uint32_t i, bad = 0;

	for (i = 0; i < ROWS * NV_PITCH / 4; i += SAMPLE_STEP)
		bad += pixel[i] != c->colour;
	if (bad || c->lost || c->unnotified) {
		wl_error("%u sampled pixels are wrong, %llu stamps lost, %llu notifiers", bad,
			 (unsigned long long)c->lost, (unsigned long long)c->unnotified);
		return false;
	}
	return true;
}

/* Says "ready" (in --say's file, too) and waits for the file --go. */
static bool wait_for_go(void)
{
	FILE *f;

	if (opt.say) {
		f = fopen(opt.say, "w");
		if (!f || fclose(f))
			return false;
	}
	while (opt.go && access(opt.go, F_OK) && !wl_stopped())
		wl_sleep_until(wl_now_ns() + 1000000);
	return !wl_stopped();
}

static bool run_plain(void)
{
	struct client c;
	bool good = open_client(&c) && bind_subcs(&c) && take_notifiers(&c) &&
		    run_groups(&c, opt.before) && wait_for_go() && begin_forging(&c);

	c.holds = opt.hold_ns;
	good = good && run_groups(&c, opt.groups) && verify(&c);
	end_forging(&c);
	close_client(&c);
	return good;
}

/* A signal every millisecond, in the GPU's and the scheduler's sleeps alike. */
static bool run_storm(void)
{
	struct sigaction sa = {
		.sa_handler = on_alarm, .sa_flags = opt.no_restart ? 0 : SA_RESTART,
	};
	struct itimerval every = { { 0, 1000 }, { 0, 1000 } }, never = { 0 };
	bool good;

	sigaction(SIGALRM, &sa, NULL);
	setitimer(ITIMER_REAL, &every, NULL);
	good = run_plain();
	setitimer(ITIMER_REAL, &never, NULL);
	printf("alarms %d\n", (int)alarms);
	return good;
}

static void *run_thread(void *unused)
{
	(void)unused;
	return run_plain() ? NULL : (void *)1;
}

static bool run_threads(void *(*run)(void *), void *arg)
{
	static pthread_t threads[MAX_THREADS];
	pthread_attr_t attr;
	uint64_t i, n = 0;
	bool good = true;
	void *ret;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, THREAD_STACK);
	for (i = 0; i < opt.threads; i++)
		if (!pthread_create(&threads[n], &attr, run, arg))
			n++;
	good = n == opt.threads;
	for (i = 0; i < n; i++)
		good = !pthread_join(threads[i], &ret) && !ret && good;
	return good;
}

/*
 * As one thread of many on a channel, with a push buffer of its own: each call of
 * PUSHBUF is one that another can overtake. Fills go to the one target, and no thread
 * looks at its end.
 */
static void *run_shared_thread(void *arg)
{
	struct client *c = arg;
	/* The stamps are what the end of all is waited for by. */
	struct nouveau_pushbuf_refn refs[] = {
		{ c->stamps, NOUVEAU_BO_GART | NOUVEAU_BO_WR },
		{ c->target, NOUVEAU_BO_VRAM | NOUVEAU_BO_WR },
	};
	struct client mine = { .nv = c->nv, .target = c->target };
	bool good;

	mine.nv.client = NULL;
	mine.nv.push = NULL;
	good = !nouveau_client_new(mine.nv.device, &mine.nv.client) &&
	       !nouveau_pushbuf_new(mine.nv.client, mine.nv.channel, 2, 16384, true, &mine.nv.push);
	for (uint64_t i = 0; good && i < opt.groups && !wl_stopped(); i++) {
		good = nv_group_begin(&mine.nv, NV_TARGET_WORDS + NV_FILL_WORDS * opt.fills, refs, 2);
		if (!good)
			break;
		emit_target(&mine);
		for (uint64_t f = 0; f < opt.fills; f++)
			emit_fill(&mine);
		good = nv_group_end(&mine.nv);
	}
	nouveau_pushbuf_del(&mine.nv.push);
	nouveau_client_del(&mine.nv.client);
	return good ? NULL : (void *)1;
}

static void *run_let_go(void *arg)
{
	let_go(arg);
	return NULL;
}

/* Before theirs goes one that can hold all of them. */
static bool run_shared(void)
{
	struct client c;
	pthread_t holder;
	bool good = open_client(&c) && run_groups(&c, opt.before) && wait_for_go();

	c.holds = good && opt.hold_ns;
	if (c.holds)
		c.holds = good = submit(&c) && !pthread_create(&holder, NULL, run_let_go, &c);
	good = good && run_threads(run_shared_thread, &c);
	if (c.holds)
		pthread_join(holder, NULL);
	good = good && drain(&c);
	close_client(&c);
	return good;
}

/*
 * Half of the groups, then a child goes on with the inherited file and channel;
 * its parent, whose channel it is, waits for it or (MODE_ORPHAN) ends first.
 */
static bool run_fork(void)
{
	struct client c;
	int status;
	bool good = open_client(&c) && run_groups(&c, opt.groups / 2) && verify(&c);
	pid_t parent = getpid(), child;

	if (!good)
		return false;
	fflush(stdout);
	child = fork();
	if (child < 0)
		return false;
	if (!child) {
		while (opt.mode == MODE_ORPHAN && getppid() == parent)
			wl_sleep_until(wl_now_ns() + 1000000);
		good = wait_for_go() && run_groups(&c, opt.groups - opt.groups / 2) && verify(&c);
		if (good)
			printf("child done\n");
		fflush(stdout);
		_exit(good ? 0 : 1);
	}
	if (opt.mode == MODE_ORPHAN)
		_exit(0);
	good = waitpid(child, &status, 0) == child && WIFEXITED(status) && !WEXITSTATUS(status);
	/* The channel still is this process's. */
	good = good && submit(&c) && drain(&c);
	close_client(&c);
	return good;
}

int main(int argc, char **argv)
{
	static const char *const modes[] = { "run", "storm", "threads", "shared", "fork", "orphan",
					     NULL };
	const struct wl_opt opts[] = {
		{ "mode", WL_OPT_CHOICE, &opt.mode, "HOW",
		  "run, storm (of signals), threads, shared (channel), fork, orphan",
		  .choices = modes },
		{ "groups", WL_OPT_UINT, &opt.groups, "N", "of each channel (100)" },
		{ "fills", WL_OPT_UINT, &opt.fills, "N", "of 1 MiB in a group (4)",
		  .min = 1, .max = 4000 },
		{ "pause-us", WL_OPT_TIME, &opt.pause_ns, "US", "after each group", .unit_ns = 1000 },
		{ "hold-ms", WL_OPT_TIME, &opt.hold_ns, "MS",
		  "each group waits for the program, so long", .unit_ns = 1000000 },
		{ "threads", WL_OPT_UINT, &opt.threads, "N", "with a channel each, or one for all (2)",
		  .min = 1, .max = MAX_THREADS },
		{ "subc", WL_OPT_UINT, &opt.subc, "N", "subchannel of the fills (4)",
		  .min = 0, .max = NR_SUBC - 1 },
		{ "all-subcs", WL_OPT_FLAG, &opt.all_subcs, NULL, "leave no subchannel free" },
		{ "forge", WL_OPT_FLAG, &opt.forge, NULL, "claim each group's end at its start" },
		{ "forge-ends", WL_OPT_FLAG, &opt.forge_ends, NULL,
		  "write an earlier time than the GPU wherever it tells when a group ended" },
		{ "words", WL_OPT_UINT, &opt.words, "ADDRESS",
		  "release the first 16 words there, of 16 bytes each, in each group" },
		{ "notifiers", WL_OPT_UINT, &opt.notifiers, "N",
		  "copy in each group, wait, and look for the copy's notifier; 2: 3D has another",
		  .max = 2 },
		{ "wait", WL_OPT_FLAG, &opt.wait, NULL, "for each group's end" },
		{ "stamps", WL_OPT_FLAG, &opt.stamps, NULL, "print each group's GPU times" },
		{ "no-restart", WL_OPT_FLAG, &opt.no_restart, NULL, "storm: without SA_RESTART" },
		{ "say", WL_OPT_STRING, &opt.say, "FILE", "make FILE when the channel is open" },
		{ "go", WL_OPT_STRING, &opt.go, "FILE", "then wait until FILE exists" },
		{ "before", WL_OPT_UINT, &opt.before, "N", "groups before all that (1)", .min = 1 },
		{ 0 },
	};
	bool good = false;

	wl_common_init(&opt.common, argc, argv, "A GPU client for the selftests of timegraph.",
		       opts, NULL);
	switch ((enum mode)opt.mode) {
	case MODE_RUN:
		good = run_plain();
		break;
	case MODE_STORM:
		good = run_storm();
		break;
	case MODE_THREADS:
		good = run_threads(run_thread, NULL);
		break;
	case MODE_SHARED:
		good = run_shared();
		break;
	case MODE_FORK:
	case MODE_ORPHAN:
		good = run_fork();
		break;
	}
	if (good)
		puts("done");
	return good ? WL_OK : WL_FAILED;
}
