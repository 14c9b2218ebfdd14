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
#include <linux/module.h>
#include <linux/pid.h>
#include <linux/sched/signal.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/user_namespace.h>
#include <linux/wait.h>

#include "tg_device.h"
#include "tg_entry.h"
#include "tg_memory.h"
#include "tg_params.h"
#include "tg_registry.h"

#define COME_BACK_MS 1000
#define SWEEP_MS 100
#define WAITING_MAX 1024
/* TTM evicts the lowest first; it has four. */
#define PRIO_REST 0
#define PRIO_HELD 2
#define PRIO_FOREGROUND 3

static const char *const beyond_words[] = {
	[TIMEGRAPH_VRAM_SPILL] = "spill",
	[TIMEGRAPH_VRAM_REFUSE] = "refuse",
	[TIMEGRAPH_VRAM_WAIT] = "wait",
};

/**
 * struct tg_memory_buffer - a buffer
 * @node: in the table, once it is made
 * @key: nouveau's pointer, a number only
 * @m: whose memory
 * @a: to whom it is charged
 * @bytes: that
 * @size: of it
 * @spilled: it is elsewhere, and not charged
 */
struct tg_memory_buffer {
	struct hlist_node node;
	unsigned long key;
	struct tg_memory *m;
	struct tg_account *a;
	u64 bytes;
	u64 size;
	bool spilled;
};

/* See the header. */
DEFINE_SPINLOCK(tg_memory_lock);
static DEFINE_HASHTABLE(buffers, 10);
static DECLARE_WAIT_QUEUE_HEAD(waiters);
static bool closed;
enum timegraph_vram_beyond tg_memory_beyond;
static const struct tg_vram_policy_ops *policy;

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

/* As for tg_foreground: what is opened in a user namespace counts for who made that. */
kuid_t tg_memory_user(void)
{
	const struct user_namespace *ns = current_user_ns();
	kuid_t uid = current_euid();

	for (; ns != &init_user_ns; ns = ns->parent)
		uid = ns->owner;
	return uid;
}

struct tg_account *tg_memory_find_locked(struct tg_memory *m, const struct pid *pid)
{
	struct tg_account *a;

	lockdep_assert_held(&tg_memory_lock);
	list_for_each_entry(a, &m->accounts, node)
		if (a->pid == pid)
			return a;
	return NULL;
}

/* The caller's, which it is inside of until tg_memory_put_locked(). */
struct tg_account *tg_memory_get(struct tg_memory *m)
{
	struct tg_account *a, *spare = kzalloc(sizeof(*spare), GFP_KERNEL_ACCOUNT);

	spin_lock(&tg_memory_lock);
	a = tg_memory_find_locked(m, task_tgid(current));
	if (!a && spare) {
		a = spare;
		spare = NULL;
		INIT_LIST_HEAD(&a->base.node);
		a->pid = get_pid(task_tgid(current));
		a->uid = tg_memory_user();
		a->shown_uid = current_euid();
		strscpy(a->comm, current->group_leader->comm, sizeof(a->comm));
		list_add_tail(&a->node, &m->accounts);
	}
	if (a)
		a->inside++;
	spin_unlock(&tg_memory_lock);
	kfree(spare);
	return a;
}

static void free_if_idle_locked(struct tg_account *a)
{
	lockdep_assert_held(&tg_memory_lock);
	if (a->inside || a->opening || a->nr_buffers || a->base.state != TG_VRAM_NONE)
		return;
	list_del(&a->node);
	put_pid(a->pid);
	kfree(a);
}

void tg_memory_put_locked(struct tg_account *a)
{
	lockdep_assert_held(&tg_memory_lock);
	a->inside--;
	free_if_idle_locked(a);
}

/* After every change: serves all that can be. */
void tg_memory_serve_locked(struct tg_memory *m)
{
	bool any = false;

	lockdep_assert_held(&tg_memory_lock);
	while (tg_vram_next(&m->vram, ktime_get_ns()))
		any = true;
	/* A buffer that waits looks itself. */
	if (any || tg_memory_beyond == TIMEGRAPH_VRAM_WAIT)
		wake_up_all(&waiters);
}

static void leave(struct tg_memory *m, struct tg_account *a)
{
	tg_vram_leave(&m->vram, &a->base);
	a->handle = NULL;
	a->by_entry = false;
	a->absent = false;
	tg_memory_serve_locked(m);
}

void tg_memory_leave_locked(struct tg_memory *m, struct tg_account *a)
{
	leave(m, a);
	free_if_idle_locked(a);
}

static bool is_dead(const struct tg_account *a)
{
	bool dead;

	rcu_read_lock();
	dead = !pid_task(a->pid, PIDTYPE_TGID);
	rcu_read_unlock();
	return dead;
}

