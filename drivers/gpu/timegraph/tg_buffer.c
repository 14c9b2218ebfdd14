// SPDX-License-Identifier: GPL-2.0-only
/* Buffers in a card's memory; see tg_buffer.h. */
#include <linux/atomic.h>
#include <linux/hashtable.h>
#include <linux/pid.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/wait.h>

#include "tg_buffer.h"
#include "tg_device.h"
#include "tg_memory.h"
#include "tg_params.h"

/* TTM evicts the lowest first; it has four. */
#define PRIO_REST 0
#define PRIO_HELD 2
#define PRIO_FOREGROUND 3

/**
 * struct tg_buffer - a buffer
 * @node: in the table, once it is made
 * @key: nouveau's pointer, a number only
 * @m: whose memory
 * @a: to whom it is charged; its memory is there as long as the buffer
 * @bytes: that
 * @size: of it
 * @spilled: it is elsewhere, and not charged
 * @dying: nobody has a handle of it
 */
struct tg_buffer {
	struct hlist_node node;
	unsigned long key;
	struct tg_memory *m;
	struct tg_account *a;
	u64 bytes;
	u64 size;
	bool spilled;
	bool dying;
};

/* A desktop has some ten thousand. */
static DEFINE_HASHTABLE(buffers, 14);

/* Threads that do so; counted before they look. */
static atomic_t nr_waiting_for_dying;

/**
 * typedef charge_fn - charge an account with a buffer
 * @m: its card's memory
 * @a: the account
 * @bytes: of the buffer
 *
 * Return: 0; -ENOMEM; -EBUSY: it waits for its reservation; -EDEADLK: a thread of the process waits
 * for a card before this one; -EAGAIN: what it has let go of must go first.
 */
typedef int (*charge_fn)(struct tg_memory *m, struct tg_account *a, u64 bytes);

static int charge_locked(struct tg_memory *m, struct tg_account *a, u64 bytes)
{
	if (tg_memory_is_blocked_before_locked(m))
		return -EDEADLK;
	if (tg_memory_is_unlimited(m)) {
		tg_vram_charge_over(&m->vram, &a->base, bytes);
		return 0;
	}
	return tg_vram_charge(&m->vram, &a->base, bytes, ktime_get_ns());
}

/* The kernel makes such buffers, too: nobody waits. */
static int charge_scanout_locked(struct tg_memory *m, struct tg_account *a, u64 bytes)
{
	if (!tg_memory_is_unlimited(m))
		return tg_vram_charge_scanout(&m->vram, &a->base, bytes);
	tg_vram_charge_over(&m->vram, &a->base, bytes);
	return 0;
}

/**
 * struct maker - who makes a buffer
 * @a: the process
 * @domain: what it is in without being a member, or NULL
 *
 * The calling thread is inside of both, and so @a stays in its domain: all three are there.
 */
struct maker {
	struct tg_account *a;
	struct tg_account *domain;
};

/* Who opens no channel, or not yet, is within what his domain has all the same. */
static struct tg_account *payer_locked(struct tg_memory *m, const struct maker *maker)
{
	struct tg_account *a = tg_memory_payer_locked(m, maker->a);

	if (a == maker->a && a->base.state == TG_VRAM_NONE && maker->domain &&
	    maker->domain->base.state == TG_VRAM_HELD)
		return maker->domain;
	return a;
}

static int try_charge(struct tg_buffer *b, const struct maker *maker, charge_fn charge_it)
{
	int ret;

	spin_lock(&tg_memory_lock);
	b->a = payer_locked(b->m, maker);
	ret = charge_it(b->m, b->a, b->size);
	spin_unlock(&tg_memory_lock);
	return ret;
}

/* Who has more in memory than is his waits for the GPU's work, his own, that keeps it there. */
static int wait_for_dying(struct tg_buffer *b, const struct maker *maker)
{
	int ret, wait;

	atomic_inc(&nr_waiting_for_dying);
	wait = wait_event_interruptible(tg_memory_waiters,
					(ret = try_charge(b, maker, charge_locked)) != -EAGAIN);
	atomic_dec(&nr_waiting_for_dying);
	return wait ?: ret;
}

/* While that is why it cannot be. */
static int wait_while(struct tg_buffer *b, const struct maker *maker, int why)
{
	int ret, wait;

	wait = wait_event_interruptible(tg_memory_waiters,
					(ret = try_charge(b, maker, charge_locked)) != why);
	return wait ?: ret;
}

