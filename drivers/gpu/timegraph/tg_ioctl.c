// SPDX-License-Identifier: GPL-2.0-only
/*
 * /dev/timegraph: what <drm/timegraph.h> promises.
 *
 * Every ioctl gets its structure in full length, the fields that the caller's
 * is too short for being 0, and checks all of it before it changes anything.
 */
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/nospec.h>
#include <linux/slab.h>
#include <linux/string.h>

#include <uapi/drm/timegraph.h>

#include "attach/tg_attach.h"
#include "tg_cgroup.h"
#include "tg_class.h"
#include "tg_client.h"
#include "tg_coarse.h"
#include "tg_complete.h"
#include "tg_config.h"
#include "tg_device.h"
#include "tg_events.h"
#include "tg_foreground.h"
#include "tg_dispatch.h"
#include "tg_ioctl.h"
#include "tg_list.h"
#include "tg_members.h"
#include "tg_params.h"
#include "tg_process.h"
#include "tg_reader.h"
#include "tg_registry.h"
#include "tg_reservation.h"
#include "tg_uaccess.h"
#include "tg_view.h"
#include "tg_vram_ioctl.h"
#include "tg_watchdog.h"

#define EVENTS_ALL                                                         \
	(TIMEGRAPH_EVENT_TASK | TIMEGRAPH_EVENT_ADMISSION |                \
	 TIMEGRAPH_EVENT_BYPASS | TIMEGRAPH_EVENT_FOREGROUND |             \
	 TIMEGRAPH_EVENT_CONFIG | TIMEGRAPH_EVENT_DOMAIN)

/**
 * struct kept - a reserve that the file keeps
 * @node: in tg_handle.kept
 * @td: its GPU
 * @res: the reserve
 */
struct kept {
	struct list_head node;
	struct tg_device *td;
	struct tg_dev_reserve *res;
};

static struct tg_handle *to_handle(struct file *file)
{
	return file->private_data;
}

static bool writable(const struct file *file)
{
	return file->f_mode & FMODE_WRITE;
}

static bool is_own(const struct tg_client *client)
{
	return uid_eq(client->uid, current_euid());
}

/* A name from user space ends, and does not upset whoever prints it. */
static bool good_name(const char *name, size_t size)
{
	size_t len = strnlen(name, size);

	if (len == size)
		return false;
	for (size_t i = 0; i < len; i++)
		if (name[i] < ' ' || name[i] > '~')
			return false;
	return true;
}

static int ioctl_caps(struct file *file, void *arg)
{
	struct timegraph_caps *caps = arg;

	memset(caps, 0, sizeof(*caps));
	caps->abi_version = TIMEGRAPH_ABI_VERSION;
	caps->nr_gpus = tg_registry_number();
	caps->ht_depth = tg_param_ht_depth;
	caps->history = tg_param_history;
	caps->now_ns = ktime_get_ns();
	caps->background_capacity_ns =
		(u64)tg_param_bg_capacity_us * NSEC_PER_USEC;
	caps->background_period_ns = (u64)tg_param_bg_period_us * NSEC_PER_USEC;
	caps->lead_ns = (u64)tg_param_lead_us * NSEC_PER_USEC;
	caps->completion = tg_param_completion;
	caps->floor_capacity_ns = tg_param_floor_ns();
	caps->floor_period_ns = (u64)tg_param_floor_period_us * NSEC_PER_USEC;
	caps->predictor = tg_param_predictor - tg_predictors;
	caps->lead_predictor = tg_param_lead_predictor - tg_predictors;
	strscpy(caps->version, TIMEGRAPH_VERSION, sizeof(caps->version));
	return tg_attach_text(caps->attached, sizeof(caps->attached)) < 0 ? -ERESTARTSYS : 0;
}

static int ioctl_config(struct file *file, void *arg)
{
	struct timegraph_config *config = arg;

	tg_config_get(config);
	if (tg_reader_slow())
		config->flags |= TIMEGRAPH_CONFIG_SLOW;
	return 0;
}

