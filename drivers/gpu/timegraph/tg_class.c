// SPDX-License-Identifier: GPL-2.0-only
/* Policies that a GPU can have for its fair class. */
#define pr_fmt(fmt) "timegraph: " fmt

#include <linux/capability.h>
#include <linux/device.h>
#include <linux/fs.h>
#include <linux/mutex.h>
#include <linux/string.h>

#include "core/tg_spec.h"
#include "tg_class.h"
#include "tg_client.h"
#include "tg_config.h"
#include "tg_device.h"
#include "tg_events.h"
#include "tg_oncpu.h"
#include "tg_registry.h"

/* All that can be chosen; under tg_client_mutex. */
static LIST_HEAD(classes);

static struct tg_class core_classes[TG_NR_POLICIES];
static struct tg_class *const fq = &core_classes[TG_POLICY_FQ];

/* What a GPU has of which the specification says nothing. */
static struct tg_class *first_class = fq;

static struct tg_class *class_of(const struct tg_device *td)
{
	return td->class ?: fq;
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

static void change(struct tg_device *td, struct tg_class *class)
{
	lockdep_assert_held(&tg_client_mutex);
	if (class_of(td) == class)
		return;
	td->class = class;
	tg_client_reclass(td, class->ops);
	tg_oncpu_update();
	tg_events_post(TIMEGRAPH_EVENT_DOMAIN);
}

static void take_up(struct tg_device *td, void *arg)
{
	struct tg_class *class = arg;

	if (!td->wish.is_missing || strcmp(td->wish.name, class->name))
		return;
	td->wish.is_missing = false;
	change(td, class);
}

int tg_class_register(struct tg_class *class)
{
	int ret = -EEXIST;

	mutex_lock(&tg_client_mutex);
	if (!tg_class_find(class->name)) {
		list_add_tail(&class->node, &classes);
		tg_registry_for_each(take_up, class);
		ret = 0;
	}
	mutex_unlock(&tg_client_mutex);
	/* A line may have come that nobody has followed yet. */
	if (!ret)
		tg_class_follow();
	return ret;
}

static void leave(struct tg_device *td, void *class)
{
	if (class_of(td) == class)
		change(td, fq);
}

/* Who left it because it goes has the next one of its name. */
static void miss(struct tg_device *td, void *arg)
{
	struct tg_class *class = arg;

	td->wish.is_missing |= class_of(td) == class && !strcmp(td->wish.name, class->name);
}

void tg_class_unregister(struct tg_class *class, bool failed)
{
	mutex_lock(&tg_client_mutex);
	list_del(&class->node);
	if (!failed)
		tg_registry_for_each(miss, class);
	tg_registry_for_each(leave, class);
	mutex_unlock(&tg_client_mutex);
}

/* What a specification says of a GPU, "" for nothing; whether that is news. */
static bool look(struct tg_device *td, const struct tg_version *v)
{
	const char *name = tg_spec_match_gpu(v->entry, v->nr_entries, tg_registry_index(td));

	lockdep_assert_held(&tg_client_mutex);
	if (td->wish.is_followed && !strcmp(td->wish.name, name ?: ""))
		return false;
	td->wish.is_followed = true;
	strscpy(td->wish.name, name ?: "", sizeof(td->wish.name));
	return true;
}

int tg_class_choose(struct tg_device *td, const char *name)
{
	struct tg_version *v;
	struct tg_class *class;

	mutex_lock(&tg_client_mutex);
	v = tg_config_current();
	class = tg_class_find(name);
	if (class) {
		/* Against what the specification says now, followed or not. */
		look(td, v);
		td->wish.is_missing = false;
		change(td, class);
	}
	mutex_unlock(&tg_client_mutex);
	tg_version_put(v);
	return class ? 0 : -ENOENT;
}

static void follow(struct tg_device *td, void *version)
{
	bool is_first = !td->wish.is_followed;
	const char *name = td->wish.name;
	struct tg_class *class;

	if (!look(td, version))
		return;
	class = name[0] ? tg_class_find(name) : first_class;
	td->wish.is_missing = !class;
	if (class)
		change(td, class);
	else if (is_first)
		change(td, first_class);
	if (!class)
		dev_warn(td->dev, "timegraph: the policy %s of the specification is not loaded; it orders this GPU when it is\n",
			 name);
}

void tg_class_follow(void)
{
	struct tg_version *v;

	mutex_lock(&tg_client_mutex);
	v = tg_config_current();
	tg_registry_for_each(follow, v);
	mutex_unlock(&tg_client_mutex);
	tg_version_put(v);
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

	for (enum tg_policy_id id = 0; id < TG_NR_POLICIES; id++) {
		struct tg_class *class = &core_classes[id];

		class->ops = tg_policy_of(id);
		class->name = tg_spec_class_name(id);
		if (!class->ops || !class->name)
			continue;
		list_add_tail(&class->node, &classes);
		if (!sysfs_streq(first, class->name))
			continue;
		first_class = class;
		ret = 0;
	}
	if (ret)
		pr_err("policy=%s: " TG_SPEC_CLASS_NAMES "\n", first);
	return ret;
}
