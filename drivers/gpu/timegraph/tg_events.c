// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events are bits: what happens twice between two looks is told once, so
 * nothing is queued, and nothing can overflow.
 *
 * Who posts may hold any lock and have interrupts off, and anybody can open the
 * device as often as he likes: so a post is only noted, for the machine, for those
 * who may hear of everybody, and for its user.  A worker, or who asks before it
 * comes, tells it to the files, one at a time.
 */
#include <linux/cred.h>
#include <linux/hashtable.h>
#include <linux/ktime.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>

#include "tg_events.h"

/**
 * struct news - what was posted and is not told yet
 * @mask: TIMEGRAPH_EVENT_* bits
 * @time_ns: when the last of them was
 */
struct news {
	u32 mask;
	u64 time_ns;
};

/**
 * struct tg_events_user - a user who has subscribed to something
 * @node: in users
 * @fresh: in fresh_users, while there are @news
 * @uid: who
 * @files: that he has subscribed with
 * @news: posted
 * @told: being told; under the mutex
 */
struct tg_events_user {
	struct hlist_node node;
	struct list_head fresh;
	kuid_t uid;
	unsigned int files;
	struct news news;
	struct news told;
};

/* Who is subscribed, and the telling.  Outside of the lock. */
static DEFINE_MUTEX(mutex);
static LIST_HEAD(subscribers);

/* The innermost lock but for those of the wait queues; never held for a walk. */
static DEFINE_SPINLOCK(lock);
static DEFINE_HASHTABLE(users, 8);
static LIST_HEAD(fresh_users);
static struct news machine, everybody;
static unsigned int nr_users;
static bool fresh;
/* Some of it is being told. */
static bool telling;

static void tell_all(struct work_struct *work);
static DECLARE_WORK(tell_work, tell_all);

static struct tg_events_user *find_locked(kuid_t uid)
{
	struct tg_events_user *u;

	lockdep_assert_held(&lock);
	hash_for_each_possible(users, u, node, __kuid_val(uid))
		if (uid_eq(u->uid, uid))
			return u;
	return NULL;
}

static void add_news(struct news *news, const struct news *more)
{
	if (!more->mask)
		return;
	news->mask |= more->mask;
	news->time_ns = max(news->time_ns, more->time_ns);
}

static struct news take_news(struct news *news)
{
	struct news taken = *news;

	memset(news, 0, sizeof(*news));
	return taken;
}

/* What was posted is being told from here on; the users who have news are in @told. */
static void take_all(struct list_head *told, struct news *to_each, struct news *to_all)
{
	struct tg_events_user *u;

	lockdep_assert_held(&mutex);
	spin_lock_irq(&lock);
	telling = true;
	fresh = false;
	*to_each = take_news(&machine);
	*to_all = take_news(&everybody);
	list_splice_init(&fresh_users, told);
	spin_unlock_irq(&lock);
	list_for_each_entry(u, told, fresh) {
		spin_lock_irq(&lock);
		u->told = take_news(&u->news);
		spin_unlock_irq(&lock);
	}
}

static void tell(struct tg_subscriber *s, struct news news)
{
	lockdep_assert_held(&mutex);
	news.mask &= s->mask;
	if (!news.mask)
		return;
	spin_lock_irq(&lock);
	s->pending |= news.mask;
	s->time_ns = news.time_ns;
	spin_unlock_irq(&lock);
	wake_up_interruptible(s->wait);
}

static void tell_news(void)
{
	struct news to_each, to_all;
	struct tg_events_user *u, *n;
	struct tg_subscriber *s;
	LIST_HEAD(told);

	lockdep_assert_held(&mutex);
	take_all(&told, &to_each, &to_all);
	list_for_each_entry(s, &subscribers, node) {
		struct news news = to_each;

		add_news(&news, s->all ? &to_all : &s->user->told);
		tell(s, news);
		cond_resched();
	}
	list_for_each_entry_safe(u, n, &told, fresh) {
		memset(&u->told, 0, sizeof(u->told));
		spin_lock_irq(&lock);
		list_del_init(&u->fresh);
		/* Who had more meanwhile could not be put into the list again. */
		if (u->news.mask)
			list_add_tail(&u->fresh, &fresh_users);
		spin_unlock_irq(&lock);
	}
	spin_lock_irq(&lock);
	telling = false;
	spin_unlock_irq(&lock);
}

static void tell_all(struct work_struct *work)
{
	mutex_lock(&mutex);
	tell_news();
	mutex_unlock(&mutex);
}

/* Who asks for what has just been posted is not to come before the worker. */
static void tell_now(void)
{
	bool tell;

	spin_lock_irq(&lock);
	tell = fresh || telling;
	spin_unlock_irq(&lock);
	if (tell)
		tell_all(NULL);
}

