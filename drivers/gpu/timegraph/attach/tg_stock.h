/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The provider for a nouveau as the distribution ships it: what its files share.
 *
 *	tg_stock_main.c		attaching, detaching, which functions are hooked
 *	tg_stock_call.c		which call a task is in; its own header, with
 *	tg_stock_push.c		PUSHBUF and
 *	tg_stock_exec.c		EXEC
 *	tg_stock_hook.c		how a function is found and redirected (ftrace)
 *	tg_stock_layout.c	where the members of nouveau's structures lie (BTF)
 *	tg_stock_chan.c		the channels, and what is made in them
 *	tg_stock_bo.c		user space's buffers
 *	tg_stock_mem.c		how they are made and freed, and where they are put
 *	tg_stock_ring.c		writing into a channel's ring
 *	tg_stock_fence.c	what a channel was given last
 *	tg_stock_words.c	memory that all channels have in common
 *	tg_stock_gpu.c		a GPU's registers
 */
#ifndef TG_STOCK_H
#define TG_STOCK_H

#include <linux/completion.h>
#include <linux/kref.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/rwsem.h>
#include <linux/spinlock.h>
#include <linux/types.h>

#include "tg_attach.h"
#include "tg_btf.h"

struct dma_fence;
struct drm_device;
struct drm_file;
struct tg_abi_channel_alloc;
struct drm_gem_object;
struct page;

/* --- tg_stock_hook.c --- */

/* The functions of nouveau's that are hooked. */
enum tg_stock_fn {
	TG_FN_PUSHBUF,		/* replaced, by what calls the original */
	TG_FN_EXEC,
	TG_FN_EXEC_RUN,
	TG_FN_CHAN_ALLOC,
	TG_FN_CHAN_FREE,
	TG_FN_GEM_NEW,
	TG_FN_DUMB_CREATE,
	TG_FN_POSTCLOSE,
	TG_FN_GR_INTR,
	TG_FN_SUSPEND,
	TG_FN_RESUME,
	TG_FN_FREEZE,
	TG_FN_THAW,
	TG_FN_RUNTIME_SUSPEND,
	TG_FN_RUNTIME_RESUME,
	TG_FN_EMIT,		/* seen when they are entered */
	TG_FN_UNREF,
	TG_FN_JOB,
	TG_FN_SPACE,
	TG_FN_UEVENT,
	TG_FN_BO_INIT,
	TG_FN_BO_PLACE,
	TG_FN_BO_PIN,
	TG_FN_GEM_DEL,
	TG_FN_BO_DEL,
	TG_FN_INSTANCE_NEW,
	TG_FN_INSTANCE_CTOR,
	TG_FN_INSTANCE_DTOR,
	TG_FN_VALUABLE,
	TG_NR_FN,
};

/**
 * struct tg_stock_hook - what to do with a function
 * @name: the function's
 * @or_else: its name in other versions, or NULL
 * @module: whose it is, if not nouveau's; or it is built in
 * @replace: runs instead of it, from a task or an interrupt, and may call it by
 *	tg_stock_original(); or
 * @enter: is called when it is entered, with its first four arguments, which it
 *	may change.  Not to sleep
 * @refuse: says of what @replace runs instead, and it alone: if it returns true.  With the
 *	arguments, as @enter
 * @from: it is to be seen if so much is
 * @call: tasks call it, and can be kept in it
 * @required: without it there is no scheduling
 * @memory: only where video memory can be reserved (vram=1): some are called for each
 *	buffer of each group
 * @param: what its parameters point to, for the check against BTF: a structure's
 *	name, "" anything, "#" an int, "##" one of 64 bits; the first NULL ends them
 */
struct tg_stock_hook {
	const char *name;
	const char *or_else;
	const char *module;
	void *replace;
	void (*enter)(unsigned long *args);
	bool (*refuse)(const unsigned long *args);
	enum tg_see from;
	bool call;
	bool required;
	bool memory;
	const char *param[6];
};

