/* SPDX-License-Identifier: GPL-2.0-only */
/* One GPU. */
#ifndef TG_DEVICE_H
#define TG_DEVICE_H

#include <linux/hashtable.h>
#include <linux/hrtimer.h>
#include <linux/list.h>
#include <linux/spinlock.h>
#include <linux/uidgid.h>

#include <uapi/drm/timegraph.h>

#include "core/tg_sched.h"
#include "core/tg_spec.h"
#include "tg_account.h"
#include "tg_alone.h"
#include "tg_bpf_state.h"
#include "tg_lost_state.h"
#include "tg_notice.h"
#include "tg_stage_state.h"

struct device;
struct tg_class;

/* How the end of a group was learnt. */
enum tg_completion {
	TG_COMPLETION_NOTIFY,
	TG_COMPLETION_FENCE,
	TG_COMPLETION_POLL,
	TG_COMPLETION_STUCK,
};

/**
 * struct tg_counters - what happened on a GPU
 * @submitted: groups handed to the GPU under the scheduler
 * @running: of them, those that are on the GPU
 * @dropped: of them, those of which no end was seen: their channel went or was killed,
 *	or scheduling stopped
 * @verified: completions verified by a reference or fence value at an
 *	interrupt, or when the group was submitted
 * @foreign: NOTIFY interrupts that were not ours: a client uses NOTIFY itself,
 *	or an interrupt came after its group was found complete without it
 * @recovered: completions found by polling.  Rises when interrupts get lost,
 *	or when a channel's NOTIFY goes to an object that is not ours
 * @stuck: times that a channel was taken for stuck after hang_ms.  Rises when a client's work
 *	hangs, or runs longer than hang_ms allows
 * @refused: channels that are refused because they hung again.  Rises when a client
 *	is broken, or means ill
 * @abandoned: groups whose turn lapsed: their thread did not submit them in time while
 *	somebody waited (see tg_lease.c), or within hang_ms.  Rises when a client blocks in the
 *	ioctl, e.g. on memory of its own, or gets no CPU
 * @cancelled: groups admitted and then not submitted: nouveau refused them
 * @interrupted: sleeps ended by a signal
 * @ungated: groups let through unscheduled (bypass, stuck channel, no memory)
 * @forged: groups that went on before they were let in, see tg_stage.c
 *
 * Whenever the lock is free, submitted = verified + recovered + dropped + running.
 *
 * Under tg_device.lock.
 */
struct tg_counters {
	u64 submitted;
	u64 running;
	u64 dropped;
	u64 verified;
	u64 foreign;
	u64 recovered;
	u64 stuck;
	u64 refused;
	u64 abandoned;
	u64 cancelled;
	u64 interrupted;
	u64 ungated;
	u64 forged;
	u64 passed;
};

/* Why a GPU is not scheduled, as bits; scheduling needs all of them clear. */
enum tg_bypass {
	TG_BYPASS_USER = TIMEGRAPH_BYPASS_USER,
	TG_BYPASS_HANG = TIMEGRAPH_BYPASS_HANG,
	TG_BYPASS_SUSPEND = TIMEGRAPH_BYPASS_SUSPEND,
};

/*
 * Those that last: while every GPU has one of them, the hooks let groups pass
 * unseen.  A GPU that hangs is watched, for it may go on.
 */
#define TG_BYPASS_LASTING TG_BYPASS_USER

/* See tg_sched.part: what some microseconds are enough for, with the threads to wake. */
#define TG_PART 8

