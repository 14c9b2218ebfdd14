// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Has the core's predictors predict the groups of a trace, each when it entered the
 * GPU-online list and learning of each when it ended, in the order in which that was so.
 */
#include "mem.h"
#include "replay.h"

static struct tg_past past_of(const struct replay *r, struct replay_task *t,
			      const struct tg_profile *profile)
{
	struct tg_past past = { .costs = &t->costs };

	if (!profile)
		return past;
	if (!t->record) {
		t->record = mem_alloc(r->nr_records * sizeof(*t->record));
		tg_history_init(&t->history, t->record, r->nr_records, 0);
	}
	past.history = &t->history;
	return past;
}

static const struct tg_profile *profile_of(const struct replay_group *g)
{
	return g->profile.words ? &g->profile : NULL;
}

static void predict(const struct replay *r, struct replay_group *g)
{
	struct replay_task *t = &r->task[g->task];
	const struct tg_past past = past_of(r, t, profile_of(g));

	for (u32 i = 0; i < TG_NR_PREDICTORS; i++)
		tg_predictors[i].predict(&past, profile_of(g), g->switched, &g->predicted[i]);
}

static void count(const struct replay *r, struct replay_errors *e, u64 predicted, u64 cost)
{
	u64 late = cost > predicted ? cost - predicted : 0;
	u64 early = predicted > cost ? predicted - cost : 0;

	e->nr++;
	e->late_ns += late;
	e->early_ns += early;
	e->nr_late += !!late;
	e->nr_gaps += early > r->lead_ns;
	if (late > e->late_max_ns)
		e->late_max_ns = late;
	if (early > e->early_max_ns)
		e->early_max_ns = early;
}

/* All are compared by the same groups: those that each has a prediction for. */
static void compare(const struct replay *r, struct replay_task *t, const struct replay_group *g)
{
	bool known = true;

	for (u32 i = 0; i < TG_NR_PREDICTORS; i++)
		if (replay_has(r, i) && !g->predicted[i].cost_ns) {
			t->errors[i].nr_unknown++;
			known = false;
		}
	t->errors[REPLAY_RECORDED].nr_unknown += !g->recorded_ns;
	if (!known)
		return;
	t->nr_compared++;
	for (u32 i = 0; i < TG_NR_PREDICTORS; i++) {
		if (!replay_has(r, i))
			continue;
		count(r, &t->errors[i], g->predicted[i].cost_ns, g->cost_ns);
		t->errors[i].nr_hits += g->predicted[i].hit;
	}
	if (g->recorded_ns)
		count(r, &t->errors[REPLAY_RECORDED], g->recorded_ns, g->cost_ns);
}

static void learn(const struct replay *r, struct replay_group *g)
{
	struct replay_task *t = &r->task[g->task];
	const struct tg_past past = past_of(r, t, profile_of(g));

	g->predicted[TG_PREDICTOR_HISTORY].switched = g->switched;
	if (past.history)
		tg_history_learn(past.history, &g->profile, &g->predicted[TG_PREDICTOR_HISTORY],
				 g->cost_ns);
	tg_costs_learn(&t->costs, g->cost_ns);
}

void replay_run(struct replay *r)
{
	for (size_t i = 0; i < r->nr_events; i++) {
		struct replay_group *g = &r->group[r->event[i].group];

		if (!r->event[i].ends) {
			if (g->began && g->ended)
				predict(r, g);
			continue;
		}
		r->task[g->task].nr_groups++;
		if (g->began) {
			compare(r, &r->task[g->task], g);
			compare(r, &r->all, g);
		}
		learn(r, g);
	}
	for (size_t i = 0; i < r->nr_groups; i++) {
		r->nr_cut += r->group[i].began != r->group[i].ended;
		r->all.nr_groups += r->group[i].ended;
	}
}
