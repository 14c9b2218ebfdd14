// SPDX-License-Identifier: GPL-2.0-only
/* A card's memory; see tg_vram.h. */
#include "tg_vram.h"

void tg_vram_init(struct tg_vram *v, u64 size, u64 margin)
{
	memset(v, 0, sizeof(*v));
	v->size = size;
	v->margin = margin;
	INIT_LIST_HEAD(&v->queue);
	v->policy = &tg_vram_policies[TG_VRAM_FIFO];
}

static u64 less(u64 a, u64 b)
{
	return a > b ? a - b : 0;
}

/* Of the margin, for page tables of all; and of that, for a user's. */
static u64 for_all(const struct tg_vram *v)
{
	return v->margin / 2;
}

static u64 for_user(const struct tg_vram *v)
{
	return for_all(v) / 2;
}

/* Of the margin, for those who have reserved and need more than is due to them. */
static u64 for_holders(const struct tg_vram *v)
{
	return v->margin / 4;
}

static u64 margin_with(const struct tg_vram *v, u64 instance, u64 common)
{
	return v->margin - for_all(v) + v->due + max(for_all(v), common) + (instance - common);
}

u64 tg_vram_margin(const struct tg_vram *v)
{
	return margin_with(v, v->instance, v->common);
}

/*
 * The instance memory that comes with so many bytes, but for what the account has made: beside
 * tg_vram.start twice what page tables take that are full, 8 bytes for each 4 KiB.
 */
static u64 not_made(const struct tg_vram *v, const struct tg_vram_account *a, u64 held)
{
	return v->start && held ? less(v->start + held / 256, a->made) : 0;
}

u64 tg_vram_due_then(const struct tg_vram *v, const struct tg_vram_account *a, u64 held)
{
	u64 due = not_made(v, a, held);

	/* What had no room, when something was unmade, does not come by asking for less. */
	return held > a->held ? due : min(due, a->due);
}

/* By how much the margin grows then. */
static u64 growth_of_margin(const struct tg_vram *v, const struct tg_vram_account *a, u64 held)
{
	return less(tg_vram_due_then(v, a, held), a->due);
}

/* By how much the common part grows if a user has that much instead. */
static s64 growth_of_common(const struct tg_vram *v, u64 used, u64 then)
{
	return (s64)(min(then, for_user(v)) - min(used, for_user(v)));
}

bool tg_vram_may_have_instance(const struct tg_vram *v, u64 used, u64 bytes)
{
	return used + bytes <= max(v->size / 4, for_user(v));
}

/* What is not in use yet of what is reserved. */
static u64 unused(const struct tg_vram *v)
{
	return v->held + v->rest - v->charged;
}

/* All that is reserved, and what is due to others, has room besides. */
static bool is_left_of_all(const struct tg_vram *v, u64 bytes, u64 others)
{
	u64 kept = v->margin - for_all(v) - for_holders(v);

	return v->instance + bytes + others + v->held + v->older + kept <= v->size;
}

/* If all of that comes to be used, and what has no reservation is evicted for it. */
static bool is_left_by_eviction(const struct tg_vram *v, u64 bytes, u64 others, u64 card_free)
{
	return bytes <= card_free && bytes + others + unused(v) <= card_free + v->rest &&
	       is_left_of_all(v, bytes, others);
}

bool tg_vram_is_instance_left(const struct tg_vram *v, const struct tg_vram_account *a, u64 bytes,
			      u64 card_free)
{
	u64 others = v->due - (a ? a->due : 0);

	if (card_free >= TG_VRAM_MAX_BYTES)
		return is_left_of_all(v, bytes, others);
	return bytes + others + unused(v) <= card_free ||
	       is_left_by_eviction(v, bytes, others, card_free);
}

/* What is reserved, but for what eviction brings, and a little besides. */
u64 tg_vram_promised(const struct tg_vram *v)
{
	return less(unused(v) + v->due, v->rest) + for_holders(v) / 2;
}

/* What is to be free on the card when who has no reservation has made what he wants. */
static u64 to_be_left(const struct tg_vram *v)
{
	return unused(v) + v->due + for_holders(v);
}

u64 tg_vram_enough(const struct tg_vram *v)
{
	return to_be_left(v) + for_all(v);
}

static struct tg_vram_account *first(const struct tg_vram *v)
{
	if (list_empty(&v->queue))
		return NULL;
	return list_entry(v->queue.next, struct tg_vram_account, node);
}

/* Of all that wait the first has aged for longest: if he has not, nobody has. */
static bool is_aged(const struct tg_vram *v, u64 now)
{
	const struct tg_vram_account *a = first(v);

	return a && v->aging_ns && less(now, a->age_ns) >= v->aging_ns;
}

