/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A page that the program serves itself (userfaultfd): who reads it waits until it comes. */
#ifndef SELFTESTS_SERVED_H
#define SELFTESTS_SERVED_H

#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define SERVED_BYTES 4096

struct served {
	int fd;
	void *page;
	/* What the page has when it comes. */
	char contents[SERVED_BYTES] __attribute__((aligned(SERVED_BYTES)));
};

/* The page is absent from now on; false where there is no userfaultfd. */
static inline bool served_begin(struct served *s)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register reg = { .mode = UFFDIO_REGISTER_MODE_MISSING };

	s->fd = (int)syscall(SYS_userfaultfd, O_CLOEXEC);
	s->page = mmap(NULL, SERVED_BYTES, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	reg.range.start = (uintptr_t)s->page;
	reg.range.len = SERVED_BYTES;
	return s->fd >= 0 && s->page != MAP_FAILED &&
	       !ioctl(s->fd, UFFDIO_API, &api) &&
	       !ioctl(s->fd, UFFDIO_REGISTER, &reg);
}

/* It is absent again. */
static inline void served_drop(struct served *s)
{
	madvise(s->page, SERVED_BYTES, MADV_DONTNEED);
}

/* Waits until somebody waits for it. */
static inline bool served_wanted(struct served *s)
{
	struct uffd_msg msg;

	return read(s->fd, &msg, sizeof(msg)) == sizeof(msg);
}

/* It comes, and who waits goes on. */
static inline bool served_give(struct served *s)
{
	struct uffdio_copy copy = {
		.dst = (uintptr_t)s->page,
		.src = (uintptr_t)s->contents,
		.len = SERVED_BYTES,
	};

	return !ioctl(s->fd, UFFDIO_COPY, &copy);
}

#endif
