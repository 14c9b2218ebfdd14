/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What nouveau's call sites see of the submission hooks.  Without a scheduler
 * each costs a static-key nop or the test of a NULL pointer.
 */
#ifndef __NOUVEAU_HOOKS_PRIV_H__
#define __NOUVEAU_HOOKS_PRIV_H__

#include <linux/jump_label.h>

#include <drm/nouveau_hooks.h>

struct drm_device;
struct drm_file;
struct drm_nouveau_exec;
struct drm_nouveau_gem_pushbuf;
struct drm_nouveau_gem_pushbuf_push;
struct drm_printer;
struct nouveau_bo;
struct nouveau_drm;
struct nouveau_fence;
struct nouveau_fence_chan;

DECLARE_STATIC_KEY_FALSE(nouveau_hooks_key);

/**
 * struct nouveau_hooks_call - one submission while a scheduler is attached
 * @ops: the scheduler, valid as long as the SRCU section @srcu lasts
 * @hc: the channel, a reference is held for the ioctls
 * @group: what the scheduler sees of a group; unused in the EXEC worker
 * @srcu: cookie of the read section
 * @worker: this is the worker that runs an EXEC job
 * @again: validated asked to be wound back
 * @submitted: the scheduler was told that the GPU has the group
 * @trailer_dw: words of the trailer, since it was written
 * @push: the user's entries, between validation and submission
 * @bos: the validation list, as long as @push
 * @nvbo: the buffer that nouveau_hook_push_map() used last
 */
struct nouveau_hooks_call {
	const struct nouveau_hook_ops *ops;
	struct nouveau_hook_chan *hc;
	struct nouveau_hook_group group;
	int srcu;
	bool worker;
	bool again;
	bool submitted;
	unsigned int trailer_dw;
	const struct drm_nouveau_gem_pushbuf_push *push;
	struct list_head *bos;
	struct nouveau_bo *nvbo;
};

typedef int (*nouveau_hooks_pushbuf_t)(struct drm_device *dev, void *data,
				       struct drm_file *file_priv,
				       struct nouveau_hooks_call *call);
typedef int (*nouveau_hooks_exec_t)(struct drm_device *dev, void *data,
				    struct drm_file *file_priv);

int nouveau_hooks_pushbuf(struct drm_device *dev,
			  struct drm_nouveau_gem_pushbuf *req,
			  struct drm_file *file_priv,
			  nouveau_hooks_pushbuf_t body);
int nouveau_hooks_exec(struct drm_device *dev, struct drm_nouveau_exec *req,
		       struct drm_file *file_priv, nouveau_hooks_exec_t body);

void nouveau_hooks_chan_new(struct nouveau_channel *chan);
void nouveau_hooks_chan_del(struct nouveau_channel *chan);
bool nouveau_hooks_gr_notify(struct device *dev, int chid, u32 data);

/* nouveau_fdinfo.c */
void nouveau_show_fdinfo(struct drm_printer *p, struct drm_file *file);

/* nouveau_hooks.c to nouveau_hooks_submit.c */
const struct nouveau_hook_ops *nouveau_hooks_read_lock(int *srcu);
void nouveau_hooks_read_unlock(int srcu);
bool nouveau_hooks_chan_scheduled(struct nouveau_hook_chan *hc,
				  const struct nouveau_hook_ops *ops);
void nouveau_hooks_chan_get(struct nouveau_hook_chan *hc);
void nouveau_hooks_chan_put(struct nouveau_hook_chan *hc);
void nouveau_hooks_objects_init(struct nouveau_hook_chan *hc);

/* Out-of-line halves of the inline functions below. */
int __nouveau_hooks_prepare(struct nouveau_hooks_call *call,
			    struct nouveau_channel *chan);
int __nouveau_hooks_validated(struct nouveau_hooks_call *call);
int __nouveau_hooks_leader(struct nouveau_hooks_call *call);
int __nouveau_hooks_trailer(struct nouveau_hooks_call *call);
void __nouveau_hooks_rewind(struct nouveau_hooks_call *call);
void __nouveau_hooks_submitted(struct nouveau_hooks_call *call,
			       struct nouveau_fence *fence);
