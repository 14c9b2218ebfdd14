/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * What a policy that is a BPF program sees of timegraph: the struct_ops that it fills, and
 * what its functions are given.  See Documentation/policies.rst; a policy includes
 * <timegraph_policy.h>, which includes this.
 *
 * Members are only ever added, at the end: a program built against an older version finds
 * what it knows, for the loader looks members up by name.
 */
#ifndef _UAPI_DRM_TIMEGRAPH_POLICY_H_
#define _UAPI_DRM_TIMEGRAPH_POLICY_H_

#include <linux/types.h>

#define TIMEGRAPH_POLICY_NAME_LEN 16 /* with the terminating 0 */
/* Bytes that a policy may keep for each task, and for each GPU; see timegraph_policy_task_data() */
#define TIMEGRAPH_POLICY_DATA 64

/**
 * struct timegraph_policy_gpu - the GPU, as it is during a call
 * @now_ns: the time: CLOCK_MONOTONIC
 * @nr_tasks: tasks of the policy
 * @nr_waiting: groups that wait for their turn, of all classes
 * @nr_online: groups that the GPU has, or is about to be given
 * @kernel: NULL.  The verifier takes memory of the program's own for a structure that has
 *	numbers alone, and so a GPU that it forged; not for one with a pointer
 */
struct timegraph_policy_gpu {
	__u64 now_ns;
	__u32 nr_tasks;
	__u32 nr_waiting;
	__u32 nr_online;
	__u32 reserved;
	void *kernel;
};

/**
 * struct timegraph_policy_task - a task: a process with channels on the GPU
 * @id: its number, never used again
 * @domain: number of the innermost domain that it is in; 0: none
 * @weight: 1–10000, 100 unless somebody set it
 * @prio: static priority
 * @pid: of the process
 * @nr_waiting: its groups that wait for their turn
 * @nr_online: its groups that the GPU has
 * @vtime_ns: what it has had by its weight, see Documentation/how-it-decides.rst
 * @predicted_ns: what its next group takes, by the mean of its last sixteen; 0: not known
 * @gpu_ns: GPU time that it has had
 * @wait_ns: time that its groups waited for their turn
 * @groups: completed
 * @comm: its name
 */
struct timegraph_policy_task {
	__u64 id;
	__u64 domain;
	__u32 weight;
	__u32 prio;
	__s32 pid;
	__u32 nr_waiting;
	__u32 nr_online;
	__u32 reserved;
	__u64 vtime_ns;
	__u64 predicted_ns;
	__u64 gpu_ns;
	__u64 wait_ns;
	__u64 groups;
	char comm[16];
};

/**
 * struct timegraph_policy_group - a command group
 * @task: timegraph_policy_task.id of its task
 * @domain: timegraph_policy_task.domain
 * @weight: timegraph_policy_task.weight
 * @arrive_ns: when it asked
 * @waited_ns: for how long it has waited for its turn
 * @predicted_ns: what it is predicted to take; 0: not known
 * @cost_ns: GPU time that it took; 0 before it has completed
 */
struct timegraph_policy_group {
	__u64 task;
	__u64 domain;
	__u32 weight;
	__u32 reserved;
	__u64 arrive_ns;
	__u64 waited_ns;
	__u64 predicted_ns;
	__u64 cost_ns;
};

/**
 * struct timegraph_policy_domain - a domain: a cgroup with a rule
 * @id: its number
 * @parent: of the domain that it is within; 0: none
 * @weight: 1–10000
 * @target_ppm: part of the GPU's time that it is to get, in millionths; 0: none
 * @nr_tasks: in it
 * @nr_waiting: groups in it that wait
 * @nr_online: groups in it that the GPU has
 * @vtime_ns: what it has had by its weight
 * @gpu_ns: GPU time that it has had
 */
struct timegraph_policy_domain {
	__u64 id;
	__u64 parent;
	__u32 weight;
	__u32 target_ppm;
	__u32 nr_tasks;
	__u32 nr_waiting;
	__u32 nr_online;
	__u32 reserved;
	__u64 vtime_ns;
	__u64 gpu_ns;
};

/**
 * struct timegraph_policy_reserve - the reserve that a task's groups are charged to
 * @capacity_ns: C
 * @period_ns: T
 * @budget_ns: e
 */
struct timegraph_policy_reserve {
	__u64 capacity_ns;
	__u64 period_ns;
	__s64 budget_ns;
};

/**
 * struct timegraph_policy_ops - a policy
 * @task_init: a task is scheduled by it from now on; its data is 0
 * @task_exit: a task goes, or is scheduled by another
 * @enqueue: a group is going to wait.  Its key: of the tasks that wait the one with the
 *	smallest goes first, and of equals who has waited for longest.  Without it the order
 *	is that of FQ
 * @pick: timegraph_policy_task.id of the waiting task that goes next; 0: by the keys.
 *	@first would go next.  May be called more than once for one turn
 * @may_start: whether a group of the task may go to the GPU now, which has nothing at the
 *	moment.  Without it: yes
 * @started: a group is handed to the GPU
 * @complete: a group has left it
 * @tick: the time given to timegraph_policy_tick_at() has come
 * @name: 1–15 letters, digits, '_' or '-'; not that of a built-in policy
 *
 * All are optional but @name.  They are called with a lock held and interrupts off, and must
 * be short.  A policy that fails is ejected: FQ goes on in its place.
 */
struct timegraph_policy_ops {
	void (*task_init)(struct timegraph_policy_gpu *gpu,
			  const struct timegraph_policy_task *task);
	void (*task_exit)(struct timegraph_policy_gpu *gpu,
			  const struct timegraph_policy_task *task);
	__u64 (*enqueue)(struct timegraph_policy_gpu *gpu,
			 const struct timegraph_policy_group *group);
	__u64 (*pick)(struct timegraph_policy_gpu *gpu,
		      const struct timegraph_policy_group *first);
	_Bool (*may_start)(struct timegraph_policy_gpu *gpu,
			   const struct timegraph_policy_task *task);
	void (*started)(struct timegraph_policy_gpu *gpu,
			const struct timegraph_policy_group *group);
	void (*complete)(struct timegraph_policy_gpu *gpu,
			 const struct timegraph_policy_group *group);
	void (*tick)(struct timegraph_policy_gpu *gpu);
	char name[TIMEGRAPH_POLICY_NAME_LEN];
};

#endif
