// SPDX-License-Identifier: GPL-2.0-only
/*
 * The node /dev/timegraph, and the files that are open.
 *
 * An open file does not hold the module (no .owner): when that goes its files become
 * stubs, of operations that are the kernel's.  The steps, and what they are against:
 *
 *	1 no node		nobody opens it any more: misc_open() calls us under a
 *				mutex that misc_deregister() takes
 *	2 closing, SRCU		who is inside leaves; who comes in leaves at once, and
 *				touches nothing
 *	3 private_data, RCU,	nobody finds the new f_op with the old private_data; a
 *	  f_op, SRCU		release that comes meanwhile waits for the mutex, and is
 *				waited for
 *	4 RCU tasks		nobody has read the old f_op and is about to call it:
 *				the kernel does not sleep between the two.  Who came in
 *				that way since 3 does not sleep either, and so has
 *				returned, as has who left before
 *	5 wake, RCU		nobody is in the wait queues but who holds them
 */
#include <linux/build_bug.h>
#include <linux/fs.h>
#include <linux/kconfig.h>
#include <linux/list.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/srcu.h>

#include <uapi/drm/timegraph.h>

#include "tg_ioctl.h"
#include "tg_memory.h"
#include "tg_node.h"
#include "tg_stub.h"
#include "tg_uaccess.h"

/* Else step 4 would not wait for who was preempted; what redirects needs it, too. */
static_assert(!IS_ENABLED(CONFIG_PREEMPTION) || IS_ENABLED(CONFIG_TASKS_RCU));

/**
 * struct node_file - an open file
 * @handle: its private_data
 * @stub: what it becomes
 * @file: it; not a reference
 * @node: in files until it is released, or in stubs
 */
struct node_file {
	struct tg_handle handle;
	struct tg_stub stub;
	struct file *file;
	struct list_head node;
};

/* Who is in a file operation. */
DEFINE_STATIC_SRCU(inside);
static bool closing;
/* All files are stubs. */
static bool replaced;

/* Protects the list, and what a file is: private_data and f_op. */
static DEFINE_MUTEX(mutex);
static LIST_HEAD(files);
/* What were files, after tg_node_close(). */
static LIST_HEAD(stubs);

static const struct file_operations fops;

static struct node_file *to_node_file(struct file *file)
{
	return container_of(file->private_data, struct node_file, handle);
}

/* Who is inside may touch a file of ours only if he does not hear this then. */
static bool is_closing(void)
{
	return READ_ONCE(closing);
}

static long node_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	int srcu = srcu_read_lock(&inside);
	long ret = -ENODEV;

	if (!is_closing())
		ret = tg_ioctl(file, cmd, arg);
	srcu_read_unlock(&inside, srcu);
	return ret;
}

static ssize_t read_events(struct file *file, char __user *to, size_t len)
{
	struct timegraph_events events = { };
	int ret;

	if (len < sizeof(events))
		return -EINVAL;
	ret = tg_events_wait(&to_node_file(file)->handle.subscriber,
			     file->f_flags & O_NONBLOCK, &events.mask,
			     &events.time_ns);
	if (!ret)
		ret = tg_uaccess_write(to, &events, sizeof(events));
	return ret ?: sizeof(events);
}

static ssize_t node_read(struct file *file, char __user *to, size_t len,
			 loff_t *pos)
{
	int srcu = srcu_read_lock(&inside);
	ssize_t ret = -ENODEV;

	if (!is_closing())
		ret = read_events(file, to, len);
	srcu_read_unlock(&inside, srcu);
	return ret;
}

static __poll_t poll_events(struct file *file, struct poll_table_struct *wait)
{
	struct node_file *nf = to_node_file(file);

	tg_stub_poll_wait(&nf->stub, wait);
	return tg_events_poll(&nf->handle.subscriber);
}

static __poll_t node_poll(struct file *file, struct poll_table_struct *wait)
{
	__poll_t ret = EPOLLHUP | EPOLLERR;
	int srcu = srcu_read_lock(&inside);

	if (!is_closing())
		ret = poll_events(file, wait);
	srcu_read_unlock(&inside, srcu);
	return ret;
}

