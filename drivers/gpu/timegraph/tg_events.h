/* SPDX-License-Identifier: GPL-2.0-only */
/* Tells the readers of /dev/timegraph that something has happened. */
#ifndef TG_EVENTS_H
#define TG_EVENTS_H

#include <linux/list.h>
#include <linux/poll.h>
#include <linux/types.h>
#include <linux/uidgid.h>
#include <linux/wait.h>

struct tg_events_user;

/**
 * struct tg_subscriber - an open file
 * @node: in the list of subscribers, if @mask is not 0
 * @user: whose tasks and reserves it may hear of; NULL if @mask is 0
 * @all: it may hear of everybody's
 * @mask: TIMEGRAPH_EVENT_* bits it wants to know
 * @pending: of these, what has happened
 * @time_ns: when the last of them did
 * @ended: there will be no more
 * @wait: its readers
 *
 * @node, @user, @all and writing to @mask are under the events mutex, the rest but @wait
 * under the lock.
 */
struct tg_subscriber {
	struct list_head node;
	struct tg_events_user *user;
	bool all;
	u32 mask;
	u32 pending;
	u64 time_ns;
	bool ended;
	wait_queue_head_t *wait;
};

/** tg_events_add - @wait: for its readers, and for who polls it; goes after @s */
void tg_events_add(struct tg_subscriber *s, wait_queue_head_t *wait);
void tg_events_remove(struct tg_subscriber *s);

/**
 * tg_events_subscribe - what happened before is forgotten
 * @all: the caller may hear of everybody; else of his effective user's
 *
 * Return: 0 or -ENOMEM.
 */
int tg_events_subscribe(struct tg_subscriber *s, u32 mask, bool all);

/** tg_events_end - its readers are told -ENODEV */
void tg_events_end(struct tg_subscriber *s);

/** tg_events_post - something of @mask has happened to the machine; any context */
void tg_events_post(u32 mask);

/**
 * tg_events_post_of - something of @mask has happened to what is a user's
 * @uid: the user; INVALID_UID for what is several users' together
 *
 * Told to him and to those who may hear of everybody: when others begin and end to use
 * the GPU, and look at which window, is not everybody's business.  Any context.
 */
void tg_events_post_of(kuid_t uid, u32 mask);

/**
 * tg_events_wait - until something has happened, and forget it
 * @mask: set to what it was
 * @time_ns: set to when
 *
 * Return: 0, -EINVAL if nothing is subscribed to, -ENODEV if there will be no more,
 * -EAGAIN if @nonblock, or -ERESTARTSYS.
 */
int tg_events_wait(struct tg_subscriber *s, bool nonblock, u32 *mask,
		   u64 *time_ns);

/** tg_events_poll - what of it can be read; to be asked again when @wait was woken */
__poll_t tg_events_poll(struct tg_subscriber *s);

/** tg_events_exit - there are no subscribers any more, and no posts */
void tg_events_exit(void);

#endif
