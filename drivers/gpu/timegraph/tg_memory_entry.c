// SPDX-License-Identifier: GPL-2.0-only
/* What the specification gives a process of video memory, while it has channels. */
#define pr_fmt(fmt) "timegraph: " fmt

#include <linux/capability.h>
#include <linux/pid.h>
#include <linux/sched/signal.h>
#include <linux/user_namespace.h>

#include "tg_device.h"
#include "tg_entry.h"
#include "tg_memory.h"

/* Anybody may have the name of a program: such an entry is limited. */
static bool is_name_only(const struct tg_spec_entry *e)
{
	return e->kind == TG_SPEC_NAME && !e->has_uid;
}

static const char *why_none(int error)
{
	switch (error) {
	case -ENOSPC:
		return "the card has less";
	case -EDEADLK:
		return "it has buffers already, and would have to wait";
	case -EDQUOT:
		return "its user has as much as he may, or too many wait";
	}
	return "it is charged for more";
}

/*
 * By the specification.  Who has buffers already, or asks for more than there is, goes on
 * without, and the log says so: that a desktop does not start were worse.
 */
static int open_by_entry(struct tg_memory *m, struct tg_account *a,
			 const struct tg_spec_entry *e)
{
	const struct tg_memory_want w = {
		.bytes = e->vram_bytes, .wait = true, .one = true,
	};
	int ret;

	spin_lock(&tg_memory_lock);
	if (a->base.state == TG_VRAM_NONE) {
		a->base.prio = e->prio;
		a->limited = is_name_only(e) && !ns_capable_noaudit(&init_user_ns, CAP_SYS_NICE);
	}
	a->by_entry = !a->handle;
	spin_unlock(&tg_memory_lock);
	ret = tg_memory_ask(m, a, &w);
	if (!ret || ret == -ERESTARTSYS || ret == -ENODEV || ret == -ECANCELED)
		return ret == -ERESTARTSYS ? ret : 0;
	spin_lock(&tg_memory_lock);
	a->by_entry &= a->base.state != TG_VRAM_NONE;
	spin_unlock(&tg_memory_lock);
	pr_notice("%*pE (%d) gets none of the %llu KiB of video memory of its entry: %s\n",
		  (int)strlen(a->comm), a->comm, pid_nr(a->pid), w.bytes >> 10, why_none(ret));
	return 0;
}

int tg_memory_open(struct tg_device *td)
{
	struct tg_memory *m = &td->memory;
	struct tg_spec_entry entry;
	struct tg_account *a = tg_memory_get(m);
	int ret = 0;

	if (!a)
		return 0;
	spin_lock(&tg_memory_lock);
	a->opening++;
	spin_unlock(&tg_memory_lock);
	if (m->kept && a->base.state != TG_VRAM_HELD) {
		tg_entry_look(task_tgid(current), current->group_leader->comm, &entry);
		if (entry.vram_bytes)
			ret = open_by_entry(m, a, &entry);
	}
	spin_lock(&tg_memory_lock);
	if (ret)
		a->opening--;
	tg_memory_put_locked(m, a);
	spin_unlock(&tg_memory_lock);
	return ret;
}

void tg_memory_opened(struct tg_device *td)
{
	struct tg_account *a;

	spin_lock(&tg_memory_lock);
	a = tg_memory_find_locked(&td->memory, task_tgid(current));
	if (a && a->opening) {
		a->opening--;
		tg_memory_settle_locked(&td->memory, a);
	}
	spin_unlock(&tg_memory_lock);
}

void tg_memory_client(struct tg_device *td, struct pid *pid, bool has)
{
	struct tg_account *a;

	spin_lock(&tg_memory_lock);
	a = tg_memory_find_locked(&td->memory, pid);
	if (a) {
		a->has_client = has;
		tg_memory_settle_locked(&td->memory, a);
	}
	spin_unlock(&tg_memory_lock);
}

void tg_memory_focus(struct tg_device *td, struct pid *pid, bool foreground)
{
	struct tg_account *a;

	spin_lock(&tg_memory_lock);
	a = tg_memory_find_locked(&td->memory, pid);
	if (a)
		a->foreground = foreground;
	spin_unlock(&tg_memory_lock);
}
