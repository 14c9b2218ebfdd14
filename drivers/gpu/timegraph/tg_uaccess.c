// SPDX-License-Identifier: GPL-2.0-only
/* The memory of a caller of /dev/timegraph. */
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/uaccess.h>

#include "tg_uaccess.h"

int tg_uaccess_read(void *to, const void __user *from, size_t size)
{
	int ret;

	if (!copy_from_user_nofault(to, from, size))
		return 0;
	if (!try_module_get(THIS_MODULE))
		return -ENODEV;
	ret = copy_from_user(to, from, size) ? -EFAULT : 0;
	module_put(THIS_MODULE);
	return ret;
}

int tg_uaccess_write(void __user *to, const void *from, size_t size)
{
	int ret;

	if (!copy_to_user_nofault(to, from, size))
		return 0;
	if (!try_module_get(THIS_MODULE))
		return -ENODEV;
	ret = copy_to_user(to, from, size) ? -EFAULT : 0;
	module_put(THIS_MODULE);
	return ret;
}

int tg_uaccess_clear(void __user *to, size_t size)
{
	return tg_uaccess_write(to, page_address(ZERO_PAGE(0)), size);
}
