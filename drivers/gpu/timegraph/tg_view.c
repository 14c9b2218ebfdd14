// SPDX-License-Identifier: GPL-2.0-only
/* What a caller sees of a GPU. */
#include <linux/cred.h>
#include <linux/device.h>
#include <linux/ktime.h>
#include <linux/string.h>

#include "tg_chan.h"
#include "tg_client.h"
#include "tg_coarse.h"
#include "tg_device.h"
#include "tg_process.h"
#include "tg_view.h"

/* If the caller may know who it is. */
static pid_t pid_of(const struct tg_client *client, bool all)
{
	if (!client || !(all || uid_eq(client->uid, current_euid())))
		return 0;
	return tg_process_nr(client->pid);
}

/* Whose group is on the GPU. */
static const struct tg_client *online_client(const struct tg_device *td)
{
	const struct tg_group *head = tg_sched_head(&td->sched);

	return head ? container_of(head->task, struct tg_client, task) : NULL;
}

/* Who has the GPU to itself. */
static const struct tg_client *free_client(const struct tg_device *td)
{
	const struct tg_freerun *f = &td->freerun;

	if (f->nr_clients != 1)
		return NULL;
	return list_first_entry(&f->chans, struct tg_chan, freerun.node)->client;
}

void tg_view_gpu(struct tg_device *td, struct timegraph_gpu *gpu, bool all)
{
	spin_lock_irq(&td->lock);
	strscpy(gpu->name, dev_name(td->dev), sizeof(gpu->name));
	gpu->now_ns = ktime_get_ns();
	gpu->busy_ns = td->sched.busy_ns;
	gpu->nr_online = td->sched.nr_online;
	gpu->nr_waiting = td->sched.nr_waiting;
	gpu->nr_throttled = td->sched.nr_throttled;
	gpu->submitted = td->count.submitted;
	gpu->verified = td->count.verified;
	gpu->recovered = td->count.recovered;
	gpu->foreign = td->count.foreign;
	gpu->stuck = td->count.stuck;
	gpu->abandoned = td->count.abandoned;
	gpu->cancelled = td->count.cancelled;
	gpu->interrupted = td->count.interrupted;
	gpu->ungated = td->count.ungated;
	gpu->stamped = td->sched.nr_stamped;
	gpu->unstamped = td->sched.nr_unstamped;
	gpu->context_switch_ns = td->switch_ns;
	gpu->chipset = td->chipset;
	gpu->notify_channels = td->nr_notify;
	gpu->fence_channels = td->nr_fence;
	strscpy(gpu->fence_why, td->fence_why ?: "", sizeof(gpu->fence_why));
	gpu->dropped = td->count.dropped;
	gpu->refused = td->count.refused;
	gpu->nr_running = td->count.running;
	gpu->nr_hung = td->nr_hung;
	gpu->freerun_groups = td->freerun.nr_groups;
	gpu->nr_freerun = td->freerun.nr_clients;
	if (!all)
		tg_coarse(&td->coarse.gpu_since, &td->coarse.gpu, gpu,
			  sizeof(*gpu), gpu->now_ns);
	gpu->bypass = td->bypass;
	gpu->online_pid = pid_of(online_client(td), all);
	gpu->freerun_pid = pid_of(free_client(td), all);
	spin_unlock_irq(&td->lock);
}
