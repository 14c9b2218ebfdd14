/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All that a policy includes.  As a BPF program (clang -target bpf) it goes into the kernel;
 * compiled for the machine itself it runs in tgsim.  See Documentation/policies.rst.
 */
#ifndef TIMEGRAPH_POLICY_H
#define TIMEGRAPH_POLICY_H

#ifdef __bpf__
/* The kernel's members are found by name when the program is loaded. */
#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)
#endif
#include <drm/timegraph_policy.h>
#ifdef __bpf__
#pragma clang attribute pop
#endif

#ifndef NULL
#define NULL ((void *)0)
#endif
#ifndef bool
#define bool _Bool
#define true 1
#define false 0
#endif

#define TG_SECTION(name) __attribute__((section(name), used))
#ifdef __bpf__
#define TG_KERNEL extern __attribute__((section(".ksyms")))
#else
#define TG_KERNEL extern
#endif

/* What a policy may call; Documentation/policies.rst tells what each does. */
TG_KERNEL __u64 timegraph_policy_now(void);
TG_KERNEL int timegraph_policy_get_task(struct timegraph_policy_gpu *gpu, __u64 task, void *out,
					__u32 out__sz);
TG_KERNEL int timegraph_policy_get_domain(struct timegraph_policy_gpu *gpu, __u64 task, __s32 up,
					  void *out, __u32 out__sz);
TG_KERNEL int timegraph_policy_get_reserve(struct timegraph_policy_gpu *gpu, __u64 task,
					   void *out, __u32 out__sz);
TG_KERNEL __u64 timegraph_policy_predict(struct timegraph_policy_gpu *gpu, __u64 task);
TG_KERNEL __u64 timegraph_policy_next_waiting(struct timegraph_policy_gpu *gpu, __u64 after);
TG_KERNEL int timegraph_policy_set_key(struct timegraph_policy_gpu *gpu, __u64 task, __u64 key);
TG_KERNEL int timegraph_policy_tick_at(struct timegraph_policy_gpu *gpu, __u64 when);
TG_KERNEL __s64 *timegraph_policy_task_data(struct timegraph_policy_gpu *gpu, __u64 task,
					    const __u32 rdwr_buf_size);
TG_KERNEL __s64 *timegraph_policy_gpu_data(struct timegraph_policy_gpu *gpu,
					   const __u32 rdwr_buf_size);

/* A random number of 32 bits. */
#ifdef __bpf__
static __u32 (*const timegraph_policy_random)(void) = (__u32 (*)(void))7;
#else
TG_KERNEL __u32 timegraph_policy_random(void);
#endif

/*
 * A function of a policy: TG_OP(what it returns, its name, its arguments) { ... }.
 * The kernel hands a BPF program its arguments in an array.
 */
#ifdef __bpf__
#define TG_OP(type, name, ...)                                                          \
	static inline __attribute__((always_inline)) type name##_op(__VA_ARGS__);       \
	TG_SECTION("struct_ops/" #name) type name(unsigned long long *ctx)              \
	{                                                                               \
		return name##_op(TG_ARGS(__VA_ARGS__, TG_TWO, TG_ONE)(ctx));            \
	}                                                                               \
	static inline __attribute__((always_inline)) type name##_op(__VA_ARGS__)
#define TG_ARGS(a, b, n, ...) n
#define TG_TWO(ctx) (void *)(ctx)[0], (void *)(ctx)[1]
#define TG_ONE(ctx) (void *)(ctx)[0]
#else
#define TG_OP(type, name, ...) static type name(__VA_ARGS__)
#endif

/* The policy: TG_POLICY(.name = "mine", .pick = (void *)mine_pick); */
#ifdef __bpf__
#define TG_POLICY(...)                                                                  \
	char timegraph_license[] TG_SECTION("license") = "GPL";                         \
	struct timegraph_policy_ops timegraph_policy                                    \
		TG_SECTION(".struct_ops.link") = { __VA_ARGS__ }
#else
#define TG_POLICY(...) struct timegraph_policy_ops timegraph_policy = { __VA_ARGS__ }
#endif

/* How many waiting tasks a loop looks at: the kernel must see an end to it. */
#ifndef TG_WAITING_MAX
#define TG_WAITING_MAX 64
#endif

/* for the id of each waiting task, those that have waited for longest first */
#define tg_for_each_waiting(id, gpu)                                                    \
	id = timegraph_policy_next_waiting(gpu, 0);                                     \
	for (int id##_nr = 0; id && id##_nr < TG_WAITING_MAX;                           \
	     id##_nr++, id = timegraph_policy_next_waiting(gpu, id))

#endif
