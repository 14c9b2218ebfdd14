// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "source.h"
#include "tg_spec.h"

static bool is_stdin(const char *path)
{
	return !strcmp(path, "-");
}

static int read_all(int fd, struct buf *text)
{
	char chunk[4096];
	size_t want = TG_SPEC_MAX_BYTES + 1;

	while (text->len < want) {
		size_t n = want - text->len;
		ssize_t got = read(fd, chunk, n < sizeof(chunk) ? n : sizeof(chunk));

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -errno;
		if (!got)
			break;
		buf_put(text, chunk, got);
	}
	return 0;
}

int source_read(struct source *s, const char *path, bool may_be_missing)
{
	int fd, ret;

	*s = (struct source){ .path = path };
	buf_put(&s->text, "", 0);
	fd = is_stdin(path) ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		s->missing = errno == ENOENT && may_be_missing;
		return s->missing ? 0 : -errno;
	}
	ret = read_all(fd, &s->text);
	if (!is_stdin(path))
		close(fd);
	return ret;
}

void source_free(struct source *s)
{
	buf_free(&s->text);
}

bool source_is_stdin(const struct source *s)
{
	return is_stdin(s->path);
}

const char *source_name(const struct source *s)
{
	return is_stdin(s->path) ? "(standard input)" : s->path;
}

const char *source_line(const struct source *s, uint32_t line, size_t *len)
{
	const char *p = s->text.p, *end = p + s->text.len, *nl;

	for (; --line; p = nl + 1) {
		nl = memchr(p, '\n', end - p);
		if (!nl)
			return NULL;
	}
	nl = memchr(p, '\n', end - p);
	*len = (nl ? nl : end) - p;
	return p;
}

/* The rules of tg_config.c, in its order. */
static int write_all(int fd, const struct buf *text)
{
	for (size_t done = 0; done < text->len;) {
		ssize_t n = write(fd, text->p + done, text->len - done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		done += n;
	}
	return 0;
}

/* Owner and mode of the file, or those of a new one. */
static int stat_or_new(const char *target, struct stat *st)
{
	mode_t mask;

	if (!stat(target, st))
		return 0;
	if (errno != ENOENT)
		return -errno;
	mask = umask(0);
	umask(mask);
	*st = (struct stat){
		.st_mode = 0666 & ~mask, .st_uid = geteuid(), .st_gid = getegid(),
	};
	return 0;
}

/* A new file beside the old one, with its owner and mode. */
static int write_beside(const char *target, char *temp, const struct buf *text)
{
	struct stat st;
	int fd, ret;

	ret = stat_or_new(target, &st);
	if (ret)
		return ret;
	fd = mkostemp(temp, O_CLOEXEC);
	if (fd < 0)
		return -errno;
	ret = write_all(fd, text);
	/* Only root can keep another's file another's. */
	if (!ret && (st.st_uid != geteuid() || st.st_gid != getegid()) &&
	    fchown(fd, st.st_uid, st.st_gid))
		ret = -errno;
	if (!ret && fchmod(fd, st.st_mode & 07777))
		ret = -errno;
	if (!ret && fsync(fd))
		ret = -errno;
	if (close(fd) && !ret)
		ret = -errno;
	if (!ret && rename(temp, target))
		ret = -errno;
	if (ret)
		unlink(temp);
	return ret;
}

int source_write(const struct source *s, const struct buf *text)
{
	char *target, *temp;
	int ret;

	if (is_stdin(s->path))
		return write_all(STDOUT_FILENO, text);
	target = realpath(s->path, NULL);
	if (!target && errno != ENOENT)
		return -errno;
	if (!target)
		target = text_printf("%s", s->path);
	temp = text_printf("%s.XXXXXX", target);
	ret = write_beside(target, temp, text);
	free(temp);
	free(target);
	return ret;
}