/* What buffers and reservations can have, now. */
static u64 room(const struct tg_vram *v)
{
	return less(v->size, tg_vram_margin(v) + v->older);
}

/* What it waits for, with the page tables that come with it. */
static u64 wanted_in_all(const struct tg_vram *v, const struct tg_vram_account *a)
{
	return a->wanted + growth_of_margin(v, a, a->wanted);
}

/* To be preferred to what has no reservation: if that is what it waits for, and not page tables. */
static bool is_entitled(const struct tg_vram *v, const struct tg_vram_account *a)
{
	return a->entitled && wanted_in_all(v, a) <= room(v) + v->due;
}

/* Then nobody gets anything but by a reservation. */
static bool is_owed(const struct tg_vram *v, u64 now)
{
	return is_aged(v, now) && is_entitled(v, first(v));
}

bool tg_vram_is_instance_free(const struct tg_vram *v, u64 used, u64 bytes, u64 card_free,
			      u64 now)
{
	u64 common = v->common + growth_of_common(v, used, used + bytes);
	u64 others = used + bytes > for_user(v) ? less(for_all(v), v->common) : 0;
	u64 growth = margin_with(v, v->instance + bytes, common) - tg_vram_margin(v);

	if (growth && is_owed(v, now))
		return false;
	return bytes + to_be_left(v) + others <= card_free && growth <= tg_vram_free(v);
}

void tg_vram_add_instance(struct tg_vram *v, u64 *used, u64 bytes)
{
	v->common += growth_of_common(v, *used, *used + bytes);
	v->instance += bytes;
	*used += bytes;
}

void tg_vram_sub_instance(struct tg_vram *v, u64 *used, u64 bytes)
{
	if (WARN_ON_ONCE(bytes > *used))
		bytes = *used;
	v->common += growth_of_common(v, *used, *used - bytes);
	v->instance -= bytes;
	*used -= bytes;
}

static void set_due(struct tg_vram *v, struct tg_vram_account *a, u64 due)
{
	v->due -= a->due;
	a->due = due;
	v->due += a->due;
}

void tg_vram_made(struct tg_vram *v, struct tg_vram_account *a, u64 bytes)
{
	a->made += bytes;
	set_due(v, a, min(a->due, not_made(v, a, a->held)));
}

void tg_vram_unmade(struct tg_vram *v, struct tg_vram_account *a, u64 bytes)
{
	if (WARN_ON_ONCE(bytes > a->made))
		bytes = a->made;
	a->made -= bytes;
	set_due(v, a, min(not_made(v, a, a->held), a->due + tg_vram_free(v)));
}

/* Each of them is at most 2^48 but for sums of buffers, which are real memory. */
u64 tg_vram_all(const struct tg_vram *v)
{
	return less(v->size, v->margin + v->older);
}

u64 tg_vram_usable(const struct tg_vram *v)
{
	u64 all = less(tg_vram_all(v), v->start);

	/* Of b bytes, with what is due to them: b + b / 256 = all */
	return v->start ? less(all, div_u64(all, 257) + 1) : all;
}

u64 tg_vram_free(const struct tg_vram *v)
{
	return less(room(v), v->held + v->rest);
}

/* What an account has beyond what it holds: its part of tg_vram.rest. */
static u64 excess(const struct tg_vram_account *a)
{
	return less(a->charged, a->held);
}

static void set_charged(struct tg_vram *v, struct tg_vram_account *a, u64 charged)
{
	v->rest -= excess(a);
	v->charged -= a->charged;
	a->charged = charged;
	v->charged += a->charged;
	v->rest += excess(a);
}

static void set_held(struct tg_vram *v, struct tg_vram_account *a, u64 held)
{
	set_due(v, a, tg_vram_due_then(v, a, held));
	v->rest -= excess(a);
	v->held -= a->held;
	a->held = held;
	v->held += a->held;
	v->rest += excess(a);
}

/*
 * What it has already is within what it will hold, and is not needed twice.  If nobody has
 * anything, page tables that are left of somebody, beyond their part of the margin, keep nobody
 * from what could be reserved.
 */
static bool fits(const struct tg_vram *v, const struct tg_vram_account *a, u64 bytes)
{
	u64 has = max(a->held, a->charged);

	if (!v->held && !v->rest && bytes <= tg_vram_usable(v) &&
	    is_left_of_all(v, bytes, tg_vram_due_then(v, a, bytes)))
		return true;
	return less(bytes, has) + growth_of_margin(v, a, bytes) <= tg_vram_free(v);
}

static struct tg_vram_account *if_fits(const struct tg_vram *v, struct tg_vram_account *a)
{
	return fits(v, a, a->wanted) ? a : NULL;
}

