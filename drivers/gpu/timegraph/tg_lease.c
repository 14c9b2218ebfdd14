// SPDX-License-Identifier: GPL-2.0-only
/*
 * A turn is lent: between it and the ring lies what user space can draw out at will
 * (copies from memory that it serves itself, eviction, a CPU that it leaves to others).
 * Meanwhile the GPU idles, and who waits loses that time.  What is measured is that time
 * alone: others wait, and the GPU has nothing.  These rules bound it:
 *
 *   For how long turns are held.  Each may be for a brief time; beyond that they share
 *	what a whole one is, lease_us, and a part of the time.  Who had his turn for longer
 *	than is left has lost it: it lapsed.
 *   How often they lapse.  Who let one lapse lately is a suspect, and so is a new task of
 *	a user of whom one did, until it has used TURNS_PROVE.  What lapsed turns of suspects
 *	cost is bounded, too: LAPSED_FREE brief ones, and a part of the time.  Beyond that
 *	they wait, if others do.  It is counted when the turn begins, and taken back after it.
 *   What comes late.  A thread whose turn lapsed cannot be called back: it hands its group
 *	over when it does, as without the module.  If that is beside somebody more
 *	important, its time counts as that of lapsed turns.
 *   And for whom the GPU idles, he pays, see tg_group.kept_ns.
 *   Whom these bounds limit, and by how much, is in tg_lost.c.
 *
 * Who is more important than all who wait is let alone.  So whom others keep from the CPU, or
 * whose memory is moved, runs as he would without the module, when there is much of that;
 * and nobody gains by holding a turn.
 */
#include <linux/ktime.h>
#include <linux/math64.h>

#include "tg_dev_group.h"
#include "tg_device.h"
#include "tg_lease.h"
#include "tg_lost.h"
#include "tg_params.h"

#define LAPSED_FREE 20
/* Of a whole turn. */
#define BRIEF_SHARE 40
#define BRIEF_MIN_NS (100ull * NSEC_PER_USEC)
/* So many used, one after the other, and one is no suspect any more. */
#define TURNS_PROVE 4
/* So many groups of a suspect wait for their turns at once. */
#define QUEUED_MAX 4
/* After a turn lapsed so long somebody is taken to be there whom another would cost it. */
#define MET_NS (20ull * NSEC_PER_MSEC)

static u64 brief_ns(void)
{
	u64 whole = tg_lost_whole_ns();

	return min(whole, max(whole / BRIEF_SHARE, BRIEF_MIN_NS));
}

/* Others than @task wait for it, as important as that or more. */
static bool others_wait_locked(const struct tg_device *td, const struct tg_task *task)
{
	const struct tg_group *best = tg_sched_best(&td->sched);

	lockdep_assert_held(&td->lock);
	if (!best || best->level < tg_task_level(task))
		return false;
	return best->task != task || td->sched.nr_queued[best->level] > task->nr_waiting;
}

/* The same, whoever they are. */
static bool any_waits_locked(const struct tg_device *td, const struct tg_task *task)
{
	const struct tg_group *best = tg_sched_best(&td->sched);

	lockdep_assert_held(&td->lock);
	return best && (best->task != task || td->sched.nr_waiting > task->nr_waiting);
}

/* How long the GPU has idled for turns, so far. */
static u64 idle_ns(const struct tg_device *td, u64 now)
{
	const struct tg_lost_turns *lost = &td->lost;

	return lost->idle_ns + (lost->since_ns && now > lost->since_ns ? now - lost->since_ns : 0);
}

/* For how long it may idle for one. */
static u64 lease_locked(struct tg_device *td, const struct tg_dev_group *dg, u64 now)
{
	u64 whole = tg_lost_whole_ns();
	u64 held = tg_lost_ns_locked(td, dg->turns->user, TG_LOSS_HELD, now);

	lockdep_assert_held(&td->lock);
	if (!others_wait_locked(td, dg->group.task))
		return whole;
	return brief_ns() + min(whole - brief_ns(), whole - min(held, whole));
}