/**
 * tg_stock_hooks_find - find the functions in nouveau
 * @hooks: TG_NR_FN of them
 * @btf: nouveau's types, or NULL
 *
 * May sleep.
 * Return: 0; -ENOENT: a required one is missing, which was reported; -ENOMEM.
 */
int tg_stock_hooks_find(const struct tg_stock_hook *hooks,
			const struct tg_btf *btf);

/**
 * tg_stock_hooks_see - redirect those that were found of what is to be seen; may sleep
 * @anew: whether calls are that were not; or NULL
 *
 * Return: 0, or an error, which was reported: some may be redirected all the same,
 * until tg_stock_hooks_stop().
 */
int tg_stock_hooks_see(enum tg_see see, bool *anew);

/**
 * tg_stock_hooks_watch - all is seen where %TG_SEE_CALLS was enough, until as many
 * tg_stock_hooks_unwatch(); may sleep
 *
 * Return: whether it is: false if nothing is scheduled, and no tg_stock_hooks_unwatch() owed.
 */
bool tg_stock_hooks_watch(void);
void tg_stock_hooks_unwatch(void);

/**
 * tg_stock_hooks_release - what has tg_stock_hook.call goes to nouveau, and not on to us
 *
 * May sleep.  Nobody waits in there for what a user can draw out, while the rest is still
 * redirected.
 */
void tg_stock_hooks_release(void);

/**
 * tg_stock_hooks_stop - no function is redirected any more, and no task is in what ran instead
 *
 * May sleep.  After tg_stock_hooks_release().
 */
void tg_stock_hooks_stop(void);

/** tg_stock_original - the function itself; the call must not be a tail call */
void *tg_stock_original(enum tg_stock_fn fn);

/** tg_stock_has - whether the function was found */
bool tg_stock_has(enum tg_stock_fn fn);

/* Found under @or_else. */
bool tg_stock_has_other(enum tg_stock_fn fn);

/* --- tg_stock_layout.c --- */

/**
 * struct tg_stock_layout - nouveau's structures; offsets in bytes
 * @known: @fence_channel to @chan_cli are
 * @missing: else, or if not @ring: what could not be found, a constant string
 * @ring: the offsets of the ring are known, too
 * @emit_has_chan: nouveau_fence_emit() is given the channel (6.1)
 * @fence_channel: struct nouveau_fence: else, its channel
 * @chan_chid: struct nouveau_channel: its number
 * @has_inst: @chan_inst is valid
 * @chan_inst: the address of its instance block
 * @has_cli: @chan_cli is valid
 * @chan_cli: its client, which is the DRM file's driver_priv
 * @space: what the space function is given
 * @push: its struct nvif_push, from which the next five count
 * @wait, @kick: functions
 * @bgn: words that were written begin here
 * @cur: and end here
 * @end: words up to here may be written
 * @map: the ring's first word
 * @ib_put: of struct nouveau_channel: the next entry
 * @gpfifo: space is kept by struct nvif_chan (7.2)
 * @fences: the next six are known
 * @cli_mutex: of its client: PUSHBUF holds it from before it reads user memory to its end
 * @chan_fence: struct nouveau_channel: its struct nouveau_fence_chan
 * @fctx_pending: there, the fences that may not have signalled, oldest first
 * @fctx_sequence: the newest one's number
 * @fence_head: struct nouveau_fence, which begins with its dma_fence: in that list
 * @words: the next are known, up to @bo_virtual
 * @has_drm: @chan_drm is valid, else @cli_drm
 * @chan_drm: struct nouveau_channel: its struct nouveau_drm (6.1)
 * @cli_drm: struct nouveau_cli: the same
 * @drm_channels: there, how many channels there can be
 * @drm_fence: and its struct nv84_fence_priv, where fences are such
 * @priv_bo: there, the fences' struct nouveau_bo
 * @bo_size: its size
 * @bo_virtual: where the CPU has it
 * @gr: an interrupt's struct nvkm_gr can be followed to its device
 * @gr_device: struct nvkm_gr: its struct nvkm_device
 * @device_dev: struct nvkm_device: its struct device
 * @instance: what makes page tables and contexts can be followed to its device, too
 * @imem_device: struct nvkm_instmem: its struct nvkm_device
 * @heap: what is free of a GPU's memory can be read
 * @device_fb: struct nvkm_device: its struct nvkm_fb
 * @fb_ram: struct nvkm_fb: its struct nvkm_ram
 * @ram_mutex: struct nvkm_ram: what its heap is under
 * @ram_free: struct nvkm_ram: the free pieces of its heap
 * @node_free: struct nvkm_mm_node: its place in that list
 * @node_length: struct nvkm_mm_node: how large it is, in pages of 4 KiB
 */
