// SPDX-License-Identifier: GPL-2.0-only
/* Who is in the foreground (AGPA), by the open files that say so. */
#include <linux/mm.h>
#include <linux/pid.h>

#include "tg_client.h"
#include "tg_device.h"
#include "tg_events.h"
#include "tg_foreground.h"
#include "tg_gate.h"
#include "tg_registry.h"

/* Under tg_client_mutex. */
static LIST_HEAD(foregrounds);

static bool listed(const struct tg_foreground *fg, const struct pid *pid)
{
	for (u32 i = 0; i < fg->count; i++)
		if (fg->pids[i] == pid)
			return true;
	return false;
}

bool tg_foreground_has(const struct pid *pid)
{
	const struct tg_foreground *fg;

	lockdep_assert_held(&tg_client_mutex);
	list_for_each_entry(fg, &foregrounds, node)
		if (listed(fg, pid))
			return true;
	return false;
}

/* Brings the tasks of a GPU up to date; counts those of one file. */
struct focus_walk {
	const struct tg_foreground *fg;
	u32 count;
};

static void refocus(struct tg_device *td, void *arg)
{
	struct focus_walk *walk = arg;
	struct tg_client *client;
	u64 now;

	lockdep_assert_held(&tg_client_mutex);
	spin_lock_irq(&td->lock);
	now = ktime_get_ns();
	list_for_each_entry(client, &td->clients, node) {
		struct tg_task *t = &client->task;

		walk->count += t->focus && listed(walk->fg, client->pid);
		tg_sched_set_task(&td->sched, t, t->policy, t->prio, t->focus,
				  tg_foreground_has(client->pid), now);
	}
	tg_gate_dispatch_locked(td, now);
	spin_unlock_irq(&td->lock);
}

static void put_pids(struct pid **pids, u32 count)
{
	while (count--)
		put_pid(pids[count]);
	kvfree(pids);
}

void tg_foreground_add(struct tg_foreground *fg)
{
	mutex_lock(&tg_client_mutex);
	list_add_tail(&fg->node, &foregrounds);
	mutex_unlock(&tg_client_mutex);
}

u32 tg_foreground_set(struct tg_foreground *fg, struct pid **pids, u32 count)
{
	struct focus_walk walk = { .fg = fg };

	mutex_lock(&tg_client_mutex);
	swap(fg->pids, pids);
	swap(fg->count, count);
	tg_registry_for_each(refocus, &walk);
	mutex_unlock(&tg_client_mutex);
	put_pids(pids, count);
	tg_events_post(TIMEGRAPH_EVENT_FOREGROUND);
	return walk.count;
}

void tg_foreground_remove(struct tg_foreground *fg)
{
	if (fg->count)
		tg_foreground_set(fg, NULL, 0);
	mutex_lock(&tg_client_mutex);
	list_del(&fg->node);
	mutex_unlock(&tg_client_mutex);
}