static int ioctl_gpu(struct file *file, void *arg)
{
	struct timegraph_gpu *gpu = arg;
	struct tg_device *td = tg_registry_by_index(gpu->index);
	u32 index = gpu->index;

	if (!td)
		return -ENXIO;
	memset(gpu, 0, sizeof(*gpu));
	gpu->index = index;
	tg_view_gpu(td, gpu, tg_sees_all());
	return 0;
}

/* The ABI's numbers are the core's. */
static_assert(TIMEGRAPH_POLICY_PRT == (int)TG_POLICY_PRT);
static_assert(TIMEGRAPH_POLICY_HT == (int)TG_POLICY_HT);
static_assert(TIMEGRAPH_POLICY_FQ == (int)TG_POLICY_FQ);
static_assert(TIMEGRAPH_COMPLETION_NOTIFY == (int)TG_COMPLETE_NOTIFY);
static_assert(TIMEGRAPH_COMPLETION_AUTO == (int)TG_COMPLETE_AUTO);
static_assert(TIMEGRAPH_COMPLETION_FENCE == (int)TG_COMPLETE_FENCE);
static_assert(TIMEGRAPH_PUSH_MAX == TG_SPEC_MAX_BYTES);
static_assert(TIMEGRAPH_DOMAIN_DEPTH == TG_DOMAIN_DEPTH);
static_assert(TIMEGRAPH_LEAD_COMMON == TG_LEAD_COMMON);

static void add_task(struct tg_client *client, void *arg)
{
	struct tg_list *snap = arg;

	if (!snap->all && !is_own(client))
		return;
	if (snap->count < snap->room)
		tg_view_task(client, (struct timegraph_task *)snap->elements + snap->count);
	snap->count++;
}

static void fill_tasks(struct tg_list *snap)
{
	tg_client_for_each(snap->td, add_task, snap);
}

static int ioctl_tasks(struct file *file, void *arg)
{
	return tg_list_make(arg, sizeof(struct timegraph_task), tg_sees_all(),
			    fill_tasks);
}

static bool used_by_own(const struct tg_dev_reserve *res)
{
	const struct tg_task *task;

	/* It may linger without a task. */
	if (uid_eq(res->uid, current_euid()))
		return true;
	tg_reserve_for_each_task(task, &res->reserve)
		if (is_own(container_of(task, struct tg_client, task)))
			return true;
	return false;
}

static bool used_by_others(const struct tg_reserve *r)
{
	const struct tg_task *task;

	tg_reserve_for_each_task(task, r)
		if (!is_own(container_of(task, struct tg_client, task)))
			return true;
	return false;
}

/* @shown, @since: see tg_coarse() */
static void add_reserve(struct tg_list *snap, const struct tg_reserve *r,
			u32 id, const char *name, u32 flags,
			struct timegraph_reserve *shown, u64 *since)
{
	struct timegraph_reserve *out = snap->elements;
	const struct tg_task *task;

	if (snap->count++ >= snap->room)
		return;
	out += snap->count - 1;
	out->id = id;
	out->flags = flags | (r->demoted ? TIMEGRAPH_RESERVE_DEMOTED : 0);
	strscpy(out->name, name, sizeof(out->name));
	out->policy = r->ops->predicts ? TIMEGRAPH_RESV_AE : TIMEGRAPH_RESV_PE;
	tg_reserve_for_each_task(task, r)
		out->nr_tasks++;
	out->capacity_ns = r->capacity_ns;
	out->period_ns = r->period_ns;
	out->budget_ns = r->budget_ns;
	out->next_ns = r->next_ns;
	out->used_ns = r->used_ns;
	out->periods = r->periods;
	out->refused = r->nr_refused;
	out->debt_max_ns = r->debt_max_ns;
	if (!snap->all && (flags & TIMEGRAPH_RESERVE_SHARED) && used_by_others(r))
		tg_coarse(since, shown, out, sizeof(*out), ktime_get_ns());
}

/* How many reserves are looked at with the lock held: anybody may ask for the list. */
#define RESERVES_AT_ONCE 16