struct tg_stock_layout {
	bool known;
	const char *missing;
	bool ring;
	bool emit_has_chan;
	u32 fence_channel;
	u32 chan_chid;
	bool has_inst;
	u32 chan_inst;
	bool has_cli;
	u32 chan_cli;
	u32 space;
	u32 push;
	u32 wait;
	u32 kick;
	u32 bgn;
	u32 cur;
	u32 end;
	u32 map;
	u32 ib_put;
	bool gpfifo;
	bool fences;
	u32 cli_mutex;
	u32 chan_fence;
	u32 fctx_pending;
	u32 fctx_sequence;
	u32 fence_head;
	bool words;
	bool has_drm;
	u32 chan_drm;
	u32 cli_drm;
	u32 drm_channels;
	u32 drm_fence;
	u32 priv_bo;
	u32 bo_size;
	u32 bo_virtual;
	bool gr;
	u32 gr_device;
	u32 device_dev;
	bool instance;
	u32 imem_device;
	bool heap;
	u32 device_fb;
	u32 fb_ram;
	u32 ram_mutex;
	u32 ram_free;
	u32 node_free;
	u32 node_length;
};

extern struct tg_stock_layout tg_stock_layout;

/**
 * tg_stock_layout_read - read nouveau's BTF
 *
 * May sleep, reads files below /sys.
 * Return: the types, to be given back by tg_stock_layout_free(), or NULL: then
 * nothing but fences can be had, tg_stock_layout.missing says why.
 */
struct tg_btf *tg_stock_layout_read(void);
void tg_stock_layout_free(struct tg_btf *btf);

/* --- tg_stock_gpu.c --- */

/**
 * struct tg_stock_clock - PTIMER's time, told from the CPU's
 * @lock: a leaf, any context
 * @set_ns: when the two were compared last; 0: never, or not since it slept
 * @ahead_ns: what PTIMER had more then, modulo 2^64
 */
struct tg_stock_clock {
	spinlock_t lock;
	u64 set_ns;
	u64 ahead_ns;
};

/**
 * struct tg_stock_gpu - a GPU
 * @clock: its
 * @node: in the list of them, RCU
 * @dev: a reference is held
 * @chipset: e.g. 0x92
 * @nvkm: nouveau's struct nvkm_device of it, or NULL while that is not known
 * @timer, @graph, @user: registers: PTIMER, PGRAPH, the channels' USERD; or NULL
 */
struct tg_stock_gpu {
	struct tg_stock_clock clock;
	struct list_head node;
	struct device *dev;
	u32 chipset;
	const void *nvkm;
	void __iomem *timer;
	void __iomem *graph;
	void __iomem *user;
};

/**
 * tg_stock_gpu_get - the GPU of a file of nouveau's, made on first use
 *
 * May sleep, the GPU awake.  GPUs live until tg_stock_gpus_free().
 * Return: the GPU, or NULL.
 */
struct tg_stock_gpu *tg_stock_gpu_get(struct drm_device *dev,
				      struct drm_file *file);
void tg_stock_gpus_free(void);

/** tg_stock_gpu_is_nvkm - @nvkm is nouveau's struct nvkm_device of a GPU; atomic */
void tg_stock_gpu_is_nvkm(const struct device *dev, const void *nvkm);

