// SPDX-License-Identifier: GPL-2.0-only
/*
 * Processes as user space names them.
 *
 * The kernel exports to modules how a number becomes a process, and not how a
 * pidfd does.  Its function is looked up, and called directly: where the CPU
 * checks indirect calls (IBT), a function that the kernel itself only calls
 * directly may not be called by its address.
 */
#define pr_fmt(fmt) "timegraph: " fmt

#include <linux/cred.h>
#include <linux/err.h>
#include <linux/kprobes.h>
#include <linux/pid.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/static_call.h>
#include <linux/user_namespace.h>
#include <net/sock.h>

#include "core/tg_cpu.h"
#include "tg_process.h"

DEFINE_STATIC_CALL_NULL(tg_pidfd_get_pid, pidfd_get_pid);
static bool have_pidfds;

/* A disabled kprobe finds an address without touching the function. */
void tg_process_init(void)
{
	struct kprobe kp = {
		.symbol_name = "pidfd_get_pid",
		.flags = KPROBE_FLAG_DISABLED,
	};

	have_pidfds = !register_kprobe(&kp);
	if (!have_pidfds) {
		pr_info("processes cannot be named by pidfds\n");
		return;
	}
	static_call_update(tg_pidfd_get_pid,
			   (typeof(&pidfd_get_pid))kp.addr);
	unregister_kprobe(&kp);
}

struct pid *tg_process_get(s32 name, bool is_pidfd)
{
	unsigned int flags;
	struct pid *pid;

	if (!is_pidfd)
		return find_get_pid(name);
	if (!have_pidfds)
		return ERR_PTR(-EOPNOTSUPP);
	pid = static_call(tg_pidfd_get_pid)(name, &flags);
	return IS_ERR(pid) ? ERR_PTR(-EBADF) : pid;
}

struct pid *tg_process_peer(s32 socket)
{
	struct pid *pid = NULL;
	struct socket *sock;
	struct sock *sk;
	int error;

	sock = sockfd_lookup(socket, &error);
	if (!sock)
		return ERR_PTR(error);
	sk = sock->sk;
	if (sk->sk_family != AF_UNIX) {
		pid = ERR_PTR(-ENOTSOCK);
	} else if (READ_ONCE(sk->sk_state) == TCP_ESTABLISHED) {
		spin_lock(&sk->sk_peer_lock);
		pid = get_pid(sk->sk_peer_pid);
		spin_unlock(&sk->sk_peer_lock);
	}
	sockfd_put(sock);
	return pid ?: ERR_PTR(-ENOTCONN);
}

bool tg_process_is_dead(struct pid *pid)
{
	const struct task_struct *task;
	bool dead;

	rcu_read_lock();
	task = pid_task(pid, PIDTYPE_TGID);
	dead = !task || (READ_ONCE(task->exit_state) &&
			 thread_group_empty((struct task_struct *)task));
	rcu_read_unlock();
	return dead;
}

pid_t tg_process_nr(struct pid *pid)
{
	pid_t nr = 0;

	rcu_read_lock();
	/* Once it is free, its number is anybody's. */
	if (pid_task(pid, PIDTYPE_TGID))
		nr = pid_vnr(pid);
	rcu_read_unlock();
	return nr;
}

kuid_t tg_process_uid(struct pid *pid)
{
	struct task_struct *task;
	kuid_t uid = INVALID_UID;

	rcu_read_lock();
	task = pid_task(pid, PIDTYPE_TGID);
	if (task)
		uid = task_uid(task);
	rcu_read_unlock();
	return uid;
}

/* What root made is for others, who are told apart by whom its own root is outside, if mapped. */
static kuid_t payer_of(struct user_namespace *ns, kuid_t uid)
{
	kuid_t root;

	for (; ns != &init_user_ns; ns = ns->parent) {
		root = make_kuid(ns, 0);
		if (!uid_eq(ns->owner, GLOBAL_ROOT_UID))
			uid = ns->owner;
		else if (uid_valid(root) && !uid_eq(root, GLOBAL_ROOT_UID))
			uid = root;
	}
	return uid;
}

kuid_t tg_process_payer(struct pid *pid)
{
	struct task_struct *task;
	const struct cred *cred;
	kuid_t uid = INVALID_UID;

	rcu_read_lock();
	task = pid_task(pid, PIDTYPE_TGID);
	if (task) {
		cred = __task_cred(task);
		uid = payer_of(cred->user_ns, cred->uid);
	}
	rcu_read_unlock();
	return uid;
}

kuid_t tg_process_caller_payer(void)
{
	return payer_of(current_user_ns(), current_euid());
}

u8 tg_process_thread_rank(const struct task_struct *p)
{
	switch (READ_ONCE(p->policy)) {
	case SCHED_FIFO:
	case SCHED_RR:
		return tg_cpu_rank_real_time(min_t(u32, READ_ONCE(p->rt_priority), TG_PRIO_MAX));
	case SCHED_DEADLINE:
		return TG_CPU_RANK_MAX;
	case SCHED_IDLE:
		return tg_cpu_rank_nice(TG_CPU_NICE_MAX);
	default:
		return tg_cpu_rank_nice(task_nice(p));
	}
}

u8 tg_process_rank(struct pid *pid)
{
	struct task_struct *p = get_pid_task(pid, PIDTYPE_TGID);
	u8 rank;

	if (!p)
		return tg_cpu_rank_nice(0);
	rank = tg_process_thread_rank(p);
	put_task_struct(p);
	return rank;
}