static int node_open(struct inode *inode, struct file *file)
{
	struct node_file *nf = kzalloc(sizeof(*nf), GFP_KERNEL_ACCOUNT);
	int ret;

	if (!nf)
		return -ENOMEM;
	ret = tg_stub_open(&nf->stub, file);
	if (ret)
		goto err_free;
	ret = tg_handle_init(&nf->handle, &nf->stub.waiters->wq);
	if (ret)
		goto err_stub;
	nf->file = file;
	file->private_data = &nf->handle;
	mutex_lock(&mutex);
	list_add(&nf->node, &files);
	mutex_unlock(&mutex);
	return nonseekable_open(inode, file);
err_stub:
	tg_stub_close(&nf->stub, file);
err_free:
	kfree(nf);
	return ret;
}

/* NULL if it has become a stub since the kernel looked whom to call. */
static struct node_file *take_file(struct file *file)
{
	struct node_file *nf = NULL;

	mutex_lock(&mutex);
	if (file->f_op == &fops) {
		nf = to_node_file(file);
		list_del(&nf->node);
	}
	mutex_unlock(&mutex);
	return nf;
}

static int node_release(struct inode *inode, struct file *file)
{
	int srcu = srcu_read_lock(&inside), ret = 0;
	struct node_file *nf = NULL;

	/* Once they are, this must not sleep: nor does the release of a stub. */
	if (!smp_load_acquire(&replaced))
		nf = take_file(file);
	if (nf) {
		tg_handle_fini(&nf->handle);
		tg_stub_close(&nf->stub, file);
		kfree(nf);
	} else {
		ret = file->f_op->release(inode, file);
	}
	srcu_read_unlock(&inside, srcu);
	return ret;
}

static const struct file_operations fops = {
	.open = node_open,
	.release = node_release,
	.unlocked_ioctl = node_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
	.read = node_read,
	.poll = node_poll,
};

/* Who may write to it, and so move the foreground, is udev's to say. */
static struct miscdevice device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "timegraph",
	.fops = &fops,
	.mode = 0644,
};

int tg_node_init(void)
{
	int ret = tg_stub_init();

	if (ret)
		return ret;
	ret = misc_register(&device);
	if (ret)
		tg_stub_exit();
	return ret;
}

/* Nobody waits for events any more, and nobody is in an ioctl. */
static void send_away(void)
{
	struct node_file *nf;

	WRITE_ONCE(closing, true);
	mutex_lock(&mutex);
	list_for_each_entry(nf, &files, node) {
		tg_events_end(&nf->handle.subscriber);
		cond_resched();
	}
	mutex_unlock(&mutex);
	tg_memory_close();
	synchronize_srcu_expedited(&inside);
}

static void replace_all(void)
{
	struct node_file *nf;

	mutex_lock(&mutex);
	list_for_each_entry(nf, &files, node)
		tg_stub_prepare(&nf->stub, nf->file);
	synchronize_rcu_expedited();
	list_for_each_entry(nf, &files, node)
		tg_stub_replace(nf->file);
	list_splice_init(&files, &stubs);
	mutex_unlock(&mutex);
	/* Who sees that sees the f_op, too: node_release(). */
	smp_store_release(&replaced, true);
	synchronize_srcu_expedited(&inside);
}

void tg_node_close(void)
{
	struct node_file *nf;

	misc_deregister(&device);
	send_away();
	tg_stub_exit();
	replace_all();
	list_for_each_entry(nf, &stubs, node) {
		tg_stub_wake(&nf->stub, false);
		tg_handle_fini(&nf->handle);
		cond_resched();
	}
}

void tg_node_exit(void)
{
	struct node_file *nf, *n;

	list_for_each_entry(nf, &stubs, node) {
		tg_stub_wake(&nf->stub, true);
		cond_resched();
	}
	synchronize_rcu_expedited();
	list_for_each_entry_safe(nf, n, &stubs, node) {
		tg_stub_put(&nf->stub);
		kfree(nf);
		cond_resched();
	}
}
