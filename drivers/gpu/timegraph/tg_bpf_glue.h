/* SPDX-License-Identifier: GPL-2.0-only */
/* Between the files of policies that are BPF programs. */
#ifndef TG_BPF_GLUE_H
#define TG_BPF_GLUE_H

#include <linux/refcount.h>
#include <linux/workqueue.h>

#include "core/tg_policy.h"
#include "tg_bpf_state.h"
#include "tg_class.h"
#include "tg_client.h"
#include "tg_device.h"
#include "tg_domains.h"

struct bpf_link;

/* Why a policy was ejected, with the numbers; a task's name may be 60 characters of it. */
#define TG_BPF_REASON 128

/**
 * struct tg_bpf_policy - a policy that is loaded
 * @ref: one while it is loaded, one of @work
 * @node: in the list of those, under its mutex
 * @ops: what the core has of it
 * @class: by which it is chosen
 * @prog: the programs
 * @link: that holds them
 * @loaded: it is in the list, and @link may be taken; under the mutex
 * @name: its name
 * @ejected: it decides nothing any more; set once
 * @reason: why, valid once @ejected is seen
 * @failed_ns: when, by the monotonic clock
 * @gpu: on which GPU that was found, or NULL
 * @work: takes it from the GPUs, and then out
 */
struct tg_bpf_policy {
	refcount_t ref;
	struct list_head node;
	struct tg_policy_ops ops;
	struct tg_class class;
	const struct timegraph_policy_ops *prog;
	struct bpf_link *link;
	bool loaded;
	char name[TIMEGRAPH_POLICY_NAME_LEN];
	unsigned long ejected;
	char reason[TG_BPF_REASON];
	u64 failed_ns;
	struct tg_device *gpu;
	struct work_struct work;
};

/* The ops of every such policy, but for names: they find it by the task's. */
extern const struct tg_policy_ops tg_bpf_ops;

static inline struct tg_bpf_policy *tg_bpf_policy_of(const struct tg_policy_ops *ops)
{
	return container_of(ops, struct tg_bpf_policy, ops);
}

static inline struct tg_device *tg_bpf_device_of(const struct tg_sched *s)
{
	return container_of((struct tg_sched *)s, struct tg_device, sched);
}

static inline struct tg_client *tg_bpf_client_of(const struct tg_task *task)
{
	return container_of((struct tg_task *)task, struct tg_client, task);
}

/** tg_bpf_fail - the policy of a GPU is not to decide any more; in any context */
__printf(3, 4) void tg_bpf_fail(struct tg_bpf_policy *p, struct tg_device *td,
				const char *fmt, ...);

/**
 * tg_bpf_next_waiting - the task that waits and began to after @client, NULL: the first
 *
 * Return: it, or NULL: there is none, or too many before it that wait for a quota.
 */
struct tg_client *tg_bpf_next_waiting(struct tg_device *td, const struct tg_client *client,
				      u64 now);

/** tg_bpf_set_key - it waits by another key */
void tg_bpf_set_key(struct tg_device *td, struct tg_client *client, u64 key);

/** tg_bpf_describe_domain - the one that a task is in: see timegraph_policy_get_domain() */
bool tg_bpf_describe_domain(const struct tg_client *client, int up,
			    struct timegraph_policy_domain *v);

/** tg_bpf_describe - what a program sees of a task */
void tg_bpf_describe(const struct tg_client *client, struct timegraph_policy_task *t);

/** tg_bpf_glue_start - see tg_bpf_start() */
void tg_bpf_glue_start(struct tg_device *td);

/** tg_bpf_glue_stop - see tg_bpf_stop() */
void tg_bpf_glue_stop(struct tg_device *td);

/** tg_bpf_op_name - a word for people */
const char *tg_bpf_op_name(enum tg_bpf_op op);

/** tg_bpf_kfunc_init - functions that programs may call */
int tg_bpf_kfunc_init(void);

/** tg_bpf_is_kfunc - whether one has that id in the BTF that the module was built with */
bool tg_bpf_is_kfunc(u32 id);

#endif
