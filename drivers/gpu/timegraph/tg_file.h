/* SPDX-License-Identifier: GPL-2.0-only */
/* A file of the administrator's. */
#ifndef TG_FILE_H
#define TG_FILE_H

#include <linux/time64.h>
#include <linux/types.h>

/**
 * struct tg_file_id - what was at a path
 * @error: why that cannot be told, or 0
 * @present: there was a file; the rest is valid
 * @dev: its file system
 * @ino: its inode: another file's has another, whatever its times and size
 * @generation: of that inode, whose number may be used again
 * @change: its change cookie, 0 if its file system has none
 * @size: in bytes
 * @mtime: when it was written
 * @ctime: when it was changed in any way: its owner or mode may be why it was refused
 */
struct tg_file_id {
	int error;
	bool present;
	dev_t dev;
	u64 ino;
	u32 generation;
	u64 change;
	loff_t size;
	struct timespec64 mtime;
	struct timespec64 ctime;
};

/**
 * struct tg_text - what a file holds
 * @text: bytes, need not end in NUL; NULL: there is no file
 * @len: how many
 */
struct tg_text {
	char *text;
	size_t len;
};

/**
 * tg_file_look - what is at a path now
 *
 * For a kernel worker, as is tg_file_read(): the path is looked up in init's root.
 * May sleep, for as long as the file's server likes.
 */
struct tg_file_id tg_file_look(const char *path);

/** tg_file_same - whether it is the same file, unchanged as far as it can be told */
bool tg_file_same(const struct tg_file_id *a, const struct tg_file_id *b);

/**
 * tg_file_fresh - whether it was changed so shortly before @now that another change
 * could look the same
 */
bool tg_file_fresh(const struct tg_file_id *id, time64_t now);

/**
 * tg_file_read - what a file holds, if it is the administrator's alone
 * @text: to be freed by tg_text_free()
 * @again: set if it may be read the next time although it is the same
 *
 * Return: NULL, or why not.
 */
const char *tg_file_read(const char *path, struct tg_text *text, bool *again);

/**
 * tg_text_copy - a text of user space's; none if @from is 0
 *
 * Return: 0, -ENOMEM, or as tg_uaccess_read(); @text is to be freed by tg_text_free() in any case.
 */
int tg_text_copy(struct tg_text *text, u64 from, size_t len);

bool tg_text_same(const struct tg_text *a, const struct tg_text *b);
void tg_text_free(struct tg_text *text);

#endif
