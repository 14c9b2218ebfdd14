// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events are bits: what happens twice between two looks is told once, so
 * nothing is queued, and nothing can overflow.
 */
#include <linux/cred.h>
#include <linux/ktime.h>
#include <linux/sched/signal.h>
#include <linux/spinlock.h>

#include "tg_events.h"

/* The innermost lock but for those of the wait queues. */
static DEFINE_SPINLOCK(lock);
static LIST_HEAD(subscribers);

void tg_events_add(struct tg_subscriber *s)
{
	init_waitqueue_head(&s->wait);
	spin_lock_irq(&lock);
	list_add_tail(&s->node, &subscribers);
	spin_unlock_irq(&lock);
}

void tg_events_remove(struct tg_subscriber *s)
{
	spin_lock_irq(&lock);
	list_del(&s->node);
	spin_unlock_irq(&lock);
}

void tg_events_subscribe(struct tg_subscriber *s, u32 mask, bool all)
{
	spin_lock_irq(&lock);
	s->uid = current_euid();
	s->all = all;
	s->mask = mask;
	s->pending = 0;
	spin_unlock_irq(&lock);
	/* A reader of what is subscribed to no more must not sleep on. */
	wake_up_interruptible(&s->wait);
}

static bool may_hear(const struct tg_subscriber *s, kuid_t uid)
{
	return s->all || (uid_valid(uid) && uid_eq(s->uid, uid));
}

static void post(u32 mask, const kuid_t *uid)
{
	struct tg_subscriber *s;
	unsigned long flags;

	spin_lock_irqsave(&lock, flags);
	list_for_each_entry(s, &subscribers, node) {
		if (!(s->mask & mask) || (uid && !may_hear(s, *uid)))
			continue;
		s->pending |= s->mask & mask;
		s->time_ns = ktime_get_ns();
		wake_up_interruptible(&s->wait);
	}
	spin_unlock_irqrestore(&lock, flags);
}

void tg_events_post(u32 mask)
{
	post(mask, NULL);
}

void tg_events_post_of(kuid_t uid, u32 mask)
{
	post(mask, &uid);
}

/* Returns whether there is an answer: events, or that there will be none. */
static bool take(struct tg_subscriber *s, u32 *mask, u64 *time_ns)
{
	bool done;

	spin_lock_irq(&lock);
	done = s->pending || !s->mask;
	*mask = s->pending;
	*time_ns = s->time_ns;
	s->pending = 0;
	spin_unlock_irq(&lock);
	return done;
}

int tg_events_wait(struct tg_subscriber *s, bool nonblock, u32 *mask,
		   u64 *time_ns)
{
	int ret;

	if (!take(s, mask, time_ns)) {
		if (nonblock)
			return -EAGAIN;
		ret = wait_event_interruptible(s->wait, take(s, mask, time_ns));
		if (ret)
			return ret;
	}
	return *mask ? 0 : -EINVAL;
}

__poll_t tg_events_poll(struct tg_subscriber *s, struct file *file,
			struct poll_table_struct *wait)
{
	poll_wait(file, &s->wait, wait);
	return READ_ONCE(s->pending) ? EPOLLIN | EPOLLRDNORM : 0;
}
