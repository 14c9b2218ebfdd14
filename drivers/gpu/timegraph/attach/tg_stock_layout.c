// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where the members of nouveau's structures lie, by its BTF.
 *
 * Types are held against what the code here expects: a member that is gone, or of
 * another type, or in another order, makes the layout unknown.  That what is read
 * is also true is checked for each channel (tg_stock_ring.c) before it is used.
 */
#define pr_fmt(fmt) "timegraph: " fmt

#include <linux/fs.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "tg_stock.h"

#define BTF_FILE "/sys/kernel/btf/"
/* No kernel has nearly as much. */
#define MAX_BYTES (256 << 20)

struct tg_stock_layout tg_stock_layout;

/**
 * struct blobs - the BTF of nouveau and what it stands on
 * @btf: the types
 * @base: the kernel's own, vmalloc()ed
 * @module: nouveau's
 */
struct blobs {
	struct tg_btf btf;
	void *base;
	void *module;
};

/*
 * The whole of a file below /sys, which says how large it is.  Not by
 * kernel_read_file(): that is for what security modules are to judge.
 */
static ssize_t read_file(const char *path, void **data)
{
	struct file *file = filp_open(path, O_RDONLY, 0);
	loff_t size, pos = 0;
	ssize_t n = 0;

	if (IS_ERR(file))
		return PTR_ERR(file);
	size = i_size_read(file_inode(file));
	*data = size > 0 && size <= MAX_BYTES ? vmalloc(size) : NULL;
	while (*data && pos < size) {
		n = kernel_read(file, *data + pos, size - pos, &pos);
		if (n <= 0)
			break;
	}
	filp_close(file, NULL);
	if (*data && pos == size)
		return size;
	vfree(*data);
	*data = NULL;
	return n < 0 ? n : -EIO;
}

static int load(const char *path, struct tg_btf_part *part, void **data)
{
	ssize_t len = read_file(path, data);

	if (len < 0)
		return len;
	if (tg_btf_open(part, *data, len))
		return -EINVAL;
	part->index = kvmalloc_array(part->nr ?: 1, sizeof(u32), GFP_KERNEL);
	if (!part->index)
		return -ENOMEM;
	tg_btf_index(part);
	return 0;
}

void tg_stock_layout_free(struct tg_btf *btf)
{
	struct blobs *b;

	if (!btf)
		return;
	b = container_of(btf, struct blobs, btf);
	kvfree(b->btf.base.index);
	kvfree(b->btf.module.index);
	vfree(b->base);
	vfree(b->module);
	kfree(b);
}

/* What a member must be: "*" a pointer, "*name" one to a structure, a structure. */
#define WANT_INT32 "#"
#define WANT_INT64 "##"

static bool is_wanted(const struct tg_btf *btf, u32 type, const char *want)
{
	if (!strcmp(want, WANT_INT32))
		return tg_btf_is_int(btf, type, 4);
	if (!strcmp(want, WANT_INT64))
		return tg_btf_is_int(btf, type, 8);
	if (want[0] == '*')
		return tg_btf_is_pointer(btf, type, want[1] ? want + 1 : NULL);
	return tg_btf_is_struct(btf, type, want);
}

static bool member(const struct tg_btf *btf, const char *structure,
		   const char *path, const char *want, u32 *offset)
{
	struct tg_btf_member m;

	if (tg_btf_path(btf, structure, path, &m) ||
	    !is_wanted(btf, m.type, want))
		return false;
	*offset = m.offset;
	return true;
}

static bool find_chan(const struct tg_btf *btf, struct tg_stock_layout *l)
{
	u32 param;

	l->emit_has_chan = tg_btf_function(btf, "nouveau_fence_emit", &param, 1) == 2;
	l->has_cli = member(btf, "nouveau_channel", "cli", "*nouveau_cli",
			    &l->chan_cli);
	l->has_inst = member(btf, "nouveau_channel", "inst", WANT_INT64, &l->chan_inst);
	return member(btf, "nouveau_fence", "channel", "*nouveau_channel",
		      &l->fence_channel) &&
	       member(btf, "nouveau_channel", "chid", WANT_INT32, &l->chan_chid);
}

/* The push buffer has been a member, one beside a pointer to it, or nvif_chan's. */
static bool find_push(const struct tg_btf *btf, struct tg_stock_layout *l)
{
	if (!member(btf, "nouveau_channel", "chan.push", "nvif_push", &l->push) &&
	    !member(btf, "nouveau_channel", "chan._push", "nvif_push", &l->push))
		return false;
	/* Words are counted from bgn, to cur, to end: nothing else makes sense. */
	return member(btf, "nvif_push", "wait", "*()", &l->wait) &&
	       member(btf, "nvif_push", "kick", "*()", &l->kick) &&
	       member(btf, "nvif_push", "mem.object.map.ptr", "*", &l->map) &&
	       member(btf, "nvif_push", "bgn", "*", &l->bgn) &&
	       member(btf, "nvif_push", "cur", "*", &l->cur) &&
	       member(btf, "nvif_push", "end", "*", &l->end) &&
	       l->cur == l->bgn + sizeof(u32 *) &&
	       l->end == l->bgn + 3 * sizeof(u32 *);
}

