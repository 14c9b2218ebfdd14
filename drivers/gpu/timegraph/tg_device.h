/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One GPU: its scheduler, the command groups on their way, and the way out
 * when something goes wrong.
 */
#ifndef TG_DEVICE_H
#define TG_DEVICE_H

#include <linux/completion.h>
#include <linux/hrtimer.h>
#include <linux/refcount.h>
#include <linux/spinlock.h>

#include <uapi/drm/timegraph.h>

#include "core/tg_predict.h"
#include "core/tg_sched.h"

struct tg_chan;

/**
 * struct tg_counters - what happened on a GPU
 * @submitted: groups handed to the GPU under the scheduler
 * @verified: completions verified by a reference or fence value at an
 *	interrupt, or when the group was submitted
 * @foreign: NOTIFY interrupts that were not ours: a client uses NOTIFY itself,
 *	or an interrupt came after its group was found complete without it
 * @recovered: completions found by polling.  Rises when interrupts get lost,
 *	or when a channel's NOTIFY goes to an object that is not ours
 * @stuck: channels taken for stuck after hang_ms.  Rises when a client's work
 *	hangs, or runs longer than hang_ms allows
 * @abandoned: groups admitted whose thread did not submit them within hang_ms.
 *	Rises when a client blocks in the ioctl, e.g. on memory of its own
 * @cancelled: groups admitted and then not submitted: nouveau refused them
 * @interrupted: sleeps ended by a signal
 * @ungated: groups let through unscheduled (bypass, stuck channel, no memory)
 *
 * Under tg_device.lock.
 */
struct tg_counters {
	u64 submitted;
	u64 verified;
	u64 foreign;
	u64 recovered;
	u64 stuck;
	u64 abandoned;
	u64 cancelled;
	u64 interrupted;
	u64 ungated;
};

/* Why a GPU is not scheduled, as bits; scheduling needs all of them clear. */
enum tg_bypass {
	TG_BYPASS_USER = TIMEGRAPH_BYPASS_USER,
	TG_BYPASS_HANG = TIMEGRAPH_BYPASS_HANG,
	TG_BYPASS_SUSPEND = TIMEGRAPH_BYPASS_SUSPEND,
};

/**
 * struct tg_device - one GPU
 * @node: in the list of devices, RCU
 * @dev: the GPU, a reference is held
 * @lock: protects all that follows and, of every channel and task of this GPU,
 *	what their headers say
 * @sched: GPU-online list and wait queue
 * @clients: tasks (struct tg_client) with channels on this GPU
 * @reservations: reserves but Background, in the order of creation
 * @nr_reservations: made so far
 * @busy_ns: GPU time of all completed groups
 * @bypass: TG_BYPASS_* bits
 * @stuck_in_a_row: channels taken for stuck since the last completion
 * @count: see there
 * @next_id: number of the next group, for traces
 * @switch_ns: what a context switch of the GPU takes, mean of the measured ones
 * @nr_switches: measured
 * @watchdog: runs while the GPU-online list is not empty
 * @replenish: runs while a group waits for a budget
 */
struct tg_device {
	struct list_head node;
	struct device *dev;

	spinlock_t lock;
	struct tg_sched sched;
	struct list_head clients;
	struct list_head reservations;
	u32 nr_reservations;
	u64 busy_ns;
	unsigned int bypass;
	unsigned int stuck_in_a_row;
	struct tg_counters count;
	u64 next_id;
	u64 switch_ns;
	u64 nr_switches;
	struct hrtimer watchdog;
	struct hrtimer replenish;
};

/**
 * struct tg_cmd - a command group of this GPU
 * @group: the core's part
 * @chan: its channel
 * @id: number on this GPU
 * @seq: reference value its trailer sets, valid if @has_seq
 * @tag: data word of its trailer's NOP
 * @fence: fence value it reaches, valid if @has_fence
 * @stamp: which of its channel's stamps its trailer writes, if @has_stamp
 * @gpu_start_ns: the GPU's clock when it was handed over, if @has_stamp
 * @measures: its leader measures the context switch
 * @scanned: its commands were read
 * @profiled: @profile and @prediction are valid
 * @granted: completed when it may go on
 * @released: it may go on, but unscheduled
 * @overdue: the watchdog has seen it complete; its interrupt has one more
 *	period to arrive
 * @ref: one of the submitting task, one of the list that it is in
 *
 * @scanned belongs to the submitting thread.  All the others but @granted are
 * under tg_device.lock once the group has arrived.
 */
