/* SPDX-License-Identifier: GPL-2.0-only */
/* The entry of a process that has no channel yet. */
#ifndef TG_ENTRY_H
#define TG_ENTRY_H

#include "core/tg_spec.h"

struct pid;

/**
 * tg_entry_look - what the specification gives a process that opens a channel now
 * @comm: what it calls itself
 * @entry: is filled in
 *
 * Has the files looked at, as for a channel.  May sleep.
 */
void tg_entry_look(struct pid *pid, const char *comm, struct tg_spec_entry *entry);

#endif