void tg_events_add(struct tg_subscriber *s, wait_queue_head_t *wait)
{
	s->wait = wait;
	INIT_LIST_HEAD(&s->node);
}

static struct tg_events_user *get_user_of(kuid_t uid)
{
	struct tg_events_user *u, *found;

	lockdep_assert_held(&mutex);
	spin_lock_irq(&lock);
	found = find_locked(uid);
	spin_unlock_irq(&lock);
	if (found) {
		found->files++;
		return found;
	}
	u = kzalloc(sizeof(*u), GFP_KERNEL_ACCOUNT);
	if (!u)
		return NULL;
	u->uid = uid;
	u->files = 1;
	INIT_LIST_HEAD(&u->fresh);
	spin_lock_irq(&lock);
	hash_add(users, &u->node, __kuid_val(uid));
	nr_users++;
	spin_unlock_irq(&lock);
	return u;
}

static void put_user_of(struct tg_events_user *u)
{
	lockdep_assert_held(&mutex);
	if (--u->files)
		return;
	spin_lock_irq(&lock);
	hash_del(&u->node);
	nr_users--;
	list_del(&u->fresh);
	spin_unlock_irq(&lock);
	kfree(u);
}

/* Without a subscription it is in no list, and costs nobody anything. */
static void leave(struct tg_subscriber *s)
{
	lockdep_assert_held(&mutex);
	if (!s->user)
		return;
	list_del_init(&s->node);
	put_user_of(s->user);
	s->user = NULL;
}

void tg_events_remove(struct tg_subscriber *s)
{
	mutex_lock(&mutex);
	leave(s);
	mutex_unlock(&mutex);
}

int tg_events_subscribe(struct tg_subscriber *s, u32 mask, bool all)
{
	struct tg_events_user *user = NULL;

	mutex_lock(&mutex);
	if (mask) {
		user = get_user_of(current_euid());
		if (!user) {
			mutex_unlock(&mutex);
			return -ENOMEM;
		}
	}
	/* What was posted before is not for it. */
	tell_news();
	leave(s);
	s->user = user;
	s->all = all;
	if (user)
		list_add_tail(&s->node, &subscribers);
	spin_lock_irq(&lock);
	s->mask = mask;
	s->pending = 0;
	spin_unlock_irq(&lock);
	mutex_unlock(&mutex);
	/* A reader of what is subscribed to no more must not sleep on. */
	wake_up_interruptible(s->wait);
	return 0;
}

void tg_events_end(struct tg_subscriber *s)
{
	spin_lock_irq(&lock);
	s->ended = true;
	spin_unlock_irq(&lock);
	wake_up_interruptible(s->wait);
}

static void post_locked(struct news *news, u32 mask)
{
	struct news now = { .mask = mask, .time_ns = ktime_get_ns() };

	lockdep_assert_held(&lock);
	add_news(news, &now);
	if (fresh || !nr_users)
		return;
	fresh = true;
	schedule_work(&tell_work);
}

void tg_events_post(u32 mask)
{
	unsigned long flags;

	spin_lock_irqsave(&lock, flags);
	post_locked(&machine, mask);
	spin_unlock_irqrestore(&lock, flags);
}

void tg_events_post_of(kuid_t uid, u32 mask)
{
	struct tg_events_user *u;
	unsigned long flags;

	spin_lock_irqsave(&lock, flags);
	post_locked(&everybody, mask);
	u = uid_valid(uid) ? find_locked(uid) : NULL;
	if (u) {
		post_locked(&u->news, mask);
		if (list_empty(&u->fresh))
			list_add_tail(&u->fresh, &fresh_users);
	}
	spin_unlock_irqrestore(&lock, flags);
}

/* Returns whether there is an answer: events, or that there will be none. */
static bool take(struct tg_subscriber *s, u32 *mask, u64 *time_ns)
{
	bool done;

	spin_lock_irq(&lock);
	done = s->pending || !s->mask || s->ended;
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

	tell_now();
	if (!take(s, mask, time_ns)) {
		if (nonblock)
			return -EAGAIN;
		/* Of many readers of a file one has what there is. */
		ret = wait_event_interruptible_exclusive(*s->wait, take(s, mask, time_ns));
		if (ret)
			return ret;
	}
	if (*mask)
		return 0;
	/* That there will be nothing is for each of them. */
	wake_up_interruptible(s->wait);
	return READ_ONCE(s->ended) ? -ENODEV : -EINVAL;
}

__poll_t tg_events_poll(struct tg_subscriber *s)
{
	tell_now();
	return READ_ONCE(s->pending) ? EPOLLIN | EPOLLRDNORM : 0;
}

void tg_events_exit(void)
{
	cancel_work_sync(&tell_work);
}
