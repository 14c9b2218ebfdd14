// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <xf86drm.h>
#include <nouveau_drm.h>
#include <nvif/class.h>
#include <nvif/cl0080.h>

#include "nv.h"

#define CLASS_2D		0x502d
#define CLASS_M2MF		0x5039

/* Handles live in the channel's own name space. */
#define HANDLE_VRAM		0xbeef0201
#define HANDLE_GART		0xbeef0202
#define HANDLE_NOTIFIER		0xbeef0301
#define HANDLE_2D		0xbeef502d
#define HANDLE_M2MF		0xbeef5039
#define HANDLE_3D		0xbeef0097

#define TWOD_DST_FORMAT		0x0200
#define TWOD_DST_PITCH		0x0214
#define TWOD_COND_MODE		0x026c
#define TWOD_CLIP_ENABLE	0x0290
#define TWOD_COLOR_KEY_ENABLE	0x029c
#define TWOD_OPERATION		0x02ac
#define TWOD_DRAW_SHAPE		0x0580
#define TWOD_DRAW_COLOR		0x0588
#define TWOD_DRAW_POINT32	0x0600
#define TWOD_OPERATION_SRCCOPY	3
#define TWOD_SHAPE_RECTANGLES	4
#define FORMAT_BGRA8_UNORM	0xcf

#define M2MF_LINEAR_IN		0x0200
#define M2MF_LINEAR_OUT		0x021c
#define M2MF_OFFSET_IN_HIGH	0x0238
#define M2MF_OFFSET_IN		0x030c
#define M2MF_FORMAT_BYTES	0x0101

#define THREED_DMA_QUERY	0x0188
#define THREED_QUERY_ADDRESS	0x1b00
#define THREED_QUERY_TIMESTAMP	0x00005002

#define PUSH_BUFFERS		4
#define PUSH_BYTES		(256u << 10)

static int open_render_node(const char *path)
{
	char name[32];
	int i, fd;

	if (path)
		return open(path, O_RDWR | O_CLOEXEC);
	for (i = 128; i < 144; i++) {
		drmVersionPtr version;
		bool match;

		snprintf(name, sizeof(name), "/dev/dri/renderD%d", i);
		fd = open(name, O_RDWR | O_CLOEXEC);
		if (fd < 0)
			continue;
		version = drmGetVersion(fd);
		match = version && !strcmp(version->name, "nouveau");
		drmFreeVersion(version);
		if (match)
			return fd;
		close(fd);
	}
	errno = ENODEV;
	return -1;
}

/* The 3D class of each member of the family (nouveau: nvkm/engine/gr). */
static uint32_t threed_class(uint32_t chipset)
{
	switch (chipset) {
	case 0x50:
		return 0x5097;
	case 0xa0:
	case 0xaa:
	case 0xac:
		return 0x8397;
	case 0xa3:
	case 0xa5:
	case 0xa8:
		return 0x8597;
	case 0xaf:
		return 0x8697;
	default:
		return 0x8297;
	}
}

static int open_device(struct nv *nv, const char *path)
{
	struct nv_device_v0 args = { .device = ~0ull };

	nv->fd = open_render_node(path);
	if (nv->fd < 0) {
		wl_error("%s: %s", path ? path : "no nouveau render node", strerror(errno));
		return WL_NO_GPU;
	}
	if (nouveau_drm_new(nv->fd, &nv->drm) ||
	    nouveau_device_new(&nv->drm->client, NV_DEVICE, &args, sizeof(args), &nv->device)) {
		wl_error("not a nouveau device");
		return WL_NO_GPU;
	}
	if (nv->device->chipset < 0x50 || nv->device->chipset >= 0xc0) {
		wl_error("chipset 0x%x: only the Tesla family (0x50 to 0xaf) is supported",
			 nv->device->chipset);
		return WL_NO_GPU;
	}
	return nouveau_client_new(nv->device, &nv->client) ? WL_FAILED : WL_OK;
}

