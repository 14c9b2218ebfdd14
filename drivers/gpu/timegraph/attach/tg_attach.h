/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The seam between timegraph and nouveau.
 *
 * What timegraph does at each step of a command group is written once, in
 * tg_nouveau.c.  How the steps are noticed is a provider's matter:
 *
 *	stock	redirects functions of a nouveau that knows nothing of it, at run
 *		time (attach/tg_stock*.c)
 *	patch	the hooks of patches/nouveau (attach/tg_patch.c)
 *
 * A provider calls the tg_nouveau_*() functions of tg_nouveau.h; timegraph calls
 * back through struct tg_attach_ops.
 */
#ifndef TG_ATTACH_H
#define TG_ATTACH_H

#include <linux/atomic.h>
#include <linux/pid.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/types.h>

#include "../core/tg_predict.h"

struct device;
struct dma_fence;
struct tg_chan;
struct tg_dev_group;
struct tg_hook_chan;
struct tg_hook_group;

/* Words a leader or trailer may have. */
#define TG_HOOK_LEADER_DW	24
#define TG_HOOK_TRAILER_DW	32

/* Handles under which the completion object of a channel is bound. */
#define TG_HOOK_OBJECT_HANDLE	0x74670001
#define TG_HOOK_NOTIFY_HANDLE	0x74670002

/*
 * The scratch area: the notifier of the completion object, then the stamps that
 * semaphores are released to, 16 bytes each.
 */
#define TG_HOOK_NOTIFY_BYTES	32
#define TG_HOOK_STAMP_BYTES	16
#define TG_HOOK_NR_STAMPS	130
#define TG_HOOK_SCRATCH_BYTES \
	(TG_HOOK_NOTIFY_BYTES + TG_HOOK_NR_STAMPS * TG_HOOK_STAMP_BYTES)

/**
 * enum tg_see - how much is to be seen of what nouveau does
 * @TG_SEE_CHANNELS: that channels come and go: nothing is scheduled
 * @TG_SEE_CALLS: and that groups are submitted: all that are, for long, run free
 * @TG_SEE_ALL: and what nouveau does with them
 */
enum tg_see {
	TG_SEE_CHANNELS,
	TG_SEE_CALLS,
	TG_SEE_ALL,
};

/**
 * struct tg_attach_ops - a provider
 * @name: what "attach=" and the status call it
 * @attach: attaches to the nouveau that is loaded.  May sleep; serialised with
 *	@detach.  0; -ENODEV: no nouveau of this provider's kind is loaded; any
 *	other error ends in the kernel log, in one line of the provider's
 * @detach: undoes @attach.  May sleep.  When it returns no thread is in a hook
 *	any more, every channel has been taken back, and a grace period of RCU tasks
 *	has passed
 * @see: so much is to be seen from now on.  When groups are that were not, calls
 *	tg_registry_new_epoch().  May sleep, serialised with @attach and @detach; may be
 *	NULL
 * @text: what can be done with the nouveau that is attached, for a person, as
 *	snprintf(); process context; NULL: nothing to say but the name
 * @ref: REF_CNT of a channel with &tg_hook_chan.notify.  Any context
 * @time: the GPU's clock, of a channel with &tg_hook_chan.scratch, in ns.  Any
 *	context, the GPU awake
 * @charge: a group of the channel had the GPU for @ns.  Any context; may be NULL
 * @engine: 1: the graph engine of the channel's GPU has something that it is not done
 *	with; 0: it has not; -ENODEV: it cannot be told.  Any context, the GPU awake; may
 *	be NULL: it cannot be told
 * @context: what that engine calls the channel's context; 0: not known (yet).  Any
 *	context; may be NULL
 * @engine_context: the context that the engine is at, 0 for none.  Any context, the GPU
 *	awake; NULL if @context is
 * @number: of the newest group that the channel was given, as of its fence; false: that
 *	cannot be told (yet), nor can the next two be asked.  Any context, tg_device.lock
 *	held and the channel not dead; may be NULL, and the next two with it
 * @newest: the newest of its groups that may not have ended: its fence, with a
 *	reference, or NULL for none.  As @number
 * @busy: whether a call of the channel's client is in nouveau.  As @number
 * @push_map: words of the user's push buffers from word @offset of entry @index
 *	on, to the end of the page or of the entry; their number goes to @count.
 *	NULL at the end of the entry; ERR_PTR if they cannot be read, which is
 *	-ERESTARTSYS if it was for a signal alone.  The program
 *	can change them at any time: READ_ONCE().  In tg_nouveau_read() only
 * @push_unmap: undoes @push_map, the newest first
 *
 * The services work from tg_nouveau_chan_new() to the return of
 * tg_nouveau_chan_del().
 */
