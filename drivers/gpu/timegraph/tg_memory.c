// SPDX-License-Identifier: GPL-2.0-only
/*
 * Whose memory of a card is whose; see tg_memory.h.
 *
 * Who is woken by a signal keeps his place for COME_BACK_MS: nouveau's ioctls are called
 * again then, and a program that gets signals would always be the last.
 */
#define pr_fmt(fmt) "timegraph: " fmt

#include <linux/cred.h>
#include <linux/hashtable.h>
#include <linux/jiffies.h>
#include <linux/module.h>
#include <linux/pid.h>
#include <linux/sched/signal.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/wait.h>

#include "tg_device.h"
#include "tg_foreground.h"
#include "tg_memory.h"
#include "tg_params.h"
#include "tg_process.h"
#include "tg_registry.h"

/* Of a user's processes so many have reservations or wait for them. */
#define USER_MAX 64
#define COME_BACK_MS 1000
#define SWEEP_MS 100
#define WAITING_MAX 1024
/* Of a process so many wait for its reservation. */
#define THREADS_MAX 64

static const char *const beyond_words[] = {
	[TIMEGRAPH_VRAM_SPILL] = "spill",
	[TIMEGRAPH_VRAM_REFUSE] = "refuse",
	[TIMEGRAPH_VRAM_WAIT] = "wait",
};

/* See the header. */
DEFINE_SPINLOCK(tg_memory_lock);
DECLARE_WAIT_QUEUE_HEAD(tg_memory_waiters);
bool tg_memory_closed;
enum timegraph_vram_beyond tg_memory_beyond;
static const struct tg_vram_policy_ops *policy;

/* Sum of tg_account.blocked: mostly nobody is. */
static u32 nr_blocked;

static int policy_of(const char *word)
{
	for (int i = 0; i < TG_VRAM_NR_POLICIES; i++)
		if (sysfs_streq(word, tg_vram_policies[i].name))
			return i;
	return -EINVAL;
}

int tg_memory_init(void)
{
	int ret = sysfs_match_string(beyond_words, tg_param_vram_beyond);

	if (ret < 0) {
		pr_err("vram_beyond=%s: spill, refuse or wait\n", tg_param_vram_beyond);
		return ret;
	}
	tg_memory_beyond = ret;
	ret = policy_of(tg_param_vram_policy);
	if (ret < 0) {
		pr_err("vram_policy=%s: fifo, mmu, prio-fifo or prio-mmu\n", tg_param_vram_policy);
		return ret;
	}
	policy = &tg_vram_policies[ret];
	return 0;
}

/*
 * Accounts.
 */

/* @pid: of a process; NULL: of a domain */
static struct tg_account *find_locked(struct tg_memory *m, const struct pid *pid, u64 cgroup)
{
	struct tg_account *a;

	lockdep_assert_held(&tg_memory_lock);
	hash_for_each_possible(m->table, a, in_table, pid ? (unsigned long)pid : cgroup)
		if (a->pid == pid && a->cgroup == cgroup)
			return a;
	return NULL;
}

struct tg_account *tg_memory_find_locked(struct tg_memory *m, const struct pid *pid)
{
	return find_locked(m, pid, 0);
}

/* In nobody's list yet. */
static struct tg_account *create_account(struct pid *pid, u64 cgroup, const char *name)
{
	struct tg_account *a = kzalloc(sizeof(*a), GFP_KERNEL_ACCOUNT);

	if (!a)
		return NULL;
	INIT_LIST_HEAD(&a->base.node);
	INIT_LIST_HEAD(&a->reserving);
	INIT_LIST_HEAD(&a->made);
	a->pid = get_pid(pid);
	a->cgroup = cgroup;
	a->uid = tg_process_caller_payer();
	a->shown_uid = current_euid();
	a->foreground = pid && tg_foreground_has(pid);
	strscpy(a->comm, name, sizeof(a->comm));
	return a;
}

static void destroy_account(struct tg_account *a)
{
	put_pid(a->pid);
	kfree(a);
}

static struct tg_account *enter_locked(struct tg_memory *m, const struct pid *pid, u64 cgroup)
{
	struct tg_account *a = find_locked(m, pid, cgroup);

	if (a)
		a->inside++;
	return a;
}