static void add_walked(struct tg_dev_reserve *res, void *arg)
{
	struct tg_list *snap = arg;

	if (snap->all || used_by_own(res))
		add_reserve(snap, &res->reserve, res->id, res->name,
			    (res->shared ? TIMEGRAPH_RESERVE_SHARED : 0) |
			    (res->kept ? TIMEGRAPH_RESERVE_KEPT : 0) |
			    (res->nr_users ? 0 : TIMEGRAPH_RESERVE_LINGERING),
			    &res->coarse, &res->coarse_since);
}

static void fill_reserves(struct tg_list *snap)
{
	struct tg_device *td = snap->td;

	spin_lock_irq(&td->lock);
	tg_complete_reap_locked(td, ktime_get_ns());
	add_reserve(snap, &td->sched.background, TG_BACKGROUND_ID, "Background",
		    TIMEGRAPH_RESERVE_SHARED | TIMEGRAPH_RESERVE_BACKGROUND,
		    &td->coarse.background, &td->coarse.background_since);
	tg_reservation_walk_locked(td, RESERVES_AT_ONCE, add_walked, snap);
	spin_unlock_irq(&td->lock);
}

static int ioctl_reserves(struct file *file, void *arg)
{
	return tg_list_make(arg, sizeof(struct timegraph_reserve), tg_sees_all(),
			    fill_reserves);
}

static int ioctl_domains(struct file *file, void *arg)
{
	return tg_list_make(arg, sizeof(struct timegraph_domain), tg_sees_all(),
			    tg_view_domains);
}

/*
 * Changes.
 */

static void put_pids(struct pid **pids, u32 count)
{
	while (count--)
		put_pid(pids[count]);
	kvfree(pids);
}

static bool may_boost(struct pid *pid, bool any)
{
	kuid_t uid = tg_process_uid(pid);

	/* Of one that is gone nobody is asked. */
	return any || !uid_valid(uid) || uid_eq(uid, current_euid());
}

/*
 * Turns names into references, to be given back by put_pids(); the number of them
 * that exist, or an error.
 */
static int get_pids(const s32 *names, u32 count, bool are_pidfds,
		    struct pid **pids)
{
	bool any = capable(CAP_SYS_NICE);
	int n = 0;

	for (u32 i = 0; i < count; i++) {
		struct pid *pid = tg_process_get(names[i], are_pidfds);
		int error = PTR_ERR_OR_ZERO(pid);

		if (!pid)
			continue;
		if (!error) {
			pids[n++] = pid;
			error = may_boost(pid, any) ? 0 : -EPERM;
		}
		if (error) {
			while (n--)
				put_pid(pids[n]);
			return error;
		}
	}
	return n;
}

/*
 * Only who listens for the caller can be named, and root's servers, for an X server may
 * run as root: so nobody lifts what others run for themselves.
 */
static struct pid *get_server(const struct timegraph_foreground *arg)
{
	struct pid *pid;
	kuid_t uid;

	if (!(arg->flags & TIMEGRAPH_WITH_SERVER))
		return NULL;
	pid = tg_process_peer(arg->server);
	if (IS_ERR(pid))
		return pid;
	uid = tg_process_uid(pid);
	if (uid_eq(uid, GLOBAL_ROOT_UID) || may_boost(pid, capable(CAP_SYS_NICE)))
		return pid;
	put_pid(pid);
	return ERR_PTR(-EPERM);
}

static int set_members(struct tg_foreground *fg,
		       const struct timegraph_foreground *arg, struct pid *server)
{
	struct pid **pids;
	s32 *names;
	int n, ret;

	if (!arg->count)
		return tg_foreground_set(fg, NULL, 0, server);
	names = kvcalloc(arg->count, sizeof(*names), GFP_KERNEL_ACCOUNT);
	pids = kvcalloc(arg->count, sizeof(*pids), GFP_KERNEL_ACCOUNT);
	n = names && pids ? tg_uaccess_read(names, u64_to_user_ptr(arg->ptr),
					 arg->count * sizeof(*names)) : -ENOMEM;
	if (!n)
		n = get_pids(names, arg->count, arg->flags & TIMEGRAPH_BY_PIDFD,
			     pids);
	kvfree(names);
	ret = n < 0 ? n : tg_foreground_set(fg, pids, n, server);
	put_pids(pids, max(n, 0));
	return ret;
}

