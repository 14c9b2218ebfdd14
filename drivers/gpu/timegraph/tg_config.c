// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads /etc/timegraph.spec and /etc/timegraph.ac when a channel is allocated
 * (TimeGraph section 3).
 *
 * The task that allocates a channel may live in a container or run with few
 * rights.  The files are the administrator's: they are opened by a kernel worker,
 * which has init's root and the kernel's credentials.
 */
#define pr_fmt(fmt) "timegraph: " fmt

#include <linux/file.h>
#include <linux/fs.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/stat.h>
#include <linux/vmalloc.h>
#include <linux/workqueue.h>

#include "tg_compat.h"
#include "tg_config.h"
#include "tg_events.h"
#include "core/tg_sched.h"
#include "tg_params.h"
#include "tg_program.h"

struct table {
	u32 n;
	struct tg_spec_entry entry[];
};

/**
 * struct config_file - a file of the administrator's
 * @path: where it is
 * @what: how a person calls it
 * @parse: takes its text, or NULL and 0 if there is no file: then it is as if
 *	the module had just been loaded
 * @seen: the rest is valid
 * @present: it could be opened
 * @ctime: of what was looked at
 * @size: of that
 * @refusal: why it was refused, or ""
 *
 * Under the mutex, or of the worker that the mutex' holder waits for.
 */
struct config_file {
	const char *const *path;
	const char *what;
	void (*parse)(struct config_file *f, const char *text, size_t len);
	bool seen;
	bool present;
	struct timespec64 ctime;
	loff_t size;
	char refusal[192];
};

static DEFINE_MUTEX(config_mutex);
static struct table *in_force;
static u32 limit = TG_AC_DEFAULT;

static void refuse(struct config_file *f, const char *why)
{
	char text[sizeof(f->refusal)];

	snprintf(text, sizeof(text), "%s: %s", *f->path, why);
	if (!strcmp(text, f->refusal))
		return;
	strscpy(f->refusal, text, sizeof(f->refusal));
	pr_warn("%s; the last good %s stays in force\n", f->refusal, f->what);
	tg_events_post(TIMEGRAPH_EVENT_CONFIG);
}

static void refuse_text(struct config_file *f, const struct tg_spec_error *err)
{
	char why[160];

	snprintf(why, sizeof(why), "%u:%u: error[%s]: %s", err->line,
		 err->column, err->check, err->text);
	refuse(f, why);
}

/* Not the file's fault: look again next time. */
static void no_memory(struct config_file *f)
{
	f->seen = false;
	refuse(f, "no memory to read it");
}

static void set_table(struct config_file *f, struct table *t)
{
	kvfree(in_force);
	in_force = t;
	f->refusal[0] = '\0';
	tg_events_post(TIMEGRAPH_EVENT_CONFIG);
}

static void parse_spec(struct config_file *f, const char *text, size_t len)
{
	struct tg_spec_error err;
	struct table *t, *fit;
	int n;

	if (!text) {
		set_table(f, NULL);
		return;
	}
	t = kvmalloc(struct_size(t, entry, TG_SPEC_MAX_ENTRIES), GFP_KERNEL);
	if (!t) {
		no_memory(f);
		return;
	}
	n = tg_spec_parse(text, len, t->entry, TG_SPEC_MAX_ENTRIES, &err);
	if (n < 0) {
		refuse_text(f, &err);
		goto out;
	}
	fit = kvmalloc(struct_size(fit, entry, n), GFP_KERNEL);
	if (!fit) {
		no_memory(f);
		goto out;
	}
	fit->n = n;
	memcpy(fit->entry, t->entry, n * sizeof(t->entry[0]));
	set_table(f, fit);
out:
	kvfree(t);
}

static void parse_ac(struct config_file *f, const char *text, size_t len)
{
	struct tg_spec_error err;
	u32 percent = TG_AC_DEFAULT;

	if (text && tg_ac_parse(text, len, &percent, &err)) {
		refuse_text(f, &err);
		return;
	}
	limit = percent;
	f->refusal[0] = '\0';
	tg_events_post(TIMEGRAPH_EVENT_CONFIG);
}

static struct config_file spec_file = {
	.path = (const char *const *)&tg_param_spec,
	.what = "specification",
	.parse = parse_spec,
};

static struct config_file ac_file = {
	.path = (const char *const *)&tg_param_ac,
	.what = "limit",
	.parse = parse_ac,
};

/*
 * Remembers what was looked at, so that a refused file is reported once.  By
 * ctime, not mtime: a file may be refused for its owner or mode.
 */
static bool changed(struct config_file *f, const struct kstat *st)
{
	if (f->seen && f->present && timespec64_equal(&st->ctime, &f->ctime) &&
	    st->size == f->size)
		return false;
	f->seen = true;
	f->present = true;
	f->ctime = st->ctime;
	f->size = st->size;
	return true;
}

/*
 * As a program would, so that IMA appraises it as a file that is opened, by the rules
 * for FILE_CHECK.  kernel_read_file() has no id for such a file: READING_POLICY is
 * IMA's and IPE's own policy, which rules for files do not cover, and without an id IPE
 * warns.  It must not be written meanwhile, nor be another length.
 */