struct tg_cmd {
	struct tg_group group;
	struct tg_chan *chan;
	u64 id;
	u32 seq;
	u32 tag;
	u32 fence;
	u32 stamp;
	u64 gpu_start_ns;
	struct tg_profile profile;
	struct tg_prediction prediction;
	bool has_seq;
	bool has_fence;
	bool has_stamp;
	bool measures;
	bool scanned;
	bool profiled;
	bool released;
	bool overdue;
	struct completion granted;
	refcount_t ref;
};

/**
 * tg_device_get - the GPU of a struct device, made on first use
 *
 * May sleep.  Devices live until tg_device_exit().
 * Return: the GPU or NULL without memory.
 */
struct tg_device *tg_device_get(struct device *dev);

/** tg_device_find_rcu - the GPU of a struct device, or NULL; RCU read section */
struct tg_device *tg_device_find_rcu(struct device *dev);

int tg_device_init(void);
void tg_device_exit(void);

/** tg_device_number - how many there are */
u32 tg_device_number(void);

/** tg_device_by_index - the GPU of a number, in the order of appearance, or NULL */
struct tg_device *tg_device_by_index(u32 index);

/** tg_device_for_each - call @fn for every GPU; may sleep */
void tg_device_for_each(void (*fn)(struct tg_device *td, void *arg), void *arg);

/**
 * tg_device_admit - wait until a group may go to the GPU
 * @chan: its channel
 * @cmd: in: NULL, or the group that tg_device_check() refused.  Out: the group,
 *	or NULL if it goes unscheduled
 *
 * No lock held, may sleep.
 * Return: 0 or -ERESTARTSYS, then @cmd is NULL.
 */
int tg_device_admit(struct tg_chan *chan, struct tg_cmd **cmd);

/**
 * tg_device_insert - a group that is already published (EXEC) starts
 *
 * Atomic.  Return: the group, to be passed to tg_device_submitted(), or NULL
 * if it goes unscheduled.
 */
struct tg_cmd *tg_device_insert(struct tg_chan *chan);

/* A context switch that takes longer was not measured right. */
#define TG_SWITCH_MAX_NS (1000 * NSEC_PER_USEC)

/**
 * tg_device_check - whether its reserve lets the group go (TimeGraph figure 4)
 * @profile: of its commands, or NULL if they were not read, or not again
 *
 * If so, its work is about to be pushed: the CPU's start time is taken.  Atomic.
 *
 * Return: 0, or -EAGAIN: validation is to be wound back, and tg_device_admit()
 * called with it.
 */
int tg_device_check(struct tg_cmd *cmd, const struct tg_profile *profile);

/** tg_device_submitted - it was pushed, ends at fence @fence; drops @cmd */
void tg_device_submitted(struct tg_cmd *cmd, u32 fence);

/**
 * tg_device_cancel - it will not be pushed; drops @cmd
 * @refused: nouveau did not want it, which is counted
 */
void tg_device_cancel(struct tg_cmd *cmd, bool refused);

/** tg_device_notify - NOTIFY interrupt of channel @chid; hardirq */
void tg_device_notify(struct tg_device *td, int chid, u32 tag);

/** tg_device_fence_event - non-stall interrupt for @chan; hardirq */
void tg_device_fence_event(struct tg_chan *chan);

/**
 * tg_device_forget - take all groups of a channel out
 *
 * Waiting ones go on unscheduled, online ones are dropped.  Atomic.
 */
void tg_device_forget(struct tg_chan *chan);

/** tg_device_bypass - set bypass bits and let every sleeper go; atomic */
void tg_device_bypass(struct tg_device *td, unsigned int bits);

/** tg_device_bypass_reason - why @td is not scheduled, or NULL if it is */
const char *tg_device_bypass_reason(const struct tg_device *td);

/** tg_device_restore - clear bypass bits; atomic */
void tg_device_restore(struct tg_device *td, unsigned int bits);

/** tg_device_dispatch_locked - wake whom the policies allow */
void tg_device_dispatch_locked(struct tg_device *td, u64 now);

#endif
