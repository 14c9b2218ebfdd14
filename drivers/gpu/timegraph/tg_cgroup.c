// SPDX-License-Identifier: GPL-2.0-only
/* Control groups: where a process is, who owns that, and what its attributes say. */
#include <linux/cgroup.h>
#include <linux/cred.h>
#include <linux/dcache.h>
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/kstrtox.h>
#include <linux/module.h>
#include <linux/mount.h>
#include <linux/namei.h>
#include <linux/nsproxy.h>
#include <linux/path.h>
#include <linux/slab.h>
#include <linux/stat.h>
#include <linux/string.h>
#include <linux/workqueue.h>

#include <uapi/drm/timegraph.h>

#include "core/tg_words.h"
#include "tg_cgroup.h"
#include "tg_compat.h"

/* What a cgroup has that the CPU's controller does not know. */
#define CPU_WEIGHT_DEFAULT 100

/* All that reads in the mount; its threads have the initial namespaces. */
static struct workqueue_struct *readers;
/* Of cgroup2, the module's own; an error without cgroups. */
static struct vfsmount *mount;

struct job {
	struct work_struct work;
	void (*fn)(struct job *job);
	struct cgroup *cgrp;
	struct tg_cgroup_chain *chain;
	u32 weight;
};

static void run_job(struct work_struct *work)
{
	struct job *job = container_of(work, struct job, work);

	job->fn(job);
}

static void do_job(struct job *job)
{
	INIT_WORK_ONSTACK(&job->work, run_job);
	queue_work(readers, &job->work);
	flush_work(&job->work);
	destroy_work_on_stack(&job->work);
}

#ifdef CONFIG_CGROUPS
struct cgroup *tg_cgroup_of(struct pid *pid)
{
	struct cgroup *cgrp = NULL;
	struct task_struct *task;

	rcu_read_lock();
	/* Who is dead, as a first thread can be, stays where he was. */
	task = pid_task(pid, PIDTYPE_TGID);
	if (task)
		cgrp = task_dfl_cgroup(task);
	if (cgrp && !cgroup_tryget(cgrp))
		cgrp = NULL;
	rcu_read_unlock();
	return cgrp;
}

struct cgroup *tg_cgroup_from_fd(int fd)
{
	struct cgroup *cgrp = cgroup_get_from_fd(fd);

	if (IS_ERR(cgrp))
		return PTR_ERR(cgrp) == -ENODEV || PTR_ERR(cgrp) == -ENOENT ? ERR_PTR(-ENODEV) :
									      ERR_PTR(-EBADF);
	if (cgroup_parent(cgrp))
		return cgrp;
	cgroup_put(cgrp);
	return ERR_PTR(-EINVAL);
}

void tg_cgroup_get(struct cgroup *cgrp)
{
	cgroup_get(cgrp);
}

void tg_cgroup_put(struct cgroup *cgrp)
{
	if (cgrp)
		cgroup_put(cgrp);
}

u64 tg_cgroup_id(struct cgroup *cgrp)
{
	return cgrp ? cgroup_id(cgrp) : 0;
}

bool tg_cgroup_is_gone(struct cgroup *cgrp)
{
	return !(READ_ONCE(cgrp->self.flags) & CSS_ONLINE);
}

void tg_cgroup_path(struct cgroup *cgrp, char *buf, size_t size)
{
	int len = cgroup_path_ns(cgrp, buf, size, current->nsproxy->cgroup_ns);

	if (len < 0)
		strscpy(buf, "?", size);
	buf[size - 1] = '\0';
}

u64 tg_cgroup_id_of(struct pid *pid)
{
	struct task_struct *task;
	u64 id = 0;

	rcu_read_lock();
	task = pid_task(pid, PIDTYPE_TGID);
	if (task)
		id = cgroup_id(task_dfl_cgroup(task));
	rcu_read_unlock();
	return id;
}

/* As long as there are slashes in it; @path begins with one. */
static u32 path_len(const char *path, u32 levels)
{
	const char *p = path + 1;

	while (levels--) {
		p = strchrnul(p, '/');
		if (*p && levels)
			p++;
	}
	return p - path;
}

static void fill_levels(struct tg_cgroup_chain *chain)
{
	for (u32 i = 0; i < chain->nr; i++) {
		struct tg_cgroup_level *l = &chain->level[i];

		/* The root is ancestor 0. */
		l->cgrp = cgroup_ancestor(chain->leaf, i + 1);
		l->id = cgroup_id(l->cgrp);
		l->owner = INVALID_UID;
		l->path_len = path_len(chain->path, i + 1);
	}
}

