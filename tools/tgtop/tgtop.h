/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TGTOP_H
#define TGTOP_H

#include "state.h"

/* Exit status, as in tgtop(1). */
enum tgtop_exit {
	TGTOP_OK = 0,
	TGTOP_FAILED = 1,
	TGTOP_USAGE = 2,
	TGTOP_NO_MODULE = 3,
	TGTOP_DENIED = 4,
};

/**
 * struct batch_options - for output that is not a screen
 * @view: sort and width
 * @interval_ns: between two looks
 * @number: of samples, 0 is no limit
 * @gpu: which, or TIMEGRAPH_ALL_GPUS
 * @json: an object a line
 */
struct batch_options {
	struct view_options view;
	uint64_t interval_ns;
	uint32_t number;
	uint32_t gpu;
	bool json;
};

/* Either runs until it is told to end, and returns an enum tgtop_exit. */
int batch_run(const struct batch_options *o);
int screen_run(struct state *s);

/* Says why a look failed; returns the status. */
int tgtop_fail(int err);

#endif
