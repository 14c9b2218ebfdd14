// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a hostile or broken client can put into its command groups. None of it
 * needs a privilege: a scheduler and a GPU have to live with all of it.
 */
#include <errno.h>
#include <string.h>
#include <xf86drm.h>
#include <nouveau_drm.h>

#include "tgload.h"

#define METHOD_NOBODY_HAS	0x1ff4
#define ADDRESS_NOBODY_MAPS	0xff00000000ull
#define HANDLE_NOBODY_MADE	0xdeadbeef
#define WORD_NO_HEADER		0xe0000003

#define TWOD_DST_FORMAT		0x0200
#define NEVER_RELEASED		0xfeedface

#define NO_PREFETCH		(1u << 23)	/* in a push entry's length */

bool load_init_faults(struct load *l)
{
	uint32_t *words;

	if (l->fault != LOAD_FAULT_NO_PREFETCH)
		return true;
	if (nouveau_bo_new(l->nv.device, NOUVEAU_BO_GART | NOUVEAU_BO_MAP, 0, 4096, NULL,
			   &l->command) ||
	    nouveau_bo_map(l->command, NOUVEAU_BO_WR, l->nv.client))
		return false;
	words = l->command->map;
	words[0] = 1u << 18 | NV_SUBC_2D << 13 | NV_NOP;
	words[1] = 0;
	return true;
}

/* libdrm would not do this: the entry points beyond the end of its buffer. */
static void submit_outside(struct load *l)
{
	struct drm_nouveau_gem_pushbuf_bo bo = {
		.handle = l->staging->handle,
		.read_domains = NOUVEAU_GEM_DOMAIN_GART,
		.valid_domains = NOUVEAU_GEM_DOMAIN_GART,
	};
	struct drm_nouveau_gem_pushbuf_push push = {
		.offset = 0x40000000, .length = 64,
	};
	struct drm_nouveau_gem_pushbuf req = {
		.channel = ((struct nouveau_fifo *)l->nv.channel->data)->channel,
		.nr_buffers = 1, .buffers = (uintptr_t)&bo,
		.nr_push = 1, .push = (uintptr_t)&push,
	};
	int ret = drmCommandWriteRead(l->nv.fd, DRM_NOUVEAU_GEM_PUSHBUF, &req, sizeof(req));

	if (ret)
		wl_error("push buffer outside of its object was refused: %s", strerror(-ret));
}

static void emit_hang(struct load *l, const struct load_slot *slot)
{
	uint64_t address = slot->bo->offset + slot->bo->size - NV_STAMP_BYTES;

	nv_semaphore(&l->nv, address, NEVER_RELEASED, NV_ACQUIRE_EQUAL);
}

static void emit_no_prefetch(struct load *l)
{
	struct nouveau_pushbuf_refn ref = { l->command, NOUVEAU_BO_GART | NOUVEAU_BO_RD };

	if (!nouveau_pushbuf_refn(l->nv.push, &ref, 1))
		nouveau_pushbuf_data(l->nv.push, l->command, 0, 8 | NO_PREFETCH);
}

void load_emit_fault(struct load *l, struct load_slot *slot)
{
	struct nv *nv = &l->nv;

	l->faults++;
	switch ((enum load_fault)l->fault) {
	case LOAD_FAULT_NONE:
		break;
	case LOAD_FAULT_METHOD:
		nv_method(nv, NV_SUBC_3D, METHOD_NOBODY_HAS, 0);
		break;
	case LOAD_FAULT_VALUE:
		nv_method(nv, NV_SUBC_2D, TWOD_DST_FORMAT, 0x7f);
		nv_fill(nv, 0, 1);
		break;
	case LOAD_FAULT_ADDRESS:
		nv_fill_target(nv, ADDRESS_NOBODY_MAPS, 1);
		nv_fill(nv, 0, 1);
		break;
	case LOAD_FAULT_OBJECT:
		nv_method(nv, NV_SUBC_UNUSED, NV_NOP, 0);
		break;
	case LOAD_FAULT_BIND:
		nv_method(nv, NV_SUBC_UNUSED, NV_OBJECT, HANDLE_NOBODY_MADE);
		break;
	case LOAD_FAULT_COMMAND:
		nv_emit(nv, WORD_NO_HEADER);
		break;
	case LOAD_FAULT_PUSH:
		submit_outside(l);
		break;
	case LOAD_FAULT_NO_PREFETCH:
		emit_no_prefetch(l);
		break;
	case LOAD_FAULT_HANG:
		emit_hang(l, slot);
		break;
	}
}

/*
 * Notifications of our own on every object, each with a tag that could be the
 * scheduler's: small numbers that follow the groups of this channel.
 */
void load_emit_flood(struct load *l, uint64_t count)
{
	uint64_t i;

	for (i = 0; i < count; i++) {
		int subc = NV_SUBC_3D + (int)(i % 3);

		nv_method(&l->nv, subc, NV_NOTIFY, NV_NOTIFY_AWAKEN);
		nv_method(&l->nv, subc, NV_NOP, (uint32_t)(l->groups + i));
	}
	l->notifies += count;
}

/* Reference values that this group's own end might carry, before its work is done. */
void load_emit_refs(struct load *l)
{
	uint32_t i;

	for (i = 0; i < 6; i++)
		nv_method(&l->nv, NV_SUBC_2D, NV_REF, (uint32_t)l->groups + i);
	nv_method(&l->nv, NV_SUBC_2D, NV_REF, UINT32_MAX);
}