u32 tg_cgroup_path_within(struct cgroup *cgrp, u32 levels, char *buf, size_t size)
{
	u32 n = min_t(u32, cgrp->level, levels);
	int len;

	for (; n; n--) {
		len = cgroup_path(cgroup_ancestor(cgrp, n), buf, size);
		/* Some kernels cut it, and say how much is left. */
		if (len > 0 && (size_t)len < size - 1)
			return n;
	}
	strscpy(buf, "/", size);
	return 0;
}

u64 tg_cgroup_ancestor_id(struct cgroup *cgrp, u32 depth)
{
	return tg_cgroup_id(cgroup_ancestor(cgrp, depth));
}

static struct tg_cgroup_chain *alloc_chain(struct cgroup *leaf)
{
	u32 nr = leaf ? min_t(u32, leaf->level, TG_CGROUP_LEVELS) : 0;
	struct tg_cgroup_chain *chain;

	chain = kvzalloc(struct_size(chain, level, nr), GFP_KERNEL);
	if (!chain)
		return NULL;
	chain->leaf = leaf;
	chain->id = tg_cgroup_id(leaf);
	chain->path = kzalloc(PATH_MAX, GFP_KERNEL);
	if (!chain->path) {
		kvfree(chain);
		return NULL;
	}
	/* Deeper than any path that could be looked up is as if it were where one ends. */
	if (leaf)
		chain->nr = tg_cgroup_path_within(leaf, nr, chain->path, PATH_MAX);
	fill_levels(chain);
	return chain;
}

static int read_attr(struct dentry *dentry, const char *who, const char *what, char *buf)
{
	char name[64];
	int n;

	snprintf(name, sizeof(name), "%s.timegraph.%s", who, what);
	n = tg_compat_getxattr(dentry, name, buf, TG_WORDS_TEXT_MAX);
	/* As "echo" and a shell leave it. */
	while (n > 0 && (buf[n - 1] == '\n' || !buf[n - 1]))
		n--;
	return n;
}

/* What cannot be understood is not said. */
static void read_said(struct dentry *dentry, const char *who, struct tg_said *said)
{
	struct tg_domain_rule *rule = &said->rule;
	char buf[TG_WORDS_TEXT_MAX];
	int n;

	n = read_attr(dentry, who, "weight", buf);
	if (n > 0 && !tg_words_weight(buf, n, &rule->weight))
		said->fields |= TIMEGRAPH_DOMAIN_WEIGHT;
	n = read_attr(dentry, who, "target", buf);
	if (n > 0 && !tg_words_target(buf, n, &rule->target_ppm))
		said->fields |= TIMEGRAPH_DOMAIN_TARGET;
	n = read_attr(dentry, who, "quota", buf);
	if (n > 0 && !tg_words_quota(buf, n, &rule->capacity_ns, &rule->period_ns))
		said->fields |= TIMEGRAPH_DOMAIN_QUOTA;
}

static void read_level(struct dentry *dentry, struct tg_cgroup_level *l)
{
	const struct path path = { .mnt = mount, .dentry = dentry };
	struct kstat st;

	if (d_inode(dentry)->i_ino != cgroup_ino(l->cgrp) ||
	    vfs_getattr_nosec(&path, &st, STATX_UID, AT_STATX_DONT_SYNC))
		return;
	l->owner = st.uid;
	read_said(dentry, "trusted", &l->by_root);
	read_said(dentry, "user", &l->by_owner);
}

static int look_up(const char *name, struct path *path)
{
	if (IS_ERR_OR_NULL(mount))
		return -ENODEV;
	return vfs_path_lookup(mount->mnt_root, mount, name + 1, 0, path);
}

/* The first @n levels; whether they were found. */
static bool read_levels(struct tg_cgroup_chain *chain, u32 n)
{
	char *cut = chain->path + chain->level[n - 1].path_len;
	struct dentry *dentry, *up;
	struct path path;
	char end = *cut;
	int ret;

	*cut = '\0';
	ret = look_up(chain->path, &path);
	*cut = end;
	if (ret)
		return false;
	dentry = dget(path.dentry);
	for (u32 i = n; i--; dentry = up) {
		read_level(dentry, &chain->level[i]);
		up = dget_parent(dentry);
		dput(dentry);
	}
	dput(dentry);
	path_put(&path);
	return true;
}

/*
 * The path of a cgroup that was just removed leads nowhere: then nothing is known of it.  What
 * is said of those around it counts all the same, or it would be enough to be removed.
 */
static void read_chain(struct job *job)
{
	struct tg_cgroup_chain *chain = job->chain;
	u32 n = chain->nr;

	while (n && !read_levels(chain, n))
		n--;
}

