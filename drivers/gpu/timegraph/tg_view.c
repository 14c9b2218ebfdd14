// SPDX-License-Identifier: GPL-2.0-only
/* What a caller sees of a GPU, and of a task. */
#include <linux/cred.h>
#include <linux/device.h>
#include <linux/ktime.h>
#include <linux/string.h>

#include "tg_cgroup.h"
#include "tg_chan.h"
#include "tg_client.h"
#include "tg_coarse.h"
#include "tg_complete.h"
#include "tg_device.h"
#include "tg_domains.h"
#include "tg_list.h"
#include "tg_process.h"
#include "tg_reservation.h"
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
	tg_complete_reap_locked(td, ktime_get_ns());
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

static u32 task_flags(const struct tg_client *client)
{
	const struct tg_task *t = &client->task;
	enum tg_spec_resv resv = client->entry.resv;
	u32 flags = 0;

	if (t->focus)
		flags |= TIMEGRAPH_TASK_FOCUS;
	if (client->follows)
		flags |= TIMEGRAPH_TASK_CPU;
	if (t->foreground)
		flags |= TIMEGRAPH_TASK_FOREGROUND;
	if (client->set || client->ceiling != TG_NO_CEILING)
		flags |= TIMEGRAPH_TASK_SET;
	if (!t->policy->reserves &&
	    (resv == TG_SPEC_RESV_PE || resv == TG_SPEC_RESV_AE))
		flags |= TIMEGRAPH_TASK_UNREGULATED;
	if (t->reserve && t->reserve->demoted)
		flags |= TIMEGRAPH_TASK_DEMOTED;
	if (t->nr_aside)
		flags |= TIMEGRAPH_TASK_HUNG;
	if (client->nr_refused)
		flags |= TIMEGRAPH_TASK_REFUSED;
	if (tg_task_level(t) > tg_task_own_level(t))
		flags |= TIMEGRAPH_TASK_SERVER;
	if (client->nr_free)
		flags |= TIMEGRAPH_TASK_FREERUN;
	if (t->lead_ns != TG_LEAD_COMMON)
		flags |= TIMEGRAPH_TASK_LEAD;
	return flags;
}

static u32 reserve_id(const struct tg_client *client)
{
	struct tg_sched *s = &client->td->sched;
	const struct tg_reserve *r = tg_task_reserve(s, &client->task);

	if (!r)
		return 0;
	if (r == &s->background)
		return TG_BACKGROUND_ID;
	return container_of(r, struct tg_dev_reserve, reserve)->id;
}

static u8 resv_number(enum tg_spec_resv resv)
{
	static const u8 map[] = {
		[TG_SPEC_RESV_NONE] = TIMEGRAPH_RESV_NONE,
		[TG_SPEC_RESV_PE] = TIMEGRAPH_RESV_PE,
		[TG_SPEC_RESV_AE] = TIMEGRAPH_RESV_AE,
		[TG_SPEC_RESV_BG] = TIMEGRAPH_RESV_BG,
	};

	return map[resv];
}

/* Of who follows the CPU what it was given, and apart from that what the CPU makes of it. */
static void describe_rule_locked(const struct tg_client *client, struct timegraph_task *out)
{
	const struct tg_spec_entry *e = client->follows ? &client->given : &client->entry;

	lockdep_assert_held(&client->td->lock);
	out->policy = e->sched;
	out->weight = e->weight;
	out->prio = e->prio;
	out->level = tg_task_level(&client->task);
	out->lead_ns = tg_lead_of(&client->td->sched, &client->task);
	out->rank = client->follows ? client->rank : 0;
}