/* One that the caller is inside of until tg_memory_put_locked(). */
static struct tg_account *get_account(struct tg_memory *m, struct pid *pid, u64 cgroup,
				      const char *name)
{
	struct tg_account *a, *own;

	spin_lock(&tg_memory_lock);
	a = enter_locked(m, pid, cgroup);
	spin_unlock(&tg_memory_lock);
	if (a)
		return a;
	own = create_account(pid, cgroup, name);
	if (!own)
		return NULL;
	spin_lock(&tg_memory_lock);
	a = enter_locked(m, pid, cgroup);
	if (!a) {
		list_add_tail(&own->node, &m->accounts);
		hash_add(m->table, &own->in_table, pid ? (unsigned long)pid : cgroup);
		own->inside++;
		swap(a, own);
	}
	spin_unlock(&tg_memory_lock);
	if (own)
		destroy_account(own);
	return a;
}

struct tg_account *tg_memory_get(struct tg_memory *m)
{
	return get_account(m, task_tgid(current), 0, current->group_leader->comm);
}

struct tg_account *tg_memory_get_domain(struct tg_memory *m, u64 id, const char *name)
{
	return get_account(m, NULL, id, name);
}

static void forget_account(struct tg_account *a)
{
	struct tg_made *made, *n;

	list_for_each_entry_safe(made, n, &a->made, node) {
		list_del_init(&made->node);
		made->a = NULL;
	}
	list_del(&a->node);
	list_del(&a->reserving);
	hash_del(&a->in_table);
	destroy_account(a);
}

/* Nobody is there for whom an entry gives it anything. */
static bool is_left(const struct tg_account *a)
{
	return !a->inside && !a->opening && !a->has_client && !a->nr_members;
}

static void free_if_idle_locked(struct tg_account *a)
{
	lockdep_assert_held(&tg_memory_lock);
	if (is_left(a) && !a->nr_buffers && a->base.state == TG_VRAM_NONE)
		forget_account(a);
}

/* After every change: serves all that can be. */
void tg_memory_serve_locked(struct tg_memory *m)
{
	bool any = false;

	lockdep_assert_held(&tg_memory_lock);
	while (m->vram.nr_waiting && !tg_memory_closed && tg_vram_next(&m->vram, ktime_get_ns()))
		any = true;
	/* A buffer that waits looks itself. */
	if (any || tg_memory_beyond == TIMEGRAPH_VRAM_WAIT)
		wake_up_all(&tg_memory_waiters);
}

/* Threads of its own may wait for what it waits for no more. */
static void leave(struct tg_memory *m, struct tg_account *a)
{
	bool waited = a->base.state == TG_VRAM_WAITING;

	tg_vram_leave(&m->vram, &a->base);
	list_del_init(&a->reserving);
	a->handle = NULL;
	a->by_entry = false;
	a->limited = false;
	tg_memory_serve_locked(m);
	if (waited)
		wake_up_all(&tg_memory_waiters);
}

/**
 * struct elsewhere - what a process, and whom it asks for, have on other cards than one
 * @m: that one
 * @a: whom it asks for, or NULL
 * @later: the look is at those that come after it
 * @has: it has something there, or waits for it
 * @blocked: a thread of the process waits on one that comes before it
 */
struct elsewhere {
	const struct tg_memory *m;
	const struct tg_account *a;
	bool later, has, blocked;
};

static bool has_any(const struct tg_account *a)
{
	return a && (a->base.held || a->base.charged);
}

static void look_elsewhere(struct tg_device *td, void *arg)
{
	struct elsewhere *e = arg;
	struct tg_account *own;

	if (&td->memory == e->m) {
		e->later = true;
		return;
	}
	own = find_locked(&td->memory, task_tgid(current), 0);
	if (!e->later) {
		e->blocked |= own && own->blocked;
		return;
	}
	if (!e->a)
		return;
	/* Nobody is there who waits: it might have it at any time, and for good. */
	if (own && own->base.state == TG_VRAM_WAITING && !own->waiting)
		leave(&td->memory, own);
	e->has |= has_any(own) || (own && (own->blocked || has_any(own->domain))) ||
		  has_any(find_locked(&td->memory, e->a->pid, e->a->cgroup));
}

/*
 * Two that each have something on the card that the other waits for would do so for ever.
 * So who has something waits for cards that come later only; and while a thread of his waits no
 * other gets anything on those.
 */
static bool has_on_later_cards(const struct tg_memory *m, const struct tg_account *a)
{
	struct elsewhere e = { .m = m, .a = a };

	lockdep_assert_held(&tg_memory_lock);
	tg_registry_for_each(look_elsewhere, &e);
	return e.has;
}