/* Whose it is else says what he likes there. */
static bool is_roots(const struct path *path)
{
	struct kstat st;

	return !vfs_getattr_nosec(path, &st, STATX_UID, AT_STATX_DONT_SYNC) &&
	       uid_eq(st.uid, GLOBAL_ROOT_UID);
}

static void read_number(const struct path *path, u32 *number)
{
	struct file *file = dentry_open(path, O_RDONLY, current_cred());
	char text[16] = "";
	loff_t pos = 0;

	if (IS_ERR(file))
		return;
	if (kernel_read(file, text, sizeof(text) - 1, &pos) > 0 &&
	    kstrtou32(strim(text), 10, number))
		*number = CPU_WEIGHT_DEFAULT;
	fput(file);
}

/* While more is lent to it (tgctl lend): what it is without that. */
static bool read_own_weight(const struct path *cgroup, u32 *weight)
{
	char buf[TG_WORDS_TEXT_MAX];
	int n = read_attr(cgroup->dentry, "trusted", "cpu_weight", buf);

	return n > 0 && !tg_words_weight(buf, n, weight);
}

static void read_weight_at(char *name, u32 *weight)
{
	struct path path, file;

	if (look_up(name, &path))
		return;
	if (strlcat(name, "/cpu.weight", PATH_MAX) < PATH_MAX && !look_up(name, &file)) {
		if (is_roots(&file) && !read_own_weight(&path, weight))
			read_number(&file, weight);
		path_put(&file);
	}
	path_put(&path);
}

static void read_weight(struct job *job)
{
	char *name = kzalloc(PATH_MAX, GFP_KERNEL);
	int len = name ? cgroup_path(job->cgrp, name, PATH_MAX) : -1;

	if (len > 0 && len < PATH_MAX)
		read_weight_at(name, &job->weight);
	kfree(name);
}

static void make_mount(struct job *job)
{
	struct file_system_type *type = get_fs_type("cgroup2");

	mount = type ? kern_mount(type) : ERR_PTR(-ENODEV);
	if (type)
		module_put(type->owner);
}

#else
struct cgroup *tg_cgroup_of(struct pid *pid)
{
	return NULL;
}

struct cgroup *tg_cgroup_from_fd(int fd)
{
	return ERR_PTR(-EOPNOTSUPP);
}

void tg_cgroup_get(struct cgroup *cgrp)
{
}

void tg_cgroup_put(struct cgroup *cgrp)
{
}

u64 tg_cgroup_id(struct cgroup *cgrp)
{
	return 0;
}

bool tg_cgroup_is_gone(struct cgroup *cgrp)
{
	return true;
}

u64 tg_cgroup_id_of(struct pid *pid)
{
	return 0;
}

void tg_cgroup_path(struct cgroup *cgrp, char *buf, size_t size)
{
	buf[0] = '\0';
}

u32 tg_cgroup_path_within(struct cgroup *cgrp, u32 levels, char *buf, size_t size)
{
	buf[0] = '\0';
	return 0;
}

u64 tg_cgroup_ancestor_id(struct cgroup *cgrp, u32 depth)
{
	return 0;
}

static struct tg_cgroup_chain *alloc_chain(struct cgroup *leaf)
{
	return kvzalloc(sizeof(struct tg_cgroup_chain), GFP_KERNEL);
}

static void read_chain(struct job *job)
{
}

static void read_weight(struct job *job)
{
}

static void make_mount(struct job *job)
{
}
#endif

struct tg_cgroup_chain *tg_cgroup_look(struct cgroup *leaf)
{
	struct job job = { .fn = read_chain, .chain = alloc_chain(leaf) };

	if (!job.chain)
		tg_cgroup_put(leaf);
	else if (job.chain->nr)
		do_job(&job);
	return job.chain;
}

void tg_cgroup_free(struct tg_cgroup_chain *chain)
{
	if (!chain)
		return;
	tg_cgroup_put(chain->leaf);
	kfree(chain->path);
	kvfree(chain);
}

u32 tg_cgroup_weight(struct cgroup *cgrp)
{
	struct job job = { .fn = read_weight, .cgrp = cgrp, .weight = CPU_WEIGHT_DEFAULT };

	do_job(&job);
	return job.weight;
}

int tg_cgroup_init(void)
{
	struct job job = { .fn = make_mount };

	readers = alloc_workqueue("timegraph_cgroups", WQ_UNBOUND, 0);
	if (!readers)
		return -ENOMEM;
	do_job(&job);
	return 0;
}

void tg_cgroup_exit(void)
{
	if (!IS_ERR_OR_NULL(mount))
		kern_unmount(mount);
	destroy_workqueue(readers);
}