/*
 * The policies, with what section 5 says of each.
 */

/*
 * "… the first waiting client in the queue is benefited.  [It] waits until there is
 * sufficient free memory.  If memory is available, then it is preallocated to [it], and if
 * there is more free memory then the next client is served."
 */
static struct tg_vram_account *fifo_next(const struct tg_vram *v)
{
	return if_fits(v, first(v));
}

/* The first that fits, of those of priority @prio and above. */
static struct tg_vram_account *first_that_fits(const struct tg_vram *v, u8 prio)
{
	struct tg_vram_account *a;

	list_for_each_entry(a, &v->queue, node)
		if (a->prio >= prio && fits(v, a, a->wanted))
			return a;
	return NULL;
}

/*
 * "The aim of this policy is to use maximum GPU memory and hence the request of the first
 * client in the queue that can be pre-allocated memory is furnished."
 */
static struct tg_vram_account *mmu_next(const struct tg_vram *v)
{
	return first_that_fits(v, 0);
}

/* The first of those of the highest priority. */
static struct tg_vram_account *most_important(const struct tg_vram *v)
{
	struct tg_vram_account *a, *best = first(v);

	list_for_each_entry(a, &v->queue, node)
		if (a->prio > best->prio)
			best = a;
	return best;
}

/*
 * "… similar to the FIFO policy, but has a priority associated with each client …  The
 * first client with the highest priority will be served, but if there is insufficient
 * memory to serve this request or there is more memory available after serving a request,
 * then a following client with the same priority is served."  That one may be served past
 * a first who does not fit is policy 4's difference, and would make the two one: here he
 * waits and those behind him, as FIFO has it.
 */
static struct tg_vram_account *prio_fifo_next(const struct tg_vram *v)
{
	return if_fits(v, most_important(v));
}

/*
 * "… the request of the first client with the highest priority in the queue that can be
 * pre-allocated memory is furnished.  If no clients in the queue with the highest priority
 * can be attended to, then clients continue waiting …"
 */
static struct tg_vram_account *prio_mmu_next(const struct tg_vram *v)
{
	return first_that_fits(v, most_important(v)->prio);
}

const struct tg_vram_policy_ops tg_vram_policies[TG_VRAM_NR_POLICIES] = {
	[TG_VRAM_FIFO] = { .name = "fifo", .next = fifo_next },
	[TG_VRAM_MMU] = { .name = "mmu", .next = mmu_next },
	[TG_VRAM_PRIO_FIFO] = { .name = "prio-fifo", .next = prio_fifo_next },
	[TG_VRAM_PRIO_MMU] = { .name = "prio-mmu", .next = prio_mmu_next },
};

/* For the entitled what has no reservation makes room. */
static struct tg_vram_account *aged_if_fits(const struct tg_vram *v)
{
	struct tg_vram_account *a = first(v);

	if (is_entitled(v, a) && wanted_in_all(v, a) <= less(room(v), v->held))
		return a;
	return if_fits(v, a);
}

/* Who has been preferred for long enough without a right to it; each once at most. */
static void pass_on(struct tg_vram *v, u64 now)
{
	struct tg_vram_account *a;

	while (is_aged(v, now) && !is_entitled(v, first(v))) {
		a = first(v);
		if (now - a->age_ns < 2 * v->aging_ns || if_fits(v, a))
			break;
		list_del_init(&a->node);
		list_add_tail(&a->node, &v->queue);
		a->age_ns = now;
	}
}

static struct tg_vram_account *whose_turn(struct tg_vram *v, u64 now)
{
	if (list_empty(&v->queue))
		return NULL;
	pass_on(v, now);
	return is_aged(v, now) ? aged_if_fits(v) : v->policy->next(v);
}

static void dequeue(struct tg_vram *v, struct tg_vram_account *a)
{
	list_del_init(&a->node);
	v->nr_waiting--;
	a->wanted = 0;
	a->state = TG_VRAM_NONE;
}

static void grant(struct tg_vram *v, struct tg_vram_account *a, u64 bytes, u64 now)
{
	set_held(v, a, bytes);
	a->state = TG_VRAM_HELD;
	a->since_ns = now;
	v->granted++;
}

struct tg_vram_account *tg_vram_next(struct tg_vram *v, u64 now)
{
	struct tg_vram_account *a = whose_turn(v, now), *before;
	u64 bytes;

	if (!a)
		return NULL;
	list_for_each_entry(before, &v->queue, node) {
		if (before == a)
			break;
		before->nr_passed++;
	}
	bytes = a->wanted;
	a->waited_ns = less(now, a->since_ns);
	dequeue(v, a);
	grant(v, a, bytes, now);
	return a;
}

