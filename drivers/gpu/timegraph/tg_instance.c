// SPDX-License-Identifier: GPL-2.0-only
/* Page tables, and contexts of channels; see tg_instance.h. */
#include <linux/hash.h>
#include <linux/hashtable.h>
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
 * @bytes: of it
 * @user: who caused it, see user_of()
 */
struct instance {
	struct hlist_node node;
	unsigned long key;
	struct tg_memory *m;
	u64 bytes;
	u32 user;
};

static DEFINE_HASHTABLE(instances, 10);

/**
 * struct birth - a piece that is being made
 * @task: by whom, a number only; NULL: the place is free
 * @m: whose memory
 * @bytes: of it
 * @since_ns: when it began; long ago: it was not made, for there was no memory
 */
struct birth {
	const struct task_struct *task;
	struct tg_memory *m;
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

/* A free place, or NULL; and what is being made besides. */
static struct birth *take_place(const struct tg_memory *m, u64 now, u64 *sum)
{
	struct birth *place = NULL, *b;

	lockdep_assert_held(&tg_memory_lock);
	*sum = 0;
	for (unsigned int i = 0; i < ARRAY_SIZE(births); i++) {
		b = &births[i];
		if (b->task && (b->task == current || now - b->since_ns > BIRTH_MAX_NS))
			b->task = NULL;
		if (!b->task)
			place = b;
		else if (b->m == m)
			*sum += b->bytes;
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

/* root has no limit, and nobody has before the card is known. */
static bool is_within_limit(const struct tg_memory *m, kuid_t payer, u64 used, u64 bytes)
{
	return uid_eq(payer, GLOBAL_ROOT_UID) || !m->vram.size ||
	       tg_vram_may_have_instance(&m->vram, used, bytes);
}

/* Who has reserved is to be able to use it, but not at the cost of others who have. */
static bool is_room(struct tg_memory *m, u64 used, u64 bytes, u64 free)
{
	const struct tg_vram_account *a = holder(m);

	if (tg_memory_is_unlimited(m))
		return true;
	if (a)
		return tg_vram_is_instance_left(&m->vram, a, bytes, free);
	return tg_vram_is_instance_free(&m->vram, used, bytes, free);
}

u64 tg_instance_enough(struct tg_device *td)
{
	u64 enough;

	spin_lock(&tg_memory_lock);
	enough = tg_vram_enough(&td->memory.vram);
	spin_unlock(&tg_memory_lock);
	return enough;
}

bool tg_instance_begin(struct tg_device *td, u64 bytes, u64 free)
{
	struct tg_memory *m = &td->memory;
	kuid_t payer = tg_process_caller_payer();
	u64 now = ktime_get_ns(), others, used;
	struct birth *place;
	bool may;

	spin_lock(&tg_memory_lock);
	place = take_place(m, now, &others);
	used = m->instance_of[user_of(payer)];
	may = may_have_any() ||
	      (place && is_within_limit(m, payer, used, others + bytes) &&
	       is_room(m, used, others + bytes, free));
	if (place && may)
		*place = (struct birth){ current, m, bytes, now };
	spin_unlock(&tg_memory_lock);
	return may;
}

void tg_instance_born(unsigned long key)
{
	struct instance *in = kzalloc(sizeof(*in), GFP_NOWAIT | __GFP_NOWARN);
	u32 user = user_of(tg_process_caller_payer());
	struct birth *birth;

	spin_lock(&tg_memory_lock);
	birth = birth_of_caller();
	if (birth && in) {
		in->key = key;
		in->m = birth->m;
		in->bytes = birth->bytes;
		in->user = user;
		hash_add(instances, &in->node, key);
		tg_vram_add_instance(&in->m->vram, &in->m->instance_of[user], holder(in->m),
				     in->bytes);
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
	tg_vram_sub_instance(&in->m->vram, &in->m->instance_of[in->user], in->bytes);
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