bool tg_memory_is_blocked_before_locked(const struct tg_memory *m)
{
	struct elsewhere e = { .m = m };

	lockdep_assert_held(&tg_memory_lock);
	if (!nr_blocked)
		return false;
	tg_registry_for_each(look_elsewhere, &e);
	return e.blocked && !tg_memory_closed;
}

/* It has what its entry gives, and nobody is there for whom: he is away, or has gone. */
static bool is_kept_for_nobody(const struct tg_account *a)
{
	return a->base.state == TG_VRAM_HELD && tg_account_is_given(a) && is_left(a);
}

/* Who waits and was woken by a signal keeps his place for a while, see is_lost(). */
static void settle_one(struct tg_memory *m, struct tg_account *a)
{
	if (is_kept_for_nobody(a))
		leave(m, a);
	free_if_idle_locked(a);
}

void tg_memory_settle_locked(struct tg_memory *m, struct tg_account *a)
{
	struct tg_account *domain = a->domain;

	lockdep_assert_held(&tg_memory_lock);
	if (domain && is_left(a)) {
		a->domain = NULL;
		tg_vram_unmade(&m->vram, &domain->base, a->base.made);
		domain->nr_members--;
		domain->foreground -= a->foreground;
		settle_one(m, domain);
	}
	settle_one(m, a);
}

/* Who waits with his domain has nothing that others could wait for. */
static bool has_any_own(const struct tg_memory *m, const struct tg_account *a)
{
	return tg_vram_owns(&a->base) || has_on_later_cards(m, a);
}

bool tg_memory_join_locked(struct tg_memory *m, struct tg_account *a, struct tg_account *domain)
{
	lockdep_assert_held(&tg_memory_lock);
	if (a->base.state != TG_VRAM_NONE || a->handle || a->by_entry)
		return false;
	if (domain->base.state != TG_VRAM_HELD && has_any_own(m, a))
		return false;
	a->domain = domain;
	tg_vram_made(&m->vram, &domain->base, a->base.made);
	domain->nr_members++;
	domain->foreground += a->foreground;
	return true;
}

struct tg_account *tg_memory_payer_locked(struct tg_memory *m, struct tg_account *a)
{
	lockdep_assert_held(&tg_memory_lock);
	if (!a->domain || (a->domain->base.state == TG_VRAM_WAITING && has_any_own(m, a)))
		return a;
	return a->domain;
}

void tg_memory_put_locked(struct tg_memory *m, struct tg_account *a)
{
	lockdep_assert_held(&tg_memory_lock);
	a->inside--;
	tg_memory_settle_locked(m, a);
}

void tg_memory_leave_locked(struct tg_memory *m, struct tg_account *a)
{
	leave(m, a);
	free_if_idle_locked(a);
}

static bool is_dead(const struct tg_account *a)
{
	bool dead;

	if (!a->pid)
		return false;
	rcu_read_lock();
	dead = !pid_task(a->pid, PIDTYPE_TGID);
	rcu_read_unlock();
	return dead;
}

/* The paper's sanity check (section 3.2), and those that did not come back. */
static bool is_lost(const struct tg_account *a, u64 now)
{
	bool is_late = now - a->absent_ns > COME_BACK_MS * NSEC_PER_MSEC;

	switch (a->base.state) {
	case TG_VRAM_WAITING:
		return !a->waiting && (is_dead(a) || is_late);
	case TG_VRAM_HELD:
		return (!a->inside && is_dead(a)) || (is_kept_for_nobody(a) && is_late);
	case TG_VRAM_NONE:
		break;
	}
	return false;
}

/* @but: who asks, or NULL.  Return: whether it is to be looked again */
static bool sweep_locked(struct tg_memory *m, const struct tg_account *but)
{
	struct tg_account *a, *n;
	u64 now = ktime_get_ns();
	bool again = false;

	lockdep_assert_held(&tg_memory_lock);
	list_for_each_entry_safe(a, n, &m->reserving, reserving) {
		if (a != but && is_lost(a, now))
			tg_memory_leave_locked(m, a);
		else
			again |= is_kept_for_nobody(a);
	}
	tg_memory_serve_locked(m);
	return again || m->vram.nr_waiting;
}

/* A worker may have to wait for a CPU so long. */
#define GONE_LATELY_NS NSEC_PER_SEC

/* Whose reservation the caller's buffers are within, or NULL. */
static struct tg_account *holder_locked(struct tg_memory *m)
{
	struct tg_account *a = find_locked(m, task_tgid(current), 0);

