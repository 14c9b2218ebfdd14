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
 *   tg-port hold COMMAND...     run COMMAND with the right to use ports, which
 *                               a locked-down kernel gives to nobody anew
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/io.h>
#include <unistd.h>

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

int main(int argc, char **argv)
{
	unsigned short port;

	if (argc < 3) {
		fprintf(stderr, "usage: tg-port out PORT | put PORT TEXT | exit PORT VALUE | hold COMMAND...\n");
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