/* The video memory that buffers may have, and what they have, or 0; the file's GPU awake. */
void tg_stock_gpu_memory(struct drm_device *dev, struct drm_file *file, u64 *size, u64 *used);

bool tg_stock_gpu_is_tesla(const struct tg_stock_gpu *gpu);
/* PTIMER's time, read once in a millisecond and told from the CPU's meanwhile; any context */
u64 tg_stock_gpu_time(struct tg_stock_gpu *gpu);
/* A GPU that is known has slept: its clock may be another. */
void tg_stock_gpu_woke(const struct device *dev);
/* 1: PGRAPH has something to do; 0: it has not; -ENODEV: it cannot be asked. */
int tg_stock_gpu_engine(const struct tg_stock_gpu *gpu);
/* The context that PGRAPH is at, as tg_stock_chan.context; 0: none, or it cannot be asked. */
u32 tg_stock_gpu_engine_context(const struct tg_stock_gpu *gpu);
/* USERD of a channel: SET_REFERENCE's value, and the next entry of its ring. */
u32 tg_stock_gpu_ref(const struct tg_stock_gpu *gpu, int chid);
u32 tg_stock_gpu_ib_put(const struct tg_stock_gpu *gpu, int chid);

/**
 * tg_stock_gpu_notify - see to a NOTIFY of PGRAPH; hardirq
 * @gr: nouveau's struct nvkm_gr
 *
 * Return: true if that was all that PGRAPH wanted.
 */
bool tg_stock_gpu_notify(const void *gr);

/** tg_stock_gpu_fences - fences of a GPU that is not known may have ended */
void tg_stock_gpu_fences(void);

/* --- tg_stock_bo.c --- */

/**
 * tg_stock_bo_pages - the pages of a buffer in cached system memory
 *
 * The buffer is reserved, and its pages are good as long as it is.
 * Return: an array for the whole of it, or NULL: it is elsewhere.
 */
struct page **tg_stock_bo_pages(struct drm_gem_object *obj);

/**
 * tg_stock_bo_pin - keep a buffer where the GPU sees it, in cached system memory
 *
 * May sleep, takes the reservation.
 * Return: its first page, or NULL: it is elsewhere, and not pinned.
 */
struct page *tg_stock_bo_pin(struct drm_gem_object *obj);
void tg_stock_bo_unpin(struct drm_gem_object *obj);

/* --- tg_stock_mem.c --- */

/* Run instead of nouveau_gem_ioctl_new() and nouveau_display_dumb_create(). */
int tg_stock_gem_new(struct drm_device *dev, void *data, struct drm_file *file);
int tg_stock_dumb_create(struct drm_file *file, struct drm_device *dev, void *data);

/*
 * Entered:
 *
 *	bo_init		nouveau_bo_init(): a buffer begins
 *	bo_place	nouveau_bo_placement_set(): where it may be, its reservation held
 *	bo_pin		nouveau_bo_pin(): it is to stay, to be scanned out
 *	gem_del		nouveau_gem_object_del(): nobody has a handle of it any more
 *	bo_del		nouveau_bo_del_ttm(): its memory has been given back
 */
void tg_stock_enter_bo_init(unsigned long *args);
void tg_stock_enter_bo_place(unsigned long *args);
void tg_stock_enter_bo_pin(unsigned long *args);
void tg_stock_enter_gem_del(unsigned long *args);
void tg_stock_enter_bo_del(unsigned long *args);

/*
 * Page tables and contexts: nvkm_instobj_new(), whether it is refused, and what says so then;
 * nvkm_instobj_ctor() and _dtor(), entered.
 */
bool tg_stock_refuse_instance(const unsigned long *args);
int tg_stock_no_instance(void);
void tg_stock_enter_instance_ctor(unsigned long *args);
void tg_stock_enter_instance_dtor(unsigned long *args);