	lockdep_assert_held(&tg_memory_lock);
	if (a && a->domain)
		a = a->domain;
	return a && a->base.held && !tg_memory_closed ? a : NULL;
}

static bool was_lately(u64 at, u64 now)
{
	return at && (s64)(now - at) < (s64)GONE_LATELY_NS;
}

u64 tg_memory_promised(struct tg_device *td, u64 bytes, bool must)
{
	struct tg_memory *m = &td->memory;
	const struct tg_account *a;
	u64 promised = 0, now = ktime_get_ns();

	if (!must && !was_lately(READ_ONCE(m->gone_ns), now))
		return 0;
	spin_lock(&tg_memory_lock);
	a = holder_locked(m);
	if (a && (must || !was_lately(a->vain_ns, now)))
		promised = tg_vram_promised(&m->vram) + bytes;
	spin_unlock(&tg_memory_lock);
	return promised;
}

bool tg_memory_holds(struct tg_device *td)
{
	bool holds;

	spin_lock(&tg_memory_lock);
	holds = holder_locked(&td->memory);
	spin_unlock(&tg_memory_lock);
	return holds;
}

void tg_memory_in_vain(struct tg_device *td)
{
	struct tg_account *a;

	spin_lock(&tg_memory_lock);
	a = holder_locked(&td->memory);
	if (a)
		a->vain_ns = ktime_get_ns();
	spin_unlock(&tg_memory_lock);
}

void tg_memory_sweep_soon(struct tg_memory *m)
{
	schedule_delayed_work(&m->sweep, msecs_to_jiffies(SWEEP_MS));
}

static void sweep(struct work_struct *work)
{
	struct tg_memory *m = container_of(to_delayed_work(work), struct tg_memory, sweep);
	bool again;

	spin_lock(&tg_memory_lock);
	again = sweep_locked(m, NULL) && !tg_memory_closed;
	spin_unlock(&tg_memory_lock);
	if (again)
		tg_memory_sweep_soon(m);
}

void tg_memory_start(struct tg_device *td)
{
	struct tg_memory *m = &td->memory;

	tg_vram_init(&m->vram, 0, (u64)tg_param_vram_margin_mb << 20);
	m->vram.start = TG_VRAM_START;
	m->vram.policy = policy;
	m->vram.aging_ns = tg_param_vram_aging_ms * (u64)NSEC_PER_MSEC;
	INIT_LIST_HEAD(&m->accounts);
	INIT_LIST_HEAD(&m->reserving);
	hash_init(m->table);
	INIT_DELAYED_WORK(&m->sweep, sweep);
}

void tg_memory_stop(struct tg_device *td)
{
	struct tg_memory *m = &td->memory;
	struct tg_account *a, *n;

	cancel_delayed_work_sync(&m->sweep);
	spin_lock(&tg_memory_lock);
	list_for_each_entry_safe(a, n, &m->accounts, node)
		forget_account(a);
	spin_unlock(&tg_memory_lock);
}

/* What is older shows again when nothing newer is there. */
bool tg_memory_is_described(const struct tg_device *td, bool lately)
{
	const struct tg_memory *m = &td->memory;

	return READ_ONCE(m->kept) &&
	       (READ_ONCE(m->vram.charged) || !READ_ONCE(m->vram.older) ||
		(lately && !READ_ONCE(m->vram.held) && !READ_ONCE(m->vram.nr_waiting) &&
		 time_before(jiffies, READ_ONCE(m->described) + HZ / 10)));
}

void tg_memory_describe(struct tg_device *td, u64 size, u64 used)
{
	struct tg_memory *m = &td->memory;
	struct tg_vram *v = &m->vram;

	spin_lock(&tg_memory_lock);
	/* Nobody makes older buffers; what is used beside newer ones is not to be told apart. */
	if (!v->size)
		v->older = used;
	else if (!v->charged)
		v->older = min(v->older, used);
	/* nouveau takes off what is pinned, which is accounted for here. */
	v->size = max(v->size, min(size, TG_VRAM_MAX_BYTES));
	m->kept = true;
	WRITE_ONCE(m->described, jiffies);
	tg_memory_serve_locked(m);
	spin_unlock(&tg_memory_lock);
}

/*
 * Waiting for a reservation.
 */

bool tg_memory_is_over(const struct tg_account *a)
{
	return READ_ONCE(a->base.state) != TG_VRAM_WAITING || READ_ONCE(tg_memory_closed);
}

/* 0: for ever */
static ktime_t left_until(u64 deadline_ns)
{
	u64 now = ktime_get_ns();

	return deadline_ns ? ns_to_ktime(deadline_ns - min(deadline_ns, now)) : KTIME_MAX;
}

