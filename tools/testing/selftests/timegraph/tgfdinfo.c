// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What nouveau tells GPU monitors of its clients, held against the rules of the
 * kernel's Documentation/gpu/drm-usage-stats.rst and against what this program
 * itself asked for.
 *
 *	tgfdinfo TEST
 *
 * Ends with 0 if all is as promised; else it says what is not.
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <drm/timegraph.h>

#include "nv.h"
#include "tap.h"

#define MIB (1ull << 20)
#define MAX_KEYS 64
/* Rows of a fill that takes the card some milliseconds. */
#define ROWS 1024u
#define FILLS 40
#define MAX_FILLS (FILLS << 5)

struct fdinfo {
	int nr;
	struct {
		char name[64], text[128];
	} key[MAX_KEYS];
};

static void read_fdinfo(int fd, struct fdinfo *info)
{
	char path[64], line[256];
	FILE *f;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
	f = fopen(path, "r");
	if (!f) {
		perror(path);
		exit(1);
	}
	info->nr = 0;
	while (fgets(line, sizeof(line), f)) {
		if (strncmp(line, "drm-", 4) || info->nr == MAX_KEYS)
			continue;
		if (sscanf(line, "%63[^:]: %127[^\n]", info->key[info->nr].name,
			   info->key[info->nr].text) == 2)
			info->nr++;
		else
			CHECK(!"a line has a key and a value");
	}
	fclose(f);
}

static const char *text_of(const struct fdinfo *info, const char *name)
{
	int i;

	for (i = 0; i < info->nr; i++)
		if (!strcmp(info->key[i].name, name))
			return info->key[i].text;
	return NULL;
}

/* The value in ns or bytes; the keys that a test asks for must be there. */
static uint64_t number_of(const struct fdinfo *info, const char *name)
{
	const char *text = text_of(info, name);
	uint64_t n;
	char *end;

	if (!CHECK(text)) {
		tap_diag("there is no %s", name);
		return 0;
	}
	n = strtoull(text, &end, 10);
	if (!strcmp(end, " KiB"))
		return n << 10;
	if (!strcmp(end, " MiB"))
		return n << 20;
	CHECK(!*end || !strcmp(end, " ns"));
	return n;
}

static uint64_t read_number(int fd, const char *name)
{
	struct fdinfo info;

	read_fdinfo(fd, &info);
	return number_of(&info, name);
}

static void open_nv(struct nv *nv)
{
	if (nv_open(nv, NULL) != WL_OK)
		exit(1);
}

/* One group that fills BO some times; returns without waiting. */
static void fill(struct nv *nv, struct nouveau_bo *bo, int times)
{
	struct nouveau_pushbuf_refn ref = { bo, NOUVEAU_BO_VRAM | NOUVEAU_BO_WR };
	int i;

	if (!nv_group_begin(nv, NV_TARGET_WORDS + times * NV_FILL_WORDS, &ref, 1))
		exit(1);
	nv_fill_target(nv, bo->offset, ROWS);
	for (i = 0; i < times; i++)
		nv_fill(nv, i, ROWS);
	if (!nv_group_end(nv))
		exit(1);
}

static void wait_for(struct nv *nv, struct nouveau_bo *bo)
{
	CHECK(!nouveau_bo_wait(bo, NOUVEAU_BO_RDWR, nv->client));
}

static struct nouveau_bo *allocate(struct nv *nv, uint32_t domain, uint64_t bytes)
{
	struct nouveau_bo *bo = NULL;
	int ret = nouveau_bo_new(nv->device, domain | NOUVEAU_BO_MAP, 0, bytes, NULL, &bo);

	if (ret) {
		printf("a buffer of %llu bytes: %s\n", (unsigned long long)bytes, strerror(-ret));
		exit(1);
	}
	return bo;
}

static bool starts(const char *s, const char *prefix)
{
	return !strncmp(s, prefix, strlen(prefix));
}

/* Digits, then one of the units allowed, or nothing if "" is among them. */
static bool is_number(const char *text, const char *const *units)
{
	const char *unit = text;

	while (isdigit((unsigned char)*unit))
		unit++;
	if (unit == text)
		return false;
	for (; *units; units++)
		if (!strcmp(unit, *units))
			return true;
	return false;
}

static bool is_by_the_rules(const char *name, const char *text)
{
	static const char *const none[] = { "", NULL }, *const ns[] = { " ns", NULL };
	static const char *const bytes[] = { "", " KiB", " MiB", NULL };
	static const char *const sizes[] = {
		"drm-total-", "drm-shared-", "drm-resident-", "drm-active-", "drm-purgeable-",
	};
	unsigned int a, b, c, d;
	size_t i;

	if (!strcmp(name, "drm-driver"))
		return *text;
	if (!strcmp(name, "drm-client-name"))
		return true;
	if (!strcmp(name, "drm-client-id"))
		return is_number(text, none);
	if (!strcmp(name, "drm-pdev"))
		return strlen(text) == 12 && sscanf(text, "%4x:%2x:%2x.%1x", &a, &b, &c, &d) == 4;
	if (starts(name, "drm-engine-capacity-"))
		return is_number(text, none) && atoi(text) > 0;
	if (starts(name, "drm-engine-"))
		return is_number(text, ns);
	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		if (starts(name, sizes[i]))
			return is_number(text, bytes);
	return false;
}