/* ttm_bo_eviction_valuable(): whether a buffer is not to be moved for another, and what says so */
bool tg_stock_refuse_eviction(const unsigned long *args);
bool tg_stock_not_valuable(void);

/** tg_stock_mem_say - if memory is to be accounted for and cannot be, say why */
void tg_stock_mem_say(void);

/** tg_stock_mem_open - before CHANNEL_ALLOC; see tg_memory_open(), and the same is owed */
int tg_stock_mem_open(struct drm_device *dev, struct drm_file *file);

/** tg_stock_mem_channel - CHANNEL_ALLOC, with room for it if the caller has a reservation */
int tg_stock_mem_channel(struct drm_device *dev, struct tg_abi_channel_alloc *req,
			 struct drm_file *file);

/** tg_stock_mem_opened - after both */
void tg_stock_mem_opened(struct drm_device *dev, struct drm_file *file);

/* --- tg_stock_chan.c --- */

/**
 * struct tg_stock_chan - a channel
 * @base: timegraph's view
 * @gpu: its GPU
 * @file: its DRM file, valid in the calls of that file; a key elsewhere
 * @ref: of the table, and one for each call
 * @node: in the table, RCU
 * @list: in the list of all, under the channels' mutex, or of those that go
 * @rcu: for freeing
 * @submit: serialises what reads its commands and chooses how they complete
 * @use: read by calls that nouveau has, written to wait for their end
 * @freed: the channel goes, and its number can be another's soon
 * @before: what it has replaced in the table, or NULL: another thread had met the channel
 *	before it was added
 * @nv: nouveau's struct nouveau_channel, once it was seen and held to be true
 * @context: what PGRAPH calls its context: the address of the instance block / 4096; 0 if
 *	that is not known (yet)
 * @ring: @nv's ring may be written
 * @fenced: what nouveau keeps of @nv's fences was held to be true
 * @page: the buffer that has the scratch area, a reference and a pin are held
 */
struct tg_stock_chan {
	struct tg_hook_chan base;
	struct tg_stock_gpu *gpu;
	struct drm_file *file;
	struct kref ref;
	struct hlist_node node;
	struct list_head list;
	struct rcu_head rcu;
	struct mutex submit;
	struct rw_semaphore use;
	bool freed;
	struct tg_stock_chan *before;
	void *nv;
	u32 context;
	bool ring;
	bool fenced;
	struct drm_gem_object *page;
};

/** tg_stock_chan_args - a channel that appears */
struct tg_stock_chan_args {
	struct drm_device *dev;
	struct drm_file *file;
	int chid;
	bool older;
	/* As CHANNEL_ALLOC said; not for older ones. */
	u32 vram_handle;
	u32 notifier_handle;
};

/**
 * tg_stock_chan_add - a channel appears, and is added but if it is @older and there;
 * may sleep, in its owner's context
 */
void tg_stock_chan_add(const struct tg_stock_chan_args *args);

/** tg_stock_chan_find - with a reference, or NULL */
struct tg_stock_chan *tg_stock_chan_find(struct drm_file *file, int chid);

/**
 * tg_stock_chan_pass - whether a call of PUSHBUF may; any context
 * @data: the second argument of that
 * @file: and the third
 *
 * Not while a call of its client's is in nouveau already: threads without number could
 * wait there, with what they were let, until the others have to ask.
 */
bool tg_stock_chan_pass(unsigned long data, unsigned long file);

typedef bool (*tg_stock_exists_fn)(struct drm_device *dev, struct drm_file *file,
				   int chid);

/**
 * tg_stock_chan_find_older - one that is older than the hooks; may sleep
 * @exists: asks nouveau
 *
 * Return: it is known now, with a reference; or NULL.
 */
struct tg_stock_chan *tg_stock_chan_find_older(struct drm_device *dev,
					       struct drm_file *file, int chid,
					       tg_stock_exists_fn exists);
void tg_stock_chan_put(struct tg_stock_chan *sc);