static ssize_t read_all(struct file *file, char *text, size_t size)
{
	loff_t pos = 0;
	ssize_t n;

	if (deny_write_access(file))
		return -ETXTBSY;
	do {
		n = kernel_read(file, text + pos, size - pos, &pos);
	} while (n > 0 && pos < size);
	allow_write_access(file);
	if (n < 0)
		return n;
	return pos == size ? pos : -EIO;
}

static void read_open(struct config_file *f, struct file *file)
{
	struct kstat st;
	char *text;
	ssize_t len;

	if (vfs_getattr(&file->f_path, &st, STATX_BASIC_STATS,
			AT_STATX_SYNC_AS_STAT) || !changed(f, &st))
		return;
	if (!S_ISREG(st.mode)) {
		refuse(f, "not a regular file");
	} else if (!uid_eq(st.uid, GLOBAL_ROOT_UID)) {
		refuse(f, "not owned by root");
	} else if (st.mode & 0022) {
		refuse(f, "writable by others than root");
	} else if (st.size > TG_SPEC_MAX_BYTES) {
		refuse(f, "larger than 64 KiB");
	} else if (!st.size) {
		f->parse(f, "", 0);
	} else {
		text = kvmalloc(st.size, GFP_KERNEL);
		len = text ? read_all(file, text, st.size) : -ENOMEM;
		if (len < 0) {
			/* Somebody writes it, perhaps: look again next time. */
			f->seen = false;
			refuse(f, "it cannot be read");
		} else {
			f->parse(f, text, len);
		}
		kvfree(text);
	}
}

static void read_file(struct config_file *f)
{
	struct file *file = tg_compat_open_system_file(*f->path,
						       O_RDONLY | O_NONBLOCK);

	if (!IS_ERR(file)) {
		read_open(f, file);
		filp_close(file, NULL);
		return;
	}
	if (f->seen && !f->present)
		return;
	f->seen = true;
	f->present = false;
	if (PTR_ERR(file) == -ENOENT)
		f->parse(f, NULL, 0);
	else
		refuse(f, "it cannot be opened");
}

/*
 * The files that paths lead to now: a package may have replaced one since.  None of
 * them is read, so nobody is asked whether it may be.
 */
static void look_up_paths(void)
{
	for (u32 i = 0; in_force && i < in_force->n; i++) {
		struct tg_spec_entry *e = &in_force->entry[i];
		struct file *file;

		if (e->kind != TG_SPEC_PATH)
			continue;
		memset(&e->file, 0, sizeof(e->file));
		file = tg_compat_open_system_file(e->name, O_PATH);
		if (IS_ERR(file))
			continue;
		e->file = tg_program_file(file);
		fput(file);
	}
}

static void read_files(struct work_struct *work)
{
	read_file(&spec_file);
	read_file(&ac_file);
	look_up_paths();
}

static DECLARE_WORK(read_work, read_files);

/* The work runs without taking the mutex: who queues it waits with it held. */
static void refresh_locked(void)
{
	lockdep_assert_held(&config_mutex);
	queue_work(tg_compat_unbound_wq, &read_work);
	flush_work(&read_work);
}

void tg_config_lookup(const struct tg_spec_program *p,
		      struct tg_spec_entry *entry, u32 *percent)
{
	const struct tg_spec_entry *e = NULL;

	mutex_lock(&config_mutex);
	refresh_locked();
	if (in_force)
		e = tg_spec_match(in_force->entry, in_force->n, p);
	if (e) {
		*entry = *e;
	} else {
		memset(entry, 0, sizeof(*entry));
		strscpy(entry->name, p->comm, sizeof(entry->name));
		entry->sched = TG_SPEC_PRT;
		entry->resv = TG_SPEC_RESV_BG;
		entry->prio = TG_PRIO_MIN;
	}
	*percent = limit;
	mutex_unlock(&config_mutex);
}

void tg_config_reload(void)
{
	mutex_lock(&config_mutex);
	/* Two changes within a tick of the clock have the same change time. */
	spec_file.seen = false;
	ac_file.seen = false;
	refresh_locked();
	mutex_unlock(&config_mutex);
}

void tg_config_get(struct timegraph_config *config)
{
	memset(config, 0, sizeof(*config));
	mutex_lock(&config_mutex);
	config->nr_entries = in_force ? in_force->n : 0;
	config->limit_percent = limit;
	strscpy(config->spec_path, tg_param_spec, sizeof(config->spec_path));
	strscpy(config->ac_path, tg_param_ac, sizeof(config->ac_path));
	strscpy(config->spec_refusal, spec_file.refusal,
		sizeof(config->spec_refusal));
	strscpy(config->ac_refusal, ac_file.refusal, sizeof(config->ac_refusal));
	mutex_unlock(&config_mutex);
}

void tg_config_show(struct seq_file *m)
{
	mutex_lock(&config_mutex);
	seq_printf(m, "spec: %s, %u entries in force%s%s\n", tg_param_spec,
		   in_force ? in_force->n : 0,
		   spec_file.refusal[0] ? "; refused: " : "",
		   spec_file.refusal);
	seq_printf(m, "ac: %s, limit %u%%%s%s\n", tg_param_ac, limit,
		   ac_file.refusal[0] ? "; refused: " : "", ac_file.refusal);
	mutex_unlock(&config_mutex);
}

void tg_config_init(void)
{
	/* Report a wrong file when the module is loaded, not at the first channel. */
	tg_config_reload();
}

void tg_config_exit(void)
{
	kvfree(in_force);
}
