/* SPDX-License-Identifier: GPL-2.0-only */
/* What is kept of tasks and GPUs for policies that are BPF programs, see tg_bpf.h. */
#ifndef TG_BPF_STATE_H
#define TG_BPF_STATE_H

#include <linux/hrtimer.h>
#include <linux/list.h>
#include <linux/rbtree.h>
#include <linux/types.h>
#include <linux/xarray.h>

#include <uapi/drm/timegraph_policy.h>

struct tg_bpf_policy;
struct tg_client;

/**
 * struct tg_bpf_task - what is kept of a task for them; under tg_device.lock
 * @node: in tg_bpf_gpu.queue by @key, while it is queued
 * @waiting: in tg_bpf_gpu.waiting, those that have waited for longest first, while it is
 * @since_ns: since when it waits without one of its groups having started, but for moments,
 *	as when it handles a signal; changed only
 *	while it is not in @node's tree, of equal keys it is the order
 * @key: by which it waits
 * @last_key: of its group that began to wait last
 * @epoch: it is in both if this is tg_bpf_gpu.epoch; it may wait no longer, which is seen
 *	when it is looked at
 * @left_ns: when it was seen to wait no longer, though none had started; or 0
 * @data: the program's own
 */
struct tg_bpf_task {
	struct rb_node node;
	struct list_head waiting;
	u64 since_ns;
	u64 key;
	u64 last_key;
	u64 epoch;
	u64 left_ns;
	s64 data[TIMEGRAPH_POLICY_DATA / sizeof(s64)];
};

/* The functions of a policy, for counters and the dump. */
enum tg_bpf_op {
	TG_BPF_TASK_INIT,
	TG_BPF_TASK_EXIT,
	TG_BPF_ENQUEUE,
	TG_BPF_PICK,
	TG_BPF_MAY_START,
	TG_BPF_STARTED,
	TG_BPF_COMPLETE,
	TG_BPF_TICK,
	TG_NR_BPF_OPS,
};

/* Calls that a dump tells of. */
#define TG_BPF_CALLS 64

/**
 * struct tg_bpf_call - a call of a program
 * @at_ns: when
 * @task: what it was about, 0 for none
 * @answer: what came back
 * @ns: how long it took
 * @op: which
 */
struct tg_bpf_call {
	u64 at_ns;
	u64 task;
	u64 answer;
	u32 ns;
	u8 op;
};

/**
 * struct tg_bpf_gpu - what is kept of a GPU for them; under tg_device.lock
 * @view: what programs see; how the functions that they call know the GPU
 * @policy: that its tasks of the fair class have, or NULL
 * @about: the task that the present call is about, or NULL
 * @tasks: all tasks of the GPU (struct tg_client), by number; its own lock is taken with
 *	interrupts off, for it is within tg_device.lock when one goes
 * @epoch: of @queue and @waiting: another policy's are begun anew; never 0
 * @queue: tasks of the policy that wait, by key
 * @waiting: the same, by how long
 * @nr_tasks: of the policy
 * @denied_ns: since when a group waits as the policy says no to the idle GPU; or 0
 * @denied_busy_ns: tg_sched.busy_ns then: what has run since was not idle
 * @idle_window_ns: when the present window of @idle_ns began
 * @idle_ns: for how long the GPU idled in it as the policy said no, up to @denied_ns
 * @timer: looks whether that is so for too long
 * @longest_ns: what the longest of the last groups took
 * @stray: the last pick for the idle GPU, if that task does not wait, or at another level;
 *	0: it was right, or there was none since a group started
 * @nr_stray: turns in a row with such a pick
 * @slow_ns: when a call took too long last
 * @nr_slow: calls in a row that did, each within a second of the one before
 * @window_ns: when the present window began
 * @used_ns: what the program has used of it
 * @call: the last calls
 * @nr_calls: so far, of this policy
 * @count: calls of each function
 * @sum_ns: time that they took
 * @max_ns: the longest
 * @data: the program's own
 */
struct tg_bpf_gpu {
	struct timegraph_policy_gpu view;
	struct tg_bpf_policy *policy;
	struct tg_client *about;
	struct xarray tasks;
	u64 epoch;
	struct rb_root_cached queue;
	struct list_head waiting;
	u32 nr_tasks;
	u64 denied_ns;
	u64 denied_busy_ns;
	u64 idle_window_ns;
	u64 idle_ns;
	struct hrtimer timer;
	u64 longest_ns;
	u64 stray;
	u32 nr_stray;
	u64 slow_ns;
	u32 nr_slow;
	u64 window_ns;
	u64 used_ns;
	struct tg_bpf_call call[TG_BPF_CALLS];
	u64 nr_calls;
	u64 count[TG_NR_BPF_OPS];
	u64 sum_ns[TG_NR_BPF_OPS];
	u32 max_ns[TG_NR_BPF_OPS];
	s64 data[TIMEGRAPH_POLICY_DATA / sizeof(s64)];
};

#endif