/* As vram_beyond=wait has it, until @until. */
static int wait_for_room(struct tg_buffer *b, const struct maker *maker, ktime_t until)
{
	ktime_t left = ktime_sub(until, ktime_get());
	int ret = -ENOMEM, wait;

	if (left <= 0)
		return -ENOMEM;
	wait = wait_event_interruptible_hrtimeout(tg_memory_waiters,
						  (ret = try_charge(b, maker, charge_locked)) !=
						  -ENOMEM, left);
	return wait == -ERESTARTSYS && ret == -ENOMEM ? wait : ret;
}

/* A buffer of a process that waits for its reservation waits with it. */
static int charge(struct tg_buffer *b, const struct maker *maker)
{
	enum timegraph_vram_beyond beyond = READ_ONCE(tg_memory_beyond);
	int ret = try_charge(b, maker, charge_locked);
	ktime_t until = 0;

	for (;;) {
		switch (ret) {
		case -EAGAIN:
			ret = wait_for_dying(b, maker);
			break;
		case -EDEADLK:
			if (beyond == TIMEGRAPH_VRAM_SPILL)
				return -ENOMEM;
			fallthrough;
		case -EBUSY:
			ret = wait_while(b, maker, ret);
			break;
		case -ENOMEM:
			if (until && ktime_compare(ktime_get(), until) >= 0)
				return ret;
			/* Those who have it may be dead. */
			tg_memory_sweep_soon(b->m);
			if (beyond != TIMEGRAPH_VRAM_WAIT)
				return ret;
			if (!until)
				until = ktime_add_ms(ktime_get(), tg_param_vram_wait_ms);
			ret = wait_for_room(b, maker, until);
			break;
		default:
			return ret;
		}
	}
}

/* Return: see tg_buffer_begin(). */
static int charge_or_spill(struct tg_buffer *b, const struct maker *maker)
{
	int ret = charge(b, maker);

	if (ret != -ENOMEM || READ_ONCE(tg_memory_beyond) != TIMEGRAPH_VRAM_SPILL)
		return ret;
	b->spilled = true;
	return 1;
}

static int charge_scanout(struct tg_buffer *b, const struct maker *maker)
{
	return try_charge(b, maker, charge_scanout_locked);
}

static int begin(struct tg_memory *m, u64 bytes,
		 int (*charge_it)(struct tg_buffer *b, const struct maker *maker),
		 struct tg_buffer **buffer)
{
	struct tg_buffer *b = kzalloc(sizeof(*b), GFP_KERNEL_ACCOUNT);
	struct maker maker = { .a = b ? tg_memory_get(m) : NULL };
	int ret;

	if (!maker.a) {
		kfree(b);
		return -ENOMEM;
	}
	if (!READ_ONCE(maker.a->domain))
		maker.domain = tg_memory_enter_domain(m);
	b->m = m;
	b->size = bytes;
	ret = charge_it(b, &maker);
	spin_lock(&tg_memory_lock);
	if (ret >= 0) {
		b->bytes = b->spilled ? 0 : bytes;
		b->a->nr_buffers++;
		*buffer = b;
	}
	tg_memory_put_locked(m, maker.a);
	if (maker.domain)
		tg_memory_put_locked(m, maker.domain);
	spin_unlock(&tg_memory_lock);
	if (ret < 0)
		kfree(b);
	return ret;
}

/*
 * Larger than the card: TTM would evict all others before it says so, those that are
 * reserved, too, and again at each PUSHBUF that asks for it.
 */
static bool is_absurd(const struct tg_memory *m, u64 bytes)
{
	return bytes > READ_ONCE(m->vram.size);
}

static int never_charge(struct tg_buffer *b, const struct maker *maker)
{
	spin_lock(&tg_memory_lock);
	b->a = payer_locked(b->m, maker);
	spin_unlock(&tg_memory_lock);
	b->spilled = true;
	return 1;
}

int tg_buffer_begin(struct tg_device *td, u64 bytes, bool both, struct tg_buffer **buffer)
{
	struct tg_memory *m = &td->memory;

	*buffer = NULL;
	if (!is_absurd(m, bytes))
		return begin(m, bytes, charge_or_spill, buffer);
	return both ? begin(m, bytes, never_charge, buffer) : -ENOMEM;
}

int tg_buffer_begin_scanout(struct tg_device *td, u64 bytes, struct tg_buffer **buffer)
{
	struct tg_memory *m = &td->memory;

	*buffer = NULL;
	return is_absurd(m, bytes) ? -ENOMEM : begin(m, bytes, charge_scanout, buffer);
}

