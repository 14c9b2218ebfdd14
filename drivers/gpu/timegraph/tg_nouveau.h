/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The seam to nouveau.  tg_nouveau.c is the only file that includes nouveau's
 * hook header.
 */
#ifndef TG_NOUVEAU_H
#define TG_NOUVEAU_H

int tg_nouveau_init(void);
void tg_nouveau_exit(void);

#endif