static int set_foreground(struct tg_foreground *fg,
			  const struct timegraph_foreground *arg)
{
	struct pid *server = get_server(arg);
	int ret;

	if (IS_ERR(server))
		return PTR_ERR(server);
	ret = set_members(fg, arg, server);
	put_pid(server);
	return ret;
}

static bool good_foreground(const struct timegraph_foreground *fg)
{
	if (fg->flags & ~(TIMEGRAPH_BY_PIDFD | TIMEGRAPH_WITH_SERVER) || fg->reserved ||
	    fg->reserved2)
		return false;
	return fg->count <= TIMEGRAPH_FOREGROUND_MAX &&
	       (!fg->server || fg->flags & TIMEGRAPH_WITH_SERVER);
}

static int ioctl_foreground(struct file *file, void *arg)
{
	struct timegraph_foreground *fg = arg;
	int ret;

	if (!good_foreground(fg))
		return -EINVAL;
	if (!writable(file))
		return -EBADF;
	ret = set_foreground(&to_handle(file)->foreground, fg);
	if (!ret)
		fg->nr_boosted = tg_client_refocus(&to_handle(file)->foreground);
	return ret;
}

static bool good_reserve(u8 resv, u64 capacity_ns, u64 period_ns, bool joins)
{
	if (resv != TIMEGRAPH_RESV_PE && resv != TIMEGRAPH_RESV_AE)
		return !capacity_ns && !period_ns && !joins;
	if (joins && !capacity_ns && !period_ns)
		return true;
	return capacity_ns && capacity_ns <= period_ns &&
	       period_ns <= TG_TIME_MAX_NS;
}

/* A field that is not set may have a weight of 0, as of a caller who knows of none. */
static bool good_weight(const struct timegraph_set *set)
{
	if (set->reserved || set->weight > TG_WEIGHT_MAX)
		return false;
	return set->weight >= TG_WEIGHT_MIN || !(set->fields & TIMEGRAPH_SET_WEIGHT);
}

static bool good_prio(const struct timegraph_set *set)
{
	switch (set->focus) {
	case TIMEGRAPH_FOLLOW_NOTHING:
		return set->prio <= TG_PRIO_MAX;
	case TIMEGRAPH_FOLLOW_FOCUS:
		return set->prio == TG_PRIO_DEFAULT;
	case TIMEGRAPH_FOLLOW_CPU:
		return set->prio == TG_PRIO_MIN;
	}
	return false;
}

/* One way, or by number. */
static bool good_naming(u32 flags)
{
	return !flags || flags == TIMEGRAPH_BY_PIDFD || flags == TIMEGRAPH_BY_CGROUP;
}

static bool good_set(const struct timegraph_set *set)
{
	const u32 known = TIMEGRAPH_SET_POLICY | TIMEGRAPH_SET_PRIO |
			  TIMEGRAPH_SET_RESV | TIMEGRAPH_SET_WEIGHT | TIMEGRAPH_SET_LEAD;

	if (!set->fields || set->fields & ~known ||
	    !good_naming(set->flags))
		return false;
	if (set->policy > TIMEGRAPH_POLICY_FQ || !good_weight(set) || !good_prio(set) ||
	    set->resv > TIMEGRAPH_RESV_BG)
		return false;
	if (set->lead_ns > TG_SPEC_LEAD_MAX_NS && set->lead_ns != TIMEGRAPH_LEAD_COMMON)
		return false;
	return good_name(set->group, sizeof(set->group)) &&
	       good_reserve(set->resv, set->capacity_ns, set->period_ns,
			    set->group[0]);
}

