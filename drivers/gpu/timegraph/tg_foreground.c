// SPDX-License-Identifier: GPL-2.0-only
/*
 * Who is in the foreground (AGPA), by the open files that say so.
 *
 *	user --> file (tg_foreground) --> member --> process <-- hash, by pid
 *	                                  member -->
 *	         file (its display server) -------->
 *
 * A process is known once, whatever the number of files that name it.  When it
 * ends the kernel wakes those who wait on its pidfd; we are one of them, and
 * forget it: who names processes that then end leaves no memory behind.  What
 * files name of processes that live is limited by user.
 */
#include <linux/cred.h>
#include <linux/hashtable.h>
#include <linux/llist.h>
#include <linux/mutex.h>
#include <linux/pid.h>
#include <linux/slab.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include <uapi/drm/timegraph.h>

#include "tg_foreground.h"
#include "tg_process.h"

/**
 * struct tg_foreground_user - a user with open files
 * @node: in users
 * @uid: who
 * @files: open
 * @members: of them all
 * @servers: of them, those that name a display server
 */
struct tg_foreground_user {
	struct list_head node;
	kuid_t uid;
	u32 files;
	u32 members;
	u32 servers;
};

/**
 * struct process - a process that a file names
 * @node: in processes
 * @pid: a reference
 * @members: one for each file
 * @served: files whose display server it is
 * @wait: on the end of the process, of whom the rest is
 * @woken: in the list of those that may have ended, until @forget
 * @is_woken: it is there
 * @gone: out of @node, no file names it; only @woken holds it
 * @named: the list that it is being named in, while one is made
 */
struct process {
	struct hlist_node node;
	struct pid *pid;
	struct list_head members;
	struct list_head served;
	wait_queue_entry_t wait;
	struct llist_node woken;
	atomic_t is_woken;
	bool gone;
	const struct list_head *named;
};

/**
 * struct member - a process in the foreground of a file
 * @of_file: in tg_foreground.members
 * @of_process: in process.members
 * @process: which
 * @fg: whose
 */
struct member {
	struct list_head of_file;
	struct list_head of_process;
	struct process *process;
	struct tg_foreground *fg;
};

/* Protects all of it but @woken. */
static DEFINE_MUTEX(mutex);
static DEFINE_HASHTABLE(processes, 10);
static LIST_HEAD(users);

/* Processes that may have ended. */
static LLIST_HEAD(woken);
static void forget_dead(struct work_struct *work);
static DECLARE_WORK(forget_work, forget_dead);

static struct process *find(const struct pid *pid)
{
	struct process *p;

	lockdep_assert_held(&mutex);
	hash_for_each_possible(processes, p, node, (unsigned long)pid)
		if (p->pid == pid)
			return p;
	return NULL;
}

bool tg_foreground_has(const struct pid *pid)
{
	const struct process *p;
	bool has;

	mutex_lock(&mutex);
	p = find(pid);
	/* A display server is known, too. */
	has = p && !list_empty(&p->members);
	mutex_unlock(&mutex);
	return has;
}

bool tg_foreground_by(const struct tg_foreground *fg, const struct pid *pid)
{
	const struct member *m;
	bool has = false;

	mutex_lock(&mutex);
	list_for_each_entry(m, &fg->members, of_file) {
		has = m->process->pid == pid;
		if (has)
			break;
	}
	mutex_unlock(&mutex);
	return has;
}

void tg_foreground_reset(const struct pid *pid)
{
	struct tg_foreground *fg;
	struct process *p;

	mutex_lock(&mutex);
	p = find(pid);
	if (p)
		list_for_each_entry(fg, &p->served, of_server)
			memset(fg->lent, 0, sizeof(fg->lent));
	mutex_unlock(&mutex);
}

void tg_foreground_lend(const struct pid *pid, u8 level, bool capped)
{
	struct process *p;
	struct member *m;

	mutex_lock(&mutex);
	p = find(pid);
	if (p)
		list_for_each_entry(m, &p->members, of_process)
			m->fg->lent[capped] = max(m->fg->lent[capped], level);
	mutex_unlock(&mutex);
}

