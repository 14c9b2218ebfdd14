/* SPDX-License-Identifier: GPL-2.0-only */
/* What the specification can know a program by. */
#ifndef TG_PROGRAM_H
#define TG_PROGRAM_H

#include <linux/pid.h>
#include <linux/uidgid.h>

#include "core/tg_spec.h"

struct file;

/**
 * struct tg_program - the program of a process, but for what it calls itself
 * @exe: base name of its executable, "" if that is not known
 * @file: its executable
 * @cgroup: its path in cgroups v2, "" if that is not known; where that is too long, of
 *	the innermost cgroup around it that can be named
 */
struct tg_program {
	char exe[TG_NAME_MAX];
	struct tg_spec_file file;
	char cgroup[TG_SPEC_NAME_MAX];
};

/**
 * tg_program_look - at the program of a process
 *
 * The executable is that of the current process, if @pid is that: another's could
 * only be had with a reference to its mm, and only channels older than the module
 * belong to another.  May sleep.
 */
void tg_program_look(struct tg_program *prog, struct pid *pid);

/** tg_program_file - what a file is; all 0 if that cannot be told.  May sleep. */
struct tg_spec_file tg_program_file(const struct file *file);

/** tg_program_match - as the specification asks for it */
struct tg_spec_program tg_program_match(const struct tg_program *prog,
					const char *comm, kuid_t uid);

#endif