static int set_cgroup(const struct timegraph_set *set)
{
	struct cgroup *cgrp = tg_cgroup_from_fd(set->pid);

	if (IS_ERR(cgrp))
		return PTR_ERR(cgrp);
	if (capable(CAP_SYS_NICE))
		return tg_members_set_tasks(cgrp, set);
	tg_cgroup_put(cgrp);
	return -EPERM;
}

static int set_task(struct file *file, const struct timegraph_set *set)
{
	struct pid *pid;
	int ret;

	if (!writable(file))
		return -EBADF;
	if (set->flags & TIMEGRAPH_BY_CGROUP)
		return set_cgroup(set);
	pid = tg_process_get(set->pid, set->flags & TIMEGRAPH_BY_PIDFD);
	if (!pid)
		return -ESRCH;
	if (IS_ERR(pid))
		return PTR_ERR(pid);
	ret = tg_client_set(pid, set, capable(CAP_SYS_NICE));
	put_pid(pid);
	return ret;
}

static int ioctl_set_task(struct file *file, void *arg)
{
	return good_set(arg) ? set_task(file, arg) : -EINVAL;
}

static int ioctl_clear_task(struct file *file, void *arg)
{
	struct timegraph_set *set = arg;
	struct timegraph_set clear = { .pid = set->pid, .flags = set->flags };

	if (set->fields || !good_naming(set->flags))
		return -EINVAL;
	return set_task(file, &clear);
}

static int set_domain(struct file *file, const struct timegraph_domain_set *set)
{
	struct cgroup *cgrp;

	if (!writable(file))
		return -EBADF;
	cgrp = tg_cgroup_from_fd(set->cgroup);
	if (IS_ERR(cgrp))
		return PTR_ERR(cgrp);
	return tg_members_set_domain(cgrp, set, capable(CAP_SYS_ADMIN));
}

static int ioctl_set_domain(struct file *file, void *arg)
{
	const struct timegraph_domain_set *set = arg;

	return set->fields ? set_domain(file, set) : -EINVAL;
}

static int ioctl_clear_domain(struct file *file, void *arg)
{
	const struct timegraph_domain_set *set = arg;
	const struct timegraph_domain_set clear = { .cgroup = set->cgroup };

	if (set->fields || set->flags)
		return -EINVAL;
	return set_domain(file, &clear);
}

static int keep(struct tg_handle *h, struct tg_device *td,
		const struct tg_spec_entry *entry, struct timegraph_create *c)
{
	struct kept *kept = kzalloc(sizeof(*kept), GFP_KERNEL_ACCOUNT);
	struct tg_dev_reserve *res, *spare = tg_reservation_alloc(entry);
	int ret = -ENOMEM;

	if (!kept || !spare)
		goto err;
	spin_lock_irq(&td->lock);
	res = tg_reservation_keep(td, entry, spare);
	if (res) {
		c->id = res->id;
		c->flags = res->reserve.demoted ? TIMEGRAPH_RESERVE_DEMOTED : 0;
	}
	spin_unlock_irq(&td->lock);
	ret = -EEXIST;
	if (!res)
		goto err;
	if (res != spare)
		kfree(spare);
	kept->td = td;
	kept->res = res;
	mutex_lock(&h->lock);
	list_add_tail(&kept->node, &h->kept);
	mutex_unlock(&h->lock);
	return 0;
err:
	kfree(spare);
	kfree(kept);
	return ret;
}

static int ioctl_create_reserve(struct file *file, void *arg)
{
	struct timegraph_create *c = arg;
	struct tg_device *td = tg_registry_by_index(c->gpu);
	struct tg_spec_entry entry = {
		.resv = c->policy == TIMEGRAPH_RESV_AE ? TG_SPEC_RESV_AE :
							 TG_SPEC_RESV_PE,
		.capacity_ns = c->capacity_ns,
		.period_ns = c->period_ns,
	};

	if ((c->policy != TIMEGRAPH_RESV_PE && c->policy != TIMEGRAPH_RESV_AE) ||
	    !good_name(c->name, sizeof(c->name)) || !c->name[0] ||
	    !good_reserve(c->policy, c->capacity_ns, c->period_ns, false))
		return -EINVAL;
	if (!writable(file))
		return -EBADF;
	if (!capable(CAP_SYS_NICE))
		return -EPERM;
	if (!td)
		return -ENXIO;
	strscpy(entry.group, c->name, sizeof(entry.group));
	return keep(to_handle(file), td, &entry, c);
}