/*
 * Until the account holds something, @deadline_ns (0: for ever), a signal, or the end of the
 * module.  See tg_memory_ask(); but for -ERESTARTSYS it does not wait any more then.
 */
static int wait_for(struct tg_memory *m, struct tg_account *a, u64 deadline_ns)
{
	ktime_t left = left_until(deadline_ns);
	int ret;

	tg_memory_sweep_soon(m);
	ret = wait_event_interruptible_hrtimeout(tg_memory_waiters, tg_memory_is_over(a), left);
	spin_lock(&tg_memory_lock);
	a->waiting--;
	if (a->base.state == TG_VRAM_HELD) {
		ret = 0;
	} else if (ret == -ERESTARTSYS && !fatal_signal_pending(current)) {
		a->absent_ns = ktime_get_ns();
	} else {
		if (!a->waiting && a->base.state == TG_VRAM_WAITING)
			leave(m, a);
		ret = ret == -ETIME ? -ETIMEDOUT : ret ?: tg_memory_closed ? -ENODEV : -ECANCELED;
	}
	spin_unlock(&tg_memory_lock);
	return ret;
}

/*
 * What a user's processes may have together, all but those that have a right to more; with the page
 * tables that come with it.
 */
static bool is_over_limit(struct tg_memory *m, const struct tg_account *own,
			  const struct tg_memory_want *w)
{
	const struct tg_vram *v = &m->vram;
	u64 most = div_u64(tg_vram_all(v) * tg_param_vram_user, 100);
	u64 sum = w->bytes + tg_vram_due_then(v, &own->base, w->bytes);
	const struct tg_account *a;
	u32 nr = 0;

	lockdep_assert_held(&tg_memory_lock);
	if (w->bytes <= own->base.held)
		return false;
	list_for_each_entry(a, &m->reserving, reserving) {
		if (a == own || !a->limited || !uid_eq(a->uid, own->uid))
			continue;
		nr++;
		sum += max(a->base.held, a->base.wanted) + a->base.due;
		if (a->base.wanted)
			sum += tg_vram_due_then(v, &a->base, a->base.wanted);
	}
	return nr >= USER_MAX || (sum > most && !(w->one && !nr));
}

static int put_question(struct tg_memory *m, struct tg_account *a,
			const struct tg_memory_want *w)
{
	struct tg_vram_account *base = &a->base;

	lockdep_assert_held(&tg_memory_lock);
	if (a->limited && is_over_limit(m, a, w))
		return -EDQUOT;
	/* Who was interrupted, and wants something else, does not come back. */
	if (base->state == TG_VRAM_WAITING && !a->waiting &&
	    (!w->wait || base->wanted != w->bytes)) {
		tg_vram_leave(&m->vram, base);
		/* A buffer of another thread may wait with it. */
		wake_up_all(&tg_memory_waiters);
	}
	if (base->state == TG_VRAM_WAITING && base->wanted == w->bytes)
		return !w->wait ? -EAGAIN : a->waiting < THREADS_MAX ? -EINPROGRESS : -EDQUOT;
	if (m->vram.nr_waiting >= WAITING_MAX)
		return -EDQUOT;
	if (base->state == TG_VRAM_NONE)
		base->entitled = !a->limited;
	return tg_vram_ask(&m->vram, base, w->bytes,
			   w->wait && !has_on_later_cards(m, a), ktime_get_ns());
}

static int try_ask(struct tg_memory *m, struct tg_account *a, const struct tg_memory_want *w)
{
	int ret;

	lockdep_assert_held(&tg_memory_lock);
	if (tg_memory_closed)
		return -ENODEV;
	ret = w->claim ? w->claim(m, a, w) : 0;
	if (ret)
		return ret;
	ret = put_question(m, a, w);
	if (a->base.state == TG_VRAM_NONE)
		list_del_init(&a->reserving);
	else if (list_empty(&a->reserving))
		list_add_tail(&a->reserving, &m->reserving);
	return ret;
}

static bool is_blocked_before(const struct tg_memory *m)
{
	bool blocked;

	spin_lock(&tg_memory_lock);
	blocked = tg_memory_is_blocked_before_locked(m);
	spin_unlock(&tg_memory_lock);
	return blocked;
}