/* The paper's sanity check (section 3.2), and those that did not come back. */
static bool is_lost(const struct tg_account *a, u64 now)
{
	if (a->base.state == TG_VRAM_NONE || a->inside)
		return false;
	return is_dead(a) ||
	       (a->absent && now - a->absent_ns > COME_BACK_MS * NSEC_PER_MSEC);
}

static void sweep(struct work_struct *work)
{
	struct tg_memory *m = container_of(to_delayed_work(work), struct tg_memory, sweep);
	struct tg_account *a, *n;
	bool again;

	spin_lock(&tg_memory_lock);
	again = m->vram.nr_waiting;
	list_for_each_entry_safe(a, n, &m->accounts, node) {
		if (is_lost(a, ktime_get_ns())) {
			tg_memory_leave_locked(m, a);
			continue;
		}
		again |= a->absent;
	}
	tg_memory_serve_locked(m);
	spin_unlock(&tg_memory_lock);
	if (again)
		schedule_delayed_work(&m->sweep, msecs_to_jiffies(SWEEP_MS));
}

void tg_memory_start(struct tg_device *td)
{
	struct tg_memory *m = &td->memory;

	tg_vram_init(&m->vram, 0, (u64)tg_param_vram_margin_mb << 20);
	m->vram.policy = policy;
	m->vram.aging_ns = tg_param_vram_aging_ms * (u64)NSEC_PER_MSEC;
	INIT_LIST_HEAD(&m->accounts);
	INIT_DELAYED_WORK(&m->sweep, sweep);
}

void tg_memory_stop(struct tg_device *td)
{
	struct tg_memory *m = &td->memory;
	struct tg_account *a, *n;

	cancel_delayed_work_sync(&m->sweep);
	list_for_each_entry_safe(a, n, &m->accounts, node) {
		list_del(&a->node);
		put_pid(a->pid);
		kfree(a);
	}
}

static u64 accounted_locked(const struct tg_memory *m)
{
	const struct tg_account *a;
	u64 sum = 0;

	list_for_each_entry(a, &m->accounts, node)
		sum += a->base.charged;
	return sum;
}

void tg_memory_describe(struct tg_device *td, u64 size, u64 used)
{
	struct tg_memory *m = &td->memory;
	u64 other;

	spin_lock(&tg_memory_lock);
	other = used - min(used, accounted_locked(m));
	/* Nobody makes older buffers. */
	m->vram.older = m->vram.size ? min(m->vram.older, other) : other;
	m->vram.size = min(size, TG_VRAM_MAX_BYTES);
	m->kept = true;
	tg_memory_serve_locked(m);
	spin_unlock(&tg_memory_lock);
}

/*
 * Waiting for a reservation.
 */

static bool is_over(const struct tg_account *a)
{
	return READ_ONCE(a->base.state) != TG_VRAM_WAITING || READ_ONCE(closed);
}

/*
 * Until the account holds something, @deadline_ns (0: for ever), a signal, or the end of the
 * module.  0, -ETIMEDOUT, -ERESTARTSYS, -ENODEV: then it does not wait any more, but for
 * -ERESTARTSYS.
 */
static int wait_for(struct tg_memory *m, struct tg_account *a, u64 deadline_ns)
{
	u64 now = ktime_get_ns();
	ktime_t left = deadline_ns ? ns_to_ktime(deadline_ns - min(deadline_ns, now)) :
				     KTIME_MAX;
	int ret;

	schedule_delayed_work(&m->sweep, msecs_to_jiffies(SWEEP_MS));
	ret = wait_event_interruptible_hrtimeout(waiters, is_over(a), left);
	spin_lock(&tg_memory_lock);
	a->waiting--;
	if (a->base.state == TG_VRAM_HELD) {
		ret = 0;
	} else if (ret == -ERESTARTSYS && !fatal_signal_pending(current)) {
		a->absent = !a->waiting;
		a->absent_ns = ktime_get_ns();
	} else {
		if (!a->waiting)
			leave(m, a);
		ret = ret == -ETIME ? -ETIMEDOUT : ret ?: -ENODEV;
	}
	spin_unlock(&tg_memory_lock);
	return ret;
}

/* What it asks for, now or when it is its turn; it is inside. */
int tg_memory_ask(struct tg_memory *m, struct tg_account *a, u64 bytes, u64 deadline_ns,
		  bool wait)
{
	int ret;

	spin_lock(&tg_memory_lock);
	a->absent = false;
	if (closed)
		ret = -ENODEV;
	else if (a->base.state == TG_VRAM_WAITING && a->base.wanted == bytes)
		ret = -EINPROGRESS;
	else if (m->vram.nr_waiting >= WAITING_MAX)
		ret = -EDQUOT;
	else
		ret = tg_vram_ask(&m->vram, &a->base, bytes, wait, ktime_get_ns());
	tg_memory_serve_locked(m);
	if (ret == -EINPROGRESS)
		a->waiting++;
	spin_unlock(&tg_memory_lock);
	return ret == -EINPROGRESS ? wait_for(m, a, deadline_ns) : ret;
}