static void bypass(struct tg_device *td, void *arg)
{
	const struct timegraph_bypass *b = arg;

	if (b->on)
		tg_bypass_set(td, TG_BYPASS_USER);
	else
		tg_bypass_clear(td, TG_BYPASS_USER | TG_BYPASS_HANG);
}

static int ioctl_bypass(struct file *file, void *arg)
{
	struct timegraph_bypass *b = arg;
	struct tg_device *td;

	if (b->on > 1)
		return -EINVAL;
	if (!writable(file))
		return -EBADF;
	if (!capable(CAP_SYS_ADMIN))
		return -EPERM;
	if (b->gpu == TIMEGRAPH_ALL_GPUS) {
		tg_registry_for_each(bypass, b);
		return 0;
	}
	td = tg_registry_by_index(b->gpu);
	if (!td)
		return -ENXIO;
	bypass(td, b);
	return 0;
}

/*
 * RELOAD and PUSH hold the module: they may wait for a file system, and it is better to
 * be told that than to wait with them.
 */
static int ioctl_reload(struct file *file, void *arg)
{
	int ret;

	if (!writable(file))
		return -EBADF;
	if (!capable(CAP_SYS_ADMIN))
		return -EPERM;
	if (!try_module_get(THIS_MODULE))
		return -ENODEV;
	tg_members_look();
	ret = tg_client_reload();
	tg_class_follow();
	if (!ret && tg_config_refused())
		ret = -EINVAL;
	module_put(THIS_MODULE);
	return ret;
}

static int push_texts(struct timegraph_push *push)
{
	struct tg_text text[TG_VERSION_PARTS] = { };
	int ret;

	ret = tg_text_copy(&text[TG_VERSION_SPEC], push->spec_ptr,
			   push->spec_len);
	if (!ret)
		ret = tg_text_copy(&text[TG_VERSION_AC], push->ac_ptr,
				   push->ac_len);
	if (!ret)
		ret = tg_client_push(text, &push->version);
	tg_class_follow();
	for (int i = 0; i < TG_VERSION_PARTS; i++)
		tg_text_free(&text[i]);
	return ret;
}

static int ioctl_push(struct file *file, void *arg)
{
	const struct timegraph_push *push = arg;
	int ret;

	if (push->flags || push->reserved || push->version ||
	    (!push->spec_ptr && push->spec_len) ||
	    (!push->ac_ptr && push->ac_len))
		return -EINVAL;
	if (push->spec_len > TIMEGRAPH_PUSH_MAX ||
	    push->ac_len > TIMEGRAPH_PUSH_MAX)
		return -E2BIG;
	if (!writable(file))
		return -EBADF;
	if (!capable(CAP_SYS_ADMIN))
		return -EPERM;
	if (!try_module_get(THIS_MODULE))
		return -ENODEV;
	tg_members_look();
	ret = push_texts(arg);
	module_put(THIS_MODULE);
	return ret;
}

static int ioctl_subscribe(struct file *file, void *arg)
{
	struct timegraph_subscribe *s = arg;

	if (s->mask & ~EVENTS_ALL || s->reserved)
		return -EINVAL;
	return tg_events_subscribe(&to_handle(file)->subscriber, s->mask, tg_sees_all());
}

/**
 * struct call - an ioctl
 * @fn: gets the structure in the kernel's length
 * @cmd: its number with the kernel's size
 */
struct call {
	int (*fn)(struct file *file, void *arg);
	unsigned int cmd;
};

