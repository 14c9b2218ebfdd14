/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What one sees of others together.
 *
 * The counters of a GPU, and of a reserve that others use, are made of the work of
 * everybody.  Looked at often enough they tell when a neighbour draws a frame, and so
 * what is typed or watched.  Who may not see others gets them as they were at a look a
 * while ago, no matter whose look: load, but no timing.
 */
#ifndef TG_COARSE_H
#define TG_COARSE_H

#include <linux/capability.h>
#include <linux/string.h>
#include <linux/time64.h>
#include <linux/types.h>

/* Half of what viewers refresh by, so that each of their looks is a new one. */
#define TG_COARSE_NS (NSEC_PER_SEC / 2)

/** tg_sees_all - whether the caller may see others (<drm/timegraph.h>) */
static inline bool tg_sees_all(void)
{
	return capable(CAP_SYS_ADMIN) || capable(CAP_PERFMON);
}

/**
 * tg_coarse - replace what is true now by what was shown
 * @since: when that was, 0 for never
 * @shown: that
 * @live: what is true now; changed into what is to be shown
 * @size: of both
 * @now: time
 *
 * The caller's lock protects @since and @shown.
 */
static inline void tg_coarse(u64 *since, void *shown, void *live, size_t size,
			     u64 now)
{
	if (*since && now - *since < TG_COARSE_NS) {
		memcpy(live, shown, size);
		return;
	}
	*since = now;
	memcpy(shown, live, size);
}

#endif