static void check_device(const struct fdinfo *info, int fd)
{
	char path[64], target[256];
	struct stat st;
	ssize_t n;

	CHECK(text_of(info, "drm-driver") && !strcmp(text_of(info, "drm-driver"), "nouveau"));
	CHECK(!fstat(fd, &st));
	snprintf(path, sizeof(path), "/sys/dev/char/%u:%u/device", major(st.st_rdev),
		 minor(st.st_rdev));
	n = readlink(path, target, sizeof(target) - 1);
	CHECK(n > 0);
	target[n > 0 ? n : 0] = '\0';
	CHECK(text_of(info, "drm-pdev") && strrchr(target, '/') &&
	      !strcmp(text_of(info, "drm-pdev"), strrchr(target, '/') + 1));
}

static void keys(void)
{
	struct fdinfo info;
	struct nv nv;
	int i, j;

	open_nv(&nv);
	read_fdinfo(nv.fd, &info);
	check_device(&info, nv.fd);
	for (i = 0; i < info.nr; i++) {
		if (!CHECK(is_by_the_rules(info.key[i].name, info.key[i].text)))
			tap_diag("%s: %s", info.key[i].name, info.key[i].text);
		for (j = 0; j < i; j++)
			CHECK(strcmp(info.key[i].name, info.key[j].name));
	}
	CHECK(number_of(&info, "drm-engine-capacity-gr") == 1);
	CHECK(text_of(&info, "drm-engine-gr"));
	CHECK(text_of(&info, "drm-resident-vram") && text_of(&info, "drm-resident-gart"));
	nv_close(&nv);
}

/* Before any scheduler was there, no time is told: nobody has measured it. */
static void no_engine(void)
{
	struct fdinfo info;
	struct nv nv;

	open_nv(&nv);
	read_fdinfo(nv.fd, &info);
	check_device(&info, nv.fd);
	CHECK(!text_of(&info, "drm-engine-gr") && !text_of(&info, "drm-engine-capacity-gr"));
	CHECK(text_of(&info, "drm-total-vram"));
	nv_close(&nv);
}

static void files(void)
{
	struct nv a, b;
	int copy;

	open_nv(&a);
	open_nv(&b);
	copy = dup(a.fd);
	CHECK(copy >= 0);
	CHECK(read_number(copy, "drm-client-id") == read_number(a.fd, "drm-client-id"));
	CHECK(read_number(b.fd, "drm-client-id") != read_number(a.fd, "drm-client-id"));
	close(copy);
	nv_close(&b);
	nv_close(&a);
}

struct sizes {
	uint64_t vram, gart, shared, resident_vram, resident_gart;
};

static struct sizes sizes_of(int fd)
{
	struct fdinfo info;

	read_fdinfo(fd, &info);
	return (struct sizes){
		number_of(&info, "drm-total-vram"), number_of(&info, "drm-total-gart"),
		number_of(&info, "drm-shared-vram"), number_of(&info, "drm-resident-vram"),
		number_of(&info, "drm-resident-gart"),
	};
}

static void memory(void)
{
	struct nouveau_bo *vram, *gart;
	struct sizes before, now;
	struct nv nv;
	int prime = -1;

	open_nv(&nv);
	before = sizes_of(nv.fd);

	vram = allocate(&nv, NOUVEAU_BO_VRAM, 16 * MIB);
	now = sizes_of(nv.fd);
	CHECK(now.vram == before.vram + 16 * MIB);
	CHECK(now.resident_vram == before.resident_vram + 16 * MIB);
	CHECK(now.gart == before.gart && now.resident_gart == before.resident_gart);
	CHECK(now.shared == before.shared);

	gart = allocate(&nv, NOUVEAU_BO_GART, 8 * MIB);
	now = sizes_of(nv.fd);
	CHECK(now.vram == before.vram + 16 * MIB);
	CHECK(now.gart == before.gart + 8 * MIB);
	CHECK(now.resident_gart == before.resident_gart + 8 * MIB);

	CHECK(!nouveau_bo_set_prime(vram, &prime) && prime >= 0);
	CHECK(sizes_of(nv.fd).shared == before.shared + 16 * MIB);
	close(prime);

	nouveau_bo_ref(NULL, &gart);
	nouveau_bo_ref(NULL, &vram);
	now = sizes_of(nv.fd);
	CHECK(now.vram == before.vram && now.gart == before.gart);
	CHECK(now.resident_vram == before.resident_vram);
	nv_close(&nv);
}

