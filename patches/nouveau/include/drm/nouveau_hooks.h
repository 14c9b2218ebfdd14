/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Submission hooks of nouveau: one external scheduler may decide when a
 * command group goes to the GPU, append methods to it and learn when it ended.
 *
 * A command group is what one PUSHBUF or EXEC ioctl submits.  The order of the
 * calls for a PUSHBUF group is
 *
 *	admit -> validated -> leader -> trailer -> submitted
 *	           |  ^
 *	           |  +---- admit again, after -EAGAIN wound validation back
 *	           +------> cancelled, on every path that does not submit
 *
 * with exactly one of submitted/cancelled for every admit that returned 0 and
 * for which &nouveau_hook_group.held was set.  An EXEC job is admitted at the
 * top of its ioctl, where it may sleep, when all that the job waits for has
 * happened; nouveau's queue then waits for nothing but the GPU.  If the job was
 * published, the worker that runs it calls trailer, and submitted or cancelled,
 * and nothing of that may sleep; perhaps it does before the ioctl is over.  If the
 * channel or the scheduler goes before the job runs, none comes.  It has no leader.
 *
 * Lifetime: the sleepable operations run inside an SRCU read section, the
 * atomic ones inside an RCU read section.  nouveau_hooks_detach() returns
 * when no operation runs any more; until a scheduler registers, the call sites
 * cost a static-key nop.
 */
#ifndef __DRM_NOUVEAU_HOOKS_H__
#define __DRM_NOUVEAU_HOOKS_H__

#include <linux/device.h>
#include <linux/list.h>
#include <linux/pid.h>
#include <linux/sched.h>
#include <linux/types.h>

struct dma_fence;
struct nouveau_channel;

/*
 * Of everything in this file.  A scheduler may look the functions up at run time,
 * so that no symbol version guards them.
 */
#define NOUVEAU_HOOK_VERSION		3

/* Words a leader or trailer may have; the ring space is reserved up front. */
#define NOUVEAU_HOOK_LEADER_DW		24
#define NOUVEAU_HOOK_TRAILER_DW		32

/* Handles under which nouveau binds the completion object of a channel. */
#define NOUVEAU_HOOK_OBJECT_HANDLE	0x74670001
#define NOUVEAU_HOOK_NOTIFY_HANDLE	0x74670002

/* What the notifier takes of the scratch page; the rest is the scheduler's. */
#define NOUVEAU_HOOK_SCRATCH_NOTIFY_BYTES	32

/**
 * struct nouveau_hook_chan - what a scheduler may know of a channel
 * @dev: the GPU, the same pointer for all channels of one GPU
 * @chan: opaque to the scheduler
 * @node: in nouveau's list of channels, under nouveau's hook mutex
 * @pid: thread group that allocated the channel, a reference is held
 * @comm: its name at that time
 * @chid: hardware channel id, what user space names in its ioctls
 * @chipset: e.g. 0x92
 * @notify: the object and notifier of NOUVEAU_HOOK_*_HANDLE exist, so that a
 *	trailer may use WAIT_FOR_IDLE/NOTIFY/NOP after binding the object.
 *	Valid from the first validated() on.
 * @fence: the channel's fences raise an interrupt
 * @scratch: address of the scratch page in the channel's address space, or 0.
 *	One page, zeroed at first, that leaders and trailers may have semaphores
 *	released to.  G84 to Pascal, PUSHBUF clients only.  Valid from the first
 *	validated() on.
 * @scratch_cpu: the kernel's mapping of that page, coherent with the GPU, or
 *	NULL.  Any context, until chan_del has returned; an operation that runs
 *	then, fence_event and gr_notify too, may still read it.
 * @sema_dma: the DMA object for semaphores in @scratch, 0 where the class has
 *	no SET_CONTEXT_DMA_SEMAPHORE (Fermi and later)
 * @priv: the scheduler's, set by nouveau_hook_ops.chan_new
 *
 * Constant between chan_new and chan_free but for @notify, @scratch,
 * @scratch_cpu and @priv.
 */
struct nouveau_hook_chan {
	struct device *dev;
	struct nouveau_channel *chan;
	struct list_head node;
	struct pid *pid;
	char comm[TASK_COMM_LEN];
	int chid;
	u32 chipset;
	bool notify;
	bool fence;
	u64 scratch;
	void *scratch_cpu;
	u32 sema_dma;
	void *priv;
};

