// SPDX-License-Identifier: GPL-2.0-only
/*
 * Functions that policies may call.
 *
 * Each but timegraph_policy_now() takes the GPU that the program was called for, and the
 * verifier sees to it that it is that: so it has the GPU's lock.
 */
#include <linux/btf.h>
#include <linux/btf_ids.h>
#include <linux/bpf.h>
#include <linux/module.h>

#include "tg_bpf_glue.h"

/* Newer kernels have no word for what they always do. */
#ifndef KF_TRUSTED_ARGS
#define KF_TRUSTED_ARGS 0
#endif

/* More ticks than that are too many; what is later is not far from never. */
#define TICK_MIN_NS (100 * NSEC_PER_USEC)
#define TICK_MAX_NS (3600 * NSEC_PER_SEC)

/* No structure is ever larger: what is behind it is cleared in each call. */
#define OUT_MAX 1024

static struct tg_device *device_of(struct timegraph_policy_gpu *gpu)
{
	struct tg_bpf_gpu *b = container_of(gpu, struct tg_bpf_gpu, view);

	return container_of(b, struct tg_device, bpf);
}

/* Most often who the call is about. */
static struct tg_client *client_of(struct tg_device *td, u64 id)
{
	struct tg_client *about = td->bpf.about;

	if (about && about->id == id)
		return about;
	return id == (unsigned long)id ? xa_load(&td->bpf.tasks, id) : NULL;
}

/* A task of the policy's own. */
static struct tg_client *own(struct tg_device *td, u64 id)
{
	struct tg_client *c = client_of(td, id);

	return c && td->bpf.policy && c->task.policy == &td->bpf.policy->ops ? c : NULL;
}

/* As much as the program knows of, and knows that the kernel has. */
static int give(void *out, u32 out_size, const void *from, u32 size)
{
	if (out_size > OUT_MAX)
		return -E2BIG;
	memset(out, 0, out_size);
	memcpy(out, from, min(out_size, size));
	return 0;
}

__bpf_kfunc_start_defs();

/** timegraph_policy_now - the time: CLOCK_MONOTONIC in ns */
__bpf_kfunc u64 timegraph_policy_now(void)
{
	return ktime_get_ns();
}

/**
 * timegraph_policy_get_task - what is known of a task
 * @out: a struct timegraph_policy_task
 *
 * Return: 0, -ENOENT, -E2BIG: @out is larger than 1024 bytes
 */
__bpf_kfunc int timegraph_policy_get_task(struct timegraph_policy_gpu *gpu, u64 task, void *out,
					  u32 out__sz)
{
	struct tg_client *c = client_of(device_of(gpu), task);
	struct timegraph_policy_task t;

	if (!c)
		return -ENOENT;
	tg_bpf_describe(c, &t);
	return give(out, out__sz, &t, sizeof(t));
}

/**
 * timegraph_policy_get_domain - what is known of the domain that a task is in
 * @up: 0: the innermost, 1: the one around it, and so on; below 0: the outermost
 * @out: a struct timegraph_policy_domain
 *
 * Return: 0, -ENOENT, -E2BIG
 */
__bpf_kfunc int timegraph_policy_get_domain(struct timegraph_policy_gpu *gpu, u64 task, s32 up,
					    void *out, u32 out__sz)
{
	struct tg_client *c = client_of(device_of(gpu), task);
	struct timegraph_policy_domain d;

	if (!c || !tg_bpf_describe_domain(c, up, &d))
		return -ENOENT;
	return give(out, out__sz, &d, sizeof(d));
}

/**
 * timegraph_policy_get_reserve - the reserve that a task's groups are charged to
 * @out: a struct timegraph_policy_reserve
 *
 * Return: 0, -ENOENT, -E2BIG
 */
__bpf_kfunc int timegraph_policy_get_reserve(struct timegraph_policy_gpu *gpu, u64 task, void *out,
					     u32 out__sz)
{
	struct tg_device *td = device_of(gpu);
	struct tg_client *c = client_of(td, task);
	struct timegraph_policy_reserve v;
	struct tg_reserve *r;

	r = c ? tg_task_reserve(&td->sched, &c->task) : NULL;
	if (!r)
		return -ENOENT;
	v = (struct timegraph_policy_reserve){
		.capacity_ns = r->capacity_ns,
		.period_ns = r->period_ns,
		.budget_ns = r->budget_ns,
	};
	return give(out, out__sz, &v, sizeof(v));
}

/** timegraph_policy_predict - what a task's next group takes; 0: not known */
__bpf_kfunc u64 timegraph_policy_predict(struct timegraph_policy_gpu *gpu, u64 task)
{
	struct tg_client *c = client_of(device_of(gpu), task);

	return c ? tg_costs_average(&c->task.costs) : 0;
}

