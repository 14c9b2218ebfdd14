/* SPDX-License-Identifier: GPL-2.0-only */
/* /dev/timegraph; the interface is in <drm/timegraph.h>. */
#ifndef TG_IOCTL_H
#define TG_IOCTL_H

int tg_ioctl_init(void);
void tg_ioctl_exit(void);

#endif
