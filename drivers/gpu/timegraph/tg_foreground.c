// SPDX-License-Identifier: GPL-2.0-only
/* Who is in the foreground (AGPA), by the open files that say so. */
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/pid.h>

#include "tg_foreground.h"

/* Protects the list, of those that have any process, and what is in it. */
static DEFINE_MUTEX(foregrounds_mutex);
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
	bool has = false;

	mutex_lock(&foregrounds_mutex);
	list_for_each_entry(fg, &foregrounds, node) {
		has = listed(fg, pid);
		if (has)
			break;
	}
	mutex_unlock(&foregrounds_mutex);
	return has;
}

bool tg_foreground_by(const struct tg_foreground *fg, const struct pid *pid)
{
	bool has;

	mutex_lock(&foregrounds_mutex);
	has = listed(fg, pid);
	mutex_unlock(&foregrounds_mutex);
	return has;
}

static void put_pids(struct pid **pids, u32 count)
{
	while (count--)
		put_pid(pids[count]);
	kvfree(pids);
}

void tg_foreground_init(struct tg_foreground *fg)
{
	INIT_LIST_HEAD(&fg->node);
	fg->pids = NULL;
	fg->count = 0;
}

void tg_foreground_set(struct tg_foreground *fg, struct pid **pids, u32 count)
{
	/* Of processes that have all died, the array may be left. */
	if (!count) {
		kvfree(pids);
		pids = NULL;
	}
	mutex_lock(&foregrounds_mutex);
	swap(fg->pids, pids);
	swap(fg->count, count);
	list_del_init(&fg->node);
	if (fg->count)
		list_add_tail(&fg->node, &foregrounds);
	mutex_unlock(&foregrounds_mutex);
	put_pids(pids, count);
}
