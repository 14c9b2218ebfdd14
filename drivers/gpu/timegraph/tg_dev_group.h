/* SPDX-License-Identifier: GPL-2.0-only */
/* A command group on its way. */
#ifndef TG_DEV_GROUP_H
#define TG_DEV_GROUP_H

#include <linux/completion.h>
#include <linux/dma-fence.h>
#include <linux/refcount.h>

#include "core/tg_predict.h"
#include "core/tg_sched.h"
#include "tg_compat.h"

struct tg_chan;
struct tg_device;
struct tg_ring;
struct tg_turns;
struct tg_word;

/**
 * struct tg_dev_group - a command group of this GPU
 * @group: the core's part
 * @chan: its channel
 * @id: number on this GPU
 * @ring: its channel's
 * @word: its channel's
 * @turns: its task's
 * @td: its GPU; @chan, @ring, @word and @turns may be gone once the group is out
 * @seq: reference value its trailer sets, valid if @has_seq
 * @tag: data word of its trailer's NOP
 * @fence: nouveau's fence that ends it, a reference, or NULL before it was
 *	submitted
 * @cb: on @fence
 * @cb_node: in tg_device.callbacks while @cb may be called; holds a reference
 * @job: number of the EXEC job that will run for it, while it is in tg_device.jobs
 * @job_node: in the table of jobs by number
 * @queue_node: in tg_device.jobs; holds a reference
 * @ring_node: in tg_ring.groups; that its list has a reference is enough
 * @unheard_node: in tg_device.unheard or .telling while the GPU has it and its fence does not
 *	call back; empty otherwise
 * @stamp: which of its channel's stamps its trailer writes, if @has_stamp
 * @gpu_start_ns: the GPU's clock when it was handed over, if @has_stamp
 * @handed_ns: and the CPU's
 * @mark: what its trailer writes to its channel's word, with the GPU's clock, if @has_mark
 * @turn: what its trailer writes to its channel's word, if @has_turn; see tg_stage.c
 * @wait_chid, @wait_turn: for which word's value its leader waits, if @waits
 * @let_in_ns: when the one was seen to leave that it waited for; or 0
 * @not_before_ns: the GPU's clock when that one had ended; 0: it has not, or it is not known
 * @measures: its leader measures the context switch
 * @profiled: @profile is valid
 * @predicted: @prediction is valid
 * @granted: completed when it may go on
 * @has_room: its call has some of tg_client.room; of its thread
 * @sleeps: its thread waits for @granted
 * @offered_ns: when it was told to go on, and the thread has not run since; or 0
 * @released: it may go on, but unscheduled
 * @again: its channel hangs: it is to ask again
 * @submitted: it is counted as such
 * @lent: it was given its turn, and is not in the ring
 * @idle_ns: tg_lost_turns.idle_ns when it was given that
 * @paid: what its turn may cost the others is counted
 * @lapsed: its turn lapsed
 * @overtook: it came after that, beside a more important one
 * @taken: the GPU had it before it was asked for
 * @over_early: it had ended before its fence could call back: who looks is late
 * @aside: it is counted in tg_ring.nr_aside
 * @overdue_ns: when the watchdog saw that it is complete, though its interrupt has not
 *	arrived; or 0
 * @idle: how much the watchdog's last looks say that the GPU is not at it, see tg_watchdog.c
 * @looked_ns: when the last of them was
 * @ref: one of the submitting task, one of the list that it is in
 *
 * All but @granted are under tg_device.lock once the group has arrived, and @job to
 * @queue_node under the lock of tg_job.c.
 */
struct tg_dev_group {
	struct tg_group group;
	struct tg_chan *chan;
	struct tg_ring *ring;
	struct tg_word *word;
	struct tg_turns *turns;
	struct tg_device *td;
	u64 id;
	u32 seq;
	u32 tag;
	struct dma_fence *fence;
	struct dma_fence_cb cb;
	struct list_head cb_node;
	u64 job;
	struct hlist_node job_node;
	struct list_head queue_node;
	struct list_head ring_node;
	struct list_head unheard_node;
	u32 stamp;
	u64 gpu_start_ns;
	u64 handed_ns;
	struct tg_profile profile;
	struct tg_prediction prediction;
	u32 mark;
	u32 turn;
	int wait_chid;
	u32 wait_turn;
	u64 let_in_ns;
	u64 not_before_ns;
	bool has_seq;
	bool has_stamp;
	bool has_mark;
	bool has_turn;
	bool waits;
	bool measures;
	bool profiled;
	bool predicted;
	bool has_room;
	bool sleeps;
	bool released;
	bool again;
	bool submitted;
	bool lent;
	bool paid;
	bool lapsed;
	bool overtook;
	bool taken;
	bool over_early;
	bool aside;
	u64 overdue_ns;
	u64 offered_ns;
	u64 idle_ns;
	u64 looked_ns;
	u8 idle;
	struct completion granted;
	refcount_t ref;
};

static inline struct tg_dev_group *to_dev_group(struct tg_group *g)
{
	return container_of(g, struct tg_dev_group, group);
}

static inline bool tg_dev_group_is_waiting(const struct tg_dev_group *dg)
{
	return dg->group.state == TG_GROUP_WAITING ||
	       dg->group.state == TG_GROUP_THROTTLED;
}

/* Whether the fence that ends it has been reached. */
static inline bool tg_dev_group_fence_passed(const struct tg_dev_group *dg)
{
	return dg->fence && tg_compat_fence_passed(dg->fence);
}

/* Sequence numbers wrap: compare as distance. */
static inline bool tg_seq_passed(u32 value, u32 seq)
{
	return (s32)(value - seq) >= 0;
}

/** tg_dev_group_put - drop a reference; any context */
void tg_dev_group_put(struct tg_dev_group *dg);

#endif