/**
 * struct nouveau_hook_group - one command group on its way to the GPU
 * @hc: its channel
 * @nr_push: entries the user submitted
 * @exec: true for EXEC, false for PUSHBUF
 * @held: set by admit when it reserved a place for the group; nouveau then
 *	owes one submitted or cancelled
 * @job: of an EXEC group, its number, never zero and never another's: all that its
 *	worker knows of it; set before admit
 * @priv: the scheduler's
 * @pushes: nouveau's own, for nouveau_hook_push_map()
 */
struct nouveau_hook_group {
	struct nouveau_hook_chan *hc;
	u32 nr_push;
	bool exec;
	bool held;
	u64 job;
	void *priv;
	const void *pushes;
};

/**
 * struct nouveau_hook_ops - a scheduler
 * @version: NOUVEAU_HOOK_VERSION
 *
 * All operations but @leader, @fence_event and @gr_notify are mandatory.
 */
struct nouveau_hook_ops {
	u32 version;

	/**
	 * @chan_new: a user channel exists.  Sets hc->priv.  Called on channel
	 * allocation by the allocating task (cli->mutex held, may sleep) and,
	 * for channels that are older than the scheduler, on registration.  An
	 * error leaves the channel ungated and is not passed on.
	 */
	int (*chan_new)(struct nouveau_hook_chan *hc);

	/**
	 * @chan_del: the channel is about to go, or the scheduler detaches.
	 * Must wake every sleeper of the channel and forget its groups.  Last
	 * call in which the services below may be used for it.  May sleep;
	 * cli->mutex held unless the scheduler detaches.  Operations that had
	 * begun may still run until @chan_free: admit must not sleep in them,
	 * validated must not return -EAGAIN.
	 */
	void (*chan_del)(struct nouveau_hook_chan *hc);

	/** @chan_free: nothing refers to hc->priv any more.  May sleep. */
	void (*chan_free)(struct nouveau_hook_chan *hc);

	/**
	 * @chan_killed: the driver gave the channel up after an error; its
	 * groups will not complete.  Hardirq or worker, must not sleep.
	 */
	void (*chan_killed)(struct nouveau_hook_chan *hc);

	/**
	 * @admit: wait for the group's turn.  No lock held, may sleep.  Returns
	 * 0 to go on or -ERESTARTSYS when a signal came, in which case nothing
	 * of the ioctl's argument has changed.
	 */
	int (*admit)(struct nouveau_hook_group *g);

	/**
	 * @validated: all buffers of a PUSHBUF group are reserved and resident;
	 * nouveau_hook_push_map() works.  cli->mutex and all reservations
	 * held, must not sleep.  Returns 0, or -EAGAIN to have validation wound
	 * back and the group admitted anew (@held is cleared by the scheduler,
	 * no cancelled follows).
	 */
	int (*validated)(struct nouveau_hook_group *g);

	/**
	 * @leader: write at most NOUVEAU_HOOK_LEADER_DW words that go before
	 * the group in its channel and return their number.  For PUSHBUF groups
	 * that are @held, after validated() returned 0.  Must not sleep.
	 *
	 * The group may still be cancelled, and what a leader wrote is not
	 * taken back: the GPU may run it at once, never, or with a later group
	 * of the channel.  So it must be harmless without its group: semaphores
	 * released to the scratch page, objects bound to subchannels that the
	 * user does not use.
	 */
	unsigned int (*leader)(struct nouveau_hook_chan *hc,
			       struct nouveau_hook_group *g, u32 *words);

	/**
	 * @trailer: write at most NOUVEAU_HOOK_TRAILER_DW words that follow the
	 * group in its channel and return their number.  Called after the
	 * group's entries were written and before nouveau's own fence.  Must
	 * not sleep.  Of an EXEC group @g is as in @submitted.
	 */
	unsigned int (*trailer)(struct nouveau_hook_chan *hc,
				struct nouveau_hook_group *g, u32 *words);

	/**
	 * @submitted: the group was handed to the GPU and is complete when
	 * @fence signals; a reference must be taken to keep it.  Completion may
	 * have been seen before this call.  Must not sleep.  Of an EXEC group
	 * @g is not that of admit: it has but @exec and @job, and comes whether
	 * the group was held or not.
	 */
	void (*submitted)(struct nouveau_hook_chan *hc,
			  struct nouveau_hook_group *g,
			  struct dma_fence *fence);

