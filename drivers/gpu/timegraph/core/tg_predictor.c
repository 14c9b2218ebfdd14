// SPDX-License-Identifier: GPL-2.0-only
/* The ways to predict, see tg_predictor.h. */
#include "tg_predictor.h"

static void predict_history(const struct tg_past *past, const struct tg_profile *profile,
			    bool switched, struct tg_prediction *p)
{
	*p = (struct tg_prediction){ .switched = switched };
	if (past->history && profile)
		tg_history_predict(past->history, profile, switched, p);
}

/*
 * Static: switches are in the costs that they are from, as often as they were, so none is
 * added.
 */
static void predict_largest(const struct tg_past *past, const struct tg_profile *profile,
			    bool switched, struct tg_prediction *p)
{
	u64 ns = tg_costs_largest(past->costs);

	*p = (struct tg_prediction){ .cost_ns = ns, .hit = ns, .switched = switched };
}

static void predict_average(const struct tg_past *past, const struct tg_profile *profile,
			    bool switched, struct tg_prediction *p)
{
	u64 ns = tg_costs_average(past->costs);

	*p = (struct tg_prediction){ .cost_ns = ns, .hit = ns, .switched = switched };
}

const struct tg_predictor_ops tg_predictors[TG_NR_PREDICTORS] = {
	[TG_PREDICTOR_HISTORY] = { "history", true, predict_history },
	[TG_PREDICTOR_LARGEST] = { "largest", false, predict_largest },
	[TG_PREDICTOR_AVERAGE] = { "average", false, predict_average },
};