/*
 * By the specification.  Who has buffers already, or asks for more than there is, goes on
 * without, and the log says so: that a desktop does not start were worse.
 */
static int open_by_entry(struct tg_memory *m, struct tg_account *a, u64 bytes, u8 prio)
{
	int ret;

	spin_lock(&tg_memory_lock);
	if (a->base.state != TG_VRAM_WAITING)
		a->base.prio = prio;
	a->by_entry = !a->handle;
	spin_unlock(&tg_memory_lock);
	ret = tg_memory_ask(m, a, bytes, 0, true);
	if (!ret || ret == -ERESTARTSYS || ret == -ENODEV)
		return ret == -ERESTARTSYS ? ret : 0;
	spin_lock(&tg_memory_lock);
	a->by_entry &= a->base.state != TG_VRAM_NONE;
	spin_unlock(&tg_memory_lock);
	pr_notice("%s (%d) gets none of the %llu KiB of video memory of its entry: %s\n",
		  a->comm, pid_nr(a->pid), bytes >> 10,
		  ret == -ENOSPC ? "the card has less" :
		  ret == -EDEADLK ? "it has buffers already, and would have to wait" :
		  "too many wait");
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
			ret = open_by_entry(m, a, entry.vram_bytes, entry.prio);
	}
	spin_lock(&tg_memory_lock);
	if (ret)
		a->opening--;
	tg_memory_put_locked(a);
	spin_unlock(&tg_memory_lock);
	return ret;
}

static void end_entry_locked(struct tg_memory *m, struct tg_account *a)
{
	if (a->by_entry && !a->has_client && !a->opening && !a->inside)
		leave(m, a);
	free_if_idle_locked(a);
}

