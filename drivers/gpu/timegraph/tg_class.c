// SPDX-License-Identifier: GPL-2.0-only
/* Policies that a GPU can have for its fair class. */
#define pr_fmt(fmt) "timegraph: " fmt

#include <linux/capability.h>
#include <linux/fs.h>
#include <linux/mutex.h>
#include <linux/string.h>

#include "tg_class.h"
#include "tg_client.h"
#include "tg_device.h"
#include "tg_events.h"
#include "tg_oncpu.h"
#include "tg_registry.h"

/* All that can be chosen; under tg_client_mutex. */
static LIST_HEAD(classes);

static const struct {
	enum tg_policy_id id;
	const char *name;
} core_names[] = {
	{ TG_POLICY_FQ, "fq" },
	{ TG_POLICY_RR, "rr" },
	{ TG_POLICY_ACCC, "accc" },
	{ TG_POLICY_XC, "xc" },
	{ TG_POLICY_SLAF, "slaf" },
	{ TG_POLICY_AUGC, "augc" },
	{ TG_POLICY_COSCHED, "cosched" },
};

static struct tg_class core_classes[ARRAY_SIZE(core_names)];

/* What a GPU has from its first channel on. */
static struct tg_class *first_class = &core_classes[0];

static struct tg_class *class_of(const struct tg_device *td)
{
	return td->class ?: &core_classes[0];
}

struct tg_class *tg_class_find(const char *name)
{
	struct tg_class *class;

	lockdep_assert_held(&tg_client_mutex);
	list_for_each_entry(class, &classes, node)
		if (!strcmp(class->name, name))
			return class;
	return NULL;
}

/* The old one is told when none of its tasks is left. */
static void change(struct tg_device *td, struct tg_class *class)
{
	struct tg_class *old = class_of(td);

	lockdep_assert_held(&tg_client_mutex);
	if (old == class)
		return;
	if (class->bound)
		class->bound(class, td);
	td->class = class;
	tg_client_reclass(td, class->ops);
	if (old->unbound)
		old->unbound(old, td);
	tg_oncpu_update();
	tg_events_post(TIMEGRAPH_EVENT_DOMAIN);
}

int tg_class_register(struct tg_class *class)
{
	int ret = -EEXIST;

	mutex_lock(&tg_client_mutex);
	if (!tg_class_find(class->name)) {
		list_add_tail(&class->node, &classes);
		ret = 0;
	}
	mutex_unlock(&tg_client_mutex);
	return ret;
}

static void leave(struct tg_device *td, void *class)
{
	if (class_of(td) == class)
		change(td, &core_classes[0]);
}

void tg_class_unregister(struct tg_class *class)
{
	mutex_lock(&tg_client_mutex);
	list_del(&class->node);
	tg_registry_for_each(leave, class);
	mutex_unlock(&tg_client_mutex);
}

void tg_class_eject(struct tg_device *td, const struct tg_class *class)
{
	mutex_lock(&tg_client_mutex);
	leave(td, (void *)class);
	mutex_unlock(&tg_client_mutex);
}

int tg_class_choose(struct tg_device *td, const char *name)
{
	struct tg_class *class;

	mutex_lock(&tg_client_mutex);
	class = tg_class_find(name);
	if (class) {
		WRITE_ONCE(td->is_classed, true);
		change(td, class);
	}
	mutex_unlock(&tg_client_mutex);
	return class ? 0 : -ENOENT;
}

void tg_class_begin(struct tg_device *td)
{
	if (READ_ONCE(td->is_classed))
		return;
	mutex_lock(&tg_client_mutex);
	if (!td->is_classed)
		change(td, first_class);
	WRITE_ONCE(td->is_classed, true);
	mutex_unlock(&tg_client_mutex);
}

void tg_class_name(struct tg_device *td, char *name)
{
	mutex_lock(&tg_client_mutex);
	memset(name, 0, TIMEGRAPH_COMM_LEN);
	strscpy(name, class_of(td)->name, TIMEGRAPH_COMM_LEN);
	mutex_unlock(&tg_client_mutex);
}

int tg_class_ioctl(struct file *file, void *arg)
{
	struct timegraph_class *class = arg;
	struct tg_device *td = tg_registry_by_index(class->gpu);
	int ret = 0;

	if (class->flags || strnlen(class->set, sizeof(class->set)) == sizeof(class->set))
		return -EINVAL;
	if (class->set[0] && !(file->f_mode & FMODE_WRITE))
		return -EBADF;
	if (class->set[0] && !capable(CAP_SYS_ADMIN))
		return -EPERM;
	if (!td)
		return -ENXIO;
	if (class->set[0])
		ret = tg_class_choose(td, class->set);
	tg_class_name(td, class->name);
	return ret;
}

int tg_class_init(const char *first)
{
	int ret = -EINVAL;

	for (unsigned int i = 0; i < ARRAY_SIZE(core_names); i++) {
		struct tg_class *class = &core_classes[i];

		class->ops = tg_policy_of(core_names[i].id);
		class->name = core_names[i].name;
		if (!class->ops)
			continue;
		list_add_tail(&class->node, &classes);
		if (!sysfs_streq(first, class->name))
			continue;
		first_class = class;
		ret = 0;
	}
	if (ret)
		pr_err("policy=%s: fq, rr, accc, xc, slaf, augc or cosched\n", first);
	return ret;
}