u8 tg_foreground_borrow(const struct pid *pid, bool capped)
{
	const struct tg_foreground *fg;
	const struct process *p;
	u8 level = 0;

	mutex_lock(&mutex);
	p = find(pid);
	if (p)
		list_for_each_entry(fg, &p->served, of_server)
			for (int i = 0; i <= capped; i++)
				level = max(level, fg->lent[i]);
	mutex_unlock(&mutex);
	return level;
}

/*
 * The process may have ended: the queue is woken for the ends of threads, too.
 * Under the lock of the queue, of the list of tasks, and with interrupts off.
 */
static int wake(wait_queue_entry_t *wait, unsigned int mode, int flags,
		void *key)
{
	struct process *p = container_of(wait, struct process, wait);

	if (!atomic_xchg(&p->is_woken, 1)) {
		llist_add(&p->woken, &woken);
		schedule_work(&forget_work);
	}
	return 0;
}

static struct process *create(struct pid *pid)
{
	struct process *p = kzalloc(sizeof(*p), GFP_KERNEL_ACCOUNT);

	lockdep_assert_held(&mutex);
	if (!p)
		return NULL;
	p->pid = get_pid(pid);
	INIT_LIST_HEAD(&p->members);
	INIT_LIST_HEAD(&p->served);
	init_waitqueue_func_entry(&p->wait, wake);
	hash_add(processes, &p->node, (unsigned long)pid);
	add_wait_queue(&pid->wait_pidfd, &p->wait);
	return p;
}

/* Freed here if no file names it, or by forget_dead() if that has it in its list. */
static void drop(struct process *p)
{
	lockdep_assert_held(&mutex);
	if (!list_empty(&p->members) || !list_empty(&p->served))
		return;
	remove_wait_queue(&p->pid->wait_pidfd, &p->wait);
	hash_del(&p->node);
	put_pid(p->pid);
	if (atomic_read(&p->is_woken))
		p->gone = true;
	else
		kfree(p);
}

static void unlink(struct member *m)
{
	lockdep_assert_held(&mutex);
	list_del(&m->of_file);
	list_del(&m->of_process);
	m->fg->count--;
	m->fg->user->members--;
	kfree(m);
}

static void remove_all(struct list_head *members)
{
	struct member *m, *n;

	list_for_each_entry_safe(m, n, members, of_file) {
		struct process *p = m->process;

		unlink(m);
		drop(p);
	}
}

/* @p: NULL for nobody */
static void serve(struct tg_foreground *fg, struct process *p)
{
	struct process *before = fg->server;

	lockdep_assert_held(&mutex);
	list_del_init(&fg->of_server);
	fg->server = p;
	fg->user->servers += !!p;
	fg->user->servers -= !!before;
	if (p)
		list_add_tail(&fg->of_server, &p->served);
	if (before)
		drop(before);
}

static void forget(struct process *p)
{
	struct tg_foreground *fg, *next;
	struct member *m, *n;

	lockdep_assert_held(&mutex);
	/* Who is woken from here on comes into the list again. */
	atomic_set(&p->is_woken, 0);
	if (p->gone) {
		kfree(p);
		return;
	}
	if (!tg_process_is_dead(p->pid))
		return;
	list_for_each_entry_safe(m, n, &p->members, of_process)
		unlink(m);
	list_for_each_entry_safe(fg, next, &p->served, of_server) {
		list_del_init(&fg->of_server);
		fg->server = NULL;
		fg->user->servers--;
	}
	drop(p);
}

static void forget_dead(struct work_struct *work)
{
	struct process *p, *n;

	mutex_lock(&mutex);
	llist_for_each_entry_safe(p, n, llist_del_all(&woken), woken)
		forget(p);
	mutex_unlock(&mutex);
}

static struct tg_foreground_user *get_user_of(kuid_t uid)
{
	struct tg_foreground_user *u;

