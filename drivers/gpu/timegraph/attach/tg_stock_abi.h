/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * nouveau's ioctls as far as timegraph sees or makes them.  The ABI is fixed since
 * 2009, but not all of it is in the headers of every kernel, and "deprecated" in
 * some: so under names of our own.  After <drm/nouveau_drm.h> and nouveau_abi16.h.
 */
#ifndef TG_STOCK_ABI_H
#define TG_STOCK_ABI_H

#include <linux/types.h>

/* Places in nouveau's table of ioctls. */
enum tg_abi_nr {
	TG_ABI_GETPARAM = 0x00,
	TG_ABI_GROBJ_ALLOC = 0x04,
	TG_ABI_NOTIFIEROBJ_ALLOC = 0x05,
	TG_ABI_GPUOBJ_FREE = 0x06,
	TG_ABI_GEM_INFO = 0x44,
};

#define TG_ABI_PARAM_FB_SIZE 8
#define TG_ABI_PARAM_CHIPSET_ID 11
#define TG_ABI_PARAM_VRAM_USED 19

struct tg_abi_getparam {
	u64 param;
	u64 value;
};

struct tg_abi_channel_alloc {
	u32 vram_handle;
	u32 gart_handle;
	s32 channel;
	u32 pushbuf_domains;
	u32 notifier_handle;
	struct {
		u32 handle;
		u32 class;
	} subchannel[8];
	u32 nr_subchannels;
};

struct tg_abi_channel_free {
	s32 channel;
};

struct tg_abi_grobj_alloc {
	s32 channel;
	u32 handle;
	s32 class;
};

struct tg_abi_notifierobj_alloc {
	u32 channel;
	u32 handle;
	u32 size;
	u32 offset;
};

struct tg_abi_gpuobj_free {
	s32 channel;
	u32 handle;
};

struct tg_abi_gem_info {
	u32 handle;
	u32 domain;
	u64 size;
	u64 offset;
	u64 map_handle;
	u32 tile_mode;
	u32 tile_flags;
};

/* In tile_flags: the kind, and on Tesla how it is compressed. */
#define TG_ABI_TILE_KIND 0x3ff00
#define TG_ABI_TILE_NONCONTIG BIT(3)
#define TG_ABI_DOMAIN_VRAM BIT(1)
#define TG_ABI_DOMAIN_GART BIT(2)

struct tg_abi_gem_new {
	struct tg_abi_gem_info info;
	u32 channel_hint;
	u32 align;
};

struct tg_abi_pushbuf {
	u32 channel;
	u32 nr_buffers;
	u64 buffers;
	u32 nr_relocs;
	u32 nr_push;
	u64 relocs;
	u64 push;
	u32 suffix0;
	u32 suffix1;
	u64 vram_available;
	u64 gart_available;
};

/* In vram_available: nouveau waits for the group's end, from 6.6 on. */
#define TG_ABI_PUSHBUF_SYNC BIT_ULL(0)

/* Entries of the array at tg_abi_pushbuf.buffers; only the handle is looked at. */
struct tg_abi_buffer {
	u64 user_priv;
	u32 handle;
	u32 domains[3];
	u32 presumed[2];
	u64 presumed_offset;
};

#define TG_ABI_MAX_PUSH 512
#define TG_ABI_MAX_BUFFERS 1024

/* Entries of the array at tg_abi_pushbuf.push. */
struct tg_abi_push {
	u32 buffer;
	u32 pad;
	u64 offset;
	u64 length;
};

/* In tg_abi_push.length: the GPU itself writes such entries. */
#define TG_ABI_NO_PREFETCH BIT(23)
/* What an entry of a ring can say. */
#define TG_ABI_MAX_LENGTH 0x7fffff

struct tg_abi_exec {
	u32 channel;
	u32 push_count;
	u32 wait_count;
	u32 sig_count;
	u64 wait_ptr;
	u64 sig_ptr;
	u64 push_ptr;
};

struct tg_abi_sync {
	u32 flags;
	u32 handle;
	u64 timeline_value;
};

#define TG_ABI_SYNC_TYPE 0xf
#define TG_ABI_SYNC_TIMELINE 1

#endif