static bool find_ring(const struct tg_btf *btf, struct tg_stock_layout *l)
{
	if (!find_push(btf, l))
		return false;
	l->gpfifo = member(btf, "nouveau_channel", "chan", "nvif_chan",
			   &l->space);
	if (l->gpfifo)
		return member(btf, "nouveau_channel", "chan.gpfifo.cur",
			      WANT_INT32, &l->ib_put);
	return member(btf, "nouveau_channel", "dma.ib_put", WANT_INT32,
		      &l->ib_put);
}

static bool find_gr(const struct tg_btf *btf, struct tg_stock_layout *l)
{
	return member(btf, "nvkm_gr", "engine.subdev.device", "*nvkm_device",
		      &l->gr_device) &&
	       member(btf, "nvkm_device", "dev", "*device", &l->device_dev);
}

static bool find_instance(const struct tg_btf *btf, struct tg_stock_layout *l)
{
	return l->gr && member(btf, "nvkm_instmem", "subdev.device", "*nvkm_device",
			       &l->imem_device);
}

static bool find_heap(const struct tg_btf *btf, struct tg_stock_layout *l)
{
	return member(btf, "nvkm_device", "fb", "*nvkm_fb", &l->device_fb) &&
	       member(btf, "nvkm_fb", "ram", "*nvkm_ram", &l->fb_ram) &&
	       member(btf, "nvkm_ram", "mutex", "mutex", &l->ram_mutex) &&
	       member(btf, "nvkm_ram", "vram.free", "list_head", &l->ram_free) &&
	       member(btf, "nvkm_mm_node", "fl_entry", "list_head", &l->node_free) &&
	       member(btf, "nvkm_mm_node", "length", WANT_INT32, &l->node_length);
}

static bool find_fences(const struct tg_btf *btf, struct tg_stock_layout *l)
{
	u32 base;

	return member(btf, "nouveau_cli", "mutex", "mutex", &l->cli_mutex) &&
	       member(btf, "nouveau_channel", "fence", "*", &l->chan_fence) &&
	       member(btf, "nouveau_fence_chan", "pending", "list_head", &l->fctx_pending) &&
	       member(btf, "nouveau_fence_chan", "sequence", WANT_INT32, &l->fctx_sequence) &&
	       member(btf, "nouveau_fence", "head", "list_head", &l->fence_head) &&
	       member(btf, "nouveau_fence", "base", "dma_fence", &base) && !base;
}

static bool find_words(const struct tg_btf *btf, struct tg_stock_layout *l)
{
	/* It has been the channel's own member, and its client's. */
	l->has_drm = member(btf, "nouveau_channel", "drm", "*nouveau_drm", &l->chan_drm);
	return (l->has_drm ||
		(l->has_cli && member(btf, "nouveau_cli", "drm", "*nouveau_drm", &l->cli_drm))) &&
	       (member(btf, "nouveau_drm", "chan_total", WANT_INT32, &l->drm_channels) ||
		member(btf, "nouveau_drm", "chan.nr", WANT_INT32, &l->drm_channels)) &&
	       member(btf, "nouveau_drm", "fence", "*", &l->drm_fence) &&
	       member(btf, "nv84_fence_priv", "bo", "*nouveau_bo", &l->priv_bo) &&
	       member(btf, "nouveau_bo", "bo.base.size", WANT_INT64, &l->bo_size) &&
	       member(btf, "nouveau_bo", "kmap.virtual", "*", &l->bo_virtual);
}

static void find_all(const struct tg_btf *btf, struct tg_stock_layout *l)
{
	l->known = find_chan(btf, l);
	if (!l->known) {
		l->missing = "nouveau's channels are not laid out as expected";
		return;
	}
	l->fences = find_fences(btf, l);
	l->gr = find_gr(btf, l);
	l->ring = find_ring(btf, l) && l->gr;
	l->words = find_words(btf, l);
	l->instance = find_instance(btf, l);
	l->heap = find_heap(btf, l);
	if (!l->ring)
		l->missing = "nouveau's rings are not laid out as expected";
}

struct tg_btf *tg_stock_layout_read(void)
{
	struct tg_stock_layout *l = &tg_stock_layout;
	struct blobs *b = kzalloc(sizeof(*b), GFP_KERNEL);

	memset(l, 0, sizeof(*l));
	l->missing = "no memory to read nouveau's types";
	if (!b)
		return NULL;
	if (load(BTF_FILE "vmlinux", &b->btf.base, &b->base)) {
		l->missing = "no BTF that can be read in " BTF_FILE "vmlinux";
	} else if (load(BTF_FILE "nouveau", &b->btf.module, &b->module)) {
		l->missing = "no BTF that can be read in " BTF_FILE "nouveau";
	} else {
		l->missing = NULL;
		find_all(&b->btf, l);
		return &b->btf;
	}
	tg_stock_layout_free(&b->btf);
	return NULL;
}
