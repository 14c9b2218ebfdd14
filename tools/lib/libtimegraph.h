/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * libtimegraph: /dev/timegraph for C programs.
 *
 * One function for each ioctl of <drm/timegraph.h>, which documents the
 * structures, who may do what and the errors; and a snapshot of everything.
 *
 * - A function returns 0, or a count where that is said, or -errno.  Nothing is
 *   printed, errno is not to be looked at.
 * - There is no state but the file descriptor and what the caller passes, so any
 *   number of threads may call, each with result structures of its own; also on
 *   the same descriptor.  The list of the foreground and the subscription belong
 *   to the open file: threads that share one share them.
 * - When the kernel module is removed every call with a descriptor that was open
 *   returns -ENODEV, poll() says POLLERR, and what was asked for by it has ended.
 * - The structures grow at their end with the module's interface.  A program and
 *   an older or newer module understand each other; the library's soname changes
 *   when a structure grows.
 *
 *	int fd = timegraph_open(O_RDONLY);
 *	struct timegraph_snapshot snap = { 0 };
 *
 *	if (fd >= 0 && !timegraph_snapshot(fd, &snap))
 *		for (uint32_t i = 0; i < snap.nr_gpus; i++)
 *			printf("%s: %u tasks\n", snap.gpus[i].gpu.name,
 *			       snap.gpus[i].tasks.count);
 *	timegraph_snapshot_free(&snap);
 *	timegraph_close(fd);
 */
#ifndef LIBTIMEGRAPH_H
#define LIBTIMEGRAPH_H

#include <stdint.h>
#include <sys/types.h>

#include <drm/timegraph.h>

