/* SPDX-License-Identifier: GPL-2.0-only */
/* The ioctls of video memory; what <drm/timegraph.h> promises. */
#ifndef TG_VRAM_IOCTL_H
#define TG_VRAM_IOCTL_H

struct file;
struct tg_handle;

/* TIMEGRAPH_IOC_VRAM, _VRAM_ACCOUNTS, _RESERVE_VRAM, _FREE_VRAM, _SET_VRAM; may sleep */
int tg_vram_ioctl_look(struct file *file, void *arg);
int tg_vram_ioctl_list(struct file *file, void *arg);
int tg_vram_ioctl_reserve(struct file *file, void *arg);
int tg_vram_ioctl_free(struct file *file, void *arg);
int tg_vram_ioctl_set(struct file *file, void *arg);

/** tg_vram_ioctl_release - a file is closed: its reservations end on all GPUs */
void tg_vram_ioctl_release(struct tg_handle *h);

#endif
