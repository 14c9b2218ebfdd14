/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tgpolicy: policies that are BPF programs. */
#ifndef TGPOLICY_H
#define TGPOLICY_H

#include <stddef.h>
#include <stdint.h>

#include "command.h"

/* Exit status, as in tgpolicy(1). */
enum tgpolicy_exit {
	TGPOLICY_OK = 0,
	TGPOLICY_REFUSED = 1,	/* the kernel refused it; no such policy, GPU or file */
	TGPOLICY_USAGE = 2,
	TGPOLICY_NO_MODULE = 3,
	TGPOLICY_DENIED = 4,
};

extern const struct command tgpolicy_load;
extern const struct command tgpolicy_list;
extern const struct command tgpolicy_show;
extern const struct command tgpolicy_stats;
extern const struct command tgpolicy_eject;
extern const struct command tgpolicy_new;

/* Where a loaded policy is kept when the program that loaded it has ended. */
#define PIN_FOLDER "/sys/fs/bpf/timegraph"

/* In @out: where the policy @name is kept. */
void pin_path(char *out, size_t size, const char *name);

/* Says why the module cannot be had; the exit status. */
int no_module(int err);

/*
 * The loaded policy @name is to order GPU @gpu, -1: all; "fq": the built-in one. Returns 0
 * or -errno.
 */
int choose(const char *name, int64_t gpu);

#endif