#if defined(__cplusplus)
extern "C" {
#endif

#define TIMEGRAPH_DEVICE "/dev/timegraph"

/**
 * timegraph_open - open /dev/timegraph
 * @flags: O_RDONLY to look, O_RDWR to change things; O_NONBLOCK as well, for
 *	timegraph_read_events()
 *
 * The descriptor is closed by an exec.
 *
 * Return: a file descriptor; -ENOENT, -ENXIO or -ENODEV if the module is not
 * loaded; -EACCES if the node's permissions forbid it.
 */
int timegraph_open(int flags);

/** timegraph_close - close it; -1 is passed over */
void timegraph_close(int fd);

/* --- asking */

/** timegraph_get_caps - TIMEGRAPH_IOC_CAPS */
int timegraph_get_caps(int fd, struct timegraph_caps *caps);

/** timegraph_get_config - TIMEGRAPH_IOC_CONFIG */
int timegraph_get_config(int fd, struct timegraph_config *config);

/** timegraph_get_gpu - TIMEGRAPH_IOC_GPU for GPU @index; -ENXIO: there is none */
int timegraph_get_gpu(int fd, uint32_t index, struct timegraph_gpu *gpu);

/**
 * struct timegraph_tasks - a list of tasks
 * @item: @count of them
 * @room: elements allocated
 *
 * Starts as { 0 }, may be used again and again, and ends with
 * timegraph_tasks_free(), which leaves it as it started.
 */
struct timegraph_tasks {
	struct timegraph_task *item;
	uint32_t count;
	uint32_t room;
};

/** struct timegraph_reserves - a list of reserves, as struct timegraph_tasks */
struct timegraph_reserves {
	struct timegraph_reserve *item;
	uint32_t count;
	uint32_t room;
};

/**
 * timegraph_list_tasks - TIMEGRAPH_IOC_TASKS, with as much room as it takes
 * @gpu: which GPU
 * @tasks: what was in it is replaced; on failure it is empty
 */
int timegraph_list_tasks(int fd, uint32_t gpu, struct timegraph_tasks *tasks);
void timegraph_tasks_free(struct timegraph_tasks *tasks);

/** timegraph_list_reserves - TIMEGRAPH_IOC_RESERVES, likewise */
int timegraph_list_reserves(int fd, uint32_t gpu,
			    struct timegraph_reserves *reserves);
void timegraph_reserves_free(struct timegraph_reserves *reserves);

/** struct timegraph_domains - a list of domains, as struct timegraph_tasks */
struct timegraph_domains {
	struct timegraph_domain *item;
	uint32_t count;
	uint32_t room;
};

/** timegraph_list_domains - TIMEGRAPH_IOC_DOMAINS, likewise */
int timegraph_list_domains(int fd, uint32_t gpu, struct timegraph_domains *domains);
void timegraph_domains_free(struct timegraph_domains *domains);

/**
 * timegraph_get_policy - TIMEGRAPH_IOC_POLICY: what orders GPU @gpu
 * @name: gets it
 */
int timegraph_get_policy(int fd, uint32_t gpu, char name[TIMEGRAPH_COMM_LEN]);

/**
 * struct timegraph_vram_accounts - processes with video memory
 * @item: @count of them, malloc()ed; freed by timegraph_vram_accounts_free()
 * @count: of them
 * @room: elements there is room for
 */
struct timegraph_vram_accounts {
	struct timegraph_vram_account *item;
	uint32_t count;
	uint32_t room;
};

/**
 * struct timegraph_gpu_state - a GPU with what is on it
 * @vram: its memory; all 0 from a module before interface 12
 * @accounts: who has some of it
 */
struct timegraph_gpu_state {
	struct timegraph_gpu gpu;
	struct timegraph_tasks tasks;
	struct timegraph_reserves reserves;
	struct timegraph_vram vram;
	struct timegraph_vram_accounts accounts;
};

/**
 * struct timegraph_snapshot - everything
 * @room: elements of @gpus allocated
 *
 * Its parts are read one after the other: a task may start or end in between.
 */
struct timegraph_snapshot {
	struct timegraph_caps caps;
	struct timegraph_config config;
	struct timegraph_gpu_state *gpus;
	uint32_t nr_gpus;
	uint32_t room;
};

/**
 * timegraph_snapshot - read everything
 * @snap: { 0 } at first; what was in it is replaced, its memory used again.  On
 *	failure it holds no GPU
 *
 * A GPU that goes away meanwhile is left out.
 */
int timegraph_snapshot(int fd, struct timegraph_snapshot *snap);
void timegraph_snapshot_free(struct timegraph_snapshot *snap);

/* --- changing: the file must be open for writing (-EBADF) */

/**
 * timegraph_pidfd - a descriptor of a task's process, which no other process can
 * take over as it could its number
 * @gpu: where the task was listed
 * @pid: its number, as it was listed
 * @id: its timegraph_task.id
 *
 * Return: a pidfd, which an exec closes; -ESRCH: the task has gone.
 */
int timegraph_pidfd(int fd, uint32_t gpu, int32_t pid, uint64_t id);

/**
 * timegraph_set_foreground - TIMEGRAPH_IOC_FOREGROUND
 * @pids: @n process numbers, at most TIMEGRAPH_FOREGROUND_MAX; 0 of them: nobody
 *
 * Return: how many tasks are in the foreground by this now.
 */
int timegraph_set_foreground(int fd, const int32_t *pids, uint32_t n);

/** timegraph_set_foreground_pidfds - the same with @n pidfds */
int timegraph_set_foreground_pidfds(int fd, const int32_t *pidfds, uint32_t n);

/**
 * timegraph_set_foreground_server - the same with a display server, which gets their level
 * @names: @n process numbers, or pidfds
 * @flags: 0, or TIMEGRAPH_BY_PIDFD
 * @server: a Unix socket that is connected to it; negative for none
 */
int timegraph_set_foreground_server(int fd, const int32_t *names, uint32_t n, uint32_t flags,
				    int server);

/**
 * timegraph_connect_server - connect to the Unix socket of a display server
 *
 * Return: a descriptor, which an exec closes.
 */
int timegraph_connect_server(const char *path);

/**
 * timegraph_set_task - TIMEGRAPH_IOC_SET_TASK
 * @set: its @pid is a pidfd if its @flags say TIMEGRAPH_BY_PIDFD
 */
int timegraph_set_task(int fd, const struct timegraph_set *set);

/** timegraph_clear_task - TIMEGRAPH_IOC_CLEAR_TASK */
int timegraph_clear_task(int fd, int32_t pid);

/** timegraph_clear_task_pidfd - the same with a pidfd */
int timegraph_clear_task_pidfd(int fd, int32_t pidfd);

/**
 * timegraph_open_cgroup - a directory of cgroup2
 * @path: as in /proc/PID/cgroup ("/batch"), or with the mount point before it
 *
 * Return: a descriptor for the calls that follow, and for TIMEGRAPH_BY_CGROUP, which an exec
 * closes; -ENOENT: there is no such cgroup; -ENODEV: no cgroup2 is mounted.
 */
int timegraph_open_cgroup(const char *path);

/** timegraph_set_domain - TIMEGRAPH_IOC_SET_DOMAIN */
int timegraph_set_domain(int fd, const struct timegraph_domain_set *set);

/** timegraph_clear_domain - TIMEGRAPH_IOC_CLEAR_DOMAIN */
int timegraph_clear_domain(int fd, int cgroup);

/** timegraph_set_policy - TIMEGRAPH_IOC_POLICY: have GPU @gpu ordered by the policy @name */
int timegraph_set_policy(int fd, uint32_t gpu, const char *name);

/**
 * timegraph_create_reserve - TIMEGRAPH_IOC_CREATE_RESERVE
 * @create: its id and flags are filled in
 */
int timegraph_create_reserve(int fd, struct timegraph_create *create);

/**
 * timegraph_set_bypass - TIMEGRAPH_IOC_BYPASS
 * @gpu: which, or TIMEGRAPH_ALL_GPUS
 * @on: 1 stops scheduling, 0 restores it
 */
int timegraph_set_bypass(int fd, uint32_t gpu, int on);

/**
 * timegraph_reload - TIMEGRAPH_IOC_RELOAD; -EINVAL: a file was refused,
 * timegraph_get_config() says why
 */
int timegraph_reload(int fd);

/**
 * timegraph_push - TIMEGRAPH_IOC_PUSH; -EBADMSG: a text was refused,
 * timegraph_get_config() says why
 * @push: its version is filled in
 */
int timegraph_push(int fd, struct timegraph_push *push);

/* --- video memory */

/** timegraph_get_vram - TIMEGRAPH_IOC_VRAM */
int timegraph_get_vram(int fd, uint32_t gpu, struct timegraph_vram *vram);

/**
 * timegraph_list_vram - TIMEGRAPH_IOC_VRAM_ACCOUNTS
 * @accounts: zeroed, or of a call before, which is used again
 */
int timegraph_list_vram(int fd, uint32_t gpu, struct timegraph_vram_accounts *accounts);
void timegraph_vram_accounts_free(struct timegraph_vram_accounts *accounts);

/*
 * The four stages of schedGPU: initialisation is timegraph_open(O_RDWR), shutdown
 * timegraph_close(), or the end of the process; between them, as often as is needed:
 */

/* timegraph_reserve_vram() waits until a signal. */
#define TIMEGRAPH_FOREVER UINT64_MAX

/**
 * timegraph_reserve_vram - pre-allocation: all video memory that the process will use
 * @bytes: more than 0
 * @timeout_ns: how long to wait for it; 0: not at all; TIMEGRAPH_FOREVER
 *
 * Of a GPU that nobody has used yet the module does not know: then a small buffer is made,
 * and let go, on each of nouveau's that the caller may open.
 *
 * Return: 0: no buffer of the process within that fails; -EAGAIN, with a timeout
 * -ETIMEDOUT; -EINTR: a signal: called again it has kept its place for a second; -ENOSPC:
 * the card has less; -EDEADLK: it would have to wait, but has buffers: reserve first; and
 * the others of TIMEGRAPH_IOC_RESERVE_VRAM.
 */
int timegraph_reserve_vram(int fd, uint32_t gpu, uint64_t bytes, uint64_t timeout_ns);

/** timegraph_free_vram - post-free; what buffers are left are without a reservation */
int timegraph_free_vram(int fd, uint32_t gpu);

/** timegraph_set_vram - TIMEGRAPH_IOC_SET_VRAM */
int timegraph_set_vram(int fd, const struct timegraph_vram_set *set);

/* --- events */

/** timegraph_subscribe - TIMEGRAPH_IOC_SUBSCRIBE to TIMEGRAPH_EVENT_* bits */
int timegraph_subscribe(int fd, uint32_t mask);

/**
 * timegraph_read_events - what happened since the last call
 *
 * Waits for something to happen, unless the file was opened with O_NONBLOCK
 * (-EAGAIN).  poll() says POLLIN when it would not wait.  -EINTR: a signal came.
 */
int timegraph_read_events(int fd, struct timegraph_events *events);

#if defined(__cplusplus)
}
#endif

#endif
