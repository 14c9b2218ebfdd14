/* SPDX-License-Identifier: GPL-2.0-only */
/* The entry of a process that has no channel yet. */
#ifndef TG_ENTRY_H
#define TG_ENTRY_H

#include <linux/sched.h>

#include "core/tg_spec.h"

struct pid;

/**
 * struct tg_entry_domain - a domain that the specification gives memory
 * @id: number of its cgroup
 * @name: the end of its path
 * @vram_bytes: video memory; 0: there is none
 */
struct tg_entry_domain {
	u64 id;
	char name[TASK_COMM_LEN];
	u64 vram_bytes;
};

/**
 * tg_entry_look - what the specification gives a process that opens a channel now
 * @comm: what it calls itself
 * @entry: is filled in
 *
 * Has the files looked at, as for a channel.  May sleep.
 * Return: the look's ticket.
 */
unsigned long tg_entry_look(struct pid *pid, const char *comm, struct tg_spec_entry *entry);

/**
 * tg_entry_look_domain - the innermost domain with memory that a process is in
 * @domain: is filled in
 *
 * As the files were when they were looked at last.  May sleep.
 */
void tg_entry_look_domain(struct pid *pid, struct tg_entry_domain *domain);

#endif
