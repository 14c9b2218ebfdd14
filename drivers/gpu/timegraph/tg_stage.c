// SPDX-License-Identifier: GPL-2.0-only
/*
 * Groups that are on the GPU behind another channel's, and wait there for its end.
 *
 * Between the end of a group and the start of another channel's the GPU would wait for
 * an interrupt, a thread and a submission.  So the next one is submitted ahead of that end
 * (core/tg_lead.c), behind an acquire that nouveau uses to synchronise channels: the GPU
 * goes on with it when a word has reached a number.  There is a word for each channel, in
 * the buffer of nouveau's fences that every channel's address space has, behind those
 * fences; the trailer of a group releases its channel's word to the group's number.  Numbers
 * rise for all of a GPU, so that what an earlier channel left in a word is behind.
 *
 *	A: group 7 | word[A] = 7
 *	B: until word[A] >= 7 | group 8 | word[B] = 8
 *
 * The fence itself would not do: what waits must be let in as well when the group before
 * hangs, is killed or forgotten, and who writes a fence says that its buffers are free.  The
 * words are ours, and the CPU writes them then.
 *
 * Nobody waits for a word, and the CPU does not write one, before it was seen that what the
 * channel's trailer wrote is what the CPU reads.
 *
 * Any client can write to what it has in its address space, nouveau's fences like these
 * words.  Who writes one early lets a group in beside another: that shows by the GPU's
 * clock, which the group takes when it is let in, and for a while its task is not staged.
 * Who writes one back keeps a group waiting: the CPU writes it when the group before
 * has ended, and again at each look.  What a client can do all the same is to take that
 * time falsely in its own scratch page, and to have another's groups not staged for a while;
 * each moment of the GPU is charged once all the same (tg_sched_complete()).  So
 * staging is a parameter, and off if nothing is said.
 */
#include "tg_dev_group.h"
#include "tg_device.h"
#include "tg_stage.h"
#include "tg_trace.h"

/* For so long none of a task is staged that was found to go before it was let in. */
#define FORGED_NS (10 * NSEC_PER_SEC)
/* Then it is given up that what a channel's trailers write is what the CPU reads. */
#define SHOW_TRIES 16

void tg_stage_slept_locked(struct tg_device *td)
{
	lockdep_assert_held(&td->lock);
	td->stage.awake++;
}

bool tg_stage_can_wait_locked(const struct tg_device *td, const struct tg_word *word)
{
	lockdep_assert_held(&td->lock);
	return word->shown == td->stage.awake && ktime_get_ns() >= *word->not_before_ns;
}

/*
 * Of those before @dg, which are of one other channel, the one that ends last: by their numbers,
 * for threads can overtake each other between their turn and the ring.
 */
static struct tg_dev_group *last_before_locked(struct tg_device *td,
					       const struct tg_dev_group *dg)
{
	struct tg_dev_group *last = NULL, *other;
	struct tg_group *g;

	lockdep_assert_held(&td->lock);
	tg_sched_for_each_online(g, &td->sched) {
		other = to_dev_group(g);
		if (other == dg)
			break;
		if (!g->can_be_awaited || g->context == dg->group.context)
			return NULL;
		if (!last || (s32)(other->turn - last->turn) > 0)
			last = other;
	}
	return last;
}

bool tg_stage_begin_locked(struct tg_device *td, struct tg_dev_group *dg)
{
	struct tg_stage *stage = &td->stage;
	struct tg_dev_group *last;

	lockdep_assert_held(&td->lock);
	/* One whose turn lapsed meanwhile is in no list. */
	if (!dg->group.staged || stage->behind || dg->group.state != TG_GROUP_RUNNING)
		return false;
	last = last_before_locked(td, dg);
	/* They have ended meanwhile. */
	if (!last)
		return false;
	stage->before = last;
	stage->behind = dg;
	dg->wait_chid = stage->before->word->chid;
	dg->wait_turn = stage->before->turn;
	dg->waits = true;
	return true;
}

static void forget_locked(struct tg_device *td, const struct tg_dev_group *behind)
{
	lockdep_assert_held(&td->lock);
	if (td->stage.behind != behind)
		return;
	td->stage.before = NULL;
	td->stage.behind = NULL;
}

void tg_stage_unwait_locked(struct tg_device *td, struct tg_dev_group *dg)
{
	forget_locked(td, dg);
	dg->waits = false;
}

/*
 * While a task is alone, or without a lead, nobody would wait, and to write a word takes the
 * GPU's time.
 */