#define CALL(name, function) \
	[_IOC_NR(TIMEGRAPH_IOC_##name)] = { function, TIMEGRAPH_IOC_##name }

static const struct call calls[] = {
	CALL(CAPS, ioctl_caps),
	CALL(CONFIG, ioctl_config),
	CALL(GPU, ioctl_gpu),
	CALL(TASKS, ioctl_tasks),
	CALL(RESERVES, ioctl_reserves),
	CALL(FOREGROUND, ioctl_foreground),
	CALL(SET_TASK, ioctl_set_task),
	CALL(CLEAR_TASK, ioctl_clear_task),
	CALL(CREATE_RESERVE, ioctl_create_reserve),
	CALL(BYPASS, ioctl_bypass),
	CALL(RELOAD, ioctl_reload),
	CALL(SUBSCRIBE, ioctl_subscribe),
	CALL(PUSH, ioctl_push),
	CALL(SET_DOMAIN, ioctl_set_domain),
	CALL(CLEAR_DOMAIN, ioctl_clear_domain),
	CALL(DOMAINS, ioctl_domains),
	CALL(POLICY, tg_class_ioctl),
	CALL(VRAM, tg_vram_ioctl_look),
	CALL(VRAM_ACCOUNTS, tg_vram_ioctl_list),
	CALL(RESERVE_VRAM, tg_vram_ioctl_reserve),
	CALL(FREE_VRAM, tg_vram_ioctl_free),
	CALL(SET_VRAM, tg_vram_ioctl_set),
};

/* Fields that the kernel does not know must be 0. */
static int read_arg(void *arg, size_t size, const void __user *uarg, size_t usize)
{
	int ret = tg_uaccess_read(arg, uarg, usize);

	if (ret)
		return ret;
	return usize > size && memchr_inv(arg + size, 0, usize - size) ?
		       -E2BIG : 0;
}

static long run(struct file *file, const struct call *call, void __user *uarg,
		size_t usize)
{
	size_t size = _IOC_SIZE(call->cmd);
	void *arg = NULL;
	long ret = 0;

	if (size) {
		arg = kzalloc(max(size, usize), GFP_KERNEL_ACCOUNT);
		if (!arg)
			return -ENOMEM;
	}
	if (_IOC_DIR(call->cmd) & _IOC_WRITE)
		ret = read_arg(arg, size, uarg, usize);
	if (!ret)
		ret = call->fn(file, arg);
	if (!ret && _IOC_DIR(call->cmd) & _IOC_READ)
		ret = tg_uaccess_write(uarg, arg, usize);
	kfree(arg);
	return ret;
}

long tg_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	unsigned int nr = _IOC_NR(cmd);
	const struct call *call;

	if (_IOC_TYPE(cmd) != TIMEGRAPH_IOC_MAGIC || nr >= ARRAY_SIZE(calls))
		return -ENOTTY;
	call = &calls[array_index_nospec(nr, ARRAY_SIZE(calls))];
	if (!call->fn)
		return -ENOTTY;
	if (_IOC_DIR(cmd) != _IOC_DIR(call->cmd))
		return -ENOTTY;
	if (!_IOC_SIZE(cmd) != !_IOC_SIZE(call->cmd))
		return -EINVAL;
	return run(file, call, (void __user *)arg, _IOC_SIZE(cmd));
}

int tg_handle_init(struct tg_handle *h, wait_queue_head_t *wait)
{
	mutex_init(&h->lock);
	INIT_LIST_HEAD(&h->kept);
	tg_events_add(&h->subscriber, wait);
	return tg_foreground_init(&h->foreground);
}

void tg_handle_fini(struct tg_handle *h)
{
	struct kept *kept, *n;

	tg_vram_ioctl_release(h);
	if (tg_foreground_fini(&h->foreground))
		tg_client_refocus(&h->foreground);
	tg_events_remove(&h->subscriber);
	list_for_each_entry_safe(kept, n, &h->kept, node) {
		struct tg_dev_reserve *gone;

		spin_lock_irq(&kept->td->lock);
		gone = tg_reservation_unkeep(kept->td, kept->res);
		tg_dispatch_locked(kept->td, ktime_get_ns());
		spin_unlock_irq(&kept->td->lock);
		kfree(gone);
		kfree(kept);
	}
}
