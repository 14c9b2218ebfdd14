// SPDX-License-Identifier: GPL-2.0-only
/* What a caller sees of a GPU. */
#include <linux/cred.h>
#include <linux/device.h>
#include <linux/ktime.h>
#include <linux/string.h>

#include "tg_client.h"
#include "tg_coarse.h"
#include "tg_device.h"
#include "tg_process.h"
#include "tg_view.h"

/* Whose group is on the GPU, if the caller may know. */
static pid_t online_pid(const struct tg_device *td, bool all)
{
	const struct tg_group *head = tg_sched_head(&td->sched);
	const struct tg_client *client;

	if (!head)
		return 0;
	client = container_of(head->task, struct tg_client, task);
	return all || uid_eq(client->uid, current_euid()) ? tg_process_nr(client->pid) : 0;
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
	if (!all)
		tg_coarse(&td->coarse.gpu_since, &td->coarse.gpu, gpu,
			  sizeof(*gpu), gpu->now_ns);
	gpu->bypass = td->bypass;
	gpu->online_pid = online_pid(td, all);
	spin_unlock_irq(&td->lock);
}