bool __nouveau_hooks_enter(struct nouveau_hooks_call *call,
			   struct nouveau_channel *chan);
void __nouveau_hooks_leave(struct nouveau_hooks_call *call);
void __nouveau_hooks_chan_killed(struct nouveau_channel *chan);
void __nouveau_hooks_fence_event(struct nouveau_fence_chan *fctx);
void __nouveau_hooks_suspend(struct nouveau_drm *drm, bool suspended);

static inline bool nouveau_hooks_active(void)
{
	return static_branch_unlikely(&nouveau_hooks_key);
}

/*
 * The steps of a submission.  @call is NULL when it is not scheduled.
 */

/* The ioctl found and checked its channel.  cli->mutex held. */
static inline int nouveau_hooks_prepare(struct nouveau_hooks_call *call,
					struct nouveau_channel *chan)
{
	return call ? __nouveau_hooks_prepare(call, chan) : 0;
}

/* All buffers are reserved, resident and relocated. */
static inline int
nouveau_hooks_validated(struct nouveau_hooks_call *call,
			const struct drm_nouveau_gem_pushbuf_push *push,
			struct list_head *bos)
{
	if (!call)
		return 0;

	call->push = push;
	call->bos = bos;
	return __nouveau_hooks_validated(call);
}

static inline bool nouveau_hooks_has_leader(struct nouveau_hooks_call *call)
{
	return call && call->ops->leader && call->group.held;
}

/* Entries to reserve in the ring beyond the user's and the fence's. */
static inline unsigned int
nouveau_hooks_entries(struct nouveau_hooks_call *call)
{
	return nouveau_hooks_has_leader(call) ? 1 : 0;
}

/* Words to reserve in the ring beyond what the fence needs. */
static inline unsigned int nouveau_hooks_space(struct nouveau_hooks_call *call)
{
	return (nouveau_hooks_has_leader(call) ? NOUVEAU_HOOK_LEADER_DW : 0) +
	       (call ? NOUVEAU_HOOK_TRAILER_DW : 0);
}

/*
 * The space is reserved, nothing of the group is in the ring.  Returns the words
 * written, which are to become an entry of their own, or an error.
 */
static inline int nouveau_hooks_leader(struct nouveau_hooks_call *call)
{
	return nouveau_hooks_has_leader(call) ? __nouveau_hooks_leader(call) : 0;
}

/* The user's entries are in the ring, the fence is not. */
static inline int nouveau_hooks_trailer(struct nouveau_hooks_call *call)
{
	return call ? __nouveau_hooks_trailer(call) : 0;
}

/* The fence could not be emitted: drop what the trailer left unkicked. */
static inline void nouveau_hooks_rewind(struct nouveau_hooks_call *call)
{
	if (call)
		__nouveau_hooks_rewind(call);
}

/* The fence was emitted. */
static inline void nouveau_hooks_submitted(struct nouveau_hooks_call *call,
					   struct nouveau_fence *fence)
{
	if (call)
		__nouveau_hooks_submitted(call, fence);
}

/* Bracket the worker that runs an EXEC job; returns the call or NULL. */
static inline struct nouveau_hooks_call *
nouveau_hooks_enter(struct nouveau_hooks_call *call,
		    struct nouveau_channel *chan)
{
	if (nouveau_hooks_active() && __nouveau_hooks_enter(call, chan))
		return call;
	return NULL;
}

static inline void nouveau_hooks_leave(struct nouveau_hooks_call *call)
{
	if (call)
		__nouveau_hooks_leave(call);
}

/*
 * Events.
 */

static inline void nouveau_hooks_chan_killed(struct nouveau_channel *chan)
{
	if (nouveau_hooks_active())
		__nouveau_hooks_chan_killed(chan);
}

static inline void nouveau_hooks_fence_event(struct nouveau_fence_chan *fctx)
{
	if (nouveau_hooks_active())
		__nouveau_hooks_fence_event(fctx);
}

static inline void nouveau_hooks_suspend(struct nouveau_drm *drm,
					 bool suspended)
{
	if (nouveau_hooks_active())
		__nouveau_hooks_suspend(drm, suspended);
}

#endif
