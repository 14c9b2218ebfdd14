// SPDX-License-Identifier: GPL-2.0-only
/*
 * Somebody else who redirects a function of nouveau's, as livepatch would: only one
 * can, and who comes second is told so.
 *
 * With busy_ms=N somebody else who has work without end for so long instead, in the pool where
 * the DRM scheduler has its own: its worker does not sleep.
 */
#include <linux/delay.h>
#include <linux/ftrace.h>
#include <linux/jiffies.h>
#include <linux/module.h>
#include <linux/workqueue.h>

static unsigned int busy_ms;
module_param(busy_ms, uint, 0444);

static struct workqueue_struct *queue;
static unsigned long busy_until;

static void be_busy(struct work_struct *work)
{
	udelay(50);
	if (time_before(jiffies, busy_until))
		queue_work(queue, work);
}

static DECLARE_WORK(busy_work, be_busy);

static void notrace seen(unsigned long ip, unsigned long parent,
			 struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
}

static struct ftrace_ops rival_ops = {
	.func = seen,
	.flags = FTRACE_OPS_FL_IPMODIFY,
};

static int __init rival_init(void)
{
	char name[] = "nouveau_gem_ioctl_pushbuf";
	int ret;

	if (busy_ms) {
		queue = alloc_ordered_workqueue("tg_rival", 0);
		if (!queue)
			return -ENOMEM;
		busy_until = jiffies + msecs_to_jiffies(busy_ms);
		queue_work(queue, &busy_work);
		return 0;
	}
	ret = ftrace_set_filter(&rival_ops, name, sizeof(name) - 1, 1);
	if (!ret)
		ret = register_ftrace_function(&rival_ops);
	if (ret)
		ftrace_free_filter(&rival_ops);
	return ret;
}

static void __exit rival_exit(void)
{
	if (busy_ms) {
		cancel_work_sync(&busy_work);
		destroy_workqueue(queue);
		return;
	}
	unregister_ftrace_function(&rival_ops);
	ftrace_free_filter(&rival_ops);
}

module_init(rival_init);
module_exit(rival_exit);

MODULE_DESCRIPTION("selftest: redirects a function that timegraph redirects, or keeps a worker busy");
MODULE_LICENSE("GPL");