/**
 * struct tg_device - one GPU
 * @node: in the list of devices, RCU
 * @dev: the GPU, a reference is held
 * @lock: protects all that follows and, of every channel and task of this GPU,
 *	what their headers say
 * @sched: GPU-online list and wait queue
 * @clients: tasks (struct tg_client) with channels on this GPU
 * @fair: the policy of those of them whose entry says FQ; changed under tg_client_mutex too
 * @class: whose policy that is, NULL for FQ; under tg_client_mutex, see tg_class.c
 * @wish: what the specification says that it should be, or ""; whether it was looked at; and
 *	whether that is not there; with @class
 * @domains: struct tg_dev_domain, see tg_domains.h, their number, and who is told that one has
 *	come, or NULL
 * @reservations: reserves but Background, by their numbers
 * @nr_reservations: made so far
 * @shared: of @reservations those that are shared, by name
 * @owned: those that linger and are not shared, by user
 * @bypass: TG_BYPASS_* bits
 * @epoch: counts the times that groups are seen again after they passed unseen
 * @nr_hung: channels that hang
 * @hang_ns: since when TG_BYPASS_HANG is set
 * @look_in_ns: how long until the next look at the GPU while some are set aside, drawn at each
 * @aside_looked_ns: when it was looked last whether those have ended
 * @nr_quiet: groups since the last that raises NOTIFY
 * @progress_ns: when a group was seen to have ended last
 * @proved_ns: when the last of those started that ended and had not been set aside
 * @freerun: tasks that are not gated
 * @lost: to turns that were not used
 * @looks: at fences, so far
 * @stage: who waits on the GPU for whose end
 * @count: see there
 * @chipset: e.g. 0x92
 * @nr_notify: channels so far with TG_BACKEND_NOTIFY
 * @nr_fence: and with TG_BACKEND_FENCE
 * @fence_why: the last reason for that, a constant string, or NULL
 * @next_id: number of the next group, for traces
 * @switch_ns: what a context switch of the GPU takes, mean of the measured ones
 * @nr_switches: measured
 * @callbacks: groups whose fence will call back
 * @unheard: groups on the GPU whose end nobody is told of, see tg_complete_expect_locked()
 * @telling: of those, groups whose fence is about to be given a callback
 * @jobs: EXEC groups whose job has not run; under the lock of tg_job.c
 * @polled: a channel's fences raise no interrupt
 * @coarse: what those see who may not see others, and when that was so; and the same
 *	of Background
 * @bpf: of policies that are BPF programs
 * @notices: lines for the kernel log
 * @memory: who has reserved how much of it; under tg_memory_lock
 * @watchdog: runs while the GPU-online list is not empty
 * @replenish: runs while a group waits for a budget, or a policy for its tick
 */
struct tg_device {
	struct list_head node;
	struct device *dev;

	spinlock_t lock;
	struct tg_sched sched;
	struct list_head clients;
	const struct tg_policy_ops *fair;
	struct tg_class *class;
	struct {
		char name[TG_SPEC_POLICY_LEN];
		bool is_followed;
		bool is_missing;
	} wish;
	struct {
		DECLARE_HASHTABLE(table, 8);
		struct list_head list;
		u32 nr;
		void (*came)(void);
	} domains;
	struct rb_root_cached reservations;
	u32 nr_reservations;
	DECLARE_HASHTABLE(shared, 6);
	DECLARE_HASHTABLE(owned, 6);
	unsigned int bypass;
	u32 epoch;
	unsigned int nr_hung;
	u64 hang_ns;
	u64 look_in_ns;
	u64 aside_looked_ns;
	u32 nr_quiet;
	u64 progress_ns;
	u64 proved_ns;
	struct tg_freerun freerun;
	struct tg_lost_turns lost;
	u32 looks;
	struct tg_stage stage;
	struct tg_counters count;
	u32 chipset;
	u64 nr_notify;
	u64 nr_fence;
	const char *fence_why;
	u64 next_id;
	u64 switch_ns;
	u64 nr_switches;
	struct list_head callbacks;
	struct list_head unheard;
	struct list_head telling;
	struct list_head jobs;
	bool polled;
	struct {
		struct timegraph_gpu gpu;
		u64 gpu_since;
		struct timegraph_reserve background;
		u64 background_since;
	} coarse;
	struct tg_bpf_gpu bpf;
	struct tg_notices notices;
	struct tg_memory memory;
	struct hrtimer watchdog;
	struct hrtimer replenish;
};

#endif
