// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "args.h"
#include "device.h"
#include "failure.h"

int device_fail_open(int err)
{
	fprintf(stderr, "tgctl: %s\n", failure_open(err));
	return failure_is_denial(err) ? TGCTL_DENIED : TGCTL_NO_MODULE;
}

int device_open(int flags)
{
	int fd = timegraph_open(flags);

	return fd < 0 ? -device_fail_open(fd) : fd;
}

static const char *missing_right(enum device_right right)
{
	switch (right) {
	case DEVICE_OWN:
		return "it is another user's task: that takes CAP_SYS_NICE; become root";
	case DEVICE_SET:
		return "more than lowering the priority of one's own tasks takes CAP_SYS_NICE;\n"
		       "become root, or write it into /etc/timegraph.spec";
	case DEVICE_NICE:
		return "that takes CAP_SYS_NICE; become root";
	case DEVICE_ADMIN:
		return "that takes CAP_SYS_ADMIN; become root";
	default:
		return "you may not";
	}
}

int device_fail(const char *what, int err, enum device_right right)
{
	int status = failure_is_denial(err) ? TGCTL_DENIED : TGCTL_REFUSED;
	const char *why;

	switch (-err) {
	case ENODEV:
		why = "the module timegraph was removed";
		status = TGCTL_NO_MODULE;
		break;
	case EPERM:
	case EACCES:
		why = missing_right(right);
		break;
	case ESRCH:
		why = "no such process, or it uses no GPU now; 'tgctl list tasks' shows who does";
		break;
	case ENXIO:
		why = "there is no such GPU, or no program has used it yet; 'tgctl list gpus' shows\n"
		      "which there are";
		break;
	case ENOENT:
		why = "there is no reserve of that name to join; give --capacity and --period,\n"
		      "or make it with 'tgctl reserve'";
		break;
	case EEXIST:
		why = "there is a reserve of that name; 'tgctl list reserves' shows it";
		break;
	case EINVAL:
		why = "the kernel refuses these values";
		break;
	case ENOTTY:
	case E2BIG:
		why = "the loaded module does not know this: is it older than tgctl?";
		break;
	default:
		why = strerror(-err);
	}
	fprintf(stderr, "tgctl: %s: %s\n", what, why);
	return status;
}

int device_snapshot(struct timegraph_snapshot *snap)
{
	int fd = device_open(O_RDONLY), ret;

	if (fd < 0)
		return -fd;
	ret = timegraph_snapshot(fd, snap);
	timegraph_close(fd);
	return ret ? device_fail("status", ret, DEVICE_LOOK) : TGCTL_OK;
}

static int add(struct targets *t, struct target item)
{
	void *p;

	for (uint32_t i = 0; i < t->n; i++)
		if (t->item[i].pid == item.pid)
			return 0;
	p = reallocarray(t->item, t->n + 1, sizeof(*t->item));
	if (!p)
		return -ENOMEM;
	t->item = p;
	t->item[t->n++] = item;
	return 0;
}

/* All tasks that are called @name, or have the number @pid; how many, or -errno. */
static int add_matches(struct targets *t, const struct timegraph_snapshot *snap,
		       const char *name, int32_t pid)
{
	int found = 0, ret;

	for (uint32_t g = 0; g < snap->nr_gpus; g++) {
		const struct timegraph_tasks *list = &snap->gpus[g].tasks;

		for (uint32_t i = 0; i < list->count; i++) {
			const struct timegraph_task *task = &list->item[i];

			if (!task->pid || (name ? strncmp(task->comm, name, TIMEGRAPH_COMM_LEN - 1) :
						  task->pid != pid))
				continue;
			ret = add(t, (struct target){ task->pid, snap->gpus[g].gpu.index,
						      task->id });
			if (ret)
				return ret;
			found++;
		}
	}
	return found;
}

static void close_names(struct targets *t, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		close(t->name[i]);
}

/*
 * What was listed is held to by pidfd: its number may be another's by the time the
 * module is asked.  Of a number that was given it is the caller's to know whose it is;
 * the module says of one without a process what is to be said.
 */
static int name_them(int fd, struct targets *t)
{
	int ret = 0;

	t->name = calloc(t->n, sizeof(*t->name));
	if (!t->name)
		return -ENOMEM;
	t->flags = TIMEGRAPH_BY_PIDFD;
	for (uint32_t i = 0; i < t->n && t->flags; i++) {
		const struct target *it = &t->item[i];

		ret = it->id ? timegraph_pidfd(fd, it->gpu, it->pid, it->id) :
			       (int)syscall(SYS_pidfd_open, it->pid, 0);
		t->name[i] = ret;
		if (ret >= 0)
			continue;
		close_names(t, i);
		t->flags = 0;
		if (it->id && ret == -ESRCH)
			return ret;
	}
	for (uint32_t i = 0; i < t->n && !t->flags; i++)
		t->name[i] = t->item[i].pid;
	return 0;
}

int device_targets(int fd, char **words, int n, struct targets *t)
{
	struct timegraph_snapshot snap = { 0 };
	int ret = timegraph_snapshot(fd, &snap);
	int status = TGCTL_OK;

	memset(t, 0, sizeof(*t));
	for (int i = 0; i < n && ret >= 0; i++) {
		int32_t pid;
		bool is_pid = args_pid(words[i], &pid);

		ret = add_matches(t, &snap, is_pid ? NULL : words[i], pid);
		/* The kernel knows whether a number is a process; a name has to be here. */
		if (!ret && is_pid)
			ret = add(t, (struct target){ .pid = pid });
		else if (!ret)
			status = device_fail(words[i], -ESRCH, DEVICE_LOOK);
	}
	timegraph_snapshot_free(&snap);
	if (ret >= 0 && !status)
		ret = name_them(fd, t);
	if (ret < 0)
		status = device_fail("looking for tasks", ret, DEVICE_LOOK);
	if (status)
		targets_free(t);
	return status;
}

void targets_free(struct targets *t)
{
	if (t->flags & TIMEGRAPH_BY_PIDFD)
		close_names(t, t->n);
	free(t->item);
	free(t->name);
	memset(t, 0, sizeof(*t));
}
