// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "texts.h"

/* Of two files that change all the time no pair may ever belong together. */
#define MAX_TRIES 8

static bool acceptable(const struct stat *st, uid_t owner)
{
	return S_ISREG(st->st_mode) && st->st_uid == owner && !(st->st_mode & 022) &&
	       st->st_size <= TIMEGRAPH_PUSH_MAX;
}

/*
 * Nobody has it open for writing: a text that is half written may be a good one.  Who
 * opens it meanwhile waits for the end of the lease, and no signal ends us for that.
 * Where the file system has no leases nobody can tell.
 */
static bool nobody_writes(int file)
{
	return fcntl(file, F_SETSIG, SIGURG) || !fcntl(file, F_SETLEASE, F_RDLCK) ||
	       errno != EAGAIN;
}

static bool read_all(int file, char *text, size_t len)
{
	size_t n = 0;
	ssize_t got;

	do {
		got = read(file, text + n, len - n);
		if (got > 0)
			n += got;
	} while (n < len && (got > 0 || (got < 0 && errno == EINTR)));
	return n == len;
}

static bool read_open(struct texts *t, int i, int file)
{
	struct stat *st = &t->st[i];

	if (fstat(file, st) || !acceptable(st, t->owner) || !nobody_writes(file) ||
	    fstat(file, st) || !acceptable(st, t->owner))
		return false;
	/* An empty text is one, and not none. */
	t->text[i] = malloc(st->st_size + 1);
	t->len[i] = st->st_size;
	return t->text[i] && read_all(file, t->text[i], t->len[i]);
}

static bool read_one(struct texts *t, int i)
{
	int file = open(t->path[i], O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	bool ok;

	if (file < 0)
		return errno == ENOENT;
	ok = read_open(t, i, file);
	close(file);
	return ok;
}

static bool same_time(struct timespec a, struct timespec b)
{
	return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

static bool holds(const struct texts *t, int i)
{
	const struct stat *was = &t->st[i];
	struct stat is;

	if (stat(t->path[i], &is))
		return errno == ENOENT && !t->text[i];
	return t->text[i] && is.st_dev == was->st_dev && is.st_ino == was->st_ino &&
	       is.st_size == was->st_size && same_time(is.st_mtim, was->st_mtim) &&
	       same_time(is.st_ctim, was->st_ctim);
}

bool texts_hold(const struct texts *t)
{
	for (int i = 0; i < TEXTS_NUMBER; i++)
		if (!holds(t, i))
			return false;
	return true;
}

bool texts_read(struct texts *t)
{
	for (int try = 0; try < MAX_TRIES; try++) {
		texts_free(t);
		for (int i = 0; i < TEXTS_NUMBER; i++)
			if (!read_one(t, i))
				return false;
		if (texts_hold(t))
			return true;
	}
	return false;
}

void texts_free(struct texts *t)
{
	for (int i = 0; i < TEXTS_NUMBER; i++) {
		free(t->text[i]);
		t->text[i] = NULL;
		t->len[i] = 0;
		memset(&t->st[i], 0, sizeof(t->st[i]));
	}
}