/**
 * timegraph_policy_next_waiting - the tasks of the policy that wait for their turn
 * @after: the one before; 0: from the first, who has waited for longest
 *
 * Return: the next one, or 0
 */
__bpf_kfunc u64 timegraph_policy_next_waiting(struct timegraph_policy_gpu *gpu, u64 after)
{
	struct tg_device *td = device_of(gpu);
	struct tg_client *c = NULL;

	if (after) {
		c = own(td, after);
		if (!c || c->bpf.epoch != td->bpf.epoch)
			return 0;
	}
	c = tg_bpf_next_waiting(td, c, gpu->now_ns);
	return c ? c->id : 0;
}

/** timegraph_policy_set_key - a task waits by another key.  Return: 0, -ENOENT */
__bpf_kfunc int timegraph_policy_set_key(struct timegraph_policy_gpu *gpu, u64 task, u64 key)
{
	struct tg_device *td = device_of(gpu);
	struct tg_client *c = own(td, task);

	if (!c)
		return -ENOENT;
	tg_bpf_set_key(td, c, key);
	return 0;
}

/**
 * timegraph_policy_tick_at - have the policy's tick called
 * @when: then, but not before 100 us have passed, nor after an hour; 0: not any more
 *
 * Return: 0, -ENOENT without tasks
 */
__bpf_kfunc int timegraph_policy_tick_at(struct timegraph_policy_gpu *gpu, u64 when)
{
	struct tg_device *td = device_of(gpu);
	struct tg_bpf_policy *p = td->bpf.policy;

	if (!p)
		return -ENOENT;
	if (when)
		when = clamp(when, gpu->now_ns + TICK_MIN_NS, gpu->now_ns + TICK_MAX_NS);
	tg_policy_tick_at(&td->sched, &p->ops, when);
	return 0;
}

/**
 * timegraph_policy_task_data - what the policy keeps for a task
 * @rdwr_buf_size: bytes, up to %TIMEGRAPH_POLICY_DATA
 *
 * Return: it, or NULL if the task is not the policy's
 */
__bpf_kfunc s64 *timegraph_policy_task_data(struct timegraph_policy_gpu *gpu, u64 task,
					    const u32 rdwr_buf_size)
{
	struct tg_client *c = own(device_of(gpu), task);

	return c && rdwr_buf_size <= sizeof(c->bpf.data) ? c->bpf.data : NULL;
}

/** timegraph_policy_gpu_data - the same for the GPU; 0 when its first task comes */
__bpf_kfunc s64 *timegraph_policy_gpu_data(struct timegraph_policy_gpu *gpu,
					   const u32 rdwr_buf_size)
{
	struct tg_device *td = device_of(gpu);

	return rdwr_buf_size <= sizeof(td->bpf.data) ? td->bpf.data : NULL;
}

__bpf_kfunc_end_defs();

BTF_KFUNCS_START(tg_kfuncs)
BTF_ID_FLAGS(func, timegraph_policy_now)
BTF_ID_FLAGS(func, timegraph_policy_get_task, KF_TRUSTED_ARGS)
BTF_ID_FLAGS(func, timegraph_policy_get_domain, KF_TRUSTED_ARGS)
BTF_ID_FLAGS(func, timegraph_policy_get_reserve, KF_TRUSTED_ARGS)
BTF_ID_FLAGS(func, timegraph_policy_predict, KF_TRUSTED_ARGS)
BTF_ID_FLAGS(func, timegraph_policy_next_waiting, KF_TRUSTED_ARGS)
BTF_ID_FLAGS(func, timegraph_policy_set_key, KF_TRUSTED_ARGS)
BTF_ID_FLAGS(func, timegraph_policy_tick_at, KF_TRUSTED_ARGS)
BTF_ID_FLAGS(func, timegraph_policy_task_data, KF_TRUSTED_ARGS | KF_RET_NULL)
BTF_ID_FLAGS(func, timegraph_policy_gpu_data, KF_TRUSTED_ARGS | KF_RET_NULL)
BTF_KFUNCS_END(tg_kfuncs)

static const struct btf_kfunc_id_set kfunc_set = {
	.owner = THIS_MODULE,
	.set = &tg_kfuncs,
};

bool tg_bpf_is_kfunc(u32 id)
{
	for (u32 i = 0; i < tg_kfuncs.cnt; i++)
		if (tg_kfuncs.pairs[i].id == id)
			return true;
	return false;
}

int tg_bpf_kfunc_init(void)
{
	return register_btf_kfunc_id_set(BPF_PROG_TYPE_STRUCT_OPS, &kfunc_set);
}
