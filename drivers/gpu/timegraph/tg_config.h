/* SPDX-License-Identifier: GPL-2.0-only */
/* The specification and the admission limit in force. */
#ifndef TG_CONFIG_H
#define TG_CONFIG_H

#include <linux/seq_file.h>

#include <uapi/drm/timegraph.h>

#include "core/tg_spec.h"

void tg_config_init(void);
void tg_config_exit(void);

/**
 * tg_config_lookup - the entry for a task
 * @p: its program
 * @percent: the admission limit
 * @entry: filled in; without a matching entry the default one (TimeGraph
 *	section 3): PRT, priority 0, Background, line 0
 *
 * Reads a file again if its change time or size differs.  A file that is
 * refused leaves the last good one in force.  May sleep.
 */
void tg_config_lookup(const struct tg_spec_program *p,
		      struct tg_spec_entry *entry, u32 *percent);

/** tg_config_reload - read the files now, changed or not; may sleep */
void tg_config_reload(void);

/**
 * tg_config_get - which files are in force and why one was refused
 *
 * May sleep.
 */
void tg_config_get(struct timegraph_config *config);

/** tg_config_show - which files are in force and why one was refused */
void tg_config_show(struct seq_file *m);

#endif
