// SPDX-License-Identifier: GPL-2.0-only
/* What can be asked for of video memory by /dev/timegraph; see tg_memory.h. */
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/string.h>

#include "tg_coarse.h"
#include "tg_device.h"
#include "tg_entry.h"
#include "tg_list.h"
#include "tg_memory.h"
#include "tg_params.h"
#include "tg_process.h"
#include "tg_registry.h"
#include "tg_vram_ioctl.h"

static_assert(TIMEGRAPH_VRAM_FIFO == (int)TG_VRAM_FIFO);
static_assert(TIMEGRAPH_VRAM_PRIO_MMU == (int)TG_VRAM_PRIO_MMU);
static_assert(TIMEGRAPH_VRAM_WAITING == (int)TG_VRAM_WAITING);
static_assert(TIMEGRAPH_VRAM_HELD == (int)TG_VRAM_HELD);
static_assert(TIMEGRAPH_VRAM_WHY_AGED == (int)TG_VRAM_WHY_AGED);

static int claim_for_file(const struct tg_memory *m, struct tg_account *a,
			  const struct tg_memory_want *w)
{
	if (!m->kept)
		return -EOPNOTSUPP;
	if (a->by_entry || a->domain || (a->handle && a->handle != w->handle))
		return -EEXIST;
	if (w->bytes > tg_vram_usable(&m->vram))
		return -ENOSPC;
	a->handle = w->handle;
	a->limited = w->limited;
	if (a->base.state == TG_VRAM_NONE)
		a->base.prio = w->prio;
	return 0;
}

static int reserve(struct tg_device *td, struct tg_handle *h,
		   struct timegraph_vram_reserve *arg)
{
	struct tg_memory_want want = {
		.bytes = arg->bytes,
		.deadline_ns = arg->deadline_ns,
		.wait = !(arg->flags & TIMEGRAPH_VRAM_NOWAIT),
		.limited = !capable(CAP_SYS_NICE),
		.handle = h,
		.claim = claim_for_file,
	};
	struct tg_memory *m = &td->memory;
	struct tg_entry_domain domain;
	struct tg_spec_entry entry;
	struct tg_account *a;
	int ret;

	if (!READ_ONCE(m->kept))
		return -EOPNOTSUPP;
	tg_entry_look_domain(task_tgid(current), &domain);
	if (want.limited && domain.vram_bytes)
		return -EEXIST;
	a = tg_memory_get(m);
	if (!a)
		return -ENOMEM;
	tg_entry_look(task_tgid(current), current->group_leader->comm, &entry);
	want.prio = entry.prio;
	ret = tg_memory_ask(m, a, &want);
	spin_lock(&tg_memory_lock);
	arg->waited_ns = a->base.waited_ns;
	if (a->base.state == TG_VRAM_NONE && a->handle == h)
		a->handle = NULL;
	tg_memory_put_locked(m, a);
	spin_unlock(&tg_memory_lock);
	return ret;
}

static int give_back(struct tg_device *td, struct tg_handle *h)
{
	struct tg_memory *m = &td->memory;
	struct tg_account *a;
	int ret = -ESRCH;

	spin_lock(&tg_memory_lock);
	a = tg_memory_find_locked(m, task_tgid(current));
	if (a && a->handle == h) {
		tg_memory_leave_locked(m, a);
		ret = 0;
	}
	spin_unlock(&tg_memory_lock);
	return ret;
}

static void release_on(struct tg_device *td, void *h)
{
	struct tg_account *a, *n;

	spin_lock(&tg_memory_lock);
	list_for_each_entry_safe(a, n, &td->memory.reserving, reserving) {
		if (a->handle != h)
			continue;
		tg_memory_leave_locked(&td->memory, a);
	}
	spin_unlock(&tg_memory_lock);
}

void tg_vram_ioctl_release(struct tg_handle *h)
{
	tg_registry_for_each(release_on, h);
}

static void view(struct tg_device *td, struct timegraph_vram *out, bool all)
{
	struct tg_memory *m = &td->memory;
	const struct tg_vram *v = &m->vram;

	spin_lock(&tg_memory_lock);
	out->flags = m->kept ? TIMEGRAPH_VRAM_KEPT : 0;
	out->policy = v->policy - tg_vram_policies;
	out->beyond = tg_memory_beyond;
	out->nr_waiting = v->nr_waiting;
	out->size = v->size;
	out->margin = tg_vram_margin(v);
	out->older = v->older;
	out->held = v->held;
	out->rest = v->rest;
	out->free = tg_vram_free(v);
	out->aging_ns = v->aging_ns;
	out->granted = v->granted;
	out->refused = v->refused;
	out->deadlocks = v->deadlocks;
	if (!all)
		tg_coarse(&m->shown_since, &m->shown, out, sizeof(*out), ktime_get_ns());
	spin_unlock(&tg_memory_lock);
}

