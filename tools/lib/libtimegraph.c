// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include "libtimegraph.h"

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

static int snapshot_gpu(int fd, uint32_t index, struct timegraph_gpu_state *g)
{
	int ret = timegraph_get_gpu(fd, index, &g->gpu);

	if (!ret)
		ret = timegraph_list_tasks(fd, index, &g->tasks);
	if (!ret)
		ret = timegraph_list_reserves(fd, index, &g->reserves);
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
