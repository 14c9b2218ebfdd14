/* SPDX-License-Identifier: GPL-2.0-only */
/* Grace periods of RCU tasks come to an end while the module goes. */
#ifndef TG_GRACE_H
#define TG_GRACE_H

/**
 * tg_grace_hasten - no worker holds them up, until tg_grace_relax()
 *
 * May sleep.  Nobody relies on it: what there is no memory for is left.
 */
void tg_grace_hasten(void);

/** tg_grace_relax - may sleep; nothing of it runs any more */
void tg_grace_relax(void);

#endif