void tg_memory_opened(struct tg_device *td)
{
	struct tg_account *a;

	spin_lock(&tg_memory_lock);
	a = tg_memory_find_locked(&td->memory, task_tgid(current));
	if (a && a->opening) {
		a->opening--;
		end_entry_locked(&td->memory, a);
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
		end_entry_locked(&td->memory, a);
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

/*
 * Buffers.
 */

static int charge_locked(struct tg_memory *m, struct tg_account *a, u64 bytes)
{
	if (closed || (!m->vram.held && !m->vram.nr_waiting)) {
		tg_vram_charge_over(&m->vram, &a->base, bytes);
		return 0;
	}
	return tg_vram_charge(&m->vram, &a->base, bytes, ktime_get_ns());
}

static int try_charge(struct tg_memory *m, struct tg_account *a, u64 bytes)
{
	int ret;

	spin_lock(&tg_memory_lock);
	ret = charge_locked(m, a, bytes);
	spin_unlock(&tg_memory_lock);
	return ret;
}

/* A buffer of a process that waits for its reservation waits with it. */
static int charge(struct tg_memory *m, struct tg_account *a, u64 bytes)
{
	int ret = try_charge(m, a, bytes), wait;

	while (ret == -EBUSY) {
		ret = wait_event_interruptible(waiters, is_over(a));
		if (!ret)
			ret = try_charge(m, a, bytes);
	}
	if (ret != -ENOMEM || READ_ONCE(tg_memory_beyond) != TIMEGRAPH_VRAM_WAIT)
		return ret;
	wait = wait_event_interruptible_hrtimeout(waiters,
						  (ret = try_charge(m, a, bytes)) != -ENOMEM,
						  ms_to_ktime(tg_param_vram_wait_ms));
	return wait == -ERESTARTSYS && ret == -ENOMEM ? wait : ret;
}

int tg_memory_begin(struct tg_device *td, u64 bytes, bool may_spill,
		    struct tg_memory_buffer **buffer)
{
	struct tg_memory_buffer *b = kzalloc(sizeof(*b), GFP_KERNEL_ACCOUNT);
	struct tg_account *a = b ? tg_memory_get(&td->memory) : NULL;
	int ret = -ENOMEM;

	if (a)
		ret = charge(&td->memory, a, bytes);
	if (ret == -ENOMEM && a && may_spill && READ_ONCE(tg_memory_beyond) == TIMEGRAPH_VRAM_SPILL)
		ret = 1;
	if (ret < 0) {
		kfree(b);
		b = NULL;
	} else {
		b->m = &td->memory;
		b->a = a;
		b->size = bytes;
		b->bytes = ret ? 0 : bytes;
		b->spilled = ret;
	}
	*buffer = b;
	if (a) {
		spin_lock(&tg_memory_lock);
		a->nr_buffers += ret >= 0;
		tg_memory_put_locked(a);
		spin_unlock(&tg_memory_lock);
	}
	return ret;
}

void tg_memory_born(struct tg_memory_buffer *b, unsigned long key, u64 bytes)
{
	struct tg_vram *v = &b->m->vram;

	spin_lock(&tg_memory_lock);
	b->key = key;
	b->size = bytes;
	if (!b->spilled && bytes != b->bytes) {
		tg_vram_uncharge(v, &b->a->base, b->bytes);
		tg_vram_charge_over(v, &b->a->base, bytes);
		b->bytes = bytes;
	}
	hash_add(buffers, &b->node, key);
	spin_unlock(&tg_memory_lock);
}

static void forget_locked(struct tg_memory_buffer *b)
{
	tg_vram_uncharge(&b->m->vram, &b->a->base, b->bytes);
	tg_memory_serve_locked(b->m);
	b->a->nr_buffers--;
	free_if_idle_locked(b->a);
	kfree(b);
}

void tg_memory_end(struct tg_memory_buffer *b)
{
	if (!b)
		return;
	spin_lock(&tg_memory_lock);
	forget_locked(b);
	spin_unlock(&tg_memory_lock);
}

static struct tg_memory_buffer *find_buffer(unsigned long key)
{
	struct tg_memory_buffer *b;

	lockdep_assert_held(&tg_memory_lock);
	hash_for_each_possible(buffers, b, node, key)
		if (b->key == key)
			return b;
	return NULL;
}

void tg_memory_gone(unsigned long key)
{
	struct tg_memory_buffer *b;

	spin_lock(&tg_memory_lock);
	b = find_buffer(key);
	if (b) {
		hash_del(&b->node);
		forget_locked(b);
	}
	spin_unlock(&tg_memory_lock);
}

/* What was spilled goes back when it fits, once. */
static void unspill_locked(struct tg_memory_buffer *b, bool must)
{
	if (!b->spilled)
		return;
	if (must)
		tg_vram_charge_over(&b->m->vram, &b->a->base, b->size);
	else if (charge_locked(b->m, b->a, b->size))
		return;
	b->bytes = b->size;
	b->spilled = false;
}

static unsigned int prio_of(const struct tg_account *a)
{
	if (a->foreground)
		return PRIO_FOREGROUND;
	return a->base.held && a->base.charged <= a->base.held ? PRIO_HELD : PRIO_REST;
}

bool tg_memory_place(unsigned long key, unsigned int *prio)
{
	struct tg_memory_buffer *b;
	bool elsewhere = false;

	spin_lock(&tg_memory_lock);
	b = find_buffer(key);
	if (b) {
		unspill_locked(b, false);
		elsewhere = b->spilled;
		*prio = prio_of(b->a);
	}
	spin_unlock(&tg_memory_lock);
	return elsewhere;
}

void tg_memory_pin(unsigned long key)
{
	struct tg_memory_buffer *b;

	spin_lock(&tg_memory_lock);
	b = find_buffer(key);
	if (b)
		unspill_locked(b, true);
	spin_unlock(&tg_memory_lock);
}

/*
 * The beginning and the end.
 */

void tg_memory_close(void)
{
	spin_lock(&tg_memory_lock);
	closed = true;
	spin_unlock(&tg_memory_lock);
	wake_up_all(&waiters);
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
	struct tg_memory_buffer *b;
	struct hlist_node *tmp;
	unsigned int i;

	spin_lock(&tg_memory_lock);
	closed = !keep;
	if (!keep)
		hash_for_each_safe(buffers, i, tmp, b, node) {
			hash_del(&b->node);
			forget_locked(b);
		}
	spin_unlock(&tg_memory_lock);
	if (!keep)
		tg_registry_for_each(stop_keeping, NULL);
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
		   v->size, v->margin, v->older, v->held, v->rest, tg_vram_free(v),
		   v->nr_waiting, v->granted, v->refused, v->deadlocks, v->policy->name);
	list_for_each_entry(a, &td->memory.accounts, node)
		seq_printf(seq, "  vram of %s (%d): held=%llu charged=%llu wanted=%llu passed=%u%s\n",
			   a->comm, pid_nr(a->pid), a->base.held, a->base.charged,
			   a->base.wanted, a->base.nr_passed,
			   why_words[tg_vram_why(v, &a->base, ktime_get_ns())]);
	spin_unlock(&tg_memory_lock);
}