static void enqueue(struct tg_vram *v, struct tg_vram_account *a, u64 bytes, u64 now)
{
	list_add_tail(&a->node, &v->queue);
	v->nr_waiting++;
	a->state = TG_VRAM_WAITING;
	a->wanted = bytes;
	a->since_ns = now;
	a->age_ns = now;
	a->waited_ns = 0;
	a->nr_passed = 0;
}

/* Who has something does not pass those who have nothing. */
static int change(struct tg_vram *v, struct tg_vram_account *a, u64 bytes, bool wait)
{
	if (bytes > a->held && (v->nr_waiting || !fits(v, a, bytes))) {
		v->deadlocks += wait;
		return wait ? -EDEADLK : -EAGAIN;
	}
	set_held(v, a, bytes);
	return 0;
}

int tg_vram_ask(struct tg_vram *v, struct tg_vram_account *a, u64 bytes, bool wait,
		u64 now)
{
	if (a->state == TG_VRAM_WAITING)
		return -EALREADY;
	if (bytes < tg_vram_owns(a))
		return -EBUSY;
	if (bytes > tg_vram_usable(v))
		return -ENOSPC;
	if (a->state == TG_VRAM_HELD)
		return change(v, a, bytes, wait);
	enqueue(v, a, bytes, now);
	if (whose_turn(v, now) == a) {
		tg_vram_next(v, now);
		return 0;
	}
	if (wait && !tg_vram_owns(a))
		return -EINPROGRESS;
	dequeue(v, a);
	v->deadlocks += wait;
	return wait ? -EDEADLK : -EAGAIN;
}

void tg_vram_leave(struct tg_vram *v, struct tg_vram_account *a)
{
	if (a->state == TG_VRAM_WAITING)
		dequeue(v, a);
	set_held(v, a, 0);
	a->state = TG_VRAM_NONE;
}

/* By how much rest grows.  More than nothing within a reservation for what is dying alone. */
static u64 growth(const struct tg_vram_account *a, u64 bytes)
{
	return less(a->charged + bytes, a->held) - excess(a);
}

/*
 * What it has let go of is in memory until the GPU has done with it: without an end its
 * owner could fill what is reserved for others, letting go and making anew.
 */
static int check_room(const struct tg_vram *v, const struct tg_vram_account *a, u64 bytes,
		      u64 now)
{
	if (a->state != TG_VRAM_HELD)
		return bytes <= tg_vram_free(v) && !is_owed(v, now) ? 0 : -ENOMEM;
	if (bytes > less(a->held, tg_vram_owns(a)))
		return -ENOMEM;
	return growth(a, bytes) <= tg_vram_free(v) ? 0 : -EAGAIN;
}

int tg_vram_charge(struct tg_vram *v, struct tg_vram_account *a, u64 bytes, u64 now)
{
	int ret;

	if (a->state == TG_VRAM_WAITING)
		return -EBUSY;
	ret = check_room(v, a, bytes, now);
	v->refused += ret == -ENOMEM;
	if (!ret)
		set_charged(v, a, a->charged + bytes);
	return ret;
}

int tg_vram_charge_scanout(struct tg_vram *v, struct tg_vram_account *a, u64 bytes)
{
	u64 taken = v->instance + v->due + v->older + v->held + v->rest;

	if (a->state == TG_VRAM_WAITING || growth(a, bytes) > less(v->size, taken)) {
		v->refused++;
		return -ENOMEM;
	}
	set_charged(v, a, a->charged + bytes);
	return 0;
}

void tg_vram_charge_over(struct tg_vram *v, struct tg_vram_account *a, u64 bytes)
{
	set_charged(v, a, a->charged + bytes);
}

void tg_vram_uncharge(struct tg_vram *v, struct tg_vram_account *a, u64 bytes)
{
	if (WARN_ON_ONCE(bytes > a->charged))
		bytes = a->charged;
	set_charged(v, a, a->charged - bytes);
}

void tg_vram_let_go(struct tg_vram_account *a, u64 bytes)
{
	a->dying += bytes;
}

void tg_vram_gone(struct tg_vram *v, struct tg_vram_account *a, u64 bytes)
{
	a->dying -= min(bytes, a->dying);
	tg_vram_uncharge(v, a, bytes);
}

enum tg_vram_why tg_vram_why(const struct tg_vram *v, const struct tg_vram_account *a,
			     u64 now)
{
	if (a->state != TG_VRAM_WAITING)
		return TG_VRAM_WHY_NOT;
	if (is_aged(v, now) && a != first(v))
		return TG_VRAM_WHY_AGED;
	return fits(v, a, a->wanted) ? TG_VRAM_WHY_TURN : TG_VRAM_WHY_ROOM;
}
