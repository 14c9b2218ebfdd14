// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The guest's way out of the machine: bytes written to an I/O port.
 *
 * QEMU's debug console takes one byte per OUT instruction and passes it on
 * before the next instruction runs. Unlike a disk, a network card or a virtio
 * queue there is no completion that could arrive at a moment of the host's
 * choosing, so output does not disturb virtual time.
 *
 *   tg-port out PORT            copy standard input to the port
 *   tg-port put PORT TEXT       write TEXT to the port
 *   tg-port exit PORT VALUE     write VALUE (QEMU's debug-exit device)
 *   tg-port in PORT             copy the machine's payload to standard output; PORT is
 *                               the second one of tg-dock
 *   tg-port hold COMMAND...     run COMMAND with the right to use ports, which
 *                               a locked-down kernel gives to nobody anew
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
#include <sys/io.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE 4096
#define PAGES 64

static int copy(unsigned short port)
{
	char buf[65536];
	ssize_t n;

	for (;;) {
		n = read(STDIN_FILENO, buf, sizeof(buf));
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0;
		outsb(port, buf, n);
	}
}

/* Page frame in which this page lies, 0 if nobody says. */
static uint32_t frame_of(int pagemap, const void *page)
{
	uint64_t entry;

	if (pread(pagemap, &entry, sizeof(entry), (uintptr_t)page / PAGE * sizeof(entry)) !=
	    sizeof(entry) || !(entry >> 63))
		return 0;
	return entry & ((1ull << 55) - 1);
}

/* A page may be moved, though not often: then what came lies elsewhere. */
static int fill(int pagemap, unsigned short port, const void *page, unsigned int *bytes)
{
	uint32_t frame = frame_of(pagemap, page);

	if (!frame)
		return -1;
	outl(frame, port);
	*bytes = inl(port);
	return frame_of(pagemap, page) == frame ? 0 : -1;
}

static int write_all(const char *buf, size_t len)
{
	ssize_t n;

	for (; len; buf += n, len -= n) {
		n = write(STDOUT_FILENO, buf, len);
		if (n < 0)
			return -1;
	}
	return 0;
}

static int take_in(unsigned short port)
{
	static char buf[PAGES * PAGE] __attribute__((aligned(PAGE)));
	int pagemap = open("/proc/self/pagemap", O_RDONLY);
	unsigned int got;
	size_t all;

	memset(buf, 1, sizeof(buf));
	if (pagemap < 0 || mlock(buf, sizeof(buf)))
		return 1;
	do {
		for (all = 0; all < sizeof(buf); all += got) {
			if (fill(pagemap, port, buf + all, &got))
				return 1;
			if (got < PAGE)
				break;
		}
		if (all < sizeof(buf))
			all += got;
		if (write_all(buf, all))
			return 1;
	} while (got == PAGE);
	return 0;
}

int main(int argc, char **argv)
{
	unsigned short port;

	if (argc < 3) {
		fprintf(stderr, "usage: tg-port out PORT | put PORT TEXT | exit PORT VALUE | in PORT | hold COMMAND...\n");
		return 2;
	}
	/* Ports above 0x3ff cannot be granted one by one. */
	if (iopl(3)) {
		perror("tg-port: iopl");
		return 2;
	}
	if (!strcmp(argv[1], "hold")) {
		execvp(argv[2], argv + 2);
		perror(argv[2]);
		return 2;
	}
	port = strtoul(argv[2], NULL, 0);
	if (!strcmp(argv[1], "out"))
		return copy(port);
	if (!strcmp(argv[1], "in"))
		return take_in(port);
	if (argc < 4)
		return 2;
	if (!strcmp(argv[1], "put"))
		outsb(port, argv[3], strlen(argv[3]));
	else if (!strcmp(argv[1], "exit"))
		outb(strtoul(argv[3], NULL, 0), port);
	else
		return 2;
	return 0;
}