/**
 * tg_stock_chan_enter - nouveau is given a call of its file for the channel; may sleep
 *
 * Until tg_stock_chan_leave() its number stays its own.
 * Return: 0; -ENOENT: it was freed, what nouveau says too.
 */
int tg_stock_chan_enter(struct tg_stock_chan *sc);
void tg_stock_chan_leave(struct tg_stock_chan *sc);

/**
 * struct tg_stock_gone - channels that nouveau is about to free
 * @chans: they
 * @node: in the table of these, which is the channels' own; not while it waits for its turn
 * @next: those that wait for theirs behind it, of the same number, in their order
 * @turn: it has its own
 * @file: of what file
 * @chid: which one, -1: all
 */
struct tg_stock_gone {
	struct list_head chans;
	struct hlist_node node;
	struct list_head next;
	struct completion turn;
	struct drm_file *file;
	int chid;
};

/**
 * tg_stock_chan_take - take the channel of this number back that is about to go, or
 * all of @file with -1; may sleep
 *
 * They get no more groups, and nobody looks at what nouveau has of them.  What the GPU
 * has of them is charged until tg_stock_chan_taken(), when nouveau has freed them.  Nor is
 * one of that number found, or freed by another, meanwhile.
 */
void tg_stock_chan_take(struct tg_stock_gone *gone, struct drm_file *file, int chid);
void tg_stock_chan_taken(struct tg_stock_gone *gone);

/** tg_stock_chan_close - forget all channels, and put them on a list; may sleep */
void tg_stock_chan_close(struct list_head *gone);

/** tg_stock_chan_drain - wait until the trailers that were sent have run, or 0.15 s */
void tg_stock_chan_drain(const struct list_head *gone);

/** tg_stock_chan_free - drop the table's references of a list; may sleep */
void tg_stock_chan_free(struct list_head *gone);

/* --- tg_stock_ring.c --- */

/* Memory that kmalloc() can have given: nothing else is followed. */
bool tg_stock_is_memory(const void *p);

/**
 * tg_stock_ring_learn - is @nv the channel, and is its ring what BTF says?
 * @nv: what nouveau calls the channel with
 *
 * Reads only.  The answer is kept in sc->nv and sc->ring; the reason of a no is
 * reported once.  In a call of the channel's file, the ring locked.
 */
void tg_stock_ring_learn(struct tg_stock_chan *sc, void *nv);

/**
 * tg_stock_ring_write - append words to what the channel has not been given yet
 *
 * The ring locked, by nouveau.  Return: 0, or nouveau's error.
 */
int tg_stock_ring_write(struct tg_stock_chan *sc, const u32 *words, u32 nr);

/** tg_stock_ring_kick - give them to the channel */
void tg_stock_ring_kick(struct tg_stock_chan *sc);

/* --- tg_stock_fence.c --- */

/**
 * tg_stock_fence_learn - is what nouveau keeps of a channel's fences where BTF says?
 * @fence: which it has emitted just now for the channel
 *
 * Reads only.  A yes is kept in sc->fenced; a no can be chance.  Between
 * tg_stock_chan_enter() and _leave().
 */
void tg_stock_fence_learn(struct tg_stock_chan *sc, const struct dma_fence *fence);

/*
 * tg_attach_ops.number and .newest: also between tg_stock_chan_enter() and _leave().
 */
bool tg_stock_fence_number(const struct tg_stock_chan *sc, u32 *nr);
struct dma_fence *tg_stock_fence_newest(const struct tg_stock_chan *sc);

/** tg_stock_fence_busy - tg_attach_ops.busy, of the channel's file, which is open */
bool tg_stock_fence_busy(const struct drm_file *file);

/* --- tg_stock_words.c --- */

/**
 * tg_stock_words_learn - find tg_hook_chan.words, if there are such
 *
 * Reads only.  A no can be chance.  In a call of the channel's file, the ring known and
 * locked.
 */
void tg_stock_words_learn(struct tg_stock_chan *sc);

#endif
