// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "channel.h"
#include "clock.h"

/* Numbers and structures as in nouveau_drm.h, under names of our own. */
struct chan_alloc {
	uint32_t vram_handle;
	uint32_t gart_handle;	/* the engine, from Kepler on and with ~0 above; else graphics */
	int32_t channel;
	uint32_t pushbuf_domains;
	uint32_t notifier_handle;
	uint32_t subchannel[8][2];
	uint32_t nr_subchannels;
};

struct chan_free {
	int32_t channel;
};

struct gem_new {
	uint32_t handle;
	uint32_t domain;
	uint64_t size;
	uint64_t offset;
	uint64_t map_handle;
	uint32_t tile_mode;
	uint32_t tile_flags;
	uint32_t channel_hint;
	uint32_t align;
};

struct gem_buffer {
	uint64_t user_priv;
	uint32_t handle;
	uint32_t read_domains;
	uint32_t write_domains;
	uint32_t valid_domains;
	uint32_t presumed_valid;
	uint32_t presumed_domain;
	uint64_t presumed_offset;
};

struct gem_push {
	uint32_t buffer;
	uint32_t pad;
	uint64_t offset;
	uint64_t length;
};

struct gem_pushbuf {
	uint32_t channel;
	uint32_t nr_buffers;
	uint64_t buffers;
	uint32_t nr_relocs;
	uint32_t nr_push;
	uint64_t relocs;
	uint64_t push;
	uint32_t suffix0;
	uint32_t suffix1;
	uint64_t vram_available;
	uint64_t gart_available;
};

struct gem_cpu_prep {
	uint32_t handle;
	uint32_t flags;
};

struct gem_close {
	uint32_t handle;
	uint32_t pad;
};

#define DRM_GEM_CLOSE	_IOW('d', 0x09, struct gem_close)
#define NV_CHAN_ALLOC	_IOWR('d', 0x42, struct chan_alloc)
#define NV_CHAN_FREE	_IOW('d', 0x43, struct chan_free)
#define NV_GEM_NEW	_IOWR('d', 0x80, struct gem_new)
#define NV_GEM_PUSHBUF	_IOWR('d', 0x81, struct gem_pushbuf)
#define NV_GEM_CPU_PREP	_IOW('d', 0x82, struct gem_cpu_prep)

#define DOMAIN_GART	4
#define PREP_NOWAIT	1
#define PREP_WRITE	4

/* Any name that the channel has not used. */
#define HANDLE_VRAM	0xbeef0201
#define HANDLE_GART	0xbeef0202

#define BUFFER_BYTES	4096
#define GROUP_BYTES	8

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* What the link /sys/class/drm/NODE/@link points to, or NULL. */
static char *linked(const char *node, const char *link, char *out)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", node, link);
	return realpath(path, out);
}

static bool is_nouveaus(const char *node, char *bus)
{
	char to[PATH_MAX];

	if (!linked(node, "device/driver", to) || strcmp(last_part(to), "nouveau"))
		return false;
	if (!linked(node, "device", to))
		return false;
	snprintf(bus, CHANNEL_PATH_BYTES, "%.60s", last_part(to));
	return true;
}

bool channel_node(unsigned int n, char *path, char *bus)
{
	bool found = false;
	glob_t g;

	if (glob("/sys/class/drm/renderD*", 0, NULL, &g))
		return false;
	for (size_t i = 0; i < g.gl_pathc && !found; i++)
		if (is_nouveaus(g.gl_pathv[i], bus) && !n--) {
			snprintf(path, CHANNEL_PATH_BYTES, "/dev/dri/%.40s",
				 last_part(g.gl_pathv[i]));
			found = true;
		}
	globfree(&g);
	return found;
}

/* As drmIoctl() does it. */
static int call(const struct channel *c, unsigned long request, void *arg)
{
	int ret;

	do
		ret = ioctl(c->fd, request, arg);
	while (ret < 0 && (errno == EINTR || errno == EAGAIN));
	return ret < 0 ? -errno : 0;
}

/* A card that wants words at the end of each buffer (before Tesla) runs on without them. */
static int check_ends(const struct channel *c)
{
	struct gem_pushbuf nothing = { .channel = c->id };
	int ret = call(c, NV_GEM_PUSHBUF, &nothing);

	if (ret)
		return ret;
	return nothing.suffix0 || nothing.suffix1 ? -EOPNOTSUPP : 0;
}

static int make_channel(struct channel *c)
{
	struct chan_alloc chan = { .vram_handle = HANDLE_VRAM, .gart_handle = HANDLE_GART };
	struct gem_new gem = { .domain = DOMAIN_GART, .size = BUFFER_BYTES };
	int ret = call(c, NV_CHAN_ALLOC, &chan);

	if (ret)
		return ret;
	c->id = chan.channel;
	c->made = true;
	ret = check_ends(c);
	if (!ret)
		ret = call(c, NV_GEM_NEW, &gem);
	c->handle = gem.handle;
	return ret;
}

int channel_open(struct channel *c, const char *path)
{
	int ret;

	*c = (struct channel){ .fd = open(path, O_RDWR | O_CLOEXEC) };
	if (c->fd < 0)
		return -errno;
	ret = make_channel(c);
	if (ret)
		channel_close(c);
	return ret;
}

int channel_submit(struct channel *c)
{
	struct gem_buffer buffer = {
		.handle = c->handle,
		.read_domains = DOMAIN_GART,
		.valid_domains = DOMAIN_GART,
	};
	struct gem_push push = { .length = GROUP_BYTES };
	struct gem_pushbuf group = {
		.channel = c->id,
		.nr_buffers = 1,
		.buffers = (uintptr_t)&buffer,
		.nr_push = 1,
		.push = (uintptr_t)&push,
	};

	return call(c, NV_GEM_PUSHBUF, &group);
}

/* The GPU reads the buffer, so who wants to write to it waits; nouveau itself for 30 s. */
int channel_wait(struct channel *c, uint64_t timeout_ns)
{
	static const struct timespec pause = { .tv_nsec = 100000 };
	struct gem_cpu_prep prep = { .handle = c->handle, .flags = PREP_NOWAIT | PREP_WRITE };
	uint64_t end = now_ns() + timeout_ns;
	int ret;

	while ((ret = call(c, NV_GEM_CPU_PREP, &prep)) == -EBUSY) {
		if (now_ns() > end)
			return -ETIMEDOUT;
		nanosleep(&pause, NULL);
	}
	return ret;
}

void channel_close(struct channel *c)
{
	struct chan_free chan = { .channel = c->id };
	struct gem_close gem = { .handle = c->handle };

	if (c->made)
		call(c, NV_CHAN_FREE, &chan);
	if (c->handle)
		call(c, DRM_GEM_CLOSE, &gem);
	if (c->fd >= 0)
		close(c->fd);
	*c = (struct channel){ .fd = -1 };
}