	lockdep_assert_held(&mutex);
	list_for_each_entry(u, &users, node)
		if (uid_eq(u->uid, uid))
			goto out;
	u = kzalloc(sizeof(*u), GFP_KERNEL_ACCOUNT);
	if (!u)
		return NULL;
	u->uid = uid;
	list_add(&u->node, &users);
out:
	u->files++;
	return u;
}

int tg_foreground_init(struct tg_foreground *fg)
{
	INIT_LIST_HEAD(&fg->members);
	INIT_LIST_HEAD(&fg->of_server);
	fg->server = NULL;
	fg->count = 0;
	mutex_lock(&mutex);
	fg->user = get_user_of(tg_process_caller_payer());
	mutex_unlock(&mutex);
	return fg->user ? 0 : -ENOMEM;
}

static int add_member(struct tg_foreground *fg, struct process *p,
		      struct list_head *fresh)
{
	struct member *m = kmalloc(sizeof(*m), GFP_KERNEL_ACCOUNT);

	lockdep_assert_held(&mutex);
	if (!m)
		return -ENOMEM;
	m->fg = fg;
	m->process = p;
	list_add_tail(&m->of_process, &p->members);
	list_add_tail(&m->of_file, fresh);
	fg->count++;
	fg->user->members++;
	p->named = fresh;
	return 0;
}

/*
 * @fresh: those that the file gets instead of its own, so far.  The look whether
 * the process lives comes after its end would be told.
 */
static int add(struct tg_foreground *fg, struct list_head *fresh,
	       struct pid *pid)
{
	struct process *p = find(pid) ?: create(pid);
	int ret = 0;

	if (!p)
		return -ENOMEM;
	if (p->named != fresh && !tg_process_is_dead(pid))
		ret = add_member(fg, p, fresh);
	drop(p);
	return ret;
}

static int add_all(struct tg_foreground *fg, struct list_head *fresh,
		   struct pid *const *pids, u32 count)
{
	u32 before = fg->count;
	struct member *m;
	int ret = 0;

	for (u32 i = 0; i < count && !ret; i++)
		ret = add(fg, fresh, pids[i]);
	list_for_each_entry(m, fresh, of_file)
		m->process->named = NULL;
	if (!ret &&
	    fg->user->members - before > TIMEGRAPH_FOREGROUND_USER_MAX)
		ret = -EDQUOT;
	return ret;
}

/* Each is looked at whenever a channel comes or goes. */
static int find_server(struct tg_foreground *fg, struct pid *server, struct process **p)
{
	lockdep_assert_held(&mutex);
	if (!server)
		return 0;
	if (!fg->server && fg->user->servers >= TIMEGRAPH_SERVER_USER_MAX)
		return -EDQUOT;
	*p = find(server) ?: create(server);
	return *p ? 0 : -ENOMEM;
}

int tg_foreground_set(struct tg_foreground *fg, struct pid *const *pids,
		      u32 count, struct pid *server)
{
	struct process *p = NULL;
	LIST_HEAD(fresh);
	LIST_HEAD(old);
	int ret;

	mutex_lock(&mutex);
	ret = find_server(fg, server, &p) ?: add_all(fg, &fresh, pids, count);
	if (!ret) {
		list_splice_init(&fg->members, &old);
		list_splice_init(&fresh, &fg->members);
		serve(fg, p);
	} else if (p) {
		drop(p);
	}
	/* The look comes after its end would be told. */
	if (fg->server && tg_process_is_dead(fg->server->pid))
		serve(fg, NULL);
	remove_all(&fresh);
	remove_all(&old);
	mutex_unlock(&mutex);
	return ret;
}

bool tg_foreground_fini(struct tg_foreground *fg)
{
	bool had;

	mutex_lock(&mutex);
	had = fg->count;
	serve(fg, NULL);
	remove_all(&fg->members);
	if (!--fg->user->files) {
		list_del(&fg->user->node);
		kfree(fg->user);
	}
	mutex_unlock(&mutex);
	return had;
}

void tg_foreground_exit(void)
{
	flush_work(&forget_work);
}
