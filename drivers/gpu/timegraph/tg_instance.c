// SPDX-License-Identifier: GPL-2.0-only
/* Page tables, and contexts of channels; see tg_instance.h. */
#include <linux/hash.h>
#include <linux/hashtable.h>
#include <linux/list.h>
#include <linux/pid.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>

#include "tg_device.h"
#include "tg_instance.h"
#include "tg_memory.h"
#include "tg_process.h"

/**
 * struct instance - a piece of it
 * @node: in the table
 * @key: nouveau's pointer, a number only
 * @m: whose memory
 * @made: how large it is, and whose
 * @user: who caused it, see user_of()
 */
struct instance {
	struct hlist_node node;
	unsigned long key;
	struct tg_memory *m;
	struct tg_made made;
	u32 user;
};

static DEFINE_HASHTABLE(instances, 10);

/**
 * struct birth - a piece that is being made
 * @task: by whom, a number only; NULL: the place is free
 * @m: whose memory
 * @holder: whose reservation it is for, or NULL; a number only
 * @due: it is of what is due to that
 * @user: see user_of()
 * @bytes: of it
 * @since_ns: when it began; long ago: it was not made, for there was no memory
 */
struct birth {
	const struct task_struct *task;
	struct tg_memory *m;
	const struct tg_vram_account *holder;
	bool due;
	u32 user;
	u64 bytes;
	u64 since_ns;
};

#define BIRTH_MAX_NS NSEC_PER_SEC

static struct birth births[64];

static u32 user_of(kuid_t uid)
{
	return hash_32(__kuid_val(uid), TG_MEMORY_USER_BITS);
}

static struct birth *birth_of_caller(void)
{
	lockdep_assert_held(&tg_memory_lock);
	for (unsigned int i = 0; i < ARRAY_SIZE(births); i++)
		if (births[i].task == current)
			return &births[i];
	return NULL;
}

/**
 * struct besides - what is being made besides
 * @bytes: of it, but what is of others' dues
 * @of_user: of the same user's
 */
struct besides {
	u64 bytes;
	u64 of_user;
};

/* @b may have begun a moment after @mine: the time is taken before the lock. */
static bool is_over(const struct birth *b, const struct birth *mine)
{
	return b->task == current || (s64)(mine->since_ns - b->since_ns) > (s64)BIRTH_MAX_NS;
}

/* A free place, or NULL; and what is being made besides @mine. */
static struct birth *take_place(const struct birth *mine, struct besides *besides)
{
	struct birth *place = NULL, *b;

	lockdep_assert_held(&tg_memory_lock);
	for (unsigned int i = 0; i < ARRAY_SIZE(births); i++) {
		b = &births[i];
		if (b->task && is_over(b, mine))
			b->task = NULL;
		if (!b->task) {
			place = b;
			continue;
		}
		if (b->m != mine->m)
			continue;
		if (!b->due || b->holder == mine->holder)
			besides->bytes += b->bytes;
		if (b->user == mine->user)
			besides->of_user += b->bytes;
	}
	return place;
}

/* Whose reservation the caller's are for, or NULL: his, or his domain's. */
static struct tg_vram_account *holder(struct tg_memory *m)
{
	struct tg_account *a = tg_memory_find_locked(m, task_tgid(current));

	if (a && a->base.state != TG_VRAM_HELD)
		a = a->domain;
	return a && a->base.state == TG_VRAM_HELD ? &a->base : NULL;
}

/* The kernel's own threads act for anybody. */
static bool may_have_any(void)
{
	return tg_memory_closed || (current->flags & PF_KTHREAD);
}

/* root has no limit, and nobody has before the card is known; nor for what is due to him. */
static bool is_within_limit(const struct birth *b, kuid_t payer, u64 of_user)
{
	return b->due || uid_eq(payer, GLOBAL_ROOT_UID) || !b->m->vram.size ||
	       tg_vram_may_have_instance(&b->m->vram, b->m->instance_of[b->user],
					 of_user + b->bytes);
}

/* Who has reserved is to be able to use it, but not at the cost of others who have. */
static bool is_room(const struct birth *b, bool scanout, u64 besides, u64 free)
{
	const struct tg_vram *v = &b->m->vram;

	if (tg_memory_is_unlimited(b->m))
		return true;
	if (b->holder || scanout)
		return tg_vram_is_instance_left(v, b->holder, besides + b->bytes, free);
	return tg_vram_is_instance_free(v, b->m->instance_of[b->user], besides + b->bytes, free,
					b->since_ns);
}

