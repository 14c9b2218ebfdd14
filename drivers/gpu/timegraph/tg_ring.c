// SPDX-License-Identifier: GPL-2.0-only
/* What a channel has on the GPU, in the order of its ring, and how it behaves there. */
#include "tg_dev_group.h"
#include "tg_device.h"
#include "tg_lease.h"
#include "tg_ring.h"
#include "tg_stage.h"

void tg_ring_init(struct tg_ring *ring)
{
	INIT_LIST_HEAD(&ring->groups);
	init_waitqueue_head(&ring->wait);
}

struct tg_dev_group *tg_ring_first(struct tg_ring *ring)
{
	return list_first_entry_or_null(&ring->groups, struct tg_dev_group,
					ring_node);
}

u64 tg_ring_since(const struct tg_dev_group *dg)
{
	return max3(dg->group.start_ns, dg->ring->last_finish_ns, dg->let_in_ns);
}

/* Whether @a was put into the ring after @b; both have their fences, or are the same. */
static bool is_after(const struct tg_dev_group *a, const struct tg_dev_group *b)
{
	return a->fence && b->fence && a->fence->seqno != b->fence->seqno &&
	       tg_seq_passed(a->fence->seqno, b->fence->seqno);
}

/*
 * With a trailer this is called while the ring is locked, so in its order; without,
 * when the ioctl is nearly over, where two threads can overtake each other: then the
 * numbers of their fences tell.
 */
void tg_ring_add_locked(struct tg_device *td, struct tg_dev_group *dg)
{
	struct tg_ring *ring = dg->ring;
	struct tg_dev_group *pos;

	lockdep_assert_held(&td->lock);
	if (!list_empty(&dg->ring_node) || dg->group.state == TG_GROUP_OUT)
		return;
	list_for_each_entry_reverse(pos, &ring->groups, ring_node)
		if (!is_after(pos, dg))
			break;
	list_add(&dg->ring_node, &pos->ring_node);
}

void tg_ring_submitted_locked(struct tg_device *td, struct tg_dev_group *dg)
{
	lockdep_assert_held(&td->lock);
	if (dg->submitted)
		return;
	dg->submitted = true;
	td->count.submitted++;
	td->count.running++;
}

static void count_locked(struct tg_device *td, struct tg_dev_group *dg)
{
	struct tg_lost_user *user = dg->turns->user;
	struct tg_ring *ring = dg->ring;

	lockdep_assert_held(&td->lock);
	if (ring->counted)
		--*ring->counted;
	ring->counted = NULL;
	if (ring->nr_aside)
		ring->counted = ring->stuck ? &user->nr_stuck : &user->nr_aside;
	if (ring->counted)
		++*ring->counted;
}

void tg_ring_stuck_locked(struct tg_device *td, struct tg_dev_group *dg)
{
	lockdep_assert_held(&td->lock);
	dg->ring->stuck = true;
	count_locked(td, dg);
}

void tg_ring_aside_locked(struct tg_device *td, struct tg_dev_group *dg)
{
	lockdep_assert_held(&td->lock);
	tg_stage_leave_locked(td, dg, false);
	dg->aside = true;
	if (!dg->ring->nr_aside++)
		td->nr_hung++;
	count_locked(td, dg);
	/* While it is there nobody knows what those who run free have. */
	tg_freerun_call_off(&td->freerun);
}

void tg_ring_leave_locked(struct tg_device *td, struct tg_dev_group *dg,
			  bool completed)
{
	struct tg_ring *ring = dg->ring;

	lockdep_assert_held(&td->lock);
	if (dg->has_turn || dg->waits)
		tg_stage_leave_locked(td, dg, completed);
	list_del_init(&dg->ring_node);
	list_del_init(&dg->unheard_node);
	if (dg->submitted)
		td->count.running--;
	if (dg->submitted && !completed)
		td->count.dropped++;
	if (!dg->aside)
		return;
	dg->aside = false;
	if (--ring->nr_aside)
		return;
	td->nr_hung--;
	ring->stuck = false;
	count_locked(td, dg);
	wake_up(&ring->wait);
}
