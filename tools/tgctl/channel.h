/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A GPU channel of nouveau's, on any card from Tesla on (GeForce 8), for groups that do
 * nothing.
 *
 * By nouveau's ioctls themselves, whose ABI is fixed since 2009 (Linux,
 * include/uapi/drm/nouveau_drm.h): libdrm_nouveau has more of them, but tgctl is to run
 * where there is nothing but the C library.
 */
#ifndef CHANNEL_H
#define CHANNEL_H

#include <stdbool.h>
#include <stdint.h>

#define CHANNEL_PATH_BYTES 64

/**
 * struct channel - open, or { .fd = -1 }
 * @fd: the render node
 * @id: the channel's number
 * @made: there is one
 * @handle: of a buffer of zeros, which are headers of methods without data; 0: there is none
 */
struct channel {
	int fd;
	int32_t id;
	bool made;
	uint32_t handle;
};

/**
 * channel_node - the nth render node that nouveau has
 * @path: CHANNEL_PATH_BYTES of room
 * @bus: likewise, for the device's name, "0000:01:00.0"
 *
 * By /sys, so nothing is opened and no GPU woken.  Return: false if there are fewer.
 */
bool channel_node(unsigned int n, char *path, char *bus);

/**
 * channel_open - open the node and make a channel
 *
 * Return: 0 or -errno, and nothing is left.  -EOPNOTSUPP: a card before Tesla.
 */
int channel_open(struct channel *c, const char *path);

/** channel_submit - give the GPU a group that does nothing; 0 or -errno */
int channel_submit(struct channel *c);

/** channel_wait - until all that was submitted has ended; -ETIMEDOUT */
int channel_wait(struct channel *c, uint64_t timeout_ns);

/** channel_close - free all of it */
void channel_close(struct channel *c);

#endif