/* How much of that is left, while others wait and the GPU has nothing. */
static u64 left_locked(struct tg_device *td, const struct tg_dev_group *dg, u64 now)
{
	u64 used = idle_ns(td, now) - dg->idle_ns, lease = lease_locked(td, dg, now);

	return lease > used ? lease - used : 0;
}

void tg_lease_look_locked(struct tg_device *td, u64 now)
{
	struct tg_lost_turns *lost = &td->lost;
	u64 left = U64_MAX;
	struct tg_group *g;

	lockdep_assert_held(&td->lock);
	lost->idle_ns = idle_ns(td, now);
	lost->since_ns = 0;
	lost->look_ns = 0;
	if (!td->sched.nr_waiting)
		return;
	tg_sched_for_each_online(g, &td->sched) {
		const struct tg_dev_group *dg = to_dev_group(g);

		/* The GPU has that one. */
		if (!dg->lent)
			return;
		if (any_waits_locked(td, g->task))
			left = min(left, left_locked(td, dg, now));
	}
	if (left == U64_MAX)
		return;
	lost->since_ns = now;
	lost->look_ns = now + left;
}

/* It has a reserve, which was admitted. */
static bool is_reserved_locked(struct tg_device *td, const struct tg_task *task)
{
	const struct tg_reserve *r = tg_task_reserve(&td->sched, task);

	lockdep_assert_held(&td->lock);
	return r && r == task->reserve && !tg_reserve_is_all(r);
}

void tg_lease_asked_locked(struct tg_device *td, struct tg_dev_group *dg, u64 now)
{
	const struct tg_task *task = dg->group.task;

	lockdep_assert_held(&td->lock);
	/* The lowest level but one is that of the foreground. */
	if (is_reserved_locked(td, task) || tg_task_own_level(task) > 1)
		dg->turns->user->promised_ns = now;
}

static bool is_suspect_locked(struct tg_device *td, const struct tg_turns *turns, u64 now)
{
	lockdep_assert_held(&td->lock);
	return turns->used < TURNS_PROVE && tg_lost_is_recent(turns->user->lapsed_ns, now);
}

/*
 * It is, and others would pay for it: those who wait, or whom the last one met.  Or its user has
 * too much on the GPU already that waits there.
 */
static bool is_refused_locked(struct tg_device *td, const struct tg_task *task,
			      const struct tg_turns *turns, u64 now)
{
	lockdep_assert_held(&td->lock);
	if (tg_lost_is_full_locked(td, turns->user, now) && !is_reserved_locked(td, task))
		return true;
	return is_suspect_locked(td, turns, now) &&
	       tg_lost_ns_locked(td, turns->user, TG_LOSS_LAPSED, now) > LAPSED_FREE * brief_ns() &&
	       (others_wait_locked(td, task) || now - td->lost.lapsed_ns < MET_NS);
}

/* Many are not to stand in the queue, to be sent back one after the other. */
static bool has_to_wait_locked(struct tg_device *td, const struct tg_task *task,
			       const struct tg_turns *turns, u64 now)
{
	lockdep_assert_held(&td->lock);
	return is_refused_locked(td, task, turns, now) ||
	       (task->nr_waiting >= QUEUED_MAX && is_suspect_locked(td, turns, now));
}

bool tg_lease_has_to_wait_locked(struct tg_device *td, const struct tg_dev_group *dg, u64 now)
{
	lockdep_assert_held(&td->lock);
	return has_to_wait_locked(td, dg->group.task, dg->turns, now);
}

bool tg_lease_is_refused_locked(struct tg_device *td, const struct tg_dev_group *dg, u64 now)
{
	lockdep_assert_held(&td->lock);
	return is_refused_locked(td, dg->group.task, dg->turns, now);
}

void tg_lease_begins_locked(struct tg_device *td, struct tg_dev_group *dg, u64 now)
{
	lockdep_assert_held(&td->lock);
	tg_lease_asked_locked(td, dg, now);
	dg->lent = true;
	dg->idle_ns = idle_ns(td, now);
	if (!is_suspect_locked(td, dg->turns, now))
		return;
	dg->paid = true;
	tg_lost_add_locked(td, dg->turns->user, TG_LOSS_LAPSED, brief_ns(), now);
}