/* Until no other thread of the process waits for a card before this one.  Return: 0, or why not */
static int wait_for_cards_before(const struct tg_memory *m, const struct tg_memory_want *w)
{
	int ret;

	if (!w->wait)
		return -EAGAIN;
	ret = wait_event_interruptible_hrtimeout(tg_memory_waiters, !is_blocked_before(m),
						 left_until(w->deadline_ns));
	return ret == -ETIME ? -ETIMEDOUT : ret;
}

/* The thread waits, or does no more. */
static void note_blocked_locked(struct tg_memory *m, int n)
{
	struct tg_account *own = find_locked(m, task_tgid(current), 0);

	lockdep_assert_held(&tg_memory_lock);
	if (!own)
		return;
	own->blocked += n;
	nr_blocked += n;
	if (n < 0)
		wake_up_all(&tg_memory_waiters);
}

int tg_memory_ask(struct tg_memory *m, struct tg_account *a, const struct tg_memory_want *w)
{
	int ret;

	spin_lock(&tg_memory_lock);
	while (tg_memory_is_blocked_before_locked(m)) {
		spin_unlock(&tg_memory_lock);
		ret = wait_for_cards_before(m, w);
		if (ret)
			return ret;
		spin_lock(&tg_memory_lock);
	}
	ret = try_ask(m, a, w);
	if (ret == -EAGAIN || ret == -EDEADLK || ret == -EDQUOT) {
		/* Those who have it may be dead; it is one question all the same. */
		m->vram.deadlocks -= ret == -EDEADLK;
		sweep_locked(m, a);
		ret = try_ask(m, a, w);
	}
	if (ret == -EAGAIN && w->wait) {
		m->vram.deadlocks++;
		ret = -EDEADLK;
	}
	tg_memory_serve_locked(m);
	if (ret == -EINPROGRESS) {
		a->waiting++;
		note_blocked_locked(m, 1);
	}
	spin_unlock(&tg_memory_lock);
	if (ret != -EINPROGRESS)
		return ret;
	ret = wait_for(m, a, w->deadline_ns);
	spin_lock(&tg_memory_lock);
	note_blocked_locked(m, -1);
	spin_unlock(&tg_memory_lock);
	return ret;
}

/*
 * The beginning and the end.
 */

void tg_memory_close(void)
{
	spin_lock(&tg_memory_lock);
	tg_memory_closed = true;
	spin_unlock(&tg_memory_lock);
	wake_up_all(&tg_memory_waiters);
}

static void stop_keeping(struct tg_device *td, void *unused)
{
	spin_lock(&tg_memory_lock);
	td->memory.kept = false;
	td->memory.vram.size = 0;
	spin_unlock(&tg_memory_lock);
}

void tg_memory_keep(bool keep)
{
	spin_lock(&tg_memory_lock);
	tg_memory_closed = !keep;
	spin_unlock(&tg_memory_lock);
	if (!keep)
		tg_registry_for_each(stop_keeping, NULL);
}

bool tg_memory_is_unlimited(const struct tg_memory *m)
{
	lockdep_assert_held(&tg_memory_lock);
	return tg_memory_closed || (!m->vram.held && !m->vram.nr_waiting);
}

static const char *const why_words[] = {
	[TG_VRAM_WHY_NOT] = "",
	[TG_VRAM_WHY_ROOM] = ", waits for room",
	[TG_VRAM_WHY_TURN] = ", waits for its turn",
	[TG_VRAM_WHY_AGED] = ", waits for one that has waited for too long",
};

void tg_memory_show(struct tg_device *td, struct seq_file *seq)
{
	const struct tg_vram *v = &td->memory.vram;
	const struct tg_account *a;

	spin_lock(&tg_memory_lock);
	seq_printf(seq, "  vram: size=%llu margin=%llu older=%llu held=%llu rest=%llu free=%llu queued=%u granted=%llu over=%llu deadlocks=%llu policy=%s\n",
		   v->size, tg_vram_margin(v), v->older, v->held, v->rest, tg_vram_free(v),
		   v->nr_waiting, v->granted, v->refused, v->deadlocks, v->policy->name);
	list_for_each_entry(a, &td->memory.accounts, node)
		seq_printf(seq, "  vram of %s (%d): domain=%llu held=%llu charged=%llu wanted=%llu passed=%u%s\n",
			   a->comm, pid_nr(a->pid), a->domain ? a->domain->cgroup : a->cgroup,
			   a->base.held, a->base.charged, a->base.wanted, a->base.nr_passed,
			   why_words[tg_vram_why(v, &a->base, ktime_get_ns())]);
	spin_unlock(&tg_memory_lock);
}
