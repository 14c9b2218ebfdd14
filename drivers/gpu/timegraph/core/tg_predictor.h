/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The ways to predict what a group costs, behind one ops table: the history table of
 * TimeGraph section 5.3, and two static ones that do not look at the group.
 *
 * Pure as tg_sched.h.  What they know is learnt beside them, by tg_history_learn() and
 * tg_costs_learn(), whichever of them is in use.
 */
#ifndef TG_PREDICTOR_H
#define TG_PREDICTOR_H

#include "tg_costs.h"
#include "tg_predict.h"

enum tg_predictor_id {
	TG_PREDICTOR_HISTORY,
	TG_PREDICTOR_LARGEST,
	TG_PREDICTOR_AVERAGE,
	TG_NR_PREDICTORS,
};

/**
 * struct tg_past - what is known of a task's groups
 * @costs: of the last ones
 * @history: its history table, or NULL
 */
struct tg_past {
	const struct tg_costs *costs;
	struct tg_history *history;
};

/**
 * struct tg_predictor_ops - a way to predict
 * @name: what users call it
 * @profiles: it wants to know what is in a group, and a history table
 * @predict: fills @p in.  @profile and @past->history may be NULL.  tg_prediction.hit:
 *	the group, or one like it, is known; cost_ns is 0 if nothing is
 */
struct tg_predictor_ops {
	const char *name;
	bool profiles;
	void (*predict)(const struct tg_past *past, const struct tg_profile *profile,
			bool switched, struct tg_prediction *p);
};

extern const struct tg_predictor_ops tg_predictors[TG_NR_PREDICTORS];

#endif
