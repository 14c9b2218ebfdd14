// SPDX-License-Identifier: GPL-2.0-only
/*
 * A file of the administrator's, as it is read without tools.
 *
 * The task that allocates a channel may live in a container or run with few rights.
 * So a kernel worker opens the file, with init's root and the kernel's credentials.
 */
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/stat.h>
#include <linux/string.h>

#include "core/tg_spec.h"
#include "tg_compat.h"
#include "tg_file.h"
#include "tg_uaccess.h"

/* The coarsest clock that a file system has for its times, FAT's. */
#define FRESH_S 2

static struct tg_file_id identify(const struct file *file)
{
	struct kstat st;
	int ret = vfs_getattr(&file->f_path, &st,
			      STATX_BASIC_STATS | TG_COMPAT_CHANGE_COOKIE,
			      AT_STATX_SYNC_AS_STAT);

	if (ret)
		return (struct tg_file_id){ .error = ret };
	return (struct tg_file_id){
		.present = true,
		.dev = st.dev,
		.ino = st.ino,
		.generation = file_inode(file)->i_generation,
		.change = tg_compat_change_cookie(&st),
		.size = st.size,
		.mtime = st.mtime,
		.ctime = st.ctime,
	};
}

struct tg_file_id tg_file_look(const char *path)
{
	struct file *file = tg_compat_open_system_file(path, O_PATH);
	struct tg_file_id id = { };

	if (!IS_ERR(file)) {
		id = identify(file);
		fput(file);
	} else if (PTR_ERR(file) != -ENOENT) {
		id.error = PTR_ERR(file);
	}
	return id;
}

bool tg_file_same(const struct tg_file_id *a, const struct tg_file_id *b)
{
	if (!a->present || !b->present)
		return a->present == b->present && a->error == b->error;
	return a->dev == b->dev && a->ino == b->ino &&
	       a->generation == b->generation && a->change == b->change &&
	       a->size == b->size && timespec64_equal(&a->mtime, &b->mtime) &&
	       timespec64_equal(&a->ctime, &b->ctime);
}

bool tg_file_fresh(const struct tg_file_id *id, time64_t now)
{
	return id->present && id->ctime.tv_sec >= now - FRESH_S;
}

static const char *not_the_administrators(const struct kstat *st)
{
	if (!S_ISREG(st->mode))
		return "not a regular file";
	if (!uid_eq(st->uid, GLOBAL_ROOT_UID))
		return "not owned by root";
	if (st->mode & 0022)
		return "writable by others than root";
	if (st->size > TG_SPEC_MAX_BYTES)
		return "larger than 64 KiB";
	return NULL;
}

/*
 * As a program would, so that IMA appraises it as a file that is opened, by the rules
 * for FILE_CHECK.  kernel_read_file() has no id for such a file: READING_POLICY is
 * IMA's and IPE's own policy, which rules for files do not cover, and without an id IPE
 * warns.  It must not be written meanwhile, nor be another length.
 */
static bool read_all(struct file *file, struct tg_text *text)
{
	loff_t pos = 0;
	ssize_t n;

	if (deny_write_access(file))
		return false;
	while (pos < text->len) {
		n = kernel_read(file, text->text + pos, text->len - pos, &pos);
		if (n <= 0)
			break;
	}
	allow_write_access(file);
	return pos == text->len;
}

/* An empty text is one, and not none. */
static int alloc(struct tg_text *text, size_t len)
{
	text->text = kvmalloc(len + 1, GFP_KERNEL_ACCOUNT);
	text->len = len;
	return text->text ? 0 : -ENOMEM;
}

static const char *read_open(struct file *file, struct tg_text *text,
			     bool *again)
{
	struct kstat st;
	const char *why;

	if (vfs_getattr(&file->f_path, &st, STATX_BASIC_STATS,
			AT_STATX_SYNC_AS_STAT))
		return "it cannot be read";
	why = not_the_administrators(&st);
	if (why)
		return why;
	/* Somebody writes it, perhaps, or there will be memory. */
	*again = true;
	if (alloc(text, st.size))
		return "no memory to read it";
	if (!read_all(file, text)) {
		tg_text_free(text);
		return "it cannot be read";
	}
	*again = false;
	return NULL;
}

const char *tg_file_read(const char *path, struct tg_text *text, bool *again)
{
	struct file *file = tg_compat_open_system_file(path,
						       O_RDONLY | O_NONBLOCK);
	const char *why;

	*text = (struct tg_text){ };
	*again = false;
	if (PTR_ERR(file) == -ENOENT)
		return NULL;
	if (IS_ERR(file))
		return "it cannot be opened";
	why = read_open(file, text, again);
	filp_close(file, NULL);
	return why;
}

int tg_text_copy(struct tg_text *text, u64 from, size_t len)
{
	if (!from)
		return 0;
	if (alloc(text, len))
		return -ENOMEM;
	return tg_uaccess_read(text->text, u64_to_user_ptr(from), len);
}

bool tg_text_same(const struct tg_text *a, const struct tg_text *b)
{
	if (!a->text || !b->text)
		return a->text == b->text;
	return a->len == b->len && !memcmp(a->text, b->text, a->len);
}

void tg_text_free(struct tg_text *text)
{
	kvfree(text->text);
	*text = (struct tg_text){ };
}