static int open_channel(struct nv *nv)
{
	int ret;

	nv->fifo.vram = HANDLE_VRAM;
	nv->fifo.gart = HANDLE_GART;
	nv->channel_before_ns = wl_now_ns();
	ret = nouveau_object_new(&nv->device->object, 0, NOUVEAU_FIFO_CHANNEL_CLASS,
				 &nv->fifo, sizeof(nv->fifo), &nv->channel);
	nv->channel_after_ns = wl_now_ns();
	if (ret) {
		wl_error("no GPU channel: %s", strerror(-ret));
		return WL_FAILED;
	}
	ret = nouveau_pushbuf_new(nv->client, nv->channel, PUSH_BUFFERS, PUSH_BYTES, true,
				  &nv->push);
	return ret ? WL_FAILED : WL_OK;
}

static bool create_objects(struct nv *nv)
{
	uint32_t class_3d = threed_class(nv->device->chipset);

	nv->notify.length = 32;
	return !nouveau_object_new(nv->channel, HANDLE_2D, CLASS_2D, NULL, 0, &nv->twod) &&
	       !nouveau_object_new(nv->channel, HANDLE_M2MF, CLASS_M2MF, NULL, 0, &nv->m2mf) &&
	       !nouveau_object_new(nv->channel, HANDLE_3D, class_3d, NULL, 0, &nv->threed) &&
	       !nouveau_object_new(nv->channel, HANDLE_NOTIFIER, NOUVEAU_NOTIFIER_CLASS,
				   &nv->notify, sizeof(nv->notify), &nv->notifier);
}

static bool bind_objects(struct nv *nv)
{
	if (!nv_group_begin(nv, 64, NULL, 0))
		return false;
	nv_method(nv, NV_SUBC_2D, NV_OBJECT, HANDLE_2D);
	nv_begin(nv, NV_SUBC_2D, NV_DMA_NOTIFY, 3);
	nv_emit(nv, HANDLE_NOTIFIER);
	nv_emit(nv, HANDLE_VRAM);	/* TWOD_DMA_DST */
	nv_emit(nv, HANDLE_VRAM);	/* TWOD_DMA_SRC */
	nv_method(nv, NV_SUBC_2D, TWOD_COND_MODE, 1);
	nv_method(nv, NV_SUBC_2D, TWOD_CLIP_ENABLE, 0);
	nv_method(nv, NV_SUBC_2D, TWOD_COLOR_KEY_ENABLE, 0);
	nv_method(nv, NV_SUBC_2D, TWOD_OPERATION, TWOD_OPERATION_SRCCOPY);
	nv_begin(nv, NV_SUBC_2D, TWOD_DRAW_SHAPE, 2);
	nv_emit(nv, TWOD_SHAPE_RECTANGLES);
	nv_emit(nv, FORMAT_BGRA8_UNORM);

	nv_method(nv, NV_SUBC_M2MF, NV_OBJECT, HANDLE_M2MF);
	nv_begin(nv, NV_SUBC_M2MF, NV_DMA_NOTIFY, 3);
	nv_emit(nv, HANDLE_NOTIFIER);
	nv_emit(nv, HANDLE_VRAM);	/* M2MF_DMA_IN; both handles span the whole VM */
	nv_emit(nv, HANDLE_VRAM);	/* M2MF_DMA_OUT */
	nv_method(nv, NV_SUBC_M2MF, M2MF_LINEAR_IN, 1);
	nv_method(nv, NV_SUBC_M2MF, M2MF_LINEAR_OUT, 1);

	nv_method(nv, NV_SUBC_3D, NV_OBJECT, HANDLE_3D);
	nv_method(nv, NV_SUBC_3D, NV_DMA_NOTIFY, HANDLE_NOTIFIER);
	nv_method(nv, NV_SUBC_3D, THREED_DMA_QUERY, HANDLE_VRAM);
	return nv_group_end(nv);
}

int nv_open(struct nv *nv, const char *path)
{
	int status;

	*nv = (struct nv){ .fd = -1 };
	status = open_device(nv, path);
	if (status == WL_OK)
		status = open_channel(nv);
	if (status == WL_OK && !(create_objects(nv) && bind_objects(nv))) {
		wl_error("cannot set up the channel's objects");
		status = WL_FAILED;
	}
	return status;
}

