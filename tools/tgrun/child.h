/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The program: a process that waits until it may begin, so that it is in its cgroup, and
 * that has its rule, before it opens the GPU.
 *
 *	child_start() -> child_reserve() if it is to have memory -> child_run()
 *	                                                    or -> child_drop()
 */
#ifndef CHILD_H
#define CHILD_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/**
 * struct child - it
 * @pid: its number
 * @go: written to, it goes on; closed, it ends
 * @told: errors of it: what child_reserve() waits for, and what exec said, if it could not
 * @ended: by a signal, while child_reserve() waited; child_run() says by which
 * @mask: signals that were blocked before
 */
struct child {
	pid_t pid;
	int go;
	int told;
	bool ended;
	sigset_t mask;
};

/* Of a program that cannot be run, as env(1) has it; and of one that a signal ended. */
enum {
	CHILD_CANNOT_RUN = 126,
	CHILD_NOT_FOUND = 127,
	CHILD_SIGNAL = 128,
};

/* Signals for tgrun are kept for it from now on.  0 or -errno. */
int child_start(struct child *c, char **argv, uint64_t vram_bytes);

/*
 * It reserves the video memory that it was started with, and waits for that; meanwhile
 * signals are passed on as by child_run().  @waits: called if it has to.  0, also if it has
 * ended, or -errno of memory_reserve().
 */
int child_reserve(struct child *c, void (*waits)(void));

/* It never begins. */
void child_drop(struct child *c);

/*
 * It begins; signals that others send to tgrun are passed on until it ends.  Returns its exit
 * status, CHILD_SIGNAL + number, or that it cannot be run, with the errno in *error.
 */
int child_run(struct child *c, int *error);

#endif
