/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The seam to nouveau.  tg_nouveau.c is the only file that includes nouveau's
 * hook header.
 */
#ifndef TG_NOUVEAU_H
#define TG_NOUVEAU_H

#include <linux/types.h>

struct tg_chan;

int tg_nouveau_init(void);
void tg_nouveau_exit(void);

/** tg_nouveau_ref - REF_CNT of a channel with the notify backend; any context */
u32 tg_nouveau_ref(const struct tg_chan *chan);

/** tg_nouveau_fence - fence value of a channel with @has_fence; any context */
u32 tg_nouveau_fence(const struct tg_chan *chan);

#endif
