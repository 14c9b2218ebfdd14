// SPDX-License-Identifier: GPL-2.0-or-later
#include "mem.h"
#include "stats.h"

static void count_frame(struct inst_stats *is, const struct sim_group *g, u64 now)
{
	const struct arrival *a = &g->inst->desc->arrival;

	hist_add(&is->frame, now - g->released_ns);
	if (is->last_frame_ns)
		hist_add(&is->frame_gap, now - is->last_frame_ns);
	is->last_frame_ns = now;
	if (a->type == ARRIVE_PERIODIC && now - g->released_ns > a->period_ns)
		is->nr_late++;
}

static void count_error(struct inst_stats *is, const struct sim_group *g)
{
	u64 x = g->prediction.cost_ns, cost = g->core.cost_ns;
	u64 diff = x > cost ? x - cost : cost - x;

	if (!cost)
		return;
	hist_add(&is->error, (u64)((double)diff / (double)cost * PPM + 0.5));
	is->under += x < cost;
	is->over += x > cost;
}

static void event(void *arg, struct sim *s, const struct sim_event *ev)
{
	struct stats *st = arg;
	const struct sim_group *g = ev->group;
	struct inst_stats *is;

	if (ev->what != SIM_COMPLETE)
		return;
	is = &st->inst[g->inst->index];
	hist_add(&is->response, ev->now - g->released_ns);
	if (g->last_of_frame)
		count_frame(is, g, ev->now);
	if (g->profiled)
		count_error(is, g);
}

void stats_init(struct stats *st, struct sim *s)
{
	const struct sim_observer o = { event, st };

	st->n = s->nr_insts;
	st->inst = mem_alloc(st->n * sizeof(*st->inst));
	sim_observe(s, &o);
}

void stats_fini(struct stats *st)
{
	for (u32 i = 0; i < st->n; i++) {
		hist_free(&st->inst[i].response);
		hist_free(&st->inst[i].frame);
		hist_free(&st->inst[i].frame_gap);
		hist_free(&st->inst[i].error);
	}
	free(st->inst);
}

double stats_share(u64 used_ns, u64 from_ns, u64 to_ns)
{
	return to_ns > from_ns ?
	       100.0 * (double)used_ns / (double)(to_ns - from_ns) : 0;
}