struct tg_attach_ops {
	const char *name;
	int (*attach)(void);
	void (*detach)(void);
	void (*see)(enum tg_see see);
	int (*text)(char *buf, size_t size);
	u32 (*ref)(const struct tg_hook_chan *hc);
	u64 (*time)(const struct tg_hook_chan *hc);
	void (*charge)(const struct tg_hook_chan *hc, u64 ns);
	int (*engine)(const struct tg_hook_chan *hc);
	u32 (*context)(const struct tg_hook_chan *hc);
	u32 (*engine_context)(const struct tg_hook_chan *hc);
	bool (*number)(const struct tg_hook_chan *hc, u32 *nr);
	struct dma_fence *(*newest)(const struct tg_hook_chan *hc);
	bool (*busy)(const struct tg_hook_chan *hc);
	const u32 *(*push_map)(struct tg_hook_group *g, u32 index, u32 offset,
			       u32 *count);
	void (*push_unmap)(const u32 *words);
};

/**
 * struct tg_hook_chan - a channel of nouveau's, as a provider tells of it
 * @ops: the provider
 * @dev: the GPU, a reference is held
 * @pid: thread group that allocated the channel, a reference is held
 * @comm: its name at that time
 * @chid: hardware channel id, what user space names in its ioctls
 * @chipset: e.g. 0x92
 * @older: than the hooks: what the client bound before is not known
 * @event: its fences raise an interrupt, else they are polled
 * @notify: the object and notifier of TG_HOOK_*_HANDLE exist, and the ring can be
 *	written: a trailer may use WAIT_FOR_IDLE/NOTIFY/NOP after binding the
 *	object
 * @why: why not @notify, a constant string, or NULL
 * @scratch: address of the scratch area in the channel's address space, or 0
 * @scratch_cpu: its mapping, coherent with the GPU, or NULL
 * @sema_dma: the DMA object for semaphores in @scratch, 0 where the class has no
 *	SET_CONTEXT_DMA_SEMAPHORE (Fermi and later)
 * @words: address in the channel's address space of the words that all channels of the GPU
 *	have in common, one each %TG_HOOK_STAMP_BYTES by their numbers; or 0
 * @words_cpu: the same for the CPU; valid while @words is not 0.  That both are the same
 *	memory is for the user to see
 * @marks: @words are to be expected, from its second group on at the latest.  No client has
 *	them in its own memory: what a trailer writes there is believed
 * @pass: groups that a provider whose @number says something need not tell of: it counts
 *	them down, timegraph sets it at any time
 * @priv: timegraph's, set by tg_nouveau_chan_new()
 *
 * @notify to @sema_dma, and @marks, are final when the first tg_nouveau_read() is called, but
 * that a provider may clear @notify and set @why later, and set @words, once, before it
 * calls tg_nouveau_leader().  The rest is constant.
 */
struct tg_hook_chan {
	const struct tg_attach_ops *ops;
	struct device *dev;
	struct pid *pid;
	char comm[TASK_COMM_LEN];
	int chid;
	u32 chipset;
	bool older;
	bool event;
	bool notify;
	const char *why;
	u64 scratch;
	void *scratch_cpu;
	u32 sema_dma;
	bool marks;
	u64 words;
	void __iomem *words_cpu;
	atomic_t pass;
	struct tg_chan *priv;
};

/**
 * struct tg_hook_group - a command group on its way to the GPU
 * @hc: its channel
 * @nr_push: entries the user submitted
 * @exec: EXEC, else PUSHBUF
 * @held: tg_nouveau_admit() gave it a place: one tg_nouveau_submitted() or
 *	tg_nouveau_cancelled() is owed
 * @read: its commands were looked at
 * @profiled: @profile is valid
 * @profile: what its commands are
 * @notifier: its program's, behind them
 * @sets_notifier: they have set it
 * @priv: timegraph's
 */
struct tg_hook_group {
	struct tg_hook_chan *hc;
	u32 nr_push;
	bool exec;
	bool held;
	bool read;
	bool profiled;
	struct tg_profile profile;
	u32 notifier;
	bool sets_notifier;
	struct tg_dev_group *priv;
};

#ifdef CONFIG_X86_64
extern const struct tg_attach_ops tg_stock;
#endif
extern const struct tg_attach_ops tg_patch;

/** tg_attach_see - how much is to be seen, of all GPUs; any context, done soon */
void tg_attach_see(enum tg_see see);

/** tg_attach_see_again - what it was told could not be done, and now can; any context */
void tg_attach_see_again(void);

/** tg_attach_init - attach as the module parameter says, now or when nouveau comes */
int tg_attach_init(void);
/** tg_attach_exit - a grace period of RCU tasks passes, attached or not */
void tg_attach_exit(void);

/**
 * tg_attach_text - how timegraph is attached, for a person
 *
 * Return: the length, as of snprintf(); -EINTR: nobody knows while hooks are put in or taken out.
 */
int tg_attach_text(char *buf, size_t size);

#endif
