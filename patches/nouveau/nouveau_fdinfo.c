// SPDX-License-Identifier: GPL-2.0-only
/*
 * What /proc/PID/fdinfo says of a DRM file of nouveau, by the rules of the
 * kernel's Documentation/gpu/drm-usage-stats.rst: GPU monitors read it.
 *
 *	drm-engine-gr: <uint> ns
 *		time that groups of this file had the graphics engine, with what
 *		its deleted channels had.  Absent until a scheduler was attached
 *		once: nouveau by itself does not know.  Grows when a group ends.
 *	drm-engine-capacity-gr: 1
 *	drm-total-<region>, drm-shared-<region>
 *		buffers by where they may be: "vram" if in video memory, else
 *		"gart" if the GPU may use system memory, else "memory".
 *	drm-resident-<region>, drm-active-<region>
 *		buffers by where they are: "memory" are those evicted or not yet
 *		moved for the GPU.  Active: an unsignalled fence is on them.
 *
 * drm_show_fdinfo() adds drm-driver, drm-client-id and drm-pdev, and sees to it
 * that the device stays.  Nothing here wakes the GPU.
 */
#include <linux/dma-resv.h>

#include <drm/drm_file.h>
#include <drm/drm_gem.h>
#include <drm/drm_print.h>
#include <drm/ttm/ttm_tt.h>

#include "nouveau_drv.h"
#include "nouveau_gem.h"
#include "nouveau_hooks_priv.h"

enum region { VRAM, GART, MEMORY, NR_REGIONS };

static const char *const region_name[NR_REGIONS] = { "vram", "gart", "memory" };

static enum region wanted_region(const struct nouveau_bo *nvbo)
{
	if (nvbo->valid_domains & NOUVEAU_GEM_DOMAIN_VRAM)
		return VRAM;
	if (nvbo->valid_domains & NOUVEAU_GEM_DOMAIN_GART)
		return GART;
	return MEMORY;
}

/* Returns where the buffer is, or NR_REGIONS if nothing is behind it yet. */
static enum region actual_region(const struct ttm_buffer_object *bo)
{
	if (!bo->resource)
		return NR_REGIONS;
	switch (bo->resource->mem_type) {
	case TTM_PL_VRAM:
		return VRAM;
	case TTM_PL_TT:
		return GART;
	default:
		return bo->ttm && ttm_tt_is_populated(bo->ttm) ? MEMORY :
								 NR_REGIONS;
	}
}

static void add_object(struct drm_gem_object *obj,
		       struct drm_memory_stats *stats)
{
	struct nouveau_bo *nvbo = nouveau_gem_object(obj);
	enum region wanted = wanted_region(nvbo);
	enum region actual = actual_region(&nvbo->bo);

	dma_resv_assert_held(obj->resv);

	if (drm_gem_object_is_shared_for_memory_stats(obj))
		stats[wanted].shared += obj->size;
	else
		stats[wanted].private += obj->size;

	if (actual == NR_REGIONS)
		return;
	stats[actual].resident += obj->size;
	if (!dma_resv_test_signaled(obj->resv, dma_resv_usage_rw(true)))
		stats[actual].active += obj->size;
}

static void add_objects(struct drm_file *file, struct drm_memory_stats *stats)
{
	struct drm_gem_object *obj;
	int id;

	spin_lock(&file->table_lock);
	idr_for_each_entry(&file->object_idr, obj, id) {
		if (dma_resv_trylock(obj->resv)) {
			add_object(obj, stats);
			dma_resv_unlock(obj->resv);
			continue;
		}
		/* Somebody moves or submits it, and may sleep. */
		drm_gem_object_get(obj);
		spin_unlock(&file->table_lock);
		dma_resv_lock(obj->resv, NULL);
		add_object(obj, stats);
		dma_resv_unlock(obj->resv);
		drm_gem_object_put(obj);
		spin_lock(&file->table_lock);
	}
	spin_unlock(&file->table_lock);
}

void nouveau_show_fdinfo(struct drm_printer *p, struct drm_file *file)
{
	struct nouveau_cli *cli = nouveau_cli(file);
	struct drm_memory_stats stats[NR_REGIONS] = {};
	u64 ns = atomic64_read(&cli->hook_gpu_ns);
	int i;

	/* Once shown, always shown. */
	if (ns || nouveau_hooks_active()) {
		drm_printf(p, "drm-engine-gr:\t%llu ns\n", ns);
		drm_printf(p, "drm-engine-capacity-gr:\t1\n");
	}

	add_objects(file, stats);
	for (i = 0; i < NR_REGIONS; i++)
		drm_print_memory_stats(p, &stats[i], DRM_GEM_OBJECT_RESIDENT,
				       region_name[i]);
}
