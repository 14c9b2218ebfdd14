// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <mntent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "libtimegraph.h"

/*
 * A program has these structures of its own, in the size that they had when it was compiled,
 * or steps over an array of them: one that grows wants another SONAME (Makefile,
 * libtimegraph.map, debian), and its size goes here.
 */
#define KEEPS(name, bytes) \
	_Static_assert(sizeof(struct timegraph_##name) == (bytes), "another size: see above")
KEEPS(caps, 280);
KEEPS(class, 40);
KEEPS(config, 792);
KEEPS(create, 96);
KEEPS(domain, 368);
KEEPS(domain_set, 40);
KEEPS(events, 16);
KEEPS(gpu, 456);
KEEPS(push, 40);
KEEPS(reserve, 144);
KEEPS(set, 112);
KEEPS(task, 184);
KEEPS(vram, 104);
KEEPS(vram_account, 88);
KEEPS(vram_reserve, 32);
KEEPS(vram_set, 24);
#undef KEEPS

/* Room for a list at first: more tasks at once are rare. */
#define FIRST_ROOM 32
/* More than these is no answer of a sound kernel. */
#define MAX_ROOM (1U << 20)
/* A list that grows faster than it is read. */
#define MAX_TRIES 16

static int call(int fd, unsigned long request, void *arg)
{
	int ret;

	/* No ioctl has done anything yet when a signal ends it. */
	do
		ret = ioctl(fd, request, arg);
	while (ret < 0 && errno == EINTR);
	return ret < 0 ? -errno : 0;
}

int timegraph_open(int flags)
{
	int fd = open(TIMEGRAPH_DEVICE, flags | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

void timegraph_close(int fd)
{
	if (fd >= 0)
		close(fd);
}

int timegraph_get_caps(int fd, struct timegraph_caps *caps)
{
	memset(caps, 0, sizeof(*caps));
	return call(fd, TIMEGRAPH_IOC_CAPS, caps);
}

int timegraph_get_config(int fd, struct timegraph_config *config)
{
	memset(config, 0, sizeof(*config));
	return call(fd, TIMEGRAPH_IOC_CONFIG, config);
}

int timegraph_get_gpu(int fd, uint32_t index, struct timegraph_gpu *gpu)
{
	memset(gpu, 0, sizeof(*gpu));
	gpu->index = index;
	return call(fd, TIMEGRAPH_IOC_GPU, gpu);
}

/*
 * A list of @size bytes an element in @item, with room for @room.  How many
 * there are is known only after asking, and may have changed when asking again
 * with more room: ask until all fit.
 */
static int list(int fd, unsigned long request, uint32_t gpu, size_t size,
		void **item, uint32_t *count, uint32_t *room)
{
	struct timegraph_list l = { 0 };
	uint32_t want = *room ? *room : FIRST_ROOM;
	void *p;
	int ret;

	*count = 0;
	for (int i = 0; i < MAX_TRIES; i++) {
		if (want > *room) {
			p = reallocarray(*item, want, size);
			if (!p)
				return -ENOMEM;
			*item = p;
			*room = want;
		}
		l = (struct timegraph_list){
			.gpu = gpu,
			.ptr = (uintptr_t)*item,
			.stride = size,
			.room = *room,
		};
		ret = call(fd, request, &l);
		if (ret)
			return ret;
		if (l.count <= *room) {
			*count = l.count;
			return 0;
		}
		if (l.count > MAX_ROOM)
			return -EOVERFLOW;
		want = l.count + l.count / 4;
	}
	return -EAGAIN;
}

int timegraph_list_tasks(int fd, uint32_t gpu, struct timegraph_tasks *tasks)
{
	void *item = tasks->item;
	int ret = list(fd, TIMEGRAPH_IOC_TASKS, gpu, sizeof(*tasks->item), &item,
		       &tasks->count, &tasks->room);

	tasks->item = item;
	return ret;
}

int timegraph_list_reserves(int fd, uint32_t gpu,
			    struct timegraph_reserves *reserves)
{
	void *item = reserves->item;
	int ret = list(fd, TIMEGRAPH_IOC_RESERVES, gpu, sizeof(*reserves->item),
		       &item, &reserves->count, &reserves->room);

	reserves->item = item;
	return ret;
}

void timegraph_tasks_free(struct timegraph_tasks *tasks)
{
	free(tasks->item);
	memset(tasks, 0, sizeof(*tasks));
}

void timegraph_reserves_free(struct timegraph_reserves *reserves)
{
	free(reserves->item);
	memset(reserves, 0, sizeof(*reserves));
}

int timegraph_list_domains(int fd, uint32_t gpu, struct timegraph_domains *domains)
{
	void *item = domains->item;
	int ret = list(fd, TIMEGRAPH_IOC_DOMAINS, gpu, sizeof(*domains->item), &item,
		       &domains->count, &domains->room);

	domains->item = item;
	return ret;
}

void timegraph_domains_free(struct timegraph_domains *domains)
{
	free(domains->item);
	memset(domains, 0, sizeof(*domains));
}

int timegraph_get_policy(int fd, uint32_t gpu, char name[TIMEGRAPH_COMM_LEN])
{
	struct timegraph_class class = { .gpu = gpu };
	int ret = call(fd, TIMEGRAPH_IOC_POLICY, &class);

	memcpy(name, class.name, TIMEGRAPH_COMM_LEN);
	return ret;
}

int timegraph_get_vram(int fd, uint32_t gpu, struct timegraph_vram *vram)
{
	memset(vram, 0, sizeof(*vram));
	vram->gpu = gpu;
	return call(fd, TIMEGRAPH_IOC_VRAM, vram);
}

int timegraph_list_vram(int fd, uint32_t gpu, struct timegraph_vram_accounts *accounts)
{
	void *item = accounts->item;
	int ret = list(fd, TIMEGRAPH_IOC_VRAM_ACCOUNTS, gpu, sizeof(*accounts->item), &item,
		       &accounts->count, &accounts->room);

	accounts->item = item;
	return ret;
}

void timegraph_vram_accounts_free(struct timegraph_vram_accounts *accounts)
{
	free(accounts->item);
	memset(accounts, 0, sizeof(*accounts));
}

/* A point in time, so that a call that is made again waits no longer. */
static uint64_t deadline_after(uint64_t ns)
{
	struct timespec ts;
	uint64_t now;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	now = ts.tv_sec * 1000000000ULL + ts.tv_nsec;
	return ns < UINT64_MAX - now ? now + ns : 0;
}

/* As in nouveau_drm.h. */
struct gem_new {
	uint32_t handle, domain;
	uint64_t size, offset, map;
	uint32_t tile_mode, tile_flags, channel_hint, align;
};

#define GEM_NEW _IOWR('d', 0x80, struct gem_new)
#define DOMAIN_VRAM 2
/* In pieces, as all that is not scanned out. */
#define NOT_IN_ONE_PIECE 8
#define SMALL_BYTES 4096

static bool is_nouveaus(const char *node)
{
	char path[PATH_MAX], to[PATH_MAX];
	const char *last = NULL;
	ssize_t n;

	snprintf(path, sizeof(path), "/sys/class/drm/%s/device/driver", strrchr(node, '/') + 1);
	n = readlink(path, to, sizeof(to) - 1);
	if (n > 0) {
		to[n] = '\0';
		last = strrchr(to, '/');
	}
	return last && !strcmp(last, "/nouveau");
}

/* The buffer goes with the file. */
static void touch_gpu(const char *node)
{
	struct gem_new gem = {
		.domain = DOMAIN_VRAM,
		.size = SMALL_BYTES,
		.tile_flags = NOT_IN_ONE_PIECE,
		.align = SMALL_BYTES,
	};
	int fd = open(node, O_RDWR | O_CLOEXEC);

	if (fd < 0)
		return;
	call(fd, GEM_NEW, &gem);
	close(fd);
}

/* The module knows of a GPU, and its memory, from a first channel or buffer in it on. */
static void touch_gpus(void)
{
	glob_t g;

	if (glob("/dev/dri/renderD*", 0, NULL, &g))
		return;
	for (size_t i = 0; i < g.gl_pathc; i++)
		if (is_nouveaus(g.gl_pathv[i]))
			touch_gpu(g.gl_pathv[i]);
	globfree(&g);
}

int timegraph_reserve_vram(int fd, uint32_t gpu, uint64_t bytes, uint64_t timeout_ns)
{
	struct timegraph_vram_reserve r = {
		.gpu = gpu,
		.flags = timeout_ns ? 0 : TIMEGRAPH_VRAM_NOWAIT,
		.bytes = bytes,
		.deadline_ns = timeout_ns ? deadline_after(timeout_ns) : 0,
	};

	/* A signal is how the caller ends the wait: he is told. */
	if (!ioctl(fd, TIMEGRAPH_IOC_RESERVE_VRAM, &r))
		return 0;
	if (errno != ENXIO && errno != EOPNOTSUPP)
		return -errno;
	touch_gpus();
	return ioctl(fd, TIMEGRAPH_IOC_RESERVE_VRAM, &r) < 0 ? -errno : 0;
}

int timegraph_free_vram(int fd, uint32_t gpu)
{
	struct timegraph_vram_reserve r = { .gpu = gpu };

	return call(fd, TIMEGRAPH_IOC_FREE_VRAM, &r);
}

int timegraph_set_vram(int fd, const struct timegraph_vram_set *set)
{
	struct timegraph_vram_set copy = *set;

	return call(fd, TIMEGRAPH_IOC_SET_VRAM, &copy);
}

static int snapshot_room(struct timegraph_snapshot *snap, uint32_t n)
{
	struct timegraph_gpu_state *p;

	if (n <= snap->room)
		return 0;
	p = reallocarray(snap->gpus, n, sizeof(*p));
	if (!p)
		return -ENOMEM;
	memset(p + snap->room, 0, (n - snap->room) * sizeof(*p));
	snap->gpus = p;
	snap->room = n;
	return 0;
}

static int snapshot_vram(int fd, uint32_t index, struct timegraph_gpu_state *g)
{
	int ret = timegraph_get_vram(fd, index, &g->vram);

	g->accounts.count = 0;
	if (!ret)
		ret = timegraph_list_vram(fd, index, &g->accounts);
	if (ret)
		memset(&g->vram, 0, sizeof(g->vram));
	return ret == -ENOTTY ? 0 : ret;
}

static int snapshot_gpu(int fd, uint32_t index, struct timegraph_gpu_state *g)
{
	int ret = timegraph_get_gpu(fd, index, &g->gpu);

	if (!ret)
		ret = timegraph_list_tasks(fd, index, &g->tasks);
	if (!ret)
		ret = timegraph_list_reserves(fd, index, &g->reserves);
	if (!ret)
		ret = snapshot_vram(fd, index, g);
	return ret;
}

static int snapshot_gpus(int fd, struct timegraph_snapshot *snap)
{
	uint32_t n = snap->caps.nr_gpus;
	int ret;

	if (n > MAX_ROOM)
		return -EOVERFLOW;
	ret = snapshot_room(snap, n);
	for (uint32_t i = 0; !ret && i < n; i++) {
		ret = snapshot_gpu(fd, i, &snap->gpus[snap->nr_gpus]);
		if (!ret)
			snap->nr_gpus++;
		else if (ret == -ENXIO)
			ret = 0;
	}
	return ret;
}

int timegraph_snapshot(int fd, struct timegraph_snapshot *snap)
{
	int ret;

	snap->nr_gpus = 0;
	ret = timegraph_get_caps(fd, &snap->caps);
	if (!ret)
		ret = timegraph_get_config(fd, &snap->config);
	if (!ret)
		ret = snapshot_gpus(fd, snap);
	if (ret)
		snap->nr_gpus = 0;
	return ret;
}

void timegraph_snapshot_free(struct timegraph_snapshot *snap)
{
	for (uint32_t i = 0; i < snap->room; i++) {
		timegraph_tasks_free(&snap->gpus[i].tasks);
		timegraph_reserves_free(&snap->gpus[i].reserves);
		timegraph_vram_accounts_free(&snap->gpus[i].accounts);
	}
	free(snap->gpus);
	memset(snap, 0, sizeof(*snap));
}

/*
 * A task has its number from its process, as long as that lives.  So who has a number
 * after the descriptor was opened had it when that was opened.
 */
static int is_listed(int fd, uint32_t gpu, int32_t pid, uint64_t id)
{
	struct timegraph_tasks tasks = { 0 };
	int ret = timegraph_list_tasks(fd, gpu, &tasks);

	if (!ret)
		ret = -ESRCH;
	for (uint32_t i = 0; i < tasks.count; i++)
		if (tasks.item[i].id == id && tasks.item[i].pid == pid)
			ret = 0;
	timegraph_tasks_free(&tasks);
	return ret;
}

int timegraph_pidfd(int fd, uint32_t gpu, int32_t pid, uint64_t id)
{
	int pidfd, ret;

	if (pid <= 0)
		return -ESRCH;
	pidfd = syscall(SYS_pidfd_open, pid, 0);
	if (pidfd < 0)
		return -errno;
	ret = is_listed(fd, gpu, pid, id);
	if (ret)
		close(pidfd);
	return ret ? ret : pidfd;
}

int timegraph_set_foreground_server(int fd, const int32_t *names, uint32_t n, uint32_t flags,
				    int server)
{
	struct timegraph_foreground fg = {
		.ptr = (uintptr_t)names,
		.count = n,
		.flags = flags | (server < 0 ? 0 : TIMEGRAPH_WITH_SERVER),
		.server = server < 0 ? 0 : server,
	};
	int ret = call(fd, TIMEGRAPH_IOC_FOREGROUND, &fg);

	return ret ? ret : (int)fg.nr_boosted;
}

int timegraph_set_foreground(int fd, const int32_t *pids, uint32_t n)
{
	return timegraph_set_foreground_server(fd, pids, n, 0, -1);
}

int timegraph_set_foreground_pidfds(int fd, const int32_t *pidfds, uint32_t n)
{
	return timegraph_set_foreground_server(fd, pidfds, n, TIMEGRAPH_BY_PIDFD, -1);
}

int timegraph_connect_server(const char *path)
{
	struct sockaddr_un to = { .sun_family = AF_UNIX };
	int fd, error;

	if (strlen(path) >= sizeof(to.sun_path))
		return -ENAMETOOLONG;
	strcpy(to.sun_path, path);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd >= 0 && !connect(fd, (struct sockaddr *)&to, sizeof(to)))
		return fd;
	error = -errno;
	if (fd >= 0)
		close(fd);
	return error;
}

int timegraph_set_task(int fd, const struct timegraph_set *set)
{
	struct timegraph_set arg = *set;

	return call(fd, TIMEGRAPH_IOC_SET_TASK, &arg);
}

int timegraph_clear_task(int fd, int32_t pid)
{
	struct timegraph_set arg = { .pid = pid };

	return call(fd, TIMEGRAPH_IOC_CLEAR_TASK, &arg);
}

int timegraph_clear_task_pidfd(int fd, int32_t pidfd)
{
	struct timegraph_set arg = { .pid = pidfd, .flags = TIMEGRAPH_BY_PIDFD };

	return call(fd, TIMEGRAPH_IOC_CLEAR_TASK, &arg);
}

/* Where cgroup2 is mounted, "" if it is not; the first place there is. */
static void find_cgroup_mount(char *out, size_t size)
{
	FILE *f = setmntent("/proc/self/mounts", "re");
	struct mntent *m;

	*out = '\0';
	while (f && (m = getmntent(f)))
		if (!strcmp(m->mnt_type, "cgroup2") && strlen(m->mnt_dir) < size) {
			strcpy(out, m->mnt_dir);
			break;
		}
	if (f)
		endmntent(f);
}

int timegraph_open_cgroup(const char *path)
{
	char mount[PATH_MAX], full[2 * PATH_MAX];
	size_t len;
	int fd;

	find_cgroup_mount(mount, sizeof(mount));
	len = strlen(mount);
	if (!len)
		return -ENODEV;
	if (strlen(path) >= PATH_MAX)
		return -ENAMETOOLONG;
	if (!strncmp(path, mount, len) && (!path[len] || path[len] == '/'))
		snprintf(full, sizeof(full), "%s", path);
	else
		snprintf(full, sizeof(full), "%s/%s", mount, path);
	fd = open(full, O_PATH | O_DIRECTORY | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

int timegraph_set_domain(int fd, const struct timegraph_domain_set *set)
{
	struct timegraph_domain_set arg = *set;

	return call(fd, TIMEGRAPH_IOC_SET_DOMAIN, &arg);
}

int timegraph_clear_domain(int fd, int cgroup)
{
	struct timegraph_domain_set set = { .cgroup = cgroup };

	return call(fd, TIMEGRAPH_IOC_CLEAR_DOMAIN, &set);
}

int timegraph_set_policy(int fd, uint32_t gpu, const char *name)
{
	struct timegraph_class class = { .gpu = gpu };

	if (!*name || strlen(name) >= sizeof(class.set))
		return -EINVAL;
	strcpy(class.set, name);
	return call(fd, TIMEGRAPH_IOC_POLICY, &class);
}

int timegraph_create_reserve(int fd, struct timegraph_create *create)
{
	create->id = 0;
	create->flags = 0;
	return call(fd, TIMEGRAPH_IOC_CREATE_RESERVE, create);
}

int timegraph_set_bypass(int fd, uint32_t gpu, int on)
{
	struct timegraph_bypass arg = { .gpu = gpu, .on = !!on };

	return call(fd, TIMEGRAPH_IOC_BYPASS, &arg);
}

int timegraph_reload(int fd)
{
	return call(fd, TIMEGRAPH_IOC_RELOAD, NULL);
}

int timegraph_push(int fd, struct timegraph_push *push)
{
	push->version = 0;
	return call(fd, TIMEGRAPH_IOC_PUSH, push);
}

int timegraph_subscribe(int fd, uint32_t mask)
{
	struct timegraph_subscribe arg = { .mask = mask };

	return call(fd, TIMEGRAPH_IOC_SUBSCRIBE, &arg);
}

int timegraph_read_events(int fd, struct timegraph_events *events)
{
	ssize_t n;

	memset(events, 0, sizeof(*events));
	n = read(fd, events, sizeof(*events));
	if (n < 0)
		return -errno;
	return n < (ssize_t)sizeof(*events) ? -EIO : 0;
}