u64 tg_instance_enough(struct tg_device *td)
{
	u64 enough;

	spin_lock(&tg_memory_lock);
	enough = tg_vram_enough(&td->memory.vram);
	spin_unlock(&tg_memory_lock);
	return enough;
}

bool tg_instance_begin(struct tg_device *td, u64 bytes, bool scanout, u64 free)
{
	kuid_t payer = tg_process_caller_payer();
	struct besides besides = { };
	struct birth *place, b = {
		.task = current,
		.m = &td->memory,
		.user = user_of(payer),
		.bytes = bytes,
		.since_ns = ktime_get_ns(),
	};
	bool may;

	spin_lock(&tg_memory_lock);
	b.holder = holder(b.m);
	place = take_place(&b, &besides);
	b.due = b.holder && besides.bytes + bytes <= b.holder->due;
	may = may_have_any() || (place && is_within_limit(&b, payer, besides.of_user) &&
				 is_room(&b, scanout, besides.bytes, free));
	if (place && may)
		*place = b;
	spin_unlock(&tg_memory_lock);
	return may;
}

/* The calling thread's process has it, and its domain. */
static void note_made_locked(struct tg_memory *m, struct tg_made *made)
{
	struct tg_account *a = tg_memory_find_locked(m, task_tgid(current));

	INIT_LIST_HEAD(&made->node);
	made->a = a;
	if (!a)
		return;
	list_add(&made->node, &a->made);
	tg_vram_made(&m->vram, &a->base, made->bytes);
	if (a->domain)
		tg_vram_made(&m->vram, &a->domain->base, made->bytes);
}

static void note_unmade_locked(struct tg_memory *m, struct tg_made *made)
{
	struct tg_account *a = made->a;

	lockdep_assert_held(&tg_memory_lock);
	list_del(&made->node);
	if (!a)
		return;
	tg_vram_unmade(&m->vram, &a->base, made->bytes);
	if (a->domain)
		tg_vram_unmade(&m->vram, &a->domain->base, made->bytes);
}

static void add_locked(struct instance *in, const struct birth *birth, unsigned long key)
{
	struct tg_memory *m = birth->m;

	lockdep_assert_held(&tg_memory_lock);
	in->key = key;
	in->m = m;
	in->made.bytes = birth->bytes;
	in->user = birth->user;
	hash_add(instances, &in->node, key);
	note_made_locked(m, &in->made);
	tg_vram_add_instance(&m->vram, &m->instance_of[in->user], birth->bytes);
	/* What was due may be out of the part that all have. */
	tg_memory_serve_locked(m);
}

void tg_instance_born(unsigned long key)
{
	struct instance *in = kzalloc(sizeof(*in), GFP_NOWAIT | __GFP_NOWARN);
	struct birth *birth;

	spin_lock(&tg_memory_lock);
	birth = birth_of_caller();
	if (birth && in) {
		add_locked(in, birth, key);
		in = NULL;
	}
	if (birth)
		birth->task = NULL;
	spin_unlock(&tg_memory_lock);
	kfree(in);
}

static void forget_locked(struct instance *in)
{
	lockdep_assert_held(&tg_memory_lock);
	hash_del(&in->node);
	tg_vram_sub_instance(&in->m->vram, &in->m->instance_of[in->user], in->made.bytes);
	note_unmade_locked(in->m, &in->made);
	tg_memory_serve_locked(in->m);
	kfree(in);
}

void tg_instance_gone(unsigned long key)
{
	struct hlist_node *n;
	struct instance *in;

	spin_lock(&tg_memory_lock);
	hash_for_each_possible_safe(instances, in, n, node, key)
		if (in->key == key)
			forget_locked(in);
	spin_unlock(&tg_memory_lock);
}

void tg_instance_forget(const struct tg_memory *m)
{
	struct hlist_node *n;
	struct instance *in;
	unsigned int i;

	spin_lock(&tg_memory_lock);
	hash_for_each_safe(instances, i, n, in, node)
		if (!m || in->m == m)
			forget_locked(in);
	for (i = 0; i < ARRAY_SIZE(births); i++)
		if (!m || births[i].m == m)
			births[i].task = NULL;
	spin_unlock(&tg_memory_lock);
}
