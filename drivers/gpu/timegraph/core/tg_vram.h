/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A card's memory: who has reserved how much of it, who waits for it, and what each has
 * (schedGPU: Reaño, Silla, Nikolopoulos, Varghese, TPDS 2018; sections 3 to 5).
 *
 *	size = margin + older + held + rest + free
 *
 *	margin	for the kernel, page tables and contexts of channels, and what is scanned out
 *	older	buffers that nobody is known for
 *	held	what is reserved, used or not
 *	rest	what accounts have beyond what they hold, or without a reservation
 *
 * An account's buffers are charged to it, within what it holds first.  Within that a
 * charge never fails, since nobody else is let into it; but what it has let go of counts
 * beside it until the GPU has done with that, so it may have to wait for its own work.
 *
 *	        ask, it fits
 *	NONE ------------------> HELD	leave: back to NONE, the charges stay, as rest
 *	  \  ask            next  ^
 *	   `---------> WAITING --'	leave: back to NONE
 *
 * No deadlock: a reservation is taken whole, and who waits for one has nothing, neither
 * held nor charged; who has something and would have to wait is refused (-EDEADLK).  So
 * nobody who waits is waited for (hold-and-wait of Coffman's four conditions is missing).
 * The paper ends such waits by time-outs.
 *
 * Nobody waits for ever, unless @aging_ns is 0, as in the paper: who came first of all
 * that wait and has done so for @aging_ns is served next, whatever the policy; until then
 * no other is.  If the administrator's word stands behind him (@entitled), then what has no
 * reservation does not grow either, and does not count: it has to make room, as it is
 * evicted first.  So he waits for reservations alone, of which none is given meanwhile;
 * but if page tables leave him no room, which cannot be evicted, he is as anybody else.
 * Anybody else could hold up all others that way, waiting for what he has himself by
 * another process: he is preferred for another @aging_ns, and then is the last.
 *
 * Page tables and contexts of channels are of the card's memory, too ("instance memory"), but no
 * buffers, and cannot be moved. Half of the margin is for them; a user has half of that, and what
 * all have beyond it lets the margin grow, by what is free. A quarter is for what is older and
 * what is scanned out, the last for those who have reserved. What the first page tables and
 * contexts take comes with a reservation (@due) as long as they are not made: the margin grows by
 * it, or the reservation has to wait.
 *
 * No call takes longer for what others hold; next and ask look at each waiter once.
 */
#ifndef TG_VRAM_H
#define TG_VRAM_H

#include "tg_port.h"

/* No card has as much, and no sum of such numbers of buffers overflows. */
#define TG_VRAM_MAX_BYTES (1ULL << 48)

enum tg_vram_policy_id {
	TG_VRAM_FIFO,
	TG_VRAM_MMU,
	TG_VRAM_PRIO_FIFO,
	TG_VRAM_PRIO_MMU,
	TG_VRAM_NR_POLICIES,
};

enum tg_vram_state {
	TG_VRAM_NONE,
	TG_VRAM_WAITING,
	TG_VRAM_HELD,
};

/**
 * enum tg_vram_why - why an account waits
 * @TG_VRAM_WHY_NOT: it does not
 * @TG_VRAM_WHY_ROOM: what it asks for is not free
 * @TG_VRAM_WHY_TURN: another is before it by the policy
 * @TG_VRAM_WHY_AGED: another has waited for too long
 */
enum tg_vram_why {
	TG_VRAM_WHY_NOT,
	TG_VRAM_WHY_ROOM,
	TG_VRAM_WHY_TURN,
	TG_VRAM_WHY_AGED,
};

/**
 * struct tg_vram_account - whose buffers and reservation these are
 * @node: in tg_vram.queue while it waits
 * @state: see above
 * @prio: the higher, the more important; of the priority policies
 * @entitled: see above
 * @wanted: bytes it waits for
 * @held: bytes it has reserved
 * @charged: bytes of its buffers
 * @dying: of them, of those that it has let go and that the GPU still uses
 * @made: bytes of instance memory that its threads, or its members', had made
 * @due: bytes of it that come with what it holds, and are not made yet
 * @since_ns: when it came to wait, or got what it holds
 * @waited_ns: how long it had waited then
 * @age_ns: since when it ages: @since_ns, or when it became the last
 * @nr_passed: of those that came later so many were served before it
 *
 * To be filled with 0; @prio and @entitled are written by the owner while it does not wait.
 */
struct tg_vram_account {
	struct list_head node;
	enum tg_vram_state state;
	u8 prio;
	bool entitled;
	u64 wanted;
	u64 held;
	u64 charged;
	u64 dying;
	u64 made;
	u64 due;
	u64 since_ns;
	u64 waited_ns;
	u64 age_ns;
	u32 nr_passed;
};

struct tg_vram;

/**
 * struct tg_vram_policy_ops - who of those that wait is served (section 5)
 * @name: for people and commands
 * @next: whom, of a queue that is not empty; NULL if nobody yet.  Callers:
 *	tg_vram_next(), tg_vram_ask().  Must return one that fits
 */
struct tg_vram_policy_ops {
	const char *name;
	struct tg_vram_account *(*next)(const struct tg_vram *v);
};

extern const struct tg_vram_policy_ops tg_vram_policies[TG_VRAM_NR_POLICIES];

/**
 * struct tg_vram - a card
 * @size: bytes of it
 * @margin: the least that it is, see above; may be more than @size
 * @start: bytes of instance memory that come with every reservation, beside a part of it
 *	that tg_vram_due_then() tells; 0: none comes with any.  Set once
 * @instance: bytes of page tables, contexts and the like
 * @common: of them, those that are within what each user has of the margin
 * @older: see above; may change at any time
 * @held: sum over the accounts
 * @rest: likewise
 * @charged: likewise
 * @due: likewise
 * @queue: accounts that wait, in the order in which they came, or became the last
 * @nr_waiting: of them
 * @policy: who is served
 * @aging_ns: see above; 0: nobody is preferred for having waited
 * @granted: reservations so far
 * @refused: charges so far that were refused.  Rises when programs want more memory than
 *	they reserved, or than others left
 * @deadlocks: asked for so far by who would have had to give something back
 *
 * The caller serialises all calls.
 */
struct tg_vram {
	u64 size;
	u64 margin;
	u64 start;
	u64 instance;
	u64 common;
	u64 older;
	u64 held;
	u64 rest;
	u64 charged;
	u64 due;
	struct list_head queue;
	u32 nr_waiting;
	const struct tg_vram_policy_ops *policy;
	u64 aging_ns;
	u64 granted;
	u64 refused;
	u64 deadlocks;
};

/**
 * tg_vram_init - a card without reservations
 * @size: up to TG_VRAM_MAX_BYTES
 * @margin: up to that
 */
void tg_vram_init(struct tg_vram *v, u64 size, u64 margin);

/** tg_vram_margin - see above, as large as it is now */
u64 tg_vram_margin(const struct tg_vram *v);

/**
 * TG_VRAM_START - what a program's first file and channel take, on Tesla
 *
 * On a G92, by the sizes that nvkm_instobj_new() is called with: 1 MiB, a table of small pages for
 * 512 MiB of addresses; 64 KiB, one of large pages; then 64 KiB for each channel, and 410 KiB
 * for each that has objects of the graphics engine, its context.
 */
#define TG_VRAM_START (2ULL << 20)

/**
 * tg_vram_due_then - the instance memory that is due to an account if it comes to hold @held
 *
 * tg_vram.start and a 256th of @held.  What it has made already is not: who opens channels and
 * then reserves needs no more.
 */
u64 tg_vram_due_then(const struct tg_vram *v, const struct tg_vram_account *a, u64 held);

/**
 * tg_vram_may_have_instance - whether a user may have more, also if nobody has reserved
 *
 * A quarter of the card: it cannot be moved, and who is to have memory would wait for it.
 */
bool tg_vram_may_have_instance(const struct tg_vram *v, u64 used, u64 bytes);

/**
 * tg_vram_is_instance_free - whether somebody without a reservation may have more
 * @bytes: of instance memory
 * @used: what his user has
 * @card_free: what is free on the card itself, which knows of all that is not accounted for: that
 *	or more than tg_vram_enough(); TG_VRAM_MAX_BYTES: that is not known
 */
bool tg_vram_is_instance_free(const struct tg_vram *v, u64 used, u64 bytes, u64 card_free,
			      u64 now);

/**
 * tg_vram_is_instance_left - the same, of who has one: what is reserved and not in use is left, or
 * what is without a reservation can be evicted for it
 * @a: his; what is due to it is there, for the accounts.  NULL: it is for what is scanned out,
 *	to which all of the margin is open
 */
bool tg_vram_is_instance_left(const struct tg_vram *v, const struct tg_vram_account *a, u64 bytes,
			      u64 card_free);

/** tg_vram_promised - what is to be free on the card, without evicting, for what the accounts say */
u64 tg_vram_promised(const struct tg_vram *v);

/** tg_vram_enough - if so much is free beside what somebody wants the accounts alone decide */
u64 tg_vram_enough(const struct tg_vram *v);

/**
 * tg_vram_add_instance - somebody has more, or less
 * @used: what his user has, which changes
 * @bytes: how much more; or less, and no more than that
 */
void tg_vram_add_instance(struct tg_vram *v, u64 *used, u64 bytes);
void tg_vram_sub_instance(struct tg_vram *v, u64 *used, u64 bytes);

/**
 * tg_vram_made - instance memory is made for an account, before tg_vram_add_instance(); or it has
 * come to be its member's
 */
void tg_vram_made(struct tg_vram *v, struct tg_vram_account *a, u64 bytes);

/**
 * tg_vram_unmade - the same has gone, after tg_vram_sub_instance()
 *
 * It is due again, as far as it is free.
 */
void tg_vram_unmade(struct tg_vram *v, struct tg_vram_account *a, u64 bytes);

/** tg_vram_all - what buffers and reservations, with what is due, can have together */
u64 tg_vram_all(const struct tg_vram *v);

/** tg_vram_usable - what could be reserved if nobody had anything */
u64 tg_vram_usable(const struct tg_vram *v);

/** tg_vram_free - what is neither reserved nor used */
u64 tg_vram_free(const struct tg_vram *v);

/**
 * tg_vram_ask - reserve
 * @a: an account that does not wait
 * @bytes: all that it is to hold from then on, more than 0
 * @wait: it waits if it must
 *
 * Who holds something may have less at once, but no less than it is charged for; and
 * more if that fits and nobody waits.  After it tg_vram_next() may have somebody.
 *
 * Return: 0: it holds that; -EINPROGRESS: it waits; -EAGAIN: it would have to, and is
 * not to; -EDEADLK: it would have to, but has something; -ENOSPC: the card never has as
 * much; -EBUSY: it is charged for more; -EALREADY: it waits.
 */
int tg_vram_ask(struct tg_vram *v, struct tg_vram_account *a, u64 bytes, bool wait,
		u64 now);

/**
 * tg_vram_leave - give back what it holds, or wait no more; what it is charged for stays
 *
 * After it tg_vram_next() may have somebody.
 */
void tg_vram_leave(struct tg_vram *v, struct tg_vram_account *a);

/** tg_vram_owns - bytes of the buffers that it has not let go of: others may wait for those */
static inline u64 tg_vram_owns(const struct tg_vram_account *a)
{
	return a->charged - a->dying;
}

/** tg_vram_is_within - it has a reservation, and no more than that */
static inline bool tg_vram_is_within(const struct tg_vram_account *a)
{
	return a->held && tg_vram_owns(a) <= a->held;
}

/** tg_vram_next - serve one more of those that wait; NULL if there is none to be served */
struct tg_vram_account *tg_vram_next(struct tg_vram *v, u64 now);

/**
 * tg_vram_charge - the account gets a buffer
 * @bytes: any
 *
 * Return: 0; -ENOMEM: beyond what it holds, or, without a reservation, beyond what is
 * free, or one that has waited for too long is to have it; -EBUSY: it waits for its
 * reservation; -EAGAIN: within what it holds, but what it has let go of is still there, and
 * no room for both.
 */
int tg_vram_charge(struct tg_vram *v, struct tg_vram_account *a, u64 bytes, u64 now);

/**
 * tg_vram_charge_scanout - the account gets a buffer that is to be scanned out
 *
 * As tg_vram_charge(), but the margin is there for it, and nobody else who waits keeps it
 * away.  Return: 0; -ENOMEM, also if the account waits: it would have something then.
 */
int tg_vram_charge_scanout(struct tg_vram *v, struct tg_vram_account *a, u64 bytes);

/** tg_vram_charge_over - it has one already, whether there was room or not */
void tg_vram_charge_over(struct tg_vram *v, struct tg_vram_account *a, u64 bytes);

/**
 * tg_vram_uncharge - it has lost one
 * @bytes: what it was charged with
 *
 * After it tg_vram_next() may have somebody.
 */
void tg_vram_uncharge(struct tg_vram *v, struct tg_vram_account *a, u64 bytes);

/**
 * tg_vram_let_go - it has let go of a buffer, which the GPU may still use
 *
 * Whoever gives back may have as much anew at once: TTM waits for the other's end.
 */
void tg_vram_let_go(struct tg_vram_account *a, u64 bytes);

/** tg_vram_gone - tg_vram_uncharge() for one that it has let go */
void tg_vram_gone(struct tg_vram *v, struct tg_vram_account *a, u64 bytes);

/** tg_vram_why - why an account is not served */
enum tg_vram_why tg_vram_why(const struct tg_vram *v, const struct tg_vram_account *a,
			     u64 now);

#endif