static bool is_worth_it_locked(const struct tg_device *td, u64 now)
{
	lockdep_assert_held(&td->lock);
	if (!td->sched.lead_ns)
		return false;
	return td->sched.nr_waiting || now < td->sched.fair.mixed_ns + TG_FAIR_ALONE_NS;
}

void tg_stage_number_locked(struct tg_device *td, struct tg_dev_group *dg)
{
	const struct tg_word *word = dg->word;

	lockdep_assert_held(&td->lock);
	if (!word->ops->exists(word) || word->nr_unshown >= SHOW_TRIES ||
	    !is_worth_it_locked(td, dg->group.start_ns))
		return;
	dg->turn = ++td->stage.turn;
	dg->has_turn = true;
	dg->group.can_be_awaited = word->shown == td->stage.awake;
}

void tg_stage_lost_locked(struct tg_dev_group *dg)
{
	lockdep_assert_held(&dg->td->lock);
	dg->has_turn = false;
	dg->group.can_be_awaited = false;
}

/*
 * What the trailer wrote is looked for, until it was found.  A later group can have written to
 * the word since.
 */
static void show(const struct tg_device *td, struct tg_dev_group *dg)
{
	struct tg_word *word = dg->word;

	if (!dg->has_turn || word->shown == td->stage.awake)
		return;
	if (word->ops->read(word) == dg->turn)
		word->shown = td->stage.awake;
	else
		word->nr_unshown++;
}

static void let_in(struct tg_dev_group *dg)
{
	dg->word->ops->write(dg->word, dg->wait_chid, dg->wait_turn);
}

/* It has ended, or is given up. */
static void before_leaves_locked(struct tg_device *td, struct tg_dev_group *dg, bool completed)
{
	struct tg_dev_group *behind = td->stage.behind;

	lockdep_assert_held(&td->lock);
	forget_locked(td, behind);
	behind->let_in_ns = ktime_get_ns();
	/* What its trailer wrote can have been written over, or have got lost. */
	let_in(behind);
	if (completed && dg->has_stamp)
		dg->word->ops->finish(dg->word, dg->stamp, &behind->not_before_ns);
}

/* It went ahead while the one before was there, or does not say when it went. */
static void forged_locked(struct tg_device *td, struct tg_dev_group *dg)
{
	lockdep_assert_held(&td->lock);
	td->count.forged++;
	*dg->word->not_before_ns = ktime_get_ns() + FORGED_NS;
	trace_tg_forged(td, dg);
}

/*
 * By the GPU's clock.  What a program says of its own end may be false: one that says that
 * it has not come yet is not believed, for it would be another's fault.
 */
static bool is_forged(const struct tg_device *td, const struct tg_dev_group *dg)
{
	const struct tg_dev_group *before = td->stage.behind == dg ? td->stage.before : NULL;
	u64 at, finish = dg->not_before_ns;

	if (!dg->word->ops->let_in(dg->word, dg->wait_turn, &at))
		return true;
	if (before && !(before->has_stamp &&
			before->word->ops->finish(before->word, before->stamp, &finish)))
		return true;
	return at < finish && finish <= dg->word->ops->now(dg->word);
}

static void behind_leaves_locked(struct tg_device *td, struct tg_dev_group *dg, bool completed)
{
	lockdep_assert_held(&td->lock);
	if (completed && is_forged(td, dg))
		forged_locked(td, dg);
	if (td->stage.behind != dg)
		return;
	if (!completed) {
		/* Nobody looks any more whether it gets in; who comes now is not to go with it. */
		td->stage.before->group.can_be_awaited = false;
		let_in(dg);
	}
	forget_locked(td, dg);
}

void tg_stage_leave_locked(struct tg_device *td, struct tg_dev_group *dg, bool completed)
{
	lockdep_assert_held(&td->lock);
	if (completed)
		show(td, dg);
	dg->group.can_be_awaited = false;
	if (dg->waits)
		behind_leaves_locked(td, dg, completed);
	if (td->stage.before == dg)
		before_leaves_locked(td, dg, completed);
}

bool tg_stage_waits_locked(const struct tg_device *td, const struct tg_dev_group *dg)
{
	lockdep_assert_held(&td->lock);
	return td->stage.behind == dg;
}

void tg_stage_look_locked(struct tg_device *td, struct tg_dev_group *dg)
{
	u64 at;

	lockdep_assert_held(&td->lock);
	if (dg->waits && td->stage.behind != dg &&
	    !dg->word->ops->let_in(dg->word, dg->wait_turn, &at))
		let_in(dg);
}
