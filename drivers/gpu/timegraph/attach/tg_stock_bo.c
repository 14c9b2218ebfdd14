// SPDX-License-Identifier: GPL-2.0-only
/* Buffers of user space, by TTM: nouveau's begin with a struct ttm_buffer_object. */
#include <drm/drm_gem.h>
#include <drm/ttm/ttm_placement.h>
#include <drm/ttm/ttm_resource.h>
#include <drm/ttm/ttm_tt.h>
#ifdef TG_HAVE_TTM_BO_HEADER
#include <drm/ttm/ttm_bo.h>
#else
#include <drm/ttm/ttm_bo_api.h>
#endif
#include <linux/dma-resv.h>

#include "tg_stock.h"

static struct ttm_buffer_object *to_bo(struct drm_gem_object *obj)
{
	return container_of(obj, struct ttm_buffer_object, base);
}

struct page **tg_stock_bo_pages(struct drm_gem_object *obj)
{
	const struct ttm_buffer_object *bo = to_bo(obj);
	const struct ttm_tt *tt = bo->ttm;

	dma_resv_assert_held(obj->resv);
	/* Reading video memory through the bus takes a microsecond a word. */
	if (!bo->resource || bo->resource->mem_type == TTM_PL_VRAM || !tt ||
	    !tt->pages || !ttm_tt_is_populated(bo->ttm) ||
	    tt->caching != ttm_cached)
		return NULL;
	return tt->pages;
}

struct page *tg_stock_bo_pin(struct drm_gem_object *obj)
{
	struct page **pages, *first = NULL;

	dma_resv_lock(obj->resv, NULL);
	pages = tg_stock_bo_pages(obj);
	if (pages && to_bo(obj)->resource->mem_type == TTM_PL_TT) {
		first = pages[0];
		ttm_bo_pin(to_bo(obj));
	}
	dma_resv_unlock(obj->resv);
	return first;
}

void tg_stock_bo_unpin(struct drm_gem_object *obj)
{
	dma_resv_lock(obj->resv, NULL);
	ttm_bo_unpin(to_bo(obj));
	dma_resv_unlock(obj->resv);
}
