/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is counted during a run. */
#ifndef STATS_H
#define STATS_H

#include "hist.h"
#include "sim.h"

/**
 * struct inst_stats - of one instance
 * @response: of groups, from the wish to submit to the end
 * @frame: the same of frames, to the end of the last group
 * @frame_gap: between the ends of two frames
 * @nr_late: frames that ended after the next one was due (periodic only)
 * @error: |x − cost| / cost in ppm, of groups that were predicted
 * @under, @over: how many of them were predicted too small, too large
 */
struct inst_stats {
	struct hist response;
	struct hist frame;
	struct hist frame_gap;
	struct hist error;
	u64 nr_late;
	u64 last_frame_ns;
	u64 under, over;
};

struct stats {
	struct inst_stats *inst;
	u32 n;
};

void stats_init(struct stats *st, struct sim *s);
void stats_fini(struct stats *st);

/* How much of its life an instance or a reserve had the GPU. */
double stats_share(u64 used_ns, u64 from_ns, u64 to_ns);

#endif
