// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A file system that does not answer for a while.
 *
 *	tgslow FOLDER FILE HOLD
 *
 * FOLDER/file is what FILE holds at each question.  As long as HOLD exists no question is
 * answered.  Ends when FOLDER is unmounted.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#define NAME "file"
#define FILE_NODE 2
/* What FUSE wants there to be room for. */
#define REQUEST_BYTES (1 << 18)

static const char *source, *hold;
static int fuse;

static void answer(const struct fuse_in_header *in, int error, const void *data, size_t len)
{
	struct fuse_out_header out = {
		.len = sizeof(out) + len, .error = error, .unique = in->unique,
	};
	struct iovec iov[] = { { &out, sizeof(out) }, { (void *)data, len } };

	/* Who asked may be gone. */
	if (writev(fuse, iov, len ? 2 : 1) < 0 && errno != ENOENT)
		perror("tgslow: answer");
}

static struct fuse_attr attr_of(uint64_t node)
{
	struct fuse_attr a = { .ino = node, .nlink = 1, .mode = S_IFDIR | 0755 };
	struct stat st = { };

	if (node != FILE_NODE)
		return a;
	stat(source, &st);
	a.mode = st.st_mode;
	a.size = st.st_size;
	a.mtime = st.st_mtim.tv_sec;
	a.mtimensec = st.st_mtim.tv_nsec;
	a.ctime = st.st_ctim.tv_sec;
	a.ctimensec = st.st_ctim.tv_nsec;
	return a;
}

static void init(const struct fuse_in_header *in)
{
	const struct fuse_init_out out = {
		.major = FUSE_KERNEL_VERSION, .minor = 31, .max_write = 4096,
	};

	answer(in, 0, &out, sizeof(out));
}

static void lookup(const struct fuse_in_header *in, const char *name)
{
	/* Nothing is valid for any time: all is asked anew. */
	const struct fuse_entry_out out = { .nodeid = FILE_NODE, .attr = attr_of(FILE_NODE) };

	if (strcmp(name, NAME))
		answer(in, -ENOENT, NULL, 0);
	else
		answer(in, 0, &out, sizeof(out));
}

static void getattr(const struct fuse_in_header *in)
{
	const struct fuse_attr_out out = { .attr = attr_of(in->nodeid) };

	answer(in, 0, &out, sizeof(out));
}

static void open_file(const struct fuse_in_header *in)
{
	const struct fuse_open_out out = { .open_flags = FOPEN_DIRECT_IO };

	answer(in, 0, &out, sizeof(out));
}

static void read_file(const struct fuse_in_header *in, const struct fuse_read_in *read)
{
	static char text[1 << 16];
	int file = open(source, O_RDONLY | O_CLOEXEC);
	size_t size = read->size < sizeof(text) ? read->size : sizeof(text);
	ssize_t n = pread(file, text, size, read->offset);

	close(file);
	answer(in, n < 0 ? -EIO : 0, text, n < 0 ? 0 : n);
}

static void serve(const struct fuse_in_header *in)
{
	while (in->opcode != FUSE_INIT && !access(hold, F_OK))
		usleep(10000);
	switch (in->opcode) {
	case FUSE_INIT:
		init(in);
		break;
	case FUSE_LOOKUP:
		lookup(in, (const char *)(in + 1));
		break;
	case FUSE_GETATTR:
		getattr(in);
		break;
	case FUSE_OPEN:
		open_file(in);
		break;
	case FUSE_READ:
		read_file(in, (const void *)(in + 1));
		break;
	case FUSE_FORGET:
	case FUSE_BATCH_FORGET:
	case FUSE_INTERRUPT:
		break;
	case FUSE_RELEASE:
	case FUSE_FLUSH:
		answer(in, 0, NULL, 0);
		break;
	default:
		answer(in, -ENOSYS, NULL, 0);
	}
}

int main(int argc, char **argv)
{
	static _Alignas(8) char request[REQUEST_BYTES];
	char options[128];

	if (argc != 4) {
		fprintf(stderr, "usage: tgslow FOLDER FILE HOLD\n");
		return 2;
	}
	source = argv[2];
	hold = argv[3];
	fuse = open("/dev/fuse", O_RDWR | O_CLOEXEC);
	snprintf(options, sizeof(options), "fd=%d,rootmode=40000,user_id=0,group_id=0,allow_other",
		 fuse);
	if (fuse < 0 || mount("tgslow", argv[1], "fuse", 0, options)) {
		perror("tgslow: FUSE");
		return 77;
	}
	for (;;) {
		ssize_t n = read(fuse, request, sizeof(request));

		if (n > 0)
			serve((struct fuse_in_header *)request);
		else if (errno == ENODEV)
			return 0;
		else if (errno != EINTR && errno != ENOENT && errno != EAGAIN)
			return 1;
	}
}
