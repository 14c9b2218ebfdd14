/* SPDX-License-Identifier: GPL-2.0-only */
/* The version of the specification and of the admission limit that is in force. */
#ifndef TG_CONFIG_H
#define TG_CONFIG_H

#include <linux/seq_file.h>

#include <uapi/drm/timegraph.h>

#include "core/tg_spec.h"
#include "tg_version.h"

/*
 * No file is touched in these functions: they never take long.  The mutex that they
 * share is inside of all others.
 */

/** tg_config_init - nothing is in force yet: the defaults are.  -ENOMEM */
int tg_config_init(void);
void tg_config_exit(void);

/** tg_config_current - what is in force, with a reference */
struct tg_version *tg_config_current(void);

/**
 * tg_config_install - put a version in force, and forget why others were refused
 * @v: taken over; its paths are looked up
 *
 * If what is in force has the same texts it stays, with its number and with the paths
 * of @v.
 * Return: what is in force now, with a reference.
 */
struct tg_version *tg_config_install(struct tg_version *v);

/** tg_config_set_paths - where the paths of @v lead to now, as tg_version_look_up() says */
void tg_config_set_paths(struct tg_version *v, const struct tg_spec_file *files);

/**
 * tg_config_refuse - say why a text is refused, once, and keep what is in force
 * @part: which
 * @why: behind the file's name; NULL: that part is good, and what was said of it is
 *	forgotten
 */
void tg_config_refuse(enum tg_version_part part, const char *why);

/** tg_config_refuse_texts - what tg_version_create() found */
void tg_config_refuse_texts(const struct tg_spec_error err[TG_VERSION_PARTS]);

/** tg_config_refused - whether a text is, since a version was put in force */
bool tg_config_refused(void);

/**
 * tg_config_lookup - the entry for a task
 * @v: by this version
 * @p: its program
 * @entry: filled in; without a matching entry the default one (TimeGraph
 *	section 3): PRT, priority 0, Background, line 0
 */
void tg_config_lookup(const struct tg_version *v,
		      const struct tg_spec_program *p,
		      struct tg_spec_entry *entry);

/** tg_config_gives_domains_vram - whether what is in force does; takes no lock */
bool tg_config_gives_domains_vram(void);

/** tg_config_get - what is in force and why another was refused */
void tg_config_get(struct timegraph_config *config);

/** tg_config_show - the same as text */
void tg_config_show(struct seq_file *m);

#endif
