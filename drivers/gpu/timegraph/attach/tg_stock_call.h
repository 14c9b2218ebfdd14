/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Calls of nouveau's functions: what is known of a group between them.
 *
 *	tg_stock_push.c		PUSHBUF
 *	tg_stock_exec.c		EXEC
 *	tg_stock_call.c		which call a task is in, and what nouveau does within it
 *
 * Lifetime: what runs instead of a function that tasks call is inside of a read
 * section of tg_stock_calls_srcu, but for its first and last instructions, which a
 * grace period of RCU tasks waits for: the first that of unregistering it, the last
 * one after the read sections.  That alone waits for what is entered, and for
 * what runs instead of nv50_gr_intr(): neither sleeps, and a task that was
 * interrupted has not left the kernel.  So no thread is in there any more when
 * tg_stock_hooks_stop() returns.
 */
#ifndef TG_STOCK_CALL_H
#define TG_STOCK_CALL_H

#include <linux/compiler.h>
#include <linux/srcu.h>

#include "tg_stock.h"
#include "tg_stock_abi.h"

struct dma_fence;
struct task_struct;

typedef int (*tg_stock_ioctl_fn)(struct drm_device *dev, void *data,
				 struct drm_file *file);

extern struct srcu_struct tg_stock_calls_srcu;

/**
 * struct tg_stock_call - a group on its way through nouveau, in its task
 * @node: in the table of calls
 * @task: who runs nouveau's function
 * @group: timegraph's view
 * @sc: the channel
 * @job: EXEC's, a number only; all that follows is PUSHBUF's
 * @file: the caller's
 * @push: user's array of entries
 * @buffers: user's array of buffers
 * @nr_buffers: its length
 * @entry: the entry that push_map() looked at last
 * @index: its number
 * @obj: its buffer, locked, or NULL
 * @free: it need not be admitted
 * @number: of the newest fence of the channel before it was given to nouveau
 * @numbered: @number is known
 * @busy: what is to say that a call of its client's is in nouveau said so, while it was
 * @space: the space that the group needs was asked for, with what is added to it
 * @emitted: the fence that ends it; a key only
 * @fence: the same, with a reference, once it is one
 */
struct tg_stock_call {
	struct hlist_node node;
	struct task_struct *task;
	struct tg_hook_group group;
	struct tg_stock_chan *sc;
	unsigned long job;

	struct drm_file *file;
	const struct tg_abi_push __user *push;
	const struct tg_abi_buffer __user *buffers;
	u32 nr_buffers;
	struct tg_abi_push entry;
	u32 index;
	struct drm_gem_object *obj;

	bool free;
	u32 number;
	bool numbered;
	bool busy;
	bool space;
	void *emitted;
	struct dma_fence *fence;
};

/** tg_stock_calls_init - before the first function is redirected */
void tg_stock_calls_init(void);

/** tg_stock_calls_close - calls that come now are nouveau's alone */
void tg_stock_calls_close(void);

/** tg_stock_closing - whether they are */
bool tg_stock_closing(void);

/**
 * tg_stock_call_original - nouveau's part of an ioctl; may sleep
 *
 * nouveau has a mutex for each file.  Another thread of it that passed unseen can have
 * that, for as long as its user likes, and nothing says that it is there: then this one, who
 * waits for it within us, holds the module, and rmmod says that it is in use instead of
 * hanging.
 */
int tg_stock_call_original(enum tg_stock_fn fn, struct drm_device *dev, void *data,
			   struct drm_file *file);

/*
 * The same, but that it fails with -EFAULT where memory of the caller's is not there, instead
 * of waiting for it.
 */
int tg_stock_call_without_faults(enum tg_stock_fn fn, struct drm_device *dev, void *data,
				 struct drm_file *file);

/*
 * As tg_stock_call_original(), and the module is held in any case.  If it is going already, the caller's system
 * call begins anew.
 */
int tg_stock_call_holding(enum tg_stock_fn fn, struct drm_device *dev, void *data,
			  struct drm_file *file);

/**
 * tg_stock_call_begin - the task calls nouveau for a group
 * @call: on its stack, until tg_stock_call_end()
 */
void tg_stock_call_begin(struct tg_stock_call *call);
void tg_stock_call_end(struct tg_stock_call *call);

/*
 * Entered by the task of a call, or by others, who are told from it.
 *
 *	space	nouveau_dma_wait(), nvif_chan_gpfifo_wait(): room in a ring
 *	emit	nouveau_fence_emit()
 *	unref	nouveau_fence_unref()
 *	job	nouveau_job_submit()
 */
void tg_stock_enter_space(unsigned long *args);
void tg_stock_enter_emit(unsigned long *args);
void tg_stock_enter_unref(unsigned long *args);
void tg_stock_enter_job(unsigned long *args);

/* --- tg_stock_push.c --- */

/* Runs instead of nouveau_gem_ioctl_pushbuf(). */
int tg_stock_pushbuf(struct drm_device *dev, void *data, struct drm_file *file);

/* The words of a group; see struct tg_attach_ops. */
const u32 *tg_stock_push_map(struct tg_hook_group *g, u32 index, u32 offset,
			     u32 *count);
void tg_stock_push_unmap(const u32 *words);

/* --- tg_stock_exec.c --- */

/* Run instead of nouveau_exec_ioctl_exec() and nouveau_exec_job_run(). */
int tg_stock_exec(struct drm_device *dev, void *data, struct drm_file *file);
struct dma_fence *tg_stock_exec_run(void *job);

#endif