void nv_close(struct nv *nv)
{
	nouveau_object_del(&nv->notifier);
	nouveau_object_del(&nv->threed);
	nouveau_object_del(&nv->m2mf);
	nouveau_object_del(&nv->twod);
	if (nv->push)
		nouveau_pushbuf_del(&nv->push);
	nouveau_object_del(&nv->channel);
	nouveau_client_del(&nv->client);
	nouveau_device_del(&nv->device);
	nouveau_drm_del(&nv->drm);
	if (nv->fd >= 0)
		close(nv->fd);
}

bool nv_gpu_time(struct nv *nv, uint64_t *ns)
{
	return !nouveau_getparam(nv->device, NOUVEAU_GETPARAM_PTIMER_TIME, ns);
}

/* The reading with the shortest way there and back is the best of several. */
bool nv_clock_offset(struct nv *nv, uint64_t *offset_ns)
{
	uint64_t best_ns = UINT64_MAX, before, after, gpu;
	int i;

	for (i = 0; i < 5; i++) {
		before = wl_now_ns();
		if (!nv_gpu_time(nv, &gpu))
			return false;
		after = wl_now_ns();
		if (after - before >= best_ns)
			continue;
		best_ns = after - before;
		*offset_ns = before + best_ns / 2 - gpu;
	}
	return true;
}

bool nv_group_begin(struct nv *nv, uint32_t words, struct nouveau_pushbuf_refn *refs, int nr)
{
	if (nouveau_pushbuf_space(nv->push, words, 0, 0) ||
	    (nr && nouveau_pushbuf_refn(nv->push, refs, nr))) {
		wl_error("no room in the push buffer");
		return false;
	}
	return true;
}

bool nv_group_end(struct nv *nv)
{
	int ret = nouveau_pushbuf_kick(nv->push, nv->channel);

	if (ret)
		wl_error("submission: %s", strerror(-ret));
	return !ret;
}

void nv_stamp(struct nv *nv, uint64_t address, uint32_t sequence)
{
	nv_method(nv, NV_SUBC_3D, NV_SERIALIZE, 0);
	nv_begin(nv, NV_SUBC_3D, THREED_QUERY_ADDRESS, 4);
	nv_emit(nv, (uint32_t)(address >> 32));
	nv_emit(nv, (uint32_t)address);
	nv_emit(nv, sequence);
	nv_emit(nv, THREED_QUERY_TIMESTAMP);
}

void nv_fill_target(struct nv *nv, uint64_t address, uint32_t rows)
{
	nv_begin(nv, NV_SUBC_2D, TWOD_DST_FORMAT, 2);
	nv_emit(nv, FORMAT_BGRA8_UNORM);
	nv_emit(nv, 1);			/* DST_LINEAR */
	nv_begin(nv, NV_SUBC_2D, TWOD_DST_PITCH, 5);
	nv_emit(nv, NV_PITCH);
	nv_emit(nv, NV_PITCH / 4);
	nv_emit(nv, rows);
	nv_emit(nv, (uint32_t)(address >> 32));
	nv_emit(nv, (uint32_t)address);
}

void nv_fill(struct nv *nv, uint32_t colour, uint32_t rows)
{
	nv_method(nv, NV_SUBC_2D, TWOD_DRAW_COLOR, colour);
	nv_begin(nv, NV_SUBC_2D, TWOD_DRAW_POINT32, 4);
	nv_emit(nv, 0);
	nv_emit(nv, 0);
	nv_emit(nv, NV_PITCH / 4);
	nv_emit(nv, rows);
}

void nv_copy(struct nv *nv, uint64_t from, uint64_t to, uint32_t rows)
{
	nv_begin(nv, NV_SUBC_M2MF, M2MF_OFFSET_IN_HIGH, 2);
	nv_emit(nv, (uint32_t)(from >> 32));
	nv_emit(nv, (uint32_t)(to >> 32));
	nv_begin(nv, NV_SUBC_M2MF, M2MF_OFFSET_IN, 8);
	nv_emit(nv, (uint32_t)from);
	nv_emit(nv, (uint32_t)to);
	nv_emit(nv, NV_PITCH);
	nv_emit(nv, NV_PITCH);
	nv_emit(nv, NV_PITCH);		/* line length */
	nv_emit(nv, rows);
	nv_emit(nv, M2MF_FORMAT_BYTES);
	nv_emit(nv, 0);			/* BUF_NOTIFY: go */
}
