/* SPDX-License-Identifier: GPL-2.0-only */
/* What a caller sees of a GPU, and of a task. */
#ifndef TG_VIEW_H
#define TG_VIEW_H

#include <linux/types.h>

#include <uapi/drm/timegraph.h>

struct tg_client;
struct tg_device;

/**
 * tg_view_gpu - fill in @gpu, but for its index
 * @all: the caller sees everybody's; else the counters are those of a while ago
 */
void tg_view_gpu(struct tg_device *td, struct timegraph_gpu *gpu, bool all);

/** tg_view_task - fill in @out, of a task that the caller may see; under tg_client_mutex */
void tg_view_task(const struct tg_client *client, struct timegraph_task *out);

struct tg_list;

/** tg_view_domains - the domains of a GPU that a caller sees, for tg_list_make() */
void tg_view_domains(struct tg_list *snap);

#endif