	/**
	 * @cancelled: the admitted group will not be submitted.  May sleep, but
	 * not for an EXEC group, of which @g is as in @submitted.
	 */
	void (*cancelled)(struct nouveau_hook_group *g);

	/** @fence_event: the non-stall interrupt of @hc's runlist.  Hardirq. */
	void (*fence_event)(struct nouveau_hook_chan *hc);

	/**
	 * @gr_notify: PGRAPH raised NOTIFY while channel @chid ran, @data is
	 * the data word of the method that followed it.  Hardirq, and the GPU's
	 * interrupt lock and the channel group's lock are held.  Returns true
	 * if the interrupt is explained, false to have nouveau report it as it
	 * does without a scheduler.
	 */
	bool (*gr_notify)(struct device *dev, int chid, u32 data);

	/**
	 * @suspend: the GPU is going to sleep (true) or is back (false).  Must
	 * wake all sleepers; admit must not sleep until it is back.  A false
	 * may come without a true, and stays away if the GPU does.  May sleep.
	 */
	void (*suspend)(struct device *dev, bool suspended);
};

/**
 * nouveau_hooks_attach - attach the scheduler
 * @ops: must stay valid until nouveau_hooks_detach()
 *
 * Calls chan_new for every channel that exists.  May sleep.
 *
 * Return: 0, -EBUSY if there is a scheduler already, or -EPROTO if it was built
 * for another NOUVEAU_HOOK_VERSION.
 */
int nouveau_hooks_attach(const struct nouveau_hook_ops *ops);

/**
 * nouveau_hooks_detach - detach the scheduler
 * @ops: the registered one
 *
 * Calls chan_del and chan_free for every channel and returns when no operation
 * is running.  May sleep.
 */
void nouveau_hooks_detach(const struct nouveau_hook_ops *ops);

/**
 * nouveau_hook_ref_read - REF_CNT of the channel, written by SET_REFERENCE
 * @hc: a channel between chan_new and chan_del
 *
 * Any context.  Meaningful where nouveau_hook_chan.notify is set (on NV50-class
 * GPUs the value is a live register; later ones write it back late).
 */
u32 nouveau_hook_ref_read(struct nouveau_hook_chan *hc);

/**
 * nouveau_hook_time - the GPU's clock, that semaphores are stamped with
 * @hc: a channel between chan_new and chan_del, with nouveau_hook_chan.scratch
 *
 * Nanoseconds.  Any context, the GPU awake; reads three registers.
 */
u64 nouveau_hook_time(struct nouveau_hook_chan *hc);

/**
 * nouveau_hook_charge - account for a group that ended
 * @hc: a channel between chan_new and chan_del
 * @ns: how long it had the GPU, in nanoseconds
 *
 * Adds to drm-engine-gr in the fdinfo of the channel's DRM file; a channel that
 * runs on another engine only (a copy engine's or a video engine's, since Kepler)
 * adds nothing.  Each nanosecond of the GPU is to be charged at most once.  Any
 * context.
 */
void nouveau_hook_charge(struct nouveau_hook_chan *hc, u64 ns);

/**
 * nouveau_hook_push_map - map a part of the user's push buffers
 * @g: the group, inside validated() only
 * @index: which entry, below g->nr_push
 * @offset: first word to map, counted in 32-bit words from the entry's start
 * @count: set to the words from there to the end of the page or of the entry,
 *	whichever is first; 0 where no pointer is returned
 *
 * The program can change the words at any time: read each once, by READ_ONCE(),
 * and do not expect one to be what it was.
 *
 * Return: the words, for nouveau_hook_push_unmap(); NULL at the end of the
 * entry; ERR_PTR(-EOPNOTSUPP) if the buffer is not in cached system memory or
 * the entry is marked NO_PREFETCH, ERR_PTR(-EINVAL) if it leaves its buffer
 * object.
 */
const u32 *nouveau_hook_push_map(struct nouveau_hook_group *g, u32 index,
				 u32 offset, u32 *count);

/**
 * nouveau_hook_push_unmap - undo nouveau_hook_push_map()
 * @words: what it returned, or any of the words mapped; the newest first
 *
 * Before validated() returns.
 */
void nouveau_hook_push_unmap(const u32 *words);

#endif
