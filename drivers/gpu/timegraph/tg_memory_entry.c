// SPDX-License-Identifier: GPL-2.0-only
/* What the specification gives a process, or a domain, of video memory, while it has channels. */
#define pr_fmt(fmt) "timegraph: " fmt

#include <linux/capability.h>
#include <linux/ktime.h>
#include <linux/pid.h>
#include <linux/sched/signal.h>
#include <linux/user_namespace.h>

#include "tg_device.h"
#include "tg_entry.h"
#include "tg_memory.h"

/*
 * Each user can bring processes under such an entry, as many as he likes: he may have the name,
 * or run the program.  Whom an entry tells by his number, or by where he was put, the administrator
 * trusts with as much as there is.
 */
static bool is_for_any_user(const struct tg_spec_entry *e)
{
	return e->kind != TG_SPEC_CGROUP && !e->has_uid;
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
 * Who has buffers already, or asks for more than there is, goes on without, and the log says
 * so: that a desktop does not start were worse.
 */
static void say_none(const struct tg_account *a, u64 bytes, int error)
{
	pr_notice_ratelimited("%s%*pE (%d) gets none of the %llu KiB of video memory of its entry: %s\n",
			      a->cgroup ? "domain " : "", (int)strlen(a->comm), a->comm,
			      pid_nr(a->pid), bytes >> 10, why_none(error));
}

static int ask(struct tg_memory *m, struct tg_account *a, const struct tg_memory_want *w)
{
	int ret = tg_memory_ask(m, a, w);

	if (!ret || ret == -ERESTARTSYS || ret == -ENODEV || ret == -ECANCELED)
		return ret == -ERESTARTSYS ? ret : 0;
	spin_lock(&tg_memory_lock);
	a->by_entry &= a->base.state != TG_VRAM_NONE;
	spin_unlock(&tg_memory_lock);
	if (w->wait)
		say_none(a, w->bytes, ret);
	return 0;
}

static int ask_for_domain(struct tg_memory *m, struct tg_account *domain, u64 bytes, bool wait)
{
	const struct tg_memory_want w = { .bytes = bytes, .wait = wait, .one = true };

	return ask(m, domain, &w);
}

/* Who is in a domain stays there: he would hold what that has, and wait for more. */
static int claim_by_entry(const struct tg_memory *m, struct tg_account *a,
			  const struct tg_memory_want *w)
{
	if (a->domain)
		return -ECANCELED;
	if (a->base.state == TG_VRAM_NONE) {
		a->base.prio = w->prio;
		a->limited = w->limited;
	}
	a->by_entry = !a->handle;
	return 0;
}

static int open_by_entry(struct tg_memory *m, struct tg_account *a,
			 const struct tg_spec_entry *e)
{
	const struct tg_memory_want w = {
		.bytes = e->vram_bytes,
		.wait = true,
		.one = true,
		.prio = e->prio,
		.limited = is_for_any_user(e) && !ns_capable_noaudit(&init_user_ns, CAP_SYS_NICE),
		.claim = claim_by_entry,
	};

	return ask(m, a, &w);
}

/* Who has moved stays with the domain that he has channels in. */
static bool join(struct tg_memory *m, struct tg_account *a, struct tg_account *domain)
{
	bool in;

	spin_lock(&tg_memory_lock);
	in = a->domain ? a->domain == domain : tg_memory_join_locked(m, a, domain);
	spin_unlock(&tg_memory_lock);
	return in;
}

/* What its domain has is for all who are in it; the first of them asks. */
static int open_in_domain(struct tg_memory *m, struct tg_account *a, struct tg_account *domain,
			  u64 bytes, u8 prio)
{
	bool first;

	spin_lock(&tg_memory_lock);
	first = domain->base.state == TG_VRAM_NONE;
	if (first)
		domain->base.prio = prio;
	/* The specification may have changed meanwhile. */
	if (domain->base.state == TG_VRAM_WAITING)
		bytes = domain->base.wanted;
	spin_unlock(&tg_memory_lock);
	/* Who has buffers can only be in one that does not wait. */
	if (first)
		ask_for_domain(m, domain, bytes, false);
	if (join(m, a, domain))
		return READ_ONCE(domain->base.state) == TG_VRAM_HELD ? 0 :
		       ask_for_domain(m, domain, bytes, true);
	if (!a->domain && a->base.state == TG_VRAM_NONE)
		say_none(a, bytes, -EDEADLK);
	return 0;
}

static int open_by_domain(struct tg_memory *m, struct tg_account *a,
			  const struct tg_entry_domain *d, u8 prio)
{
	struct tg_account *domain = tg_memory_get_domain(m, d->id, d->name);
	int ret;

	if (!domain)
		return 0;
	ret = open_in_domain(m, a, domain, d->vram_bytes, prio);
	spin_lock(&tg_memory_lock);
	tg_memory_put_locked(m, domain);
	spin_unlock(&tg_memory_lock);
	return ret;
}

static int open_by_specification(struct tg_memory *m, struct tg_account *a)
{
	struct tg_entry_domain domain;
	struct tg_spec_entry entry;
	unsigned long ticket;

	ticket = tg_entry_look(task_tgid(current), current->group_leader->comm, &entry);
	spin_lock(&tg_memory_lock);
	if (!a->looked_ns || (long)(ticket - a->ticket) > 0)
		a->ticket = ticket;
	a->looked_ns = ktime_get_ns();
	spin_unlock(&tg_memory_lock);
	if (entry.vram_bytes && !READ_ONCE(a->domain))
		return open_by_entry(m, a, &entry);
	if (a->base.state != TG_VRAM_NONE)
		return 0;
	tg_entry_look_domain(task_tgid(current), &domain);
	return domain.vram_bytes ? open_by_domain(m, a, &domain, entry.prio) : 0;
}

struct tg_account *tg_memory_enter_domain(struct tg_memory *m)
{
	struct tg_entry_domain d;

	tg_entry_look_domain(task_tgid(current), &d);
	return d.vram_bytes ? tg_memory_get_domain(m, d.id, d.name) : NULL;
}

int tg_memory_open(struct tg_device *td)
{
	struct tg_memory *m = &td->memory;
	struct tg_account *a = tg_memory_get(m);
	int ret = 0;

	if (!a)
		return 0;
	spin_lock(&tg_memory_lock);
	/* A look holds for the calls that are under way. */
	if (!a->opening++)
		a->looked_ns = 0;
	spin_unlock(&tg_memory_lock);
	if (m->kept && a->base.state != TG_VRAM_HELD)
		ret = open_by_specification(m, a);
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

/* The files can have changed in a longer time than a channel's allocation takes. */
#define LOOK_HOLDS_NS (10 * NSEC_PER_MSEC)

bool tg_memory_looked(struct tg_device *td, struct pid *pid, unsigned long *ticket)
{
	const struct tg_account *a;
	bool looked;

	spin_lock(&tg_memory_lock);
	a = tg_memory_find_locked(&td->memory, pid);
	looked = a && a->opening && a->looked_ns &&
		 ktime_get_ns() - a->looked_ns < LOOK_HOLDS_NS;
	if (looked)
		*ticket = a->ticket;
	spin_unlock(&tg_memory_lock);
	return looked;
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
	if (a && a->domain)
		a->domain->foreground += foreground - (int)a->foreground;
	if (a)
		a->foreground = foreground;
	spin_unlock(&tg_memory_lock);
}