bool tg_lease_is_over_locked(struct tg_device *td, const struct tg_dev_group *dg,
			     u64 now)
{
	lockdep_assert_held(&td->lock);
	return dg->lent && td->lost.since_ns && !left_locked(td, dg, now);
}

/*
 * Of turns that are had at the same time each moment is counted once.  Return: for how long
 * the GPU idled for it.
 */
static u64 count_held_locked(struct tg_device *td, struct tg_dev_group *dg, u64 now)
{
	u64 idle = idle_ns(td, now), from = max(dg->idle_ns, td->lost.counted_ns);
	u64 held = idle > from ? idle - from : 0;

	lockdep_assert_held(&td->lock);
	td->lost.counted_ns = idle;
	if (!others_wait_locked(td, dg->group.task))
		return 0;
	if (held > brief_ns())
		tg_lost_add_locked(td, dg->turns->user, TG_LOSS_HELD, held - brief_ns(), now);
	return held;
}

static u64 end_locked(struct tg_device *td, struct tg_dev_group *dg, u64 now)
{
	u64 held;

	lockdep_assert_held(&td->lock);
	if (!dg->lent)
		return 0;
	dg->lent = false;
	if (dg->paid)
		tg_lost_take_back_locked(td, dg->turns->user, TG_LOSS_LAPSED, brief_ns());
	dg->paid = false;
	held = count_held_locked(td, dg, now);
	dg->group.kept_ns += held;
	return held;
}

void tg_lease_end_locked(struct tg_device *td, struct tg_dev_group *dg, u64 now)
{
	end_locked(td, dg, now);
}

void tg_lease_used_locked(struct tg_device *td, struct tg_dev_group *dg, u64 now)
{
	lockdep_assert_held(&td->lock);
	if (!dg->lent)
		return;
	if (dg->turns->used < TURNS_PROVE)
		dg->turns->used++;
	end_locked(td, dg, now);
	tg_lease_look_locked(td, now);
}

static void count_lapsed_locked(struct tg_device *td, struct tg_turns *turns, u64 held, u64 now)
{
	lockdep_assert_held(&td->lock);
	tg_lost_add_locked(td, turns->user, TG_LOSS_LAPSED, min(held, brief_ns()), now);
	turns->used = 0;
	turns->user->lapsed_ns = now;
	td->lost.lapsed_ns = now;
}

void tg_lease_lapse_locked(struct tg_device *td, struct tg_dev_group *dg, u64 now)
{
	u64 held = end_locked(td, dg, now);

	lockdep_assert_held(&td->lock);
	td->count.abandoned++;
	dg->lapsed = true;
	if (held)
		count_lapsed_locked(td, dg->turns, held, now);
}

/* Whether somebody waits, or has the GPU, who is more important. */
void tg_lease_late_locked(struct tg_device *td, struct tg_dev_group *dg)
{
	const struct tg_group *best = tg_sched_best(&td->sched);
	u8 level = tg_task_level(dg->group.task);
	struct tg_group *g;

	lockdep_assert_held(&td->lock);
	if (!dg->lapsed)
		return;
	dg->overtook = best && best->level > level;
	tg_sched_for_each_online(g, &td->sched)
		dg->overtook |= tg_task_level(g->task) > level;
}

void tg_lease_late_ended_locked(struct tg_device *td, const struct tg_dev_group *dg,
				u64 now)
{
	lockdep_assert_held(&td->lock);
	if (dg->overtook)
		tg_lost_add_locked(td, dg->turns->user, TG_LOSS_LAPSED, dg->group.cost_ns, now);
}

bool tg_lease_has_to_wait(struct tg_device *td, const struct tg_task *task,
			  const struct tg_turns *turns)
{
	bool wait;

	/* As good as ever: nobody ever was a suspect, and nothing was set aside. */
	if (!READ_ONCE(td->lost.lapsed_ns) && !READ_ONCE(td->nr_hung))
		return false;
	spin_lock_irq(&td->lock);
	wait = has_to_wait_locked(td, task, turns, ktime_get_ns());
	spin_unlock_irq(&td->lock);
	return wait;
}
