// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which provider attaches, and when: nouveau can be loaded before timegraph or
 * after it, be removed while timegraph stays, and come back as another file.
 */
#define pr_fmt(fmt) "timegraph: " fmt

#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/notifier.h>
#include <linux/rcupdate.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/workqueue.h>

#include "tg_attach.h"

static char *attach = "auto";
module_param(attach, charp, 0444);
MODULE_PARM_DESC(attach, "how to attach to nouveau: auto, stock (any nouveau), patch (one with the hooks) (auto)");

/* In the order in which "auto" tries them. */
static const struct tg_attach_ops *const providers[] = {
	&tg_patch,
#ifdef CONFIG_X86_64
	&tg_stock,
#endif
};

static DEFINE_MUTEX(attach_mutex);
/* Under the mutex. */
static const struct tg_attach_ops *attached;
static int last_error;

/*
 * What tg_attach_see() said last, and whether it is listened to: it may still be
 * called when the module goes.
 */
static DEFINE_SPINLOCK(see_lock);
static enum tg_see wanted_see = TG_SEE_ALL;
static bool listening;

static bool wanted(const struct tg_attach_ops *p)
{
	return !strcmp(attach, "auto") || !strcmp(attach, p->name);
}

static bool is_known(void)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(providers); i++)
		if (wanted(providers[i]))
			return true;
	return false;
}

/* Returns 0 if one of them is attached now, or the last error. */
static int try_attach(void)
{
	int ret = -ENODEV;

	lockdep_assert_held(&attach_mutex);
	for (unsigned int i = 0; !attached && i < ARRAY_SIZE(providers); i++) {
		if (!wanted(providers[i]))
			continue;
		ret = providers[i]->attach();
		if (!ret)
			attached = providers[i];
		else if (ret != -ENODEV)
			break;
	}
	if (attached && attached->see)
		attached->see(READ_ONCE(wanted_see));
	last_error = attached ? 0 : ret;
	return last_error;
}

static void detach(void)
{
	lockdep_assert_held(&attach_mutex);
	if (attached)
		attached->detach();
	attached = NULL;
	last_error = -ENODEV;
}

static void apply_see(struct work_struct *work)
{
	mutex_lock(&attach_mutex);
	if (attached && attached->see)
		attached->see(READ_ONCE(wanted_see));
	mutex_unlock(&attach_mutex);
}

static DECLARE_WORK(see_work, apply_see);

void tg_attach_see(enum tg_see see)
{
	unsigned long flags;

	spin_lock_irqsave(&see_lock, flags);
	WRITE_ONCE(wanted_see, see);
	if (listening)
		schedule_work(&see_work);
	spin_unlock_irqrestore(&see_lock, flags);
}

void tg_attach_see_again(void)
{
	unsigned long flags;

	spin_lock_irqsave(&see_lock, flags);
	if (listening)
		schedule_work(&see_work);
	spin_unlock_irqrestore(&see_lock, flags);
}

static void listen(bool on)
{
	spin_lock_irq(&see_lock);
	listening = on;
	spin_unlock_irq(&see_lock);
	if (!on)
		cancel_work_sync(&see_work);
}

/*
 * nouveau is ready, or has given up all its devices: then nobody has a channel
 * any more.  No error stops nouveau.
 */
static int module_event(struct notifier_block *nb, unsigned long event,
			void *data)
{
	const struct module *mod = data;

	if (strcmp(mod->name, "nouveau"))
		return NOTIFY_DONE;
	mutex_lock(&attach_mutex);
	if (event == MODULE_STATE_LIVE)
		try_attach();
	else if (event == MODULE_STATE_GOING)
		detach();
	mutex_unlock(&attach_mutex);
	return NOTIFY_OK;
}

static struct notifier_block module_nb = { .notifier_call = module_event };

int tg_attach_text(char *buf, size_t size)
{
	int n = mutex_lock_interruptible(&attach_mutex);

	if (n)
		return n;
	if (!attached && last_error == -ENODEV)
		n = snprintf(buf, size, "not attached: no nouveau is loaded%s",
			     strcmp(attach, "patch") ? "" : " that has the hooks");
	else if (!attached)
		n = snprintf(buf, size,
			     "not attached (error %d), see the kernel log",
			     last_error);
	else if (attached->text)
		n = attached->text(buf, size);
	else
		n = snprintf(buf, size, "%s", attached->name);
	mutex_unlock(&attach_mutex);
	return n;
}

int tg_attach_init(void)
{
	int ret;

	if (!is_known()) {
		pr_err("attach=%s: not one of auto, stock, patch here\n", attach);
		return -EINVAL;
	}
	ret = register_module_notifier(&module_nb);
	if (ret)
		return ret;
	listen(true);
	mutex_lock(&attach_mutex);
	ret = try_attach();
	mutex_unlock(&attach_mutex);
	if (ret == -ENODEV) {
		pr_info("waiting for %s\n", strcmp(attach, "patch") ?
			"nouveau" : "a nouveau that has the hooks");
		return 0;
	}
	/* A nouveau that came after the attempt may have been attached to. */
	if (ret)
		tg_attach_exit();
	return ret;
}

void tg_attach_exit(void)
{
	unregister_module_notifier(&module_nb);
	listen(false);
	mutex_lock(&attach_mutex);
	if (!attached)
		synchronize_rcu_tasks();
	detach();
	mutex_unlock(&attach_mutex);
}