void tg_view_task(const struct tg_client *client, struct timegraph_task *out)
{
	const struct tg_task *t = &client->task;
	struct tg_device *td = client->td;

	out->id = client->id;
	out->pid = tg_process_nr(client->pid);
	out->uid = from_kuid_munged(current_user_ns(), client->uid);
	spin_lock_irq(&td->lock);
	tg_complete_reap_locked(td, ktime_get_ns());
	strscpy(out->comm, client->comm, sizeof(out->comm));
	describe_rule_locked(client, out);
	out->resv = resv_number(client->entry.resv);
	out->flags = task_flags(client);
	out->reserve = reserve_id(client);
	out->spec_line = client->entry.line;
	out->spec_version = client->version;
	out->nr_channels = client->nr_chans;
	out->nr_online = t->nr_online;
	out->nr_waiting = t->nr_waiting;
	out->nr_throttled = t->nr_throttled;
	out->groups = t->nr_groups;
	out->gpu_ns = t->gpu_ns;
	out->gpu_cpu_ns = t->gpu_cpu_ns;
	out->wait_ns = t->wait_ns;
	out->wait_max_ns = t->wait_max_ns;
	out->throttle_ns = t->throttle_ns;
	out->throttle_max_ns = t->throttle_max_ns;
	out->predictions = client->nr_predicted;
	out->prediction_error_ns = client->error_ns;
	out->predicted_ns = client->predicted_ns;
	out->domain = t->domain ? tg_dev_domain_of(t->domain)->id : 0;
	spin_unlock_irq(&td->lock);
}

/* Of those within it, too. */
static bool has_own_task(const struct tg_dev_domain *d, bool *others)
{
	const struct tg_client *client;
	const struct tg_domain *in;
	bool own = false;

	list_for_each_entry(client, &d->td->clients, node) {
		for (in = client->task.domain; in && in != &d->core; in = in->parent)
			;
		if (!in)
			continue;
		if (uid_eq(client->uid, current_euid()))
			own = true;
		else
			*others = true;
	}
	return own;
}

static bool is_throttled(const struct tg_domain *d)
{
	while (d && !d->throttled)
		d = d->parent;
	return d;
}

static void count_locked(const struct tg_domain *d, struct timegraph_domain *out)
{
	out->weight = d->rule.weight;
	out->target_ppm = d->rule.target_ppm;
	out->capacity_ns = d->rule.capacity_ns;
	out->period_ns = d->rule.period_ns;
	out->budget_ns = d->rule.capacity_ns ? d->quota.budget_ns : 0;
	out->usage_ns = d->gpu_ns;
	out->wait_ns = d->wait_ns;
	out->throttle_ns = d->throttle_ns;
	out->groups = d->nr_groups;
	out->throttled = d->nr_throttled;
	out->nr_tasks = d->nr_tasks;
	out->nr_waiting = d->nr_queued;
	out->nr_online = d->nr_online;
	out->flags = is_throttled(d) ? TIMEGRAPH_DOMAIN_THROTTLED : 0;
	out->depth = d->depth;
	out->cpu_weight = d->cpu_weight;
}

static void view_domain(struct tg_dev_domain *d, bool coarse, struct timegraph_domain *out)
{
	struct tg_device *td = d->td;

	spin_lock_irq(&td->lock);
	tg_complete_reap_locked(td, ktime_get_ns());
	count_locked(&d->core, out);
	if (coarse)
		tg_coarse(&d->shown_since, &d->shown, out, sizeof(*out), ktime_get_ns());
	spin_unlock_irq(&td->lock);
	out->id = d->id;
	out->parent = d->core.parent ? tg_dev_domain_of(d->core.parent)->id : 0;
	out->origin_weight = d->origin_weight;
	out->origin_target = d->origin_target;
	out->origin_quota = d->origin_quota;
	tg_cgroup_path(d->cgrp, out->path, sizeof(out->path));
}

void tg_view_domains(struct tg_list *snap)
{
	struct tg_device *td = snap->td;
	struct tg_dev_domain *d;

	mutex_lock(&tg_client_mutex);
	tg_domains_sweep(td);
	tg_domains_for_each(d, td) {
		bool others = false, own;

		if (d->replaced)
			continue;
		own = has_own_task(d, &others);
		if (!snap->all && !own && !uid_eq(d->owner, current_euid()))
			continue;
		if (snap->count < snap->room)
			view_domain(d, !snap->all && others,
				    (struct timegraph_domain *)snap->elements + snap->count);
		snap->count++;
	}
	mutex_unlock(&tg_client_mutex);
}
