// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads /etc/timegraph.spec when a channel is allocated (TimeGraph section 3).
 *
 * The task that allocates a channel may live in a container or run with few
 * rights.  The file is the administrator's: it is opened by a kernel worker,
 * which has init's root and the kernel's credentials.
 */
#define pr_fmt(fmt) "timegraph: " fmt

#include <linux/fs.h>
#include <linux/kernel_read_file.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/stat.h>
#include <linux/vmalloc.h>
#include <linux/workqueue.h>

#include "tg_compat.h"
#include "tg_config.h"
#include "core/tg_sched.h"
#include "tg_params.h"

struct table {
	u32 n;
	struct tg_spec_entry entry[];
};

/* All under the mutex. */
static DEFINE_MUTEX(config_mutex);
static struct table *in_force;
static bool seen;
static bool present;
static struct timespec64 seen_ctime;
static loff_t seen_size;
static char refusal[192];

static void refuse(const char *path, const char *why)
{
	char text[sizeof(refusal)];

	snprintf(text, sizeof(text), "%s: %s", path, why);
	if (!strcmp(text, refusal))
		return;
	strscpy(refusal, text, sizeof(refusal));
	pr_warn("%s; the last good specification stays in force\n", refusal);
}

static void parse(const char *path, const char *text, size_t len)
{
	struct tg_spec_error err;
	struct table *t, *fit;
	int n;

	t = kvmalloc(struct_size(t, entry, TG_SPEC_MAX_ENTRIES), GFP_KERNEL);
	if (!t) {
		seen = false;
		refuse(path, "no memory to read it");
		return;
	}
	n = tg_spec_parse(text, len, t->entry, TG_SPEC_MAX_ENTRIES, &err);
	if (n < 0) {
		char why[160];

		snprintf(why, sizeof(why), "%u:%u: error[%s]: %s", err.line,
			 err.column, err.check, err.text);
		refuse(path, why);
		goto out;
	}
	fit = kvmalloc(struct_size(fit, entry, n), GFP_KERNEL);
	if (!fit) {
		seen = false;
		refuse(path, "no memory to read it");
		goto out;
	}
	fit->n = n;
	memcpy(fit->entry, t->entry, n * sizeof(t->entry[0]));
	kvfree(in_force);
	in_force = fit;
	refusal[0] = '\0';
out:
	kvfree(t);
}

/*
 * Remembers what was looked at, so that a refused file is reported once.  By
 * ctime, not mtime: a file may be refused for its owner or mode.
 */
static bool changed(const struct kstat *st)
{
	if (seen && present && timespec64_equal(&st->ctime, &seen_ctime) &&
	    st->size == seen_size)
		return false;
	seen = true;
	present = true;
	seen_ctime = st->ctime;
	seen_size = st->size;
	return true;
}

static void read_open(const char *path, struct file *file)
{
	struct kstat st;
	void *text = NULL;
	ssize_t len;

	if (vfs_getattr(&file->f_path, &st, STATX_BASIC_STATS,
			AT_STATX_SYNC_AS_STAT) || !changed(&st))
		return;
	if (!S_ISREG(st.mode)) {
		refuse(path, "not a regular file");
	} else if (!uid_eq(st.uid, GLOBAL_ROOT_UID)) {
		refuse(path, "not owned by root");
	} else if (st.mode & 0022) {
		refuse(path, "writable by others than root");
	} else if (st.size > TG_SPEC_MAX_BYTES) {
		refuse(path, "larger than 64 KiB");
	} else if (!st.size) {
		parse(path, "", 0);
	} else {
		len = kernel_read_file(file, 0, &text, TG_SPEC_MAX_BYTES, NULL,
				       READING_POLICY);
		if (len < 0) {
			/* Somebody writes it, perhaps: look again next time. */
			seen = false;
			refuse(path, "it cannot be read");
		} else {
			parse(path, text, len);
		}
		vfree(text);
	}
}

static void read_spec(struct work_struct *work)
{
	struct file *file = filp_open(tg_param_spec, O_RDONLY | O_NONBLOCK, 0);

	if (!IS_ERR(file)) {
		read_open(tg_param_spec, file);
		filp_close(file, NULL);
		return;
	}
	if (seen && !present)
		return;
	seen = true;
	present = false;
	if (PTR_ERR(file) == -ENOENT) {
		/* No file is a specification without entries. */
		kvfree(in_force);
		in_force = NULL;
		refusal[0] = '\0';
	} else {
		refuse(tg_param_spec, "it cannot be opened");
	}
}

static DECLARE_WORK(read_work, read_spec);

/*
 * The work runs without taking the mutex: only tg_config_lookup() queues it,
 * and waits for it with the mutex held.
 */
void tg_config_lookup(const char *comm, const char *exe,
		      struct tg_spec_entry *entry)
{
	const struct tg_spec_entry *e = NULL;

	mutex_lock(&config_mutex);
	queue_work(tg_compat_unbound_wq, &read_work);
	flush_work(&read_work);
	if (in_force)
		e = tg_spec_match(in_force->entry, in_force->n, comm, exe);
	if (e) {
		*entry = *e;
	} else {
		memset(entry, 0, sizeof(*entry));
		strscpy(entry->name, comm, sizeof(entry->name));
		entry->sched = TG_SPEC_PRT;
		entry->resv = TG_SPEC_RESV_BG;
		entry->prio = TG_PRIO_MIN;
	}
	mutex_unlock(&config_mutex);
}

void tg_config_show(struct seq_file *m)
{
	mutex_lock(&config_mutex);
	seq_printf(m, "spec: %s, %u entries in force%s%s\n", tg_param_spec,
		   in_force ? in_force->n : 0,
		   refusal[0] ? "; refused: " : "", refusal);
	mutex_unlock(&config_mutex);
}

void tg_config_init(void)
{
	struct tg_spec_entry entry;

	/* Report a wrong file when the module is loaded, not at the first channel. */
	tg_config_lookup("", NULL, &entry);
}

void tg_config_exit(void)
{
	kvfree(in_force);
}
