// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which call of nouveau's a task is in, and what happens within it.
 *
 * What is entered within a call is entered by the calling task, which is how it is told
 * from what others do: the task's call is looked up.
 */
#include <linux/dma-fence.h>
#include <linux/hash.h>
#include <linux/module.h>
#include <linux/preempt.h>
#include <linux/sched/signal.h>
#include <linux/spinlock.h>
#include <linux/uaccess.h>

#include "../tg_nouveau.h"
#include "tg_stock_call.h"

DEFINE_SRCU(tg_stock_calls_srcu);
static bool closing;

bool tg_stock_closing(void)
{
	return READ_ONCE(closing);
}

void tg_stock_calls_close(void)
{
	WRITE_ONCE(closing, true);
}

int tg_stock_call_holding(enum tg_stock_fn fn, struct drm_device *dev, void *data,
			  struct drm_file *file)
{
	tg_stock_ioctl_fn original = tg_stock_original(fn);
	int ret;

	/* It is going, and waits for this call: soon the next one goes to nouveau at once. */
	if (!try_module_get(THIS_MODULE)) {
		schedule_timeout_uninterruptible(1);
		return restart_syscall();
	}
	ret = original(dev, data, file);
	module_put(THIS_MODULE);
	return ret;
}

int tg_stock_call_original(enum tg_stock_fn fn, struct drm_device *dev, void *data,
			   struct drm_file *file)
{
	tg_stock_ioctl_fn original = tg_stock_original(fn);
	int ret;

	if (tg_stock_layout.fences && tg_stock_fence_busy(file))
		return tg_stock_call_holding(fn, dev, data, file);
	ret = original(dev, data, file);
	/* Not the last thing to do, see Kbuild. */
	barrier();
	return ret;
}

int tg_stock_call_without_faults(enum tg_stock_fn fn, struct drm_device *dev, void *data,
				 struct drm_file *file)
{
	int ret;

	pagefault_disable();
	ret = tg_stock_call_original(fn, dev, data, file);
	pagefault_enable();
	return ret;
}

/*
 * Calls by task.  A task looks for its own call only, which it has put there
 * itself: an empty place is a safe no.
 */
#define CALL_BITS 6
static struct {
	spinlock_t lock;
	struct hlist_head head;
} calls[1 << CALL_BITS];

void tg_stock_calls_init(void)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(calls); i++) {
		spin_lock_init(&calls[i].lock);
		INIT_HLIST_HEAD(&calls[i].head);
	}
	WRITE_ONCE(closing, false);
}

void tg_stock_call_begin(struct tg_stock_call *call)
{
	unsigned int i = hash_ptr(current, CALL_BITS);

	call->task = current;
	spin_lock(&calls[i].lock);
	hlist_add_head(&call->node, &calls[i].head);
	spin_unlock(&calls[i].lock);
}

void tg_stock_call_end(struct tg_stock_call *call)
{
	unsigned int i = hash_ptr(current, CALL_BITS);

	spin_lock(&calls[i].lock);
	hlist_del(&call->node);
	spin_unlock(&calls[i].lock);
}

/* The PUSHBUF or EXEC call that the task is in; an interrupt is in none. */
static struct tg_stock_call *call_find(bool exec)
{
	unsigned int i = hash_ptr(current, CALL_BITS);
	struct tg_stock_call *call;

	if (hlist_empty(&calls[i].head) || !in_task())
		return NULL;
	spin_lock(&calls[i].lock);
	hlist_for_each_entry(call, &calls[i].head, node)
		if (call->task == current)
			break;
	spin_unlock(&calls[i].lock);
	return call && call->group.exec == exec ? call : NULL;
}

/* Of nouveau_dma_wait() or nvif_chan_gpfifo_wait(): channel, entries, words. */
void tg_stock_enter_space(unsigned long *args)
{
	void *nv = (void *)args[0] - tg_stock_layout.space;
	struct tg_stock_call *call = call_find(false);
	u32 words[TG_HOOK_LEADER_DW], nr;

	/* nouveau asks for one entry where it writes methods of its own. */
	if (!call || call->space ||
	    (int)args[1] != (int)call->group.nr_push + 1)
		return;
	tg_stock_ring_learn(call->sc, nv);
	if (nv != call->sc->nv || !call->sc->ring)
		return;
	call->space = true;
	tg_stock_words_learn(call->sc);
	nr = tg_nouveau_leader(&call->group, words);
	if (nr && tg_stock_ring_write(call->sc, words, nr))
		tg_nouveau_leader_lost(&call->group);
	else if (nr)
		tg_stock_ring_kick(call->sc);
	args[2] += TG_HOOK_TRAILER_DW;
}

static void add_trailer(struct tg_stock_call *call)
{
	u32 words[TG_HOOK_TRAILER_DW], nr;

	nr = tg_nouveau_trailer(&call->group, words);
	if (nr && tg_stock_ring_write(call->sc, words, nr))
		tg_nouveau_trailer_lost(&call->group);
}

/* The channel that a fence is emitted in; 6.1 gives it beside the fence. */
static void *channel_of(const unsigned long *args)
{
	const struct tg_stock_layout *l = &tg_stock_layout;

	return l->emit_has_chan ? (void *)args[1] :
	       *(void **)(args[0] + l->fence_channel);
}

/*
 * nouveau_fence_emit().  Buffers may be moved for a group, by fences of nouveau's
 * own channel, and the group be refused after that.  Where its ring is known, its own
 * fence is the one after there was room in it; else the last one of a call is.
 */
void tg_stock_enter_emit(unsigned long *args)
{
	struct tg_stock_call *call = call_find(false);

	if (!call || (call->sc->ring && !call->space))
		return;
	dma_fence_put(call->fence);
	call->fence = NULL;
	call->emitted = (void *)args[0];
	call->busy = tg_stock_layout.fences && tg_stock_fence_busy(call->file);
	if (call->space && channel_of(args) == call->sc->nv)
		add_trailer(call);
}

/* nouveau_fence_unref(): the caller still has its reference. */
void tg_stock_enter_unref(unsigned long *args)
{
	struct tg_stock_call *call = call_find(false);
	void *fence;

	if (!call || call->fence)
		return;
	fence = *(void **)args[0];
	if (fence && fence == call->emitted)
		call->fence = dma_fence_get(fence);
}

/*
 * nouveau_job_submit(): the job is not in its queue yet.  The worker will be given the
 * same pointer.
 */
void tg_stock_enter_job(unsigned long *args)
{
	struct tg_stock_call *call = call_find(true);

	if (!call || !call->group.held)
		return;
	call->job = args[0];
	tg_nouveau_exec_queue(&call->group, args[0]);
}
