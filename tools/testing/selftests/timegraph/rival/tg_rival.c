// SPDX-License-Identifier: GPL-2.0-only
/*
 * Somebody else who redirects a function of nouveau's, as livepatch would: only one
 * can, and who comes second is told so.
 */
#include <linux/ftrace.h>
#include <linux/module.h>

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

	ret = ftrace_set_filter(&rival_ops, name, sizeof(name) - 1, 1);
	if (!ret)
		ret = register_ftrace_function(&rival_ops);
	if (ret)
		ftrace_free_filter(&rival_ops);
	return ret;
}

static void __exit rival_exit(void)
{
	unregister_ftrace_function(&rival_ops);
	ftrace_free_filter(&rival_ops);
}

module_init(rival_init);
module_exit(rival_exit);

MODULE_DESCRIPTION("selftest: redirects a function that timegraph redirects");
MODULE_LICENSE("GPL");