void tg_buffer_born(struct tg_buffer *b, unsigned long key, u64 bytes)
{
	struct tg_vram *v = &b->m->vram;

	spin_lock(&tg_memory_lock);
	b->key = key;
	b->size = bytes;
	if (!b->spilled && bytes != b->bytes) {
		tg_vram_uncharge(v, &b->a->base, b->bytes);
		tg_vram_charge_over(v, &b->a->base, bytes);
		b->bytes = bytes;
	}
	hash_add(buffers, &b->node, key);
	spin_unlock(&tg_memory_lock);
}

static void forget_locked(struct tg_buffer *b)
{
	if (b->dying)
		tg_vram_gone(&b->m->vram, &b->a->base, b->bytes);
	else
		tg_vram_uncharge(&b->m->vram, &b->a->base, b->bytes);
	tg_memory_serve_locked(b->m);
	if (atomic_read(&nr_waiting_for_dying))
		wake_up_all(&tg_memory_waiters);
	b->a->nr_buffers--;
	tg_memory_settle_locked(b->m, b->a);
	kfree(b);
}

void tg_buffer_end(struct tg_buffer *b)
{
	if (!b)
		return;
	spin_lock(&tg_memory_lock);
	forget_locked(b);
	spin_unlock(&tg_memory_lock);
}

static struct tg_buffer *find_buffer(unsigned long key)
{
	struct tg_buffer *b;

	lockdep_assert_held(&tg_memory_lock);
	hash_for_each_possible(buffers, b, node, key)
		if (b->key == key)
			return b;
	return NULL;
}

void tg_buffer_let_go(unsigned long key)
{
	struct tg_buffer *b;

	spin_lock(&tg_memory_lock);
	b = find_buffer(key);
	if (b && !b->dying) {
		b->dying = true;
		tg_vram_let_go(&b->a->base, b->bytes);
	}
	spin_unlock(&tg_memory_lock);
}

void tg_buffer_gone(unsigned long key)
{
	struct tg_buffer *b;

	spin_lock(&tg_memory_lock);
	b = find_buffer(key);
	if (b) {
		hash_del(&b->node);
		b->m->gone_ns = ktime_get_ns();
		forget_locked(b);
	}
	spin_unlock(&tg_memory_lock);
}

/* What was spilled goes back when it fits, once; who waits with his domain has nothing. */
static void unspill_locked(struct tg_buffer *b, bool must)
{
	const struct tg_account *domain = b->a->domain;

	if (!b->spilled || b->dying || is_absurd(b->m, b->size))
		return;
	if (!must && domain && domain->base.state == TG_VRAM_WAITING)
		return;
	if (must)
		tg_vram_charge_over(&b->m->vram, &b->a->base, b->size);
	else if (charge_locked(b->m, b->a, b->size))
		return;
	b->bytes = b->size;
	b->spilled = false;
}

static unsigned int prio_of(const struct tg_account *a)
{
	if (a->foreground)
		return PRIO_FOREGROUND;
	return tg_vram_is_within(&a->base) ? PRIO_HELD : PRIO_REST;
}

bool tg_buffer_place(unsigned long key, unsigned int *prio)
{
	struct tg_buffer *b;
	bool elsewhere = false;

	spin_lock(&tg_memory_lock);
	b = find_buffer(key);
	if (b) {
		unspill_locked(b, false);
		elsewhere = b->spilled;
		*prio = prio_of(b->a);
	}
	spin_unlock(&tg_memory_lock);
	return elsewhere;
}

bool tg_buffer_is_kept(unsigned long key, bool piece)
{
	const struct tg_account *mover;
	struct tg_buffer *b;
	bool kept = false;

	spin_lock(&tg_memory_lock);
	b = tg_memory_closed ? NULL : find_buffer(key);
	if (b && tg_vram_is_within(&b->a->base)) {
		mover = tg_memory_find_locked(b->m, task_tgid(current));
		if (mover && mover->domain)
			mover = mover->domain;
		kept = mover != b->a && (piece || !mover || mover->base.state != TG_VRAM_HELD);
	}
	spin_unlock(&tg_memory_lock);
	return kept;
}

void tg_buffer_pin(unsigned long key)
{
	struct tg_buffer *b;

	spin_lock(&tg_memory_lock);
	b = find_buffer(key);
	if (b)
		unspill_locked(b, true);
	spin_unlock(&tg_memory_lock);
}

void tg_buffer_forget_all(void)
{
	struct tg_buffer *b;
	struct hlist_node *n;
	unsigned int i;

	spin_lock(&tg_memory_lock);
	hash_for_each_safe(buffers, i, n, b, node) {
		hash_del(&b->node);
		forget_locked(b);
	}
	spin_unlock(&tg_memory_lock);
}