/* More than the card has: some of it must be elsewhere. */
static void evicted(void)
{
	enum { PIECE_MIB = 64, MAX_PIECES = 64 };
	struct nouveau_bo *bo[MAX_PIECES] = { NULL };
	struct sizes before, now;
	struct fdinfo info;
	uint64_t elsewhere;
	struct nv nv;
	int i, nr;

	open_nv(&nv);
	before = sizes_of(nv.fd);
	nr = nv.device->vram_size / (PIECE_MIB * MIB) + 1;
	CHECK(nr <= MAX_PIECES);
	for (i = 0; i < nr && i < MAX_PIECES; i++)
		bo[i] = allocate(&nv, NOUVEAU_BO_VRAM, PIECE_MIB * MIB);
	read_fdinfo(nv.fd, &info);
	now = sizes_of(nv.fd);
	CHECK(now.vram == before.vram + nr * PIECE_MIB * MIB);
	CHECK(now.resident_vram <= nv.device->vram_size);
	elsewhere = now.resident_gart + number_of(&info, "drm-resident-memory");
	CHECK(elsewhere >= before.resident_gart + PIECE_MIB * MIB);
	CHECK(now.resident_vram + elsewhere == now.vram + now.gart +
					       number_of(&info, "drm-total-memory"));
	for (i = 0; i < nr && i < MAX_PIECES; i++)
		nouveau_bo_ref(NULL, &bo[i]);
	nv_close(&nv);
}

/* A slow machine looks when a short group has ended: then a longer one is tried. */
static void active(void)
{
	const uint64_t bytes = (uint64_t)NV_PITCH * ROWS;
	struct nouveau_bo *bo;
	bool seen = false;
	struct nv nv;
	int fills;

	open_nv(&nv);
	bo = allocate(&nv, NOUVEAU_BO_VRAM, bytes);
	for (fills = FILLS; !seen && fills <= MAX_FILLS; fills *= 2) {
		fill(&nv, bo, fills);
		seen = read_number(nv.fd, "drm-active-vram") >= bytes;
		wait_for(&nv, bo);
	}
	CHECK(seen);
	CHECK(read_number(nv.fd, "drm-active-vram") == 0);
	nouveau_bo_ref(NULL, &bo);
	nv_close(&nv);
}

/* What timegraph itself charged this process with. */
static uint64_t charged_ns(void)
{
	static struct timegraph_task task[256];
	struct timegraph_list list = { .ptr = (uintptr_t)task, .stride = sizeof(task[0]),
				       .room = 256 };
	int fd = open("/dev/timegraph", O_RDONLY | O_CLOEXEC);
	uint32_t i;

	CHECK(fd >= 0 && !ioctl(fd, TIMEGRAPH_IOC_TASKS, &list));
	close(fd);
	for (i = 0; i < list.count && i < list.room; i++)
		if (task[i].pid == getpid())
			return task[i].gpu_ns;
	CHECK(!"timegraph knows this process");
	return 0;
}

/* The file's time is its own, never goes back, and survives its channels. */
static void engine(void)
{
	uint64_t first, last, ns, other;
	struct nouveau_bo *bo;
	struct nv nv, idle;
	int i;

	open_nv(&idle);
	open_nv(&nv);
	other = read_number(idle.fd, "drm-engine-gr");
	first = last = read_number(nv.fd, "drm-engine-gr");
	bo = allocate(&nv, NOUVEAU_BO_VRAM, (uint64_t)NV_PITCH * ROWS);
	for (i = 0; i < 20; i++) {
		fill(&nv, bo, FILLS);
		ns = read_number(nv.fd, "drm-engine-gr");
		CHECK(ns >= last);
		last = ns;
		wait_for(&nv, bo);
	}
	/* The last group's end is being told while it is waited for. */
	for (i = 0; i < 100 && read_number(nv.fd, "drm-engine-gr") + other != charged_ns(); i++)
		usleep(1000);
	ns = read_number(nv.fd, "drm-engine-gr");
	CHECK(ns + other == charged_ns());
	CHECK(ns >= last && ns > first);
	CHECK(read_number(idle.fd, "drm-engine-gr") == other);

	nouveau_object_del(&nv.notifier);
	nouveau_object_del(&nv.threed);
	nouveau_object_del(&nv.m2mf);
	nouveau_object_del(&nv.twod);
	nouveau_pushbuf_del(&nv.push);
	nouveau_object_del(&nv.channel);
	CHECK(read_number(nv.fd, "drm-engine-gr") >= ns);
	nouveau_bo_ref(NULL, &bo);
	nv_close(&nv);
	nv_close(&idle);
}

static const struct {
	const char *name;
	void (*run)(void);
} tests[] = {
	{ "keys", keys },	{ "no_engine", no_engine }, { "files", files },
	{ "memory", memory },	{ "evicted", evicted },	    { "active", active },
	{ "engine", engine },
};

int main(int argc, char **argv)
{
	size_t i;

	for (i = 0; i < sizeof(tests) / sizeof(tests[0]); i++) {
		if (argc == 2 && !strcmp(argv[1], tests[i].name)) {
			tests[i].run();
			return tap_bad_checks != 0;
		}
	}
	fprintf(stderr, "usage: tgfdinfo TEST, one of\n");
	for (i = 0; i < sizeof(tests) / sizeof(tests[0]); i++)
		fprintf(stderr, "  %s\n", tests[i].name);
	return 2;
}