static void fill_one(const struct tg_memory *m, const struct tg_account *a,
		     struct timegraph_vram_account *out, u64 now)
{
	out->pid = tg_process_nr(a->pid);
	out->uid = from_kuid_munged(current_user_ns(), a->shown_uid);
	strscpy(out->comm, a->comm, sizeof(out->comm));
	out->state = a->base.state;
	out->why = tg_vram_why(&m->vram, &a->base, now);
	out->prio = a->base.prio;
	out->flags = (tg_account_is_given(a) ? TIMEGRAPH_VRAM_BY_ENTRY : 0) |
		     (a->foreground ? TIMEGRAPH_VRAM_FOREGROUND : 0) |
		     (a->cgroup ? TIMEGRAPH_VRAM_DOMAIN : 0);
	out->wanted = a->base.wanted;
	out->held = a->base.held;
	out->charged = a->base.charged;
	out->since_ns = a->base.since_ns;
	out->waited_ns = a->base.waited_ns;
	out->nr_passed = a->base.nr_passed;
	out->nr_members = a->nr_members;
	out->domain = a->domain ? a->domain->cgroup : a->cgroup;
}

static void fill(struct tg_list *snap)
{
	struct timegraph_vram_account *out = snap->elements;
	const struct tg_memory *m = &snap->td->memory;
	const struct tg_account *a;

	spin_lock(&tg_memory_lock);
	list_for_each_entry(a, &m->accounts, node) {
		if (!snap->all && !uid_eq(a->shown_uid, current_euid()))
			continue;
		if (snap->count < snap->room)
			fill_one(m, a, &out[snap->count], ktime_get_ns());
		snap->count++;
	}
	spin_unlock(&tg_memory_lock);
}

static void set_vram(struct tg_device *td, void *arg)
{
	const struct timegraph_vram_set *set = arg;
	struct tg_vram *v = &td->memory.vram;

	spin_lock(&tg_memory_lock);
	if (set->fields & TIMEGRAPH_VRAM_SET_POLICY)
		v->policy = &tg_vram_policies[set->policy];
	if (set->fields & TIMEGRAPH_VRAM_SET_BEYOND)
		WRITE_ONCE(tg_memory_beyond, set->beyond);
	if (set->fields & TIMEGRAPH_VRAM_SET_AGING)
		v->aging_ns = set->aging_ns;
	tg_memory_serve_locked(&td->memory);
	spin_unlock(&tg_memory_lock);
}

int tg_vram_ioctl_look(struct file *file, void *arg)
{
	struct timegraph_vram *vram = arg;
	struct tg_device *td = tg_registry_by_index(vram->gpu);
	u32 gpu = vram->gpu;

	if (!td)
		return -ENXIO;
	memset(vram, 0, sizeof(*vram));
	vram->gpu = gpu;
	view(td, vram, tg_sees_all());
	return 0;
}

int tg_vram_ioctl_list(struct file *file, void *arg)
{
	return tg_list_make(arg, sizeof(struct timegraph_vram_account), tg_sees_all(), fill);
}

int tg_vram_ioctl_reserve(struct file *file, void *arg)
{
	struct timegraph_vram_reserve *r = arg;
	struct tg_device *td = tg_registry_by_index(r->gpu);

	if (r->flags & ~TIMEGRAPH_VRAM_NOWAIT || !r->bytes || r->waited_ns)
		return -EINVAL;
	if (!(file->f_mode & FMODE_WRITE))
		return -EBADF;
	return td ? reserve(td, file->private_data, r) : -ENXIO;
}

int tg_vram_ioctl_free(struct file *file, void *arg)
{
	const struct timegraph_vram_reserve *r = arg;
	struct tg_device *td = tg_registry_by_index(r->gpu);

	if (r->flags || r->bytes || r->deadline_ns || r->waited_ns)
		return -EINVAL;
	if (!(file->f_mode & FMODE_WRITE))
		return -EBADF;
	return td ? give_back(td, file->private_data) : -ENXIO;
}

static bool good_set_vram(const struct timegraph_vram_set *set)
{
	const u32 known = TIMEGRAPH_VRAM_SET_POLICY | TIMEGRAPH_VRAM_SET_BEYOND |
			  TIMEGRAPH_VRAM_SET_AGING;

	return set->fields && !(set->fields & ~known) &&
	       set->policy <= TIMEGRAPH_VRAM_PRIO_MMU && set->beyond <= TIMEGRAPH_VRAM_WAIT &&
	       set->aging_ns <= 3600 * NSEC_PER_SEC;
}

int tg_vram_ioctl_set(struct file *file, void *arg)
{
	struct timegraph_vram_set *set = arg;
	struct tg_device *td;

	if (!good_set_vram(set))
		return -EINVAL;
	if (!(file->f_mode & FMODE_WRITE))
		return -EBADF;
	if (!capable(CAP_SYS_ADMIN))
		return -EPERM;
	if (set->gpu == TIMEGRAPH_ALL_GPUS) {
		tg_registry_for_each(set_vram, set);
		return 0;
	}
	td = tg_registry_by_index(set->gpu);
	if (!td)
		return -ENXIO;
	set_vram(td, set);
	return 0;
}
